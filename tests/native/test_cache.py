"""Machine code on disk: found again, made again when a source changes, never half there."""

from __future__ import annotations

import errno
import io
import os
import subprocess
import sys
import tempfile
from importlib import import_module

import pytest

from floatframe.native import kernel, machine, places

INNER = "from room.options import ROOM\n\nFACTOR = 2.0\n\n\n@ROOM.part\ndef scaled(x):\n    return FACTOR * x\n"
OUTER = (
    "from floatframe.native import FLOAT\nfrom room.inner import scaled\nfrom room.options import ROOM\n\n\n"
    "@ROOM.entry(FLOAT)\ndef twice(x):\n    return scaled(scaled(x))\n"
)
OPTIONS = "from pathlib import Path\n\nfrom floatframe.native import Room\n\nROOM = Room(Path(__file__).parent)\n"


@pytest.fixture
def room(tmp_path, monkeypatch):
    """A room of two kernels, one inside the other; a function loads it as a new process would."""
    folder = tmp_path / "room"
    folder.mkdir()
    for name, text in (("__init__", ""), ("options", OPTIONS), ("inner", INNER), ("outer", OUTER)):
        (folder / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    for module in (machine, places):
        monkeypatch.setattr(module, "cache_folder", lambda: tmp_path / "cache")

    def load():
        for name in ("room", "room.options", "room.inner", "room.outer"):
            sys.modules.pop(name, None)
        machine.sources_digest.cache_clear()
        twice = import_module("room.outer").twice
        # machine code stays in a process: a new one of the same name needs another symbol
        twice.symbol_name += f"_{len(made)}"
        made.append(twice)
        return twice

    made = []
    yield folder, load
    for name in ("room", "room.options", "room.inner", "room.outer"):
        sys.modules.pop(name, None)


def test_a_kernel_follows_the_constants_of_the_functions_inside_it(room):
    folder, load = room
    twice = load()
    assert not twice.is_compiled()
    assert twice(1.0) == 4.0
    assert twice.is_compiled()
    (folder / "inner.py").write_text(INNER.replace("2.0", "3.0"))
    os.utime(folder / "inner.py", (1e9, 1e9))  # Python keeps what it compiled within the resolution of the clock
    changed = load()
    assert changed.path != twice.path
    assert changed(1.0) == 9.0


def test_what_is_kept_is_loaded_and_not_made(room, tmp_path):
    _, load = room
    twice = load()
    assert twice(1.0) == 4.0
    note, code = machine.kept(twice.path)
    assert note == "d"
    assert len(code) > 100
    assert [path.name for path in (tmp_path / "cache").iterdir()] == [twice.path.name]


@pytest.mark.parametrize("left", [-20, 0, 50])
def test_a_damaged_file_is_made_again(room, left):
    _, load = room
    twice = load()
    assert twice(1.0) == 4.0
    twice.path.write_bytes(twice.path.read_bytes()[:left])
    assert machine.kept(twice.path) is None
    assert load()(1.0) == 4.0


def test_a_damaged_file_of_an_installation_that_is_read_only_is_made_once(room, tmp_path, monkeypatch):
    installed = tmp_path / "installed"
    monkeypatch.setattr(machine, "folders_to_look_in", lambda: (tmp_path / "cache", installed))
    twice = room[1]()
    assert twice(1.0) == 4.0
    installed.mkdir()
    twice.path.rename(installed / twice.path.name)
    (installed / twice.path.name).write_bytes(b"damaged")
    damaged = installed / twice.path.name
    stem, digest = damaged.stem.split("-")
    assert machine.path_of(stem, digest) == damaged
    machine.keep(damaged, "d", b"code")
    assert machine.kept(machine.path_of(stem, digest)) == ("d", b"code")
    assert damaged.read_bytes() == b"damaged"


def test_drafts_of_killed_processes_are_deleted(room, tmp_path):
    twice = room[1]()
    twice(1.0)
    stem = twice.path.name.rpartition("-")[0]
    old, new = (tmp_path / "cache" / f"{stem}-{name}.draft" for name in ("left", "living"))
    for draft in (old, new):
        draft.touch()
    os.utime(old, (1e9, 1e9))
    machine.keep(twice.path, "d", b"code")
    assert {path.name for path in (tmp_path / "cache").iterdir()} == {twice.path.name, new.name}


def test_a_trial_of_a_folder_follows_no_link(tmp_path, monkeypatch):
    monkeypatch.setattr(places.os, "urandom", bytes)
    trial, target = tmp_path / f".{bytes(8).hex()}.try", tmp_path / "target"
    trial.symlink_to(target)
    assert not places.cache_is_writable(tmp_path)
    assert not target.exists()


def test_older_files_of_a_kernel_are_deleted(room, tmp_path):
    _, load = room
    twice = load()
    twice(1.0)
    machine.keep(machine.path_of(twice.symbol_name, "0" * 64), "d", b"code")
    assert len(list((tmp_path / "cache").iterdir())) == 2  # another processor may still use it
    os.utime(twice.path, (1e9, 1e9))
    machine.keep(machine.path_of(twice.symbol_name, "0" * 64), "d", b"code")
    assert len(list((tmp_path / "cache").iterdir())) == 1


def test_where_it_is_kept(monkeypatch, tmp_path, capsys):
    """In the folder that the user names, else beside the package, else in the user's cache folder, else a temporary."""
    where = places.cache_folder.__wrapped__
    for name in ("FLOATFRAME_CACHE_DIR", "NUMBA_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    assert where().parent.name == "native"
    user = tmp_path / "floatframe" / "kernels"
    monkeypatch.setattr(places, "cache_is_writable", lambda place: place == user)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    assert where() == user
    assert capsys.readouterr().err == ""

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(places, "cache_is_writable", lambda place: place.parent == tmp_path)
    places._said.clear()
    assert where() == tmp_path / f"floatframe-kernels-{os.getuid()}"
    assert where().stat().st_mode & 0o777 == 0o700  # nobody else puts machine code there
    assert capsys.readouterr().err.count("FLOATFRAME_CACHE_DIR") == 1
    where().chmod(0o777)
    assert where().parent.name == "native"  # where it cannot be kept
    assert "compiled in every run" in capsys.readouterr().err

    monkeypatch.setenv("FLOATFRAME_CACHE_DIR", str(tmp_path / "own"))
    assert where() == tmp_path / "own" / "floatframe-kernels"


def test_a_folder_that_cannot_be_written_to_is_found_out(tmp_path):
    (tmp_path / "file").touch()
    assert places.cache_is_writable(tmp_path / "new")
    assert not places.cache_is_writable(tmp_path / "file")


def test_without_a_place_kernels_still_run(room, monkeypatch, tmp_path, capsys):
    (tmp_path / "file").touch()
    for module in (machine, places):
        monkeypatch.setattr(module, "cache_folder", lambda: tmp_path / "file")
    places._said.clear()
    assert room[1]()(1.0) == 4.0
    assert "kernels cannot be kept" in capsys.readouterr().err


def test_a_full_disk_leaves_no_draft(room, monkeypatch, tmp_path, capsys):
    def full(*names):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(machine.os, "replace", full)
    places._said.clear()
    assert room[1]()(1.0) == 4.0
    assert "No space left on device; make space" in capsys.readouterr().err
    assert list((tmp_path / "cache").iterdir()) == []


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Notebook(io.StringIO):
    """As notebooks replace stderr."""


Notebook.__module__ = "ipykernel.iostream"


@pytest.mark.parametrize(("stream", "heard"), [(Terminal, True), (Notebook, True), (io.StringIO, False)])
def test_the_first_compilation_is_announced_to_those_who_wait(room, monkeypatch, stream, heard):
    kernel.say_compiling.cache_clear()
    monkeypatch.setattr(sys, "stderr", stream())
    room[1]()(1.0)
    assert sys.stderr.getvalue() == ("floatframe: compiling kernels once, some seconds\n" if heard else "")


def test_simulations_do_not_load_numba():
    code = "import sys; from floatframe.hybrid import System; System; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
