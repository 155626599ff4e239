"""Beam properties of Nastran decks: PBAR, PBARL, PBEAM, PBEAML.

Local axes are Nastran's: y lies in plane 1, I1 = ∫y² dA is `Iz`, I2 = ∫z² dA is `Iy`, K1 goes with y.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from floatframe.fem import BeamSection, Material
from floatframe.io import profiles
from floatframe.io.nastran_cards import BulkCard
from floatframe.io.nastran_properties import Properties, made

_STATIONS = ("YES", "YESA", "NO")
_DIMENSIONS = {
    **{"ROD": 1, "TUBE": 2, "TUBE2": 2, "BAR": 2, "BOX": 4, "BOX1": 6, "I": 6, "I1": 4},
    **{"CHAN": 4, "L": 4, "T": 4, "T2": 4},
}


@dataclass(frozen=True)
class BeamProperty:
    """Material, section, and where the centroid lies seen from the axis the offsets lead to (local y, z)."""

    material: Material
    section: BeamSection
    centroid: tuple[float, float] = (0.0, 0.0)


def beam_property(properties: Properties, number: int, card: BulkCard) -> BeamProperty:
    """Return the property of a CBAR or CBEAM."""
    names = ("PBAR", "PBARL") if card.name == "CBAR" else ("PBEAM", "PBEAML", "PBCOMP", "PBMSECT")
    found = properties.find(names, number, card)
    readers = {"PBAR": _pbar, "PBARL": _profile, "PBEAM": _pbeam, "PBEAML": _profile}
    if found.name not in readers:
        raise card.error(f"{card.name} {card.text(1)} uses {found.name} {number}; PBEAM and PBEAML can be read.")

    def make() -> BeamProperty:
        properties.log.took(found.name)
        return readers[found.name](properties, found)

    return properties.once(found.name, number, make)


def _pbar(properties: Properties, card: BulkCard) -> BeamProperty:
    """PBAR,PID,MID,A,I1,I2,J,NSM, stress points C D E F, K1,K2,I12."""
    A, I1, I2, J = (card.real(k, 0.0) for k in (3, 4, 5, 6))
    if not (I1 and I2 and J):
        smallest = 1e-6 * A**2
        properties.log.skip("PBAR", "moments of inertia that are zero are taken as next to nothing", line=card.line)
        I1, I2, J = (value or smallest for value in (I1, I2, J))
    points = [card.real(k, 0.0) for k in range(9, 17)]
    section = made(
        card,
        lambda: BeamSection(
            A=A, Iy=I2, Iz=I1, J=J, Iyz=card.real(19, 0.0), ky=card.real(17, 0.0) or math.inf,
            kz=card.real(18, 0.0) or math.inf, y_max=_reach(points[::2]), z_max=_reach(points[1::2]),
            name=f"PBAR {card.text(1)}",
        ),
    )  # fmt: skip
    return BeamProperty(properties.heavier(properties.material(card.number(2), card), card, 7, A), section)


def _reach(values: list[float]) -> float:
    return max(abs(value) for value in values)


def _pbeam(properties: Properties, card: BulkCard) -> BeamProperty:
    """PBEAM: end A, stations along the beam, then shear factors and the neutral axis; a taper becomes its mean."""
    ends = [[card.real(k, 0.0) for k in range(3, 9)]]
    points = [0.0] * 8
    at = 9
    if card.text(at) not in _STATIONS:
        points = [card.real(k, 0.0) for k in range(9, 17)]
        at = 17
    while card.text(at) in _STATIONS:
        # an end that repeats end A may leave its fields empty
        ends.append([card.real(at + k, ends[0][k - 2]) for k in range(2, 8)])
        at += 16 if card.text(at) == "YES" else 8
    changes = any(abs(b - a) > 1e-6 * abs(a) for end in ends[1:] for a, b in zip(ends[0], end, strict=True))
    if changes:
        properties.log.warn(f"PBEAM {card.text(1)} tapers; the mean of its ends is taken.")
        properties.log.skip("PBEAM taper", "the mean of the ends is taken", line=card.line)
    A, I1, I2, I12, J, _ = ((a + b) / 2.0 for a, b in zip(ends[0], ends[-1], strict=True))
    if any(card.real(at + k, 0.0) for k in (6, 7)):
        properties.log.skip("PBEAM CW", "warping stiffness is left out", line=card.line)
    if any(card.real(at + k, 0.0) for k in (4, 5, 8, 9, 10, 11)):
        reason = "non-structural mass has neither a place nor a moment of inertia of its own here"
        properties.log.skip("PBEAM NSI, M1, M2", reason, line=card.line)
    n1, n2 = ((card.real(at + 12 + k, 0.0) + card.real(at + 14 + k, card.real(at + 12 + k, 0.0))) / 2.0 for k in (0, 1))
    section = made(
        card,
        lambda: BeamSection(
            A=A, Iy=I2, Iz=I1, Iyz=I12, J=J or I1 + I2, ky=card.real(at, 1.0) or math.inf,
            kz=card.real(at + 1, 1.0) or math.inf, shear_centre=(-n1, -n2),
            y_max=_reach(points[::2]), z_max=_reach(points[1::2]), name=f"PBEAM {card.text(1)}",
        ),
    )  # fmt: skip
    return BeamProperty(properties.heavier(properties.material(card.number(2), card), card, 8, A), section, (n1, n2))


def _profile(properties: Properties, card: BulkCard) -> BeamProperty:
    """PBARL and PBEAML: a profile by its dimensions, PID,MID,GROUP,TYPE, then DIM1, … and NSM."""
    shape = card.text(4)
    if shape not in _DIMENSIONS:
        raise card.error(
            f"{card.name} {card.text(1)} is of type '{shape[:10]}'; {', '.join(_DIMENSIONS)} can be read, others as "
            "constants on PBAR or PBEAM."
        )
    count = _DIMENSIONS[shape]
    v = [card.real(9 + k) for k in range(count)]
    material = properties.material(card.number(2), card)
    name = f"{card.name} {card.text(1)}"
    section = made(card, lambda: _drawn(shape, v, material.nu, name))
    if card.name == "PBARL":
        # bars have centroid and shear centre in one place
        section = replace(section, shear_centre=(0.0, 0.0))
    if card.name == "PBEAML" and card.text(9 + count + 1) in _STATIONS:
        properties.log.skip("PBEAML stations", "the profile of end A is taken all along", line=card.line)
    section = _upright(section)
    ey, ez = section.shear_centre
    # the axis of a CBEAM is that of its shear centres
    return BeamProperty(properties.heavier(material, card, 9 + count, section.A), section, (-ey, -ez))


def _drawn(shape: str, v: list[float], nu: float, name: str) -> BeamSection:
    """Return a profile in drawing axes, y to the right and z up."""
    if shape == "ROD":
        return BeamSection.circle(2.0 * v[0], nu, name)
    if shape == "TUBE":
        return BeamSection.circle(2.0 * v[0], nu, name) if not v[1] else _tube(v[0], v[0] - v[1], nu, name)
    if shape == "TUBE2":
        return _tube(v[0], v[1], nu, name)
    if shape == "BAR":
        return BeamSection.rectangle(v[0], v[1], nu, name)
    if shape == "BOX":
        return BeamSection.box(v[0], v[1], v[3], v[2], name)
    if shape == "I1":
        return BeamSection.i_section(v[0] + v[1], v[3], v[1], (v[3] - v[2]) / 2.0, name)
    if shape == "CHAN":
        return BeamSection.channel(v[0], v[1], v[2], v[3], name)
    if shape == "BOX1":
        # thicknesses on top, below, on the left and on the right
        return profiles.hollow_rectangle(v[0], v[1], v[5], v[2], v[4], v[3], name).section
    if shape == "L":
        return profiles.angle(v[0], v[1], v[2], v[3], name).section
    if shape == "T":
        return profiles.i_section(0.0, v[0], v[1], 0.0, v[2], v[3], name).section
    if shape == "T2":
        return profiles.i_section(v[0], 0.0, v[1], v[2], 0.0, v[3], name).section
    return profiles.i_section(v[1], v[2], v[0], v[4], v[5], v[3], name).section


def _tube(radius: float, wall: float, nu: float, name: str) -> BeamSection:
    return BeamSection.tube(2.0 * radius, wall, nu, name)


def _upright(section: BeamSection) -> BeamSection:
    """Return a drawn section in Nastran's axes: its y is up, its z to the left."""
    ey, ez = section.shear_centre
    return replace(
        section, Iy=section.Iz, Iz=section.Iy, Iyz=-section.Iyz, ky=section.kz, kz=section.ky, shear_centre=(ez, -ey),
        y_max=section.z_max, z_max=section.y_max, outline=tuple((z, -y) for y, z in section.outline),
        hole=tuple((z, -y) for y, z in section.hole),
    )  # fmt: skip
