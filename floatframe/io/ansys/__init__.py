"""ANSYS: archives and input files (.cdb, .dat), binary files (.full, .emat, .rst, .sub), umexport.

In: files of ANSYS. Out: `FEModel`s, matrix models, modes and bodies; and archives written from models.
Open `model` first: the language (`apdl`), `commands` into tables, tables into a `structure`; `binary` stands beside.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.io.ansys import model as model
    from floatframe.io.ansys.apdl import (
        Command as Command,
        Text as Text,
        elements as elements,
        names as names,
        vocabulary as vocabulary,
    )
    from floatframe.io.ansys.binary import body_from_ansys as body_from_ansys, body_from_umexport as body_from_umexport
    from floatframe.io.ansys.commands import Deck as Deck, reader as reader
    from floatframe.io.ansys.formats import FORMATS as FORMATS
    from floatframe.io.ansys.macro import write_umexport as write_umexport
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
