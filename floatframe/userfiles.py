"""Files that a user, or a file of somebody else, names: only regular ones, since a device or pipe may never end."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

_DATA = (".csv", ".txt", ".dat", ".tab", ".tsv", ".asc", ".prn", ".prw", ".prr", ".whl", ".ban")
_noted: ContextVar[set[str] | None] = ContextVar("files that were read", default=None)


@contextmanager
def noting_files() -> Iterator[None]:
    """Note the files that are read inside the block, so that none of them is written over."""
    before = _noted.set(set())
    try:
        yield
    finally:
        _noted.reset(before)


def note_read(path: Path) -> None:
    """Note that a file is an input."""
    noted = _noted.get()
    if noted is not None:
        noted.add(os.path.realpath(path))


def was_read(path: Path) -> bool:
    """Whether a file was noted as an input, be it by a hard link or, where case is one, in other letters."""
    return any(os.path.realpath(path) == noted or _is_one(path, noted) for noted in _noted.get() or ())


def _is_one(path: Path, other: str) -> bool:
    """Whether two names that may exist are those of one file."""
    try:
        return os.path.samefile(path, other)
    except (OSError, ValueError):
        return False


def is_file(path: Path) -> bool:
    """Whether a path is a regular file; one that the system does not even take as a name is none."""
    return os.path.isfile(path)  # Path.is_file raises OSError for a name that is too long


def require_regular(path: Path) -> None:
    """Raise OSError unless a path is a file with content of its own; a folder is left to the one that opens it."""
    try:
        mode = path.stat().st_mode
    except ValueError as error:  # a name with a zero in it
        raise OSError(errno.EINVAL, str(error)) from error
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise OSError(errno.EINVAL, "it is a device or a pipe, expected a regular file")


def file_bytes(path: Path) -> bytes:
    """The content of a regular file."""
    require_regular(path)
    note_read(path)
    return path.read_bytes()


def file_text(path: Path, encoding: str = "utf-8", errors: str = "strict") -> str:
    """The text of a regular file."""
    require_regular(path)
    note_read(path)
    return path.read_text(encoding=encoding, errors=errors)


def line_of_data(path: Path, line: str) -> str:
    """A line for a sentence about a file of numbers; of a file that is not named like one nothing is shown.

    A model of somebody else may name any file of the user, and sentences end in logs and on pages.
    """
    return f"'{line.strip()[:60]}'" if path.suffix.lower() in _DATA else "something else"
