"""What our HDF5 formats share: a mark with version, checked arrays, tables of records.

Arrays carry a Fletcher checksum and the file's own structure is checksummed too (HDF5 1.10 layout), so damage is
noticed on reading. Text has fixed length, because HDF5 keeps variable-length text in a heap without checksums.
Nothing in a file is ever executed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from floatframe.arrays import AnyArray
from floatframe.errors import ReadError, WriteError
from floatframe.io.atomic import complete_file
from floatframe.io.native._guard import array_in, attribute, member
from floatframe.io.native._sink import sound_hdf5
from floatframe.version import __version__

_SIGNATURE = b"\x89HDF\r\n\x1a\n"


def has_mark(path: Path, name: str) -> bool:
    """Whether a file is HDF5 and carries the mark of the format `name`."""
    return mark_of(path) == name


def mark_of(path: Path) -> str | None:
    """The mark of an HDF5 file, None if it is not one of ours."""
    try:
        with open(path, "rb") as file:
            if file.read(len(_SIGNATURE)) != _SIGNATURE:
                return None
        with h5py.File(path, "r") as file:
            return _text(attribute(file, "format"))
    except (KeyError, OSError, RuntimeError, TypeError, ValueError):
        return None


@contextmanager
def writing(path: Path, name: str, version: int) -> Iterator[h5py.File]:
    """Open a new file with its mark; it appears under its name only when everything is written."""
    with complete_file(path) as temporary, sound_hdf5(temporary) as file:
        put_text(file, "format", name)
        put_text(file, "generator", f"floatframe {__version__}")
        put_text(file, "units", "SI")
        file.attrs["version"] = version
        yield file


@contextmanager
def reading(path: Path, name: str, version: int) -> Iterator[Fields]:
    """Open a file of the format `name` up to `version`."""
    try:
        file = h5py.File(path, "r")
    except (OSError, RuntimeError, ValueError) as error:
        raise ReadError(f"'{path}' is not a readable HDF5 file: {_first_line(error)}.") from error
    with file:
        top = Fields(path, file)
        if (mark := top.text("format")) != name:
            raise ReadError(f"'{path}': format is '{mark}', expected '{name}'.")
        if not 1 <= (found := top.integer("version")) <= version:
            raise ReadError(
                f"'{path}': version {found} of format '{name}' is unknown, this program reads up to {version}; "
                "use a newer floatframe."
            )
        yield top


def put_text(group: h5py.Group, name: str, text: str) -> None:
    """Write a text attribute."""
    group.attrs[name] = _encoded(group, name, [text])[0]


def put(group: h5py.Group, name: str, values: AnyArray) -> None:
    """Write an array of numbers, compressed and with checksums."""
    if values.dtype.kind not in "fiub":
        raise WriteError(f"field '{group.name}/{name}' holds {values.dtype}; only numbers can be written.")
    _put_checked(group, name, values)


def _put_checked(group: h5py.Group, name: str, values: AnyArray) -> None:
    if values.size:
        group.create_dataset(name, data=values, compression="gzip", compression_opts=1, shuffle=True, fletcher32=True)
    else:
        group.create_dataset(name, data=values)  # HDF5 has no chunks, hence no filters, for empty arrays


@dataclass(frozen=True)
class Fields:
    """A group of a file being read; every complaint names the file and the field."""

    path: Path
    group: h5py.Group

    def complaint(self, name: str, what: str) -> ReadError:
        where = f"{self.group.name.strip('/')}/{name}".strip("/")
        return ReadError(f"'{self.path}': field '{where}' {what}.")

    def __contains__(self, name: str) -> bool:
        return name in self.group

    def child(self, name: str) -> Fields:
        try:
            group = member(self.group, name)
        except (KeyError, OSError, RuntimeError, TypeError, ValueError) as error:
            raise self.complaint(name, f"is missing or damaged ({_first_line(error)})") from error
        if not isinstance(group, h5py.Group):
            raise self.complaint(name, "is not a group")
        return Fields(self.path, group)

    def children(self, name: str) -> list[Fields]:
        """Return the numbered groups 0, 1, ... inside the group `name`."""
        parent = self.child(name)
        count = parent.integer("count")
        if len(parent.group) != count:
            raise self.complaint(name, f"holds {len(parent.group)} entries, expected {count}")
        return [parent.child(str(k)) for k in range(count)]

    def names(self) -> list[str]:
        return list(self.group)

    def text(self, name: str) -> str:
        value = _text(self._attribute(name))
        if value is None:
            raise self.complaint(name, "is not text")
        return value

    def integer(self, name: str) -> int:
        value = self._attribute(name)
        if not isinstance(value, int | np.integer):
            raise self.complaint(name, "is not a whole number")
        return int(value)

    def array(self, name: str, kind: str, shape: Sequence[int | None]) -> AnyArray:
        """Return an array whose dtype kind is among the letters `kind` and whose shape fits (None: any length)."""
        values = self.any_array(name)
        if values.dtype.kind not in kind:
            raise self.complaint(name, f"has type {values.dtype}, expected kind '{kind}'")
        if len(values.shape) != len(shape) or any(w not in (None, n) for n, w in zip(values.shape, shape, strict=True)):
            wanted = ", ".join("any" if w is None else str(w) for w in shape)
            raise self.complaint(name, f"has shape {values.shape}, expected ({wanted})")
        return values

    def any_array(self, name: str) -> AnyArray:
        """Return an array of numbers of whatever shape."""
        values = self._dataset(name)
        if values.dtype.kind not in "fiub":
            raise self.complaint(name, f"has type {values.dtype}, expected numbers")
        return values

    def texts(self, name: str, count: int) -> list[str]:
        """Return a list of strings."""
        values = self._dataset(name)
        if values.shape != (count,):
            raise self.complaint(name, f"has shape {values.shape}, expected ({count})")
        texts = [_text(value) for value in values]
        if None in texts:
            raise self.complaint(name, "is not text")
        return [text for text in texts if text is not None]

    def _attribute(self, name: str) -> Any:
        try:
            return attribute(self.group, name)
        except (KeyError, OSError, RuntimeError, ValueError, TypeError) as error:
            raise self.complaint(name, f"is missing or damaged ({_first_line(error)})") from error

    def _dataset(self, name: str) -> AnyArray:
        try:
            return np.asarray(array_in(self.group, name)[...])
        except (KeyError, OSError, RuntimeError, ValueError, TypeError, MemoryError, OverflowError) as error:
            raise self.complaint(name, f"is missing or damaged ({_first_line(error)})") from error


@dataclass(frozen=True)
class Column:
    """One column of a table of records: 'f' real, 'i' whole, 'b' yes or no, 't' text; shape of one entry.

    A ragged column has a sequence of such entries in every row.
    """

    kind: str
    shape: tuple[int, ...] = ()
    ragged: bool = False


_DTYPES = {"f": np.float64, "i": np.int64, "b": np.bool_}


def put_table(group: h5py.Group, columns: Mapping[str, Column], rows: Sequence[Mapping[str, Any]]) -> None:
    """Write records as one array per column; ragged columns end to end with their lengths beside them."""
    group.attrs["count"] = len(rows)
    for name, column in columns.items():
        entries = [row[name] for row in rows]
        if column.kind == "t":
            _put_checked(group, name, _encoded(group, name, entries))
            continue
        if column.ragged:
            put(group, f"{name}_length", np.array([len(entry) for entry in entries], dtype=np.int64))
            entries = [item for entry in entries for item in entry]
        put(group, name, np.array(entries, dtype=_DTYPES[column.kind]).reshape(len(entries), *column.shape))


def take_table(fields: Fields, columns: Mapping[str, Column]) -> list[dict[str, Any]]:
    """Return the records written by `put_table`; arrays come back as nested tuples."""
    count = fields.integer("count")
    table: dict[str, Sequence[Any]] = {}
    for name, column in columns.items():
        if column.kind == "t":
            table[name] = fields.texts(name, count)
        elif not column.ragged:
            table[name] = _tuples(fields.array(name, column.kind, (count, *column.shape)))
        else:
            length = fields.array(f"{name}_length", "i", (count,))
            if (length < 0).any():
                raise fields.complaint(f"{name}_length", "holds a negative number")
            flat = _tuples(fields.array(name, column.kind, (int(length.sum()), *column.shape)))
            stop = np.cumsum(length).tolist()
            table[name] = [flat[end - n : end] for end, n in zip(stop, length.tolist(), strict=True)]
    return [{name: entries[k] for name, entries in table.items()} for k in range(count)]


def _tuples(values: AnyArray) -> tuple[Any, ...]:
    def frozen(item: Any) -> Any:
        return tuple(frozen(part) for part in item) if isinstance(item, list) else item

    return tuple(frozen(item) for item in values.tolist())


def _encoded(group: h5py.Group, name: str, texts: Sequence[str]) -> AnyArray:
    """Return texts as fixed-length bytes (n,)."""
    if not all(isinstance(text, str) for text in texts):
        raise WriteError(f"field '{group.name}/{name}' holds something that is not text.")
    return np.array([text.encode() for text in texts] or np.empty(0, "S1"), dtype=np.bytes_)


def _text(value: Any) -> str | None:
    try:
        return value.decode() if isinstance(value, bytes) else None
    except UnicodeDecodeError:
        return None


def _first_line(error: BaseException) -> str:
    return (str(error).strip("'\"").splitlines() or [type(error).__name__])[0]
