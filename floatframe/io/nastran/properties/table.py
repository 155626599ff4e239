"""Properties of Nastran decks and their materials: PSOLID, PROD, PTUBE, PELAS, PDAMP, PMASS, PVISC, PBUSH.

Non-structural mass is spread over the section as additional density.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np

from floatframe.arrays import IntArray
from floatframe.errors import ModelError
from floatframe.fem import BeamSection, Material
from floatframe.io.deck import GivenMaterials, GivenSections, cure, given_material
from floatframe.io.import_log import ImportLog, What
from floatframe.io.nastran.cards import BulkCard, NastranDeck
from floatframe.io.nastran.properties.lacking import LackingProperties
from floatframe.io.nastran.properties.materials import DAMPING, MATERIALS, READERS, read_material, shear_of_bars

_T = TypeVar("_T")
# factors of the matrices of elements (1) and of DMIG (2)
_FACTORS: dict[str, What] = {"CK1": "stiffness", "CK2": "stiffness", "CM1": "mass", "CM2": "mass"}


@dataclass(frozen=True)
class Solid:
    """A solid property: material, whether quadratic hexahedra have 2 x 2 x 2 points, and the system of the material."""

    material: Material
    reduced: bool
    system: int


@dataclass(frozen=True)
class Rod:
    """Material, a section of which only the area counts (None: no area), and GJ."""

    material: Material
    section: BeamSection | None
    torsion: float


@dataclass(frozen=True)
class Bush:
    """Stiffness and damping in six directions; None where the card says nothing."""

    stiffness: list[float | None]
    damping: list[float | None]


class Properties:
    """Makes materials and sections when elements need them; those not used do no harm."""

    def __init__(
        self,
        deck: NastranDeck,
        log: ImportLog,
        given: GivenMaterials = None,
        sections: GivenSections | None = None,
    ) -> None:
        self.deck, self.log, self.given = deck, log, given
        self.lacking = LackingProperties(sections or GivenSections())
        self._tables: dict[tuple[str, ...], dict[int, BulkCard]] = {}
        self._made: dict[tuple[str, int], object] = {}
        self.mass_factor = 1.0
        self.coupled_mass = False
        given_before: set[str] = set()
        for card in deck.of("PARAM"):
            if card.text(1) in given_before:
                continue  # the first one counts: case control before bulk data
            given_before.add(card.text(1))
            if card.text(1) == "WTMASS":
                self.mass_factor = card.real(2)
                log.took("PARAM WTMASS")
            elif card.text(1) == "COUPMASS":
                self.coupled_mass = (card.text(2) or "-1").upper() not in ("NO", "-1", "0")
                log.took("PARAM COUPMASS")
            elif card.text(1) in _FACTORS and card.real(2, 1.0) != 1.0:
                reason = "a factor of whole matrices is not read"
                log.lose(f"PARAM {card.text(1)}", _FACTORS[card.text(1)], reason, card.line)
            elif card.text(1) == "G" and card.real(2, 0.0):
                log.skip("PARAM G", DAMPING, line=card.line)
            else:
                log.skip("PARAM", "it controls analysis or output", False, card.line)

    def find(
        self, names: tuple[str, ...], number: int, card: BulkCard, what: str = "property", advice: str = ""
    ) -> BulkCard:
        """Return the card among these names with a number, for another card."""
        if names not in self._tables:
            self._tables[names] = self.deck.by_number(*names)
        found = self._tables[names].get(number) or self.lacking.card(names, number, card)
        if found is None:
            advice = advice or self.lacking.advice(names, number, self.log.path)
            raise card.error(
                f"{card.name} {card.text(1)} uses {what} {number}, which no {' or '.join(names[:2])} defines{advice}."
            )
        return found

    @cached_property
    def elements(self) -> IntArray:
        """Numbers of all shells, sorted."""
        names = ("CQUAD4", "CTRIA3", "CQUADR", "CTRIAR", "CQUAD8", "CTRIA6")
        return np.array(sorted(card.number(1) for card in self.deck.of(*names)), dtype=np.int64)

    def once(self, family: str, number: int, make: Callable[[], _T]) -> _T:
        """Return make(), remembered by family and number."""
        key = (family, number)
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]  # type: ignore[return-value]  # a family makes one kind of thing

    # materials

    def material(self, number: int, card: BulkCard) -> Material:
        """Return the material of this number, or what the user gives for it."""
        given = given_material(self.given, self.lacking.material_name(number))
        if given is not None:
            return given
        found = self.find(MATERIALS, number, card, "material", f"; {cure(self.log.path, number)}")
        if found.name not in READERS:
            raise card.error(
                f"{card.name} {card.text(1)} uses {found.name} {number}, which cannot be read: "
                f"{cure(self.log.path, number)}."
            )
        return self.once("MAT", number, lambda: made(found, lambda: read_material(found, self.log, self.mass_factor)))

    def material_card(self, number: int, card: BulkCard) -> BulkCard | None:
        """Return the card of a material, None if the user gives another."""
        if given_material(self.given, self.lacking.material_name(number)) is not None:
            return None
        return self.find(MATERIALS, number, card, "material", f"; {cure(self.log.path, number)}")

    def isotropic(self, number: int, card: BulkCard) -> Material:
        """Return a material for bars, which must be MAT1."""
        material = self.material(number, card)
        if material.matrix is not None:
            raise card.error(f"{card.name} {card.text(1)} uses '{material.name}'; bars need MAT1.")
        return material

    def bar_shear(self, number: int, card: BulkCard) -> float:
        """Return the factor on the shear modulus that bars of this material have."""
        return shear_of_bars(self.material_card(number, card), self.isotropic(number, card))

    def heavier(self, material: Material, card: BulkCard, field: int, size: float) -> Material:
        """Return the material with the non-structural mass of a property spread over its area or thickness."""
        return self.loaded(material, f"{card.name} {card.text(1)}", card.real(field, 0.0), size)

    def loaded(self, material: Material, owner: str, nsm: float, size: float) -> Material:
        """Return the material with a non-structural mass, per length or area, spread over area or thickness."""
        nsm *= self.mass_factor
        if not nsm:
            return material
        family = owner.split()[0]
        self.log.warn(f"the non-structural mass of {family} is spread over its section as density.")
        key = (f"{material.name} {owner} {nsm / size!r}", 0)
        if key not in self._made:
            name = f"{material.name} with {family} NSM"
            self._made[key] = replace(material, rho=material.rho + nsm / size, name=name)
        return self._made[key]  # type: ignore[return-value]  # materials only

    # shells and solids

    def solid(self, number: int, card: BulkCard) -> Solid | None:
        """Return PSOLID of this number, None for kinds of solids that cannot be read, which the report says."""
        found = self.find(("PSOLID", "PCOMPS", "PCOMPLS", "PLSOLID", "PSLDN1"), number, card)
        if found.name != "PSOLID" or found.text(7)[:1] in ("F", "P"):
            kind = found.name if found.name != "PSOLID" else f"PSOLID {found.text(7)}"
            self.log.lose(kind, "stiffness", f"{card.name} with this property cannot be read", card.line)
            return None

        def make() -> Solid:
            self.log.took("PSOLID")
            reduced = found.text(4) in ("TWO", "2") and found.text(6) in ("FULL", "1")
            return Solid(self.material(found.number(2), found), reduced, found.integer(3, 0))

        return self.once("PSOLID", number, make)

    # rods

    def rod(self, number: int, card: BulkCard) -> Rod:
        """Return PROD of this number."""
        found = self.find(("PROD",), number, card)
        return self.once("PROD", number, lambda: self.bar_of_area(found, 2, found.real(3, 0.0), found.real(4, 0.0), 6))

    def tube(self, number: int, card: BulkCard) -> Rod:
        """Return PTUBE of this number; one that tapers has the mean of both ends."""
        found = self.find(("PTUBE",), number, card)

        def make() -> Rod:
            outer = (found.real(3) + (found.real(6, 0.0) or found.real(3))) / 2.0
            inner = outer - 2.0 * (found.real(4, 0.0) or outer / 2.0)
            if found.real(6, 0.0) and found.real(6) != found.real(3):
                self.log.warn("PTUBE tapers; the mean of its ends is taken.")
            A, J = math.pi * (outer**2 - inner**2) / 4.0, math.pi * (outer**4 - inner**4) / 32.0
            return self.bar_of_area(found, 2, A, J, 5)

        return self.once("PTUBE", number, make)

    def bar_of_area(self, card: BulkCard, material: int, A: float, J: float, nsm: int) -> Rod:
        """Return a rod of this area and torsion constant; fields of the material and the non-structural mass."""
        basic = self.isotropic(card.number(material), card)
        torsion = basic.G * J * self.bar_shear(card.number(material), card)
        if card.name != "CONROD":
            self.log.took(card.name)
        if not A:
            if card.real(nsm, 0.0):
                self.log.lose(f"{card.name} NSM", "mass", "a rod without area cannot carry it", card.line)
            return Rod(basic, None, torsion)
        name = f"{card.name} {card.text(1)}"
        section = made(card, lambda: BeamSection(A=A, Iy=A**2, Iz=A**2, J=A**2, name=name))
        return Rod(self.heavier(basic, card, nsm, A), section, torsion)

    # springs

    def scalar(self, name: str, number: int, card: BulkCard, fields: int) -> float:
        """Return the first value of PELAS, PDAMP or PMASS."""
        return self.several(name, number, card, fields, (2,))[0]

    def several(
        self, name: str, number: int, card: BulkCard, fields: int, wanted: tuple[int, ...]
    ) -> tuple[float, ...]:
        """Return values of a property whose cards hold several of them, each of this many fields."""
        if (name,) not in self._tables:
            table: dict[int, BulkCard] = {}
            for several in self.deck.of(name):
                for k in range(1, 9, fields):
                    if several.text(k):
                        one = replace(several, fields=(name, *several.fields[k : k + fields]))
                        other = table.setdefault(one.number(1), one)
                        if other is not one and not other.equals(one):
                            raise several.error(f"{name} {one.text(1)} was defined differently in line {other.line}.")
                        self.log.took(name)
            self._tables[(name,)] = table
        found = self.find((name,), number, card)
        if name == "PELAS":
            self.tell_damping(found, 3)
        return tuple(found.real(k, 0.0) for k in wanted)

    def tell_damping(self, card: BulkCard, field: int) -> None:
        """Tell of structural damping in a field of a spring or its property."""
        if card.real(field, 0.0):
            self.log.skip(f"{card.name} GE", DAMPING, line=card.line)

    def bush(self, number: int, card: BulkCard) -> Bush:
        """Return PBUSH of this number."""
        found = self.find(("PBUSH",), number, card)

        def make() -> Bush:
            rows: dict[str, list[float | None]] = {"K": [None] * 6, "B": [None] * 6}
            for start in range(2, len(found.fields), 8):
                word = found.text(start)
                if word in rows:
                    rows[word] = [found.real(start + k) if found.text(start + k) else None for k in range(1, 7)]
                elif word == "M" and any(found.text(start + k) for k in range(1, 7)):
                    self.log.lose("PBUSH M", "mass", "only stiffness and viscous damping are read", found.line)
                elif word == "GE":
                    self.log.skip("PBUSH GE", DAMPING, line=found.line)
                elif word not in ("", "RCV", "M", "T"):
                    raise found.error(f"PBUSH {number} has '{word[:20]}' where K, B, GE or RCV is expected.")
            self.log.took("PBUSH")
            return Bush(rows["K"], rows["B"])

        return self.once("PBUSH", number, make)


def made(card: BulkCard, make: Callable[[], _T]) -> _T:
    """Return make(), its complaint as a read error with the line of the card."""
    try:
        return make()
    except (ModelError, OverflowError) as error:
        raise card.error(str(error)) from error
