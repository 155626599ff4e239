"""The table [track] of a model that is written: as it stood in its file, or made of a track of Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from floatframe.errors import WriteError
from floatframe.hybrid.modelfile.track import TrackOfModel
from floatframe.railway import (
    CLASSES,
    Curve,
    Fault,
    Kilometres,
    Measured,
    Profile,
    Spectrum,
    Straight,
    Transition,
)

_TYPES = {Straight: "straight", Transition: "transition", Curve: "curve", Fault: "fault"}
_OWN = ("start", "gauge", "rail_distance", "cant_about", "rounding", "inclination", "step")
_RANDOM = ("wavelengths", "seed", "scale", "start", "end", "fade")
#: a file as the text will name it
Named = Callable[[Path], str]


def track_table(track: Any, named: Named) -> dict[str, Any]:
    """Return what stands in [track]; lists of tables are its [[track.section]] and others."""
    if isinstance(track, TrackOfModel):
        return _moved(track.table, track.folder, named)
    if isinstance(track.rail, Profile):
        raise WriteError(f"{track.name}: a model file cannot hold the drawn profile of its rails; name a file of it")
    rail = Path(track.rail)
    table: dict[str, Any] = {"rail": named(rail) if rail.is_file() else str(track.rail)}
    table |= {name: getattr(track, name) for name in _OWN if getattr(track, name) is not None}
    table["section"] = [{"type": _TYPES[type(one)], **_fields(one)} for one in track.sections]
    table["gradient"] = [_fields(one) for one in track.gradients]
    table["kilometres"] = None if track.kilometres is None else _kilometres(track.kilometres)
    table["irregularity"] = [row for one in track.irregularities for row in _irregularity(one)]
    return {key: value for key, value in table.items() if value is not None and value != []}


def _moved(value: Any, folder: Path, named: Named, key: str = "") -> Any:
    """Return a table of a file with the files it names as another text will name them."""
    if isinstance(value, Mapping):
        return {inner: _moved(one, folder, named, inner) for inner, one in value.items()}
    if isinstance(value, list):
        return [_moved(one, folder, named) for one in value]
    if key in ("file", "kilometres", "rail") and isinstance(value, str) and (folder / value).is_file():
        return named(folder / value)
    return value


def _fields(one: Any) -> dict[str, Any]:
    return {field.name: getattr(one, field.name) for field in fields(one) if getattr(one, field.name) is not None}


def _kilometres(table: Kilometres) -> dict[str, Any]:
    columns = {name: np.asarray(getattr(table, name)) for name in ("s", "curvature", "cant", "widening", "gradient")}
    return {**columns, "shape": table.shape}


def _irregularity(one: Any) -> list[dict[str, Any]]:
    """Return one irregularity as tables of a file."""
    if isinstance(one, Fault):
        return [{"type": "fault", **_fields(one)}]
    if isinstance(one, Measured):
        return [{"type": "measured", "values": {"s": one.s, **one.values}, "beyond": one.beyond, "scale": one.scale}]
    settings = {key: value for key in _RANDOM if (value := getattr(one, key)) is not None}
    known = CLASSES.get(one.name)
    if known is not None and all(known.spectra.get(name) is spectrum for name, spectrum in one.spectra.items()):
        return [{"type": "class", "quality": one.name, "quantities": list(one.spectra), **settings}]
    return [
        {"type": "spectrum", "quantity": name, **_spectrum(found), **settings} for name, found in one.spectra.items()
    ]


def _spectrum(found: Any) -> dict[str, Any]:
    if isinstance(found, Spectrum):
        return {"numerator": found.numerator, "denominator": found.denominator, "two_sided": found.two_sided}
    scale = 2 * np.pi if found.cycles else 1.0
    columns = {"omega": scale * np.asarray(found.omega), "density": np.asarray(found.values) / scale}
    return {**columns, "two_sided": found.two_sided}
