"""Nodes, elements, sets and surfaces of a deck, numbered over all instances of an assembly."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy.spatial.transform import Rotation

from floatframe.arrays import Array, IntArray
from floatframe.io.abaqus_deck import Card
from floatframe.io.abaqus_elements import ELEMENT_TYPES, ElementType, face_nodes, why_refused
from floatframe.io.import_log import ImportLog
from floatframe.io.text_numbers import BadNumber, Rows

_LARGEST = 2**53  # beyond it whole numbers in floating point are not exact
_MOST = 10**7  # members of one generated set


@dataclass(frozen=True)
class Place:
    """Where cards apply: an instance with its name, raised numbers and position; the deck itself has none of these."""

    name: str = ""
    nodes: int = 0  # added to node numbers
    elements: int = 0
    R: Array | None = None
    shift: Array | None = None

    def key(self, name: str) -> str:
        """Return the full name of a set, surface or orientation defined here."""
        return f"{self.name}.{name}".upper() if self.name else name.upper()


@dataclass(frozen=True)
class Group:
    """Elements of one *ELEMENT card: numbers (nel,), node numbers (nel, n), orientation nodes (nel,) or 0."""

    name: str
    type: ElementType
    ids: IntArray
    nodes: IntArray
    extra: IntArray
    card: Card


@dataclass
class Sets:
    """Named sets of numbers; names know no case but keep their spelling."""

    spelling: dict[str, str] = field(default_factory=dict)
    members: dict[str, list[IntArray]] = field(default_factory=dict)

    def add(self, key: str, name: str, ids: IntArray) -> None:
        self.spelling.setdefault(key, name)
        self.members.setdefault(key, []).append(ids)

    def get(self, key: str) -> IntArray:
        """Return the members in ascending order."""
        parts = self.members[key]
        if len(parts) > 1 or not (np.diff(parts[0]) > 0).all():
            parts[:] = [np.unique(np.concatenate(parts))]
        return parts[0]


class Mesh:
    """Collects the mesh of a deck card by card."""

    def __init__(self, log: ImportLog) -> None:
        self.log = log
        self.node_parts: list[tuple[IntArray, Array, Card]] = []
        self.groups: list[Group] = []
        self.node_sets, self.element_sets = Sets(), Sets()
        self.surfaces: dict[str, list[tuple[Card, Place]]] = {}
        self.places: dict[str, Place] = {}
        self.system: tuple[Array, Array] | None = None  # origin and rows of the axes of *SYSTEM

    # cards

    def node(self, card: Card, place: Place) -> None:
        """*NODE: number and up to three coordinates; what follows on a line (normals) is not needed."""
        rows = card.rows()
        if not len(rows):
            return
        if (rows.widths < 1).any():
            raise card.error("a line of *NODE is empty.")
        table = rows.table(max(4, int(rows.widths.max())))
        ids = _whole(card, table[:, 0], place.nodes)
        xyz = _from_curved(card, table[:, 1:4])
        if self.system is not None:
            xyz = self.system[0] + xyz @ self.system[1]
        if place.R is not None:
            xyz = xyz @ place.R.T
        if place.shift is not None:
            xyz = xyz + place.shift
        self.node_parts.append((ids, np.ascontiguousarray(xyz), card))
        self.log.took(card.name, len(ids))
        if card.option("NSET"):
            self.node_sets.add(place.key(card.option("NSET")), _named(place, card.option("NSET")), ids)

    def element(self, card: Card, place: Place) -> None:
        """*ELEMENT: number and nodes, over several lines if there are many."""
        name = card.required("TYPE").upper()
        if name.startswith("GAP"):
            self.log.skip(f"*ELEMENT {name}", "gaps act only in contact", line=card.line)
            if card.option("ELSET"):
                none = np.empty(0, np.int64)
                self.element_sets.add(place.key(card.option("ELSET")), _named(place, card.option("ELSET")), none)
            return
        if name not in ELEMENT_TYPES:
            raise card.error(why_refused(name))
        type = ELEMENT_TYPES[name]
        rows = card.rows()
        if not len(rows):
            return
        width = type.nnode + 1
        if type.extra and int(rows.offsets[1]) == width + 1:
            width += 1
        table = self._element_table(card, name, rows, width)
        count = len(table)
        ids = _whole(card, table[:, 0], place.elements)
        nodes = _whole(card, table[:, 1 : type.nnode + 1].ravel(), place.nodes).reshape(-1, type.nnode)
        extra = _whole(card, table[:, width - 1], place.nodes) if width > type.nnode + 1 else np.zeros(count, np.int64)
        self.groups.append(Group(name, type, ids, nodes, extra, card))
        self.log.took(f"*ELEMENT {name}", count)
        if type.remark:
            self.log.warn(f"{name} becomes {type.kind}: {type.remark}.")
        if card.option("ELSET"):
            self.element_sets.add(place.key(card.option("ELSET")), _named(place, card.option("ELSET")), ids)

    def _element_table(self, card: Card, name: str, rows: Rows, width: int) -> Array:
        """Return elements as rows (nel, width); each begins a line and may go on in the next ones."""
        longer = int(rows.widths[0])
        if longer > width and (rows.widths == longer).all():
            reason = f"elements of this type have {width - 1} nodes; further numbers on their lines are passed over"
            self.log.skip(f"*ELEMENT {name}", reason, physical=False, line=card.line, count=len(rows))
            return rows.values.reshape(-1, longer)[:, :width]
        if (rows.widths == width).all():
            return rows.values.reshape(-1, width)
        count, rest = divmod(rows.values.size, width)
        starts = np.arange(count + bool(rest)) * width
        aligned = np.isin(starts, rows.offsets)
        if rest or not aligned.all():
            k = int(np.flatnonzero(~aligned)[0]) - 1 if not aligned.all() else count
            line = int(np.searchsorted(rows.offsets, max(k, 0) * width, side="right")) - 1
            raise card.error(
                f"an element of type {name} has {width - 1} nodes; this one has another number of them.",
                card.row_line(min(max(line, 0), len(rows) - 1)),
            )
        return rows.values.reshape(-1, width)

    def set(self, card: Card, place: Place) -> None:
        """*NSET, *ELSET: numbers, names of other sets, or first, last and step."""
        of_nodes = card.key == "NSET"
        name = card.required(card.key)
        if of_nodes and card.option("ELSET"):
            wanted = self.elements(card.option("ELSET"), place, card, card.line)
            ids = self.nodes_of(wanted)
        else:
            inside = place
            if card.option("INSTANCE"):
                inside = self.place(card.option("INSTANCE"), card)
            ids = self._members(card, inside, of_nodes)
        sets = self.node_sets if of_nodes else self.element_sets
        sets.add(place.key(name), _named(place, name), ids)
        self.log.took(card.name)

    def _members(self, card: Card, place: Place, of_nodes: bool) -> IntArray:
        raised = place.nodes if of_nodes else place.elements
        try:
            rows = card.try_rows()
        except BadNumber:
            rows = None
        if rows is not None and "GENERATE" in card.options:
            table = rows.table(max(3, int(rows.widths.max(initial=3))))
            first = _whole(card, table[:, 0], 0)
            last = _whole(card, np.where(rows.widths < 2, first, table[:, 1]), 0)
            step = _whole(card, np.where(table[:, 2] == 0, 1, table[:, 2]), 0)
            if (last < first).any() or ((last - first) // step > _MOST).any():
                raise card.error(f"{card.name}, GENERATE needs a first number, a last one above it and a step.")
            spans = [np.arange(a, b + 1, s) for a, b, s in zip(first, last, step, strict=True)]
            return np.concatenate([np.empty(0, np.int64), *spans]) + raised
        if rows is not None:
            # an empty field is no member
            return _whole(card, rows.values[rows.values != 0], raised)
        pick = self.nodes if of_nodes else self.elements
        found = [pick(word, place, card, line) for line, words in card.fields() for word in words if word]
        return np.concatenate([np.empty(0, np.int64), *found])

    def surface(self, card: Card, place: Place) -> None:
        """*SURFACE: kept as it is until a coupling asks for its nodes."""
        self.surfaces.setdefault(place.key(card.required("NAME")), []).append((card, place))
        self.log.took(card.name)

    def set_system(self, card: Card, place: Place) -> None:
        """*SYSTEM: axes in which the following nodes are given."""
        values = [v for line, words in card.fields() for v in card.numbers(words, line)]
        if not values:
            self.system = None
            return
        values += [0.0] * (9 - len(values))
        a, b, c = (np.array(values[k : k + 3]) for k in (0, 3, 6))
        c = c if c.any() else a + np.cross([0.0, 0.0, 1.0], b - a)
        self.system = (a, axes_of(card, b - a, c - a))

    def new_place(self, card: Card) -> Place:
        """*INSTANCE: a place whose numbers clash with none before."""
        nodes = max((int(ids.max()) for ids, _, _ in self.node_parts if ids.size), default=0)
        elements = max((int(group.ids.max()) for group in self.groups if group.ids.size), default=0)
        place = instance_place(card, nodes, elements)
        if nodes:
            self.log.warn(
                f"instance '{place.name}': node numbers are raised by {nodes}, element numbers by {elements}."
            )
        self.places[place.name.upper()] = place
        self.log.took(card.name)
        return place

    # questions

    def place(self, name: str, card: Card) -> Place:
        """Return an instance by name."""
        if name.upper() not in self.places:
            known = ", ".join(place.name for place in self.places.values()) or "none"
            raise card.error(f"{card.name}: instance '{name}' is unknown; instances here: {known}.")
        return self.places[name.upper()]

    def nodes(self, word: str, place: Place, card: Card, line: int) -> IntArray:
        """Return the node numbers of a set name or a number, as written in a place."""
        return self._resolve(self.node_sets, word, place, card, line, of_nodes=True)

    def one_node(self, word: str, place: Place, card: Card) -> int:
        """Return the single node that a number or a set names."""
        found = self.nodes(word, place, card, card.line)
        if found.size != 1:
            raise card.error(f"{card.name}: '{word}' names {found.size} nodes; it must be one.")
        return int(found[0])

    def elements(self, word: str, place: Place, card: Card, line: int) -> IntArray:
        """Return the element numbers of a set name or a number, as written in a place."""
        return self._resolve(self.element_sets, word, place, card, line, of_nodes=False)

    def _resolve(self, sets: Sets, word: str, place: Place, card: Card, line: int, of_nodes: bool) -> IntArray:
        word = word.strip().strip('"')
        if word.isdigit() and len(word) < 16:
            return np.array([int(word) + (place.nodes if of_nodes else place.elements)])
        instance, dot, inner = word.partition(".")
        if dot and instance.upper() in self.places:
            return self._resolve(sets, inner, self.places[instance.upper()], card, line, of_nodes)
        for key in (place.key(word), word.upper()):
            if key in sets.members:
                return sets.get(key)
        what = "node" if of_nodes else "element"
        raise card.error(f"{card.name}: {what} set '{word}' is unknown.", line)

    def nodes_of(self, elements: IntArray) -> IntArray:
        """Return the nodes of some elements."""
        found = [group.nodes[np.isin(group.ids, elements)].ravel() for group in self.groups]
        return np.unique(np.concatenate([np.empty(0, np.int64), *found]))

    def surface_nodes(self, name: str, place: Place, card: Card) -> IntArray:
        """Return the nodes of a surface."""
        instance, dot, inner = name.partition(".")
        keys = [place.key(name), name.upper()]
        if dot and instance.upper() in self.places:
            keys.append(self.places[instance.upper()].key(inner))
        parts = next((self.surfaces[key] for key in keys if key in self.surfaces), None)
        if parts is None:
            raise card.error(f"{card.name}: surface '{name}' is unknown.")
        found = [np.empty(0, np.int64)]
        for surface, where in parts:
            for line, words in surface.fields():
                if surface.option("TYPE").upper() == "NODE":
                    found.append(self.nodes(words[0], where, surface, line))
                    continue
                chosen = self.elements(words[0], where, surface, line)
                face = words[1] if len(words) > 1 else ""
                for group in self.groups:
                    rows = np.isin(group.ids, chosen)
                    if rows.any():
                        nodes = face_nodes(group.type, group.nodes[rows], face)
                        if nodes is None:
                            raise surface.error(f"face '{face}' of element type {group.name} cannot be used.", line)
                        found.append(nodes)
        return np.unique(np.concatenate(found))

    def all_nodes(self) -> tuple[IntArray, Array]:
        """Return numbers and places of all nodes in ascending order; a node given twice must be in one place."""
        if not self.node_parts:
            raise self.log.error("there are no nodes (*NODE) in the deck.")
        if len(self.node_parts) == 1:
            ids, xyz = self.node_parts[0][:2]
        else:
            ids = np.concatenate([part[0] for part in self.node_parts])
            xyz = np.concatenate([part[1] for part in self.node_parts])
        if (np.diff(ids) > 0).all():
            return ids, xyz
        order = np.argsort(ids, kind="stable")
        ids, xyz = ids[order], xyz[order]
        twice = np.flatnonzero(ids[1:] == ids[:-1])
        if twice.size:
            moved = twice[(xyz[twice] != xyz[twice + 1]).any(axis=1)]
            if moved.size:
                number = int(ids[moved[0]])
                card, row = self._definition(number)
                raise card.error(f"node {number} is defined twice, at different places.", card.row_line(row))
            self.log.warn(f"{twice.size} nodes are defined twice at the same place, first node {ids[twice[0]]}.")
        last = np.append(ids[1:] != ids[:-1], True)
        return ids[last], xyz[last]

    def _definition(self, number: int) -> tuple[Card, int]:
        """Return card and row of the last definition of a node."""
        card, ids = next((c, ids) for ids, _, c in reversed(self.node_parts) if (ids == number).any())
        return card, int(np.flatnonzero(ids == number)[-1])


def axes_of(card: Card, x: Array, in_plane: Array) -> Array:
    """Return rows x, y, z of axes given by the x direction and another vector in the x–y plane."""
    z = np.cross(x, in_plane)
    size = np.sqrt(x @ x), np.sqrt(z @ z)
    if not min(size) > 0 or not np.isfinite(size).all():
        raise card.error(f"{card.name}: its points give no axes; they coincide or lie on one line.")
    x, z = x / size[0], z / size[1]
    return np.stack([x, np.cross(z, x), z])


def instance_place(card: Card, nodes: int, elements: int) -> Place:
    """Return the place of an *INSTANCE from its data lines: translation, then axis points and angle [degrees]."""
    lines = [card.numbers(words, line) for line, words in card.fields()]
    shift, R = np.zeros(3), np.eye(3)
    if lines:
        shift = np.array((lines[0] + [0.0] * 3)[:3])
    if len(lines) > 1:
        values = np.array((lines[1] + [0.0] * 7)[:7])
        origin, axis = values[:3], values[3:6] - values[:3]
        length = np.sqrt(axis @ axis)
        if length == 0.0:
            raise card.error("*INSTANCE: the axis of rotation has no length.")
        R = Rotation.from_rotvec(np.radians(values[6]) * axis / length).as_matrix()
        # moved first, then turned about the axis
        shift = origin + R @ (shift - origin)
    moved = not (np.array_equal(R, np.eye(3)) and not shift.any())
    return Place(card.required("NAME"), nodes, elements, R if moved else None, shift if moved else None)


def _named(place: Place, name: str) -> str:
    return f"{place.name}.{name}" if place.name else name


def _whole(card: Card, values: Array, raised: int) -> IntArray:
    """Return values as positive whole numbers, raised by the offset of an instance."""
    inside = values.size == 0 or (values.min() > 0 and values.max() < _LARGEST)
    numbers = values.astype(np.int64) if inside else np.zeros(values.shape, np.int64)
    wrong = numbers != values
    if wrong.any():
        bad = values[wrong][0]
        raise card.error(f"{card.name} holds the number {bad:.17g} where a whole number from 1 on is expected.")
    return numbers + raised if raised else numbers


def _from_curved(card: Card, xyz: Array) -> Array:
    """Return Cartesian coordinates of nodes given in *NODE, SYSTEM=C (r, angle, z) or S (r, angle, angle)."""
    system = card.option("SYSTEM").upper()[:1]
    if system in ("", "R"):
        return xyz
    r, theta, last = xyz[:, 0], np.radians(xyz[:, 1]), xyz[:, 2]
    if system == "C":
        return np.column_stack([r * np.cos(theta), r * np.sin(theta), last])
    if system == "S":
        rise = np.radians(last)
        return np.column_stack([r * np.cos(theta) * np.cos(rise), r * np.sin(theta) * np.cos(rise), r * np.sin(rise)])
    raise card.error(f"*NODE, SYSTEM={system} is unknown; expected R, C or S.")
