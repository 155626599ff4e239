"""A model flattened again at other values of its parameters: what uses none that changed is taken over as it is."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from floatframe.arrays import Array
from floatframe.expressions import NotingScope
from floatframe.hybrid.flat.parts import Part

Flat = TypeVar("Flat")
Coordinates = Mapping[str, tuple[str, ...]]  # of the joints, by name


@dataclass(frozen=True, eq=False)
class Made:
    """A flat item and what it was made from."""

    position: Array  # (3,) of the part it stands in
    rotation: Array  # (3, 3)
    values: Mapping[str, float]  # of the parameters it uses
    coordinates: Coordinates | None  # of all joints, if it may refer to them
    flat: Any

    def fits(self, part: Part, coordinates: Coordinates | None) -> bool:
        """Whether the same would come out in a part now."""
        now = part.scope.parameters
        return (
            all(_same(now[name], value) for name, value in self.values.items())
            and part.position.tobytes() == self.position.tobytes()
            and part.rotation.tobytes() == self.rotation.tobytes()
            and coordinates == self.coordinates
        )


@dataclass(frozen=True, eq=False)
class History:
    """What the items of a flat model were made from, and the description they were made of; for `Reuse` alone."""

    contents: tuple[Any, ...] = ()  # all items and tables of the parts, in their order
    made: Mapping[tuple[str, str], Made] = field(default_factory=dict)  # by path of the part and name of the item


class Reuse:
    """Makes flat items, or takes those of an earlier model over; keeps what they were made from."""

    def __init__(self, parts: Sequence[Part], earlier: History | None) -> None:
        self.contents = tuple(thing for part in parts for thing in (*part.assembly, *part.assembly.tables.values()))
        known = earlier is not None and _identical(earlier.contents, self.contents)
        self._earlier = earlier.made if earlier is not None and known else {}
        self._made: dict[tuple[str, str], Made] = {}

    def earlier(self, part: Part, name: str) -> Any:
        """The flat item of the earlier model, with its own numbers; None if there is none."""
        found = self._earlier.get((part.path, name))
        return None if found is None else found.flat

    def flat(self, part: Part, name: str, make: Callable[[Part], Flat], coordinates: Coordinates | None = None) -> Flat:
        """The flat form of an item of a part; coordinates: of all joints, if it may refer to them."""
        key = part.path, name
        made = self._earlier.get(key)
        if made is None or not made.fits(part, coordinates):
            noting = NotingScope(part.scope.parameters)
            flat = make(replace(part, scope=noting))
            values = {name: noting.parameters[name] for name in noting.used if name in noting.parameters}
            made = Made(part.position, part.rotation, values, coordinates, flat)
        self._made[key] = made
        return made.flat

    def history(self) -> History:
        """What the items were made from."""
        return History(self.contents, self._made)


def _identical(one: Sequence[Any], other: Sequence[Any]) -> bool:
    return len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True))


def _same(one: float, other: float) -> bool:
    """Whether two numbers have the same bits; zero has a sign."""
    return one == other and math.copysign(1.0, one) == math.copysign(1.0, other)
