"""Thin-walled profiles with unequal walls: moments of strips, limits that are standard profiles, and a shell model."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.errors import ModelError, ReadError
from floatframe.fem import RBE2, BeamSection, FEModel, Material, shell_mesh
from floatframe.io.deck import profiles

SYMBOLS = ("A", "Iy", "Iz", "Iyz", "ky", "kz")
NEAR = 1.0 + 1e-7  # as good as equal, but not for the test of equality


def strips(rectangles, n=400):
    """Return area, centroid and the tensor of second moments of rectangles cut into n by n pieces."""
    points, weights = [], []
    for y0, y1, z0, z1 in rectangles:
        y, z = np.meshgrid(*(a + (np.arange(n) + 0.5) / n * (b - a) for a, b in ((y0, y1), (z0, z1))))
        points.append(np.column_stack([y.ravel(), z.ravel()]))
        weights.append(np.full(y.size, (y1 - y0) * (z1 - z0) / y.size))
    x, w = np.concatenate(points), np.concatenate(weights)
    centroid = w @ x / w.sum()
    x = x - centroid
    return w.sum(), centroid, x.T @ (w[:, None] * x)


def test_box_with_four_walls_has_the_moments_of_its_strips():
    drawn = profiles.hollow_rectangle(0.1, 0.2, right=0.005, top=0.004, left=0.002, bottom=0.008, name="box")
    rectangles = [(-0.05, 0.05, 0.096, 0.1), (-0.05, 0.05, -0.1, -0.092)]
    rectangles += [(-0.05, -0.048, -0.092, 0.096), (0.045, 0.05, -0.092, 0.096)]
    area, centroid, tensor = strips(rectangles)
    section = drawn.section
    # midpoint sums over 400 strips: 1 / 400^2 of the own moment of each wall
    assert_allclose([section.A, section.Iz, section.Iy, section.Iyz],
                    [area, tensor[0, 0], tensor[1, 1], tensor[0, 1]], rtol=1e-5)  # fmt: skip
    assert_allclose(drawn.centroid, centroid, rtol=1e-9)


def test_unequal_profiles_reach_the_equal_ones():
    pairs = [
        (profiles.hollow_rectangle(0.1, 0.2, 0.005, 0.008, 0.005 * NEAR, 0.008, ""),
         BeamSection.box(0.1, 0.2, 0.005, 0.008)),
        (profiles.i_section(0.1, 0.1 * NEAR, 0.2, 0.01, 0.01, 0.006, ""), BeamSection.i_section(0.1, 0.2, 0.006, 0.01)),
        (profiles.channel(0.1, 0.1 * NEAR, 0.2, 0.01, 0.01, 0.006, ""), BeamSection.channel(0.1, 0.2, 0.006, 0.01)),
    ]  # fmt: skip
    for drawn, equal in pairs:
        for symbol in SYMBOLS:
            assert getattr(drawn.section, symbol) == pytest.approx(getattr(equal, symbol), rel=1e-6, abs=1e-12)
        assert_allclose(drawn.section.shear_centre, equal.shear_centre, atol=1e-7)
        # junctions and ends of walls change by up to 5 % the torsion of the standard open profiles
        assert pytest.approx(equal.J, rel=0.05) == drawn.section.J


def test_box_without_one_wall_is_a_channel():
    box = profiles.hollow_rectangle(0.025, 0.05, right=1e-9, top=0.003, left=0.003, bottom=0.003, name="")
    channel = BeamSection.channel(0.025, 0.05, 0.003, 0.003)
    for symbol in SYMBOLS:
        # the flanges reach to the middle of the wall that is not there
        assert getattr(box.section, symbol) == pytest.approx(getattr(channel, symbol), rel=1e-4, abs=1e-15)
    assert_allclose(box.section.shear_centre, channel.shear_centre, atol=1e-6)


def test_chain_of_walls_round_a_cell_is_a_thin_tube():
    n, radius, wall = 720, 0.1, 0.001
    angle = 2.0 * np.pi * np.arange(n + 1) / n
    points = list(zip((radius * np.cos(angle)).tolist(), (radius * np.sin(angle)).tolist(), strict=True))
    points[-1] = points[0]
    section = profiles.polygon(points, [wall] * n, "").section
    tube = BeamSection.tube(2 * radius + wall, wall)
    for symbol in ("A", "Iy", "Iz", "J"):
        assert getattr(section, symbol) == pytest.approx(getattr(tube, symbol), rel=2e-4)  # (wall / radius)^2, 1 / n^2
    assert section.ky == pytest.approx(0.5, rel=1e-3)  # thin ring
    assert_allclose(section.shear_centre, 0.0, atol=1e-9)


def test_shear_centre_of_a_box_with_four_walls_by_shells():
    """A shell cantilever with the same walls: twist per force over twist per moment is the arm to the shear centre."""
    b, h, length, n, m = 0.1, 0.06, 1.2, 6, 48
    right, top, left, bottom = 0.002, 0.004, 0.006, 0.003
    rim = [(b / 2 - b * k / n, h / 2, top) for k in range(n)]
    rim += [(-b / 2, h / 2 - h * k / n, left) for k in range(n)]
    rim += [(-b / 2 + b * k / n, -h / 2, bottom) for k in range(n)]
    rim += [(b / 2, -h / 2 + h * k / n, right) for k in range(n)]
    count = len(rim)
    xyz = np.array([(length * i / m, y, z) for i in range(m + 1) for y, z, _ in rim])
    quads = np.array([(i * count + k, i * count + (k + 1) % count, (i + 1) * count + (k + 1) % count,
                       (i + 1) * count + k) for i in range(m) for k in range(count)])  # fmt: skip
    steel = Material(2.1e11, 0.3, 7850.0)
    walls = shell_mesh(xyz, quads, thickness=0.001, material=steel)
    thickness = np.array([wall for _ in range(m) for _, _, wall in rim])
    block = walls.blocks[0]
    block = type(block)(block.kind, block.connectivity, steel, block.section, {"thickness": thickness})
    tip, last = len(xyz) + 1, np.arange(m * count + 1, (m + 1) * count + 1)
    fe = FEModel(np.vstack([xyz, [length, 0, 0]]), (block,), couplings=(RBE2(tip, last.tolist()),))
    root = list(range(1, count + 1))
    turn = {
        load: ff.modal.solve_static(fe, loads={(tip, load): 1.0}, fixed=root)[tip - 1, 3] for load in ("uy", "uz", "rx")
    }
    # a force along z at y = 0 turns by -e_y, one along y at z = 0 by +e_z
    found = np.array([-turn["uz"], turn["uy"]]) / turn["rx"]
    drawn = profiles.hollow_rectangle(b + (right + left) / 2, h + (top + bottom) / 2, right, top, left, bottom, "box")
    # the drawing is about the outer rectangle, the shells about the middle lines
    shift = np.array([(right - left) / 4, (top - bottom) / 4])
    expected = np.array(drawn.centroid) + drawn.section.shear_centre + shift
    assert np.abs(expected).min() > 1e-3
    assert_allclose(found, expected, rtol=0.01)  # 0.4 % measured; ends held against warping
    # and the cell twists like Bredt's
    G = steel.G
    assert turn["rx"] == pytest.approx(length / (G * drawn.section.J), rel=0.03)


def test_impossible_profiles_are_named():
    with pytest.raises(ModelError, match=r"'b': the four walls do not fit into 0.1 by 0.2"):
        profiles.hollow_rectangle(0.1, 0.2, 0.06, 0.01, 0.05, 0.01, "b")
    with pytest.raises(ModelError, match="a wall has no length or no thickness"):
        profiles.polygon([(0, 0), (1, 0), (1, 0)], [0.1, 0.1], "p")
    with pytest.raises(ModelError, match="its walls lie on one line"):
        profiles.polygon([(0, 0), (1, 0), (2, 0)], [0.1, 0.1], "p")


DECK = """*NODE
1
2, 1.
*ELEMENT, TYPE=B31, ELSET=E
1,1,2
*BEAM SECTION, ELSET=E, SECTION={}, MATERIAL=M
{}
0,1,0
*MATERIAL, NAME=M
*ELASTIC
2e11,.3
*DENSITY
7850.
"""


def deck(tmp_path, shape, data):
    (tmp_path / "d.inp").write_text(DECK.format(shape, data))
    block = ff.io.read(tmp_path / "d.inp").blocks[0]
    return block.section, block.data.get("offsets", np.zeros((1, 2, 3)))[0, 0]


@pytest.mark.parametrize(
    ("shape", "data", "drawn"),
    [
        ("BOX", ".1,.2,.005,.004,.002,.008", profiles.hollow_rectangle(0.1, 0.2, 0.005, 0.004, 0.002, 0.008, "")),
        ("L", ".1,.2,.01,.008", profiles.angle(0.1, 0.2, 0.01, 0.008, "")),
        ("I", ".05,.2,.1,.06,.01,.02,.006", profiles.i_section(0.1, 0.06, 0.2, 0.01, 0.02, 0.006, "")),
        ("I", "0.,.2,.1,0.,.01,0.,.006", profiles.i_section(0.1, 0.0, 0.2, 0.01, 0.0, 0.006, "")),
        ("ARBITRARY", "2,0.,0.,.1,0.,.004\n.1,.2,.003",
         profiles.polygon([(0, 0), (0.1, 0), (0.1, 0.2)], [0.004, 0.003], "")),
    ],
)  # fmt: skip
def test_abaqus_sections_have_their_centroid_off_the_node(tmp_path, shape, data, drawn):
    """n1 is y and n2 is z of the model, the origin of each profile that of its card."""
    section, arm = deck(tmp_path, shape, data)
    for symbol in (*SYMBOLS, "J"):
        assert getattr(section, symbol) == pytest.approx(getattr(drawn.section, symbol), rel=1e-12)
    assert section.shear_centre == pytest.approx(drawn.section.shear_centre)
    origin = {"L": (0.004, 0.005), "I": (0.0, float(data.split(",")[0]))}.get(shape, (0.0, 0.0))
    assert_allclose(arm, [0.0, *(np.array(drawn.centroid) - origin)], atol=1e-15)


def test_hexagon(tmp_path):
    section, _ = deck(tmp_path, "HEX", ".1,.002")
    assert pytest.approx(6 * 0.1 * 0.002) == section.A
    assert section.Iy == pytest.approx(section.Iz)
    assert section.Iy == pytest.approx(0.002 * 0.1**3 * 2.5, rel=1e-3)  # 5/2 t a^3, thin walls
    assert pytest.approx(4 * (1.5 * math.sqrt(3) * 0.01) ** 2 * 0.002 / 0.6, rel=1e-3) == section.J


def test_walls_that_do_not_follow_are_missed(tmp_path):
    with pytest.raises(ReadError, match=r"line 6: .*ARBITRARY announces 4 walls, which do not follow"):
        deck(tmp_path, "ARBITRARY", "4,0.,0.,.1,0.,.004\n.1,.2,.003")
