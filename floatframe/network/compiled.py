"""A network ready to be simulated: unknowns by number, elements in batches of one kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.expressions import Expression
from floatframe.network.closures import Function
from floatframe.network.description import Element, Structure
from floatframe.network.laws import LIBRARY, At, Domain, Internal, Kind, Out, empty_out

LEVELS = ("x", "v", "a")


@dataclass(frozen=True)
class Unknown:
    """A potential of a node, or an unknown of an element's own, whose value is its v."""

    name: str  # of the node; ELEMENT.current
    of: Domain | Internal
    x: float = 0.0  # at the start
    v: float = 0.0

    @property
    def names(self) -> tuple[str, str, str]:
        """What x, v and a are called in expressions and channels; empty where they have no name."""
        if isinstance(self.of, Domain):
            return tuple(f"{self.name}.{level}" if level else "" for level in self.of.levels)  # type: ignore[return-value]
        return "", self.name, f"{self.name}_rate"

    @property
    def units(self) -> tuple[str, str, str]:
        """Units of x, v and a."""
        return self.of.units if isinstance(self.of, Domain) else ("", self.of.unit, f"{self.of.unit}/s")


@dataclass(frozen=True, eq=False)
class Drive:
    """An input that changes: its number and element in a batch, its function and its slopes by unknowns."""

    element: int
    input: int
    expression: Expression
    function: Function
    slopes: tuple[tuple[int, int, Function], ...]  # level, unknown, derivative


@dataclass(frozen=True, eq=False)
class Batch:
    """All elements of one kind."""

    kind: Kind
    elements: tuple[Element, ...]
    dofs: IntArray  # (N, ne) unknowns of terminals and internals; that of the ground is the one after the last
    p: Array  # (number of parameters, ne)
    s: Array  # (number of inputs, ne), those that are constant
    drives: tuple[Drive, ...]

    def at(self, y: Array, t: float) -> At:
        """Where the law is evaluated for unknowns y (3, n + 1)."""
        s = self.s
        if self.drives:
            s = s.copy()
            for drive in self.drives:
                s[drive.input, drive.element] = drive.function(y, t)
        x, v, a = y[:, self.dofs]
        return At(x, v, a, t, self.p, s)

    def at_times(self, y: Array, t: Array) -> At:
        """As `at` for many times t (R,) with unknowns y (R, 3, n + 1): elements of the first time, then the next."""
        count = len(t)
        s = np.tile(self.s, (1, count)).reshape(len(self.s), count, len(self.elements))
        moving, times = y.transpose(1, 2, 0), cast(float, t)  # functions of numbers take arrays as well
        for drive in self.drives:
            s[drive.input, :, drive.element] = drive.function(moving, times)
        x, v, a = (y[:, level, self.dofs].transpose(1, 0, 2).reshape(len(self.dofs), -1) for level in range(3))
        times = cast(float, np.repeat(t, len(self.elements)))
        return At(x, v, a, times, np.tile(self.p, (1, count)), s.reshape(len(self.s), x.shape[1]))

    def flows(self, y: Array, t: Array) -> Array:
        """Flows (N, R, ne) of the elements at many times."""
        shape = len(self.dofs), len(t), len(self.elements)
        if LIBRARY.get(self.kind.name) is not self.kind:  # a user's law may want t to be one number
            return np.array([self.out(row, float(now)).F for row, now in zip(y, t, strict=True)]).transpose(1, 0, 2)
        out = empty_out(self.kind, shape[1] * shape[2])
        self.kind.law(self.at_times(y, t), out)
        return out.F.reshape(shape)

    def out(self, y: Array, t: float) -> Out:
        """Flows and Jacobians of the elements."""
        out = empty_out(self.kind, len(self.elements))
        self.kind.law(self.at(y, t), out)
        return out


@dataclass(frozen=True, eq=False, repr=False)
class CompiledNetwork:
    """The unknowns and elements of a network; never changed."""

    network: Structure
    parameters: Mapping[str, float]
    unknowns: tuple[Unknown, ...]
    batches: tuple[Batch, ...]
    node_dofs: Mapping[str, int]

    @property
    def n(self) -> int:
        """Number of unknowns."""
        return len(self.unknowns)

    @cached_property
    def small(self) -> Array:
        """What counts as nothing, for every unknown (n,)."""
        return np.array([unknown.of.small for unknown in self.unknowns])

    @cached_property
    def groups(self) -> IntArray:
        """Unknowns that are compared with each other (n,): those of one physics, and every internal one alone."""
        numbers: dict[str, int] = {}
        return np.array(
            [
                numbers.setdefault(one.of.name if isinstance(one.of, Domain) else f" {one.name}", len(numbers))
                for one in self.unknowns
            ],
            dtype=int,
        )

    @cached_property
    def start(self) -> Array:
        """Unknowns at the start (3, n + 1)."""
        y = np.zeros((3, self.n + 1))
        y[0, :-1] = [unknown.x for unknown in self.unknowns]
        y[1, :-1] = [unknown.v for unknown in self.unknowns]
        return y

    @cached_property
    def places(self) -> dict[str, tuple[int, int]]:
        """Level and number of what expressions may name: out.voltage, shaft.angle, motor.current, out.v."""
        return places_of(self.unknowns)

    def __repr__(self) -> str:
        count = sum(len(batch.elements) for batch in self.batches)
        return f"{type(self).__name__}('{self.network.name}', {self.n} unknowns, {count} elements)"


def places_of(unknowns: Sequence[Unknown]) -> dict[str, tuple[int, int]]:
    """Level and number of all names of unknowns."""
    found: dict[str, tuple[int, int]] = {}
    for number, unknown in enumerate(unknowns):
        for level, name in enumerate(unknown.names):
            if name:
                found[name] = level, number
        if isinstance(unknown.of, Domain):
            found |= {f"{unknown.name}.{letter}": (level, number) for level, letter in enumerate(LEVELS)}
    return found
