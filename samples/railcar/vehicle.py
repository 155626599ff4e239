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
from floatframe.railway.track import Curve, Irregularity, Straight, Track, Transition
from floatframe.samples.railcar.design import Design
from floatframe.samples.railcar.model import AXLE, SPREAD

Places: TypeAlias = Callable[[str], ff.hybrid.Place]

# none of these is published
QUALITY, WAVELENGTHS, SEED = "FRA 4", (1.0, 60.0), 1  # 1 m at 100 km/h is 28 Hz, above the 70th form
FRICTION = 4.0e3  # N, of one damper: 6 % of the load of a wheel
CREEP = 0.02  # m/s, sliding speed at which a damper reaches most of its friction
SPRING_LOSS = 0.05  # ratio of critical damping that friction inside the springs gives the bounce
BODY_DAMPING = 0.02  # ratio of critical damping of the elastic modes
WHEELSET, WHEELSET_INERTIA = 1500.0, (900.0, 120.0, 900.0)  # kg, kg m2
BOUNCE = 1.3  # Hz
TABLE_STEP = 0.05  # m, of the rails
RADIUS, STRAIGHT, EASEMENT = 300.0, 40.0, 60.0  # m: curve, straight and transition before it


def straight_track(length: float) -> Track:
    """Return a straight irregular track [m]."""
    return Track([Straight(length)], irregularities=[_irregularity()])


def curved_track(length: float, irregular: bool) -> Track:
    """Return a straight, a transition and a curve to the left of some length [m], without cant."""
    sections = (Straight(STRAIGHT), Transition(EASEMENT, "bloss"), Curve(length, RADIUS))
    return Track(sections, irregularities=[_irregularity()] if irregular else [])


def _irregularity() -> Irregularity:
    return Irregularity.of_class(QUALITY, ("vertical", "lateral", "cross_level"), WAVELENGTHS, SEED, fade=20.0)


def rail_tables(track: Track) -> dict[str, ff.hybrid.Table]:
    """Return how a wheelset moves over the distance s [m]: the track in world axes, the rails beside it [m, rad]."""
    s = np.linspace(0.0, track.length, round(track.length / TABLE_STEP) + 1)
    frame = track.frame(s)
    left_y, left_z, right_y, right_z = track.irregularity(s).T
    motion = {
        "along": frame.p[:, 0],
        "across": frame.p[:, 1],
        "heading": frame.heading,
        "sideways": (left_y + right_y) / 2,
        "up": (left_z + right_z) / 2,
        "roll": (left_z - right_z) / track.rail_distance,
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


def vehicle(body: ff.modal.ReducedBody, track: Track, speed: float, modes: int) -> ff.hybrid.Model:
    """Return the vehicle with so many elastic modes of the body, none for a rigid one, rolling at a speed [m/s]."""
    model = ff.hybrid.Model(gravity=(0, 0, 0), name="railcar")
    part, place = wheelset(rail_tables(track)), add_body(model, body, (AXLE, 0.0, 0.0), speed, modes)
    for name, start in (("rear", 0.0), ("front", 2 * AXLE)):
        own = {"speed": speed, "start": start}
        axle = model.add(part.instance(name, (0.0, 0.0, Design().seat_height), parameters=own))["axle"]
        add_suspension(model, place, axle, front=name == "front")
    return model


def add_suspension(
    model: ff.hybrid.Model, place: Places, carrier: ff.hybrid.RigidBody, front: bool, sag: float = 0.0
) -> None:
    """Join the body to a wheelset by four springs and two friction dampers.

    place gives places on the body by the name of a node; carrier is what holds the lower ends; springs press the body
    up by their stiffness times sag [m] at the start.
    """
    design = Design()
    damping = [SPRING_LOSS * k / (np.pi * BOUNCE) for k in design.spring]
    for k, (shift, side) in enumerate(product((-SPREAD, SPREAD), (-1, 1)), start=5 if front else 1):
        below = carrier.at((shift, side * design.seat_side, sag))
        model.add(ff.hybrid.bushing(f"spring_{k}", place(f"spring {k}"), below, design.spring, damping))
    for k, side in enumerate((-1, 1), start=3 if front else 1):
        below = carrier.at((0.0, side * design.seat_side, 0.0))
        model.add(ff.hybrid.friction(f"damper_{k}", place(f"damper {k}"), below, FRICTION, CREEP, axis=(0, 0, 1)))


def add_body(
    model: ff.hybrid.Model, body: ff.modal.ReducedBody, origin: tuple[float, float, float], speed: float, modes: int
) -> Places:
    """Add the body, and return what gives a place on it by the name of a node."""
    velocity = (speed, 0.0, 0.0)
    if modes:
        flexible = ff.hybrid.FlexibleBody(
            "body", body, damping=BODY_DAMPING, modes=modes, position=origin, velocity=velocity
        )
        return model.add(flexible).node
    of = body.inertia
    rigid = model.add(ff.hybrid.RigidBody("body", of.m, of.inertia_about_com, tuple(of.com), origin, velocity=velocity))
    return lambda name: rigid.at(tuple(node_place(body, name)))


def node_place(body: ff.modal.ReducedBody, name: str) -> Array:
    """Return where a named node of the body is (3,) [m], body axes."""
    return body.nodes[body.node_index([body.node_names[name]])[0]]
