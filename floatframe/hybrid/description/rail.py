"""A wheel on a straight rail as a force element."""

from __future__ import annotations

from floatframe.errors import Where
from floatframe.hybrid.description.forces import Force, Law
from floatframe.hybrid.description.places import Place
from floatframe.hybrid.expressions import Scalar

SIDES = ("left", "right")
CREEP_LAWS = ("linear", "saturated", "polach")


def wheel_rail(
    name: str,
    wheel: Place,
    track: Place,
    side: str,
    radius: Scalar,
    conicity: Scalar = 0.05,
    half_gauge: Scalar = 0.75,
    profile: Law | None = None,
    lateral: Law = 0.0,
    vertical: Law = 0.0,
    stiffness: Scalar | None = None,
    damping: Scalar = 0.0,
    rail_radius: Scalar = 0.3,
    semi_axes: tuple[Scalar, Scalar] | None = None,
    young: Scalar = 2.1e11,
    poisson: Scalar = 0.28,
    law: str = "polach",
    friction: Scalar = 0.3,
    friction_ratio: Scalar = 1.0,
    friction_decay: Scalar = 0.0,
    adhesion: Scalar = 1.0,
    slip: Scalar = 0.4,
    speed: Scalar = 0.1,
) -> Force:
    """One wheel, of a wheelset or alone, on the left or right rail of a straight track.

    `wheel` is the centre of its nominal rolling circle, with y along the axle; `track` is the middle of the track at
    the height of the rails' heads, with x along the track, y to the left and z up. The rails lie `half_gauge` [m] from
    the middle; `lateral` and `vertical` [m] are their irregularities over the `distance` [m] along the track,
    expressions or tables. The wheel is a cone with the rolling `radius` [m] and `conicity` [rad], or any `profile`: its
    radius [m] over the `distance` [m] outward from the rolling circle. It touches the rail's top line where it reaches
    deepest.

    Push = stiffness · penetration + damping [N s/m] · rate with stiffness [N/m] if it is given, else Hertz's contact
    of the wheel with a rail head of `rail_radius` [m]. The contact ellipse is that of Hertz under the load, or has the
    given semi_axes [m] along and across the rail. Creep forces follow Kalker's "linear" theory, the same "saturated" by
    friction (Shen, Hedrick, Elkins), or "polach" with its reduction factors `adhesion` and `slip` of the initial slope.
    Friction coefficient = friction · (ratio + (1 - ratio) exp(-decay · sliding speed)), decay in s/m. Creepages are
    sliding speeds over the speed of travel, which counts as at least `speed` [m/s].
    """
    where = Where.of("force", name, "wheel_rail")
    for what, value, known in (("side", side, SIDES), ("law", law, CREEP_LAWS)):
        if value not in known:
            raise where.at(what).error(f"found {what} {value!r}, expected {' or '.join(map(repr, known))}")
    if semi_axes is not None and (not isinstance(semi_axes, list | tuple) or len(semi_axes) != 2):
        raise where.at("semi_axes").error(f"found semi_axes {semi_axes!r}, expected two lengths")
    along, across = (None, None) if semi_axes is None else semi_axes
    numbers = {
        "radius": radius,
        "conicity": conicity,
        "half_gauge": half_gauge,
        "stiffness": stiffness,
        "damping": damping,
        "rail_radius": rail_radius,
        "semi_axis_x": along,
        "semi_axis_y": across,
        "young": young,
        "poisson": poisson,
        "friction": friction,
        "friction_ratio": friction_ratio,
        "friction_decay": friction_decay,
        "adhesion": adhesion,
        "slip": slip,
        "speed": speed,
    }
    laws: dict[str, Law] = {"lateral": lateral, "vertical": vertical}
    if profile is not None:
        laws["profile"] = profile
    return Force(
        name, "wheel_rail", wheel, track, expressions=laws, numbers=numbers, options={"side": side, "law": law}
    )
