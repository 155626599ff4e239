"""Random systems: trees with joints of all kinds, seen from either side, and flexible bodies of any constants."""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import cache

import numpy as np
from scipy.spatial.transform import Rotation

import floatframe as ff
from floatframe import hybrid as h
from floatframe.modal import ReducedBody

TREE_KINDS = (
    "revolute",
    "prismatic",
    "cylindrical",
    "spherical",
    "universal",
    "planar",
    "screw",
    "fixed",
    "free",
    "general",
)


def direction(rng):
    a = rng.normal(size=3)
    return a / np.linalg.norm(a)


def turn(rng):
    """A random rotation (3, 3)."""
    return Rotation.random(rng=rng).as_matrix()


def inertia(rng, size=1.0):
    """A random inertia tensor (3, 3) of three pairs of masses."""
    points = rng.normal(size=(3, 3))
    return size * sum((p @ p) * np.eye(3) - np.outer(p, p) for p in points)


def rigid_body(rng, name, **more):
    return h.RigidBody(name, rng.uniform(0.5, 3.0), inertia(rng), com=rng.normal(size=3), **more)


def joint(rng, kind, name, a, b, **more):
    """A joint of a kind with random axes between two places."""
    axis = direction(rng)
    make = getattr(h, kind)
    if kind in ("spherical", "free", "fixed", "distance"):
        return make(name, a, b, **more)
    if kind == "universal":
        # the two axes are at right angles in the start pose, where the axes of the two places agree
        return make(name, a, b, np.cross(axis, direction(rng)), axis, **more)
    if kind == "screw":
        return make(name, a, b, 0.3, axis, **more)
    if kind == "general":
        steps = [
            h.translate(direction(rng)),
            h.rotate(direction(rng), 0.4),
            h.rotate(direction(rng)),
            h.translate(direction(rng), -0.2),
            h.rotate(direction(rng)),
        ]
        return make(name, a, b, steps, **more)
    return make(name, a, b, axis, **more)


def reduced_body(rng, n=4, nnode=5, stiffness=50.0):
    """A body of random nodes, masses, rotary inertia and shapes, of which nothing vanishes; joints at nodes 1 and 2."""
    shapes = 0.3 * rng.normal(size=(6 * nnode, n))
    body = ReducedBody(
        nodes=rng.normal(size=(nnode, 3)),
        node_ids=np.arange(1, nnode + 1),
        shapes=shapes,
        kind=("eigen",) * n,
        origin=("random",) * n,
        frequency=np.linspace(1.0, 2.0, n),
        mass=np.eye(n),
        stiffness=np.diag(rng.uniform(1.0, 2.0, n)) * stiffness,
        nodal_mass=rng.uniform(0.5, 2.0, nnode),
        nodal_inertia=np.array([inertia(rng, 0.1) for _ in range(nnode)]),
        interface=[(node, k) for node in (1, 2) for k in range(6)],
    )
    HH = body.inertia.HH
    return replace(body, mass=0.5 * (HH + HH.T))


def compile_with(model, bodies):
    """Compile a model in which some flexible bodies, by name, are replaced by reduced bodies just as they are."""
    from floatframe.hybrid.system import compile_model

    flat = model.flatten()
    changed = []
    for body in flat.bodies:
        if body.name in bodies:
            reduced = bodies[body.name]
            body = replace(body, reduced=reduced, damping=np.zeros((reduced.nmode, reduced.nmode)))
        changed.append(body)
    return compile_model(replace(flat, bodies=tuple(changed)))


def tree(rng, kinds, gravity=(0.0, 0.0, 0.0)):
    """A model of one rigid body per kind of joint, hung on a random one of the bodies before; every second joint is
    described from the other side."""
    model = h.Model(gravity=gravity)
    carriers = [model.ground]
    for k, kind in enumerate(kinds):
        body = model.add(rigid_body(rng, f"body{k}"))
        near = carriers[rng.integers(len(carriers))].at(rng.normal(size=3))
        far = body.at(rng.normal(size=3))
        a, b = (far, near) if k % 2 == 0 else (near, far)
        model.add(joint(rng, kind, f"joint{k}", a, b))
        carriers.append(body)
    return model


def any_state(rng, system, far=0.7, bend=1.0):
    """A state away from the start, at any speed; joints that are cut are open. Modes are moved less by `bend`."""
    step = rng.normal(scale=far, size=system.nv)
    step[system.tables.dofs["link"] < 0] *= bend
    moved = system.move(system.start, step)
    return h.State(0.0, moved.q, rng.normal(size=system.nv), moved.memory)


@cache
def beam_body(n_modes=3):
    """A steel beam reduced to its two ends, Craig-Bampton."""
    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
    section = ff.fem.BeamSection.rectangle(0.02, 0.03)
    fe = ff.fem.beam_line((0, 0, 0), (1, 0.2, 0.1), n=10, section=section, material=steel)
    return ff.modal.reduce(fe, interface=[1, 11], n_modes=n_modes, method="craig-bampton")


def mixed(rng, gravity=(0.0, 0.0, 0.0)):
    """A tree of rigid bodies, two flexible bodies on it by cut joints and one that floats; compiled."""
    model = tree(rng, ("revolute", "spherical", "universal"), gravity)
    random, beam = reduced_body(rng), beam_body()
    first = model.add(h.FlexibleBody("random", beam, position=rng.normal(size=3), rotation=turn(rng)))
    second = model.add(h.FlexibleBody("beam", beam, rotation=turn(rng)))
    model.add(h.FlexibleBody("floating", beam, position=rng.normal(size=3)))
    tip = h.Place("body2", rng.normal(size=3))
    model.add(h.spherical("ball", first.node(1), tip))
    model.add(h.revolute("hinge", second.node(11), tip, axis=direction(rng)))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "body '")  # the cut joints are open at the start on purpose
        return compile_with(model, {"random": random})
