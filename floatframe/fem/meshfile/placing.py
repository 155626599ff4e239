"""Where a part stands: turned, moved, mirrored, repeated."""

from __future__ import annotations

from typing import Any

from floatframe.fem.builders import join, mirror, rotate, translate
from floatframe.fem.meshfile import values as v
from floatframe.fem.meshfile.context import Late
from floatframe.fem.model import FEModel
from floatframe.tomlfile import Key, Spot, read_keys


def placed(part: FEModel, steps: dict[str, Any]) -> FEModel:
    """Return a part turned, moved, mirrored and repeated, in this order."""
    if "rotate" in steps:
        part = rotate(part, **steps["rotate"])
    if "move" in steps:
        part = translate(part, steps["move"])
    if "mirror" in steps:
        how = dict(steps["mirror"])
        both = how.pop("keep", True)
        image = mirror(part, **how)
        part = join(part, image) if both else image
    if "repeat" in steps:
        part = _repeated(part, **steps["repeat"])
    return part


def _repeated(part: FEModel, n: int, step: Any = None, **turn: Any) -> FEModel:
    copies = [part]
    for k in range(1, n):
        copy = part if step is None else translate(part, k * step)
        copies.append(rotate(copy, **{**turn, "angle": k * turn["angle"]}) if turn else copy)
    return join(*copies)


def mirror_plane(spot: Spot) -> Late:
    """The plane of a mirror image: an axis, or { normal, origin, keep }."""
    if not isinstance(spot.value, dict):
        late = v.axis(spot)
        return lambda context: {"normal": late(context)}
    return v.table(MIRROR, "a mirror image")(spot)


def repetition(spot: Spot) -> Late:
    """{ n, step } along a vector, { n, axis, angle } about an axis."""
    given = read_keys(spot, REPEAT, "a repetition")
    if not given.keys() & {"step", "angle"} or ("axis" in given) != ("angle" in given):
        raise spot.error(f"{spot.key} has the keys {', '.join(given)}, expected {{ n, step }} or {{ n, axis, angle }}")
    return lambda context: {key: late(context) for key, late in given.items()}


_ORIGIN = Key("a point of the axis or plane [m]", v.point, default="[0, 0, 0]")
ROTATE = {
    "axis": Key('"x", "y", "z" or a vector', v.axis, required=True),
    "angle": Key("how far it turns [rad]", v.number, required=True),
    "origin": _ORIGIN,
}
MIRROR = {
    "normal": Key('of the plane: "x", "y", "z" or a vector', v.axis, required=True),
    "origin": _ORIGIN,
    "keep": Key("true: the part itself stays beside its image", v.flag, default="true"),
}
REPEAT = {
    "n": Key("how many there are, the first included", v.count, required=True),
    "step": Key("from each to the next [m]", v.vector),
    "axis": Key("or the axis they stand around", v.axis),
    "angle": Key("from each to the next [rad]", v.number),
    "origin": _ORIGIN,
}
PLACING = {
    "rotate": Key("{ axis, angle, origin }: turned first", v.table(ROTATE, "a rotation")),
    "move": Key("then moved by a vector [m]", v.vector),
    "mirror": Key('then its mirror image is added: "y", or { normal, origin, keep }', mirror_plane),
    "repeat": Key("then all that is repeated: { n, step } or { n, axis, angle, origin }", repetition),
}
