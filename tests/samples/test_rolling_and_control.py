"""Sleigh, active suspension and robot arm as model files: closed forms, poles, and what their pages claim."""

from __future__ import annotations

import shutil
from math import atanh, sqrt
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe import hybrid as h

SAMPLES = Path(__file__).parents[2] / "samples"


def test_the_sleigh_turns_about_as_its_closed_form_says():
    values = {"mass": 2.0, "inertia": 0.4, "ahead": 0.3, "speed": -2.0, "spin": 0.3}
    file = h.read_model(SAMPLES / "sleigh" / "sleigh.toml", values)
    result = file.model.compile().simulate(t_end=10.0, method="dop853", rtol=1e-10, record=h.Record(every=0.2))
    about_edge = values["inertia"] + values["mass"] * values["ahead"] ** 2
    twice_energy = values["mass"] * values["speed"] ** 2 + about_edge * values["spin"] ** 2
    fastest, most = sqrt(twice_energy / values["mass"]), sqrt(twice_energy / about_edge)
    rate = values["ahead"] * most**2 / fastest
    phase = rate * result.t + atanh(values["speed"] / fastest)
    angle, x, y = (result[name] for name in ("ice.angle", "ice.rate[1]", "ice.rate[2]"))
    assert_allclose(x * np.cos(angle) + y * np.sin(angle), fastest * np.tanh(phase), atol=1e-8)
    assert_allclose(result["ice.rate[3]"], most / np.cosh(phase), atol=1e-8)
    assert phase[0] < 0.0 < phase[-1]  # backwards at first, forwards at last


def quarter_car(skyhook: float) -> h.System:
    return h.read_model(SAMPLES / "active_suspension" / "quarter_car.toml", {"skyhook": skyhook}).model.compile()


def test_poles_of_the_active_suspension():
    """Of body b, wheel w and actuator F: m b'' = -k (b - w) - c (b' - w') + F, valve F' = -skyhook b' - F."""
    body, wheel, k, c, tyre, skyhook, valve = 320.0, 40.0, 18e3, 900.0, 190e3, 2500.0, 0.01
    rates = np.array(
        [
            [0, 0, 1, 0, 0],
            [0, 0, 0, 1, 0],
            [-k / body, k / body, -c / body, c / body, 1 / body],
            [k / wheel, -(k + tyre) / wheel, c / wheel, -c / wheel, -1 / wheel],
            [0, 0, -skyhook / valve, 0, -1 / valve],
        ]
    )
    wanted = np.linalg.eigvals(rates)
    wanted = wanted[wanted.imag >= 0.0]
    found = quarter_car(skyhook).linearise().eigenvalues
    assert_allclose(np.sort_complex(found), np.sort_complex(wanted), rtol=1e-7)  # differences leave 1e-9


def test_the_active_suspension_calms_the_body():
    record = h.Record(every=5e-3, channels=("body.acceleration",))
    rough = []
    for skyhook in (0.0, 2500.0):
        system = quarter_car(skyhook)
        result = system.simulate(system.equilibrium(), t_end=3.0, record=record)
        rough.append(np.sqrt(np.mean(result["body.acceleration"][:, 2] ** 2)))
    assert rough[1] < 0.8 * rough[0]  # 0.72 of 1.00 m/s2 measured


def test_the_robot_arm_is_stable_and_arrives(tmp_path):
    for name in ("forearm", "arm"):
        shutil.copy(SAMPLES / "robot_arm" / f"{name}.toml", tmp_path)
    fe = ff.io.read(tmp_path / "forearm.toml")
    ff.io.write(tmp_path / "forearm.fum", ff.modal.reduce(fe, interface=[1, fe.nnode], n_modes=4))
    system = h.read_model(tmp_path / "arm.toml").model.compile()
    state = system.equilibrium()
    assert system.linearise(state).stable
    channels = ("shoulder.angle", "elbow.angle", "shoulder_control.value", "elbow_control.value")
    result = system.simulate(state, t_end=2.5, record=h.Record(every=0.05, channels=channels))
    # one second after the move the integrals still take off what it left: 1 and 3 mrad measured
    assert result["shoulder.angle"][-1] == pytest.approx(1.1, abs=0.01)
    assert result["elbow.angle"][-1] == pytest.approx(-0.8, abs=0.01)
    # 13 V measured of the 48 V at which the loops would open
    assert all(np.abs(result[name]).max() < 40.0 for name in channels[2:])
