"""Small contents that are replaced again and again and must survive a kill at any moment.

A pair of slots takes turns: the newer content is written over the older one, each with a sequence number, its length
and a checksum. A slot that was being written when the process died fails its checksum, and the other one counts.

A slot holds: sequence, length (two unsigned 64-bit numbers, little-endian), SHA-256 of those and of the content (32
bytes), the content.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import h5py
import numpy as np

from floatframe.arrays import AnyArray
from floatframe.errors import ModelError, ReadError

_HEAD = struct.Struct("<QQ")
_DIGEST = 32
_PAGE = 4096  # bytes; a slot grows by whole pages


def create_slots(file: h5py.File, name: str) -> None:
    """Make a pair of empty slots; they can grow while the file is read by others."""
    for which in "01":
        file.create_dataset(
            f"{name}/{which}", shape=(_PAGE,), maxshape=(None,), chunks=(_PAGE,), dtype=np.uint8, fillvalue=0
        )


def read_slots(file: h5py.Group, name: str) -> tuple[int, bytes | None]:
    """Return sequence number and content of the newest sound slot; (0, None) if there is none yet."""
    found = [_content(file[f"{name}/{which}"]) for which in "01"]
    return max(found, key=lambda pair: pair[0])


def _content(slot: h5py.Dataset) -> tuple[int, bytes | None]:
    try:
        raw = np.asarray(slot[...]).tobytes()
    except (OSError, RuntimeError):  # the process died while the slot grew
        return 0, None
    sequence, length = _HEAD.unpack_from(raw)
    body = _HEAD.size + _DIGEST
    content = raw[body : body + length]
    if not sequence or len(content) != length or raw[_HEAD.size : body] != _checksum(raw[: _HEAD.size], content):
        return 0, None
    return sequence, content


def _checksum(head: bytes, content: bytes) -> bytes:
    return hashlib.sha256(head + content).digest()


class SlotWriter:
    """Writes into a pair of slots in turn."""

    def __init__(self, file: h5py.File, name: str) -> None:
        self._slots = (file[f"{name}/0"], file[f"{name}/1"])
        self._sequence = read_slots(file, name)[0]

    def write(self, content: bytes) -> None:
        """Replace the older content and bring it to the file."""
        sequence = self._sequence + 1
        slot = self._slots[sequence % 2]
        head = _HEAD.pack(sequence, len(content))
        raw = np.frombuffer(head + _checksum(head, content) + content, dtype=np.uint8)
        if len(raw) > len(slot):
            slot.resize((-(-len(raw) // _PAGE) * _PAGE,))
        slot[: len(raw)] = raw
        slot.flush()
        self._sequence = sequence


@dataclass(frozen=True)
class Checkpoint:
    """Everything an integrator needs to go on from a record: arrays and plain values by name, bit for bit."""

    records: int
    content: Mapping[str, Any]

    def encoded(self) -> bytes:
        """Return a line of JSON with the plain values and the shapes, then the arrays end to end."""
        arrays: dict[str, AnyArray] = {}
        values: dict[str, Any] = {}
        for name, value in self.content.items():
            if isinstance(value, np.ndarray):
                if value.dtype.kind not in "fiubc":
                    raise ModelError(f"checkpoint: array '{name}' holds {value.dtype}; only numbers can be kept.")
                arrays[name] = np.asarray(value, dtype=value.dtype.newbyteorder("<"), order="C")
            else:
                values[name] = value.item() if isinstance(value, np.generic) else value
        shapes = [[name, array.dtype.str, list(array.shape)] for name, array in arrays.items()]
        try:
            head = json.dumps({"records": self.records, "values": values, "arrays": shapes})
        except (TypeError, ValueError) as error:
            raise ModelError(f"checkpoint: what is not an array must be a plain JSON value: {error}.") from error
        return b"\n".join((head.encode(), b"".join(array.tobytes() for array in arrays.values())))

    @classmethod
    def decoded(cls, content: bytes) -> Checkpoint:
        """Return the checkpoint that `encoded` wrote."""
        try:
            line, _, rest = content.partition(b"\n")
            head = json.loads(line)
            found: dict[str, Any] = dict(head["values"])
            for name, kind, shape in head["arrays"]:
                count = int(np.prod(shape, dtype=np.int64))
                size = count * np.dtype(kind).itemsize
                found[name] = np.frombuffer(rest[:size], dtype=kind).reshape(shape).copy()
                rest = rest[size:]
            return cls(int(head["records"]), found)
        except (KeyError, TypeError, ValueError) as error:
            raise ReadError(f"the checkpoint was written by another version of floatframe ({error}).") from error
