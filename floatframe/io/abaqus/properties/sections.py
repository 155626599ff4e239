"""Sections of a deck: walls, bars and the profiles of beams."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.fem import BeamSection, Material, Point
from floatframe.io.abaqus.deck import Card, Place
from floatframe.io.abaqus.properties.materials import Materials
from floatframe.io.deck import Drawn, profiles

_T = TypeVar("_T")


@dataclass(frozen=True)
class SectionCard:
    """A section card and where it stands."""

    card: Card
    place: Place


@dataclass(frozen=True)
class Profile:
    """A beam section, the direction n1 of its first axis, and its centroid seen from the node in (n1, n2)."""

    section: BeamSection
    n1: Array
    centroid: tuple[float, float] = (0.0, 0.0)


def truss_section(card: Card) -> BeamSection:
    """*SOLID SECTION of trusses: only the area counts."""
    lines = card.fields()
    A = card.numbers(lines[0][1][:1], lines[0][0])[0] if lines else 1.0
    # a round bar of that area stands for what a truss does not use
    return _made(card, lambda: BeamSection(A=A, Iy=A**2, Iz=A**2, J=A**2, name=card.option("ELSET")))


@dataclass(frozen=True)
class _BeamData:
    """Data lines of a beam section."""

    card: Card

    @cached_property
    def lines(self) -> list[list[float]]:
        return [self.card.numbers(words, line) for line, words in self.card.fields()]

    def sizes(self, count: int) -> list[float]:
        if not self.lines or len(self.lines[0]) < count:
            shape = self.card.option("SECTION").upper()
            raise self.card.error(f"{self.card.name}, SECTION={shape} needs {count} numbers.")
        return self.lines[0][:count]

    def chain(self) -> tuple[list[Point], list[float]]:
        """Return points and thicknesses of SECTION=ARBITRARY: number of walls, A, B, wall AB; then C, wall BC; …"""
        count, *first = self.sizes(6)
        walls = [first[2:], *self.lines[1 : int(count)]]
        if count != len(walls) or any(len(wall) < 3 for wall in walls):
            raise self.card.error(
                f"{self.card.name}, SECTION=ARBITRARY announces {count:g} walls, which do not follow."
            )
        return [(first[0], first[1]), *((wall[0], wall[1]) for wall in walls)], [wall[2] for wall in walls]

    @property
    def n1(self) -> Array:
        after = int(self.lines[0][0]) if self.card.option("SECTION").upper() == "ARBITRARY" and self.lines else 1
        given = np.array((self.lines[after] + [0.0] * 3)[:3]) if 0 < after < len(self.lines) else np.zeros(3)
        return given if given.any() else np.array([0.0, 0.0, -1.0])


def beam_profile(
    card: Card,
    material: Material,
    dialect: str,
    details: Mapping[str, Card],
    sizes: tuple[float, float] | None = None,
) -> Profile:
    """*BEAM SECTION and *BEAM GENERAL SECTION with the cards under them; our local y is n1, z is n2.

    sizes: of a rectangle or an ellipse along n1 and n2, in place of those of the card.
    """
    data, nu = _BeamData(card), material.nu
    shape = card.option("SECTION").upper()
    name = card.option("ELSET")
    centroid = (0.0, 0.0)
    if shape == "GENERAL" or (shape == "" and card.key == "BEAMGENERALSECTION"):
        A, I11, I12, I22, J = data.sizes(5)
        section = _made(card, lambda: BeamSection(A=A, Iy=I11, Iz=I22, J=J, Iyz=I12, ky=1.0, kz=1.0, name=name))
        width = height = 0.0
    elif shape.startswith("RECT"):
        width, height = sizes or (data.sizes(1) + data.lines[0][1:2] + data.lines[0])[:2]
        section = _made(card, lambda: BeamSection.rectangle(width, height, nu, name))
    elif shape == "CIRC":
        width, height = sizes or _round_sizes(card, data, dialect)
        section = _made(card, lambda: _ellipse(width, height, nu, name))
    elif shape in ("PIPE", "THICKPIPE"):
        radius, wall = data.sizes(2)
        width = height = 2.0 * radius
        section = _made(card, lambda: BeamSection.tube(width, wall, nu, name))
    else:
        drawn, (width, height) = _drawn(card, data, shape, name)
        section, centroid = drawn.section, drawn.centroid
    share = [card.numbers([card.option(f"OFFSET{k}")], card.line)[0] for k in (1, 2)]
    centroid = (centroid[0] - share[0] * width, centroid[1] - share[1] * height)
    if "CENTROID" in details:
        centroid = _pair(details["CENTROID"])
    if "SHEARCENTER" in details:
        x1, x2 = _pair(details["SHEARCENTER"])
        section = replace(section, shear_centre=(x1 - centroid[0], x2 - centroid[1]))
    if "TRANSVERSESHEARSTIFFNESS" in details:
        # the stiffness along n2 comes first
        along2, along1 = (value / (material.G * section.A) for value in _pair(details["TRANSVERSESHEARSTIFFNESS"]))
        section = _made(card, lambda: section.with_shear_factors(along1, along2))
    return Profile(section, data.n1, centroid)


def _drawn(card: Card, data: _BeamData, shape: str, name: str) -> tuple[Drawn, tuple[float, float]]:
    """Return a thin-walled profile with its centroid seen from the node, and its width and height."""
    if shape == "BOX":
        # the walls stand at +n1, +n2, -n1, -n2
        width, height, right, top, left, bottom = data.sizes(6)
        return _made(card, lambda: profiles.hollow_rectangle(width, height, right, top, left, bottom, name)), (
            width,
            height,
        )
    if shape == "I":
        below, height, b1, b2, t1, t2, web = data.sizes(7)
        drawn = _made(card, lambda: profiles.i_section(b1, b2, height, t1, t2, web, name))
        return replace(drawn, centroid=(0.0, drawn.centroid[1] - below)), (max(b1, b2), height)
    if shape == "L":
        # the node is where the middle lines of the legs meet
        width, height, t1, t2 = data.sizes(4)
        drawn = _made(card, lambda: profiles.angle(width, height, t1, t2, name))
        y, z = drawn.centroid
        return replace(drawn, centroid=(y - t2 / 2.0, z - t1 / 2.0)), (width, height)
    if shape == "HEX":
        radius, wall = data.sizes(2)
        corners = [(radius * math.cos(k * math.pi / 3.0), radius * math.sin(k * math.pi / 3.0)) for k in range(6)]
        drawn = _made(card, lambda: profiles.polygon([*corners, corners[0]], [wall] * 6, name))
        return drawn, (2.0 * radius, math.sqrt(3.0) * radius)
    if shape == "ARBITRARY":
        points, thickness = data.chain()
        size = np.ptp(np.array(points), axis=0)
        return _made(card, lambda: profiles.polygon(points, thickness, name)), (float(size[0]), float(size[1]))
    raise card.error(
        f"{card.name}, SECTION={shape or '?'} cannot be read; RECT, CIRC, PIPE, BOX, HEX, I, L, ARBITRARY and GENERAL "
        "can."
    )


def _pair(card: Card) -> tuple[float, float]:
    """Return the two numbers of a card under a beam section."""
    lines = card.fields()
    values = (card.numbers(lines[0][1], lines[0][0]) if lines else []) + [0.0, 0.0]
    return values[0], values[1]


def _round_sizes(card: Card, data: _BeamData, dialect: str) -> list[float]:
    """Return the two diameters of SECTION=CIRC: Abaqus writes the radius, CalculiX one or two diameters."""
    given = [value for value in data.sizes(1) + data.lines[0][1:2] if value]
    if not given:
        raise card.error(f"{card.name}, SECTION=CIRC needs a size.")
    if len(given) == 2:
        return given
    return [value * (1.0 if dialect == "calculix" else 2.0) for value in given * 2]


def _ellipse(width: float, height: float, nu: float, name: str) -> BeamSection:
    if width == height:
        return BeamSection.circle(width, nu, name)
    round_bar = BeamSection.circle(2.0, nu, name)
    a, b = width / 2.0, height / 2.0
    return BeamSection(
        A=math.pi * a * b,
        Iy=math.pi * a * b**3 / 4.0,
        Iz=math.pi * a**3 * b / 4.0,
        J=math.pi * (a * b) ** 3 / (a**2 + b**2),
        ky=round_bar.ky,
        kz=round_bar.kz,
        y_max=a,
        z_max=b,
        name=name,
    )


def general_section_material(card: Card, materials: Materials) -> Material:
    """Return the material of a beam section; *BEAM GENERAL SECTION may give E and G itself."""
    if card.option("MATERIAL"):
        return materials.get(card.option("MATERIAL"), card)
    lines = _BeamData(card).lines
    if len(lines) < 3 or len(lines[2]) < 2:
        raise card.error(f"{card.name} names no material and has no third line with E and G.")
    E, G = lines[2][:2]
    rho = card.numbers([card.option("DENSITY")], card.line)[0]
    if G <= 0:
        raise card.error(f"{card.name}: the shear modulus is {G:g}; it must be positive.")
    return _made(card, lambda: Material(E, E / (2.0 * G) - 1.0, rho, name=card.option("ELSET")))


def _made(card: Card, make: Callable[[], _T]) -> _T:
    """Return make(), its complaint as a read error with the line of the card."""
    try:
        return make()
    except ModelError as error:
        raise card.error(str(error)) from error
