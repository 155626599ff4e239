"""Drawn points move with their nodes; only the skin of a solid is drawn; poses carry whole parts."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import floatframe as ff
from floatframe.fem import BeamSection, ElementBlock, FEModel, Material
from floatframe.viewer.drawing import glyphs
from floatframe.viewer.drawing.polygons import contours, ear_clipped
from floatframe.viewer.rendering import view
from floatframe.viewer.scene import Carrier, Harmonic, Part, Scene
from tests.viewer.moving_scene import crank_and_spring, turned

STEEL = Material(E=2.1e11, nu=0.3, rho=7850.0)


def slanted_beam() -> FEModel:
    section = BeamSection.rectangle(0.02, 0.05)
    return ff.fem.beam_line((0, 0, 0), (1, 2, 0.5), 3, section, STEEL, offsets=[[0, 0, 0.1], [0, 0, 0.1]])


def cube_row(n: int) -> FEModel:
    """A row of n unit cubes along x."""
    x = np.arange(n + 1.0)
    corner = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    nodes = np.array([[xi, *yz] for xi in x for yz in corner])
    first = 4 * np.arange(n)[:, None]
    # hex8 wants the four nodes of one face, then those above them
    return FEModel(nodes, (ElementBlock("hex8", first + np.array([0, 1, 2, 3, 4, 5, 6, 7]), STEEL),))


def part(scene: Scene, name: str) -> Part:
    (found,) = [p for p in scene.parts if p.name == name]
    return found


def test_rigid_rotation_turns_every_drawn_point():
    # a small rotation w moves a point x by w x x, also the corners of sections on offset arms
    fe, w = slanted_beam(), np.array([0.1, -0.2, 0.3])
    nodal = np.hstack([np.cross(w, fe.nodes), np.tile(w, (fe.nnode, 1))])
    (beam,) = ff.viewer.scene_of(fe).parts
    np.testing.assert_allclose(beam.motion(nodal), np.cross(w, beam.points), atol=1e-15)


def test_beam_section_has_its_true_size_and_stands_across_the_axis():
    (beam,) = ff.viewer.scene_of(slanted_beam()).parts
    axis = np.array([1, 2, 0.5]) / np.linalg.norm([1, 2, 0.5])
    rings = beam.points.reshape(-1, 4, 3)
    assert len(rings) == 6  # two for each of three elements
    for corners in rings:
        sides = np.linalg.norm(np.roll(corners, 1, axis=0) - corners, axis=1)
        np.testing.assert_allclose(np.sort(sides), [0.02, 0.02, 0.05, 0.05], rtol=1e-12)
        np.testing.assert_allclose((corners - corners[0]) @ axis, 0, atol=1e-15)


@pytest.mark.parametrize(
    ("section", "volume"),
    [
        (BeamSection.rectangle(0.02, 0.05), 0.02 * 0.05),
        (BeamSection.i_section(0.1, 0.2, 0.006, 0.01), BeamSection.i_section(0.1, 0.2, 0.006, 0.01).A),
        (BeamSection.angle(0.05, 0.08, 0.004), BeamSection.angle(0.05, 0.08, 0.004).A),
        # walls of the hole are not drawn: what is inside the outline counts
        (BeamSection.box(0.1, 0.2, 0.01), 0.1 * 0.2 - 0.08 * 0.18),
    ],
)
def test_caps_and_walls_close_the_solid_and_face_outwards(section, volume):
    fe = ff.fem.beam_line((0, 0, 0), (1, 2, 0.5), 1, section, STEEL)
    (beam,) = ff.viewer.scene_of(fe).parts
    length = np.linalg.norm([1, 2, 0.5])
    walls, start, end = beam.faces
    axis = np.array([1, 2, 0.5]) / length

    def area(faces: np.ndarray) -> np.ndarray:
        corner = beam.points[faces]
        return np.cross(corner, np.roll(corner, -1, axis=1)).sum(axis=1) / 2

    np.testing.assert_allclose(area(end).sum(axis=0), volume * axis, rtol=1e-10)
    np.testing.assert_allclose(area(start).sum(axis=0), -volume * axis, rtol=1e-10)
    # outward walls of a prism: the flux of x through them is twice its volume (divergence in the plane)
    centre = beam.points[walls].mean(axis=1)
    flux = (area(walls) * (centre - axis * (centre @ axis)[:, None])).sum()
    outline = np.array(section.outline)
    gross = abs((outline[:, 0] * np.roll(outline[:, 1], -1) - outline[:, 1] * np.roll(outline[:, 0], -1)).sum()) / 2
    assert flux == pytest.approx(2 * gross * length, rel=1e-9)


def test_straight_neighbours_have_no_caps_between_them_but_corners_have():
    section = BeamSection.rectangle(0.02, 0.02)
    straight = ff.fem.beam_line((0, 0, 0), (1, 0, 0), 5, section, STEEL)
    nodes = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0]])
    bent = FEModel(nodes, (ElementBlock("beam", np.array([[0, 1], [1, 2]]), STEEL, section),))
    for fe, ends in ((straight, 2), (bent, 4)):
        (beam,) = ff.viewer.scene_of(fe).parts
        assert sum(len(cap) for cap in beam.faces[1:]) == 2 * ends  # two triangles each


def test_beams_without_sections_are_lines():
    fe = slanted_beam()
    (beam,) = ff.viewer.scene_of(fe, sections=False).parts
    np.testing.assert_array_equal(beam.anchor[beam.lines], fe.blocks[0].connectivity)
    assert not beam.faces


@pytest.mark.parametrize("n", [1, 2, 5])
def test_only_the_skin_of_a_solid_is_drawn_with_its_twelve_edges(n):
    (solid,) = ff.viewer.scene_of(cube_row(n)).parts
    assert sum(map(len, solid.faces)) == 4 * n + 2
    # four long edges of n pieces each and four at both ends
    assert len(solid.edges) == 4 * n + 8


def test_shells_are_drawn_as_they_are_or_with_thickness():
    fe = ff.fem.plate_grid(1.0, 2.0, nx=3, ny=4, thickness=0.01, material=STEEL)
    scene = ff.viewer.scene_of(fe)
    assert sum(map(len, scene.parts[0].faces)) == 12
    assert scene.size == pytest.approx(np.sqrt(5))
    (thick,) = ff.viewer.scene_of(fe, thick_shells=True).parts
    assert np.ptp(thick.points[:, 2]) == pytest.approx(0.01)
    # both sides, and walls along the rim of 14 pieces
    assert sum(map(len, thick.faces)) == 2 * 12 + 14


def test_empty_blocks_draw_nothing():
    fe = slanted_beam()
    empty = fe.with_block(ElementBlock("beam", np.empty((0, 2), dtype=int), STEEL, fe.blocks[0].section))
    assert len(ff.viewer.scene_of(empty).parts) == len(ff.viewer.scene_of(fe).parts) == 1


def test_masses_springs_couplings_and_supports_are_drawn(machine):
    scene = ff.viewer.scene_of(machine)
    assert {p.name for p in scene.parts} == {"shells", "beams", "springs", "couplings", "masses", "supports"}
    masses = part(scene, "masses")
    radius = [np.ptp(ball[:, 2]) / 2 for ball in masses.points.reshape(2, -1, 3)]
    # radii go with the cube root of the mass
    assert radius[0] / radius[1] == pytest.approx(np.cbrt(40.0 / 10.0), rel=1e-9)
    spider = part(scene, "couplings")
    assert len(spider.lines) == 4
    np.testing.assert_allclose(spider.points[spider.lines].max(axis=1)[:, 2], 0.35)


def test_supports_of_a_plane_model_stand_where_it_is_held():
    plate = ff.fem.plate_grid(2.0, 1.0, nx=16, ny=8, thickness=0.01, material=STEEL)
    plane = plate.with_support([(plate.node_ids, "ux,uy,rz")])
    edge = plate.node_ids[plate.nodes[:, 0] == 0.0]
    cones = part(ff.viewer.scene_of(plane.with_support([(edge, "uz")])), "supports")
    assert cones.points[:, 0].max() < 0.1  # all 153 nodes are held somehow, those of one edge across the plate


def test_springs_stretch_between_their_ends():
    nodes = np.array([[0.0, 0, 0], [0, 0, 1]])
    fe = FEModel(nodes).with_spring(1, 2, stiffness=[1.0] * 6).with_spring(2, stiffness=[0, 0, 5.0, 0, 0, 0])
    between, ground = ff.viewer.scene_of(fe).parts
    u = np.zeros((2, 6))
    u[1, 0] = 1.0
    moved = between.motion(u)[:, 0]
    # in between the motion is in proportion to the height
    np.testing.assert_allclose(moved, between.points[:, 2].clip(0, 1), atol=0.06)  # the wire is not at its own height
    assert (moved.min(), moved.max()) == (0.0, 1.0)
    held = ground.motion(u)[:, 0]
    assert held.max() == 1.0
    assert held[np.argmax(ground.points[:, 2])] == pytest.approx(0.0, abs=1e-12)


def test_modes_reach_one_and_are_drawn_at_a_fraction_of_the_size(beam):
    modes = ff.modal.eigenmodes(beam, n=3, fixed=["start"])
    scene = ff.viewer.scene_of(beam, modes=modes)
    for clip in scene.clips:
        assert scene.largest(clip) == pytest.approx(1.0, rel=0.02)  # corners of sections move a little more than nodes
        scale = scene.scale(clip, 0.05)
        (rest,), (bent,) = scene.positions(scene.rest), scene.positions(scene.state(clip, 0.0, scale))
        assert np.linalg.norm(bent - rest, axis=1).max() == pytest.approx(0.05 * scene.size, rel=1e-9)


def test_a_period_ends_where_it_began_and_passes_through_rest(beam):
    scene = ff.viewer.scene_of(beam, modes=ff.modal.eigenmodes(beam, n=1, fixed=["start"]))
    (clip,) = scene.clips
    start, quarter, half, end = (scene.positions(scene.state(clip, m, 0.1))[0] for m in (0.0, 0.25, 0.5, 1.0))
    (rest,) = scene.positions(scene.rest)
    np.testing.assert_allclose(end, start, atol=1e-15)
    np.testing.assert_allclose(quarter, rest, atol=1e-15)
    np.testing.assert_allclose(half + start, 2 * rest, atol=1e-12)


def test_modes_of_a_file_are_sorted_to_the_nodes_of_the_model(beam):
    found = ff.modal.eigenmodes(beam, n=2, fixed=["start"])
    on_nodes = ff.io.NodalModes.of(beam, found)
    mixed = np.random.default_rng(0).permutation(beam.nnode)
    shuffled = ff.io.NodalModes(
        on_nodes.node_ids[mixed], on_nodes.displacement[mixed], found.frequency, found.residual, found.kind
    )
    expected = ff.viewer.scene_of(beam, modes=found).carriers[0].shapes
    np.testing.assert_array_equal(ff.viewer.scene_of(beam, modes=shuffled).carriers[0].shapes, expected)
    other = ff.fem.beam_line((0, 0, 0), (2, 0, 0), 5, BeamSection.rectangle(0.02, 0.02), STEEL)
    with pytest.raises(ff.ModelError, match="21 nodes, model 'beam' has 6"):
        ff.viewer.scene_of(other, modes=shuffled)
    with pytest.raises(ff.ModelError, match="no mesh"):
        ff.viewer.scene_of(shuffled)


def test_stress_colours_follow_the_bending_moment():
    # a cantilever under a force at its end: von Mises stress falls linearly from the clamped end
    fe = ff.fem.beam_line((0, 0, 0), (2, 0, 0), 20, BeamSection.rectangle(0.02, 0.02), STEEL)
    u = ff.modal.solve_static(fe, loads={("end", "uz"): -10.0}, fixed=["start"])
    scene = ff.viewer.scene_of(fe, displacement=u, stress=True)
    (values,) = scene.values(scene.clips[0], scene.rest)
    expected = 10.0 * (2.0 - scene.parts[0].points[:, 0]) * 0.01 / (0.02**4 / 12)
    # shear adds at most sqrt(3) x 1.5 F / A, which is seen at the loaded end only
    np.testing.assert_allclose(values, expected, atol=np.sqrt(3) * 1.5 * 10.0 / 0.02**2)


def test_bodies_show_their_interface_and_every_kind_of_shape(body):
    scene = ff.viewer.scene_of(body)
    assert [label.text for label in scene.labels] == ["1 start", "21 end"]
    assert len(scene.clips) == body.nmode
    assert "Hz (eigen" in scene.clips[0].title
    assert "static" in scene.clips[-1].title
    balls = part(scene, "interface").points.reshape(2, -1, 3).mean(axis=1)
    np.testing.assert_allclose(balls, [[0, 0, 0], [2, 0, 0]], atol=1e-12)
    # a rod of the area of the section
    rod = part(scene, "beams").points
    assert np.ptp(rod[:, 1]) == pytest.approx(2 * np.sqrt(0.02**2 / np.pi), rel=0.01)
    # a static shape moves its interface node by one, and the label with it
    clip = scene.clips[-6]
    assert "ux" in clip.title or "1" in clip.title
    moved = scene.label_positions(scene.state(clip, 0.0)) - scene.label_positions(scene.rest)
    np.testing.assert_allclose(np.linalg.norm(moved, axis=1).max(), 1.0, rtol=1e-6)


def test_beams_without_sections_are_thin_rods_in_bodies(body, tmp_path):
    ff.io.write(tmp_path / "input.fum", body)  # has no room for sections
    scene = ff.viewer.scene_of(ff.io.read(tmp_path / "input.fum"))
    rod = part(scene, "beams")
    assert not len(rod.lines)
    # browsers draw lines a pixel wide whatever is asked for; the rod is half a per cent of 2 m
    assert np.ptp(rod.points[:, 1]) == pytest.approx(0.01, rel=0.01)
    assert scene.clips[0].title.endswith("Hz (eigen)")


# runs and hybrid models


def test_run_carries_bodies_springs_and_deformations():
    scene = crank_and_spring()
    (run,) = scene.clips
    state = scene.state(run, 0.5)  # t = 1: a quarter turn
    box, coil, rod = scene.positions(state)
    np.testing.assert_allclose(box, glyphs.box().points @ turned(0.5 * np.pi).T, atol=1e-12)
    axis = glyphs.coil().points[:, 0]
    # the wire winds round the line from end to end
    assert np.abs(coil[axis < 0.001] - [3.0, 0.0, 0.0]).max() < 0.2
    assert np.abs(coil[axis > 0.999] - [0.0, 1.0, 0.0]).max() < 0.2
    np.testing.assert_allclose(rod, [[0, 1, 0], [1, 1.1, 0]], atol=1e-12)
    np.testing.assert_allclose(scene.label_positions(state), [[0, 1, 0]], atol=1e-12)
    magnified = scene.positions(scene.state(run, 0.5, 10.0))
    np.testing.assert_allclose(magnified[2], [[0, 1, 0], [1, 2, 0]], atol=1e-12)
    np.testing.assert_allclose(magnified[0], box, atol=1e-12)
    assert scene.largest(run) == pytest.approx(0.2)  # at the end
    assert scene.scale(run) == 1.0


def test_complex_modes_of_rigid_bodies_go_round():
    # u = Re((1, -i, 0) exp(2 pi i s)): a body that walks round a circle, as whirling shafts do
    change = np.zeros((1, 3, 4), dtype=complex)
    change[0, :, 3] = [1.0, -1.0j, 0.0]
    box = glyphs.box()
    whirl = Harmonic("whirl", (np.empty(0),), pose=change)
    scene = Scene((Part("box", box.points, box.faces),), clips=(whirl,))
    for moment in (0.0, 0.125, 0.6):
        middle = scene.positions(scene.state(whirl, moment))[0].mean(axis=0)
        angle = 2 * np.pi * moment
        np.testing.assert_allclose(middle, [np.cos(angle), np.sin(angle), 0.0], atol=1e-12)
    np.testing.assert_allclose(scene.values(whirl, scene.rest)[0], np.sqrt(2.0))


def test_wrong_scenes_are_refused():
    point = np.zeros((2, 3))
    with pytest.raises(ValueError, match="names point 2, there are 2"):
        Part("a", point, lines=np.array([[0, 2]]))
    with pytest.raises(ValueError, match=r"arm has shape \(1, 3\) for 2 points"):
        Part("a", point, anchor=np.array([0, 0]), arm=np.zeros((1, 3)))
    with pytest.raises(ValueError, match="carrier 1 of 1"):
        Scene((Part("a", point, carrier=1),))
    with pytest.raises(ValueError, match="hangs on node 5, its carrier has 2"):
        Scene((Part("a", point, anchor=np.array([0, 5])),), (Carrier(shapes=np.zeros((1, 2, 6))),))
    with pytest.raises(ValueError, match=r"\[3\] amplitudes for the carriers, expected \[0\]"):
        Scene((Part("a", point),), clips=(Harmonic("m", (np.zeros(3),)),))


# geometry


def test_ear_clipping_fills_the_outline_once():
    # a comb with teeth, which no fan from one corner could fill
    comb = np.array([[0, 0], [5, 0], [5, 2], [4, 2], [4, 1], [3, 1], [3, 2], [2, 2], [2, 1], [1, 1], [1, 2], [0, 2.0]])
    for outline in (comb, comb[::-1]):
        a, b, c = np.moveaxis(outline[ear_clipped(outline)], 1, 0)
        area = ((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]) / 2
        assert (np.sign(area) == np.sign(area.sum())).all()
        assert abs(area.sum()) == pytest.approx(8.0)


def test_contours_are_rims_folds_and_branches():
    nodes = np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0], [1, 1, 0], [2, 1, 0], [1, 0, 1], [1, 1, 1]])
    flat = np.array([[0, 1, 4, 3], [1, 2, 5, 4]])
    assert [1, 4] not in contours(nodes, (flat,)).tolist()
    assert len(contours(nodes, (flat,))) == 6
    branch = np.vstack([flat, [[1, 4, 7, 6]]])
    assert [1, 4] in contours(nodes, (branch,)).tolist()
    # a wall turned over is no fold
    assert len(contours(nodes, (np.array([[0, 1, 4, 3], [4, 5, 2, 1]]),))) == 6


def test_solids_have_their_volume():
    def volume(glyph: glyphs.Glyph) -> float:
        total = 0.0
        for faces in glyph.faces:
            corner = glyph.points[faces]
            for k in range(1, corner.shape[1] - 1):
                total += np.einsum("ki,ki->", corner[:, 0], np.cross(corner[:, k], corner[:, k + 1])) / 6
        return total

    assert volume(glyphs.box()) == pytest.approx(1.0)
    assert volume(glyphs.sphere(40, 80)) == pytest.approx(4 / 3 * np.pi, rel=5e-3)  # a polyhedron inside the ball
    assert volume(glyphs.cylinder(200)) == pytest.approx(np.pi, rel=1e-3)
    assert volume(glyphs.cone()) == pytest.approx(0.5 / 3, rel=1e-9)  # a square of diagonal 1, height 1


def test_a_body_with_its_model_is_drawn_with_all_that_the_model_has(machine):
    body = ff.modal.reduce(machine, interface=[1, 11], n_modes=2)
    scene = ff.viewer.scene_of(body, fe=machine, thick_shells=True, stress=True)
    names = [part.name for part in scene.parts]
    assert {"shells", "beams", "masses", "couplings", "springs", "supports", "interface"} == set(names)
    whole = ff.viewer.scene_of(machine, thick_shells=True)
    for ours, theirs in zip(scene.parts, whole.parts, strict=False):  # the marks of the interface come last
        np.testing.assert_array_equal(ours.points, theirs.points)
    # a mode moves a mass as it moves its node
    clip, k = scene.clips[0], names.index("masses")
    rows = body.node_index(machine.node_ids)
    u = body.shapes.reshape(body.nnode, 6, -1)[rows, :, 0]
    moved = scene.positions(scene.state(clip, 0.0))[k][0] - scene.parts[k].points[0]
    node = machine.node_index([machine.point_masses[0].node])[0]
    np.testing.assert_allclose(moved, clip.amplitude[0][0] * u[node, :3], atol=1e-12)
    assert np.linalg.norm(moved) > 1e-3
    # stresses are those of the model bent as the body is, but for the scale and the cut of the brightest
    values, expected = clip.values[0]()[rows], ff.fem.stresses(machine, u).nodal_von_mises()
    known = np.isfinite(expected) & (values < 1.0) & (values > 1e-6)
    np.testing.assert_allclose(expected[known] / values[known], np.nanpercentile(expected, 99.0), rtol=1e-9)


def test_bodies_refuse_other_models_and_thickness_they_do_not_know(machine, body, tmp_path):
    with pytest.raises(ff.ModelError, match="other nodes than model 'machine'"):
        ff.viewer.scene_of(body, fe=machine)
    ff.io.write(tmp_path / "input.fum", ff.modal.reduce(machine, interface=[1, 11], n_modes=1))
    with pytest.raises(ff.ModelError, match=r"does not store the thickness of its shells.*--model FE"):
        ff.viewer.scene_of(ff.io.read(tmp_path / "input.fum"), thick_shells=True)


def test_colours_may_end_below_a_hot_spot():
    """A hundred nodes, one of them a thousand times as much as the others: 98 % of them stay below 1."""
    values = np.append(np.linspace(0.0, 1.0, 99), 1000.0)
    points = np.column_stack((np.arange(100.0), np.zeros((100, 2))))
    line = Part("line", points, lines=np.array([[0, 99]]), anchor=np.arange(100))
    clip = Harmonic("hot", (np.zeros(1),), values=(values,))
    scene = Scene((line,), (Carrier(shapes=np.zeros((1, 100, 3))),), (clip,))
    assert scene.largest(clip) == 1000.0
    assert dataclasses.replace(scene, share=0.98).largest(clip) == pytest.approx(1.0, abs=0.02)


def test_all_modes_are_seen_by_one_camera():
    """Two modes along the bar and across it: each is drawn with the same amplitude, in the same frame."""
    shapes = np.zeros((2, 2, 3))
    shapes[0, 1, 0], shapes[1, 1, 1] = 1.0, 5.0
    bar = Part("bar", np.array([[0.0, 0, 0], [1.0, 0, 0]]), lines=np.array([[0, 1]]), anchor=np.arange(2))
    clips = tuple(Harmonic(f"{k}", (row,)) for k, row in enumerate(np.eye(2)))
    scene = Scene((bar,), (Carrier(shapes=shapes),), clips)
    views = [view(scene.extent(clip, scene.scale(clip)), (1280, 720)) for clip in clips]
    for one, other in zip(*views, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-12)


def test_motion_along_an_axis_is_seen_to_more_than_half():
    for longest in range(3):
        eye, focus, *_ = view(np.array([[0.0, 0, 0], np.eye(3)[longest]]), (1280, 720))
        away = (eye - focus) / np.linalg.norm(eye - focus)
        # what is seen of a unit along each axis
        assert np.sqrt(1.0 - (away**2).max()) > 0.5


def test_largest_number_is_found_among_coloured_parts():
    grey = Part("grey", np.zeros((2, 3)), color="#808080")
    one, other = (Part(name, np.zeros((3, 3))) for name in ("one", "other"))
    scene = Scene((grey, one, other), (Carrier(),))
    values = [np.array([9.0, 9.0]), np.array([np.nan, 1.0, 2.0]), np.array([0.0, 3.0, np.nan])]
    assert scene.peak(values) == (3.0, 2, 1)
    assert scene.peak([np.full(len(v), np.nan) for v in values]) is None
