"""Runs of networks that are killed without warning go on to the same bits."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import floatframe.network.legs as legs
import floatframe.network.run as running
from floatframe.hybrid import Record, Results
from floatframe.network import Network
from tests.network.examples import buck, cubic, driven, own_oscillator, rubbing, spun

# a fresh interpreter would take longer than the run it is killed in
fork = multiprocessing.get_context("fork" if hasattr(os, "fork") else None)

# a model, the end of its run, how it is integrated: compiled steps, those of Python, machines of all sorts
CASES: dict[str, tuple[Callable[[], Network], float, dict[str, object]]] = {
    "circuit": (buck, 5e-3, {"rtol": 1e-4}),
    "own element": (lambda: own_oscillator(cubic), 0.4, {"rtol": 1e-4, "method": "generalised-alpha"}),
    "loop": (driven, 0.06, {"step": 1e-3, "method": "generalised-alpha"}),
    "loop, controlled": (driven, 0.01, {"rtol": 1e-3}),
    "free body": (spun, 0.6, {"step": 1e-2, "method": "stormer"}),
    "friction": (rubbing, 0.6, {"step": 1e-2}),
}


def killed_in_the_middle(net: Network, t_end: float, settings: dict[str, object], path: Path) -> None:
    """A run in a process of its own, killed when it has lived for some checkpoints and some steps more."""
    calls = 0

    def watch(progress: object) -> None:
        nonlocal calls
        calls += 1
        if calls == 17:
            running.Run.checkpoint = lambda run: None  # what follows is lost
        if calls == 23:
            os.kill(os.getpid(), signal.SIGKILL)

    running.SHOW_EVERY, legs.MOST_ROWS = -1.0, legs.LEAST_ROWS
    net.compile().simulate(t_end, record=Record(checkpoint_every=1e-9), path=path, progress=watch, **settings)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be copied here")
@pytest.mark.parametrize("case", CASES)
def test_a_killed_run_goes_on_to_the_same_bits(case, tmp_path):
    make, t_end, settings = CASES[case]
    path, record = tmp_path / "run.h5", Record(checkpoint_every=1e9)
    whole = make().compile().simulate(t_end, record=record, **settings)
    child = fork.Process(target=killed_in_the_middle, args=(make(), t_end, settings, path))
    child.start()
    child.join()
    assert child.exitcode == -signal.SIGKILL, "the run ended by itself"
    left = Results.open(path)
    assert left.status.reason == "running"
    assert 0.0 < left.t[-1] < t_end
    resumed = make().compile().simulate(t_end, record=record, path=path, resume=True, **settings)
    assert resumed.status.reason == "finished"
    assert np.array_equal(resumed.t, whole.t)
    for channel in whole.channels:
        assert np.array_equal(resumed[channel.name], whole[channel.name]), channel.name
    for name in whole.statistics:
        assert np.array_equal(resumed.statistics[name], whole.statistics[name]), name
