"""`make torture`: tries to break the program for some minutes and prints what came of it."""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from benchmarks.torture import files, kills, options, other_seeds, seeds, surroundings, uses, writers
from benchmarks.torture.trials import FAULTS, command, tried
from floatframe.cli.main import run

SHARES = {
    "damaged files": 0.35,
    "options": 0.1,
    "outputs": 0.1,
    "surroundings": 0.05,
    "kills": 0.2,
    "full disks": 0.1,
    "two writers": 0.05,
    "damaged caches": 0.05,
}


class Torture:
    """Trials of all kinds, with their counts."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.chance = folder, random.Random(seed)
        self.counts: dict[str, Counter[str]] = {kind: Counter() for kind in SHARES}
        self.found: list[str] = []
        self.seeds = folder / "seeds"
        self.seeds.mkdir(parents=True)
        seeds.make(self.seeds)
        other_seeds.make(self.seeds)
        self.uses = uses.uses(uses.OWN + uses.OTHERS)
        self._load()
        self.expected = self._expected()

    def _load(self) -> None:
        """Use every command once here: what is loaded is there in the copies of this process, where trials run."""
        place = self.folder / "sound"
        for words in dict.fromkeys(use.words for use in self.uses):
            shutil.rmtree(place, ignore_errors=True)
            shutil.copytree(self.seeds, place)
            with redirect_stdout(StringIO()), redirect_stderr(StringIO()) as said:
                if run(uses.Use("", words).command(place)) != 0:
                    raise SystemExit(f"{' '.join(words)} failed without damage: {said.getvalue()}")

    def _expected(self) -> dict[str, str]:
        """What commands that nothing happens to end with."""
        place, found = self.folder / "expected", {}
        for name, (words, _) in kills.WORKS.items():
            kills.prepare(self.seeds, place)
            ended = tried(command(words(place)), place / "log", 300)
            if ended.code != 0:
                raise SystemExit(ended.said.decode())
            found[name] = kills.numbers(place / "out.h5")
        return found

    def one(self, kind: str) -> None:
        """One trial of a kind."""
        place = self.folder / "trial"
        if kind == "damaged files":
            name, verdict, said = files.trial(self.chance, self.seeds, self.uses, place)
            self._count(kind, verdict, f"{name}: {said}", place / name.split()[0])
            return
        if kind == "options":
            name, verdict, said = options.trial(self.chance, self.seeds, self.uses, self.folder / "options")
            self._count(kind, verdict, f"{name}: {said}")
            return
        if kind == "outputs":
            name, verdict, said = writers.trial(self.chance, self.seeds, self.uses, self.folder / "outputs")
            self._count(kind, verdict, f"{name}: {said}")
            return
        work: Any = {
            "surroundings": surroundings.trial,
            "kills": kills.kill_run,
            "full disks": kills.fill_disk,
            "two writers": kills.two_writers,
            "damaged caches": kills.damaged_cache,
        }[kind]
        verdict, said = work(self.chance, self.seeds, self.folder / "work", self.expected)
        self._count(kind, verdict, said)

    def _count(self, kind: str, verdict: str, said: str, file: Path | None = None) -> None:
        self.counts[kind][verdict] += 1
        if verdict in FAULTS:
            self.found.append(f"{kind}, {verdict}: {said[-2000:]}")
            if file is not None:
                kept = self.folder / "faults" / f"{len(self.found)}-{file.name}"
                kept.parent.mkdir(exist_ok=True)
                shutil.copyfile(file, kept)

    def run(self, seconds: float, kinds: tuple[str, ...] = tuple(SHARES)) -> None:
        """Trials until the time is over, each kind for its share of it; one of each at least."""
        spent = dict.fromkeys(kinds, 0.0)
        until = time.monotonic() + seconds
        while time.monotonic() < until or not all(spent.values()):
            kind = min(kinds, key=lambda one: spent[one] / SHARES[one])
            began = time.monotonic()
            self.one(kind)
            spent[kind] += max(time.monotonic() - began, 1e-6)

    def table(self) -> str:
        """The counts as a table, and the faults."""
        lines = ["| what | trials | " + " | ".join(FAULTS) + " |", "|---" * (len(FAULTS) + 2) + "|"]
        for kind, counts in self.counts.items():
            if counts:
                lines.append(f"| {kind} | {counts.total()} | " + " | ".join(str(counts[f]) for f in FAULTS) + " |")
        others = {kind: {k: n for k, n in c.items() if k not in FAULTS} for kind, c in self.counts.items() if c}
        return "\n".join([*lines, "", *(f"{kind}: {counts}" for kind, counts in others.items()), *self.found])


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--only", choices=list(SHARES), action="append")
    words = parser.parse_args()
    if not hasattr(os, "fork"):
        raise SystemExit("torture needs processes that can be copied, as on Linux and macOS")
    folder = Path(tempfile.mkdtemp(prefix="floatframe-torture-"))
    sys.stdout.write(f"seed {words.seed}, {words.minutes:g} minutes, in {folder}\n")
    torture = Torture(folder, words.seed)
    torture.run(60.0 * words.minutes, tuple(words.only or SHARES))
    sys.stdout.write(torture.table() + "\n")
    if not torture.found:
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if torture.found else 0


if __name__ == "__main__":
    sys.exit(main())
