"""What happens when the disk takes no more: a sentence, what was there stays, nothing is left behind.

A limit on the size of files stands for a full disk: the system refuses writes beyond it in the same way.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

import floatframe as ff
from floatframe.io import Channel, ResultMeta, ResultWriter, complete_file, complete_folder

resource = pytest.importorskip("resource", reason="limits on the size of files are there on Unix only")

CHANNELS = tuple(Channel(f"c{k}", "m") for k in range(50))
META = ResultMeta(nq=3, nv=3)


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def rows(first: int, stop: int) -> list[np.ndarray]:
    t = np.arange(first, stop) * 1e-3
    return [t, *(np.sin(np.outer(t + 1, np.arange(1, n + 1))) for n in (3, 3, 50)), np.empty((len(t), 0))]


def names(folder) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_a_run_without_space_ends_with_its_records_and_goes_on_when_there_is_some(tmp_path):
    path = tmp_path / "run.h5"
    writer = ResultWriter.create(path, CHANNELS, META)
    kept = 0

    def fill() -> None:
        nonlocal kept
        with writer:
            for first in range(0, 100_000, 100):
                writer.append(*rows(first, first + 100))
                writer.checkpoint({"at": first + 100})
                kept = first + 100

    with (
        largest_file(1_200_000),
        pytest.raises(ff.errors.WriteError, match=r"run\.h5' cannot be written: File too large"),
    ):
        fill()
    found = ff.io.read(path)
    assert names(tmp_path) == {"run.h5"}
    assert 100 <= kept == found.nrecord < 100_000
    assert found.status.reason == "failed"
    assert "File too large" in found.status.message
    assert "make space and resume" in found.status.cured_by
    assert found.columns(0, 50) == pytest.approx(rows(0, kept)[3], abs=0.0)

    with ResultWriter.resume(path) as again:
        assert again.resumed_from.content == {"at": kept}
        again.append(*rows(kept, kept + 5000))
    assert ff.io.read(path).columns(0, 50) == pytest.approx(rows(0, kept + 5000)[3], abs=0.0)


@pytest.mark.parametrize("size", [100, 3000, 20_000])
def test_a_resumed_run_without_space_leaves_the_old_file(tmp_path, size):
    path = tmp_path / "run.h5"
    with ResultWriter.create(path, CHANNELS, META) as writer:
        writer.append(*rows(0, 2000))
        writer.checkpoint({})
    before = path.read_bytes()
    with largest_file(size):
        for begin in (ResultWriter.resume, lambda path: ResultWriter.create(path, CHANNELS, META)):
            with pytest.raises(ff.errors.WriteError, match="File too large"):
                begin(path)
    assert names(tmp_path) == {"run.h5"}
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", ["beam.h5", "beam.fum", "beam.inp", "beam.cdb"])
@pytest.mark.parametrize("size", [10, 2500, 9000])
def test_bodies_and_decks_without_space_leave_what_was_there(tmp_path, name, size):
    section = ff.fem.BeamSection.rectangle(0.02, 0.02)
    fe = ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=300, section=section, material=ff.fem.Material(2.1e11, 0.3, 7850.0))
    thing = ff.modal.reduce(fe, interface=[1, 301], n_modes=6) if name == "beam.fum" else fe
    path = tmp_path / name
    path.write_bytes(b"what was there")
    with largest_file(size), pytest.raises(ff.errors.WriteError, match=f"{name}' cannot be written: File too large"):
        ff.io.write(path, thing)
    assert path.read_bytes() == b"what was there"
    assert names(tmp_path) == {name}


def test_a_temporary_file_of_a_killed_writer_goes_and_one_of_a_living_writer_stays(tmp_path):
    path = tmp_path / "a.csv"
    left = tmp_path / ".a.csv.0123456789abcdef.tmp"
    left.write_text("half")
    others = tmp_path / ".b.csv.0123456789abcdef.tmp"
    others.write_text("half")
    with complete_file(path) as first:
        assert not left.exists()
        assert others.exists()
        first.write_text("first")
        with complete_file(path) as second:
            second.write_text("second")
        assert path.read_text() == "second"
    assert path.read_text() == "first"
    assert names(tmp_path) == {"a.csv", others.name}


def test_a_folder_of_a_killed_writer_goes_and_one_that_is_there_stays_until_the_new_one_is_complete(tmp_path):
    path, left = tmp_path / "frames", tmp_path / ".frames.0123456789abcdef.tmp"
    for folder in (path, left):
        folder.mkdir()
        (folder / "a").touch()

    def fail() -> None:
        with complete_folder(path) as first:
            assert not left.exists()
            (first / "b").touch()
            with complete_folder(path) as second:
                assert first.exists()
                (second / "c").touch()
            assert names(path) == {"c"}
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert names(tmp_path) == {"frames"}
    assert names(path) == {"c"}


def test_a_folder_comes_back_if_the_new_one_cannot_take_its_name(tmp_path, monkeypatch):
    path = tmp_path / "frames"
    path.mkdir()
    (path / "old").touch()
    rename = Path.rename

    def refusing(self: Path, target: Path) -> Path:
        if target == path and (self / "new").exists():
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return rename(self, target)

    def write() -> None:
        with complete_folder(path) as folder:
            (folder / "new").touch()

    monkeypatch.setattr(Path, "rename", refusing)
    with pytest.raises(ff.errors.WriteError, match=os.strerror(errno.EIO)):
        write()
    assert names(tmp_path) == {"frames"}
    assert names(path) == {"old"}


def test_an_output_that_is_a_link_stays_one_and_a_device_is_refused(tmp_path):
    target, link = tmp_path / "target.csv", tmp_path / "link.csv"
    target.write_text("old")
    link.symlink_to(target)
    with complete_file(link) as temporary:
        temporary.write_text("new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    with pytest.raises(ff.errors.WriteError, match="not a regular file"), complete_file(tmp_path / "/dev/null"):
        pass


def test_two_writers_of_one_run(tmp_path):
    path = tmp_path / "run.h5"
    with ResultWriter.create(path, CHANNELS, META) as writer:
        writer.append(*rows(0, 10))
        writer.checkpoint({})
        for begin in (ResultWriter.resume, lambda path: ResultWriter.create(path, CHANNELS, META)):
            with pytest.raises(ff.errors.WriteError, match=r"run\.h5' is being written by process \d+ on "):
                begin(path)
    assert names(tmp_path) == {"run.h5"}
    (tmp_path / ".run.h5.lock").write_text('{"pid": 1, "host": "elsewhere", "since": "yesterday"}')  # of a killed run
    ResultWriter.resume(path).finish()
    assert names(tmp_path) == {"run.h5"}
