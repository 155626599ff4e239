"""Files: `read` and `write` choose the format by suffix, content and the object given; one module per format."""

from dataclasses import replace

from floatframe.io.abaqus import reader as abaqus
from floatframe.io.abaqus import writer as write_abaqus
from floatframe.io.ansys import model as ansys
from floatframe.io.ansys import writer as write_ansys
from floatframe.io.ansys.binary import matrix_model, superelement
from floatframe.io.ansys.binary.body import body_from_ansys, body_from_umexport
from floatframe.io.ansys.macro import write_umexport
from floatframe.io.cards.table import PROGRAMS as CARD_PROGRAMS
from floatframe.io.cards.table import CardEntry, card_table
from floatframe.io.deck.reduced_matrices import INTERFACE
from floatframe.io.import_check import Checked, check_files, check_imports, files_to_check
from floatframe.io.import_check import reasons as refusal_reasons
from floatframe.io.import_log import ImportLog, ImportReport
from floatframe.io.meshes import bridge
from floatframe.io.meshes.template import write_template
from floatframe.io.nastran import reader as nastran
from floatframe.io.nastran import writer as write_nastran
from floatframe.io.nastran.matrices import op2, op4
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
from floatframe.io.results import file, sweep_file
from floatframe.io.results.file import ResultFile
from floatframe.io.results.schema import STATISTICS, Channel, ResultMeta, Status, column_slices
from floatframe.io.results.sweep_result import SweepResult
from floatframe.io.results.writer import ResultWriter
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

for _module in (fe_hdf5, fum_binary, fum_hdf5, modes_hdf5, file, sweep_file):
    register(_module.FORMAT)
# readers and writers of the same decks; Abaqus comes first, it has the better claim to .inp
for _module, _exporter in ((abaqus, write_abaqus), (ansys, write_ansys), (nastran, write_nastran)):
    register(replace(_module.FORMAT, write=_exporter.write, set_names=getattr(_exporter, "set_names", None)))
for _format in (matrix_model.FULL, matrix_model.EMAT, matrix_model.RESULTS):
    register(_format)
for _format in (superelement.FORMAT, superelement.MOTIONS):
    register(_format)
for _module in (op4, op2):
    register(_module.FORMAT)
# last: they go by suffix alone
for _module in (matrix_text, bridge):
    register(_module.FORMAT)
