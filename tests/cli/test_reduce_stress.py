"""`floatframe reduce --stress`: kept in HDF5, refused for an input.fum."""

from __future__ import annotations

import json

import pytest

import floatframe as ff
from floatframe.cli.main import run


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("stress") / "beam.h5"
    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
    section = ff.fem.BeamSection.rectangle(0.02, 0.02)
    fe = ff.fem.beam_line((0, 0, 0), (1, 0, 0), n=4, section=section, material=steel)
    ff.io.write(path, fe.with_element_set("middle", [2, 3]))
    return path


def test_stresses_are_kept_with_the_body(model, capsys):
    body = model.with_name("body.h5")
    assert run(["reduce", str(model), "--interface", "1,5", "-n", "2", "--stress", "middle,4", "-o", str(body)]) == 0
    capsys.readouterr()
    assert run(["info", str(body), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["stress_point_count"], found["stress_correction"]) == (3 * 2 * 4, True)  # elements, ends, fibres
    # written as an input.fum it loses them, and says so
    assert run(["convert", str(body), str(model.with_name("input.fum"))]) == 0
    assert "stresses of the shapes" in "".join(capsys.readouterr())


def test_an_input_fum_cannot_keep_stresses(model, capsys):
    words = ["reduce", str(model), "--interface", "1,5", "--stress", "all", "-o", str(model.with_name("input.fum"))]
    assert run(words) == 2
    assert "cannot keep stresses; write HDF5: -o" in " ".join(capsys.readouterr().err.split())


def test_an_unknown_set_of_elements_is_wrong_use(model, capsys):
    words = ["reduce", str(model), "--interface", "1,5", "--stress", "web", "-o", str(model.with_name("other.h5"))]
    assert run(words) == 2
    assert "element set 'web' is unknown; sets here: " in " ".join(capsys.readouterr().err.split())


def test_an_unknown_element_is_wrong_use(model, capsys):
    words = ["reduce", str(model), "--interface", "1,5", "--stress", "99", "-o", str(model.with_name("other.h5"))]
    assert run(words) == 2
    assert "element 99 is unknown; see" in " ".join(capsys.readouterr().err.split())


def test_stresses_that_a_body_keeps_are_shown_whatever_is_beside(tmp_path, monkeypatch, capsys):
    """A deck in millimetres is beside, which as SI has other nodes; those of the model itself are the reference."""
    monkeypatch.chdir(tmp_path)
    section = ff.fem.BeamSection.rectangle(20.0, 20.0)
    steel = ff.fem.Material(E=2.1e5, nu=0.3, rho=7.85e-9)
    ff.io.write("beam.inp", ff.fem.beam_line((0, 0, 0), (1000, 0, 0), n=4, section=section, material=steel))
    words = ["reduce", "beam.inp", "--units", "mm-t-s", "--interface", "1,5", "-n", "2", "-o"]
    assert run([*words, "body.h5", "--stress", "all"]) == 0
    capsys.readouterr()
    assert run(["view", "body.h5", "--stress", "--save", "a.html"]) == 0
    assert run([*words, "bare.h5"]) == 0
    assert "beam.inp" not in capsys.readouterr().err
    assert run(["view", "bare.h5", "--stress", "--save", "a.html"]) == 1
    assert "--model beam.inp with --units" in capsys.readouterr().err
    fe, body = ff.io.read("beam.inp", units="mm-t-s"), ff.io.read("body.h5")
    kept, known = (ff.viewer.scene_of(body, fe=of, stress=True).clips[3] for of in (None, fe))
    assert kept.values[0]() == pytest.approx(known.values[0](), rel=1e-6)  # both relative, of one shape
