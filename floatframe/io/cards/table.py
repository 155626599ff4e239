"""What becomes of every card, keyword, command and element of other programs, asked from the readers themselves.

for entry in ff.io.card_table("nastran"):
    print(entry.name, entry.status, entry.note)

Names come from the tables by which the readers dispatch; nothing is listed twice by hand but the spelling.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Literal

from floatframe.errors import ModelError, ReadError
from floatframe.io.abaqus import cards, elements as abaqus_elements, reader as abaqus
from floatframe.io.ansys import (
    Command,
    Deck,
    Text,
    elements as ansys_table,
    model as ansys_model,
    names as ansys_names,
    reader as ansys_reader,
    vocabulary as words,
)
from floatframe.io.cards.notes import notes_of
from floatframe.io.cards.spelling import ANSYS_COMMANDS, NASTRAN_CARDS, abaqus_keyword
from floatframe.io.import_log import ImportLog
from floatframe.io.meshes import TYPES as MED_TYPES
from floatframe.io.nastran import BulkCard, account, reader as nastran

Status = Literal["read", "read with a note", "left out", "ignored", "lost", "refused"]
MEANING: dict[Status, str] = {
    "read": "is in the model",
    "read with a note": "is in the model, with what the note says",
    "left out": "does not affect stiffness, mass, supports and couplings",
    "ignored": "may matter in a dynamic analysis: named in the report, `--strict` refuses the file",
    "lost": "carries structure and cannot be read: an error unless `--drop` names it",
    "refused": "is an error",
}
CARD_PROGRAMS = ("ansys", "abaqus", "nastran", "meshes")
_SCRATCH = Path("scratch")


@dataclass(frozen=True)
class CardEntry:
    """One card, keyword, command or element of a program and what becomes of it."""

    program: str
    kind: str  # "element", "command", "keyword", "card"
    name: str
    status: Status
    note: str = ""


@cache
def card_table(program: str) -> tuple[CardEntry, ...]:
    """Return all that is known of a program ("ansys", "abaqus", "nastran", "meshes"), sorted by kind and name."""
    makers = {"ansys": _ansys, "abaqus": _abaqus, "nastran": _nastran, "meshes": _meshes}
    if program not in makers:
        raise ModelError(f"program '{program}' is unknown; use one of {', '.join(CARD_PROGRAMS)}")
    found = {(entry.kind, entry.name): _noted(entry) for entry in makers[program]()}
    return tuple(sorted(found.values(), key=lambda entry: (entry.kind, entry.name)))


def _noted(entry: CardEntry) -> CardEntry:
    """Return an entry with the remarks that the readers make about it."""
    if entry.status not in ("read", "read with a note"):
        return entry
    remarks = notes_of(entry.program).get(entry.name.lstrip("*").split()[0], ())
    notes = [note for note in (entry.note, *remarks) if note]
    return replace(entry, status="read with a note", note="; ".join(dict.fromkeys(notes))) if notes else entry


def _status(log: ImportLog) -> tuple[Status, str]:
    """Return what a reader noted in a log about one card."""
    report = log.report()
    if report.lost:
        return "lost", report.lost[0].reason
    if report.ignored:
        entry = report.ignored[0]
        return ("ignored" if entry.physical else "left out"), entry.reason
    return "left out", ""


# ANSYS


def _ansys() -> Iterator[CardEntry]:
    for number, name in ansys_names.ELEMENT_NAMES.items():
        yield CardEntry("ansys", "element", name, *_ansys_element(number))
    spelled = {_short(name): name for name in ANSYS_COMMANDS}
    for short in ansys_reader.HANDLERS:
        yield CardEntry("ansys", "command", spelled.get(short, short), "read")
    known = [
        *(words.LOADS | words.PRESTRESS | words.SYSTEM_DAMPING | words.SETTINGS | words.SOLID_MODEL | words.MESHERS),
        *(words.PIPING | words.CHANGES | words.PICKS),
        *ansys_names.LOST_COMMANDS,
    ]
    for short in known:
        if short not in ansys_reader.HANDLERS:
            yield CardEntry("ansys", "command", words.SPELLED.get(short, spelled.get(short, short)), *_carried(short))


def _short(name: str) -> str:
    return name[:4] if name[0].isalpha() else name


def _ansys_element(number: int) -> tuple[Status, str]:
    if number in ansys_model.READ_ELEMENTS:
        return "read", ""
    if number in ansys_table.WITHOUT_STIFFNESS or number in ansys_names.WITHOUT_STRUCTURE:
        return "left out", "no stiffness, no mass"
    return "lost", "this element is not supported"


def _carried(name: str) -> tuple[Status, str]:
    """Return what the reader does with a command that switches something on."""
    log = ImportLog(_SCRATCH)
    deck = Deck(Text(_SCRATCH, b"", log))
    try:
        ansys_reader.carry_out(deck, Command(name, ("ON" if name in words.PRESTRESS else "1",), 1))
    except ReadError as error:
        return "refused", str(error).partition(f"{name} ")[2].partition(";")[0].rstrip(".")
    return _status(log)


# Abaqus and CalculiX


def _abaqus() -> Iterator[CardEntry]:
    def keyword(key: str, status: Status, note: str = "") -> CardEntry:
        return CardEntry("abaqus", "keyword", f"*{abaqus_keyword(key)}", status, note)

    for name, type in abaqus_elements.ELEMENT_TYPES.items():
        yield CardEntry("abaqus", "element", name, "read with a note" if type.remark else "read", type.remark)
    for starts, kind in abaqus_elements.REFUSED_FAMILIES:
        for start in starts:
            status: Status = "left out" if kind == "heat transfer" else "lost"
            yield CardEntry("abaqus", "element", f"{start}…", status, f"{kind} elements")
    for key, why in cards.EFFECTLESS.items():
        yield keyword(key, "left out", why)
    for key, why in cards.PHYSICS.items():
        yield keyword(key, "ignored", why)
    for key, (_, why) in cards.LOST.items():
        yield keyword(key, "lost", why)
    for key, why in cards.REFUSED.items():
        yield keyword(key, "refused", why)
    for key, physical in cards.MATERIAL_CARDS.items():
        note = "the material is taken as linear elastic" if physical else "it does not act in mechanics"
        yield keyword(key, "ignored" if physical else "left out", note)
    for key in (*abaqus.handled_keywords(), "INCLUDE", "ELASTIC", "DENSITY"):
        yield keyword(key, "read")
    for key in ("PART", "INSTANCE", "ASSEMBLY", "ENDPART", "ENDINSTANCE", "ENDASSEMBLY"):
        yield keyword(key, "read")


# Nastran


def _nastran() -> Iterator[CardEntry]:
    read = nastran.handled_cards()
    for name in sorted(read | set(NASTRAN_CARDS)):
        if name in read:
            yield CardEntry("nastran", "card", name, "read")
        else:
            log = ImportLog(_SCRATCH)
            account(log, name, [BulkCard(name, (name,), 1, _SCRATCH)])
            yield CardEntry("nastran", "card", name, *_status(log))


# meshes


def _meshes() -> Iterator[CardEntry]:
    from floatframe.io.meshes import gmsh as mesh_gmsh, unv

    for name, (shape, _) in MED_TYPES.items():
        yield CardEntry("meshes", "MED", name, "read", shape)
    for number, (shape, _, _) in mesh_gmsh.TYPES.items():
        yield CardEntry("meshes", "gmsh", f"type {number}", "read", shape)
    for number in mesh_gmsh.HIGHER:
        yield CardEntry("meshes", "gmsh", f"type {number}", "lost", "third or higher order")
    for kind in sorted(unv.READ_DATASETS, key=int):
        yield CardEntry("meshes", "universal file", f"dataset {kind}", "read", unv.READ_DATASETS[kind])
    for kind, (_, why) in unv.LOST_DATASETS.items():
        yield CardEntry("meshes", "universal file", f"dataset {kind}", "lost", why)


def as_markdown(entries: Iterable[CardEntry]) -> str:
    """Return tables for the user guide, one for each kind; names with the same fate and note share a row."""
    rows: dict[str, dict[tuple[str, str], list[str]]] = {}
    for entry in entries:
        rows.setdefault(entry.kind, {}).setdefault((entry.status, entry.note), []).append(entry.name)
    order = list(MEANING)
    lines: list[str] = []
    for kind, together in rows.items():
        lines += [f"### {kind[0].upper()}{kind[1:]}s" if kind[0].islower() else f"### {kind}", ""]
        lines += ["| | what becomes of it | note |", "|---|---|---|"]
        for (status, note), names in sorted(together.items(), key=lambda item: (order.index(item[0][0]), item[1])):  # type: ignore[arg-type]
            cells = ", ".join(f"`{name}`" for name in names)
            lines.append(f"| {cells} | {status} | {_escaped(note)} |")
        lines.append("")
    return "\n".join(lines)


def _escaped(text: str) -> str:
    for sign in "|*_<>":
        text = text.replace(sign, f"\\{sign}")
    return text
