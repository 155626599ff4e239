"""What a track is laid out of: straights, transitions and curves in plan, changes of gradient in elevation.

Signs: curves to the left have positive radius and curvature; cant as a signed height is that of the right rail over the
left, so that the outer rail of a curve to the left lies higher where both are positive.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from floatframe.errors import Where
from floatframe.railway.track.profile import BLOSS, COSINE, LINEAR, Profile, Ramp
from floatframe.wording import did_you_mean

#: kinds of transitions, and the shape of their curvature
TRANSITIONS = {"clothoid": LINEAR, "cosine": COSINE, "bloss": BLOSS}
RAMPS = (LINEAR, COSINE, BLOSS)
GAUGE = 1.435  # standard gauge [m]
SHORTEST, LONGEST = 1e-6, 1e9  # of anything along a track [m]
TIGHTEST = 10.0  # radius over gauge; the tightest tramways have 11 m on metre gauge


def checked_length(value: float, field: str, zero: bool = False) -> float:
    """Return a length [m], which must be positive (or zero), and one that a track can have."""
    length = checked_number(value, field, 0.0, zero, "m")
    if length and not SHORTEST <= length <= LONGEST:
        raise Where(field=field).error(f"found {field} {length:g} m, expected {SHORTEST:g} to {LONGEST:g} m")
    return length


def checked_number(value: float, field: str, low: float, itself: bool, unit: str = "") -> float:
    """Return a finite number above a limit, or at it if `itself`."""
    right = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    if not right or value < low or (value == low and not itself):
        found = f"{value:g}" if isinstance(value, int | float) else repr(value)
        words = f"found {field} {found} {unit}".rstrip()
        raise Where(field=field).error(f"{words}, expected {'at least' if itself else 'more than'} {low:g}")
    return float(value)


def checked_choice(value: str, field: str, known: Sequence[str]) -> None:
    """Refuse a word that is not known."""
    if value not in known:
        near = did_you_mean(value, known) if isinstance(value, str) else ""
        raise Where(field=field).error(f"found {field} {value!r}, expected one of {', '.join(known)}{near}")


@dataclass(frozen=True)
class Straight:
    """A straight piece of track."""

    length: float  # [m]
    cant: float = 0.0  # of the right rail over the left [m]
    widening: float = 0.0  # of the gauge [m]

    def __post_init__(self) -> None:
        checked_length(self.length, "length")
        checked_number(self.cant, "cant", -math.inf, False, "m")
        checked_number(self.widening, "widening", -math.inf, False, "m")

    @property
    def curvature(self) -> float:
        """In plan [1/m]."""
        return 0.0

    @property
    def right_over_left(self) -> float:
        """Height of the right rail over the left [m]."""
        return self.cant


@dataclass(frozen=True)
class Curve:
    """A circular arc."""

    length: float  # [m]
    radius: float  # of the middle of the track in plan [m]; positive to the left, negative to the right
    cant: float = 0.0  # of the outer rail over the inner [m]
    widening: float = 0.0  # of the gauge [m]

    def __post_init__(self) -> None:
        checked_length(self.length, "length")
        if not (math.isfinite(self.radius) and self.radius):
            raise Where(field="radius").error(
                f"found radius {self.radius:g} m, expected a radius other than 0, negative to the right; "
                "a straight is a section of its own"
            )
        checked_number(self.cant, "cant", -math.inf, False, "m")
        checked_number(self.widening, "widening", -math.inf, False, "m")

    @property
    def curvature(self) -> float:
        """In plan [1/m]; positive to the left."""
        return 1.0 / self.radius

    @property
    def right_over_left(self) -> float:
        """Height of the right rail over the left [m]."""
        return math.copysign(1.0, self.radius) * self.cant


@dataclass(frozen=True)
class Transition:
    """Between two sections: curvature, cant and widening go from those of the one to those of the other.

    kind: "clothoid" (curvature linear over s), "cosine" (half a wave), "bloss" (cubic); ramp: shape of the cant,
    "linear", "cosine" or "bloss" (default: that of the curvature). The widening is linear.
    """

    length: float  # [m]
    kind: str = "clothoid"
    ramp: str | None = None

    def __post_init__(self) -> None:
        checked_length(self.length, "length")
        checked_choice(self.kind, "kind", tuple(TRANSITIONS))
        if self.ramp is not None:
            checked_choice(self.ramp, "ramp", RAMPS)


Section: TypeAlias = Straight | Transition | Curve


@dataclass(frozen=True)
class Gradient:
    """A change of the gradient, rounded by a vertical curve in whose middle it lies."""

    at: float  # distance along the track [m]
    slope: float  # rise over run from there on, 0.01 for 10 ‰; negative: falling
    radius: float = 0.0  # of the vertical curve [m]; 0: a kink

    def __post_init__(self) -> None:
        checked_number(self.at, "at", -math.inf, False, "m")
        checked_number(self.slope, "slope", -1.0, False)
        if self.slope >= 1.0:
            raise Where(field="slope").error(f"found slope {self.slope:g}, expected rise over run, 0.01 for 10 ‰")
        checked_length(self.radius, "radius", zero=True)


def plan_profiles(start: float, gauge: float, sections: Sequence[Section]) -> tuple[Profile, Profile, Profile]:
    """Return curvature [1/m], cant [m, right over left] and gauge [m] of sections from a distance `start` [m]."""
    plain = Straight(1.0)
    around = [plain, *sections, plain]
    curvature: list[Ramp] = []
    cant: list[Ramp] = []
    wide: list[Ramp] = []
    for k, section in enumerate(sections):
        before, behind = around[k], around[k + 2]
        if not isinstance(section, Transition):
            before = behind = section
        if isinstance(before, Transition) or isinstance(behind, Transition):
            raise (
                Where("track")
                .at("sections")
                .at(k)
                .error(
                    f"section {k + 1} and its neighbour are both transitions; put a straight or a curve between them"
                )
            )
        kind = TRANSITIONS[section.kind] if isinstance(section, Transition) else LINEAR
        ramp = (section.ramp or kind) if isinstance(section, Transition) else LINEAR
        length = section.length
        curvature.append(Ramp(length, before.curvature, behind.curvature, kind))
        cant.append(Ramp(length, before.right_over_left, behind.right_over_left, ramp))
        wide.append(Ramp(length, gauge + before.widening, gauge + behind.widening))
    first, second, third = (Profile.of_ramps(start, ramps) for ramps in (curvature, cant, wide))
    return first, second, third


def gradient_profile(start: float, end: float, gradients: Sequence[Gradient]) -> Profile:
    """Return the gradient over the distance [m], level before the first change."""
    ramps: list[Ramp] = []
    begin = at = min([start, *(one.at - _tangent(one, 0.0) for one in gradients[:1])])
    slope = 0.0
    for k, one in enumerate(gradients):
        half = _tangent(one, slope)
        if one.at - half < at:
            raise (
                Where("track")
                .at("gradients")
                .at(k)
                .error(
                    f"the vertical curve at {one.at:g} m begins at {one.at - half:g} m, before the last one ends at "
                    f"{at:g} m; expected changes in order, with smaller radii"
                )
            )
        ramps += [Ramp(one.at - half - at, slope, slope), Ramp(2 * half, slope, one.slope)]
        at, slope = one.at + half, one.slope
    ramps.append(Ramp(max(end - at, 1.0), slope, slope))
    return Profile.of_ramps(begin, ramps)


def _tangent(change: Gradient, slope: float) -> float:
    """Return half the length of a vertical curve [m]."""
    return 0.5 * change.radius * abs(change.slope - slope)


def require_passable(radius: float, gauge: float, where: Where) -> None:
    """Refuse a curve that no vehicle of a gauge passes."""
    least = TIGHTEST * gauge
    if abs(radius) < least:
        raise where.error(
            f"found a radius of {abs(radius):g} m, expected at least {least:.4g} m: no vehicle passes a curve tighter "
            f"than {TIGHTEST:g} times the gauge of {gauge:g} m"
        )
