"""*TIE: two bricks on one another move as one."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.errors import ReadError
from floatframe.fem import ElementBlock, GeneralShellSection, Material, ShellSection, solid_box
from floatframe.io.deck import equations, surface_ties
from floatframe.io.deck.elimination import Elimination
from floatframe.io.deck.equations import Equations
from floatframe.io.deck.linear_constraints import LinearConstraints
from floatframe.io.deck.node_table import NodeTable
from floatframe.io.deck.surface_ties import face_shape, tied_nodes

STEEL = Material(2.1e11, 0.3, 7850.0)
TYPES = {"hex8": "C3D8", "hex20": "C3D20", "tet10": "C3D10", "tet4": "C3D4"}
HEAD = "*MATERIAL, NAME=STEEL\n*ELASTIC\n2.1e11, .3\n*DENSITY\n7850.,\n"


def cards(fe, kind, start, name):
    """Return nodes and elements of a brick with numbers from `start` on."""
    ids = fe.node_ids + start
    text = "*NODE\n" + "".join(
        f"{n}, {x!r}, {y!r}, {z!r}\n" for n, (x, y, z) in zip(ids.tolist(), fe.nodes.tolist(), strict=True)
    )
    text += f"*ELEMENT, TYPE={TYPES[kind]}, ELSET={name}\n"
    for number, row in enumerate(ids[fe.blocks[0].connectivity].tolist(), start=1 + start):
        words = [str(number), *map(str, row)]
        text += ", ".join(words[:11]) + (",\n" + ", ".join(words[11:]) if len(words) > 11 else "") + "\n"
    return text + f"*SOLID SECTION, ELSET={name}, MATERIAL=STEEL\n"


def stacked(tmp_path, lower, upper, kind="hex8", other="", tie="", gap=0.0, **options):
    """Return the import of two bricks 0.3 x 0.2 x 0.1 with divisions, the upper one tied to the lower."""
    below = solid_box((0.3, 0.2, 0.1), lower, kind, material=STEEL)
    above = solid_box((0.3, 0.2, 0.1), upper, other or kind, material=STEEL, origin=(0.0, 0.0, 0.1 + gap))
    top = below.nodes[:, 2] > 0.1 - 1e-12
    element, cells = below.blocks[0].element, below.blocks[0].connectivity
    faces = {"hex8": "S2", "hex20": "S2"}.get(kind)
    lines = ""
    for face in element.faces:
        whole = top[cells[:, list(face)]].all(axis=1)
        if whole.any():
            word = faces or f"S{tetrahedron_face(face)}"
            lines += "".join(f"{n}, {word}\n" for n in 1 + np.flatnonzero(whole))
    bottom = above.node_ids[above.nodes[:, 2] < 0.1 + gap + 1e-12] + 1000
    deck = HEAD + cards(below, kind, 0, "BELOW") + cards(above, other or kind, 1000, "ABOVE")
    deck += f"*SURFACE, NAME=MASTER\n{lines}*SURFACE, NAME=SLAVE, TYPE=NODE\n" + "".join(f"{n},\n" for n in bottom)
    deck += f"*TIE, NAME=T{tie}\nSLAVE, MASTER\n"
    (tmp_path / "deck.inp").write_text(deck)
    return ff.io.read_with_report(tmp_path / "deck.inp", **options)


def tetrahedron_face(face):
    corners = {node for node in face if node < 4}
    return 1 + [{0, 1, 2}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}].index(corners)


def frequencies(fe, n=12):
    return ff.modal.eigenmodes(fe, n=n).frequency


def test_meshes_that_match_are_one(tmp_path):
    fe = stacked(tmp_path, (3, 2, 1), (3, 2, 1)).model
    whole = solid_box((0.3, 0.2, 0.2), (3, 2, 2), material=STEEL)
    assert fe.ndof == whole.ndof
    assert_allclose(frequencies(fe)[6:], frequencies(whole)[6:], rtol=1e-9)  # two ways to one pencil


@pytest.mark.parametrize(
    ("kind", "other"), [("hex8", "tet4"), ("hex20", "tet10"), ("tet10", "hex20"), ("tet4", "hex8")]
)
def test_meshes_that_do_not_match_are_nearly_one(tmp_path, kind, other):
    fe = stacked(tmp_path, (3, 2, 1), (4, 3, 1), kind, other).model
    found = frequencies(fe)
    assert found[5] < 1e-4 * found[6]  # six rigid motions, zero but for round-off
    if kind in ("hex20", "tet10"):
        whole = frequencies(solid_box((0.3, 0.2, 0.2), (4, 3, 2), "hex20", material=STEEL))
        assert_allclose(found[6:9], whole[6:9], rtol=0.02)  # coarse quadratic meshes agree to about 1 %


def test_a_gap_does_not_ground_the_body(tmp_path):
    result = stacked(tmp_path, (3, 2, 1), (2, 3, 1), tie=", POSITION TOLERANCE=0.01, ADJUST=YES", gap=0.008)
    fe = result.model
    found = frequencies(fe)
    assert found[5] < 1e-4 * found[6]  # six rigid motions, zero but for round-off
    assert "nodes are not adjusted; gaps of up to 0.008 are bridged rigidly" in " ".join(result.report.warnings)


def test_nodes_too_far_off_are_named(tmp_path):
    report = stacked(tmp_path, (3, 2, 1), (2, 3, 1), tie=", POSITION TOLERANCE=0.001", gap=0.008).report
    text = " ".join(report.warnings)
    assert "0 nodes of 'SLAVE' follow the faces of 'MASTER'" in text
    assert "12 nodes farther off than 0.001 are not tied: 1001, 1003, " in text


def test_ties_that_are_something_else_are_reported(tmp_path):
    with pytest.raises(ReadError, match=r"\*TIE, CYCLICSYMMETRY .* the sector is on its own"):
        stacked(tmp_path, (1, 1, 1), (1, 1, 1), tie=", CYCLIC SYMMETRY")


def test_a_surface_is_not_tied_to_itself(tmp_path):
    stacked(tmp_path, (1, 1, 1), (1, 1, 1))
    path = tmp_path / "deck.inp"
    path.write_text(path.read_text().replace("SLAVE, MASTER", "SLAVE, SLAVE"))
    with pytest.raises(ReadError, match=r"\*TIE: surface 'SLAVE' is tied to itself"):
        ff.io.read(path)


@pytest.mark.parametrize("count", [3, 4, 6, 8])
def test_shape_functions_of_faces(count):
    corners = np.array([[0, 0], [1, 0], [0, 1]]) if count in (3, 6) else np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    nodes = np.vstack([corners, (corners + np.roll(corners, -1, axis=0)) / 2])[:count].astype(float)
    assert_allclose(face_shape(count, nodes)[0], np.eye(count), atol=1e-15)
    at, step = np.array([[0.21, 0.34]]), 1e-6
    for k in range(2):
        ahead, behind = (face_shape(count, at + s * step * np.eye(2)[k])[0] for s in (1, -1))
        # central differences of a polynomial of third order: the error is about step squared
        assert_allclose(face_shape(count, at)[1][..., k], (ahead - behind) / (2 * step), atol=1e-9)


@pytest.mark.parametrize("count", [3, 4, 6, 8])
def test_any_linear_field_in_the_plane_and_any_rigid_motion_is_followed(count):
    rng = np.random.default_rng(count)
    corners = (
        np.array([[0, 0], [1, 0], [0, 1]]) if count in (3, 6) else np.array([[0, 0], [1, 0.1], [1.2, 1], [0, 0.9]])
    )
    flat = np.vstack([corners, (corners + np.roll(corners, -1, axis=0)) / 2])[:count]
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    xyz = np.column_stack([flat, np.zeros(count)]) @ turn.T
    points = (np.column_stack([rng.uniform(-0.2, 1.2, (20, 2)), rng.uniform(-0.3, 0.3, 20)])) @ turn.T
    spin = rng.normal(size=3)
    for tied in tied_nodes(points, np.arange(20), [np.arange(count)[None]], [xyz[None]]):
        moved = np.einsum("nkij,kj->ni", tied.weights, np.cross(spin, xyz))
        assert_allclose(moved, np.cross(spin, points[tied.node]), atol=1e-12)


def walls(tmp_path, tie):
    """Return the frequencies of a plate clamped at one edge with another 0.03 above its first half."""
    deck, ids = HEAD, []
    for name, nx, z in (("BELOW", 6, 0.0), ("ABOVE", 3, 0.03)):
        deck += "*NODE\n"
        start = 100 * len(ids)
        rows = [[start + 1 + i + (nx + 1) * j for i in range(nx + 1)] for j in range(4)]
        for j, row in enumerate(rows):
            deck += "".join(f"{n}, {0.1 * i!r}, {0.1 * j!r}, {z}\n" for i, n in enumerate(row))
        deck += f"*ELEMENT, TYPE=S4, ELSET={name}\n"
        for number in range(3 * nx):
            i, j = number % nx, number // nx
            cell = [rows[j][i], rows[j][i + 1], rows[j + 1][i + 1], rows[j + 1][i]]
            deck += ", ".join(map(str, [start + 1 + number, *cell])) + "\n"
        deck += f"*SHELL SECTION, ELSET={name}, MATERIAL=STEEL\n0.01\n"
        ids.append(rows)
    if tie:
        deck += "*SURFACE, NAME=M\nBELOW, SPOS\n*SURFACE, NAME=S\nABOVE, SNEG\n"
        deck += "*TIE, NAME=T, POSITION TOLERANCE=0.05\nS, M\n"
    else:
        pairs = [
            (a, b) for above, below in zip(ids[1], ids[0], strict=True) for a, b in zip(above, below, strict=False)
        ]
        deck += "*MPC\n" + "".join(f"BEAM, {a}, {b}\n" for a, b in pairs)
    deck += "*BOUNDARY\n" + "".join(f"{row[0]}, 1, 6\n" for row in ids[0])
    (tmp_path / "deck.inp").write_text(deck)
    return frequencies(ff.io.read(tmp_path / "deck.inp"), 6)


def test_walls_carry_others_across_a_gap_by_their_rotations(tmp_path):
    # every node stands above one of the wall: rigid arms between the two are the same thing
    assert_allclose(walls(tmp_path, tie=True), walls(tmp_path, tie=False), rtol=1e-8)


@pytest.mark.parametrize("kind", ["wall", "membrane", "skin"])
def test_only_walls_of_their_own_carry_by_rotations(kind):
    A, none = np.eye(3) * 2e9, np.zeros((3, 3))
    membrane = GeneralShellSection(A, none, 1e-6 * A * 0.01**2 / 12.0, None, 0.01, 78.5)
    wall = ElementBlock("shell4", [[0, 1, 2, 3]], STEEL, membrane if kind == "membrane" else ShellSection(0.01))
    box = solid_box((0.1, 0.1, 0.1), (1, 1, 1), material=STEEL)
    blocks = [wall, ElementBlock("hex8", [list(range(8))], STEEL)] if kind == "skin" else [wall]
    found = LinearConstraints(NodeTable(box.node_ids, box.nodes), blocks)
    assert found.are_walls(box.node_ids[None, :4])[0] == (kind == "wall")


class _Counting(Elimination):
    """An elimination that counts the equations it solves one by one."""

    count = 0

    def add(self, terms):
        _Counting.count += 1
        super().add(terms)


def _tied_chain(n, monkeypatch):
    """Return what is left of n nodes that each follow the next, the last but one held through an equation of its own.

    Besides it: how many equations were solved one by one.
    """
    monkeypatch.setattr(equations, "Elimination", _Counting)
    monkeypatch.setattr(_Counting, "count", 0)
    found = LinearConstraints(NodeTable(np.arange(1, n + 1), np.zeros((n, 3))))
    node = np.column_stack([np.arange(1, n), np.arange(2, n + 1)])
    found.equations(Equations.of_rows(node, np.zeros_like(node), np.tile([1.0, -0.5], (n - 1, 1))))
    found.equation([((n, 0), 1.0), ((n, 1), 1.0)])
    found.hold((n, 1), (n, 2))
    return found.solved(np.tile([True, False], (n, 1))), _Counting.count


def test_long_chains_of_equations_are_solved_at_once(monkeypatch):
    solved, one_by_one = _tied_chain(3000, monkeypatch)
    assert one_by_one == 0
    # all of them follow a node that turns out to be held
    assert not solved.couplings
    assert len(solved.supports) == 3000 + 2


def test_equations_that_meet_others_are_solved_with_them(monkeypatch):
    monkeypatch.setattr(equations, "Elimination", _Counting)
    monkeypatch.setattr(_Counting, "count", 0)
    nodes = NodeTable(np.arange(1, 9), np.zeros((8, 3)))
    found = LinearConstraints(nodes)
    # 1 follows 2, which two equations solve for; 3 follows 4 and 4 follows 3; 5 follows 6, 6 follows 7
    pairs = [(1, 2, 0.5), (2, 7, 0.25), (2, 8, 0.5), (3, 4, 0.5), (4, 3, 0.5), (5, 6, 0.5), (6, 7, 0.5)]
    for first, other, factor in pairs:
        found.equation([((first, 0), 1.0), ((other, 0), -factor)])
    solved = found.solved(np.tile([True, False], (8, 1)))
    assert _Counting.count == 4
    assert {(3, 0), (4, 0)} == set(map(tuple, solved.supports.tolist()))
    by_first = {c.terms[0][0]: c.terms[1:] for c in solved.couplings}
    independent = by_first[1][0][0]
    assert independent in (7, 8)
    value = {independent: 1.0}
    value |= {first: -sum(value[node] * factor for node, _, factor in terms) for first, terms in by_first.items()}
    assert all(abs(value[a] - factor * value[b]) < 1e-15 for a, b, factor in pairs if a not in (3, 4))


def test_tied_nodes_take_no_call_each(tmp_path, monkeypatch):
    monkeypatch.setattr(equations, "Elimination", _Counting)
    monkeypatch.setattr(_Counting, "count", 0)
    calls = []
    shape = surface_ties.face_shape
    monkeypatch.setattr(surface_ties, "face_shape", lambda count, at: calls.append(len(at)) or shape(count, at))
    n = 40
    x, y = (part.ravel() for part in np.meshgrid(np.linspace(0.0, 1.0, n), np.linspace(0.0, 1.0, n)))
    ids = np.arange(n * n).reshape(n, n)
    faces = np.stack([ids[:-1, :-1], ids[:-1, 1:], ids[1:, 1:], ids[1:, :-1]], axis=2).reshape(-1, 4)
    xyz = np.vstack([np.column_stack([x, y, 0 * x]), np.column_stack([0.97 * x + 0.01, 0.96 * y + 0.02, 0 * x])])
    found = LinearConstraints(NodeTable(np.arange(1, 2 * n * n + 1), xyz))
    made = surface_ties.bond(np.arange(n * n + 1, 2 * n * n + 1), [faces + 1], found)
    solved = found.solved(np.tile([True, False], (2 * n * n, 1)))
    assert made.tied == n * n
    assert len(solved.couplings) == 3 * n * n
    assert _Counting.count == 0
    # a flat face takes a handful of calls for all nodes, and far ones are not looked at
    assert len(calls) < 100
    assert sum(calls) < 30 * n * n


def test_memory_of_a_rigid_body_grows_with_its_nodes():
    class Card:
        name = "body"

    n = 1500
    rng = np.random.default_rng(0)
    found = LinearConstraints(NodeTable(np.arange(1, n + 2), rng.normal(size=(n + 1, 3))))
    found.rigid(1, np.arange(2, n + 2), "u", Card())
    tracemalloc.start()
    solved = found.solved(np.tile([True, False], (n + 1, 1)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(solved.couplings) == 1
    assert peak < 2000 * n
