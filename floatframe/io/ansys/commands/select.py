"""Selections and components: NSEL, ESEL, NSLE, CMSEL, ALLSEL, CM, CMBLOCK."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import BoolArray, IntArray
from floatframe.io.ansys.apdl import Command, element_number, read_component
from floatframe.io.ansys.commands.deck import ATTRIBUTES, Deck, Handler
from floatframe.io.ansys.commands.frames import active_system

_TOLERANCE = 5e-3  # of a value at which nodes are selected when no range is given, as in ANSYS
_SMALL = 1e-6
_RANGE = 1e-8  # of the width of a range, by which it is widened


def _component_block(deck: Deck, command: Command) -> None:
    numbers = read_component(deck.text, command)
    deck.components[command.word(0)] = (command.word(1)[:4], numbers)
    deck.text.log.took("CMBLOCK")


def _component(deck: Deck, command: Command) -> None:
    """CM,Cname,Entity: name what is selected."""
    entity = command.word(1)[:4]
    if entity == "NODE":
        chosen = deck.node_numbers("ALL")
    elif entity == "ELEM":
        chosen = deck.element_rows()[0] if deck.element_pick is None else deck.element_pick
    else:
        deck.of_geometry.add(command.word(0))
        return
    deck.components[command.word(0)] = (entity, np.unique(chosen))
    deck.text.log.took("CM")


def _select_component(deck: Deck, command: Command) -> None:
    """CMSEL,Type,Name."""
    word = command.word(1)
    if not word:
        if command.word(0) in ("", "ALL"):
            deck.node_pick = deck.element_pick = None
        return
    if word in deck.of_geometry:
        return
    if word not in deck.components:
        raise deck.text.error(f"CMSEL names component '{word}', which is not defined.")
    kind, members = deck.components[word]
    if kind == "NODE":
        deck.node_pick = _combined(deck, command.word(0) or "S", deck.node_pick, deck.nodes.merged().ids, members)
    else:
        deck.element_pick = _combined(deck, command.word(0) or "S", deck.element_pick, deck.element_rows()[0], members)


def _select_nodes(deck: Deck, command: Command) -> None:
    """NSEL,Type,Item,Comp,VMIN,VMAX,VINC."""
    how, item = command.word(0) or "S", command.word(1)
    ids = deck.nodes.merged().ids
    if how[:4] in ("ALL", "NONE", "INVE", "STAT"):
        if how != "STAT":
            deck.node_pick = _combined(deck, how, deck.node_pick, ids, ids)
        return
    if item == "LOC":
        axis = "XYZ".find(command.word(2) or "X")
        if axis < 0:
            raise deck.text.error(f"NSEL by location '{command.field(2)}' is not understood.")
        values = active_system(deck).coordinates(deck.nodes.merged().xyz)[:, axis]
        mask = _within(deck, command, values)
    elif item in ("NODE", "") and command.word(3) in deck.components:
        mask = np.isin(ids, deck.components[command.word(3)][1])
    elif item.startswith("P51X") or command.word(3).startswith("P51X"):
        mask = np.isin(ids, deck.picked)
    elif item in ("NODE", ""):
        mask = _within(deck, command, ids)
    else:
        raise deck.text.error(f"NSEL by {item} is not understood; write the model with CDWRITE.")
    deck.node_pick = _combined(deck, how, deck.node_pick, ids, ids[mask])


def _select_elements(deck: Deck, command: Command) -> None:
    """ESEL,Type,Item,Comp,VMIN,VMAX,VINC."""
    how, item = command.word(0) or "S", command.word(1)
    ids, attributes = deck.element_rows()
    if how[:4] in ("ALL", "NONE", "INVE", "STAT"):
        if how != "STAT":
            deck.element_pick = _combined(deck, how, deck.element_pick, ids, ids)
        return
    if item[:4] in ATTRIBUTES or item == "SEC":
        values = attributes[:, ATTRIBUTES["SECN" if item == "SEC" else item[:4]]]
    elif item in ("ELEM", "") and (command.word(3) in deck.components or command.word(3).startswith("P51X")):
        word = command.word(3)
        members = deck.components[word][1] if word in deck.components else deck.picked
        deck.element_pick = _combined(deck, how, deck.element_pick, ids, np.intersect1d(ids, members))
        return
    elif item in ("ELEM", ""):
        values = ids
    elif item[:4] == "ENAM":
        names = {number: kind.number for number, kind in deck.types.items()}
        values = np.array([names.get(number, 0) for number in attributes[:, 1].tolist()])
    else:
        raise deck.text.error(f"ESEL by {item} is not understood; write the model with CDWRITE.")
    deck.element_pick = _combined(deck, how, deck.element_pick, ids, ids[_within(deck, command, values)])


def _nodes_of_elements(deck: Deck, command: Command) -> None:
    """NSLE,Type: nodes of the selected elements."""
    used = [np.empty(0, dtype=np.int64)]
    for part in deck.elements.merged():
        rows = slice(None) if deck.element_pick is None else np.isin(part.ids, deck.element_pick)
        used.append(part.nodes[rows].ravel())
    members = np.unique(np.concatenate(used))
    how = command.word(0) or "S"
    deck.node_pick = _combined(deck, how, deck.node_pick, deck.nodes.merged().ids, members[members > 0])


def _elements_of_nodes(deck: Deck, command: Command) -> None:
    """ESLN,Type,EKEY: elements that have selected nodes (all of them with EKEY = 1)."""
    chosen = deck.node_numbers("ALL")
    key = deck.text.integer(command.field(1))
    found = [np.empty(0, dtype=np.int64)]
    for part in deck.elements.merged():
        inside = np.isin(part.nodes, chosen)
        found.append(part.ids[(inside | (part.nodes == 0)).all(axis=1) if key == 1 else inside.any(axis=1)])
    how = command.word(0) or "S"
    deck.element_pick = _combined(deck, how, deck.element_pick, deck.element_rows()[0], np.concatenate(found))


def _select_all(deck: Deck, command: Command) -> None:
    deck.node_pick = deck.element_pick = None


def _within(deck: Deck, command: Command, values: IntArray) -> BoolArray:
    named = command.word(1)[:4] == "ENAM"
    low, high = (
        element_number(deck.text, entry) if named else deck.text.number(entry)
        for entry in (command.field(3), command.field(4) or command.field(3))
    )
    step = deck.text.integer(command.field(5)) or 1
    if values.dtype.kind == "f":
        margin = _RANGE * abs(high - low) if high != low else abs(low) * _TOLERANCE or _SMALL
        low, high = min(low, high) - margin, max(low, high) + margin
    mask = np.asarray((values >= min(low, high)) & (values <= max(low, high)))
    return mask if step == 1 else mask & ((values - low) % step == 0)


def _combined(deck: Deck, how: str, old: IntArray | None, every: IntArray, new: IntArray) -> IntArray | None:
    """Return the selection after S (new), R (both), A (either), U (old without new)."""
    present = every if old is None else old
    new = np.asarray(new)
    if how == "S":
        return np.intersect1d(every, new)
    if how == "R":
        return np.intersect1d(present, new)
    if how == "A":
        return None if old is None else np.union1d(present, new)
    if how == "U":
        return np.setdiff1d(present, new)
    if how[:4] in ("ALL", "NONE", "INVE"):
        how = how[:4]
        return {"ALL": None, "NONE": every[:0], "INVE": np.setdiff1d(every, present)}[how]
    raise deck.text.error(f"the selection '{how}' is not understood; known are S, R, A, U, ALL, NONE and INVE.")


HANDLERS: dict[str, Handler] = {
    "CMBL": _component_block,
    "CM": _component,
    "CMSE": _select_component,
    "NSEL": _select_nodes,
    "ESEL": _select_elements,
    "NSLE": _nodes_of_elements,
    "ESLN": _elements_of_nodes,
    "ALLS": _select_all,
}
