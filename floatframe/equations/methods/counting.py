"""Numbers that count the operations done with them, and small matrices of them.

Whole numbers 0, 1 and -1 stand for what is known beforehand to be that: nothing is counted where they come in. Sums,
quotients and roots of them are plain numbers too, and as well known.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from floatframe.arrays import AnyArray


class Tally:
    """How many operations were counted; kind: what the numbers are, float or a longer one such as np.longdouble."""

    def __init__(self, kind: Any = float) -> None:
        self.flops, self.kind = 0, kind

    def number(self, value: float) -> Counted | int:
        """A number whose operations are counted here; 0, 1 and -1 are known to be that."""
        return int(value) if value in (0.0, 1.0, -1.0) else Counted(self.kind(value), self)

    def variable(self, value: float) -> Counted:
        """The same of a number that is known only when it is used."""
        return Counted(self.kind(value), self)

    def array(self, values: Any) -> AnyArray:
        """An array of such numbers."""
        given = np.asarray(values, dtype=float)
        found = np.empty(given.shape, object)
        for place, value in np.ndenumerate(given):
            found[place] = self.number(value)
        return found


class Counted:
    """A number that counts what is done with it; changes of sign and comparisons are free."""

    __slots__ = ("tally", "value")

    def __init__(self, value: Any, tally: Tally) -> None:
        self.value, self.tally = value, tally

    def __repr__(self) -> str:
        return f"{self.value:g}"

    def __float__(self) -> float:
        return float(self.value)

    def _new(self, value: Any) -> Counted:
        self.tally.flops += 1
        return Counted(value, self.tally)

    def __gt__(self, other: float) -> bool:
        return bool(self.value > other)

    def __lt__(self, other: float) -> bool:
        return bool(self.value < other)

    def __neg__(self) -> Counted:
        return Counted(-self.value, self.tally)

    def __add__(self, other: Counted | float) -> Counted:
        if isinstance(other, int | float):
            return self if other == 0 else self._new(self.value + other)
        if not isinstance(other, Counted):
            return NotImplemented  # arrays take their numbers one by one
        return self._new(self.value + other.value)

    __radd__ = __add__

    def __sub__(self, other: Counted | float) -> Counted:
        return self + -other

    def __rsub__(self, other: float) -> Counted:
        return -self + other

    def __mul__(self, other: Counted | float) -> Counted | int:
        if isinstance(other, int | float):
            return 0 if other == 0 else self if other == 1 else -self if other == -1 else self._new(self.value * other)
        if not isinstance(other, Counted):
            return NotImplemented
        return self._new(self.value * other.value)

    __rmul__ = __mul__

    def __truediv__(self, other: Counted | float) -> Counted:
        if isinstance(other, int | float):
            return self if other == 1 else -self if other == -1 else self._new(self.value / other)
        return self._new(self.value / other.value)

    def __rtruediv__(self, other: float) -> Counted | int:
        return 0 if other == 0 else self._new(other / self.value)

    def sqrt(self) -> Counted:
        return self._new(np.sqrt(self.value))

    def cos(self) -> Counted:
        return self._new(np.cos(self.value))

    def sin(self) -> Counted:
        return self._new(np.sin(self.value))


def root(value: Counted | float) -> Counted | float:
    """The square root; that of a known number is known."""
    return math.sqrt(value) if isinstance(value, int | float) else value.sqrt()


def zeros(*shape: int) -> AnyArray:
    """Numbers known to be zero."""
    found = np.empty(shape, object)
    found.fill(0)
    return found


def eye(n: int) -> AnyArray:
    found = zeros(n, n)
    for k in range(n):
        found[k, k] = 1
    return found


def plain(values: Iterable[Any]) -> AnyArray:
    """The values of numbers as floats."""
    given = np.asarray(values, dtype=object)
    return np.array([float(value) for value in given.ravel()]).reshape(given.shape)


def cross(a: AnyArray, b: AnyArray) -> AnyArray:
    """a x b, vectors (3,) or columns (3, n)."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]], dtype=object)


def symmetric(n: int, entry: Any) -> AnyArray:
    """A symmetric matrix (n, n) of which only entry(i, j), j <= i, is computed."""
    found = np.empty((n, n), object)
    for i in range(n):
        for j in range(i + 1):
            found[i, j] = found[j, i] = entry(i, j)
    return found


def rotated(R: AnyArray, J: AnyArray) -> AnyArray:
    """R J R^T of a symmetric matrix (3, 3)."""
    half = R @ J
    return symmetric(3, lambda i, j: half[i] @ R[j])


def shifted_wrench(G: AnyArray, rho: AnyArray, wrench: AnyArray) -> AnyArray:
    """C^T times a wrench (6,) or wrenches (6, n): seen in the axes of the parent at its origin."""
    force, torque = G.T @ wrench[:3], G.T @ wrench[3:]
    return np.concatenate((force, torque + cross(rho, force)))


def shifted_twist(G: AnyArray, rho: AnyArray, twist: AnyArray) -> AnyArray:
    """C times a twist (6,) of the parent: seen in the axes of the body at its origin."""
    return np.concatenate((G @ (twist[:3] + cross(twist[3:], rho)), G @ twist[3:]))
