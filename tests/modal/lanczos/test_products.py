"""Products and looks at matrices in compiled code, against plain NumPy and SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.linalg import eigh

import floatframe as ff
from floatframe.modal import LanczosOptions, factorize, lanczos
from floatframe.modal.factor import products
from floatframe.modal.lanczos import _kernels as kernels, modes, search
from floatframe.modal.lanczos.operator import SandwichInverse
from tests.modal.shell_pencil import shell
from tests.reference import pencils

ROUND_OFF = 1e-13  # sums of a few thousand terms in another order


def random_matrix(n: int, density: float, seed: int) -> sparse.csc_array:
    """Symmetric, with a full diagonal."""
    A = sparse.random_array((n, n), density=density, rng=np.random.default_rng(seed))
    return sparse.csc_array(A + A.T + sparse.eye_array(n))


@pytest.mark.parametrize("columns", [1, 4, 7])
@pytest.mark.parametrize("small", [0, 10**9])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("form", ["csc", "csr"])
def test_matrix_times_columns(columns, small, order, form, monkeypatch):
    monkeypatch.setattr(products, "SMALL", small)
    A = random_matrix(301, 0.05, 1)
    X = np.array(np.random.default_rng(2).standard_normal((301, columns)), order=order)
    assert_allclose(products.multiply(A.asformat(form), X), A @ X, atol=ROUND_OFF * np.abs(A @ X).max())


def test_no_columns():
    assert products.multiply(random_matrix(20, 0.2, 3), np.empty((20, 0))).shape == (20, 0)


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


def test_factor_that_does_not_know_the_pattern_of_the_mass(monkeypatch):
    """The one-pass form needs a tree in which the mass couples columns to those above; another factor does without."""
    K, _ = pencils.chain(60)
    far = sparse.coo_array(([0.2, 0.2], ([3, 50], [50, 3])), shape=K.shape)
    M = sparse.csc_array(sparse.eye_array(60) + far)
    used = []

    class Watched(SandwichInverse):
        def __init__(self, *arguments):
            used.append(True)
            super().__init__(*arguments)

    monkeypatch.setattr(search, "SandwichInverse", Watched)

    def narrow(A, **options):
        B = A.copy()
        B.eliminate_zeros()
        return factorize(B, kind=options["kind"])

    def wide(A, **options):
        return factorize(A, kind=options["kind"])

    given = lanczos(K, M, 6, factorize=narrow, options=LanczosOptions(shift=0.0))
    assert not used
    known = lanczos(K, M, 6, factorize=wide, options=LanczosOptions(shift=0.0))
    own = lanczos(K, M, 6)
    assert len(used) == 2
    for modes_ in (known, own):
        assert_allclose(modes_.value, given.value, rtol=1e-10)


@pytest.mark.parametrize("soft", [1.0, 1e-2, 1e-4])
def test_soft_motions_without_mass(soft):
    """Point masses on arms: a mass of rank one couples each dof to a soft rotation, whose own inertia is round-off."""
    K, _ = pencils.chain(40)
    K = sparse.block_diag([K, soft * sparse.eye_array(40)], format="csc")
    arm = 0.3
    M = sparse.csc_array(sparse.kron(np.array([[1.0, arm], [arm, arm**2]]), sparse.eye_array(40)))
    found = lanczos(K, M, 8)
    theta = eigh(M.toarray(), K.toarray(), eigvals_only=True)[::-1]
    assert_allclose(found.value, 1.0 / theta[:8], rtol=1e-9)
    assert found.sturm.passed


def test_soft_motions_that_carry_nothing():
    """Rotations a billion times softer than the rest with a mass that is zero up to round-off of either sign."""
    K, _ = pencils.chain(40)
    K = sparse.block_diag([K, 1e-9 * sparse.eye_array(40)], format="csc")
    noise = 1e-17 * np.random.default_rng(8).standard_normal(20)
    small = sparse.kron(sparse.diags_array(noise), np.array([[0.0, 1.0], [1.0, 0.0]]))
    M = sparse.csc_array(sparse.block_diag([sparse.eye_array(40), small]))
    exact = eigh(K[:40, :40].toarray(), eigvals_only=True)
    assert_allclose(lanczos(K, M, 8).value, exact[:8], rtol=1e-9)


@pytest.mark.parametrize("coupling", [1.001, 1.1, 2.0])
@pytest.mark.parametrize("n", [1, 5, 40])
def test_two_dofs_coupled_more_than_their_masses_allow(coupling, n):
    K, _ = pencils.chain(100)
    M = sparse.eye_array(100, format="lil")
    M[50, 51] = M[51, 50] = coupling
    with pytest.raises(ff.ModelError, match="mass: the matrix is indefinite, dof 50 "):
        lanczos(K, M, n)


def test_update_stacks_are_as_high_as_what_lies_on_them():
    s = factorize(shell(30, 20), threads=2).symbolic
    size = s.update_order.astype(int) ** 2
    assert (s.stack_side[s.parent >= 0] != s.stack_side[s.parent[s.parent >= 0]]).all()
    for begin, end in zip(s.subtree[:-1], s.subtree[1:], strict=True):
        stacks: tuple[list[int], list[int]] = ([], [])
        highest = [0, 0]
        for f in range(begin, end):
            side = s.stack_side[f]
            stacks[side].append(f)
            highest[side] = max(highest[side], size[stacks[side]].sum())
            children = s.children[s.child_start[f] : s.child_start[f + 1]]
            # they lie on top of the other stack, in their order
            assert stacks[1 - side][len(stacks[1 - side]) - len(children) :] == children.tolist()
            del stacks[1 - side][len(stacks[1 - side]) - len(children) :]
        assert_array_equal(s.stack_entries(int(begin), int(end)), highest)
        assert stacks[s.stack_side[end - 1]] == [end - 1]
