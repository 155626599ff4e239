"""Commands of coordinate systems: LOCAL, CS, CSYS."""

from __future__ import annotations

import numpy as np

from floatframe.io.ansys_deck import Deck, Handler
from floatframe.io.ansys_systems import GLOBAL, System, rotation
from floatframe.io.ansys_text import Command

_ELLIPTICAL = 4  # our own number for systems whose axes have different lengths


def active_system(deck: Deck) -> System:
    """Return the system in which coordinates are given now."""
    return system_of(deck, deck.active_system)


def system_of(deck: Deck, number: int) -> System:
    """Return a system by its number."""
    system = deck.systems.get(number, GLOBAL.get(number))
    if system is None:
        raise deck.text.error(f"coordinate system {number} is not defined; add LOCAL,{number},…")
    if system.kind not in (0, 1, 2):
        raise deck.text.error(
            f"coordinate system {number} is of kind {system.kind}; known are 0, 1 and 2 (toroidal and elliptical ones "
            "are not)."
        )
    return system


def _local(deck: Deck, command: Command) -> None:
    """LOCAL,KCN,KCS,XC,YC,ZC,THXY,THYZ,THZX, and its two halves LOCAL,R5.0,LOC|ANG,… in archives."""
    text = deck.text
    archive = command.archived
    first = 2 if archive else 0
    number, kind = (text.integer(command.field(first + k)) for k in range(2))
    values = [text.number(command.field(first + 2 + k)) for k in range(8)]
    round_one = all(value in (0.0, 1.0) for value in (values[:2] if command.word(1) == "PRM" else values[6:8]))
    if kind in (1, 2) and not round_one:
        kind = _ELLIPTICAL
    if not archive:
        deck.systems[number] = System(kind, np.array(values[:3]), rotation(np.array([values[3:6]]))[0])
        deck.active_system = number
    elif command.word(1) == "LOC":
        deck.systems[number] = System(kind, np.array(values[:3]))
    elif command.word(1) == "ANG":
        origin = deck.systems.get(number, System()).origin
        deck.systems[number] = System(kind, origin, rotation(np.array([values[:3]]))[0])
    elif command.word(1) == "PRM" and kind == _ELLIPTICAL:
        known = deck.systems.get(number, System())
        deck.systems[number] = System(kind, known.origin, known.axes)
    text.log.took("LOCAL")


def _system_by_nodes(deck: Deck, command: Command) -> None:
    """CS,KCN,KCS,NORIG,NXAX,NXYPL: origin, x axis and xy plane by three nodes."""
    text = deck.text
    number, kind, *names = (text.integer(command.field(k)) for k in range(5))
    rows = [deck.nodes.row(node) for node in names]
    if kind not in (0, 1, 2) or any(row is None for row in rows):
        raise text.error(f"CS,{number} needs a kind 0, 1 or 2 and three nodes that exist.")
    origin, on_x, in_plane = (np.array(row[:3]) for row in rows if row is not None)
    x = on_x - origin
    z = np.cross(x, in_plane - origin)
    if not (x.any() and z.any()):
        raise text.error(f"the three nodes of CS,{number} lie on one line.")
    x, z = x / np.linalg.norm(x), z / np.linalg.norm(z)
    deck.systems[number] = System(kind, origin, np.stack([x, np.cross(z, x), z], axis=1))
    deck.active_system = number
    text.log.took("CS")


def _activate_system(deck: Deck, command: Command) -> None:
    deck.active_system = deck.text.integer(command.field(0), "coordinate system")


HANDLERS: dict[str, Handler] = {"LOCA": _local, "CS": _system_by_nodes, "CSYS": _activate_system}
