"""Lanczos: known spectra, all variants, nothing missed, refusals."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from scipy.linalg import eigh, solve

import floatframe as ff
from floatframe.modal import LanczosOptions, lanczos
from floatframe.modal.lanczos._kernels import add_overlaps, subtract_product
from floatframe.modal.lanczos.basis import Krylov
from floatframe.modal.lanczos.operator import Inverse, mass_cholesky
from floatframe.modal.lanczos.orthogonality import STRATEGIES
from floatframe.modal.lanczos.pencil import Pencil
from tests.reference import pencils

# theta = 1/(lambda - shift) is a Ritz value: its error is the square of the vector's, which tol = 1e-8 bounds
SPECTRUM = 1e-9
# round-off of small dense references, relative to the largest eigenvalue
ROUND_OFF = 1e-13

FORMS = ("inner-product", "cholesky")
VARIANTS = [(way, form, block) for way in STRATEGIES for form in FORMS for block in (1, 2, 3, 6)]


def dense_values(K, M):
    """Finite eigenvalues by LAPACK, massless dofs condensed out before."""
    K, M = K.toarray(), M.toarray()
    heavy = np.diag(M) > 0.0
    light = ~heavy
    if light.any():
        coupling = K[np.ix_(light, heavy)]
        K = K[np.ix_(heavy, heavy)] - coupling.T @ solve(K[np.ix_(light, light)], coupling, assume_a="pos")
    return eigh(K, M[np.ix_(heavy, heavy)], eigvals_only=True)


def assert_proven(modes, tol=1e-8):
    """Residuals, orthonormality and counts that every result must carry."""
    assert modes.residual.max() <= tol
    assert modes.orthogonality <= 1e-13
    assert modes.sturm.passed


@pytest.mark.parametrize("n", [6, 40, 300])
def test_mikota_frequencies_are_the_integers(n):
    modes = lanczos(*pencils.mikota(n), n=5)
    assert_allclose(modes.omega, [1, 2, 3, 4, 5], rtol=1e-11)
    assert_proven(modes)


@pytest.mark.parametrize(("way", "form", "block"), VARIANTS)
def test_every_variant_gives_the_same_spectrum(way, form, block):
    modes = lanczos(*pencils.mikota(60), n=20, options=LanczosOptions(reorthogonalisation=way, form=form, block=block))
    assert_allclose(modes.value, np.arange(1, 21) ** 2.0, rtol=SPECTRUM)
    assert_proven(modes)


@pytest.mark.parametrize(("way", "form", "block"), VARIANTS)
def test_every_variant_agrees_on_a_consistent_mass_and_double_values(way, form, block):
    K, M = pencils.grid(12)
    line = sparse.diags_array([np.ones(11), np.full(12, 4.0), np.ones(11)], offsets=[-1, 0, 1]) / 6.0
    M = sparse.csc_array(sparse.kron(line, line))
    modes = lanczos(K, M, n=15, options=LanczosOptions(reorthogonalisation=way, form=form, block=block))
    assert_allclose(modes.value, dense_values(K, M)[:15], rtol=SPECTRUM)
    assert_proven(modes)


def massless_chain():
    K, _ = pencils.chain(61)
    mass = np.zeros(61)
    mass[1::2] = 1.0
    return K, sparse.csc_array(sparse.diags_array(mass))


DEMANDING = {
    "ring": (pencils.ring(60), 20),
    "square": (pencils.grid(14), 7),
    "cube": (pencils.grid(7, 3), 40),
    "free truss": (pencils.free_truss(6, 3, copies=3), 40),
    "massless": (massless_chain(), 20),
    "equal parts": (tuple(sparse.block_diag([A] * 10, format="csc") for A in pencils.chain(15)), 20),
    "most of a free structure": (pencils.random_structure(4), 40),
}


@pytest.mark.parametrize("name", DEMANDING)
@pytest.mark.parametrize("way", STRATEGIES)
@pytest.mark.parametrize("form", FORMS)
def test_every_variant_resolves_multiple_and_zero_eigenvalues(name, way, form):
    (K, M), n = DEMANDING[name]
    exact = dense_values(K, M)
    for block in (1, 2, 3):
        modes = lanczos(K, M, n=n, options=LanczosOptions(reorthogonalisation=way, form=form, block=block))
        # LAPACK's own error is a part of the largest eigenvalue
        assert_allclose(modes.value, exact[:n], rtol=SPECTRUM, atol=ROUND_OFF * exact[-1])
        assert_proven(modes)


def test_wilkinson_pairs_are_resolved():
    K, M = pencils.wilkinson()
    exact = dense_values(K, M)
    lift = 2.0  # W21+ has one negative eigenvalue; a multiple of M moves the spectrum
    for block in (1, 2, 3):
        modes = lanczos(K + lift * M, M, n=21, options=LanczosOptions(block=block))
        assert_allclose(modes.value - lift, exact, atol=1e-12)
        # published to 15 digits (Wilkinson 1965)
        assert modes.value[-1] - lift == pytest.approx(10.746194182903393, abs=1e-12)
        assert modes.value[-2] - lift == pytest.approx(10.746194182903322, abs=1e-12)
        assert_proven(modes)


@pytest.mark.parametrize("block", [1, 2, 4])
@pytest.mark.parametrize(
    ("build", "exact", "size"),
    [
        (pencils.ring, pencils.ring_values, 50),
        (pencils.grid, pencils.grid_values, 14),
        (lambda n: pencils.grid(n, 3), lambda n: pencils.grid_values(n, 3), 7),
    ],
)
def test_multiple_eigenvalues_come_with_full_multiplicity(build, exact, size, block):
    for n in (1, 5, 12):  # some of them cut a multiple eigenvalue
        modes = lanczos(*build(size), n=n, options=LanczosOptions(block=block))
        assert_allclose(modes.value, exact(size)[:n], rtol=SPECTRUM, atol=1e-12)
        assert_proven(modes)


@pytest.mark.parametrize("block", [1, 3])
def test_ten_equal_parts_without_connection(block):
    K, M = pencils.chain(15)
    K, M = (sparse.block_diag([A] * 10, format="csc") for A in (K, M))
    modes = lanczos(K, M, n=30, options=LanczosOptions(block=block))
    assert_allclose(modes.value, np.repeat(pencils.chain_values(15)[:3], 10), rtol=SPECTRUM)
    assert_proven(modes)


def test_free_chain_has_one_rigid_mode():
    modes = lanczos(*pencils.chain(80, free=True), n=6)
    assert modes.kind == ("rigid",) + ("elastic",) * 5
    assert modes.omega[0] == 0.0
    assert_allclose(modes.value[1:], pencils.chain_values(80, free=True)[1:6], rtol=SPECTRUM)
    shape = modes.shapes[:, 0]
    assert_allclose(shape, shape[0], rtol=1e-9)
    assert_proven(modes)


@pytest.mark.parametrize(("dimension", "motions"), [(2, 3), (3, 6)])
@pytest.mark.parametrize("copies", [1, 2, 3])
@pytest.mark.parametrize("form", FORMS)
def test_free_trusses_have_their_rigid_motions(dimension, motions, copies, form):
    K, M = pencils.free_truss(8, dimension, copies=copies)
    rigid = motions * copies
    modes = lanczos(K, M, n=rigid + 4, options=LanczosOptions(form=form))
    assert modes.kind == ("rigid",) * rigid + ("elastic",) * 4
    exact = dense_values(K, M)
    assert_allclose(modes.value[rigid:], exact[rigid : rigid + 4], rtol=SPECTRUM)
    assert_proven(modes)
    assert lanczos(K, M, n=2, options=LanczosOptions(form=form)).kind == ("rigid", "rigid")


@pytest.mark.parametrize(("copies", "n"), [(9, 90), (20, 30), (30, 100)])
def test_more_rigid_motions_than_any_body_has(copies, n):
    K, M = (sparse.block_diag([A] * copies, format="csc") for A in pencils.chain(10, free=True))
    modes = lanczos(K, M, n=n)
    assert modes.kind.count("rigid") == copies
    exact = np.sort(np.tile(pencils.chain_values(10, free=True), copies))[:n]
    assert_allclose(modes.value[copies:], exact[copies:], rtol=SPECTRUM)
    assert_proven(modes)


@pytest.mark.parametrize("ratio", [1e2, 1e4, 1e8, 1e12])
@pytest.mark.parametrize("n", [1, 6, 15, 20])
def test_a_soft_part_keeps_its_digits_beside_a_stiff_one(ratio, n):
    soft, M = pencils.chain(10, free=True)
    K = sparse.block_diag([ratio * soft, soft], format="csc")
    M = sparse.block_diag([M, M], format="csc")
    value = pencils.chain_values(10, free=True)
    exact = np.sort(np.concatenate([value, ratio * value]))
    exact[:2] = 0.0
    modes = lanczos(K, M, n=n)
    assert_allclose(modes.value, exact[:n], rtol=1e-12)
    assert modes.kind.count("rigid") == min(n, 2)
    assert modes.sturm.found >= n
    assert_proven(modes)
    # shapes belong to one part each, but those of the common eigenvalue zero
    apart = np.abs(modes.shapes[:10]).max(axis=0) * np.abs(modes.shapes[10:]).max(axis=0)
    assert apart[2:].max(initial=0.0) < 1e-9


@pytest.mark.parametrize("ratio", [1e2, 1e4, 1e8])
@pytest.mark.parametrize("n", [6, 15])
def test_slices_of_a_soft_part_and_a_stiff_one(ratio, n):
    soft, M = pencils.chain(10, free=True)
    K = sparse.block_diag([ratio * soft, soft], format="csc")
    M = sparse.block_diag([M, M], format="csc")
    value = pencils.chain_values(10, free=True)
    exact = np.sort(np.concatenate([value, ratio * value]))
    exact[:2] = 0.0
    cut = np.sqrt(0.5 * (exact[n - 1] + exact[n])) / (2.0 * np.pi)
    for modes, expected in ((lanczos(K, M, below=cut), exact[:n]), (lanczos(K, M, band=(0.01, cut)), exact[2:n])):
        assert_allclose(modes.value, expected, rtol=1e-12)
        assert_proven(modes)


@pytest.mark.filterwarnings("error")
def test_masses_without_any_stiffness():
    for K, M in (([[0.0]], [[1.0]]), (np.zeros((3, 3)), np.diag([1.0, 2.0, 3.0]))):
        modes = lanczos(np.array(K), np.array(M), n=len(K))
        assert modes.kind == ("rigid",) * len(K)
        assert_allclose(modes.value, 0.0, atol=0.0)
        assert_proven(modes)
    # one mass on a spring, one without, and a spring without mass
    modes = lanczos(np.diag([0.0, 5.0, 4.0]), np.diag([1.0, 0.0, 1.0]), n=2)
    assert_allclose(modes.value, [0.0, 4.0], rtol=1e-12)
    assert modes.kind == ("rigid", "elastic")


def test_given_motions_that_depend_on_each_other_count_once():
    K, M = pencils.free_truss(12, 3)
    known = lanczos(K, M, n=10)
    R = known.shapes[:, :6]
    twice = lanczos(K, M, n=10, rigid=np.hstack([R, R[:, :2] + R[:, 2:4]]))
    assert twice.kind.count("rigid") == 6
    assert_allclose(twice.value, known.value, rtol=SPECTRUM)


def test_given_rigid_motions_save_solutions():
    K, M = pencils.free_truss(12, 3)
    searched = lanczos(K, M, n=10)
    given = lanczos(K, M, n=10, rigid=searched.shapes[:, :6])
    assert_allclose(given.value, searched.value, rtol=SPECTRUM)
    assert given.statistics.solves < searched.statistics.solves
    with pytest.raises(ff.ModelError, match="strains"):
        lanczos(K, M, n=10, rigid=searched.shapes[:, 5:7])


def test_massless_dofs_follow_statically():
    K, _ = pencils.chain(41)
    mass = np.zeros(41)
    mass[1::2] = 1.0
    M = sparse.csc_array(sparse.diags_array(mass))
    for form in FORMS:
        modes = lanczos(K, M, n=20, options=LanczosOptions(form=form))  # all that are finite
        assert_allclose(modes.value, dense_values(K, M), rtol=SPECTRUM)
        assert_allclose((K @ modes.shapes)[mass == 0.0], 0.0, atol=1e-11)
        assert_proven(modes)


def test_semi_definite_mass_with_full_diagonal():
    # point masses with an offset: each couples two dofs by a matrix of rank one
    K, _ = pencils.chain(60)
    M = sparse.csc_array(sparse.kron(sparse.eye_array(30), np.array([[1.0, 0.3], [0.3, 0.09]])))
    modes = lanczos(K, M, n=12)
    theta = eigh(M.toarray(), K.toarray(), eigvals_only=True)[::-1]
    assert_allclose(modes.value, 1.0 / theta[:12], rtol=SPECTRUM)
    assert_proven(modes)
    with pytest.raises(ff.ModelError, match="30 finite"):
        lanczos(K, M, n=31)


def test_badly_scaled_mass():
    K, _ = pencils.chain(100)
    mass = 10.0 ** np.random.default_rng(3).uniform(-12, 3, 100)
    M = sparse.csc_array(sparse.diags_array(mass))
    modes = lanczos(K, M, n=10)
    theta = eigh(M.toarray(), K.toarray(), eigvals_only=True)[::-1]  # the large ones are the accurate ones
    assert_allclose(modes.value, 1.0 / theta[:10], rtol=SPECTRUM)
    assert_proven(modes)


@pytest.mark.parametrize("batch", [0, 1, *(pytest.param(k, marks=pytest.mark.slow) for k in range(2, 8))])
def test_nothing_is_missed_on_random_structures(batch):
    for seed in range(25 * batch, 25 * batch + 25):
        K, M = pencils.random_structure(seed)
        exact = dense_values(K, M)
        n = min(int(np.random.default_rng(seed).integers(1, 13)), exact.size)
        modes = lanczos(K, M, n=n, options=LanczosOptions(block=1 + seed % 4))
        assert modes.sturm.passed, seed
        # LAPACK's own error is a part of the largest eigenvalue
        assert_allclose(modes.value, exact[:n], rtol=SPECTRUM, atol=ROUND_OFF * exact[-1], err_msg=f"seed {seed}")
        assert_proven(modes)


def test_all_below_and_in_a_band():
    K, M = pencils.grid(20)
    exact = np.sqrt(pencils.grid_values(20)) / (2.0 * np.pi)
    cut = 0.5 * (exact[29] + exact[30]) if exact[30] - exact[29] > 1e-9 else 0.5 * (exact[30] + exact[31])
    low = lanczos(K, M, below=cut)
    assert_allclose(low.frequency, exact[exact < cut], rtol=SPECTRUM)
    band = lanczos(K, M, band=(0.1, cut))
    assert_allclose(band.frequency, exact[(exact > 0.1) & (exact < cut)], rtol=SPECTRUM)
    for modes in (low, band):
        assert_proven(modes)
    assert len(lanczos(K, M, below=0.5 * exact[0])) == 0
    assert len(lanczos(K, M, band=(0.2 * exact[0], 0.5 * exact[0]))) == 0


def test_slices_of_a_free_body():
    K, M = pencils.free_truss(10, 3)
    omega = np.sqrt(np.maximum(dense_values(K, M), 0.0))
    cut = 0.5 * (omega[10] + omega[11]) / (2.0 * np.pi)
    modes = lanczos(K, M, below=cut)
    assert modes.kind.count("rigid") == 6
    assert_allclose(modes.omega[6:], omega[6:11], rtol=SPECTRUM)
    assert_allclose(lanczos(K, M, band=(1e-3, cut)).omega, omega[6:11], rtol=SPECTRUM)


@pytest.mark.parametrize("shift", [-1.0, 0.0, 2.0, 30.0])
def test_the_shift_does_not_matter(shift):
    modes = lanczos(*pencils.mikota(60), n=8, options=LanczosOptions(shift=shift))
    assert_allclose(modes.omega, np.arange(1, 9), rtol=1e-11)
    assert_proven(modes)


@pytest.mark.parametrize("way", STRATEGIES)
@pytest.mark.parametrize("block", [1, 2])
def test_thick_restart_in_little_memory(way, block):
    K, M = pencils.grid(40)
    exact = pencils.grid_values(40)[:10]
    free = lanczos(K, M, n=10, options=LanczosOptions(block=block))
    room = free.statistics.factor_bytes + 8 * 1600 * 40
    tight = lanczos(K, M, n=10, options=LanczosOptions(block=block, reorthogonalisation=way, memory_limit=room))
    assert tight.statistics.restarts > free.statistics.restarts
    assert tight.statistics.basis_bytes <= 8 * 1600 * 40
    assert_allclose(tight.value, exact, rtol=SPECTRUM)
    assert_proven(tight)


def test_a_job_that_cannot_fit_is_refused_at_once():
    with pytest.raises(ff.ModelError, match="MB are available"):
        lanczos(*pencils.grid(40), n=10, options=LanczosOptions(memory_limit=100_000))


def test_an_invariant_subspace_restarts():
    # a start vector that is an eigenvector spans an invariant subspace of one dimension
    K, M = pencils.chain(30)
    k = np.arange(1, 31)
    start = np.sin(np.pi * k / 31)[:, None]
    modes = lanczos(K, M, n=4, options=LanczosOptions(block=1), start=start)
    assert_allclose(modes.value, pencils.chain_values(30)[:4], rtol=SPECTRUM)
    assert_proven(modes)


@pytest.mark.parametrize("way", STRATEGIES)
def test_orthogonality_stays_at_its_level(way):
    # full keeps round-off, the others at least semi-orthogonality, sqrt(eps), against converged directions
    pencil = Pencil(*pencils.mikota(200))
    factor = ff.modal.factorize(pencil.shifted(0.0), kind="spd")
    krylov = Krylov(Inverse(pencil, factor, 0.0), 90, STRATEGIES[way](), seed=1)
    krylov.begin(None, 1)
    while krylov.m < 60:
        krylov.step()
    Q = krylov.Q[:, : krylov.m]
    overlap = np.abs(Q.T @ pencil.weigh(Q) - np.eye(krylov.m)).max()
    assert overlap < (1e-13 if way == "full" else 1e-7)
    # the recurrence holds: A Q = Q T + Q_next B
    image = krylov.operator.image(Q, pencil.weigh(Q))
    whole = krylov.Q[:, : krylov.m + 1] @ krylov.T[: krylov.m + 1, : krylov.m]
    assert_allclose(image, whole, atol=1e-7 if way != "full" else 1e-12)


def test_partial_orthogonalisation_saves_sweeps(monkeypatch):
    sweeps = []
    original = Krylov.orthogonalise
    monkeypatch.setattr(Krylov, "orthogonalise", lambda self, *a: sweeps.append(1) or original(self, *a))
    count = {}
    for way in ("full", "partial"):
        sweeps.clear()
        lanczos(*pencils.grid(30), n=20, options=LanczosOptions(reorthogonalisation=way, block=1, check=False))
        count[way] = len(sweeps)
    assert count["partial"] < 0.6 * count["full"]


def test_cholesky_factor_of_the_mass():
    K, M = pencils.random_structure(4)
    L = mass_cholesky(Pencil(K, M))
    assert_allclose((L @ L.T).toarray(), M.toarray(), atol=1e-13 * abs(M).max())


def test_progress_and_statistics():
    seen = []
    modes = lanczos(*pencils.grid(20), n=8, progress=lambda done, wanted: seen.append((done, wanted)))
    assert seen[-1][0] >= 8
    assert all(done <= wanted for done, wanted in seen)
    s = modes.statistics
    assert s.factorisations == len(s.shifts) == 2
    assert s.solves >= s.steps * s.block > 8
    assert s.factor_bytes > 0
    assert 0.0 < s.factor_seconds + s.solve_seconds + s.orthogonalisation_seconds < s.total_seconds
    unproven = lanczos(*pencils.grid(20), n=8, options=LanczosOptions(check=False))
    assert unproven.statistics.factorisations == 1
    assert not unproven.sturm.passed
    assert "not requested" in str(unproven.sturm)


def test_results_repeat():
    first, second = (lanczos(*pencils.grid(15), n=6) for _ in range(2))
    assert np.array_equal(first.shapes, second.shapes)
    other = lanczos(*pencils.grid(15), n=6, options=LanczosOptions(seed=7))
    assert_allclose(other.value, first.value, rtol=SPECTRUM)


def bad_inputs():
    K, M = pencils.chain(10)
    one = sparse.csc_array(sparse.eye_array(10))
    nan = K.copy()
    nan.data[3] = np.nan
    skew = K.tolil()
    skew[0, 5] = 1.0
    light = M.copy()
    light.data[4] = 0.0
    loose = K.tolil()
    loose[4, :] = 0.0
    loose[:, 4] = 0.0
    indefinite = M.tolil()
    indefinite[2, 3] = indefinite[3, 2] = 3.0
    hidden = M.tolil()  # each pair of three dofs could be, all three together cannot
    for i, j in ((2, 3), (3, 4), (2, 4)):
        hidden[i, j] = hidden[j, i] = -0.6 * M[2, 2]
    return [
        (nan, M, {}, "not finite"),
        (skew, M, {}, "not symmetric"),
        (K[:9], M, {}, "square"),
        (K, pencils.chain(11)[1], {}, "differ in size"),
        (K - 1.0 * one, M, {}, "not positive semi-definite"),
        (loose.tocsc(), light, {"n": 3}, "lack stiffness"),
        (K, 0.0 * M, {}, "no dof carries any mass"),
        (K, -1.0 * M, {}, "expected at least zero"),
        (K, indefinite.tocsc(), {"n": 5}, "indefinite, dof 2 is coupled"),
        (K, hidden.tocsc(), {"n": 5}, "indefinite"),
        (K, hidden.tocsc(), {"n": 5, "form": "cholesky"}, "no Cholesky factor"),
        (K, M, {"n": 11}, "only 10 of 10"),
        (K, M, {"n": 0}, "at least one"),
        (K, M, {"block": 0}, "block is 0"),
        (K, M, {"tol": 0.0}, "tol"),
        (K, M, {"form": "qr"}, "form is 'qr'"),
        (K, M, {"reorthogonalisation": "none"}, "'full', 'partial', 'selective'"),
        (K, M, {"below": -1.0}, "positive frequency"),
        (K, M, {"band": (2.0, 1.0)}, "f1 < f2"),
        (K, M, {"below": 1.0, "band": (0.0, 1.0)}, "both"),
        (K, M, {"rigid": np.ones((3, 1))}, r"\(10, k\)"),
        (K, M, {"start": np.ones((3, 1))}, r"start: shape is \(3, 1\)"),
        (K, M, {"start": np.full((10, 1), np.nan)}, "start: there are entries"),
        (K, M, {"n": 2.0}, "n is 2.0; expected a whole number"),
        (K, M, {"block": 2.5}, "block is 2.5; expected a whole number"),
        (K - 1.0 * one, M, {"shift": 0.5, "n": 3}, "lowest eigenvalue is -0.919"),
        (K + 1.0j * one, M, {}, "complex"),
        ("stiff", M, {}, "not a real matrix"),
    ]


@pytest.mark.parametrize(("K", "M", "options", "message"), bad_inputs(), ids=lambda value: str(value)[:20])
def test_what_makes_no_sense_is_refused(K, M, options, message):
    rare = {field.name: options.pop(field.name) for field in fields(LanczosOptions) if field.name in options}
    with pytest.raises(ff.ModelError, match=message):
        lanczos(K, M, **options, options=LanczosOptions(**rare))


@pytest.mark.parametrize(("rows", "many", "few"), [(1, 1, 1), (1500, 5, 3), (2500, 12, 4)])
def test_compiled_products_of_the_basis_are_those_of_numpy(rows, many, few):
    rng = np.random.default_rng(rows)
    Q, W = (np.asfortranarray(rng.standard_normal((rows, columns))) for columns in (many, few))
    H = np.ones((many, few))
    add_overlaps(0, rows // 2, Q, W, H)
    add_overlaps(rows // 2, rows, Q, W, H)
    # sums of at most 2500 products of size one in another order
    assert_allclose(H, 1.0 + Q.T @ W, rtol=1e-12, atol=1e-11)
    R = W.copy(order="F")
    subtract_product(rows // 3, rows, Q, H, R)
    W[rows // 3 :] -= Q[rows // 3 :] @ H
    assert_allclose(R, W, rtol=1e-12, atol=1e-10)
