"""Springs, dashpots and masses of a deck."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.fem import ElementBlock, PointMass
from floatframe.io.abaqus.deck import Card, Group
from floatframe.io.import_log import ImportLog


def spring_block(group: Group, rows: IntArray, card: Card, axes: Array, log: ImportLog) -> ElementBlock:
    """*SPRING and *DASHPOT: along the line between two nodes, or along one of these axes (nel, 3, 3)."""
    what = "damping" if group.type.family == "dashpot" else "stiffness"
    lines = card.fields()
    along = group.name.endswith("A")
    # the first line of springs in fixed directions names the dofs
    directions = [] if along or not lines else [int(v) for v in card.numbers(lines[0][1], lines[0][0]) if v]
    laws = [card.numbers(words, line) for line, words in (lines if along else lines[1:])]
    if not laws or not laws[0]:
        raise card.error(f"{card.name} has no {what}.")
    value = laws[0][0]
    if "NONLINEAR" in card.options:
        value = slope_at_rest(card, laws)
        log.skip(f"{card.name}, NONLINEAR", "only the slope at zero is used", line=card.line)
    count = len(rows)
    name = card.option("ELSET")
    if along:
        block = ElementBlock("axial_spring", rows, data={what: np.full(count, value)}, name=name)
    else:
        if not directions or any(k not in range(1, 7) for k in directions) or len(set(directions)) > 1:
            raise card.error(
                f"{card.name} acts on dofs {directions}; it must be one from 1 to 6, the same at both nodes."
            )
        k = directions[0] - 1
        turning = k > 2
        kinds = ("ground_point_spring", "ground_spring") if group.type.nnode == 1 else ("point_spring", "spring")
        law = np.zeros((count, 6 if turning else 3))
        law[:, k] = value
        block = ElementBlock(kinds[turning], rows, data={what: law, "axes": axes}, name=name)
    return replace(block, element_ids=group.ids)


def point_masses(nodes: IntArray, card: Card) -> list[PointMass]:
    """*MASS at these nodes."""
    lines = card.fields()
    value = card.numbers(lines[0][1][:1], lines[0][0])[0] if lines else 0.0
    return [PointMass(node, value) for node in nodes.tolist()]


def directed_masses(group: Group, rows: IntArray, card: Card, axes: Array) -> ElementBlock:
    """*MASS, TYPE=ANISOTROPIC: masses that differ between directions, in axes (n, 3, 3)."""
    lines = card.fields()
    values = card.numbers(lines[0][1], lines[0][0])[:3] if lines else []
    if len(values) < 3:
        raise card.error(f"*MASS, TYPE=ANISOTROPIC has {len(values)} masses; it needs those in three directions.")
    data = {"mass": np.tile(np.diag(values), (len(rows), 1, 1)), "axes": axes}
    return ElementBlock("point_node_matrix", rows[:, :1], data=data, element_ids=group.ids, name=card.option("ELSET"))


def rotary_inertias(nodes: IntArray, card: Card, axes: Array) -> list[PointMass]:
    """*ROTARY INERTIA at these nodes, given in axes (n, 3, 3)."""
    lines = card.fields()
    values = (card.numbers(lines[0][1], lines[0][0]) if lines else []) + [0.0] * 6
    xx, yy, zz, xy, xz, yz = values[:6]
    J = axes.swapaxes(1, 2) @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ axes
    J = (J + J.swapaxes(1, 2)) / 2.0
    return [PointMass(node, 0.0, inertia) for node, inertia in zip(nodes.tolist(), J, strict=True)]


def slope_at_rest(card: Card, laws: list[list[float]]) -> float:
    """Return the slope of a table of force and displacement where the displacement is zero."""
    table = np.array([[*law, 0.0, 0.0][:2] for law in laws])
    table = table[np.argsort(table[:, 1], kind="stable")]
    force, way = table[:, 0], table[:, 1]
    step = np.diff(way)
    if len(table) < 2 or not (step > 0).all():
        raise card.error(f"{card.name}, NONLINEAR needs at least two different displacements.")
    k = int(np.clip(np.searchsorted(way, 0.0, side="right") - 1, 0, len(step) - 1))
    return float((force[k + 1] - force[k]) / step[k])
