"""Dense factors against NumPy: general matrices, and a leading diagonal block whose zeros are passed over."""

from __future__ import annotations

import numpy as np
import pytest

from floatframe.hybrid.kernels.linear import complex_factor, complex_solve
from floatframe.hybrid.kernels.linear.dense import lu_factor, lu_solve
from floatframe.hybrid.kernels.options import FLOATS, MATRIX, entry
from floatframe.hybrid.kernels.stepping import DENSE_ROW
from floatframe.native import WHOLE, array


@entry(MATRIX, array(DENSE_ROW), WHOLE, FLOATS)
def solve(A, rows, first, b):
    good = lu_factor(A, rows, first)
    if good:
        lu_solve(A, rows, b)
    return good


@entry(MATRIX, MATRIX, array(DENSE_ROW), WHOLE, FLOATS, FLOATS)
def solve_complex(A, B, rows, first, b, c):
    good = complex_factor(A, B, rows, first)
    if good:
        complex_solve(A, B, rows, b, c)
    return good


CASES = [(7, 0, False), (9, 4, True), (12, 7, True), (12, 7, False), (5, 5, True), (1, 0, False)]


@pytest.mark.parametrize(("n", "first", "diagonal"), CASES)
def test_solutions_are_those_of_numpy(n, first, diagonal):
    rng = np.random.default_rng(n + first)
    A = rng.normal(size=(n, n))
    A[:first, :first] += 10.0 * np.eye(first)  # safe pivots as they stand
    if diagonal:
        A[:first, :first] = np.diag(np.diag(A)[:first])
    if n > first + 1:
        A[first, first] = 0.0  # needs pivoting
    b = rng.normal(size=n)
    wanted = np.linalg.solve(A, b)
    assert solve(A.copy(), np.zeros(n, DENSE_ROW), first, b)
    np.testing.assert_allclose(b, wanted, rtol=1e-10)


def test_a_singular_matrix_is_reported():
    A = np.diag([1.0, 0.0, 2.0])
    assert not solve(A.copy(), np.zeros(3, DENSE_ROW), 2, np.ones(3))
    assert not solve(A.copy(), np.zeros(3, DENSE_ROW), 0, np.ones(3))


@pytest.mark.parametrize(("n", "first", "diagonal"), CASES)
def test_complex_solutions_are_those_of_numpy(n, first, diagonal):
    rng = np.random.default_rng(n + first)
    A, B = rng.normal(size=(2, n, n))
    A[:first, :first] += 10.0 * np.eye(first)  # safe pivots as they stand
    if diagonal:
        A[:first, :first], B[:first, :first] = np.diag(np.diag(A)[:first]), np.diag(np.diag(B)[:first])
    if n > first + 1:
        A[first, first] = B[first, first] = 0.0  # needs pivoting
    b, c = rng.normal(size=(2, n))
    wanted = np.linalg.solve(A + 1j * B, b + 1j * c)
    assert solve_complex(A.copy(), B.copy(), np.zeros(n, DENSE_ROW), first, b, c)
    np.testing.assert_allclose(b + 1j * c, wanted, rtol=1e-10)


def test_a_singular_complex_matrix_is_reported():
    A, B = np.diag([1.0, 0.0, 2.0]), np.zeros((3, 3))
    for first in (2, 0):
        assert not solve_complex(A.copy(), B.copy(), np.zeros(3, DENSE_ROW), first, np.ones(3), np.ones(3))
    A[1, 1] = np.nan
    assert not solve_complex(A.copy(), B.copy(), np.zeros(3, DENSE_ROW), 0, np.ones(3), np.ones(3))
