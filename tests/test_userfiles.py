"""Files that others name: only regular ones are read, and sentences do not quote what is not part of a model."""

from __future__ import annotations

import os
from pathlib import Path

import h5py
import meshio
import numpy as np
import pytest

import floatframe as ff
from floatframe.cli.main import run
from floatframe.errors import FloatframeError, ReadError
from floatframe.expressions import read_table
from floatframe.io.meshes import read_mesh
from floatframe.userfiles import file_bytes, is_file
from tests.cli.pendulum import PENDULUM

SECRET = "root:x:0:0:secret\nme:y:1:1:secret\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_devices_and_pipes_are_not_read(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for name in ("/dev/zero", tmp_path / "pipe"):
        with pytest.raises(ReadError, match="a device or a pipe, expected a regular file"):
            read_table(name)
    with pytest.raises(OSError, match="device or a pipe"):
        file_bytes(tmp_path / "pipe")
    assert not is_file(tmp_path / ("x" * 5000))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.inp", "*NODE, INPUT={secret}\n"),
        ("a.inp", "*NODE\n1\n*NSET, NSET=A\n*INCLUDE, INPUT={secret}\n"),
        ("a.bdf", "BEGIN BULK\nGRID,1\nINCLUDE '{secret}'\nENDDATA\n"),
        ("a.toml", 'format = "floatframe-model/1"\n[[subsystem]]\nname = "a"\nfile = "{secret}"\n'),
        ("a.toml", 'format = "floatframe-model/1"\n[tables]\na = {{ file = "{secret}" }}\n'),
    ],
)
def test_files_that_are_no_part_of_a_model_are_not_quoted(tmp_path, name, text):
    (tmp_path / "etc").mkdir()
    (tmp_path / "models").mkdir()
    secret = tmp_path / "etc" / "passwords"
    secret.write_text(SECRET)
    path = tmp_path / "models" / name
    path.write_text(text.format(secret=secret))
    with pytest.raises(FloatframeError, match="passwords") as found:
        ff.hybrid.read_model(path) if path.suffix == ".toml" else ff.io.read(path)
    assert "secret" not in str(found.value)
    assert "x:0" not in str(found.value)


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is limited on systems that report it")
def test_a_count_beyond_the_file_is_a_sentence(tmp_path):
    path = tmp_path / "a.off"
    path.write_text("OFF\n1000000000000 1 0\n0 0 0\n")
    with pytest.raises(ReadError, match=r"though it has 28 bytes"):
        ff.io.read(path)


def test_dollars_and_control_characters_of_names_are_drawn_and_printed_as_text(tmp_path, monkeypatch, capsys):
    steel = ff.fem.Material(2.1e11, 0.3, 7850.0)
    section = ff.fem.BeamSection.rectangle(0.02, 0.02)
    beam = ff.fem.beam_line((0, 0, 0), (1, 0, 0), n=2, section=section, material=steel)
    monkeypatch.chdir(tmp_path)
    ff.io.write("a$\\frac{$.h5", beam.with_node_set("\x1b[31mred [bold]", [1]))
    assert run(["info", "a$\\frac{$.h5"]) == 0
    said = capsys.readouterr().out
    assert "\x1b" not in said
    assert r"\x1b[31mred [bold]" in said
    assert run(["plot", "a$\\frac{$.h5", "--sparsity", "-o", "k.png"]) == 0


@pytest.mark.parametrize(
    ("found", "instead", "sentence"),
    [
        ("mass = 2.0", "mass = 1e200", "expected at most 1e"),
        ('type = "revolute"', "type = [1, 2]", "unknown type"),
        ("every = 0.01", "every = 1e-12", "records until"),
        ("step = 1e-2", "step = 1e-19", "are only known to"),
    ],
)
def test_numbers_and_kinds_without_sense_are_named(tmp_path, capsys, found, instead, sentence):
    path = tmp_path / "a.toml"
    path.write_text(PENDULUM.replace(found, instead))
    assert run(["simulate", str(path), "-o", str(tmp_path / "run.h5")]) == 1
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize("suffix", [".xdmf", ".h5m"])
def test_meshes_whose_arrays_lie_in_other_files_are_refused(tmp_path, suffix):
    mesh = meshio.Mesh(np.eye(3), [("triangle", [[0, 1, 2]])])
    path, other = tmp_path / f"a{suffix}", tmp_path / f"b{suffix}"
    for place in (path, other):
        mesh.write(place)
    assert len(read_mesh(path).points) == 3
    held, key = (path.with_suffix(".h5"), "data0") if suffix == ".xdmf" else (path, "tstt/nodes/coordinates")
    with h5py.File(held, "r+") as file:
        del file[key]
        file[key] = h5py.ExternalLink(other.with_suffix(held.suffix), key)
    with pytest.raises(ReadError, match="link to another place"):
        read_mesh(path)


def test_an_xdmf_file_names_no_files_elsewhere(tmp_path):
    (tmp_path / "folder").mkdir()
    meshio.Mesh(np.eye(3), [("triangle", [[0, 1, 2]])]).write(tmp_path / "a.xdmf")
    path = tmp_path / "folder" / "a.xdmf"
    for old, new, said in (("a.h5:", "../a.h5:", "not beside it"), ('"HDF"', '"Binary"', "without a format")):
        path.write_text((tmp_path / "a.xdmf").read_text().replace(old, new))
        with pytest.raises(ReadError, match=said):
            read_mesh(path)
