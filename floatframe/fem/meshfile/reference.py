"""The reference of mesh files as Markdown, from the tables that read them: the end of docs/reference/mesh-file.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from floatframe.fem.meshfile import picks, placing, tables, values
from floatframe.fem.meshfile.features import FEATURE_KEYS, FEATURES
from floatframe.fem.meshfile.parts import BEAM_RIB, PART_KEYS, PARTS, SHELL_RIB, Kind
from floatframe.fem.meshfile.properties import MATERIAL, SECTION_KEYS, SHAPES
from floatframe.fem.properties import LIBRARY, profile_patterns
from floatframe.tomlfile import Key

START = "<!-- from here on written by floatframe.fem.meshfile.reference -->"


def reference() -> str:
    """Return the reference of all tables and keys."""
    return "\n".join([START, *_lines()]) + "\n"


def _lines() -> Iterator[str]:
    yield from ["", "## The file", "", "| key or table | meaning |", "|---|---|"]
    yield from (f"| `{name}` | {meaning} |" for name, meaning in tables.TOP.items())
    yield from _section("Mesh lines", values.LINES)
    yield from _section("A grid of points", values.GRID)
    yield from _section("A material", MATERIAL)
    yield from [
        "",
        "Materials of the library:",
        "",
        "| name | E [GPa] | nu | rho [kg/m3] | source |",
        "|---|---|---|---|---|",
    ]
    for name, one in LIBRARY.items():
        yield f"| {name} | {one.E / 1e9:g} | {one.nu:g} | {one.rho:g} | {one.source} |"
    yield from _section("A section", SECTION_KEYS)
    for kind, shape in SHAPES.items():
        yield from ["", f'### type = "{kind}"', "", *_keys(shape.keys)]
    yield from ["", "Standard profiles:", "", *(f"- {pattern}" for pattern in profile_patterns())]
    yield from _section("A region", picks.REGION)
    yield from _section("The plane of a region", picks.PLANE)
    yield from _section("The sphere of a region", picks.SPHERE)
    yield from _section("The cylinder of a region", picks.CYLINDER)
    yield from _section("Nodes nearest to a point", picks.NEAREST)
    yield from _section("[[part]]", PART_KEYS)
    yield from _section("The rotation of a part", placing.ROTATE)
    yield from _section("The mirror image of a part", placing.MIRROR)
    yield from _section("The repetition of a part", placing.REPEAT)
    yield from _kinds(PARTS)
    yield from _section("A rib of beams", BEAM_RIB)
    yield from _section("A rib of shells", SHELL_RIB)
    yield from _section("[[feature]]", FEATURE_KEYS)
    yield from _kinds(FEATURES)


def _kinds(kinds: Mapping[str, Kind]) -> Iterator[str]:
    for name, kind in kinds.items():
        yield from ["", f'### type = "{name}"', "", f"{kind.about[0].upper()}{kind.about[1:]}.", "", *_keys(kind.keys)]


def _section(title: str, keys: Mapping[str, Key]) -> Iterator[str]:
    yield from ["", f"## {title}", "", *_keys(keys)]


def _keys(keys: Mapping[str, Key]) -> Iterator[str]:
    yield from ["| key | meaning | default |", "|---|---|---|"]
    for name, key in keys.items():
        yield f"| `{name}` | {key.meaning} | {'required' if key.required else key.default} |"
