"""The first compilation is announced to those who wait for it; stale kernels are dropped."""

from __future__ import annotations

import io
import os
import sys
from types import SimpleNamespace

import pytest

from floatframe.hybrid.kernels import cache


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Notebook(io.StringIO):
    """As notebooks replace stderr."""


Notebook.__module__ = "ipykernel.iostream"


@pytest.mark.parametrize(("stream", "heard"), [(Terminal, True), (Notebook, True), (io.StringIO, False)])
@pytest.mark.parametrize("compiled", [False, True])
def test_compilation_is_announced(monkeypatch, stream, heard, compiled):
    monkeypatch.setattr(cache, "is_compiled", lambda kernel: compiled)
    monkeypatch.setattr(sys, "stderr", stream())
    cache.announce(None, "the kernels once, about half a minute")
    expected = "floatframe: compiling the kernels once, about half a minute\n"
    assert sys.stderr.getvalue() == (expected if heard and not compiled else "")


def test_the_first_evaluation_of_a_model_announces(monkeypatch):
    """Compiling a model from Python, as from the command line, comes past the announcement."""
    from floatframe import hybrid as h
    from floatframe.hybrid.kernels import evaluate

    heard = []
    monkeypatch.setattr(evaluate, "announce", lambda kernel, what: heard.append(what))
    monkeypatch.setattr(evaluate, "_addresses", {})
    model = h.Model()
    model.add(h.RigidBody("body", 1.0, (1, 1, 1)))
    model.compile()
    assert heard == ["the kernels once, about half a minute"]


def test_kernels_inside_a_stale_kernel_are_dropped_too(tmp_path):
    """A kernel is compiled with those it calls, whose own files may not have changed."""
    inner = tmp_path / "steps"
    sources = [tmp_path / "outer.py", tmp_path / "numbers.py", inner / "inner.py"]
    indexes = [tmp_path / "__pycache__" / "outer.run-1.nbi", inner / "__pycache__" / "inner.step-1.nbi"]
    for number, path in enumerate([*sources, *indexes]):
        path.parent.mkdir(exist_ok=True)
        path.touch()
        os.utime(path, (number, number))
    kernel = SimpleNamespace(stats=SimpleNamespace(cache_path=str(tmp_path / "__pycache__")))
    cache.forget_stale(kernel, tmp_path)
    assert all(path.exists() for path in indexes)
    os.utime(sources[1], (100, 100))
    cache.forget_stale(kernel, tmp_path)
    assert not any(path.exists() for path in indexes)
