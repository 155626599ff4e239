"""The first compilation is announced to those who wait for it; stale kernels are dropped."""

from __future__ import annotations

import io
import os
import sys
from types import SimpleNamespace

import pytest

from floatframe.hybrid import kernel_cache


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Notebook(io.StringIO):
    """As notebooks replace stderr."""


Notebook.__module__ = "ipykernel.iostream"


@pytest.mark.parametrize(("stream", "heard"), [(Terminal, True), (Notebook, True), (io.StringIO, False)])
@pytest.mark.parametrize("compiled", [False, True])
def test_compilation_is_announced(monkeypatch, stream, heard, compiled):
    monkeypatch.setattr(kernel_cache, "is_compiled", lambda kernel: compiled)
    monkeypatch.setattr(sys, "stderr", stream())
    kernel_cache.announce(None, "the kernels once, about half a minute")
    expected = "floatframe: compiling the kernels once, about half a minute\n"
    assert sys.stderr.getvalue() == (expected if heard and not compiled else "")


def test_the_first_evaluation_of_a_model_announces(monkeypatch):
    """Compiling a model from Python, as from the command line, comes past the announcement."""
    from floatframe import hybrid as h
    from floatframe.hybrid import _kernels_evaluate

    heard = []
    monkeypatch.setattr(_kernels_evaluate, "announce", lambda kernel, what: heard.append(what))
    monkeypatch.setattr(_kernels_evaluate, "_addresses", {})
    model = h.Model()
    model.add(h.RigidBody("body", 1.0, (1, 1, 1)))
    model.compile()
    assert heard == ["the kernels once, about half a minute"]


def test_kernels_inside_a_stale_kernel_are_dropped_too(tmp_path):
    """A kernel is compiled with those it calls, whose own files may not have changed."""
    cache = tmp_path / "cache"
    cache.mkdir()
    sources = [tmp_path / f"{name}.py" for name in ("_kernels_outer", "_kernels_inner", *kernel_cache.NUMBERS)]
    indexes = [cache / f"_kernels_{name}-1.nbi" for name in ("outer.run", "inner.step")]
    for number, path in enumerate([*sources, *indexes]):
        path.touch()
        os.utime(path, (number, number))
    code = SimpleNamespace(__code__=SimpleNamespace(co_filename=str(sources[0])))
    kernel = SimpleNamespace(py_func=code, stats=SimpleNamespace(cache_path=str(cache)))
    kernel_cache.forget_stale(kernel)
    assert all(path.exists() for path in indexes)
    os.utime(sources[1], (100, 100))
    kernel_cache.forget_stale(kernel)
    assert not any(path.exists() for path in indexes)
