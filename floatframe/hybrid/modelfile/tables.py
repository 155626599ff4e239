"""All tables of a model file by their names, for programs that show or edit them: the same that read it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from floatframe.hybrid.modelfile import schema, vehicle_schema
from floatframe.hybrid.modelfile.values import Key


@dataclass(frozen=True)
class TableRule:
    """A table: its keys, by type where there are types; many: [[body]], one for each thing.

    typed_by: the key that names the type.
    """

    meaning: str
    keys: Mapping[str, Key] = field(default_factory=dict)
    types: Mapping[str, Mapping[str, Key]] = field(default_factory=dict)
    many: bool = True
    typed_by: str = "type"

    def keys_of(self, kind: str = "") -> Mapping[str, Key]:
        """Return the keys of a thing of a type; of an unknown one those that all have."""
        if not self.types:
            return self.keys
        first = next(iter(self.types.values()))
        return self.types.get(kind) or {name: first[name] for name in ("name", self.typed_by)}


def model_tables() -> dict[str, TableRule]:
    """Return the tables of a model file in the order of its reference; [parameters] and [tables] have free names."""
    keys = {
        "body": schema.BODY,
        "flexible": schema.FLEXIBLE,
        "wheelset": vehicle_schema.WHEELSET,
        "bogie": vehicle_schema.BOGIE,
        "track_frame": vehicle_schema.TRACK_FRAME,
        "state": schema.STATE,
        "signal": schema.SIGNAL,
        "subsystem": schema.SUBSYSTEM,
        "stage": schema.STAGE,
    }
    types = {"joint": schema.JOINTS, "force": schema.FORCES, "block": schema.BLOCKS}
    found = {}
    for name, meaning in schema.TOP.items():
        if name in keys:
            found[name] = TableRule(meaning, keys[name])
        elif name in types:
            found[name] = TableRule(meaning, types={kind: rule.keys for kind, rule in types[name].items()})
        elif name in ("record", "simulate"):
            found[name] = TableRule(meaning, {"record": schema.RECORD, "simulate": schema.SIMULATE}[name], many=False)
        elif name == "parameters":
            found[name] = TableRule(meaning, many=False)
    return found
