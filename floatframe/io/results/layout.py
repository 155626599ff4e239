"""How result files are laid out on disk, and how they are opened for appending.

HDF5's single-writer mode orders the writes so that readers, and whoever opens the file after a crash, see a sound
structure. Records are not compressed or checksummed by chunks: a chunk that was being rewritten when the process died
must not take its older records with it; `sums` has checksums of their columns. Space on the disk is reserved before
HDF5 uses it: a write that fails inside HDF5 would take the process down. File space is handed out in pages as large as
a chunk: small structures never lie across two pages of the system's cache, and a chunk begins where that cache takes it
as one piece, which halves the time of its writing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import h5py
import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.io.atomic import complete_file
from floatframe.io.native import array_in, put, put_table, put_text, sound_hdf5
from floatframe.io.results.access import look
from floatframe.io.results.file import CHANNEL_TABLE, NAME, SOURCE_TABLE, USED_TABLE, VERSION, ResultFile
from floatframe.io.results.schema import Channel, ResultMeta, array_widths
from floatframe.io.results.slots import create_slots
from floatframe.io.results.sums import Sums, more_sums
from floatframe.version import __version__

_PAGE = 65536  # bytes
_CHUNK_VALUES = _PAGE // 8  # small enough for short runs, large enough that the index of long ones stays small
_CHUNK_COLUMNS = 32  # one channel is read without reading all of them
_COPY_ROWS = 4096
_INDEX = 32  # bytes per chunk in the index of an array, which grows by doubling


def checked_block(
    widths: dict[str, int], last_t: float, t: Array, q: Array, v: Array, values: Array, statistics: Array
) -> dict[str, Array]:
    """Return the arrays of n records after the time `last_t`, by their names in the file.

    They are copied only where they are a small part of something larger, which would stay in memory with them.
    """
    block: dict[str, Array] = {}
    for (name, width), given in zip(widths.items(), (t, q, v, values, statistics), strict=True):
        array = np.asarray(given, dtype=float)
        expected = (len(block["t"]), width) if block else (array.size,)
        if array.shape != expected:
            raise ModelError(f"a block of records has {name} of shape {array.shape}, expected {expected}.")
        whole = array.base
        small = isinstance(whole, np.ndarray) and 2 * array.nbytes < whole.nbytes
        block[name] = array.copy() if small else array
    times = block["t"]
    if len(times) and not (np.isfinite(times).all() and times[0] >= last_t and (times[1:] >= times[:-1]).all()):
        raise ModelError(
            f"records must follow each other in time: after t = {last_t:g} s come {times[0]:g} … {times[-1]:g} s."
        )
    return block


@contextmanager
def new_file(path: Path, channels: Sequence[Channel], meta: ResultMeta, room: int = 0) -> Iterator[h5py.File]:
    """Make a file without records, to be filled in the block; it appears under its name when the block is done.

    room: bytes that will come into it at least.
    """
    pages = {"fs_strategy": "page", "fs_page_size": _PAGE}
    with complete_file(path) as temporary, sound_hdf5(temporary, room, **pages) as file:
        texts = {
            "format": NAME,
            "generator": f"floatframe {__version__}",
            "units": "SI",
            "model_sha256": meta.model_sha256,
        }
        if meta.source.path:
            texts |= {"source": meta.source.path, "source_hash": meta.source.sha256}  # as in files of bodies
        for name, text in texts.items():
            put_text(file, name, text)
        for name, number in {"version": VERSION, "nq": meta.nq, "nv": meta.nv}.items():
            file.attrs[name] = number
        source = {"model": meta.model, "settings": meta.settings_text}
        put_table(file.create_group("source"), SOURCE_TABLE, [source])
        if meta.source.used:
            used = [{"name": name, "sha256": found} for name, found in meta.source.used.items()]
            put_table(file["source"].create_group("used"), USED_TABLE, used)
        for name, content in meta.files.items():
            put(file["source"].require_group("files"), name, np.frombuffer(content, dtype=np.uint8))
        for group, members in {"channels": channels, "statistics": meta.statistics}.items():
            rows = [{"name": c.name, "unit": c.unit, "components": ",".join(c.components)} for c in members]
            put_table(file.create_group(group), CHANNEL_TABLE, rows)
        for name, width in array_widths(channels, meta).items():
            if width:
                _create_array(file, name, width)
        for name in ("journal", "checkpoint", "sums"):
            create_slots(file, name)
        yield file


def _create_array(file: h5py.File, name: str, width: int) -> None:
    columns = min(width, _CHUNK_COLUMNS)
    rows = _CHUNK_VALUES // columns
    one = name == "t"
    file.create_dataset(
        name,
        shape=(0,) if one else (0, width),
        maxshape=(None,) if one else (None, width),
        chunks=(rows,) if one else (rows, columns),
        dtype=np.float64,
        fillvalue=np.nan,
    )


def copy_records(source: ResultFile, count: int, file: h5py.File) -> dict[str, Sums]:
    """Copy the first records of a result file into a new one, piece by piece; returns their sums.

    All records of the old file are looked at, so that damage is noticed by their sums.
    """

    def copy(old: h5py.File) -> dict[str, Sums]:
        kept: dict[str, Sums] = {}
        for name, width in source.widths.items():
            kept[name] = found = np.zeros(width, dtype=np.uint64)
            if not width:
                continue
            file[name].resize(count, axis=0)
            array = array_in(old, name)
            for first in range(0, source.nrecord, _COPY_ROWS):
                rows = np.asarray(array[first : min(first + _COPY_ROWS, source.nrecord)])
                here = rows[: max(count - first, 0)]
                if len(here):
                    file[name][first : first + len(here)] = here
                    kept[name] = more_sums(kept[name], first, here)
                found = more_sums(found, first, rows)
            source.require_sums(name, found)
        return kept

    return look(source.path, copy)


def room_for(widths: Mapping[str, int], start: int, stop: int) -> int:
    """Bytes that records from `start` to `stop` take in a file at most: new chunks, and the index of all of them."""
    room = 0
    for width in widths.values():
        if width:
            columns = min(width, _CHUNK_COLUMNS)
            rows = _CHUNK_VALUES // columns
            across = -(-width // columns)
            new = (-(-stop // rows) - start // rows) * across
            room += new * _PAGE + _INDEX * -(-stop // rows) * across + _PAGE
    return room


def opened_for_appending(path: Path) -> h5py.File:
    """Open a file in single-writer mode at once: at no moment is it closed to readers.

    h5py's own switch comes after opening; a process killed in between would leave a file that no one may read.
    """
    access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    access.set_libver_bounds(h5py.h5f.LIBVER_V110, h5py.h5f.LIBVER_V110)
    return h5py.File(h5py.h5f.open(bytes(path), h5py.h5f.ACC_RDWR | h5py.h5f.ACC_SWMR_WRITE, access))
