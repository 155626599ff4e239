"""Files: `read` and `write` choose the format by suffix, content and the object given; one module per format."""

from dataclasses import replace

from floatframe.io.abaqus import abaqus, write_abaqus
from floatframe.io.ansys import ansys_model, write_ansys
from floatframe.io.ansys.ansys_macro import write_umexport
from floatframe.io.ansys.binary import ansys_matrix_model, ansys_superelement
from floatframe.io.ansys.binary.ansys_body import body_from_ansys, body_from_umexport
from floatframe.io.cards.card_table import PROGRAMS as CARD_PROGRAMS
from floatframe.io.cards.card_table import CardEntry, card_table
from floatframe.io.deck.reduced_matrices import INTERFACE
from floatframe.io.import_check import Checked, check_files, check_imports, files_to_check
from floatframe.io.import_check import reasons as refusal_reasons
from floatframe.io.import_log import ImportLog, ImportReport
from floatframe.io.meshes import meshio_bridge
from floatframe.io.meshes.props_template import write_template
from floatframe.io.nastran import nastran, write_nastran
from floatframe.io.nastran.matrices import nastran_op2, nastran_op4
from floatframe.io.native import fe_hdf5, fum_binary, fum_hdf5, matrix_text, modes_hdf5
from floatframe.io.native.describe_body import describe
from floatframe.io.native.modes_hdf5 import NodalModes
from floatframe.io.registry import (
    Format,
    Imported,
    format_of,
    formats,
    read,
    read_with_report,
    register,
    renamed_sets,
    write,
)
from floatframe.io.results import results, sweeps
from floatframe.io.results.results import ResultFile
from floatframe.io.results.results_schema import STATISTICS, Channel, ResultMeta, Status, column_slices
from floatframe.io.results.results_writer import ResultWriter
from floatframe.io.results.sweep_result import SweepResult
from floatframe.io.units import UNIT_SYSTEMS, magnitude_warnings, to_si, unit_system

__all__ = [
    "CARD_PROGRAMS",
    "INTERFACE",
    "STATISTICS",
    "UNIT_SYSTEMS",
    "CardEntry",
    "Channel",
    "Checked",
    "Format",
    "ImportLog",
    "ImportReport",
    "Imported",
    "NodalModes",
    "ResultFile",
    "ResultMeta",
    "ResultWriter",
    "Status",
    "SweepResult",
    "body_from_ansys",
    "body_from_umexport",
    "card_table",
    "check_files",
    "check_imports",
    "column_slices",
    "describe",
    "files_to_check",
    "format_of",
    "formats",
    "magnitude_warnings",
    "read",
    "read_with_report",
    "refusal_reasons",
    "register",
    "renamed_sets",
    "to_si",
    "unit_system",
    "write",
    "write_template",
    "write_umexport",
]

for _module in (fe_hdf5, fum_binary, fum_hdf5, modes_hdf5, results, sweeps):
    register(_module.FORMAT)
# readers and writers of the same decks; Abaqus comes first, it has the better claim to .inp
for _module, _exporter in ((abaqus, write_abaqus), (ansys_model, write_ansys), (nastran, write_nastran)):
    register(replace(_module.FORMAT, write=_exporter.write, set_names=getattr(_exporter, "set_names", None)))
for _format in (ansys_matrix_model.FULL, ansys_matrix_model.EMAT, ansys_matrix_model.RESULTS):
    register(_format)
for _format in (ansys_superelement.FORMAT, ansys_superelement.MOTIONS):
    register(_format)
for _module in (nastran_op4, nastran_op2):
    register(_module.FORMAT)
# last: they go by suffix alone
for _module in (matrix_text, meshio_bridge):
    register(_module.FORMAT)
