"""From what an error is about, a thing and a field of it, to the line of a model file.

Fields are arguments of the Python calls; here stands which keys of a file they are where the two differ.
"""

from __future__ import annotations

from collections.abc import Mapping

from floatframe import tomlfile
from floatframe.errors import FloatframeError
from floatframe.tomlfile import Spot

# argument -> key
_ALWAYS = {"a": "place", "b": "against", "body": "file"}
_ALWAYS |= {"sections": "section", "gradients": "gradient", "irregularities": "irregularity"}
_OF_POINT_LOADS = {"point_force": ("fx", "fy", "fz"), "point_torque": ("tx", "ty", "tz")}
# tables whose things start on the track by keys of their own
_VEHICLE_PARTS = (("wheelset",), ("bogie",))
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
    return tomlfile.located(spot, error, file_field)


def file_field(spot: Spot, field: str) -> str:
    """Return a field of a thing as a file writes it: against.node for b.node."""
    if spot.field or not isinstance(spot.value, dict):
        return field  # inside a value the names are the same
    keys = {**_ALWAYS, **_OF_TYPE.get(str(spot.value.get("type")), {})}
    if spot.path[:-1][-1:] in _VEHICLE_PARTS:
        field = field.removeprefix("on_track.").removeprefix("wheels.")
        inner = spot.value.get("wheelset")
        if field not in spot.value and isinstance(inner, dict) and field in inner:
            field = f"wheelset.{field}"
    words = field.split(".")
    for count in range(len(words), 0, -1):
        key = keys.get(".".join(words[:count]))
        if key is not None:
            return ".".join([key, *words[count:]])
    return field
