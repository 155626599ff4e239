"""General joints wherever other joints work: in a tree, closing a loop, on flexible bodies, between subsystems.

A general joint of one rotation is a revolute joint, of a translation and a rotation along one axis a cylindrical one;
a cut general joint is the one in the tree.
"""

from __future__ import annotations

import numpy as np
import pytest

from floatframe import hybrid as h
from floatframe.errors import ModelError
from floatframe.hybrid.assembly import coordinate_names
from floatframe.hybrid.description.rotations import about
from tests.hybrid import random_systems as make
from tests.hybrid.four_bar import four_bar
from tests.hybrid.joint_motion import motions, reported
from tests.hybrid.joint_rows import check_jacobian_by_differences, convective_terms, moving
from tests.hybrid.twin import Twin

Z = (0.0, 0.0, 1.0)
SAME = {"rtol": 1e-8, "atol": 1e-8}  # closed joints and solved equations, numbers of order one to a hundred
VALUES, RATES = (0.4, -0.7, 0.5), (1.5, 2.0, -1.2)
STEPS = [
    h.translate((0.6, 0, 0.8)),
    h.rotate((0, 1, 0), 0.4),
    h.rotate((1, 2, 2)),
    h.translate((1, 0, 0), -0.2),
    h.rotate((0, 3, 4)),
]


def mechanism(cut, reverse=False):
    """Body b on an axle, body a on it by a general joint that moves, with weight and loads in the joint."""
    rng = np.random.default_rng(0)
    model = h.Model(gravity=(1, -2, -9))
    b, a = (model.add(make.rigid_body(rng, name)) for name in "ba")
    if reverse:
        model.add(h.free("axle", a.at(), model.ground.at()))
    else:
        model.add(h.revolute("axle", b.at(), model.ground.at((1, 2, 3)), axis=(1, 0, 0), start=0.3, start_rate=2.0))
    places = a.at(rng.normal(size=3), make.turn(rng)), b.at(rng.normal(size=3), make.turn(rng))
    model.add(h.general("J", *places, STEPS, start=VALUES, start_rate=RATES, cut=cut))
    model.add(h.joint_force("push", "J", "0.5*displacement - 0.1*rate", coordinate=0))
    model.add(h.joint_torque("turn", "J", "0.5*angle - 0.1*rate", coordinate=1))
    model.add(h.joint_torque("twist", "J", "3 - 0.2*rate", coordinate=2))
    return model.compile()


def compared(one, other):
    """The bodies of two systems have the same poses, speeds and accelerations at the start."""
    found = [motions(s, s.start, s.accelerations(s.start)[0]) for s in (one, other)]
    for body, reference in zip(*found, strict=True):
        for quantity, expected in zip(body, reference, strict=True):
            np.testing.assert_allclose(quantity, expected, **SAME)


@pytest.mark.parametrize("reverse", [False, True])
def test_tree_and_cut_are_the_same(reverse):
    tree, cut = mechanism(False, reverse), mechanism(True, reverse)
    assert (tree.nlambda, cut.nlambda) == (0, 6)
    assert tree.ndof == cut.ndof
    if not reverse:  # a body that floats has no place of its own
        compared(tree, cut)
    for system in (tree, cut):
        values, rates = reported(system, system.start)
        assert values == pytest.approx(VALUES, rel=1e-10)
        assert rates == pytest.approx(RATES, rel=1e-9)


def test_both_carry_the_same_reaction():
    """Force and torque on place a, without the loads along the joint's own dofs."""
    channels = ["J.force", "J.torque", "J.displacement", "J.angle[2]", "J.rate[3]", "J.coordinate_acceleration[2]"]
    record = h.Record(every=1e-3, channels=channels)
    tree, cut = (
        system.simulate(t_end=2e-3, method="rk4", step=1e-3, record=record)
        for system in (mechanism(False), mechanism(True))
    )
    for name in channels:
        np.testing.assert_allclose(tree[name], cut[name], rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("side", ["rigid", "flexible", "mixed", "mixed other way"])
def test_rows_of_a_cut_general_joint(side):
    """Closed, Jacobian by differences to 1e-7 and by the twin, convective terms by the twin."""
    rng = np.random.default_rng(5)
    model = h.Model(gravity=(1.0, 2.0, -9.0))
    places, beam = [], make.beam_body(2)
    for k, name in enumerate("ab"):
        start = {"position": 0.3 * rng.normal(size=3), "rotation": make.turn(rng)}
        if side == "rigid" or side == ("mixed", "mixed other way")[k]:
            body = model.add(make.rigid_body(rng, name, **start))
            places.append(body.at(rng.normal(size=3), make.turn(rng)))
        else:
            places.append(model.add(h.FlexibleBody(name, beam, damping=0.01, **start)).node(1 + 10 * k))
    model.add(h.general("J", *places, STEPS, cut=True))
    with pytest.warns(UserWarning, match="its position was changed"):
        system = model.compile()
    # three of six relative motions are left
    assert system.ndof == 12 + sum(system.tables.flexible["n"]) - 3
    state = moving(rng, system)
    assert np.abs(system.constraints(state)).max() < 1e-11
    G = system.constraint_jacobian(state)
    check_jacobian_by_differences(system, state, G)
    twin = Twin(system, state)
    np.testing.assert_allclose(G, twin.jacobian(), rtol=0, atol=1e-12 * np.abs(G).max())
    expected = twin.convective()
    np.testing.assert_allclose(convective_terms(system, state), expected, rtol=0, atol=1e-8 * np.abs(expected).max())


def beams(kind, both):
    """A beam on a turning hub, with another beam at its tip if `both`; the joints are `kind` or general ones."""
    model = h.Model(gravity=(0, 0, -9.81))
    hub = model.add(h.RigidBody("hub", 2.0, (0.3, 0.3, 0.3)))
    model.add(h.revolute("axle", hub.at(), model.ground.at(), axis=Z, start_rate=3.0))
    first = model.add(h.FlexibleBody("first", make.beam_body(2), damping=0.02))
    steps = [h.translate(Z, 0.0), h.rotate(Z)]

    def hinge(name, a, b, **more):
        if kind == "general":
            return h.general(name, a, b, steps, **more)
        return h.revolute(name, a, b, axis=Z, **more)

    # one joint described from the flexible body, one from the rigid one
    model.add(hinge("root", first.node(1), hub.at((0.2, 0, 0)), start_rate=1.0))
    model.add(h.joint_torque("drive", "root", "2 - 0.5*rate"))
    if both:
        second = model.add(h.FlexibleBody("second", make.beam_body(2), damping=0.02))
        model.add(hinge("tip", second.node(1), first.node(11), start=0.4, start_rate=-2.0))
    else:
        block = model.add(h.RigidBody("block", 0.5, (0.1, 0.1, 0.1)))
        model.add(hinge("tip", block.at(), first.node(11), start=0.4, start_rate=-2.0))
    model.add(h.joint_torque("brake", "tip", "-0.3*rate"))
    return model.compile()


@pytest.mark.parametrize("both", [False, True], ids=["rigid on flexible", "flexible on flexible"])
@pytest.mark.parametrize("method", ["generalised-alpha", "rk45"])
def test_on_flexible_bodies_it_does_what_a_revolute_joint_does(both, method):
    """A third of a tenth of a second of motion; controlled steps keep errors below 1e-6 in both."""
    channels = ["first.modal", "tip.angle", "root.rate", "root.force", "root.torque", "tip.force", "energy.total"]
    settings = {"step": 1e-4} if method == "generalised-alpha" else {"rtol": 1e-9}
    record = h.Record(every=2e-3, channels=channels)
    runs = [
        beams(kind, both).simulate(
            t_end=6e-3, method=method, record=record, options=h.SolverOptions(newton_tolerance=1e-9), **settings
        )
        for kind in ("revolute", "general")
    ]
    assert all(run.status.ok for run in runs)
    for name in channels:
        expected = runs[0][name]
        np.testing.assert_allclose(runs[1][name], expected, rtol=1e-5, atol=1e-6 * max(1.0, np.abs(expected).max()))
    # closed to rounding
    assert max(runs[1].statistics["constraint_drift"]) < 1e-11


@pytest.mark.parametrize("both", [False, True], ids=["rigid on flexible", "flexible on flexible"])
def test_accelerations_on_flexible_bodies(both):
    compared(beams("revolute", both), beams("general", both))


def closed_loop(kind):
    """A four-bar whose last hinge is a general joint."""
    model = four_bar(A={"start": 1.2, "start_rate": 2.0})
    loop = h.Model(gravity=(0, -9.81, 0))
    for item in model:
        if item.name == "C" and kind == "general":
            item = h.general("C", item.a, item.b, [h.rotate(Z)])
        loop.add(item)
    loop.add(h.joint_torque("T", "C", "1 - 0.2*rate"))
    return loop.compile()


def test_it_closes_a_loop():
    general, revolute = closed_loop("general"), closed_loop("revolute")
    assert general.ndof == revolute.ndof == 1
    compared(general, revolute)
    for system in (general, revolute):
        assert len(system.redundant) == 3
    runs = [s.simulate(t_end=0.2, step=1e-3, record=h.Record(every=0.02)) for s in (general, revolute)]
    np.testing.assert_allclose(runs[0]["C.angle"], runs[1]["C.angle"], rtol=0, atol=1e-7)  # of the integration


def test_between_subsystems():
    """The joint of an arm of one part on an arm of another: the same as a universal joint there."""

    def system(kind):
        part = h.Subsystem("part")
        arm = part.add(h.RigidBody("arm", 1.0, (0.1, 0.2, 0.2), com=(0.5, 0, 0)))
        part.add(h.revolute("root", arm.at(), part.ground.at(), axis=(0, 1, 0), start_rate=1.0))
        other = h.Subsystem("other")
        other.add(h.RigidBody("arm", 1.0, (0.1, 0.2, 0.2), com=(0.5, 0, 0)))
        model = h.Model(gravity=(0, 0, -9.81))
        one, two = model.add(part.instance("one")), model.add(other.instance("two"))
        places = two["arm"].at(), one["arm"].at((1, 0, 0))
        if kind == "general":
            model.add(h.general("J", *places, [h.rotate(Z), h.rotate((0, 1, 0))], start_rate=(2.0, -1.0)))
        else:
            model.add(h.universal("J", *places, axis_a=(0, 1, 0), axis_b=Z, start_rate=(2.0, -1.0)))
        model.add(h.joint_torque("first", "J", "1 - 0.1*rate"))
        model.add(h.joint_torque("second", "J", "2 + 0.3*rate", coordinate=1))
        return model.compile()

    general, universal = system("general"), system("universal")
    assert general.nlambda == 6
    assert universal.nlambda == 4
    compared(general, universal)


@pytest.mark.parametrize("cut", [False, True])
def test_a_step_that_follows_the_time(cut):
    """The same arm driven by a step of the joint and by a motion of a revolute joint."""

    def system(kind):
        model = h.Model(gravity=(0, 0, -9.81))
        arm = model.add(h.RigidBody("arm", 1.0, (0.1, 0.2, 0.2), com=(0.5, 0, 0)))
        if kind == "general":
            steps = [h.rotate((0, 1, 0), "0.3 + 2*t + t^2")]
            model.add(h.general("J", arm.at(), model.ground.at(), steps, cut=cut))
        else:
            model.add(h.revolute("J", arm.at(), model.ground.at(), axis=(0, 1, 0), cut=cut))
            model.add(h.motion("drive", "J", "0.3 + 2*t + t^2"))
        return model.compile()

    compared(system("general"), system("revolute"))


@pytest.mark.parametrize("cut", [False, True])
def test_equilibrium_and_modes(cut):
    """An arm on a sprung hinge: rest and frequency are those with a revolute joint, which theory gives."""
    model = h.Model(gravity=(0, 0, -9.81))
    arm = model.add(h.RigidBody("arm", 1.0, (0.1, 0.2, 0.2), com=(0.5, 0, 0)))
    model.add(h.general("J", arm.at(), model.ground.at(), [h.translate(Z, 1.0), h.rotate((0, 1, 0))], cut=cut))
    model.add(h.joint_torque("spring", "J", "-40*angle - 0.9*rate"))
    system = model.compile()
    rest = h.find_equilibrium(system)
    angle = system.evaluation(rest.state)(0.0, rest.state.q, 0).data.coordinates["value"][0]
    # positive about y lowers the arm: 40 angle = m g l cos(angle)
    assert 40.0 * angle == pytest.approx(9.81 * 0.5 * np.cos(angle), rel=1e-9)
    linear = system.linearise(rest.state)
    stiffness, inertia = 40.0 + 9.81 * 0.5 * np.sin(angle), 0.2 + 0.25
    assert linear.frequency == pytest.approx([np.sqrt(stiffness / inertia) / (2 * np.pi)], rel=1e-7)
    assert linear.damping == pytest.approx([0.9 / (2.0 * np.sqrt(stiffness * inertia))], rel=1e-6)


@pytest.mark.parametrize("cut", [False, True])
@pytest.mark.parametrize("reverse", [False, True])
def test_coordinates_are_fitted_to_the_pose_of_the_body(cut, reverse):
    """Any pose with six steps; the pose stays and the coordinates make it."""
    rng = np.random.default_rng(8)
    model = h.Model()
    p, R = rng.normal(size=3), make.turn(rng)
    body = model.add(h.RigidBody("b", 1.0, (1, 1, 1), position=p, rotation=R))
    axes = np.eye(3)
    steps = [*map(h.translate, axes), *map(h.rotate, axes)]
    places = body.at(), model.ground.at()
    model.add(h.general("J", *(places[::-1] if reverse else places), steps, cut=cut))
    system = model.compile()
    bodies = motions(system, system.start, np.zeros(system.nv))
    np.testing.assert_allclose(bodies[0][2], p, rtol=0, atol=1e-11)
    np.testing.assert_allclose(bodies[0][3], R, rtol=0, atol=1e-11)
    if not reverse:
        coordinates = [system.start.q[iq] for iq, _ in system.index.tree.joint_coordinates[0]]
        np.testing.assert_allclose(coordinates[:3], p, rtol=0, atol=1e-11)
        turned = about(axes[0], coordinates[3]) @ about(axes[1], coordinates[4]) @ about(axes[2], coordinates[5])
        np.testing.assert_allclose(turned, R, rtol=0, atol=1e-11)
        assert np.abs(coordinates[3:]).max() <= np.pi


def test_a_given_start_goes_before_the_pose():
    """One coordinate given, the others fitted: a slider on a turned arm. Far ends need more than small angles."""
    model = h.Model()
    body = model.add(h.RigidBody("b", 1.0, (1, 1, 1), position=(-2, 0, 0.7), rotation=about(np.array(Z), np.pi)))
    steps = [h.translate(Z), h.rotate(Z), h.translate((1, 0, 0))]
    model.add(h.general("J", body.at(), model.ground.at(), steps, start=(0.5,)))
    with pytest.warns(UserWarning, match=r"body 'b': .*position was changed by 0\.2 m"):
        system = model.compile()
    assert system.start.q[0] == 0.5
    assert np.cos(system.start.q[1]) * system.start.q[2] == pytest.approx(-2.0, abs=1e-10)
    assert np.sin(system.start.q[1]) * system.start.q[2] == pytest.approx(0.0, abs=1e-10)


def test_each_coordinate_has_a_name_of_its_own():
    """Those with several of a kind in a joint have the number by which expressions know them."""
    model = h.Model()
    disc = model.add(h.RigidBody("disc", 1.0, (1, 1, 1)))
    steps = [h.translate((1, 0, 0)), h.translate((0, 1, 0)), h.rotate(Z)]
    model.add(h.general("carry", disc.at(), model.ground.at(), steps))
    tip = model.add(h.RigidBody("tip", 1.0, (1, 1, 1)))
    model.add(h.cylindrical("sleeve", tip.at(), disc.at()))
    assert coordinate_names(model.compile()) == [
        *("displacement 1 of joint 'carry'", "displacement 2 of joint 'carry'", "angle of joint 'carry'"),
        *("displacement of joint 'sleeve'", "angle of joint 'sleeve'"),
    ]


@pytest.mark.parametrize("cut", [False, True])
def test_a_joint_whose_steps_coincide_is_named(cut):
    """Two turns about one axis: what each of them does is open."""
    model = h.Model()
    arm = model.add(h.RigidBody("arm", 1.0, (1, 1, 1), com=(0.5, 0, 0)))
    model.add(h.general("J", arm.at(), model.ground.at(), [h.rotate(Z), h.rotate(Z)], cut=cut))
    message = "its steps can move together without moving anything" if cut else "angle [12] of joint 'J' has no inertia"
    with pytest.raises(ModelError, match=message):
        model.compile().simulate(t_end=0.1)


def test_a_step_that_follows_the_time_may_coincide_with_a_free_one():
    """A turntable that is driven, and a turn on it about the same axis: the sum is free of the drive."""
    model = h.Model()
    arm = model.add(h.RigidBody("arm", 1.0, (1, 1, 2.0)))
    model.add(h.general("J", arm.at(), model.ground.at(), [h.rotate(Z, "3*t + 5*t^2"), h.rotate(Z)], cut=True))
    model.add(h.joint_torque("T", "J", 4.0, coordinate=1))
    system = model.compile()
    a, _ = system.accelerations(system.start)
    table, turn = (iv for _, iv in system.index.tree.joint_coordinates[0])
    # 4 N m over 2 kg m2, of which the table makes 10 rad/s2
    assert (a[table], a[turn]) == pytest.approx((10.0, 2.0 - 10.0), rel=1e-9)
