"""Moving models: matrices of the moved model are the moved matrices; joining and merging lose and repair nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.fem import (
    MPC,
    RBE2,
    BeamSection,
    ElementBlock,
    FEModel,
    Material,
    array,
    beam_line,
    boundary_edges,
    connected_parts,
    join,
    merge_nodes,
    mirror,
    plate_grid,
    remove_elements,
    remove_unused_nodes,
    renumber,
    rotate,
    shell_mesh,
    translate,
    with_beams,
)

STEEL = Material(E=2.1e11, nu=0.3, rho=7850.0)
SQUARE = BeamSection.rectangle(0.02, 0.02)
# unsymmetric in both directions, shear centre off the centroid
ANGLE = BeamSection(A=1e-3, Iy=2e-6, Iz=1e-6, J=1e-8, Iyz=4e-7, shear_centre=(0.01, -0.02), y_max=0.05, z_max=0.05)
SAME = 1e-10  # two ways of rounding the same matrix, relative to its largest entry

CUBE = np.array([[x, y, z] for z in (0, 1) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))], dtype=float)


def mixed_model() -> FEModel:
    """Return a warped little structure with everything that has a direction."""
    fe = shell_mesh(
        [[0, 0, 0], [1, 0.1, 0], [1.2, 1, 0], [0, 0.9, 0], [2, 0.5, 0.3]], [[0, 1, 2, 3], [1, 4, 2]], 0.01, STEEL, 0.02
    )
    fe = with_beams(fe, [1, 2, 5], ANGLE, STEEL, orientation=(0.1, 0.2, 1.0), offsets=[[0, 0, 0.1], [0.02, 0, 0.2]])
    fe = with_beams(fe, [4, 3], ANGLE, STEEL, name="default orientation")
    # springs: slanted with a full matrix, between nodes in one place, to ground in default and in given axes
    fe = replace(fe, nodes=np.vstack([fe.nodes, fe.nodes[4]]), node_ids=np.append(fe.node_ids, 6))
    full = np.random.default_rng(1).normal(size=(6, 6)) * 1e4
    full = full @ full.T
    fe = fe.with_block(ElementBlock("spring", [[0, 2]], data={"stiffness": full[None], "location": [0.3]}))
    fe = fe.with_block(ElementBlock("spring", [[4, 5]], data={"stiffness": [[1e6, 2e6, 3e6, 4e5, 5e5, 6e5]]}))
    axes = np.linalg.qr(full[:3, :3])[0]
    axes *= np.linalg.det(axes)
    fe = fe.with_block(ElementBlock("ground_spring", [[5], [1]], data={"stiffness": np.tile(full, (2, 1, 1))}))
    fe = fe.with_block(ElementBlock("ground_spring", [[3]], data={"stiffness": full[None], "axes": axes[None]}))
    return fe.with_point_mass(5, 30.0, inertia=np.diag([1.0, 2.0, 3.0]) + 0.1, offset=(0.1, 0.2, 0.3))


def solid_model(kind: str) -> FEModel:
    """Return one solid element of a kind, a little out of shape, with edge nodes half-way."""
    element = ff.fem.element_kind(kind)
    corners = {
        4: CUBE[[0, 1, 3, 4]],
        5: np.vstack([CUBE[:4], [[0.5, 0.4, 1.0]]]),
        6: CUBE[[0, 1, 3, 4, 5, 7]],
        8: CUBE,
    }[element.corners]
    corners = corners + 0.05 * np.sin(np.arange(corners.size)).reshape(corners.shape)
    nodes = np.zeros((element.nnode, 3))
    nodes[: element.corners] = corners
    for face in element.faces:
        ring = [*face, face[0]]
        for k in range(1, len(face)):
            if face[k] >= element.corners:
                nodes[face[k]] = (nodes[ring[k - 1]] + nodes[ring[k + 1]]) / 2
    return FEModel(nodes, (ElementBlock(kind, np.arange(element.nnode)[None], STEEL),))


def turning(fe: FEModel, R: np.ndarray) -> np.ndarray:
    """Return (ndof, ndof) that turns displacement vectors; rotations are axial and take the sign of det R."""
    T = np.zeros((fe.ndof, fe.ndof))
    for first in range(0, fe.ndof, 3):
        sign = np.linalg.det(R) if fe.dofs[first, 1] == 3 else 1.0
        T[first : first + 3, first : first + 3] = sign * R
    return T


MOVES = {
    "rotate": lambda fe: rotate(fe, (1, 2, 3), 0.7, origin=(0.3, 0, 0)),
    "mirror": lambda fe: mirror(fe, (1, -2, 0.5), origin=(0.1, 0.2, 0.3)),
    "mirror x": lambda fe: mirror(fe, "x"),
}
KINDS = ("tet4", "tet10", "hex8", "hex20", "wedge6", "wedge15", "pyramid5")


def matrix_of(move) -> np.ndarray:
    """Return R from what the move does to points."""
    points = np.vstack([np.zeros(3), np.eye(3)])
    moved = move(FEModel(points)).nodes
    return (moved[1:] - moved[0]).T


@pytest.mark.parametrize("move", MOVES.values(), ids=MOVES)
@pytest.mark.parametrize("make", [mixed_model, *(lambda kind=kind: solid_model(kind) for kind in KINDS)])
def test_matrices_of_a_moved_model_are_the_moved_matrices(make, move):
    fe = make()
    moved = move(fe)
    T = turning(fe, matrix_of(move))
    for matrix in (FEModel.stiffness, FEModel.mass):
        expected = T @ matrix(fe).toarray() @ T.T
        assert_allclose(matrix(moved).toarray(), expected, atol=SAME * np.abs(expected).max())
    for block in moved.blocks:
        for _, batch in block.batches(moved.nodes):
            assert (block.element.size_measure(batch) > 0).all()


def test_moving_keeps_mass_and_moves_its_centre():
    fe = mixed_model()
    before = fe.mass_properties()
    for move in MOVES.values():
        after = move(fe).mass_properties()
        assert after.mass == pytest.approx(before.mass, rel=1e-12)
        assert_allclose(after.com, move(FEModel(before.com[None])).nodes[0], atol=1e-12)
        assert_allclose(np.linalg.eigvalsh(after.inertia), np.linalg.eigvalsh(before.inertia), rtol=1e-9)
    assert_allclose(translate(fe, (1, 2, 3)).mass_properties().com, before.com + np.array([1, 2, 3]), atol=1e-12)


def test_two_mirrors_and_a_whole_turn_give_the_model_back():
    fe = mixed_model()
    twice = mirror(mirror(fe, (1, 1, 0)), (1, 1, 0))
    assert_allclose(twice.nodes, fe.nodes, atol=1e-14)
    for a, b in zip(twice.blocks, fe.blocks, strict=True):
        assert (a.connectivity == b.connectivity).all()
    assert_allclose(rotate(fe, "y", 2 * np.pi).nodes, fe.nodes, atol=1e-14)


def test_mirrored_multipoint_constraint_acts_on_the_mirrored_model():
    fe = beam_line((0, 0, 0), (1, 0, 0), 2, SQUARE, STEEL).with_coupling(
        MPC([(3, "uz", 1.0), (1, "uz", -1.0), (1, "ry", 0.4)])
    )
    for move in MOVES.values():
        K, L = fe.stiffness().toarray(), move(fe).stiffness().toarray()
        # the energy of every admissible motion is the same, so are the non-zero generalised eigenvalues
        M, N = fe.mass().toarray(), move(fe).mass().toarray()
        before = np.sort(np.linalg.eigvals(np.linalg.solve(M, K)).real)
        after = np.sort(np.linalg.eigvals(np.linalg.solve(N, L)).real)
        assert_allclose(after, before, atol=1e-8 * before[-1])


def test_supports_follow_where_they_can_and_are_refused_where_not():
    fe = beam_line((0, 0, 0), (1, 0, 0), 2, SQUARE, STEEL).with_support([(1, "u"), (3, "uy")])
    turned = rotate(fe, "z", np.pi / 2)
    assert turned.supports.tolist() == [[1, 0], [1, 1], [1, 2], [3, 0]]
    assert mirror(fe, "y").supports.tolist() == fe.supports.tolist()
    with pytest.raises(ff.ModelError, match=r"node 3 is held in uy only"):
        rotate(fe, "z", 0.3)


def test_a_list_of_models_is_not_a_model():
    part = beam_line((0, 0, 0), (1, 0, 0), 2, SQUARE, STEEL)
    with pytest.raises(ff.ModelError, match=r"found a list, expected models; write join\(a, b, …\)"):
        join([part, part])


def test_join_keeps_all_parts_under_free_numbers_and_unites_sets():
    a = beam_line((0, 0, 0), (1, 0, 0), 2, SQUARE, STEEL).with_point_mass(3, 5.0)
    b = beam_line((1, 0, 0), (2, 0, 0), 2, SQUARE, STEEL).with_point_mass(1, 7.0).with_support(["end"])
    fe = join(a, b)
    assert fe.node_ids.tolist() == [1, 2, 3, 4, 5, 6]
    assert fe.node_sets["start"].tolist() == [1, 4]
    assert [mass.node for mass in fe.point_masses] == [3, 4]
    assert set(fe.supports[:, 0]) == {6}
    assert len(connected_parts(fe)) == 2
    whole = merge_nodes(fe)
    assert whole.node_ids.tolist() == [1, 2, 3, 5, 6]
    assert [mass.node for mass in whole.point_masses] == [3, 3]
    assert len(connected_parts(whole)) == 1
    assert whole.mass_properties().mass == pytest.approx(2 * 7850 * 4e-4 + 12.0, rel=1e-12)
    # numbers that clash with nothing stay as they are
    apart = renumber(b, {1: 101, 2: 102, 3: 103}, {1: 11, 2: 12})
    assert join(a, apart).node_ids.tolist() == [1, 2, 3, 101, 102, 103]


def test_merged_rows_of_plates_are_one_plate():
    tile = plate_grid(1.0, 1.0, 4, 4, 0.01, STEEL)
    strip = merge_nodes(array(tile, 3, (1, 0, 0)))
    whole = plate_grid(3.0, 1.0, 12, 4, 0.01, STEEL)
    assert (strip.nnode, strip.nelement) == (whole.nnode, whole.nelement)
    assert len(boundary_edges(strip)) == len(boundary_edges(whole))
    assert_allclose(np.sort(strip.stiffness().diagonal()), np.sort(whole.stiffness().diagonal()), rtol=1e-9)
    assert strip.node_sets["ymin"].size == 13


def test_merging_carries_couplings_to_the_node_that_stays():
    a = beam_line((0, 0, 0), (1, 0, 0), 1, SQUARE, STEEL)
    b = beam_line((1, 0, 0), (2, 0, 0), 1, SQUARE, STEEL)
    fe = merge_nodes(join(a, b).with_coupling(RBE2(3, [1])))
    assert fe.couplings[0].nodes == (2, 1)


def test_collapsing_elements_are_named_not_removed():
    fe = beam_line((0, 0, 0), (1, 0, 0), 100, SQUARE, STEEL)
    with pytest.raises(ff.ModelError, match=r"would collapse 100 elements of .*, first element 1"):
        merge_nodes(fe, tol=0.02)


def test_unused_nodes_go_with_their_set_entries():
    fe = plate_grid(1.0, 1.0, 2, 2, 0.01, STEEL)
    less = remove_elements(fe, [1])
    assert less.nnode == 9
    clean = remove_unused_nodes(less)
    assert clean.node_ids.tolist() == [2, 3, 4, 5, 6, 7, 8, 9]
    assert clean.node_sets["corners"].tolist() == [3, 7, 9]
    assert clean.nelement == 3


@pytest.mark.parametrize(
    ("build", "sentence"),
    [
        (lambda fe: translate(fe, (0, float("nan"), 0)), r"translate: vector .* not finite"),
        (lambda fe: rotate(fe, (0, 0, 0), 1.0), r"rotate: axis is the zero vector"),
        (lambda fe: rotate(fe, "z", float("inf")), r"rotate: angle is inf"),
        (lambda fe: mirror(fe, "xy"), r"axis 'xy' is unknown"),
        (lambda fe: merge_nodes(fe, -1.0), r"merge_nodes: tol is -1.0 m"),
        (lambda fe: array(fe, 0, (1, 0, 0)), r"array: n is 0"),
        (lambda fe: join(), r"join: no models given"),
    ],
)
def test_wrong_input_gets_one_sentence_naming_the_thing(build, sentence):
    with pytest.raises(ff.ModelError, match=sentence):
        build(plate_grid(1.0, 1.0, 1, 1, 0.01, STEEL))
