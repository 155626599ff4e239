"""Pictures of matrices, trees and bodies: what is in them, and the commands that draw them."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csc_array, diags_array

import floatframe as ff
from floatframe.cli.main import run
from floatframe.modal.lanczos import reduced_modes
from floatframe.viewer.drawing.hybrid_motion import motion_of
from floatframe.viewer.plots import matrices


def shuffled_chain(n: int) -> csc_array:
    """A tridiagonal matrix whose rows have lost their order."""
    order = np.random.default_rng(3).permutation(n)
    chain = diags_array([np.full(n - 1, -1.0), np.full(n, 2.0), np.full(n - 1, -1.0)], offsets=[-1, 0, 1])
    return csc_array(csc_array(chain)[order][:, order])


def test_patterns_show_profiles_before_and_after(tmp_path, monkeypatch):
    drawn = []
    monkeypatch.setattr(matrices, "_density", lambda *place: drawn.append(place) or np.zeros((2, 2)))
    n = 50
    path = ff.viewer.plot_sparsity(shuffled_chain(n), tmp_path / "k.svg")
    text = path.read_text(encoding="utf-8")
    # the wave finds the chain again: two entries a row, one in the first
    assert f"profile {2 * n - 1}" in text
    assert len(drawn) == 3
    rows, columns, _ = drawn[1]
    assert np.abs(rows - columns).max() == 1
    assert np.abs(drawn[0][0] - drawn[0][1]).max() > 10
    with pytest.raises(ff.ModelError, match="'mine' is not a permutation of the 50 rows"):
        ff.viewer.plot_sparsity(shuffled_chain(n), tmp_path / "a.png", {"mine": np.zeros(n, dtype=int)})
    assert not (tmp_path / "a.png").exists()


def test_squares_are_as_dark_as_they_are_full():
    n = 2 * matrices._BINS
    found = matrices._density(np.array([0, 0, 1, 1, 639]), np.array([0, 1, 0, 1, 0]), n)
    assert (found[0, 0], found[-1, 0]) == pytest.approx((1.0, 0.35 + 0.65 / 4))
    assert np.count_nonzero(found) == 2


def test_boxes_of_a_tree():
    #        5
    #      2   4
    #     0 1   3
    parent, own = np.array([2, 2, 5, 4, 5, -1]), np.array([1, 2, 3, 4, 5, 6])
    left, width, level = matrices.tree_layout(parent, own)
    assert_array_equal(level, [2, 2, 1, 2, 1, 0])
    assert_array_equal(width, [1, 2, 6, 4, 9, 21])
    assert_array_equal(left, [11, 9, 9, 0, 0, 0])


def test_trees_of_models_hold_all_equations(tmp_path):
    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
    fe = ff.fem.plate_grid(1.0, 1.0, nx=10, ny=10, thickness=0.01, material=steel)
    factors = ff.modal.factorize(fe.stiffness() + 1e6 * fe.mass())
    tree = factors.symbolic
    left, width, level = matrices.tree_layout(tree.parent, np.diff(tree.front_column))
    assert width[tree.parent < 0].sum() == tree.n == fe.ndof
    inside = np.flatnonzero(tree.parent >= 0)
    above = tree.parent[inside]
    assert (left[inside] >= left[above]).all()
    assert (left[inside] + width[inside] <= left[above] + width[above]).all()
    assert (level[inside] == level[above] + 1).all()
    text = ff.viewer.plot_tree(factors, tmp_path / "tree.svg").read_text(encoding="utf-8")
    assert f"{fe.ndof} equations in {tree.subtree.size - 1} substructures" in text


def test_mac_of_shapes():
    a = np.array([[1.0, 0.0, 1.0], [0.0, 2.0, 1.0], [0.0, 0.0, 0.0]])
    assert_allclose(ff.modal.mac(a, -3 * a), [[1, 0, 0.5], [0, 1, 0.5], [0.5, 0.5, 1]], atol=1e-15)
    assert ff.modal.mac(a, np.zeros((3, 1))).tolist() == [[0.0]] * 3
    with pytest.raises(ff.ModelError, match=r"\(3, 3\) and \(2, 2\)"):
        ff.modal.mac(a, np.eye(2))


def test_errors_fall_with_the_number_of_modes(beam):
    body = ff.modal.reduce(beam, interface=[1, 21], n_modes=8)
    found = ff.modal.errors_of_fewer_modes(body, beam, lowest=4)
    assert_array_equal(found.count, np.arange(9))
    known = found.error[np.isfinite(found.error)]
    assert known.min() > -1e-9  # a body is never softer than its model (Rayleigh-Ritz), but for rounding
    assert (np.diff(found.error, axis=0) < 1e-9).all()
    # the same as bodies made with fewer modes, whose modes are those of the pencil; they come in pairs
    for n in (2, 6):
        small = ff.modal.reduce(beam, interface=[1, 21], n_modes=n)
        value, _ = reduced_modes(small.mass, small.stiffness)
        frequency = np.sqrt(value[value > 0][:4]) / (2 * np.pi)
        assert_allclose(found.error[n], frequency / found.frequency - 1, atol=1e-7)  # two solutions of one pencil


def test_contributions_of_modes_to_a_displacement(machine_folder):
    run_ = ff.hybrid.Results.open(machine_folder / "run.h5")
    parts = ff.hybrid.contributions(run_, "rod.node[11].displacement.y", "rod", mean="kept", at="start")
    found = parts.numbers
    assert found.rms_share.sum() == pytest.approx(1.0)
    assert len(parts.frequency) == len(found.rms)
    # the same displacement from where the node was: back into the axes of the rod, whose node 11 is 1 m along it, less
    # the second-order motion, which is no sum over modes
    system = ff.hybrid.read_model(machine_folder / "model.toml").model.compile()
    names = [body.name for body in system.model.bodies]
    rod = 1 + names.index("rod")
    motion = motion_of(system, run_.t, run_.q)
    way = run_["rod.node[11].position"] - motion.frame[:, rod, :, 3]
    second = (motion.drawn[rod] - motion.amplitude[rod]) @ system.model.bodies[rod - 1].reduced.shapes[61]
    y = (
        np.einsum("mji,mj->mi", motion.frame[:, rod, :, :3], way)[:, 1]
        - second
        - motion.lean[rod][:, [1, 5]].sum(axis=1)
    )
    assert found.total_peak == pytest.approx(np.abs(y).max(), rel=1e-9)


@pytest.fixture(scope="module")
def files(beam, tmp_path_factory):
    folder = tmp_path_factory.mktemp("plots")
    ff.io.write(folder / "beam.h5", beam)
    ff.io.write(folder / "modes.h5", ff.io.NodalModes.of(beam, ff.modal.eigenmodes(beam, n=3, fixed=[1, 21])))
    ff.io.write(folder / "input.fum", ff.modal.reduce(beam, interface=[1, 21], n_modes=3))
    return folder


@pytest.mark.parametrize(
    "arguments",
    [
        ["beam.h5", "--sparsity"],
        ["beam.h5", "--tree"],
        ["input.fum", "--mac", "modes.h5"],
        ["input.fum", "--errors", "beam.h5"],
        ["run.h5", "A.force.x", "--waterfall", "--segment", "0.2"],
    ],
)
def test_commands_draw(files, machine_folder, tmp_path, capsys, arguments):
    folder = machine_folder if arguments[0] == "run.h5" else files
    words = [str(folder / word) if word.endswith((".h5", ".fum")) else word for word in arguments]
    assert run(["plot", *words, "-o", str(tmp_path / "a.png")]) == 0, capsys.readouterr().err
    assert (tmp_path / "a.png").stat().st_size > 5000


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["beam.h5", "--sparsity"], "takes no channels"),
        (["beam.h5", "--sparsity", "--tree", "-o", "a.png"], "choose one of"),
        (["input.fum", "--sparsity", "-o", "a.png"], "expected a finite element model"),
        (["beam.h5", "--mac", "modes.h5", "-o", "a.png"], "expected modes or a reduced body"),
        (["beam.h5", "--errors", "beam.h5", "-o", "a.png"], "compares a reduced body"),
    ],
)
def test_wrong_use_is_one_line(files, monkeypatch, capsys, arguments, words):
    monkeypatch.chdir(files)
    assert run(["plot", *arguments]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1
    assert not (files / "a.png").exists()
