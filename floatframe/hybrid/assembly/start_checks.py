"""Start data that are not compatible: reported, not dropped.

Start coordinates and rates given for joints are met where the mechanism can; where they contradict each other, or are
rough, it starts as near to them as it can, with a warning. Poses and speeds given for bodies are where the assembly
begins: if the joints, or rates given for them, leave no room for them, the bodies are moved, with a warning.
"""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.hybrid.assembly.consistent import mechanism_size, workspace
from floatframe.hybrid.assembly.state import Evaluation, State
from floatframe.hybrid.compile import SystemIndex
from floatframe.hybrid.description import COORDINATE_UNITS
from floatframe.hybrid.kernels import Tables

ROUNDED = 1e-3  # rad, or share of the mechanism's size or of a speed: data typed with four digits miss by less
STILL = 1e-9  # m/s, rad/s: rest


def doubtful_start(index: SystemIndex, tables: Tables, state: State) -> tuple[str, ...]:
    """Return what to warn of: start values of joints that the start state does not have, bodies that are elsewhere."""
    from floatframe.hybrid.kernels import VELOCITY

    now = Evaluation(tables, workspace(index, tables, state.memory))(state.t, state.q, VELOCITY, state.v)
    size = mechanism_size(index, tables)
    doubts = _missed_most(index, now, state, size)
    for number, body in enumerate(index.model.bodies):
        carrier = index.tree.carriers[number]
        link = now.data.links[carrier.link]
        R, arm = link["R"] @ carrier.pose.R, link["R"] @ carrier.pose.p
        changes = []
        if body.position is not None:
            moved = link["p"] + arm - body.position
            changes += _change("position", moved, ROUNDED * size, "m")
        if body.rotation is not None:
            angle = float(np.arccos(np.clip(0.5 * (np.trace(body.rotation.T @ R) - 1.0), -1.0, 1.0)))
            changes += _change("attitude", np.array([angle]), ROUNDED, "rad")
        velocity = link["v"] + np.cross(link["w"], arm)
        for what, given, found, unit in (
            ("velocity", body.velocity, velocity, "m/s"),
            ("angular velocity", body.angular_velocity, R.T @ link["w"], "rad/s"),
        ):
            if given is not None:
                limit = STILL + ROUNDED * float(max(np.linalg.norm(given), np.linalg.norm(found)))
                changes += _change(what, found - given, limit, unit)
        if changes:
            doubts.append(
                f"body '{body.name}': what was given for its start cannot hold together with the joints and their "
                f"start values; {' and '.join(changes)}"
            )
    return tuple(doubts)


def _change(what: str, change: Array, limit: float, unit: str) -> list[str]:
    """By how much something was changed, if it is more than the limit."""
    size = float(np.linalg.norm(change))
    return [f"its {what} was changed by {size:.3g} {unit}"] if size > limit else []


def _missed_most(index: SystemIndex, now: Evaluation, state: State, size: float) -> list[str]:
    """Return a sentence about the start value that is missed most, or else about such a rate."""
    values: list[tuple[float, str]] = []
    rates: list[tuple[float, str]] = []
    for number, joint in enumerate(index.model.joints):
        for k, (start, rate) in enumerate(zip(joint.start, joint.start_rate, strict=True)):
            if start is None and rate is None:
                continue
            value_now, rate_now = _coordinate(index, now, state, number, k)
            unit = COORDINATE_UNITS[joint.coordinates[k]]
            which = f" of coordinate {k + 1}" if len(joint.coordinates) > 1 else ""
            if start is not None:
                miss = abs(value_now - start) / (ROUNDED * (1.0 if unit == "rad" else size))
                values.append((miss, _words(joint.name, f"start{which}", start, value_now, unit)))
            if rate is not None:
                miss = abs(rate_now - rate) / (STILL + ROUNDED * max(abs(rate), abs(rate_now)))
                rates.append((miss, _words(joint.name, f"start_rate{which}", rate, rate_now, f"{unit}/s")))
    for misses in (values, rates):
        worst, words = max(misses, default=(0.0, ""))
        if worst > 1.0:
            return [words]
    return []


def _coordinate(index: SystemIndex, now: Evaluation, state: State, number: int, k: int) -> tuple[float, float]:
    """Value and rate of a joint's coordinate."""
    if number in index.tree.joint_coordinates:
        iq, iv = index.tree.joint_coordinates[number][k]
        return float(state.q[iq]), float(state.v[iv])
    here = now.data.coordinates[index.numbers.coordinates[number, k]]
    return float(here["value"]), float(here["rate"])


def _words(joint: str, what: str, given: float, found: float, unit: str) -> str:
    return (
        f"joint '{joint}': {what} is {given:.6g} {unit}, which cannot hold together with the other joints, motions and "
        f"start values; the nearest start has {found:.6g} {unit}. Give that value, or fewer values"
    )
