"""Reading an ANSYS input file command by command into a `Deck`; what is not understood is reported or refused."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from floatframe.io.ansys.apdl import LOST_COMMANDS, Command, Text, commands, pass_over, vocabulary as words
from floatframe.io.ansys.commands import (
    conditions,
    coupled,
    frames,
    generate,
    inquiries,
    mesh as ansys_mesh,
    properties,
    select,
)
from floatframe.io.ansys.commands.deck import Deck, Handler
from floatframe.io.import_log import ImportLog

HANDLERS: dict[str, Handler] = {
    **ansys_mesh.HANDLERS,
    **generate.HANDLERS,
    **frames.HANDLERS,
    **properties.HANDLERS,
    **select.HANDLERS,
    **conditions.HANDLERS,
    **coupled.HANDLERS,
    **inquiries.HANDLERS,
}

_TABLE_ROWS = {"TBDA", "TBTE", "TBPT", "TBFI"}
_LOAD_BLOCKS = {"FBLO", "SFEB", "BFBL", "BFEB"}
_UNITS = {"SI": "SI", "MKS": "SI", "CGS": "cm-g-s", "MPA": "mm-t-s", "BIN": "in-lbf-s", "BFT": "ft-lbf-s", "UMKS": ""}
_WRITE = "write the finished model with CDWRITE,DB, or give its .rst."
_CURE = f"which only ANSYS can do; {_WRITE}"
_END = ("/EOF", "/POST1", "/POST26", "/EXIT")


def read_deck(path: Path, log: ImportLog) -> Deck:
    """Return what the file says up to its end or its results section."""
    deck = Deck(Text.open(path, log))
    deck.text.inquire = partial(inquiries.answer, deck)
    for command in commands(deck.text):
        if command.name in _END:
            break
        carry_out(deck, command)
    return deck


def carry_out(deck: Deck, command: Command) -> None:
    """Do what a command says, or report it."""
    log, name = deck.text.log, command.name
    handler = HANDLERS.get(name) or (HANDLERS.get(name[:4]) if len(name) >= 4 else None)
    if handler is not None:
        handler(deck, command)
    elif name[:4] in words.MESHERS:
        raise deck.text.error(f"{name} makes the mesh from geometry, {_CURE}", command.line)
    elif name[:4] in words.CHANGES:
        raise deck.text.error(f"{name} changes the mesh inside ANSYS and is not read; {_WRITE}", command.line)
    elif name[:4] in words.PICKS:
        raise deck.text.error(f"{name} works by geometry, {_CURE}", command.line)
    elif name[:4] in words.PIPING:
        raise deck.text.error(f"{name} is part of the piping module, {_CURE}", command.line)
    elif name[:4] in _LOAD_BLOCKS:
        pass_over(deck.text)
        log.skip(name, "loads are part of an analysis, not of the model", False, command.line)
    elif name[:4] in words.LOADS:
        log.skip(name, "loads are part of an analysis, not of the model", False, command.line)
    elif name[:4] in words.SOLID_MODEL:
        deck.geometry = True
        log.skip("geometry", "keypoints, lines, areas and volumes are not read, only nodes and elements", False)
    elif name[:4] in words.SYSTEM_DAMPING:
        if any(deck.text.number(entry, unknown=0.0) for entry in command.fields[:1]):
            log.skip(name, "damping of the whole system is specified for the flexible body", True, command.line)
    elif name[:4] in words.PRESTRESS:
        if command.word(0) == "ON":
            log.skip(name, "stresses of loads do not stiffen the structure", True, command.line)
    elif name in ("/PREP7", "/SOLU", "/SOLUTION"):
        deck.in_preparation = name == "/PREP7"
    elif name[:4] == "LUMP":
        if command.word(0) == "ON":
            log.warn("LUMPM,ON requests the lumped mass; use --mass lumped for modes.")
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
    elif name[:4] in LOST_COMMANDS:
        log.lose(name[:20], *LOST_COMMANDS[name[:4]], command.line)
    elif name[:4] in words.SETTINGS:
        log.skip("settings", "analysis and display settings are not part of the model", False, command.line)
    elif name[:4] not in _TABLE_ROWS and name[:1] not in "/*~0123456789-(":
        log.skip(name[:20], "this command is not known to add to the structure", False, command.line)
