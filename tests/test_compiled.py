"""Compiled kernels are made again when a file changes that they were made from."""

from __future__ import annotations

import errno
import os
import sys
import tempfile
from importlib import import_module
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import pytest
from numba.core import caching, config

from floatframe import compiled
from floatframe.native import places, say_compiling

PACKAGE = Path(compiled.__file__).parent
INNER = "from floatframe.compiled import kernel\n\nFACTOR = 2.0\n\n\n@kernel()\ndef scaled(x):\n    return FACTOR * x\n"
LINKED = INNER.replace("compiled import kernel", "linked import linked").replace("@kernel", "@linked")
OUTER = (
    "from floatframe.compiled import kernel\nfrom machine import (\n    inner,\n)\n\nscaled = inner.scaled\n\n\n"
    "@kernel()\ndef twice(x):\n    return scaled(scaled(x))\n"
)


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A package of two kernels, one inside the other; a function loads it as a new process would."""
    folder = tmp_path / "machine"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "inner.py").write_text(INNER)
    (folder / "outer.py").write_text(OUTER)
    monkeypatch.syspath_prepend(tmp_path)

    def load():
        for name in ("machine", "machine.inner", "machine.outer"):
            sys.modules.pop(name, None)
        for kept in (compiled.stamp, compiled._imported, compiled._digest, compiled._content):
            kept.cache_clear()
        return import_module("machine.outer").twice

    yield folder, load
    for name in ("machine", "machine.inner", "machine.outer"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize("inner", [INNER, LINKED], ids=["kernel", "linked"])
def test_a_kernel_follows_the_constants_of_the_kernels_inside_it(machine, inner):
    folder, load = machine
    (folder / "inner.py").write_text(inner)
    twice = load()
    assert not compiled.is_compiled(twice)
    assert twice(1.0) == 4.0
    assert compiled.is_compiled(load())
    written = (folder / "inner.py").stat().st_mtime
    (folder / "inner.py").write_text(inner.replace("2.0", "3.0"))
    os.utime(folder / "inner.py", (written, written))  # a change within the resolution of the clock is one too
    for kept in folder.glob("__pycache__/*.pyc"):  # Python itself does not see it
        kept.unlink()
    twice = load()
    assert not compiled.is_compiled(twice)
    assert twice(1.0) == 9.0
    assert compiled.is_compiled(load())


def test_who_waits_at_a_terminal_reads_that_something_is_compiled(machine, monkeypatch):
    """As in the first `floatframe reduce`, once; what comes from the disk is not announced."""
    terminal = StringIO()
    terminal.isatty = lambda: True
    monkeypatch.setattr(sys, "stderr", terminal)
    say_compiling.cache_clear()
    _, load = machine
    load()(1.0)
    assert terminal.getvalue() == "floatframe: compiling kernels once, some seconds\n"
    say_compiling.cache_clear()
    load()(1.0)
    assert terminal.getvalue().count("compiling") == 1


def test_a_new_copy_of_the_same_sources_is_not_compiled_again(machine):
    """As an installation or a checkout writes them."""
    folder, load = machine
    load()(1.0)
    for file in folder.glob("*.py"):
        os.utime(file, (1e9, 1e9))
    assert compiled.is_compiled(load())


def test_kernels_are_kept_for_the_user_where_the_package_cannot_be_written_to(machine, tmp_path, monkeypatch):
    folder, load = machine

    def refuse(dir):
        if Path(dir).is_relative_to(folder):
            raise PermissionError(dir)
        return tempfile.TemporaryFile(dir=dir)

    # permissions do not hold root: what Numba tries a folder with fails
    monkeypatch.setattr(caching, "tempfile", SimpleNamespace(TemporaryFile=refuse))
    for place in ("XDG_CACHE_HOME", "HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(place, str(tmp_path / "user"))
    monkeypatch.setattr(config, "CACHE_DIR", "")
    assert load()(1.0) == 4.0
    assert compiled.is_compiled(load())
    assert not list(folder.rglob("*.nbi"))
    assert list((tmp_path / "user").rglob("*.nbi"))


@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
@pytest.mark.parametrize(
    "damage", [lambda x: b"", lambda x: x[:-9], lambda x: x[:40] + b"?" + x[41:], lambda x: b"?" * 50]
)
def test_a_damaged_file_is_made_again(machine, suffix, damage):
    folder, load = machine
    load()(1.0)
    for path in folder.rglob(f"*.{suffix}"):
        path.write_bytes(damage(path.read_bytes()))
    assert load()(1.0) == 4.0
    assert compiled.is_compiled(load())


def test_a_full_disk_is_said(machine, monkeypatch, capsys):
    def full(*names):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(caching.os, "replace", full)
    places._said.clear()
    assert machine[1]()(1.0) == 4.0
    assert "No space left on device" in capsys.readouterr().err


def test_without_home_and_place_kernels_are_in_a_temporary_folder(machine, tmp_path, monkeypatch):
    _, load = machine
    monkeypatch.setattr(config, "CACHE_DIR", "")
    monkeypatch.setattr(compiled, "cache_folder", lambda: tmp_path / "temporary")
    for locator in (caching.InTreeCacheLocator, caching.UserWideCacheLocator):
        monkeypatch.setattr(locator, "ensure_cache_path", lambda self: (_ for _ in ()).throw(PermissionError()))
    assert load()(1.0) == 4.0
    assert list((tmp_path / "temporary").rglob("*.nbi"))


def test_a_linked_kernel_is_no_program_of_its_own(machine):
    """It is a part of the kernel that calls it, and neither machine code nor a file on disk besides."""
    folder, load = machine
    (folder / "inner.py").write_text(LINKED)
    assert load()(1.0) == 4.0
    scaled = sys.modules["machine.inner"].scaled
    (made,) = scaled.overloads.values()
    assert made.library.get_pointer_to_function(made.fndesc.llvm_func_name) == 0
    assert not compiled.is_compiled(scaled)


@pytest.mark.parametrize(
    ("kernels", "inside"),
    [
        ("modal/factor/_kernels_fronts.py", ["modal/factor/blas.py"]),
        ("modal/factor/_kernels_solve.py", ["modal/factor/vector.py"]),
    ],
)
def test_sources_of_kernels(kernels, inside):
    assert {PACKAGE / kernels, *(PACKAGE / path for path in inside)} <= compiled.sources(PACKAGE / kernels)


def test_all_kernels_on_disk_are_guarded():
    """Numba's own cache, which sees one file only, is used in one place."""
    words = ("cache=True", "enable_caching")
    texts = {path: path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")}
    caching = [path for path, text in texts.items() if any(word in text for word in words)]
    assert caching == [PACKAGE / "compiled.py"]
