"""When inputs change their law by themselves, as pulses and square waves do: controlled steps end just before."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from floatframe.arrays import Array
from floatframe.expressions import Call, Expression, Node, fold, switching_times
from floatframe.network.closures import TIME, Function, function_of
from floatframe.network.compiled import CompiledNetwork
from floatframe.network.kernels import HALVES, LOOKS, ROUNDING

_COMPARED = ("<", "<=", ">", ">=", "==", "!=")
_STAIRS = ("sign", "floor", "ceil")


class Switches:
    """The jumps of inputs that depend on time alone."""

    def __init__(self, network: CompiledNetwork) -> None:
        laws = dict.fromkeys(drive.expression for batch in network.batches for drive in batch.drives)
        self.times = np.array(sorted({t for law in laws for t in switching_times(law, {})}))
        self.stairs = tuple(dict.fromkeys(stair for law in laws for stair in _stairs(law)))
        self._waves: list[Function] = [function_of(stair, {}) for stair in self.stairs]
        self._empty = np.zeros((3, 1))

    def within(self, after: float, end: float) -> tuple[float, float] | None:
        """The first jump later than `after` and before `end`: last time of what was, first time of what is then."""
        found: tuple[float, float] | None = None
        number = int(np.searchsorted(self.times, after, side="right"))
        if number < len(self.times) and self.times[number] < end:
            found = _around(float(self.times[number]))
        if self._waves:
            marks = np.linspace(after, end if found is None else found[0], LOOKS + 1)
            first = self._at(marks[0])
            for low, high in pairwise(marks):
                if high > low and (self._at(high) != first).any():
                    return self._jump(float(low), float(high), first)
        return found

    def _at(self, t: float) -> Array:
        return np.array([float(wave(self._empty, t)) for wave in self._waves])

    def _jump(self, low: float, high: float, first: Array) -> tuple[float, float]:
        for _ in range(HALVES):
            middle = 0.5 * (low + high)
            if not low < middle < high:
                break
            if (self._at(middle) == first).all():
                low = middle
            else:
                high = middle
        return low, high


def _around(t: float) -> tuple[float, float]:
    """A time just before one that a formula gave with its rounding, and one just after."""
    width = 8.0 * ROUNDING * abs(t)
    return t - width, t + width


def _stairs(law: Expression) -> Iterator[Expression]:
    """What jumps in an expression and depends on time alone, unless straight lines tell when."""
    found: list[Node] = []

    def look(node: Node, _: list[None]) -> None:
        if isinstance(node, Call) and Expression(node).names == {TIME}:
            if node.function in _COMPARED:
                if not _straight(Call("-", node.arguments)):
                    found.append(node)
            elif node.function == "mod":
                found.append(Call("floor", (Call("/", node.arguments),)))
            elif node.function in _STAIRS:
                found.append(node)

    fold(law.simplified().root, look)
    return map(Expression, found)


def _straight(gap: Node) -> bool:
    """Whether a gap is a straight line in t."""

    def steps(node: Node, inside: list[bool]) -> bool:
        return any(inside) or (isinstance(node, Call) and node.function in ("mod", *_STAIRS))

    return not fold(gap, steps) and Expression(gap).derivative(TIME).simplified().is_constant
