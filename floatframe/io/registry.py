"""Which module reads and writes which file.

Several formats may share a suffix (.h5 holds models, bodies, results; .dat and .inp belong to half the world): reading
asks each for its mark in the content, writing goes by the kind of object.

Our own formats give `read`. Formats of other programs give `load(path, log, **options)`: it returns the model in the
file's own units, reports to the `ImportLog` what it took and skipped, raises `log.error(...)`; conversion to SI, the
look at magnitudes and the report are made here, once for all.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from floatframe.errors import ModelError, ReadError, WriteError
from floatframe.fem import FEModel, FileSource, MatrixModel
from floatframe.io import abaqus, ansys, meshes, nastran, native, results
from floatframe.io.deck import GivenSections, Props, beside, read_props, with_full_rows
from floatframe.io.format import Format, PathLike, in_words
from floatframe.io.import_log import ImportLog, ImportReport
from floatframe.io.units import magnitude_warnings, to_si, unit_system

# the order decides between formats that claim the same file: Abaqus has the better claim to .inp than others, and
# those that go by suffix alone come last
_FORMATS: dict[str, Format] = {
    format.name: format
    for format in (
        *native.FORMATS,
        *results.FORMATS,
        *abaqus.FORMATS,
        *ansys.FORMATS,
        *nastran.FORMATS,
        *native.TEXT_FORMATS,
        *meshes.FORMATS,
    )
}
_PACKED = (".gz", ".zip", ".bz2", ".xz", ".7z", ".tar", ".tgz", ".zst")


def register(format: Format) -> Format:
    """Make a format known to `read` and `write`."""
    _FORMATS[format.name] = format
    return format


def formats() -> tuple[Format, ...]:
    """Return all known formats in the order of registration."""
    return tuple(_FORMATS.values())


@dataclass(frozen=True)
class Imported:
    """What a file holds, in SI units, and the account of how it was read."""

    model: Any
    report: ImportReport


def read(
    path: PathLike,
    units: str | None = None,
    strict: bool = False,
    props: PathLike | None = None,
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
        A file with what it lacks, by default NAME.props.toml beside it (see `props_toml`).
    supports
        Whether to hold what the file holds; supports of the side-car stay.
    drop
        Cards to leave out whose stiffness, mass, support or coupling cannot be read, which otherwise is an error;
        "all" for whatever there is.
    **options
        Those of its format.
    """
    return read_with_report(path, units, strict, props, supports, drop, **options).model


def read_with_report(
    path: PathLike,
    units: str | None = None,
    strict: bool = False,
    props: PathLike | None = None,
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
            raise ReadError(f"'{path}': {format.name} holds all properties; leave out '{props}'.")
        thing = format.read(path)  # type: ignore[misc]  # a format that claims a file reads it
        return Imported(_with_source(thing if supports else _released(thing), path), log.finish())
    side_car = _side_car(path, format, props)
    system = unit_system(_agreed_units(path, units, side_car))
    try:
        given = _given(format, side_car, options)
        model = format.load(path, log, **options, **given)
        if isinstance(model, MatrixModel) and not supports:
            model = _released(model)
        if side_car is not None:
            log.took(side_car.path.name)
            _warn_of_unused(side_car, model, log, given.get("section_tables"))
            model = side_car.added_to(model)
        model = to_si(model, system)
        if isinstance(model, FEModel):
            model = with_full_rows(model, log)
    except (ModelError, ReadError) as error:
        text = f"'{path}': {error}" if isinstance(error, ModelError) else str(error)
        if lost := log.report().refusal:  # the reason may well lie in what was lost before
            text = f"'{path}': {lost} Then the reading stopped: {text}"
        raise ReadError(text) from error
    except OSError as error:
        raise ReadError(f"'{path}' cannot be read: {error.strerror or error}.") from error
    if isinstance(model, FEModel):
        for sentence in magnitude_warnings(model, system):
            log.warn(sentence)
    return Imported(_with_source(model, path), log.finish(strict, refuse))


def _with_source(thing: Any, path: Path) -> Any:
    """Return a model that knows the file it was read from, so that bodies reduced from it can name it."""
    if not isinstance(thing, FEModel | MatrixModel):
        return thing
    with open(path, "rb") as file:
        return thing.with_source(FileSource(path.name, hashlib.file_digest(file, "sha256").hexdigest()))


def _released(thing: Any) -> Any:
    """Return a model without its supports; nothing else has any."""
    if isinstance(thing, MatrixModel) and len(thing.supports):
        held = np.setdiff1d(np.arange(thing.ndof), thing.free_rows())
        if not thing.K.diagonal()[held].all():
            raise ModelError("dofs that it holds have no stiffness in the file; export the matrices without supports.")
    return replace(thing, supports=thing.supports[:0]) if isinstance(thing, FEModel | MatrixModel) else thing


def _side_car(path: Path, format: Format, given: PathLike | None) -> Props | None:
    """Return the side-car of a file: the one given or, where its format takes one, the one beside it."""
    if not {"props", "materials"} & set(format.options):
        if given is not None:
            raise ReadError(f"'{path}': {format.name} does not accept properties from '{given}'.")
        return None
    place = Path(given) if given is not None else beside(path)
    if given is None and not place.is_file():
        return None
    found = read_props(place)
    if found.group and "props" not in format.options:
        raise found.error(f"[group] tables are for bare meshes; '{path.name}' has elements with sections of its own.")
    return found


def _given(format: Format, side_car: Props | None, options: dict[str, Any]) -> dict[str, Any]:
    """Return what the side-car adds to the options of a format: itself, or its materials."""
    if side_car is None:
        return {}
    if "props" in format.options:
        return {"props": side_car}
    given: dict[str, Any] = {}
    if "section_tables" in format.options:
        given["section_tables"] = GivenSections(side_car.section, side_car.error)
    elif side_car.section and "sections" not in format.options:
        raise side_car.error(f"[section] tables are for decks; {format.name} gives sections itself.")
    for name, content, made in (
        ("materials", side_car.material, side_car.materials),
        ("sections", side_car.section if "sections" in format.options else {}, side_car.sections),
    ):
        if content and name in options:
            raise side_car.error(f"{name} are given here and by the option '{name}'; use one of them.")
        if content:
            given[name] = made()
    return given


def _agreed_units(path: Path, units: str | None, side_car: Props | None) -> str:
    declared = None if side_car is None else side_car.units
    if units is None or declared is None:
        return units or declared or "SI"
    if unit_system(units) != unit_system(declared):
        raise ReadError(f"'{path}': units are '{units}' by request and '{declared}' in '{side_car.path}'.")  # type: ignore[union-attr]
    return units


def _warn_of_unused(side_car: Props, model: Any, log: ImportLog, tables: GivenSections | None) -> None:
    for name in tables.tables if tables is not None else ():
        if tables is not None and name not in tables.used:
            log.warn(
                f"section '{name}' of {side_car.path.name} is used by no element: all have sections, or it is unknown."
            )
    if isinstance(model, FEModel):
        used = {material.name for block in model.blocks for material in block.materials}
        for name in side_car.material:
            if not any(other == name or other.startswith(f"{name} with ") for other in used):
                log.warn(f"material '{name}' of {side_car.path.name} is used by no element.")


def format_of(path: PathLike) -> Format:
    """Return the format that reads an existing file."""
    path = Path(path)
    if path.is_dir():
        raise ReadError(f"'{path}' is a folder, not a file.")
    if not path.is_file():
        raise ReadError(f"'{path}': the file does not exist.")
    # formats with this suffix first, so that content is opened no more often than needed
    for candidate in sorted(_FORMATS.values(), key=lambda f: path.suffix.lower() not in f.suffixes):
        if candidate.claims(path):
            return candidate
    suffix = path.suffix.lower()
    if suffix in _PACKED:
        raise ReadError(f"'{path}' is compressed; unpack it first and give the file inside.")
    if expected := [f.name for f in _FORMATS.values() if f.reads and suffix in f.suffixes]:
        raise ReadError(
            f"'{path}': its content is not what '{suffix}' means here ({', '.join(expected)}); "
            "it is empty, damaged, truncated, or of another program."
        )
    known = _known(lambda f: f.reads)
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
    fitting = [f for f in _FORMATS.values() if f.write is not None and isinstance(thing, f.holds)]
    chosen = _writer(path, fitting)
    if chosen is not None and chosen.write is not None:
        chosen.write(path, thing)
        return
    if not fitting:
        known = _known(lambda f: f.write is not None)
        raise WriteError(f"'{path}': {in_words(thing)} cannot be written; known formats: {known}.")
    known = _known(lambda f: f in fitting)
    raise WriteError(f"'{path}': suffix '{path.suffix}' is unknown for {in_words(thing)}; use one of: {known}.")


def _writer(path: Path, fitting: list[Format]) -> Format | None:
    return next((format for format in fitting if path.suffix.lower() in format.suffixes), None)


def renamed_sets(path: PathLike, thing: Any) -> dict[str, str]:
    """Return the sets that `write` has to call by another name in this file: e.g. "node set 'line 1'" -> "line_1"."""
    fitting = [f for f in _FORMATS.values() if f.write is not None and isinstance(thing, f.holds)]
    format = _writer(Path(path), fitting)
    names = {} if format is None or format.set_names is None else format.set_names(thing)
    return {f"{kind} set '{old}'": new for (kind, old), new in names.items() if new != old}


def _known(fits: Callable[[Format], bool]) -> str:
    """Return e.g. "floatframe-fe (.h5, .hdf5), input.fum (.fum)"."""
    return ", ".join(f"{f.name} ({', '.join(f.suffixes)})" for f in _FORMATS.values() if fits(f)) or "none"
