"""Records observed beside the steps: the same as those observed in between, and failures come through."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from floatframe import hybrid
from floatframe.hybrid.simulation import beside, run as running
from floatframe.io import ResultWriter
from tests.hybrid.rigid_slider_crank import slider_crank


@pytest.fixture
def free_core(monkeypatch):
    """As on a machine with a free core, whatever the one of the tests has."""
    monkeypatch.setattr(beside, "_has_free_core", lambda: True)
    monkeypatch.setattr(running, "LIGHT_BLOCK", 0.0)  # several blocks


def test_jobs_are_done_in_order(free_core):
    done: list[int] = []
    jobs = beside.Beside(pays=True)
    jobs.begin()
    for number in range(20):
        jobs.do(lambda number=number: (time.sleep(1e-3 * (number % 3)), done.append(number)))
    jobs.wait()
    assert done == list(range(20))
    jobs.end()
    assert not jobs.begun


def test_threads_of_blas_stay_off_the_core_of_the_observer(free_core):
    # they wait for work with full power: records of the flexible slider-crank took half as long again with them
    from threadpoolctl import threadpool_info

    def threads() -> set[int]:
        return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}

    before = threads()
    jobs, found = beside.Beside(pays=True), list[set[int]]()
    jobs.begin()
    jobs.do(lambda: found.append(threads()))
    jobs.wait()
    jobs.end()
    assert found == [{1}]
    assert threads() == before


def test_a_failure_is_raised_by_the_next_call_and_nothing_is_done_behind_it(free_core):
    done: list[int] = []
    jobs = beside.Beside(pays=True)
    jobs.begin()
    jobs.do(lambda: 1 // 0)
    assert jobs.failed()
    with pytest.raises(ZeroDivisionError):
        jobs.do(lambda: done.append(1))
    with pytest.raises(ZeroDivisionError):
        jobs.wait()
    jobs.end()
    assert not done


def test_threads_of_a_sweep_begin_none(free_core, monkeypatch):
    monkeypatch.undo()
    found: list[bool] = []
    sweep = threading.Thread(target=lambda: found.append(beside._has_free_core()))
    sweep.start()
    sweep.join()
    assert found == [False]


@pytest.mark.parametrize("settings", [{"step": 1e-3}, {"rtol": 1e-5}, {"method": "dop853", "rtol": 1e-6}], ids=str)
def test_records_are_those_observed_between_the_steps(free_core, monkeypatch, settings):
    system = slider_crank().compile()
    both = system.simulate(t_end=0.8, **settings)
    monkeypatch.setattr(beside, "_has_free_core", lambda: False)
    one = system.simulate(t_end=0.8, **settings)
    assert both.status == one.status
    assert np.array_equal(both.t, one.t)
    assert np.array_equal(both.v, one.v)
    for channel in one.channels:
        assert np.array_equal(both[channel.name], one[channel.name]), channel.name
    for name, values in one.statistics.items():
        assert np.array_equal(values, both.statistics[name]), name


def test_a_record_that_cannot_be_written_ends_the_run(free_core, monkeypatch, tmp_path):
    path = tmp_path / "run.h5"
    append, begun = ResultWriter.append, threading.active_count()

    def full(writer, t, *rest):
        if t[-1] > 0.3:
            raise OSError("no space left")
        append(writer, t, *rest)

    monkeypatch.setattr(ResultWriter, "append", full)
    with pytest.raises(OSError, match="no space left"):
        slider_crank().compile().simulate(t_end=1.0, step=1e-3, path=path)
    assert threading.active_count() == begun
    kept = hybrid.Results.open(path)
    assert (kept.status.reason, kept.status.message) == ("failed", "no space left")
    monkeypatch.undo()
    resumed = slider_crank().compile().simulate(t_end=1.0, step=1e-3, path=path, resume=True)
    whole = slider_crank().compile().simulate(t_end=1.0, step=1e-3)
    assert np.array_equal(resumed["A.force"], whole["A.force"])
