"""Products and looks at matrices in compiled code, against plain NumPy and SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from floatframe.modal import _kernels_lanczos as kernels
from floatframe.modal import factorize, lanczos, modes
from tests.reference import pencils

ROUND_OFF = 1e-13  # sums of a few thousand terms in another order


def random_matrix(n: int, density: float, seed: int) -> sparse.csc_array:
    """Symmetric, with a full diagonal."""
    A = sparse.random_array((n, n), density=density, rng=np.random.default_rng(seed))
    return sparse.csc_array(A + A.T + sparse.eye_array(n))


@pytest.mark.parametrize("columns", [1, 4, 7])
@pytest.mark.parametrize("threads_pay", [0, 10**9])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("form", ["csc", "csr"])
def test_matrix_times_columns(columns, threads_pay, order, form, monkeypatch):
    monkeypatch.setattr(modes, "_THREADS_PAY", threads_pay)
    A = random_matrix(301, 0.05, 1)
    X = np.array(np.random.default_rng(2).standard_normal((301, columns)), order=order)
    assert_allclose(modes.multiply(A.asformat(form), X), A @ X, atol=ROUND_OFF * np.abs(A @ X).max())


def test_no_columns():
    assert modes.multiply(random_matrix(20, 0.2, 3), np.empty((20, 0))).shape == (20, 0)


def test_union_of_patterns():
    A, B = random_matrix(80, 0.05, 5), random_matrix(80, 0.03, 6)
    indptr, indices, own, places = kernels.united(A.indptr, A.indices, B.indptr, B.indices)
    whole = sparse.csc_array((np.ones(indices.size), indices, indptr), shape=A.shape)
    expected = sparse.csc_array(abs(A) + abs(B))
    expected.sort_indices()
    assert_array_equal(indptr, expected.indptr)
    assert_array_equal(indices, expected.indices)
    for matrix, where in ((A, own), (B, places)):
        data = np.zeros(indices.size)
        data[where] = matrix.data
        there = sparse.csc_array((data, whole.indices, whole.indptr), shape=A.shape)
        assert_array_equal(there.toarray(), matrix.toarray())


def test_greatest_column_sum():
    A = random_matrix(50, 0.1, 7)
    assert_allclose(modes.norm(A), np.abs(A.toarray()).sum(axis=0).max(), rtol=1e-14)
    assert modes.norm(sparse.csc_array((4, 4))) == 0.0


def test_factor_that_does_not_know_the_pattern_of_the_mass():
    """The one-pass form needs a tree in which the mass couples columns to those above; another factor does without."""
    K, _ = pencils.chain(60)
    far = sparse.coo_array(([0.2, 0.2], ([3, 50], [50, 3])), shape=K.shape)
    M = sparse.csc_array(sparse.eye_array(60) + far)

    def narrow(A, **options):
        B = sparse.csc_array(A)
        B.eliminate_zeros()
        return factorize(B, kind=options["kind"])

    given = lanczos(K, M, 6, factorize=narrow, shift=0.0)
    assert_allclose(given.value, lanczos(K, M, 6).value, rtol=1e-10)
