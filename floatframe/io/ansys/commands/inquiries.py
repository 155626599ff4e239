"""What APDL asks of the model: *GET, and functions such as NX(node); picks of the graphical interface."""

from __future__ import annotations

import re

import numpy as np

from floatframe.errors import ReadError
from floatframe.io.ansys.apdl import Command, place_in_array
from floatframe.io.ansys.commands.deck import ATTRIBUTES, Deck, Handler

_AXES = {"NX": 0, "NY": 1, "NZ": 2}
_OF_RUN = ("ACTI", "")  # what runs, is shown or failed is not part of the model


def answer(deck: Deck, name: str, values: tuple[float, ...]) -> float | None:
    """Return the value of a function of the model, None if it is not known."""
    if name in _AXES:
        row = deck.nodes.row(int(values[0]))
        return None if row is None else row[_AXES[name]]
    if name == "NODE" and len(values) == 3:
        nodes = deck.nodes.merged()
        if not nodes.ids.size:
            return None
        return int(nodes.ids[np.argmin(np.linalg.norm(nodes.xyz - np.array(values), axis=1))])
    if name == "DISTND" and len(values) == 2:
        a, b = (deck.nodes.row(int(value)) for value in values)
        return None if a is None or b is None else float(np.linalg.norm(np.subtract(a[:3], b[:3])))
    if name in ("NDNEXT", "ELNEXT"):
        every = deck.node_numbers("ALL") if name == "NDNEXT" else _elements(deck)
        later = every[every > values[0]]
        return float(later.min()) if later.size else 0.0
    if name == "NELEM" and len(values) == 2:
        return _element_node(deck, int(values[0]), int(values[1]))
    return None


def _elements(deck: Deck) -> np.ndarray:
    return deck.element_rows()[0] if deck.element_pick is None else deck.element_pick


def _element_node(deck: Deck, number: int, place: int) -> float | None:
    for part in deck.elements.merged():
        rows = np.flatnonzero(part.ids == number)
        if rows.size:
            return float(part.nodes[rows[-1], place - 1]) if 1 <= place <= part.nodes.shape[1] else 0.0
    return None


def _get(deck: Deck, command: Command) -> None:
    """*GET,Par,Entity,ENTNUM,Item1,IT1NUM of nodes and elements; what is not known leaves Par without a value."""
    text = deck.text
    match = re.match(r"^(\w+)\s*(\(.*\))?$", command.word(0))
    if match is None:
        return
    value = _asked(deck, command)
    if match[2] is not None:
        try:
            index = tuple(text.number(entry) for entry in match[2][1:-1].split(","))
        except ReadError:
            return
        if value is None:
            text.arrays.pop(match[1], None)  # refused later, if anything asks for it
        elif match[1] in text.arrays:
            text.arrays[match[1]][place_in_array(index)] = value
        return
    text.parameters.pop(match[1], None)
    text.unanswered.discard(match[1])
    if value is not None:
        text.parameters[match[1]] = value
    elif command.word(1)[:4] not in _OF_RUN:
        text.unanswered.add(match[1])


def _asked(deck: Deck, command: Command) -> float | None:
    entity, item, more = command.word(1)[:4], command.word(3)[:4], command.word(4)[:4]
    try:
        number = deck.text.integer(command.field(2))
        if entity == "NODE" and item == "LOC" and more in ("X", "Y", "Z"):
            return answer(deck, f"N{more}", (number,))
        if entity == "ELEM" and item == "NODE":
            return _element_node(deck, number, deck.text.integer(command.field(4)))
        if entity == "ELEM" and item == "ATTR" and more in ATTRIBUTES:
            ids, attributes = deck.element_rows()
            rows = np.flatnonzero(ids == number)
            return float(attributes[rows[-1], ATTRIBUTES[more]]) if rows.size else None
    except ReadError:
        return None
    if entity not in ("NODE", "ELEM") or number:
        return None
    every = deck.node_numbers("ALL") if entity == "NODE" else _elements(deck)
    if item == "COUN":
        return float(every.size)
    if item == "NUM" and more in ("MAX", "MIN"):
        return float((every.max if more == "MAX" else every.min)()) if every.size else 0.0
    if entity == "NODE" and item in ("MXLO", "MNLO") and more in ("X", "Y", "Z"):
        nodes = deck.nodes.merged()
        values = nodes.xyz[np.isin(nodes.ids, every), "XYZ".index(more)]
        return None if not values.size else float(values.max() if item == "MXLO" else values.min())
    return None


def _list_of_picks(deck: Deck, command: Command) -> None:
    """FLST,NFIELD,NARG,TYPE: items of FITEM follow."""
    deck.picks = []


def _pick(deck: Deck, command: Command) -> None:
    """FITEM,NFIELD,ITEM: a number; a negative one closes a range."""
    deck.picks.append(deck.text.integer(command.field(1), "item"))


HANDLERS: dict[str, Handler] = {"*GET": _get, "FLST": _list_of_picks, "FITE": _pick}
