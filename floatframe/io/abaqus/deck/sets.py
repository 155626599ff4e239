"""Names of a deck: sets of nodes and elements, surfaces, instances."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.io.abaqus.deck.deck import Card
from floatframe.io.abaqus.deck.elements import ElementType, all_faces, face_nodes
from floatframe.io.abaqus.deck.places import Place
from floatframe.io.deck import BadNumber
from floatframe.io.import_log import ImportLog

_LARGEST = 2**53  # beyond it whole numbers in floating point are not exact
_MOST = 10**7  # members of one generated set


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
    """Named sets of numbers; case does not count in names, but is kept. unsorted: sets in the order of the deck."""

    spelling: dict[str, str] = field(default_factory=dict)
    members: dict[str, list[IntArray]] = field(default_factory=dict)
    unsorted: set[str] = field(default_factory=set)

    def add(self, key: str, name: str, ids: IntArray) -> None:
        self.spelling.setdefault(key, name)
        self.members.setdefault(key, []).append(ids)

    def get(self, key: str) -> IntArray:
        """Return the members, each once: in ascending order unless the set is unsorted."""
        parts = self.members[key]
        if len(parts) > 1 or not (np.diff(parts[0]) > 0).all():
            joined = np.concatenate(parts)
            members, first = np.unique(joined, return_index=True)
            parts[:] = [joined[np.sort(first)] if key in self.unsorted else members]
        return parts[0]


class Names:
    """Collects sets, surfaces and instances card by card, and resolves names."""

    def __init__(self, log: ImportLog) -> None:
        self.log = log
        self.groups: list[Group] = []
        self.node_sets, self.element_sets = Sets(), Sets()
        self.surfaces: dict[str, list[tuple[Card, Place]]] = {}
        self.places: dict[str, Place] = {}
        self._shared: tuple[int, set[tuple[int, ...]]] | None = None  # faces inside, for so many groups

    # cards

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
        sets.add(place.key(name), place.named(name), ids)
        if "UNSORTED" in card.options:
            sets.unsorted.add(place.key(name))
        self.log.took(card.name)

    def _members(self, card: Card, place: Place, of_nodes: bool) -> IntArray:
        raised = place.nodes if of_nodes else place.elements
        try:
            rows = card.try_rows()
        except BadNumber:
            rows = None
        if rows is not None and "GENERATE" in card.options:
            table = rows.table(max(3, int(rows.widths.max(initial=3))))
            first = whole_numbers(card, table[:, 0], 0)
            last = whole_numbers(card, np.where(rows.widths < 2, first, table[:, 1]), 0)
            step = whole_numbers(card, np.where(table[:, 2] == 0, 1, table[:, 2]), 0)
            if (last < first).any() or ((last - first) // step > _MOST).any():
                raise card.error(f"{card.name}, GENERATE needs a first number, a last one above it and a step.")
            spans = [np.arange(a, b + 1, s) for a, b, s in zip(first, last, step, strict=True)]
            return np.concatenate([np.empty(0, np.int64), *spans]) + raised
        if rows is not None:
            # an empty field is not a member
            return whole_numbers(card, rows.values[rows.values != 0], raised)
        pick = self.nodes if of_nodes else self.elements
        found = [pick(word, place, card, line) for line, words in card.fields() for word in words if word]
        return np.concatenate([np.empty(0, np.int64), *found])

    def surface(self, card: Card, place: Place) -> None:
        """*SURFACE: kept as it is until a coupling needs its nodes."""
        self.surfaces.setdefault(place.key(card.required("NAME")), []).append((card, place))
        self.log.took(card.name)

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
        known = ", ".join(list(sets.spelling.values())[:20]) or "none"
        raise card.error(f"{card.name}: {what} set '{word}' is unknown; sets so far: {known}.", line)

    def nodes_of(self, elements: IntArray) -> IntArray:
        """Return the nodes of some elements."""
        found = [group.nodes[np.isin(group.ids, elements)].ravel() for group in self.groups]
        nodes = np.unique(np.concatenate([np.empty(0, np.int64), *found]))
        return nodes[nodes > 0]

    # surfaces

    def surface_nodes(self, name: str, place: Place, card: Card) -> IntArray:
        """Return the nodes of a surface."""
        return np.unique(
            np.concatenate([np.empty(0, np.int64), *(p.ravel() for p in self._surface(name, place, card))])
        )

    def surface_faces(self, name: str, place: Place, card: Card) -> list[IntArray]:
        """Return the faces (nface, k) of a surface, sorted by their number of nodes; the ninth of nine is left out.

        The edge of a shell represents its whole face.
        """
        by_size: dict[int, list[IntArray]] = {}
        for part in self._surface(name, place, card, whole=True):
            if part.ndim == 1:
                raise card.error(f"{card.name}: surface '{name}' is made of nodes; faces of elements are needed.")
            size = min(part.shape[1], 8)
            by_size.setdefault(size, []).append(part[:, :size])
        if not by_size:
            raise card.error(f"{card.name}: surface '{name}' is empty.")
        return [np.concatenate(parts) for _, parts in sorted(by_size.items())]

    def made_of_nodes(self, name: str, place: Place, card: Card) -> bool:
        """Whether a surface has nodes only."""
        parts = list(self._surface(name, place, card, whole=True))
        return bool(parts) and all(part.ndim == 1 for part in parts)

    def _surface(
        self, name: str, place: Place, card: Card, whole: bool = False, inside: tuple[str, ...] = ()
    ) -> Iterator[IntArray]:
        """Yield the parts of a surface, nodes (n,) or faces (nface, k); whole: faces of shells, not their edges."""
        name = name.strip('"')
        instance, dot, inner = name.partition(".")
        keys = [place.key(name), name.upper()]
        if dot and instance.upper() in self.places:
            keys.append(self.places[instance.upper()].key(inner))
        key = next((key for key in keys if key in self.surfaces), None)
        if key is None:
            raise card.error(f"{card.name}: surface '{name}' is unknown.")
        if key in inside:
            raise card.error(f"{card.name}: surface '{name}' is made of itself.")
        for surface, where in self.surfaces[key]:
            for line, words in surface.fields():
                kind = surface.option("TYPE").upper()
                if kind == "NODE":
                    yield self.nodes(words[0], where, surface, line)
                elif surface.option("COMBINE"):
                    for word in filter(None, words):
                        yield from self._surface(word, where, surface, whole, (*inside, key))
                elif kind not in ("", "ELEMENT"):
                    raise surface.error(f"*SURFACE, TYPE={kind} cannot be joined to anything here.", line)
                else:
                    yield from self._faces(surface, where, line, words, whole)

    def _faces(self, surface: Card, place: Place, line: int, words: list[str], whole: bool) -> Iterator[IntArray]:
        """Yield the faces that one line of *SURFACE names; without the name of a face all free ones."""
        chosen = self.elements(words[0], place, surface, line) if words[0] else None
        face = words[1].upper() if len(words) > 1 else ""
        for group in self.groups:
            rows = np.full(group.ids.size, True) if chosen is None else np.isin(group.ids, chosen)
            if not rows.any() or group.type.family in ("mass", "inertia", "spring", "dashpot", "coupling", "connector"):
                continue
            nodes = group.nodes[rows]
            if not face and group.type.family == "solid":
                yield from self._free_faces(group.type, nodes)
                continue
            of_edge = group.type.family == "shell" and face not in ("SPOS", "SNEG", "S1", "S2")
            found = face_nodes(group.type, nodes, "" if of_edge and whole else face)
            if found is None:
                raise surface.error(f"face '{face}' of element type {group.name} cannot be used.", line)
            yield found

    def _free_faces(self, type: ElementType, nodes: IntArray) -> Iterator[IntArray]:
        """Yield the faces of solids that no other solid has."""
        if self._shared is None or self._shared[0] != len(self.groups):
            keys: set[tuple[int, ...]] = set()
            twice: set[tuple[int, ...]] = set()
            for group in self.groups:
                if group.type.family == "solid":
                    for found in all_faces(group.type, group.nodes):
                        for key in _corner_keys(found):
                            (twice if key in keys else keys).add(key)
            self._shared = (len(self.groups), twice)
        for found in all_faces(type, nodes):
            free = [k for k, key in enumerate(_corner_keys(found)) if key not in self._shared[1]]
            if free:
                yield found[free]


def _corner_keys(faces: IntArray) -> list[tuple[int, ...]]:
    corners = faces[:, : 3 if faces.shape[1] in (3, 6) else 4]
    return list(map(tuple, np.sort(corners, axis=1).tolist()))


def whole_numbers(card: Card, values: Array, raised: int) -> IntArray:
    """Return values as positive whole numbers, raised by the offset of an instance."""
    inside = values.size == 0 or (values.min() > 0 and values.max() < _LARGEST)
    numbers = values.astype(np.int64) if inside else np.zeros(values.shape, np.int64)
    wrong = numbers != values
    if wrong.any():
        bad = values[wrong][0]
        raise card.error(f"{card.name} holds the number {bad:.17g} where a whole number from 1 on is expected.")
    return numbers + raised if raised else numbers
