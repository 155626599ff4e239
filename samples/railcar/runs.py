"""Runs of the vehicle, and what is measured in them: accelerations of the frame, parts of the modes, frame forces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

import floatframe as ff
from floatframe.arrays import Array
from floatframe.samples.railcar.model import AXLE
from floatframe.samples.railcar.rolling import rolling_vehicle
from floatframe.samples.railcar.vehicle import (
    EASEMENT,
    STRAIGHT,
    curved_track,
    node_place,
    straight_track,
    vehicle,
)

POINTS = {"front": "under the front cab", "rear": "under the rear cab", "middle": "under mid-saloon"}
FORMS = {6: 0, 24: 18, 70: 64}  # forms of the vehicle: six of the rigid body and so many elastic modes
SETTLE = 5.0  # s, that pass before measuring begins
STEP, EVERY = 1e-3, 2e-3  # s


@dataclass(frozen=True)
class Ride:
    """A run on straight irregular track, from the moment on when measuring begins."""

    t: Array  # (n,) [s]
    acceleration: dict[str, Array]  # by point (n, 3) [m/s2], world axes
    parts: dict[str, Array]  # of each form in the vertical acceleration, by point (n, forms)

    def rms(self, point: str) -> float:
        """Root mean square of the vertical acceleration [m/s2]."""
        return float(np.sqrt(np.mean(self.acceleration[point][:, 2] ** 2)))


@dataclass(frozen=True)
class Curving:
    """A run through the curve: sideways force of the front wheelset on the body [N] over time [s]."""

    t: Array  # (n,)
    force: Array  # (n,)
    in_curve: Array  # (n,) bool: both axles are in the circular part, and it has settled

    def rms(self) -> float:
        """Root mean square in the circular part after the trend is removed [N]."""
        t, force = self.t[self.in_curve], self.force[self.in_curve]
        return float(np.sqrt(np.mean(ff.signals.detrend(t, force).y ** 2)))


def ride(body: ff.modal.ReducedBody, forms: int, speed: float, seconds: float) -> Ride:
    """Run on straight irregular track at a speed [m/s] and measure for some seconds."""
    modes, t_end = FORMS[forms], SETTLE + seconds
    model = vehicle(body, straight_track(speed * t_end + 4 * AXLE), speed, modes)
    moving = ["body.acceleration", "body.rotation", "body.angular_velocity", "body.angular_acceleration"]
    nodes = [f"body.node[{point}].acceleration" for point in POINTS]
    channels = [*moving, *nodes, "body.modal_acceleration"] if modes else moving
    result = model.compile().simulate(
        t_end=t_end, step=STEP, method="generalised-alpha", record=ff.hybrid.Record(EVERY, tuple(channels), SETTLE)
    )
    parts = {point: _parts(result, body, point, modes) for point in POINTS}
    if modes:
        acceleration = {point: np.asarray(result[name]) for point, name in zip(POINTS, nodes, strict=True)}
    else:
        acceleration = {point: _of_point(result, node_place(body, point)) for point in POINTS}
    return Ride(result.t, acceleration, parts)


def _of_point(result: ff.hybrid.Results, place: Array) -> Array:
    """Return the acceleration (n, 3) [m/s2] of a point of the rigid body."""
    rate, change = result["body.angular_velocity"], result["body.angular_acceleration"]
    turning = np.cross(change, place) + np.cross(rate, np.cross(rate, place))
    return np.asarray(result["body.acceleration"] + _attitude(result).apply(turning))


def _attitude(result: ff.hybrid.Results) -> Rotation:
    return Rotation.from_quat(result["body.rotation"], scalar_first=True)


def _parts(result: ff.hybrid.Results, body: ff.modal.ReducedBody, point: str, modes: int) -> Array:
    """Return the part of each form (n, forms) in the vertical acceleration of a point, for small angles.

    The first six are motions along x, y, z and turns about them; only bounce, roll and pitch lift a point.
    """
    x, y, _ = node_place(body, point)
    change = result["body.angular_acceleration"]
    rigid = np.zeros((len(result.t), 6))
    rigid[:, 2], rigid[:, 3], rigid[:, 4] = result["body.acceleration"][:, 2], change[:, 0] * y, -change[:, 1] * x
    if not modes:
        return rigid
    row = 6 * int(body.node_index([body.node_names[point]])[0]) + 2
    return np.hstack([rigid, body.shapes[row, :modes] * result["body.modal_acceleration"]])


def curving(body: ff.modal.ReducedBody, forms: int, speed: float, seconds: float, irregular: bool) -> Curving:
    """Coast on rolling wheels through the curve from a speed [m/s], measuring for some seconds in it."""
    begin = (STRAIGHT + EASEMENT) / speed + SETTLE
    track = curved_track(speed * (SETTLE + seconds) + 4 * AXLE, irregular)
    springs = tuple(f"spring_{k}.force" for k in range(5, 9))  # those of the front wheelset
    model = rolling_vehicle(body, track, speed, FORMS[forms])
    record = ff.hybrid.Record(EVERY, (*springs, "front.box.rotation"))
    result = model.compile().simulate(t_end=begin + seconds, step=STEP, method="generalised-alpha", record=record)
    force = np.sum([result[name] for name in springs], axis=0)
    sideways = Rotation.from_quat(result["front.box.rotation"], scalar_first=True).inv().apply(force)[:, 1]
    return Curving(result.t, sideways, result.t >= begin)
