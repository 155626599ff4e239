"""A wheel on a straight rail as a force element."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from floatframe.errors import ModelError, Where
from floatframe.expressions import Scalar
from floatframe.hybrid.description.forces import Force, Law
from floatframe.hybrid.description.places import Place
from floatframe.wording import did_you_mean

SIDES = ("left", "right")
CREEP_LAWS = ("linear", "saturated", "polach")


@dataclass(frozen=True)
class Rail:
    """The two rails of a straight track: where they lie and what their heads are like."""

    half_gauge: Scalar = 0.75  # from the middle of the track to a rail [m]
    lateral: Law = 0.0  # irregularity to the left [m] over the `distance` [m] along the track, expression or table
    vertical: Law = 0.0  # the same upward [m]
    rail_radius: Scalar = 0.3  # of the rail's head [m]


@dataclass(frozen=True)
class RailContact:
    """How a wheel and a rail push each other apart: force = stiffness · penetration + damping · rate."""

    stiffness: Scalar | None = None  # [N/m]; Hertz's contact without it
    damping: Scalar = 0.0  # [N s/m]
    semi_axes: tuple[Scalar, Scalar] | None = None  # of the ellipse, along and across [m]; Hertz's without them
    young: Scalar = 2.1e11  # [N/m2]
    poisson: Scalar = 0.28

    def __post_init__(self) -> None:
        if self.semi_axes is not None and (not isinstance(self.semi_axes, list | tuple) or len(self.semi_axes) != 2):
            raise Where(field="semi_axes").error(f"found semi_axes {self.semi_axes!r}, expected two lengths")


@dataclass(frozen=True)
class Creep:
    """How a wheel that slides a little is held by the rail.

    law: Kalker's "linear" theory, the same "saturated" by friction (Shen, Hedrick, Elkins), or "polach" with its
    reduction factors `adhesion` and `slip` of the initial slope. The coefficient of friction is
    friction · (friction_ratio + (1 - friction_ratio) exp(-friction_decay · sliding speed)).
    """

    law: str = "polach"
    friction: Scalar = 0.3
    friction_ratio: Scalar = 1.0
    friction_decay: Scalar = 0.0  # [s/m]
    adhesion: Scalar = 1.0
    slip: Scalar = 0.4
    speed: Scalar = 0.1  # the speed of travel counts as at least this, so that creepages stay finite [m/s]

    def __post_init__(self) -> None:
        if self.law not in CREEP_LAWS:
            raise Where(field="law").error(f"found law {self.law!r}, expected {' or '.join(map(repr, CREEP_LAWS))}")


def wheel_rail(
    name: str,
    wheel: Place,
    track: Place,
    side: str,
    radius: Scalar,
    conicity: Scalar = 0.05,
    *,
    profile: Law | None = None,
    rail: Rail | None = None,
    contact: RailContact | None = None,
    creep: Creep | None = None,
    **details: Any,
) -> Force:
    """Return one wheel, of a wheelset or alone, on the left or right rail of a straight track.

    It touches the rail's top line where it reaches deepest. Creepages are sliding speeds over the speed of travel. The
    track may lie on a moving body. Profiles with flanges, curves and irregular rails: `wheel_on_track`.

    Parameters
    ----------
    name
        Of the force element.
    wheel
        Centre of its nominal rolling circle, with y along the axle.
    track
        Middle of the track at the height of the rails' heads, with x along the track, y to the left and z up.
    side
        "left" or "right".
    radius
        Of the rolling circle [m].
    conicity
        Of a conical wheel [rad].
    profile
        Radius of the wheel [m] over the `distance` [m] outward from the rolling circle, instead of the cone.
    rail, contact, creep
        See `Rail`, `RailContact`, `Creep`.
    details
        Single fields of these three by name, e.g. law="linear"; a model file has them as keys of the force.
    """
    rail, contact, creep = _detailed(name, details, rail or Rail(), contact or RailContact(), creep or Creep())
    if side not in SIDES:
        where = Where.of("force", name, "wheel_rail").at("side")
        raise where.error(f"found side {side!r}, expected {' or '.join(map(repr, SIDES))}")
    along, across = (None, None) if contact.semi_axes is None else contact.semi_axes
    numbers = {
        "radius": radius,
        "conicity": conicity,
        "half_gauge": rail.half_gauge,
        "stiffness": contact.stiffness,
        "damping": contact.damping,
        "rail_radius": rail.rail_radius,
        "semi_axis_x": along,
        "semi_axis_y": across,
        "young": contact.young,
        "poisson": contact.poisson,
        **{key: value for key, value in vars(creep).items() if key != "law"},
    }
    laws: dict[str, Law] = {"lateral": rail.lateral, "vertical": rail.vertical}
    if profile is not None:
        laws["profile"] = profile
    options = {"side": side, "law": creep.law}
    return Force(name, "wheel_rail", wheel, track, expressions=laws, numbers=numbers, options=options)


def _detailed(
    name: str, details: dict[str, Any], rail: Rail, contact: RailContact, creep: Creep
) -> tuple[Rail, RailContact, Creep]:
    """Return rail, contact and creep with single fields in place of theirs."""
    where = Where.of("force", name, "wheel_rail")
    groups = (rail, contact, creep)
    known = [field.name for group in groups for field in fields(group)]
    if foreign := [key for key in details if key not in known]:
        raise where.at(foreign[0]).error(f"unknown key '{foreign[0]}'{did_you_mean(foreign[0], known)}")
    own = [{field.name: details[field.name] for field in fields(g) if field.name in details} for g in groups]
    try:
        return replace(rail, **own[0]), replace(contact, **own[1]), replace(creep, **own[2])
    except ModelError as error:
        raise where.at(error.field).error(str(error)) from None
