"""`floatframe srs`, `linear --limit` and `response --transmissibility` from files to their tables; what they refuse."""

from __future__ import annotations

import numpy as np
import pytest

from floatframe.cli.main import run
from tests.cli.json_output import answer

# a mass on springs of 100 and 110 N/m along x and y that a circulatory force couples: flutter at p = (110 - 100)/2
FOLLOWER = """
format = "floatframe-model/1"

[parameters]
p = 0.0

[[body]]
name = "slider"
mass = 1.0
inertia = [1, 1, 1]

[[joint]]
name = "plane"
type = "general"
place = { body = "slider" }
against = { body = "ground" }
steps = [{ translate = [1, 0, 0] }, { translate = [0, 1, 0] }]

[[force]]
name = "springs"
type = "point_force"
place = { body = "slider" }
force = ["-100*slider.position.x + p*slider.position.y", "-110*slider.position.y - p*slider.position.x", "0"]
"""
STEP, LENGTH, HIGHEST = 1e-4, 0.011, 500.0


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("shock")
    t = STEP * np.arange(2000)
    pulse = np.where(t < LENGTH, HIGHEST * np.sin(np.pi * t / LENGTH), 0.0)
    np.savetxt(path / "drop.csv", np.column_stack((t, pulse)), delimiter=",", header="t,a", comments="")
    np.savetxt(path / "short.csv", np.column_stack((t, pulse))[:5], delimiter=",")
    np.savetxt(path / "uneven.csv", np.column_stack((t**1.1, pulse)), delimiter=",")
    (path / "follower.toml").write_text(FOLLOWER, encoding="utf-8")
    return path


def test_a_half_sine_leaves_its_fourier_transform_in_undamped_oscillators(folder, capsys):
    words = ["srs", str(folder / "drop.csv"), "--damping", "0", "--part", "residual", "--band", "20:60"]
    picture, numbers = folder / "srs.png", folder / "srs.csv"
    found = answer([*words, "--save", str(picture), "--csv", str(numbers)], capsys)
    [spectrum] = found["spectra"]
    r = 2 * LENGTH * np.array(spectrum["frequency_hz"])
    expected = HIGHEST * np.abs(2 * r * np.cos(np.pi * r / 2) / (1 - r**2))
    # the pulse is sampled 110 times: straight lines are off by 1e-4, largest values between samples by 1e-3
    np.testing.assert_allclose(spectrum["positive"], expected, rtol=2e-3)
    assert found["written"] == [str(picture), str(numbers)]
    assert numbers.read_text(encoding="utf-8").startswith("natural frequency [Hz],positive drop [m/s2]")


def test_a_band_beyond_the_records_is_said(folder, capsys):
    assert run(["srs", str(folder / "drop.csv"), "--band", "10:2000"]) == 0
    shown = capsys.readouterr()
    assert "resolve oscillators up to 1000 Hz, the band goes to 2000 Hz" in " ".join(shown.err.split())
    assert "negative [m/s2]" in " ".join(shown.out.split())


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["drop.csv", "a"], "has one history, which needs no name"),
        (["short.csv"], "too short for a band of its own"),
        (["uneven.csv"], "bring it to equal steps with --step"),
        (["drop.csv", "--step", "1e-12"], "records of"),
        (["drop.csv", "--part", "last"], "expected whole, primary or residual"),
        (["drop.csv", "--band", "9"], "two rising frequencies"),
        (["follower.toml"], "first run: floatframe simulate"),
    ],
)
def test_srs_refuses(folder, capsys, words, sentence):
    assert run(["srs", str(folder / words[0]), *words[1:]]) == 2
    assert sentence in " ".join(capsys.readouterr().err.split())


def test_angular_accelerations_have_their_own_unit(folder, capsys):
    follower = folder / "follower.toml"
    recorded = follower.read_text(encoding="utf-8") + '[record]\nchannels = ["slider"]\nevery = 1e-3\n'
    (folder / "recorded.toml").write_text(recorded, encoding="utf-8")
    run_file = str(folder / "recorded.h5")
    assert run(["simulate", str(folder / "recorded.toml"), "-o", run_file, "--t-end", "0.1"]) == 0
    words = ["srs", run_file, "slider.angular_acceleration.z", "--quantity", "pseudo_velocity"]
    assert answer(words, capsys)["unit"] == "rad/s"
    assert run([*words, "slider.acceleration.x"]) == 2
    assert "ask for one kind at a time" in " ".join(capsys.readouterr().err.split())
    assert run(["report", run_file, "--srs", "slider.position.x", "-o", str(folder / "no.html")]) != 0
    assert "is in m, expected an acceleration in m/s2 or rad/s2" in " ".join(capsys.readouterr().err.split())


def test_uneven_steps_are_resampled_on_request(folder, capsys):
    found = answer(["srs", str(folder / "uneven.csv"), "--step", "1e-4"], capsys)
    assert found["spectra"][0]["trusted_hz"] == pytest.approx(1000.0)


def test_a_limit_of_stability_is_bisected(folder, capsys):
    words = ["linear", str(folder / "follower.toml"), "--vary", "p=1:9:3", "--limit"]
    [limit] = answer(words, capsys)["limits"]
    # eigenvalues meet at 105; near there they part by the root of the distance, so that growth shows a little later
    assert limit["value"] == pytest.approx(5.0, abs=1e-4)
    assert limit["frequency_hz"] == pytest.approx(np.sqrt(105.0) / (2 * np.pi), rel=1e-4)
    assert limit["is_unstable_beyond"]
    assert run(words) == 0
    assert "limits of stability, by bisection" in " ".join(capsys.readouterr().out.split())
    assert run([*words[:2], "--vary", "p=1:3:1", "--limit"]) == 0
    assert "no limit of stability, stable at all values of p" in " ".join(capsys.readouterr().out.split())
    assert run([*words[:2], "--limit"]) == 2
    assert "give --vary" in capsys.readouterr().err
