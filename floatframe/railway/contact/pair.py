"""A wheel on a rail: where they touch and which forces they exchange.

Axes: x forward, y outward from the middle of the track, z down; a left wheel is the mirror image of a right one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.railway.contact import kernels
from floatframe.railway.contact.ellipse import ellipse_table
from floatframe.railway.contact.kalker import kalker_table
from floatframe.railway.profiles import Profile

PATCHES = {"hertz": kernels.HERTZ, "strips": kernels.STRIPS, "solved": kernels.SOLVED}
LAWS = {
    "linear": kernels.LINEAR,
    "saturated": kernels.SATURATED,
    "polach": kernels.POLACH,
    "fastsim": kernels.FASTSIM,
}
FLANGE_BACK = 0.07  # m from a wheel's back to its nominal rolling circle, EN 13715
DEEPEST = 5e-3  # m: an overlap beyond this is not elastic any more
_SMALLEST, _LARGEST = 1e-4, 1e4  # radii [m] whose curves rounding leaves intact beside profiles of 0.1 m


@dataclass(frozen=True)
class ContactSettings:
    """Materials, friction and methods of a contact.

    patch: the ellipse of "hertz"; "strips" along the rail, which follow the shape of the profiles; or the same
    "solved", so that each moves by its penetration: some times slower, good for patches of odd shapes. law: of
    creep, Kalker's "linear" theory, the same "saturated" by friction, "polach" or "fastsim". The coefficient of
    friction is friction · (friction_ratio + (1 - friction_ratio) exp(-friction_decay · sliding speed)).
    """

    young: float = 2.1e11  # [N/m2], of wheel and rail
    poisson: float = 0.28
    friction: float = 0.3
    friction_ratio: float = 1.0
    friction_decay: float = 0.0  # [s/m]
    patch: str = "solved"
    law: str = "fastsim"
    strips: int = 24
    elements: int = 16  # of a strip
    adhesion: float = 1.0  # Polach's reduction factors
    slip: float = 0.4
    speed: float = 1e-3  # the speed of travel counts as at least this [m/s]

    def __post_init__(self) -> None:
        for name, known in (("patch", PATCHES), ("law", LAWS)):
            if getattr(self, name) not in known:
                raise ModelError(f"contact: found {name} {getattr(self, name)!r}, expected {' or '.join(known)}")
        if not 4 <= self.strips <= kernels.MOST_STRIPS or self.elements < 1:
            raise ModelError(
                f"contact: found {self.strips} strips of {self.elements} elements, expected 4 to "
                f"{kernels.MOST_STRIPS} of at least one"
            )
        if not (self.young > 0.0 and 0.0 <= self.poisson <= 0.5 and self.friction >= 0.0):
            raise ModelError(
                f"contact: found young {self.young:g}, poisson {self.poisson:g} and friction {self.friction:g}, "
                "expected a positive modulus, a ratio between 0 and 0.5 and no negative friction"
            )
        if not (self.speed > 0.0 and self.adhesion > 0.0 and self.slip > 0.0):
            raise ModelError(
                f"contact: found speed {self.speed:g} m/s, adhesion {self.adhesion:g} and slip {self.slip:g}, expected "
                "more than 0 each; a small speed keeps creepages finite where a wheel stands"
            )


@dataclass(frozen=True)
class Pose:
    """Where a wheel is and how it runs."""

    lateral: float = 0.0  # of the wheelset, toward this rail [m]
    height: float = 0.0  # of the wheelset below the place where the rolling circle is as low as the rail's origin [m]
    yaw: float = 0.0  # of the axle, positive if this wheel trails [rad]
    roll: float = 0.0  # of the axle, positive if this wheel is lower [rad]
    speed: float = 1.0  # of travel [m/s]
    rotation: float | None = (
        None  # of the wheel about its axle [rad/s]; that of rolling on its nominal radius without it
    )


@dataclass(frozen=True)
class Patch:
    """A contact patch; forces act on the rail, those on the wheel are opposite."""

    x: float  # in front of the wheel's centre [m]
    y: float  # on the rail's profile [m]
    z: float
    on_wheel: float  # outward from the nominal rolling circle [m]
    radius: float  # of the wheel there [m]
    angle: float  # of contact: tan = dz/dy of the rail, negative toward the flange [rad]
    penetration: float  # of the undeformed bodies [m]
    a: float  # semi-axes along and across the rail [m]; of the ellipse of equal extent for strips
    b: float
    pressure: float  # largest [N/m2]
    normal: float  # force [N]
    along: float  # creep force forward [N]
    across: float  # creep force outward in the tangent plane [N]
    moment: float  # about the normal [N m]
    creep_along: float  # of the wheel against the rail
    creep_across: float
    spin: float  # [1/m]
    friction: float  # its coefficient

    @property
    def lateral_force(self) -> float:
        """The force outward in the plane of the track [N]: Y of the railways."""
        return self.across * math.cos(self.angle) - self.normal * math.sin(self.angle)

    @property
    def vertical_force(self) -> float:
        """The force down [N]: Q of the railways."""
        return self.normal * math.cos(self.angle) + self.across * math.sin(self.angle)


@dataclass(frozen=True)
class WheelOnRail:
    """A wheel of a wheelset on one rail of a track."""

    wheel: Profile
    rail: Profile
    radius: float = 0.46  # of the nominal rolling circle [m]
    gauge: float = 1.435  # 14 mm below the top of the rails [m]
    back_to_back: float = 1.36  # distance of the wheels' backs [m]
    rail_place: float | None = None  # from the middle of the track to the rail's origin [m], instead of the gauge
    settings: ContactSettings = field(default_factory=ContactSettings)

    def __post_init__(self) -> None:
        for name in ("gauge", "back_to_back"):
            if not getattr(self, name) > 0.0:
                raise ModelError(f"wheel on rail: found {name} {getattr(self, name):g} m, expected more than 0")
        if not _SMALLEST < self.radius < _LARGEST:
            raise ModelError(f"wheel on rail: found radius {self.radius:g} m, expected {_SMALLEST:g} to {_LARGEST:g} m")

    @cached_property
    def rail_origin(self) -> float:
        """Distance of the rail's origin from the middle of the track [m]."""
        return 0.5 * self.gauge - self.rail.gauge_point() if self.rail_place is None else self.rail_place

    @property
    def wheel_origin(self) -> float:
        """Distance of the nominal rolling circle from the middle of the wheelset [m]."""
        return 0.5 * self.back_to_back + FLANGE_BACK

    @cached_property
    def tables(self) -> tuple[Any, Array, Array]:
        """Record and tables of wheel and rail for the kernels."""
        s = self.settings
        made = np.zeros(1, kernels.CONTACT).view(np.recarray)[0]
        made.radius, made.modulus = self.radius, s.young / (2.0 * (1.0 - s.poisson**2))
        made.shear = s.young / (2.0 * (1.0 + s.poisson))
        made.kalker[:] = kalker_table(s.poisson)
        made.ellipse[:] = ellipse_table()
        made.patch, made.law = PATCHES[s.patch], LAWS[s.law]
        kept = ("strips", "elements", "friction", "friction_ratio", "friction_decay", "adhesion", "slip", "speed")
        for name in kept:
            setattr(made, name, getattr(s, name))
        return made, self.wheel.table(), self.rail.table()

    def motion(self, pose: Pose) -> Any:
        """Record of a wheel's place and motion for the kernels."""
        axle = np.array(
            [
                -math.sin(pose.yaw) * math.cos(pose.roll),
                math.cos(pose.yaw) * math.cos(pose.roll),
                math.sin(pose.roll),
            ]
        )
        rotation = pose.speed / self.radius if pose.rotation is None else pose.rotation
        made = np.zeros(1, kernels.MOTION).view(np.recarray)[0]
        made.centre[:] = self.wheel_origin * axle
        made.centre[1] += pose.lateral - self.rail_origin
        made.centre[2] += pose.height - self.radius
        made.axle[:] = axle
        made.velocity[0] = pose.speed
        made.turning[:] = -rotation * axle
        return made

    def patches(self, pose: Pose) -> tuple[Patch, ...]:
        """Return the contact patches of a wheel at a place, from the inside outward; none if it is above the rail."""
        found = np.zeros(kernels.MOST_PATCHES, kernels.PATCH)
        count = kernels.contacts(*self.tables, self.motion(pose), found, np.zeros(kernels.WORK))
        return tuple(map(_patch, found[:count]))

    def strips(self, pose: Pose, patch: int) -> tuple[Array, Array, Array]:
        """Return places across from the reference point, widths and half lengths [m] of the strips of a patch."""
        work = np.zeros(kernels.WORK)
        kernels.contacts(*self.tables, self.motion(pose), np.zeros(patch + 1, kernels.PATCH), work)
        columns = work.reshape(-1, kernels.MOST_STRIPS)[:, : self.settings.strips]
        return columns[0], columns[1], columns[3]

    def outline(self, pose: Pose) -> tuple[Array, Array]:
        """Return y and z [m] of the wheel as one sees it along the rail, in the axes of the rail's profile."""
        contact, table, _ = self.tables
        seen: Any = kernels.seen  # kernels have no types
        outline: Any = kernels.outline
        view = seen(self.motion(pose))
        points = np.array([outline(contact, table, view, s)[1:3] for s in np.linspace(table[0], table[3], 401)])
        return points[:, 0], points[:, 1]

    def touching(self, pose: Pose) -> Touch:
        """Return where a wheel at a place is nearest to the rail."""
        found = Touch(*kernels.clearance(*self.tables, self.motion(pose)))
        if found.gap >= 0.5 or self._at_an_end(found.on_wheel):
            raise ModelError(
                f"wheel '{self.wheel.name}' leaves rail '{self.rail.name}': shifted by {1e3 * pose.lateral:.2f} mm, no "
                "part of its profile lies on the rail's head; check gauge, back_to_back and the lateral shift"
            )
        return found

    def _at_an_end(self, place: float) -> bool:
        """Whether a place of the wheel is the end of its profile, where it would fall off the rail."""
        table = self.tables[1]
        return bool(place < table[0] + 1e-6 or place > table[3] - 1e-6)


@dataclass(frozen=True)
class Touch:
    """Where a wheel is nearest to a rail, without forces."""

    gap: float  # in vertical direction [m], negative if they overlap
    on_wheel: float  # outward from the nominal rolling circle [m]
    y: float  # on the rail's profile [m]
    slope: float  # of the rail there
    radius: float  # of the wheel there [m]


def _patch(found: Any) -> Patch:
    """A patch from its record."""
    x, y, z = found["place"].tolist()
    creep_along, creep_across, spin = found["creep"].tolist()
    same = ("on_wheel", "radius", "angle", "penetration", "a", "b", "pressure", "normal", "friction")
    on_rail = {name: -float(found[name]) for name in ("along", "across", "moment")}
    return Patch(
        x,
        y,
        z,
        creep_along=creep_along,
        creep_across=creep_across,
        spin=spin,
        **{name: float(found[name]) for name in same},
        **on_rail,
    )
