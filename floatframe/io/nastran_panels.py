"""Shear panels of Nastran decks: CSHEAR and PSHEAR.

Garvey's panel: shear flows along the four sides in equilibrium, half of each side's force at either of its ends, and
the energy of a trapezoidal field of shear. Effectiveness factors add rods along the sides.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from floatframe.arrays import Array
from floatframe.fem import BeamSection
from floatframe.io.nastran_blocks import Blocks
from floatframe.io.nastran_cards import BulkCard
from floatframe.io.nastran_properties import Properties, made

_PARALLEL = 1e-6  # sine of the angle between sides
_RELATIVE = 1.01  # up to this a factor is a part of the panel's width, beyond it a multiple of its thickness


class Panels:
    """Reads shear panels into blocks."""

    def __init__(self, blocks: Blocks, properties: Properties) -> None:
        self.blocks, self.properties, self.log = blocks, properties, blocks.log

    def shear(self, card: BulkCard) -> None:
        """CSHEAR,EID,PID,G1,G2,G3,G4 with PSHEAR,PID,MID,T,NSM,F1,F2."""
        number = self.blocks.claim(card)
        prop = self.properties.find(("PSHEAR",), card.integer(2, number), card)
        material = self.properties.isotropic(prop.number(2), prop)
        G = material.G * self.properties.bar_shear(prop.number(2), prop)
        thickness = prop.real(3)
        if not thickness > 0.0:
            raise prop.error(f"PSHEAR {prop.text(1)} has the thickness {thickness:g}; it must be positive.")
        self.log.took("PSHEAR")
        nodes = [card.number(3 + k) for k in range(4)]
        places = np.array([self.blocks.grids.place(node, card) for node in nodes])
        forces, area = _forces(card, places)
        flexibility = _flexibility(places, area, material.nu) / (G * thickness)
        row = forces.ravel()
        mass = area * (material.rho * thickness + prop.real(4, 0.0) * self.properties.mass_factor)
        data: dict[str, Array] = {"stiffness": np.outer(row, row) / flexibility}
        if mass:
            data["mass"] = mass / 4.0 * np.eye(12)
        self.blocks.add(card, number, "point_quad_matrix", nodes, data=data)
        for factor, pairs in ((prop.real(5, 0.0), ((0, 1), (3, 2))), (prop.real(6, 0.0), ((0, 3), (1, 2)))):
            if not factor:
                continue
            lengths = [math.dist(places[a], places[b]) for a, b in pairs]
            A = factor * thickness * area / sum(lengths) if factor <= _RELATIVE else 0.5 * factor * thickness**2
            section = made(prop, lambda A=A: BeamSection(A=A, Iy=A**2, Iz=A**2, J=A**2, name="PSHEAR rods"))  # type: ignore[misc]
            weightless = self.properties.once("PSHEAR", prop.number(2), lambda: replace(material, rho=0.0))
            for a, b in pairs:
                rod = self.blocks.part_of(card)
                self.blocks.add(card, rod, "truss", [nodes[a], nodes[b]], weightless, section)


def _forces(card: BulkCard, places: Array) -> tuple[Array, float]:
    """Return forces (4, 3) at the corners when the mean flow is one, and the area.

    The four flows along the sides have one state in equilibrium.
    """
    normal = np.cross(places[2] - places[0], places[3] - places[1])
    size = float(np.sqrt(normal @ normal))
    sides = np.roll(places, -1, axis=0) - places
    if not size > 0.0 or not (sides**2).sum(axis=1).all():
        raise card.error(f"CSHEAR {card.text(1)} has no area.")
    # corners of a warped panel are laid onto its mean plane
    n = normal / size
    middle = places.mean(axis=0)
    flat = places - np.outer((places - middle) @ n, n)
    sides = np.roll(flat, -1, axis=0) - flat
    moments = np.cross(flat - middle, sides) @ n
    x = sides[0] / np.sqrt(sides[0] @ sides[0])
    y = np.cross(n, x)
    balance = np.stack([sides @ x, sides @ y, moments])
    flows = np.linalg.svd(balance)[2][-1]
    # sides run round the panel: flows of opposite sides work against each other
    flows = flows * np.sign(flows[0])
    scale = float(np.prod(np.abs(flows))) ** 0.25
    if not scale > 0.0:
        raise card.error(f"CSHEAR {card.text(1)} has a corner on the line of two others.")
    forces = sides * (flows / scale)[:, None]
    return (forces + np.roll(forces, 1, axis=0)) / 2.0, size / 2.0


def _flexibility(places: Array, area: float, nu: float) -> float:
    """Return twice the energy of a unit mean flow times G t.

    A trapezoid with sides that lean by α and β has area (1 + 2/3 (tan²α + tan α tan β + tan²β) / (1 + ν)); panels
    without parallel sides, or with two pairs of them, have the mean of both pairs taken for parallel.
    """
    found, skewness = [], []
    for turn in (0, 1):
        p = np.roll(places, -turn, axis=0)
        one, other = (side / np.sqrt(side @ side) for side in (p[1] - p[0], p[2] - p[3]))
        skewness.append(float(np.abs(np.cross(one, other)).max()))
        x = one + other
        y = np.cross(np.cross(p[2] - p[0], p[3] - p[1]), x)
        x, y = x / np.sqrt(x @ x), y / np.sqrt(y @ y)
        a, b = ((side @ x) / (side @ y) for side in (p[3] - p[0], p[2] - p[1]))
        found.append(float(area * (1.0 + 2.0 / 3.0 * (a * a + a * b + b * b) / (1.0 + nu))))
    if min(skewness) < _PARALLEL < max(skewness):
        return found[int(np.argmin(skewness))]
    return (found[0] + found[1]) / 2.0
