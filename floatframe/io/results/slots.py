"""Small contents that are replaced again and again and must survive a kill at any moment.

A pair of slots takes turns: the newer content is written over the older one, each with a sequence number, its length
and a checksum. A slot that was being written when the process died fails its checksum, and the other one counts.

A slot holds: sequence, length (two unsigned 64-bit numbers, little-endian), SHA-256 of those and of the content (32
bytes), the content.
"""

from __future__ import annotations

import hashlib
import json
import math
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import h5py
import numpy as np

from floatframe.arrays import AnyArray
from floatframe.errors import ModelError, ReadError
from floatframe.io.native import array_in

_HEAD = struct.Struct("<QQ")
_DIGEST = 32
_PAGE = 4096  # bytes; a slot grows by whole pages
_LARGEST_NUMBER = 16  # bytes of one number in a checkpoint


def create_slots(file: h5py.File, name: str) -> None:
    """Make a pair of empty slots; they can grow while the file is read by others."""
    for which in "01":
        file.create_dataset(
            f"{name}/{which}", shape=(_PAGE,), maxshape=(None,), chunks=(_PAGE,), dtype=np.uint8, fillvalue=0
        )


def read_slots(file: h5py.Group, name: str, closed: bool = False) -> tuple[int, bytes | None]:
    """Return sequence number and content of the newest sound slot; (0, None) if there is none yet.

    closed: the writer has ended in order, so that both slots must be sound; OSError if one is not.
    """
    return max(both_slots(file, name, closed), key=lambda pair: pair[0])


def both_slots(file: h5py.Group, name: str, closed: bool = False) -> list[tuple[int, bytes | None]]:
    """Return sequence number and content of both slots, (0, None) for one that is empty or not sound."""
    return [_content(array_in(file, f"{name}/{which}"), closed) for which in "01"]


def _content(slot: h5py.Dataset, closed: bool) -> tuple[int, bytes | None]:
    try:
        raw = np.asarray(slot[...]).tobytes()
    except (OSError, RuntimeError):  # the process died while the slot grew
        if closed:
            raise
        return 0, None
    body = _HEAD.size + _DIGEST
    if len(raw) < body or slot.dtype != np.uint8:
        raise OSError("a slot is shorter than its head")
    sequence, length = _HEAD.unpack_from(raw)
    content = raw[body : body + length]
    if len(content) != length or raw[_HEAD.size : body] != _checksum(raw[: _HEAD.size], content):
        if closed and any(raw[:body]):
            raise OSError(f"'{slot.name.strip('/')}' is damaged")
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
            slot.resize((_pages(len(raw)),))
        slot[: len(raw)] = raw
        slot.flush()
        self._sequence = sequence

    def room(self, content: bytes) -> int:
        """Bytes that a file grows by at most when a content is written."""
        more = max(_pages(_HEAD.size + _DIGEST + len(content)) - len(self._slots[(self._sequence + 1) % 2]), 0)
        return more + more // 8 + 4 * _PAGE


def _pages(count: int) -> int:
    """Bytes rounded up to whole pages."""
    return -(-count // _PAGE) * _PAGE


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
                dtype = np.dtype(kind)
                if dtype.kind not in "fiubc" or dtype.itemsize > _LARGEST_NUMBER:
                    raise ValueError("an array does not hold numbers")
                if not all(isinstance(n, int) and n >= 0 for n in shape):
                    raise ValueError("the shape of an array is not one")
                size = math.prod(shape) * dtype.itemsize
                found[name] = np.frombuffer(rest[:size], dtype=dtype).reshape(shape).copy()
                rest = rest[size:]
            records = head["records"]
            if not isinstance(records, int) or records < 0:
                raise ValueError("its number of records is not one")
            return cls(records, found)
        except (AttributeError, KeyError, OverflowError, RecursionError, TypeError, ValueError) as error:
            raise ReadError(
                "the checkpoint is damaged or of another version of floatframe; start a new run."
            ) from error
