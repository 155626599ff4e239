"""Sweeps on a dask cluster: the same numbers as here, also when a worker is killed on the way."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from floatframe import hybrid as h
from floatframe.samples.ballast_cleaner.machine import prepare

pytestmark = pytest.mark.slow
MODEL = Path(__file__).parents[3] / "samples" / "vibrating_screen" / "screen.toml"
VARY = {"phi": "0:330:30", "alpha": "0:330:30"}  # 144 points
MEASURE = ["box.com_acceleration.z:rms", "box.com_velocity.x:rms"]


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.fixture
def cluster():
    """A scheduler and two workers; yields its address and the workers."""
    pytest.importorskip("distributed")  # make slow installs it
    port = _free_port()
    address = f"tcp://127.0.0.1:{port}"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    python = [sys.executable, "-m"]
    scheduler = subprocess.Popen(
        [*python, "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"],
        **quiet,
    )
    words = ["distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard"]
    team = [subprocess.Popen([*python, *words], **quiet) for _ in range(2)]
    try:
        yield address, team, scheduler
    finally:
        for process in (*team, scheduler):
            process.kill()
            process.wait()


def screen(_folder):
    """The planar screen over a second."""
    return MODEL, MEASURE


def ballast_cleaner(folder):
    """The machine with its flexible frame and two screens; regimes of a tenth of their length."""
    machine = prepare(folder)
    text = machine.read_text(encoding="utf-8")
    for regime, length in {"run_up": 5.0, "work": 8.0, "run_down": 10.0}.items():
        given = f"\n{regime} = {length}"
        assert given in text
        text = text.replace(given, f"\n{regime} = {length / 10}")
    machine.write_text(text, encoding="utf-8")
    point = "frame.node[point 4]"
    return machine, [f"{point}.position.z:amplitude", f"{point}.acceleration:rms", "rear.housing.position.z:peak"]


@pytest.mark.parametrize("model", [screen, ballast_cleaner])
def test_a_killed_worker_costs_no_point(cluster, tmp_path, model):
    from distributed import Client

    address, team, _ = cluster
    file, measure = model(tmp_path)
    settings = {"measure": measure, "t_end": 1.0 if model is screen else 2.3}
    with Client(address, timeout=60) as client:
        client.wait_for_workers(2, timeout=60)
    killed = []

    def kill_one(now: h.SweepProgress) -> None:
        if now.done >= 40 and not killed:
            team[0].send_signal(signal.SIGKILL)
            killed.append(now.done)

    far = h.sweep(file, VARY, **settings, scheduler=address, progress=kill_one)
    assert team[0].wait(timeout=60) == -signal.SIGKILL
    assert 40 <= killed[0] < 144
    assert far.nfailed == 0
    near = h.sweep(file, VARY, **settings, workers=1)
    assert len({tuple(row) for row in np.reshape(near.values, (144, -1))}) > 100  # the points do differ
    assert np.array_equal(far.values, near.values)


def test_a_killed_scheduler_leaves_points_for_a_resumed_sweep(cluster, tmp_path, capfd):
    address, _, scheduler = cluster
    asked = {"measure": MEASURE, "t_end": 1.0, "path": tmp_path / "sweep.h5"}

    def kill_it(now: h.SweepProgress) -> None:
        if now.done >= 20:
            scheduler.kill()

    far = h.sweep(MODEL, VARY, **asked, scheduler=address, progress=kill_it)
    assert 20 <= 144 - far.nwaiting < 144
    assert far.nfailed == 0
    assert far.status.startswith("unfinished")
    assert "Traceback" not in capfd.readouterr().err
    near = h.sweep(MODEL, VARY, **asked, resume=True)
    assert near.status == "finished: 144 points"
