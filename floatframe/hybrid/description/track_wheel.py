"""A wheel on the track of the model as a force element."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from floatframe.errors import ModelError, Where
from floatframe.expressions import Scalar
from floatframe.hybrid.description.forces import Force
from floatframe.hybrid.description.places import Place
from floatframe.railway import Profile, profile as named_profile
from floatframe.userfiles import is_file
from floatframe.wording import did_you_mean

TRACK_LAWS = ("linear", "saturated", "polach", "fastsim")
TRACK_PATCHES = ("hertz", "strips", "solved")


@dataclass(frozen=True)
class WheelContact:
    """How a wheel and the rail of a track touch.

    law: of creep, Kalker's "linear" theory, the same "saturated" by friction, "polach" or "fastsim". patch: the ellipse
    of "hertz", "strips" that follow the profiles, or the same "solved". The coefficient of friction is
    friction · (friction_ratio + (1 - friction_ratio) exp(-friction_decay · sliding speed)).
    """

    law: str = "polach"
    patch: str = "hertz"
    friction: Scalar = 0.3
    friction_ratio: Scalar = 1.0
    friction_decay: Scalar = 0.0  # [s/m]
    adhesion: Scalar = 1.0  # Polach's reduction factors
    slip: Scalar = 0.4
    damping: Scalar = 1.0  # share that the normal force grows by per speed of penetration [s/m]
    vertical_stiffness: Scalar | None = None  # of the support under the rail at a wheel [N/m]; rigid without it
    lateral_stiffness: Scalar | None = None
    young: Scalar = 2.1e11  # of wheel and rail [N/m2]
    poisson: Scalar = 0.28
    speed: Scalar = 0.1  # the speed of travel counts as at least this, so that creepages stay finite [m/s]
    strips: Scalar = 16  # of a patch
    elements: Scalar = 10  # of a strip, in FASTSIM


def wheel_on_track(
    name: str,
    wheel: Place,
    side: str,
    radius: Scalar,
    profile: str | Path | Profile = "S1002",
    *,
    contact: WheelContact | None = None,
    **details: Any,
) -> Force:
    """Return one wheel, of a wheelset or alone, on the left or right rail of the model's track on the ground.

    Parameters
    ----------
    name
        Of the force element.
    wheel
        Centre of its nominal rolling circle, with y along the axle to the left.
    side
        "left" or "right".
    radius
        Of the rolling circle [m].
    profile
        Of the wheel: "S1002", "cone:0.05", a file, or a `Profile`. The rail's is that of the track.
    contact
        See `WheelContact`.
    details
        Single fields of it by name, e.g. law="fastsim"; a model file has them as keys of the force.
    """
    where = Where.of("force", name, "wheel_on_track")
    known = [field.name for field in fields(WheelContact)]
    if foreign := [key for key in details if key not in known]:
        raise where.at(foreign[0]).error(f"unknown key '{foreign[0]}'{did_you_mean(foreign[0], known)}")
    contact = replace(contact or WheelContact(), **details)
    options = {"side": side, "law": contact.law, "patch": contact.patch}
    choices = {"side": ("left", "right"), "law": TRACK_LAWS, "patch": TRACK_PATCHES}
    for key, found in options.items():
        if found not in choices[key]:
            raise where.at(key).error(f"found {key} {found!r}, expected {' or '.join(map(repr, choices[key]))}")
    try:
        drawn = profile if isinstance(profile, Profile) else _drawn(profile)
    except ModelError as error:
        raise where.at("profile").error(str(error)) from None
    numbers = {"radius": radius} | {key: value for key, value in vars(contact).items() if key not in options}
    options["profile"] = "" if isinstance(profile, Profile) else str(profile)
    return Force(name, "wheel_on_track", wheel, numbers=numbers, options=options, profile=drawn)


def _drawn(name: str | Path) -> Profile:
    """The profile of a wheel by its name or from a file, which may change."""
    return named_profile(name, "wheel") if is_file(Path(name)) else _standard(str(name))


@cache
def _standard(name: str) -> Profile:
    return named_profile(name, "wheel")
