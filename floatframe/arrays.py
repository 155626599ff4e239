"""Array aliases shared by all packages, the matrix of the cross product, and how values with arrays show themselves.

Shapes stand in comments and docstrings. The names of the aliases tell the reader what is inside; the type checker sees
any array, because NumPy's own annotations lose the number type in most expressions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array: TypeAlias = NDArray[Any]  # float64
IntArray: TypeAlias = NDArray[Any]  # int64
BoolArray: TypeAlias = NDArray[Any]
AnyArray: TypeAlias = NDArray[Any]
SparseMatrix: TypeAlias = Any  # scipy.sparse.csc_array, symmetric

_LONGEST = 400  # characters of a short repr
_SOME = 6  # values of an array, names of a mapping or items of a sequence that are shown one by one
_TEXT = 60  # characters of one field

Type = TypeVar("Type", bound=type)


def frozen(array: AnyArray) -> AnyArray:
    """Return the array itself, which nobody can write to from now on."""
    array.setflags(write=False)
    return array


def all_distinct(values: AnyArray) -> bool:
    """Whether no number occurs twice; `np.unique` would load masked arrays first, which takes longer than a body."""
    ordered = np.sort(values, axis=None)
    return bool((ordered[1:] != ordered[:-1]).all())


def skew(a: ArrayLike) -> Array:
    """Return the matrices S(a) (..., 3, 3) of the cross product, S(a) b = a × b, for vectors a (..., 3)."""
    x, y, z = np.moveaxis(np.asarray(a, dtype=float), -1, 0)
    S = np.zeros((*x.shape, 3, 3))
    S[..., 0, 1], S[..., 0, 2] = -z, y
    S[..., 1, 0], S[..., 1, 2] = z, -x
    S[..., 2, 0], S[..., 2, 1] = -y, x
    return S


def short_repr(cls: Type) -> Type:
    """Let the values of a dataclass that holds arrays show themselves in a few lines: shapes instead of numbers."""

    def shown(self: Any) -> str:
        values = [f"{field.name}={_shown(getattr(self, field.name))}" for field in fields(self) if field.repr]
        text = f"{type(self).__name__}({', '.join(values)})"
        return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 2]}…)"

    cls.__repr__ = shown  # type: ignore[assignment]
    return cls


def _shown(value: Any) -> str:
    """Return a value in a few characters: large ones by their kind and size."""
    if hasattr(value, "dtype") and hasattr(value, "shape"):
        few = value.ndim == 1 and value.size <= _SOME
        return f"[{', '.join(_shown(one) for one in value.tolist())}]" if few else f"{value.dtype} {value.shape}"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, Mapping):
        return f"{{{', '.join(map(str, value))}}}" if len(value) <= _SOME else f"{{{len(value)} entries}}"
    if isinstance(value, tuple | list):
        text = f"({', '.join(map(_shown, value))})" if len(value) <= _SOME else ""
        return text if text and len(text) <= _TEXT else f"({len(value)} items)"
    text = repr(value)
    return text if len(text) <= _TEXT else f"{text[: _TEXT - 1]}…"
