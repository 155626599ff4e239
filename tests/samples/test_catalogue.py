"""Samples are listed, shown, copied and run by name, from a checkout and from a wheel."""

from __future__ import annotations

import importlib
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

import floatframe as ff
from floatframe.cli.main import run
from floatframe.samples import Sample, find_sample, samples

ROOT = Path(__file__).parents[2]


def test_every_folder_is_a_sample_with_one_line_and_commands():
    found = samples()
    folders = {path for path in (ROOT / "samples").iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert {sample.folder for sample in found} == folders
    assert [sample.name for sample in found] == sorted(sample.name for sample in found)
    for sample in found:
        assert sample.about.endswith(".")
        assert sample.commands
        assert all(command.startswith("floatframe ") for command in sample.commands)


def test_commands_name_files_of_the_copy_or_of_commands_before():
    for sample in samples():
        there = set(sample.files)
        for command in sample.commands:
            words = [Path(word).name for word in shlex.split(command) if Path(word).suffix in (".toml", ".h5", ".fum")]
            made = {words.pop()} if " -o " in command and words else set()
            assert set(words) <= there, command
            there |= made | (set(find_sample("beam").files) if "samples beam" in command else set())


def test_listing_loads_nothing_heavy(capsys):
    code = "import sys; from floatframe.samples import samples; samples(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"numpy", "scipy", "numba", "h5py"} & set(loaded)


def test_list_and_json(capsys):
    assert run(["samples"]) == 0
    text = capsys.readouterr().out
    assert run(["samples", "--json"]) == 0
    entries = json.loads(capsys.readouterr().out)["samples"]
    assert [entry["name"] for entry in entries] == [sample.name for sample in samples()]
    assert all(entry["name"] in text and entry["about"] in text for entry in entries)
    able = [entry["name"] for entry in entries if entry["has_study"]]
    assert able == ["ballast-cleaner", "five-beams", "manchester", "railcar", "slider-crank"]


def test_a_copy_is_exact_and_is_not_overwritten(tmp_path, capsys):
    assert run(["samples", "bogie", "-o", str(tmp_path / "mine")]) == 0
    assert "floatframe linear bogie.toml" in capsys.readouterr().out
    for name in ("bogie.toml", "wheelset.toml"):
        assert (tmp_path / "mine" / name).read_bytes() == (ROOT / "samples" / "bogie" / name).read_bytes()
    (tmp_path / "mine" / "bogie.toml").write_text("changed", encoding="utf-8")
    (tmp_path / "mine" / "wheelset.toml").unlink()
    assert run(["samples", "bogie", "-o", str(tmp_path / "mine")]) == 1
    assert "already has bogie.toml" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["bogie.toml"]  # nothing was begun
    assert (tmp_path / "mine" / "bogie.toml").read_text(encoding="utf-8") == "changed"


def test_a_structure_is_copied_with_the_model_it_builds(tmp_path, capsys):
    assert run(["samples", "beam", "-o", str(tmp_path), "--json"]) == 0
    files = json.loads(capsys.readouterr().out)["written"]
    assert files == [str(tmp_path / name) for name in ("beam.h5", "beam.toml", "model.py")]
    fe = ff.io.read(tmp_path / "beam.h5")
    assert (fe.nnode, fe.nelement, fe.ndof) == (201, 200, 1206)
    assert (ff.io.read(tmp_path / "beam.toml").stiffness() != fe.stiffness()).nnz == 0


@pytest.mark.parametrize("name", ["slider-crank", "slider_crank", "Slider-Crank"])
def test_names_are_found_in_any_spelling(name):
    assert find_sample(name).name == "slider-crank"


def test_run_gives_the_folder_to_the_study(tmp_path, monkeypatch, capsys):
    study = find_sample("slider-crank").study()
    outcome = study.Study({}, {}, (tmp_path / "new" / "run.h5",))
    monkeypatch.setattr(study, "run", lambda folder, say: outcome if folder == tmp_path / "new" else None)
    assert run(["samples", "slider-crank", "--run", "-o", str(tmp_path / "new")]) == 0
    assert f"wrote {tmp_path / 'new' / 'run.h5'}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["bogey"], "sample 'bogey' is unknown; expected one of active-suspension, ballast-cleaner, beam"),
        (["-o", "x"], "need the name of a sample"),
        (
            ["bogie", "--run", "-o", "x"],
            "as a whole; studies: ballast-cleaner, five-beams, manchester, railcar, slider-crank",
        ),
        (["slider-crank", "--run"], "--run needs -o FOLDER"),
        (["slider-crank", "--run", "-o", str(ROOT)], "is not empty"),
    ],
)
def test_wrong_use(words, said, capsys):
    assert run(["samples", *words]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.usefixtures("rendering")
@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.name)
def test_commands_run_on_a_copy(sample: Sample, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sample.copy(tmp_path)
    for command in sample.commands:
        words = shlex.split(command)[1:]
        # a picture instead of a window
        assert run([*words, "--save", "seen.png"] if words[0] == "view" else words) == 0, command


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel of this checkout."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)], cwd=ROOT, check=True)
    (path,) = folder.glob("*.whl")
    return path


def test_wheel_has_one_top_level_package_and_every_file_of_the_samples(wheel):
    names = set(ZipFile(wheel).namelist())
    assert {name.split("/")[0] for name in names} == {"floatframe", f"floatframe-{ff.__version__}.dist-info"}
    kept = {path for path in (ROOT / "samples").rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    assert {f"floatframe/{path.relative_to(ROOT).as_posix()}" for path in kept} <= names
    assert not [name for name in names if "__pycache__" in name or name.endswith((".nbi", ".nbc"))]


def test_samples_work_from_the_wheel(wheel, tmp_path):
    ZipFile(wheel).extractall(tmp_path)
    script = """
from importlib.util import find_spec
from floatframe.cli.main import run
print(find_spec("floatframe.samples.demo").origin)
raise SystemExit(run(["samples"]) + run(["samples", "bogie", "-o", "bogie"]) + run(["samples", "beam", "-o", "."]))
"""
    options = {"cwd": tmp_path, "env": {**os.environ, "PYTHONPATH": str(tmp_path)}, "check": True, "text": True}
    done = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, **options)
    assert done.stdout.splitlines()[0] == str(tmp_path / "floatframe" / "samples" / "demo.py")
    assert (tmp_path / "bogie" / "wheelset.toml").exists()
    assert (tmp_path / "beam.h5").exists()


def test_samples_import_as_a_part_of_the_package():
    assert importlib.import_module("floatframe.samples.slider_crank.study").HERE == ROOT / "samples" / "slider_crank"
