"""The formats of this room."""

from __future__ import annotations

from floatframe.io.format import Format
from floatframe.io.nastran.matrices import op2, op4
from floatframe.io.nastran.reader import FORMAT as DECK

FORMATS: tuple[Format, ...] = (DECK, op4.FORMAT, op2.FORMAT)
