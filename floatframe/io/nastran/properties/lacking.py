"""Property cards that a Nastran deck lacks, made from the [section.NUMBER] tables of its side-car."""

from __future__ import annotations

from pathlib import Path

from floatframe.io.deck import Family, GivenSection, GivenSections, cure
from floatframe.io.nastran.cards import BulkCard

_FIRST_MATERIAL = 900_000_001  # numbers of materials that have names in the side-car
_FAMILIES: dict[str, Family] = {
    "PSOLID": "solid",
    "PSHELL": "shell",
    "PBAR": "beam",
    "PBEAM": "beam",
    "PROD": "truss",
}


class LackingProperties:
    """Makes the cards when elements need them."""

    def __init__(self, sections: GivenSections) -> None:
        self.sections = sections
        self._materials: dict[str, int] = {}

    def material_name(self, number: int) -> int | str:
        """Return the name of a material that the side-car gives by name, else its number."""
        return next((name for name, known in self._materials.items() if known == number), number)

    def card(self, names: tuple[str, ...], number: int, asking: BulkCard) -> BulkCard | None:
        """Return a property among these names for the element card that refers to it, if the side-car gives one."""
        name = next((name for name in names if name in _FAMILIES), None)
        given = None if name is None else self.sections.get(str(number), _FAMILIES[name])
        if name is None or given is None:
            return None
        if name == "PSHELL" and given.offset:
            raise self.sections.error(f"[section.{number}]: offsets are on the cards of the elements (ZOFFS).")
        material = str(self._material(given.material))
        return BulkCard(name, (name, str(number), material, *_values(name, given, material)), asking.line, asking.path)

    def advice(self, names: tuple[str, ...], number: int, path: Path) -> str:
        """Return the cure for a property that nothing defines."""
        return f"; {cure(path, number, 'section')}" if any(name in _FAMILIES for name in names) else ""

    def _material(self, name: str) -> int:
        if name.isdecimal():
            return int(name)  # of the deck
        return self._materials.setdefault(name, _FIRST_MATERIAL + len(self._materials))


def _values(name: str, given: GivenSection, material: str) -> list[str]:
    """Return the fields after the material."""
    if name == "PSOLID":
        return []
    if name == "PROD":
        return [repr(given.area)]
    if name == "PSHELL":
        return [repr(given.thickness), material, "", material]
    beam = given.beam
    if beam is None:
        return []
    constants = [repr(float(value)) for value in (beam.A, beam.Iz, beam.Iy)]
    if name == "PBAR":
        return [*constants, repr(float(beam.J))]
    return [*constants, repr(float(beam.Iyz)), repr(float(beam.J))]
