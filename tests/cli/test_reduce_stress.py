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
