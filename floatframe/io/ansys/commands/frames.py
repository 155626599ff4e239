"""Commands of coordinate systems and of the working plane: LOCAL, CLOCAL, CS, CSYS, WPLANE, WPOFFS, CSWPLA …"""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.io.ansys.apdl import GLOBAL, Command, System, rotation
from floatframe.io.ansys.commands.deck import Deck, Handler

WORKING_PLANE = 4
_ELLIPTICAL = -1  # our own kind of systems whose axes have different lengths


def active_system(deck: Deck) -> System:
    """Return the system in which coordinates are given now."""
    return system_of(deck, deck.active_system)


def system_of(deck: Deck, number: int) -> System:
    """Return a system by its number."""
    system = deck.plane if number == WORKING_PLANE else deck.systems.get(number, GLOBAL.get(number))
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
    places = np.array([row[:3] for row in rows if row is not None])
    deck.systems[number] = System(kind, places[0], _axes_through(deck, places, f"CS,{number}"))
    deck.active_system = number
    text.log.took("CS")


def _axes_through(deck: Deck, places: Array, what: str) -> Array:
    """Return axes (3, 3), as columns, of a system by its origin, a point on x and a point in the xy plane (3, 3)."""
    x = places[1] - places[0]
    z = np.cross(x, places[2] - places[0])
    if not (x.any() and z.any()):
        raise deck.text.error(f"the three points of {what} lie on one line.")
    x, z = x / np.linalg.norm(x), z / np.linalg.norm(z)
    return np.stack([x, np.cross(z, x), z], axis=1)


def _activate_system(deck: Deck, command: Command) -> None:
    named = command.word(0) in ("WP", "WPLA", "WPLANE")
    deck.active_system = WORKING_PLANE if named else deck.text.integer(command.field(0), "coordinate system")


def _relative_system(deck: Deck, command: Command) -> None:
    """CLOCAL,KCN,KCS,XL,YL,ZL,THXY,THYZ,THZX: a system seen from the active one."""
    text = deck.text
    number, kind = (text.integer(command.field(k)) for k in range(2))
    values = [text.number(command.field(2 + k)) for k in range(6)]
    base = active_system(deck)
    origin = base.place(*values[:3])
    turned = base.axes_at(origin) @ rotation(np.array([values[3:]]))[0]
    deck.systems[number] = System(kind, origin, turned)
    deck.active_system = number
    text.log.took("CLOCAL")


# the working plane


def _system_of_plane(deck: Deck, command: Command) -> None:
    """CSWPLA,KCN,KCS: a system where the working plane is."""
    number, kind = (deck.text.integer(command.field(k)) for k in range(2))
    deck.systems[number] = System(kind, deck.plane.origin, deck.plane.axes)
    deck.active_system = number
    deck.text.log.took("CSWPLA")


def _plane_by_points(deck: Deck, command: Command) -> None:
    """WPLANE,WN,XORIG,…,XXAX,…,XPLAN,…: origin, a point on x, a point in the plane."""
    values = np.array([deck.text.number(command.field(1 + k)) for k in range(9)]).reshape(3, 3)
    deck.plane = System(0, values[0], _axes_through(deck, values, command.name))


def _plane_by_nodes(deck: Deck, command: Command) -> None:
    """NWPLAN,WN,NORIG,NXAX,NPLAN."""
    rows = [deck.nodes.row(deck.text.integer(command.field(1 + k))) for k in range(3)]
    if any(row is None for row in rows):
        raise deck.text.error(f"{command.name} needs three nodes that exist.")
    values = np.array([row[:3] for row in rows if row is not None])
    deck.plane = System(0, values[0], _axes_through(deck, values, command.name))


def _shift_plane(deck: Deck, command: Command) -> None:
    """WPOFFS,XOFF,YOFF,ZOFF along the axes of the plane."""
    step = np.array([deck.text.number(command.field(k)) for k in range(3)])
    deck.plane = System(0, deck.plane.origin + deck.plane.axes @ step, deck.plane.axes)


def _turn_plane(deck: Deck, command: Command) -> None:
    """WPROTA,THXY,THYZ,THZX."""
    angles = np.array([[deck.text.number(command.field(k)) for k in range(3)]])
    deck.plane = System(0, deck.plane.origin, deck.plane.axes @ rotation(angles)[0])


def _align_plane(deck: Deck, command: Command) -> None:
    """WPCSYS,WN,KCN: the plane of a system, the active one if none is named."""
    entry = command.field(1)
    system = system_of(deck, deck.text.integer(entry)) if entry else active_system(deck)
    deck.plane = System(0, system.origin, system.axes)


def _move_plane(deck: Deck, command: Command) -> None:
    """WPAVE,X1,Y1,Z1,…: its origin to the mean of points in the active system; NWPAVE,N1,…: of nodes."""
    if command.name.startswith("NW"):
        rows = [deck.nodes.row(deck.text.integer(entry)) for entry in command.fields if entry]
        places = [np.array(row[:3]) for row in rows if row is not None]
    else:
        values = [deck.text.number(entry) for entry in command.fields]
        values += [0.0] * (-len(values) % 3)
        places = [active_system(deck).place(*values[k : k + 3]) for k in range(0, len(values), 3)]
    if not places:
        raise deck.text.error(f"{command.name} names no existing node or point.")
    deck.plane = System(0, np.mean(places, axis=0), deck.plane.axes)


HANDLERS: dict[str, Handler] = {
    "LOCA": _local,
    "CLOC": _relative_system,
    "CS": _system_by_nodes,
    "CSYS": _activate_system,
    "CSWP": _system_of_plane,
    "WPLA": _plane_by_points,
    "NWPL": _plane_by_nodes,
    "WPOF": _shift_plane,
    "WPRO": _turn_plane,
    "WPCS": _align_plane,
    "WPAV": _move_plane,
    "NWPA": _move_plane,
}
