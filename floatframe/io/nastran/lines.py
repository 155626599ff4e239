"""Bars, beams, springs, bushings and masses of Nastran decks."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array, skew
from floatframe.fem import BeamSection, Material, PointMass
from floatframe.io.nastran.blocks import Blocks
from floatframe.io.nastran.cards import BulkCard, NastranDeck
from floatframe.io.nastran.properties import Properties, beam_property, made

_PARALLEL = 1e-6  # sine of the angle below which two directions count as one
_ROUND = 1e-6  # relative difference of two moments of inertia below which any axes are principal


@dataclass(frozen=True)
class Release:
    """An end of a bar that is joined to its node in some local directions only.

    node: the new end; reference: the node of the deck; arm (3,) from it to the end; axes (3, 3): local directions as
    rows; free: components 0..5 that are not joined.
    """

    node: int
    reference: int
    arm: Array
    axes: Array
    free: list[int]


class Lines:
    """Reads bars, springs and masses into blocks."""

    def __init__(self, deck: NastranDeck, blocks: Blocks, properties: Properties) -> None:
        self.deck, self.blocks, self.properties, self.log = deck, blocks, properties, blocks.log
        self.masses: list[PointMass] = []
        self.releases: list[Release] = []
        self._default = {name: next(deck.of(name), None) for name in ("BAROR", "BEAMOR")}

    # bars and beams

    def bar(self, card: BulkCard) -> None:
        """CBAR and CBEAM: EID,PID,GA,GB,X1/G0,X2,X3,OFFT, PA,PB,W1A,…,W3B."""
        default = self._default["BAROR" if card.name == "CBAR" else "BEAMOR"]
        number = self.blocks.claim(card)
        prop = beam_property(self.properties, card.integer(2, (default and default.integer(2, number)) or number), card)
        if prop is None:
            return
        ends = [card.number(3), card.number(4)]
        grids = self.blocks.grids
        places = [grids.place(node, card) for node in ends]
        frame = card.text(8) or (default.text(8) if default else "") or "GGG"
        if not re.fullmatch(r"[GB][GBO][GBO]", frame):
            # fields of CBEAM may hold a torsion rate here
            frame = "GGG"
        arms = []
        for k, node in enumerate(ends):
            arm = np.array([card.real(11 + 3 * k + j, 0.0) for j in range(3)])
            if arm.any() and frame[1 + k] == "O":
                arm = self._own_offset(card, default, ends, places, frame, arm)
            arms.append(grids.axes(node, card) @ arm if arm.any() and frame[1 + k] == "G" else arm)
        given = self.direction(card, default, ends[0], frame[0] == "G")
        section = prop.section
        isotropic = abs(section.Iy - section.Iz) <= _ROUND * section.Iz and not section.Iyz and not any(prop.centroid)
        if given is None and not isotropic:
            raise card.error(f"{card.name} {number} has no orientation vector (X1, X2, X3 or G0).")
        axes = _axes(places[1] + arms[1] - places[0] - arms[0], given)
        if axes is None:
            raise card.error(f"{card.name} {number} has no length or lies along its orientation vector.")
        centre = prop.centroid[0] * axes[1] + prop.centroid[1] * axes[2]
        for k, node in enumerate(ends):
            if card.text(9 + k) and card.integer(9 + k):
                new = self.blocks.new_node(places[k] + arms[k])
                self.releases.append(Release(new, node, arms[k], axes, card.components(9 + k)))
                ends[k], arms[k] = new, np.zeros(3)
        offsets = np.stack(arms) + centre
        if not prop.pieces:
            self.beam(card, number, ends, prop.material, section, axes[2], offsets)
            return
        nodes, offsets = self._divided(card, ends, offsets, len(prop.pieces))
        for k, (material, piece) in enumerate(prop.pieces):
            one = number if k == 0 else self.blocks.part_of(card)
            self.beam(card, one, nodes[k : k + 2], material, piece, axes[2], offsets[k : k + 2])

    def beam(
        self, card: BulkCard, number: int, ends: list[int], material: Material, section: BeamSection, up: Array,
        offsets: Array,
    ) -> None:  # fmt: skip
        """Add one straight beam: its local z `up` (3,) and offsets (2, 3) of its ends from the nodes."""
        data: dict[str, Array] = {"orientation": up}
        if offsets.any():
            data["offsets"] = offsets
        self.blocks.add(card, number, "beam", ends, material, section, data)

    def _divided(self, card: BulkCard, ends: list[int], offsets: Array, count: int) -> tuple[list[int], Array]:
        """Return nodes along a beam, new ones between its ends, and the offsets (count + 1, 3) at them."""
        places = [self.blocks.xyz_of(node, card) + arm for node, arm in zip(ends, offsets, strict=True)]
        between = [places[0] + (places[1] - places[0]) * k / count for k in range(1, count)]
        nodes = [ends[0], *(self.blocks.new_node(place) for place in between), ends[1]]
        return nodes, np.concatenate([offsets[:1], np.zeros((count - 1, 3)), offsets[1:]])

    def _own_offset(
        self, card: BulkCard, default: BulkCard | None, ends: list[int], places: list[Array], frame: str, arm: Array
    ) -> Array:
        """Return an offset given in axes along the line between the grids (OFFT with O) in basic axes."""
        given = self.direction(card, default, ends[0], frame[0] == "G")
        axes = _axes(places[1] - places[0], given)
        if axes is None:
            raise card.error(f"{card.name} {card.text(1)} has no length between its grids to measure offsets along.")
        return np.asarray(axes.T @ arm)

    def direction(self, card: BulkCard, default: BulkCard | None, node: int, turned: bool) -> Array | None:
        """Return the vector from end A into plane 1, in basic axes, or None if there is none."""
        source = card if any(card.text(k) for k in (5, 6, 7)) else default
        if source is None or not any(source.text(k) for k in (5, 6, 7)):
            return None
        grids = self.blocks.grids
        if re.fullmatch(r"\d+", source.text(5)) and not source.text(6) and not source.text(7):
            return grids.place(source.number(5), source) - grids.place(node, card)
        vector = np.array([source.real(k, 0.0) for k in (5, 6, 7)])
        if not vector.any():
            return None
        return np.asarray(grids.axes(node, card) @ vector) if turned else vector

    # springs

    def bush(self, card: BulkCard) -> None:
        """CBUSH: EID,PID,GA,GB,GO/X1,X2,X3,CID, S,OCID,S1,S2,S3."""
        number = self.blocks.claim(card)
        bush = self.properties.bush(card.integer(2, number), card)
        grids = self.blocks.grids
        ends = [node for node in (card.number(3), card.integer(4, 0)) if node]
        line = grids.place(ends[-1], card) - grids.place(ends[0], card)
        apart = bool(line.any())
        turns = any(v is not None for v in (*bush.stiffness[3:], *bush.damping[3:]))
        across = any(bush.stiffness[1:]) or any(bush.damping[1:])
        laws = {"stiffness": bush.stiffness, "damping": bush.damping}
        laws = {name: law for name, law in laws.items() if name == "stiffness" or any(law)}
        if apart and not card.text(8) and not across and not turns:
            along = {name: float(law[0] or 0.0) for name, law in laws.items()}
            self.blocks.add(card, number, "axial_spring", ends, data=along)
            return
        if card.text(8):
            place = grids.place(ends[0], card)
            axes: Array | None = grids.system(card.integer(8), card).axes_at(place).T
        elif apart:
            axes = _axes(line, self.direction(card, None, ends[0], True))
        else:
            self.log.warn("CBUSH without length and without CID has its axes along those of the model.")
            axes = np.eye(3)
        if axes is None:
            raise card.error(f"CBUSH {number} lies along its orientation vector.")
        if card.text(10) and card.integer(10) >= 0:
            self._offset_bush(card, number, ends, axes, laws)
            return
        data: dict[str, Array | float] = {"axes": axes}
        size = 6 if turns or apart else 3
        data |= {name: np.array([v or 0.0 for v in law[:size]]) for name, law in laws.items()}
        kind = ("ground_" if len(ends) == 1 else "") + ("spring" if size == 6 else "point_spring")
        if kind == "spring":
            data["location"] = card.real(9, 0.5)
        self.blocks.add(card, number, kind, ends, data=data)

    def _offset_bush(
        self, card: BulkCard, number: int, ends: list[int], axes: Array, laws: dict[str, list[float | None]]
    ) -> None:
        """A spring at a place given from the first grid in a system of its own (OCID, S1, S2, S3), on rigid arms."""
        grids = self.blocks.grids
        place = grids.place(ends[0], card)
        away = np.array([card.real(k, 0.0) for k in (11, 12, 13)])
        spot = place + grids.system(card.integer(10), card).axes_at(place) @ away
        parts = []
        for sign, node in zip((-1.0, 1.0), ends, strict=False):
            arm = -axes @ skew(spot - grids.place(node, card))
            parts.append(sign * np.block([[axes, arm], [np.zeros((3, 3)), axes]]))
        B = np.concatenate(parts, axis=1)
        data = {name: B.T @ np.diag([v or 0.0 for v in law]) @ B for name, law in laws.items()}
        self.blocks.add(card, number, "pair_matrix" if len(ends) == 2 else "node_matrix", ends, data=data)

    # masses

    def mass(self, card: BulkCard) -> None:
        """CONM2: EID,G,CID,M,X1,X2,X3,,I11,I21,I22,I31,I32,I33; products of inertia are positive integrals."""
        self.blocks.claim(card)
        grids, node, system = self.blocks.grids, card.number(2), card.integer(3, 0)
        place = grids.place(node, card)
        offset = np.array([card.real(k, 0.0) for k in (5, 6, 7)])
        axes = np.eye(3) if system == -1 else grids.system(system, card).axes_at(place)
        offset = offset - place if system == -1 else axes @ offset
        I11, I21, I22, I31, I32, I33 = (card.real(9 + k, 0.0) for k in range(6))
        local = np.array([[I11, -I21, -I31], [-I21, I22, -I32], [-I31, -I32, I33]])
        self._add_mass(card, node, card.real(4, 0.0), axes @ local @ axes.T, offset)

    def mass_matrix(self, card: BulkCard) -> None:
        """CONM1: the lower triangle of a 6 x 6 matrix, mostly that of a rigid mass."""
        number = self.blocks.claim(card)
        grids, node = self.blocks.grids, card.number(2)
        M = np.zeros((6, 6))
        M[np.tril_indices(6)] = [card.real(4 + k, 0.0) for k in range(21)]
        M += np.tril(M, -1).T
        axes = grids.system(card.integer(3, 0), card).axes_at(grids.place(node, card))
        turn = np.kron(np.eye(2), axes)
        M = turn @ M @ turn.T
        m = M[0, 0]
        arm = M[3:, :3] / m if m else np.zeros((3, 3))
        offset = np.array([arm[2, 1], arm[0, 2], arm[1, 0]])
        inertia = M[3:, 3:] + m * skew(offset) @ skew(offset)
        rigid = np.zeros((6, 6))
        rigid[:3, :3], rigid[3:, :3], rigid[:3, 3:] = m * np.eye(3), m * skew(offset), -m * skew(offset)
        rigid[3:, 3:] = M[3:, 3:]
        if np.abs(rigid - M).max() > 1e-6 * np.abs(M).max():
            # a mass that differs between directions
            data = {"mass": M * self.properties.mass_factor}
            self.blocks.add(card, number, "node_matrix", [node], data=data)
            return
        self._add_mass(card, node, m, inertia, offset)

    def _add_mass(self, card: BulkCard, node: int, mass: float, inertia: Array, offset: Array) -> None:
        factor = self.properties.mass_factor
        inertia = (inertia + inertia.T) / 2.0
        self.masses.append(made(card, lambda: PointMass(node, mass * factor, inertia * factor, offset)))


def _axes(line: Array, direction: Array | None) -> Array | None:
    """Return rows x, y, z with y on the side of `direction` (any side if None), or None if there are none."""
    length = float(np.sqrt(line @ line))
    if not length > 0.0:
        return None
    x = line / length
    if direction is None:
        direction = np.eye(3)[int(np.argmin(np.abs(x)))]
    z = np.cross(x, direction)
    size = float(np.sqrt(z @ z))
    if not size > _PARALLEL * float(np.sqrt(direction @ direction)):
        return None
    z = z / size
    return np.stack([x, np.cross(z, x), z])
