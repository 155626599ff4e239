"""What the command line says about reading a file: supports released, and words about what cannot be done."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

import floatframe as ff
from floatframe.cli.main import application
from floatframe.fem import Material, solid_box

STEEL = Material(2.1e11, 0.3, 7850.0)


@pytest.fixture
def clamped(tmp_path):
    """A bar held at its end CLAMP, as a function of the suffix of its file."""
    fe = solid_box((1.0, 0.2, 0.2), (5, 1, 1), material=STEEL)
    ends = {"CLAMP": fe.nodes[:, 0] < 1e-9, "TIP": fe.nodes[:, 0] > 1 - 1e-9}
    fe = replace(fe, node_sets={name: fe.node_ids[rows] for name, rows in ends.items()})
    fe = fe.with_support([("CLAMP", "u")])

    def written(suffix):
        ff.io.write(tmp_path / f"bar.{suffix}", fe)
        return str(tmp_path / f"bar.{suffix}")

    return written


def run(*words):
    return CliRunner().invoke(application(), [str(word) for word in words])


@pytest.mark.parametrize("suffix", ["inp", "cdb", "bdf", "h5"])
def test_supports_of_a_file_are_released(clamped, suffix):
    held = json.loads(run("modes", clamped(suffix), "-n", 7, "--json").stdout)
    free = json.loads(run("modes", clamped(suffix), "-n", 7, "--no-supports", "--json").stdout)
    kinds = [mode["kind"] for mode in free["modes"]]
    assert kinds.count("rigid") == 6
    assert all(mode["kind"] != "rigid" for mode in held["modes"])


def test_only_dofs_that_exist_count_as_supported():
    fe = solid_box((1.0, 0.2, 0.2), (5, 1, 1), material=STEEL).with_support([1, 2])
    assert len(fe.supports) == 2 * 6
    assert ff.io.describe(fe)["supported_dof_count"] == 2 * 3  # nodes of solids do not turn


def test_an_end_that_is_held_becomes_an_interface_when_it_is_released(clamped, tmp_path):
    words = ("reduce", clamped("inp"), "--couple", "CLAMP", "--interface", "CLAMP", "-n", 3, "-o", tmp_path / "b.fum")
    refused = run(*words)
    assert refused.exit_code != 0
    assert "held by the supports of the model; release them with --no-supports" in " ".join(refused.output.split())
    assert run(*words, "--no-supports").exit_code == 0
    assert len(ff.io.read(tmp_path / "b.fum").interface) == 6


def test_equations_live_on_when_supports_are_released(tmp_path):
    """An equation with a supported dof is not lost with the support."""
    fe = solid_box((1.0, 0.2, 0.2), (2, 1, 1), material=STEEL)
    ff.io.write(tmp_path / "bar.inp", fe)
    deck = (tmp_path / "bar.inp").read_text()
    (tmp_path / "bar.inp").write_text(deck + "*EQUATION\n2\n1, 1, 1., 2, 1, -1.\n*BOUNDARY\n1, 1, 3\n2, 1, 3\n")
    free = ff.io.read(tmp_path / "bar.inp", supports=False)
    assert len(free.supports) == 0
    assert free.ndof == fe.ndof - 1
    assert np.array_equal(np.unique(ff.io.read(tmp_path / "bar.inp").supports[:, 0]), [1, 2])


@pytest.mark.parametrize("name", ["no/x.h5", "no/x.inp", "no/x.cdb"])
def test_a_missing_folder_is_named(clamped, tmp_path, name):
    result = run("convert", clamped("inp"), tmp_path / name)
    assert result.exit_code == 2
    assert "does not exist; create it first" in " ".join(result.output.split())


def test_info_prints_warnings_once(clamped):
    text = clamped("inp")
    with open(text) as file:
        deck = file.read().replace("*DENSITY\n7850.0\n", "")
    with open(text, "w") as file:
        file.write(deck)
    result = run("info", text)
    assert result.output.count("has no density: its elements have no mass") == 1


def test_what_cannot_be_read_ends_commands_unless_dropped(tmp_path, capsys):
    from floatframe.cli.main import run as run_program

    deck = tmp_path / "gap.bdf"
    deck.write_text(
        "BEGIN BULK\nGRID,1,,0.,0.,0.,,123456\nGRID,2,,1.,0.,0.\nCBAR,1,1,1,2,0.,0.,1.\n"
        "PBAR,1,1,1.E-4,1.E-8,1.E-8,2.E-8\n"
        "MAT1,1,2.1E11,,.3,7850.\nCGAP,7,1,1,2\nENDDATA\n"
    )
    assert run_program(["modes", str(deck), "-n", "1"]) == 1
    said = capsys.readouterr()
    assert "CGAP (1, first in line 7) carries stiffness" in said.err
    assert "--drop CGAP" in said.err
    assert not said.out
    # info shows the whole account before it says the same
    assert run_program(["info", str(deck)]) == 1
    said = capsys.readouterr()
    assert "lost, so that modes and the other commands refuse the file" in said.out
    assert "--drop CGAP" in said.err
    assert run_program(["info", str(deck), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["import"]["lost"][0]["drop"] == "CGAP"
    assert run_program(["modes", str(deck), "-n", "1", "--drop", "cgap"]) == 0
    assert "left out CGAP (1, first in line 7)" in capsys.readouterr().err
    assert run_program(["info", str(deck), "--drop", "all", "--drop", "CELAS9"]) == 0
    assert "--drop CELAS9 has no effect" in capsys.readouterr().out
