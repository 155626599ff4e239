"""Factorisation by substructures: exact solutions, inertia, singular and odd matrices, cutting planes, reports."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import eigvalsh, solve
from scipy.sparse import block_diag, coo_array, csc_array, csr_array, diags_array, eye_array
from scipy.sparse.linalg import splu

import floatframe as ff
from floatframe.errors import ModelError, NotConverged
from floatframe.modal.factor import memory
from floatframe.modal.factor._kernels_graph import column_hashes
from floatframe.modal.factor._kernels_solve import _backward_panel, _forward_panel
from floatframe.modal.factor._kernels_symbolic import column_counts, elimination_tree, postorder
from floatframe.modal.factor.ordering import Graph, compress, equal_columns, equation_codes, node_graph
from floatframe.modal.factor.renumber import symmetric_pattern
from floatframe.modal.factor.substructures import Factorization, analyse, factorize
from floatframe.modal.factor.vector import LANES
from tests.modal.shell_pencil import shell

# solutions of matrices with condition below 1e6 agree to this, relative to the largest entry
SOLUTION = 1e-9


def grid_coordinates(nx: int, ny: int, dofs: int = 6) -> np.ndarray:
    i, j = np.meshgrid(np.arange(nx + 1.0), np.arange(ny + 1.0), indexing="ij")
    xyz = np.stack([i.ravel(), j.ravel(), np.zeros(i.size)], axis=1)
    return np.repeat(xyz, dofs, axis=0)


def springs(n: int, free: bool = False) -> csc_array:
    """A chain of unit springs, held at its first end unless free."""
    diagonal = np.full(n, 2.0)
    diagonal[-1] = 1.0
    if free:
        diagonal[0] = 1.0
    return csc_array(diags_array([-np.ones(n - 1), diagonal, -np.ones(n - 1)], offsets=[-1, 0, 1]))


def cantilever(n: int) -> csc_array:
    """Euler-Bernoulli beam of n elements of unit length and stiffness, held at its first node; dofs (w, slope)."""
    k = np.array([[12, 6, -12, 6], [6, 4, -6, 2], [-12, -6, 12, -6], [6, 2, -6, 4]], dtype=float)
    equations = 2 * np.arange(n)[:, None] + np.arange(4)
    rows, columns = np.repeat(equations, 4, axis=1).ravel(), np.tile(equations, 4).ravel()
    K = coo_array((np.tile(k.ravel(), n), (rows, columns)), shape=(2 * n + 2, 2 * n + 2)).tocsc()
    return csc_array(K[2:][:, 2:])


def compressed(A: csc_array) -> Graph:
    indptr, indices = symmetric_pattern(A)
    sums = column_hashes(indptr, indices, equation_codes(indptr.size - 1))
    return compress(indptr, indices, equal_columns(sums))


def relative_error(X: np.ndarray, reference: np.ndarray) -> float:
    return float(np.abs(X - reference).max() / np.abs(reference).max())


def dense_factor(F: Factorization) -> np.ndarray:
    """L (n, n) taken panel by panel from the flat buffer of a Cholesky factorisation."""
    s, L = F.symbolic, np.zeros((F.n, F.n))
    for p in range(s.panel_column.size - 1):
        first, last = s.panel_column[p], s.panel_column[p + 1]
        block = F.numeric.factor[s.panel_offset[p] : s.panel_offset[p + 1]].reshape(last - first, -1).T
        rows = s.rows[s.panel_row[p] : s.panel_row[p] + len(block)]
        L[np.ix_(rows, np.arange(first, last))] = block
    return np.tril(L)


@pytest.mark.parametrize("kind", ["spd", "indefinite"])
@pytest.mark.parametrize("ordering", ["metis", "wave"])
@pytest.mark.parametrize(("block", "threads"), [(192, 2), (5, 1), (7, 3)])
def test_solution_agrees_with_superlu(kind, ordering, block, threads):
    A = shell(14, 9)
    B = np.random.default_rng(1).standard_normal((A.shape[0], 3))
    F = factorize(A, kind=kind, ordering=ordering, block=block, threads=threads)
    assert relative_error(F.solve(B), splu(A).solve(B)) < SOLUTION
    assert F.negative_pivots == 0


@pytest.mark.parametrize("columns", [1, 2, 4, 7, 8, 9, 32, 45])
@pytest.mark.parametrize("kind", ["spd", "indefinite"])
def test_any_number_of_right_hand_sides(columns, kind):
    A = shell(9, 6, dofs=5)
    B = np.random.default_rng(columns).standard_normal((A.shape[0], columns))
    F = factorize(A, kind=kind)
    X = F.solve(B)
    assert X.shape == B.shape
    assert relative_error(X, solve(A.toarray(), B)) < SOLUTION
    assert_allclose(F.solve(B[:, 0]), X[:, 0], rtol=0, atol=SOLUTION * np.abs(X).max())


def test_no_right_hand_side_gives_no_solution():
    assert factorize(shell(2, 2)).solve(np.empty((54, 0))).shape == (54, 0)


def test_right_hand_sides_in_any_memory_layout():
    A = shell(5, 5)
    F = factorize(A)
    B = np.random.default_rng(0).standard_normal((A.shape[0], 4))
    kept = B.copy()
    expected = F.solve(B)
    assert_array_equal(B, kept)
    assert_array_equal(F.solve(np.asfortranarray(B)), expected)
    assert_array_equal(F.solve(np.repeat(B, 2, axis=1)[:, ::2]), expected)


@pytest.mark.parametrize(("height", "width"), [(1, 1), (3, 3), (4, 4), (9, 5), (40, 13)])
def test_panel_substitution_is_that_of_the_dense_triangle(height, width):
    rng = np.random.default_rng(height)
    panel = rng.standard_normal((height, width)) + 4.0 * np.eye(height, width)
    lower = np.eye(height)
    lower[:, :width] = np.tril(panel)
    right = rng.standard_normal((height, LANES))
    for compiled, dense in ((_forward_panel, lower), (_backward_panel, lower.T)):
        x = right.copy()
        compiled(panel.T.ravel(), height, width, False, x)
        # a well-conditioned triangle of at most 40 rows: a few units of rounding
        assert_allclose(x, solve(dense, right), rtol=1e-12, atol=1e-12)


def test_factor_times_its_transpose_is_the_scaled_matrix():
    A = shell(6, 5)
    for block in (4, 192):
        F = factorize(A, kind="spd", block=block)
        L = dense_factor(F)
        p, s = F.symbolic.order, F.numeric.scale
        assert_allclose(L @ L.T, ((A.toarray() * s).T * s)[np.ix_(p, p)], atol=1e-14 * F.n)


@pytest.mark.parametrize("dofs", [1, 2])
def test_tree_and_counts_agree_with_dense_elimination(dofs):
    graph = compressed(flat_shell(5, 4) if dofs == 2 else shell(5, 4, dofs=1))
    order = np.random.default_rng(5).permutation(graph.weight.size)
    tree = elimination_tree(graph.start, graph.neighbours, order)
    assert_array_equal(tree, eliminated(graph, order)[0])
    # counts want descendants before their ancestors, side by side
    order = order[postorder(tree, np.arange(order.size))]
    tree, counts = eliminated(graph, order)
    assert_array_equal(column_counts(graph.start, graph.neighbours, order, np.array(tree), graph.weight), counts)


def eliminated(graph: Graph, order: np.ndarray) -> tuple[list[int], list[int]]:
    """Tree and equations below each vertex, twin of the fast ways: eliminate the graph vertex by vertex."""
    full = np.zeros((order.size, order.size), dtype=bool)
    for v in range(order.size):
        full[v, graph.neighbours[graph.start[v] : graph.start[v + 1]]] = True
    full = full[np.ix_(order, order)]
    parent, counts = [], []
    for j in range(order.size):
        below = np.flatnonzero(full[j + 1 :, j]) + j + 1
        full[np.ix_(below, below)] = True
        parent.append(below[0] if below.size else -1)
        counts.append(graph.weight[order[below]].sum())
    return parent, counts


@pytest.mark.parametrize("dofs", [1, 3, 6])
def test_dofs_of_a_node_are_found(dofs):
    A = shell(7, 6, dofs=dofs)
    graph = compressed(A)
    assert_array_equal(graph.weight, np.full(56, dofs))


def flat_shell(nx: int, ny: int) -> csc_array:
    """The in-plane and bending dofs of a flat shell do not meet, and their zeros are not stored."""
    A = coo_array(shell(nx, ny))
    bending = np.isin(np.arange(6), [2, 3, 4])
    kept = bending[A.coords[0] % 6] == bending[A.coords[1] % 6]
    return csc_array(coo_array((A.data[kept], (A.coords[0][kept], A.coords[1][kept])), shape=A.shape))


def test_nodes_are_found_where_zeros_are_left_out():
    A = flat_shell(30, 20)
    graph = node_graph(*symmetric_pattern(A))
    assert_array_equal(graph.weight, np.full(31 * 21, 6))
    assert compressed(A).weight.size == 2 * 31 * 21
    b = np.ones(A.shape[0])
    xyz = grid_coordinates(30, 20)
    for options in ({}, {"coordinates": xyz, "cuts": [9.5, 20.5]}, {"ordering": "wave"}):
        assert relative_error(factorize(A, **options).solve(b), splu(A).solve(b)) < SOLUTION


def test_no_nodes_are_seen_in_a_scalar_grid():
    assert node_graph(*symmetric_pattern(shell(50, 50, dofs=1))) is None


def test_entry_dropped_from_one_triangle_only():
    A = shell(6, 5).tolil()
    A[0, 250] = 1e-17
    b = np.ones(A.shape[0])
    assert relative_error(factorize(csc_array(A)).solve(b), solve(A.toarray(), b)) < SOLUTION


def test_metis_keeps_the_factor_near_n_log_n():
    entries = [analyse(shell(m, m, dofs=1)).nnz_factor / ((m + 1) ** 2 * np.log2((m + 1) ** 2)) for m in (20, 40, 80)]
    assert max(entries) < 4.0  # nested dissection of a grid: O(n log n), 2 to 3 measured


def test_arrowhead_with_its_tip_first_fills_nothing():
    n = 400
    A = eye_array(n).tolil()
    A[0, :] = A[:, 0] = 0.01
    A[0, 0] = 1.0
    F = factorize(csc_array(A))
    assert F.nnz_factor < 10 * n  # natural order would fill n^2 / 2 = 80 000
    b = np.arange(n, dtype=float)
    assert_allclose(F.solve(b), solve(A.toarray(), b), rtol=1e-12)


def test_disconnected_parts():
    A = csc_array(block_diag([shell(4, 4), springs(30), eye_array(5), shell(3, 2, dofs=3)]))
    p = np.random.default_rng(8).permutation(A.shape[0])
    A = csc_array(A[p][:, p])
    b = np.ones(A.shape[0])
    for ordering in ("metis", "wave"):
        assert relative_error(factorize(A, ordering=ordering).solve(b), solve(A.toarray(), b)) < SOLUTION


def test_one_equation_and_diagonal():
    assert factorize(csc_array([[4.0]])).solve(np.array([2.0])).tolist() == [0.5]
    d = np.array([1e-9, 2.0, 1e12])
    assert_allclose(factorize(csc_array(diags_array(d))).solve(np.ones(3)), 1 / d, rtol=1e-15)
    F = factorize(csc_array(diags_array(-d)))
    assert F.negative_pivots == 3


def test_dense_matrix_in_sparse_form():
    G = np.random.default_rng(4).standard_normal((300, 300))
    A = G @ G.T + 300 * np.eye(300)
    assert_allclose(factorize(csc_array(A)).solve(A @ np.ones(300)), np.ones(300), rtol=1e-10)


@pytest.mark.parametrize("kind", ["spd", "indefinite"])
def test_badly_scaled_matrix_is_solved_to_rounding(kind):
    A = shell(8, 7)
    s = 10.0 ** np.random.default_rng(2).uniform(-10, 10, A.shape[0])
    S = diags_array(s)
    x = np.random.default_rng(3).standard_normal(A.shape[0])
    scaled = csc_array(S @ A @ S)
    X = factorize(scaled, kind=kind).solve(s * (A @ x))
    assert relative_error(X * s, x) < 1e-8  # the accuracy of the well scaled problem


def test_long_cantilever_is_ill_conditioned_but_not_refused():
    n = 1000  # condition number about n^4
    load = np.zeros(2 * n)
    load[-2] = 1.0
    w = factorize(cantilever(n)).solve(load)[-2]
    assert w == pytest.approx(n**3 / 3, rel=1e-3)  # tip deflection F L^3 / 3 E I


@pytest.mark.parametrize(
    "A",
    [
        springs(500, free=True),
        block_diag([shell(6, 6), springs(40, free=True)]),
        block_diag([springs(30), csc_array((1, 1))]),
        springs(7, free=True),
    ],
    ids=["chain", "one part of two", "empty equation", "short chain"],
)
@pytest.mark.parametrize("kind", ["spd", "auto"])
def test_free_body_is_named_singular(A, kind):
    with pytest.raises(ModelError, match=r"singular: equation \d+"):
        factorize(A, kind=kind)


def test_free_beam_frame_is_named_singular():
    fe = ff.fem.beam_line(
        (0, 0, 0),
        (2, 0, 0),
        n=40,
        section=ff.fem.BeamSection.rectangle(0.02, 0.02),
        material=ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0),
    )
    with pytest.raises(ModelError, match=r"singular: equation \d+"):
        factorize(fe.stiffness())


def test_singular_matrix_as_indefinite_says_it_is_not_reliable():
    F = factorize(springs(200, free=True), kind="indefinite")
    assert not F.reliable
    with pytest.raises(NotConverged, match="move the shift"):
        _ = F.negative_pivots


def test_indefinite_matrix_is_refused_as_positive_definite_but_solved_by_default():
    A = csc_array(shell(6, 6) - 30.0 * eye_array(294))
    with pytest.raises(ModelError, match="not positive definite"):
        factorize(A, kind="spd")
    F = factorize(A)
    assert not F.definite
    assert F.negative_pivots == (eigvalsh(A.toarray()) < 0).sum()
    b = np.ones(294)
    assert relative_error(F.solve(b), solve(A.toarray(), b)) < 1e-8


@pytest.mark.parametrize("seed", range(12))
def test_inertia_of_shifted_pencils(seed):
    rng = np.random.default_rng(seed)
    A = shell(int(rng.integers(2, 8)), int(rng.integers(1, 7)), dofs=int(rng.integers(1, 7)), seed=seed)
    m = rng.uniform(0.1, 2.0, A.shape[0]) * (rng.random(A.shape[0]) > 0.2)  # some equations without mass
    M = diags_array(m)
    symbolic = analyse(A)
    for sigma in np.exp(rng.uniform(-4, 5, 5)):
        shifted = csc_array(A - sigma * M)
        F = factorize(shifted, kind="indefinite", symbolic=symbolic, block=int(rng.choice([3, 16, 192])))
        assert F.negative_pivots == (eigvalsh(shifted.toarray()) < 0).sum()


def test_zero_diagonal_needs_two_by_two_pivots():
    rng = np.random.default_rng(6)
    A = shell(5, 5, dofs=2)
    G = coo_array((rng.standard_normal(30), (np.arange(30) % 10, rng.permutation(72)[:30])), shape=(10, 72))
    saddle = csc_array(coo_array(np.block([[A.toarray(), G.toarray().T], [G.toarray(), np.zeros((10, 10))]])))
    F = factorize(saddle)
    assert F.negative_pivots == 10  # one per constraint
    b = rng.standard_normal(82)
    assert relative_error(F.solve(b), solve(saddle.toarray(), b)) < 1e-8


def test_shift_on_an_eigenvalue_is_not_counted():
    n = 60
    values = 2.0 - 2.0 * np.cos((2 * np.arange(1, n + 1) - 1) * np.pi / (2 * n + 1))  # of the held chain, exact
    A = csc_array(springs(n) - values[7] * eye_array(n))
    assert not factorize(A, kind="indefinite").reliable
    B = csc_array(springs(n) - (values[7] + 1e-9) * eye_array(n))
    assert factorize(B, kind="indefinite").negative_pivots == 8


def test_without_metis_wave_fronts_separate(monkeypatch):
    A = shell(10, 8)
    b = np.ones(A.shape[0])
    expected = factorize(A).solve(b)
    monkeypatch.setitem(sys.modules, "pymetis", None)
    F = factorize(A)
    assert relative_error(F.solve(b), expected) < SOLUTION
    assert_array_equal(F.symbolic.order, analyse(A, ordering="wave").order)


@pytest.mark.parametrize("cuts", [[5.5], [3.5, 7.0, 11.2], [-4.0, 6.5, 99.0]])
def test_cutting_planes_give_the_same_answers(cuts):
    A, xyz = shell(15, 5), grid_coordinates(15, 5)
    B = np.random.default_rng(1).standard_normal((A.shape[0], 2))
    F = factorize(A, coordinates=xyz, cuts=cuts)
    assert relative_error(F.solve(B), factorize(A).solve(B)) < SOLUTION
    inside = sum(0 < c < 15 for c in cuts)
    assert F.report().boundary_size == inside * 6 * 6  # six nodes of six dofs in each section


def test_cutting_planes_across_another_axis_and_indefinite():
    A, xyz = csc_array(shell(6, 12) - 5.0 * eye_array(546)), grid_coordinates(6, 12)
    F = factorize(A, kind="indefinite", coordinates=xyz, cuts=[4.5, 8.5], axis=1)
    assert F.negative_pivots == (eigvalsh(A.toarray()) < 0).sum()
    assert F.report().boundary_size == 2 * 7 * 6


def test_boundary_system_is_the_printed_one():
    """G and x_D of equations (2.46) to (2.49), formed densely for three substructures."""
    A, xyz, cuts = shell(12, 3), grid_coordinates(12, 3), [3.5, 7.5]
    b = np.random.default_rng(9).standard_normal(A.shape[0])
    x = xyz[:, 0]
    sections = [np.flatnonzero(x == 3.0), np.flatnonzero(x == 7.0)]
    interiors = [np.flatnonzero(x < 3), np.flatnonzero((x > 3) & (x < 7)), np.flatnonzero(x > 7)]
    D, full = np.concatenate(sections), A.toarray()
    G, g = full[np.ix_(D, D)].copy(), b[D].copy()
    for C in interiors:
        X = solve(full[np.ix_(C, C)], np.column_stack([full[np.ix_(C, D)], b[C]]))
        G -= full[np.ix_(D, C)] @ X[:, :-1]
        g -= full[np.ix_(D, C)] @ X[:, -1]
    F = factorize(A, kind="spd", coordinates=xyz, cuts=cuts)
    first = F.symbolic.boundary_column
    assert_array_equal(np.sort(F.symbolic.order[first:]), np.sort(D))
    assert relative_error(F.solve(b)[D], solve(G, g)) < SOLUTION
    # the last columns of the factor are the Cholesky factor of G
    L = dense_factor(F)[first:, first:] / F.numeric.scale[F.symbolic.order[first:], None]
    place = {equation: i for i, equation in enumerate(D)}
    p = [place[equation] for equation in F.symbolic.order[first:]]
    assert relative_error(L @ L.T, G[np.ix_(p, p)]) < SOLUTION


def test_report_has_the_rows_of_the_table():
    A, xyz = shell(20, 6), grid_coordinates(20, 6)
    F = factorize(A, coordinates=xyz, cuts=[5.5, 10.5, 15.5])
    assert F.report().solve_seconds is None
    F.solve(np.ones(A.shape[0]))
    report = F.report()
    assert report.substructures == 4
    assert report.interior_memory + report.boundary_memory == 8 * F.nnz_factor
    assert report.solve_seconds > 0
    for words in ("substructures", "memory of the interiors", "size of the boundary system G", "memory of G"):
        assert words in str(report)
    assert f"{F.n} equations" in repr(F)
    assert F.memory_bytes > 8 * F.nnz_factor


@pytest.mark.parametrize(("cuts", "interiors"), [([7.5], 2), ([99.0], 1), ([3.5, 7.5, 11.5], 4), ([3.5, 3.6], 2)])
def test_report_counts_the_interiors_between_the_planes(cuts, interiors):
    F = factorize(shell(15, 5), coordinates=grid_coordinates(15, 5), cuts=cuts)
    assert F.report().substructures == interiors


def test_analysis_is_reused_for_the_same_pattern_only():
    A = shell(9, 7)
    F = factorize(A)
    again = factorize(csc_array(2.0 * A), symbolic=F.symbolic)
    assert again.symbolic is F.symbolic
    b = np.ones(A.shape[0])
    assert relative_error(2.0 * again.solve(b), F.solve(b)) < SOLUTION
    other = A.tolil()
    other[0, A.shape[0] - 1] = other[A.shape[0] - 1, 0] = 1e-4
    G = factorize(csc_array(other), symbolic=F.symbolic)
    assert G.symbolic is not F.symbolic
    assert relative_error(G.solve(b), solve(other.toarray(), b)) < SOLUTION


def test_rows_and_columns_storage_and_whole_numbers():
    A = springs(20)
    b = np.arange(20.0)
    expected = factorize(A).solve(b)
    assert_array_equal(factorize(csr_array(A)).solve(b), expected)
    assert_array_equal(factorize(csc_array(A.astype(int))).solve(b), expected)
    twice = coo_array(A)
    doubled = coo_array(
        (np.tile(twice.data / 2, 2), (np.tile(twice.coords[0], 2), np.tile(twice.coords[1], 2))), shape=A.shape
    )
    assert_allclose(factorize(doubled).solve(b), expected, rtol=1e-12)


def test_same_answer_every_time_and_nearly_so_with_other_threads():
    A = shell(30, 20)
    b = np.random.default_rng(0).standard_normal((A.shape[0], 3))
    symbolic = analyse(A)
    first = factorize(A, symbolic=symbolic, threads=2).solve(b)
    for _ in range(5):
        assert_array_equal(factorize(A, symbolic=symbolic, threads=2).solve(b), first)
    for threads in (1, 3):  # rows are shared out differently: rounding differs
        assert relative_error(factorize(A, symbolic=symbolic, threads=threads).solve(b), first) < 1e-12


def test_job_that_does_not_fit_is_refused_before_the_work(monkeypatch):
    A = shell(20, 20)
    monkeypatch.setattr(memory, "available_bytes", lambda: 100_000)
    with pytest.raises(ModelError, match="2646 equations needs about"):
        factorize(A)


def test_memory_estimate_covers_the_factor_and_little_more():
    F = factorize(shell(40, 40))
    assert F.memory_bytes < F.symbolic.estimate_memory() < 4 * F.memory_bytes


@pytest.mark.parametrize(
    ("A", "words"),
    [
        (np.eye(3), "square scipy.sparse"),
        (csc_array((3, 4)), "square scipy.sparse"),
        (csc_array((0, 0)), "square scipy.sparse"),
        (csc_array(np.array([[1.0, 0.5], [0.0, 1.0]])), "not symmetric"),
        (csc_array(np.array([[1.0, 0.5], [0.2, 1.0]])), "not symmetric"),
        (csc_array(np.array([[0.0, 1.0], [2.0, 0.0]])), "not symmetric"),
        (csc_array(np.array([[1.0, np.nan], [np.nan, 1.0]])), "not finite in column 0"),
        (csc_array(np.array([[1.0, 1j], [-1j, 1.0]])), "complex"),
    ],
)
def test_what_is_not_a_symmetric_matrix_is_refused(A, words):
    with pytest.raises(ModelError, match=words):
        factorize(A)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"kind": "lu"}, "kind is 'lu'"),
        ({"block": 0}, "block is 0"),
        ({"block": 2.5}, "block is 2.5"),
        ({"cuts": [1.0], "coordinates": np.full((20, 3), np.nan)}, "coordinate of equation 0 along axis 0"),
        ({"cuts": [1.0], "coordinates": np.zeros((20, 3)), "symbolic": analyse(springs(20))}, "both given"),
        ({"ordering": "amd"}, "ordering is 'amd'"),
        ({"cuts": [1.0]}, "coordinates"),
        ({"cuts": [], "coordinates": np.zeros((20, 3))}, "at least one"),
        ({"cuts": [1.0], "coordinates": np.zeros((20, 2))}, "coordinates"),
        ({"cuts": [1.0], "coordinates": np.zeros((20, 3)), "axis": 3}, "axis is 3"),
    ],
)
def test_wrong_options_are_refused(options, words):
    with pytest.raises(ModelError, match=words):
        factorize(springs(20), **options)


def test_wrong_right_hand_side_is_refused():
    with pytest.raises(ModelError, match=r"shape \(19,\), expected \(20,\) or \(20, k\)"):
        factorize(springs(20)).solve(np.ones(19))
    with pytest.raises(ModelError, match="complex"):
        factorize(springs(20)).solve(np.ones(20, dtype=complex))
