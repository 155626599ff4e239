"""STEP through the optional package cascadio (MIT), which brings the kernel of OpenCASCADE (LGPL) and makes glTF of it.

It runs in a process of its own: a damaged file may end the kernel, and nothing else.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from floatframe.arrays import Array, IntArray
from floatframe.errors import MissingDependency, ReadError
from floatframe.io.shapes import gltf

_DEVIATION, _ANGLE = 0.001, 0.2  # of triangles from curved faces: part of the length of an edge, and rad
_LONGEST = 600  # s
_CONVERT = """
import sys, cascadio
file, out, deviation, angle = sys.argv[1:]
sys.exit(cascadio.step_to_glb(file, out, float(deviation), float(angle), tol_relative=True))
"""


def read(path: Path) -> tuple[Array, IntArray]:
    """Return corners (n, 3) [m] and triangles (k, 3) of the solids in a file."""
    if find_spec("cascadio") is None:
        raise MissingDependency(f"'{path}': STEP files need cascadio; run: pip install 'floatframe[step]'.")
    with path.open("rb") as stream:
        if b"ISO-10303-21" not in stream.read(200):
            raise ReadError(f"'{path}' is not a STEP file; expected 'ISO-10303-21;' at its beginning.")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "shape.glb"
        file = str(path.resolve())  # the process has another working folder
        command = [sys.executable, "-c", _CONVERT, file, str(out), str(_DEVIATION), str(_ANGLE)]
        try:
            done = subprocess.run(command, capture_output=True, timeout=_LONGEST, check=False, cwd=folder)
        except subprocess.TimeoutExpired:
            raise ReadError(f"'{path}' took more than {_LONGEST} s to read; give an STL of it.") from None
        if done.returncode or not out.exists():
            raise ReadError(f"'{path}' cannot be read as STEP; it is damaged, or holds no solid.")
        return gltf.read_as_it_is(out)  # cascadio keeps the axes of the file
