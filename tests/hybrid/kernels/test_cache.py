"""The first compilation is announced to those who wait for it."""

from __future__ import annotations

import io
import sys

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
