"""Commands beside the server: progress, answers, complaints, stopping."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import floatframe as ff
from floatframe.studio import commands, studies
from floatframe.studio.jobs import Job, Jobs
from floatframe.studio.studies import Studied
from tests.studio.conftest import apart

RIGID = (Path(__file__).parents[2] / "samples" / "slider_crank" / "rigid.toml").read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "rigid.toml").write_text(RIGID, encoding="utf-8")
    return tmp_path


def run(folder: Path, words: tuple[str, ...], stop_at: float | None = None) -> tuple[Job, list[float]]:
    jobs, seen = Jobs(folder), []

    async def changed(job: Job) -> None:
        seen.append(job.done)
        if stop_at is not None and job.done > stop_at:
            jobs.stop(job)

    return apart(jobs.run(words, changed)), seen


def test_a_run_says_how_far_it_is_and_can_be_stopped_and_resumed(folder):
    action = studies.simulate(Studied("rigid.toml"), "run.h5", t_end=200.0)
    job, seen = run(folder, action.words, stop_at=0.0)  # it is stopped at the first sign of progress
    assert job.state == "stopped"
    assert max(seen) > 0.0
    assert job.wanted == 200.0
    part = ff.hybrid.Results.open(folder / "run.h5")
    assert 0.0 < part.t[-1] < 200.0
    end = float(part.t[-1]) + 0.1
    words = studies.simulate(Studied("rigid.toml"), "run.h5", t_end=end, resume=True).words
    assert run(folder, words)[0].state == "done"
    # bit-equal to a run that was not stopped
    whole = studies.simulate(Studied("rigid.toml"), "whole.h5", t_end=end).words
    assert run(folder, whole)[0].state == "done"
    a, b = (ff.hybrid.Results.open(folder / name) for name in ("run.h5", "whole.h5"))
    assert (a.q == b.q).all()


def test_an_answer_is_read_and_a_mistake_is_a_sentence(folder):
    job, _ = run(folder, (*studies.linear(Studied("rigid.toml"), n=2, at="start").words, "--json"))
    assert job.answer["dof_count"] == 1
    job, _ = run(folder, studies.simulate(Studied("no.toml"), "run.h5").words)
    assert job.state == "failed"
    assert "no.toml" in " ".join(job.complaints)
    # without the terminal's help and the caret under the mistake
    (folder / "rigid.toml").write_text(RIGID.replace('"torque', '"torque + (', 1), encoding="utf-8")
    for words in (("info", "--no-such-option"), ("info", "rigid.toml")):
        job, _ = run(folder, words)
        assert job.state == "failed"
        assert [one for one in job.complaints if "--help" in one or "^" in one or one.startswith(" ")] == []
        assert len(job.complaints) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_run_ends_with_a_killed_server_and_can_be_resumed(folder):
    """The server is a process that has started a job and is killed without a chance to clean up."""
    words = studies.simulate(Studied("rigid.toml"), "run.h5", t_end=500.0).words
    code = (
        "import asyncio, sys; from pathlib import Path; from floatframe.studio.jobs import Jobs\n"
        "async def changed(job): print(job.done, flush=True)\n"
        f"asyncio.run(Jobs(Path({str(folder)!r})).run({words!r}, changed))"
    )
    server = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    while float(server.stdout.readline()) <= 0.0:
        pass
    os.kill(server.pid, signal.SIGKILL)
    server.wait()
    for _ in range(200):  # the run hears the end of its input and leaves a sound file
        if (folder / "run.h5").exists() and not (folder / ".run.h5.lock").exists():
            break
        time.sleep(0.1)
    reached = float(ff.hybrid.Results.open(folder / "run.h5").t[-1])
    assert 0.0 < reached < 500.0
    again = studies.simulate(Studied("rigid.toml"), "run.h5", t_end=reached + 0.1, resume=True).words
    assert run(folder, again)[0].state == "done"


def test_commands_and_python_say_the_same():
    coupled = (commands.Coupled("HUB", "rbe3", (4, 5)),)
    action = commands.Reduction("a.h5", "b.h5", interface="1,HUB", couple=coupled).action()
    assert action.words[2:8] == ("--interface", "1,HUB", "-n", "20", "--couple", "HUB=rbe3:4,5")
    assert "fe.with_node_set('HUB', [4, 5])" in action.python
    assert "interface=[1, 'HUB_ref']" in action.python
    compile(action.python, "shown", "exec")
    wanted = commands.Reduction("a b.h5", "c.h5", interface="1,end", n=4, quality=True)
    action = wanted.action()
    assert action.command == "floatframe reduce 'a b.h5' --interface 1,end -n 4 --quality -o c.h5"
    assert "interface=[1, 'end'], n_modes=4" in action.python
    compile(action.python, "shown", "exec")


def test_zero_is_a_value_and_no_name_is_an_option():
    action = studies.simulate(Studied("-m.toml"), "-run.h5", t_end=0.0)
    assert action.words == ("simulate", "./-m.toml", "-o", "./-run.h5", "--t-end", "0.0")
    assert "'t_end': 0.0" in action.python
    action = commands.modes("beam.h5", "modes.h5", n=0)
    assert action.words[2:4] == ("-n", "0")
    assert "n=0" in action.python


@pytest.mark.skipif(sys.platform == "win32", reason="sessions of POSIX")
def test_a_cancelled_run_ends_as_one_that_was_stopped(folder):
    """Ctrl-C in the terminal is not heard by the run itself, and the server that ends stops it."""
    words = studies.simulate(Studied("rigid.toml"), "run.h5", t_end=500.0).words

    async def cancel() -> None:
        jobs, going = Jobs(folder), asyncio.Event()

        async def changed(job: Job) -> None:
            if job.done > 0.0:
                going.set()

        task = asyncio.ensure_future(jobs.run(words, changed))
        await going.wait()
        ((_, process),) = jobs._running.values()
        assert os.getsid(process.pid) != os.getsid(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    apart(cancel())
    assert 0.0 < float(ff.hybrid.Results.open(folder / "run.h5").t[-1]) < 500.0
    assert not (folder / ".run.h5.lock").exists()
