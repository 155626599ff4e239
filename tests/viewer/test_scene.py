"""Drawn points move with their nodes; only the skin of a solid is drawn."""

from __future__ import annotations

import numpy as np
import pytest

import floatframe as ff
from floatframe.fem import BeamSection, ElementBlock, FEModel, Material

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


def test_rigid_rotation_turns_every_drawn_point():
    # a small rotation w moves a point x by w x x, also the corners of sections on offset arms
    fe, w = slanted_beam(), np.array([0.1, -0.2, 0.3])
    scene = ff.viewer.scene_of(fe)
    nodal = np.hstack([np.cross(w, fe.nodes), np.tile(w, (fe.nnode, 1))])
    np.testing.assert_allclose(scene.motion(nodal), np.cross(w, scene.points), atol=1e-15)


def test_beam_section_has_its_true_size_and_stands_across_the_axis():
    fe = slanted_beam()
    scene = ff.viewer.scene_of(fe)
    axis = np.array([1, 2, 0.5]) / np.linalg.norm([1, 2, 0.5])
    for end in scene.ends[0]:
        corners = scene.points[end]
        sides = np.linalg.norm(np.roll(corners, 1, axis=0) - corners, axis=1)
        np.testing.assert_allclose(np.sort(sides), [0.02, 0.02, 0.05, 0.05], rtol=1e-12)
        np.testing.assert_allclose((corners - corners[0]) @ axis, 0, atol=1e-15)


def test_beams_without_sections_are_lines():
    fe = slanted_beam()
    scene = ff.viewer.scene_of(fe, sections=False)
    np.testing.assert_array_equal(scene.lines, fe.blocks[0].connectivity)
    assert not scene.beams


@pytest.mark.parametrize("n", [1, 2, 5])
def test_only_the_skin_of_a_solid_is_drawn(n):
    (faces,) = ff.viewer.scene_of(cube_row(n)).surfaces
    assert len(faces) == 4 * n + 2


def test_shells_are_drawn_as_they_are():
    fe = ff.fem.plate_grid(1.0, 2.0, nx=3, ny=4, thickness=0.01, material=STEEL)
    scene = ff.viewer.scene_of(fe)
    assert sum(len(group) for group in scene.surfaces) == 12
    assert scene.size == pytest.approx(np.sqrt(5))


def test_empty_blocks_draw_nothing():
    fe = slanted_beam()
    empty = fe.with_block(ElementBlock("beam", np.empty((0, 2), dtype=int), STEEL, fe.blocks[0].section))
    assert len(ff.viewer.scene_of(empty).points) == len(ff.viewer.scene_of(fe).points)
