"""`floatframe reduce | drop | convert | info` on a beam: what they write, print and refuse."""

from __future__ import annotations

import json

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import floatframe as ff
from floatframe.cli.main import run

STEEL = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)


@pytest.fixture
def folder(tmp_path):
    """A folder with a beam and its reduced body."""
    section = ff.fem.BeamSection.rectangle(0.02, 0.03)
    beam = ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=20, section=section, material=STEEL)
    ff.io.write(tmp_path / "beam.h5", beam)
    ff.io.write(tmp_path / "input.fum", ff.modal.reduce(beam, interface=[1, 21], n_modes=6))
    return tmp_path


def called(capsys, *arguments):
    assert run([str(argument) for argument in arguments]) == 0
    return capsys.readouterr().out


def refused(capsys, code, *arguments):
    assert run([str(argument) for argument in arguments]) == code
    said = capsys.readouterr()
    assert said.out == ""
    return said.err


def test_reduce_writes_what_the_library_computes(folder, capsys):
    out = folder / "new.fum"
    said = called(capsys, "reduce", folder / "beam.h5", "--interface", "start,21", "-n", 6, "-o", out)
    assert "fixed-interface mode 6" in said
    assert "node 21 rz" in said
    again, known = ff.io.read(out), ff.io.read(folder / "input.fum")
    assert_allclose(again.frequency, known.frequency, rtol=1e-9)
    assert_array_equal(again.interface, known.interface)


def test_reduce_keeps_source_and_settings(folder, capsys):
    out = folder / "body.h5"
    arguments = ["--interface", "1:u,21:uy+uz", "--up-to", "0.1kHz", "--comment", "first try", "--quality", "--json"]
    content = json.loads(called(capsys, "reduce", folder / "beam.h5", *arguments, "-o", out))
    body = ff.io.read(out)
    assert body.provenance.source == "beam.h5"
    assert len(body.provenance.source_hash) == 64
    assert body.provenance.comment == "first try"
    assert body.provenance.settings["up_to"] == "100 Hz"
    assert body.interface.tolist() == [[1, 0], [1, 1], [1, 2], [21, 1], [21, 2]]
    assert max(row["error"] for row in content["quality"]["free"]) < 1e-3
    assert content["modes"][-1]["frequency_hz"] is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--interface", "99"], "unknown node 99"),
        (["--interface", "1:"], "needs a component after the colon"),
        (["--interface", "1", "--method", "fancy"], "use one of craig-bampton"),
        (["--interface", "1", "--up-to", "fast"], "must be a positive frequency"),
        (["--interface", "1", "-n", "3", "--up-to", "50Hz"], "either -n or --up-to"),
        (["--interface", "1", "--accuracy", "1e-2"], "--accuracy needs --up-to"),
        (["--interface", "1", "--comment", "連桿"], "the comment '連桿' does not fit"),
    ],
)
def test_reduce_refuses_wrong_use(folder, capsys, arguments, message):
    assert message in refused(capsys, 2, "reduce", folder / "beam.h5", *arguments, "-o", folder / "x.fum")
    assert not (folder / "x.fum").exists()


def test_drop_is_the_librarys_drop_and_shows_its_effect(folder, capsys):
    small = folder / "small.fum"
    content = json.loads(called(capsys, "drop", folder / "input.fum", "--modes", "3,5-6", "-o", small, "--json"))
    expected = ff.io.read(folder / "input.fum").drop(modes=[3, 5, 6])
    assert_array_equal(ff.io.read(small).shapes, expected.shapes)
    held = [row for row in content["changed_frequencies"] if row["support"] == "interface_held"]
    assert [row["mode"] for row in held] == [3, 5, 6]
    called(capsys, "drop", folder / "input.fum", "--keep", "1,2,4", "-o", folder / "kept.fum")
    assert (folder / "kept.fum").read_bytes() == small.read_bytes()


def test_a_folder_that_is_not_there_is_refused_before_anything_is_computed(folder, capsys, monkeypatch):
    monkeypatch.setattr(ff.modal, "reduce", None)
    complaint = refused(capsys, 2, "reduce", folder / "beam.h5", "--interface", 1, "-o", folder / "none" / "x.fum")
    assert "does not exist; create it first" in complaint


def test_every_command_says_what_a_binary_file_has_no_room_for(folder, capsys):
    damper = ff.fem.ElementBlock("ground_spring", np.array([[9]]), data={"damping": np.array([[0, 0, 7.0, 0, 0, 0]])})
    ff.io.write(folder / "damped.h5", ff.io.read(folder / "beam.h5").with_block(damper))
    commands = [
        ["reduce", folder / "damped.h5", "--interface", "1,21", "-n", 2, "-o", folder / "a.fum"],
        ["reduce", folder / "damped.h5", "--interface", "1,21", "-n", 2, "-o", folder / "body.h5"],
        ["drop", folder / "body.h5", "--modes", 1, "-o", folder / "b.fum"],
        ["convert", folder / "body.h5", folder / "c.fum"],
    ]
    for command in commands:
        assert run([str(word) for word in command]) == 0
        lost = "generalised damping, inertia constants of the consistent mass" in capsys.readouterr().err
        assert lost == (command[-1].suffix == ".fum")


def test_drop_refuses_a_range_that_runs_backwards(folder, capsys):
    complaint = refused(capsys, 2, "drop", folder / "input.fum", "--modes", "5-3", "-o", folder / "x.fum")
    assert "the range '5-3' is reversed; write 3-5" in complaint


@pytest.mark.parametrize("command", [["modes"], ["buckling", "--gravity", "0,0,-9.81"], ["reduce", "-o", "x.fum"]])
def test_model_files_are_not_finite_element_models(folder, capsys, monkeypatch, command):
    monkeypatch.chdir(folder)
    (folder / "machine.toml").write_text('format = "floatframe-model/1"\n', encoding="utf-8")
    complaint = refused(capsys, 2, command[0], "machine.toml", *command[1:])
    assert "'machine.toml' is a model file, expected a finite element model; `floatframe linear`" in complaint


def test_drop_refuses_static_shapes(folder, capsys):
    complaint = refused(capsys, 2, "drop", folder / "input.fum", "--modes", "7", "-o", folder / "x.fum")
    assert "mode 7 is a static shape (node 1 ux)" in complaint
    assert not (folder / "x.fum").exists()
    assert "either --modes or --keep" in refused(capsys, 2, "drop", folder / "input.fum", "-o", folder / "x.fum")


def test_convert_goes_both_ways(folder, capsys):
    called(capsys, "convert", folder / "input.fum", folder / "body.h5")
    called(capsys, "convert", folder / "body.h5", folder / "back.fum")
    assert (folder / "back.fum").read_bytes() == (folder / "input.fum").read_bytes()
    assert "suffix '.fum' is unknown for a finite element model" in refused(
        capsys, 1, "convert", folder / "beam.h5", folder / "x.fum"
    )


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("beam.h5", ["convert", "FILE", "SAME"]),
        ("beam.h5", ["reduce", "FILE", "--interface", "1", "-n", "2", "-o", "SAME"]),
        ("beam.h5", ["modes", "FILE", "-n", "2", "--write", "SAME"]),
        ("input.fum", ["drop", "FILE", "--modes", "1", "-o", "SAME"]),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_no_command_overwrites_what_it_reads(folder, capsys, name, arguments):
    file, same = folder / name, folder / "." / name
    before = file.read_bytes()
    words = [{"FILE": file, "SAME": same}.get(word, word) for word in arguments]
    assert "is the input file; choose another name" in refused(capsys, 2, *words)
    assert file.read_bytes() == before


def test_convert_says_what_is_lost(folder, capsys):
    beam = ff.io.read(folder / "beam.h5")
    ff.io.write(folder / "exact.h5", ff.modal.reduce(beam, interface=[1, 21], n_modes=2, inertia="exact"))
    assert run(["convert", str(folder / "exact.h5"), str(folder / "plain.fum")]) == 0
    assert "cannot store inertia constants of the consistent mass" in capsys.readouterr().err


def test_info_prints_the_tables(folder, capsys):
    said = called(capsys, "info", folder / "input.fum")
    assert "ux uy uz rx ry rz" in said
    content = json.loads(called(capsys, "info", folder / "input.fum", "--json"))
    assert content["static_shape_count"] == 12
    assert len(content["modes"]) == 18
    assert content["mass_kg"] == pytest.approx(7850.0 * 6e-4 * 2.0)


def test_info_draws_a_mode(folder, capsys):
    import matplotlib.image

    pictures = []
    for mode in (1, 2):
        called(capsys, "info", folder / "input.fum", "--save", folder / "mode.png", "--mode", mode)
        pictures.append(matplotlib.image.imread(folder / "mode.png"))
    assert np.ptp(pictures[0]) > 0
    assert (pictures[0] != pictures[1]).any()
    assert "has 18, counted from 1" in refused(
        capsys, 1, "info", folder / "input.fum", "--save", folder / "mode.png", "--mode", 99
    )


def test_a_whole_set_as_interface_is_reported_before_it_takes_long(folder, capsys):
    every_node = ",".join(str(node) for node in range(1, 22))
    call = ["reduce", folder / "beam.h5", "-n", "1", "--no-geometric", "-o", folder / "many.h5", "--interface"]
    assert run([str(word) for word in [*call, every_node]]) == 0
    assert "--interface names 21 nodes" in capsys.readouterr().err
    assert run([str(word) for word in [*call, "1,21"]]) == 0
    assert capsys.readouterr().err == ""
