"""What we take from an HDF5 file that somebody else may have made.

HDF5 lets a file name others whose content then appears as its own, and lets a few bytes stand for terabytes. So links,
virtual arrays and arrays that lie in other files are refused, and the size of an array is compared with that of the
file before anything is read.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import h5py

_LARGEST_RATIO = 1100  # of deflate, which reaches 1032
_LARGEST_ATTRIBUTE = 1 << 16  # bytes
_MOST_PARTS = 100_000
_SMALL = 1 << 20  # bytes that are read without a question
_LARGEST_CHUNK = 16 << 20  # bytes; a chunk is unpacked as a whole, however little of it is in the array
_FILTERS = {h5py.h5z.FILTER_DEFLATE, h5py.h5z.FILTER_SHUFFLE, h5py.h5z.FILTER_FLETCHER32}


def member(group: h5py.Group, name: str) -> Any:
    """Return a group or an array of a file by its path; ValueError if it is not in the file itself."""
    for part in name.strip("/").split("/"):
        if not isinstance(group, h5py.Group):
            raise KeyError(f"'{part}' does not exist")
        link = group.get(part, getlink=True)
        if link is None:
            raise KeyError(f"'{part}' does not exist")
        if not isinstance(link, h5py.HardLink):
            raise ValueError("it is a link to another place, which is not followed")
        group = group[part]
    return group


def require_own(group: h5py.Group) -> None:
    """Refuse a file of which any part lies elsewhere or is larger than it can be; ValueError names the part."""
    seen: set[Any] = set()
    waiting = [group]
    while waiting:
        place = waiting.pop()
        for name in place:
            found = member(place, name)
            key = h5py.h5o.get_info(found.id).addr
            if key in seen:
                continue
            seen.add(key)
            if len(seen) > _MOST_PARTS:
                raise ValueError(f"it has more than {_MOST_PARTS} parts")
            if isinstance(found, h5py.Group):
                waiting.append(found)
            elif isinstance(found, h5py.Dataset):
                _require_size(found)


def require_own_hdf5(path: Path) -> None:
    """Refuse an HDF5 file with parts that lie elsewhere or are larger than it can be; other files pass."""
    if h5py.is_hdf5(path):
        with h5py.File(path, "r") as file:
            require_own(file)


def array_in(group: h5py.Group, name: str) -> h5py.Dataset:
    """Return an array of a file by its path, sound enough to be read."""
    found = member(group, name)
    if not isinstance(found, h5py.Dataset):
        raise ValueError("it is not an array")
    if found.dtype.kind not in "fiubS":
        raise ValueError(f"it holds {found.dtype}, expected numbers or text of fixed length")
    _require_size(found)
    return found


def _require_size(found: h5py.Dataset) -> None:
    if found.is_virtual or found.external:
        raise ValueError("its data lie in other files, which are not read")
    plan = found.id.get_create_plist()
    filters = [plan.get_filter(k)[0] for k in range(plan.get_nfilters())]
    if len(set(filters)) < len(filters) or not set(filters) <= _FILTERS:
        raise ValueError("it is packed in a way that floatframe does not use")
    stored, length = found.id.get_storage_size(), found.file.id.get_filesize()
    most = min(stored, length) * (_LARGEST_RATIO if filters else 1)
    if stored > length or found.nbytes > max(most, _SMALL):
        raise ValueError(f"it would have {found.nbytes} bytes, more than a file of {length} bytes can hold")
    if found.chunks and (chunk := math.prod(found.chunks) * found.dtype.itemsize) > max(found.nbytes, _LARGEST_CHUNK):
        raise ValueError(f"it is kept in pieces of {chunk} bytes, more than the {found.nbytes} bytes it has")


def attribute(group: h5py.Group, name: str) -> Any:
    """Return a number or a text of a group; ValueError if it is something else."""
    if name not in group.attrs:
        raise KeyError("it does not exist")
    found = group.attrs.get_id(name)
    if found.dtype.kind not in "fiubS" or found.shape != () or found.get_storage_size() > _LARGEST_ATTRIBUTE:
        raise ValueError("it is not a number or a text of fixed length")
    return group.attrs[name]
