"""Every force element against its NumPy twin: loads, reports and generalised forces, between places of all kinds."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from floatframe import hybrid as h
from floatframe.hybrid.kernels.layout import FRESH, SLIDES, STICKS
from floatframe.hybrid.kernels.system import APPLIED, VELOCITY
from tests.hybrid import random_systems as make
from tests.hybrid.force_twin import ForceTwin

SEEDS = (1, 2)  # at seed 0 a friction is within 1e-5 m/s of rest by chance, where rounding is all one compares
PAIRS = ("rigid_rigid", "rigid_ground", "node_rigid", "rigid_node", "node_node")
# joint and number of the coordinate
JOINTS = {"shoulder0": "torque", "slide0": "force", "slide1": "torque", "hinge0": "torque", "guide0": "force"}
# complex steps are exact; what is left is rounding of a few hundred operations, of the largest number of its kind
ROUNDING = 1e-11
ACTING = 1e-3  # N, far above rounding


def pump(t, position, rotation, velocity, angular_velocity):
    """A user's function that uses all it is given."""
    return (
        -3.0 * position + rotation @ (1.0, t, 2.0),
        np.cross(position, velocity) - 0.5 * angular_velocity + rotation[:, 0],
    )


def elements(rng, tag, a, b):
    """All elements between two places; names end with a tag."""
    table = h.Table([-50.0, 0.0, 2.0, 50.0], [-7.0, 0.0, 3.0, 40.0])
    law = "elongation^3 + 0.1*rate*length + t*arm.velocity.y"
    yield h.spring(f"spring{tag}", a, b, stiffness=30.0, damping=2.0, length=0.4, preload=5.0, force=law)
    yield h.spring(f"table{tag}", a, b, length=0.3, force=table)
    limit = "3 + exp(-abs(rate)) + beam.mode_rate[2]^2"
    yield h.friction(f"smooth{tag}", a, b, force=limit, speed=2.0)
    yield h.friction(f"guided{tag}", a, b, force=table, speed=0.5, axis=make.direction(rng))
    for what in ("fresh", "sticks", "slides", "breaks"):
        held = {"stiffness": 20.0, "damping": 0.5, "static": 1.5}
        axis = make.direction(rng)
        limit = 1.0 if what in ("slides", "breaks") else 100.0
        yield h.friction(f"{what}{tag}", a, b, force=limit, stick=True, axis=axis, **held)
    for name, length in (("bump", 100.0), ("rebound", 0.0), ("between", 3.0)):
        stop = {"clearance": 0.1, "rebound": 0.2, "stiffness": 200.0, "damping": 1.0}
        if name == "between":
            stop |= {"clearance": 50.0, "rebound": 50.0}
        yield h.bump_stop(f"{name}{tag}", a, b, length=length, force="10*penetration^2 + 0.5*rate", **stop)
    K, C = rng.normal(size=(2, 6, 6))
    yield h.bushing(f"bushing{tag}", a, b, K, C, rng.normal(size=6))
    for name, radius in (("ball", 40.0), ("point", 0.0)):
        plane = {"stiffness": 50.0, "damping": 0.3, "exponent": 1.5, "friction": 0.4, "speed": 3.0}
        yield h.contact_plane(f"{name}{tag}", a, b, normal=make.direction(rng), radius=radius, **plane)
    yield h.user_force(f"user{tag}", a, b, pump)
    for axes in ("world", "body"):
        force = (1.0, h.Table([-1, 1], [5, 7]), "sin(t) - beam.node[1].position.y")
        yield h.point_force(f"push_{axes}{tag}", a, force, axes=axes)
        torque = ("beam.mode[1]", "block.angular_velocity.x", "2 + beam.node[11].velocity.z")
        yield h.point_torque(f"twist_{axes}{tag}", a, torque, axes=axes)


def in_joints():
    """Elements in the coordinates of the joints below: of the tree, seen from either side, and cut."""
    for name, what in JOINTS.items():
        joint, coordinate, tag = name[:-1], int(name[-1]), f"_{name}"
        if what == "torque":
            law = "7 - 2*rate + sin(angle)*arm.position.x"
            yield h.joint_torque(f"drive{tag}", joint, law, coordinate=coordinate)
        else:
            law = "7 - 2*rate + displacement^2"
            yield h.joint_force(f"drive{tag}", joint, law, coordinate=coordinate)
        yield h.joint_friction(f"rub{tag}", joint, "2 + rate^2", coordinate=coordinate, speed=1.5)
        held = {"stiffness": 20.0, "damping": 0.5, "static": 1.5}
        yield h.joint_friction(f"breaks{tag}", joint, 1.0, coordinate=coordinate, stick=True, **held)


@cache
def playground(seed):
    """Rigid bodies in a tree, two flexible bodies, all elements between places of every kind; any state and memory."""
    rng = np.random.default_rng(seed)
    model = h.Model()
    arm, block, free = (model.add(make.rigid_body(rng, name)) for name in ("arm", "block", "free"))
    random = model.add(h.FlexibleBody("random", make.beam_body(), position=rng.normal(size=3), rotation=make.turn(rng)))
    beam = model.add(h.FlexibleBody("beam", make.beam_body(), rotation=make.turn(rng)))
    model.add(h.revolute("shoulder", model.ground.at(rng.normal(size=3)), arm.at(), axis=make.direction(rng)))
    model.add(h.cylindrical("slide", block.at(rng.normal(size=3)), arm.at(), axis=make.direction(rng)))
    model.add(h.revolute("hinge", beam.node(11), block.at(rng.normal(size=3)), axis=make.direction(rng)))
    model.add(h.prismatic("guide", free.at(), block.at(rng.normal(size=3)), axis=make.direction(rng), cut=True))

    def at(body):
        return body.at(rng.normal(size=3), make.turn(rng))

    ends = (
        (at(block), at(arm)),
        (at(free), at(model.ground)),
        (random.node(1), at(arm)),
        (at(block), beam.node(1)),
        (beam.node(1), random.node(1)),
    )
    for name, (a, b) in zip(PAIRS, ends, strict=True):
        for element in elements(rng, f"_{name}", a, b):
            model.add(element)
    for element in in_joints():
        model.add(element)
    system = make.compile_with(model, {"random": make.reduced_body(rng)})
    state = closed(system, make.any_state(rng, system, far=0.4, bend=0.05))
    return system, h.State(0.3, state.q, state.v, remembered(rng, system, state))


def closed(system, state):
    """A state near by at which the cut joints are closed, by Newton's method; only there their angles have rates."""
    moves = np.where(system.tables.dofs["link"] < 0, 1e-3, 1.0)  # modes hardly
    for _ in range(50):
        G = system.constraint_jacobian(state)
        step = -moves * (np.linalg.pinv(G * moves) @ system.constraints(state))
        state = system.move(state, step / max(1.0, np.abs(step).max() / 0.3))
    assert np.abs(system.constraints(state)).max() < 1e-13
    G = system.constraint_jacobian(state)
    return h.State(state.t, state.q, state.v - np.linalg.pinv(G) @ (G @ state.v), state.memory)


def remembered(rng, system, state):
    """A memory in which the elements with stick have held, slid or begun as their names say."""
    memory = np.array(state.memory)
    at_rest = h.State(0.3, state.q, 0 * state.v, state.memory)
    twin = ForceTwin(system, at_rest)
    for number, force in enumerate(system.model.forces):
        first = system.tables.forces[number]["memory"]
        if first < 0:
            continue
        what = force.name.split("_")[0]
        # where it held 2 N, or far from there
        x = twin.work(number)[0].elongation
        anchor = x + (30.0 if what == "breaks" else 0.02) * rng.choice((-1, 1))
        happened = {"fresh": FRESH, "sticks": STICKS, "breaks": STICKS, "slides": SLIDES}[what]
        memory[first : first + 3] = 2.0, anchor, happened
    return memory


def one_by_one(system, state):
    """Report and generalised forces (nv,) of every element alone."""
    from floatframe.hybrid.assembly.state import Evaluation

    found = []
    for k in range(len(system.tables.forces)):
        tables, data = system.tables, system.data(state)
        alone = tables._replace(forces=tables.forces[k : k + 1].copy())
        now = Evaluation(alone, data._replace(forces=data.forces[k : k + 1].copy()))
        now(state.t, state.q, VELOCITY | APPLIED, state.v)
        found.append((now.data.forces[0], -now.residual))
    return found


@cache
def compared(seed):
    """For every element by its name: what the kernels and what the twin find."""
    system, state = playground(seed)
    twin = ForceTwin(system, state)
    alone = one_by_one(system, state)
    return {force.name: (alone[k], twin.work(k)) for k, force in enumerate(system.model.forces)}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("between", [*PAIRS, *JOINTS])
def test_elements(between, seed):
    v = playground(seed)[1].v
    chosen = {name: found for name, found in compared(seed).items() if name.endswith(f"_{between}")}
    assert len(chosen) == (3 if between in JOINTS else 19)
    for name, ((report, forces), (load, work)) in chosen.items():
        size = max(np.abs(load.force).max(), np.abs(load.torque).max(), abs(load.value))
        close = {"rtol": ROUNDING, "atol": ROUNDING * size, "err_msg": name}
        np.testing.assert_allclose(report["value"], load.value, **close)
        np.testing.assert_allclose(report["force"], load.force, **close)
        np.testing.assert_allclose(report["torque"], load.torque, **close)
        found = np.r_[report["elongation"], report["rate"], report["state"]]
        np.testing.assert_allclose(
            found, [load.elongation, load.rate, *load.state], rtol=ROUNDING, atol=ROUNDING, err_msg=name
        )
        np.testing.assert_allclose(forces, work, rtol=0, atol=ROUNDING * np.abs(work).max(initial=size), err_msg=name)
        # power is the work of the generalised forces, much of which cancels between the bodies
        assert report["power"] == pytest.approx(work @ v, abs=ROUNDING * (np.abs(work) @ np.abs(v))), name


@pytest.mark.parametrize("seed", SEEDS)
def test_elements_are_put_to_the_test(seed):
    """Every element acts but those that are out of reach; friction with stick did what its name says."""
    for name, ((report, forces), _) in compared(seed).items():
        what = name.split("_")[0]
        if what == "between":
            assert not forces.any()
        elif what != "point":
            assert np.abs(forces).max() > ACTING, name
        if what in ("fresh", "sticks"):
            assert report["state"][2] == STICKS, name
        if what == "breaks":
            assert report["state"][2] == SLIDES, name
    # points lie on either side of their planes
    touching = [report["value"] > 0.0 for name, ((report, _), _) in compared(seed).items() if name.startswith("point")]
    assert any(touching)
    assert not all(touching)


@pytest.mark.parametrize("seed", SEEDS)
def test_together_they_are_the_sum(seed):
    system, state = playground(seed)
    now = system.evaluation(state)(state.t, state.q, VELOCITY | APPLIED, state.v)
    alone = np.array([forces for (_, forces), _ in compared(seed).values()])
    np.testing.assert_allclose(-now.residual, alone.sum(axis=0), rtol=0, atol=1e-12 * np.abs(alone).max())
