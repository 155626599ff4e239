"""Models written as model files; what is read back has the same flat form."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from floatframe.errors import WriteError
from floatframe.expressions import Table
from floatframe.hybrid.description import (
    Assembly,
    Block,
    Constraint,
    FlexibleBody,
    Force,
    Instance,
    Item,
    Joint,
    ModalDamping,
    OnTrack,
    Place,
    Rayleigh,
    Relation,
    RigidBody,
    Rolling,
    Signal,
    Stage,
    StateVariable,
    Step,
    Subsystem,
)
from floatframe.hybrid.modelfile.schema import BODY, FLEXIBLE, FORMAT, JOINTS, STAGE
from floatframe.hybrid.modelfile.track_writer import track_table
from floatframe.io import complete_file
from floatframe.modal import ReducedBody
from floatframe.railway import Profile, Track

_SECTIONS = {
    RigidBody: "body",
    FlexibleBody: "flexible",
    Instance: "subsystem",
    Joint: "joint",
    Relation: "joint",
    Constraint: "joint",
    Rolling: "joint",
    Force: "force",
    StateVariable: "state",
    Signal: "signal",
    Block: "block",
    Stage: "stage",
}


_NO_SPIN = {"joint": None, "coordinate": None}  # of a wheel
LEFT_OUT = "# left out, since a model file cannot name Python functions:"


@dataclass(frozen=True, eq=False)
class Files:
    """How the files of flexible bodies are named in a text that will stand in a folder.

    kept: takes in the bodies that are in no file, under the names the text uses; None if there must be none.
    """

    folder: Path
    kept: dict[str, ReducedBody] | None = None

    def path(self, file: str | Path) -> str:
        """Return a file as the text names it."""
        file, home = Path(file).resolve(), self.folder.resolve()
        return (file.relative_to(home) if file.is_relative_to(home) else file).as_posix()

    def name(self, flexible: FlexibleBody) -> str:
        """Return the file of a body as the text names it."""
        body = flexible.body
        if isinstance(body, str | Path):
            return self.path(body)
        if self.kept is None:
            raise WriteError(
                f"{flexible}: its reduced body is not in a file; write it (ff.io.write) and give FlexibleBody the path"
            )
        for name, other in self.kept.items():
            if other is body:
                return name
        name = f"kept-{len(self.kept) + 1}.h5"
        self.kept[name] = body
        return name


def write_model(path: str | Path, model: Assembly) -> None:
    """Write a model as a model file; files of flexible bodies are named relative to it."""
    path = Path(path)
    text = model_text(model, Files(path.parent))
    with complete_file(path) as part:
        part.write_text(text, encoding="utf-8")


def model_text(model: Assembly, files: Files, functions: bool = True, track: Track | None = None) -> str:
    """Return the text of a model file.

    functions=False leaves out forces that are Python functions, with a remark; track: in place of that of the model.
    """
    parts = _part_names(model)
    head = {"format": FORMAT, "name": model.name, "gravity": model.gravity}
    lines = [f"{key} = {_toml(value)}" for key, value in head.items()]
    if model.track is not None:
        lines += _track_lines(track_table(track or model.track, files.path))
    lines += _assembly_lines(model, "", parts, files, functions)
    for part, name in parts.items():
        lines += ["", f"[define.{name}]", *_assembly_lines(part, f"define.{name}.", parts, files, functions)]
    return "\n".join(lines) + "\n"


def _part_names(model: Assembly) -> dict[Subsystem, str]:
    """Return a name of its own for every subsystem in use."""
    names: dict[Subsystem, str] = {}
    for part in _parts(model):
        if part not in names:
            number = sum(other.name == part.name for other in names)
            names[part] = f"{part.name}_{number + 1}" if number else part.name
    return names


def _parts(assembly: Assembly) -> Iterator[Subsystem]:
    for item in assembly:
        if isinstance(item, Instance):
            yield item.subsystem
            yield from _parts(item.subsystem)


def _assembly_lines(
    assembly: Assembly, path: str, parts: Mapping[Subsystem, str], files: Files, functions: bool
) -> Iterator[str]:
    overrides = getattr(assembly, "overrides", {})
    parameters = {name: overrides.get(name, value) for name, value in assembly.parameters.items()}
    if parameters:
        yield from [
            "",
            f"[{path}parameters]",
            *(f"{_key(name)} = {_toml(value)}" for name, value in parameters.items()),
        ]
    for name, table in assembly.tables.items():
        yield from ["", f"[{path}tables.{name}]"]
        yield from (f"{key} = {_toml(value)}" for key, value in _table(table).items())
    for item in assembly:
        if isinstance(item, Force) and item.kind == "user_force" and not functions:
            yield from ["", f"{LEFT_OUT} {item}"]
            continue
        mark = f"{item.name}."
        inner = {name.removeprefix(mark): value for name, value in overrides.items() if name.startswith(mark)}
        yield from _lines(f"[[{path}{_SECTIONS[type(item)]}]]", _values(item, parts, files, inner))


def _track_lines(table: Mapping[str, Any]) -> Iterator[str]:
    """Yield the table [track] with its lists of tables behind it."""
    lists = {key: value for key, value in table.items() if isinstance(value, list) and isinstance(value[0], Mapping)}
    yield from _lines("[track]", {key: value for key, value in table.items() if key not in lists})
    for key, rows in lists.items():
        for row in rows:
            yield from _lines(f"[[track.{key}]]", row)


def _lines(head: str, values: Mapping[str, Any]) -> Iterator[str]:
    yield from ["", head]
    yield from (f"{key} = {_toml(value)}" for key, value in values.items() if value is not None)


def _values(item: Item, parts: Mapping[Subsystem, str], files: Files, overrides: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keys of an item; None stands for a key that is left out."""
    if isinstance(item, RigidBody):
        shape = None if item.shape is None else files.path(item.shape)
        return {key: getattr(item, key) for key in BODY} | {"on_track": _on_track(item.on_track, files), "shape": shape}
    if isinstance(item, FlexibleBody):
        return _flexible(item, files)
    if isinstance(item, Instance):
        if deep := next((name for name in overrides if "." in name), ""):
            raise WriteError(f"{item}: '{deep}' has a value of its own deep inside; set it in the model instead")
        return {
            "name": item.name,
            "use": parts[item.subsystem],
            "position": item.position,
            "rotation": item.rotation,
            "parameters": {**item.parameters, **overrides} or None,
        }
    if isinstance(item, Joint):
        return _joint(item)
    if isinstance(item, Relation):
        terms = [{"joint": joint, "coordinate": k, "factor": factor} for joint, k, factor in item.terms]
        return {"name": item.name, "type": "relation", "terms": terms, "value": item.value}
    if isinstance(item, Constraint):
        return {"name": item.name, "type": item.kind, "expression": item.expression, "unit": item.unit or None}
    if isinstance(item, Rolling):
        own = {key: getattr(item, key, None) for key in JOINTS[item.kind].keys}
        return own | {"type": item.kind, "place": item.a, "against": item.b} | ({} if item.joint else _NO_SPIN)
    if isinstance(item, StateVariable | Signal):
        return vars(item) | {"unit": item.unit or None}
    if isinstance(item, Block):
        return _block(item)
    if isinstance(item, Stage):
        return {key: getattr(item, key) or None for key in STAGE if key != "when"} | {"when": item.when}
    return _force(item, files)


def _flexible(body: FlexibleBody, files: Files) -> dict[str, Any]:
    values = {key: getattr(body, key) for key in FLEXIBLE if key != "file"}
    if isinstance(body.damping, Rayleigh):
        values["damping"] = {"alpha": body.damping.alpha, "beta": body.damping.beta}
    if isinstance(body.damping, ModalDamping):
        values["damping"] = {"ratio": body.damping.ratio, "of": body.damping.of}
    values["frame"] = list(body.frame) if len(body.frame) > 1 else body.frame[0]
    values["on_track"] = _on_track(body.on_track, files)
    return {"name": body.name, "file": files.name(body), **values}


def _on_track(start: OnTrack | None, files: Files) -> dict[str, Any] | None:
    if start is None:
        return None
    found: dict[str, Any] = {key: value for key, value in vars(start).items() if value not in (0.0, "")}
    found["distance"] = start.distance
    if start.wheels is not None:
        profile = start.wheels.profile
        if isinstance(profile, Profile):
            raise WriteError(f"a model file cannot hold the drawn profile '{profile.name}'; name a file of it")
        named = files.path(profile) if Path(profile).is_file() else str(profile)
        found["wheels"] = vars(start.wheels) | {"profile": named}
    return found


def _joint(joint: Joint) -> dict[str, Any]:
    values = {
        "name": joint.name,
        "type": joint.kind,
        "place": joint.a,
        "against": joint.b,
        "axis": joint.axis,
        "normal": joint.axis,
        "axis_b": joint.axis,
        "axis_a": joint.axis_a,
        "first": joint.first,
        "pitch": joint.pitch,
        "length": joint.length,
        "steps": joint.steps,
        "start": [math.nan if value is None else value for value in joint.start] or None,
        "start_rate": [math.nan if value is None else value for value in joint.start_rate] or None,
        "cut": joint.cut or None,
    }
    return {key: value for key, value in values.items() if key in JOINTS[joint.kind].keys}


def _force(force: Force, files: Files) -> dict[str, Any]:
    if force.kind == "user_force":
        raise WriteError(f"{force}: a model file cannot name Python functions; add it after reading")
    numbers: dict[str, Any] = dict(force.numbers)
    laws: dict[str, Any] = dict(force.expressions)
    kind = force.kind
    if kind == "point_load":
        what = "force" if "fx" in laws else "torque"
        kind, laws = f"point_{what}", {what: list(laws.values())}
        numbers = {"axes": "body" if numbers["body_axes"] else "world"}
    if kind == "wheel_on_track":
        if not force.options["profile"]:
            raise WriteError(f"{force}: a model file cannot hold its drawn profile; write it to a file and name that")
        profile = force.options["profile"]
        numbers |= {**force.options, "profile": files.path(profile) if Path(profile).is_file() else profile}
    if kind == "wheel_rail":
        axes = [numbers.pop(f"semi_axis_{axis}", None) for axis in "xy"]
        numbers |= {"semi_axes": axes if None not in axes else None, **force.options}
    if "limit" in laws:
        laws["force"] = laws.pop("limit")
    return {
        "name": force.name,
        "type": kind,
        "joint": force.joint or None,
        "coordinate": force.coordinate,
        "place": force.a,
        "against": force.b,
        **numbers,
        **laws,
        "look": force.options.get("look"),
        "stick": True if force.options.get("model") == "stick" else None,
    }


def _block(block: Block) -> dict[str, Any]:
    numbers = dict(block.numbers)
    if block.kind == "switch":
        numbers["start"] = bool(numbers["start"])
    return {"name": block.name, "type": block.kind, **block.inputs, **numbers, "unit": block.unit or None}


def _place(place: Place) -> dict[str, Any]:
    where = {"point": place.point} if place.node is None else {"node": place.node}
    return {"body": place.body, **where, "rotation": place.rotation}


def _table(table: Table) -> dict[str, Any]:
    beyond = {"periodic": True} if table.periodic else {"extrapolate": table.extrapolate}
    return {"x": table.x, "y": table.y, "kind": table.kind, **beyond}


def _toml(value: Any) -> str:
    """Return a value as TOML."""
    if isinstance(value, Place):
        return _toml(_place(value))
    if isinstance(value, Table):
        return _toml(_table(value))
    if isinstance(value, Step):
        return _toml({value.motion: value.axis, "by": value.by})
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{_key(k)} = {_toml(v)}' for k, v in value.items() if v is not None)} }}"
    if isinstance(value, np.ndarray):
        return _toml(value.tolist())
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, str):
        # a string of JSON is one of TOML, but for the delete character
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return str(value).lower()
    return repr(value)


def _key(name: str) -> str:
    return name if name.isascii() and name.replace("_", "").isalnum() else _toml(name)
