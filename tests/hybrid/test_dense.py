"""Small dense linear algebra beside SciPy's: the same results from NumPy alone."""

import numpy as np
import pytest
import scipy.linalg
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse.csgraph import connected_components

from floatframe.hybrid import dense

ROUNDING = 1e-13  # of numbers of order one after some ten steps


@pytest.mark.parametrize(("m", "n"), [(3, 8), (8, 3), (6, 6), (1, 4)])
def test_pivoted_qr_ranks_columns_as_lapack_does(m, n):
    A = np.random.default_rng(m).normal(size=(m, n))
    if n > 2:
        A[:, -1] = A[:, 0] - 2 * A[:, 1]  # one column too many
    R, order = dense.pivoted_qr(A)
    _, expected, lapack = scipy.linalg.qr(A, mode="economic", pivoting=True)
    assert_allclose(np.abs(np.diag(R)), np.abs(np.diag(expected)), atol=ROUNDING)
    rank = np.count_nonzero(np.abs(np.diag(R)) > 1e-9)
    assert_array_equal(order[:rank], lapack[:rank])
    assert_allclose(R.T @ R, A[:, order].T @ A[:, order], atol=ROUNDING)


def test_large_matrices_go_to_lapack_with_the_same_result(monkeypatch):
    A = np.random.default_rng(1).normal(size=(7, 9))
    R, order = dense.pivoted_qr(A)
    monkeypatch.setattr(dense, "_LARGE", 0)
    expected, same = dense.pivoted_qr(A)
    assert_array_equal(order, same)
    assert_allclose(np.abs(R), np.abs(expected), atol=ROUNDING)


def test_null_space_is_that_of_scipy():
    A = np.random.default_rng(2).normal(size=(4, 7))
    A[3] = A[0] + 1e-12 * A[3]
    for rcond in (None, 1e-9):
        N, expected = dense.null_space(A, rcond), scipy.linalg.null_space(A, rcond)
        assert_allclose(N @ N.T, expected @ expected.T, atol=1e-3 if rcond is None else ROUNDING)
    assert dense.null_space(A).shape == (7, 3)
    assert dense.null_space(A, 1e-9).shape == (7, 4)
    assert_array_equal(dense.null_space(np.zeros((0, 3))), np.eye(3))


def test_pencil_modes_are_those_of_scipy():
    random = np.random.default_rng(3)
    M, K = (part @ part.T + np.eye(6) for part in random.normal(size=(2, 6, 6)))
    value, vectors = dense.pencil_modes(M, K)
    expected, shapes = scipy.linalg.eigh(M, K)
    assert_allclose(value, expected, rtol=ROUNDING)
    assert_allclose(np.abs(vectors), np.abs(shapes), atol=ROUNDING)
    with pytest.raises(np.linalg.LinAlgError):
        dense.pencil_modes(M, -K)


def test_connected_groups_are_those_of_scipy():
    linked = np.triu(np.random.default_rng(4).random((30, 30)) > 0.97)
    count, expected = connected_components(linked, directed=False)
    assert 1 < count < 30  # else there is nothing to compare
    assert_array_equal(dense.connected_groups(linked), expected)
