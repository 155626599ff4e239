"""*MPC, *COUPLING, *DISTRIBUTING COUPLING and *RIGID BODY: what they leave free and what they forbid."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.errors import ReadError
from tests.io.abaqus.coupled_bar import BAR, MOTIONS, PILOT, SIZE, TOP, deck, rigid, violation
from tests.io.abaqus.decks import read

EDGE = BAR.node_ids[(BAR.nodes[:, 0] < 1e-9) & (BAR.nodes[:, 1] < 1e-9)]


CROOKED = [
    lambda x: np.r_[x[2] ** 3, x[2] ** 3, x[0] * x[1], 0, 0, 0],
    lambda x: np.r_[0, x[0] ** 2 * x[2], x[1] ** 2 + x[2], 0, 0, 0],
]


@pytest.mark.parametrize(
    "card",
    [
        "PLANE, TOP",
        "PLANE, " + ", ".join(map(str, TOP)),
        "STRAIGHT, " + ", ".join(map(str, EDGE)),
        f"SLIDER, {EDGE[1]}, {EDGE[0]}, {EDGE[-1]}",
        f"LINEAR, {EDGE[1]}, {EDGE[0]}, {EDGE[-1]}",
        f"QUADRATIC, {EDGE[1]}, {EDGE[0]}, {EDGE[2]}, {EDGE[-1]}",
        f"BILINEAR, {TOP[4]}, {TOP[0]}, {TOP[2]}, {TOP[8]}, {TOP[6]}",
        f"LINK, {TOP[0]}, {EDGE[0]}",
    ],
)
def test_constraints_leave_rigid_motions_alone_and_forbid_others(tmp_path, card):
    fe = read(tmp_path, deck(f"*MPC\n{card}\n", held=""))
    for motion in MOTIONS:
        assert violation(fe, motion) < 1e-12  # round-off of a few terms of size 1
    assert max(violation(fe, field) for field in CROOKED) > 1e-3


@pytest.mark.parametrize("axis", [(0.0, 0.0, 2.0), (1.0, 1.0, 0.0)])
def test_mean_rotation_is_that_of_a_rigid_turn(tmp_path, axis):
    nodes = ", ".join(f"{n}, {n}, {n}" for n in TOP[:3]) + ",\n0, " + ", ".join(f"{n}, {n}, {n}" for n in TOP[3:])
    fe = read(tmp_path, deck(f"*MPC\nMEANROT, {nodes}, {PILOT}\n", at=axis, held=""))
    unit = np.array(axis) / np.sqrt(np.dot(axis, axis))
    for turn in (unit, np.cross(unit, (0.3, 0.5, 0.2))):

        def motion(x, turn=turn):
            return rigid((0.1, 0.2, 0.3), turn)(x)

        motion.pilot = lambda turn=turn: np.r_[turn @ unit, 0, 0, 0, 0, 0]
        assert violation(fe, motion) < 1e-12  # round-off
    assert violation(fe, MOTIONS[1]) > 1e-3  # the pilot does not show that turn


@pytest.mark.parametrize("goes_on", ["0, ", ""])
def test_a_held_mean_rotation_stops_the_torsion(tmp_path, goes_on):
    """Abaqus begins further lines with 0, CalculiX with the next node."""
    nodes = ", ".join(f"{n}, {n}, {n}" for n in TOP)
    lines = nodes.split(", ")
    cards = "*MPC\nMEANROT, " + ", ".join(lines[:12]) + f",\n{goes_on}" + ", ".join(lines[12:]) + f", {PILOT}\n"
    free = ff.modal.eigenmodes(read(tmp_path, deck("")), n=6).frequency
    held = ff.modal.eigenmodes(
        read(tmp_path, deck(cards + f"*BOUNDARY\n{PILOT},1\n", at=(0.0, 0.0, 1.0))), n=6
    ).frequency
    # bending is that of the free bar, the first torsion (third) is gone: it comes back higher
    assert_allclose(held[:4], free[[0, 1, 3, 4]], rtol=1e-6)
    assert not np.isclose(held, free[2], rtol=1e-2).any()


def test_distance_holds_only_when_it_is_reached(tmp_path):
    def couplings(limit):
        nodes = f"{EDGE[0]}, {EDGE[0]}, {EDGE[0]}, {EDGE[-1]}, {EDGE[-1]}, {EDGE[-1]}, {PILOT}"
        return len(read(tmp_path, deck(f"*MPC\nDIST, {nodes}\n", at=(limit, 0.0, 0.0), held="")).couplings)

    assert couplings(1.1) == 0
    assert couplings(1.0) == 1


def test_unknown_constraints_are_lost_by_name(tmp_path):
    text = deck(f"*MPC\nREVOLUTE, {TOP[0]}, {TOP[1]}, {TOP[2]}\n")
    with pytest.raises(ReadError, match=r"\*MPC REVOLUTE .*write it as \*EQUATION"):
        read(tmp_path, text)
    assert read(tmp_path, text, drop=("MPC",)).nnode == BAR.nnode + 1


def test_the_weight_of_a_distributing_coupling_is_the_area(tmp_path):
    fe = read(tmp_path, deck(f"*COUPLING, REF NODE={PILOT}, SURFACE=FACE\n*DISTRIBUTING\n"))
    weights = dict(zip(fe.couplings[0].averaged, fe.couplings[0].weights, strict=True))
    # four bricks: a corner has a quarter of a face, the middle node four of them
    assert_allclose(weights[int(TOP[4])] / weights[int(TOP[0])], 4.0, rtol=1e-12)
    assert_allclose(sum(weights.values()), SIZE[0] * SIZE[1], rtol=1e-12)


@pytest.mark.parametrize("rotations", ["", "4,6\n"])
def test_released_rotations_of_a_coupling_do_not_follow(tmp_path, rotations):
    fe = read(tmp_path, deck(f"*COUPLING, REF NODE={PILOT}, SURFACE=FACE\n*DISTRIBUTING\n1,3\n{rotations}", held=""))
    for motion in MOTIONS:
        assert violation(fe, motion) < 1e-12  # round-off

    def turned_alone(x):
        return np.r_[0, 0, 0, 0, 0, 0]

    turned_alone.pilot = lambda: np.r_[0, 0, 0, 0, 0, 1.0]
    assert (violation(fe, turned_alone) > 0.5) == bool(rotations)


@pytest.mark.parametrize(
    ("system", "points"), [("RECTANGULAR", "1,1,0,-1,1,0"), ("CYLINDRICAL", "0.1,0.1,0,0.1,0.1,1")]
)
def test_kinematic_couplings_hold_along_their_own_axes(tmp_path, system, points):
    ring = [n for n in TOP.tolist() if n != TOP[4]]
    cards = "*SURFACE, NAME=RING, TYPE=NODE\n" + "".join(f"{n},\n" for n in ring)
    cards += f"*ORIENTATION, NAME=AXES, SYSTEM={system}\n{points}\n"
    cards += f"*COUPLING, REF NODE={PILOT}, SURFACE=RING, ORIENTATION=AXES\n*KINEMATIC\n1,1\n"
    fe = read(tmp_path, deck(cards, held=""))
    for motion in MOTIONS:
        assert violation(fe, motion) < 1e-12  # round-off
    along = {"RECTANGULAR": lambda x: (1, 1, 0), "CYLINDRICAL": lambda x: (x[0] - 0.1, x[1] - 0.1, 0)}[system]
    across = {"RECTANGULAR": lambda x: (-1, 1, 0), "CYLINDRICAL": lambda x: (0.1 - x[1], x[0] - 0.1, 0)}[system]
    for direction, forbidden in ((along, True), (across, False)):

        def field(x, direction=direction):
            return np.r_[direction(x), 0, 0, 0]

        field.pilot = lambda: np.zeros(6)
        assert (violation(fe, field) > 1e-2) == forbidden


def test_distributing_elements_of_the_two_programs(tmp_path):
    cards = f"*ELEMENT, TYPE=DCOUP3D, ELSET=D\n99, {PILOT}\n*DISTRIBUTING COUPLING, ELSET=D\nTOP, 1.\n"
    turn = rigid((0, 0, 0), (0, 0, 1.0))
    far = deck(cards, at=(0.6, 0.1, 1.0), held="")
    assert violation(read(tmp_path, far), turn) < 1e-12  # Abaqus: the node turns with the others
    calculix = read(tmp_path, far, dialect="calculix")

    def mean_only(x):
        return turn(x)

    mean_only.pilot = lambda: np.r_[np.cross((0, 0, 1.0), (0.1, 0.1, 1.0)), 0, 0, 0]
    assert violation(calculix, mean_only) < 1e-12  # CalculiX: it has their mean translation, wherever it stands
    assert violation(calculix, turn) > 0.4


def test_two_nodes_of_solids_on_a_rigid_beam_keep_their_distance(tmp_path):
    fe = read(tmp_path, deck(f"*MPC\nBEAM, {TOP[0]}, {TOP[8]}\n"))
    link = read(tmp_path, deck(f"*MPC\nLINK, {TOP[0]}, {TOP[8]}\n"))
    # bricks have no rotations: the turn of the pair about its line moves nothing, so no more is held than by a link
    assert_allclose(
        ff.modal.eigenmodes(fe, n=4).frequency, ff.modal.eigenmodes(link, n=4).frequency, rtol=1e-7
    )  # two ways to one pencil


@pytest.mark.parametrize("cards", ["1, 3\n", f"1, 4\n*BOUNDARY\n{PILOT}, 1\n"])
def test_distributing_along_some_components_has_dofs_of_its_own(tmp_path, cards):
    # no element holds the reference node: its dofs exist through the mean alone
    cards = f"*COUPLING, REF NODE={PILOT}, SURFACE=FACE, CONSTRAINT NAME=C\n*DISTRIBUTING\n{cards}"
    fe = read(tmp_path, deck(cards, at=(0.1, 0.1, 1.2)))
    assert fe.stiffness().shape[0] >= 3 * (BAR.nnode - 9)
