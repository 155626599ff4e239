"""Files that somebody has edited, with sound checksums, and surroundings that are not as usual: a sentence each."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest

import floatframe as ff
from floatframe.cli.main import run
from floatframe.io import Channel, ResultMeta, SweepResult
from floatframe.tomlfile.source import parsed_source
from tests.cli.pendulum import PENDULUM

SWEEP = SweepResult(
    parameters={"push": (1.0, 2.0)},
    columns=(Channel("angle", "rad"),),
    values=np.array([[0.1], [0.2]]),
    states=("done", "done"),
    sentences=("", ""),
    seconds=np.ones(2),
    settings={"study": "equilibrium"},
)


@pytest.mark.parametrize(
    "settings", [1.0, [], "text", {"choices": 1}, {"choices": {"push": 2}}, {"choices": {"push": ["one"]}}]
)
def test_settings_of_a_sweep_that_were_edited_are_refused(tmp_path, capsys, settings):
    ff.io.write(tmp_path / "sweep.h5", SWEEP)
    with h5py.File(tmp_path / "sweep.h5", "r+") as file:
        del file["source/settings"]
        file["source/settings"] = np.array([json.dumps(settings).encode()])
    assert run(["info", str(tmp_path / "sweep.h5")]) == 1
    assert "field 'source' is invalid" in capsys.readouterr().err


def test_values_of_a_sweep_are_finite_numbers():
    with pytest.raises(ff.ModelError, match="'push' of a sweep has values that are not finite"):
        replace(SWEEP, parameters={"push": (1.0, np.nan)})


def test_settings_of_a_run_are_of_their_kinds():
    meta = ResultMeta(1, 1, settings={"gravity": "down", "from": "start"})
    assert meta.setting("from", str) == "start"
    assert meta.setting("system", str) is None
    with pytest.raises(ff.ModelError, match="'gravity' of the run is of the kind str, expected list"):
        meta.setting("gravity", list)
    with pytest.raises(ff.ModelError, match="must be named values"):
        ResultMeta(1, 1, settings=[])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("x = " + "9" * 5000, "a number of thousands of digits"),
        ("x = 0x" + "f" * 5000, "x is a number of more than 300 digits"),
        (".".join("a" * 1000) + " = 1", r"m\.toml:2: a key has more than 64 parts"),
        ("x = { " + ".".join("a" * 1000) + " = 1 }", "a key has more than 64 parts"),
        ("[" + ".".join("a" * 1000) + "]", "a key has more than 64 parts"),
        ("x = " + "[" * 5000, "nested too deeply"),
    ],
)
def test_toml_that_no_parser_likes_is_refused_at_once(tmp_path, line, sentence):
    with pytest.raises(ff.errors.FloatframeError, match=sentence):
        parsed_source(tmp_path / "m.toml", f"format = 'floatframe-model/1'\n{line}\n".encode())


def test_thousands_of_parameters_that_use_each_other():
    chain = {f"p{k}": f"p{k - 1} + 1" for k in range(1, 5000)}
    model = ff.hybrid.Model(parameters={**chain, "p0": 1.0})
    model.add(ff.hybrid.RigidBody("box", "p4999"))
    assert model.flatten().bodies[0].mass == 5000


def test_closed_standard_streams_harm_neither_the_command_nor_its_files(tmp_path):
    (tmp_path / "pendulum.toml").write_text(PENDULUM)
    command = f"exec {sys.executable} -m floatframe simulate pendulum.toml -o run.h5 <&- >&- 2>&-"
    assert subprocess.run(["sh", "-c", command], cwd=tmp_path, check=False).returncode == 0
    assert ff.io.read(tmp_path / "run.h5").nrecord == 11


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device without space is there on Linux only")
def test_a_standard_output_without_space_is_said_once(tmp_path):
    (tmp_path / "pendulum.toml").write_text(PENDULUM)
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "floatframe", "info", "pendulum.toml"]
        done = subprocess.run(command, cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.count("No space left on device") == 1
    assert "Exception" not in done.stderr


def test_letters_that_a_terminal_lacks_are_escaped(tmp_path):
    (tmp_path / "pendulum.toml").write_text(PENDULUM)
    words = ["response", "pendulum.toml", "--input", "ground.acceleration.x", "--output", "hinge.angle"]
    command = [sys.executable, "-m", "floatframe", *words, "--band", "0.1:2"]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    for more in ([], ["--json"]):
        done = subprocess.run([*command, *more], cwd=tmp_path, env=environment, capture_output=True, check=True)
        assert done.stdout.isascii()
    assert json.loads(done.stdout)["format"].startswith("floatframe-response/")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are there on Unix only")
def test_a_lock_that_is_a_pipe_is_refused_and_not_waited_for(tmp_path, capsys):
    os.mkfifo(tmp_path / ".run.h5.lock")
    (tmp_path / "pendulum.toml").write_text(PENDULUM)
    assert run(["simulate", str(tmp_path / "pendulum.toml"), "-o", str(tmp_path / "run.h5")]) == 1
    assert "is not a regular file; remove it" in capsys.readouterr().err
