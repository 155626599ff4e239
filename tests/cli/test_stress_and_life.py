"""`floatframe stress` and `floatframe life` from the model to their tables; what they refuse."""

from __future__ import annotations

import numpy as np
import pytest

import floatframe as ff
from floatframe.cli.main import run
from tests.cli.json_output import answer

MODEL = """
format = "floatframe-model/1"
gravity = [0, 0, 0]

[parameters]
load = 10.0

[[flexible]]
name = "beam"
file = "body.h5"
damping = 0.1

[[joint]]
name = "root"
type = "fixed"
place = { body = "beam", node = 1 }
against = { body = "ground", point = [0, 0, 0] }

[[force]]
name = "pull"
type = "point_force"
place = { body = "beam", node = 5 }
force = ["0", "0", "-load*sin(pi*t)^2"]

[record]
every = 0.01

[simulate]
t_end = 2.0
step = 5e-3
"""
ROOT = 6.0 * 10.0 / 0.02**3  # M c / I of a cantilever of 1 m with 10 N at its tip [Pa]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("life")
    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
    section = ff.fem.BeamSection.rectangle(0.02, 0.02)
    fe = ff.fem.beam_line((0, 0, 0), (1, 0, 0), n=4, section=section, material=steel)
    body = ff.modal.reduce(fe, interface=[1, 5], n_modes=2)
    ff.io.write(path / "body.h5", ff.modal.with_stress(body, fe))
    (path / "beam.toml").write_text(MODEL, encoding="utf-8")
    assert run(["simulate", str(path / "beam.toml"), "-o", str(path / "run.h5")]) == 0
    return path


def test_hot_spots_are_at_the_root_when_the_pull_is_largest(folder, capsys):
    found = answer(["stress", str(folder / "run.h5"), "--top", "2"], capsys)
    assert found["static_correction"] is True
    assert [row["node"] for row in found["hot_spots"]] == [1, 2]
    # shear joins the bending, inertia at 1 Hz adds the square of 1 / 17
    assert found["hot_spots"][0]["von_mises_pa"] == pytest.approx(ROOT, rel=0.02)
    assert found["hot_spots"][0]["time_s"] % 1.0 == pytest.approx(0.5, abs=0.03)
    at_rest = answer(["stress", str(folder / "run.h5"), "--time", "0"], capsys)
    assert at_rest["hot_spots"][0]["von_mises_pa"] < 1e-3 * ROOT
    assert run(["stress", str(folder / "run.h5")]) == 0
    assert "hot spots of 'beam', with static correction" in capsys.readouterr().out


def test_life_of_two_runs_is_that_of_their_cycles(folder, capsys):
    name = str(folder / "run.h5")
    curve = ["--curve", "own:2e6:1e6:5", "--mean", "goodman:500e6"]
    once = answer(["life", name, *curve], capsys)
    worst = once["places"][0]
    assert (worst["node"], once["static_correction"]) == (1, True)
    # two cycles from zero: amplitude and mean are half of the largest stress
    amplitude = ROOT / 2.0 / (1.0 - ROOT / 2.0 / 500e6)
    assert worst["amplitude_pa"] == pytest.approx(amplitude, rel=0.02)
    assert worst["damage"] == pytest.approx(2.0 * (worst["amplitude_pa"] / 2e6) ** 5 / 1e6, rel=0.05)
    more = answer(["life", f"{name}:10", name, *curve, "--nodes", "1"], capsys)
    assert more["places"][0]["damage"] == pytest.approx(11.0 * worst["damage"], rel=1e-9)
    assert more["duration_s"] == pytest.approx(22.0)
    assert run(["life", name, *curve]) == 0
    assert "fibre" in capsys.readouterr().out


def test_amplitudes_below_the_endurance_limit_do_no_damage(folder, capsys):
    """Half of 7.5 MPa against a limit of a hundred: nothing is listed."""
    page, words = folder / "none.html", ["life", str(folder / "run.h5"), "--curve", "own:100e6:1e6:5"]
    assert run([*words, "--save", str(page)]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "no damage; the largest amplitude" in out
    assert "at node 1" in out
    assert "inf" not in out
    assert run([*words, "--nodes", "3,99"]) != 0
    assert "node 99 of body 'beam' does not exist; it has 5 from 1 to 5" in " ".join(capsys.readouterr().err.split())


def test_maps_of_stresses_and_damage_are_drawn(folder, capsys):
    run_file, page = str(folder / "run.h5"), folder / "map.html"
    found = answer(["stress", run_file, "--save", str(page)], capsys)
    assert found["written"] == [str(page)]
    assert "largest of the run" in page.read_text(encoding="utf-8")
    found = answer(["life", run_file, "--curve", "own:2e6:1e6:5", "--save", str(page)], capsys)
    assert found["written"] == [str(page)]
    assert "damage of" in page.read_text(encoding="utf-8")
    powers, legend = ff.viewer.damage_colours(np.array([0.0, 1e-9, 5e-5]))
    assert legend == "log10(damage / 1e-12), most damage 5e-05"
    np.testing.assert_allclose(powers, [0.0, 3.0, np.log10(5e7)], rtol=1e-12)
    assert ff.viewer.damage_colours(np.zeros(2))[1] == "no damage"


def test_reports_have_stresses_life_and_responses(folder, capsys):
    page = folder / "report.html"
    words = ["report", str(folder / "run.h5"), "--curve", "own:2e6:1e6:5", "-o", str(page)]
    assert run(words) == 0
    text = page.read_text(encoding="utf-8")
    for part in ("Stresses of &#39;beam&#39;", "Life of &#39;beam&#39;", "With static correction", "critical plane"):
        assert part in text
    fibre = "beam.node[1].fibre[1].stress.xx"
    model = str(folder / "beam.toml")
    assert run(["report", model, "--response", f"{fibre}:pull", "--band", "2:60", "-o", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert "Frequency response" in text
    assert "Nyquist plot" in text
    for wrong, sentence in (
        (["--response", fibre, "--band", "2:60"], "must have the form OUTPUT:INPUT"),
        (["--response", f"{fibre}:pull"], "must be two rising frequencies"),
        (["--curve", "eurocode:71"], "--curve applies to runs, and to model files with --random"),
        (["--random", fibre, "--band", "2:60"], "--random and --psd belong together"),
        (["--band", "2:60"], "give one of them"),
        (["--vary", "load=1:2:5"], "two or more values"),
        (["--srs", "beam.acceleration.x"], "--srs applies to runs only"),
    ):
        assert run(["report", model, *wrong, "-o", str(page)]) == 2
        assert sentence in " ".join(capsys.readouterr().err.split())


def test_reports_have_random_responses_transmissibilities_loci_and_shock(folder, capsys):
    page = folder / "studies.html"
    fibre, tip = "beam.node[1].fibre[1].stress.xx", "beam.node[5].acceleration.z"
    model = ["report", str(folder / "beam.toml"), "-o", str(page), "--modes", "1"]
    studies = ["--response", "beam.node[3].acceleration.z:pull", "--transmissibility", tip, "--random", fibre]
    studies += ["--psd", "pull=0.01", "--curve", "own:2e6:1e6:5", "--band", "2:60", "--vary", "load=10:30:10"]
    assert run([*model, *studies]) == 0, capsys.readouterr().err
    text = page.read_text(encoding="utf-8")
    for part in (
        "Transmissibility",
        "Response to random inputs",
        "life [h], dirlik",
        "Modes over load",
        "Stable at all values",
    ):
        assert part in text
    words = ["report", str(folder / "run.h5"), "-o", str(page), "--srs", "beam.acceleration.z"]
    assert run(words) == 0, capsys.readouterr().err
    assert "Shock response spectra" in page.read_text(encoding="utf-8")


def test_random_inputs_give_a_life(folder, capsys):
    words = ["random", str(folder / "beam.toml"), "--psd", "pull=0.01", "--band", "2:60", "--curve", "own:2e6:1e6:5"]
    page = folder / "random.html"
    output = ["--output", "beam.node[1].fibre[1].stress.xx"]
    found = answer([*words, *output, "--body", "beam", "--map", str(page), "--duration", "100"], capsys)
    [stress] = found["outputs"]
    place = next(row for row in found["life"]["places"] if (row["node"], row["place"]) == (1, "fibre 1"))
    assert place["life_s"] == pytest.approx(stress["life_s"]["dirlik"], rel=1e-6)  # one stress along the beam
    assert found["written"] == [str(page)]
    # every crossing a cycle: the upper bound of the damage, and here, below the second mode, near the others
    lives = stress["life_s"]
    assert lives["narrow_band"] < lives["tovo_benasciutti"] < 1.2 * lives["narrow_band"]
    for wrong, sentence in (
        ([*output, "--method", "narrow"], "method 'narrow' does not exist"),
        (["--output", "beam.acceleration.x"], "none of the outputs is a stress [Pa], found beam.acceleration.x"),
    ):
        assert run([*words, *wrong]) == 2
        assert sentence in " ".join(capsys.readouterr().err.split())
    assert run([*words, "--body", "beam"]) == 0
    assert "life of 'beam', own, dirlik, critical plane" in " ".join(capsys.readouterr().out.split())
    assert run([*words[:-2], "--body", "beam"]) == 2
    assert "needs an S–N curve; give --curve" in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["--curve", "eurocode:72"], 2, "detail category 72 does not exist"),
        (["--curve", "own:2e6:1e6:5", "--mean", "goodman"], 2, "needs the tensile strength"),
        (["--curve", "own:2e6:1e6:5", "--body", "rod"], 2, "flexible body 'rod' does not exist"),
        (["--curve", "own:1e3:1e4:3"], 1, "is out of its range, which ends at"),
        (["--curve", "eurocode:71", "--nodes", "1,tip"], 2, "must be numbers of nodes"),
    ],
)
def test_wrong_use_is_refused(folder, capsys, words, code, sentence):
    assert run(["life", str(folder / "run.h5"), *words]) == code
    assert sentence in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize("times", ["nan", "-2", "0", "inf"])
def test_repetitions_are_positive(folder, capsys, times):
    assert run(["life", f"{folder / 'run.h5'}:{times}", "--curve", "eurocode:71"]) == 2
    assert "must be a positive number" in " ".join(capsys.readouterr().err.split())


def test_the_run_is_coloured_by_the_stresses_that_the_body_keeps(folder):
    result = ff.hybrid.Results.open(folder / "run.h5")
    scene = ff.viewer.scene_of(result, stress=True)
    clip = scene.clips[0]
    values = scene.values(clip, scene.state(clip, 0.25))
    drawn = next(v for part, v in zip(scene.parts, values, strict=True) if part.name == "beam")
    assert drawn.max() == pytest.approx(result["beam.node[1].von_mises"][50], rel=1e-6)
    # the colours end at the largest of all records, not of a few
    peaks = ff.durability.peak_hold(result.stress("beam"))
    assert scene.largest(clip) == pytest.approx(peaks.value.max(), rel=1e-6)
