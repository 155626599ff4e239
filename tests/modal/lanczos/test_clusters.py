"""Clusters of equal frequencies: bases take them whole, and nothing depends on how the modes were sought."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import scipy.linalg
from numpy.testing import assert_allclose
from scipy.sparse import block_diag, diags_array

import floatframe as ff
from floatframe.cli.main import run
from floatframe.errors import Where
from floatframe.hybrid.flat.body_frames import selected
from floatframe.modal.lanczos.clusters import end_of_cluster

STEEL = ff.fem.Material(2.1e11, 0.3, 7850.0)
SAME_SPACE = 1e-6  # sine of the angle between spaces; vectors are sought to 1e-8


def square_bar(n=20, tip=(1.0, 0.3, 0.2)):
    """A bar of square section, oblique in space: bending comes in pairs."""
    return ff.fem.beam_line((0, 0, 0), tip, n=n, section=ff.fem.BeamSection.rectangle(0.02, 0.02), material=STEEL)


def ring():
    """A free ring of twelve beams: pairs by its rotational symmetry."""
    angle = 2.0 * np.pi * np.arange(12) / 12
    nodes = np.column_stack([np.cos(angle), np.sin(angle), 0.0 * angle])
    links = np.column_stack([np.arange(12), (np.arange(12) + 1) % 12])
    data = {"orientation": np.tile([0.0, 0.0, 1.0], (12, 1))}
    block = ff.fem.ElementBlock("beam", links, STEEL, ff.fem.BeamSection.rectangle(0.03, 0.05), data)
    return ff.fem.FEModel(nodes, (block,))


def cube():
    return ff.fem.solid_box((0.1, 0.1, 0.1), (3, 3, 3), material=STEEL)


def renumbered(fe):
    """The same structure with its nodes in another order."""
    order = np.random.default_rng(4).permutation(fe.nnode)
    place = np.argsort(order)
    blocks = tuple(replace(block, connectivity=place[block.connectivity]) for block in fe.blocks)
    return replace(fe, nodes=fe.nodes[order], node_ids=fe.node_ids[order], blocks=blocks)


def sine(X, Y):
    """Sine of the largest angle between the spaces of two sets of columns."""
    return float(np.sin(scipy.linalg.subspace_angles(X, Y).max()))


def by_nodes(body, fe):
    """Shapes of a body (6 nnode, n) in the order of node numbers."""
    order = np.argsort(body.node_ids)
    return body.shapes.reshape(body.nnode, 6, -1)[order].reshape(6 * body.nnode, -1)


# reduction


@pytest.mark.parametrize(
    ("make", "interface", "asked", "whole"),
    [
        (square_bar, [1, 21], 3, 4),  # bending in pairs
        (square_bar, [1, 21], 4, 4),  # at the end of a pair nothing changes
        (square_bar, [1], 1, 2),
        (ring, [1], 4, 4),  # one node held leaves the ring symmetric about one plane only: no pairs
        (cube, [(1, "u")], 3, 6),  # with three rotations about the held corner
    ],
)
@pytest.mark.parametrize("method", ["craig-bampton", "attachment", "macneal"])
def test_basis_is_the_same_from_every_start(make, interface, asked, whole, method):
    """Spaces of reduction agree for all seeds, sizes of block and orders of nodes; clusters are whole."""
    fe = make()
    bodies = [
        ff.modal.reduce(
            model,
            interface,
            asked,
            method=method,
            geometric=False,
            options=ff.modal.LanczosOptions(seed=seed, block=block),
        )
        for model, seed, block in [(fe, 0, 4), (fe, 1, 4), (fe, 2, 1), (fe, 3, 6), (renumbered(fe), 0, 4)]
    ]
    if method == "craig-bampton":
        assert bodies[0].n_eigen == whole
    first = by_nodes(bodies[0], fe)
    for body in bodies[1:]:
        assert body.nmode == bodies[0].nmode
        assert sine(by_nodes(body, fe), first) < SAME_SPACE
        # what a machine made of it would do: frequencies of the free body and with the interface held
        assert_allclose(free_frequencies(body), free_frequencies(bodies[0]), rtol=1e-9, atol=1e-3)
        assert_allclose(body.inertia.m, bodies[0].inertia.m, rtol=1e-12)
        assert_allclose(invariant(body), invariant(bodies[0]), rtol=1e-8, atol=1e-12 * body.inertia.m)


def free_frequencies(body):
    value = scipy.linalg.eigh(body.stiffness, body.mass, eigvals_only=True)
    return np.sqrt(np.maximum(value, 0.0)) / (2.0 * np.pi)


def invariant(body):
    """Motion of the whole mass per unit of the shapes, weighed by the generalised mass: the same in every basis."""
    return np.trace(body.inertia.H @ np.linalg.solve(body.mass, body.inertia.H.T))


@pytest.mark.parametrize(
    ("make", "clusters"),
    [
        (square_bar, {7: 2, 9: 2}),  # after six rigid motions: mode 7 begins a pair
        (ring, {7: 2, 9: 2}),
        (cube, {9: 3}),
    ],
)
def test_free_symmetric_bodies(make, clusters):
    """`eigenmodes` returns as many as were asked for and says what it leaves out; a basis takes the whole cluster."""
    fe = make()
    for first, size in clusters.items():
        asked = first + size - 2
        modes = ff.modal.eigenmodes(fe, n=asked)
        assert len(modes) == asked
        assert modes.cut == 1
        assert ff.modal.eigenmodes(fe, n=asked + 1).cut == 0
        whole = ff.modal.eigenmodes(fe, n=asked, whole_clusters=True)
        assert len(whole) == asked + 1
        assert_allclose(whole.frequency[first - 1 :], whole.frequency[-1], rtol=1e-6)
        body = ff.modal.reduce(fe, n_modes=asked - 6, method="eigenmodes")
        assert body.n_eigen == asked - 5
        assert f"{asked - 5} eigenmodes instead of {asked - 6}" in body.notes[0]
        again = ff.modal.reduce(fe, n_modes=asked - 6, method="eigenmodes", options=ff.modal.LanczosOptions(seed=9))
        assert sine(again.shapes, body.shapes) < SAME_SPACE


@pytest.mark.parametrize("make", [square_bar, ring, cube])
@pytest.mark.parametrize("n", [7, 8, 10])
def test_single_shapes_depend_on_no_seed(make, n):
    """Also where the last one is a half of a pair, or one of three: the rule picks it out of the whole cluster."""
    fe = make()
    M = fe.mass()
    first = ff.modal.eigenmodes(fe, n=n)
    begun = {"start": np.ones((fe.ndof, 1))}
    ways = [
        {"options": ff.modal.LanczosOptions(**given)}
        for given in ({"seed": 5}, {"seed": 7, "block": 2}, {"check": False})
    ]
    for given in (*ways, begun):
        again = ff.modal.eigenmodes(fe, n=n, **given)
        assert len(again) == n
        agreement = np.diag(first.shapes.T @ (M @ again.shapes))
        assert_allclose(agreement, 1.0, atol=1e-9)  # sign and plane: errors of vectors enter squared


def test_free_pencil_without_a_word_about_its_rigid_motions():
    fe = square_bar(8)
    K, M = fe.stiffness(), fe.mass()
    first, again = (ff.modal.lanczos(K, M, n=9, options=ff.modal.LanczosOptions(seed=seed)) for seed in (0, 3))
    assert_allclose(np.diag(first.shapes.T @ (M @ again.shapes)), 1.0, atol=1e-7)


def test_planes_of_a_square_bar_are_those_of_the_axes():
    """Of two equal planes of bending the rule takes those of the dofs, not any between."""
    fe = square_bar(10, tip=(1.0, 0.0, 0.0))
    modes = ff.modal.eigenmodes(fe, n=4, fixed=[1])
    shapes = fe.expand(modes.shapes)
    for k, (moves, rests) in enumerate([("uy", "uz"), ("uz", "uy")] * 2):
        columns = {"uy": 1, "uz": 2}
        assert np.abs(shapes[:, columns[rests], k]).max() < 1e-7 * np.abs(shapes[:, columns[moves], k]).max()


# what counts as equal


@pytest.mark.parametrize(("gap", "taken"), [(0.0, 4), (1e-9, 4), (1e-7, 4), (1e-4, 3)])
@pytest.mark.parametrize("check", [True, False])
def test_what_counts_as_equal(gap, taken, check):
    """Differences of round-off make a cluster, genuine ones of 1e-4 do not; modes 3 and 4 are the pair."""
    value = np.array([1.0, 4.0, 9.0, 9.0 * (1.0 + gap), 16.0, 25.0, *range(30, 60)])
    rng = np.random.default_rng(2)
    Q = np.linalg.qr(rng.standard_normal((value.size, value.size)))[0]
    K, M = Q @ np.diag(value) @ Q.T, np.eye(value.size)
    modes = ff.modal.lanczos((K + K.T) / 2, M, n=3, options=ff.modal.LanczosOptions(check=check))
    assert len(modes) == 3
    assert modes.cut == taken - 3
    assert (
        len(ff.modal.lanczos((K + K.T) / 2, M, n=3, options=ff.modal.LanczosOptions(check=check), whole_clusters=True))
        == taken
    )


def test_a_large_cluster_and_one_that_runs_over_unconnected_parts():
    """Thirty equal oscillators, and two parts of different stiffness that share one frequency."""
    K = diags_array(np.r_[np.ones(30), 5.0, 7.0]).tocsc()
    modes = ff.modal.lanczos(K, diags_array(np.ones(32)).tocsc(), n=2, whole_clusters=True)
    assert_allclose(modes.value, 1.0, rtol=1e-12)
    assert len(modes) == 30
    soft = np.array([[2.0, -1.0], [-1.0, 2.0]])  # eigenvalues 1 and 3
    stiff = 1e4 * np.eye(2)
    M = block_diag([np.eye(2), 1e4 / 3.0 * np.eye(2)])  # both at 3
    modes = ff.modal.lanczos(block_diag([soft, stiff]), M, n=2, whole_clusters=True)
    assert_allclose(modes.value, [1.0, 3.0, 3.0, 3.0], rtol=1e-12)


def test_end_of_cluster():
    value = np.array([0.0, 0.0, 1.0, 1.0 + 1e-9, 2.0])
    assert [end_of_cluster(value, n) for n in range(6)] == [0, 2, 2, 4, 4, 5]


def test_a_limit_of_frequency_inside_a_pair():
    """up_to between two frequencies that differ by 1e-8 takes both."""
    value = np.array([1.0, 4.0, 4.0 * (1 + 1e-7), 9.0, 16.0, 25.0])
    Q = np.linalg.qr(np.random.default_rng(3).standard_normal((6, 6)))[0]
    K = Q @ np.diag(value) @ Q.T
    limit = 2.0 * (1 + 2e-8) / (2.0 * np.pi)
    assert len(ff.modal.lanczos((K + K.T) / 2, np.eye(6), below=limit, whole_clusters=True)) == 3


def test_modes_chosen_by_an_estimate_come_in_pairs():
    fe = square_bar(40)
    body = ff.modal.reduce(fe, [1, 41], up_to=800.0, accuracy=1e-2, geometric=False)
    frequency = body.frequency[: body.n_eigen]
    following = ff.modal.eigenmodes(fe, n=body.n_eigen + 1, fixed=[1, 41]).frequency[-1]
    assert following / frequency[-1] - 1.0 > 1e-3


# dropping and the command line


def test_dropping_half_of_a_pair_is_noted():
    body = ff.modal.reduce(square_bar(), [1, 21], 4, geometric=False)
    assert body.notes == ()
    assert "mode 2 left out, but mode 1 of the same frequency kept" in body.drop([2]).notes[0]
    assert body.drop([1, 2]).notes == ()
    assert body.keep([1, 2]).notes == ()
    assert len(body.keep([1, 3]).notes) == 2


def test_lowest_modes_of_a_body_and_in_a_machine():
    """`modes = 3` of a body in a machine keeps the pair of modes 3 and 4."""
    body = ff.modal.reduce(square_bar(), [1, 21], 6, geometric=False)
    assert [body.lowest(n).n_eigen for n in range(7)] == [0, 2, 2, 4, 4, 6, 6]
    with pytest.raises(ff.ModelError, match="7 eigenmodes were requested, it has 6"):
        body.lowest(7)
    whole, cut = (selected(body, modes, Where("body")) for modes in (4, 3))
    assert cut.nmode == whole.nmode
    assert_allclose(free_frequencies(cut), free_frequencies(whole), rtol=1e-12, atol=1e-3)


def test_commands_say_it(tmp_path, capsys):
    path = tmp_path / "bar.h5"
    ff.io.write(path, square_bar())
    assert run(["modes", str(path), "-n", "3", "--fixed", "1"]) == 0
    assert "Mode 3 shares its frequency with 1 more; -n 4 shows them all." in capsys.readouterr().out
    assert run(["reduce", str(path), "--interface", "1,21", "-n", "3", "-o", str(tmp_path / "bar.fum")]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "4 eigenmodes instead of 3: mode 4 forms a pair with mode 3, whose frequency it shares" in out
    assert run(["drop", str(tmp_path / "bar.fum"), "--modes", "2", "-o", str(tmp_path / "small.fum")]) == 0
    assert "mode 2 left out, but mode 1 of the same frequency kept" in " ".join(capsys.readouterr().out.split())
