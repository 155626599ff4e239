"""What an assessment finds: values with their limits, in the order in which people read them."""

from __future__ import annotations

from dataclasses import dataclass
from math import radians

import numpy as np

from floatframe.arrays import Array
from floatframe.railway.assessment.comfort import mean_comfort
from floatframe.railway.assessment.forces import (
    QUASI_STATIC_Q_LIMIT,
    QUASI_STATIC_Y_LIMIT,
    RATIO_LIMIT,
    AxleForces,
    WheelForces,
    axle_limit,
    instability,
    nadal_limit,
)
from floatframe.railway.assessment.ride import (
    PEAK_LIMIT,
    QUASI_STATIC_LATERAL_LIMIT,
    RMS_LIMIT,
    Direction,
    ride_acceleration,
    sperling,
)

INSTABILITY_TRACK = 100.0  # [m] that an assessment of stability needs


@dataclass(frozen=True)
class Finding:
    """One value: of which wheel, axle or channel, which quantity, its limit if it has one, words if it has a scale."""

    subject: str
    quantity: str
    value: float
    unit: str = ""
    limit: float | None = None
    words: str = ""

    @property
    def kept(self) -> bool | None:
        """Whether the limit is kept; None without a limit."""
        return None if self.limit is None else bool(self.value <= self.limit)


@dataclass(frozen=True)
class Limits:
    """What limits depend on: kind of vehicle, flange and friction."""

    factor: float = 1.0  # of the limit of ΣY; 0.85 for freight wagons
    flange_angle: float = radians(70.0)  # [rad]
    friction: float = 0.36

    @property
    def nadal(self) -> float:
        """Limit of Y/Q by Nadal."""
        return nadal_limit(self.flange_angle, self.friction)


def wheel_findings(name: str, wheel: WheelForces, limits: Limits) -> list[Finding]:
    """Return what is found of a wheel."""
    lateral, vertical = wheel.quasi_static
    found = [
        Finding(name, "Y/Q", wheel.ratio_peak, "", RATIO_LIMIT),
        Finding(name, "Y/Q, Nadal", wheel.ratio_peak, "", limits.nadal),
        Finding(name, "Q", wheel.vertical_peak, "N", wheel.vertical_limit),
        Finding(name, "Y quasi-static", abs(lateral), "N", QUASI_STATIC_Y_LIMIT),
        Finding(name, "Q quasi-static", vertical, "N", QUASI_STATIC_Q_LIMIT),
    ]
    if wheel.unloaded > 0.0:
        found.append(Finding(name, "share of time without load", wheel.unloaded, "", 0.0))
    return found


def axle_findings(name: str, axle: AxleForces, limits: Limits) -> list[Finding]:
    """Return what is found of an axle; its stability only on track that is long enough."""
    limit = axle_limit(axle.load, limits.factor)
    found = [Finding(name, "ΣY", axle.peak, "N", limit)]
    if axle.s[-1] - axle.s[0] >= INSTABILITY_TRACK:
        unrest = instability(axle)
        found.append(
            Finding(name, "ΣY rms, stability", unrest.peak, "N", 0.5 * limit, f"about {unrest.frequency:.2g} Hz")
        )
    return found


def wear_findings(name: str, s: Array, wear: Array) -> list[Finding]:
    """Return what is found of the wear number Tγ (nt,) [N] over the distance s (nt,) [m]."""
    mean = float(np.trapezoid(wear, s) / (s[-1] - s[0]))
    return [Finding(name, "Tγ mean", mean, "N"), Finding(name, "Tγ largest", float(np.max(wear)), "N")]


def ride_findings(name: str, direction: Direction, t: Array, a: Array) -> list[Finding]:
    """Return what is found of an acceleration a (nt,) [m/s²]."""
    ride, index = ride_acceleration(t, a), sperling(t, a, direction)
    found = [
        Finding(name, f"{direction} acceleration", ride.peak, "m/s²", PEAK_LIMIT[direction]),
        Finding(name, f"{direction} acceleration rms", ride.rms, "m/s²", RMS_LIMIT[direction]),
        Finding(name, f"Wz {direction}", index.index, "", None, index.words),
    ]
    if direction == "lateral":
        limit = QUASI_STATIC_LATERAL_LIMIT
        found.insert(2, Finding(name, "lateral acceleration quasi-static", abs(ride.quasi_static), "m/s²", limit))
    return found


def comfort_findings(name: str, t: Array, accelerations: dict[str, Array]) -> list[Finding]:
    """Return the mean comfort of accelerations (nt,) [m/s²] of a place by axis."""
    found = mean_comfort(t, accelerations)
    return [Finding(name, f"N_MV of {' '.join(accelerations)}", found.index, "", None, found.words)]
