"""Sections that a side-car gives to the elements of a deck that holds only a mesh: [section.NAME] tables.

NAME is that of an element set (Abaqus), the number of a property (Nastran), or * for all that is left.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from floatframe.errors import ModelError, ReadError
from floatframe.fem import BeamSection

Family = Literal["solid", "shell", "beam", "truss"]
_KEYS: dict[Family, set[str]] = {
    "solid": {"material"},
    "shell": {"material", "thickness", "offset"},
    "beam": {"material", "beam", "n1"},
    "truss": {"material", "area"},
}
_SHAPES = ("rectangle", "circle", "tube", "box", "i_section", "channel", "angle")


@dataclass(frozen=True)
class GivenSection:
    """What a table gives: the name of a material and what the family of elements needs besides."""

    material: str
    thickness: float = 0.0
    offset: float = 0.0
    beam: BeamSection | None = None
    area: float = 0.0
    n1: tuple[float, ...] = ()


@dataclass
class GivenSections:
    """The tables of a side-car; a template has none and records what is looked up (name -> family)."""

    tables: Mapping[str, Any] = field(default_factory=dict)
    error: Callable[[str], ReadError] = ReadError
    asked: dict[str, Family] | None = None
    used: set[str] = field(default_factory=set)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name in self.tables if name != "*")

    def get(self, name: str, family: Family) -> GivenSection | None:
        """Return the section of a set or property, or that of all the rest."""
        if self.asked is not None:
            self.asked[name] = family
            return GivenSection("steel", 0.01, 0.0, BeamSection.rectangle(0.02, 0.02, 0.3, name), 1e-4)
        key = next((key for key in self.tables if key.upper() == name.upper()), "*")
        return self._made(key, family) if key in self.tables else None

    def _made(self, name: str, family: Family) -> GivenSection:
        values = self.tables[name]
        self.used.add(name)
        if not isinstance(values, dict) or not isinstance(values.get("material"), str | int):
            raise self.error(f"[section.{name}] must name a material.")
        foreign = sorted(set(values) - _KEYS[family])
        if foreign:
            raise self.error(f"[section.{name}]: '{foreign[0]}' is unknown for a {family}.")
        needed = {"shell": "thickness", "beam": "beam", "truss": "area"}.get(family)
        if needed is not None and needed not in values:
            raise self.error(f"[section.{name}] is for {family} elements and needs '{needed}'.")
        try:
            if needed in ("thickness", "area") and not 0.0 < float(values[needed]) < math.inf:
                raise self.error(f"[section.{name}]: '{needed}' is {values[needed]!r}; it must be positive.")
            return GivenSection(
                str(values["material"]),
                float(values.get("thickness", 0.0)),
                float(values.get("offset", 0.0)),
                beam_section(values["beam"], name, self.error) if family == "beam" else None,
                float(values.get("area", 0.0)),
                tuple(float(part) for part in values.get("n1", ())),
            )
        except (ModelError, TypeError, ValueError) as error:
            raise self.error(f"[section.{name}]: {str(error).rstrip('.')}.") from error


def beam_section(values: Any, name: str, error: Callable[[str], ReadError]) -> BeamSection:
    """Return a standard profile (shape = …) or the constants themselves (A, Iy, Iz, J, …)."""
    values = dict(values)
    shape = values.pop("shape", None)
    if shape is None:
        return BeamSection(**values, name=name)
    if shape not in _SHAPES:
        raise error(f"group '{name}': shape '{shape}' is unknown; use one of {', '.join(_SHAPES)}.")
    section: BeamSection = getattr(BeamSection, shape)(**values, name=name)
    return section
