"""Coordinates of a general joint that bring its steps to a given pose."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from floatframe.arrays import Array, BoolArray
from floatframe.hybrid.compile.start_poses import GROUND, Pose
from floatframe.hybrid.description import about
from floatframe.hybrid.flat import FlatJoint, FlatStep

CLOSE = 1e-13  # share of the joint's size, or rad: there
PLACES = 10  # start places for the angles before the nearest pose has to do
ITERATIONS = 60
DEPENDENT = 1e-10  # share of the largest motion below which a combination of steps moves nothing
IDLE = 1e-6  # rad, or m: motion per unit of the steps that counts as none
HALF_TURN = 1e-7  # 1 + cosine of the angle below which the sine no longer shows the axis


class Miss(NamedTuple):
    """How far the steps end from a pose (6,), lengths over the joint's size and rad, and its slopes (6, nstep)."""

    gap: Array
    slopes: Array

    @property
    def size(self) -> float:
        return float(np.linalg.norm(self.gap))


def fitted_steps(joint: FlatJoint, pose: Pose) -> list[float]:
    """One value per step, constants and free ones, that lead nearest to the pose of a's joint frame in b's.

    What the user gave is kept: start coordinates, and laws of t at t = 0. Of many solutions it is the one near zero.
    """
    values, free = _given(joint)
    if not free.any():
        return values.tolist()
    length = max(float(np.linalg.norm(pose.p)), *(abs(s.value or 0.0) for s in joint.steps), 1e-3)
    turning = free & [step.motion == "rotate" for step in joint.steps]
    rng = np.random.default_rng(1)  # the same places every time
    best, best_size = values, np.inf
    for k in range(PLACES):
        place = values + turning * rng.uniform(-np.pi, np.pi, len(values)) if k else values
        found, size = _descend(joint.steps, place, free, pose, length)
        # a later place has to be clearly better, so that rounding chooses nothing
        if size < 0.999 * best_size:
            best, best_size = found, size
        if best_size <= CLOSE:
            break
    return _without_turns(best, turning).tolist()


def idle_motion(joint: FlatJoint, values: list[float]) -> bool:
    """Whether some motion of the free steps together moves nothing, at one value per step."""
    coordinates = iter(joint.driven)
    free = [step.value is None and next(coordinates) is None for step in joint.steps]
    slopes = _miss(joint.steps, np.array(values), GROUND, 1.0).slopes[:, free]
    return bool(slopes.size) and np.linalg.matrix_rank(slopes, tol=IDLE) < slopes.shape[1]


def _given(joint: FlatJoint) -> tuple[Array, BoolArray]:
    """The first value of every step, and which of them may change."""
    values, free = np.zeros(len(joint.steps)), np.zeros(len(joint.steps), dtype=bool)
    coordinates = iter(zip(joint.driven, joint.start, strict=True))
    for k, step in enumerate(joint.steps):
        if step.value is not None:
            values[k] = step.value
            continue
        law, start = next(coordinates)
        if start is not None:
            values[k] = start
        elif law is not None:
            values[k] = law.evaluate({"t": 0.0}, joint.tables)
        else:
            free[k] = True
    return values, free


def _descend(
    steps: tuple[FlatStep, ...], values: Array, free: BoolArray, pose: Pose, length: float
) -> tuple[Array, float]:
    """Gauss and Newton's method with halved steps; returns the values and what is left of the gap."""
    now = _miss(steps, values, pose, length)
    for _ in range(ITERATIONS):
        if now.size <= CLOSE:
            break
        change = np.zeros(len(values))
        change[free] = -np.linalg.lstsq(now.slopes[:, free], now.gap, rcond=DEPENDENT)[0]
        for halving in range(12):
            trial = values + 0.5**halving * change
            after = _miss(steps, trial, pose, length)
            if after.size < now.size:
                break
        else:
            break
        values, now = trial, after
    return values, now.size


def _miss(steps: tuple[FlatStep, ...], values: Array, pose: Pose, length: float) -> Miss:
    here, frames = GROUND, []
    for step, value in zip(steps, values, strict=True):
        frames.append(here)
        axis = np.array(step.axis)
        turns = step.motion == "rotate"
        here = here.then(np.zeros(3), about(axis, value)) if turns else here.then(value * axis, np.eye(3))
    slopes = np.zeros((6, len(steps)))
    for k, (step, frame) in enumerate(zip(steps, frames, strict=True)):
        axis = frame.R @ np.array(step.axis)
        if step.motion == "rotate":
            slopes[:3, k], slopes[3:, k] = np.cross(axis, here.p - frame.p) / length, axis
        else:
            slopes[:3, k] = axis / length
    return Miss(np.concatenate(((here.p - pose.p) / length, _turn(here.R @ pose.R.T))), slopes)


def _turn(R: Array) -> Array:
    """The rotation vector (3,) of R."""
    sine = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    cosine = 0.5 * (float(np.trace(R)) - 1.0)
    size = float(np.linalg.norm(sine))
    angle = float(np.arctan2(size, cosine))
    if 1.0 + cosine < HALF_TURN:
        outer = 0.5 * (R + R.T) + np.eye(3)  # twice axis times axis
        axis = outer[:, int(np.argmax(np.diag(outer)))]
        return np.asarray(angle * axis / np.linalg.norm(axis))
    return sine if size == 0.0 else sine * (angle / size)


def _without_turns(values: Array, turning: BoolArray) -> Array:
    """Angles between -pi and pi."""
    return np.where(turning, values - 2.0 * np.pi * np.round(values / (2.0 * np.pi)), values)
