"""Every command that writes a file: over each file of its folder, killed as it writes, and where space runs out.

What it reads never changes, and what was there stays until the new file is complete. Runs and sweeps take their name at
the beginning, so that they can be seen and resumed; `kills` has their trials.
"""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import time
from pathlib import Path

from benchmarks.torture.files import left_behind
from benchmarks.torture.kills import RESUMABLE, small_disk
from benchmarks.torture.trials import Ended, begin, command, end, tried
from benchmarks.torture.uses import Use

OUT = "@out."
SIZE = 1 << 26  # bytes of the small disk
LEAST = 4096  # bytes that a file may have, so that a sentence about its end fits into the log
WAYS = ("", "", "link", "hard link", "detour")  # to a file
Verdict = tuple[str, str, str]


def writers(known: list[Use]) -> list[tuple[str, ...]]:
    """The words of the commands that write a file."""
    return [words for words in dict.fromkeys(use.words for use in known) if any(OUT in word for word in words)]


def trial(chance: random.Random, seeds: Path, known: list[Use], folder: Path) -> Verdict:
    """One of the three with one command; returns what was tried, the verdict and what was said."""
    words = chance.choice(writers(known))
    kind = chance.randrange(3)
    if kind == 0 or words[0] in RESUMABLE:
        return _over_a_file(chance, seeds, words, folder)
    with small_disk(folder, SIZE):
        shutil.copytree(seeds, folder, dirs_exist_ok=True)
        sound = _run(words, folder)
        if sound.code:
            return " ".join(words), sound.fault or "lost", _said(sound)
        return (killed if kind == 1 else without_space)(chance, words, folder)


def _over_a_file(chance: random.Random, seeds: Path, words: tuple[str, ...], folder: Path) -> Verdict:
    files = sorted(path.name for path in seeds.iterdir() if path.is_file())
    suffixes = {Path(word).suffix for word in words if OUT in word}
    near = [name for name in files if Path(name).suffix in suffixes]  # others are mostly refused for their names
    name = chance.choice(near if near and chance.random() < 0.8 else files)
    return written_over(seeds, words, name, chance.choice(WAYS), folder)


def written_over(seeds: Path, words: tuple[str, ...], name: str, way: str, folder: Path) -> Verdict:
    """Let a command write over a file, which is named in one of `WAYS`."""
    tried_here = f"{' '.join(words)} over {name} {way}".strip()
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(seeds, folder)
    (folder / "x").mkdir()
    place = str(folder / name)
    if way == "detour":
        place = f"{folder}/x/../{name}"
    elif way:
        other = (folder / "other").with_suffix(Path(name).suffix)
        place = str(other)
        other.symlink_to(name) if way == "link" else other.hardlink_to(folder / name)
    before = (folder / name).read_bytes()
    ended = _run(tuple(place if OUT in word else word for word in words), folder, "--force")
    fault = _fault(ended, folder)
    if fault or (folder / name).read_bytes() == before:
        return tried_here, fault or ("refused" if ended.code else "accepted"), _said(ended)
    if ended.code:
        return tried_here, "lost", _said(ended)
    # it was written over: then the command must not need it
    (folder / name).unlink()
    without = _run(words, folder)
    return tried_here, "lost" if without.code else "accepted", _said(without)


def killed(chance: random.Random, words: tuple[str, ...], folder: Path) -> Verdict:
    """Kill a command that has been done once, whose files are either the old or the new ones, and do it again."""
    old = _outputs(words, folder)
    began = time.monotonic()
    _run(words, folder)
    new, longest = _outputs(words, folder), time.monotonic() - began
    for name, content in old.items():
        (folder / name).write_bytes(content)
    pid = begin(command(Use("", words).command(folder)), folder / "log", memory=0)
    time.sleep(chance.uniform(0.0, 1.1 * longest))
    os.kill(pid, signal.SIGKILL)
    end(pid, folder / "log")
    verdict = "whole"
    for name, content in _outputs(words, folder).items():
        if content != old.get(name) and len(content) < 0.98 * len(new[name]):  # they may say how long they took
            verdict = "lost"
    again = _run(words, folder)
    return f"kill {' '.join(words)}", _fault(again, folder) or ("lost" if again.code else verdict), _said(again)


def without_space(chance: random.Random, words: tuple[str, ...], folder: Path) -> Verdict:
    """Let a command that has been done once find too little space; what is there stays."""
    old = _outputs(words, folder)
    tried_here = f"no space for {' '.join(words)}"
    filler, log = folder / "filler", folder.with_name("log")
    room = chance.randrange(1 + max(map(len, old.values())))

    def work() -> int:
        if not os.path.ismount(folder):  # nobody lets us: a limit on the size of files stands for it
            resource.setrlimit(resource.RLIMIT_FSIZE, (max(room, LEAST), resource.RLIM_INFINITY))
        return command(Use("", words).command(folder))()

    if os.path.ismount(folder):
        filler.write_bytes(bytes(max(shutil.disk_usage(folder).free - room, 0)))
    ended = tried(work, log)
    filler.unlink(missing_ok=True)
    if ended.code == 0:
        return tried_here, ended.fault or "fitted", _said(ended)
    if not ended.fault and _outputs(words, folder) != old:
        return tried_here, "lost", _said(ended)
    return tried_here, _fault(ended, folder) or "refused", _said(ended)


def _outputs(words: tuple[str, ...], folder: Path) -> dict[str, bytes]:
    """What is in the outputs of a command, as far as they exist."""
    names = [word.replace("@", "") for word in words if OUT in word]
    return {name: (folder / name).read_bytes() for name in names if (folder / name).exists()}


def _run(words: tuple[str, ...], folder: Path, *more: str) -> Ended:
    return tried(command([*Use("", words).command(folder), *more]), folder / "log")


def _fault(ended: Ended, folder: Path) -> str:
    if ended.fault or (ended.code and not ended.said.strip()):
        return ended.fault or "traceback"  # a refusal without a word
    return "left behind" if left_behind(folder) else ""


def _said(ended: Ended) -> str:
    return ended.said.decode(errors="replace")
