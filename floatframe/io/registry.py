"""Which module reads and writes which file.

Several formats may share a suffix (.h5 holds models, bodies, results): reading asks each for its mark in the content,
writing goes by the kind of object.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from floatframe.errors import ReadError, WriteError

PathLike = str | os.PathLike[str]


@dataclass(frozen=True)
class Format:
    """One file format: what it is called, which suffixes and objects it has, and how it is read and written.

    `recognises` looks at the content of an existing file; without it the suffix alone decides.
    """

    name: str
    suffixes: tuple[str, ...]
    holds: type | tuple[type, ...]
    read: Callable[[Path], Any] | None = None
    write: Callable[[Path, Any], None] | None = None
    recognises: Callable[[Path], bool] | None = None

    def claims(self, path: Path) -> bool:
        """Whether this format reads the file, judged by its content or, failing that, by its suffix."""
        if self.read is None:
            return False
        return self.recognises(path) if self.recognises else path.suffix.lower() in self.suffixes


_FORMATS: dict[str, Format] = {}


def register(format: Format) -> Format:
    """Make a format known to `read` and `write`."""
    _FORMATS[format.name] = format
    return format


def formats() -> tuple[Format, ...]:
    """Return all known formats in the order of registration."""
    return tuple(_FORMATS.values())


def read(path: PathLike) -> Any:
    """Return what a file holds; the format is found by suffix and content."""
    path = Path(path)
    if path.is_dir():
        raise ReadError(f"'{path}' is a folder, not a file.")
    if not path.is_file():
        raise ReadError(f"'{path}': there is no such file.")
    # formats with this suffix first, so that content is opened no more often than needed
    for candidate in sorted(_FORMATS.values(), key=lambda f: path.suffix.lower() not in f.suffixes):
        if candidate.claims(path) and candidate.read is not None:
            return candidate.read(path)
    known = _known(lambda f: f.read is not None)
    raise ReadError(f"'{path}': its content is of no format known here; known formats: {known}.")


def write(path: PathLike, thing: Any) -> None:
    """Write an object into a file; the format is found by suffix and kind of object.

    The file appears only when it is complete: a failure leaves an older file of that name untouched.
    """
    path = Path(path)
    fitting = [f for f in _FORMATS.values() if f.write is not None and isinstance(thing, f.holds)]
    for candidate in fitting:
        if path.suffix.lower() in candidate.suffixes and candidate.write is not None:
            candidate.write(path, thing)
            return
    kind = type(thing).__name__
    if not fitting:
        known = _known(lambda f: f.write is not None)
        raise WriteError(f"'{path}': a {kind} cannot be written; known formats: {known}.")
    known = _known(lambda f: f in fitting)
    raise WriteError(f"'{path}': suffix '{path.suffix}' is unknown for a {kind}; use one of: {known}.")


def _known(fits: Callable[[Format], bool]) -> str:
    """Return e.g. "floatframe-fe (.h5, .hdf5), input.fum (.fum)"."""
    return ", ".join(f"{f.name} ({', '.join(f.suffixes)})" for f in _FORMATS.values() if fits(f)) or "none"
