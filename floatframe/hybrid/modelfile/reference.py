"""The reference of model files as Markdown, from the tables that read them: the end of docs/reference/model-file.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from floatframe.hybrid.description import COORDINATES
from floatframe.hybrid.modelfile import schema, track_schema, values, vehicle_schema
from floatframe.hybrid.modelfile.values import Key

START = "<!-- from here on written by floatframe.hybrid.modelfile.reference -->"
_COMMON = ("name", "type", "place", "against", "start", "start_rate", "cut")


def reference() -> str:
    """Return the reference of all tables and keys."""
    return "\n".join([START, *_lines()]) + "\n"


def _lines() -> Iterator[str]:
    yield from ["", "## The file", ""]
    yield from _rows({name: (meaning, "") for name, meaning in schema.TOP.items()}, "key or table")
    yield from ["", "`[define.NAME]` holds the tables of a part:", ""]
    yield from _rows({name: (meaning, "") for name, meaning in schema.PART_TABLES.items()}, "table")
    yield from _section("[[body]]", schema.BODY)
    yield from _section("[[flexible]]", schema.FLEXIBLE)
    yield from _section("Damping of modes", values.MODAL_DAMPING)
    yield from _section("A start on the track", values.ON_TRACK)
    yield from _section("[[wheelset]]", vehicle_schema.WHEELSET)
    yield from _section("[[bogie]]", vehicle_schema.BOGIE)
    yield from _section("A wheelset of a bogie", vehicle_schema.AXLE)
    yield from _section("Springs of an axle box", vehicle_schema.SPRINGS)
    yield from _section("[[track_frame]]", vehicle_schema.TRACK_FRAME)
    yield from _section("A place", values.PLACE)
    yield from _section("A table y(x)", values.TABLE)
    yield from _section("[[subsystem]]", schema.SUBSYSTEM)
    joint = schema.JOINTS["revolute"].keys
    yield from _section("[[joint]]", {key: joint[key] for key in _COMMON})
    yield from [
        "",
        "The last five types are relations between other joints or bodies and have no places. They, `rolling`, `blade`",
        "and `wheel` have no coordinates, so `start`, `start_rate` and `cut` are not theirs.",
        "",
    ]
    yield from ["| type | coordinates | its own keys |", "|---|---|---|"]
    for kind, rule in schema.JOINTS.items():
        own = "; ".join(_own(rule.keys))
        yield f"| `{kind}` | {', '.join(COORDINATES.get(kind, ())) or '–'} | {own or '–'} |"
    yield from _section("A step of a general joint", values.STEP)
    yield from _section("A term of a relation", values.TERM)
    yield from [
        "",
        "## [[force]]",
        "",
        "Every force has `name` and `type`; those between two places `place` and `against`.",
    ]
    yield from _kinds(schema.FORCES)
    yield from _section("[[state]]", schema.STATE)
    yield from _section("[[signal]]", schema.SIGNAL)
    yield from ["", "## [[block]]", "", "Every block has `name` and `type`; its name stands for its output."]
    yield from _kinds(schema.BLOCKS)
    yield from _section("[[stage]]", schema.STAGE)
    yield from _section("[record]", schema.RECORD)
    yield from _section("[simulate]", schema.SIMULATE)
    yield from ["", "## Track files", "", "A railway track stands in a file of its own, see"]
    yield from ["[Tracks](../how-to/tracks.md).", ""]
    yield from _rows({name: (meaning, "") for name, meaning in track_schema.TOP.items()}, "key or table")
    yield from _section("[track]", track_schema.TRACK)
    for title, kinds in (("section", track_schema.SECTIONS), ("irregularity", track_schema.IRREGULARITIES)):
        yield from ["", f"## [[track.{title}]]"]
        for kind, rule in kinds.items():
            yield from ["", f'### type = "{kind}"', "", *_keys({k: key for k, key in rule.keys.items() if k != "type"})]
    yield from _section("[[track.gradient]]", track_schema.GRADIENT.keys)


def _kinds(kinds: Mapping[str, schema.Kind]) -> Iterator[str]:
    """Yield a section for every type, with the keys behind its name and type."""
    for kind, rule in kinds.items():
        yield from ["", f"### {kind}", ""]
        yield from _keys({name: key for name, key in rule.keys.items() if name not in ("name", "type")})


def _section(title: str, keys: Mapping[str, Key]) -> Iterator[str]:
    yield from ["", f"## {title}", "", *_keys(keys)]


def _keys(keys: Mapping[str, Key]) -> Iterator[str]:
    rows = {name: (key.meaning, "required" if key.required else key.default) for name, key in keys.items()}
    yield from _rows(rows, "key")


def _rows(rows: Mapping[str, tuple[str, str]], heading: str) -> Iterator[str]:
    yield from [f"| {heading} | meaning | default |", "|---|---|---|"]
    for name, (meaning, without) in rows.items():
        yield f"| `{name}` | {meaning} | {without} |"


def _own(keys: Mapping[str, Key]) -> Iterator[str]:
    for name, key in keys.items():
        if name not in _COMMON:
            without = "" if key.required else f" ({key.default})" if key.default else " (optional)"
            yield f"`{name}`: {key.meaning}{without}"
