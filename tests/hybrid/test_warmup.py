"""Kernels compiled ahead of a run are the ones that the run calls."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from floatframe.cli.main import run
from floatframe.hybrid import warmup
from tests.cli.json_page import undocumented

# in a process of its own, in which nothing is loaded yet
A_RUN = """
import floatframe.hybrid as h
from floatframe.hybrid import warmup
from floatframe.native import Entry

warmup.warm_up(warmup.parts_for("generalised-alpha"))
def refuse(kernel):
    raise AssertionError(f"{kernel.__name__} is compiled")
Entry.make = refuse
model = h.Model(gravity=(0, 0, -9.81))
rod = model.add(h.RigidBody("rod", 2.0, (0.1, 0.1, 0.01), com=(0, 0, -0.5)))
model.add(h.revolute("hinge", rod.at(), model.ground.at(), axis=(0, 1, 0), start=0.1))
model.compile().simulate(t_end=0.02, step=1e-2, method="generalised-alpha")
import sys
print("numba" in sys.modules)
"""


@pytest.fixture
def loaded(monkeypatch):
    """The names of the parts whose kernels are loaded; none of them is ready."""
    loaded = []

    class Kernel:
        def __init__(self, part):
            self.part = part

        def load(self):
            loaded.append(self.part)

    monkeypatch.setattr(warmup, "is_ready", lambda part: False)
    monkeypatch.setattr(warmup, "kernels", lambda part: [Kernel(part)])
    monkeypatch.setattr(warmup, "_helper", lambda parts: None)
    return loaded


class Helper:
    """Stands for the other process: it has compiled its parts when it was looked at twice, or ends before."""

    def __init__(self, parts, fails):
        self.parts, self.fails, self.looks, self.ended = parts, fails, 0, False

    def ready(self, part):
        return part in self.parts and self.looks >= 2 and not self.fails

    def poll(self):
        self.looks += 1
        return 1 if self.fails else None

    def kill(self):
        self.ended = True

    def wait(self):
        assert self.ended


def test_a_run_compiles_nothing_more():
    """And it does so without Numba, whose import alone takes a third of a second."""
    done = subprocess.run([sys.executable, "-c", A_RUN], capture_output=True, text=True, check=False)
    assert done.stdout == "False\n", done.stderr


def test_what_is_ready_is_left_alone(loaded, monkeypatch):
    monkeypatch.setattr(warmup, "is_ready", lambda part: part != "channels")
    said = []
    warmup.warm_up(show=lambda *what: said.append(what))
    assert loaded == ["channels"]
    assert said == [(0, 1, "compiling once: channels")]


@pytest.mark.parametrize("fails", [False, True])
def test_another_process_compiles_every_second_part(loaded, monkeypatch, fails):
    helpers = []

    def helper(parts):
        helpers.append(Helper(parts, fails))
        return helpers[0]

    monkeypatch.setattr(warmup, "_helper", helper)
    monkeypatch.setattr(warmup, "is_ready", lambda part: bool(helpers) and helpers[0].ready(part))
    monkeypatch.setattr(warmup, "PATIENCE", 0.0)
    parts = ("evaluation", "implicit steps", "channels")
    warmup.warm_up(parts)
    assert helpers[0].parts == ["implicit steps"]
    assert helpers[0].looks == (1 if fails else 2)
    assert helpers[0].ended
    assert loaded == list(parts)  # what it has compiled is loaded, what it has not is compiled


@pytest.mark.parametrize(("part", "code"), [("evaluation", 0), ("no such part", 1)])
def test_the_other_process_is_a_python_that_finds_the_parts(monkeypatch, part, code):
    warmup.warm_up(("evaluation",))  # so that it has nothing to compile
    monkeypatch.setattr(warmup.os, "sched_getaffinity", lambda process: {0, 1}, raising=False)
    helper = warmup._helper([part])
    assert helper is not None
    assert helper.wait() == code
    assert warmup._helper([]) is None


@pytest.mark.parametrize(
    ("method", "steps"),
    [
        ("rk45", ["explicit steps"]),
        ("bdf2", ["implicit steps"]),
        ("auto", ["explicit steps"]),
        ("scipy:Radau", []),
    ],
)
def test_a_method_needs_its_own_steps(method, steps):
    assert warmup.parts_for(method) == ("evaluation", *steps, "channels")


def test_the_command_compiles_everything(loaded, capsys):
    assert run(["warmup"]) == 0
    assert loaded == list(warmup.PARTS)
    assert capsys.readouterr().out.startswith("all kernels are compiled")
    assert run(["warmup", "--json"]) == 0
    assert undocumented(json.loads(capsys.readouterr().out)) == []
