"""Damaged files: read, shown and computed with; sound in the end, refused in a sentence, or a fault."""

from __future__ import annotations

import hashlib
import random
import shutil
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.torture.damage import random_damage
from benchmarks.torture.forgery import forged
from benchmarks.torture.text_damage import text_damage
from benchmarks.torture.trials import command, tried
from benchmarks.torture.uses import Use

HDF5 = (".h5", ".med")
LONG = ("simulate", "sweep", "fit", "drift")  # what damaged settings may ask for has no bound; Ctrl-C ends it
CHECKED = (".h5",)  # formats with checksums: random damage is refused, or harms nothing


def content_digest(path: Path) -> str:
    """A digest of all numbers and texts that a file gives."""
    import floatframe as ff

    digest = hashlib.sha256()

    def add(thing: Any, depth: int = 0) -> None:
        if isinstance(thing, np.ndarray):
            digest.update(np.ascontiguousarray(thing).tobytes())
        elif isinstance(thing, dict):
            for key, value in sorted(thing.items(), key=str):
                digest.update(str(key).encode())
                add(value, depth + 1)
        elif isinstance(thing, list | tuple):
            for value in thing:
                add(value, depth + 1)
        elif hasattr(thing, "__dataclass_fields__") and depth < 8:
            for name in thing.__dataclass_fields__:
                if name not in ("path", "source"):  # they say which file it is, byte by byte
                    add(getattr(thing, name), depth + 1)
        else:
            digest.update(repr(thing).encode())

    read = ff.io.read(path)
    add(read)
    if isinstance(read, ff.io.ResultFile):
        add([read.t, read.q, read.v, read.columns(0, read.widths["channels/values"]), read.statistics, read.files])
    return digest.hexdigest()


def trial(chance: random.Random, seeds: Path, known: list[Use], folder: Path) -> tuple[str, str, str]:
    """Damage one file and use it; returns its name and command, the verdict and what was said."""
    use = chance.choice(known)
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(seeds, folder)
    place = folder / use.file
    damage = damaged_copy(chance, seeds / use.file, place)
    words = use.command(folder)
    ended = tried(command(words), folder / "log", patient=words[0] in LONG)
    verdict = ended.fault or ("accepted" if ended.code == 0 else "refused")
    if not ended.fault and ended.code != 0 and not ended.said.strip():
        verdict = "traceback"  # a refusal without a word
    if b"root:x:0" in ended.said:
        verdict = "changed"  # content of a file that is not the user's model
    if not ended.fault and left_behind(folder):
        verdict = "left behind"
    if verdict == "accepted" and damage == "random" and place.suffix in CHECKED and "--resume" not in words:
        verdict = _compared(seeds / use.file, place, folder)
    return f"{use.file} ({' '.join(use.words)})", verdict, ended.said.decode(errors="replace")


def left_behind(folder: Path) -> list[str]:
    """Temporary files and locks beside the outputs."""
    return [path.name for path in folder.iterdir() if path.name.endswith((".tmp", ".lock", ".aside"))]


def damaged_copy(chance: random.Random, seed: Path, place: Path) -> str:
    """Put a damaged copy of a file at a place; returns whether it was "forged" or damaged at "random"."""
    shutil.copyfile(seed, place)
    if seed.suffix in HDF5 and chance.random() < 0.7:
        forged(chance, place)
        return "forged"
    if seed.suffix not in HDF5 and chance.random() < 0.6:
        others = sorted(path for path in seed.parent.iterdir() if path.is_file() and path != seed)
        place.write_bytes(text_damage(chance, seed.read_bytes(), others))
    else:
        place.write_bytes(random_damage(chance, seed.read_bytes()))
    return "random"


def _compared(seed: Path, place: Path, folder: Path) -> str:
    """Whether a damaged file that was accepted gives what it gave before."""
    found = folder / "digest"
    found.unlink(missing_ok=True)

    def work() -> int:
        from floatframe.errors import FloatframeError

        try:
            found.write_text(content_digest(place))
        except FloatframeError:
            return 1
        return 0

    ended = tried(work, folder / "log")
    if ended.fault:
        return ended.fault
    return "refused" if ended.code else "accepted" if found.read_text() == content_digest(seed) else "changed"
