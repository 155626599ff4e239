"""Reactions of every kind of joint, in the tree and cut: what the channels say balances what every body needs."""

from __future__ import annotations

import numpy as np
import pytest

from floatframe import hybrid as h
from floatframe.hybrid.description.rotations import about
from tests.hybrid import random_systems as make
from tests.hybrid.balance import Balance
from tests.hybrid.joint_motion import motions
from tests.hybrid.joint_rows import moving

# largest force or moment left over the largest there is: rounding of the solved equations, conditioned to 1e5 or so
BALANCED = 1e-10
PITCH = 0.3
GRAVITY = (1.0, -2.0, -9.0)
ANGLE, LENGTH = ("rotate", "translate")
ORDERS = {
    "rotate-translate": (ANGLE, LENGTH),
    "translate-rotate": (LENGTH, ANGLE),
    "rotate-rotate": (ANGLE, ANGLE),
    "translate-translate": (LENGTH, LENGTH),
    "rotate-constant-rotate": (ANGLE, (LENGTH, 0.5), ANGLE),
    "constant-rotate-constant-translate-rotate": ((ANGLE, 0.4), ANGLE, (LENGTH, -0.2), LENGTH, ANGLE),
    "translate-rotate-rotate-translate": (LENGTH, ANGLE, ANGLE, LENGTH),
    "rotate-rotate-rotate": (ANGLE, ANGLE, ANGLE),
}
NAMED = (
    "revolute",
    "prismatic",
    "cylindrical",
    "universal",
    "planar",
    "screw",
    "spherical",
    "fixed",
    "free",
)
ALWAYS_CUT = ("point_on_line", "point_on_plane", "distance")
KINDS = (*NAMED, *ALWAYS_CUT, *ORDERS)


def steps(rng, order):
    """Steps about random axes, each a motion or a motion and its constant."""
    made = []
    for step in order:
        motion, value = step if isinstance(step, tuple) else (step, None)
        made.append(getattr(h, motion)(make.direction(rng), value))
    return made


def joint(rng, kind, name, a, b, **more):
    """A joint with random axes, whose coordinates start at random values and move."""
    z = make.direction(rng)
    x = np.cross(z, make.direction(rng))
    x = x / np.linalg.norm(x)
    if kind in ORDERS:
        made = h.general(name, a, b, steps(rng, ORDERS[kind]), **more)
    elif kind == "universal":
        # the axes are at right angles in the start pose, where those of the bodies agree
        return h.universal(name, a, b, axis_a=x, axis_b=z, **more)
    elif kind == "planar":
        made = h.planar(name, a, b, normal=z, first=x, **more)
    elif kind == "point_on_plane":
        return h.point_on_plane(name, a, b, normal=z, first=x, **more)
    elif kind == "screw":
        made = h.screw(name, a, b, PITCH, z, **more)
    elif kind in ("spherical", "fixed", "free", "distance"):
        return getattr(h, kind)(name, a, b, **more)
    else:
        made = getattr(h, kind)(name, a, b, z, **more)
    if kind == "point_on_line":
        return made
    start = tuple(rng.uniform(-0.6, 0.6, len(made.coordinates)))
    return h.Joint(**{**vars(made), "start": start, "start_rate": tuple(rng.normal(size=len(start)))})


def place(rng, body):
    return body.at(rng.normal(size=3))


def with_elements(rng, model, bodies):
    """Force elements between the bodies, the ground, and in coordinates of the joints."""
    for k, body in enumerate(bodies):
        other = bodies[k - 1] if k else model.ground
        model.add(h.spring(f"spring{k}", place(rng, body), place(rng, other), stiffness=30.0, damping=2.0, length=0.4))
        model.add(h.point_force(f"push{k}", place(rng, body), tuple(rng.normal(size=3)), axes="body"))
        model.add(h.point_torque(f"twist{k}", place(rng, body), tuple(rng.normal(size=3))))
    if bodies:
        stiffness = np.diag(rng.uniform(5.0, 20.0, 6))
        model.add(h.bushing("bushing", place(rng, bodies[0]), place(rng, bodies[-1]), stiffness, 0.1 * stiffness))
        ends = place(rng, bodies[-1]), place(rng, bodies[0])
        model.add(
            h.contact_plane("contact", *ends, 5.0, radius=9.0, normal=make.direction(rng), friction=0.3, speed=1.0)
        )
        model.add(h.friction("damper", *ends, 3.0, speed=0.5, axis=make.direction(rng)))
        model.add(h.bump_stop("stop", *ends, clearance=0.1, stiffness=20.0, length=9.0))
    for item in list(model):
        if isinstance(item, h.Joint):
            for k, what in enumerate(item.coordinates):
                make_force = h.joint_torque if what == "angle" else h.joint_force
                law = f"{rng.normal():.3f} - 0.3*rate"
                model.add(make_force(f"{item.name}_load{k}", item.name, law, coordinate=k))


def records(model, compiled=None, step=1e-3, **settings):
    """The records of a run of two steps [s] as channels by name."""
    system = model.compile() if compiled is None else compiled
    nodes = [
        f"{body.name}.node[{node}].{what}"
        for body in system.model.bodies
        if body.reduced is not None
        for node in (1, 11)
        for what in ("position", "rotation")
    ]
    wanted = h.Record(every=step, channels=("*", *nodes))
    result = system.simulate(t_end=2 * step, method="rk4", step=step, record=wanted, **settings)
    assert result.status.ok
    for n in range(len(result.t)):
        yield {channel.name: np.atleast_1d(result[channel.name][n]) for channel in result.channels}


def imbalance(model, **settings):
    return max(Balance(model, channels).left() for channels in records(model, **settings))


def chain(rng, kind, cut, reverse):
    """A body on a hook, another on it by the joint in question, a third on that one."""
    model = h.Model(gravity=GRAVITY)
    apart = {"position": (3.0, 2.0, -1.0)} if kind == "distance" else {}
    bodies = [model.add(make.rigid_body(rng, f"body{k}", **(apart if k == 1 else {}))) for k in range(3)]
    model.add(joint(rng, "cylindrical", "hook", place(rng, bodies[0]), place(rng, model.ground)))
    ends = place(rng, bodies[1]), place(rng, bodies[0])
    if kind in ("point_on_line", "point_on_plane"):
        ends = bodies[1].at(), bodies[0].at()
    model.add(joint(rng, kind, "J", *(ends[::-1] if reverse else ends), cut=cut))
    model.add(joint(rng, "spherical", "ball", place(rng, bodies[2]), place(rng, bodies[1])))
    return model, bodies


TREE_AND_CUT = [*((kind, False) for kind in (*NAMED, *ORDERS)), *((kind, True) for kind in KINDS)]
REVERSED = pytest.mark.parametrize("reverse", [False, True], ids=["", "reversed"])


@REVERSED
@pytest.mark.parametrize(("kind", "cut"), TREE_AND_CUT)
def test_every_joint(kind, cut, reverse):
    """Loads in every coordinate, springs, a bushing and forces besides."""
    rng = np.random.default_rng(KINDS.index(kind))
    model, bodies = chain(rng, kind, cut, reverse)
    with_elements(rng, model, bodies)
    assert imbalance(model) < BALANCED


DRIVEN = [(kind, cut) for kind, cut in TREE_AND_CUT if kind not in ("spherical", "fixed", "free", "distance")]


@REVERSED
@pytest.mark.parametrize(("kind", "cut"), DRIVEN)
def test_motions_and_relations(kind, cut, reverse):
    """The first coordinate follows the time, the last one a coordinate of another joint; loads in all of them."""
    rng = np.random.default_rng(100 + KINDS.index(kind))
    model, bodies = chain(rng, kind, cut, reverse)
    with_elements(rng, model, bodies)
    driven, hook = (next(item for item in model if item.name == name) for name in ("J", "hook"))
    start = [value or 0.0 for value in (*driven.start, *[0.0] * (len(driven.coordinates) - len(driven.start)))]
    speed = (driven.start_rate or (0.0,))[0]
    model.add(h.motion("drive", driven, f"{start[0]!r} + {speed!r}*t + 3*t^2"))
    if len(start) > 1:
        terms = [(driven, len(start) - 1, 2.0), (hook, 1, -0.7)]
        model.add(h.relation("tie", terms, 2.0 * start[-1] - 0.7 * hook.start[1]))
        driven = h.Joint(**{**vars(driven), "start_rate": (*driven.start_rate[:1], *[None] * (len(start) - 1))})
        model = replaced(model, driven)
    assert imbalance(model) < BALANCED


def replaced(model, joint):
    """The model with another joint of the same name."""
    made = h.Model(gravity=GRAVITY)
    for item in model:
        made.add(joint if item.name == joint.name else item)
    return made


@REVERSED
@pytest.mark.parametrize("cut", [False, True], ids=["tree", "cut"])
def test_steps_that_follow_the_time(cut, reverse):
    """What drives them is part of the joint."""
    rng = np.random.default_rng(7)
    model, _ = chain(rng, "rotate-translate", cut, reverse)
    by_time = [
        h.rotate(make.direction(rng), "0.4 + 2*t - 3*t^2"),
        h.translate(make.direction(rng)),
        h.rotate(make.direction(rng), 0.3),
        h.translate(make.direction(rng), "0.2 - t + 4*t^2"),
    ]
    old = next(item for item in model if item.name == "J")
    model = replaced(model, h.general("J", old.a, old.b, by_time, start=(0.4, 0.1, 0.2), cut=cut))
    model.add(h.joint_force("load", "J", "3 - 0.2*rate", coordinate=1))
    with_elements(rng, model, [])
    assert imbalance(model) < BALANCED


def closed(rng, kind):
    """A tree of six bodies, two of which a joint closes to a loop; its places lie where the joint finds them closed."""
    seed = rng.integers(1 << 30)

    def tree():
        inner = np.random.default_rng(seed)
        model = h.Model(gravity=GRAVITY)
        bodies = []
        for k, branch in enumerate(("cylindrical", "rotate-translate", "screw", "universal", "planar", "spherical")):
            bodies.append(model.add(make.rigid_body(inner, f"body{k}")))
            carrier = (model.ground, *bodies)[max(0, k - 1 - k % 2)]
            made = joint(inner, branch, f"joint{k}", place(inner, bodies[k]), place(inner, carrier))
            model.add(h.Joint(**{**vars(made), "start_rate": ()}))
        return model, bodies

    model, bodies = tree()
    system = model.compile()
    poses = [(pose[2], pose[3]) for pose in motions(system, system.start, np.zeros(system.nv))]
    p, R = rng.normal(size=3), make.turn(rng)
    model, bodies = tree()
    more = {"cut": True}
    ends = [(p, R), (p, R)]
    if kind in ORDERS:
        made = steps(rng, ORDERS[kind])
        for step in made:
            axis = np.asarray(step.axis)
            value = rng.uniform(-0.6, 0.6) if step.by is None else step.by
            p, R = (p + value * R @ axis, R) if step.motion == LENGTH else (p, R @ about(axis, value))
        ends[0] = p, R
    elif kind == "distance":
        ends[0] = p + make.direction(rng), R
    places = []
    for body, (point, turned) in zip((bodies[5], bodies[4]), ends, strict=True):
        at, attitude = poses[bodies.index(body)]
        rotation = None if kind == "universal" else attitude.T @ turned
        places.append(body.at(attitude.T @ (point - at), rotation))
    if kind in ORDERS:
        model.add(h.general("J", *places, made, **more))
    else:
        loop = joint(rng, kind, "J", *places, **more)
        if kind == "universal":
            # axes at right angles as the bodies are
            relative = poses[4][1].T @ poses[5][1]
            loop = h.universal("J", *places, axis_a=relative.T @ loop.axis_a, axis_b=loop.axis, **more)
        model.add(h.Joint(**{**vars(loop), "start": (), "start_rate": ()}))
    return model, bodies


@pytest.mark.parametrize("kind", KINDS)
def test_loops(kind):
    rng = np.random.default_rng(200 + KINDS.index(kind))
    model, bodies = closed(rng, kind)
    with_elements(rng, model, bodies)
    system = model.compile()
    assert imbalance(model, compiled=system, state=moving(rng, system)) < BALANCED


@REVERSED
@pytest.mark.parametrize("side", ["rigid", "flexible"])
@pytest.mark.parametrize("kind", KINDS)
def test_on_flexible_bodies(kind, side, reverse):
    """A beam on a turning hub, and by the joint at its tip a rigid body or another beam."""
    rng = np.random.default_rng(300 + KINDS.index(kind))
    model = h.Model(gravity=GRAVITY)
    hub = model.add(make.rigid_body(rng, "hub"))
    model.add(h.revolute("axle", hub.at(), model.ground.at(), axis=make.direction(rng), start_rate=3.0))
    beam = model.add(h.FlexibleBody("beam", make.beam_body(2), damping=0.02))
    model.add(h.fixed("root", beam.node(1), hub.at(rng.normal(size=3), make.turn(rng))))
    apart = {"position": (3.0, 2.0, -1.0)} if kind == "distance" else {}
    if side == "rigid":
        tip = model.add(make.rigid_body(rng, "tip", **apart))
        ends = tip.at(rng.normal(size=3)), beam.node(11)
    else:
        tip = model.add(h.FlexibleBody("tip", make.beam_body(2), damping=0.02, **apart))
        ends = tip.node(1), beam.node(11)
    model.add(joint(rng, kind, "J", *(ends[::-1] if reverse else ends)))
    model.add(h.spring("cord", beam.node(11), model.ground.at((1, 2, 3)), stiffness=200.0, damping=1.0, length=1.0))
    with_elements(rng, model, [])
    assert imbalance(model, step=1e-5) < BALANCED  # a thousandth of a period of the beams
