"""`floatframe simulate`: runs, status sentences, interrupts, resuming."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import floatframe as ff
from floatframe import hybrid
from floatframe.cli.main import run
from tests.cli.json_output import printed
from tests.cli.terminal import Terminal

SAMPLES = Path(__file__).parents[2] / "samples"
RIGID = SAMPLES / "slider_crank" / "rigid.toml"
PROGRAM = "from floatframe.cli import main; main()"


def test_slider_crank(capsys, tmp_path):
    output = tmp_path / "run.h5"
    content = printed(capsys, "simulate", RIGID, "-o", output)
    assert content["status"] == "finished"
    assert (content["record_count"], content["step_count"], content["time_s"]) == (2001, 2000, 2.0)
    assert content["largest_constraint_drift"] < 1e-9
    result = hybrid.Results.open(output)
    assert result["crank.angular_velocity.z"][-1] == pytest.approx(6.8606, rel=1e-4)
    assert "slider_crank_rigid" in result.meta.model
    assert run(["plot", str(output), "A.force", "--rms"]) == 0


def test_drift_on_both_levels_is_printed(capsys, tmp_path):
    output = tmp_path / "run.h5"
    assert run(["simulate", str(RIGID), "-o", str(output), "--t-end", "0.1", "--step", "0.001"]) == 0
    drift = hybrid.Results.open(output).statistics
    words = capsys.readouterr().out.splitlines()[1]
    places, speeds = drift["constraint_drift"].max(), drift["velocity_drift"].max()
    assert words == f"constraints are off by at most {places:.2g} m or rad, their speeds by {speeds:.2g} m/s or rad/s"
    # speeds of index-3 steps are off by the order of the method; those recorded are not
    assert 1e-9 < speeds < 1e-3
    found = printed(capsys, "info", output)
    assert (found["largest_velocity_drift"], found["velocity_drift_bound"]) == (speeds, None)


def test_settings_of_the_command_line_go_before_those_of_the_file(capsys, tmp_path):
    output = tmp_path / "run.h5"
    printed(capsys, "simulate", RIGID, "-o", output, "--t-end", "0.1", "--step", "0.01", "--method", "bdf2")
    settings = hybrid.Results.open(output).meta.settings
    assert (settings["t_end"], settings["step"], settings["method"]) == (0.1, 0.01, "bdf2")
    printed(capsys, "simulate", RIGID, "-o", output, "--t-end", "0.1", "--rtol", "1e-4", "--set", "torque=50")
    settings = hybrid.Results.open(output).meta.settings
    assert (settings["step"], settings["rtol"]) == (None, 1e-4)
    assert settings["parameters"] == {"torque": "50"}


def test_words_for_people(capsys, tmp_path):
    output = tmp_path / "run.h5"
    assert run(["simulate", str(RIGID), "-o", str(output), "--t-end", "0.1"]) == 0
    said = capsys.readouterr()
    assert said.err == ""  # nothing moves in a pipe
    finished, drift = said.out.splitlines()
    assert finished.startswith("finished at t = 0.1 s: 101 records, 100 steps in ")
    assert finished.endswith(f"written: {output}")
    assert drift.startswith("constraints are off by at most ")


def test_warnings_are_one_line_without_source_code(capsys, tmp_path):
    """A body without geometric terms, pressed by more than its limit."""
    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
    fe = ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=10, section=ff.fem.BeamSection.rectangle(0.02, 0.02), material=steel)
    ff.io.write(tmp_path / "input.fum", ff.modal.reduce(fe, interface=[1, 11], n_modes=4))
    model = hybrid.Model()
    rod = model.add(hybrid.FlexibleBody("rod", tmp_path / "input.fum", damping=0.1))
    model.add(hybrid.fixed("root", rod.node(1), model.ground.at()))
    model.add(hybrid.point_force("press", rod.node(11), (-1400, 0, 0)))
    hybrid.write_model(tmp_path / "pressed.toml", model)
    output = tmp_path / "run.h5"
    assert run(["simulate", str(tmp_path / "pressed.toml"), "-o", str(output), "--t-end", "0.1", "--step", "1e-3"]) == 0
    said = capsys.readouterr()
    assert said.err.count("\n") == 1
    assert (
        "pressed.toml: body 'rod' has no geometric terms: its load reached 3" in said.err
    )  # suddenly put on: up to twice 20 %
    assert ".h5 file: 101 records" in said.out


def test_failure_ends_with_a_sentence_and_code_1(capsys, tmp_path):
    model = tmp_path / "m.toml"
    text = RIGID.read_text(encoding="utf-8").replace('"torque - drag*rate"', '"torque*sqrt(0.5 - t)"')
    model.write_text(text, encoding="utf-8")
    output = tmp_path / "run.h5"
    assert run(["simulate", str(model), "-o", str(output)]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == (
        f"floatframe: {output}: failed at t = 0.5 s: joint_torque 'drive' evaluates to NaN. "
        "Check its expression, table or parameters there.\n"
    )
    assert len(hybrid.Results.open(output)) == 501


def test_event_of_a_file_is_a_good_end(capsys, tmp_path):
    model = tmp_path / "m.toml"
    model.write_text(RIGID.read_text(encoding="utf-8") + 'events = ["A.angle - 1"]\n', encoding="utf-8")
    content = printed(capsys, "simulate", model, "-o", tmp_path / "run.h5")
    assert content["status"] == "stopped_by_event"
    assert "'A.angle - 1' crossed zero" in content["message"]


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["-o", "run.txt"], 2, "must end in .h5"),
        ([], 2, "Missing option '--output'"),
        (["-o", "run.h5", "--step", "-1"], 2, "-1 must be positive"),
        (["-o", "run.h5", "--method", "leapfrog"], 2, "method 'leapfrog' does not exist"),
        (["-o", "run.h5", "--step", "1", "--rtol", "1e-3"], 2, "give step for fixed steps, or rtol"),
        (["-o", "run.h5", "--t-end", "nan"], 2, "nan must be finite"),
        (["-o", "run.h5", "--resume"], 2, "does not exist"),
        (["-o", "run.h5", "--set", "tork=1"], 2, "did you mean torque"),
        (["-o", "nowhere/run.h5"], 2, "nowhere"),
    ],
    ids=str,
)
def test_complaints(capsys, tmp_path, monkeypatch, arguments, code, sentence):
    monkeypatch.chdir(tmp_path)
    assert run(["simulate", str(RIGID), *arguments]) == code
    said = capsys.readouterr()
    assert sentence in said.err
    assert said.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for another process here")
def test_interrupt_and_resume(capsys, tmp_path):
    """Ctrl-C in a process of its own; the resumed run has the bits of one that was left alone."""
    output, whole = tmp_path / "run.h5", tmp_path / "whole.h5"
    arguments = [
        sys.executable,
        "-c",
        PROGRAM,
        "simulate",
        RIGID,
        "-o",
        output,
        "--t-end",
        "60",
        "--step",
        "1e-4",
    ]
    process = subprocess.Popen(arguments, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    for _ in range(1200):  # until it is on its way
        if output.exists() and len(hybrid.Results.open(output)) > 1:
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    left = hybrid.Results.open(output)
    assert process.returncode == 130, err
    assert out == ""
    assert err == f"floatframe: {output}: {left.status}\n"
    assert left.status.reason == "interrupted"
    assert 0 < left.status.t < 60
    early = ["simulate", str(RIGID), "--step", "1e-4", "--t-end", str(left.status.t / 2), "-o", str(output), "--resume"]
    assert run(early) == 2
    assert "lies behind the run in" in capsys.readouterr().err
    short = ["simulate", RIGID, "--step", "1e-4", "--t-end", left.status.t + 1.0]
    printed(capsys, *short, "-o", output, "--resume")
    printed(capsys, *short, "-o", whole)
    again, at_once = hybrid.Results.open(output), hybrid.Results.open(whole)
    assert np.array_equal(again.q, at_once.q)
    assert np.array_equal(again["A.force"], at_once["A.force"])


def test_progress_on_a_terminal(tmp_path):
    environment = {**os.environ, "COLUMNS": "120", "TERM": "xterm"}
    arguments = [PROGRAM, "simulate", RIGID, "-o", tmp_path / "run.h5", "--t-end", "20", "--step", "1e-4"]
    terminal = Terminal(arguments, stdout=subprocess.DEVNULL, env=environment)
    text = terminal.read()
    assert terminal.process.wait() == 0
    assert "of 20 s, step 0.0001 s" in text
    assert " left" in text
