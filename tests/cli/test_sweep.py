"""`floatframe sweep` and what the other commands make of its files."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import floatframe as ff
from floatframe.cli.main import run
from floatframe.io import Channel, SweepResult
from tests.cli.terminal import Terminal

SAMPLES = Path(__file__).parents[2] / "samples"
PENDULUM, SCREEN = SAMPLES / "pendulum" / "pendulum.toml", SAMPLES / "vibrating_screen" / "screen.toml"
PROGRAM = "from floatframe.cli import main; main()"
GRAVITY = 9.81


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> Path:
    """Sweeps of the screen: a map of rms values with a row of failures, and frequencies over stiffness."""
    folder = tmp_path_factory.mktemp("sweeps")
    wild = folder / "wild.toml"
    # at phi = 90 the drive evaluates to NaN
    text = SCREEN.read_text(encoding="utf-8").replace("speed = 14.0", 'speed = "14.0 + 1e-9*sqrt(80 - phi)"')
    wild.write_text(text, encoding="utf-8")
    measured = {"measure": ["box.com_acceleration.z:rms", "box.com_acceleration.x:rms"], "t_end": 0.2, "workers": 1}
    ff.hybrid.sweep(wild, {"phi": "0:90:45", "alpha": "0:180:90"}, path=folder / "map.h5", **measured)
    vary = {"stiffness": "1e6:4e6:1e6", "mass": "6000,7000"}
    ff.hybrid.sweep(SCREEN, vary, "linear", path=folder / "modes.h5", workers=1)
    return folder


def test_long_sweeps_are_shown_in_part(tmp_path, capsys):
    count = 1500
    written = SweepResult(
        {"mass": tuple(map(float, range(count)))},
        (Channel("x:rms", "m"),),
        np.full((count, 1), np.nan),
        ("failed",) * count,
        tuple(f"sentence {k}" for k in range(count)),
        np.ones(count),
        settings={"study": "simulate"},
    )
    ff.io.write(tmp_path / "sweep.h5", written)
    assert run(["info", str(tmp_path / "sweep.h5")]) == 0
    said = capsys.readouterr().out
    assert "sentence 999" in said
    assert "sentence 1000" not in said
    assert "… 500 more: --json shows all" in said
    assert run(["report", str(tmp_path / "sweep.h5"), "-o", str(tmp_path / "sweep.html")]) == 0
    page = (tmp_path / "sweep.html").read_text(encoding="utf-8")
    assert "sentence 1000" not in page
    assert "1000 of 1500 failed points are shown" in page
    assert "1000 of 1500 points are shown" in page


def test_vibrating_screen_against_theory(capsys, tmp_path):
    """RMS of the vertical acceleration of a mass on a spring under two rotating forces with a phase between them."""
    output = tmp_path / "sweep.h5"
    vary = ["--vary", "phi=0,90", "--vary", "alpha=0,120"]
    # transients have died out by exp(-3 · 4) then, and seven periods are left
    asked = ["--measure", "box.com_acceleration.z:rms", "--from", "3.5", "--step", "5e-4", "--workers", "1"]
    assert run(["sweep", str(SCREEN), *vary, *asked, "-o", str(output), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["point_count"], said["failed_point_count"], said["waiting_point_count"]) == (4, 0, 0)
    points = [point["parameters"] for point in said["points"]]
    assert [(point["phi"], point["alpha"]) for point in points] == [(0, 0), (0, 120), (90, 0), (90, 120)]
    m, k, c, w = 6315.0, 1.5e6, 4e4, 2 * np.pi * 14
    u1, u2 = 129.6 * 0.3, 48.6 * 0.3
    phi, alpha = (np.radians([point[name] for point in points]) for name in ("phi", "alpha"))
    force = 2 * np.abs(np.cos(phi / 2)) * np.sqrt(u1**2 + u2**2 + 2 * u1 * u2 * np.cos(alpha)) * w**2
    expected = force * w**2 / np.sqrt((k - m * w**2) ** 2 + (c * w) ** 2) / np.sqrt(2)
    found = [point["values"]["box.com_acceleration.z:rms"] for point in said["points"]]
    assert said["columns"] == [{"column": "box.com_acceleration.z:rms", "unit": "m/s2"}]
    # the error of the steps, (w h)²/12 = 2e-4, and the rotation of the box, which couples its directions
    np.testing.assert_allclose(found, expected, rtol=2e-3)


def test_words_for_people(capsys, tmp_path):
    output = tmp_path / "sweep.h5"
    # a pendulum without length has no inertia
    arguments = ["--vary", "length=0,1", "--measure", "hinge.angle:end", "--t-end", "0.1", "--workers", "1"]
    assert run(["sweep", str(PENDULUM), *arguments, "-o", str(output)]) == 1
    said = capsys.readouterr()
    assert said.err == f"floatframe: {output}: finished: 2 points, 1 failed\n"
    assert "length   hinge.angle:end [rad]   state" in said.out
    assert "1 failed: simulate: the motion is not unique at the start" in said.out
    assert re.search(rf"finished: 2 points, 1 failed in [\d.]+ s; written: {output}", said.out)
    # nothing is left to do
    assert run(["sweep", str(PENDULUM), *arguments, "-o", str(output), "--resume"]) == 1
    assert run(["info", str(output)]) == 0
    assert "results of a sweep" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["--vary", "length"], 2, "'length' must have the form NAME=VALUES"),
        (["--vary", "=1"], 2, "must have the form NAME=VALUES"),
        (["--vary", "length="], 2, "must have the form NAME=VALUES"),
        (["--vary", "length=a"], 2, "'a' in 'a' must be a number"),
        (["--vary", "length=1,,2"], 2, "'' in '' must be a number"),
        (["--vary", "length=1:2"], 2, "has 2 numbers, expected FROM:TO:STEP"),
        (["--vary", "length=1:2:0"], 2, "has the step 0"),
        (["--vary", "length=1:2:-1"], 2, "steps away from its end"),
        (["--vary", "length=1:2:1e-9"], 2, "take a larger step"),
        (["--vary", "length=1:inf:1"], 2, "'inf' in '1:inf:1' must be a number"),
        (["--vary", "length=1,2,1"], 2, "the value 1 twice"),
        (["--vary", "length=1", "--vary", "length=2"], 2, "is given twice"),
        (["--vary", "length=1", "--set", "length=2"], 2, "is given twice"),
        (["--vary", "lenght=1"], 2, "did you mean length"),
        (["--vary", "length=1", "--measure", "hinge.angel:rms"], 2, "did you mean hinge.angle"),
        (["--vary", "length=1", "--measure", "hinge.angle:rns"], 2, "did you mean rms"),
        (["--vary", "length=1", "--study", "linear", "--t-end", "1"], 2, "t_end is not a setting of study 'linear'"),
        (["--vary", "length=1", "--resume"], 2, "does not exist"),
        (["--vary", "length=1", "--workers", "0"], 2, "--workers"),
        (["--vary", "length=1", "-o", "sweep.txt"], 2, "must end in .h5"),
        (["--vary", "length=1", "-o", "nowhere/sweep.h5", "--workers", "1"], 2, "nowhere"),
        (
            ["--vary", "length=normal(1,0.1", "--samples", "3"],
            2,
            "expected normal(mean, standard deviation) with one ')'",
        ),
        (["--vary", "length=normal(1,0.1)"], 2, "give the number of samples= (on the command line --samples)"),
        (["--vary", "length=1", "--samples", "3"], 2, "3 samples of nothing"),
        (["--vary", "length=1", "--t-end", "inf"], 2, "inf must be finite"),
        (["--vary", "length=1", "-n", "3"], 2, "n is not a setting of study 'simulate'"),
        ([], 2, "Missing option '--vary'"),
    ],
    ids=str,
)
def test_complaints(capsys, tmp_path, monkeypatch, arguments, code, sentence):
    monkeypatch.chdir(tmp_path)
    output = [] if "-o" in arguments else ["-o", "sweep.h5"]
    assert run(["sweep", str(PENDULUM), *arguments, *output]) == code
    said = capsys.readouterr()
    assert sentence in said.err
    assert said.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--method", "rk46"], "did you mean rk4 or rk45"),
        (["--step", "0.01", "--rtol", "1e-5"], "give step for fixed steps, or rtol"),
        (["--method", "park", "--rtol", "1e-5"], "park runs with fixed steps"),
        (["--from", "10"], "measures begin at 10 s and the runs end at 10 s"),
    ],
    ids=str,
)
def test_what_cannot_run_leaves_a_good_file_alone(capsys, tmp_path, arguments, sentence):
    output = tmp_path / "sweep.h5"
    output.write_bytes(b"good")
    assert run(["sweep", str(PENDULUM), "--vary", "length=1,2", *arguments, "-o", str(output), "--force"]) == 2
    assert sentence in capsys.readouterr().err
    assert output.read_bytes() == b"good"


def test_wrong_settings_of_the_file_are_found_in_it(capsys, tmp_path):
    model = tmp_path / "model.toml"
    text = PENDULUM.read_text(encoding="utf-8")
    model.write_text(text.replace("[simulate]\n", '[simulate]\nmethod = "rk46"\n'), encoding="utf-8")
    assert run(["sweep", str(model), "--vary", "length=1,2", "-o", str(tmp_path / "sweep.h5")]) == 1
    assert f"{model}:" in capsys.readouterr().err
    assert not (tmp_path / "sweep.h5").exists()


def test_a_scheduler_needs_its_package(capsys, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    arguments = ["--vary", "length=1", "--scheduler", "tcp://127.0.0.1:8786", "-o", str(tmp_path / "sweep.h5")]
    assert run(["sweep", str(PENDULUM), *arguments]) == 1
    assert "pip install 'floatframe[cluster]'" in capsys.readouterr().err


def test_a_scheduler_gives_the_same_numbers(tmp_path):
    distributed = pytest.importorskip("distributed", reason="floatframe[cluster] is not installed")
    asked = {"vary": {"length": "0:2:1"}, "measure": "hinge.angle:rms", "t_end": 0.2}
    alone = ff.hybrid.sweep(PENDULUM, **asked, workers=1)
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster:
        there = ff.hybrid.sweep(PENDULUM, **asked, scheduler=cluster.scheduler_address)
    np.testing.assert_array_equal(there.values, alone.values)
    assert there.sentences == alone.sentences


def test_interrupt_and_resume_with_workers(capsys, tmp_path):
    """Ctrl-C to all processes of a terminal, which shows the bar; the resumed sweep is like one that was left alone."""
    output, whole = tmp_path / "sweep.h5", tmp_path / "whole.h5"
    asked = ["--vary", "length=0.5:3:0.05", "--measure", "hinge.angle:rms", "--t-end", "300", "--step", "1e-3"]
    environment = {**os.environ, "COLUMNS": "120", "TERM": "xterm"}
    arguments = [PROGRAM, "sweep", PENDULUM, *asked, "-o", output]
    terminal = Terminal(arguments, stdout=subprocess.PIPE, text=True, env=environment, start_new_session=True)
    process = terminal.process
    for _ in range(2400):  # until some points are in the file
        if output.exists() and (kept := ff.io.read(output)).nwaiting < len(kept.states):
            break
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    shown = terminal.read()
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 130, shown
    left = ff.io.read(output)
    done = len(left.states) - left.nwaiting
    assert 0 < done < 51
    assert f"unfinished: {done} of 51 points; --resume continues" in shown
    assert " of 51 points" in shown
    assert "Traceback" not in shown + out
    # the rest in this process, on the points of a coarser grid
    short = ["--vary", "length=0.5:0.65:0.05", *asked[2:], "--workers", "1"]
    assert run(["sweep", str(PENDULUM), *short, "-o", str(output), "--resume"]) == 0
    assert run(["sweep", str(PENDULUM), *short, "-o", str(whole)]) == 0
    np.testing.assert_array_equal(ff.io.read(output).values, ff.io.read(whole).values)


@pytest.mark.parametrize(
    "arguments",
    [
        ["map.h5", "box.com_acceleration.z:rms", "-o", "a.png"],
        ["map.h5", "box.com_acceleration.z:rms", "--over", "alpha", "-o", "a.svg"],
        ["map.h5", "box.com_acceleration.z:rms", "box.com_acceleration.x:rms", "--where", "alpha=90", "-o", "a.png"],
        ["modes.h5", "--where", "mass=6000", "-o", "a.png"],
        ["modes.h5", "--where", "mass=6000", "--orders", "1,2", "--per-hertz", "1e6", "-o", "a.png"],
        ["modes.h5", "frequency.2", "-o", "a.pdf"],
    ],
    ids=lambda arguments: " ".join(arguments[:-2]),
)
def test_pictures(files, tmp_path, capsys, arguments):
    path = tmp_path / arguments[-1]
    assert run(["plot", str(files / arguments[0]), *arguments[1:-1], str(path)]) == 0, capsys.readouterr().err
    assert path.stat().st_size > 5000


def test_table_as_csv(files, tmp_path):
    path = tmp_path / "table.csv"
    assert run(["plot", str(files / "map.h5"), "--csv", str(path)]) == 0
    heading, *lines = path.read_text(encoding="utf-8").splitlines()
    assert heading == "phi,alpha,box.com_acceleration.z:rms [m/s2],box.com_acceleration.x:rms [m/s2]"
    rows = np.array([[float(cell) for cell in line.split(",")] for line in lines])
    result = ff.io.read(files / "map.h5")
    np.testing.assert_array_equal(rows[:, 2:], result.values)
    np.testing.assert_array_equal(rows[:4, :2], [(0, 0), (0, 90), (0, 180), (45, 0)])


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["map.h5", "box.com_acceleration.z:rms"], 2, "nothing to do"),
        (["map.h5", "-o", "a.png"], 2, "name the columns"),
        (["map.h5", "box.com_acceleration.y:rms", "-o", "a.png"], 2, "acceleration.y:rms' does not exist"),
        (["map.h5", "box.com_acceleration.z:rms", "--psd", "-o", "a.png"], 2, "--psd does not apply to sweeps"),
        (["map.h5", "box.com_acceleration.z:rms", "--where", "phi=1", "-o", "a.png"], 2, "no point at phi = 1"),
        (["map.h5", "box.com_acceleration.z:rms", "--where", "phi", "-o", "a.png"], 2, "must have the form NAME=VALUE"),
        (["map.h5", "box.com_acceleration.z:rms", "--over", "psi", "-o", "a.png"], 2, "'psi' does not vary here"),
        (["map.h5", "box.com_acceleration.z:rms", "box.com_acceleration.x:rms", "-o", "a.png"], 2, "one column"),
        (["modes.h5", "-o", "a.png"], 2, "frequencies are drawn over one parameter"),
        (["modes.h5", "--orders", "one", "--where", "mass=6000", "-o", "a.png"], 2, "must be a list of numbers"),
    ],
    ids=str,
)
def test_complaints_about_plots(files, tmp_path, monkeypatch, capsys, arguments, code, sentence):
    monkeypatch.chdir(tmp_path)
    assert run(["plot", str(files / arguments[0]), *arguments[1:]]) == code
    said = capsys.readouterr()
    assert sentence in said.err
    assert said.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_reports(files, tmp_path, capsys):
    page = tmp_path / "report.html"
    assert run(["report", str(files / "map.h5"), "-o", str(page)]) == 0, capsys.readouterr().err
    text = page.read_text(encoding="utf-8")
    assert text.count("data:image/png;base64,") == 2
    for word in ("finished: 9 points, 3 failed", "Failures", "Minimum and maximum values", "phi varies", "front_shaft"):
        assert word in text
    assert not re.search(r"(src|href)=[\"'](?!data:|#)", text)
    assert run(["report", str(files / "modes.h5"), "--channel", "frequency.1", "-o", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert text.count("data:image/png;base64,") == 1
    # sqrt(k/m)/2pi of the vertical motion at 4e6 N/m and 6000 kg
    assert f"{np.sqrt(4e6 / 6000) / (2 * np.pi):.6g}" in text
    lone = ff.io.read(files / "modes.h5").at(mass=7000.0)
    ff.io.write(tmp_path / "lone.h5", lone)
    assert run(["report", str(tmp_path / "lone.h5"), "-o", str(page)]) == 0
    assert "Natural frequencies" in page.read_text(encoding="utf-8")


def test_damaged_file_is_one_line(files, tmp_path, capsys):
    path = tmp_path / "sweep.h5"
    path.write_bytes((files / "map.h5").read_bytes()[:3000])
    assert run(["info", str(path)]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_other_commands_say_what_the_file_is(files, capsys):
    assert run(["view", str(files / "map.h5"), "--save", "a.png"]) != 0
    assert capsys.readouterr().err.count("\n") == 1
