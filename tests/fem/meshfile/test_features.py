"""Every type of feature does what its builder does; nodes by place."""

from __future__ import annotations

import json
import re
import warnings
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from typer.testing import CliRunner

from floatframe import fem, io, modal
from floatframe.cli.main import application
from floatframe.errors import FloatframeError
from floatframe.fem.meshfile.features import FEATURES
from tests.fem.meshfile.mesh_text import HEAD, PLATE, assert_same, mesh

STEEL = fem.standard_material("S355")
BAR = fem.standard_section("FLAT 10x80")
BARE = fem.plate_grid(2, 1, 4, 2, 0.01, STEEL, name="plate")
LAID = 'section = "FLAT 10x80"\nmaterial = "S355"\n'


def _beams(fe):
    fe, node = fem.with_node(fe, (1, 0.5, 1))
    return fem.with_beams(fe, [13, node], BAR, STEEL, offsets=(0, 0, 0.1))


def _near(fe, *point):
    return fem.node_near(fe, point)


# text of a feature on the plate -> the same by builders
SAME = {
    "ribs": (
        f'on = {{ where = "y == 0.5" }}\n{LAID}orientation = [0, "x + 1", 1]\noffset = [0, 0, "-0.04 - x/100"]',
        lambda: fem.with_ribs(
            BARE,
            lambda p: np.abs(p[:, 1] - 0.5) < 1e-6,
            BAR,
            STEEL,
            lambda p: np.column_stack([0 * p[:, 0], p[:, 0] + 1, 0 * p[:, 0] + 1]),
            lambda p: np.column_stack([0 * p[:, :2], -0.04 - p[:, 0] / 100]),
        ),
    ),
    "beams": (f"points = [[1, 1, 0], [1, 0.5, 1]]\n{LAID}offset = [0, 0, 0.1]", lambda: _beams(BARE)),
    "stiffener": (
        f"a = [0, 0.5, 0]\nb = [2, 0.5, 0]\n{LAID}",
        lambda: fem.with_beams(BARE, [6, 7, 8, 9, 10], BAR, STEEL),
    ),
    "cut": (
        "on = { box = [[0, 0, -1], [0.6, 0.6, 1]] }",
        lambda: fem.cut_openings(BARE, fem.in_box((0, 0, -1), (0.6, 0.6, 1))),
    ),
    "remove": (
        'on = { plane = { normal = "y", value = 0.75 } }',
        lambda: fem.remove_unused_nodes(fem.remove_elements(BARE, [5, 6, 7, 8])),
    ),
    "move": (
        'z = "0.1*x*y"',
        lambda: replace(BARE, nodes=BARE.nodes + [0, 0, 0.1] * BARE.nodes[:, :1] * BARE.nodes[:, 1:2]),
    ),
    "machine": (
        f"mass = 100\nmounts = {{ x = [0.5, 1.5], y = [0, 1], z = 0 }}\nheight = 0.4\n{LAID}",
        lambda: fem.with_machine(
            BARE, "machine", 100, [(0.5, 0, 0), (0.5, 1, 0), (1.5, 0, 0), (1.5, 1, 0)], 0.4, BAR, STEEL
        ),
    ),
    "mass": (
        "at = [1, 0.4, 0]\nmass = 10\ninertia = [1, 2, 3]\noffset = [0, 0, 0.2]",
        lambda: BARE.with_point_mass(8, 10, (1, 2, 3), (0, 0, 0.2)),
    ),
    "masses": (
        "points = [[0, 0, 0], [2, 1, 0]]\ntotal = 10",
        lambda: BARE.with_point_mass(1, 5).with_point_mass(15, 5),
    ),
    "spring": (
        "at = 1\nstiffness = [1, 2, 3, 4, 5, 6]\ndamping = 0",
        lambda: BARE.with_spring(1, stiffness=(1, 2, 3, 4, 5, 6)),
    ),
    "rigid": (
        'reference = 8\nnodes = "xmin"\ncomponents = "ux,uy,uz"',
        lambda: BARE.with_rbe2(8, "xmin", "ux,uy,uz"),
    ),
    "average": ("reference = 8\nnodes = [1, 5, 11]", lambda: BARE.with_rbe3(8, [1, 5, 11])),
    "reference": (
        'nodes = "edges"\nat = [2.5, 0.5, 0]\nkind = "rbe3"',
        lambda: fem.with_reference_node(BARE, "edges", "rbe3", (2.5, 0.5, 0)),
    ),
    "support": ('nodes = "xmin"\ncomponents = "uz, rx"', lambda: BARE.with_support([("xmin", ["uz", "rx"])])),
    "set": ('nodes = "xmin"', lambda: BARE),
    "places": ('points = [[0, 0, 0], [1.9, 0.9, 0]]\neach = "place"', lambda: BARE),
    "element_set": ('on = { x = 0.25 }', lambda: BARE),
}  # fmt: skip


@pytest.mark.parametrize("kind", SAME)
def test_a_feature_is_what_its_builder_makes(kind, tmp_path):
    text, build = SAME[kind]
    read, built = mesh(tmp_path, f'{PLATE}\n[[feature]]\ntype = "{kind}"\n{text}'), build()
    assert_same(read, built)
    assert np.array_equal(read.supports, built.supports)


def test_all_types_are_tried():
    assert SAME.keys() == FEATURES.keys() - {"tie"}  # which needs two parts, see below


SECOND = f"merge = 0\n{PLATE}{PLATE}move = [2, 0, 0]\n"


def test_tied_plates_move_as_merged_ones_do(tmp_path):
    tied = mesh(tmp_path, f'{SECOND}[[feature]]\ntype = "tie"\non = {{ x = 2 }}')
    merged = mesh(tmp_path, SECOND.replace("merge = 0", "merge = 1e-6"))
    assert (tied.nnode, merged.nnode) == (30, 27)
    ours, theirs = (modal.eigenmodes(fe, n=12, fixed=[1, 6, 11]).frequency for fe in (tied, merged))
    assert_allclose(ours, theirs, rtol=1e-8)
    assert_same(tied, fem.tie_nodes(mesh(tmp_path, SECOND), lambda p: np.abs(p[:, 0] - 2) < 1e-6))


def test_a_hinge_lets_the_plates_turn(tmp_path):
    hinged = mesh(tmp_path, f'{SECOND}[[feature]]\ntype = "tie"\non = {{ x = 2 }}\ncomponents = "ux,uy,uz"')
    frequency = modal.eigenmodes(hinged, n=3, fixed=[1, 6, 11]).frequency
    assert frequency[0] < 1e-3 * frequency[1]  # the outer plate swings freely


def test_a_tie_of_nothing_is_a_mistake(tmp_path):
    with pytest.raises(FloatframeError, match="no two nodes stand at one place"):
        mesh(tmp_path, f'{SECOND}[[feature]]\ntype = "tie"\non = {{ x = 1 }}')


PICKS = {
    '"xmin"': [1, 6, 11],
    "7": [7],
    "[7, 9]": [7, 9],
    "{ box = [[0, 0, 0], [0.6, 0.6, 0]] }": [1, 2, 6, 7],
    "{ box = [[-inf, 0.9, 0], [0.6, inf, 0]] }": [11, 12],
    '{ plane = { normal = "x", value = 0.5 } }': [2, 7, 12],
    "{ plane = { normal = [0, 2, 0], value = 1 } }": [11, 12, 13, 14, 15],
    "{ sphere = { centre = [1, 0.5, 0], radius = 0.5 } }": [3, 7, 8, 9, 13],
    "{ cylinder = { a = [0, 0.5, 0], b = [1, 0.5, 0], radius = 0.1 } }": [6, 7, 8],
    "{ nearest = [1.9, 0.9, 0] }": [15],
    "{ nearest = [0, 0, 0], n = 2 }": [1, 2],
    "{ x = [0, 2], y = 0.5 }": [6, 10],
    '{ where = "x == 1/3*6 or x + y < 0.6" }': [1, 2, 5, 6, 10, 15],
    '{ where = "near_edge", y = 0 }': [1, 5],
}


@pytest.mark.parametrize("pick", PICKS)
def test_nodes_by_place(pick, tmp_path):
    text = (
        f'[fields]\nnear_edge = "abs(x - 1) > 0.9"\n{PLATE}\n[[feature]]\ntype = "set"\nname = "here"\nnodes = {pick}'
    )
    assert mesh(tmp_path, text).node_sets["here"].tolist() == PICKS[pick]


def test_places_are_sets_of_their_own(tmp_path):
    fe = mesh(tmp_path, f'{PLATE}\n[[feature]]\ntype = "places"\nname = "feet"\n{SAME["places"][0]}')
    assert fe.node_sets["feet"].tolist() == [1, 15]
    assert fe.node_sets["place 2"].tolist() == [15]


def test_features_follow_one_another(tmp_path):
    """A set of a feature is known to the next, and loops run through all their values."""
    text = f"""{PLATE}
[[feature]]
type = "reference"
name = "left"
nodes = {{ x = 0 }}

[[feature]]
type = "mass"
for = {{ share = [1, 2, 3] }}
when = "share.number != 2"
at = "left_ref"
mass = "10*share"

[[feature]]
type = "element_set"
name = "half"
on = {{ where = "x < 1" }}
"""
    fe = mesh(tmp_path, text)
    assert [mass.mass for mass in fe.point_masses] == [10, 30]
    assert fe.element_sets["half"].tolist() == [1, 2, 5, 6]


@pytest.mark.parametrize(
    "feature",
    [
        'type = "mass"\nat = [PLACE]\nmass = 3\n',
        'type = "set"\nname = "seat"\nnodes = { nearest = [PLACE], n = 2 }\n',
    ],
)
def test_places_far_from_all_nodes_are_said(feature, tmp_path):
    """Millimetres for metres; half an edge of a coarse mesh off is near enough."""
    far, near = ("[[feature]]\n" + feature.replace("PLACE", at) for at in ("1500, 0, 0", "0.25, 0.25, 0"))
    path = tmp_path / "mesh.toml"
    path.write_text(HEAD + PLATE + near, encoding="utf-8")
    assert io.read_with_report(path).report.warnings == ()
    path.write_text(HEAD + PLATE + far, encoding="utf-8")
    # the plate ends at x = 2 m
    words = "the node nearest to (1500, 0, 0) is 5, 1.5e+03 m away from it; check the place, in m"
    assert io.read_with_report(path).report.warnings == (words,)
    with pytest.warns(UserWarning, match=re.escape(words)):
        io.read(path)
    shown = CliRunner().invoke(application(), ["info", str(path), "--json"])
    assert json.loads(shown.stdout)["import"]["warnings"] == [words]


def test_files_read_at_the_same_time_leave_warnings_as_they_were(tmp_path):
    path = tmp_path / "plate.toml"
    path.write_text(HEAD + PLATE, encoding="utf-8")
    before = (list(warnings.filters), warnings.showwarning)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(io.read, [path] * 40))
    assert (warnings.filters, warnings.showwarning) == before
