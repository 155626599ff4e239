"""*ORIENTATION of a deck: axes of materials, springs and couplings, everywhere the same or not.

Given by two points and an origin, by the numbers of such nodes, or element by element with *DISTRIBUTION. A second line
turns the axes about one of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy.spatial.transform import Rotation

from floatframe.arrays import Array, IntArray
from floatframe.io.abaqus.deck import Card, Place, axes_of
from floatframe.io.deck import NodeTable, parse_number


@dataclass
class Orientations:
    """Cards *ORIENTATION and *DISTRIBUTION by name; `axes` answers with the axes at some places."""

    cards: dict[str, tuple[Card, Place]] = field(default_factory=dict)
    distributions: dict[str, tuple[Card, Place]] = field(default_factory=dict)
    nodes: NodeTable | None = None

    def orientation(self, card: Card, place: Place) -> None:
        """*ORIENTATION."""
        self.cards[place.key(card.required("NAME"))] = (card, place)

    def distribution(self, card: Card, place: Place) -> None:
        """*DISTRIBUTION: values of elements."""
        self.distributions[place.key(card.required("NAME"))] = (card, place)

    def find(self, name: str, card: Card, place: Place) -> tuple[Card, Place]:
        """Return an *ORIENTATION by name and where it stands."""
        found = self.cards.get(place.key(name)) or self.cards.get(name.upper())
        if found is None:
            raise card.error(f"{card.name}: orientation '{name}' is unknown.")
        return found

    def axes(
        self, card: Card, place: Place, places: Array, elements: IntArray | None = None, name: str = ""
    ) -> Array | None:
        """Return rows x, y, z (n, 3, 3) of the orientation a card names at places (n, 3), None if it names none.

        elements (n,): numbers, for orientations that differ from element to element.
        """
        name = name or card.option("ORIENTATION")
        if not name:
            # a part that was turned takes the axes of its materials along
            return None if place.R is None else np.tile(place.R.T, (len(places), 1, 1))
        orientation, where = self.find(name, card, place)
        R = np.eye(3) if where.R is None else where.R
        shift = np.zeros(3) if where.shift is None else where.shift
        local = (places - shift) @ R
        found = self._local(orientation, where, local, elements) @ R.T
        return np.asarray(_turned(found, self._angles(orientation, where, len(places), elements)))

    def normal_axis(self, name: str, card: Card, place: Place) -> int | None:
        """Return which axis (0, 1, 2) the second line of an orientation names: for shells that across the wall."""
        lines = self.find(name, card, place)[0].fields()
        value = parse_number(lines[1][1][0]) if len(lines) > 1 and lines[1][1][0] else None
        return int(value) - 1 if value in (1.0, 2.0, 3.0) else None

    def _local(self, card: Card, place: Place, places: Array, elements: IntArray | None) -> Array:
        """Return axes (n, 3, 3) in the axes of the part."""
        system = "".join(card.option("SYSTEM").upper().split()) or "RECTANGULAR"
        points = self._points(card, place, len(places), elements)
        a, b, origin = points[:, 0], points[:, 1], points[:, 2]
        if system.startswith("R"):
            return _frames(card, a - origin, b - origin)
        if system.startswith("Z"):
            # the first point is on the z axis, the second in the x–z plane
            turned = _frames(card, a - origin, b - origin)
            return np.stack([turned[:, 1], -turned[:, 2], turned[:, 0]], axis=1)
        if system.startswith("C"):
            along, arm = b - a, places - a
        elif system.startswith("S"):
            # the radius is x, the circle round the line from the first point to the second y
            arm, along = places - a, b - a
            return _frames(card, arm, np.cross(along, arm))
        else:
            raise card.error(f"*ORIENTATION, SYSTEM={system} cannot be read; RECTANGULAR, CYLINDRICAL, SPHERICAL can.")
        # y of the axes that have the cylinder's axis for x and lie in the plane of the radius points outwards
        axes = _frames(card, along, arm)
        return np.stack([axes[:, 1], axes[:, 2], axes[:, 0]], axis=1)

    def _points(self, card: Card, place: Place, count: int, elements: IntArray | None) -> Array:
        """Return the three points (n, 3, 3) of an orientation."""
        lines = card.fields()
        words = lines[0][1] if lines else []
        definition = "".join(card.option("DEFINITION").upper().split())
        if definition == "OFFSETTONODES":
            raise card.error("*ORIENTATION, DEFINITION=OFFSET TO NODES cannot be read; give points (COORDINATES).")
        if definition == "NODES":
            numbers = [int(value) for value in card.numbers(words, lines[0][0]) if value] if lines else []
            known = self.nodes
            if known is None or any(number + place.nodes not in known for number in numbers) or len(numbers) < 2:
                raise card.error("*ORIENTATION, DEFINITION=NODES needs two or three nodes that are defined.")
            R = np.eye(3) if place.R is None else place.R
            shift = np.zeros(3) if place.shift is None else place.shift
            given = np.array([(known[number + place.nodes] - shift) @ R for number in numbers[:3]])
            points = np.zeros((3, 3))
            points[: len(given)] = given
            return np.tile(points, (count, 1, 1))
        if words and words[0] and parse_number(words[0]) is None:
            values = self.values(words[0], card, place, count, elements, 6)
            return np.concatenate([values, np.zeros((count, 3))], axis=1).reshape(count, 3, 3)
        coordinates = card.numbers(words, lines[0][0]) if lines else []
        return np.tile(np.array((coordinates + [0.0] * 9)[:9]).reshape(3, 3), (count, 1, 1))

    def _angles(self, card: Card, place: Place, count: int, elements: IntArray | None) -> tuple[int, Array]:
        """Return the axis (0, 1, 2) of the second line and the angles (n,) [degrees] about it."""
        lines = card.fields()
        if len(lines) < 2:
            return 0, np.zeros(count)
        line, words = lines[1]
        axis = card.numbers(words[:1], line)[0] or 1.0
        if axis not in (1, 2, 3):
            raise card.error(f"*ORIENTATION turns about axis {axis:g}; it must be 1, 2 or 3.")
        word = words[1] if len(words) > 1 else ""
        if word and parse_number(word) is None:
            return int(axis) - 1, self.values(word, card, place, count, elements, 1)[:, 0]
        return int(axis) - 1, np.full(count, card.numbers([word], line)[0])

    def values(self, name: str, card: Card, place: Place, count: int, elements: IntArray | None, width: int) -> Array:
        """Return the values (n, width) of a *DISTRIBUTION for elements (n,); a line without number is for the rest."""
        known = self.distributions.get(place.key(name)) or self.distributions.get(name.upper())
        if known is None:
            raise card.error(f"{card.name}: distribution '{name}' is unknown.")
        if elements is None:
            raise card.error(f"{card.name}: distribution '{name}' of elements cannot be used here.")
        distribution, where = known
        default = np.zeros(width)
        given: dict[int, list[float]] = {}
        for line, words in distribution.fields():
            values = (distribution.numbers(words[1:], line) + [0.0] * width)[:width]
            if words[0]:
                given[int(distribution.numbers(words[:1], line)[0]) + where.elements] = values
            else:
                default = np.array(values)
        return np.array([given.get(int(number), default) for number in elements]).reshape(count, width)


def _frames(card: Card, x: Array, in_plane: Array) -> Array:
    """Return rows x, y, z (n, 3, 3) of axes with these x directions (n, 3) and other vectors in the x–y planes."""
    z = np.cross(x, in_plane)
    sizes = np.sqrt((x**2).sum(axis=1)), np.sqrt((z**2).sum(axis=1))
    if not all(np.isfinite(size).all() and (size > 0).all() for size in sizes):
        bad = int(np.flatnonzero(~((sizes[0] > 0) & (sizes[1] > 0)))[0]) if len(x) else 0
        axes_of(card, x[bad], in_plane[bad])  # complains of the card
    x, z = x / sizes[0][:, None], z / sizes[1][:, None]
    return np.stack([x, np.cross(z, x), z], axis=1)


def _turned(axes: Array, turn: tuple[int, Array]) -> Array:
    axis, angle = turn
    if not angle.any():
        return axes
    rotation = Rotation.from_rotvec(np.radians(angle)[:, None] * np.eye(3)[axis]).as_matrix()
    return np.asarray(rotation.swapaxes(1, 2) @ axes)
