"""What kernels compute with: numbers, records, arrays of them, tuples, and bundles of arrays from Python.

The kind of a value says which machine values it consists of. Arrays are contiguous, the last index fastest.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np

Machine = tuple[str, ...]  # LLVM types


class KernelError(TypeError):
    """A kernel says something that the translator does not know."""


@dataclass(frozen=True)
class Kind:
    """Base of all kinds."""

    @property
    def machine(self) -> Machine:
        """LLVM types of the machine values that a value of this kind consists of."""
        return ()


@dataclass(frozen=True)
class Number(Kind):
    """A number in a register."""

    name: str

    @property
    def machine(self) -> Machine:
        return (self.name,)


FLOAT, WHOLE, TRUTH = Number("double"), Number("i64"), Number("i1")
NOTHING = Kind()
_WIDTH = {TRUTH: 0, WHOLE: 1, FLOAT: 2}
_NUMBERS = {np.dtype(np.float64): FLOAT, np.dtype(np.int64): WHOLE}


@dataclass(frozen=True)
class Record(Kind):
    """The place of a record in memory."""

    dtype: np.dtype[Any]

    @property
    def machine(self) -> Machine:
        return ("ptr",)


@dataclass(frozen=True)
class Array(Kind):
    """The place of the first element, and those lengths that are not known beforehand."""

    dtype: np.dtype[Any]
    shape: tuple[int | None, ...]

    @property
    def machine(self) -> Machine:
        return ("ptr", *("i64" for length in self.shape if length is None))


@dataclass(frozen=True)
class Tuple(Kind):
    """Several values."""

    kinds: tuple[Kind, ...]

    @property
    def machine(self) -> Machine:
        return tuple(part for kind in self.kinds for part in kind.machine)


@dataclass(frozen=True)
class Bundle(Kind):
    """A named tuple of arrays and records from Python: the place of a list of their places and lengths.

    That list is kept for `lasting` ones, which are passed again and again.
    """

    name: str
    fields: tuple[tuple[str, Kind], ...]
    lasting: bool = True

    @cached_property
    def arrays(self) -> tuple[tuple[Any, int], ...]:
        """Dtype and number of dimensions of every field, None and 0 of records."""
        return tuple((one.dtype, len(one.shape)) if isinstance(one, Array) else (None, 0) for _, one in self.fields)

    @property
    def machine(self) -> Machine:
        return ("ptr",)


@dataclass(frozen=True, eq=False)
class Static(Kind):
    """Something of Python that is known when a kernel is translated: a function, a module."""

    thing: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Static) and other.thing is self.thing

    def __hash__(self) -> int:
        return id(self.thing)


@dataclass(frozen=True)
class Made:
    """A function as code: its name there, and the kind of what it returns."""

    name: str
    result: Kind


@dataclass(frozen=True)
class Value:
    """A value in a kernel: its kind, the operands it consists of, and itself where it is known beforehand."""

    kind: Kind
    parts: tuple[str, ...]
    known: Any = None


def element(dtype: np.dtype[Any]) -> Kind:
    """The kind of what lies in memory as a dtype."""
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return Array(base, tuple(shape))
    if dtype.names:
        return Record(dtype)
    if dtype not in _NUMBERS:
        raise KernelError(f"numbers of {dtype} are not known in kernels, only float64 and int64")
    return _NUMBERS[dtype]


def array(dtype: Any, ndim: int = 1) -> Array:
    """The kind of arrays of a dtype, of any lengths."""
    return Array(np.dtype(dtype), (None,) * ndim)


def bundle(cls: type, lasting: bool = True, **fields: Any) -> Bundle:
    """The kind of a named tuple whose fields are arrays of dtypes (one-dimensional) or have the kinds given."""
    names = cast(Any, cls)._fields
    if tuple(fields) != names:
        raise TypeError(f"{cls.__name__}: found the fields {tuple(fields)}, expected {names}")
    given = ((name, kind if isinstance(kind, Kind) else array(kind)) for name, kind in fields.items())
    return Bundle(cls.__name__, tuple(given), lasting)


def unified(a: Kind, b: Kind) -> Kind | None:
    """The kind that holds values of both kinds, None if there is none."""
    if a == b:
        return a
    if isinstance(a, Number) and isinstance(b, Number):
        return max(a, b, key=lambda kind: _WIDTH[kind])
    if isinstance(a, Tuple) and isinstance(b, Tuple) and len(a.kinds) == len(b.kinds):
        kinds = [unified(x, y) for x, y in zip(a.kinds, b.kinds, strict=True)]
        return None if None in kinds else Tuple(tuple(kind for kind in kinds if kind is not None))
    if isinstance(a, Array) and isinstance(b, Array) and a.dtype == b.dtype and len(a.shape) == len(b.shape):
        return replace(a, shape=tuple(x if x == y else None for x, y in zip(a.shape, b.shape, strict=True)))
    return None


def split(value: Value) -> list[Value]:
    """The values that a tuple consists of."""
    if not isinstance(value.kind, Tuple):
        raise KernelError("one value is used where a tuple is expected")
    values, first = [], 0
    for own in value.kind.kinds:
        last = first + len(own.machine)
        values.append(Value(own, value.parts[first:last]))
        first = last
    return values


def joined(values: list[Value]) -> Value:
    """A tuple of values."""
    kind = Tuple(tuple(value.kind for value in values))
    return Value(kind, tuple(part for value in values for part in value.parts))
