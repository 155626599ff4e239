"""ANSYS input files (.cdb archives, Workbench .dat, plain decks) as finite element models.

Formulations differ where programs differ: SOLID185 is read as a hexahedron with incompatible modes (as SOLID45 and
SOLID185 with KEYOPT(2) = 2 or 3 have them), BEAM188 as an exact beam, SHELL181 as a mixed flat shell; SOLID186 with
uniform reduced integration, the default, is reproduced exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np

from floatframe.arrays import IntArray
from floatframe.errors import ModelError
from floatframe.fem import FEModel, ShellSection
from floatframe.io.ansys.apdl import WITHOUT_STRUCTURE, element_loss, elements as table
from floatframe.io.ansys.commands import Deck, read_deck
from floatframe.io.ansys.structure import (
    Builder,
    Group,
    couplings,
    lines,
    pipes,
    solids,
    springs,
    surfaces,
    user_matrices,
)
from floatframe.io.ansys.writer import set_names, write
from floatframe.io.deck import GivenMaterials, mass_rules
from floatframe.io.format import Format
from floatframe.io.import_log import ImportLog

_FAMILIES = (
    (table.BRICK8 | table.BRICK20 | table.TET10 | table.TET4, solids.add_solids),
    (table.SHELL4 | table.SHELL8, solids.add_shells),
    (table.BEAM_REAL | table.BEAM_SECTION | table.PIPE_REAL | table.PIPE_SECTION, lines.add_beams),
    (table.ELBOW, pipes.add_elbows),
    (table.LINK, lines.add_links),
    (table.MASS, lines.add_masses),
    (table.SPRING, springs.add_springs),
    (table.CURVE_SPRING, springs.add_curve_springs),
    (table.GAP_SPRING, springs.add_gap_springs),
    (table.BEARING, springs.add_bearings),
    (table.ACTUATOR, springs.add_actuators),
    (table.USER_MATRIX, user_matrices.add_user_matrices),
    (table.SURFACES, surfaces.add_surfaces),
    (table.SHEAR_PANEL, solids.add_shear_panels),
)
_ADD: dict[int, Callable[[Builder, Group], bool | None]] = {
    number: add for numbers, add in _FAMILIES for number in numbers
}
_LATER = {
    **dict.fromkeys(table.CONTACT, "contact"),
    **dict.fromkeys(table.TARGET, "target"),
    **dict.fromkeys(table.RIGID, "rigid"),
    **dict.fromkeys(table.PRETENSION, "rigid"),
}
READ_ELEMENTS = frozenset((*_ADD, *_LATER))  # numbers of the elements that go into a model


def load(
    path: Path,
    log: ImportLog,
    temperature: float | None = None,
    materials: GivenMaterials = None,
    sections: Mapping[str, ShellSection] | None = None,
) -> FEModel:
    """Return the model of a file in the file's own units.

    temperature: where temperature-dependent materials are evaluated (BFUNIF, TREF, or the first entry, if not given);
    materials: what to use instead of the file's materials, by number or one for all; sections: walls of shells whose
    section the file does not give, by its number.
    """
    return build(read_deck(path, log), temperature, materials, sections)


def build(
    deck: Deck,
    temperature: float | None = None,
    materials: GivenMaterials = None,
    sections: Mapping[str, ShellSection] | None = None,
) -> FEModel:
    """Return the model a deck describes."""
    log = deck.text.log
    if deck.declared_units not in ("", "SI"):
        log.warn(f"the file declares by /UNITS that its numbers are in {deck.declared_units}; set it with --units.")
    builder = Builder.of(deck, temperature, materials)
    builder.walls = sections or {}
    later: dict[str, list[Group]] = {"contact": [], "target": [], "rigid": []}
    if not builder.ids.size:
        only = "it has geometry only, which ANSYS must mesh: write the model with CDWRITE,DB" if deck.geometry else ""
        raise log.error(f"no nodes were found; {only or 'an ANSYS model has NBLOCK or N commands'}.")
    for group in _groups(deck):
        number = group.type.number
        if number in _ADD:
            if _ADD[number](builder, group) is not False:
                log.took(group.name, group.ids.size)
        elif number in _LATER:
            later[_LATER[number]].append(group)
        elif number in table.WITHOUT_STIFFNESS:
            log.skip(group.name, "it has neither stiffness nor mass of its own", False, count=group.ids.size)
        elif number in WITHOUT_STRUCTURE:
            log.skip(group.name, "it is about heat, fields or loads", False, count=group.ids.size)
        else:
            log.lose(group.name, element_loss(number), "this element is not supported", count=group.ids.size)
    if not builder.blocks and not builder.masses:
        names = list(dict.fromkeys(group.name for group in _groups(deck)))
        flat = [name for name in names if name.startswith("PLANE") or name in ("SHELL61", "SHELL208", "SHELL209")]
        why = f"; {', '.join(flat)} are two-dimensional, make a model in space of them" if flat else ""
        shown = ", ".join(names) or "no elements at all"
        raise log.error(f"none of its elements has stiffness or mass that can be read; it has {shown}{why}.")
    found = couplings.constraints_of(builder, later["rigid"], later["contact"], later["target"])
    fe = couplings.supports_and_equations(builder, found, _assembled(builder))
    return mass_rules.ansys(fe, deck.lumped_mass, log)


def _groups(deck: Deck) -> Iterator[Group]:
    """Yield elements that share type, material, real constants, section and system."""
    for part in deck.elements.merged():
        columns = part.attributes[:, [1, 0, 2, 3, 4]]
        if part.ids.size and (columns == columns[0]).all():
            keys, which = columns[:1], np.zeros(part.ids.size, dtype=np.int64)
        else:
            keys, which = np.unique(columns, axis=0, return_inverse=True)
        for k, (kind, material, real, section, system) in enumerate(keys.tolist()):
            rows = np.flatnonzero(which.ravel() == k)
            if kind not in deck.types:
                raise deck.text.log.error(
                    f"element {part.ids[rows[0]]} is of type {kind}, which no ET command defines."
                )
            yield Group(deck.types[kind], material, real, section, part.ids[rows], part.nodes[rows], system)


def _assembled(builder: Builder) -> FEModel:
    """Return the model with elements and masses, and the components as sets."""
    log, deck = builder.log, builder.deck
    numbers = np.concatenate([np.empty(0, dtype=np.int64), *(b.element_ids for b in builder.blocks)])
    node_sets, element_sets = {}, {}
    for name, (kind, members) in deck.components.items():
        if kind == "NODE":
            node_sets[name] = _known(members, builder.ids, f"component {name}", "nodes", log)
        else:
            more = [child for member in members.tolist() for child in builder.children.get(member, ())]
            whole = np.concatenate([members, np.array(more, dtype=np.int64)])
            element_sets[name] = _known(whole, numbers, f"component {name}", "elements that were read", log)
    try:
        return FEModel(
            builder.all_places(),
            tuple(builder.blocks),
            builder.all_ids(),
            node_sets,
            element_sets,
            tuple(builder.masses),
            name=log.path.stem,
        )
    except ModelError as error:
        raise log.error(str(error)) from error


def _known(members: IntArray, known: IntArray, what: str, of: str, log: ImportLog) -> IntArray:
    there = np.isin(members, known)
    if not there.all():
        log.warn(f"{what} holds {int((~there).sum())} numbers that are not {of}; they are left out.")
    return members[there]


_OPENING = 400_000  # characters looked at
_MARKS = ("NBLOCK", "EBLOCK", "ETBLOCK", "ET", "KEYOPT", "MP", "MPDATA", "SECTYPE", "N", "/PREP7")


def recognises(path: Path) -> bool:
    """Whether the opening of a text file has the commands of an ANSYS model."""
    with path.open("rb") as file:
        opening = file.read(_OPENING)
    if b"\x00\x00" in opening[:64]:
        return False
    found = set()
    for line in opening.decode("latin-1").splitlines():
        head = line.split(",")[0].strip().upper()
        if head in _MARKS and (head.startswith("/") or "," in line):
            found.add(head)
            if head in ("/PREP7", "NBLOCK", "ETBLOCK") or len(found & {"ET", "MP", "MPDATA", "N"}) > 1:
                return True
    return False


FORMAT: Format = Format(
    "ansys",
    (".cdb", ".dat", ".mac", ".ans"),
    FEModel,
    write=write,
    recognises=recognises,
    load=load,
    options=("temperature", "materials", "sections"),
    set_names=set_names,
)
