"""`floatframe report`: one page for every kind of file, without anything from outside."""

from __future__ import annotations

import hashlib
import json
import re

import pytest

import floatframe as ff
from floatframe.cli.main import run

PENDULUM = """
format = "floatframe-model/1"
name = "swing"
gravity = [0, 0, -9.81]
parameters = { mass = 2.0 }

[[body]]
name = "rod"
mass = "mass"
com = [0, 0, -0.5]
inertia = ["mass/12", "mass/12", 1e-9]

[[joint]]
name = "hinge"
type = "revolute"
place = { body = "rod" }
against = { body = "ground" }
axis = [0, 1, 0]
start = 0.1

[record]
every = 0.01

[simulate]
t_end = 0.2
step = 0.01
"""


@pytest.fixture(scope="module")
def files(beam, tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    ff.io.write(folder / "beam.h5", beam)
    ff.io.write(folder / "input.fum", ff.modal.reduce(beam, interface=[1, 21], n_modes=2))
    (folder / "swing.toml").write_text(PENDULUM, encoding="utf-8")
    assert run(["simulate", str(folder / "swing.toml"), "-o", str(folder / "run.h5")]) == 0
    return folder


@pytest.mark.usefixtures("rendering")
@pytest.mark.parametrize(
    ("name", "words"),
    [
        # the first free bending mode: 4.7300^2 / (2 pi l^2) sqrt(E I / rho A), with rotary inertia and shear 26.57
        ("beam.h5", ["finite element model", "The model check finds no problem", "mode 7: 26.5", "E [Pa]", "A [m2]"]),
        ("input.fum", ["reduced flexible body", "eigenmodes", "centre of mass", "static"]),
        # sqrt(3 g / 2 l) / 2 pi
        ("swing.toml", ["hybrid model", "stable", "0.61052", "revolute", "at the start"]),
        ("run.h5", ["finished at t = 0.2 s", "generalised-alpha", "hinge.force", "energy balance"]),
    ],
)
def test_reports_tell_what_is_there(files, tmp_path, capsys, name, words):
    path = tmp_path / "report.html"
    arguments = ["report", str(files / name), "-o", str(path), "--modes", "1"]
    assert run([*arguments, *(["--channel", "hinge.force"] if name == "run.h5" else [])]) == 0, capsys.readouterr().err
    text = path.read_text(encoding="utf-8")
    for word in words:
        assert word in text
    assert hashlib.sha256((files / name).read_bytes()).hexdigest() in text
    assert "data:image/png;base64," in text
    # nothing is asked for from outside
    assert not re.search(r"(src|href)=[\"'](?!data:|#)", text)


def test_what_does_not_swing_has_no_strain_energy():
    from floatframe.viewer.pages.reports import _mode_row

    mode = {
        "mode": 1,
        "frequency_hz": 5e-7,
        "damping_ratio": 1.0,
        "strain_energy_share": 1.5e8,
        "participants": {},
        "states": {},
    }
    assert _mode_row({**mode, "kind": "no_oscillation"})["strain energy [%]"] is None
    assert _mode_row({**mode, "kind": "oscillation", "strain_energy_share": 0.5})["strain energy [%]"] == 50.0


@pytest.fixture
def without_rendering(monkeypatch):
    """No way to draw solids."""

    def refuse() -> None:
        raise ff.MissingDependency("pictures cannot be drawn on this machine")

    monkeypatch.setattr("floatframe.viewer.pages.reports.require_rendering", refuse)


@pytest.mark.usefixtures("without_rendering")
def test_without_a_way_to_draw_there_is_still_a_report(files, tmp_path, capsys):
    path = tmp_path / "report.html"
    assert run(["report", str(files / "swing.toml"), "--set", "mass=4", "-o", str(path), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["written"] == str(path)
    text = path.read_text(encoding="utf-8")
    assert "pictures cannot be drawn on this machine" in text
    assert "data:image/png" not in text
    assert "<iframe" in text
    assert "mass = 4" in text


@pytest.mark.usefixtures("without_rendering")
def test_measures_of_expressions_stand_in_the_report(files, tmp_path):
    path, asked = tmp_path / "report.html", "hinge.force.z - 2*hinge.force.x:detrend:rms,line(20)"
    assert run(["report", str(files / "run.h5"), "--channel", asked, "-o", str(path)]) == 0
    text = path.read_text(encoding="utf-8")
    history = ff.hybrid.Results.open(files / "run.h5")
    force = history["hinge.force"]
    rest = ff.signals.detrend(history.t, force[:, 2] - 2 * force[:, 0]).y
    assert "line(20)" in text
    assert f"{ff.signals.rms(history.t, rest):.6g}" in text


def test_names_cannot_become_script(files, tmp_path):
    from dataclasses import replace

    body = replace(ff.io.read(files / "input.fum"), name="<script>alert(1)</script>")
    ff.io.write(tmp_path / "wild.h5", body)
    text = ff.viewer.report(tmp_path / "wild.h5", tmp_path / "a.html", modes=0).read_text(encoding="utf-8")
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert" in text


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["beam.h5", "--set", "a=1"], 2, "--set applies to model files only"),
        (["swing.toml", "-o", "report.pdf"], 2, "must end in .html"),
        (["run.h5", "--channel", "hinge.farce"], 2, "did you mean hinge.force"),
        (["nothing.h5"], 2, "does not exist"),
    ],
)
def test_wrong_use_is_one_line(files, tmp_path, monkeypatch, capsys, arguments, code, words):
    monkeypatch.chdir(tmp_path)
    assert run(["report", str(files / arguments[0]), *arguments[1:]]) == code
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1


def test_a_run_without_its_model_takes_one(files, tmp_path, capsys):
    """A run that keeps no model text has no pictures, unless its model file is named; what does not fit is refused."""
    system = ff.hybrid.read_model(files / "swing.toml").model.compile()
    path, page = tmp_path / "alone.h5", tmp_path / "a.html"
    system.simulate(t_end=0.02, step=0.01, path=path, record=ff.hybrid.Record(model=False))
    assert run(["report", str(path), "-o", str(page)]) == 0
    assert "No pictures" in page.read_text(encoding="utf-8")
    assert run(["report", str(path), "--model", str(files / "swing.toml"), "-o", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert "No pictures" not in text
    assert "the run; turn it with the mouse" in text
    capsys.readouterr()
    for wrong, words in (
        (["run.h5", "--model", "swing.toml", "--model", "swing.toml"], "a run has one model file"),
        (["swing.toml", "--model", "swing.toml"], "is a model file, which applies to runs only"),
        (["beam.h5", "--model", "beam.h5"], "--model applies to bodies, model files and runs only"),
        (["input.fum", "--model", "beam.h5", "--model", "beam.h5"], "was made from one model"),
    ):
        given = [str(files / word) if word.endswith((".h5", ".toml", ".fum")) else word for word in wrong]
        assert run(["report", *given, "-o", str(page)]) == 2
        assert words in capsys.readouterr().err


@pytest.mark.usefixtures("rendering")
def test_a_model_whose_loop_has_no_poles_says_so(tmp_path):
    late = '[[block]]\nname = "late"\ntype = "delay"\ninput = "hinge.angle"\ntime = 0.1\n'
    motor = '[[force]]\nname = "motor"\ntype = "joint_torque"\njoint = "hinge"\ntorque = "-late"\n'
    (tmp_path / "loop.toml").write_text(f"{PENDULUM}\n{late}\n{motor}", encoding="utf-8")
    assert run(["report", str(tmp_path / "loop.toml"), "-o", str(tmp_path / "loop.html")]) == 0
    page = (tmp_path / "loop.html").read_text(encoding="utf-8")
    assert "stability not known" in page
    assert "linear analysis knows no sampled and no delayed values" in page
