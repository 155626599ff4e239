"""Parts of railway vehicles in a model file: tables that become bodies, joints and forces on the track."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from floatframe.hybrid.description import Assembly, Place
from floatframe.hybrid.modelfile import values as v
from floatframe.hybrid.modelfile.schema import FORCES, NAME
from floatframe.hybrid.modelfile.values import Key, read_keys
from floatframe.hybrid.vehicles import (
    Bogie,
    Run,
    Springs,
    Wheelset,
    add_bogie,
    add_track_frame,
    add_wheelset,
    carried,
)
from floatframe.tomlfile import Spot

#: how wheel and rail touch
CONTACT = {
    name: key
    for name, key in FORCES["wheel_on_track"].keys.items()
    if name not in ("name", "type", "place", "side", "radius", "profile")
}


def _inside(keys: dict[str, Key], what: str, make: Callable[..., Any] = dict) -> Callable[[Spot], Any]:
    return lambda spot: make(**read_keys(spot, keys, what))


_RUN = {
    "distance": Key("of its middle along the track at the start [m]", v.number, required=True),
    "speed": Key("at the start [m/s]", v.number, default="0"),
}
#: data of a wheelset
AXLE = {
    "mass": Key("of the axle with its wheels [kg]", v.number, required=True),
    "inertia": Key("of it [kg m2]: 3 principal values, y along the axle", v.numbers, required=True),
    "radius": Key("of the rolling circles [m]", v.number, required=True),
    "profile": Key('of the wheels: "S1002", "cone:0.05", or a file', v.text_or_path, default='"S1002"'),
    "half_distance": Key("from the middle to a rolling circle [m]", v.number, default="0.75"),
    "box_mass": Key("of both axle boxes [kg]", v.number, default="50"),
    "box_inertia": Key("of both [kg m2]", v.numbers, default="[20, 1, 20]"),
    "contact": Key("keys of wheel_on_track: law, patch, friction …", _inside(CONTACT, "the contact of wheels")),
}
WHEELSET = {
    "name": NAME,
    **_RUN,
    "load": Key("vertical, of each wheel with its own weight [N]", v.number, required=True),
    **AXLE,
}
SPRINGS = {
    "stiffness": Key("along, across, up [N/m]", v.numbers, required=True),
    "damping": Key("the same [N s/m]", v.numbers, default="[0, 0, 0]"),
    "upright": Key(
        "about the axle, which keeps the box from tilting under its load [N m/rad]", v.number, default="2e3"
    ),
}
BOGIE = {
    "name": NAME,
    **_RUN,
    "mass": Key("of the frame [kg]", v.number, required=True),
    "inertia": Key("of the frame [kg m2]", v.numbers, required=True),
    "height": Key("of its centre of mass over the rails [m]", v.number, required=True),
    "half_base": Key("from its middle to an axle [m]", v.number, required=True),
    "half_width": Key("from its middle to the springs of one side [m]", v.number, required=True),
    "wheelset": Key("data of each wheelset, see below", _inside(AXLE, "a wheelset", Wheelset), required=True),
    "primary": Key("springs of each axle box, see below", _inside(SPRINGS, "springs", Springs), required=True),
    "load": Key("vertical, that it carries [N]", v.number, default="0"),
    "gravity": Key("of the static loads [m/s2]", v.number, default="9.81"),
}


def _carried(spot: Spot) -> list[Place]:
    """Names of bodies, or places on them."""
    if not isinstance(spot.value, list) or not spot.value:
        raise spot.wrong('a list of bodies, such as ["frame", { body = "car", node = 7 }]')
    return [Place(v.text(one)) if isinstance(one.value, str) else v.place(one) for one in spot.entries()]


TRACK_FRAME = {
    "name": NAME,
    "distance": Key("along the track [m], an expression of t", v.number, required=True),
    "carries": Key(
        "bodies whose coordinates are relative to it: names, and { body, node } with an interface node of flexible "
        "ones; those that joints hang on others go along",
        _carried,
        required=True,
    ),
}


def _wheelset(model: Assembly, spot: Spot) -> None:
    found = read_keys(spot, WHEELSET, "a wheelset")
    name, load, run = found.pop("name"), found.pop("load"), _run(found)
    add_wheelset(model, name, Wheelset(**found), run, load)


def _bogie(model: Assembly, spot: Spot) -> None:
    found = read_keys(spot, BOGIE, "a bogie")
    name, run = found.pop("name"), _run(found)
    add_bogie(model, name, Bogie(**found), run)


def _track_frame(model: Assembly, spot: Spot) -> None:
    found = read_keys(spot, TRACK_FRAME, "a moving frame")
    frame = add_track_frame(model, str(found["distance"]), found["name"])
    carried(model, frame, *found["carries"])


def _run(found: dict[str, Any]) -> Run:
    return Run(found.pop("distance"), found.pop("speed", 0.0))


#: what adds the things of a table to a model
VEHICLE_PARTS: dict[str, Callable[[Assembly, Spot], None]] = {
    "wheelset": _wheelset,
    "bogie": _bogie,
    "track_frame": _track_frame,
}
