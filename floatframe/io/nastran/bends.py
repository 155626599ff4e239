"""Curved beams and pipes of Nastran decks: CBEND and PBEND, divided into straight pieces along their arc."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array
from floatframe.fem import BeamSection, Material
from floatframe.io.nastran.cards import BulkCard
from floatframe.io.nastran.lines import Lines
from floatframe.io.nastran.properties import Properties, made, sheared

_PIECES = 12  # straight pieces: an arc of 90 degrees is short by 7 parts in ten thousand
_ROUND_ELBOW = 1.65  # over the flexibility characteristic: how much softer than straight pipes elbows are


@dataclass(frozen=True)
class _Arc:
    """Centre, radius, first direction from the centre, the one across it in the plane, and the angle turned."""

    centre: Array
    radius: float
    first: Array
    across: Array
    angle: float

    def at(self, part: float) -> Array:
        turn = part * self.angle
        return self.centre + self.radius * (math.cos(turn) * self.first + math.sin(turn) * self.across)


class Bends:
    """Reads curved beams into blocks."""

    def __init__(self, lines: Lines, properties: Properties) -> None:
        self.lines, self.blocks, self.properties = lines, lines.blocks, properties

    def bend(self, card: BulkCard) -> None:
        """CBEND,EID,PID,GA,GB,X1,X2,X3 or GO,,,GEOM."""
        number = self.blocks.claim(card)
        prop = self.properties.find(("PBEND",), card.integer(2, number), card)
        material, section = self.properties.once("PBEND", prop.number(1), lambda: self._section(prop))
        ends = [card.number(3), card.number(4)]
        places = [self.blocks.grids.place(node, card) for node in ends]
        given = self.lines.direction(card, None, ends[0], True)
        if given is None:
            raise card.error(f"CBEND {number} has no vector or point for its plane (X1, X2, X3 or G0).")
        arc = _arc(card, prop, places[0], places[1], given)
        inner = [self.blocks.new_node(arc.at(k / _PIECES)) for k in range(1, _PIECES)]
        nodes = [ends[0], *inner, ends[1]]
        normal = np.cross(arc.first, arc.across)
        for k in range(_PIECES):
            one = number if k == 0 else self.blocks.part_of(card)
            self.lines.beam(card, one, nodes[k : k + 2], material, section, normal, np.zeros((2, 3)))
        self.properties.log.warn(f"CBEND is divided into {_PIECES} straight beams along its arc.")

    def _section(self, card: BulkCard) -> tuple[Material, BeamSection]:
        """PBEND,PID,MID,A,I1,I2,J,RB,THETAB, … K1,K2,NSM,RC,ZC,DELTAN or PID,MID,FSI,RM,T,P,RB,THETAB,,,NSM,RC,ZC."""
        properties = self.properties
        basic = properties.isotropic(card.number(2), card)
        properties.log.took("PBEND")
        name = f"PBEND {card.text(1)}"
        pipe = card.text(3) in ("1", "2", "3", "4", "5", "6")
        mass, centre = (11, (12, 13)) if pipe else (19, (20, 21))
        if any(card.real(k, 0.0) for k in centre):
            properties.log.lose(
                "PBEND RC, ZC", "stiffness", "the offset of the arc from the grids is not read", card.line
            )
        if pipe:
            section = made(card, lambda: self._elbow(card, basic, name))
        else:
            A, I1, I2, J = (card.real(k, 0.0) for k in (3, 4, 5, 6))
            ky, kz = (card.real(k, 0.0) or math.inf for k in (17, 18))
            section = made(card, lambda: BeamSection(A=A, Iy=I2, Iz=I1, J=J or I1 + I2, ky=ky, kz=kz, name=name))
        section = sheared(section, properties.bar_shear(card.number(2), card))
        return properties.loaded(basic, name, card.real(mass, 0.0), section.A), section

    def _elbow(self, card: BulkCard, basic: Material, name: str) -> BeamSection:
        """Return a pipe that ovals under bending; FSI = 1 keeps it round."""
        mean, wall, bend = card.real(4), card.real(5), card.real(7, 0.0)
        tube = BeamSection.tube(2.0 * mean + wall, wall, basic.nu, name)
        softer = 1.0
        if card.text(3) != "1" and bend > 0.0:
            softer = max(1.0, _ROUND_ELBOW * mean**2 / (wall * bend))
        return BeamSection(
            A=tube.A, Iy=tube.Iy / softer, Iz=tube.Iz / softer, J=tube.J, ky=tube.ky, kz=tube.kz, y_max=tube.y_max,
            z_max=tube.z_max, name=name,
        )  # fmt: skip


def _arc(card: BulkCard, prop: BulkCard, a: Array, b: Array, given: Array) -> _Arc:
    """Return the arc from a to b: given (3,) points from a to the centre (GEOM 1) or along the arc (2), or away from
    the centre, whose distance (3) or angle (4) stands on PBEND."""
    kind = card.integer(8, 1)
    chord = b - a
    length = float(np.sqrt(chord @ chord))
    normal = np.cross(chord, given)
    size = float(np.sqrt(normal @ normal))
    if not size > 1e-9 * length * float(np.sqrt(given @ given)) or kind not in (1, 2, 3, 4):
        raise card.error(f"CBEND {card.text(1)} has no length, no plane, or a GEOM other than 1 to 4.")
    along, up = chord / length, np.cross(normal / size, chord / length)
    # the centre lies on the bisector of the chord, this far from it
    if kind == 1:
        # v from a leads to it, at half the chord
        height = length / 2.0 * float(given @ up) / float(given @ along) if given @ along else math.inf
    elif kind == 2:
        # it is at right angles to v from a
        height = -length / 2.0 * float(given @ along) / float(given @ up)
    else:
        radius = prop.real(7) if kind == 3 else length / 2.0 / math.sin(math.radians(prop.real(8)) / 2.0)
        height = -math.sqrt(max(radius**2 - length**2 / 4.0, 0.0))
        if kind == 4 and prop.real(8) > 180.0:
            height = -height
    if not math.isfinite(height):
        raise card.error(f"CBEND {card.text(1)} has no centre of curvature.")
    centre = (a + b) / 2.0 + height * up
    radius = float(np.sqrt((a - centre) @ (a - centre)))
    if not math.isfinite(radius) or not radius > 0.0 or not length > 1e-9 * radius:
        raise card.error(f"CBEND {card.text(1)} has no centre of curvature.")
    first = (a - centre) / radius
    last = (b - centre) / radius
    across = last - (last @ first) * first
    across = across / np.sqrt(across @ across) if across.any() else np.zeros(3)
    angle = math.acos(max(-1.0, min(1.0, float(first @ last))))
    if kind == 2 and given @ across < 0.0:
        # the arc leaves a along v: the long way round
        across, angle = -across, 2.0 * math.pi - angle
    return _Arc(centre, radius, first, across, angle)
