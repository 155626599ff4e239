"""Linear analysis against analytic frequencies and finite element models."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import scipy.linalg

import floatframe as ff
from floatframe.hybrid.studies.tangent import differentiate, tangent

G = 9.81
# differences of fourth order leave about 1e-12 of the stiffness
DIFFERENCES = 1e-10


def pendulum(angle, n=1, cut=False, gravity=G):
    """Chain of n rods (mass 2 kg, length 1 m) hanging along x at `angle` = 0, axis y; gravity along x."""
    model = ff.hybrid.Model(gravity=(gravity, 0, 0))
    before = model.ground.at((0, 0, 0))
    for k in range(n):
        rod = model.add(ff.hybrid.RigidBody(f"rod{k + 1}", mass=2.0, inertia=(0.1, 1 / 6, 1 / 6), com=(0.5, 0, 0)))
        start = angle if k == 0 else 0.0
        model.add(ff.hybrid.revolute(f"hinge{k + 1}", rod.at((0, 0, 0)), before, axis=(0, 1, 0), start=start, cut=cut))
        before = rod.at((1, 0, 0))
    return model


def oscillator(stiffness, damping, mass=2.0):
    model = ff.hybrid.Model()
    block = model.add(ff.hybrid.RigidBody("block", mass=mass, inertia=(1, 1, 1)))
    model.add(ff.hybrid.prismatic("slide", block.at((0, 0, 0)), model.ground.at((0, 0, 0)), axis=(1, 0, 0)))
    model.add(ff.hybrid.joint_force("law", "slide", f"-{stiffness}*displacement-({damping})*rate"))
    return model.compile()


class TestPendulums:
    @pytest.mark.parametrize("cut", [False, True])
    def test_double_pendulum(self, cut):
        system = pendulum(0.0, n=2, cut=cut).compile()
        assert system.nlambda == (10 if cut else 0)
        found = system.linearise(system.start)
        # absolute angles of two uniform rods: m = 2, l = 1
        M = np.array([[8 / 3, 1.0], [1.0, 2 / 3]])
        K = G * np.diag([3.0, 1.0])
        exact = np.sqrt(scipy.linalg.eigh(K, M, eigvals_only=True)) / (2.0 * np.pi)
        assert found.frequency == pytest.approx(exact, rel=DIFFERENCES)
        assert found.damping == pytest.approx(0.0, abs=1e-12)
        assert found.shapes.T @ system.mass_matrix(system.start) @ found.shapes == pytest.approx(np.eye(2), abs=1e-9)

    def test_inverted_pendulum_is_unstable(self):
        system = pendulum(np.pi).compile()
        found = system.linearise(system.start)
        assert not found.stable
        assert found.unstable.tolist() == [True]
        assert found.eigenvalues[0] == pytest.approx(np.sqrt(1.5 * G), rel=DIFFERENCES)
        assert found.damping[0] == -1.0
        assert "UNSTABLE" in found.table()

    def test_falling_pendulum_has_no_weight(self):
        """A free rod under gravity: six rigid motions, no stiffness of gravity, since it falls."""
        model = ff.hybrid.Model(gravity=(0, 0, -G))
        model.add(ff.hybrid.RigidBody("rod", mass=2.0, inertia=(0.1, 0.2, 0.3), com=(0.5, 0.2, 0.1)))
        system = model.compile()
        found = system.linearise(system.start)
        assert found.rigid.tolist() == [True] * 6
        assert found.frequency.tolist() == [0.0] * 6
        assert found.acceleration == pytest.approx(G)
        assert "not an equilibrium" in found.table()


class TestDamping:
    def test_ratio_and_frequency(self):
        found = oscillator(stiffness=200.0, damping=8.0).linearise()
        assert found.frequency == pytest.approx([10.0 / (2.0 * np.pi)], rel=DIFFERENCES)
        assert found.damping == pytest.approx([0.2], rel=DIFFERENCES)
        assert found.damped_frequency == pytest.approx(found.frequency * np.sqrt(1.0 - 0.04), rel=DIFFERENCES)

    def test_overdamped_motion_is_two_real_ones(self):
        found = oscillator(stiffness=200.0, damping=50.0).linearise()
        # s^2 + 25 s + 100 = (s + 5) (s + 20)
        assert found.eigenvalues == pytest.approx([-5.0, -20.0], rel=DIFFERENCES)
        assert found.damping.tolist() == [1.0, 1.0]
        assert found.damped_frequency.tolist() == [0.0, 0.0]
        assert "time constant 0.2 s" in found.table()

    def test_negative_damping_is_unstable(self):
        found = oscillator(stiffness=200.0, damping=-8.0).linearise()
        assert found.unstable.tolist() == [True]
        assert found.damping == pytest.approx([-0.2], rel=DIFFERENCES)

    def test_damper_on_a_free_body_leaves_one_rigid_motion_and_one_decay(self):
        found = oscillator(stiffness=0.0, damping=8.0).linearise()
        assert found.rigid.tolist() == [True, False]
        assert found.eigenvalues == pytest.approx([0.0, -4.0], rel=DIFFERENCES)

    def test_modal_damping_of_a_flexible_body(self, body):
        model = ff.hybrid.Model()
        rod = model.add(ff.hybrid.FlexibleBody("rod", body, damping=0.02))
        assert rod is not None
        found = model.compile().linearise(up_to=2000.0)
        assert found.rigid.sum() == 6
        own = body.orthonormalised().frequency
        elastic = own[own > 1.0][: len(found.frequency) - 6]
        # no joints: the body's own free modes, exactly
        assert found.frequency[6:] == pytest.approx(elastic, rel=1e-9)
        assert found.damping[6:] == pytest.approx(0.02, rel=1e-9)
        assert found.elastic[0, 6:] == pytest.approx(1.0, rel=1e-9)


class TestRotation:
    def test_free_symmetric_body_precesses(self):
        """Euler: the angular velocity of a body with inertia A, A, C turns about its axis at (C - A) / A times spin."""
        A, C, spin = 2.0, 3.0, 7.0
        model = ff.hybrid.Model()
        model.add(ff.hybrid.RigidBody("disc", mass=1.0, inertia=(A, A, C), angular_velocity=(0, 0, spin)))
        system = model.compile()
        found = system.linearise(system.start)
        turning = found.frequency[found.frequency > 0.01] * 2.0 * np.pi
        # seen in body axes an attitude fixed in space turns with the spin itself
        assert turning == pytest.approx([spin * (C - A) / A, spin], rel=1e-9)
        assert found.stable

    def test_intermediate_axis_is_unstable(self):
        A, B, C, spin = 1.0, 2.0, 2.5, 5.0
        model = ff.hybrid.Model()
        model.add(ff.hybrid.RigidBody("book", mass=1.0, inertia=(A, B, C), angular_velocity=(0, spin, 0)))
        system = model.compile()
        found = system.linearise(system.start)
        growth = spin * np.sqrt((B - A) * (C - B) / (A * C))
        assert found.eigenvalues.real.max() == pytest.approx(growth, rel=1e-9)
        assert found.unstable.sum() == 1

    @pytest.mark.parametrize("cut", [False, True])
    def test_centrifugal_force_softens_a_sliding_mass(self, cut):
        """A mass on a spring along a spoke that turns at a prescribed rate: w^2 = k/m - rate^2."""
        mass, stiffness, rate = 2.0, 800.0, 12.0
        stretch = 0.5 * mass * rate**2 / (stiffness - mass * rate**2)  # of a spring with free length 0.5 m
        model = ff.hybrid.Model()
        spoke = model.add(ff.hybrid.RigidBody("spoke", mass=1.0, inertia=(1, 1, 1)))
        slider = model.add(ff.hybrid.RigidBody("slider", mass=mass, inertia=(1, 1, 1), position=(0.5 + stretch, 0, 0)))
        hub = ff.hybrid.revolute("hub", spoke.at((0, 0, 0)), model.ground.at((0, 0, 0)), start_rate=rate)
        slide = ff.hybrid.prismatic("slide", slider.at((0, 0, 0)), spoke.at((0, 0, 0)), axis=(1, 0, 0), cut=cut)
        model.add(hub)
        model.add(slide)
        model.add(ff.hybrid.motion("turning", hub, f"{rate}*t"))
        model.add(
            ff.hybrid.spring("spring", slider.at((0, 0, 0)), spoke.at((0, 0, 0)), stiffness=stiffness, length=0.5)
        )
        system = model.compile()
        found = system.linearise(system.start)
        assert found.frequency * 2.0 * np.pi == pytest.approx([np.sqrt(stiffness / mass - rate**2)], rel=1e-8)
        assert found.damping == pytest.approx([0.0], abs=1e-8)


def test_manchester_vehicle_in_its_plane():
    """Benchmark vehicle 1 (Iwnicki 1998), planar, wheels held: bounce and pitch of body and two bogies."""
    model = ff.hybrid.Model()

    def sprung(name, mass, pitch_inertia, x):
        body = model.add(ff.hybrid.RigidBody(name, mass=mass, inertia=(1e3, pitch_inertia, pitch_inertia)))
        ground = model.ground.at((x, 0, 0))
        steps = [ff.hybrid.translate((0, 0, 1)), ff.hybrid.rotate((0, 1, 0))]
        model.add(ff.hybrid.general(f"{name}_guide", body.at((0, 0, 0)), ground, steps))
        return body

    car = sprung("car", 32000.0, 1.97e6, 0.0)
    for sign in (-1, 1):
        bogie = sprung(f"bogie{sign + 2}", 2615.0, 1476.0, 9.5 * sign)
        # two springs per bogie or axle; a vertical bushing is free to shift sideways
        secondary = [0.0, 0.0, 2 * 430e3]
        model.add(
            ff.hybrid.bushing(f"sec{sign + 2}", car.at((9.5 * sign, 0, 0)), bogie.at((0, 0, 0)), stiffness=secondary)
        )
        for end in (-1, 1):
            axle = model.ground.at((9.5 * sign + 1.28 * end, 0, 0))
            primary = ff.hybrid.bushing(
                f"pri{sign + 2}{end + 2}", bogie.at((1.28 * end, 0, 0)), axle, stiffness=[0.0, 0.0, 2 * 1.2e6]
            )
            model.add(primary)
    found = model.compile().linearise()
    # as given to eight digits; independent calculation
    exact = [1.07247325, 1.29733331, 7.41869985, 7.42554237, 11.61736251, 11.61736251]
    assert found.frequency == pytest.approx(exact, rel=1e-8)
    shares = found.participation()
    assert shares["car"][0] > 0.9
    assert shares["bogie1"][4] + shares["bogie3"][4] == pytest.approx(1.0, abs=1e-6)


@pytest.fixture(scope="module")
def fe():
    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
    section = ff.fem.BeamSection.rectangle(0.03, 0.02)
    return ff.fem.beam_line((0, 0, 0), (1, 0, 0), n=20, section=section, material=steel)


@pytest.fixture(scope="module")
def body(fe):
    return ff.modal.reduce(fe, interface=[1, 21], n_modes=14)


class TestFlexibleBodies:
    def test_two_beams_joined_vibrate_like_the_model_of_both(self, fe, body):
        whole = ff.fem.beam_line(
            (0, 0, 0), (2, 0, 0), n=40, section=fe.blocks[0].section, material=fe.blocks[0].material
        )
        exact = ff.modal.eigenmodes(whole, n=8, fixed=[1]).frequency
        model = ff.hybrid.Model()
        one = model.add(ff.hybrid.FlexibleBody("one", body))
        two = model.add(ff.hybrid.FlexibleBody("two", body, position=(1, 0, 0)))
        model.add(ff.hybrid.fixed("root", one.node(1), model.ground.at((0, 0, 0))))
        model.add(ff.hybrid.fixed("weld", two.node(1), one.node(21)))
        found = model.compile().linearise(n=8)
        # 14 fixed-interface shapes of each half: reduction error 1.4e-4 at the eighth mode, always from above
        assert (found.frequency > exact * (1 - 1e-8)).all()
        assert found.frequency == pytest.approx(exact, rel=2e-4)
        assert found.kinetic.sum(axis=0) == pytest.approx(1.0)

    def test_very_stiff_body_moves_like_a_rigid_one(self, body):
        own = body.orthonormalised()
        stiff = replace(own, stiffness=own.stiffness * 1e8)
        J = own.inertia
        com = np.array(J.rho) / J.m
        at_com = np.array(J.rhorho) - J.m * (com @ com * np.eye(3) - np.outer(com, com))
        frequencies = []
        for rigid in (False, True):
            model = ff.hybrid.Model(gravity=(0, 0, -G))
            if rigid:
                rod = model.add(ff.hybrid.RigidBody("rod", mass=float(J.m), com=com, inertia=at_com))
                ends = [rod.at((0, 0, 0)), rod.at((1, 0, 0))]
            else:
                rod = model.add(ff.hybrid.FlexibleBody("rod", stiff))
                ends = [rod.node(1), rod.node(21)]
            for k, (end, x) in enumerate(zip(ends, (0.0, 1.0), strict=True)):
                model.add(ff.hybrid.bushing(f"b{k}", end, model.ground.at((x, 0, 0)), stiffness=[1e4, 2e4, 3e4]))
            found = model.compile().linearise(up_to=1e4)
            frequencies.append(found.frequency)
        # about its own axis the rigid rod turns freely; the sag that is left makes a slow pendulum of the other
        assert frequencies[1][0] == 0.0
        assert frequencies[0][0] < 1e-4
        # compliance of the rod against the bushings: 1e-8 of the 3 % it was
        assert frequencies[0][1:] == pytest.approx(frequencies[1][1:], rel=1e-8)


class TestOptions:
    def test_number_and_highest_frequency(self, body):
        model = ff.hybrid.Model()
        model.add(ff.hybrid.FlexibleBody("rod", body))
        system = model.compile()
        everything = system.linearise()
        assert (np.diff(everything.frequency) >= 0).all()
        assert len(system.linearise(n=9).frequency) == 9
        limited = system.linearise(up_to=300.0)
        assert limited.frequency.tolist() == everything.frequency[everything.frequency <= 300.0].tolist()


def test_point_mass_has_no_spin_of_its_own():
    """Rotations of a body without inertia and without springs are no motions at all."""
    model = ff.hybrid.Model()
    point = model.add(ff.hybrid.RigidBody("point", mass=2.0))
    model.add(ff.hybrid.bushing("nest", point.at((0, 0, 0)), model.ground.at((0, 0, 0)), stiffness=[8.0, 18.0, 32.0]))
    found = model.compile().linearise()
    assert 2.0 * np.pi * found.frequency == pytest.approx([2.0, 3.0, 4.0], rel=DIFFERENCES)


class TestTangent:
    def test_differences_find_the_step(self):
        """A force that bends within a fifth of the longest step, beside a smooth one."""

        def function(x):
            return np.array([np.tanh(50.0 * x[0]) + np.sin(x[1]), np.exp(x[1])])

        found, error = differentiate(function, np.array([0.1, 4e-3]), levels=5)
        # the second column keeps the longest step, where rounding is least
        assert found == pytest.approx(np.array([[50.0, 1.0], [0.0, 1.0]]), rel=1e-6)
        assert (np.abs(found - [[50.0, 1.0], [0.0, 1.0]]) <= error).all()
        assert found[:, 1] == pytest.approx([1.0, 1.0], rel=1e-12)

    def test_matrices_are_the_derivatives_of_the_residual(self):
        """A mixed system away from rest, along a random direction, by plain central differences."""
        model = pendulum(0.4, n=2)
        free = model.add(ff.hybrid.RigidBody("top", mass=1.0, inertia=(1, 2, 3), com=(0.1, 0.2, 0.3)))
        model.add(ff.hybrid.spring("s", free.at((1, 0, 0)), model.ground.at((2, 0, 1)), stiffness=50.0, damping=3.0))
        system = model.compile()
        rng = np.random.default_rng(3)
        state = replace(system.move(system.start, rng.normal(size=system.nv)), v=rng.normal(size=system.nv))
        a, x = rng.normal(size=system.nv), rng.normal(size=system.nv)
        t = tangent(system, state, a)
        h, none = 1e-5, np.zeros(0)

        def residual(s):
            return system.residual(s, a, none)

        by_x = (residual(system.move(state, h * x)) - residual(system.move(state, -h * x))) / (2 * h)
        faster, slower = (replace(state, v=state.v + sign * h * x) for sign in (1, -1))
        by_v = (residual(faster) - residual(slower)) / (2 * h)
        # truncation of the plain difference, h^2
        assert t.K @ x == pytest.approx(by_x, rel=1e-7, abs=1e-6)
        assert t.C @ x == pytest.approx(by_v, rel=1e-7, abs=1e-6)
