"""Statics by CalculiX on our own meshes."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

import floatframe as ff
from floatframe.arrays import Array
from floatframe.fem import FEModel


def ccx_displacements(fe: FEModel, force: Array) -> Array | None:
    """Return displacements (nnode, 3) of a supported model of solids under nodal forces; None without `ccx`."""
    if shutil.which("ccx") is None:
        return None
    loads = [
        f"{node}, {k + 1}, {value:.16g}"
        for node, row in zip(fe.node_ids, force[:, :3], strict=True)
        for k, value in enumerate(row)
        if value
    ]
    numbers = ",\n".join(map(str, fe.node_ids))
    step = [
        "*NSET, NSET=EVERY",
        numbers,
        "*STEP",
        "*STATIC",
        "*CLOAD",
        *loads,
        "*NODE PRINT, NSET=EVERY",
        "U",
        "*END STEP",
    ]
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "model.inp"
        ff.io.write(path, fe)
        with path.open("a") as file:
            file.write("\n".join(step) + "\n")
        subprocess.run(["ccx", "-i", "model"], cwd=name, capture_output=True, timeout=300, check=False)
        output = path.with_suffix(".dat")
        rows = re.findall(r"(?m)^\s*(\d+)((?:\s+[-+.\dE]+){3})\s*$", output.read_text() if output.exists() else "")
    found = np.full((fe.nnode, 3), np.nan)
    for node, values in rows:
        found[fe.node_index(int(node))[0]] = [float(value) for value in values.split()]
    return found
