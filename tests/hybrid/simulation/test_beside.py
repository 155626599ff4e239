"""Records observed beside the steps: the same as those observed in between, and failures come through."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

from floatframe import hybrid
from floatframe.hybrid.kernels import Kept
from floatframe.hybrid.results import Observer
from floatframe.hybrid.settings import Record, Settings
from floatframe.hybrid.simulation import beside, run as running
from floatframe.hybrid.simulation.methods import integrator_for
from floatframe.io import ResultWriter
from tests.hybrid import elastic_slider_crank, random_systems
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
        jobs.do(lambda beside, number=number: time.sleep(1e-3 * (number % 3)) or number, done.append)
    jobs.wait()
    assert done == list(range(20))
    jobs.end()
    assert not jobs.begun


def do_all(jobs: beside.Beside, work: Callable[..., int], count: int, used: list[int], any_order: bool = True) -> None:
    """Work numbered from 0 whose results, the same numbers, are appended to `used`."""
    for number in range(count):
        jobs.do(partial(work, number), used.append, any_order)
    jobs.wait()


@pytest.mark.parametrize("any_order", [True, False])
def test_who_waits_helps_where_the_order_does_not_matter(free_core, any_order):
    workers: dict[int, tuple[str, bool]] = {}
    used: list[int] = []
    main, helped = threading.current_thread(), threading.Event()

    def work(number: int, beside: bool) -> int:
        workers[number] = threading.current_thread().name, beside
        if threading.current_thread() is main:
            helped.set()
        elif number == 0 and any_order:
            assert helped.wait(10.0)  # the thread is busy until it has been helped
        return number

    jobs = beside.Beside(pays=True)
    jobs.begin()
    do_all(jobs, work, 3 * beside.MOST_LEFT, used, any_order)
    jobs.end()
    assert used == list(range(3 * beside.MOST_LEFT))
    own = (main.name, True)
    assert (own in workers.values()) == any_order
    assert set(workers.values()) <= {own, ("floatframe records", False)}


def test_a_failure_while_helping_comes_where_its_result_is_due(free_core):
    used: list[int] = []
    failed: list[int] = []
    main, tried = threading.current_thread(), threading.Event()

    def work(number: int, beside: bool) -> int:
        if threading.current_thread() is not main:
            assert tried.wait(10.0)
            return number
        failed.append(number)
        tried.set()
        raise ArithmeticError("helped badly")

    jobs = beside.Beside(pays=True)
    jobs.begin()
    with pytest.raises(ArithmeticError):
        do_all(jobs, work, 10, used)
    jobs.end()
    assert used == list(range(min(failed)))


def test_work_interrupted_while_helping_is_done_again(free_core):
    used: list[int] = []
    main, tried = threading.current_thread(), threading.Event()

    def work(number: int, beside: bool) -> int:
        if threading.current_thread() is main:
            tried.set()
            raise KeyboardInterrupt
        assert tried.wait(10.0)
        return number

    jobs = beside.Beside(pays=True)
    jobs.begin()
    with pytest.raises(KeyboardInterrupt):
        do_all(jobs, work, beside.MOST_LEFT + 1, used)
    jobs.end()
    assert used == list(range(beside.MOST_LEFT + 1))


def closed_loop() -> tuple[hybrid.System, hybrid.State]:
    system = slider_crank().compile()
    return system, system.initial_state()


def flexible_loop() -> tuple[hybrid.System, hybrid.State]:
    system = elastic_slider_crank.model().compile()
    return system, elastic_slider_crank.start(system)


def tumbling_tree() -> tuple[hybrid.System, hybrid.State]:
    system = random_systems.tree(np.random.default_rng(3), ("revolute", "spherical"), (0.0, 0.0, -9.81)).compile()
    return system, system.initial_state()


@pytest.mark.parametrize("make", [closed_loop, flexible_loop, tumbling_tree])
def test_records_observed_in_any_order_are_the_same(make):
    system, start = make()
    integrator = integrator_for(system, Settings(t_end=0.05, step=5e-4), start, 0)
    kept, _ = integrator.run(np.linspace(5e-4, 0.05, 100), 100)
    record = Record(channels=("*.force", "*.torque", "*.position", "*.acceleration", "energy.*"))
    whole = Observer(system, record)(kept_again(kept), True, True)
    observer = Observer(system, record)
    assert observer.any_order
    later, earlier = kept_again(kept, slice(60, None)), kept_again(kept, slice(60))
    last = observer(later, True, True, beside=True)
    first = observer(earlier, True, True)
    assert np.array_equal(np.vstack((first.values, last.values)), whole.values)
    assert np.array_equal(np.append(first.speed_drift, last.speed_drift), whole.speed_drift)


def kept_again(kept: Kept, part: slice = slice(None)) -> Kept:
    """A copy of some records, since observers settle them in place."""
    return Kept(*(np.array(array[part]) for array in kept))


def test_records_that_remember_those_before_them_have_an_order():
    system = slider_crank().compile()
    assert not Observer(system, Record()).any_order  # the turns of an angle that no step needs are counted


def test_threads_of_blas_stay_off_the_core_of_the_observer(free_core):
    # they wait for work with full power: records of the flexible slider-crank took half as long again with them
    from threadpoolctl import threadpool_info

    def threads() -> set[int]:
        return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}

    before = threads()
    jobs, found = beside.Beside(pays=True), list[set[int]]()
    jobs.begin()
    jobs.do(lambda beside: threads(), found.append)
    jobs.wait()
    jobs.end()
    assert found == [{1}]
    assert threads() == before


def test_a_failure_is_raised_by_the_next_call_and_nothing_is_done_behind_it(free_core):
    done: list[int] = []
    jobs = beside.Beside(pays=True)
    jobs.begin()
    jobs.do(lambda beside: 1 // 0, done.append)
    assert jobs.failed()
    with pytest.raises(ZeroDivisionError):
        jobs.do(lambda beside: 1, done.append)
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
