"""Small cases with known answers from a collection beside the checkout (`../shared/acceptance`), skipped without it.

Each script of `truth/` prints one line and ends with 0 if it holds; the decks of `import/` have values to meet.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import floatframe as ff
from floatframe.cli.main import run

HERE = Path(__file__).parents[1]
COLLECTION = HERE.parent / "shared" / "acceptance"
DECKS = COLLECTION / "import"
SCRIPTS = (
    "d1_controlled_start",
    "d2_equilibrium_no_gravity",
    "d3_energy",
    "d4_linear_contact",
    "d5_inp_for_calculix",
    "d6_default_reactions",
    "d7_screw_general_reactions",
    "d8_linear_wheelset_hertz",
)

pytestmark = pytest.mark.skipif(
    not COLLECTION.is_dir(), reason=f"there is no folder {COLLECTION.name} beside the checkout"
)


@pytest.mark.parametrize("name", SCRIPTS)
def test_script_holds(name):
    script = COLLECTION / "truth" / f"{name}.py"
    if not script.is_file():
        pytest.skip(f"{script.name} is not in the collection")
    paths = os.pathsep.join(filter(None, (str(HERE), os.environ.get("PYTHONPATH"))))
    done = subprocess.run(
        [sys.executable, script.name],
        cwd=script.parent,
        env={**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=600,  # most of it is the first compilation of the kernels
        check=False,
    )
    if done.stdout.startswith("SKIP"):
        pytest.skip(done.stdout.strip())
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


def deck(name: str) -> Path:
    path = DECKS / name
    if not path.is_file():
        pytest.skip(f"{name} is not in the collection")
    return path


def test_bar_with_a_foil_on_it(tmp_path):
    """The bar alone has its first bending modes at 1652 Hz; a skin of 1 µm has no modes of its own."""
    path = deck("skin1.bdf")
    fe = ff.io.read(path, units="mm-t-s")
    modes = ff.modal.eigenmodes(fe, n=6)
    assert 1640.0 < modes.frequency[0] < 1652.0
    tip = ",".join(str(node) for node in fe.node_ids[fe.nodes[:, 0] == fe.nodes[:, 0].max()][[0, 2]])
    given = ["reduce", str(path), "--units", "mm-t-s", "--interface", tip, "-n", "4", "-o", str(tmp_path / "bar.fum")]
    assert run(given) == 0
    body = ff.io.read(tmp_path / "bar.fum")
    assert body.frequency[0] > 1640.0  # held at two more nodes


def test_support_from_an_included_file():
    """Node 1 is held; bending of a cantilever 2 m long, of two Timoshenko elements."""
    fe = ff.io.read(deck("inc.inp"))
    assert fe.supports.tolist() == [[1, component] for component in range(6)]
    assert_array_equal(fe.node_sets["TIP"], [3])
    modes = ff.modal.eigenmodes(fe, n=2)
    euler = 1.8751040687**2 / (2 * np.pi) * np.sqrt(2.1e11 * 0.1**4 / 12 / (7800.0 * 0.1**2 * 2.0**4))
    assert modes.kind == ("elastic", "elastic")
    assert_allclose(modes.frequency, euler, rtol=0.02)  # shear and rotary inertia of a bar 20 times as long as high


def test_rigid_bar_to_a_massless_grid_and_partial_supports(capsys):
    """Two motions stay free (uz and the turn about the line); the others are those of a dense solution."""
    path = deck("g.bdf")
    assert run(["modes", str(path), "-n", "8"]) == 0
    fe = ff.io.read(path)
    modes = ff.modal.eigenmodes(fe, n=8)
    free = fe.free_rows()
    K, M = (matrix.toarray()[np.ix_(free, free)] for matrix in (fe.stiffness(), fe.mass()))
    heavy = np.diag(M) > 0.0
    flexible = np.linalg.solve(K[np.ix_(~heavy, ~heavy)], K[np.ix_(~heavy, heavy)])
    condensed = K[np.ix_(heavy, heavy)] - K[np.ix_(heavy, ~heavy)] @ flexible
    value = np.sort(np.linalg.eigvals(np.linalg.solve(M[np.ix_(heavy, heavy)], condensed)).real)
    assert modes.kind[:3] == ("rigid", "rigid", "elastic")
    assert_allclose(modes.omega[2:] ** 2, value[2:], rtol=1e-8)  # round-off of the dense solution


@pytest.mark.parametrize("name", ["t1", "h1"])
def test_meshes_of_salome_are_those_of_gmsh(name):
    """One mesh in two files: the same groups and frequencies."""
    salome, gmsh = (ff.io.read(deck(f"{name}.{suffix}")) for suffix in ("med", "msh"))
    assert set(salome.node_sets) == set(gmsh.node_sets)
    assert len(salome.supports) == len(gmsh.supports) > 0
    exact = ff.modal.eigenmodes(gmsh, n=6).frequency
    assert_allclose(ff.modal.eigenmodes(salome, n=6).frequency, exact, rtol=1e-9)  # the same sums in another order
