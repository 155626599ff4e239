"""Elements given by their own matrices: axes, mirror images, units, and masses that differ between directions."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.errors import ModelError
from floatframe.fem import ElementBlock, FEModel

ROUNDING = 1e-9  # of frequencies from tiny eigenproblems
RNG = np.random.default_rng(3)


def positive(n: int) -> np.ndarray:
    half = RNG.normal(size=(n, n))
    return half @ half.T + n * np.eye(n)


def model() -> FEModel:
    """Two nodes that stiffness and mass matrices of all kinds hold."""
    nodes = np.array([[0.1, 0.0, 0.2], [1.0, 0.5, 0.0]])
    kinds = (("pair_matrix", [[0, 1]], 12), ("node_matrix", [[1]], 6), ("point_pair_matrix", [[0, 1]], 6),
             ("point_node_matrix", [[0]], 3))  # fmt: skip
    blocks = [
        ElementBlock(kind, np.array(rows), data={"stiffness": positive(n)[None], "mass": positive(n)[None]})
        for kind, rows, n in kinds
    ]
    return FEModel(nodes, tuple(blocks))


def frequencies(fe: FEModel) -> np.ndarray:
    return ff.modal.eigenmodes(fe, n=12).frequency


def test_moved_and_mirrored_they_vibrate_as_before():
    fe = model()
    expected = frequencies(fe)
    turned = ff.fem.rotate(fe, [1.0, 2.0, 0.5], 40.0)
    assert np.abs(turned.stiffness() - fe.stiffness()).max() > 0.1  # the axes did turn
    assert_allclose(frequencies(turned), expected, rtol=ROUNDING)
    assert_allclose(frequencies(ff.fem.mirror(fe, [1.0, 0.3, 0.0])), expected, rtol=ROUNDING)


def test_units_scale_rotations_by_lengths():
    fe = model()
    assert_allclose(frequencies(ff.io.to_si(fe, "mm-t-s")), frequencies(fe), rtol=ROUNDING)  # seconds stay seconds


def test_one_mass_for_each_direction():
    masses = np.diag([1.0, 4.0, 16.0])
    data = {"stiffness": np.eye(3)[None], "mass": masses[None]}
    fe = FEModel(np.zeros((1, 3)), (ElementBlock("point_node_matrix", np.array([[0]]), data=data),))
    assert_allclose(ff.modal.eigenmodes(fe, n=3).frequency * 2 * np.pi, [0.25, 0.5, 1.0], rtol=ROUNDING)


def test_wrong_matrices_are_named():
    skew = np.array([[[1.0, 2.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]])
    fe = FEModel(np.zeros((1, 3)), (ElementBlock("point_node_matrix", np.array([[0]]), data={"stiffness": skew}),))
    with pytest.raises(ModelError, match="its stiffness matrix is not symmetric"):
        fe.stiffness()
    fe = FEModel(np.zeros((1, 3)), (ElementBlock("node_matrix", np.array([[0]]), data={"stiffness": skew}),))
    with pytest.raises(ModelError, match=r"data 'stiffness' has shape \(1, 3, 3\), expected \(1, 6, 6\)"):
        fe.stiffness()
