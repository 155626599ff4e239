"""Rotations in every form a user may write, against SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from floatframe.arrays import skew
from floatframe.errors import ModelError, Where
from floatframe.expressions.values import Scope
from floatframe.hybrid.description.rotations import (
    about,
    frame_along,
    kept_rotation,
    matrix_to_quaternion,
    quaternion_to_matrix,
    rotation_matrix,
    unit,
)

ROUNDING = 1e-14  # a few products of numbers of size one

RANDOM = Rotation.random(20, random_state=3)
HALF_TURNS = Rotation.from_rotvec(np.pi * np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0.6, 0.8, 0], [0, -0.6, 0.8]]))


def read(raw, **parameters):
    return rotation_matrix(
        kept_rotation(raw, Where("body 'b', rotation")), Scope(parameters), Where("body 'b', rotation")
    )


def test_skew_is_the_cross_product():
    a, b = np.random.default_rng(0).normal(size=(2, 4, 3))
    np.testing.assert_allclose((skew(a) @ b[..., None])[..., 0], np.cross(a, b), atol=ROUNDING)


@pytest.mark.parametrize("turns", [RANDOM, HALF_TURNS, Rotation.identity(1)])
def test_quaternions_and_matrices_agree_with_scipy(turns):
    for turn in turns:
        x, y, z, w = turn.as_quat(canonical=False)
        np.testing.assert_allclose(quaternion_to_matrix([w, x, y, z]), turn.as_matrix(), atol=ROUNDING)
        quaternion = matrix_to_quaternion(turn.as_matrix())
        assert quaternion[0] >= 0
        assert np.linalg.norm(quaternion) == pytest.approx(1, abs=ROUNDING)
        # the quaternion and its opposite are the same rotation
        assert abs(quaternion @ [w, x, y, z]) == pytest.approx(1, abs=ROUNDING)


def test_axis_and_angle():
    axis = np.array([1.0, -2.0, 0.5])
    expected = Rotation.from_rotvec(0.7 * axis / np.linalg.norm(axis)).as_matrix()
    np.testing.assert_allclose(about(axis, 0.7), expected, atol=ROUNDING)
    np.testing.assert_allclose(read({"axis": axis, "angle": "phi/2"}, phi=1.4), expected, atol=ROUNDING)


def test_forms_of_one_rotation_agree():
    turn = RANDOM[4]
    x, y, z, w = turn.as_quat()
    np.testing.assert_allclose(read((w, x, y, z)), turn.as_matrix(), atol=ROUNDING)
    np.testing.assert_allclose(read(turn.as_matrix()), turn.as_matrix(), atol=ROUNDING)
    assert read(None) is None


def test_digits_lost_in_a_file_are_made_good():
    matrix = read(np.round(RANDOM[2].as_matrix(), 7))
    np.testing.assert_allclose(matrix.T @ matrix, np.eye(3), atol=ROUNDING)
    # half a unit of the seventh digit, nine entries
    np.testing.assert_allclose(matrix, RANDOM[2].as_matrix(), atol=2e-7)


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ((1, 1, 0, 0), "length 1.41421, expected 1"),
        ((0, 0, 0, 0), "length 0"),
        ((1, 0, 0), "found 3 numbers, expected four numbers or a 3x3 matrix"),
        (np.diag([1.0, 1.0, -1.0]), "reflection"),
        (np.diag([1.0, 2.0, 1.0]), "not a rotation"),
        ({"axis": (0, 0, 0), "angle": 1.0}, "length zero"),
        ({"axis": (0, 0, 1)}, "expected axis and angle"),
        ((1, 0, 0, float("nan")), "finite"),
        ((1, 0, 0, "phi"), "unknown name 'phi'"),
    ],
)
def test_what_is_not_a_rotation_is_reported(raw, message):
    with pytest.raises(ModelError, match="body 'b', rotation") as error:
        read(raw)
    assert message in str(error.value)


@pytest.mark.parametrize("axis", [(0, 0, 1), (0, 0, -2), (1, 0, 0), (3, 4, 0), (0.1, -0.2, 0.3)])
def test_frame_along_an_axis_is_right_handed(axis):
    R = frame_along(np.array(axis, dtype=float), Where("joint"))
    np.testing.assert_allclose(R.T @ R, np.eye(3), atol=ROUNDING)
    assert np.linalg.det(R) == pytest.approx(1)
    np.testing.assert_allclose(R[:, 2], unit(np.array(axis), Where("joint")), atol=ROUNDING)


def test_frame_with_a_first_direction():
    R = frame_along(np.array([0.0, 0.0, 2.0]), Where("joint"), np.array([0.0, 3.0, 7.0]))
    np.testing.assert_allclose(R, [[0, -1, 0], [1, 0, 0], [0, 0, 1]], atol=ROUNDING)
    with pytest.raises(ModelError, match="parallel"):
        frame_along(np.array([0.0, 0.0, 2.0]), Where("joint"), np.array([0.0, 0.0, 1.0]))
