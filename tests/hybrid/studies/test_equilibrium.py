"""Static equilibrium against analytic positions and finite element statics."""

from __future__ import annotations

import numpy as np
import pytest

import floatframe as ff
from floatframe.hybrid.studies.equilibrium import find_equilibrium

G = 9.81


def chain(angles, cut=False):
    """Rods (2 kg, 1 m) in the plane x z, each turned by an angle against the one before; gravity along -z."""
    model = ff.hybrid.Model(gravity=(0, 0, -G))
    before = model.ground.at((0, 0, 0))
    for k, angle in enumerate(angles):
        rod = model.add(ff.hybrid.RigidBody(f"rod{k + 1}", mass=2.0, inertia=(0.1, 1 / 6, 1 / 6), com=(0.5, 0, 0)))
        model.add(ff.hybrid.revolute(f"hinge{k + 1}", rod.at((0, 0, 0)), before, axis=(0, 1, 0), start=angle, cut=cut))
        before = rod.at((1, 0, 0))
    return model


class TestMechanisms:
    @pytest.mark.parametrize(
        "angles", [[0.0], [-1.5], [0.0, 0.0], [-1.4, 0.3], [3.0, 3.0, -2.0], [-1.57, 0.1, 0.1, 0.1]]
    )
    @pytest.mark.parametrize("cut", [False, True])
    def test_chain_hangs_down_from_any_start(self, angles, cut):
        system = chain(angles, cut).compile()
        found = find_equilibrium(system)
        assert found.stable
        assert found.unstable == found.free == ()
        tip = position(system, found.state, system.model.bodies[-1].name, (1, 0, 0))
        # Newton's method ends at rounding
        assert tip == pytest.approx([0, 0, -len(angles)], abs=1e-9)
        assert not found.state.v.any()
        accelerations, _ = system.accelerations(found.state)
        assert accelerations == pytest.approx(0.0, abs=1e-9)

    def test_upside_down_is_an_unstable_equilibrium(self):
        system = chain([-np.pi / 2]).compile()
        found = find_equilibrium(system)
        assert not found.stable
        assert "rod1" in found.unstable[0]
        assert "UNSTABLE" in str(found)
        with pytest.warns(UserWarning, match="unstable: body 'rod1'"):
            state = system.equilibrium()
        assert not system.linearise(state).stable

    def test_four_bar_linkage_rests_at_its_lowest(self):
        """A swing: two equal rods carry a bar; the symmetric hanging position, from far on one side."""
        model = ff.hybrid.Model(gravity=(0, 0, -G))
        left = model.add(ff.hybrid.RigidBody("left", mass=1.0, inertia=(0.1, 0.1, 0.1), com=(0.5, 0, 0)))
        right = model.add(ff.hybrid.RigidBody("right", mass=1.0, inertia=(0.1, 0.1, 0.1), com=(0.5, 0, 0)))
        bar = model.add(ff.hybrid.RigidBody("bar", mass=3.0, inertia=(0.1, 0.1, 0.1), com=(1.0, 0, 0)))
        axis = (0, 1, 0)
        model.add(ff.hybrid.revolute("A", left.at((0, 0, 0)), model.ground.at((0, 0, 0)), axis=axis, start=0.2))
        model.add(ff.hybrid.revolute("B", right.at((0, 0, 0)), model.ground.at((2, 0, 0)), axis=axis, start=0.2))
        model.add(ff.hybrid.revolute("C", bar.at((0, 0, 0)), left.at((1, 0, 0)), axis=axis, start=-0.2))
        model.add(ff.hybrid.revolute("D", right.at((1, 0, 0)), bar.at((2, 0, 0)), axis=axis))
        system = model.compile()
        found = find_equilibrium(system)
        assert found.stable
        # near the dead point the closing is quadratic: twice the digits are lost there, not here
        assert position(system, found.state, "bar", (1, 0, 0)) == pytest.approx([1, 0, -1], abs=1e-9)

    def test_floating_block_on_springs(self):
        model = ff.hybrid.Model(gravity=(0, 0, -G))
        block = model.add(ff.hybrid.RigidBody("block", mass=10.0, inertia=(1, 1, 1)))
        for k, (x, y) in enumerate([(1, 1), (1, -1), (-1, 1), (-1, -1)]):
            ground = model.ground.at((x, y, -1))
            model.add(
                ff.hybrid.bushing(
                    f"b{k}", block.at((x, y, -1)), ground, stiffness=[500.0, 500.0, 1000.0], damping=[9.0] * 3
                )
            )
        system = model.compile()
        found = find_equilibrium(system)
        assert found.stable
        assert position(system, found.state, "block") == pytest.approx([0, 0, -10 * G / 4000], abs=1e-12)

    def test_prescribed_motion_is_held_at_the_time_asked_for(self):
        model = chain([0.3, 0.0])
        model.add(ff.hybrid.motion("drive", "hinge1", "0.3 + 2*t"))
        system = model.compile()
        found = find_equilibrium(system, t=0.1)
        assert found.state.t == 0.1
        # the driven rod stands at 0.5 rad, the other hangs; its speed against the first makes up for the drive
        assert found.state.q == pytest.approx([0.5, np.pi / 2 - 0.5], abs=1e-9)
        assert found.state.v[0] == pytest.approx(2.0)


class TestFreeDirections:
    def test_direction_without_stiffness_is_named(self):
        model = chain([np.pi / 2])
        rotor = model.add(ff.hybrid.RigidBody("rotor", mass=1.0, inertia=(1, 1, 1)))
        model.add(ff.hybrid.revolute("shaft", rotor.at((0, 0, 0)), model.ground.at((5, 0, 0))))
        found = find_equilibrium(model.compile())
        assert found.stable
        assert found.free == ("body 'rotor' (angle of joint 'shaft')",)
        assert "one of many" in str(found)

    def test_motor_without_load_has_no_equilibrium(self):
        model = ff.hybrid.Model()
        rotor = model.add(ff.hybrid.RigidBody("rotor", mass=1.0, inertia=(1, 1, 1)))
        model.add(ff.hybrid.revolute("shaft", rotor.at((0, 0, 0)), model.ground.at((0, 0, 0))))
        model.add(ff.hybrid.joint_torque("motor", "shaft", "3 - 2*rate"))
        with pytest.raises(ff.errors.NotConverged, match=r"angle of joint 'shaft' is left with 3 N m"):
            find_equilibrium(model.compile())

    def test_body_without_support_has_no_equilibrium(self):
        model = ff.hybrid.Model(gravity=(0, 0, -G))
        model.add(ff.hybrid.RigidBody("stone", mass=2.0, inertia=(1, 1, 1)))
        with pytest.raises(ff.errors.NotConverged, match=r"displacement along z of body 'stone' is left with 19.6 N"):
            find_equilibrium(model.compile())


class TestNonlinear:
    @pytest.mark.parametrize(("weight", "lowest", "highest"), [(20.0, 0.12, 0.2), (50.0, -0.3, -0.2)])
    def test_shallow_arch_of_two_springs(self, weight, lowest, highest):
        """The lighter weight rests on top of the arch; the heavier one snaps through (limit load 31 N)."""
        stiffness = 1e4
        model = ff.hybrid.Model(gravity=(0, 0, -G))
        mass = model.add(ff.hybrid.RigidBody("mass", mass=weight / G, inertia=(1, 1, 1), position=(0, 0, 0.2)))
        model.add(ff.hybrid.prismatic("guide", mass.at((0, 0, 0)), model.ground.at((0, 0, 0.2))))
        for k, x in enumerate((-1.0, 1.0)):
            model.add(ff.hybrid.spring(f"s{k}", mass.at((0, 0, 0)), model.ground.at((x, 0, 0)), stiffness=stiffness))
        system = model.compile()
        found = find_equilibrium(system)
        assert found.stable
        z = position(system, found.state, "mass")[2]
        assert lowest < z < highest
        length = np.hypot(1.0, z)
        push = 2.0 * stiffness * (np.hypot(1.0, 0.2) - length) * z / length
        assert push == pytest.approx(weight, rel=1e-10)

    def test_ball_falls_on_a_plane(self):
        model = ff.hybrid.Model(gravity=(0, 0, -G))
        ball = model.add(ff.hybrid.RigidBody("ball", mass=3.0, inertia=(0.1, 0.1, 0.1), position=(0, 0, 2.0)))
        plane = model.ground.at((0, 0, 0))
        model.add(ff.hybrid.contact_plane("touch", ball.at((0, 0, 0)), plane, stiffness=1e6, radius=0.1, exponent=1.5))
        system = model.compile()
        found = find_equilibrium(system)
        depth = (3.0 * G / 1e6) ** (2 / 3)
        assert position(system, found.state, "ball")[2] == pytest.approx(0.1 - depth, rel=1e-9)
        assert found.stable
        assert len(found.free) == 5  # it rolls, slides and spins

    @pytest.mark.parametrize("flexible", [False, True])
    def test_a_free_body_is_free_in_six_ways(self, flexible):
        """Motions without stiffness mix at will; each is named by a coordinate of its own."""
        model = ff.hybrid.Model()
        if flexible:
            steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
            section = ff.fem.BeamSection.rectangle(0.02, 0.02)
            fe = ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=4, section=section, material=steel)
            model.add(ff.hybrid.FlexibleBody("b", ff.modal.reduce(fe, interface=[1, 5], n_modes=2)))
        else:
            model.add(ff.hybrid.RigidBody("b", mass=2.0, inertia=(1, 1, 1), com=(0.3, 0.2, 0.1)))
        ways = [f"{what} {axis}" for what in ("displacement along", "rotation about") for axis in "xyz"]
        assert find_equilibrium(model.compile()).free == tuple(f"body 'b' ({way} of body 'b')" for way in ways)

    @pytest.mark.parametrize("stick", [False, True])
    def test_dry_friction_carries_nothing(self, stick):
        model = ff.hybrid.Model(gravity=(0, 0, -G))
        mass = model.add(ff.hybrid.RigidBody("mass", mass=10.0, inertia=(1, 1, 1)))
        model.add(ff.hybrid.prismatic("guide", mass.at((0, 0, 0)), model.ground.at((0, 0, 0))))
        model.add(ff.hybrid.joint_force("spring", "guide", "-1000*displacement"))
        hold = {"stick": True, "stiffness": 1e6, "damping": 100.0} if stick else {}
        model.add(ff.hybrid.joint_friction("rubbing", "guide", 500.0, **hold))
        system = model.compile()
        state = system.equilibrium()
        assert state.q == pytest.approx([-10 * G / 1000], rel=1e-9)
        # a simulation from here starts at rest: the friction holds nothing yet
        assert system.accelerations(state)[0] == pytest.approx([0.0], abs=1e-9)
        assert system.linearise(state).frequency == pytest.approx([10.0 / (2.0 * np.pi)], rel=1e-9)

    def test_hardening_law(self):
        model = ff.hybrid.Model(gravity=(0, 0, -G))
        mass = model.add(ff.hybrid.RigidBody("mass", mass=100.0, inertia=(1, 1, 1)))
        model.add(ff.hybrid.prismatic("guide", mass.at((0, 0, 0)), model.ground.at((0, 0, 0))))
        model.add(ff.hybrid.joint_force("law", "guide", "-1e6*displacement^3"))
        system = model.compile()
        found = find_equilibrium(system)
        assert found.state.q == pytest.approx([-np.cbrt(100 * G / 1e6)], rel=1e-8)


STEEL = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
SLENDER = ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=40, section=ff.fem.BeamSection.rectangle(0.02, 0.02), material=STEEL)


@pytest.fixture(scope="module")
def beam():
    return ff.modal.reduce(SLENDER, interface=[1, 21, 41], n_modes=10)


class TestSag:
    """Weight bends a beam as finite element statics say; small gravity, because floating frames know large turns."""

    SMALL = 1e-3  # m/s2: slopes of 3e-6, whose squares vanish against 1e-9

    def sag(self, beam, supports):
        model = ff.hybrid.Model(gravity=(0, 0, -self.SMALL))
        rod = model.add(ff.hybrid.FlexibleBody("rod", beam))
        supports(model, rod)
        system = model.compile()
        found = find_equilibrium(system)
        assert found.stable
        undeformed = {1: (0, 0, 0), 21: (1, 0, 0), 41: (2, 0, 0)}
        return {node: node_position(system, found.state, node) - np.array(place) for node, place in undeformed.items()}

    def test_cantilever(self, beam):
        found = self.sag(beam, lambda m, rod: m.add(ff.hybrid.fixed("root", rod.node(1), m.ground.at((0, 0, 0)))))
        exact = ff.modal.solve_static(SLENDER, gravity=(0, 0, -self.SMALL), fixed=[1])
        # interface nodes of a Craig-Bampton body carry static loads exactly
        assert found[41][2] == pytest.approx(exact[40, 2], rel=1e-7)
        assert found[21][2] == pytest.approx(exact[20, 2], rel=1e-7)

    def test_two_supports(self, beam):
        def supports(model, rod):
            ground = model.ground.at((0, 0, 0))
            model.add(ff.hybrid.universal("left", rod.node(1), ground, axis_a=(0, 1, 0), axis_b=(0, 0, 1)))
            model.add(ff.hybrid.point_on_line("right", rod.node(41), model.ground.at((2, 0, 0)), axis=(1, 0, 0)))

        found = self.sag(beam, supports)
        held = [(1, ("ux", "uy", "uz", "rx")), (41, ("uy", "uz"))]
        exact = ff.modal.solve_static(SLENDER, gravity=(0, 0, -self.SMALL), fixed=held)
        assert found[21][2] == pytest.approx(exact[20, 2], rel=1e-7)
        assert found[41] == pytest.approx([0, 0, 0], abs=1e-9)

    def test_reactions_carry_the_weight(self, beam):
        model = ff.hybrid.Model(gravity=(0, 0, -G))
        rod = model.add(ff.hybrid.FlexibleBody("rod", beam))
        model.add(ff.hybrid.fixed("root", rod.node(1), model.ground.at((0, 0, 0))))
        found = find_equilibrium(model.compile())
        # rows 1..3 of a fixed joint are the force on the beam in world axes
        assert found.reactions[:3] == pytest.approx([0, 0, 2 * 0.0004 * 7850.0 * G], abs=1e-6)


def position(system, state, body, point=(0, 0, 0)):
    """World position (3,) of a point of a rigid body."""
    number = [b.name for b in system.model.bodies].index(body)
    carrier = system.index.tree.carriers[number]
    here = system.evaluation(state)(state.t, state.q, 0).data.links[carrier.link]
    return here["p"] + here["R"] @ (carrier.pose.p + carrier.pose.R @ np.array(point, dtype=float))


def node_position(system, state, node):
    """World position (3,) of a node of the only flexible body."""
    body = system.model.bodies[0].reduced
    row = int(body.node_index([node])[0])
    record = system.tables.flexible[0]
    w = state.q[int(record["iq"]) : int(record["iq"] + record["n"])]
    here = system.evaluation(state)(state.t, state.q, 0).data.links[int(record["link"])]
    carrier = system.index.tree.carriers[0]
    local = body.nodes[row] + (body.shapes[6 * row : 6 * row + 3] @ w)
    return here["p"] + here["R"] @ (carrier.pose.p + carrier.pose.R @ local)


@pytest.mark.parametrize("geared", [False, True])
def test_a_wheel_that_nothing_holds_does_not_disturb_the_others(geared):
    """A box hangs from the tip of a flexible rod; a wheel beside it may stand at any angle."""
    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
    section = ff.fem.BeamSection.rectangle(0.02, 0.02)
    line = ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=20, section=section, material=steel)
    reduced = ff.modal.reduce(line, interface=[1, 21], n_modes=2)

    def hanging(wheel: bool) -> float:
        model = ff.hybrid.Model(gravity=(0, 0, -G))
        box = model.add(ff.hybrid.RigidBody("box", mass=2.0, inertia=(0.1, 0.1, 0.1)))
        model.add(ff.hybrid.prismatic("slide", box.at(), model.ground.at(), axis=(0, 0, 1)))
        for name in ["disc"] * geared + ["wheel"] * wheel:
            turning = model.add(ff.hybrid.RigidBody(name, mass=1.0, inertia=(0.1, 0.1, 0.1)))
            model.add(ff.hybrid.revolute(f"{name}_hinge", turning.at(), model.ground.at(), axis=(0, 0, 1)))
        if geared:
            model.add(ff.hybrid.rack("teeth", "slide", "disc_hinge", 0.1))
        rod = model.add(ff.hybrid.FlexibleBody("rod", reduced))
        model.add(ff.hybrid.fixed("root", rod.node(1), model.ground.at()))
        model.add(ff.hybrid.spring("spring", box.at(), rod.node(21), stiffness=1e4, length=2.0))
        system = model.compile()
        found = find_equilibrium(system)
        assert found.stable
        return float(position(system, found.state, "box", (0, 0, 0))[2])

    # Newton's method ends at rounding
    assert hanging(wheel=True) == pytest.approx(hanging(wheel=False), rel=1e-10)


def test_a_small_system_reaches_rest_though_its_first_step_ends_in_rounding():
    # nothing gives this model a size, so that rounding of its coordinates is not known beforehand
    model = ff.hybrid.Model(gravity=(0, 0, 0))
    box = model.add(ff.hybrid.RigidBody("box", 2.0, (1, 1, 1)))
    model.add(ff.hybrid.prismatic("guide", box.at(), model.ground.at(), (1, 0, 0), start=0.01))
    model.add(ff.hybrid.joint_force("spring", "guide", "-100*displacement"))
    assert abs(model.compile().equilibrium().q[0]) < 1e-15


def test_a_bob_that_may_turn_freely_does_not_keep_the_lever_it_hangs_on_from_its_place():
    # nothing holds the turning of the bob about its centre, where the rope is tied
    model = ff.hybrid.Model(gravity=(0, 0, -G))
    lever = model.add(ff.hybrid.RigidBody("lever", 12.0, (0.3, 13, 13), com=(1, 0, 0)))
    bob = model.add(ff.hybrid.RigidBody("bob", 12.0, (0.05, 0.05, 0.05), position=(3, 0, -1.2)))
    model.add(ff.hybrid.revolute("hinge", lever.at(), model.ground.at(), axis=(0, 1, 0)))
    model.add(ff.hybrid.joint_torque("brake", "hinge", "-2e4*angle"))
    model.add(ff.hybrid.spring("rope", bob.at(), lever.at((3, 0, 0)), stiffness=4e4))
    system = model.compile()
    found = find_equilibrium(system)
    assert found.stable
    assert len(found.free) == 3  # the rotations of the bob
    angle = float(found.state.q[0])
    # both weights about the hinge: 12 kg at 1 m and 12 kg at 3 m
    assert 2e4 * angle == pytest.approx(12 * G * (1 + 3) * np.cos(angle), rel=1e-9)
    z = position(system, found.state, "bob", (0, 0, 0))[2]
    assert z == pytest.approx(-3 * np.sin(angle) - 1.2 - 12 * G / 4e4, rel=1e-9)
