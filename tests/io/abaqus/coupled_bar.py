"""A bar of bricks in a deck with couplings, and how far a field of motion violates them."""

from __future__ import annotations

import numpy as np

from floatframe.fem import Material, solid_box

SIZE = (0.2, 0.2, 1.0)
BAR = solid_box(SIZE, (2, 2, 4), material=Material(2.1e11, 0.3, 7850.0))
TOP = BAR.node_ids[BAR.nodes[:, 2] > 1.0 - 1e-9]
LAST = 1 + np.flatnonzero(np.isin(BAR.node_ids[BAR.blocks[0].connectivity[:, 4:]], TOP).all(axis=1))  # bricks on top
PILOT = 900


def deck(cards, at=(0.1, 0.1, 1.0), held="BOTTOM,1,3\n"):
    """Return a clamped bar of bricks with a further node and these cards."""
    text = "*NODE\n" + "".join(
        f"{n}, {x!r}, {y!r}, {z!r}\n" for n, (x, y, z) in zip(BAR.node_ids.tolist(), BAR.nodes.tolist(), strict=True)
    )
    text += f"{PILOT}, {at[0]!r}, {at[1]!r}, {at[2]!r}\n*ELEMENT, TYPE=C3D8I, ELSET=BAR\n"
    for number, row in enumerate(BAR.node_ids[BAR.blocks[0].connectivity].tolist(), start=1):
        text += f"{number}, " + ", ".join(map(str, row)) + "\n"
    for name, chosen in (("BOTTOM", BAR.nodes[:, 2] < 1e-9), ("TOP", BAR.nodes[:, 2] > 1.0 - 1e-9)):
        text += f"*NSET, NSET={name}\n" + "".join(f"{n},\n" for n in BAR.node_ids[chosen])
    text += "*SURFACE, NAME=FACE\n" + "".join(f"{k}, S2\n" for k in LAST)
    text += "*MATERIAL, NAME=STEEL\n*ELASTIC\n2.1e11, .3\n*DENSITY\n7850.,\n*SOLID SECTION, ELSET=BAR, MATERIAL=STEEL\n"
    return text + (f"*BOUNDARY\n{held}" if held else "") + cards


def violation(fe, field):
    """Return the largest residual of the couplings for displacements field(x) -> (6,) by node."""
    u = {int(node): field(x) for node, x in zip(fe.node_ids, fe.nodes, strict=True)}
    if callable(getattr(field, "pilot", None)):
        u[PILOT] = field.pilot()
    U = np.array([u[int(node)] for node in fe.node_ids]).ravel()
    worst = 0.0
    for coupling in fe.couplings:
        for slots, factors, sources in coupling.dependencies(fe):
            worst = max(worst, float(np.abs(U[slots] - factors @ U[sources]).max()))
    return worst


def rigid(shift, turn):
    return lambda x: np.r_[np.array(shift) + np.cross(turn, x), turn]


MOTIONS = [rigid((1, 0, 0), (0, 0, 0)), rigid((0.3, -0.2, 1), (0.5, 0.2, -0.7)), rigid((0, 0, 0), (0, 0, 1))]
