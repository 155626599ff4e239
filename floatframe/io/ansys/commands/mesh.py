"""Commands that make the mesh: N, NROTAT, NMODIF, NDELE, ET, KEYOPT, E, EN, EMODIF, EDELE and the blocks."""

from __future__ import annotations

from typing import Any

import numpy as np

from floatframe.arrays import IntArray
from floatframe.io.ansys.apdl import Command, angles_of, blocks, element_number
from floatframe.io.ansys.commands.deck import ATTRIBUTES, Deck, Handler, TypeData
from floatframe.io.ansys.commands.frames import active_system

_MOST_GENERATED = 10_000_000  # nodes or elements one command may make


# nodes


def _node(deck: Deck, command: Command) -> None:
    """N,NODE,X,Y,Z,THXY,THYZ,THZX in the active system; N,R5.3,LOC|ANG,… of unblocked archives."""
    text = deck.text
    if command.archived:
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
    deck.last_nodes = (deck.last_nodes[1], number)
    text.log.took("N")


def _rotate_nodes(deck: Deck, command: Command) -> None:
    """NROTAT,NODE1,NODE2,NINC: turn nodal systems into the active system."""
    every = deck.nodes.merged().ids if deck.node_pick is None else deck.node_pick
    system = active_system(deck)
    for number, row in deck.nodes.rows(pattern(deck, command, 0, every)):
        if row is None:
            continue  # a pattern names numbers, those that do not exist are passed over
        deck.nodes.change(number, (*row[:3], *angles_of(system.axes_at(np.array(row[:3])))))
    deck.text.log.took("NROTAT")


def _modify_nodes(deck: Deck, command: Command) -> None:
    """NMODIF,NODE,X,Y,Z,THXY,THYZ,THZX: other coordinates in the active system; blank fields keep what was."""
    text, system = deck.text, active_system(deck)
    for number, row in deck.nodes.rows(deck.node_numbers(command.field(0))):
        if row is None:
            raise text.error(f"NMODIF names node {number}, which does not exist.")
        old = [*system.coordinates(np.array([row[:3]]))[0].tolist(), *row[3:]]
        new = [text.number(command.field(1 + k)) if command.field(1 + k) else old[k] for k in range(6)]
        deck.nodes.change(number, (*system.place(*new[:3]).tolist(), *new[3:]))
    text.log.took("NMODIF")


def _turn_nodes(deck: Deck, command: Command) -> None:
    """NANG,NODE,X1,X2,X3,Y1,…,Z3: nodal axes by direction cosines in the active system."""
    text, system = deck.text, active_system(deck)
    number = text.integer(command.field(0), "node number")
    row = deck.nodes.row(number)
    x, y, z = (np.array([text.number(command.field(1 + 3 * k + j)) for j in range(3)]) for k in range(3))
    z = z if z.any() else np.cross(x, y)
    y = y if y.any() else np.cross(z, x)
    x = x if x.any() else np.cross(y, z)
    if row is None or not (x.any() and np.cross(x, y).any()):
        raise text.error(f"NANG needs a node that exists and two directions, found node {number}.")
    x = x / np.linalg.norm(x)
    z = np.cross(x, y) / np.linalg.norm(np.cross(x, y))
    axes = system.axes @ np.stack([x, np.cross(z, x), z], axis=1)
    deck.nodes.change(number, (*row[:3], *angles_of(axes)))
    text.log.took("NANG")


def _delete_nodes(deck: Deck, command: Command) -> None:
    """NDELE,NODE1,NODE2,NINC: nodes that no element uses go."""
    used = deck.used_nodes()
    nodes = deck.nodes.merged()
    doomed = np.setdiff1d(pattern(deck, command, 0, deck.node_numbers("ALL")), used)
    keep = ~np.isin(nodes.ids, doomed)
    angles = None if nodes.angles is None else nodes.angles[keep]
    deck.nodes.chunks = [blocks.Nodes(nodes.ids[keep], nodes.xyz[keep], angles)]
    gone = set(doomed.tolist())
    for key in [key for key in deck.held if key[0] in gone]:
        del deck.held[key]


def _delete_elements(deck: Deck, command: Command) -> None:
    """EDELE,IEL1,IEL2,INC."""
    every = deck.element_rows()[0] if deck.element_pick is None else deck.element_pick
    doomed = pattern(deck, command, 0, every)
    deck.elements.chunks = [
        blocks.Elements(part.ids[keep], part.attributes[keep], part.nodes[keep])
        for part in deck.elements.merged()
        for keep in [~np.isin(part.ids, doomed)]
    ]


def pattern(deck: Deck, command: Command, start: int, every: IntArray) -> IntArray:
    """Return the numbers of three fields first, last, step; ALL or nothing means `every`; a component its members."""
    text = deck.text
    word = command.word(start)
    if word in ("", "ALL"):
        return every
    if word in deck.components:
        return deck.components[word][1]
    if word.startswith("P51X"):
        return deck.picked
    first, last, step = (text.integer(command.field(start + k)) for k in range(3))
    last = last or first
    refuse_many(deck, (last - first) / max(1, abs(step)))
    return np.arange(first, last + 1, max(1, abs(step)))


def refuse_many(deck: Deck, count: float) -> None:
    if count > _MOST_GENERATED:
        raise deck.text.error(f"the command would make {count:.0f} nodes or elements; check its numbers.")


# elements


def _element_type(deck: Deck, command: Command) -> None:
    """ET,ITYPE,Ename,KOP1,…,KOP6,INOPR."""
    text = deck.text
    number = text.integer(command.field(0), "type number") if command.field(0) else max(deck.types, default=0) + 1
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
    picked = command.word(0).startswith("P51X")
    nodes = tuple(deck.picks if picked else (text.integer(entry, "node number") for entry in command.fields))
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
    if command.archived:
        _archived_element(deck, command)
        return
    number, *nodes = (text.integer(entry, "number") for entry in command.fields)
    if number < 1:
        raise text.error(f"element number {number} is not positive.")
    deck.elements.put(number, tuple(deck.attributes), _trimmed(tuple(nodes)))
    text.log.took("EN")


def _archived_element(deck: Deck, command: Command) -> None:
    """EN,R5.5,ATTR,NUMN,MAT,TYPE,REAL,SECNUM,ESYS,NUMELEM,… and then its nodes by EN,R5.5,NODE,I,J,… in archives."""
    text = deck.text
    numbers = [text.integer(entry, "entry of EN") for entry in command.fields[2:]]
    if command.word(1) == "NODE":
        if not deck.elements.single:
            raise text.error("EN,…,NODE follows no EN,…,ATTR.")
        number, attributes, nodes = deck.elements.single[-1]
        known = () if nodes == (0,) else nodes
        deck.elements.single[-1] = (number, attributes, (*known, *numbers))
    elif numbers and numbers[0] > 0:  # the end of a block else
        if len(numbers) < 7 or numbers[6] < 1:
            raise text.error("EN,…,ATTR needs seven entries: node count, five attributes and the element number.")
        deck.elements.put(numbers[6], tuple(numbers[1:6]), (0,))
        text.log.took("EN")


def _trimmed(nodes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the nodes without zeros at the end, but at least one."""
    end = len(nodes)
    while end > 1 and nodes[end - 1] == 0:
        end -= 1
    return nodes[:end] or (0,)


def _modify(deck: Deck, command: Command) -> None:
    """EMODIF,IEL,STLOC,I1: another material, type, section, …"""
    text = deck.text
    column = ATTRIBUTES.get(command.word(1)[:4])
    if column is None and not command.word(1).lstrip("-").isdigit() and command.word(1):
        raise text.error(
            f"EMODIF,{command.field(0)},{command.field(1)} is not understood; write the model with CDWRITE."
        )
    value = text.integer(command.field(2), "attribute")
    place = text.integer(command.field(1)) - 1 if column is None else 0
    word = command.word(0)
    chosen = deck.element_pick if word == "ALL" else None
    if word.startswith("P51X"):
        chosen = deck.picked
    elif word in deck.components:
        chosen = deck.components[word][1]
    elif word != "ALL":
        chosen = np.array([text.integer(command.field(0), "element number")])
    for part in deck.elements.merged():
        rows = slice(None) if chosen is None else np.isin(part.ids, chosen)
        if column is not None:
            part.attributes[rows, column] = value
        elif np.isin(part.ids, part.ids if chosen is None else chosen).any():
            _rename_nodes(deck, part, rows, max(0, place), command)
    text.log.took("EMODIF")


def _rename_nodes(deck: Deck, part: blocks.Elements, rows: Any, place: int, command: Command) -> None:
    """EMODIF,IEL,STLOC,I1,I2,…: other nodes from a place on."""
    new = [deck.text.integer(entry, "node number") for entry in command.fields[2:]]
    if place + len(new) > part.nodes.shape[1]:
        raise deck.text.error(f"EMODIF gives an element {place + len(new)} nodes, it has {part.nodes.shape[1]}.")
    for k, node in enumerate(new):
        if node:
            part.nodes[rows, place + k] = node


# blocks


def _nblock(deck: Deck, command: Command) -> None:
    nodes = blocks.read_nodes(deck.text, command)
    deck.nodes.append(nodes)
    deck.text.log.took("NBLOCK nodes", nodes.ids.size)


def _eblock(deck: Deck, command: Command) -> None:
    parts = blocks.read_elements(deck.text, command, tuple(deck.attributes))
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
    "NMOD": _modify_nodes,
    "NANG": _turn_nodes,
    "NDEL": _delete_nodes,
    "EDEL": _delete_elements,
    "NROT": _rotate_nodes,
    "ET": _element_type,
    "KEYO": _key_option,
    **dict.fromkeys(ATTRIBUTES, _attribute),
    "E": _element,
    "EMOR": _more_nodes,
    "EN": _numbered_element,
    "EMOD": _modify,
    "NBLO": _nblock,
    "EBLO": _eblock,
    "ETBL": _etblock,
}
