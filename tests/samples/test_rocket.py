"""The rocket as states of a model file, beside the same equations in NumPy."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.testing import assert_allclose

from floatframe import hybrid as h
from floatframe.equations import Rocket, RocketState

FILE = Path(__file__).parents[2] / "samples" / "rocket" / "rocket.toml"
PLAN = RocketState(r=(1, 0, 0), v=(2, 2, 20), adjoint=(0.12, 0.1, 1.0), adjoint_r=(20, 0, 0.2), mass=500.0)


def test_states_follow_the_rocket_and_its_integrals_decay():
    result = h.read_model(FILE).model.compile().simulate(t_end=0.5, rtol=1e-10, record=h.Record(every=0.1))
    rocket = Rocket.meeting(PLAN, mu=400.0, power=5e3, b=5e3, gains=(1.0, 20.0))
    expected = rocket.motion(replace(PLAN, r=(1.01, 0, 0), mass=500.01), result.t, rtol=1e-10)
    names = ["x", "y", "z", "vx", "vy", "vz", "ax", "ay", "az", "bx", "by", "bz", "m", "spent"]
    found = np.array([result[f"{name}.value"].ravel() for name in names])
    assert_allclose(found, expected, rtol=1e-7, atol=1e-7)
    first, second = (result[f"{name}.value"].ravel() for name in ("first", "second"))
    assert_allclose(first, first[0] * np.exp(-result.t), rtol=1e-7)
    assert_allclose(second, second[0] * np.exp(-20 * result.t), atol=1e-7)
