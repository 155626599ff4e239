"""Small matrices, which SuperLU factors: the same solutions, counts, spectra and refusals as by substructures."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import eigh, eigvalsh
from scipy.sparse import block_diag, csc_array, eye_array

from floatframe.errors import FloatframeError
from floatframe.modal import lanczos
from floatframe.modal.factor import connected_parts, factored, is_small, products
from floatframe.modal.factor.small import SmallFactorization
from floatframe.modal.factor.substructures import Factorization, factorize
from tests.modal.shell_pencil import shell
from tests.reference import pencils

# solutions of matrices with condition below 1e6 agree to this, relative to the largest entry
SOLUTION = 1e-9
# values by two solvers of one pencil differ by the round-off of LAPACK's largest eigenvalue and of the shift
SPECTRUM, ROUND_OFF = 1e-10, 1e-13
PENCILS = {
    "ring": (pencils.ring(60), 20),
    "cube": (pencils.grid(7, 3), 30),
    "free truss": (pencils.free_truss(6, 3, copies=3), 40),
    "equal parts": (tuple(block_diag([A] * 10, format="csc") for A in pencils.chain(15)), 20),
    "most of a free structure": (pencils.random_structure(4), 40),
}


@pytest.mark.parametrize("shift", [0.0, 3.0, 20.0])
def test_solutions_and_counts_are_those_of_the_dense_matrix(shift):
    A = csc_array(shell(6, 4) - shift * eye_array(210))
    F = factored(A, kind="spd" if shift == 0.0 else "indefinite")
    assert isinstance(F, SmallFactorization)
    assert F.negative_pivots == (eigvalsh(A.toarray()) < 0.0).sum()
    assert F.memory_bytes > 0
    for shape in ((210,), (210, 0), (210, 7)):
        X = np.random.default_rng(0).standard_normal(shape)
        assert_allclose(F.solve(A @ X), X, atol=SOLUTION)


@pytest.mark.parametrize("name", PENCILS)
def test_spectra_are_those_of_the_solver_by_substructures(name, monkeypatch):
    """Multiple and zero eigenvalues to the same digits, which an unsymmetric inverse would not give."""
    (K, M), n = PENCILS[name]
    exact = eigh(K.toarray(), M.toarray(), eigvals_only=True)
    small = lanczos(K, M, n=n)
    monkeypatch.setattr(products, "SMALL", 0)
    large = lanczos(K, M, n=n)
    for modes in (small, large):
        assert_allclose(modes.value, exact[:n], rtol=SPECTRUM, atol=ROUND_OFF * exact[-1])
        assert modes.sturm.passed
    assert small.sturm.expected == large.sturm.expected
    assert small.kind == large.kind


def test_what_needs_pivots_of_order_two_is_left_to_substructures():
    A = csc_array(block_diag([np.array([[0.0, 1.0], [1.0, 0.0]])] * 20))
    F = factored(A, kind="indefinite")
    assert isinstance(F, Factorization)
    assert F.negative_pivots == 20


@pytest.mark.parametrize(
    ("A", "kind"),
    [
        (pencils.chain(30)[0] - 5.0 * eye_array(30), "spd"),
        (pencils.ring(60)[0], "spd"),
        (pencils.ring(60)[0], "auto"),
        (csc_array(np.diag([1.0, 0.0, 2.0])), "auto"),
        (csc_array(np.array([[1.0, 2.0], [0.0, 1.0]])), "auto"),
        (csc_array(np.diag([1.0, np.nan])), "auto"),
        (eye_array(3), "lu"),
    ],
)
def test_refusals_are_the_same(A, kind):
    with pytest.raises(FloatframeError) as refused:
        factorize(csc_array(A), kind=kind)
    with pytest.raises(type(refused.value)) as here:
        factored(csc_array(A), kind=kind)
    assert str(here.value) == str(refused.value)


def test_parts_are_numbered_as_they_are_met(monkeypatch):
    place = np.random.default_rng(3).permutation(24)
    A = csc_array(block_diag([np.ones((k, k)) for k in (7, 1, 12, 4)], format="csc")[place][:, place])
    met = list(dict.fromkeys(np.repeat(np.arange(4), (7, 1, 12, 4))[place].tolist()))
    expected = np.argsort(met)[np.repeat(np.arange(4), (7, 1, 12, 4))[place]]
    for small in (products.SMALL, 0):
        monkeypatch.setattr(products, "SMALL", small)
        part, count = connected_parts(A)
        assert count == 4
        assert_array_equal(part, expected)


def test_large_matrices_are_factored_by_substructures():
    A = shell(40, 30)
    assert not is_small(A)
    F = factored(A)
    assert isinstance(F, Factorization)
    assert factored(A, symbolic=F.symbolic).symbolic is F.symbolic


def test_reducing_a_small_model_loads_no_kernels_of_the_solver(tmp_path):
    """They take much longer to compile than such a model to be reduced."""
    program = (
        "import sys, floatframe as ff\n"
        "from floatframe.samples.beam import build\n"
        "fe = build()\n"
        "ff.modal.reduce(fe, interface=[1, 201], n_modes=4)\n"
        "ff.modal.eigenmodes(fe, n=8)\n"
        "print(sorted(m for m in sys.modules if m.startswith('floatframe.modal.factor._kernels')))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.strip() == "[]"
