"""What all commands have in common: help with examples, exit codes, one-line complaints, JSON, completion, quietness.

One table of calls; a command that is not in it fails the first test.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.main import get_command

import floatframe as ff
from floatframe.cli.common.terminal import show_json
from floatframe.cli.main import COMMANDS, application, run
from tests.cli.json_page import undocumented
from tests.cli.pendulum import PENDULUM
from tests.cli.track_file import LINE

SWING = (
    PENDULUM.replace('"revolute"', '"distance"')
    .replace("axis = [0, 1, 0]\nstart = 0.1", "length = 1.0")
    .replace("mass = 2.0", "mass = 2.0\nposition = [1, 0, 0]")
)

SQUARE = """\
format = "floatframe-mesh/1"

[parameters]
side = 1.0

[[part]]
type = "plate"
lx = "side"
ly = "side"
nx = 2
ny = 2
thickness = 0.01
material = "S355"
"""

# a call of each command that succeeds; FILE is where the input stands
CALLS = {
    "info": ("beam.h5", ["FILE"]),
    "mesh": ("square.toml", ["FILE", "-o", "out.inp"]),
    "convert": ("beam.h5", ["FILE", "out.inp"]),
    "modes": ("beam.h5", ["FILE", "-n", "2", "--fixed", "start"]),
    "buckling": ("beam.h5", ["FILE", "--load", "end:ux=-1", "--fixed", "start", "-n", "1"]),
    "reduce": ("beam.h5", ["FILE", "--interface", "1", "-n", "2", "-o", "out.fum"]),
    "drop": ("body.fum", ["FILE", "--modes", "1", "-o", "out.fum"]),
    "equilibrium": ("pendulum.toml", ["FILE"]),
    "linear": ("pendulum.toml", ["FILE"]),
    "random": (
        "pendulum.toml",
        ["FILE", "--psd", "ground.acceleration.x=0.1", "--output", "hinge.angle", "--band", "0.1:2"],
    ),
    "statespace": (
        "pendulum.toml",
        ["FILE", "--input", "ground.acceleration.x", "--output", "hinge.angle", "-o", "out.json"],
    ),
    "response": (
        "pendulum.toml",
        ["FILE", "--input", "ground.acceleration.x", "--output", "hinge.angle", "--band", "0.1:2"],
    ),
    "srs": ("swing.csv", ["FILE", "--band", "0.5:2"]),
    "simulate": ("pendulum.toml", ["FILE", "-o", "out.h5"]),
    "choose": ("swing.toml", ["FILE"]),
    "drift": ("swing.toml", ["FILE"]),
    "sweep": (
        "pendulum.toml",
        ["FILE", "--study", "linear", "--vary", "length=1,2", "--workers", "1", "-o", "out.h5"],
    ),
    "fit": ("pendulum.toml", ["FILE", "--measured", "swing.csv", "--vary", "length"]),
    "export-code": ("pendulum.toml", ["FILE", "-o", "out.c"]),
    "plot": ("run.h5", ["FILE", "hinge.angle", "--rms"]),
    "contributions": ("run.h5", ["FILE", "hinge.angle"]),
    "view": ("body.fum", ["FILE", "--save", "out.html"]),
    "report": ("run.h5", ["FILE", "--channel", "hinge.angle", "-o", "out.html"]),
    "track": ("line.toml", ["FILE"]),
    "assess": ("long.h5", ["FILE", "--accelerations", "rod.acceleration"]),
}
OTHERS = {
    "conicity",
    "wheel-rail",
    "umexport",
    "demo",
    "import-check",
    "cards",
    "samples",
    "warmup",
    "doctor",
    "studio",
    "stress",
    "life",
}  # they take no file, or a run of a body with stresses; tests of their own

# wrong use: exit code 2, before anything is computed or written
WRONG = [
    ["info"],
    ["info", "missing.h5"],
    ["info", "."],
    ["info", "beam.h5", "--save", "missing/out.png"],
    ["mesh", "square.toml", "-o", "out.xyz"],
    ["mesh", "square.toml", "--set", "weight=3"],
    ["mesh", "square.toml", "--set", "side=__import__('os')"],
    ["convert", "beam.h5", "out.xyz"],
    ["convert", "beam.h5", "missing/out.inp"],
    ["convert", "beam.h5", "beam.h5"],
    ["modes", "beam.h5", "-n", "-1"],
    ["modes", "beam.h5", "-n", "two"],
    ["modes", "beam.h5", "--fixed", "nowhere"],
    ["modes", "beam.h5", "--write", "missing/out.h5"],
    ["modes", "body.fum"],
    ["modes", "beam.h5", "--units", "furlongs"],
    ["buckling", "beam.h5", "--load", "end:ux=many", "--fixed", "start"],
    ["reduce", "beam.h5", "--interface", "1", "-o", "folder.h5"],
    ["reduce", "beam.h5", "--interface", "1", "--up-to", "50", "--accuracy", "nan", "-o", "out.fum"],
    ["reduce", "beam.h5", "--interface", "1", "--method", "guess", "-o", "out.fum"],
    ["drop", "body.fum", "--modes", "99", "-o", "out.fum"],
    ["drop", "beam.h5", "--modes", "1", "-o", "out.fum"],
    ["equilibrium", "pendulum.toml", "--set", "weight=3"],
    ["equilibrium", "pendulum.toml", "--set", "length=__import__('os')"],
    ["linear", "pendulum.toml", "--at", "noon"],
    ["simulate", "pendulum.toml", "-o", "out.h5", "--t-end", "-1"],
    ["simulate", "pendulum.toml", "-o", "out.h5", "--step", "nan"],
    ["simulate", "pendulum.toml", "-o", "missing/out.h5"],
    ["choose"],
    ["choose", "swing.toml", "-o", "out.xyz"],
    ["choose", "swing.toml", "--iterations", "0"],
    ["drift", "swing.toml", "--stabilisation", "five"],
    ["drift", "swing.toml", "-o", "out.xyz"],
    ["drift", "swing.toml", "--method", "newmark"],
    ["sweep", "pendulum.toml", "--vary", "length", "-o", "out.h5"],
    ["sweep", "pendulum.toml", "--vary", "weight=1,2", "-o", "out.h5"],
    ["sweep", "pendulum.toml", "--vary", "length=1,2", "-o", "missing/out.h5"],
    ["fit", "pendulum.toml", "--measured", "missing.csv", "--vary", "length"],
    ["fit", "pendulum.toml", "--measured", "swing.csv", "--vary", "weight"],
    ["fit", "pendulum.toml", "--measured", "swing.csv", "--vary", "length=1"],
    ["fit", "pendulum.toml", "--measured", "swing.csv", "--vary", "length", "-o", "missing/out.toml"],
    ["export-code", "pendulum.toml", "-o", "out.cpp"],
    ["export-code", "pendulum.toml", "--set", "weight=3", "-o", "out.c"],
    ["plot", "run.h5", "hinge.angel", "--rms"],
    ["plot", "run.h5", "hinge.angle", "--psd", "--segment", "inf", "-o", "out.png"],
    ["plot", "run.h5", "hinge.angle", "--csv", "missing/out.csv"],
    ["plot", "run.h5", "hinge.angle:lowpas(3)"],
    ["contributions", "run.h5", "hinge.angel"],
    ["contributions", "run.h5", "hinge.angle", "--by", "rod"],
    ["contributions", "run.h5", "hinge.angle", "--csv", "missing/out.csv"],
    ["view", "body.fum", "--mode", "99", "--save", "out.html"],
    ["view", "run.h5", "--follow", "--save", "out.html"],
    ["view", "body.fum", "--json"],
    ["view", "run.h5", "--trace", "rood", "--save", "out.html"],
    ["view", "run.h5", "--save", "missing/out.html"],
    ["report", "run.h5", "--channel", "hinge.angel", "-o", "out.html"],
    ["report", "run.h5", "-o", "out.pdf"],
    ["track", "missing.toml"],
    ["track", "line.toml", "--every", "-1"],
    ["track", "line.toml", "-o", "missing/out.png"],
    ["assess", "run.h5"],
    ["assess", "run.h5", "--accelerations", "hinge.angle"],
    ["assess", "pendulum.toml"],
    ["conicity", "--wheel", "S1003"],
    ["conicity", "--rail", "missing.prr"],
    ["conicity", "--gauge", "-1"],
    ["wheel-rail", "--lateral", "1e-3"],
    ["wheel-rail", "--load", "0"],
    ["wheel-rail", "--load", "1e4", "--law", "guess"],
    ["wheel-rail", "--load", "1e4", "-o", "missing/out.png"],
    ["cards", "fortran"],
    ["import-check", "beam.h5"],
    ["import-check", ".", "--timeout", "0"],
    ["import-check", ".", "-o", "out.txt"],
    ["umexport"],
    ["umexport", "job", "-o", "missing/out.fum"],
    ["nonsense"],
    ["--nonsense"],
]


@pytest.fixture(scope="module")
def files(tmp_path_factory, beam) -> Path:
    """A folder with one file of each kind, and broken ones."""
    folder = tmp_path_factory.mktemp("files")
    ff.io.write(folder / "beam.h5", beam)
    ff.io.write(folder / "body.fum", ff.modal.reduce(beam, interface=[1, 21], n_modes=2))
    (folder / "pendulum.toml").write_text(PENDULUM)
    (folder / "swing.toml").write_text(SWING)
    (folder / "square.toml").write_text(SQUARE)
    (folder / "line.toml").write_text(LINE)
    (folder / "swing.csv").write_text("t [s],hinge.angle [rad]\n0,0.1\n0.1,0.095\n0.2,0.08\n0.3,0.057\n")
    assert run(["simulate", str(folder / "pendulum.toml"), "-o", str(folder / "run.h5")]) == 0
    assert run(["simulate", str(folder / "pendulum.toml"), "--t-end", "6", "-o", str(folder / "long.h5")]) == 0
    (folder / "folder.h5").mkdir()
    rubbish = np.random.default_rng(1).integers(0, 256, 5000, dtype=np.uint8).tobytes()
    for whole in {whole for whole, _ in CALLS.values()}:
        content, suffix = (folder / whole).read_bytes(), Path(whole).suffix
        (folder / f"rubbish{suffix}").write_bytes(rubbish)
        (folder / f"empty{suffix}").write_bytes(b"")
        (folder / f"words{suffix}").write_text("hello world\n1 2 3\n")
        (folder / f"short-{whole}").write_bytes(content[: len(content) // 3])
    (folder / "rubbish.h5").write_bytes(b"\x89HDF\r\n\x1a\n" + rubbish)  # the mark of HDF5, and nothing of it
    return folder


@pytest.fixture
def here(files, tmp_path, monkeypatch) -> Path:
    """A folder of its own with links to the files, so that what a command writes can be seen."""
    for file in files.iterdir():
        (tmp_path / file.name).symlink_to(file)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def arguments_of(command: str, file: str | None = None) -> list[str]:
    own, call = CALLS[command]
    return [command, *(file or own if word == "FILE" else word for word in call)]


def one_line(text: str) -> bool:
    """One complaint; lines set in show the user's text with a caret."""
    return text.startswith("floatframe: ") and all(line.startswith("    ") for line in text.splitlines()[1:])


def strict(text: str) -> Any:
    return json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))


def test_the_table_is_complete():
    assert set(COMMANDS) == set(CALLS) | OTHERS


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_examples_that_belong_to_the_command(capsys, command):
    assert run([command, "--help"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Usage: floatframe")
    assert "--json" in said or command == "studio"  # it serves pages and computes nothing itself
    examples = [line.strip() for line in said.split("Examples:\n")[1].splitlines() if line.strip()]
    assert len(examples) >= 2
    assert all(line.startswith(f"floatframe {command}") for line in examples)
    # options shown in examples exist
    shown = {word for line in examples for word in line.split() if word.startswith("-")}
    assert all(option in said.split("Examples:")[0] for option in shown)


@pytest.mark.parametrize("command", CALLS)
def test_json_is_alone_on_stdout(here, capfd, command):
    assert run([*arguments_of(command), "--json"]) == 0
    content = strict(capfd.readouterr().out)
    assert not undocumented(content)
    assert content["format"] == f"floatframe-{command}/1"


def test_json_has_null_for_what_is_not_finite(capsys):
    show_json("test/1", {"a": math.nan, "b": [1.0, -math.inf], "c": {"d": (math.inf, 2)}})
    assert strict(capsys.readouterr().out) == {"format": "test/1", "a": None, "b": [1.0, None], "c": {"d": [None, 2]}}


@pytest.mark.parametrize("arguments", WRONG, ids=" ".join)
def test_wrong_use_is_code_2(here, capfd, arguments):
    before = set(here.iterdir())
    assert run(arguments) == 2
    said = capfd.readouterr()
    assert one_line(said.err), said.err
    assert said.out == ""
    assert set(here.iterdir()) == before


@pytest.mark.parametrize("kind", ["rubbish", "empty", "words", "short"])
@pytest.mark.parametrize("command", CALLS)
def test_broken_files_are_code_1_and_leave_nothing(here, capfd, command, kind):
    own, _ = CALLS[command]
    before = set(here.iterdir())
    assert run(arguments_of(command, f"short-{own}" if kind == "short" else f"{kind}{Path(own).suffix}")) == 1
    said = capfd.readouterr()
    assert one_line(said.err), said.err
    assert "should not happen" not in said.err
    assert said.out == ""
    assert set(here.iterdir()) == before


@pytest.mark.parametrize("command", CALLS)
def test_files_of_another_kind_are_refused(here, capfd, command):
    other = "run.h5" if CALLS[command][0] != "run.h5" else "body.fum"
    if command in ("info", "view"):
        pytest.skip("takes every kind")
    assert run(arguments_of(command, other)) in (1, 2)
    said = capfd.readouterr()
    assert one_line(said.err), said.err
    assert "should not happen" not in said.err


def test_a_mistake_of_the_program_is_one_line_too(here, capfd, monkeypatch):
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(ff.modal, "eigenmodes", broken)
    assert run(["modes", "beam.h5"]) == 1
    said = capfd.readouterr().err
    assert one_line(said)
    assert "ZeroDivisionError: division by zero" in said
    assert run(["modes", "beam.h5", "-v"]) == 1
    assert "Traceback" in capfd.readouterr().err


def completed(words: str) -> list[str]:
    """What bash offers after these words."""
    program = [sys.executable, "-c", "from floatframe.cli import main; main()"]
    asked = {"_FLOATFRAME_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    done = subprocess.run(program, env={**os.environ, **asked}, capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.mark.parametrize("command", COMMANDS)
def test_options_with_one_value_are_given_once(here, capfd, command):
    params = get_command(application((command,))).commands[command].params
    single = [p.opts[0] for p in params if p.param_type_name == "option" and not p.is_flag and not p.multiple]
    for option in single:
        assert run([command, option, "1", option, "2"]) == 2
        assert f"{option} is given 2 times and takes one value" in capfd.readouterr().err


def test_options_with_several_values_are_given_often(here):
    assert run(["buckling", "beam.h5", "--load", "end:ux=-1", "--load", "end:uy=1", "--fixed", "start", "-n", "1"]) == 0


def test_tab_completes_commands_options_and_choices():
    assert completed("floatframe re") == ["reduce", "response", "report"]
    assert completed("floatframe simulate --re") == ["--resume"]
    assert completed("floatframe linear --at ") == ["start", "equilibrium", "steady"]
    assert completed("floatframe reduce --method g") == ["guyan"]
