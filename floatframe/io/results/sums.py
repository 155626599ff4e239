"""Checksums of the records of a growing file: one number per column, over all records so far.

A column x has the sum of x_k (2 k + 1) over its records k, with x_k taken as a whole number of 64 bits and the sum
modulo 2^64. Odd factors have inverses there, so that every change of one number changes the sum, and so does an
exchange of two. The sum of more records follows from that of fewer; checksums of chunks of a growing array do not.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from floatframe.arrays import Array

Sums = NDArray[np.uint64]
_HEAD = struct.Struct("<Q")


def more_sums(sums: Sums, first: int, rows: Array) -> Sums:
    """Sums (ncolumn,) of the records before `first` and of the rows (n, ncolumn) or (n,) from there on."""
    whole = np.ascontiguousarray(rows, dtype=np.float64).reshape(len(rows), len(sums)).view(np.uint64)
    factors = 2 * np.arange(first, first + len(whole), dtype=np.uint64) + np.uint64(1)
    # einsum wraps around silently, as wanted, and makes no copy of the rows
    return sums + np.einsum("k,kj->j", factors, whole)


def encoded(records: int, sums: Mapping[str, Sums]) -> bytes:
    """The number of records and the sums of all arrays, end to end."""
    return _HEAD.pack(records) + b"".join(one.astype("<u8").tobytes() for one in sums.values())


def decoded(content: bytes, widths: Mapping[str, int]) -> tuple[int, dict[str, Sums]]:
    """Number of records and sums by the name of the array; ValueError if it was not written for such arrays."""
    wanted = _HEAD.size + 8 * sum(widths.values())
    if len(content) != wanted:
        raise ValueError(f"its sums have {len(content)} bytes, expected {wanted}")
    numbers = np.frombuffer(content, "<u8", offset=_HEAD.size).astype(np.uint64)
    stops = np.cumsum(list(widths.values())).tolist()
    return _HEAD.unpack_from(content)[0], {
        name: numbers[stop - width : stop] for (name, width), stop in zip(widths.items(), stops, strict=True)
    }
