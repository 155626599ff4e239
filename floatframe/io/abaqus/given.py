"""Section cards for elements of a deck without any, made from the [section.NAME] tables of its side-car."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import BoolArray, IntArray
from floatframe.io.abaqus.deck import Card, Group, Mesh, Place, Source
from floatframe.io.abaqus.properties import SectionCard
from floatframe.io.deck import Family, GivenSection, GivenSections

_FAMILIES: dict[str, Family] = {"solid": "solid", "shell": "shell", "beam": "beam", "truss": "truss"}


def given_section_cards(
    group: Group, free: BoolArray, mesh: Mesh, sections: GivenSections
) -> list[tuple[SectionCard, IntArray]]:
    """Return section cards and the rows of a group they are for, of those that have none (free)."""
    if group.type.family not in _FAMILIES:
        return []
    family = _FAMILIES[group.type.family]
    found = []
    left = free.copy()
    for key, name in mesh.element_sets.spelling.items():
        if not any(name.upper() == given.upper() for given in sections.names):
            continue
        rows = np.flatnonzero(left & np.isin(group.ids, mesh.element_sets.get(key)))
        section = sections.get(name, family) if rows.size else None
        if section is not None:
            found.append((SectionCard(_card(group, name, family, section), Place()), rows))
            left[rows] = False
    if left.any():
        name = group.card.option("ELSET") or "*"
        section = sections.get(name, family)
        if section is not None:
            found.append((SectionCard(_card(group, name, family, section), Place()), np.flatnonzero(left)))
    return found


def _card(group: Group, name: str, family: Family, given: GivenSection) -> Card:
    """Return the card that says in the words of Abaqus what the table says."""
    options = {"ELSET": name, "MATERIAL": given.material}
    text = ""
    if family == "solid":
        key, spelled = "SOLIDSECTION", "*SOLID SECTION"
    elif family == "shell":
        key, spelled = "SHELLSECTION", "*SHELL SECTION"
        text = f"{given.thickness!r}\n"
        if given.offset:
            options["OFFSET"] = repr(-given.offset / given.thickness)
    elif family == "truss":
        key, spelled, text = "SOLIDSECTION", "*SOLID SECTION", f"{given.area!r}\n"
    else:
        key, spelled = "BEAMSECTION", "*BEAM SECTION"
        options["SECTION"] = "GENERAL"
        b = given.beam
        text = "" if b is None else ", ".join(repr(float(v)) for v in (b.A, b.Iy, b.Iyz, b.Iz, b.J)) + "\n"
        text += ", ".join(map(repr, given.n1)) + "\n" if given.n1 else ""
    raw = np.frombuffer(text.encode(), dtype=np.uint8)
    return Card(key, spelled, options, Source(group.card.source.path, raw), group.card.line, 0, raw.size, 1)
