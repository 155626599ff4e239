"""Bonded contact pairs of ANSYS decks: two bricks on one another move as one."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.errors import ReadError
from floatframe.fem import Material, solid_box

STEEL = Material(2.1e11, 0.3, 7850.0)
BONDED = "KEYOPT,2,12,5\n"


def elements(rows):
    return "".join("E," + ",".join(map(str, row)) + "\n" for row in rows)


def commands(fe, start, below):
    """Return N and E commands of a brick, and the rows of nodes of its faces at this height."""
    text = "".join(
        f"N,{n + start},{x!r},{y!r},{z!r}\n" for n, (x, y, z) in zip(fe.node_ids, fe.nodes.tolist(), strict=True)
    )
    cells = fe.node_ids[fe.blocks[0].connectivity] + start
    text += elements(cells.tolist())
    flat = np.abs(fe.nodes[:, 2] - below) < 1e-12
    faces = []
    for face in fe.blocks[0].element.faces:
        rows = fe.blocks[0].connectivity[:, list(face)]
        faces += (fe.node_ids[rows[flat[rows].all(axis=1)]] + start).tolist()
    return text, faces


def stacked(tmp_path, lower, upper, keys=BONDED, gap=0.0, both_ways=False, reals="", triangles=False, **options):
    """Return the import of two bricks 0.3 x 0.2 x 0.1, the upper one bonded to the lower."""
    below, faces = commands(solid_box((0.3, 0.2, 0.1), lower, material=STEEL), 0, 0.1)
    box = solid_box((0.3, 0.2, 0.1), upper, material=STEEL, origin=(0.0, 0.0, 0.1 + gap))
    above, others = commands(box, 1000, 0.1 + gap)
    head = "/PREP7\nET,1,185\nKEYOPT,1,2,3\nMP,EX,1,2.1e11\nMP,PRXY,1,.3\nMP,DENS,1,7850\n"
    if triangles:
        faces = [part for a, b, c, d in faces for part in ([a, b, c, c], [a, c, d, d])]

    def pair(real, contact, target):
        text = f"R,{real},{reals}\nTYPE,2\nREAL,{real}\n" + "".join(
            "E," + ",".join(map(str, row)) + "\n" for row in contact
        )
        return text + "TYPE,3\n" + "".join("E," + ",".join(map(str, row)) + "\n" for row in target)

    deck = f"{head}TYPE,1\n{below}{above}ET,2,174\nET,3,170\n{keys}{pair(5, others, faces)}"
    deck += pair(6, faces, others) if both_ways else ""
    (tmp_path / "deck.cdb").write_text(deck)
    return ff.io.read_with_report(tmp_path / "deck.cdb", **options)


def frequencies(fe, n=9):
    return ff.modal.eigenmodes(fe, n=n).frequency


@pytest.mark.parametrize("both_ways", [False, True])
def test_meshes_that_match_are_one(tmp_path, both_ways):
    fe = stacked(tmp_path, (3, 2, 1), (3, 2, 1), both_ways=both_ways).model
    whole = solid_box((0.3, 0.2, 0.2), (3, 2, 2), material=STEEL)
    assert fe.ndof == whole.ndof
    assert_allclose(frequencies(fe)[6:], frequencies(whole)[6:], rtol=1e-9)  # two ways to one pencil


@pytest.mark.parametrize(
    ("gap", "reals", "triangles"), [(0.0, "", True), (0.01, "", False), (0.06, ",,,,,-0.07", False)]
)
def test_gaps_inside_the_pinball_are_bridged_without_strain(tmp_path, gap, reals, triangles):
    result = stacked(tmp_path, (3, 2, 1), (4, 3, 1), gap=gap, reals=reals, triangles=triangles)
    found = frequencies(result.model)
    assert found[5] < 1e-4 * found[6]  # six rigid motions, zero but for round-off
    assert "contact pair 5: 20 nodes of 'contact' follow" in " ".join(result.report.warnings)


def test_surfaces_outside_the_pinball_are_lost(tmp_path):
    with pytest.raises(ReadError, match="contact pair 5: no node is near the target"):
        stacked(tmp_path, (3, 2, 1), (3, 2, 1), gap=0.06)


def test_without_separation_the_surfaces_slide(tmp_path):
    fe = stacked(tmp_path, (3, 2, 1), (3, 2, 1), keys="KEYOPT,2,12,4\n").model
    found = frequencies(fe, 10)
    # in the plane of the surfaces each brick has two shifts and a turn of its own: three rigid motions more
    assert found[8] < 1e-4 * found[9]


@pytest.mark.parametrize("labels", ["", ",0.2,UX,UY,UZ"])
def test_ceintf_joins_meshes_that_do_not_match(tmp_path, labels):
    """A bar of one brick below four: pulled by 1 N on 1 m², it is 2 m / E longer, as if it were one piece."""
    text = "/PREP7\nET,1,185\nMP,EX,1,1e6\nMP,PRXY,1,0\nMP,DENS,1,1\n"
    text += "".join(f"N,{k + 1},{x},{y},{z}\n" for k, (z, y, x) in enumerate(itertools.product((0, 1), repeat=3)))
    text += "E,1,2,4,3,5,6,8,7\n"
    fine = list(itertools.product((1, 2), (0, 0.5, 1), (0, 0.5, 1)))
    text += "".join(f"N,{11 + k},{x},{y},{z}\n" for k, (z, y, x) in enumerate(fine))
    for first in (11, 12, 14, 15):
        low = [first, first + 1, first + 4, first + 3]
        text += "E," + ",".join(map(str, [*low, *(n + 9 for n in low)])) + "\n"
    text += f"NSEL,S,NODE,,11,19\nESEL,S,ELEM,,1\nCEINTF{labels}\nALLSEL\nD,1,ALL,,,4\n"
    path = tmp_path / "deck.dat"
    path.write_text(text)
    shares = np.outer([1, 2, 1], [1, 2, 1]).ravel() / 16
    u = ff.modal.solve_static(ff.io.read(path), loads={(20 + k, "uz"): share for k, share in enumerate(shares)})
    assert_allclose(u[-9:, 2], 2e-6, rtol=1e-9)
