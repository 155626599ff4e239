"""The table [track] of a file: every key, what it means, and the function of Python that takes it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from floatframe.errors import Where
from floatframe.hybrid.modelfile import values as v
from floatframe.hybrid.modelfile.schema import Kind
from floatframe.hybrid.modelfile.values import Key, read_keys
from floatframe.railway import (
    CANT_ABOUT,
    FAULT_KINDS,
    QUANTITIES,
    RAMPS,
    TRANSITIONS,
    WHERE_SHORT,
    Curve,
    Fault,
    Gradient,
    Irregularity,
    Measured,
    Spectrum,
    SpectrumTable,
    Straight,
    Transition,
    read_measured,
    read_spectrum,
)
from floatframe.tomlfile import Spot

TRACK_FORMAT = "floatframe-track/1"


def pair(spot: Spot) -> Any:
    """Two wavelengths."""
    if not isinstance(spot.value, list) or len(spot.value) != 2:
        raise spot.wrong("the shortest and longest wavelength [m]")
    return [v.number(entry) for entry in spot.entries()]


def _spectrum(quantity: str, file: Path | None = None, **more: Any) -> Irregularity:
    """Return irregularities of one quantity by a formula or a table here or in a file."""
    formula = {name: more.pop(name) for name in ("numerator", "denominator") if name in more}
    table = [more.pop(name) for name in ("omega", "density") if name in more]
    two_sided = more.pop("two_sided", False)
    found: Spectrum | SpectrumTable
    if file is not None and not formula and not table:
        found = read_spectrum(file, two_sided=two_sided)
    elif len(formula) == 2 and file is None and not table:
        found = Spectrum(two_sided=two_sided, **formula)
    elif len(table) == 2 and file is None and not formula:
        found = SpectrumTable(table[0], table[1], two_sided)
    else:
        raise Where(field="file").error(
            "found no spectrum, or two; expected numerator and denominator, omega and density, or file"
        )
    return Irregularity({quantity: found}, **more)


def _measured(file: Path | None = None, values: dict[str, Any] | None = None, **more: Any) -> Measured:
    """Return measured irregularities that stand here or in a file."""
    if (file is None) == (values is None):
        raise Where(field="file").error("found no record, or two; expected file or values")
    if file is not None:
        return read_measured(file, **more)
    columns = {name: np.asarray(column, dtype=float) for name, column in (values or {}).items()}
    if "s" not in columns:
        raise Where(field="values").error("found no distances, expected s = […] among the values")
    return Measured(columns.pop("s"), columns, **more)


def _columns(spot: Spot) -> dict[str, list[float]]:
    """Lists of numbers under names."""
    if not isinstance(spot.value, dict):
        raise spot.wrong("a table of lists { s = […], vertical = […] }")
    return {name: numbers_only(spot.inside(name)) for name in spot.value}


def numbers_only(spot: Spot) -> list[float]:
    """A list of plain numbers."""
    for entry in spot.entries() if isinstance(spot.value, list) else [spot]:
        if isinstance(entry.value, bool) or not isinstance(entry.value, int | float):
            raise spot.wrong("a list of numbers")
    return spot.value


def _length(what: str = "") -> Key:
    return Key(f"{what} [m]".strip(), v.number, required=True)


_TYPE = Key("the type", v.text, required=True)
_WIDENING = Key("of the gauge [m]", v.number, default="0")
SECTIONS = {
    "straight": Kind(
        Straight,
        {
            "type": _TYPE,
            "length": _length(),
            "cant": Key("of the right rail over the left [m]", v.number, default="0"),
            "widening": _WIDENING,
        },
        {},
    ),
    "transition": Kind(
        Transition,
        {
            "type": _TYPE,
            "length": _length(),
            "kind": Key(f"course of the curvature: {', '.join(TRANSITIONS)}", v.text, default='"clothoid"'),
            "ramp": Key(f"course of the cant: {', '.join(RAMPS)} (default: that of the curvature)", v.text),
        },
        {},
    ),
    "curve": Kind(
        Curve,
        {
            "type": _TYPE,
            "length": _length(),
            "radius": _length("of the middle, positive to the left, negative to the right"),
            "cant": Key("of the outer rail over the inner [m]", v.number, default="0"),
            "widening": _WIDENING,
        },
        {},
    ),
}
GRADIENT = Kind(
    Gradient,
    {
        "at": _length("middle of the vertical curve"),
        "slope": Key("rise over run from there on, 0.01 for 10 ‰", v.number, required=True),
        "radius": Key("of the vertical curve [m]; 0: a kink", v.number, default="0"),
    },
    {},
)
_RANDOM = {
    "wavelengths": Key("shortest and longest [m] (default: those of the class; 3 and 100)", pair),
    "seed": Key("of the random phases", v.integer, default="0"),
    "scale": Key("of the heights", v.number, default="1"),
    "start": Key("where they begin [m] (default: with the track)", v.number),
    "end": Key("where they end [m] (default: with the track)", v.number),
    "fade": Key("length over which they grow and vanish [m]", v.number, default="0"),
}
IRREGULARITIES = {
    "class": Kind(
        Irregularity.of_class,
        {
            "type": _TYPE,
            "quality": Key('"ERRI low", "ERRI high", "FRA 1" … "FRA 6"', v.text, required=True),
            "quantities": Key(f"which of {', '.join(QUANTITIES)}", v.texts, default="all"),
            **_RANDOM,
        },
        {},
    ),
    "spectrum": Kind(
        _spectrum,
        {
            "type": _TYPE,
            "quantity": Key(f"one of {', '.join(QUANTITIES)}", v.choice(*QUANTITIES), required=True),
            "numerator": Key("coefficients of Ω⁰, Ω², Ω⁴ …, Ω in rad/m, density in m²/(rad/m)", v.numbers),
            "denominator": Key("the same below", v.numbers),
            "omega": Key("or wavenumbers of a table [rad/m]", numbers_only),
            "density": Key("at these [m²/(rad/m)]", numbers_only),
            "file": Key("or a table with columns omega [rad/m] or wavenumber [1/m], and density", v.path),
            "two_sided": Key("whether the density is two-sided, half of a one-sided", v.truth, default="false"),
            **_RANDOM,
        },
        {},
    ),
    "measured": Kind(
        _measured,
        {
            "type": _TYPE,
            "file": Key("a table with columns s [m] or km, and quantities or left_vertical … [m, mm]", v.path),
            "values": Key("or written here: { s = […], vertical = […] } [m]", _columns),
            "beyond": Key(f"where it is shorter than the track: {', '.join(WHERE_SHORT)}", v.text, default='"error"'),
            "scale": Key("of the heights", v.number, default="1"),
        },
        {},
    ),
    "fault": Kind(
        Fault,
        {
            "type": _TYPE,
            "kind": Key(f"one of {', '.join(FAULT_KINDS)}", v.text, required=True),
            "at": _length("its middle; of a switch its beginning"),
            "depth": _length("how deep the rails sink, how far the stock rail bends"),
            "length": _length(),
            "rail": Key('"both", "left", "right"', v.text, default='"both"'),
        },
        {},
    ),
}
KILOMETRES = {
    "file": Key("columns s [m] or km, radius or curvature, cant, widening or gauge, gradient", v.path),
    "s": Key("or written here: distances [m]", numbers_only),
    "curvature": Key("at these [1/m], positive to the left", numbers_only),
    "cant": Key("of the right rail over the left [m]", numbers_only),
    "widening": Key("of the gauge [m]", numbers_only),
    "gradient": Key("rise over run", numbers_only),
    "shape": Key(f"of the ramps between its rows: {', '.join(RAMPS)}", v.text, default='"linear"'),
}


def _kilometres(spot: Spot) -> dict[str, Any]:
    return {"file": v.path(spot)} if isinstance(spot.value, str) else read_keys(spot, KILOMETRES, "kilometres")


def _as_it_is(spot: Spot) -> list[Spot]:
    if not isinstance(spot.value, list) or not all(isinstance(entry, dict) for entry in spot.value):
        raise spot.wrong(f"tables [[track.{spot.key}]]")
    return spot.entries()


TRACK = {
    "section": Key("one [[track.section]] behind the other", _as_it_is),
    "gradient": Key("changes of the gradient, one [[track.gradient]] each", _as_it_is),
    "kilometres": Key("instead of both: a table in a CSV file, or { file, shape }, or { s, curvature … }", _kilometres),
    "irregularity": Key("sources that add up, one [[track.irregularity]] each", _as_it_is),
    "start": Key("distance where the sections begin [m]", v.number, default="0"),
    "gauge": Key("between the rails [m]", v.number, default="1.435"),
    "rail_distance": Key(
        "between the middles of the rail heads, to which the cant refers [m]", v.number, default="1.5"
    ),
    "cant_about": Key(f"what stays level: {' or '.join(CANT_ABOUT)}", v.text, default='"centre"'),
    "rounding": Key("length over which kinks of cant and gradient are rounded [m]", v.number, default="0"),
    "rail": Key('profile of the rails: "60E1", "arc:0.3", or a file', v.text_or_path, default='"60E1"'),
    "inclination": Key("slope by which the rails lean inward (default: 1/40 for 60E1, none for files)", v.number),
    "step": Key("of the irregularities [m] (default: what their wavelengths need)", v.number),
}
#: what stands at the top of a file
TOP = {"format": f'"{TRACK_FORMAT}"', "name": "of the track", "parameters": "numbers", "track": "the track"}
