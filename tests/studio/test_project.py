"""The project folder: kinds and states of its files, and nothing outside."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path
from typing import Any

import h5py
import pytest

import floatframe as ff
from floatframe.errors import ModelError
from floatframe.studio.project import Project

SAMPLES = Path(__file__).parents[2] / "samples"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A beam, its body, a machine and a run of it."""
    made = tmp_path / "project"
    (made / "sub").mkdir(parents=True)
    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
    section = ff.fem.BeamSection.rectangle(0.02, 0.02)
    ff.io.write(made / "beam.h5", ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=4, section=section, material=steel))
    fe = ff.io.read(made / "beam.h5")
    ff.io.write(made / "rod.h5", ff.modal.reduce(fe, interface=[1, 5], n_modes=2))
    shutil.copy(SAMPLES / "slider_crank" / "rigid.toml", made / "rigid.toml")
    run_of(made / "rigid.toml", made / "run.h5")
    (made / "sub" / "deck.inp").write_text("*NODE\n1, 0, 0, 0\n")
    return made


def states(project: Project) -> dict[str, tuple[str, str, str]]:
    return {entry.name: (entry.kind, entry.state, entry.because) for entry in project.entries()}


def test_kinds_and_states(folder):
    project = Project(folder)
    assert states(project) == {
        "beam.h5": ("model", "", ""),
        "rigid.toml": ("machine", "", ""),
        "rod.h5": ("body", "current", ""),
        "run.h5": ("run", "current", ""),
        "sub/deck.inp": ("model", "", ""),
    }
    assert project.of_kind("run", "body") == ["rod.h5", "run.h5"]


def test_what_is_older_than_its_source_says_so(folder):
    project = Project(folder)
    project.entries()
    beam = ff.io.read(folder / "beam.h5")
    ff.io.write(folder / "beam.h5", beam.with_point_mass(1, 2.0))
    change(folder / "rigid.toml", "torque = 100.0", "torque = 90.0")
    found = states(project)
    assert found["rod.h5"] == ("body", "older", "beam.h5")
    assert found["run.h5"] == ("run", "older", "rigid.toml")


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def run_of(path: Path, output: Path, **how: Any) -> None:
    """Simulate a machine in a file for a moment."""
    file = ff.hybrid.read_model(path)
    file.model.compile().simulate(record=file.record, path=output, **{**file.simulate, "t_end": 0.01, **how})


def test_runs_of_copies_know_their_own_file(folder):
    """Copies have the same name in them: what was computed says which file it was, and what stood in that."""
    for name in ("a.toml", "b.toml"):
        shutil.copy(folder / "rigid.toml", folder / name)
    run_of(folder / "b.toml", folder / "sub" / "b-run.h5")
    ff.hybrid.sweep(folder / "b.toml", {"torque": "60,70"}, path=folder / "b-sweep.h5", t_end=0.01)
    project = Project(folder)

    def known() -> list[tuple[str, str]]:
        return [(one.made_of, one.state) for one in project.entries() if one.name in ("sub/b-run.h5", "b-sweep.h5")]

    assert known() == [("b.toml", "current")] * 2
    text = (folder / "b.toml").read_bytes()
    (folder / "b.toml").write_bytes(b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n"))  # as Windows writes it
    assert ("b.toml", "current") in known()  # the text that the sweep has kept is the same
    change(folder / "b.toml", "torque = 100.0", "torque = 90.0")
    later = time.time() + 100
    os.utime(folder / "sub" / "b-run.h5", (later, later))  # as a run ends that was begun before the change
    assert known() == [("b.toml", "older")] * 2
    (folder / "b.toml").rename(folder / "c.toml")
    (folder / "c.toml").write_bytes(text)
    change(folder / "a.toml", "torque = 100.0", "torque = 80.0")
    change(folder / "rigid.toml", "torque = 100.0", "torque = 80.0")
    assert known() == [("c.toml", "current")] * 2  # by its content, under another name


def test_a_run_knows_the_files_of_its_machine_by_their_content(folder):
    text = (SAMPLES / "slider_crank" / "flexible.toml").read_text(encoding="utf-8")
    text = text.replace("input.fum", "rod.h5").replace("node = 201", "node = 5")
    (folder / "flexible.toml").write_text(text, encoding="utf-8")
    run_of(folder / "flexible.toml", folder / "sub" / "flexible-run.h5")
    project, rod = Project(folder), folder / "rod.h5"

    def found() -> tuple[str, ...]:
        return states(project)["sub/flexible-run.h5"][1:]

    assert found() == ("current", "")
    content = rod.read_bytes()
    rod.unlink()
    assert found() == ("missing", "rod.h5")
    rod.write_bytes(content)
    later = time.time() + 100
    os.utime(rod, (later, later))  # as it is put back
    assert found() == ("current", "")
    ff.io.write(rod, ff.modal.reduce(ff.io.read(folder / "beam.h5"), interface=[1, 5], n_modes=1))
    os.utime(rod, (1.0, 1.0))
    assert found() == ("older", "rod.h5")
    with h5py.File(folder / "sub" / "flexible-run.h5", "r+") as file:  # as earlier programs wrote it
        del file["source/used"]
    assert found() == ("current", "")
    rod.unlink()
    assert found() == ("missing", "rod.h5")


def test_a_resumed_run_is_of_the_file_that_it_was_resumed_with(folder):
    run_of(folder / "rigid.toml", folder / "run.h5", t_end=0.02)
    with pytest.raises(KeyboardInterrupt), ff.io.ResultWriter.resume(folder / "run.h5"):
        raise KeyboardInterrupt
    change(folder / "rigid.toml", "torque = 100.0", "torque = 100.00")
    assert states(Project(folder))["run.h5"] == ("run", "older", "rigid.toml")
    run_of(folder / "rigid.toml", folder / "run.h5", t_end=0.03, resume=True)
    assert states(Project(folder))["run.h5"] == ("run", "current", "")


def test_runs_that_do_not_name_their_file_have_that_of_their_model(folder):
    with h5py.File(folder / "run.h5", "r+") as file:  # as earlier programs wrote it
        del file.attrs["source"], file.attrs["source_hash"]
    assert states(Project(folder))["run.h5"] == ("run", "current", "")
    later = time.time() + 100
    os.utime(folder / "rigid.toml", (later, later))
    assert states(Project(folder))["run.h5"] == ("run", "older", "rigid.toml")


def test_what_was_stopped_before_its_end_says_so(folder):
    assert states(Project(folder))["run.h5"] == ("run", "current", "")
    with pytest.raises(KeyboardInterrupt), ff.io.ResultWriter.resume(folder / "run.h5"):
        raise KeyboardInterrupt
    assert states(Project(folder))["run.h5"] == ("run", "incomplete", "")


def test_files_are_a_tree_of_what_they_were_made_of(folder):
    shutil.copy(folder / "rod.h5", folder / "sub" / "elsewhere.h5")
    text = (folder / "rigid.toml").read_text(encoding="utf-8")
    (folder / "sub" / "copy.toml").write_text(text, encoding="utf-8")
    project = Project(folder)
    assert [(entry.depth, entry.name, entry.made_of) for entry in project.entries()] == [
        (0, "beam.h5", ""),
        (1, "rod.h5", "beam.h5"),
        (1, "sub/elsewhere.h5", "beam.h5"),  # by the sum of its source, which is not beside it
        (0, "rigid.toml", ""),
        (1, "run.h5", "rigid.toml"),  # not of the copy in another folder
        (0, "sub/copy.toml", ""),
        (0, "sub/deck.inp", ""),
    ]
    assert project.source("sub/elsewhere.h5") == "beam.h5"


@pytest.mark.parametrize("name", ["../out.h5", "/etc/passwd", "sub/../../out", "", ".", "a\0b", "link/out.txt"])
def test_names_that_lead_out_are_refused(folder, tmp_path, name):
    (folder / "link").symlink_to(tmp_path)
    with pytest.raises(ModelError):
        Project(folder).inside(name)


def test_links_that_lead_out_are_not_listed(folder, tmp_path):
    (tmp_path / "secret.toml").write_text("x = 1")
    (folder / "secret.toml").symlink_to(tmp_path / "secret.toml")
    assert "secret.toml" not in states(Project(folder))


def test_a_new_name_does_not_exist_yet(folder):
    assert Project(folder).new_name("rod", ".h5") == "rod-2.h5"
    assert Project(folder).new_name("bar", ".h5") == "bar.h5"


def test_a_file_nested_too_deeply_is_listed(folder):
    (folder / "deep.toml").write_text(f"a = {'[' * 100_000}{']' * 100_000}")
    assert states(Project(folder))["deep.toml"] == ("other", "", "")


def test_a_file_that_goes_away_meanwhile_is_left_out(folder, monkeypatch):
    project = Project(folder)
    paths = [*project._paths(), folder / "gone.h5"]
    monkeypatch.setattr(project, "_paths", lambda: iter(paths))
    assert "gone.h5" not in states(project)
    assert project.of_kind("run") == ["run.h5"]
