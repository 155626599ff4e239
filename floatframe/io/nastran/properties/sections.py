"""Beam properties of Nastran decks: PBAR, PBARL, PBEAM, PBEAML.

Local axes are Nastran's: y lies in plane 1, I1 = ∫y² dA is `Iz`, I2 = ∫z² dA is `Iy`, K1 goes with y.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from floatframe.fem import BeamSection, Material
from floatframe.io.nastran.cards import BulkCard
from floatframe.io.nastran.properties.profiles import DIMENSIONS, drawn
from floatframe.io.nastran.properties.table import Properties, made

_STATIONS = ("YES", "YESA", "NO")
_SEGMENTS = 6  # straight pieces that a tapering beam is divided into


@dataclass(frozen=True)
class BeamProperty:
    """Material, section, and where the centroid lies seen from the axis the offsets lead to (local y, z)."""

    material: Material
    section: BeamSection
    centroid: tuple[float, float] = (0.0, 0.0)
    pieces: tuple[tuple[Material, BeamSection], ...] = ()  # of equal length, if it tapers


def beam_property(properties: Properties, number: int, card: BulkCard) -> BeamProperty | None:
    """Return the property of a CBAR or CBEAM, None if it cannot be read, which the report says."""
    bars, beams = ("PBAR", "PBARL", "PBRSECT"), ("PBEAM", "PBEAML", "PBCOMP", "PBMSECT")
    names: tuple[str, ...] = bars if card.name == "CBAR" else beams
    found = properties.find(names, number, card)
    readers = {"PBAR": _pbar, "PBARL": _profile, "PBEAM": _pbeam, "PBEAML": _profile}
    if found.name not in readers:
        properties.log.lose(found.name, "stiffness", f"{card.name} with this property cannot be read", card.line)
        return None

    def make() -> BeamProperty:
        properties.log.took(found.name)
        read = readers[found.name](properties, found)
        factor = properties.bar_shear(found.number(2), found)
        pieces = tuple((material, sheared(section, factor)) for material, section in read.pieces)
        return replace(read, section=sheared(read.section, factor), pieces=pieces)

    return properties.once(found.name, number, make)


def sheared(section: BeamSection, factor: float) -> BeamSection:
    """Return a section that is stiffer in shear and torsion by a factor."""
    return replace(section, J=section.J * factor, ky=section.ky * factor, kz=section.kz * factor)


def _pbar(properties: Properties, card: BulkCard) -> BeamProperty:
    """PBAR,PID,MID,A,I1,I2,J,NSM, stress points C D E F, K1,K2,I12."""
    A, I1, I2, J = (card.real(k, 0.0) for k in (3, 4, 5, 6))
    if not A and I1 + I2 + J > 0.0:
        properties.log.warn(f"PBAR {card.text(1)} has no area; next to nothing is taken.")
        A = 1e-6 * math.sqrt(I1 + I2 + J)
    I1, I2, J = _not_zero(properties, card, A, I1, I2, J)
    points = [card.real(k, 0.0) for k in range(9, 17)]
    section = made(
        card,
        lambda: BeamSection(
            A=A, Iy=I2, Iz=I1, J=J, Iyz=card.real(19, 0.0), ky=card.real(17, 0.0) or math.inf,
            kz=card.real(18, 0.0) or math.inf, y_max=_reach(points[::2]), z_max=_reach(points[1::2]),
            name=f"PBAR {card.text(1)}",
        ),
    )  # fmt: skip
    return BeamProperty(properties.heavier(properties.isotropic(card.number(2), card), card, 7, A), section)


def _reach(values: list[float]) -> float:
    return max(abs(value) for value in values)


def _pbeam(properties: Properties, card: BulkCard) -> BeamProperty:
    """PBEAM: end A, stations along the beam, then shear factors and the neutral axis."""
    stations = [(0.0, [card.real(k, 0.0) for k in range(3, 9)])]
    points = [0.0] * 8
    at = 9
    if card.text(at) not in _STATIONS:
        points = [card.real(k, 0.0) for k in range(9, 17)]
        at = 17
    while card.text(at) in _STATIONS:
        # a station that repeats end A may leave its fields empty
        values = [card.real(at + k, stations[0][1][k - 2]) for k in range(2, 8)]
        stations.append((card.real(at + 1, 1.0), values))
        at += 16 if card.text(at) == "YES" else 8
    if any(card.real(at + k, 0.0) for k in (6, 7)):
        properties.log.skip("PBEAM CW", "warping stiffness is left out", line=card.line)
    if any(card.real(at + k, 0.0) for k in (4, 5, 8, 9, 10, 11)):
        reason = "non-structural mass has neither a place nor a moment of inertia of its own here"
        properties.log.lose("PBEAM NSI, M1, M2", "mass", reason, line=card.line)
    n1, n2 = ((card.real(at + 12 + k, 0.0) + card.real(at + 14 + k, card.real(at + 12 + k, 0.0))) / 2.0 for k in (0, 1))
    basic = properties.isotropic(card.number(2), card)

    def make(values: Sequence[float]) -> tuple[Material, BeamSection]:
        A, I1, I2, I12, J, nsm = values
        I1, I2 = _not_zero(properties, card, A, I1, I2)
        section = made(
            card,
            lambda: BeamSection(
                A=A, Iy=I2, Iz=I1, Iyz=I12, J=J or I1 + I2, ky=card.real(at, 1.0) or math.inf,
                kz=card.real(at + 1, 1.0) or math.inf, shear_centre=(-n1, -n2),
                y_max=_reach(points[::2]), z_max=_reach(points[1::2]), name=f"PBEAM {card.text(1)}",
            ),
        )  # fmt: skip
        return properties.loaded(basic, f"PBEAM {card.text(1)}", nsm, A), section

    pieces = tuple(make(values) for values in _pieces(stations))
    material, section = make(np.mean([values for _, values in (stations[0], stations[-1])], axis=0).tolist())
    return BeamProperty(material, section, (n1, n2), pieces)


def _pieces(stations: list[tuple[float, list[float]]]) -> list[list[float]]:
    """Return the values of equal pieces of a beam, linear between its stations; none if all stations are the same."""
    first = np.array(stations[0][1])
    if not any((np.abs(np.array(values) - first) > 1e-6 * np.abs(first)).any() for _, values in stations[1:]):
        return []
    order = sorted(stations, key=lambda station: station[0])
    x = [place for place, _ in order]
    middles = (np.arange(_SEGMENTS) + 0.5) / _SEGMENTS
    columns = [np.interp(middles, x, column) for column in np.array([values for _, values in order]).T]
    return np.array(columns).T.tolist()


def _not_zero(properties: Properties, card: BulkCard, A: float, *inertias: float) -> list[float]:
    """Return moments of inertia; those left out become next to nothing."""
    if not all(inertias):
        properties.log.skip(
            card.name, "moments of inertia that are zero are taken as next to nothing", False, card.line
        )
    return [value or 1e-6 * A**2 for value in inertias]


def _profile(properties: Properties, card: BulkCard) -> BeamProperty:
    """PBARL and PBEAML: a profile by its dimensions, PID,MID,GROUP,TYPE, then DIM1, … and NSM."""
    shape = card.text(4)
    if shape not in DIMENSIONS:
        raise card.error(
            f"{card.name} {card.text(1)} is of type '{shape[:10]}'; {', '.join(DIMENSIONS)} can be read, others as "
            "constants on PBAR or PBEAM."
        )
    count = DIMENSIONS[shape]
    sizes = [card.real(9 + k, 0.0 if (shape, k) == ("TUBE", 1) else None) for k in range(count)]
    basic = properties.isotropic(card.number(2), card)

    def make(values: Sequence[float]) -> tuple[Material, BeamSection]:
        section = made(card, lambda: drawn(shape, values[:count], basic.nu, f"{card.name} {card.text(1)}"))
        if card.name == "PBARL":
            # bars have centroid and shear centre in one place
            section = replace(section, shear_centre=(0.0, 0.0))
        section = _upright(section)
        return properties.loaded(basic, section.name, values[count], section.A), section

    start = 9 + count
    stations = [(0.0, [*sizes, card.real(start, 0.0)])]
    at = start + 1
    while card.name == "PBEAML" and (card.text(at) in _STATIONS or at + 1 < len(card.fields)):
        # what a station leaves out is as at end A
        values = [card.real(at + 2 + k, stations[0][1][k]) for k in range(count + 1)]
        stations.append((card.real(at + 1, 1.0), values))
        at += count + 3
    pieces = tuple(make(values) for values in _pieces(stations))
    material, section = make(np.mean([values for _, values in (stations[0], stations[-1])], axis=0).tolist())
    ey, ez = section.shear_centre
    # the axis of a CBEAM is that of its shear centres
    return BeamProperty(material, section, (-ey, -ez), pieces)


def _upright(section: BeamSection) -> BeamSection:
    """Return a drawn section in Nastran's axes: its y is up, its z to the left."""
    ey, ez = section.shear_centre
    return replace(
        section, Iy=section.Iz, Iz=section.Iy, Iyz=-section.Iyz, ky=section.kz, kz=section.ky, shear_centre=(ez, -ey),
        y_max=section.z_max, z_max=section.y_max, outline=tuple((z, -y) for y, z in section.outline),
        hole=tuple((z, -y) for y, z in section.hole),
    )  # fmt: skip
