"""Commands that give properties: MP, MPTEMP, MPTGEN, MPDATA, TREF, BFUNIF, R, RMORE, RLBLOCK and those of sections."""

from __future__ import annotations

import re

import numpy as np

from floatframe.io.ansys.apdl import Command, beside, read_real_constants
from floatframe.io.ansys.commands import materials
from floatframe.io.ansys.commands.deck import Deck, Handler, SectionData
from floatframe.io.ansys.commands.section_cells import read_cells
from floatframe.io.ansys.commands.tables import Law

_LAWS = ("ELAS", "ANEL", "DENS")
_DAMPING = ("SDAM", "DAMP")
_NUMERIC_LINE = re.compile(r"^\s*[-+.\d][-+.\d\sEeDd,]*$")


def _mp(deck: Deck, command: Command) -> None:
    materials.mp(deck.materials, deck.text, command)
    deck.text.log.took("MP")


def _mptemp(deck: Deck, command: Command) -> None:
    materials.mptemp(deck.materials, deck.text, command)


def _mptgen(deck: Deck, command: Command) -> None:
    materials.mptgen(deck.materials, deck.text, command)


def _mpdata(deck: Deck, command: Command) -> None:
    materials.mpdata(deck.materials, deck.text, command)
    deck.text.log.took("MPDATA")


def _reference_temperature(deck: Deck, command: Command) -> None:
    deck.materials.reference = deck.text.number(command.field(0))


def _uniform_temperature(deck: Deck, command: Command) -> None:
    """BFUNIF,TEMP,VALUE and TUNIF,VALUE; archives write _TINY where nothing was given."""
    values = command.fields if command.name.startswith("T") else command.fields[1:] * (command.word(0) == "TEMP")
    if values and values[0].upper() not in ("", "_TINY"):
        deck.materials.uniform = deck.text.number(values[0])


def _material_law(deck: Deck, command: Command) -> None:
    """TB,Lab,MAT,NTEMP,NPTS,TBOPT: a law; its TBTEMP and TBDATA lines follow."""
    label, number = command.word(0)[:4], deck.text.integer(command.field(1), "material number") or 1
    law = Law(command.word(4)[:4], line=command.line)
    deck.materials.open_law = None
    if label in _LAWS or label == "JOIN":
        deck.materials.open_law = law
        key = f"JOIN {law.option}" if label == "JOIN" else label
        deck.materials.laws.setdefault(number, {})[key] = law
        deck.materials.lines.setdefault(number, command.line)
        deck.text.log.took(f"TB,{label}")
    elif label in _DAMPING:
        deck.text.log.skip(f"TB,{label}", "materials carry no damping here", True, command.line)
    else:
        reason = "nonlinear laws, limits and heat do not affect a linear model"
        deck.text.log.skip(f"TB,{label}", reason, False, command.line)


def _law_temperature(deck: Deck, command: Command) -> None:
    """TBTEMP,TEMP: constants that follow are those at this temperature."""
    if deck.materials.open_law is not None:
        deck.materials.open_law.rows.append((deck.text.number(command.field(0), unknown=0.0), {}))


def _law_data(deck: Deck, command: Command) -> None:
    if deck.materials.open_law is not None:
        deck.materials.open_law.put(deck.text, command)


def _copied_material(deck: Deck, command: Command) -> None:
    """MPCOPY,,MATF,MATT."""
    first, second = (deck.text.integer(command.field(k), "material number") for k in (1, 2))
    table = deck.materials
    if first not in table.properties and first not in table.laws:
        raise deck.text.error(f"MPCOPY copies material {first}, which is not defined.")
    table.properties[second] = dict(table.properties.get(first, {}))
    table.laws[second] = dict(table.laws.get(first, {}))


def _deleted_material(deck: Deck, command: Command) -> None:
    """MPDELE,Lab,MAT1,MAT2,INC."""
    text, label = deck.text, command.word(0)[:4]
    first, last, step = (text.integer(command.field(k)) for k in (1, 2, 3))
    every = command.word(1) in ("", "ALL")
    chosen = list(deck.materials.properties) if every else range(first, (last or first) + 1, max(1, abs(step)))
    for number in chosen:
        known = deck.materials.properties.get(number, {})
        for name in [name for name in known if label in ("ALL", name[:4])]:
            del known[name]
    text.log.took("MPDELE")


def _changed_material(deck: Deck, command: Command) -> None:
    """MPCHG,MAT,ELEM: another material for an element, or for all that are selected."""
    number = deck.text.integer(command.field(0), "material number")
    one = command.word(1) != "ALL"
    chosen = np.array([deck.text.integer(command.field(1), "element number")]) if one else deck.element_pick
    for part in deck.elements.merged():
        part.attributes[slice(None) if chosen is None else np.isin(part.ids, chosen), 0] = number


def _real_constants(deck: Deck, command: Command) -> None:
    """R,NSET,R1,…,R6."""
    text = deck.text
    deck.current_real = text.integer(command.field(0), "real constant set")
    deck.reals[deck.current_real] = [text.number(entry) for entry in command.fields[1:7]]
    text.log.took("R")


def _more_real_constants(deck: Deck, command: Command) -> None:
    """RMORE,R7,…,R12: six more each time."""
    values = deck.reals.get(deck.current_real)
    if values is None:
        raise deck.text.error("RMORE follows no R command.")
    values += [0.0] * (-len(values) % 6)
    values += [deck.text.number(command.field(k)) for k in range(6)]


def _modified_real_constants(deck: Deck, command: Command) -> None:
    """RMODIF,NSET,STLOC,V1,…"""
    text = deck.text
    number, place = text.integer(command.field(0)), text.integer(command.field(1))
    if not 1 <= place <= 200:
        raise text.error(f"RMODIF changes constant {place}; constants are numbered from 1.")
    values = deck.reals.setdefault(number, [])
    values += [0.0] * (place + len(command.fields) - 3 - len(values))
    for k, entry in enumerate(command.fields[2:]):
        values[place - 1 + k] = text.number(entry)


def _real_block(deck: Deck, command: Command) -> None:
    sets = read_real_constants(deck.text, command)
    deck.reals.update(sets)
    deck.text.log.took("RLBLOCK sets", len(sets))


def _section_type(deck: Deck, command: Command) -> None:
    """SECTYPE,SECID,Type,Subtype,Name,REFINEKEY."""
    number = deck.text.integer(command.field(0), "section number")
    deck.current_section = number
    deck.sections[number] = SectionData(command.word(1)[:4], command.word(2)[:4], command.field(3), line=command.line)
    deck.text.log.took("SECTYPE")


def _current_section(deck: Deck) -> SectionData:
    section = deck.sections.get(deck.current_section)
    if section is None:
        raise deck.text.error("section data without a SECTYPE before it.")
    return section


def _section_data(deck: Deck, command: Command) -> None:
    """SECDATA,VAL1,…: one layer of a shell, which may have a name, or all dimensions of a beam."""
    section = _current_section(deck)
    fields = command.fields[:4] if section.kind == "SHEL" else command.fields
    section.rows.append([deck.text.number(entry) for entry in fields])


def _section_block(deck: Deck, command: Command) -> None:
    """SECBLOCK,N: rows of numbers, one for each layer of a shell."""
    section = _current_section(deck)
    rows = []
    while _NUMERIC_LINE.match(deck.text.peek_line()):
        line = deck.text.next_line() or ""
        rows.append([deck.text.number(entry.strip()) for entry in line.rstrip(", ").split(",")])
    if not rows:
        raise deck.text.error(f"SECBLOCK of section {deck.current_section} has no rows of numbers.")
    # a beam's dimensions may run over several lines
    section.rows += rows if section.kind == "SHEL" else [[value for row in rows for value in row]]


def _section_offset(deck: Deck, command: Command) -> None:
    """SECOFFSET,Location,OFFSET1,OFFSET2; CG-Y, CG-Z, SH-Y, SH-Z that follow override what ANSYS computes."""
    section = _current_section(deck)
    if any(deck.text.number(entry) for entry in command.fields[3:7]):
        deck.text.log.skip("SECOFFSET", "given centroids and shear centres are not read", line=command.line)
    section.location = command.word(0)[:4]
    section.offset = (deck.text.number(command.field(1)), deck.text.number(command.field(2)))


def _section_control(deck: Deck, command: Command) -> None:
    """SECCONTROL: overrides of transverse shear stiffness and added mass, other ones for each type of section."""
    _current_section(deck).control = [deck.text.number(entry) for entry in command.fields]


def _section_more(deck: Deck, command: Command) -> None:
    """SECFUNCTION, SECJOINT, SECLOCK …: kept for whoever makes use of them."""
    _current_section(deck).more.setdefault(command.name[:4], []).append(list(command.fields))


def _section_file(deck: Deck, command: Command) -> None:
    """SECREAD,Fname,Ext,,Option: the cells of a beam section of subtype MESH, or a library of commands."""
    text, name = deck.text, command.field(0).strip("' ")
    path = beside(text.path, name, command.field(1).strip("' ") or "sect")
    if path is None:
        reason = f"the file '{name}' is not in the same folder as this one"
        text.log.lose("SECREAD", "stiffness", reason, command.line)
    elif command.word(3)[:4] == "MESH":
        section = _current_section(deck)
        section.cells = read_cells(path, text)
        text.log.took("SECREAD")
    else:
        reason = "libraries of sections are not read; put their commands into this file"
        text.log.lose("SECREAD", "stiffness", reason, command.line)


def _lumped_mass(deck: Deck, command: Command) -> None:
    """LUMPM,Key: lumped masses instead of consistent ones."""
    deck.lumped_mass = command.word(0) in ("ON", "1", "YES")
    deck.text.log.took("LUMPM")


HANDLERS: dict[str, Handler] = {
    "LUMP": _lumped_mass,
    "MP": _mp,
    "MPTE": _mptemp,
    "MPTG": _mptgen,
    "MPDA": _mpdata,
    "TREF": _reference_temperature,
    "BFUN": _uniform_temperature,
    "TUNI": _uniform_temperature,
    "TB": _material_law,
    "TBTE": _law_temperature,
    "TBDA": _law_data,
    "MPCO": _copied_material,
    "MPCH": _changed_material,
    "MPDE": _deleted_material,
    "R": _real_constants,
    "RMOR": _more_real_constants,
    "RMOD": _modified_real_constants,
    "RLBL": _real_block,
    "SECT": _section_type,
    "SECD": _section_data,
    "SECB": _section_block,
    "SECO": _section_offset,
    "SECC": _section_control,
    "SECF": _section_more,
    "SECJ": _section_more,
    "SECL": _section_more,
    "SECR": _section_file,
}
