"""Frequencies that ANSYS computed, reproduced on the mesh of its own archive.

The mesh (321 nodes, 40 SOLID186, a beam 1 x 1 x 5) is HexBeam.cdb of the package mapdl-archive; the frequencies are
those in file.rst (free) and of the matrices in file.full (clamped at z = 0), both published with ansys-mapdl-reader.
The element is hex20_reduced: 2 x 2 x 2 Gauss points for the stiffness and Irons' 14 points for the mass.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import mapdl_archive

import floatframe as ff
from benchmarks.verify.rows import Row

MATERIAL = ff.fem.Material(E=16.9e6, nu=0.31, rho=4.1408e-4)
FREE = (7366.49503969, 7366.49503969, 11504.89523664, 17285.70459456, 17285.70459456, 20137.19299035)
CLAMPED = (1283.200369, 1283.200369, 5781.974862, 6919.398877, 6919.398877, 10172.614977)
SAME_ELEMENT = 1e-6  # the figures have ten digits; 1e-12 is reached against the file itself


def problems() -> Iterator[Row]:
    """Yield free and clamped frequencies."""
    path = Path(mapdl_archive.__file__).parent / "examples" / "HexBeam.cdb"
    fe = ff.io.read(path, materials=MATERIAL)
    free = ff.modal.eigenmodes(fe, n=12).elastic.frequency
    clamped = ff.modal.eigenmodes(fe.with_node_set("base", lambda x: x[:, 2] == 0.0), n=6, fixed=["base"]).frequency
    for name, targets, found in (("free", FREE, free), ("clamped", CLAMPED, clamped)):
        for k, target in enumerate(targets):
            yield Row(
                f"ANSYS HexBeam.cdb, {name}", f"frequency {k + 1} [Hz]", target, float(found[k]), SAME_ELEMENT,
                "40 hex20_reduced",
            )  # fmt: skip
