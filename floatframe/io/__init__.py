"""Files: `read` and `write` choose the format by suffix, content and the object given; one module per format."""

from floatframe.io import abaqus, fe_hdf5, fum_binary, fum_hdf5, modes_hdf5
from floatframe.io.describe import describe
from floatframe.io.import_log import ImportLog, ImportReport
from floatframe.io.modes_hdf5 import NodalModes
from floatframe.io.registry import Format, Imported, format_of, formats, read, read_with_report, register, write
from floatframe.io.units import UNIT_SYSTEMS, magnitude_warnings, to_si

__all__ = [
    "UNIT_SYSTEMS",
    "Format",
    "ImportLog",
    "ImportReport",
    "Imported",
    "NodalModes",
    "describe",
    "format_of",
    "formats",
    "magnitude_warnings",
    "read",
    "read_with_report",
    "register",
    "to_si",
    "write",
]

for _module in (fe_hdf5, fum_binary, fum_hdf5, modes_hdf5, abaqus):
    register(_module.FORMAT)
