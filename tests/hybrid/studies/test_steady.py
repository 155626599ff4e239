"""Steady motion of rotors and wheelsets against closed forms, and what is said where there is none."""

from __future__ import annotations

import math

import numpy as np
import pytest

import floatframe as ff

h = ff.hybrid


def jeffcott(speed, eccentricity, stiffness=2000.0, mass=5.0, gravity=0.0, value=None):
    """A disc on springs that turn with a driven hub; its centre of mass lies off the axis."""
    model = h.Model(gravity=(0, -gravity, 0))
    hub = model.add(h.RigidBody("hub", mass=1.0, inertia=(1, 1, 1)))
    disc = model.add(h.RigidBody("disc", mass=mass, inertia=(0.1, 0.1, 0.1), com=(eccentricity, 0, 0)))
    model.add(h.revolute("shaft", hub.at(), model.ground.at()))
    model.add(h.motion("drive", "shaft", value or f"{speed}*t"))
    model.add(h.general("ways", disc.at(), hub.at(), [h.translate((1, 0, 0)), h.translate((0, 1, 0))]))
    model.add(h.bushing("springs", disc.at(), hub.at(), stiffness=(stiffness, stiffness, 0)))
    return model.compile()


@pytest.mark.parametrize("ratio", [0.5, 0.95, 1.05, 3.0])
@pytest.mark.parametrize("eccentricity", [1e-4, 0.02])
def test_jeffcott_rotor_below_and_above_its_critical_speed(ratio, eccentricity):
    speed = ratio * math.sqrt(2000.0 / 5.0)
    system = jeffcott(speed, eccentricity)
    state = system.steady_motion()
    # r = e s^2 / (1 - s^2), linear however large, so Newton's method ends at rounding
    exact = eccentricity * ratio**2 / (1.0 - ratio**2)
    assert state.q[1:] == pytest.approx([exact, 0.0], rel=1e-9, abs=1e-12)
    assert state.v == pytest.approx([speed, 0.0, 0.0], rel=1e-12, abs=1e-10)
    assert np.abs(system.accelerations(state)[0]).max() <= 1e-8
    # in axes that turn the two frequencies are |w - speed| and w + speed
    w = math.sqrt(400.0)
    found = 2.0 * math.pi * system.linearise(state).frequency
    assert found == pytest.approx(sorted([abs(w - speed), w + speed]), rel=1e-7)


@pytest.fixture(scope="module")
def shaft():
    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
    square = ff.fem.BeamSection.rectangle(0.02, 0.02)
    line = ff.fem.beam_line((0, 0, 0), (1, 0, 0), n=20, section=square, material=steel)
    return ff.modal.reduce(line, interface=[1, 11, 21], n_modes=6)


def flexible_rotor(shaft, speed, eccentricity):
    model = h.Model()
    rod = model.add(h.FlexibleBody("rod", shaft))
    disc = model.add(
        h.RigidBody("disc", mass=5.0, inertia=(1e-6, 1e-6, 1e-6), position=(0.5, 0, 0), com=(0, eccentricity, 0))
    )
    model.add(h.revolute("left", rod.node(1), model.ground.at(), axis=(1, 0, 0)))
    model.add(h.point_on_line("right", rod.node(21), model.ground.at((1, 0, 0)), axis=(1, 0, 0)))
    model.add(h.fixed("hub", disc.at(), rod.node(11)))
    model.add(h.motion("drive", "left", f"{speed}*t"))
    return model.compile()


def test_flexible_shaft_bent_by_20_millimetres_keeps_its_shape(shaft):
    """Unbalance at 0.9 of the critical speed bends the shaft by 20 mm per metre; one turn later it still does."""
    critical = 2.0 * math.pi * flexible_rotor(shaft, 0.0, 0.0).linearise().frequency[0]
    speed, eccentricity = 0.9 * critical, 6.2e-3
    system = flexible_rotor(shaft, speed, eccentricity)
    state = system.steady_motion()
    assert system.linearise(state).stable
    run = system.simulate(
        state, t_end=2.0 * math.pi / speed, rtol=1e-7, record=h.Record(every=0.01, channels=("disc.position",))
    )
    radius = np.linalg.norm(run["disc.position"][:, 1:], axis=1)
    # e s^2 / (1 - s^2), less for the 17/35 of the shaft that move along without unbalance (Rayleigh): one mode of many
    moving = 5.0 + 17.0 / 35.0 * 7850.0 * 0.02**2
    assert radius[0] == pytest.approx(eccentricity * 0.81 / 0.19 * 5.0 / moving, rel=2e-2)
    assert radius[0] > 0.02
    # tolerance of the steps
    assert radius == pytest.approx(radius[0], rel=1e-4)


@pytest.mark.parametrize(("law", "spin"), [("linear", None), ("saturated", 86.0), ("polach", None)])
def test_wheelset_rolls_at_the_speed_of_its_carrier(law, spin):
    """The spin is that of rolling on the radius less the penetration; nothing accelerates but the way goes on."""
    speed, radius, load, weight = 40.0, 0.46, 40e3, 1500.0 * 9.81  # the car hangs on its rail
    model = h.Model(gravity=(0, 0, -9.81))
    car = model.add(h.RigidBody("car", mass=1.0, inertia=(1, 1, 1)))
    box = model.add(h.RigidBody("box", mass=1.0, inertia=(0.1, 0.1, 0.1)))
    axle = model.add(h.RigidBody("axle", mass=1499.0, inertia=(900.0, 100.0, 900.0)))
    model.add(h.prismatic("run", car.at(), model.ground.at(), axis=(1, 0, 0), start_rate=speed))
    model.add(h.motion("pull", joint="run", value=f"{speed}*t"))
    ways = [h.translate((0, 1, 0)), h.translate((0, 0, 1)), h.rotate((0, 0, 1)), h.rotate((1, 0, 0))]
    model.add(h.general("ways", box.at(), car.at((0, 0, radius)), ways))
    model.add(h.revolute("spin", axle.at(), box.at(), axis=(0, 1, 0), **({} if spin is None else {"start_rate": spin})))
    model.add(h.bushing("springs", box.at(), car.at((0, 0, radius)), stiffness=(0, 2e5, 0, 0, 0, 1e6)))
    model.add(h.point_force("load", box.at(), force=(0, 0, -load)))
    for side, y in (("left", 0.75), ("right", -0.75)):
        model.add(h.wheel_rail(f"w{side}", axle.at((0, y, 0)), model.ground.at(), side, radius, creep=h.Creep(law)))
    system = model.compile()
    state = system.steady_motion()
    assert np.abs(system.accelerations(state)[0]).max() <= 1e-6
    drop = -state.q[2]
    contact = system.evaluation(state)(0.0, state.q, 1 | 8, state.v).data.forces["force"][-2:]
    # both wheels carry weight and load
    assert contact[:, 2].sum() == pytest.approx(weight + load, rel=1e-8)
    assert state.v[-1] == pytest.approx(speed / (radius - drop), rel=1e-6)
    assert state.v[0] == pytest.approx(speed)
    # beside the tread nothing moves: a mean of zero to the rounding of creep forces
    assert np.abs(state.v[1:5]).max() <= 1e-6


def rotor_on_springs(speed, eccentricity, gravity=0.0):
    """A disc that spins on springs alone, without a joint."""
    model = h.Model(gravity=(0, -gravity, 0))
    spin = {"com": (eccentricity, 0, 0), "angular_velocity": (0, 0, speed)}
    disc = model.add(h.RigidBody("disc", mass=5.0, inertia=(0.1, 0.1, 0.2), **spin))
    model.add(h.bushing("springs", disc.at(), model.ground.at(), stiffness=(2000, 2000, 2000, 50, 50, 0)))
    return model.compile()


@pytest.mark.parametrize("ratio", [0.5, 0.95, 3.0])
def test_unbalanced_rotor_on_springs_goes_round(ratio):
    speed, eccentricity = ratio * 20.0, 0.1
    system = rotor_on_springs(speed, eccentricity)
    state = system.steady_motion()
    radius = eccentricity * ratio**2 / (1.0 - ratio**2)
    # linear in the position: rounding
    assert state.q[:3] == pytest.approx([radius, 0.0, 0.0], rel=1e-9, abs=1e-12)
    assert state.v == pytest.approx([0.0, speed * radius, 0.0, 0.0, 0.0, speed], rel=1e-9, abs=1e-9)
    # small motions in the plane, in axes that turn: radius x, across y and angle f of the marker, with the centre of
    # mass at d = eccentricity along it and k = 2000 N/m, m = 5 kg, inertia 0.2 kg m2 about the centre of mass
    k, m, d, s = 2000.0, 5.0, eccentricity, speed
    mass = np.array([[m, 0, 0], [0, m, m * d], [0, m * d, 0.2 + m * d * d]])
    gyro = 2.0 * m * s * np.array([[0, -1, -d], [1, 0, 0], [d, 0, 0]])
    # the angle turns the arm d of the centrifugal force that belongs to the radius
    around = m * d * s * s
    stiff = np.array([[k - m * s * s, 0, 0], [0, k - m * s * s, -around], [0, -around, around * radius]])
    first = np.block([[np.zeros((3, 3)), np.eye(3)], [-np.linalg.solve(mass, stiff), -np.linalg.solve(mass, gyro)]])
    expected = np.sort(np.abs(np.linalg.eigvals(first).imag))[-3::2]
    found = 2.0 * math.pi * system.linearise(state).frequency
    assert [np.abs(found - value).min() for value in expected] == pytest.approx([0.0, 0.0], abs=1e-5)


def test_balanced_rotor_on_springs_sags_without_going_round():
    state = rotor_on_springs(10.0, 0.0, gravity=9.81).steady_motion()
    # Newton's method on a linear system
    assert state.q[:3] == pytest.approx([0.0, -5.0 * 9.81 / 2000.0, 0.0], rel=1e-9, abs=1e-12)
    assert state.v == pytest.approx([0, 0, 0, 0, 0, 10.0], abs=1e-12)


class TestFreeFlight:
    """Nothing holds the body: it keeps its spin and the velocity of its centre of mass."""

    def test_rigid_body_thrown_with_spin(self):
        model = h.Model()
        motion = {"angular_velocity": (0, 0, 7), "velocity": (1, 2, 3)}
        model.add(h.RigidBody("block", mass=2.0, inertia=(1, 2, 3), com=(0.3, 0.1, 0), **motion))
        state = model.compile().steady_motion()
        assert state.v == pytest.approx([1, 2, 3, 0, 0, 7], abs=1e-12)

    @pytest.mark.filterwarnings("ignore:.*its frame is clamped")
    @pytest.mark.parametrize("frame", ["mean", "chord", ("node", 1), ("node", 11)])
    def test_rod_stretches_alike_in_all_frames(self, shaft, frame):
        """A free rod that spins about its middle: u(L/2) = rho s^2 L^3 / (24 E) on either side."""
        speed = 100.0
        model = h.Model()
        motion = {"angular_velocity": (0, 0, speed), "velocity": (3, 1 - 0.5 * speed, 2)}
        model.add(h.FlexibleBody("rod", shaft, frame=frame, **motion))
        system = model.compile()
        state = system.steady_motion()
        ends = ("rod.node[1].position", "rod.node[21].position", "rod.node[11].velocity")
        run = system.simulate(state, t_end=0.02, rtol=1e-8, record=h.Record(every=0.005, channels=ends))
        length = np.linalg.norm(run[ends[1]] - run[ends[0]], axis=1)
        stretch = 7850.0 * speed**2 / (12.0 * 2.1e11)
        # elements of a twentieth and six modes: the load of a bar is exact at its ends; 1e-3 for consistent masses
        assert length - 1.0 == pytest.approx(stretch, rel=2e-3)
        # the middle is the centre of mass and flies on; a difference would be speed times stretch, 3e-3
        assert run[ends[2]] == pytest.approx(np.tile([3.0, 1.0, 2.0], (len(length), 1)), abs=1e-4)


class TestNoSteadyMotion:
    def test_weight_across_the_axis(self):
        with pytest.raises(ff.errors.NotConverged, match="change as the motion goes on"):
            jeffcott(10.0, 1e-3, gravity=9.81).steady_motion()

    def test_drive_that_accelerates(self):
        with pytest.raises(ff.errors.NotConverged, match="'drive' is driven with an acceleration of 4"):
            jeffcott(10.0, 1e-3, value="10*t + 2*t^2").steady_motion()

    def test_force_that_depends_on_time(self):
        model = h.Model()
        body = model.add(h.RigidBody("body", mass=1.0, inertia=(1, 1, 1)))
        model.add(h.prismatic("guide", body.at(), model.ground.at(), axis=(1, 0, 0)))
        model.add(h.joint_force("spring", "guide", "-100*displacement"))
        model.add(h.point_force("shaker", body.at(), force=("sin(3*t)", 0, 0)))
        with pytest.raises(ff.errors.NotConverged, match="point_force 'shaker' depends on time"):
            model.compile().steady_motion()

    def test_force_in_step_with_the_speed(self):
        """A shaker of 2 Hz beside a shaft of 2 rad/s is the same after the time of one radian, but not in between."""
        model = h.Model()
        shaft = model.add(h.RigidBody("shaft", mass=1.0, inertia=(1, 1, 1)))
        body = model.add(h.RigidBody("body", mass=1.0, inertia=(1, 1, 1)))
        model.add(h.revolute("bearing", shaft.at(), model.ground.at()))
        model.add(h.motion("drive", "bearing", "2*t"))
        model.add(h.prismatic("guide", body.at(), model.ground.at((0, 0, 1)), axis=(1, 0, 0)))
        model.add(h.joint_force("shaker", "guide", "5*cos(4*pi*t) - 100*displacement"))
        with pytest.raises(ff.errors.NotConverged, match="'shaker' depends on time"):
            model.compile().steady_motion()

    def test_motor_without_load(self):
        model = h.Model()
        rotor = model.add(h.RigidBody("rotor", mass=1.0, inertia=(1, 1, 1)))
        model.add(h.revolute("shaft", rotor.at(), model.ground.at(), start_rate=5.0))
        model.add(h.joint_torque("motor", "shaft", 3.0))
        with pytest.raises(ff.errors.NotConverged, match="its speed is not constant"):
            model.compile().steady_motion()

    def test_motor_with_load_turns_at_the_speed_of_balance(self):
        model = h.Model()
        rotor = model.add(h.RigidBody("rotor", mass=1.0, inertia=(1, 1, 1)))
        model.add(h.revolute("shaft", rotor.at(), model.ground.at(), start_rate=5.0))
        model.add(h.joint_torque("motor", "shaft", "3 - 0.01*rate^2"))
        assert model.compile().steady_motion().v == pytest.approx([math.sqrt(300.0)], rel=1e-9)

    def test_box_on_springs_that_would_turn_with_the_shaft(self):
        """A bearing box held by springs stands still; all of the speed is in the shaft."""
        model = h.Model()
        box = model.add(h.RigidBody("box", mass=0.1, inertia=(1e-4, 1e-4, 1e-4)))
        shaft = model.add(h.RigidBody("shaft", mass=5.0, inertia=(0.1, 0.1, 0.1)))
        model.add(h.bushing("mount", box.at(), model.ground.at(), stiffness=(1e6, 1e6, 1e6, 1e4, 1e4, 1e4)))
        model.add(h.revolute("bearing", shaft.at(), box.at()))
        model.add(h.motion("drive", "bearing", "30*t"))
        system = model.compile()
        state = system.steady_motion()
        spin = [system.evaluation(state)(0.0, state.q, 1, state.v).data.links["w"][k, 2] for k in (1, 2)]
        assert sorted(np.abs(spin)) == pytest.approx([0.0, 30.0], abs=1e-8)
