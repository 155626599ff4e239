"""Shear panels of Nastran decks: CSHEAR and PSHEAR; effectiveness factors add rods along the sides."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.fem import BeamSection
from floatframe.io.deck import shear_panel
from floatframe.io.nastran.blocks import Blocks
from floatframe.io.nastran.cards import BulkCard
from floatframe.io.nastran.properties import Properties, made

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
        try:
            stiffness, area = shear_panel(places, G * thickness, material.nu)
        except ModelError as error:
            raise card.error(f"CSHEAR {card.text(1)}: {error}") from error
        mass = area * (material.rho * thickness + prop.real(4, 0.0) * self.properties.mass_factor)
        data: dict[str, Array] = {"stiffness": stiffness}
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
