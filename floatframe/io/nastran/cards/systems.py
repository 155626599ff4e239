"""Grid points, scalar points and coordinate systems of Nastran decks: GRID, GRDSET, SPOINT, CORD1R/C/S, CORD2R/C/S."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.errors import ReadError
from floatframe.io.import_log import ImportLog
from floatframe.io.nastran.cards.cards import BulkCard, NastranDeck

_DEEPEST = 100  # systems defined in systems
# cards that name scalar points, and those that name points of any kind
_POINTS_ONLY = tuple(f"{name}{k}" for name in ("CELAS", "CDAMP", "CMASS") for k in (3, 4))
_ANY_POINTS = tuple(f"{name}{k}" for name in ("CELAS", "CDAMP", "CMASS") for k in (1, 2))


@dataclass(frozen=True)
class System:
    """A system: "R" rectangular, "C" cylindrical (R, θ, z), "S" spherical (R, θ from z, φ); columns of axes (3, 3)."""

    kind: str = "R"
    origin: Array = field(default_factory=lambda: np.zeros(3))
    axes: Array = field(default_factory=lambda: np.eye(3))

    def places(self, coordinates: Array) -> Array:
        """Return places (n, 3) in basic axes of coordinates (n, 3), angles in degrees."""
        a, b, c = coordinates.T
        if self.kind == "C":
            angle = np.radians(b)
            coordinates = np.stack([a * np.cos(angle), a * np.sin(angle), c], axis=1)
        elif self.kind == "S":
            theta, phi = np.radians(b), np.radians(c)
            flat = a * np.sin(theta)
            coordinates = np.stack([flat * np.cos(phi), flat * np.sin(phi), a * np.cos(theta)], axis=1)
        return self.origin + coordinates @ self.axes.T

    def axes_at(self, place: Array) -> Array:
        """Return the directions (3, 3), as columns, of displacements measured in this system at a place."""
        if self.kind == "R":
            return self.axes
        x, y, z = self.axes.T @ (place - self.origin)
        flat = float(np.hypot(x, y))
        # on the axis the first direction is that of zero angle
        c, s = (x / flat, y / flat) if flat > 0.0 else (1.0, 0.0)
        if self.kind == "C":
            return self.axes @ np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        radius = float(np.hypot(flat, z))
        sin, cos = (flat / radius, z / radius) if radius > 0.0 else (0.0, 1.0)
        return self.axes @ np.array([[sin * c, cos * c, -s], [sin * s, cos * s, c], [cos, -sin, 0.0]])


class Grids:
    """All grid points: ids (n,) rising, places xyz (n, 3), displacement systems cd (n,), permanent supports."""

    def __init__(self, deck: NastranDeck, log: ImportLog) -> None:
        self.log = log
        self._definitions = _definitions(deck)
        self._systems: dict[int, System] = {0: System()}
        default = next(deck.of("GRDSET"), BulkCard("GRDSET", ("GRDSET",), 0, deck.path))
        cp0, cd0, ps0 = default.integer(2, 0), default.integer(6, 0), default.text(7)
        self.cards = deck.by_number("GRID")
        self._default_cp = cp0
        count = len(self.cards)
        self.ids: IntArray = np.fromiter(sorted(self.cards), dtype=np.int64, count=count)
        cards = [self.cards[number] for number in self.ids.tolist()]
        raw = np.array([[card.real(k, 0.0) for k in (3, 4, 5)] for card in cards], dtype=float).reshape(-1, 3)
        cp = np.array([card.integer(2, cp0) for card in cards], dtype=np.int64)
        self.cd: IntArray = np.array([card.integer(6, cd0) for card in cards], dtype=np.int64)
        self.held = [(card, card.text(7) or ps0) for card in cards if card.text(7) or ps0]
        self.xyz: Array = np.empty((count, 3))
        for number in np.unique(cp).tolist():
            rows = np.flatnonzero(cp == number)
            self.xyz[rows] = self.system(number, cards[int(rows[0])]).places(raw[rows])
        self._add_scalars(deck)
        log.took("GRID", count)
        for card in deck.of("CORD1R", "CORD1C", "CORD1S", "CORD2R", "CORD2C", "CORD2S", "GRDSET"):
            log.took(card.name)

    def _add_scalars(self, deck: NastranDeck) -> None:
        """Take the scalar points that elements and constraints name; they stand in the middle of the model."""
        declared = _Ranges(deck)
        named = {number for card in deck.of(*_POINTS_ONLY) for number in _numbers(card, (3, 4))}
        either = {number for card in deck.of(*_ANY_POINTS) for number in _numbers(card, (3, 5))}
        for card in deck.of("MPC"):
            either.update(_numbers(card, [k for k in range(2, len(card.fields)) if k % 8 in (2, 5)]))
        if deck.chosen:
            for card in deck.of("DMIG"):
                either.update(_numbers(card, [k for k in range(2, len(card.fields)) if k == 2 or k % 4 == 1]))
        named |= {number for number in either if number in declared}
        self.scalars = frozenset(named) - set(self.cards)
        if self.scalars:
            new = np.array(sorted(self.scalars), dtype=np.int64)
            middle = self.xyz.mean(axis=0) if len(self.xyz) else np.zeros(3)
            ids = np.concatenate([self.ids, new])
            order = np.argsort(ids)
            self.ids = ids[order]
            self.xyz = np.concatenate([self.xyz, np.tile(middle, (new.size, 1))])[order]
            self.cd = np.concatenate([self.cd, np.zeros(new.size, np.int64)])[order]
            self.log.took("SPOINT", new.size)

    def rows(self, numbers: IntArray, card: BulkCard) -> IntArray:
        """Return the rows of node numbers that a card names."""
        rows = np.searchsorted(self.ids, numbers)
        rows[rows == self.ids.size] = 0
        unknown = self.ids[rows] != numbers if self.ids.size else np.ones(numbers.shape, dtype=bool)
        if unknown.any():
            raise card.error(f"{card.name} {card.text(1)} names grid {numbers[unknown][0]}, which is not defined.")
        return rows

    def place(self, number: int, card: BulkCard) -> Array:
        return np.asarray(self.xyz[self.rows(np.array([number]), card)[0]])

    def axes(self, number: int, card: BulkCard) -> Array:
        """Return the directions (3, 3), as columns, of the displacements of a node."""
        row = int(self.rows(np.array([number]), card)[0])
        # scalar-like systems of -1 (fluid points) never get here: such grids have no elements
        return self.system(int(self.cd[row]), card).axes_at(self.xyz[row])

    def system(self, number: int, card: BulkCard, depth: int = 0) -> System:
        """Return a coordinate system a card refers to."""
        if number not in self._systems:
            if number not in self._definitions:
                raise card.error(f"{card.name} names coordinate system {number}, which is not defined.")
            if depth > _DEEPEST:
                raise card.error(f"coordinate system {number} is defined by itself in a circle.")
            self._systems[number] = self._made(number, *self._definitions[number], depth)
        return self._systems[number]

    def _made(self, number: int, card: BulkCard, first: int, depth: int) -> System:
        if card.name[4] == "2":
            points = np.array([[card.real(k + j, 0.0) for j in range(3)] for k in (3, 6, 9)])
            points = self.system(card.integer(2, 0), card, depth + 1).places(points)
        else:
            points = np.stack([self._single(card.number(first + k), card, depth + 1) for k in (1, 2, 3)])
        origin, on_z, in_plane = points
        z = on_z - origin
        y = np.cross(z, in_plane - origin)
        sizes = np.sqrt((z @ z, y @ y))
        if not (sizes[0] > 0 and sizes[1] > 1e-9 * sizes[0] * np.sqrt(((in_plane - origin) ** 2).sum())):
            raise card.error(f"the three points of coordinate system {number} lie on one line.")
        z, y = z / sizes[0], y / sizes[1]
        return System(card.name[5], origin, np.stack([np.cross(y, z), y, z], axis=1))

    def _single(self, number: int, card: BulkCard, depth: int) -> Array:
        """Return the place of one grid while places are still being found."""
        grid = self.cards.get(number)
        if grid is None:
            raise card.error(f"{card.name} names grid {number}, which is not defined.")
        raw = np.array([[grid.real(k, 0.0) for k in (3, 4, 5)]])
        return np.asarray(self.system(grid.integer(2, self._default_cp), grid, depth).places(raw)[0])


class _Ranges:
    """The numbers that SPOINT cards list, without writing out their ranges."""

    def __init__(self, deck: NastranDeck) -> None:
        self._spans: list[tuple[int, int]] = []
        for card in deck.of("SPOINT"):
            words = [word for word in card.fields[1:] if word]
            if len(words) == 3 and words[1] == "THRU":
                self._spans.append((card.whole(words[0]), card.whole(words[2])))
            else:
                self._spans += [(card.whole(word), card.whole(word)) for word in words]

    def __contains__(self, number: int) -> bool:
        return any(first <= number <= last for first, last in self._spans)


def _numbers(card: BulkCard, fields: Sequence[int]) -> Iterator[int]:
    """Yield the positive whole numbers in some fields."""
    for k in fields:
        word = card.text(k)
        if word.isdecimal() and len(word) < 13 and int(word):
            yield int(word)


def _definitions(deck: NastranDeck) -> dict[int, tuple[BulkCard, int]]:
    """Return for every system its card and the field with its number: CORD1 cards may hold two."""
    found: dict[int, tuple[BulkCard, int]] = {}

    def add(card: BulkCard, k: int) -> None:
        number = card.number(k)
        other = found.setdefault(number, (card, k))[0]
        if other is not card and not other.equals(card):
            raise _twice(card, number, other)

    for card in deck.of("CORD2R", "CORD2C", "CORD2S"):
        add(card, 1)
    for card in deck.of("CORD1R", "CORD1C", "CORD1S"):
        add(card, 1)
        if card.text(5):
            add(card, 5)
    return found


def _twice(card: BulkCard, number: int, other: BulkCard) -> ReadError:
    return card.error(f"coordinate system {number} was defined differently in line {other.line}.")
