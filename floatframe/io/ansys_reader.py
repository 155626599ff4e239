"""Reading an ANSYS input file command by command into a `Deck`; what is not understood is reported or refused."""

from __future__ import annotations

from pathlib import Path

from floatframe.io import ansys_conditions, ansys_frames, ansys_mesh, ansys_properties, ansys_select
from floatframe.io.ansys_deck import Deck, Handler
from floatframe.io.ansys_names import LOST_COMMANDS
from floatframe.io.ansys_text import Command, Text
from floatframe.io.import_log import ImportLog

HANDLERS: dict[str, Handler] = {
    **ansys_mesh.HANDLERS,
    **ansys_frames.HANDLERS,
    **ansys_properties.HANDLERS,
    **ansys_select.HANDLERS,
    **ansys_conditions.HANDLERS,
}

# commands of geometry and loops: only ANSYS itself can turn them into nodes and elements
_PROGRAM = {
    **dict.fromkeys(("*DO", "*DOWHILE", "*USE", "*REPEAT"), "is a program that only ANSYS can run"),
    **dict.fromkeys(
        ("VMESH", "AMESH", "LMESH", "KMESH", "VSWEEP", "VDRAG", "VROTAT", "VEXT", "EXTOPT,GO"),
        "makes the mesh from geometry, which only ANSYS can do",
    ),
    **dict.fromkeys(
        ("NSYM", "ESYM", "ENGEN", "NSCALE", "EINTF", "RBE3", "ESURF", "NUMMRG"), "changes the mesh inside ANSYS"
    ),
}
_LOADS = {"F", "SF", "SFE", "SFL", "SFA", "ACEL", "OMEG", "DOME", "BF", "BFE", "BFUN", "TUNI", "SFGR", "FDEL", "CMOM"}
_PRESTRESS = {"PSTR", "SSTI"}
_SYSTEM_DAMPING = {"ALPH", "BETA", "DMPR", "DMPS"}
_ANALYSIS = set(
    [
        "ANTY",
        "ADPC",
        "ALLS",
        "AUTO",
        "BCSO",
        "CDWR",
        "CEWR",
        "CGLO",
        "CGOM",
        "CMGR",
        "CNTR",
        "CNVT",
        "CRPL",
        "CUTC",
        "DCGO",
        "DELT",
        "DMPO",
        "DOF",
        "EALI",
        "EQSL",
        "ERES",
        "ETCO",
        "EXPA",
        "EXTO",
        "FINI",
        "FINISH",
        "HROP",
        "IRLF",
        "KBC",
        "KUSE",
        "LNSR",
        "LSWR",
        "LUMP",
        "MODC",
        "MODO",
        "MXPA",
        "NCNV",
        "NEQI",
        "NLDI",
        "NLGE",
        "NROP",
        "NSUB",
        "NUMO",
        "OUTP",
        "OUTR",
        "PARE",
        "PARS",
        "PCGO",
        "PIVC",
        "PRED",
        "QRDO",
        "RESC",
        "RESU",
        "SAVE",
        "SET",
        "SHPP",
        "SOLC",
        "SOLV",
        "STAB",
        "TIME",
        "TIMI",
        "TINT",
        "TOFF",
        "TRNO",
        "TSHA",
        "WPAV",
        "WPCS",
        "WPRO",
        "WPST",
        "VTGE",
        "XMLO",
        "ESHA",
        "RATE",
        "STOP",
        "TSRE",
        "OPNC",
        "RDEL",
        "SFCU",
        "NLOG",
        "CMAP",
        "CHEC",
        "MSTO",
        "ETDE",
    ]
)
_TABLE_ROWS = {"TBDA", "TBTE", "TBPT", "TBFI"}
_UNITS = {"SI": "SI", "MKS": "SI", "CGS": "cm-g-s", "MPA": "mm-t-s", "BIN": "in-lbf-s", "BFT": "ft-lbf-s", "UMKS": ""}
_END = ("/EOF", "/POST1", "/POST26", "/EXIT")


def read_deck(path: Path, log: ImportLog) -> Deck:
    """Return what the file says up to its end or its results section."""
    deck = Deck(Text.open(path, log))
    for command in deck.text.commands():
        if command.name in _END:
            break
        _carry_out(deck, command)
    return deck


def _carry_out(deck: Deck, command: Command) -> None:
    log, name = deck.text.log, command.name
    handler = HANDLERS.get(name) or (HANDLERS.get(name[:4]) if len(name) >= 4 else None)
    if handler is not None:
        handler(deck, command)
    elif name in _PROGRAM:
        raise deck.text.error(f"{name} {_PROGRAM[name]}; write the finished model with CDWRITE,DB.", command.line)
    elif name[:4] in _LOADS:
        log.skip(name, "loads belong to an analysis, the model carries none", False, command.line)
    elif name[:4] in _SYSTEM_DAMPING:
        if any(deck.text.number(entry, unknown=0.0) for entry in command.fields[:1]):
            log.skip(name, "damping of the whole system is given when a body is used", True, command.line)
    elif name[:4] in _PRESTRESS:
        if command.word(0) == "ON":
            log.skip(name, "stresses of loads do not stiffen the structure", True, command.line)
    elif name in ("/PREP7", "/SOLU", "/SOLUTION"):
        deck.in_preparation = name == "/PREP7"
    elif name == "/UNITS":
        deck.declared_units = _UNITS.get(command.word(0), "")
    elif name == "/INPUT":
        included = command.field(0).strip("' ")
        what = f"the file '{included}' it includes" if included else "the file it includes has no name here and"
        reason = f"{what} is not read; put its content into this file"
        if deck.in_preparation:
            log.lose(name, "unknown", reason, command.line)
        else:  # before the model come settings, after it loads
            log.skip(name, reason, True, command.line)
    elif name == "/CLEAR":
        if deck.elements.merged():
            raise deck.text.error("/CLEAR starts a second model; keep one model in a file.", command.line)
    elif name[:4] in _ANALYSIS:
        log.skip("settings", "how to analyse and show is not part of the model", False, command.line)
    elif name[:4] in LOST_COMMANDS:
        log.lose(name[:20], *LOST_COMMANDS[name[:4]], command.line)
    elif name[:4] not in _TABLE_ROWS and not name.startswith(("/", "*", "~")):
        log.skip(name[:20], "this command is not known here as one that adds to the structure", False, command.line)
