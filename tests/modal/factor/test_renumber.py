"""Wave renumbering: the order as printed, the profile, far starts, disconnected graphs, separators."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest
from scipy.sparse import block_diag, coo_array, csc_array, diags_array, eye_array, kron

from floatframe.errors import ModelError
from floatframe.modal.factor.renumber import dissect_by_waves, profile, symmetric_pattern, wave_order, wave_report


def chain(n: int) -> csc_array:
    return csc_array(diags_array([np.ones(n - 1), np.ones(n), np.ones(n - 1)], offsets=[-1, 0, 1]))


def grid(nx: int, ny: int) -> csc_array:
    return csc_array(kron(chain(nx), chain(ny), format="csc"))


def shuffled(A: csc_array, seed: int = 3) -> tuple[csc_array, np.ndarray]:
    p = np.random.default_rng(seed).permutation(A.shape[0])
    return csc_array(A[p][:, p]), p


def wave_by_sets(A: csc_array, start: int) -> list[int]:
    """The printed algorithm word for word on a connected graph: layer L, next layer S, unseen V."""
    n = A.shape[0]
    order, unseen = [start], set(range(n)) - {start}
    following = [start]
    while len(order) < n:
        layer, following = following, []
        for i in layer:
            for k in A.indices[A.indptr[i] : A.indptr[i + 1]]:
                if k in unseen:
                    unseen.discard(k)
                    following.append(int(k))
                    order.append(int(k))
    return order


def profile_by_rows(A: csc_array) -> int:
    """Sum over rows of the lower triangle from its first non-zero, row by row."""
    dense = A.toarray() != 0
    return sum(i - int(np.flatnonzero(dense[i, : i + 1])[0]) + 1 for i in range(len(dense)))


@pytest.mark.parametrize("start", [0, 17, 59])
def test_order_follows_the_printed_algorithm(start):
    A, _ = shuffled(grid(10, 6))
    assert wave_order(A, start=start).tolist() == wave_by_sets(A, start)


def test_shuffled_chain_becomes_a_band_of_two():
    A, _ = shuffled(chain(200))
    order = wave_order(A)
    assert profile(A[order][:, order]) == 2 * 200 - 1  # one entry left of each diagonal but the first
    assert profile(A, order) == 2 * 200 - 1


def test_profile_agrees_with_a_count_by_rows():
    A, _ = shuffled(grid(7, 5))
    assert profile(A) == profile_by_rows(A)


def test_far_start_is_an_end_of_a_long_strip():
    A = grid(40, 4)
    start = int(wave_order(A)[0])
    assert start // 4 in (0, 39)


def test_profile_shrinks_by_the_published_factor():
    A, _ = shuffled(grid(60, 12))
    report = wave_report(A)
    assert report.profile_before / report.profile_after > 5.0  # Mikheev (2004): 2 to 5 times from hand-made numberings
    assert str(report.profile_after) in str(report)


def test_start_matters_little():
    A, _ = shuffled(grid(40, 10))
    sizes = [profile(A, wave_order(A, start)) for start in range(0, 400, 37)]
    assert profile(A, wave_order(A)) <= 1.05 * min(sizes)  # the far start is as good as the best of eleven


def test_disconnected_parts_are_numbered_one_after_the_other():
    A, p = shuffled(csc_array(block_diag([grid(5, 4), chain(7), eye_array(3)])))
    order = wave_order(A)
    assert sorted(order.tolist()) == list(range(30))
    part = np.repeat([0, 1, 2, 3, 4], [20, 7, 1, 1, 1])[p][order]
    assert (np.diff(part) != 0).sum() == 4  # each part is one run


def test_given_start_comes_first_in_a_disconnected_graph():
    A = csc_array(block_diag([chain(4), chain(5)]))
    order = wave_order(A, start=6)
    assert order[0] == 6
    assert sorted(order.tolist()) == list(range(9))


def components(A: csc_array, keep: np.ndarray) -> list[set[int]]:
    left, found = set(keep.tolist()), []
    while left:
        queue, part = deque([left.pop()]), set()
        while queue:
            i = queue.popleft()
            part.add(i)
            for k in A.indices[A.indptr[i] : A.indptr[i + 1]]:
                if k in left:
                    left.discard(k)
                    queue.append(int(k))
        found.append(part)
    return found


def test_last_wave_front_of_a_dissection_separates():
    A, _ = shuffled(grid(30, 6))
    order = dissect_by_waves(*symmetric_pattern(A))
    assert sorted(order.tolist()) == list(range(180))
    parts = components(A, order[:-6])  # without the last front of one strip width
    assert len(parts) > 1
    assert max(len(part) for part in parts) < 130


def test_single_row_and_diagonal():
    assert wave_order(csc_array(np.ones((1, 1)))).tolist() == [0]
    assert sorted(wave_order(csc_array(eye_array(5))).tolist()) == [0, 1, 2, 3, 4]
    assert profile(csc_array(eye_array(5))) == 5


@pytest.mark.parametrize("start", [-1, 12])
def test_start_outside_is_refused(start):
    with pytest.raises(ModelError, match="expected a row from 0 to 11"):
        wave_order(grid(4, 3), start=start)


@pytest.mark.parametrize("A", [np.eye(3), coo_array((3, 4))])
def test_what_is_not_a_square_sparse_matrix_is_refused(A):
    with pytest.raises(ModelError, match="square"):
        wave_order(A)
