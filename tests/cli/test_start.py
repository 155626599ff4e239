"""What a command loads before it does anything: nothing that takes long and is not used.

Times are measured by `make bench ONLY=start`; here a fresh process says which modules it has loaded at the end.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import floatframe as ff
from floatframe.samples import beam

COMMAND = "import sys; from floatframe.cli.main import run; run(sys.argv[1:]); print(*sys.modules)"
SAMPLES = Path(__file__).parents[2] / "samples"
# about a fifth of a second each, or more
PICTURES = {"matplotlib", "pyvista", "vtkmodules", "meshio", "jinja2"}
ELEMENTS = {"floatframe.fem.elements", "floatframe.modal.lanczos.solver", "floatframe.modal.factor.substructures"}
DECKS = {"floatframe.io.abaqus.reader", "floatframe.io.ansys.model", "floatframe.io.nastran.reader"}
COMPILER, SOLVERS = {"numba"}, {"scipy.linalg", "scipy.sparse.linalg", "numpy.ma"}
OTHER_COMMANDS = {"floatframe.cli.report", "floatframe.cli.umexport"}
ALWAYS = PICTURES | ELEMENTS | DECKS | COMPILER | SOLVERS | OTHER_COMMANDS
HDF5 = {"h5py"}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The flexible slider-crank with its rod and a run, and the pendulum."""
    folder = tmp_path_factory.mktemp("start")
    ff.io.write(folder / "input.fum", ff.modal.reduce(beam.build(), interface=[1, 201], n_modes=20, geometric=False))
    for model in ("slider_crank/flexible.toml", "pendulum/pendulum.toml"):
        shutil.copy(SAMPLES / model, folder)
    (folder / "line.csv").write_text("s,radius\n0,0\n100,0\n", encoding="utf-8")
    system = ff.hybrid.read_model(folder / "flexible.toml").model.compile()
    system.simulate(t_end=0.01, step=1e-3, path=folder / "run.h5")
    return folder


@pytest.mark.parametrize(
    ("words", "unused"),
    [
        (["--help"], {"numpy", "rich"}),
        (["info", "input.fum"], ALWAYS | HDF5),
        (["plot", "run.h5", "A.force", "--rms"], ALWAYS),
        (["info", "pendulum.toml"], ALWAYS | HDF5),
        (["track", "line.csv"], ALWAYS | HDF5),
        (["equilibrium", "pendulum.toml"], ALWAYS),
        (["linear", "pendulum.toml"], ALWAYS | HDF5),
        (["simulate", "flexible.toml", "-o", "other.h5"], ALWAYS),
    ],
    ids=lambda value: " ".join(value[:2]) if isinstance(value, list) else "",
)
def test_command_loads_nothing_it_does_not_use(files, words, unused):
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, *words], cwd=files, capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.splitlines()[-1].split())
    assert "floatframe.cli.main" in loaded  # the list is one of modules
    assert not unused & loaded
