"""Files: `read` and `write` choose the format by suffix, content and the object given; one module per format."""

from floatframe.io import (
    abaqus,
    ansys_matrix_model,
    ansys_model,
    fe_hdf5,
    fum_binary,
    fum_hdf5,
    matrix_text,
    meshio_bridge,
    modes_hdf5,
    nastran,
    nastran_matrices,
)
from floatframe.io.ansys_body import body_from_ansys, body_from_umexport
from floatframe.io.ansys_macro import write_umexport
from floatframe.io.describe_body import describe
from floatframe.io.import_log import ImportLog, ImportReport
from floatframe.io.meshio_bridge import template as write_template
from floatframe.io.modes_hdf5 import NodalModes
from floatframe.io.registry import Format, Imported, format_of, formats, read, read_with_report, register, write
from floatframe.io.units import UNIT_SYSTEMS, magnitude_warnings, to_si, unit_system

__all__ = [
    "UNIT_SYSTEMS",
    "Format",
    "ImportLog",
    "ImportReport",
    "Imported",
    "NodalModes",
    "body_from_ansys",
    "body_from_umexport",
    "describe",
    "format_of",
    "formats",
    "magnitude_warnings",
    "read",
    "read_with_report",
    "register",
    "to_si",
    "unit_system",
    "write",
    "write_template",
    "write_umexport",
]

for _module in (fe_hdf5, fum_binary, fum_hdf5, modes_hdf5, abaqus):
    register(_module.FORMAT)
for _format in (ansys_model.FORMAT, ansys_matrix_model.FULL, ansys_matrix_model.EMAT, ansys_matrix_model.RESULTS):
    register(_format)
for _format in (nastran.FORMAT, nastran_matrices.OP4_FORMAT):
    register(_format)
# last: they go by suffix alone
for _module in (matrix_text, meshio_bridge):
    register(_module.FORMAT)
