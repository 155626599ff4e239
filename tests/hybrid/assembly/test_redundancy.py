"""Redundant constraints: found, named, without influence on the motion; rows that only a pose makes dependent stay."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from floatframe import hybrid as h
from floatframe.hybrid.assembly.redundancy import leading_rows

GRAVITY = 9.81


def four_bar(R=None, lengths=(1.0, 2.0, 1.5, 2.0), angles=None, hinge=h.revolute):
    """A planar four-bar in space, turned by R: crank, coupler, rocker, ground; angles of the bars from the x axis."""
    R = np.eye(3) if R is None else R
    angles = closed_angles(1.0, lengths) if angles is None else angles
    crank, coupler, rocker, ground = lengths
    model = h.Model(gravity=R @ (0, -GRAVITY, 0))
    bars = [
        model.add(h.RigidBody(name, 1.0, (0.01, 0.2, 0.2), com=(0.5 * length, 0, 0), rotation=R @ turned(angle)))
        for name, length, angle in zip(("crank", "coupler", "rocker"), lengths[:3], angles, strict=True)
    ]
    origin, far = model.ground.at(rotation=R), model.ground.at(R @ (ground, 0, 0), rotation=R)
    model.add(h.revolute("A", bars[0].at(), origin))
    model.add(h.revolute("B", bars[1].at(), bars[0].at((crank, 0, 0))))
    model.add(h.revolute("D", bars[2].at(), far))
    model.add(hinge("C", bars[1].at((coupler, 0, 0)), bars[2].at((rocker, 0, 0)), cut=True))
    return model


def closed_angles(crank, lengths):
    """Angles of crank, coupler and rocker of a closed four-bar, by the cosine rule."""
    a, b, c, d = lengths
    arm = np.array([a * np.cos(crank) - d, a * np.sin(crank)])  # from the rocker's foot to the crank's end
    reach = np.linalg.norm(arm)
    rocker = np.arctan2(arm[1], arm[0]) - np.arccos((reach**2 + c**2 - b**2) / (2.0 * reach * c))
    along = c * np.array([np.cos(rocker), np.sin(rocker)]) - arm
    return crank, np.arctan2(along[1], along[0]), rocker


def turned(angle):
    return Rotation.from_rotvec((0, 0, angle)).as_matrix()


@pytest.mark.parametrize("seed", [None, 0, 1, 2])
def test_planar_four_bar_in_space(seed):
    """Three of five rows of the closing hinge hold what the other hinges hold, also where nothing is exactly zero."""
    R = None if seed is None else Rotation.random(rng=np.random.default_rng(seed)).as_matrix()
    system = four_bar(R).compile()
    assert (system.ndof, system.nlambda) == (1, 2)
    assert [r.joint for r in system.redundant] == ["C"] * 3
    # a planar hinge has just the two rows that remain
    planar = four_bar(R, hinge=h.point_on_line).compile()
    assert planar.redundant == ()
    np.testing.assert_allclose(
        system.accelerations(system.start)[0], planar.accelerations(planar.start)[0], rtol=1e-9, atol=1e-9
    )


def test_numbers_of_redundant_rows():
    """Rows are counted within their joint: 1 to 3 close the point, 4 and 5 the directions."""
    system = four_bar().compile()
    # in the plane of the world the third row and both directions are left over
    assert [(r.joint, r.row) for r in system.redundant] == [("C", 3), ("C", 4), ("C", 5)]
    assert system.row_names == ("C", "C")


def test_doubly_held_door():
    """Two hinges on one line: the second adds five rows that say nothing new; the door turns as with one."""
    doors = []
    for hinges in (1, 2):
        model = h.Model(gravity=(2.0, 0.0, -GRAVITY))
        door = model.add(h.RigidBody("door", 30.0, (5, 7, 3), com=(0.1, 0.5, 1.0)))
        for k in range(hinges):
            model.add(h.revolute(f"hinge{k + 1}", door.at((0, 0, 0.4 + k)), model.ground.at((0, 0, 0.4 + k))))
        doors.append(model.compile())
    single, double = doors
    assert double.ndof == single.ndof == 1
    assert [r.joint for r in double.redundant] == ["hinge2"] * 5
    assert double.accelerations(double.start)[0] == pytest.approx(single.accelerations(single.start)[0], rel=1e-12)
    # weight along x at an arm of 0.5 across it
    assert single.accelerations(single.start)[0] == pytest.approx([-30.0 * 2.0 * 0.5 / (3.0 + 30.0 * 0.26)], rel=1e-12)


def test_a_joint_given_twice_with_cut():
    """Both hinges cut: five of ten rows follow from the others, one dof remains."""
    model = h.Model(gravity=(2.0, 0.0, -GRAVITY))
    door = model.add(h.RigidBody("door", 30.0, (5, 7, 3), com=(0.1, 0.5, 1.0)))
    for k in range(2):
        place = (0, 0, 0.4 + k)
        model.add(h.revolute(f"hinge{k + 1}", door.at(place), model.ground.at(place), cut=True))
    system = model.compile()
    assert (system.nv, system.nlambda, len(system.redundant)) == (6, 5, 5)
    a, _ = system.accelerations(system.start)
    assert a[5] == pytest.approx(-30.0 * 2.0 * 0.5 / (3.0 + 30.0 * 0.26), rel=1e-10)


@pytest.mark.parametrize("start", [0.0, np.pi])
def test_slider_crank_at_dead_centre_with_driven_slider(start):
    """Only there the drive's row depends on the loop's: it must stay."""
    model = h.Model()
    crank = model.add(h.RigidBody("crank", 1.0, (0.1, 0.1, 0.1), rotation=turned(start)))
    rod = model.add(h.RigidBody("rod", 1.0, (0.1, 0.1, 0.1), rotation=np.eye(3), com=(1, 0, 0)))
    slider = model.add(h.RigidBody("slider", 1.0, (0.1, 0.1, 0.1), position=(2 + np.cos(start), 0, 0)))
    model.add(h.revolute("A", crank.at(), model.ground.at()))
    model.add(h.revolute("B", rod.at(), crank.at((1, 0, 0))))
    model.add(h.prismatic("S", slider.at(), model.ground.at(), axis=(1, 0, 0)))
    model.add(h.point_on_line("C", rod.at((2, 0, 0)), slider.at(), cut=True))
    # inwards from the outer dead centre, outwards from the inner one
    x = 2 + np.cos(start)
    model.add(h.motion("drive", "S", f"{x} - ({np.cos(start)})*0.3*sin(t)^2"))
    system = model.compile()
    assert system.redundant == ()
    assert system.nlambda == 3


def test_flat_parallelogram_keeps_its_rows():
    """A parallelogram that lies flat at the start has a hinge row fewer there, and only there."""
    upright = four_bar(lengths=(1, 2, 1, 2), angles=(1.0, 0.0, 1.0)).compile()
    flat = four_bar(lengths=(1, 2, 1, 2), angles=(0.0, 0.0, 0.0)).compile()
    assert np.linalg.matrix_rank(flat.constraint_jacobian(flat.start), tol=1e-9) == 1
    assert flat.nlambda == upright.nlambda == 2
    assert np.isfinite(flat.accelerations(flat.start)[0]).all()


def test_rows_of_rounding_are_dependent():
    """A row of 1e-16 beside rows of one is rounding, however it is directed; a short but true row counts."""
    rng = np.random.default_rng(0)
    G = rng.normal(size=(3, 6))
    rows = np.vstack((G, 1e-16 * rng.normal(size=6), G[0] + G[1], 1e-3 * rng.normal(size=6)))
    assert len(leading_rows(rows)) == 4
    assert set(leading_rows(rows)) >= {5}
    assert 3 not in leading_rows(rows)
