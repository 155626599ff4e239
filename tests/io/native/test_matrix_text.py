"""Matrices handed over as text are those of the model, and give its modes."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.io import mmwrite

import floatframe as ff
from floatframe.fem import BeamSection, Material, MatrixModel


@pytest.fixture
def beam():
    fe = ff.fem.beam_line((0, 0, 0), (1, 0, 0), 3, BeamSection.rectangle(0.02, 0.03), Material(2.1e11, 0.3, 7850.0))
    return fe.with_support([1]).with_node_set("TIP", [4])


def test_round_trip_is_exact(tmp_path, beam):
    model = MatrixModel.of(beam)
    ff.io.write(tmp_path / "beam.nodes", model)
    got = ff.io.read(tmp_path / "beam.nodes")
    for symbol in ("K", "M"):
        assert_array_equal(getattr(got, symbol).toarray(), getattr(model, symbol).toarray())
    assert_array_equal(got.nodes, beam.nodes)
    assert_array_equal(got.dofs, beam.dofs)
    assert_array_equal(got.supports, beam.supports)
    assert_array_equal(got.node_sets["TIP"], [4])


def test_matrix_market_and_diagonal_mass(tmp_path, beam):
    model = MatrixModel.of(beam)
    ff.io.write(tmp_path / "beam.nodes", model)
    mmwrite(tmp_path / "k.mtx", model.K.tocoo(), symmetry="symmetric", precision=17)
    (tmp_path / "beam.mg").write_bytes((tmp_path / "k.mtx").read_bytes())
    diagonal = np.arange(1.0, model.ndof + 1.0)
    np.savetxt(tmp_path / "beam.mm", diagonal)
    got = ff.io.read(tmp_path / "beam.nodes")
    assert_allclose(got.K.toarray(), model.K.toarray(), rtol=1e-15)
    assert_array_equal(got.M.toarray(), np.diag(diagonal))


def test_matrices_behave_like_the_model(beam):
    model = MatrixModel.of(beam)
    assert_array_equal(model.free_rows(["TIP"]), beam.free_rows(["TIP"]))
    assert_allclose(model.rigid_shapes((1, 2, 3)), beam.rigid_shapes((1, 2, 3)))
    x = np.arange(float(model.ndof))
    assert_array_equal(model.expand(x), beam.expand(x))
    assert_allclose(model.mass_properties().inertia, beam.mass_properties().inertia)
    # lumping keeps mass and centre of mass
    moves = model.rigid_shapes()[:, :3]
    assert_allclose(moves.T @ (model.mass("lumped") @ moves), moves.T @ (model.M @ moves), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    ("suffix", "content", "message"),
    [
        (".nodes", "1 0 0\n", r"beam\.nodes', line 1: '1 0 0' is not a node"),
        (".nodes", "# nothing\n", "there are no nodes"),
        (".mg", "1 2\n", r"beam\.mg' must hold lines `row column value`"),
        (".mg", "1 99 5.0\n", r"names row or column 99; the nodes have rows 1 to 24"),
        (".mm", "1 1 x\n", r"beam\.mm' must hold lines"),
        (".mm", "1 2 1.0\n2 1 3.0\n", "M is not symmetric"),
    ],
)
def test_errors_name_the_file(tmp_path, beam, suffix, content, message):
    ff.io.write(tmp_path / "beam.nodes", MatrixModel.of(beam))
    (tmp_path / f"beam{suffix}").write_text(content)
    with pytest.raises(ff.ReadError, match=message):
        ff.io.read(tmp_path / "beam.nodes")


def test_a_missing_matrix_is_named(tmp_path, beam):
    ff.io.write(tmp_path / "beam.nodes", MatrixModel.of(beam))
    (tmp_path / "beam.mm").unlink()
    with pytest.raises(ff.ReadError, match=r"beam\.mm': the file does not exist"):
        ff.io.read(tmp_path / "beam.nodes")
