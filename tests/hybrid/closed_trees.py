"""Systems with loops, relations and flexible bodies, solved along their trees or by dense equations."""

from __future__ import annotations

import math

import numpy as np

from floatframe import hybrid as h
from floatframe.hybrid.kernels.order import elimination
from tests.hybrid import random_systems as make

Z = (0.0, 0.0, 1.0)


def solved(system, along):
    """The system with its equations solved along the tree, or dense."""
    system.__dict__["order"] = elimination(system.tables) if along else None
    return system


def tangled(rng, count=12):
    """A random tree with loops of many kinds between its bodies, a gear, a constraint on a place, a flexible body."""
    kinds = rng.choice(["revolute", "prismatic", "spherical", "universal", "free", "cylindrical"], count)
    model = make.tree(rng, ["revolute", "revolute", *kinds], (1.0, -2.0, -9.0))
    beam = model.add(h.FlexibleBody("beam", make.beam_body(), position=rng.normal(size=3)))
    poses = model.compile().index.poses

    def at(body, world):
        return h.Place(f"body{body}", poses[body].R.T @ (world - poses[body].p))

    for k, kind in enumerate(("spherical", "distance", "distance", "cylindrical")):
        bodies, point = rng.choice(count + 2, 2, replace=False), rng.normal(size=3)
        away = rng.normal(size=3) if kind == "distance" else 0.0
        model.add(getattr(h, kind)(f"loop{k}", at(bodies[0], point), at(bodies[1], point + away), cut=True))
    node = poses[count + 2].p  # of the beam's first node, which is its origin
    model.add(h.spherical("ball", beam.node(1), at(count, node)))
    model.add(h.distance("rod", beam.node(11), at(3, rng.normal(size=3))))
    model.add(h.gear("gear", "joint0", "joint1", 2.5))
    start = poses[5].p[0]
    model.add(h.relation("held", expression=f"body5.position.x - ({start:.17g}) - 0.1*joint1.angle"))
    return model.compile()


def ring(count, **more):
    """Links of 1 m hinged to each other, a regular polygon with one side on the ground."""
    model = h.Model(gravity=(0, -9.81, 0))
    angle = 2.0 * math.pi / (count + 1)
    place, end = model.ground.at(), np.zeros(3)
    for k in range(count):
        rod = model.add(h.RigidBody(f"rod{k}", 1.0, (0.01, 0.08, 0.08), com=(0.5, 0, 0)))
        model.add(h.revolute(f"hinge{k}", rod.at(), place, axis=Z, start=angle if k else 0.0, **more))
        place = rod.at((1, 0, 0))
        end += (math.cos(k * angle), math.sin(k * angle), 0.0)
    model.add(h.revolute("last", place, model.ground.at(end), axis=Z))
    return model


def four_bars(count):
    """Cranks of 1 m side by side, joined by couplers: count four-bar linkages with one dof."""
    model = h.Model(gravity=(0, -9.81, 0))
    inertia = (1e-3, 1 / 12, 1 / 12)
    before = None
    for i in range(count + 1):
        crank = model.add(h.RigidBody(f"crank{i}", 1.0, inertia, com=(0, 0.5, 0), position=(i, 0, 0)))
        rate = {"start_rate": -1.0} if i == 0 else {}
        model.add(h.revolute(f"A{i}", crank.at(), model.ground.at((i, 0, 0)), axis=Z, **rate))
        if before is not None:
            bar = model.add(h.RigidBody(f"coupler{i}", 1.0, inertia, com=(0.5, 0, 0), position=(i - 1, 1, 0)))
            model.add(h.revolute(f"B{i}", bar.at(), before.at((0, 1, 0)), axis=Z))
            model.add(h.revolute(f"C{i}", bar.at((1, 0, 0)), crank.at((0, 1, 0)), axis=Z))
        before = crank
    return model


def scissors(count):
    """Pairs of crossed bars on top of each other: the tree is as deep as there are loops."""
    model = h.Model(gravity=(0, -9.81, 0))
    inertia = (1e-3, 1 / 12, 1 / 12)
    left, right = model.ground.at(), model.ground.at((1, 0, 0))
    for i in range(count):
        # bars of length sqrt 2 at 45 degrees, which cross in the middle
        up = model.add(h.RigidBody(f"up{i}", 1.0, inertia, com=(0.5, 0.5, 0), position=(0, i, 0)))
        down = model.add(h.RigidBody(f"down{i}", 1.0, inertia, com=(-0.5, 0.5, 0), position=(1, i, 0)))
        model.add(h.revolute(f"left{i}", up.at(), left, axis=Z))
        if i == 0:
            model.add(h.prismatic("slide", down.at(), right, axis=(1, 0, 0), cut=True))
        else:
            model.add(h.revolute(f"right{i}", down.at(), right, axis=Z, cut=True))
        model.add(h.revolute(f"middle{i}", down.at((-0.5, 0.5, 0)), up.at((0.5, 0.5, 0)), axis=Z))
        left, right = down.at((-1, 1, 0)), up.at((1, 1, 0))
    return model
