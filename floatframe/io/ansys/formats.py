"""The formats of this room."""

from __future__ import annotations

from floatframe.io.ansys.binary import EMAT, FORMAT as SUPERELEMENT, FULL, MOTIONS, RESULTS
from floatframe.io.ansys.model import FORMAT as DECK
from floatframe.io.format import Format

FORMATS: tuple[Format, ...] = (DECK, FULL, EMAT, RESULTS, SUPERELEMENT, MOTIONS)
