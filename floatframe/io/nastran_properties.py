"""Materials and properties of Nastran decks: MAT1, PSHELL, PSOLID, PROD, PTUBE, PELAS, PDAMP, PBUSH.

Non-structural mass is spread over the section as additional density.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from floatframe.errors import ModelError
from floatframe.fem import BeamSection, Material
from floatframe.io.given_materials import GivenMaterials, cure, given_material
from floatframe.io.import_log import ImportLog
from floatframe.io.nastran_cards import BulkCard, NastranDeck

_T = TypeVar("_T")
_CONSISTENT = 1e-2  # how far G may be from E / 2(1 + nu) without a word
_MATERIALS = ("MAT1", "MAT2", "MAT3", "MAT8", "MAT9", "MAT10", "MAT11", "MATORT", "MATHE", "MATHP")
_DAMPING = "structural damping is given when a body is used"
_SHELLS = ("PSHELL", "PCOMP", "PCOMPG", "PCOMPP", "PLPLANE", "PSHEAR")


@dataclass(frozen=True)
class Wall:
    """A shell property: material, thickness, shear factor, offset of the middle from the nodes."""

    material: Material
    thickness: float
    shear_factor: float
    offset: float
    name: str


@dataclass(frozen=True)
class Bush:
    """Stiffness and damping in six directions; None where the card says nothing."""

    stiffness: list[float | None]
    damping: list[float | None]


class Properties:
    """Makes materials and sections when elements ask for them; those not used do no harm."""

    def __init__(self, deck: NastranDeck, log: ImportLog, given: GivenMaterials = None) -> None:
        self.deck, self.log, self.given = deck, log, given
        self._tables: dict[tuple[str, ...], dict[int, BulkCard]] = {}
        self._made: dict[tuple[str, int], object] = {}
        self.mass_factor = 1.0
        for card in deck.of("PARAM"):
            if card.text(1) == "WTMASS":
                self.mass_factor = card.real(2)
                log.took("PARAM WTMASS")
            elif card.text(1) == "G" and card.real(2, 0.0):
                log.skip("PARAM G", _DAMPING, line=card.line)
            else:
                log.skip("PARAM", "it tells how to analyse or what to print", False, card.line)

    def find(
        self, names: tuple[str, ...], number: int, card: BulkCard, what: str = "property", advice: str = ""
    ) -> BulkCard:
        """Return the card among these names with a number, asked for by another card."""
        if names not in self._tables:
            self._tables[names] = self.deck.by_number(*names)
        found = self._tables[names].get(number)
        if found is None:
            raise card.error(
                f"{card.name} {card.text(1)} uses {what} {number}, which no {' or '.join(names[:3])} defines{advice}."
            )
        return found

    def once(self, family: str, number: int, make: Callable[[], _T]) -> _T:
        """Return make(), remembered by family and number."""
        key = (family, number)
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]  # type: ignore[return-value]  # a family makes one kind of thing

    # materials

    def material(self, number: int, card: BulkCard) -> Material:
        """Return MAT1 of this number, or what the user gives for it."""
        given = given_material(self.given, number)
        if given is not None:
            return given
        found = self.find(_MATERIALS, number, card, "material", f"; {cure(self.log.path, number)}")
        if found.name != "MAT1":
            raise card.error(
                f"{card.name} {card.text(1)} uses {found.name} {number}; only MAT1 can be read: "
                f"{cure(self.log.path, number)}."
            )
        return self.once("MAT", number, lambda: self._isotropic(found))

    def _isotropic(self, card: BulkCard) -> Material:
        given = [card.real(k) if card.text(k) else None for k in (2, 3, 4)]
        E, G, nu = given
        if E is None and G is not None and nu is not None:
            E = 2.0 * G * (1.0 + nu)
        if E is None:
            raise card.error(f"MAT1 {card.text(1)} has no modulus E.")
        if nu is None:
            nu = E / (2.0 * G) - 1.0 if G else 0.0
        elif G is not None and abs(2.0 * G * (1.0 + nu) - E) > _CONSISTENT * abs(E):
            self.log.skip("MAT1 G", "it contradicts E and nu; the shear modulus is E/2(1 + nu)", line=card.line)
        if card.text(8) and card.real(8):
            self.log.skip("MAT1 GE", _DAMPING, line=card.line)
        rho = card.real(5, 0.0) * self.mass_factor
        if not rho:
            self.log.warn(f"MAT1 {card.text(1)} has no density: its elements have no mass of their own.")
        self.log.took("MAT1")
        return made(card, lambda: Material(E, nu, rho, name=f"MAT1 {card.text(1)}"))

    def heavier(self, material: Material, card: BulkCard, field: int, size: float) -> Material:
        """Return the material with the non-structural mass of a property spread over its area or thickness."""
        nsm = card.real(field, 0.0) * self.mass_factor
        if not nsm:
            return material
        self.log.warn(f"the non-structural mass of {card.name} is spread over its section as density.")
        return made(
            card, lambda: replace(material, rho=material.rho + nsm / size, name=f"{material.name} with {card.name} NSM")
        )

    # shells and solids

    def wall(self, number: int, card: BulkCard) -> Wall:
        """Return PSHELL of this number."""
        found = self.find(_SHELLS, number, card)
        if found.name != "PSHELL":
            raise card.error(f"{card.name} {card.text(1)} uses {found.name} {number}; only PSHELL can be read.")
        return self.once("PSHELL", number, lambda: self._wall(found))

    def _wall(self, card: BulkCard) -> Wall:
        thickness = card.real(3, 0.0)
        membrane, bending = card.text(2), card.text(4)
        material = self.material(card.number(2) if membrane else card.number(4), card)
        if not membrane or not bending:
            missing = "bending" if membrane else "membrane"
            self.log.skip("PSHELL", f"it leaves out {missing} stiffness; shells here have both", line=card.line)
        elif bending != membrane and bending != "-1" and self.material(card.number(4), card) != material:
            self.log.skip("PSHELL MID2", "another material in bending than in the plane is left out", line=card.line)
        if card.text(5) and abs(card.real(5) - 1.0) > 1e-6:
            self.log.skip("PSHELL 12I/T3", "the bending stiffness of a homogeneous wall is taken", line=card.line)
        if card.text(11) and card.integer(11):
            self.log.skip("PSHELL MID4", "coupling of membrane and bending is left out", line=card.line)
        if bending and not card.text(6):
            self.log.warn("PSHELL without MID3 is taken with the usual shear flexibility (factor 5/6).")
        shear = card.real(7, 5.0 / 6.0)
        if not thickness > 0.0 or not shear > 0.0:
            raise card.error(
                f"PSHELL {card.text(1)} has thickness {thickness:g} and TS/T {shear:g}; give positive ones."
            )
        # decks round the standard factor
        shear = 5.0 / 6.0 if abs(shear - 5.0 / 6.0) < 1e-5 else shear
        self.log.took("PSHELL")
        name = f"PSHELL {card.text(1)}"
        return Wall(self.heavier(material, card, 8, thickness), thickness, shear, card.real(13, 0.0), name)

    def solid(self, number: int, card: BulkCard) -> tuple[Material, bool]:
        """Return the material of PSOLID and whether quadratic hexahedra have 2 x 2 x 2 points."""
        found = self.find(("PSOLID", "PCOMPS", "PLSOLID"), number, card)
        if found.name != "PSOLID":
            raise card.error(f"{card.name} {card.text(1)} uses {found.name} {number}; only PSOLID can be read.")
        if found.text(7)[:1] in ("F", "P") and found.text(7) not in ("SMECH", ""):
            raise found.error(f"PSOLID {number} is of kind {found.text(7)}: fluids cannot be read.")

        def make() -> tuple[Material, bool]:
            self.log.took("PSOLID")
            reduced = found.text(4) in ("TWO", "2") and found.text(6) in ("FULL", "1")
            return self.material(found.number(2), found), reduced

        return self.once("PSOLID", number, make)

    # rods

    def rod(self, number: int, card: BulkCard) -> tuple[Material, BeamSection]:
        """Return material and section of PROD."""
        found = self.find(("PROD",), number, card)
        return self.once("PROD", number, lambda: self.bar_of_area(found, found.number(2), found.real(3), 4, 6))

    def tube(self, number: int, card: BulkCard) -> tuple[Material, BeamSection]:
        """Return material and section of PTUBE."""
        found = self.find(("PTUBE",), number, card)
        outer = found.real(3)
        wall = found.real(4, 0.0) or outer / 2.0
        A = 3.141592653589793 * wall * (outer - wall)
        return self.once("PTUBE", number, lambda: self.bar_of_area(found, found.number(2), A, None, 5))

    def bar_of_area(
        self, card: BulkCard, material: int, A: float, torsion: int | None, nsm: int
    ) -> tuple[Material, BeamSection]:
        """Return material and a round section of this area; a rod uses nothing but the area."""
        if torsion is not None and card.real(torsion, 0.0):
            self.log.skip(f"{card.name} J", "the torsional stiffness of rods is left out", line=card.line)
        name = f"{card.name} {card.text(1)}"
        section = made(card, lambda: BeamSection(A=A, Iy=A**2, Iz=A**2, J=A**2, name=name))
        self.log.took(card.name)
        return self.heavier(self.material(material, card), card, nsm, A), section

    # springs

    def scalar(self, name: str, number: int, card: BulkCard, fields: int) -> float:
        """Return the first value of PELAS, PDAMP or PMASS."""
        return self.several(name, number, card, fields, (2,))[0]

    def several(
        self, name: str, number: int, card: BulkCard, fields: int, wanted: tuple[int, ...]
    ) -> tuple[float, ...]:
        """Return values of a property whose cards hold several of them, each of so many fields."""
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
            self.log.skip(f"{card.name} GE", _DAMPING, line=card.line)

    def bush(self, number: int, card: BulkCard) -> Bush:
        """Return PBUSH of this number."""
        found = self.find(("PBUSH",), number, card)

        def make() -> Bush:
            rows: dict[str, list[float | None]] = {"K": [None] * 6, "B": [None] * 6}
            for start in range(2, len(found.fields), 8):
                word = found.text(start)
                if word in rows:
                    rows[word] = [found.real(start + k) if found.text(start + k) else None for k in range(1, 7)]
                elif word in ("GE", "M"):
                    self.log.skip(f"PBUSH {word}", "only stiffness and viscous damping are read", line=found.line)
                elif word not in ("", "RCV"):
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
