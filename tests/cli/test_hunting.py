"""`floatframe linear --vary speed` of wheels on a track: the speed at which hunting loses its damping."""

from __future__ import annotations

import json

import pytest

from floatframe.cli.main import run
from floatframe.hybrid import write_model
from tests.hybrid.running_wheelset import INERTIA, critical_speed, held_wheelset

LATERAL, YAW = 4e5, 8e5  # N/m, N m/rad
AXLE = INERTIA[0], 1.0, INERTIA[2]  # hardly a gyroscope, which the formula leaves out


def test_critical_speed_of_a_wheelset(tmp_path, capsys):
    model = held_wheelset("speed", LATERAL, YAW, inertia=AXLE, law="linear")
    model.parameters["speed"] = 20.0
    write_model(tmp_path / "wheelset.toml", model)
    formula = critical_speed(LATERAL, YAW, AXLE)
    span = f"speed={0.7 * formula:.4g}:{1.3 * formula:.4g}:{0.1 * formula:.4g}"
    assert run(["linear", str(tmp_path / "wheelset.toml"), "--vary", span, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["at"], found["parameter"]) == ("steady", "speed")
    assert found["critical_speed"] == pytest.approx(formula, rel=0.05)
    [crossing] = found["crossings"]
    assert crossing["is_unstable_above"]
