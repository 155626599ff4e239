"""Models of other programs: what a reader takes from a file, completed by its side-car, in SI units."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from floatframe.errors import ModelError, ReadError
from floatframe.fem import FEModel, MatrixModel
from floatframe.io.conversion import magnitude_warnings, to_si
from floatframe.io.deck import GivenSections, Props, beside, read_props, with_full_rows
from floatframe.io.format import Format, PathLike
from floatframe.io.import_log import ImportLog
from floatframe.io.units import unit_system

_PLACE = re.compile(r"'([^']+)', line \d+: ")  # how sentences about decks begin
_PARTS = (".inc", ".txt", ".csv")  # of decks, besides their own suffixes


def load(
    path: Path,
    format: Format,
    log: ImportLog,
    units: str | None,
    props: PathLike | Props | None,
    options: dict[str, Any],
) -> Any:
    """Return what a file of another program holds, in SI units; the log says what was taken and left out."""
    side_car = _side_car(path, format, props)
    system = unit_system(_agreed_units(path, units, side_car))
    try:
        given = _given(format, side_car, options)
        model = format.load(path, log, **options, **given)  # type: ignore[misc]  # foreign formats have it
        if isinstance(model, MatrixModel) and not log.supports:
            model = model.without_supports()
        if side_car is not None:
            if side_car is not props:
                log.took(side_car.path.name)
            _warn_of_unused(side_car, model, log, given.get("section_tables"))
            model = side_car.added_to(model)
        model = to_si(model, system)
        if isinstance(model, FEModel):
            model = with_full_rows(model, log)
    except (ModelError, ReadError) as error:
        text = f"'{path}': {error}" if isinstance(error, ModelError) else _own_text(str(error), path, format)
        if lost := log.report().refusal:  # the reason may well lie in what was lost before
            text = f"'{path}': {lost} Then the reading stopped: {text}"
        raise ReadError(text) from error
    except OSError as error:
        raise ReadError(f"'{path}' cannot be read: {error.strerror or error}.") from error
    if isinstance(model, FEModel):
        for sentence in magnitude_warnings(model, system):
            log.warn(sentence)
    return model


def _own_text(text: str, path: Path, format: Format) -> str:
    """Return a sentence without what stands in a file that does not belong to a deck, though the deck includes it.

    A deck of somebody else may name any file of the user, and sentences end in logs and on pages.
    """
    place = _PLACE.match(text)
    if place is None or Path(place[1]).suffix.lower() in (*format.suffixes, *_PARTS):
        return text
    if Path(place[1]).resolve().is_relative_to(path.resolve().parent):
        return text
    return (
        f"{place[0]}this does not belong into a deck. The text is not shown, since the file lies in another folder "
        f"than '{path.name}' and is not named like a deck."
    )


def _side_car(path: Path, format: Format, given: PathLike | Props | None) -> Props | None:
    """Return the side-car of a file: the one given or, where its format takes one, the one beside it."""
    if isinstance(given, Props):
        place = beside(path)
        has = f"{format.name} has" if "props" not in format.options else f"'{place.name}' gives"
        if "props" not in format.options or place.is_file():
            raise ReadError(f"'{path}': {has} its properties; leave out material and thickness.")
        return given
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
