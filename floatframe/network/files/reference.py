"""The reference of network files as Markdown, from the tables that read them: for docs/reference/network-file.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from floatframe.network.files import toml_form as form
from floatframe.network.laws import LIBRARY, Kind
from floatframe.network.writing import code_of
from floatframe.tomlfile import Key

START = "<!-- from here on written by floatframe.network.files.reference -->"


def reference() -> str:
    """Return the reference of all tables, keys and kinds."""
    return "\n".join([START, *_lines()]) + "\n"


def _lines() -> Iterator[str]:
    tables = {"The file": form.TOP, "[[element]]": form.ELEMENT, "[[machine]]": form.MACHINE, "[[node]]": form.NODE}
    for title, keys in {**tables, "[record]": form.RECORD, "[simulate]": form.SIMULATE}.items():
        yield from _section(title, keys)
    yield from ["", "## Kinds of elements"]
    for kind in LIBRARY.values():
        yield from _kind(kind)


def _kind(kind: Kind) -> Iterator[str]:
    stores = " What it stores is in `energy.network`." if kind.energy is not None else ""
    yield from [
        "",
        f"### {kind.name}",
        "",
        f"{kind.meaning[0].upper()}{kind.meaning[1:]}; in fragments `{code_of(kind)}`.{stores}",
    ]
    terminals = ", ".join(
        f"`{one.name}` ({one.domain.name}{', optional' if one.optional else ''})" for one in kind.terminals
    )
    if terminals:
        yield from ["", f"Terminals: {terminals}."]
    own = {name: key for name, key in form.keys_of(kind).items() if name not in form.ELEMENT}
    if own:
        yield from _table(own)


def _section(title: str, keys: Mapping[str, Key]) -> Iterator[str]:
    yield from ["", f"## {title}", *_table(keys)]


def _table(keys: Mapping[str, Key]) -> Iterator[str]:
    yield from ["", "| key | meaning | default |", "|---|---|---|"]
    for name, key in keys.items():
        default = f"`{key.default}`" if key.default else "required" if key.required else ""
        yield f"| `{name}` | {key.meaning} | {default} |"
