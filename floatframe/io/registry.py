"""Which module reads and writes which file.

Several formats may share a suffix (.h5 holds models, bodies, results; .dat and .inp belong to half the world): reading
asks each for its mark in the content, writing goes by the kind of object.

Our own formats give `read`. Formats of other programs give `load(path, log, **options)`: it returns the model in the
file's own units, reports to the `ImportLog` what it took and skipped, raises `log.error(...)`; conversion to SI and
the look at magnitudes are made in `foreign`, once for all.
"""

from __future__ import annotations

import hashlib
import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from floatframe.errors import ReadError, WriteError
from floatframe.fem import FileSource, NodalModel
from floatframe.io import native, results
from floatframe.io.format import Format, PathLike, in_words
from floatframe.io.import_log import ImportLog, ImportReport
from floatframe.io.units import unit_system
from floatframe.listening import listening
from floatframe.userfiles import is_file, note_read

if TYPE_CHECKING:
    from floatframe.io.deck import Props

_PACKED = (".gz", ".zip", ".bz2", ".xz", ".7z", ".tar", ".tgz", ".zst")


@cache
def _known() -> dict[str, Format]:
    """All formats by name; those of other programs take long to load.

    The order decides between formats that claim the same file: Abaqus has the better claim to .inp than others, and
    those that go by suffix alone come last.
    """
    from floatframe.io import abaqus, ansys, meshes, nastran

    own, decks = (
        (native.formats_of(), results.formats_of(), (_mesh_files(),)),
        (abaqus.FORMATS, ansys.FORMATS, nastran.FORMATS),
    )
    return {format.name: format for format in chain(*own, *decks, native.text_formats(), meshes.FORMATS)}


@cache
def _mesh_files() -> Format:
    from floatframe.io.mesh_file import mesh_file_format

    return mesh_file_format(read)


def _candidates(suffix: str) -> Iterator[Format]:
    """Formats of a suffix, our own first, then all others: files of ours are found without loading those."""
    yield from chain(results.formats_of(suffix), native.formats_of(suffix))
    if suffix == ".toml":
        yield _mesh_files()
    yield from sorted(_known().values(), key=lambda format: suffix not in format.suffixes)


def register(format: Format) -> Format:
    """Make a format known to `read` and `write`."""
    _known()[format.name] = format
    return format


def formats() -> tuple[Format, ...]:
    """Return all known formats in the order of registration."""
    return tuple(_known().values())


@dataclass(frozen=True)
class Imported:
    """What a file holds, in SI units, and the account of how it was read."""

    model: Any
    report: ImportReport


def read(
    path: PathLike,
    units: str | None = None,
    strict: bool = False,
    props: PathLike | Props | None = None,
    supports: bool = True,
    drop: str | Iterable[str] = (),
    **options: Any,
) -> Any:
    """Return what a file holds; the format is found by suffix and content.

    Parameters
    ----------
    path
        The file.
    units
        The system a foreign file is written in ("mm-t-s", "in-lbf-s", …; see `UNIT_SYSTEMS`), converted to SI.
    strict
        Refuse a foreign file of which something physical would be ignored.
    props
        A file with what it lacks, by default NAME.props.toml beside it (see `props_toml`), or its content.
    supports
        Whether to hold what the file holds; supports of the side-car stay.
    drop
        Cards to leave out whose stiffness, mass, support or coupling cannot be read, which otherwise is an error;
        "all" for whatever there is.
    **options
        Those of its format.
    """
    imported = read_with_report(path, units, strict, props, supports, drop, **options)
    if not imported.report.read:  # a file of our own, of which nobody asks for the account
        for sentence in imported.report.warnings:
            warnings.warn(sentence, stacklevel=2)
    return imported.model


def read_with_report(
    path: PathLike,
    units: str | None = None,
    strict: bool = False,
    props: PathLike | Props | None = None,
    supports: bool = True,
    drop: str | Iterable[str] = (),
    refuse: bool = True,
    **options: Any,
) -> Imported:
    """Return what `read` returns together with what was read, what was ignored and why.

    refuse: whether something lost without being dropped by name is an error; else only the report says so.
    """
    path = Path(path)
    format = format_of(path)
    # runs and sweeps, all of them HDF5, are read to be continued, too
    if ".h5" not in format.suffixes or format not in results.formats_of():
        note_read(path)
    unit_system(units or "SI")
    own = {"props", "section_tables"}  # given by the side-car, not by options
    foreign = sorted(set(options) - (set(format.options) - own))
    if foreign:
        known = ", ".join(name for name in format.options if name not in own) or "none"
        raise ReadError(f"'{path}': {format.name} has no option '{foreign[0]}'; its options: {known}.")
    log = ImportLog(path, format.name, supports, drop)
    if format.load is None:
        if (units or "SI").upper() != "SI":
            raise ReadError(f"'{path}': {format.name} is always in SI units; leave out units '{units}'.")
        if props is not None:
            given = f"'{props}'" if isinstance(props, str | Path) else "material and thickness"
            raise ReadError(f"'{path}': {format.name} holds all properties; leave out {given}.")
        with listening() as said:
            thing = format.read(path, **options)  # type: ignore[misc]  # a format that claims a file reads it
        for sentence in said:
            log.warn(sentence)
        return Imported(_with_source(thing if supports else _released(thing), path), log.finish())
    from floatframe.io.foreign import load  # with all elements, which our own files may do without

    model = load(path, format, log, units, props, options)
    return Imported(_with_source(model, path), log.finish(strict, refuse))


def _with_source(thing: Any, path: Path) -> Any:
    """Return a model that knows the file it was read from, so that bodies reduced from it can name it."""
    if not isinstance(thing, NodalModel):
        return thing
    with open(path, "rb") as file:
        return thing.with_source(FileSource(path.name, hashlib.file_digest(file, "sha256").hexdigest()))


def _released(thing: Any) -> Any:
    """Return a model without its supports; nothing else has any."""
    return thing.without_supports() if isinstance(thing, NodalModel) else thing


def format_of(path: PathLike) -> Format:
    """Return the format that reads an existing file."""
    path = Path(path)
    if os.path.isdir(path):
        raise ReadError(f"'{path}' is a folder, not a file.")
    if not is_file(path):
        raise ReadError(f"'{path}': the file does not exist.")
    suffix = path.suffix.lower()
    for candidate in _candidates(suffix):
        if candidate.claims(path):
            return candidate
    if suffix in _PACKED:
        raise ReadError(f"'{path}' is compressed; unpack it first and give the file inside.")
    if expected := [f.name for f in formats() if f.reads and suffix in f.suffixes]:
        raise ReadError(
            f"'{path}': its content is not what '{suffix}' means here ({', '.join(expected)}); "
            "it is empty, damaged, truncated, or of another program."
        )
    known = _listed(lambda f: f.reads)
    raise ReadError(f"'{path}': its format is unknown; known formats: {known}.")


def write(path: PathLike, thing: Any) -> None:
    """Write an object into a file; the format is found by suffix and kind of object.

    The file appears only when it is complete: a failure leaves an older file of that name untouched.

    Parameters
    ----------
    path
        The file; its suffix names the format.
    thing
        A model, reduced body, modes or other object of a known format.
    """
    path = Path(path)
    chosen = _writer(path, thing)
    if chosen is not None and chosen.write is not None:
        chosen.write(path, thing)
        return
    fitting = [format for format in formats() if format.writes(thing)]
    if not fitting:
        known = _listed(lambda f: f.write is not None)
        raise WriteError(f"'{path}': {in_words(thing)} cannot be written; known formats: {known}.")
    known = _listed(lambda f: f in fitting)
    raise WriteError(f"'{path}': suffix '{path.suffix}' is unknown for {in_words(thing)}; use one of: {known}.")


def _writer(path: Path, thing: Any) -> Format | None:
    suffix = path.suffix.lower()
    return next((f for f in _candidates(suffix) if suffix in f.suffixes and f.writes(thing)), None)


def renamed_sets(path: PathLike, thing: Any) -> dict[str, str]:
    """Return the sets that `write` has to call by another name in this file: e.g. "node set 'line 1'" -> "line_1"."""
    format = _writer(Path(path), thing)
    names = {} if format is None or format.set_names is None else format.set_names(thing)
    return {f"{kind} set '{old}'": new for (kind, old), new in names.items() if new != old}


def _listed(fits: Callable[[Format], bool]) -> str:
    """Return e.g. "floatframe-fe (.h5, .hdf5), input.fum (.fum)"."""
    return ", ".join(f"{f.name} ({', '.join(f.suffixes)})" for f in formats() if fits(f)) or "none"
