"""SymPy where it is used: its import, and numbers from its expressions."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from floatframe.arrays import Array
from floatframe.errors import MissingDependency, ModelError

Symbol: TypeAlias = Any  # of SymPy, which has no types of its own
Expr: TypeAlias = Any
Matrix: TypeAlias = Any


def sympy() -> Any:
    """The module SymPy, or a refusal with the line that installs it."""
    try:
        return importlib.import_module("sympy")
    except ImportError as error:
        raise MissingDependency(
            "equations: to derive equations from expressions needs SymPy; run: pip install 'floatframe[equations]'"
        ) from error


def time() -> Symbol:
    """The symbol of the time, t."""
    return sympy().Symbol("t")


def column(entries: Sequence[Expr]) -> Matrix:
    """A column of SymPy, also of no entries."""
    return sympy().Matrix(len(entries), 1, list(entries))


def gradient(expression: Expr, symbols: Sequence[Symbol]) -> Matrix:
    """Column of the derivatives of an expression."""
    return column([sympy().diff(expression, one) for one in symbols])


def rate(expressions: Matrix, motion: Mapping[Symbol, Expr]) -> Matrix:
    """Total derivative by time of a matrix of expressions; motion: the rate of every symbol that changes."""
    partial = expressions.diff(time())
    return sum((expressions.diff(symbol) * speed for symbol, speed in motion.items()), partial)


@dataclass(frozen=True)
class Numbers:
    """Numbers of a matrix of expressions.

    Parameters are the symbols that are neither coordinates nor speeds nor t.
    """

    expressions: Matrix
    coordinates: tuple[Symbol, ...]
    speeds: tuple[Symbol, ...]

    def __call__(self, q: ArrayLike, v: ArrayLike, t: float, parameters: Mapping[str, float]) -> Array:
        """The matrix at coordinates, speeds, time and values of the parameters by name."""
        lacking = sorted({str(one) for one in self._parameters} - parameters.keys())
        if lacking:
            raise ModelError(f"equations: {', '.join(lacking)} without a value; expected {lacking[0]}=… by name")
        values = [parameters[str(one)] for one in self._parameters]
        return np.array(self._compiled(np.asarray(q), np.asarray(v), t, *values), dtype=float)

    @cached_property
    def _parameters(self) -> list[Symbol]:
        other = self.expressions.free_symbols - {*self.coordinates, *self.speeds, time()}
        return sorted(other, key=str)

    @cached_property
    def _compiled(self) -> Callable[..., Any]:
        arguments = [list(self.coordinates), list(self.speeds), time(), *self._parameters]
        return sympy().lambdify(arguments, self.expressions, modules="numpy", cse=True)
