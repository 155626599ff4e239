"""A wheelset on a track and a wheel under a load: heights and roll angles at which they rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from floatframe.errors import ModelError, NotConverged
from floatframe.railway.contact.pair import DEEPEST, Patch, Pose, Touch, WheelOnRail

_TURNS = 60
_NARROW = 1e-9  # m
_CARRIED = 1e-3  # of the load: rounding of the height changes it by far less


@dataclass(frozen=True)
class Resting:
    """A wheelset that rests on both rails without weight."""

    height: float  # below the place where the rolling circles are as low as the rails' origins [m]
    roll: float  # positive if the right wheel is lower [rad]
    right: Touch
    left: Touch

    @property
    def radius_difference(self) -> float:
        """Rolling radius of the right wheel less that of the left one [m]."""
        return self.right.radius - self.left.radius


def rest(
    right: WheelOnRail, left: WheelOnRail | None = None, *, lateral: float = 0.0, yaw: float = 0.0, rolls: bool = True
) -> Resting:
    """Return the wheelset on both rails, shifted to the right.

    left: the left wheel and rail, the same as the right ones without it; rolls: whether it leans, else it stays level
    and rests on one rail.
    """
    left = left or right
    height = roll = 0.0
    for turn in range(_TURNS):
        on_right = right.touching(Pose(lateral, height, yaw, roll))
        on_left = left.touching(Pose(-lateral, height, -yaw, -roll))
        if not rolls and turn == 1:  # at the first turn it has been lowered by the smaller gap
            return Resting(height, roll, on_right, on_left)
        if rolls and max(abs(on_right.gap), abs(on_left.gap)) < _NARROW:
            return Resting(height, roll, on_right, on_left)
        # by rolling a wheel goes down and, at the height of the rail, sideways
        lever_right = right.wheel_origin + on_right.slope * on_right.radius
        lever_left = left.wheel_origin + on_left.slope * on_left.radius
        if not rolls:
            height += min(on_right.gap, on_left.gap)
            continue
        lean = (on_right.gap - on_left.gap) / (lever_right + lever_left)
        part = 1.0 if turn < _TURNS // 2 else 0.5  # contact that jumps to and fro
        height += part * (on_right.gap - lever_right * lean)
        roll += part * lean
    raise NotConverged(f"wheelset: no place on both rails found for a shift of {1e3 * lateral:.3f} mm")


@dataclass(frozen=True)
class Loaded:
    """A wheel pressed on a rail."""

    pose: Pose
    patches: tuple[Patch, ...]


def under_load(pair: WheelOnRail, load: float, pose: Pose) -> Loaded:
    """Return the wheel at the height at which its patches carry a vertical load [N], creep forces included."""
    if not load > 0.0:
        raise ModelError(f"wheel on rail: found a load of {load:g} N, expected more than 0")
    from scipy.optimize import brentq

    start = pose.height + pair.touching(pose).gap

    def missing(deeper: float) -> float:
        return _vertical(pair.patches(replace(pose, height=start + deeper))) - load

    if missing(DEEPEST) < 0.0:
        raise ModelError(
            f"wheel '{pair.wheel.name}' and rail '{pair.rail.name}' cross by more than {1e3 * DEEPEST:g} mm under "
            f"{load:g} N; check the load and the stiffness of the materials"
        )
    deeper = brentq(missing, 0.0, DEEPEST, xtol=1e-12)
    resting = replace(pose, height=start + float(deeper))
    patches = pair.patches(resting)
    carried = _vertical(patches)
    if abs(carried - load) > _CARRIED * load:  # a patch that begins or ends there, as at the edge of a profile
        raise ModelError(
            f"wheel '{pair.wheel.name}' on rail '{pair.rail.name}', shifted by {1e3 * pose.lateral:.2f} mm: the force "
            f"jumps from {carried:.0f} N past the load of {load:g} N where the contact comes to the edge of a profile; "
            "check the lateral shift, or give longer profiles"
        )
    return Loaded(resting, patches)


def _vertical(patches: Sequence[Patch]) -> float:
    return sum(patch.vertical_force for patch in patches)
