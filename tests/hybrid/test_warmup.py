"""Kernels compiled ahead of a run are the ones that the run calls."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from floatframe.cli.main import run
from floatframe.hybrid import warmup
from tests.cli.json_page import undocumented


@pytest.fixture
def started(monkeypatch):
    """What is compiled here, with the parts of the other process in a list; none of it is."""
    started = []

    class Process:
        def __init__(self, command, **streams):
            started.append(command[3:])

        def __enter__(self):
            return self

        def __exit__(self, *failure):
            pass

        def terminate(self):
            started.append("ended")

    monkeypatch.setattr(warmup, "is_ready", lambda part: False)
    monkeypatch.setattr(warmup, "compile_here", started.append)
    monkeypatch.setattr(warmup.subprocess, "Popen", Process)
    return started


# in a process of its own: other tests call kernels with arrays of other kinds
A_RUN = """
import floatframe.hybrid as h
from floatframe.hybrid import warmup
from floatframe.hybrid.kernels import TASK_EVALUATE, TASK_IMPLICIT, TASK_MOVE, TASK_OBSERVE, TASK_SETTLE, kernel_of
from floatframe.hybrid.kernels.system import evaluate

for part in (warmup.EVALUATION, warmup.IMPLICIT, warmup.RECORDS, warmup.CHANNELS):
    warmup.compile_here(part)
    assert warmup.is_ready(part), part
model = h.Model(gravity=(0, 0, -9.81))
rod = model.add(h.RigidBody("rod", 2.0, (0.1, 0.1, 0.01), com=(0, 0, -0.5)))
model.add(h.revolute("hinge", rod.at(), model.ground.at(), axis=(0, 1, 0), start=0.1))
model.compile().simulate(t_end=0.02, step=1e-2)
tasks = (TASK_EVALUATE, TASK_MOVE, TASK_IMPLICIT, TASK_SETTLE, TASK_OBSERVE)
print([len(kernel.signatures) for kernel in (evaluate, *map(kernel_of, tasks))])
"""


def test_a_run_compiles_nothing_more():
    """The system of nothing has the types of a real one: every kernel has one signature."""
    done = subprocess.run([sys.executable, "-c", A_RUN], capture_output=True, text=True, check=False)
    assert done.stdout == "[1, 1, 1, 1, 1, 1]\n", done.stderr


def test_two_processes_share_the_work(started):
    warmup.warm_up(warmup.parts_for(None))
    assert started == [["implicit steps", "records"], "evaluation", "channels"]


def test_what_is_ready_is_left_alone(started, monkeypatch):
    monkeypatch.setattr(warmup, "is_ready", lambda part: part != "channels")
    warmup.warm_up()
    assert started == ["channels"]


def test_the_other_process_ends_with_this_one(started, monkeypatch):
    def interrupt(part):
        raise KeyboardInterrupt

    monkeypatch.setattr(warmup, "compile_here", interrupt)
    with pytest.raises(KeyboardInterrupt):
        warmup.warm_up()
    assert started == [["implicit steps", "explicit steps", "records"], "ended"]


@pytest.mark.parametrize(
    ("method", "steps"),
    [("rk45", ["explicit steps"]), ("bdf2", ["implicit steps", "records"]), ("scipy:Radau", [])],
)
def test_a_method_needs_its_own_steps(method, steps):
    assert warmup.parts_for(method) == ("evaluation", *steps, "channels")


def test_the_command_compiles_everything(started, capsys):
    assert run(["warmup"]) == 0
    assert started == [["implicit steps", "explicit steps", "records"], "evaluation", "channels"]
    assert capsys.readouterr().out.startswith("all kernels are compiled")
    assert run(["warmup", "--json"]) == 0
    assert undocumented(json.loads(capsys.readouterr().out)) == []
