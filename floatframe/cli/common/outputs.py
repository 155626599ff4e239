"""What a command may write over, by one rule for all commands: never a file that it reads, and a file of another kind
only with --force.

An output is a path whose option has a callback marked by `output`; every other path of a command is read, and so are
the files that a model names, which are noted as they are read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, get_args

import typer

from floatframe.userfiles import noting_files

Check = TypeVar("Check", bound=Callable[..., Any])
_HDF5 = (".h5", ".hdf5")
_START = 1024  # bytes that show what a file is
# how files of a suffix begin; those without are text
_SIGNATURES = {
    ".png": (b"\x89PNG",),
    ".gif": (b"GIF8",),
    ".pdf": (b"%PDF",),
    ".mp4": (b"",),  # the mark stands further behind, where other programs put other things
    ".fum": (b"",),
    ".glb": (b"glTF",),
    ".npz": (b"PK",),
    ".mat": (b"MATLAB",),
    **dict.fromkeys((".html", ".htm", ".svg"), (b"<",)),
}


def output(check: Check, *marks: str) -> Check:
    """Mark the callback of an option as that of a file to be written; marks: HDF5 formats that the command writes."""
    check.marks = marks  # type: ignore[attr-defined]
    return check


def outputs_of(annotations: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """The parameters of a command that are files to be written, with the HDF5 formats that may be in them."""
    found = {}
    for name, annotation in annotations.items():
        for info in get_args(annotation)[1:]:
            marks = getattr(getattr(info, "callback", None), "marks", None)
            if marks is not None:
                found[name] = marks
    return found


@contextmanager
def require_outputs(values: Mapping[str, Any], outputs: Mapping[str, tuple[str, ...]], force: bool) -> Iterator[None]:
    """Refuse outputs that are read by the same command, or hold something else; with --force the latter are replaced.

    They stay where they are until the new file is complete.
    """
    paths = _written_over(values, outputs, force)
    with noting_files():
        if not paths:
            yield
            return
        from floatframe.io import writing_over

        with writing_over(paths):
            yield


def _written_over(values: Mapping[str, Any], outputs: Mapping[str, tuple[str, ...]], force: bool) -> list[Path]:
    """The outputs of another kind that --force writes over."""
    found = []
    _require_different(path for name in outputs for path in _paths(values.get(name)))
    read = [path for name, value in values.items() if name not in outputs for path in _paths(value)]
    for name, marks in outputs.items():
        for path in _paths(values.get(name)):
            if not path.exists():
                continue
            if any(other.exists() and path.samefile(other) for other in read):
                raise typer.BadParameter(f"'{path}' is the input file; choose another name, or the original is lost")
            other = _other_kind(path, marks)
            if other and not force:
                raise typer.BadParameter(
                    f"'{path}' exists and is {other}; choose another name, or write over it with --force"
                )
            if other:
                found.append(path)
    return found


def _require_different(paths: Iterator[Path]) -> None:
    """Refuse one name for two outputs of a command, of which the first would be lost."""
    seen = set()
    for path in paths:
        if (place := path.resolve()) in seen:
            raise typer.BadParameter(f"'{path}' is the name of two outputs; choose another name for one of them")
        seen.add(place)


def _paths(value: Any) -> Iterator[Path]:
    """The files in the value of an option: a path, and that of NAME=FILE."""
    if isinstance(value, Path):
        yield value
    elif isinstance(value, str):
        _, equal, name = value.rpartition("=")
        if equal and os.path.isfile(name):  # unlike Path.is_file it takes any text
            yield Path(name)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _paths(one)


def _other_kind(path: Path, marks: tuple[str, ...]) -> str:
    """What a file is that a command would not write, in words; "" if it is of the kind that it writes."""
    if not path.is_file():
        return ""  # what cannot be written is refused where it is written
    with open(path, "rb") as file:
        start = file.read(_START)
    suffix = path.suffix.lower()
    if not start:
        return ""
    if suffix in _HDF5:
        from floatframe.io import is_result_file, mark_of

        found = "floatframe-results" if is_result_file(path) else mark_of(path)
        if found is None:
            return "not a file of floatframe"
        return "" if found in marks else f"a file of the format {found}"
    expected = _SIGNATURES.get(suffix)
    if expected is None:
        return "not a text file" if b"\0" in start else ""
    return "" if start.lstrip().startswith(expected) else f"not a {suffix} file"
