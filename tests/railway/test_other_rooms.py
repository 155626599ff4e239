"""Kernels of other rooms call those of wheel and rail: a wheelset with two wheels as one kernel."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from floatframe.native import Record, Room, array
from floatframe.railway import KERNEL_FOLDER, Pose, WheelOnRail, profile, touch
from floatframe.railway.contact import kernels

ROOM = Room(Path(__file__).parent, KERNEL_FOLDER)
FLOATS, MOTION = array(float), Record(kernels.MOTION)


@ROOM.entry(Record(kernels.CONTACT), FLOATS, FLOATS, MOTION, MOTION, array(kernels.PATCH), FLOATS)
def wheelset(contact, wheel, rail, right, left, patches, work):
    """Normal forces of both wheels."""
    total = 0.0
    for side in range(2):
        count = touch(contact, wheel, rail, right if side == 0 else left, patches, work)
        for k in range(count):
            total += patches[k].normal
    return total


def test_a_kernel_of_another_room():
    pair = WheelOnRail(profile("S1002", "wheel"), profile("60E1", "rail"))
    right, left = Pose(lateral=2e-3), Pose(lateral=-2e-3)
    right, left = (replace(pose, height=pair.touching(pose).gap + 7e-5) for pose in (right, left))
    contact, wheel, rail = pair.tables
    patches, work = np.zeros(4, kernels.PATCH), np.zeros(kernels.WORK)
    found = wheelset(contact, wheel, rail, pair.motion(right), pair.motion(left), patches, work)
    assert found == pytest.approx(sum(p.normal for pose in (right, left) for p in pair.patches(pose)), rel=1e-12)


def test_its_machine_code_depends_on_the_sources_here():
    assert KERNEL_FOLDER in ROOM.folders
    assert ROOM.digest != Room(Path(__file__).parent).digest
