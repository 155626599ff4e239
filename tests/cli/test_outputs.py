"""What commands write over: never their input, and other kinds of files only when asked."""

from __future__ import annotations

import json

import pytest

import floatframe as ff
from floatframe.cli.main import run
from tests.cli.pendulum import PENDULUM

SLIDER = """
format = "floatframe-model/1"
body = [{ name = "mass", mass = 1, inertia = [1, 1, 1] }]

[[joint]]
name = "guide"
type = "prismatic"
place = { body = "mass" }
against = { body = "ground" }
axis = [0, 1, 0]

[[force]]
name = "spring"
type = "joint_force"
joint = "guide"
force = "-150*displacement - rate"
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A beam, its body and a run, as files."""
    folder = tmp_path_factory.mktemp("outputs")
    section = ff.fem.BeamSection.rectangle(0.02, 0.02)
    beam = ff.fem.beam_line((0, 0, 0), (1, 0, 0), n=4, section=section, material=ff.fem.Material(2.1e11, 0.3, 7850.0))
    ff.io.write(folder / "beam.h5", beam)
    ff.io.write(folder / "body.h5", ff.modal.reduce(beam, interface=[1, 5], n_modes=2))
    (folder / "pendulum.toml").write_text(PENDULUM)
    assert run(["simulate", str(folder / "pendulum.toml"), "-o", str(folder / "run.h5")]) == 0
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def folder(made, tmp_path, monkeypatch):
    for name, content in made.items():
        (tmp_path / name).write_bytes(content)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ["reduce", "beam.h5", "--interface", "1", "-n", "2", "-o", "beam.h5"],
        ["reduce", "beam.h5", "--interface", "1", "-n", "2", "-o", "link.h5"],
        ["modes", "beam.h5", "-n", "2", "--write", "beam.h5"],
        ["drop", "body.h5", "--modes", "1", "-o", "body.h5"],
        ["convert", "beam.h5", "beam.h5"],
        ["convert", "beam.h5", "hard.h5"],
        ["random", "pendulum.toml", "--psd", "a=psd.csv", "--output", "t", "--band", "1:2", "--csv", "psd.csv"],
    ],
)
def test_the_input_is_not_written_over_even_by_force(folder, capsys, words):
    (folder / "link.h5").symlink_to("beam.h5")
    (folder / "hard.h5").hardlink_to("beam.h5")
    (folder / "psd.csv").write_text("1,1\n2,1\n")
    before = {path: path.read_bytes() for path in folder.iterdir()}
    for more in ([], ["--force"]):
        assert run([*words, *more]) == 2
        assert "is the input file; choose another name" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize(
    "words",
    [
        ["reduce", "beam.h5", "--interface", "1", "-n", "2", "-o", "run.h5"],
        ["modes", "beam.h5", "-n", "2", "--write", "run.h5"],
        ["simulate", "pendulum.toml", "-o", "body.h5"],
        ["simulate", "pendulum.toml", "-o", "other.h5"],
        ["plot", "run.h5", "hinge.angle", "-o", "text.png"],
        ["plot", "run.h5", "hinge.angle", "--csv", "binary.csv"],
        ["view", "run.h5", "--save", "binary.glb"],
    ],
)
def test_another_kind_of_file_is_written_over_by_force_only(folder, capsys, words):
    (folder / "text.png").write_text("not a picture")
    (folder / "other.h5").write_bytes(b"\x89HDF\r\n\x1a\n and nothing")
    for name in ("binary.csv", "binary.glb"):
        (folder / name).write_bytes(b"\0\1")
    output = folder / words[-1]
    before = output.read_bytes()
    assert run(words) == 2
    assert "write over it with --force" in capsys.readouterr().err
    assert output.read_bytes() == before
    assert run([*words, "--force"]) == 0, capsys.readouterr().err
    assert output.read_bytes() != before
    assert run(words) == 0  # it is of its own kind now


def test_a_file_stays_until_another_is_complete_in_its_place(folder, capsys):
    (folder / "kept.h5").write_bytes((folder / "body.h5").read_bytes())
    (folder / "link.h5").symlink_to("kept.h5")
    words = ["simulate", "pendulum.toml", "-o", "link.h5", "--force"]
    before = {path: path.read_bytes() for path in folder.iterdir()}
    assert run([*words, "--t-end", "-1"]) != 0
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
    assert run(words) == 0, capsys.readouterr().err
    assert (folder / "link.h5").is_symlink()
    assert ff.io.read(folder / "kept.h5").nrecord == 11
    assert {path for path in folder.iterdir()} == set(before)  # nothing was put aside


RANDOM = ["random", "pendulum.toml", "--output", "hinge.angle", "--band", "0.1:2", "--psd"]
SPACE = ["statespace", "machine.toml", "--input", "ground.acceleration.x", "--output", "hinge.angle"]
MEASURED = "t,hinge.angle\n0,0.1\n0.05,0.08\n0.1,0.05\n"
PARTS = """
[[flexible]]
name = "beam"
file = "body.h5"

[[joint]]
name = "weld"
type = "fixed"
place = { body = "beam", node = 1 }
against = { body = "rod" }

[tables]
load = { file = "load.csv" }
"""


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ([*RANDOM, "ground.acceleration.x=load.csv", "--csv", "load.csv"], ""),
        (["simulate", "machine.toml", "-o", "body.h5", "--force"], "body.h5"),
        (["simulate", "machine.toml", "-o", "link.h5", "--force"], "link.h5"),
        (["simulate", "machine.toml", "-o", "hard.h5", "--force"], "hard.h5"),
        (["sweep", "machine.toml", "--vary", "length=1,2", "--workers", "1", "-o", "body.h5", "--force"], "body.h5"),
        (["response", "machine.toml", *SPACE[2:], "--band", "0.1:2", "--csv", "load.csv"], "load.csv"),
        (["fit", "pendulum.toml", "--measured", "load.csv", "--vary", "length", "-o", "pendulum.toml"], ""),
        (["export-code", "program.py", "-o", "program.py"], ""),
    ],
)
def test_files_that_a_model_or_an_option_names_are_not_written_over_even_by_force(folder, capsys, words, place):
    (folder / "load.csv").write_text("0.1,1\n0.5,2\n10,1\n")
    (folder / "machine.toml").write_text(PENDULUM + PARTS)
    (folder / "program.py").write_text(PENDULUM)
    (folder / "link.h5").symlink_to("body.h5")
    (folder / "hard.h5").hardlink_to(folder / "body.h5")
    before = {path: path.read_bytes() for path in folder.iterdir()}
    assert run(words) != 0
    sentence = f"'{place}' is an input of the same command" if place else "is the input file"
    assert sentence in capsys.readouterr().err
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize("suffix", ["mat", "npz", "json"])
def test_a_state_space_is_written_over_by_the_next(folder, capsys, suffix):
    (folder / "machine.toml").write_text(PENDULUM)
    for _ in range(2):
        assert run([*SPACE, "-o", f"plant.{suffix}"]) == 0, capsys.readouterr().err
    (folder / f"plant.{suffix}").write_bytes(b"\0something else")
    assert run([*SPACE, "-o", f"plant.{suffix}"]) == 2


def test_names_with_control_characters_and_markup_are_shown_as_text(folder, capsys):
    (folder / "odd.toml").write_text(PENDULUM.replace('"rod"', '"[red]a\\u001b[31mb"'))
    assert run(["info", "odd.toml"]) == 1
    assert r"body '[red]a\x1b[31mb'" in capsys.readouterr().err


def test_one_name_for_two_outputs_is_refused(folder, capsys):
    words = ["response", "pendulum.toml", "--input", "ground.acceleration.x", "--output", "t", "--band", "1:2"]
    assert run([*words, "--save", "a.png", "--nyquist", "./a.png"]) == 2
    assert "is the name of two outputs; choose another name" in capsys.readouterr().err
    assert run([*words, "--frequency", "1e308"]) == 2
    assert "must be a positive frequency up to 1e+100 Hz" in capsys.readouterr().err


def test_modes_are_those_of_the_component_that_moves(tmp_path, capsys):
    """A mass that slides along y: its response along x is zero, and has no modes to list."""
    (tmp_path / "slider.toml").write_text(SLIDER)
    words = [
        "response",
        str(tmp_path / "slider.toml"),
        "--input",
        "spring",
        "--output",
        "mass.position",
        "--band",
        "1:3",
    ]
    for more in ([], ["--frequency", "1.5"]):
        assert run([*words, *more, "--json"]) == 0
        found = json.loads(capsys.readouterr().out)["contributions"]
        assert (found["output"], found["input"]) == ("mass.position.y", "spring")
        assert [row["share"] for row in found["modes"]] == pytest.approx([1.0])


def test_a_density_given_twice_is_refused(folder, capsys):
    assert run(["random", "pendulum.toml", "--psd", "a=1", "--psd", "a=2", "--output", "t", "--band", "1:2"]) == 2
    assert "--psd: 'a' is given twice" in capsys.readouterr().err
