"""Commands that run beside the server, each in a process of its own, with its progress and its end.

A job is the command that the page shows. Stopping it is Ctrl-C, so that a run can be resumed; so is the end of the
server, however it ends.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from floatframe.studio.texts import sentence

PROGRESS = "FLOATFRAME_PROGRESS"  # the variable that makes commands write their progress as lines
MARK = "\x1eprogress "  # what these lines begin with
INTERRUPTED = 130
MOST_LINES = 200
_LOOK = 0.25  # s between two reports of progress
_PATIENCE = 10.0  # s for a job to end by itself
_LONGEST = 2**24  # of a line of output

Changed = Callable[["Job"], Awaitable[None]]


@dataclass
class Job:
    """A command and how far it is."""

    words: tuple[str, ...]
    state: str = "running"  # running, done, failed, stopped
    done: float = 0.0
    wanted: float = 0.0
    text: str = ""
    seconds: float = 0.0
    stopping: bool = False  # it was asked to end, and has not yet
    complaints: list[str] = field(default_factory=list)
    output: list[str] = field(default_factory=list)

    @property
    def share(self) -> float:
        """How much of it is done, 0 to 1; 0 where that is not known."""
        return min(1.0, self.done / self.wanted) if self.wanted > 0 else 0.0

    @property
    def answer(self) -> dict[str, Any]:
        """What the command printed as JSON, empty if it did not."""
        try:
            found = json.loads("\n".join(self.output))
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}


class Jobs:
    """The commands of one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._running: dict[int, tuple[Job, asyncio.subprocess.Process]] = {}

    @property
    def running(self) -> list[Job]:
        """Those that have not ended."""
        return [job for job, _ in self._running.values()]

    async def run(self, words: Sequence[str], changed: Changed) -> Job:
        """Run a command to its end; `changed` is called when it has got further."""
        job, began = Job(tuple(words)), time.monotonic()
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "floatframe.studio.child", *words),
            cwd=self.folder,
            env={**os.environ, PROGRESS: "lines"},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=_LONGEST,
            start_new_session=True,  # Ctrl-C in the terminal is for the server, which stops its jobs once
        )
        self._running[id(job)] = job, process
        try:
            reading = [_take(process.stdout, job.output.append), _take(process.stderr, lambda line: _hear(job, line))]
            ended = asyncio.gather(process.wait(), *reading)
            while not ended.done():
                await asyncio.wait([ended], timeout=_LOOK)
                job.seconds = time.monotonic() - began
                await _tell(changed, job)
            code = (await ended)[0]
        finally:
            if process.returncode is None:  # it has time to leave a sound file
                self.stop(job)
                with suppress(TimeoutError):
                    await asyncio.wait_for(process.wait(), _PATIENCE)
            del self._running[id(job)]
            if process.returncode is None:
                process.kill()
        stopped = code in (INTERRUPTED, -2)
        job.state = "done" if code == 0 else "stopped" if stopped else "failed"
        await _tell(changed, job)
        return job

    def stop(self, job: Job) -> None:
        """End a job as by Ctrl-C."""
        if found := self._running.get(id(job)):
            job.stopping = True
            pipe = found[1].stdin
            if pipe is not None and not pipe.is_closing():
                pipe.close()

    async def end(self) -> None:
        """Stop all jobs and wait until they have."""
        for job in self.running:
            self.stop(job)
        processes = [process for _, process in self._running.values()]
        if processes:
            await asyncio.wait([asyncio.ensure_future(process.wait()) for process in processes], timeout=_PATIENCE)


async def _tell(changed: Changed, job: Job) -> None:
    """Report progress; a mistake in showing it is a complaint, and does not end the command."""
    try:
        await changed(job)
    except Exception as error:
        said = f"progress cannot be shown: {type(error).__name__}: {error}"
        if said not in job.complaints:
            job.complaints.append(said)


async def _take(stream: asyncio.StreamReader | None, take: Callable[[str], None]) -> None:
    """Hand the lines of a stream on until it ends."""
    while stream is not None and (line := await stream.readline()):
        take(line.decode(errors="replace").rstrip("\n"))


def _hear(job: Job, line: str) -> None:
    """Take a line of progress, or keep a complaint without what makes sense in a terminal only."""
    if not sentence(f"\n{line}"):
        return
    if not line.startswith(MARK):
        said = line.removeprefix("floatframe: ").removesuffix("; see --help")
        job.complaints = [*job.complaints, said][-MOST_LINES:]
        return
    try:
        done, wanted, text = json.loads(line.removeprefix(MARK))
        job.done, job.wanted, job.text = float(done or 0), float(wanted or 0), str(text)
    except (ValueError, TypeError):
        return
