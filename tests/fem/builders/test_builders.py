"""Builders: geometry, areas, normals and names of what they build, and the sentences for what they refuse."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.fem import (
    BeamRib,
    BeamSection,
    FEModel,
    Material,
    ShellRib,
    arc,
    beam_line,
    boundary_edges,
    box,
    connected_parts,
    cut_openings,
    extrusion,
    frame,
    in_box,
    in_cylinder,
    in_ellipse,
    in_sphere,
    mapped_patch,
    nearest,
    nodes_between,
    on_plane,
    pick_elements,
    plate_grid,
    quad_patch,
    revolution,
    segment,
    shell_grid,
    shell_mesh,
    stiffened_panel,
)

STEEL = Material(E=2.1e11, nu=0.3, rho=7850.0)
SQUARE = BeamSection.rectangle(0.02, 0.02)
ROUND_OFF = 1e-12  # a handful of operations on numbers of order one


def area_vectors(fe: FEModel) -> np.ndarray:
    """Return (nel, 3) area times normal of all shells, by the cross product of the diagonals or edges."""
    found = []
    for block in fe.blocks:
        p = fe.nodes[block.connectivity]
        if p.shape[1] == 4:
            found.append(0.5 * np.cross(p[:, 2] - p[:, 0], p[:, 3] - p[:, 1]))
        elif p.shape[1] == 3:
            found.append(0.5 * np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]))
    return np.concatenate(found)


def area(fe: FEModel) -> float:
    return float(np.sqrt((area_vectors(fe) ** 2).sum(axis=1)).sum())


def volume(fe: FEModel) -> float:
    """Return the volume inside a closed shell with outward normals (divergence theorem)."""
    centres = np.concatenate([fe.nodes[block.connectivity].mean(axis=1) for block in fe.blocks])
    return float((centres * area_vectors(fe)).sum() / 3.0)


# lines


def test_beam_line_has_numbered_equally_spaced_nodes():
    fe = beam_line((0, 0, 0), (2, 0, 0), n=200, section=SQUARE, material=STEEL)
    assert fe.node_ids.tolist() == list(range(1, 202))
    assert_allclose(np.diff(fe.nodes[:, 0]), 0.01, rtol=1e-10)
    assert fe.node_sets["start"].tolist() == [1]
    assert fe.node_sets["end"].tolist() == [201]


def test_frame_mass_is_the_sum_over_its_lines():
    points = [[0, 0, 0], [0, 0, 3], [4, 0, 3], [4, 0, 0]]
    thick = BeamSection.rectangle(0.1, 0.1)
    fe = frame(points, [[0, 1], [1, 2], [2, 3]], [thick, SQUARE, thick], STEEL, n=[3, 4, 3])
    assert (fe.nnode, fe.nelement) == (11, 10)
    assert fe.element_sets["line 2"].size == 4
    assert fe.mass_properties().mass == pytest.approx(7850.0 * (2 * 3 * 0.01 + 4 * 0.0004), rel=ROUND_OFF)
    assert len(connected_parts(fe)) == 1


# plates and surfaces


def test_plate_grid_has_its_area_edges_and_upward_normals():
    fe = plate_grid(1.0, 2.0, nx=10, ny=20, thickness=0.01, material=STEEL)
    assert (fe.nnode, fe.nelement) == (11 * 21, 200)
    assert_allclose(area_vectors(fe).sum(axis=0), [0, 0, 2.0], atol=ROUND_OFF)
    assert_allclose(fe.nodes[fe.node_index(fe.node_sets["xmax"])][:, 0], 1.0)
    assert_allclose(fe.nodes[fe.node_index(fe.node_sets["ymin"])][:, 1], 0.0)
    assert fe.node_sets["edges"].size == 2 * (10 + 20)
    assert fe.node_sets["corners"].size == 4
    cut = plate_grid(1.0, 2.0, nx=10, ny=20, thickness=0.01, material=STEEL, triangles=True)
    assert cut.nelement == 400
    assert_allclose(area_vectors(cut).sum(axis=0), [0, 0, 2.0], atol=ROUND_OFF)


def test_shell_mesh_takes_quadrilaterals_and_triangles_together():
    xyz = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [2, 0.5, 0]]
    fe = shell_mesh(xyz, [[0, 1, 2, 3], [1, 4, 2]], 0.01, STEEL)
    assert [block.kind for block in fe.blocks] == ["shell4", "shell3"]
    assert area(fe) == pytest.approx(1.5, rel=ROUND_OFF)


def test_flat_patch_keeps_straight_lines_and_area():
    corners = np.array([[0, 0, 0], [2, 0, 0], [3, 1, 0], [0, 1, 0]], dtype=float)
    fe = quad_patch(corners, 6, 4, 0.01, STEEL)
    assert_allclose(area_vectors(fe).sum(axis=0), [0, 0, 2.5], atol=ROUND_OFF)
    assert fe.node_sets["left"].size == 5
    assert fe.node_sets["bottom"].size == 7


def test_patch_between_arcs_converges_to_the_ring_sector_with_second_order():
    exact = np.pi / 4 * (2.0**2 - 1.0**2)
    error = []
    for n in (8, 16):
        inner = arc((1, 0, 0), (np.sqrt(0.5), np.sqrt(0.5), 0), (0, 1, 0), n)
        outer = arc((2, 0, 0), (np.sqrt(2.0), np.sqrt(2.0), 0), (0, 2, 0), n)
        bottom, top = segment((1, 0, 0), (2, 0, 0), 4), segment((0, 1, 0), (0, 2, 0), 4)
        fe = mapped_patch(bottom, outer, top, inner, 0.01, STEEL)
        radius = np.hypot(fe.nodes[:, 0], fe.nodes[:, 1])
        assert radius.min() > 1.0 - ROUND_OFF
        error.append(exact - area(fe))
    # chords lie a fraction h² inside the arc
    assert np.log2(error[0] / error[1]) == pytest.approx(2.0, abs=0.05)


def test_arc_keeps_its_radius_for_any_angle():
    for through, end in (((0, 1, 0), (-1, 0, 0)), ((-1, 0, 0), (0, -1, 0)), ((0, -1, 0), (0, 1, 0))):
        points = arc((1, 0, 0), through, end, 12)
        assert_allclose(np.hypot(points[:, 0], points[:, 1]), 1.0, rtol=ROUND_OFF)
        steps = np.sqrt((np.diff(points, axis=0) ** 2).sum(axis=1))
        assert_allclose(steps, steps[0], rtol=1e-10)
    assert points[-1].tolist() == [0, 1, 0]


def test_extruded_tube_is_closed_round_and_open_at_its_ends():
    angle = np.arange(12) * np.pi / 6
    ring = np.column_stack([np.cos(angle), np.sin(angle), np.zeros(12)])
    fe = extrusion(ring, (0, 0, 2), 4, 0.01, STEEL, closed=True)
    side = 2 * np.sin(np.pi / 12)
    assert area(fe) == pytest.approx(12 * side * 2.0, rel=ROUND_OFF)
    assert len(boundary_edges(fe)) == 24
    outward = (area_vectors(fe) * fe.nodes[fe.blocks[0].connectivity].mean(axis=1)).sum(axis=1)
    assert (outward > 0).all()  # counter-clockwise profile x upward way


def test_revolved_half_circle_is_a_closed_sphere():
    errors = []
    for n in (12, 24):
        angle = np.linspace(-np.pi / 2, np.pi / 2, n + 1)
        profile = np.column_stack([np.cos(angle), np.zeros(n + 1), np.sin(angle)])
        profile[[0, -1], 0] = 0.0
        # from the south pole up: the normal profile x turning points inward
        fe = revolution(profile, "z", 2 * n, 0.01, STEEL)
        assert fe.nnode == 2 * n * (n - 1) + 2
        assert {block.kind for block in fe.blocks} == {"shell4", "shell3"}
        assert len(boundary_edges(fe)) == 0
        errors.append(4 * np.pi / 3 - abs(volume(fe)))
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.1)


def test_part_of_a_turn_stays_open():
    fe = revolution(segment((1, 0, 0), (1, 0, 2), 3), (0, 0, 1), 5, 0.01, STEEL, angle=np.pi / 2)
    assert (fe.nnode, fe.nelement) == (24, 15)
    assert fe.node_sets["start"].size == 4
    assert_allclose(fe.nodes[fe.node_index(fe.node_sets["end"])][:, 0], 0.0, atol=ROUND_OFF)


# panels, boxes, openings


def test_box_is_watertight_with_outward_normals():
    fe = box(2.0, 1.0, 0.5, 8, 4, 2, 0.01, STEEL)
    assert fe.nnode == 2 * (8 * 4 + 4 * 2 + 8 * 2) + 2
    assert len(boundary_edges(fe)) == 0
    assert volume(fe) == pytest.approx(1.0, rel=ROUND_OFF)
    assert fe.node_sets["zmax"].size == 9 * 5


def test_open_box_has_free_edges_only_round_the_missing_wall():
    fe = box(2.0, 1.0, 0.5, 8, 4, 2, 0.01, STEEL, walls=("xmin", "xmax", "ymin", "ymax", "zmin"))
    edges = boundary_edges(fe)
    assert len(edges) == 2 * (8 + 4)
    assert_allclose(fe.nodes[fe.node_index(edges.ravel())][:, 2], 0.5)


def test_openings_remove_their_area_and_their_nodes():
    plate = plate_grid(2.0, 1.0, 20, 10, 0.01, STEEL)
    fe = cut_openings(plate, in_box((0.5, 0.3, -1), (1.0, 0.7, 1)))
    assert area(fe) == pytest.approx(2.0 - 0.5 * 0.4, rel=ROUND_OFF)
    assert plate.nnode - fe.nnode == 4 * 3
    assert len(boundary_edges(fe)) == 2 * (20 + 10) + 2 * (5 + 4)
    hole = cut_openings(plate_grid(2.0, 1.0, 200, 100, 0.01, STEEL), in_ellipse((1, 0.5, 0), (0.4, 0, 0), (0, 0.2, 0)))
    # cells are in or out as a whole: the area is right to a few cells along the rim
    assert area(hole) == pytest.approx(2.0 - np.pi * 0.4 * 0.2, rel=2e-3)


def test_panel_ribs_as_beams_carry_their_offset_and_stop_at_openings():
    rib = BeamSection.rectangle(0.01, 0.1)
    fe = stiffened_panel(
        2.0, 1.0, 20, 10, 0.01, STEEL, ribs_x=(0.2, 0.5), ribs_y=(1.0,), rib=BeamRib(rib, offset=-0.055),
        openings=[in_box((0.3, 0.4, -1), (0.7, 0.6, 1))],
    )  # fmt: skip
    expected = 7850.0 * (0.01 * (2.0 - 0.4 * 0.2) + 0.001 * (2.0 + 1.6 + 1.0))
    assert fe.mass_properties().mass == pytest.approx(expected, rel=1e-10)
    ribs_share = 7850.0 * 0.001 * 4.6 * -0.055 / expected
    assert fe.mass_properties().com[2] == pytest.approx(ribs_share, rel=1e-10)
    assert fe.element_sets["ribs"].size == 20 + 16 + 10


def test_panel_ribs_as_shells_stand_on_the_plate():
    fe = stiffened_panel(2.0, 1.0, 20, 10, 0.01, STEEL, ribs_x=(0.5,), ribs_y=(1.0,), rib=ShellRib(0.2, 0.005, rows=2))
    assert area(fe) == pytest.approx(2.0 + 0.2 * 3.0, rel=ROUND_OFF)
    assert len(connected_parts(fe)) == 1
    # crossing ribs share the nodes of their common line
    assert fe.nnode == 21 * 11 + 2 * (21 + 11 - 1)


# picking


def test_picks_find_nodes_by_place():
    fe = plate_grid(1.0, 1.0, 10, 10, 0.01, STEEL)
    assert fe.pick_nodes(on_plane("x", 0.3)).size == 11
    assert fe.pick_nodes(on_plane((1, 1, 0), 1.0 / np.sqrt(2))).size == 11
    assert fe.pick_nodes(in_box((0.2, 0.2, 0), (0.4, 0.4, 0))).size == 9
    assert fe.pick_nodes(in_sphere((0.5, 0.5, 0), 0.11)).size == 5
    assert fe.pick_nodes(in_cylinder((0.5, 0.5, -1), (0.5, 0.5, 1), 0.1)).size == 5
    assert fe.pick_nodes(in_cylinder((0.5, 0.5, 0.5), (0.5, 0.5, 1), 0.1)).size == 0
    assert fe.pick_nodes(nearest((0.98, 0.01, 0.3))).tolist() == [11]
    assert fe.with_node_set("tip", nearest((1, 1, 0))).node_sets["tip"].tolist() == [121]
    assert nodes_between(fe, (1, 0, 0), (0, 0, 0)).tolist() == list(range(11, 0, -1))
    assert pick_elements(fe, in_box((0, 0, 0), (0.2, 0.1, 0))).tolist() == [1, 2]


# refusals

NAN = float("nan")
PLATE = dict(lx=1.0, ly=1.0, nx=2, ny=2, thickness=0.01, material=STEEL)


@pytest.mark.parametrize(
    ("build", "sentence"),
    [
        (lambda: plate_grid(**{**PLATE, "thickness": -0.01}), r"plate: thickness is -0.01 m"),
        (lambda: plate_grid(**{**PLATE, "nx": 0}), r"plate: nx is 0"),
        (lambda: plate_grid(**{**PLATE, "ny": 1.5}), r"plate: ny is 1.5"),
        (lambda: plate_grid(**{**PLATE, "lx": NAN}), r"plate: length lx is nan"),
        (lambda: beam_line((0, 0, NAN), (1, 0, 0), 2, SQUARE, STEEL), r"beam: start a .* not finite"),
        (lambda: beam_line((0, 0), (1, 0, 0), 2, SQUARE, STEEL), r"beam: start a has shape \(2,\)"),
        (lambda: beam_line((0, 0, 0), (0, 0, 0), 2, SQUARE, STEEL), r"beam: start and end are the same point"),
        (lambda: beam_line((0, 0, 0), (1, 0, 0), 0, SQUARE, STEEL), r"beam: number of elements n is 0"),
        (lambda: beam_line((0, 0, 0), (1, 0, 0), 2, SQUARE, STEEL, offsets=(1, 2)), r"beam: offsets has shape \(2,\)"),
        (lambda: frame([[0, 0, 0], [1, 0, 0]], [[0, 2]], SQUARE, STEEL), r"frame: lines: row 0 is \[0, 2\]"),
        (lambda: frame([[0, 0, 0], [1, 0, 0]], [[0, 1]], [SQUARE] * 2, STEEL), r"2 values for 1 lines"),
        (lambda: shell_mesh([[0, 0, 0]] * 3, [[0, 1, 3]], 0.01, STEEL), r"shell: elements: row 0 is \[0, 1, 3\]"),
        (lambda: shell_mesh([[0, 0, 0]] * 3, [[0, 1, 1]], 0.01, STEEL), r"names a point twice"),
        (lambda: shell_mesh([[0, 0, 0]] * 3, [[0, 1]], 0.01, STEEL), r"element \[0, 1\] has 2 points"),
        (lambda: shell_grid(np.zeros((1, 4, 3)), 0.01, STEEL), r"a grid needs at least two rows"),
        (lambda: extrusion([[0, 0, 0]], (0, 0, 1), 1, 0.01, STEEL), r"profile has 1 point"),
        (lambda: extrusion([[0, 0, 0], [1, 0, 0]], (0, 0, 0), 1, 0.01, STEEL), r"vector is the zero vector"),
        (lambda: revolution([[1, 0, 0], [1, 0, 1]], "w", 8, 0.01, STEEL), r"axis 'w' is unknown"),
        (lambda: arc((0, 0, 0), (1, 0, 0), (2, 0, 0), 4), r"arc: its three points lie on one line"),
        (lambda: box(1, 1, 1, 2, 2, 2, 0.01, STEEL, walls=["lid"]), r"wall 'lid' is unknown"),
        (lambda: cut_openings(plate_grid(**PLATE), in_box((5, 5, 5), (6, 6, 6))), r"opening 1 contains no shell"),
        (lambda: stiffened_panel(**PLATE, ribs_x=(0.3,), rib=BeamRib(SQUARE)), r"0.3 m does not lie on a mesh"),
        (lambda: stiffened_panel(**PLATE, ribs_x=(0.5,)), r"panel: the ribs at 1 lines are made of nothing"),
        (lambda: ShellRib(0.2, thickness=0.0), r"rib: thickness is 0"),
        (lambda: in_box((1, 0, 0), (0, 1, 1)), r"in_box: corners"),
        (lambda: plate_grid(**PLATE).with_node_set("tip", [99]), r"unknown node 99"),
    ],
)  # fmt: skip
def test_wrong_input_gets_one_sentence_naming_the_thing(build, sentence):
    with pytest.raises(ff.ModelError, match=sentence):
        build()


def test_round_picks_include_their_rim():
    x = 0.1 * np.arange(7)
    points = np.stack([*np.meshgrid(x, x), np.zeros((7, 7))], axis=-1).reshape(-1, 3)
    centre = (0.3, 0.3, 0.0)
    # the node itself and its neighbours at 0.1 m, though 0.1 * 3 is not 0.3
    assert in_sphere(centre, 0.1)(points).sum() == 5
    assert in_ellipse(centre, (0.1, 0, 0), (0, 0.1, 0))(points).sum() == 5
    assert in_ellipse(centre, (0.2, 0, 0), (0, 0.1, 0))(points).sum() == 7


def test_renumber_refuses_numbers_that_are_not_there():
    fe = ff.fem.plate_grid(1.0, 1.0, nx=1, ny=1, thickness=0.01, material=STEEL)
    with pytest.raises(ff.ModelError, match="renumber names unknown node 999"):
        ff.fem.renumber(fe, {999: 1000})
    with pytest.raises(ff.ModelError, match="renumber names unknown element 7"):
        ff.fem.renumber(fe, elements={7: 8})
