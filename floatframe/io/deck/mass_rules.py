"""The mass matrices that programs take by default, so that frequencies of a deck are those of its own program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from floatframe.arrays import IntArray
from floatframe.fem import ElementBlock, FEModel, MassKind
from floatframe.io.import_log import ImportLog

_QUADRATIC = ("hex20", "tet10", "wedge15", "pyramid13", "shell6", "shell8")


def _with(fe: FEModel, rule: Callable[[ElementBlock], MassKind]) -> FEModel:
    return replace(fe, blocks=tuple(replace(block, mass=rule(block)) for block in fe.blocks))


def nastran(fe: FEModel, coupled: bool, beams: IntArray, log: ImportLog) -> FEModel:
    """PARAM,COUPMASS > 0 requests coupled masses; otherwise masses stand at the nodes.

    They are without rotary inertia, except that of CBEAM (their numbers are `beams`) about their axes; CBAR have none.
    Solids keep the consistent mass; Nastran lumps them too, which "points" does.
    """
    if coupled:
        log.note("mass: consistent, as PARAM COUPMASS requests")
        return fe
    log.note(
        "mass: lumped at the nodes, rotary inertia only about CBEAM, as in Nastran without PARAM COUPMASS; that of "
        "solids is consistent (--mass points lumps it too)"
    )

    def rule(block: ElementBlock) -> MassKind:
        if block.element.dimension == 3:
            return "consistent"
        return "torsion" if np.isin(block.element_ids[:1], beams).any() else "points"

    return _with(fe, rule)


def abaqus(fe: FEModel, is_abaqus: bool, log: ImportLog) -> FEModel:
    """Abaqus/Standard lumps the mass of first-order elements; CalculiX takes the consistent mass everywhere."""
    if not is_abaqus:
        log.note("mass: consistent, as in CalculiX; Abaqus (dialect=abaqus) lumps that of linear elements")
        return fe
    log.note("mass: of linear elements lumped, of quadratic ones consistent, as in Abaqus/Standard")
    return _with(fe, lambda block: "consistent" if block.kind in _QUADRATIC else "lumped")


def ansys(fe: FEModel, lumped: bool, log: ImportLog) -> FEModel:
    """ANSYS takes consistent masses unless LUMPM,ON is given."""
    log.note("mass: lumped, as LUMPM,ON requests" if lumped else "mass: consistent, as in ANSYS without LUMPM,ON")
    return _with(fe, lambda block: "lumped") if lumped else fe
