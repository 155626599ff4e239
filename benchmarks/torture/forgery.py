"""Wrong content under sound checksums: what somebody makes who knows our formats, since no checksum is a secret.

Bodies are signed again; settings, texts, records, sums and checkpoints of runs are exchanged as the writer would do it.
"""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from benchmarks.torture.damage import NUMBERS, forge, nasty, random_damage
from floatframe.errors import FloatframeError
from floatframe.io.native import fum_hdf5
from floatframe.io.results.slots import Checkpoint, SlotWriter, read_slots
from floatframe.io.results.sums import encoded, more_sums

VALUES: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    2**70,
    1e308,
    "",
    "text",
    "\x1b[31m",
    "$x$",
    "[red]",
    [],
    {},
    [[[1]]],
    "a" * 10_000,
    1e9,
)
TEXTS = (b"", b"x" * 1000, b"\x1b[31m", b"[red]x", b"$\\frac$", b"@DATA@", b"</script>", b"a,a", b"done", b"failed")
ARRAYS = ("t", "q", "v", "channels/values", "statistics/values")


def forged(chance: random.Random, path: Path) -> None:
    """Change a file of ours into one that its checksums approve of."""
    with h5py.File(path, "r") as file:
        mark = file.attrs.get("format")  # none in meshes of others
    if mark == b"floatframe-results" and chance.random() < 0.9:
        with h5py.File(path, "r+") as file:
            chance.choice((_settings, _model, _journal, _checkpoint, _checkpoint, _checkpoint, _records))(chance, file)
        return
    if mark == b"floatframe-sweep" and chance.random() < 0.4:
        with h5py.File(path, "r+") as file:
            _settings(chance, file)
        return
    if chance.random() < 0.5:
        _values(chance, path)
    else:
        forge(chance, path)
    if mark == b"input.fum-hdf5":
        _sign(path)


def _changed(chance: random.Random, value: Any) -> Any:
    """A value of JSON with one of its parts exchanged, added or left out."""
    if chance.random() < 0.2 or not isinstance(value, dict | list) or not value:
        return chance.choice(VALUES)
    found: Any = value.copy()
    key: Any = chance.choice(list(found)) if isinstance(found, dict) else chance.randrange(len(found))
    if chance.random() < 0.2:
        del found[key]
    else:
        found[key] = _changed(chance, found[key])
    return found


def _put(file: h5py.File, name: str, text: str) -> None:
    del file[name]
    file[name] = np.array([text.encode() or b" "], dtype=np.bytes_)


def _settings(chance: random.Random, file: h5py.File) -> None:
    kept = json.loads(file["source/settings"][0])
    _put(file, "source/settings", json.dumps(_changed(chance, kept)))


def _model(chance: random.Random, file: h5py.File) -> None:
    text = random_damage(chance, file["source/model"][0]).decode(errors="replace").replace("\0", "?")
    _put(file, "source/model", text)
    file.attrs["model_sha256"] = np.bytes_(hashlib.sha256(file["source/model"][0]).hexdigest().encode())


def _replace_slots(file: h5py.File, name: str, content: bytes) -> None:
    for _ in range(2):
        SlotWriter(file, name).write(content)


def _journal(chance: random.Random, file: h5py.File) -> None:
    kept = json.loads(read_slots(file, "journal")[1] or b"{}")
    _replace_slots(file, "journal", json.dumps(_changed(chance, kept)).encode())


def _checkpoint(chance: random.Random, file: h5py.File) -> None:
    """Another number in an array, or another value beside the arrays."""
    raw = read_slots(file, "checkpoint")[1] or b""
    if chance.random() < 0.3:
        head, mark, rest = raw.partition(b"\n")
        _replace_slots(file, "checkpoint", json.dumps(_changed(chance, json.loads(head))).encode() + mark + rest)
        return
    kept = Checkpoint.decoded(raw)
    arrays = {name: value for name, value in kept.content.items() if isinstance(value, np.ndarray) and value.size}
    name = chance.choice(list(arrays))
    flat = arrays[name].reshape(-1).copy()
    flat[chance.randrange(flat.size)] = nasty(chance, flat.dtype)
    content = {**kept.content, name: flat.reshape(arrays[name].shape)}
    _replace_slots(file, "checkpoint", Checkpoint(kept.records, content).encoded())


def _records(chance: random.Random, file: h5py.File) -> None:
    """Other numbers in the records, with the sums of all."""
    array = file[chance.choice([name for name in ARRAYS if name in file])]
    flat = array[...].reshape(-1)
    for _ in range(chance.choice((1, 10, len(flat)))):
        flat[chance.randrange(len(flat))] = chance.choice(NUMBERS)
    array[...] = flat.reshape(array.shape)
    sums = {}
    for name in ARRAYS:
        width = (1 if file[name].ndim == 1 else file[name].shape[1]) if name in file else 0
        rows = file[name][...] if width else np.empty((0, 0))
        sums[name] = more_sums(np.zeros(width, np.uint64), 0, rows)
    _replace_slots(file, "sums", encoded(len(file["t"]), sums))


def _values(chance: random.Random, path: Path) -> None:
    """Other numbers or texts in one array."""
    with h5py.File(path, "r+") as file:
        names: list[str] = []
        file.visit(names.append)
        arrays = [file[name] for name in names if isinstance(file[name], h5py.Dataset) and file[name].size]
        array = chance.choice([one for one in arrays if one.dtype.kind in "fiuS"])
        flat = array[...].reshape(-1).copy()
        for _ in range(chance.choice((1, 1, 2, flat.size))):
            here = chance.randrange(flat.size)
            flat[here] = chance.choice(TEXTS) if flat.dtype.kind == "S" else nasty(chance, flat.dtype)
        array[...] = flat.reshape(array.shape)


def _sign(path: Path) -> None:
    """Put the right digest into the file of a body; one that cannot be read at all stays as it is."""
    digest, found = fum_hdf5._digest, []
    with h5py.File(path, "r") as file:
        signed = bytes(file.attrs.get("sha256", b"")).decode()
    try:
        fum_hdf5._digest = lambda body: found.append(digest(body)) or signed  # type: ignore[func-returns-value]
        fum_hdf5.read(path)
    except (FloatframeError, ValueError, TypeError, OverflowError, ArithmeticError):
        pass  # that it is refused in a sentence is what the trial looks at
    finally:
        fum_hdf5._digest = digest
    if found:
        with h5py.File(path, "r+") as file:
            file.attrs["sha256"] = np.bytes_(found[-1].encode())
