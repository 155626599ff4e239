"""What users write: elements between nodes, with numbers and inputs that may be expressions."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from floatframe.errors import ModelError, Where
from floatframe.expressions import Expression, Mistakes, Scalar, Scope, parse, resolved_parameters
from floatframe.network.laws import DOMAINS, LIBRARY, Kind
from floatframe.wording import did_you_mean

GROUND = "ground"
# names of a displacement and of a velocity of nodes: angle, pressure …
X_NAMES = dict.fromkeys(("x", *filter(None, (domain.levels[0] for domain in DOMAINS.values()))), "x")
V_NAMES = dict.fromkeys(("v", *(domain.levels[1] for domain in DOMAINS.values())), "v")
_NAME = re.compile(r"\w+(?:[.\-]\w+)*")


@dataclass(frozen=True)
class Element:
    """An element: its kind, the nodes that its terminals join, and its numbers and inputs as they were given."""

    name: str
    kind: Kind
    nodes: tuple[str, ...]
    values: Mapping[str, Scalar] = field(default_factory=dict)

    @property
    def where(self) -> Where:
        """The place of its mistakes."""
        return Where.of("element", self.name, self.kind.name)


@dataclass(frozen=True)
class Start:
    """Start of a node: displacement and velocity of its potential; a voltage or temperature is a velocity."""

    x: Scalar = 0.0
    v: Scalar = 0.0


@dataclass(frozen=True)
class MachineFile:
    """Where an element that is a machine was read from: its model file, ports, and other values for its parameters."""

    file: Path
    ports: tuple[str, ...]
    parameters: Mapping[str, Scalar] = field(default_factory=dict)


class Structure:
    """Elements of any physics that join at nodes; nodes come into being where an element names them."""

    def __init__(
        self, name: str = "network", base: Sequence[str] = (GROUND,), parameters: Mapping[str, Scalar] | None = None
    ) -> None:
        self.name = name
        if isinstance(base, str):
            raise ModelError(f"network '{name}': base is '{base}', expected a list of nodes such as ['earth']")
        self.base = tuple(dict.fromkeys((GROUND, *map(str, base))))  # nodes whose potential is zero
        self.parameters: dict[str, Scalar] = dict(parameters or {})
        self.elements: dict[str, Element] = {}
        self.starts: dict[str, Start] = {}
        self.machines: dict[str, MachineFile] = {}  # by the names of their elements
        self.text = ""  # of the file that it was read from

    def add(self, name: str, kind: str | Kind, nodes: Sequence[str | int] = (), **values: Scalar) -> Element:
        """Add an element; nodes in the order of the kind's terminals, values: its parameters and inputs.

        Terminals at the end that are optional may be left out; they are then at the ground.
        """
        where = Where.of("element", name, kind if isinstance(kind, str) else kind.name)
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise where.at("name").error("expected a name of letters, digits, '_', '-' and '.'")
        if name in self.elements:
            raise where.at("name").error("the name exists already; every element needs a name of its own")
        if isinstance(kind, str):
            if kind not in LIBRARY:
                raise where.at("kind").error(f"the kind does not exist{did_you_mean(kind, LIBRARY)}", missing=kind)
            kind = LIBRARY[kind]
        if kind.carried is not None:
            for other in self.elements.values():
                if other.kind is kind:
                    raise where.error(
                        f"its kind is that of '{other.name}'; every machine needs a machine_kind of its own"
                    )
        element = Element(name, kind, _terminals(where, kind, nodes), _values(where, kind, values))
        self.elements[name] = element
        return element

    def start(self, node: str | int, x: Scalar = 0.0, v: Scalar = 0.0, **named: Scalar) -> None:
        """Let a node begin with a displacement and a velocity of its potential.

        named: the same by the names of its physics: displacement, angle; voltage, pressure, temperature …
        """
        where, found = Where.of("node", str(node)), {"x": x, "v": v}
        domain = next(
            (
                terminal.domain
                for element in self.elements.values()
                for name, terminal in zip(element.nodes, element.kind.terminals, strict=True)
                if name == str(node)
            ),
            None,
        )
        for key, value in named.items():
            level = X_NAMES.get(key) or V_NAMES.get(key)
            if level is None:
                raise where.error(f"'{key}' is not a start{did_you_mean(key, (*X_NAMES, *V_NAMES))}", missing=key)
            if domain is not None and key not in domain.levels[:2]:
                expected = " or ".join(filter(None, domain.levels[:2]))
                raise where.at(key).error(f"the node is {domain.name} and has no {key}, expected {expected}")
            found[level] = value
        self.starts[str(node)] = Start(**found)

    @property
    def nodes(self) -> tuple[str, ...]:
        """Names of the nodes, in the order in which elements name them."""
        return tuple(dict.fromkeys(node for element in self.elements.values() for node in element.nodes))

    @property
    def where(self) -> Where:
        """The place of mistakes in its parameters."""
        return Where.of("network", self.name)

    def resolved(self, given: Mapping[str, Scalar]) -> dict[str, float]:
        """The values of its parameters; given: others in their place."""
        for name in given:
            if name not in self.parameters:
                near = did_you_mean(name, self.parameters)
                raise ModelError(f"parameter '{name}' does not exist in network '{self.name}'{near}", missing=name)
        mistakes, raw = Mistakes(), {**self.parameters, **given}
        if "t" in raw:
            raise self.where.at("parameters").key("t", "parameter 't'").error("t is the time; choose another name")
        plain = {name: value if isinstance(value, str) else float(value) for name, value in raw.items()}
        found = resolved_parameters(plain, Scope(), self.where, mistakes)
        if mistakes.found:
            raise mistakes.found[0]
        return found

    def __repr__(self) -> str:
        return f"{type(self).__name__}('{self.name}', {len(self.nodes)} nodes, {len(self.elements)} elements)"


def _terminals(where: Where, kind: Kind, nodes: Sequence[str | int]) -> tuple[str, ...]:
    """The nodes of all terminals."""
    if isinstance(nodes, str) or not isinstance(nodes, Sequence):
        raise where.at("nodes").error(f'found {nodes!r}, expected a list of nodes such as ["in", "out"]')
    given = [str(node) for node in nodes]
    least = sum(not terminal.optional for terminal in kind.terminals)
    if not least <= len(given) <= len(kind.terminals):
        names = ", ".join(terminal.name for terminal in kind.terminals) or "none"
        count = str(least) if least == len(kind.terminals) else f"{least} to {len(kind.terminals)}"
        raise where.at("nodes").error(f"found {len(given)} node{'s' * (len(given) != 1)}, expected {count}: {names}")
    for node in given:
        if not _NAME.fullmatch(node):
            raise where.at("nodes").error(f"node '{node}': expected a name of letters, digits, '_', '-' and '.'")
    return (*given, *(GROUND for _ in kind.terminals[len(given) :]))


def _values(where: Where, kind: Kind, values: Mapping[str, Any]) -> dict[str, Scalar]:
    """The given parameters and inputs, by the names that the kind has."""
    known = {one.name: one for one in kind.values}
    found: dict[str, Scalar] = {}
    for name, value in values.items():
        if name not in known:
            raise where.at(name).error(f"'{name}' does not exist{did_you_mean(name, known)}", missing=name)
        parse(value, where=where.key(name))
        found[name] = value if isinstance(value, str) else float(value)
    for name, one in known.items():
        if one.default is None and name not in found:
            unit = f" [{one.unit}]" if one.unit else ""
            raise where.error(f"'{name}' is missing: {one.meaning}{unit}")
    return found


def numbers_of(element: Element, scope: Scope) -> list[float]:
    """The values of an element's parameters, in the order of its kind."""
    found: dict[str, float] = {}
    for one in element.kind.parameters:
        where = element.where.key(one.name)
        number = scope.number(element.values.get(one.name, one.default or 0.0), where)
        unit = f" {one.unit}" if one.unit else ""
        if number <= one.above and math.isfinite(one.above):
            raise where.error(f"is {number:g}{unit}, must be above {one.above:g}")
        if number < one.least:
            raise where.error(f"is {number:g}{unit}, must be at least {one.least:g}")
        found[one.name] = number
    if wrong := element.kind.check(found):
        raise element.where.error(wrong)
    return list(found.values())


def inputs_of(element: Element, scope: Scope) -> list[Expression]:
    """The expressions of an element's inputs, parameters put in, in the order of its kind."""
    return [
        scope.expression(
            element.values.get(one.name, one.default or 0.0),
            element.where.key(one.name),
            frozenset({"t"}),
            sensors=True,
        )
        for one in element.kind.inputs
    ]


def unknown_start(name: str, known: Sequence[str], base: Sequence[str]) -> ModelError:
    """The error about a start of a node that does not exist, or whose potential is zero."""
    if name in base:
        return Where.of("node", name).error("the node is a base, whose potential is zero; leave out its start")
    return Where.of("node", name).error(f"the node does not exist{did_you_mean(name, known)}", missing=name)
