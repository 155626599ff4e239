"""Kills at random moments, full disks and two writers: nothing is lost, nothing is left behind."""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from benchmarks.torture.files import content_digest, left_behind
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


def convert(folder: Path) -> list[str]:
    """Another one, which reads a deck."""
    return ["convert", str(folder / "beam.inp"), str(folder / "out.h5")]


# what is killed: its command, and the seconds within which
WORKS = {"simulate": (simulate, 1.2), "sweep": (sweep, 6.0), "reduce": (whole, 0.6), "convert": (convert, 0.4)}
RESUMABLE = ("simulate", "sweep")
Work = Callable[[], int]


def prepare(seeds: Path, folder: Path) -> None:
    """The inputs, and nothing else."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    prepare_in(seeds, folder)


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
    special = {"cold cache": kill_cold, "damaged cache": kill_damaged, "sweep scheduler": kill_scheduler}
    if find_spec("distributed") is None:
        del special["sweep scheduler"]
    plain = ("simulate", "sweep", "sweep worker", "reduce", "convert")
    what = chance.choice((*plain, *plain, *plain, *special))  # the others compile kernels or start processes
    if what in special:
        verdict, said = special[what](chance, folder, expected)
        return verdict, f"{what}: {said}"
    kind = what.split()[0]
    make, longest = WORKS[kind]
    words, log = make(folder), folder / "log"
    pid = begin(command(words), log, memory=0)
    time.sleep(chance.uniform(0.02, longest))
    if what == "sweep worker":
        for child in _children(pid)[:1]:
            os.kill(child, signal.SIGKILL)
        ended = end(pid, log)
        if ended.fault or ended.code != 0:
            return ended.fault or "lost", f"{what}: {_said(ended)}"
    else:
        os.kill(pid, signal.SIGKILL)  # the parent; its workers notice that it is gone
        end(pid, log)
    verdict, said = _judged(tried(command(_again(words, folder)), log), folder, expected[kind])
    return verdict, f"{what}: {said}"


def _again(words: list[str], folder: Path) -> list[str]:
    """The command after a kill: it goes on where there is something to go on with."""
    return [*words, "--resume"] if words[0] in RESUMABLE and (folder / "out.h5").exists() else words


def kill_cold(chance: random.Random, folder: Path, expected: dict[str, str]) -> tuple[str, str]:
    """Kill a run that compiles its kernels, with an empty cache."""
    return _kill_with_cache(chance.uniform(1.0, 15.0), folder, expected)


def kill_damaged(chance: random.Random, folder: Path, expected: dict[str, str]) -> tuple[str, str]:
    """Kill a run with a damaged cache, which heals it."""
    _damage_cache(chance, folder)
    return _kill_with_cache(chance.uniform(0.5, 5.0), folder, expected)


def _kill_with_cache(after: float, folder: Path, expected: dict[str, str]) -> tuple[str, str]:
    killed = _with_cache(simulate(folder), folder, after)
    if killed.fault and killed.code != -signal.SIGKILL:
        return killed.fault, _said(killed)
    return _judged(_with_cache(_again(simulate(folder), folder), folder), folder, expected["simulate"])


def kill_scheduler(chance: random.Random, folder: Path, expected: dict[str, str]) -> tuple[str, str]:
    """Kill the scheduler of a sweep; the points left are not computed, and are by a resumed sweep without it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    python, address = [sys.executable, "-m"], f"tcp://127.0.0.1:{port}"
    parts = (
        ["distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"],
        ["distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard"],
    )
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    team = [subprocess.Popen([*python, *words], **quiet) for words in parts]  # type: ignore[call-overload]
    words, log = [word for word in sweep(folder) if word != "--processes"], folder / "log"
    try:
        pid = begin(command([*words, "--scheduler", address]), log, memory=0)
        time.sleep(chance.uniform(2.0, 15.0))
        team[0].kill()
        ended = end(pid, log, 120)
    finally:
        for process in team:
            process.kill()
            process.wait()
    if ended.fault:
        return ended.fault, _said(ended)
    return _judged(tried(command(_again(words, folder)), log), folder, expected["sweep"])


def _judged(ended: Ended, folder: Path, expected: str) -> tuple[str, str]:
    if ended.fault or ended.code != 0:
        return ended.fault or "lost", _said(ended)
    if numbers(folder / "out.h5") != expected:
        return "changed", _said(ended)
    left = left_behind(folder)
    return ("left behind", " ".join(left)) if left else ("whole", "")


def fill_disk(chance: random.Random, seeds: Path, folder: Path, expected: dict[str, str]) -> tuple[str, str]:
    """Let a disk run full; afterwards there is space and the command goes on."""
    what = chance.choice(("simulate", "simulate", "sweep", "reduce", "convert"))
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
        words = WORKS[what][0](folder)
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
        return _judged(tried(command(_again(words, folder)), log), folder, expected[what])


def prepare_in(seeds: Path, folder: Path) -> None:
    """The inputs in a folder that is there."""
    for name in ("model.toml", "body.fum", "beam.h5", "beam.inp"):
        shutil.copyfile(seeds / name, folder / name)


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[Callable[[Work], Work]]:
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

            def limited(work: Work) -> Work:
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
    """Run with a cache whose files are damaged or empty; it is healed."""
    prepare(seeds, folder)
    _damage_cache(chance, folder)
    return _judged(_with_cache(simulate(folder), folder), folder, expected["simulate"])


def _damage_cache(chance: random.Random, folder: Path) -> None:
    """Copy the cache into a folder and damage some of its files."""
    from floatframe.native import cache_folder

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


def _with_cache(words: list[str], folder: Path, killed_after: float | None = None) -> Ended:
    """Run a command in a new process that has its kernels in a folder; it may be killed after some seconds."""
    log = folder / "log"
    environment = {**os.environ, "FLOATFRAME_CACHE_DIR": str(folder / "cache")}
    with open(log, "wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "floatframe", *words], env=environment, stdout=file, stderr=file
        )
        try:
            code = process.wait(killed_after or 1200)
        except subprocess.TimeoutExpired:
            process.kill()
            code = process.wait()
            if killed_after is None:
                return Ended(code, log.read_bytes(), late=True)
    return Ended(code, log.read_bytes())


def _children(pid: int) -> list[int]:
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()][::-1]
    except OSError:
        return []


def _said(ended: Ended) -> str:
    return ended.said.decode(errors="replace")
