"""What a file format is: its name, suffixes and objects, and the functions that read and write it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

PathLike = str | os.PathLike[str]
HDF5 = (".h5", ".hdf5")

# class of what a file holds -> what errors call it
_IN_WORDS = {
    "FEModel": "a finite element model",
    "MatrixModel": "a model given by its matrices",
    "NodalModes": "modes",
    "ReducedBody": "a reduced body",
    "ResultFile": "the results of a simulation",
    "Results": "the results of a simulation",
    "SweepResult": "the results of a sweep",
    "System": "the model of a machine",
}


def in_words(thing: Any) -> str:
    """Return what an engineer calls a thing that a file can hold: "a reduced body" of a ReducedBody."""
    name = type(thing).__name__
    return _IN_WORDS.get(name, f"a {name}")


@dataclass(frozen=True)
class Format:
    """One file format: what it is called, which suffixes and objects it has, and how it is read and written.

    `recognises` looks at the content of an existing file; without it the suffix alone decides. `load` is for imports
    from other programs; `options` names what both take beside the path; `set_names` says how sets are called in
    a file where not every name is allowed.
    """

    name: str
    suffixes: tuple[str, ...]
    holds: type | tuple[type, ...]
    read: Callable[..., Any] | None = None
    write: Callable[[Path, Any], None] | None = None
    recognises: Callable[[Path], bool] | None = None
    load: Callable[..., Any] | None = None
    options: tuple[str, ...] = ()
    set_names: Callable[[Any], Mapping[tuple[str, str], str]] | None = None

    @property
    def reads(self) -> bool:
        """Whether files of this format can be read."""
        return self.read is not None or self.load is not None

    def writes(self, thing: Any) -> bool:
        """Whether a thing can be written in this format."""
        return self.write is not None and isinstance(thing, self.holds)

    def claims(self, path: Path) -> bool:
        """Whether this format reads the file, judged by its content or, failing that, by its suffix."""
        if not self.reads:
            return False
        return self.recognises(path) if self.recognises else path.suffix.lower() in self.suffixes


def late_formats(room: str, modules: Mapping[str, tuple[str, ...]], suffix: str | None) -> Iterator[Format]:
    """Yield the formats of a room with a suffix, all without one; modules (name -> suffixes) load one by one."""
    for module, suffixes in modules.items():
        if suffix is None or suffix in suffixes:
            yield import_module(f"{room}.{module}").FORMAT
