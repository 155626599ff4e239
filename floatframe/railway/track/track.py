"""A whole track: its layout from sections or a table of kilometres, and the irregularities of its rails."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from floatframe.arrays import Array, short_repr
from floatframe.errors import ModelError, Where
from floatframe.railway.profiles import RAIL, Profile, profile
from floatframe.railway.track.frame import TrackFrame, track_frame
from floatframe.railway.track.irregularities import AnyIrregularity
from floatframe.railway.track.kilometres import Kilometres
from floatframe.railway.track.layout import Layout
from floatframe.railway.track.profile import LINEAR, Profile as Course
from floatframe.railway.track.rails import RailTable, rail_table
from floatframe.railway.track.sections import (
    GAUGE,
    Curve,
    Gradient,
    Section,
    checked_choice,
    checked_length,
    checked_number,
    gradient_profile,
    plan_profiles,
    require_passable,
)

CANT_ABOUT = ("centre", "low rail")
_STEP = 0.25  # of the irregularities where nothing asks for a shorter one [m]
_COARSE = 1.5  # a given step over the one that would be chosen, at most
_MOST_STEPS = 5_000_000
_STEEPEST_CANT = 0.2  # over the distance of the rails


@short_repr
@dataclass(frozen=True, eq=False)
class Track:
    """A railway track, given by sections one behind the other or by a table of kilometres.

    Distances s are along the track in plan, as kilometres count. At its start the track lies at the origin of the world
    and goes along x, z is up. Jumps of cant and gauge are refused, those of curvature and gradient warned of.
    """

    sections: Sequence[Section] = ()
    gradients: Sequence[Gradient] = ()  # in order of their places
    kilometres: Kilometres | None = None  # instead of sections and gradients
    irregularities: Sequence[AnyIrregularity] = ()
    start: float = 0.0  # distance where the sections begin [m]
    gauge: float = GAUGE  # between the rails [m]
    rail_distance: float = 1.5  # between the middles of the rail heads, to which the cant refers [m]
    cant_about: str = "centre"  # what stays on the grade line where cant is made: "centre" or "low rail"
    rounding: float = 0.0  # length over which kinks of cant and gradient are rounded [m]
    step: float | None = None  # of the irregularities [m] (default: what their wavelengths need)
    rail: str | Path | Profile = "60E1"  # the profile of both rails: a standard one, a file, or drawn
    inclination: float | None = None  # slope by which the rails lean inward (default: 1/40 for 60E1, none for files)
    name: str = "track"

    def __post_init__(self) -> None:
        checked_number(self.start, "start", -math.inf, False, "m")
        checked_length(self.gauge, "gauge")
        checked_length(self.rail_distance, "rail_distance")
        checked_length(self.rounding, "rounding", zero=True)
        checked_choice(self.cant_about, "cant_about", CANT_ABOUT)
        if self.step is not None:
            checked_length(self.step, "step")
        for name in ("sections", "gradients", "irregularities"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        if (self.kilometres is None) == (not self.sections):
            found = "neither" if self.kilometres is None else "both"
            raise Where(field="sections").error(f"found {found} of sections and a table of kilometres, expected one")
        if self.kilometres is not None and self.gradients:
            raise Where(field="gradients").error(
                "found gradients beside a table of kilometres; give them in its column gradient"
            )
        self._check(self.layout)

    @cached_property
    def layout(self) -> Layout:
        """The smooth track."""
        table = self.kilometres
        if table is None:
            curvature, cant, gauge = plan_profiles(self.start, self.gauge, self.sections)
            gradient = gradient_profile(self.start, float(curvature.s[-1]), self.gradients)
        else:
            curvature, cant = table.profile("curvature", table.shape), table.profile("cant", table.shape)
            gauge = table.profile("widening", table.shape, self.gauge)
            gradient = table.profile("gradient", LINEAR)
        return Layout(
            curvature,
            cant.rounded(self.rounding) if self.rounding else cant,
            gauge,
            gradient.rounded(self.rounding) if self.rounding else gradient,
            float(curvature.s[0]),
            float(curvature.s[-1]),
            self.rail_distance,
            self.cant_about == "low rail",
        )

    @cached_property
    def rail_profile(self) -> Profile:
        """The profile of the right rail; the left one is its mirror image."""
        if isinstance(self.rail, Profile):
            return self.rail.inclined(self.inclination or 0.0)
        try:
            return profile(self.rail, RAIL, inclination=self.inclination)
        except ModelError as error:
            raise Where(field="rail").error(str(error)) from None

    @property
    def end(self) -> float:
        """Distance where it ends [m]."""
        return self.layout.end

    @property
    def length(self) -> float:
        """In plan [m]."""
        return self.layout.length

    @cached_property
    def rails(self) -> RailTable:
        """Where the rails really lie, from the start to the end of the track."""
        step = self.irregularity_step
        if self.length / step > _MOST_STEPS:
            raise Where(field="irregularities").error(
                f"{self.length:g} m in steps of {step:g} m are {self.length / step:.3g} places, expected {_MOST_STEPS} "
                "at most; use longer wavelengths or a shorter track"
            )
        return rail_table(self.layout.start, self.end, step, self.irregularities)

    @property
    def irregularity_step(self) -> float:
        """Distance of two values of the irregularities [m]."""
        needed = min([_STEP, *(one.longest_step for one in self.irregularities)])
        if self.step is not None and self.irregularities and self.step > _COARSE * needed:
            raise Where(field="step").error(
                f"found step {self.step:g} m, expected {_COARSE * needed:.3g} m or less to show the irregularities"
            )
        return needed if self.step is None else self.step

    def frame(self, s: ArrayLike) -> TrackFrame:
        """Return the moving frame of the smooth track at distances s (n,) or at one [m]."""
        return track_frame(self.layout, s)

    def irregularity(self, s: ArrayLike, order: int = 0) -> Array:
        """Return how far the rails lie off (..., 4), or with order 1 the slopes of that by s.

        Columns: left rail to the left and upward, right rail likewise [m], in the axes of the track.
        """
        return self.rails.at(s, order)

    def require_rails(self) -> None:
        """Refuse irregularities that do not fit the track; they are drawn when first asked for."""
        if self.irregularities:
            _ = self.rails

    def _check(self, layout: Layout) -> None:
        """Refuse what cannot be laid, warn of what is rough to ride on."""
        for k, section in enumerate(self.sections):
            if isinstance(section, Curve):
                where = Where(f"section {k + 1}, curve").at("sections").at(k).at("radius")
                require_passable(section.radius, self.gauge, where)
        sharpest = float(np.abs(layout.curvature.sides[0]).max())
        if sharpest > 0.0:
            require_passable(1.0 / sharpest, self.gauge, Where("table of kilometres", field="kilometres"))
        if layout.gauge.sides[0].min() <= 0.0:
            raise Where(field="gauge").error("the gauge is not positive everywhere; check the widening")
        highest = float(np.abs(layout.cant.sides[0]).max())
        if highest > _STEEPEST_CANT * self.rail_distance:
            raise (
                self._at(layout.cant.s[np.abs(layout.cant.sides[0]).max(axis=1).argmax()])
                .at("cant")
                .error(
                    f"found a cant of {highest:g} m, expected {_STEEPEST_CANT * self.rail_distance:g} m at most; "
                    "cant is given in metres"
                )
            )
        for what, course in (("cant", layout.cant), ("gauge", layout.gauge)):
            if course.jumps.size:
                raise self._at(course.jumps[0]).error(
                    f"the {what} jumps from {_sides(course)} m at {course.jumps[0]:g} m; put a transition there"
                )
        for what, places, cure in (
            ("curvature jumps", layout.curvature.jumps, "a transition there makes it smooth"),
            ("gradient jumps", layout.gradient.jumps, "a vertical radius makes it smooth"),
            ("middle has a kink", layout.kinks, "the cant changes its sign there: use cant_about 'centre'"),
        ):
            if places.size:
                shown = ", ".join(f"{place:g}" for place in places[:5]) + (", …" if places.size > 5 else "")
                warnings.warn(f"{self.name}: the {what} at {shown} m; {cure}", stacklevel=4)

    def _at(self, s: float) -> Where:
        """Return the place of the section that begins or lies at a distance."""
        if self.kilometres is not None:
            return Where(field="kilometres")
        ends = self.start + np.cumsum([section.length for section in self.sections])
        return Where().at("sections").at(min(int(np.searchsorted(ends, s, side="right")), len(ends) - 1))


def _sides(course: Course) -> str:
    """Return the values before and behind the first jump."""
    value, _ = course.sides
    k = int(np.searchsorted(course.s, course.jumps[0]))
    return f"{value[k, 0]:g} to {value[k, 1]:g}"
