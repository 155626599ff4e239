"""Where the laws of elements end: what must stay above zero in a run, such as the room of a cylinder's chambers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from floatframe.arrays import Array, IntArray
from floatframe.errors import ModelError
from floatframe.expressions import Expression, Name, parse
from floatframe.network.compiled import CompiledNetwork
from floatframe.network.description import Element
from floatframe.network.laws import Limit


@dataclass(frozen=True, eq=False)
class Bound:
    """A limit of an element; above_zero: an expression of unknowns."""

    element: Element
    limit: Limit
    above_zero: Expression
    parameters: Mapping[str, float]
    dofs: IntArray  # of the terminals

    def problem(self, y: Array) -> ModelError:
        """The error about a limit that unknowns y (3, n + 1) have reached."""
        places = zip((one.name for one in self.element.kind.terminals), y[0, self.dofs].tolist(), strict=True)
        return self.element.where.error(self.limit.problem({**self.parameters, **dict(places)}))


def bounds_of(network: CompiledNetwork) -> list[Bound]:
    """The limits of all elements."""
    found = []
    for batch in network.batches:
        kind = batch.kind
        for k, element in enumerate(batch.elements if kind.limits else ()):
            parameters = {one.name: float(value) for one, value in zip(kind.parameters, batch.p[:, k], strict=True)}
            dofs = batch.dofs[: len(kind.terminals), k]
            places: dict[str, float | Expression] = {
                terminal.name: Expression(Name(f"{network.unknowns[dof].name}.x")) if dof < network.n else 0.0
                for terminal, dof in zip(kind.terminals, dofs, strict=True)
            }
            for limit in kind.limits:
                expression = parse(limit.above_zero, where=element.where).with_numbers(parameters).substitute(places)
                found.append(Bound(element, limit, expression, parameters, dofs))
    return found
