"""The vehicle: the elastic body on two wheelsets that follow the rails of a track, straight or curved.

Each wheelset is one part used twice. Its middle follows the track in world axes, and beside it the mean of both rails
sideways and up and their difference in height as roll, at the place of its axle: the rear axle meets the same
irregularities later. Four linear springs and two friction dampers join it to the body. Springs are taken about their
loaded state, so there is no gravity. Creep and play between wheel and rail are left out; `rolling` has them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from typing import TypeAlias

import numpy as np

import floatframe as ff
from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.railway.track import Track
from floatframe.samples.railcar.cases import Case
from floatframe.samples.railcar.design import Design
from floatframe.samples.railcar.model import AXLE, SPREAD
from floatframe.samples.railcar.tracks import track

Places: TypeAlias = Callable[[str], ff.hybrid.Place]

# none of these is published
FRICTION = 4.0e3  # N, of one damper: 6 % of the load of a wheel
CREEP = 0.02  # m/s, sliding speed at which a damper reaches most of its friction
SPRING_LOSS = 0.05  # ratio of critical damping that friction inside the springs gives the bounce
WHEELSET, WHEELSET_INERTIA = 1500.0, (900.0, 120.0, 900.0)  # kg, kg m2
BOUNCE = 1.3  # Hz
TABLE_STEP = 0.05  # m, of the rails


def rail_tables(line: Track) -> dict[str, ff.hybrid.Table]:
    """Return how a wheelset moves over the distance s [m]: the track in world axes, the rails beside it [m, rad]."""
    s = np.linspace(0.0, line.length, round(line.length / TABLE_STEP) + 1)
    frame = line.frame(s)
    left_y, left_z, right_y, right_z = line.irregularity(s).T
    motion = {
        "along": frame.p[:, 0],
        "across": frame.p[:, 1],
        "heading": frame.heading,
        "sideways": (left_y + right_y) / 2,
        "up": (left_z + right_z) / 2,
        "roll": (left_z - right_z) / line.rail_distance,
    }
    return {name: ff.hybrid.Table(s, y, kind="cubic", name=name) for name, y in motion.items()}


def wheelset(tables: Mapping[str, ff.hybrid.Table]) -> ff.hybrid.Subsystem:
    """Return the wheelset as a part: parameters speed [m/s] and start, its place on the track at t = 0 [m]."""
    part = ff.hybrid.Subsystem("wheelset", parameters={"speed": 10.0, "start": 0.0}, tables=tables)
    axle = part.add(ff.hybrid.RigidBody("axle", WHEELSET, WHEELSET_INERTIA))
    x, y, z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    move, turn = ff.hybrid.translate, ff.hybrid.rotate
    steps = [move(x), move(y), turn(z), move(y), move(z), turn(x)]
    part.add(ff.hybrid.general("rails", axle.at(), part.ground.at(), steps))
    for coordinate, name in enumerate(tables):
        part.add(ff.hybrid.motion(name, "rails", f"table({name}, start + speed*t)", coordinate))
    return part


def vehicle(body: ff.modal.ReducedBody, case: Case) -> ff.hybrid.Model:
    """Return the vehicle of a run on guided wheelsets, without gravity and so without cant."""
    if case.cant:
        raise ModelError(f"guided wheelsets: found a cant of {case.cant:g} m, expected none; take rolling wheels")
    model = ff.hybrid.Model(gravity=(0, 0, 0), name="railcar")
    part, place = wheelset(rail_tables(track(case))), add_body(model, body, (AXLE, 0.0, 0.0), case)
    for name, start in (("rear", 0.0), ("front", 2 * AXLE)):
        own = {"speed": case.metres_per_second, "start": start}
        axle = model.add(part.instance(name, (0.0, 0.0, Design().seat_height), parameters=own))["axle"]
        add_suspension(model, place, axle, case, front=name == "front")
    return model


def springs_of(front: bool) -> range:
    """Numbers of the springs of a wheelset."""
    return range(5, 9) if front else range(1, 5)


def dampers_of(front: bool) -> range:
    """Numbers of the friction dampers of a wheelset."""
    return range(3, 5) if front else range(1, 3)


def add_suspension(
    model: ff.hybrid.Model, place: Places, carrier: ff.hybrid.RigidBody, case: Case, front: bool, sag: float = 0.0
) -> None:
    """Join the body to a wheelset by four springs and two friction dampers.

    place gives places on the body by the name of a node; carrier is what holds the lower ends; springs press the body
    up by their stiffness times sag [m] at the start.
    """
    design = Design()
    damping = [SPRING_LOSS * k / (np.pi * BOUNCE) for k in design.spring]
    for k, (shift, side) in zip(springs_of(front), product((-SPREAD, SPREAD), (-1, 1)), strict=True):
        below = carrier.at((shift, side * design.seat_side, sag))
        model.add(ff.hybrid.bushing(f"spring_{k}", place(f"spring {k}"), below, design.spring, damping))
    for k, side in zip(dampers_of(front), (-1, 1), strict=True):
        below = carrier.at((0.0, side * design.seat_side, 0.0))
        directions = {f"damper_{k}": (0, 0, 1)} | ({f"side_damper_{k}": (0, 1, 0)} if case.sideways_friction else {})
        for name, axis in directions.items():
            model.add(ff.hybrid.friction(name, place(f"damper {k}"), below, FRICTION, CREEP, axis=axis))


def add_body(
    model: ff.hybrid.Model,
    body: ff.modal.ReducedBody,
    origin: tuple[float, float, float],
    case: Case,
    speed: str | None = None,
) -> Places:
    """Add the body, and return what gives a place on it by the name of a node; speed: in place of that of the case."""
    velocity = (speed or case.metres_per_second, 0.0, 0.0)
    if case.modes:
        flexible = ff.hybrid.FlexibleBody(
            "body", body, damping=case.body_damping, modes=case.modes, position=origin, velocity=velocity
        )
        return model.add(flexible).node
    of = body.inertia
    rigid = model.add(ff.hybrid.RigidBody("body", of.m, of.inertia_about_com, tuple(of.com), origin, velocity=velocity))
    return lambda name: rigid.at(tuple(node_place(body, name)))


def node_place(body: ff.modal.ReducedBody, name: str) -> Array:
    """Return where a named node of the body is (3,) [m], body axes."""
    return body.nodes[body.node_index([body.node_names[name]])[0]]
