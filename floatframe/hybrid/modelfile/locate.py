"""From what an error is about, a thing and a field of it, to the line of a model file.

Fields are arguments of the Python calls; here stands which keys of a file they are where the two differ.
"""

from __future__ import annotations

from collections.abc import Mapping

from floatframe.errors import FloatframeError, ReadError
from floatframe.hybrid.modelfile.source import ModelFileError, Spot, gathered

# argument -> key
_ALWAYS = {"a": "place", "b": "against", "body": "file"}
_ALWAYS |= {"sections": "section", "gradients": "gradient", "irregularities": "irregularity"}
_OF_POINT_LOADS = {"point_force": ("fx", "fy", "fz"), "point_torque": ("tx", "ty", "tz")}
# the same for single types of joints and forces
_OF_TYPE: dict[str, Mapping[str, str]] = {
    "universal": {"axis": "axis_b"},
    "planar": {"axis": "normal"},
    "point_on_plane": {"axis": "normal"},
    "gear": {"terms.0.joint": "joint1", "terms.1.joint": "joint2", "terms.1.factor": "ratio", "value": "offset"},
    "rack": {"terms.0.joint": "sliding", "terms.1.joint": "turning", "terms.1.factor": "radius", "value": "offset"},
    "motion": {"terms.0.joint": "joint", "terms.0.coordinate": "coordinate"},
    "friction": {"limit": "force"},
    "joint_friction": {"limit": "force"},
    "wheel_rail": {"semi_axis_x": "semi_axes.0", "semi_axis_y": "semi_axes.1"},
    **{
        kind: {part: f"{kind.removeprefix('point_')}.{k}" for k, part in enumerate(parts)}
        for kind, parts in _OF_POINT_LOADS.items()
    },
}


def located(spot: Spot, error: FloatframeError) -> FloatframeError:
    """Return an error of a thing, or of what stands at a spot in it, with file and line; one that has them stays."""
    if len(error.problems) > 1:
        return gathered([located(spot, problem) for problem in error.problems], spot.source.path)
    if isinstance(error, ModelFileError):
        return error
    # without a subject the field is that of the value which was being made
    start = spot if error.subject is None else spot.thing
    field = file_field(start, error.field)
    place = found_at(start, field)
    whole = ".".join(filter(None, (start.field, field)))
    subject = error.subject or spot.subject
    found = ModelFileError(
        place.source.path, place.line, str(error), subject=subject, field=whole, missing=error.missing
    )
    if not isinstance(error, ReadError):
        return found
    return ReadError(str(found), subject=subject, field=whole, missing=error.missing, path=found.path, line=found.line)


def file_field(spot: Spot, field: str) -> str:
    """Return a field of a thing as a file writes it: against.node for b.node."""
    if spot.field or not isinstance(spot.value, dict):
        return field  # inside a value the names are the same
    keys = {**_ALWAYS, **_OF_TYPE.get(str(spot.value.get("type")), {})}
    words = field.split(".")
    for count in range(len(words), 0, -1):
        key = keys.get(".".join(words[:count]))
        if key is not None:
            return ".".join([key, *words[count:]])
    return field


def found_at(spot: Spot, field: str) -> Spot:
    """Return what stands under a field, or the innermost table or list around it that is there."""
    while field:
        key, _, rest = field.partition(".")
        if isinstance(spot.value, dict):
            if field in spot.value:
                key, rest = field, ""  # a key with dots in it: "front.mass"
            if key not in spot.value:
                return spot
            spot = spot.inside(key)
        elif isinstance(spot.value, list) and key.isdecimal() and int(key) < len(spot.value):
            spot = spot.inside(int(key))
        else:
            return spot
        field = rest
    return spot
