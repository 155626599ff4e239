"""`floatframe random --psd INPUT=iso8608:CLASS:SPEED`: roads as random inputs."""

from __future__ import annotations

import json

import numpy as np
import pytest

from floatframe.cli.main import run
from tests.hybrid.driven_wheel import WHEEL

MODEL = 'format = "floatframe-model/1"\n' + WHEEL.replace("VALUE", "0")


@pytest.fixture
def wheel(tmp_path):
    path = tmp_path / "wheel.toml"
    path.write_text(MODEL, encoding="utf-8")
    return ["random", str(path), "--output", "wheel.position.z", "--output", "wheel.acceleration.z"]


def test_a_wheel_follows_the_road_of_its_class(wheel, capsys):
    words = [*wheel, "--band", "0.5:40", "--points", "2000", "--psd", "road=iso8608:C:20", "--json"]
    assert run(words) == 0, capsys.readouterr().err
    height, acceleration = (row["rms"] for row in json.loads(capsys.readouterr().out)["outputs"])
    # density G(n0) n0² v / f²; the trapezoidal rule over 2000 ratios is off by 1e-6
    density = 256e-6 * 0.1**2 * 20.0
    assert height == pytest.approx(np.sqrt(density * (1 / 0.5 - 1 / 40.0)), rel=1e-5)
    assert acceleration == pytest.approx((2 * np.pi) ** 2 * np.sqrt(density * (40.0**3 - 0.5**3) / 3), rel=1e-5)


@pytest.mark.parametrize(
    ("road", "sentence"),
    [
        ("iso8608:C", "must have the form iso8608:CLASS:SPEED"),
        ("iso8608:C:-3", "must have the form iso8608:CLASS:SPEED"),
        ("iso8608:C:fast", "'fast' must be a number"),
        ("iso8608:Q:20", "class 'Q' does not exist"),
    ],
)
def test_wrong_roads_are_refused(wheel, capsys, road, sentence):
    assert run([*wheel, "--band", "1:2", "--psd", f"road={road}"]) == 2
    assert sentence in " ".join(capsys.readouterr().err.split())
