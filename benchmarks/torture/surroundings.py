"""Commands in processes of their own where something is not as usual: no home, closed streams, other terminals."""

from __future__ import annotations

import os
import random
import shlex
import signal
import subprocess
import sys
from pathlib import Path

from benchmarks.torture import kills
from benchmarks.torture.files import left_behind
from benchmarks.torture.trials import Ended

SECONDS = 600  # on the clock, of a process that also loads the program and may compile its kernels
# what the shell does with the standard streams; the last ones refuse what is printed
STREAMS = ("", "<&-", ">&-", "2>&-", "<&- >&- 2>&-", ">/dev/full", ">/dev/full 2>/dev/full", "| true")
LIMITS = ("", "ulimit -n 40;", "ulimit -v 2000000;", "ulimit -s 512;")
PLACES = ("", "/nonexistent", "/dev/null", "/proc")
TERMINALS: tuple[dict[str, str], ...] = (
    {},
    {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    {"PYTHONIOENCODING": "ascii"},
    {"COLUMNS": "1"},
    {"COLUMNS": "-5", "TERM": "dumb"},
)


def trial(chance: random.Random, seeds: Path, folder: Path, expected: dict[str, str]) -> tuple[str, str]:
    """One command in odd surroundings; returns the verdict and what was said."""
    kills.prepare(seeds, folder)
    out = folder / "out.h5"
    ports = ["--input", "drive", "--output", "hinge.angle"]
    words = chance.choice(
        (
            kills.simulate(folder),
            ["info", str(folder / "model.toml"), "--json"],
            ["info", str(folder / "beam.h5")],
            ["response", str(folder / "model.toml"), *ports, "--band", "0.1:20", "--csv", str(folder / "a.csv")],
            ["response", str(folder / "model.toml"), *ports, "--band", "0.1:20", "--save", str(folder / "a.png")],
            ["doctor"],
        )
    )
    changed = ("HOME", "TMPDIR", "XDG_CACHE_HOME")
    environment = {name: value for name, value in os.environ.items() if name not in changed}
    odd = {}
    for name in changed:
        if place := chance.choice(PLACES):
            odd[name] = place
    odd |= chance.choice(TERMINALS)
    environment |= odd
    streams, limit = chance.choice(STREAMS), chance.choice(LIMITS)
    log = folder / "log"
    command = f"{limit} {shlex.join([sys.executable, '-m', 'floatframe', *words])} {streams}"
    with open(log, "wb") as file:
        process = subprocess.Popen(["sh", "-c", command], env=environment, stdout=file, stderr=file, process_group=0)
        try:
            code = process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return "hang", f"{command} with {odd}"
    # a shell says 128 + the signal that ended its command
    ended = Ended(-(code - 128) if code > 128 and code != 130 else code, log.read_bytes())
    said = f"{command} with {odd}: {ended.said.decode(errors='replace')}"
    if ended.fault:
        return ended.fault, said
    if left_behind(folder):
        return "left behind", said
    if words[0] == "simulate" and code == 0 and not streams.startswith("|"):
        whole = out.exists() and kills.numbers(out) == expected["simulate"]
        return ("whole" if whole else "changed"), said
    return ("accepted" if code == 0 else "refused"), said
