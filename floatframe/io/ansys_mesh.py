"""Commands that make the mesh: N, NGEN, FILL, NROTAT, E, EN, EGEN, EMODIF, ET, KEYOP and the blocks."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import IntArray
from floatframe.io import ansys_blocks as blocks
from floatframe.io.ansys_deck import ATTRIBUTES, Deck, Handler, TypeData
from floatframe.io.ansys_elements import element_number
from floatframe.io.ansys_frames import active_system
from floatframe.io.ansys_systems import angles_of
from floatframe.io.ansys_text import Command

_MOST_GENERATED = 10_000_000  # nodes or elements one command may make


# nodes


def _node(deck: Deck, command: Command) -> None:
    """N,NODE,X,Y,Z,THXY,THYZ,THZX in the active system; N,R5.3,LOC|ANG,… of unblocked archives."""
    text = deck.text
    if command.word(0)[:2] in ("R5", "UN"):
        number = text.integer(command.field(2), "node number")
        if number < 1:
            return  # the end of a block
        values = [text.number(entry) for entry in command.fields[3:6]]
        values += [0.0] * (3 - len(values))
        earlier = deck.nodes.row(number) or (0.0,) * 6
        new = (*values, *earlier[3:]) if command.word(1) == "LOC" else (*earlier[:3], *values)
        deck.nodes.put(number, new)
        return
    number = text.integer(command.field(0), "node number") if command.field(0) else deck.nodes.highest + 1
    if number < 1:
        raise text.error(f"node number {number} is not positive.")
    values = [text.number(entry) for entry in command.fields[1:7]]
    values += [0.0] * (6 - len(values))
    place = active_system(deck).place(*values[:3])
    deck.nodes.put(number, (*place.tolist(), *values[3:]))
    text.log.took("N")


def _node_copies(deck: Deck, command: Command) -> None:
    """NGEN,ITIME,INC,NODE1,NODE2,NINC,DX,DY,DZ,SPACE: copies of nodes, shifted in the active system."""
    text = deck.text
    times, step = (text.integer(command.field(k)) for k in range(2))
    chosen = _pattern(deck, command, 2, deck.nodes.merged().ids if deck.node_pick is None else deck.node_pick)
    shift = np.array([text.number(command.field(k)) for k in (5, 6, 7)])
    if text.number(command.field(8)) not in (0.0, 1.0):
        raise text.error("NGEN with a spacing ratio is not understood; write the model with CDWRITE.")
    _refuse_many(deck, times * chosen.size)
    system = active_system(deck)
    for number in chosen.tolist():
        row = deck.nodes.row(number)
        if row is None:
            raise text.error(f"NGEN copies node {number}, which does not exist.")
        start = system.coordinates(np.array([row[:3]]))[0]
        for k in range(1, times):
            deck.nodes.put(number + k * step, (*system.place(*(start + k * shift)).tolist(), *row[3:]))
    text.log.took("NGEN")


def _fill(deck: Deck, command: Command) -> None:
    """FILL,NODE1,NODE2,NFILL,NSTRT,NINC: evenly spaced nodes between two."""
    text = deck.text
    first, second, count, start, step = (text.integer(command.field(k)) for k in range(5))
    if text.number(command.field(5)) > 1.0 or text.number(command.field(7)) not in (0.0, 1.0):
        raise text.error("FILL with repetitions or a spacing ratio is not understood; write the model with CDWRITE.")
    ends = [deck.nodes.row(number) for number in (first, second)]
    if ends[0] is None or ends[1] is None:
        raise text.error(f"FILL runs from node {first} to node {second}, which do not both exist.")
    count = count or abs(second - first) - 1
    step = step or int((second - first) / (count + 1)) or 1
    start = start or first + step
    _refuse_many(deck, count)
    system = active_system(deck)
    a, b = system.coordinates(np.array([ends[0][:3], ends[1][:3]]))
    for k in range(count):
        place = system.place(*(a + (b - a) * (k + 1) / (count + 1)))
        deck.nodes.put(start + k * step, (*place.tolist(), 0.0, 0.0, 0.0))
    text.log.took("FILL")


def _rotate_nodes(deck: Deck, command: Command) -> None:
    """NROTAT,NODE1,NODE2,NINC: turn nodal systems into the active system."""
    every = deck.nodes.merged().ids if deck.node_pick is None else deck.node_pick
    system = active_system(deck)
    for number in _pattern(deck, command, 0, every).tolist():
        row = deck.nodes.row(number)
        if row is None:
            raise deck.text.error(f"NROTAT names node {number}, which does not exist.")
        deck.nodes.put(number, (*row[:3], *angles_of(system.axes_at(np.array(row[:3])))))
    deck.text.log.took("NROTAT")


def _pattern(deck: Deck, command: Command, start: int, every: IntArray) -> IntArray:
    """Return the numbers of three fields first, last, step; ALL or nothing means `every`; a component its members."""
    text = deck.text
    word = command.word(start)
    if word in ("", "ALL"):
        return every
    if word in deck.components:
        return deck.components[word][1]
    first, last, step = (text.integer(command.field(start + k)) for k in range(3))
    last = last or first
    _refuse_many(deck, (last - first) / max(1, abs(step)))
    return np.arange(first, last + 1, max(1, abs(step)))


def _refuse_many(deck: Deck, count: float) -> None:
    if count > _MOST_GENERATED:
        raise deck.text.error(f"the command would make {count:.0f} nodes or elements; check its numbers.")


# elements


def _element_type(deck: Deck, command: Command) -> None:
    """ET,ITYPE,Ename,KOP1,…,KOP6,INOPR."""
    text = deck.text
    number = text.integer(command.field(0), "type number")
    keys = {k: text.integer(entry, "key option") for k, entry in enumerate(command.fields[2:8], start=1) if entry}
    deck.types[number] = TypeData(element_number(text, command.field(1)), keys)
    text.log.took("ET")


def _key_option(deck: Deck, command: Command) -> None:
    """KEYOP,ITYPE,KNUM,VALUE."""
    text = deck.text
    number, option, value = (text.integer(command.field(k), "key option") for k in range(3))
    if number not in deck.types:
        raise text.error(f"KEYOPT names element type {number}, which is not defined; ET must come first.")
    known = deck.types[number]
    deck.types[number] = TypeData(known.number, {**known.keys, option: value})


def _attribute(deck: Deck, command: Command) -> None:
    column = ATTRIBUTES[command.name[:4]]
    deck.attributes[column] = deck.text.integer(command.field(0), "attribute")


def _element(deck: Deck, command: Command) -> None:
    """E,I,J,…: the next element; EMORE adds nodes to it."""
    text = deck.text
    nodes = tuple(text.integer(entry, "node number") for entry in command.fields)
    deck.elements.put(deck.elements.highest + 1, tuple(deck.attributes), _trimmed(nodes))
    text.log.took("E")


def _more_nodes(deck: Deck, command: Command) -> None:
    if not deck.elements.single:
        raise deck.text.error("EMORE follows no element.")
    number, attributes, nodes = deck.elements.single[-1]
    more = tuple(deck.text.integer(entry, "node number") for entry in command.fields)
    padded = nodes + (0,) * (-len(nodes) % 8)
    deck.elements.single[-1] = (number, attributes, _trimmed(padded + more))


def _numbered_element(deck: Deck, command: Command) -> None:
    """EN,IEL,I,J,…"""
    text = deck.text
    if command.word(0)[:2] in ("R5", "UN"):
        if text.integer(command.field(2)) < 1:
            return  # the end of a block
        raise text.error("the archive is unblocked; write it with CDWRITE,DB and blocked format.")
    number, *nodes = (text.integer(entry, "number") for entry in command.fields)
    if number < 1:
        raise text.error(f"element number {number} is not positive.")
    deck.elements.put(number, tuple(deck.attributes), _trimmed(tuple(nodes)))
    text.log.took("EN")


def _trimmed(nodes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the nodes without zeros at the end, but at least one."""
    end = len(nodes)
    while end > 1 and nodes[end - 1] == 0:
        end -= 1
    return nodes[:end] or (0,)


def _element_copies(deck: Deck, command: Command) -> None:
    """EGEN,ITIME,NINC,IEL1,IEL2,IEINC: copies of elements with shifted node numbers."""
    text = deck.text
    times, step, first, last, jump = (text.integer(command.field(k)) for k in range(5))
    if any(command.fields[5:]):
        raise text.error("EGEN that changes attributes or places is not understood; write the model with CDWRITE.")
    if first < 0:
        first = deck.elements.highest + first + 1
        last = deck.elements.highest
    chosen = range(first, (last or first) + 1, max(1, jump))
    _refuse_many(deck, times * len(chosen))
    table = {
        int(number): (tuple(attributes.tolist()), nodes)
        for part in deck.elements.merged()
        for number, attributes, nodes in zip(part.ids, part.attributes, part.nodes, strict=True)
    }
    for k in range(1, times):
        for number in chosen:
            if number not in table:
                raise text.error(f"EGEN copies element {number}, which does not exist.")
            attributes, nodes = table[number]
            deck.elements.put(
                deck.elements.highest + 1, attributes, tuple(np.where(nodes, nodes + k * step, 0).tolist())
            )
    text.log.took("EGEN")


def _modify(deck: Deck, command: Command) -> None:
    """EMODIF,IEL,STLOC,I1: another material, type, section, …"""
    text = deck.text
    column = ATTRIBUTES.get(command.word(1)[:4])
    if column is None:
        raise text.error(
            f"EMODIF,{command.field(0)},{command.field(1)} is not understood; write the model with CDWRITE."
        )
    value = text.integer(command.field(2), "attribute")
    word = command.word(0)
    chosen = deck.element_pick if word == "ALL" else None
    if word in deck.components:
        chosen = deck.components[word][1]
    elif word != "ALL":
        chosen = np.array([text.integer(command.field(0), "element number")])
    for part in deck.elements.merged():
        rows = slice(None) if chosen is None else np.isin(part.ids, chosen)
        part.attributes[rows, column] = value
    text.log.took("EMODIF")


# blocks


def _nblock(deck: Deck, command: Command) -> None:
    nodes = blocks.read_nodes(deck.text, command)
    deck.nodes.append(nodes)
    deck.text.log.took("NBLOCK nodes", nodes.ids.size)


def _eblock(deck: Deck, command: Command) -> None:
    parts = blocks.read_elements(deck.text, command)
    for part in parts:
        if (part.ids < 1).any():
            raise deck.text.error("an element number in EBLOCK is not positive.")
    deck.elements.append(parts)
    deck.text.log.took("EBLOCK elements", sum(part.ids.size for part in parts))


def _etblock(deck: Deck, command: Command) -> None:
    for number, (element, keys) in blocks.read_types(deck.text, command).items():
        deck.types[number] = TypeData(element, keys)
        deck.text.log.took("ET")


HANDLERS: dict[str, Handler] = {
    "N": _node,
    "NGEN": _node_copies,
    "FILL": _fill,
    "NROT": _rotate_nodes,
    "ET": _element_type,
    "KEYO": _key_option,
    **dict.fromkeys(ATTRIBUTES, _attribute),
    "E": _element,
    "EMOR": _more_nodes,
    "EN": _numbered_element,
    "EGEN": _element_copies,
    "EMOD": _modify,
    "NBLO": _nblock,
    "EBLO": _eblock,
    "ETBL": _etblock,
}
