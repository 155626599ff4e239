"""The command line: quick, one-line errors, exit codes 0, 1, 2, JSON for machines, quiet in a pipe."""

from __future__ import annotations

import importlib
import json
import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import floatframe as ff
from floatframe.cli.main import run
from floatframe.viewer.rendering import probe
from tests.cli.json_page import undocumented
from tests.cli.terminal import Terminal

PROGRAM = [sys.executable, "-c", "from floatframe.cli import main; main()"]


@pytest.fixture
def model_file(beam, tmp_path) -> Path:
    path = tmp_path / "beam.h5"
    ff.io.write(path, beam)
    return path


def failing(capsys, code: int, *arguments) -> str:
    """Run a command that fails and return its one line of complaint."""
    assert run([str(a) for a in arguments]) == code
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("floatframe: ")
    assert said.err.count("\n") == 1
    return said.err


def test_help_is_quick():
    # processor time, best of three, so that a busy machine does not decide
    times = []
    for _ in range(3):
        before = os.times()
        subprocess.run([*PROGRAM, "--help"], check=True, capture_output=True)
        after = os.times()
        times.append(after.children_user + after.children_system - before.children_user - before.children_system)
    assert min(times) < 0.5


def test_the_package_runs_as_a_module():
    done = subprocess.run([sys.executable, "-m", "floatframe", "modes", "nothing.cdb"], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("floatframe: ")


def test_version(capsys):
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"floatframe {ff.__version__}\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["modes", "FILE", "-n", "0"], "Invalid value for '-n': '0' must be greater than or equal to 1; see --help"),
        (["modes", "FILE", "-n", "ten"], "Invalid value for '-n': 'ten' must be a valid integer; see --help"),
        (["plot", "FILE", "--from", "1s"], "Invalid value for '--from': '1s' must be a valid number; see --help"),
        (["modes", "FILE", "--mass", "lump"], "Invalid value for '--mass': 'lump' is not one of 'consistent'"),
    ],
)
def test_wrong_values_of_options_are_quoted(capsys, tmp_path, words, said):
    (tmp_path / "file.h5").touch()
    assert said in failing(capsys, 2, *(tmp_path / "file.h5" if word == "FILE" else word for word in words))


@pytest.mark.parametrize("command", [["demo"], ["samples", "beam"], ["samples", "slider-crank", "--run"]])
def test_a_file_is_not_a_folder_for_results(capsys, tmp_path, command):
    (tmp_path / "there").touch()
    said = failing(capsys, 2, *command, "-o", tmp_path / "there")
    assert "there' is a file, expected a folder; see --help" in said


def test_info_tells_what_is_in_a_model(capsys, beam, model_file):
    assert run(["info", str(model_file), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["node_count"] == 21
    assert printed["elements_by_kind"] == {"beam": 20}
    assert printed["mass_kg"] == pytest.approx(7850 * 2 * 0.02**2)
    assert printed["centre_of_mass_m"] == pytest.approx([1, 0, 0])
    assert printed["node_sets"] == {"start": 1, "end": 1}
    assert printed["problems"] == []
    assert run(["info", str(model_file)]) == 0
    said = capsys.readouterr().out
    assert "dofs                126" in said
    assert "extent [m]" in said
    assert "\x1b" not in said


def test_info_shows_the_problems_of_a_model(capsys, beam, tmp_path):
    lonely = ff.fem.FEModel(np.vstack([beam.nodes, [[9.0, 9.0, 9.0]]]), beam.blocks)
    ff.io.write(tmp_path / "lonely.h5", lonely)
    assert run(["info", str(tmp_path / "lonely.h5")]) == 0
    assert "22" in capsys.readouterr().out.split("problems")[-1]


def beam_on_a_box():
    """A beam that stands on a corner of a solid, which does not hold its rotations."""
    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
    box = ff.fem.solid_box((1, 1, 1), (1, 1, 1), kind="hex8", material=steel)
    post = ff.fem.beam_line((1, 1, 1), (1, 1, 2), n=1, section=ff.fem.BeamSection.circle(0.05), material=steel)
    return ff.fem.merge_nodes(ff.fem.join(box, post))


def test_info_names_mechanisms(capsys, tmp_path):
    ff.io.write(tmp_path / "post.h5", beam_on_a_box())
    assert run(["info", str(tmp_path / "post.h5"), "--json"]) == 0
    problems = [problem["text"] for problem in json.loads(capsys.readouterr().out)["problems"]]
    # three rotations about the corner; the six motions of the free body are no problem
    assert len(problems) == 3
    assert all("node 8" in problem or "(8, 10)" in problem for problem in problems)


def test_mechanisms_of_a_large_model_are_looked_for_on_request(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(importlib.import_module("floatframe.io.native.describe_models"), "MECHANISM_LIMIT", 10)
    ff.io.write(tmp_path / "post.h5", beam_on_a_box())
    assert run(["info", str(tmp_path / "post.h5"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["mechanisms_checked"], found["problems"]) == (False, [])
    assert run(["info", str(tmp_path / "post.h5")]) == 0
    assert "mechanisms checked" in (said := capsys.readouterr().out)
    assert "no: `floatframe info --mechanisms` looks for them" in said
    assert run(["info", str(tmp_path / "post.h5"), "--json", "--mechanisms"]) == 0
    assert len(json.loads(capsys.readouterr().out)["problems"]) == 3


def test_modes_holds_single_components(capsys, beam, model_file):
    assert run(["modes", str(model_file), "-n", "3", "--fixed", "start:u+rx,21:uy+uz", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    modes = ff.modal.eigenmodes(beam, n=3, fixed=[("start", "u,rx"), (21, "uy,uz")])
    assert [row["frequency_hz"] for row in printed["modes"]] == pytest.approx(modes.frequency, rel=1e-9)


def test_modes_prints_the_frequencies_of_the_library(capsys, beam, model_file):
    assert run(["modes", str(model_file), "-n", "4", "--fixed", "start", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["modes"]
    expected = ff.modal.eigenmodes(beam, n=4, fixed=["start"]).frequency
    # the same computation after a trip through a file
    assert [row["frequency_hz"] for row in rows] == pytest.approx(expected.tolist(), rel=1e-9)
    assert run(["modes", str(model_file), "-n", "4", "--fixed", "1, end"]) == 0
    said = capsys.readouterr()
    assert len([line for line in said.out.splitlines() if "elastic" in line]) == 4
    assert "Sturm count: 4 of 4 eigenvalues below" in said.out
    assert said.err == ""


def test_modes_writes_shapes_that_can_be_read(capsys, beam, model_file, tmp_path):
    shapes = tmp_path / "shapes.h5"
    assert run(["modes", str(model_file), "-n", "7", "--write", str(shapes)]) == 0
    modes = ff.io.read(shapes)
    assert modes.displacement.shape == (21, 6, 7)
    assert modes.kind == ("rigid",) * 6 + ("elastic",)
    M = beam.mass()
    x = modes.displacement.reshape(126, 7)
    np.testing.assert_allclose(x.T @ (M @ x), np.eye(7), atol=1e-9)  # all dofs of a beam exist, in nodal order
    capsys.readouterr()
    assert run(["info", str(shapes)]) == 0
    assert "eigenmodes on nodes" in capsys.readouterr().out


@pytest.mark.usefixtures("rendering")
def test_modes_draws_a_picture(model_file, tmp_path):
    assert run(["modes", str(model_file), "-n", "2", "--fixed", "start", "--save", str(tmp_path / "mode.png")]) == 0
    assert (tmp_path / "mode.png").read_bytes().startswith(b"\x89PNG")


def test_missing_driver_is_one_line_with_the_cure(capsys, model_file, tmp_path, monkeypatch):
    crash = subprocess.CompletedProcess([], -11, "", "")
    monkeypatch.setattr(probe.subprocess, "run", lambda *args, **kwargs: crash)
    probe.rendering_problem.cache_clear()
    said = failing(capsys, 1, "modes", model_file, "--save", tmp_path / "mode.png")
    probe.rendering_problem.cache_clear()
    assert "apt-get install" in said


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["modes", "nothing.h5"], "'nothing.h5' does not exist"),
        (["modes", "MODEL", "--fixed", "strat"], "node set 'strat' is unknown; sets here: end, start"),
        (["modes", "MODEL", "--fixed", "999"], "unknown node 999"),
        (["modes", "MODEL", "-n", "0"], "'-n'"),
        (["modes", "MODEL", "--mode", "11"], "raise -n"),
        (["modes", "MODEL", "--save", "x.gif"], "must end in .png"),
        (["modes", "MODEL", "--write", "x.npz"], "must end in .h5 or .hdf5"),
        (["modes", "MODEL", "--nonsense"], "--nonsense"),
        (["nonsense"], "No such command 'nonsense'"),
        (["info"], "FILE"),
    ],
)
def test_wrong_use_is_code_2_and_one_line(capsys, model_file, arguments, complaint):
    arguments = [str(model_file) if argument == "MODEL" else argument for argument in arguments]
    assert complaint.lower() in failing(capsys, 2, *arguments).lower()


def test_failed_computation_is_code_1_and_one_line(capsys, beam, tmp_path):
    ff.io.write(tmp_path / "held.h5", beam.with_support([(beam.node_ids[k].item(), "all") for k in range(beam.nnode)]))
    assert "fixed" in failing(capsys, 1, "modes", tmp_path / "held.h5")


def test_broken_file_is_code_1_and_names_the_formats(capsys, tmp_path):
    (tmp_path / "note.txt").write_text("hello")
    assert "floatframe-fe-model (.h5, .hdf5)" in failing(capsys, 1, "info", tmp_path / "note.txt")


@pytest.mark.parametrize("place", [0, 2])
def test_verbose_shows_the_traceback(capsys, tmp_path, place):
    (tmp_path / "note.txt").write_text("hello")
    arguments = ["info", str(tmp_path / "note.txt")]
    arguments.insert(place, "-v")
    assert run(arguments) == 1
    assert "Traceback" in capsys.readouterr().err


def test_bar_and_colours_on_a_terminal_only(model_file):
    command = [*PROGRAM, "modes", str(model_file), "-n", "2", "--fixed", "start"]
    environment = {**os.environ, "TERM": "xterm-256color"}
    piped = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert piped.stderr == ""
    assert "\x1b" not in piped.stdout

    terminal = Terminal(command[2:], stdout="terminal", env=environment)
    shown = terminal.read()
    assert terminal.process.wait() == 0
    assert "\x1b[" in shown
    assert "2 modes of 126 equations" in shown


def test_buckling_of_a_cantilever(capsys, tmp_path, beam):
    ff.io.write(tmp_path / "beam.h5", beam)
    command = ["buckling", str(tmp_path / "beam.h5"), "--load", "end:ux=-2", "--fixed", "start", "-n", "2"]
    assert run([*command, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    section = beam.blocks[0].section
    euler = math.pi**2 * 2.1e11 * section.Iz / (4 * 2.0**2)
    # both planes alike; shear lowers it by P / kGA, 5e-5
    assert [row["factor"] for row in printed["factors"]] == pytest.approx([euler / 2.0] * 2, rel=1e-4)
    assert printed["counted"] == 2
    assert run(command) == 0
    assert "load factors" in " ".join(capsys.readouterr().out.split())
    for wrong in (
        ["--fixed", "start"],
        ["--load", "end=3"],
        ["--load", "end:ux"],
        ["--gravity", "0,1"],
        ["--load", "top:ux=1"],
    ):
        assert run(["buckling", str(tmp_path / "beam.h5"), *wrong]) == 2
        assert "Traceback" not in capsys.readouterr().err


@pytest.mark.usefixtures("rendering")
def test_demo_agrees_with_theory(capsys, tmp_path):
    assert run(["demo", "-o", str(tmp_path / "out"), "--json"]) == 0
    output = capsys.readouterr()
    printed = json.loads(output.out)
    assert not undocumented(printed)
    # the linear rod is pressed too hard to be right: reported in one line, without a place in the program
    (warning,) = output.err.splitlines()
    assert "body 'rod' has no geometric terms" in warning
    assert ".py" not in warning
    deflection, *modes = printed["checks"]
    # the tip deflection is exact up to the round-off of 1206 equations
    assert deflection["computed"] == pytest.approx(deflection["theory"], rel=1e-6)
    for check in modes:
        # Euler–Bernoulli without rotary inertia, which lowers mode 3 of this beam by 3e-4
        assert -5e-4 < check["computed"] / check["theory"] - 1 < 0
    assert {crank["rod"] for crank in printed["slider_crank"]} == {"rigid", "chain", "linear", "stiffened"}
    for crank in printed["slider_crank"]:
        # all at steps of 1 ms, the chain's reference at 0.2 ms; the exact speed of the stiffened rod is known to 4e-4
        assert crank["crank_speed_rad_per_s"] == pytest.approx(crank["reference_speed_rad_per_s"], rel=2e-3)
    assert all(Path(name).stat().st_size > 1000 for name in printed["written"])
    assert {Path(name).name for name in printed["written"]} == {path.name for path in (tmp_path / "out").iterdir()}


def test_an_interrupt_is_said(tmp_path, capsys, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    model = tmp_path / "model.toml"
    model.write_text('format = "floatframe-model/1"\n')
    monkeypatch.setattr("floatframe.cli.equilibrium.read_model_file", interrupted)
    assert run(["equilibrium", str(model)]) == 130
    assert capsys.readouterr().err == "floatframe: interrupted\n"
