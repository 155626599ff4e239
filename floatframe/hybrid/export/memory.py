"""The workspace of kernels with formulas in place of numbers, and what changes in it while a branch is followed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from floatframe.arrays import AnyArray


class Cells:
    """One record of a workspace: its fields are values, or arrays of values."""

    def __init__(self, fields: np.dtype[Any]) -> None:
        for name in fields.names or ():
            setattr(self, name, filled(fields[name].shape) if fields[name].shape else 0.0)


def filled(shape: tuple[int, ...]) -> AnyArray:
    """An array of values, all zero."""
    array = np.empty(shape, object)
    array[...] = 0.0
    return array


def records(count: int, fields: np.dtype[Any]) -> list[Cells]:
    """Records of a workspace."""
    return [Cells(fields) for _ in range(count)]


class Memory:
    """Writes into cells and arrays, so that they can be taken back and two branches be made one."""

    def __init__(self) -> None:
        self._journals: list[list[tuple[Any, Any, Any]]] = []

    def store(self, container: Any, key: Any, value: Any) -> None:
        """Write a value to a field of a record or a place of an array."""
        if self._journals:
            self._journals[-1].append((container, key, _read(container, key)))
        if isinstance(container, Cells):
            setattr(container, key, value)
        else:
            container[key] = value

    def tried(self, run: Callable[[], Any]) -> tuple[Any, dict[Any, tuple[Any, Any, Any]]]:
        """What a branch returns and what it left in the memory, which is afterwards as it was."""
        self._journals.append([])
        try:
            result = run()
        finally:
            journal = self._journals.pop()
        left = {_place(container, key): (container, key, _read(container, key)) for container, key, _ in journal}
        for container, key, old in reversed(journal):
            if isinstance(container, Cells):
                setattr(container, key, old)
            else:
                container[key] = old
        return result, left

    def merge(self, one: dict[Any, Any], other: dict[Any, Any], choose: Callable[[Any, Any], Any]) -> None:
        """Write what either of two branches left, chosen value by value."""
        for place in dict.fromkeys((*one, *other)):
            container, key, _ = one.get(place) or other[place]
            now = _read(container, key)
            values = [left[place][2] if place in left else now for left in (one, other)]
            self.store(container, key, choose(*values))


def _read(container: Any, key: Any) -> Any:
    return getattr(container, key) if isinstance(container, Cells) else container[key]


def _place(container: Any, key: Any) -> Any:
    """A place in memory that is the same for all views of an array."""
    if isinstance(container, Cells):
        return id(container), key
    keys = key if isinstance(key, tuple) else (key,)
    start = container.__array_interface__["data"][0]
    return start + sum(k * stride for k, stride in zip(keys, container.strides, strict=True))
