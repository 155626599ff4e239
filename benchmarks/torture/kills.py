"""Kills at random moments, full disks and two writers: nothing is lost, nothing is left behind."""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.torture.files import content_digest
from benchmarks.torture.trials import Ended, begin, command, end, tried


def simulate(folder: Path, *more: str) -> list[str]:
    """The command of a run that takes about a second."""
    return ["simulate", str(folder / "model.toml"), "-o", str(folder / "out.h5"), *more]


def sweep(folder: Path, *more: str) -> list[str]:
    """The command of a sweep in processes."""
    points = ["--vary", "push=1:6:1", "--t-end", "0.3", "--measure", "hinge.angle:rms", "--processes"]
    return ["sweep", str(folder / "model.toml"), *points, "-o", str(folder / "out.h5"), *more]


def whole(folder: Path) -> list[str]:
    """A command that writes one file at its end."""
    return ["reduce", str(folder / "beam.h5"), "--interface", "1,7", "-n", "3", "-o", str(folder / "out.h5")]


def prepare(seeds: Path, folder: Path) -> None:
    """The inputs, and nothing else."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in ("model.toml", "body.fum", "beam.h5"):
        shutil.copyfile(seeds / name, folder / name)


def left_behind(folder: Path) -> list[str]:
    """Temporary files and locks beside the outputs."""
    return [path.name for path in folder.iterdir() if path.name.endswith((".tmp", ".lock"))]


def numbers(path: Path) -> str:
    """A digest of the numbers of a run or sweep, whatever time they took."""
    import floatframe as ff

    found = ff.io.read(path)
    if isinstance(found, ff.io.SweepResult):
        return repr((found.states, found.values.tolist()))
    if isinstance(found, ff.modal.ReducedBody):  # its notes say how long it took
        return repr([array.tobytes() for array in (found.shapes, found.mass, found.stiffness)])
    if isinstance(found, ff.io.ResultFile):
        return repr(
            (found.status.reason, found.q.tobytes(), found.columns(0, found.widths["channels/values"]).tobytes())
        )
    return content_digest(path)


def kill_run(chance: random.Random, seeds: Path, folder: Path, expected: dict[str, str]) -> tuple[str, str]:
    """Kill a command at a random moment and let it go on; returns the verdict and what was said."""
    prepare(seeds, folder)
    what = chance.choice(("simulate", "simulate", "sweep", "sweep worker", "reduce"))
    words = {"simulate": simulate, "reduce": whole}.get(what, sweep)(folder)
    log = folder / "log"
    pid = begin(command(words), log, memory=0)
    time.sleep(chance.uniform(0.02, {"simulate": 1.2, "reduce": 0.6}.get(what, 6.0)))
    if what == "sweep worker":
        for child in _children(pid)[:1]:
            os.kill(child, signal.SIGKILL)
        ended = end(pid, log)
        if ended.fault or ended.code != 0:
            return ended.fault or "lost", _said(ended)
    else:
        os.kill(pid, signal.SIGKILL)  # the parent; its workers notice that it is gone
        end(pid, log)
    if not (folder / "out.h5").exists() or what == "reduce":
        again = tried(command(words), log)
    else:
        again = tried(command([*words, "--resume"]), log)
    return _judged(again, folder, expected[what.split()[0]])


def _judged(ended: Ended, folder: Path, expected: str) -> tuple[str, str]:
    if ended.fault or ended.code != 0:
        return ended.fault or "lost", _said(ended)
    if numbers(folder / "out.h5") != expected:
        return "changed", _said(ended)
    left = left_behind(folder)
    return ("left behind", " ".join(left)) if left else ("whole", "")


def fill_disk(chance: random.Random, seeds: Path, folder: Path, expected: dict[str, str]) -> tuple[str, str]:
    """Let a disk run full; afterwards there is space and the command goes on."""
    what = chance.choice(("simulate", "simulate", "sweep", "reduce"))
    return _fill_disk(chance, seeds, folder, expected, what)


def fill_disk_by_a_run(chance: random.Random, seeds: Path, folder: Path, expected: dict[str, str]) -> tuple[str, str]:
    """Let a disk run full while a simulation writes."""
    return _fill_disk(chance, seeds, folder, expected, "simulate")


def _fill_disk(
    chance: random.Random, seeds: Path, folder: Path, expected: dict[str, str], what: str
) -> tuple[str, str]:
    size = chance.choice((20_000, 60_000, 150_000, 400_000, 900_000))
    with small_disk(folder, size) as limited:
        prepare_in(seeds, folder)
        words = {"simulate": simulate, "sweep": sweep, "reduce": whole}[what](folder)
        words = [word for word in words if word != "--processes"]  # they would not have the limit
        log = folder.with_name("log")
        ended = tried(limited(command(words)), log)
        if ended.fault:
            return ended.fault, _said(ended)
        if ended.code == 0:
            return "fitted", ""
        if b"cannot be written" not in ended.said:
            return "traceback", _said(ended)
        if left_behind(folder):
            return "left behind", " ".join(left_behind(folder))
        make_space(folder)
        resumable = (folder / "out.h5").exists() and what != "reduce"
        again = tried(command([*words, "--resume"] if resumable else words), log)
        return _judged(again, folder, expected[what])


def prepare_in(seeds: Path, folder: Path) -> None:
    """The inputs in a folder that is there."""
    for name in ("model.toml", "body.fum", "beam.h5"):
        shutil.copyfile(seeds / name, folder / name)


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[object]:
    """A small file system where we may mount one, else a limit on the size of files."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    room = size + 150_000  # for the inputs
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={room}", "tmpfs", str(folder)], capture_output=True, check=False
    )
    try:
        if mounted.returncode == 0:
            yield lambda work: work
        else:

            def limited(work):  # type: ignore[no-untyped-def]
                def limit() -> int:
                    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
                    return work()

                return limit

            yield limited
    finally:
        if mounted.returncode == 0:
            subprocess.run(["umount", "-l", str(folder)], check=False)


def make_space(folder: Path) -> None:
    """Make a small file system a large one."""
    subprocess.run(["mount", "-o", "remount,size=200m", str(folder)], capture_output=True, check=False)


def two_writers(chance: random.Random, seeds: Path, folder: Path, expected: dict[str, str]) -> tuple[str, str]:
    """Two runs into one file: one is refused, the other is whole."""
    prepare(seeds, folder)
    logs = folder / "log1", folder / "log2"
    first = begin(command(simulate(folder)), logs[0], memory=0)
    time.sleep(chance.uniform(0.0, 1.0))
    second = begin(command(simulate(folder)), logs[1], memory=0)
    both = end(first, logs[0]), end(second, logs[1])
    for ended in both:
        if ended.fault:
            return ended.fault, _said(ended)
    refused = [ended for ended in both if ended.code != 0]
    if len(refused) == 2 or any(b"is being written by" not in ended.said for ended in refused):
        return "lost", "".join(map(_said, both))
    return _judged(next(ended for ended in both if ended.code == 0), folder, expected["simulate"])


def damaged_cache(chance: random.Random, seeds: Path, folder: Path, expected: dict[str, str]) -> tuple[str, str]:
    """Run with a cache whose files are damaged, empty or gone; the next run finds it healed."""
    from floatframe.native import cache_folder

    prepare(seeds, folder)
    cache = folder / "cache" / "floatframe-kernels"
    shutil.copytree(cache_folder(), cache, ignore=lambda place, names: [n for n in names if not n.endswith(".o")])
    kept = sorted(cache.glob("*.o"))
    for path in chance.sample(kept, min(2, len(kept))):
        content = path.read_bytes()
        path.write_bytes(
            chance.choice(
                (b"", content[: len(content) // 2], content[:-1] + b"?", content[:100] + b"??" + content[102:])
            )
        )
    log = folder / "log"
    environment = {**os.environ, "FLOATFRAME_CACHE_DIR": str(folder / "cache")}
    import sys

    with open(log, "wb") as file:
        done = subprocess.run(
            [sys.executable, "-m", "floatframe", *simulate(folder)],
            env=environment,
            stdout=file,
            stderr=file,
            timeout=300,
            check=False,
        )
    return _judged(Ended(done.returncode, log.read_bytes()), folder, expected["simulate"])


def _children(pid: int) -> list[int]:
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()][::-1]
    except OSError:
        return []


def _said(ended: Ended) -> str:
    return ended.said.decode(errors="replace")
