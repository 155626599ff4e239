"""Superelements of ANSYS: written here by the documented layout of .sub files, read back, reduced, damaged."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg
from numpy.testing import assert_allclose, assert_array_equal

import floatframe as ff
from floatframe.cli.main import run
from floatframe.errors import ReadError
from floatframe.io.ansys.apdl.systems import rotation
from tests.io.ansys.binary_writer import Writer
from tests.io.nastran.reduced_bar import ENDS, reduced_bar

MODES = 8
TURN = (30.0, 20.0, 10.0)  # nodal axes of the second end
SAME = 1e-8  # frequencies of the same matrices; 1e-11 measured


@pytest.fixture(scope="module")
def bar():
    return reduced_bar(MODES)


def write_sub(path, fe, K, M, code="32N", virtual_listed=True, interleaved=True, **head: int):
    """A .sub file; modes stand on virtual nodes 14 and 15; the second end has turned axes."""
    axes = rotation(np.array([TURN]))[0]
    modes = len(K) - 12
    T = scipy.linalg.block_diag(np.eye(6), axes, axes, np.eye(modes))
    K, M = T.T @ K @ T, T.T @ M @ T
    n = len(K)
    nvirtual = -(-modes // 6)
    nodes = [*ENDS, *range(14, 14 + nvirtual)]
    listed = nodes if virtual_listed else list(ENDS)
    rows = [(node, k) for node in ENDS for k in range(6)] + [(14 + k // 6, k % 6) for k in range(modes)]
    file = Writer(8)
    header = file.integers([0] * 80)
    if code == "32N":
        codes = [32 * node + k + 1 for node, k in rows]
    elif code == "place":
        codes = [6 * nodes.index(node) + k + 1 for node, k in rows]
    else:
        codes = [6 * (node - 1) + k + 1 for node, k in rows]
    local, labels, numbers = file.integers(codes), file.integers(range(1, 7)), file.integers(listed)
    places = file.size
    for node in listed:
        at = fe.nodes[fe.node_index([node])[0]] if node in ENDS else np.zeros(3)
        file.reals([*at, *(TURN if node == ENDS[1] else (0.0, 0.0, 0.0))])
    matrices = file.size
    for row in [r for k in range(n) for r in (K[k], M[k])] if interleaved else [*K, *M]:
        file.reals(row)
    items = {0: 8, 1: n, 2: 2, 4: 6, 8: len(listed), 10: 1, 11: 1, 21: matrices, 30: labels, 31: local, 34: numbers}
    items |= {35: places, 37: labels, 43: modes, 50: nvirtual}
    items |= {int(key[1:]): value for key, value in head.items()}
    return file.save(path, {header + 2 + item: [value] for item, value in items.items()})


@pytest.mark.parametrize(
    ("code", "listed", "interleaved"),
    [("32N", True, True), ("place", True, True), ("number", True, False), ("32N", False, True)],
)
def test_a_superelement_has_the_modes_of_its_matrices(tmp_path, bar, code, listed, interleaved):
    fe, body, K, M = bar
    model = ff.io.read(write_sub(tmp_path / "arm.sub", fe, K, M, code, listed, interleaved))
    assert_array_equal(model.node_sets[ff.io.INTERFACE], ENDS)
    assert (model.ndof, len(model.scalars)) == (12 + MODES, MODES)
    assert_allclose(model.mass_properties().inertia, fe.mass_properties().inertia, rtol=SAME, atol=SAME)
    value = scipy.linalg.eigh(K, M, eigvals_only=True)[6:12]
    free = ff.modal.eigenmodes(model, n=12)
    assert_allclose(free.frequency[6:], np.sqrt(value) / (2.0 * np.pi), rtol=SAME)
    again = ff.modal.reduce(model, interface=ff.io.INTERFACE, n_modes=MODES)
    assert_allclose(again.frequency[:MODES], body.frequency[:MODES], rtol=SAME)


def test_a_superelement_without_modes(tmp_path, bar, capsys):
    """Guyan's masters alone; the command makes a body with all of them as interface."""
    fe, _, K, M = bar
    path = write_sub(tmp_path / "arm.sub", fe, K[:12, :12], M[:12, :12])
    assert not len(ff.io.read(path).scalars)
    assert run(["reduce", str(path), "-o", str(tmp_path / "arm.h5")]) == 0
    capsys.readouterr()
    body = ff.io.read(tmp_path / "arm.h5")
    assert (body.n_eigen, body.n_static) == (0, 12)
    assert_allclose(body.inertia.m, fe.mass_properties().mass, rtol=SAME)


def test_what_cannot_be_read_is_named(tmp_path, bar):
    fe, _, K, M = bar
    path = tmp_path / "arm.sub"
    for items, words in (
        ({"h0": 9}, "holds sparse matrices"),
        ({"h9": 1}, "holds unsymmetric matrices"),
        ({"h2": 1, "h11": 0}, r"holds no mass matrix; make the superelement with both \(SEOPT,name,2\)"),
        ({"h1": 15000}, "the dofs of its rows do not fit its nodes"),
    ):
        with pytest.raises(ReadError, match=words):
            ff.io.read(write_sub(path, fe, K, M, **items))
    file = Writer(13)
    file.integers([0] * 20)
    with pytest.raises(ReadError, match=r"read the superelement itself \(\.sub\)"):
        ff.io.read(file.save(tmp_path / "use.dsub"))


def test_mutated_superelements_give_a_model_or_one_sentence(tmp_path, bar):
    fe, _, K, M = bar
    good = np.frombuffer(write_sub(tmp_path / "a.sub", fe, K, M).read_bytes(), dtype="<i4")
    rng = np.random.default_rng(7)
    models = 0
    for _ in range(100):
        words = good.copy()
        for _ in range(rng.integers(1, 4)):
            place = rng.integers(words.size) if rng.random() < 0.4 else rng.integers(103, 320)
            words[place] = rng.choice([0, 1, -1, 2**31 - 1, -(2**31), int(rng.integers(words.size)), 1 << 28, 19_999])
        data = words.tobytes()[: int(rng.integers(400, words.nbytes)) if rng.random() < 0.2 else None]
        (tmp_path / "b.sub").write_bytes(data)
        try:
            ff.io.read(tmp_path / "b.sub")
        except ReadError as error:
            sentence = str(error)
        else:
            sentence, models = "", models + 1
        assert "\n" not in sentence
    assert models > 5
