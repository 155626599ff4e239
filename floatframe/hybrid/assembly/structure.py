"""Systems of one structure, whose tables differ in numbers alone: one workspace serves them all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from floatframe.arrays import AnyArray
from floatframe.hybrid.assembly.compiled_system import CompiledSystem

_SAME_TABLES = ("markers", "coordinates", "sensors", "states", "held", "begin", "table_begin")
# what workspaces, channels and integrators are made for; the other fields of force elements are numbers of their laws
_SAME_FIELDS = ("kind", "a", "b", "coordinate", "program", "static", "memory", "work", "user")


def same_structure(one: CompiledSystem, other: CompiledSystem) -> bool:
    """Whether systems differ at most in masses, gravity and the numbers of their forces; what is read of neither is.

    Functions of users and wheels on a track keep more than tables, and stages change them.
    """
    mine, theirs = one.index, other.index
    if one is other:
        return True
    return (
        mine.skeleton is not None
        and theirs.skeleton is not None
        and mine.skeleton.bones is theirs.skeleton.bones
        and not (mine.functions or theirs.functions or mine.wheels or theirs.wheels)
        and not (one.model.stages or other.model.stages)
        and one.row_numbers == other.row_numbers
        and (mine.room.work, mine.room.stack, mine.room.pool) == (theirs.room.work, theirs.room.stack, theirs.room.pool)
        and _same(mine.room.memory, theirs.room.memory)
        and all(_same(getattr(one.tables, name), getattr(other.tables, name)) for name in _SAME_TABLES)
        and len(one.tables.forces) == len(other.tables.forces)
        and all(_same(one.tables.forces[name], other.tables.forces[name]) for name in _SAME_FIELDS)
        and all(a is b or _same(a.com, b.com) for a, b in zip(one.model.bodies, other.model.bodies, strict=True))
    )


def _same(one: AnyArray, other: AnyArray) -> bool:
    return one is other or one.tobytes() == other.tobytes()


class Blank:
    """Arrays as they were before a run, and their contents to put back."""

    def __init__(self, arrays: Iterable[Any], fresh: Iterable[Any]) -> None:
        """fresh: arrays with the contents; records among the arrays say what a system is like, and stay."""
        self._pairs = [
            (_bytes(one), _bytes(other.copy()))
            for one, other in zip(arrays, fresh, strict=True)
            if isinstance(one, np.ndarray) and one.size
        ]

    def put_back(self) -> None:
        """Make all arrays as they were."""
        for place, content in self._pairs:
            place[:] = content


def _bytes(array: AnyArray) -> AnyArray:
    """The memory of a contiguous array; records are copied field by field otherwise."""
    return array.reshape(-1).view(np.uint8)
