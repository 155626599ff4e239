"""The operator L^-1 M L^-T read in one pass: against dense algebra, for any size of the branches kept in the cache."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import cholesky, solve_triangular
from scipy.sparse import csc_array, diags_array

from floatframe.modal import lanczos
from floatframe.modal.factor import sandwich as factor_sandwich
from floatframe.modal.factor.sandwich import Sandwich, branches
from floatframe.modal.factor.substructures import factorize
from tests.modal.shell_pencil import shell

# condition of these matrices is below 1e6
AGREEMENT = 1e-9


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("lumped", [True, False])
def test_operator_equals_its_dense_twin(threads, lumped, monkeypatch):
    A = shell(24, 18)
    rng = np.random.default_rng(1)
    d = rng.uniform(0.0, 2.0, A.shape[0])
    d[::7] = 0.0  # dofs without mass
    M = csc_array(diags_array(d)) if lumped else csc_array(A * d * d[:, None])
    F = factorize(A, kind="spd", threads=threads)
    order, scale = F.symbolic.order, F.numeric.scale
    dense, mass = ((B.toarray() * np.outer(scale, scale))[np.ix_(order, order)] for B in (A, M))
    L = cholesky(dense, lower=True)
    Q = rng.standard_normal((A.shape[0], 7))
    up = solve_triangular(L, Q, lower=True, trans="T")
    expected = solve_triangular(L, mass @ up, lower=True)
    X = np.empty_like(up)
    X[order] = up * scale[order][:, None]
    for cached in (8, 8 * 2_000, 8 * 10**9):
        monkeypatch.setattr(factor_sandwich, "CACHED", cached)
        sandwich = Sandwich(F, M)
        for columns in (1, 4, 7):
            some = np.asfortranarray(Q[:, :columns])
            for found, wanted in ((sandwich(some), expected), (sandwich.up(some), X)):
                atol = AGREEMENT * np.abs(wanted[:, :columns]).max()
                assert_allclose(found, wanted[:, :columns], atol=atol, err_msg=f"{cached} {columns}")


def test_branches_are_whole_subtrees_within_the_limit():
    s = factorize(shell(40, 30), threads=2).symbolic
    limit = 20_000
    spans = branches(s, limit)
    assert len(spans) > 4
    assert (np.diff(s.panel_offset[spans], axis=1) <= limit).all()
    assert (spans[1:, 0] >= spans[:-1, 1]).all()
    for begin, end in np.searchsorted(s.front_panel, spans):
        # only the last front of a branch has its parent outside, and everything below it is inside
        assert (s.parent[begin : end - 1] < end).all()
        assert not np.isin(s.parent[:begin], np.arange(begin, end)).any()
    assert_array_equal(branches(s, 10**12)[:, 1], s.front_panel[s.subtree[1:]])


def test_free_bodies_and_given_starts_take_the_plain_form():
    """The fast form knows no shapes; what starts from shapes or finds rigid motions must give the same answer."""
    A = shell(12, 10, hold=0.0)
    A = 0.5 * (A + A.T)
    M = np.diag(np.random.default_rng(2).uniform(0.5, 2.0, A.shape[0]))
    held = lanczos(A, M, 6)
    again = lanczos(A, M, 6, start=held.shapes[:, :3])
    # both are converged to 1e-8 in theta, its square in the eigenvalues
    assert_allclose(again.value, held.value, rtol=1e-10)
