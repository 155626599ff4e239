"""What may stand behind the keys of a model file beside plain values: one small reader for each kind of value.

The plain kinds are those of all our files; they are listed here too, so that the tables name all kinds in one way.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from floatframe.errors import FloatframeError, ModelError
from floatframe.expressions import Table, read_table
from floatframe.hybrid.description import (
    ModalDamping,
    OnTrack,
    Place,
    Rayleigh,
    Step,
    Wheels,
    checked_name,
    rotate,
    translate,
)
from floatframe.hybrid.modelfile.locate import located
from floatframe.io import LENGTHS
from floatframe.signals import displacement_of, drift_of, road_profile
from floatframe.tomlfile import (
    Key as Key,
    Spot,
    choice as choice,
    integer as integer,
    named_numbers as named_numbers,
    number as number,
    numbers as numbers,
    path as path,
    read_keys as read_keys,
    text as text,
    texts as texts,
    truth as truth,
)
from floatframe.userfiles import is_file
from floatframe.wording import did_you_mean

_SHOWN = 0.01  # of the largest displacement: what is taken off and is larger than this is said


def name(spot: Spot) -> str:
    """The name of a thing."""
    try:
        return checked_name(text(spot), spot.subject.kind if spot.subject else "model")
    except ModelError as error:
        raise located(spot, error) from None


def node(spot: Spot) -> int | str:
    """The number of a node, or its name."""
    if isinstance(spot.value, bool) or not isinstance(spot.value, int | str):
        raise spot.wrong("the number of a node, or its name in quotation marks")
    return spot.value


def length(spot: Spot) -> Any:
    """A unit of length by its name, or a number of metres."""
    return spot.value if isinstance(spot.value, str) and spot.value in LENGTHS else number(spot)


def text_or_path(spot: Spot) -> str | Path:
    """A file beside the model file if there is one of that name, else the text itself."""
    found = spot.source.path.parent / text(spot)
    return found if is_file(found) else text(spot)


def rotation(spot: Spot) -> Any:
    """A quaternion, a matrix, or { axis, angle }."""
    if isinstance(spot.value, dict):
        return read_keys(spot, ROTATION, "a rotation")
    return numbers(spot)


def start(spot: Spot) -> list[Any]:
    """Start values of coordinates; nan leaves one to the pose of the bodies."""
    values = spot.entries() if isinstance(spot.value, list) else [spot]
    return [None if isinstance(one.value, float) and math.isnan(one.value) else number(one) for one in values]


def place(spot: Spot) -> Place:
    """A point of a body or of the ground, or a node of a flexible body."""
    if isinstance(spot.value, dict) and {"point", "node"} <= spot.value.keys():
        raise spot.error(f"{spot.key} has a point and a node; expected a point of a rigid body or a node of another")
    values = read_keys(spot, PLACE, "a place")
    try:
        return Place(**values)
    except FloatframeError as error:
        raise located(spot, error) from None


def on_track(spot: Spot) -> OnTrack:
    """Where a body starts on the track."""
    return OnTrack(**read_keys(spot, ON_TRACK, "a start on the track"))


def wheels(spot: Spot) -> Wheels:
    """Wheels that a body rests on."""
    return Wheels(**read_keys(spot, WHEELS, "wheels to rest on"))


def one_table(spot: Spot) -> Table:
    """A table y(x): its numbers here or in a CSV file, or the profile of a random road."""
    values = read_keys(spot, TABLE, "a table y(x)")
    integrate, drift = values.pop("integrate", False), values.pop("drift", None)
    if drift and not integrate:
        raise spot.error(f"{spot.key} has drift, which belongs to accelerations; expected integrate = true beside it")
    road = {key: values.pop(key) for key in ("road", "length", "step", "seed") if key in values}
    columns, file = values.keys() & {"x", "y"}, values.pop("file", None)
    sources = [file is not None, bool(columns), bool(road)]
    if sum(sources) != 1 or len(columns) == 1 or (road and (integrate or not {"road", "length"} <= road.keys())):
        found = ", ".join(spot.value) or "nothing"
        raise spot.error(f"{spot.key} has {found}; expected file, or x and y, or road and length")
    usual = {"kind": "spline", "periodic": True} if road else {"kind": "spline"} if integrate else {}
    values = {**usual, **values}
    try:
        if road:
            distance, height = road_profile(road.pop("road"), **road)
            end = len(distance) * distance[1]  # where the first height comes again
            return Table(np.append(distance, end), np.append(height, height[0]), **values)
        made = Table(**values) if file is None else read_table(file, **values)
        return _integrated(made, drift or "mean", spot.key) if integrate else made
    except FloatframeError as error:
        raise located(spot, error) from None


def _integrated(record: Table, drift: Any, name: str) -> Table:
    """The displacements of a table of accelerations; says what is taken off if that shows in them."""
    t, a = np.asarray(record.x), np.asarray(record.y)
    found, off = displacement_of(t, a, drift), drift_of(t, a, drift)
    moved = np.abs(displacement_of(t, off, "none")).max()
    if moved > _SHOWN * np.abs(found).max():
        amount = " to ".join(f"{x:.3g}" for x in dict.fromkeys((off[0], off[-1])))
        warnings.warn(
            f"table '{name}': {amount} m/s2 was taken off the acceleration, which changes the displacement by up to "
            f'{moved:.3g} m; drift = "mean", "line" or "none" says what to take off',
            stacklevel=2,
        )
    return replace(record, y=found)


def road_class(spot: Spot) -> Any:
    """A class of ISO 8608, or the density of a road."""
    return text(spot) if isinstance(spot.value, str) else number(spot)


def table(spot: Spot) -> Table:
    """A table: { table = "name of it" }, or written here."""
    if isinstance(spot.value, dict) and "table" in spot.value:
        wanted = read_keys(spot, {"table": Key("the name of a table", text)}, "a table by its name")["table"]
        if wanted not in spot.tables:
            words = f"table '{wanted}' does not exist{did_you_mean(wanted, spot.tables)}"
            raise spot.inside("table").error(words, missing=wanted)
        return spot.tables[wanted]
    return one_table(spot)


def law(spot: Spot) -> Any:
    """A number, an expression or a table over the first variable of the element."""
    return table(spot) if isinstance(spot.value, dict) else number(spot)


def laws(spot: Spot) -> list[Any]:
    """Three laws, along x, y and z."""
    if not isinstance(spot.value, list) or len(spot.value) != 3:
        raise spot.wrong("a list of three numbers or expressions")
    return [law(entry) for entry in spot.entries()]


def damping(spot: Spot) -> Any:
    """One ratio, one per mode, { ratio, of }, { alpha, beta }, or a table of ratios over the frequency."""
    if isinstance(spot.value, list):
        return spot.value
    if isinstance(spot.value, dict):
        if spot.value.keys() & {"ratio", "of"}:
            values = read_keys(spot, MODAL_DAMPING, "damping")
            try:
                return ModalDamping(**values)
            except FloatframeError as error:
                raise located(spot, error) from None
        return (
            Rayleigh(**read_keys(spot, RAYLEIGH, "damping")) if spot.value.keys() & {"alpha", "beta"} else table(spot)
        )
    return number(spot)


def ratio(spot: Spot) -> Any:
    """One ratio, one per mode, pairs of frequency and ratio, or a table of them."""
    return spot.value if isinstance(spot.value, list) else law(spot)


def modes(spot: Spot) -> Any:
    """How many modes, or their numbers."""
    return [integer(entry) for entry in spot.entries()] if isinstance(spot.value, list) else integer(spot)


def text_or_texts(spot: Spot) -> Any:
    """A text, or a list of them."""
    return texts(spot) if isinstance(spot.value, list) else text(spot)


def truth_or_text(spot: Spot) -> bool | str:
    """true, false, or a word."""
    return text(spot) if isinstance(spot.value, str) else truth(spot)


def stabilisation(spot: Spot) -> Any:
    """A word, two numbers, or a matrix."""
    return text(spot) if isinstance(spot.value, str) else numbers(spot)


def frame(spot: Spot) -> Any:
    """A word, or a list of a word and nodes."""
    if not isinstance(spot.value, list):
        return text(spot)
    first, *nodes = spot.entries() or [spot]
    return [text(first), *(node(entry) for entry in nodes)]


def steps(spot: Spot) -> list[Step]:
    """Steps of a general joint: { rotate = axis } or { translate = axis }; `by` where they are not a coordinate."""
    if not isinstance(spot.value, list) or not spot.value:
        raise spot.wrong("a list of steps { rotate = [0, 0, 1] } or { translate = [1, 0, 0] }")
    found = []
    for entry in spot.entries():
        values = read_keys(entry, STEP, "a step")
        motions = values.keys() & {"rotate", "translate"}
        if len(motions) != 1:
            raise entry.error("a step is either rotate or translate, expected one of them")
        motion = motions.pop()
        try:
            found.append((rotate if motion == "rotate" else translate)(values[motion], values.get("by")))
        except FloatframeError as error:
            raise located(entry, error) from None
    return found


def terms(spot: Spot) -> list[tuple[str, int, Any]]:
    """Terms of a relation."""
    if not isinstance(spot.value, list):
        raise spot.wrong('a list of terms { joint = "A", factor = 1.0 }')
    found = [read_keys(entry, TERM, "a term") for entry in spot.entries()]
    return [(term["joint"], term.get("coordinate", 0), term.get("factor", 1.0)) for term in found]


def _rules(required: Iterable[str] = (), **rules: tuple[str, Callable[[Spot], Any]]) -> dict[str, Key]:
    return {key: Key(meaning, read, key in required) for key, (meaning, read) in rules.items()}


ROTATION = _rules(("axis", "angle"), axis=("a direction", numbers), angle=("an angle [rad]", number))
PLACE = _rules(
    ("body",),
    body=('the name of a body, or "ground"; front.wheel for one inside a subsystem', text),
    point=("point of a rigid body or of the ground, body axes [m]", numbers),
    node=("number or name of a node of a flexible body; joints need an interface node", node),
    rotation=("axes of the place in body axes (default: those of the body)", rotation),
)
WHEELS = _rules(
    ("radius", "load"),
    radius=("of the rolling circles [m]", number),
    load=("vertical, of each wheel with its own weight [N]", number),
    profile=('of the wheels: "S1002", "cone:0.05", or a file (default: "S1002")', text_or_path),
    half_distance=("from the middle to a rolling circle [m] (default: 0.75)", number),
)
ON_TRACK = _rules(
    ("distance",),
    distance=("along the track [m]", number),
    speed=("of the middle of the track under it [m/s] (default: 0)", number),
    lateral=("of its origin from the middle of the track, to the left [m] (default: 0)", number),
    height=("over the plane of the rails [m], or over what it is above or rests on (default: 0)", number),
    spin=("about its y axis, forward if positive [rad/s] (default: 0)", number),
    above=("the name of another body on the track: heights count from its origin", text),
    wheels=("{ radius, load, profile, half_distance } of two wheels it rests and rolls on", wheels),
)
TABLE = _rules(
    file=("text file with two columns x and y: commas, semicolons or blanks between them", path),
    x=("increasing numbers", numbers),
    y=("as many numbers", numbers),
    kind=(
        '"linear", "cubic" that never overshoots the data, or "spline" with a continuous curvature (for roads and '
        "integrated accelerations the default)",
        choice("linear", "cubic", "spline"),
    ),
    extrapolate=("beyond the ends: false holds the last value, true goes on with the last slope", truth),
    periodic=("true: beyond the ends it begins again; the last y is the first one", truth),
    integrate=("true: y is an acceleration at equal steps, the table its displacement from rest", truth),
    drift=(
        'taken off such an acceleration: "mean", a constant such that it ends at rest (default), "line", such that it '
        'ends at rest where it began, or "none"',
        choice("mean", "line", "none"),
    ),
    road=('instead of numbers a random profile of a class of ISO 8608, "A" to "H", or of G(n0) [m3]', road_class),
    length=("of this road, after which it begins again [m]", number),
    step=("between its heights [m] (default: 0.05)", number),
    seed=("of its random phases (default: 1)", integer),
)
RAYLEIGH = _rules(alpha=("goes with the mass [1/s]", number), beta=("goes with the stiffness [s]", number))
MODAL_DAMPING = _rules(
    ("ratio",),
    ratio=("ratio of critical damping; one per mode, the last for the rest; [[Hz, ratio], …]; or a table", ratio),
    of=(
        'of which modes: "free", or "assembled": as the joints of the model hold the body',
        choice("free", "assembled"),
    ),
)
STEP = _rules(
    rotate=("turning about an axis that the steps before have moved", numbers),
    translate=("sliding along such an axis", numbers),
    by=("a constant or an expression of t [rad, m] (default: a free coordinate)", number),
)
TERM = _rules(
    ("joint",),
    joint=("the name of a joint", text),
    coordinate=("which of its coordinates, from 0", integer),
    factor=("its factor (default: 1)", number),
)
