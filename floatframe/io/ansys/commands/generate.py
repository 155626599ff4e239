"""Commands that make nodes and elements from others: FILL, NGEN, NSYM, NSCALE, EGEN, ENGEN, ESYM, EINTF, NUMMRG …"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from scipy.spatial import cKDTree

from floatframe.arrays import Array, IntArray
from floatframe.io.ansys.apdl import (
    BEAM_REAL,
    BEAM_SECTION,
    PIPE_REAL,
    PIPE_SECTION,
    SHELL8,
    TET4,
    TET10,
    Command,
    Elements,
    Nodes,
)
from floatframe.io.ansys.commands.deck import Deck, Handler
from floatframe.io.ansys.commands.frames import active_system
from floatframe.io.ansys.commands.mesh import pattern, refuse_many

COINCIDENT = 1e-4  # within which nodes coincide if no other is given, as in ANSYS
_INCREMENTS = (0, 1, 2, 4, 3)  # places of MINC, TINC, RINC, CINC, SINC after IEINC, in the order of ATTRIBUTES


def _fill(deck: Deck, command: Command) -> None:
    """FILL,NODE1,NODE2,NFILL,NSTRT,NINC,ITIME,INC,SPACE: nodes between the last two or the named nodes."""
    text = deck.text
    first, second, count, start, step, times, jump = (text.integer(command.field(k)) for k in range(7))
    first, second = first or deck.last_nodes[0], second or deck.last_nodes[1]
    count = count or abs(second - first) - 1
    step = step or int((second - first) / (max(count, 0) + 1)) or 1
    start = start or first + step
    shares = _shares(max(count, 0) + 1, text.number(command.field(7)), deck)
    refuse_many(deck, count * max(1, times))
    system = active_system(deck)
    for turn in range(max(1, times)):
        shift = turn * (jump or 1)
        rows = [deck.nodes.row(number + shift) for number in (first, second)]
        if rows[0] is None or rows[1] is None:
            raise text.error(f"FILL runs from node {first + shift} to node {second + shift}, which do not both exist.")
        ends = np.hstack([system.coordinates(np.array([row[:3] for row in rows if row])), [r[3:] for r in rows if r]])
        for k in range(count):
            at = ends[0] + (ends[1] - ends[0]) * shares[k]
            deck.nodes.put(start + shift + k * step, (*system.place(*at[:3]).tolist(), *at[3:].tolist()))
    text.log.took("FILL")


def _shares(divisions: int, ratio: float, deck: Deck) -> Array:
    """Return ends (divisions,) of divisions of the unit length, the last `ratio` times as long as the first."""
    refuse_many(deck, divisions)
    ratio = ratio or 1.0
    if ratio < 0.0:
        raise deck.text.error(f"the spacing ratio {ratio:g} is negative.")
    grow = ratio ** (np.arange(divisions) / max(1, divisions - 1))
    return np.cumsum(grow) / grow.sum()


def _node_copies(deck: Deck, command: Command) -> None:
    """NGEN,ITIME,INC,NODE1,NODE2,NINC,DX,DY,DZ,SPACE: copies of nodes, shifted in the active system."""
    text = deck.text
    times, step = (text.integer(command.field(k)) for k in range(2))
    chosen = pattern(deck, command, 2, deck.node_numbers("ALL"))
    shift = np.array([text.number(command.field(k)) for k in (5, 6, 7)])
    refuse_many(deck, times * chosen.size)
    shares = _shares(max(1, times - 1), text.number(command.field(8)), deck) * (times - 1)
    system = active_system(deck)
    for number, row in deck.nodes.rows(chosen):
        if row is None:
            continue  # a pattern names numbers, those that do not exist are passed over
        start = system.coordinates(np.array([row[:3]]))[0]
        for k in range(1, times):
            place = system.place(*(start + shares[k - 1] * shift))
            deck.nodes.put(number + k * step, (*place.tolist(), *row[3:]))
    text.log.took("NGEN")


def _mirror(deck: Deck, command: Command) -> None:
    """NSYM,Ncomp,INC,NODE1,NODE2,NINC: mirrored copies of nodes in the active system."""
    axis = "XYZ".find(command.word(0) or "X")
    factors = np.where(np.arange(3) == axis, -1.0, 1.0)
    _placed_copies(
        deck, deck.text.integer(command.field(1)), pattern(deck, command, 2, deck.node_numbers("ALL")), factors
    )
    deck.text.log.took("NSYM")


def _scale(deck: Deck, command: Command) -> None:
    """NSCALE,INC,NODE1,NODE2,NINC,RX,RY,RZ: coordinates in the active system times factors."""
    text = deck.text
    factors = np.array([text.number(command.field(k)) if command.field(k) else 1.0 for k in (4, 5, 6)])
    _placed_copies(deck, text.integer(command.field(0)), pattern(deck, command, 1, deck.node_numbers("ALL")), factors)
    text.log.took("NSCALE")


def _placed_copies(deck: Deck, step: int, chosen: IntArray, factors: Array) -> None:
    system = active_system(deck)
    for number, row in deck.nodes.rows(chosen):
        if row is not None:
            place = system.place(*(factors * system.coordinates(np.array([row[:3]]))[0]))
            deck.nodes.change(number + step, (*place.tolist(), *row[3:]))


def _element_copies(deck: Deck, command: Command) -> None:
    """EGEN,ITIME,NINC,IEL1,IEL2,IEINC,MINC,TINC,RINC,CINC,SINC,DX,DY,DZ: elements of the next nodes."""
    _copies(deck, command, 0, None)


def _numbered_copies(deck: Deck, command: Command) -> None:
    """ENGEN,IINC,ITIME,NINC,IEL1,…: as EGEN, with numbers increased by IINC."""
    _copies(deck, command, 1, deck.text.integer(command.field(0)))


def _copies(deck: Deck, command: Command, at: int, number_step: int | None) -> None:
    text = deck.text
    times, step = (text.integer(command.field(at + k)) for k in range(2))
    numbers = _originals(deck, command, at + 2)
    more = [text.integer(command.field(at + 5 + place), "increment") for place in _INCREMENTS]
    shift = [text.number(command.field(at + k)) for k in (10, 11, 12)]
    refuse_many(deck, times * len(numbers))
    table = {
        int(number): (attributes, nodes)
        for part in deck.elements.merged()
        for number, attributes, nodes in zip(part.ids, part.attributes, part.nodes, strict=True)
    }
    for k in range(1, times):
        for number in numbers:
            if number not in table:
                raise text.error(f"{command.name} copies element {number}, which does not exist.")
            attributes, nodes = table[number]
            if any(command.fields[at + 10 : at + 13]):
                _missing_nodes(deck, nodes, k, step, np.array(shift))
            new = deck.elements.highest + 1 if number_step is None else number + k * number_step
            deck.elements.put(
                new,
                tuple(int(a) + k * m for a, m in zip(attributes, more, strict=True)),
                tuple(np.where(nodes, nodes + k * step, 0).tolist()),
            )
    text.log.took(command.name)


# places of the nodes of a mirrored element, by the number of nodes
_MIRRORED = {
    2: [1, 0],
    3: [1, 0, 2],
    4: [1, 0, 3, 2],
    8: [1, 0, 3, 2, 5, 4, 7, 6],
    20: [1, 0, 3, 2, 5, 4, 7, 6, 8, 11, 10, 9, 12, 15, 14, 13, 17, 16, 19, 18],
}
_MIRRORED_TET = {4: [1, 0, 2, 3], 10: [1, 0, 2, 3, 4, 6, 5, 8, 7, 9]}
_MIRRORED_LINE = {3: [1, 0, 2], 4: [1, 0, 2, 3]}
_MIRRORED_SHELL = {6: [1, 0, 2, 3, 5, 4], 8: [1, 0, 3, 2, 4, 7, 6, 5]}


def _mirrored_elements(deck: Deck, command: Command) -> None:
    """ESYM,--,NINC,IEL1,IEL2,IEINC: elements of other nodes, turned over; ENSYM,IINC,--,NINC,…: with their numbers."""
    text = deck.text
    numbered = command.name.startswith("EN")
    number_step = text.integer(command.field(0)) if numbered else None
    step = text.integer(command.field(2 if numbered else 1))
    numbers = set(_originals(deck, command, 3 if numbered else 2))
    rows = [
        (int(number), attributes, nodes)
        for part in deck.elements.merged()
        for number, attributes, nodes in zip(part.ids, part.attributes, part.nodes, strict=True)
        if int(number) in numbers
    ]
    for number, attributes, nodes in rows:
        kind = deck.types.get(int(attributes[1]))
        element = 0 if kind is None else kind.number
        used = len(np.trim_zeros(nodes, "b"))
        special = (
            (TET10 | TET4, _MIRRORED_TET),
            (SHELL8, _MIRRORED_SHELL),
            (BEAM_SECTION | BEAM_REAL | PIPE_REAL | PIPE_SECTION, _MIRRORED_LINE),
        )
        table = next((found for family, found in special if element in family), {})
        order = table.get(used) or _MIRRORED.get(used) or ([0] if used == 1 else None)
        if order is None:
            raise text.error(
                f"{command.name} mirrors element {number} with {used} nodes, whose order is not known; write the "
                "finished model with CDWRITE,DB."
            )
        turned = nodes[order]
        new = deck.elements.highest + 1 if number_step is None else number + number_step
        deck.elements.put(new, tuple(attributes.tolist()), tuple(np.where(turned, turned + step, 0).tolist()))
    text.log.took(command.name)


def _originals(deck: Deck, command: Command, at: int) -> list[int]:
    """Return the elements IEL1, IEL2, IEINC; a negative first counts back from the highest number."""
    text = deck.text
    word = command.word(at)
    if word in ("", "ALL") or word in deck.components:
        every = deck.element_rows()[0] if deck.element_pick is None else deck.element_pick
        return (deck.components[word][1] if word in deck.components else every).tolist()
    first, last, jump = (text.integer(command.field(at + k)) for k in range(3))
    if first < 0:
        return list(range(max(1, deck.elements.highest + first + 1), deck.elements.highest + 1))
    refuse_many(deck, last - first)
    known = set(deck.element_rows()[0].tolist())
    chosen = range(first, (last or first) + 1, max(1, abs(jump)))
    return [number for number in chosen if number in known or number == first]


def _missing_nodes(deck: Deck, nodes: IntArray, times: int, step: int, shift: Array) -> None:
    """Make the nodes that copies need, shifted in the active system."""
    system = active_system(deck)
    for node in nodes[nodes > 0].tolist():
        row = deck.nodes.row(node)
        if row is not None and deck.nodes.row(node + times * step) is None:
            start = system.coordinates(np.array([row[:3]]))[0]
            deck.nodes.put(node + times * step, (*system.place(*(start + times * shift)).tolist(), *row[3:]))


# nodes in one place


def coincident(deck: Deck, tolerance: float, chosen: IntArray) -> Iterator[IntArray]:
    """Yield groups of chosen nodes that lie within a distance of the lowest number of the group, in rising order."""
    nodes = deck.nodes.merged()
    rows = np.flatnonzero(np.isin(nodes.ids, chosen))
    places = nodes.xyz[rows]
    if rows.size < 2:
        return
    pairs = cKDTree(places).query_pairs(tolerance * (1.0 + 1e-9), output_type="ndarray")
    partners: dict[int, list[int]] = {}
    for a, b in np.sort(pairs, axis=1).tolist():
        partners.setdefault(a, []).append(b)
    taken: set[int] = set()
    for a in sorted(partners):
        others = [b for b in partners[a] if b not in taken]
        if a not in taken and others:
            taken.update(others)
            yield nodes.ids[rows[[a, *sorted(others)]]]


def _interface(deck: Deck, command: Command) -> None:
    """EINTF,TOLER: elements of two nodes each between selected nodes in one place."""
    text = deck.text
    if any(text.number(command.field(k)) for k in (4, 5, 6)):
        raise text.error("EINTF with offsets is not read; write the finished model with CDWRITE,DB.")
    pick = deck.node_numbers("ALL")
    for group in coincident(deck, text.number(command.field(0)) or COINCIDENT, pick):
        for other in group[1:].tolist():
            pair = (other, int(group[0])) if command.word(2) == "HIGH" else (int(group[0]), other)
            deck.elements.put(deck.elements.highest + 1, tuple(deck.attributes), pair)
    text.log.took("EINTF")


def _merge(deck: Deck, command: Command) -> None:
    """NUMMRG,NODE,TOLER: nodes in one place become the one with the lowest number, everywhere."""
    text = deck.text
    if command.word(0) not in ("NODE", "ALL"):
        return  # of the geometry
    same: dict[int, int] = {}
    for group in coincident(deck, text.number(command.field(1)) or COINCIDENT, deck.node_numbers("ALL")):
        same.update(dict.fromkeys(group[1:].tolist(), int(group[0])))
    if not same:
        return
    nodes = deck.nodes.merged()
    keep = ~np.isin(nodes.ids, list(same))
    deck.nodes.chunks = [Nodes(nodes.ids[keep], nodes.xyz[keep], None if nodes.angles is None else nodes.angles[keep])]
    _rename_nodes(deck, same)
    text.log.took("NUMMRG")


def _rename_nodes(deck: Deck, same: dict[int, int]) -> None:
    """Give nodes other numbers wherever they are named."""

    def renamed(numbers: IntArray) -> IntArray:
        return _renamed(numbers, same)

    deck.elements.chunks = [Elements(p.ids, p.attributes, renamed(p.nodes)) for p in deck.elements.merged()]
    deck.held = {(same.get(node, node), k): value for (node, k), value in deck.held.items()}
    deck.coupled = {key: [same.get(n, n) for n in members] for key, members in deck.coupled.items()}
    deck.equations = {
        key: ([(same.get(n, n), k, c) for n, k, c in terms], constant)
        for key, (terms, constant) in deck.equations.items()
    }
    deck.rigid = [(same.get(a, a), [same.get(n, n) for n in others], names) for a, others, names in deck.rigid]
    deck.averages = [
        replace(mean, node=same.get(mean.node, mean.node), others=[same.get(n, n) for n in mean.others])
        for mean in deck.averages
    ]
    deck.interfaces = [(np.unique(renamed(chosen)), *rest) for chosen, *rest in deck.interfaces]  # type: ignore[misc]
    deck.components = {
        name: (kind, np.unique(renamed(members)) if kind == "NODE" else members)
        for name, (kind, members) in deck.components.items()
    }
    deck.node_pick = None if deck.node_pick is None else np.unique(renamed(deck.node_pick))


def _compress(deck: Deck, command: Command) -> None:
    """NUMCMP,Label: numbers without gaps, of nodes and elements; properties must have such numbers already."""
    label = command.word(0)
    if label in ("NODE", "ALL"):
        nodes = deck.nodes.merged()
        same = {old: new for new, old in enumerate(np.sort(nodes.ids).tolist(), 1)}
        deck.nodes.chunks = [replace(nodes, ids=_renamed(nodes.ids, same))]
        _rename_nodes(deck, same)
        deck.last_nodes = tuple(same.get(n, n) for n in deck.last_nodes)  # type: ignore[assignment]
    if label in ("ELEM", "ALL"):
        ids, _ = deck.element_rows()
        same = {old: new for new, old in enumerate(np.sort(ids).tolist(), 1)}
        deck.elements.chunks = [replace(p, ids=_renamed(p.ids, same)) for p in deck.elements.merged()]
        deck.elements.highest = ids.size
        deck.components = {
            name: (kind, _renamed(members, same) if kind == "ELEM" else members)
            for name, (kind, members) in deck.components.items()
        }
        deck.interfaces = [(chosen, _renamed(ends, same), *rest) for chosen, ends, *rest in deck.interfaces]  # type: ignore[misc]
        deck.element_pick = None if deck.element_pick is None else _renamed(deck.element_pick, same)
    used = {
        "TYPE": sorted(deck.types),
        "MAT": sorted(deck.materials.properties),
        "REAL": sorted(deck.reals),
        "SECN": sorted(deck.sections),
    }
    for name, numbers in used.items() if deck.elements.merged() else ():
        if label in (name, "ALL") and numbers != list(range(1, len(numbers) + 1)):
            raise deck.text.error(f"NUMCMP,{label} renumbers {name} inside ANSYS, which is not read; leave it out.")


def _renamed(numbers: IntArray, same: dict[int, int]) -> IntArray:
    return np.array([same.get(n, n) for n in numbers.ravel().tolist()], dtype=np.int64).reshape(numbers.shape)


HANDLERS: dict[str, Handler] = {
    "FILL": _fill,
    "NGEN": _node_copies,
    "NSYM": _mirror,
    "NSCA": _scale,
    "EGEN": _element_copies,
    "ENGE": _numbered_copies,
    "ESYM": _mirrored_elements,
    "ENSY": _mirrored_elements,
    "EINT": _interface,
    "NUMM": _merge,
    "NUMC": _compress,
}
