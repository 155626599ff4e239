"""Shapes of a body: an array, or a source that stays in its file until it is looked at."""

from __future__ import annotations

from typing import Any, Protocol, overload

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError


class ShapeSource(Protocol):
    """Shapes that stay in their file until they are needed."""

    @property
    def shape(self) -> tuple[int, ...]: ...

    def load(self) -> Array: ...


class Shapes:
    """The field `shapes`: an array, or a source that is loaded when it is first looked at."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = f"_{name}"

    @overload
    def __get__(self, body: None, owner: type) -> Shapes: ...
    @overload
    def __get__(self, body: object, owner: type) -> Array: ...
    def __get__(self, body: object | None, owner: type) -> Any:
        if body is None:
            raise AttributeError("shapes have no default")
        held = body.__dict__[self.name]
        if not isinstance(held, np.ndarray):
            held = held.load()
            require_finite(held, "shapes")
            body.__dict__[self.name] = held
        return held

    def __set__(self, body: object, value: Array | ShapeSource) -> None:
        body.__dict__[self.name] = value if hasattr(value, "load") else np.asarray(value, dtype=float)


def require_finite(values: Array, name: str) -> None:
    """Refuse numbers that are not finite."""
    # in pieces, so that a mapped array is not copied
    rows = values.T if values.flags.f_contiguous else values
    step = max(1, 2**22 // max(rows[:1].size, 1))
    if not all(np.isfinite(rows[k : k + step]).all() for k in range(0, len(rows), step)):
        raise ModelError(f"{name} hold numbers that are not finite.")
