"""The formats of this room."""

from __future__ import annotations

from floatframe.io.format import Format
from floatframe.io.native import fe_hdf5, fum_binary, fum_hdf5, matrix_text, modes_hdf5

FORMATS: tuple[Format, ...] = (fe_hdf5.FORMAT, fum_binary.FORMAT, fum_hdf5.FORMAT, modes_hdf5.FORMAT)
TEXT_FORMATS: tuple[Format, ...] = (matrix_text.FORMAT,)  # these go by suffix alone
