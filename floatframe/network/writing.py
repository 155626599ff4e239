"""Networks as text: TOML, and fragments as PRADIS writes them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path

from floatframe.errors import WriteError
from floatframe.expressions import Scalar
from floatframe.network.description import GROUND, Element, MachineFile, Start, Structure
from floatframe.network.laws import LIBRARY, Kind


def network_text(network: Structure, folder: Path | None = None) -> str:
    """The network as TOML; folder: where it will be, from which the files of machines are named."""
    lines = ['format = "floatframe-network/1"', f"name = {_word(network.name)}"]
    base = [node for node in network.base if node != GROUND]
    if base:
        lines.append(f"base = {_words(base)}")
    if network.parameters:
        lines += [
            "",
            "[parameters]",
            *(f"{_key(name)} = {_value(value)}" for name, value in network.parameters.items()),
        ]
    for element in network.elements.values():
        if element.name in network.machines:
            lines += _machine_lines(element, network.machines[element.name], folder)
            continue
        _require_library(element)
        lines += ["", "[[element]]", f"name = {_word(element.name)}", f"kind = {_word(element.kind.name)}"]
        if element.nodes:
            lines.append(f"nodes = {_words(element.nodes)}")
        lines += [f"{name} = {_value(value)}" for name, value in element.values.items()]
    for node, start in network.starts.items():
        lines += ["", "[[node]]", f"name = {_word(node)}", *_start_lines(start)]
    return "\n".join(lines) + "\n"


def fragment_text(network: Structure) -> str:
    """The network as a fragment: $ FRAGMENT, # BASE, # STRUCTURE, # DATA."""
    lines = [f"$ FRAGMENT: {network.name}", f"# BASE: {' '.join(network.base)}", "# STRUCTURE:"]
    for element in network.elements.values():
        if element.name in network.machines:
            raise WriteError(f"machine '{element.name}': fragments have no machines; write the network as .toml")
        _require_library(element)
        kind = element.kind
        known = kind.values
        given = [element.values.get(one.name, one.default) for one in known]
        while given and known[len(given) - 1].name not in element.values:
            given.pop()  # defaults at the end
        numbers = ", ".join(_plain(value) for value in given)
        nodes = " ".join(element.nodes)
        lines.append(f"{element.name}' {code_of(kind)} ({nodes}{'; ' if numbers else ''}{numbers})")
    for node, start in network.starts.items():
        if start.x:
            lines.append(f"{node}_start' XN ({node}; {_plain(start.x)})")
        if start.v:
            lines.append(f"{node}_speed' VN ({node}; {_plain(start.v)})")
    if network.parameters:
        lines += ["# DATA:", *(f"{name} = {_plain(value)}" for name, value in network.parameters.items())]
    return "\n".join(lines) + "\n"


def _machine_lines(element: Element, machine: MachineFile, folder: Path | None) -> list[str]:
    file = machine.file.resolve() if folder is None else Path(os.path.relpath(machine.file, folder))
    lines = ["", "[[machine]]", f"name = {_word(element.name)}", f"file = {_word(file.as_posix())}"]
    lines += [f"ports = {_words(machine.ports)}", f"nodes = {_words(element.nodes)}"]
    if machine.parameters:
        inside = ", ".join(f"{_key(name)} = {_value(value)}" for name, value in machine.parameters.items())
        lines.append(f"parameters = {{ {inside} }}")
    return lines


def code_of(kind: Kind) -> str:
    """The code of a kind in fragments: that of PRADIS, or its name in capitals."""
    return kind.code or kind.name.upper()


def _require_library(element: Element) -> None:
    if LIBRARY.get(element.kind.name) is not element.kind:
        raise WriteError(
            f"element '{element.name}' is a {element.kind.name} of Python, which has no text; write the others and add "
            "it again after reading"
        )


def _start_lines(start: Start) -> list[str]:
    return [f"{name} = {_value(value)}" for name, value in (("x", start.x), ("v", start.v)) if value]


def _word(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _words(texts: Iterable[str]) -> str:
    return f"[{', '.join(map(_word, texts))}]"


def _key(name: str) -> str:
    return name if name.isascii() else _word(name)


def _value(value: Scalar) -> str:
    return _word(value) if isinstance(value, str) else repr(float(value))


def _plain(value: Scalar | None) -> str:
    return value if isinstance(value, str) else repr(float(value or 0.0))
