"""Mechanisms whose kept constraint rows become singular on the way: other rows are kept from there on."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from floatframe import hybrid as h
from floatframe.hybrid.assembly.redundancy import rows_for_pose, with_rows

TWISTS = np.radians((60.0, 40.0))
START = 0.7  # rad, of the first hinge


def hinge_to_hinge(angle, length, twist):
    """Pose (4, 4) of the next hinge of a chain: turned about z, moved and twisted along the new x."""
    c, s, ct, st = np.cos(angle), np.sin(angle), np.cos(twist), np.sin(twist)
    return np.array([[c, -s * ct, s * st, length * c], [s, c * ct, -c * st, length * s], [0, st, ct, 0], [0, 0, 0, 1]])


def bennett():
    """Bennett's linkage of four hinges: opposite links alike, lengths in the ratio of the sines of the twists.

    Its angles obey tan(a1/2) tan(a2/2) = const, a3 = -a1, a4 = -a2; it passes the pose where all links lie in line.
    Five rows of the hinge that closes it hold two motions only.
    """
    lengths = np.array((1.0, np.sin(TWISTS[1]) / np.sin(TWISTS[0])))
    ratio = np.sin(0.5 * (TWISTS[1] + TWISTS[0])) / np.sin(0.5 * (TWISTS[1] - TWISTS[0]))
    second = 2.0 * np.arctan(ratio / np.tan(0.5 * START))
    hinges = [np.eye(4)]
    for k, angle in enumerate((START, second, -START)):
        hinges.append(hinges[-1] @ hinge_to_hinge(angle, lengths[k % 2], TWISTS[k % 2]))
    model = h.Model(gravity=(2.0, -3.0, -9.81))
    before, origin = model.ground, np.zeros(3)
    for k in range(3):
        here, there = hinges[k][:3, 3], hinges[k + 1][:3, 3]
        link = model.add(h.RigidBody(f"l{k}", 1.0 + k, (0.05, 0.06, 0.07), com=0.5 * (there - here), position=here))
        model.add(h.revolute(f"J{k}", link.at(), before.at(here - origin), axis=hinges[k][:3, 2]))
        before, origin = link, here
    end = hinges[3][:3, 3]
    model.add(h.revolute("J3", before.at(end - origin), model.ground.at(end), axis=hinges[3][:3, 2]))
    return model.compile(), second


@pytest.fixture(scope="module")
def linkage():
    return bennett()


def relation(second, result):
    """Bennett's relation, free of poles: how far the angles are from it."""
    a, b = 0.5 * (START + result["J0.angle"]), 0.5 * (second + result["J1.angle"])
    constant = np.tan(0.5 * START) * np.tan(0.5 * second)
    return np.abs(np.sin(a) * np.sin(b) - constant * np.cos(a) * np.cos(b)).max()


@pytest.mark.parametrize(
    ("method", "settings", "energy"),
    [
        # J; on the way measured at 1e-8 to 2e-7, through singular rows at 2e-4; generalised-alpha of order 2 at 2e-6
        ("rk45", {"rtol": 1e-9}, 1e-6),
        ("rk45", {"rtol": 1e-11}, 1e-6),
        ("auto", {"rtol": 1e-8}, 1e-6),
        ("scipy:DOP853", {"rtol": 1e-9}, 1e-6),
        ("generalised-alpha", {"step": 1e-3}, 1e-5),
    ],
)
def test_linkage_through_its_flat_pose(linkage, method, settings, energy):
    """At 0.7 s the two rows kept at the start are one; the run goes on with two others, and no joint opens."""
    system, second = linkage
    assert len(system.redundant) == 3
    result = system.simulate(t_end=1.5, method=method, **settings)
    assert result.status.ok, result.status
    assert (START + result["J0.angle"]).min() < -0.1  # it went through
    # over all rows; a joint that is closed to less is not closed
    assert result.statistics["constraint_drift"].max() < 1e-9
    assert relation(second, result) < 1e-9
    assert np.ptp(result["energy.total"]) < energy


def test_drift_is_that_of_all_rows(linkage):
    """A joint that is open in the rows left out only is reported."""
    system, _ = linkage
    # along the free motion of the other pair of rows the first three rows of J3, left out here, open
    other = with_rows(system, (3, 4))
    state = system.move(other.start, 1e-3 * np.linalg.svd(other.constraint_jacobian(other.start))[2][0])
    result = other.simulate(state, t_end=1e-3, method="rk4", step=1e-3)
    place = result["l2.position"][0] + Rotation.from_quat(result["l2.rotation"][0], scalar_first=True).apply(
        np.array(system.model.joints[3].a.point)
    )
    gap = np.abs(place - np.asarray(system.model.joints[3].b.point)).max()
    assert gap > 1e-4
    assert result.statistics["constraint_drift"][0] >= gap * (1 - 1e-12)
    assert np.abs(other.constraints(state)).max() < result.statistics["constraint_drift"][0]


def test_other_rows_give_the_same_accelerations(linkage):
    system, _ = linkage
    other, state = rows_for_pose(system, system.start)
    assert other.nlambda == system.nlambda
    np.testing.assert_allclose(state.q, system.start.q, atol=1e-12)
    # two rows of five hold the same motions, to rounding times their condition
    np.testing.assert_allclose(other.accelerations(state)[0], system.accelerations(state)[0], rtol=1e-9)


def test_resumed_after_other_rows_were_chosen(linkage, tmp_path):
    """The checkpoint keeps which rows are in use: records after it are the same to the last bit."""
    system, _ = linkage
    record = h.Record(every=0.05, channels=["J0.angle", "J3.force"])
    whole = system.simulate(t_end=1.0, method="rk4", step=1e-3, record=record)
    path = tmp_path / "run.h5"
    system.simulate(t_end=0.8, method="rk4", step=1e-3, record=record, path=path)
    again = system.simulate(t_end=1.0, method="rk4", step=1e-3, record=record, path=path, resume=True)
    assert again["J0.angle"].tobytes() == whole["J0.angle"].tobytes()
    assert again["J3.force"].tobytes() == whole["J3.force"].tobytes()


def test_forces_go_on_smoothly(linkage):
    """What the hinges carry together does not depend on the rows chosen: the accelerations do not jump."""
    system, _ = linkage
    result = system.simulate(t_end=1.0, method="rk45", rtol=1e-9, record=h.Record(every=1e-2))
    jumps = np.abs(np.diff(result["J0.coordinate_acceleration"], n=3))
    # third differences of a smooth curve over 10 ms; a jump of the acceleration by 1 % would show
    assert jumps.max() < 0.01 * np.abs(result["J0.coordinate_acceleration"]).max()
