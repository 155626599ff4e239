"""From the description of a network to batches of elements: nodes get numbers and physics, expressions functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np

from floatframe.errors import ModelError, Where
from floatframe.expressions import Expression, Scalar, Scope
from floatframe.network.closures import TIME, function_of
from floatframe.network.compiled import Batch, CompiledNetwork, Drive, Unknown, places_of
from floatframe.network.description import Element, Structure, inputs_of, numbers_of, unknown_start
from floatframe.network.laws import Domain

Made = TypeVar("Made", bound=CompiledNetwork)


def compiled(network: Structure, parameters: Mapping[str, Scalar], make: type[Made]) -> Made:
    """Return a network ready to be simulated; parameters: other values for those of the network."""
    scope = Scope(network.resolved(parameters))
    if not network.elements:
        raise ModelError(f"network '{network.name}' has no elements; add some")
    physics = _physics(network)
    unknowns: list[Unknown] = []
    node_dofs: dict[str, int] = {}
    starts: dict[str, tuple[float, float]] = {}
    for name, start in network.starts.items():
        if name not in physics or name in network.base:
            raise unknown_start(name, [node for node in physics if node not in network.base], network.base)
        where = Where.of("node", name)
        starts[name] = scope.number(start.x, where.key("x")), scope.number(start.v, where.key("v"))
    for node, domain in physics.items():
        if node not in network.base:
            node_dofs[node] = len(unknowns)
            unknowns.append(Unknown(node, domain, *starts.get(node, (0.0, 0.0))))
    numbers = {name: numbers_of(element, scope) for name, element in network.elements.items()}
    internal: dict[str, list[int]] = {}
    for name, element in network.elements.items():
        internal[name] = list(range(len(unknowns), len(unknowns) + len(element.kind.internals)))
        values = dict(zip((one.name for one in element.kind.parameters), numbers[name], strict=True))
        unknowns += [
            Unknown(
                f"{name}.{one.name}",
                one,
                one.displacement,
                values[one.start] if isinstance(one.start, str) else one.start,
            )
            for one in element.kind.internals
        ]
    if not unknowns:
        raise ModelError(
            f"network '{network.name}' has nothing to find: all nodes of its elements are {' or '.join(network.base)}, "
            "whose potential is zero; join an element to another node"
        )
    ground, places = len(unknowns), places_of(unknowns)
    batches = []
    for kind in dict.fromkeys(element.kind for element in network.elements.values()):
        members = tuple(element for element in network.elements.values() if element.kind is kind)
        rows = [[node_dofs.get(node, ground) for node in one.nodes] + internal[one.name] for one in members]
        p = np.array([numbers[one.name] for one in members], dtype=float).reshape(len(members), -1).T
        s = np.zeros((len(kind.inputs), len(members)))
        drives: list[Drive] = []
        for k, element in enumerate(members):
            for number, expression in enumerate(inputs_of(element, scope)):
                if expression.is_constant:
                    s[number, k] = expression.evaluate()
                else:
                    require_unknowns(expression, places, network.elements)
                    drives.append(_drive(k, number, expression, places))
        dofs = np.array(rows, dtype=int).reshape(len(members), -1).T
        batches.append(Batch(kind, members, dofs, np.ascontiguousarray(p), s, tuple(drives)))
    return make(network, scope.parameters, tuple(unknowns), tuple(batches), node_dofs)


def _physics(network: Structure) -> dict[str, Domain]:
    """The physics of every node, which all its elements must share; the ground has none."""
    found: dict[str, tuple[Domain, Element]] = {}
    for element in network.elements.values():
        for node, terminal in zip(element.nodes, element.kind.terminals, strict=True):
            known, first = found.setdefault(node, (terminal.domain, element))
            if known is not terminal.domain and node not in network.base:
                raise element.where.at("nodes").error(
                    f"joins node '{node}' as {terminal.domain.name}, but {first.kind.name} '{first.name}' joins it as "
                    f"{known.name}; nodes of different physics need an element between them"
                )
    return {node: domain for node, (domain, _) in found.items()}


def require_unknowns(
    expression: Expression, places: Mapping[str, tuple[int, int]], elements: Mapping[str, Element]
) -> None:
    """Refuse flows, powers and results of machines, which only follow from unknowns, with a way to read them."""
    for name in sorted(expression.names - {TIME} - places.keys()):
        owner, _, what = name.rpartition(".")
        flows = {one.domain.flow for one in elements[owner].kind.terminals} if owner in elements else ()
        if flows and (what in flows or what == "power"):
            raise expression.problem(
                f"'{name}' in '{expression}' is a result, which inputs and events cannot read; they read potentials "
                "and the flows of sources: put a voltage_source, pressure_source, speed_source or temperature_source "
                "of 0 in series",
                missing=name,
            )
        for element in elements.values():
            seen = element.kind.observable.channels((name, owner)) if element.kind.observable is not None else ()
            if name in seen or owner in seen:
                raise expression.problem(
                    f"'{name}' in '{expression}' is a result of machine '{element.name}', which inputs and events "
                    "cannot read; make a joint or a spring a port and read its node, which nothing else has to join",
                    missing=name,
                )


def _drive(element: int, number: int, expression: Expression, places: Mapping[str, tuple[int, int]]) -> Drive:
    """The function of an input and its slopes."""
    function = function_of(expression, places)
    names: Sequence[str] = sorted(expression.names - {TIME})
    slopes = [(*places[name], function_of(expression.derivative(name), places)) for name in names]
    return Drive(element, number, expression, function, tuple(slopes))
