"""A whole run assessed: all its wheels, the axles that they belong to, accelerations of places in the vehicle."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from floatframe.arrays import Array, short_repr
from floatframe.errors import ModelError
from floatframe.railway.assessment.comfort import AXIS_WEIGHTS, WINDOW
from floatframe.railway.assessment.findings import (
    Finding,
    Limits,
    axle_findings,
    comfort_findings,
    ride_findings,
    wear_findings,
    wheel_findings,
)
from floatframe.railway.assessment.forces import AxleForces, WheelForces, axle_forces, wheel_forces
from floatframe.railway.assessment.ride import Direction
from floatframe.signals import uniform

LONGEST_STEP = 0.01  # [s] between records, for filters of 20 Hz
_DIRECTIONS: dict[str, Direction] = {"y": "lateral", "z": "vertical"}
_LEFT = re.compile(r"left", re.IGNORECASE)


@short_repr
@dataclass(frozen=True)
class WheelHistory:
    """What was recorded of a wheel, all (nt,): distance [m], Y outward and Q down on the rail [N], wear number [N]."""

    name: str
    distance: Array
    lateral: Array
    vertical: Array
    wear: Array | None = None


@short_repr
@dataclass(frozen=True)
class Assessment:
    """What is found of a run, and the histories that it is found from."""

    t: Array  # (nt,) [s]
    findings: tuple[Finding, ...]
    wheels: Mapping[str, WheelForces]
    axles: Mapping[str, AxleForces]
    accelerations: Mapping[str, Mapping[str, Array]]  # by place and axis, (nt,) [m/s²]
    limits: Limits

    @property
    def exceeded(self) -> tuple[Finding, ...]:
        """Those that exceed their limits."""
        return tuple(one for one in self.findings if one.kept is False)


def axle_pairs(names: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return left and right wheels by axle: names that differ in "left" and "right" only, such as front.left."""
    known = {name.lower(): name for name in names}
    pairs = {}
    for name in names:
        for found in _LEFT.finditer(name):
            other = known.get((name[: found.start()] + "right" + name[found.end() :]).lower())
            if other is not None:
                axle = (name[: found.start()] + name[found.end() :]).strip("._- ")
                pairs[re.sub(r"[._-]+([._-])", r"\1", axle) or "axle"] = (name, other)
    return pairs


def assess_run(
    t: Array,
    wheels: Sequence[WheelHistory] = (),
    accelerations: Mapping[str, Mapping[str, Array]] | None = None,
    limits: Limits | None = None,
    load: float | None = None,
) -> Assessment:
    """Return the assessment of a run.

    Parameters
    ----------
    t
        Times (nt,) at equal steps [s].
    wheels
        What was recorded of wheels; those of an axle are found by their names, see `axle_pairs`.
    accelerations
        Of places in the vehicle [m/s²], by name and axis: "x" forward, "y" lateral, "z" vertical.
    limits
        What limits depend on.
    load
        Static force of a wheel [N], by default the mean Q of each wheel, of an axle that of both its wheels.
    """
    limits, accelerations = limits or Limits(), accelerations or {}
    step = uniform(t, t).step
    if step > LONGEST_STEP:
        raise ModelError(
            f"assessment: records every {step:g} s are too rare for filters of 20 Hz; record every "
            f"{LONGEST_STEP:g} s or oftener."
        )
    findings: list[Finding] = []
    wheels = [replace(one, distance=_way(t, one)) for one in wheels]
    forces = {one.name: wheel_forces(t, one.distance, one.lateral, one.vertical, load) for one in wheels}
    histories = {one.name: one for one in wheels}
    axles = {}
    for name, (left, right) in axle_pairs(list(forces)).items():
        mean = 0.5 * (forces[left].load + forces[right].load)
        both = histories[left], histories[right]
        axles[name] = axle_forces(t, both[0].distance, both[0].lateral, both[1].lateral, mean)
        findings += axle_findings(name, axles[name], limits)
    for wheel in wheels:
        findings += wheel_findings(wheel.name, forces[wheel.name], limits)
        if wheel.wear is not None:
            findings += wear_findings(wheel.name, wheel.distance, wheel.wear)
    for place, axes in accelerations.items():
        for axis, direction in _DIRECTIONS.items():
            if axis in axes:
                findings += ride_findings(f"{place}.{axis}", direction, t, axes[axis])
        if len(t) * step >= WINDOW and set(axes) <= set(AXIS_WEIGHTS):
            findings += comfort_findings(place, t, dict(axes))
    return Assessment(np.asarray(t, dtype=float), tuple(findings), forces, axles, accelerations, limits)


def _way(t: Array, wheel: WheelHistory) -> Array:
    """Return the distance (nt,) [m] of a wheel as it grows: of one that runs backwards the way from its start."""
    steps = np.diff(wheel.distance)
    forward = steps[0] >= 0.0
    wrong = steps <= 0.0 if forward else steps >= 0.0
    if not wrong.any():
        return wheel.distance if forward else wheel.distance[0] - wheel.distance
    first = int(np.argmax(wrong))
    raise ModelError(
        f"wheel '{wheel.name}' stands or turns back at t = {t[first]:g} s, {wheel.distance[first]:g} m along the "
        "track; means over the track need one that moves on. Leave that out with --from and --to."
    )
