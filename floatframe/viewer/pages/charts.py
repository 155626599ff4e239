"""Diagrams for pages: what the script `web/chart.js` draws, with the values under the pointer and zoom."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from floatframe.errors import ModelError
from floatframe.viewer.curves import Curve, Diagram, thinned
from floatframe.viewer.plots import COLOURS
from floatframe.wording import printable

if TYPE_CHECKING:
    from floatframe.arrays import Array

MOST_POINTS = 4000  # of a curve in a page; zooming shows no more


def chart(diagram: Diagram, put: Callable[[Array], Any]) -> dict[str, Any]:
    """Return a diagram for the script; `put` says where it finds an array of single precision."""
    curves = []
    for k, curve in enumerate(diagram.curves):
        x, y = thinned(curve.t, curve.y, MOST_POINTS)
        curves.append({"name": printable(curve.name), "color": COLOURS[k % len(COLOURS)], "x": put(x), "y": put(y)})
    words = {"title": diagram.name, "over": diagram.over, "unit": diagram.unit}
    return {**{name: printable(text) for name, text in words.items()}, "curves": curves}


def written(diagrams: Iterable[Diagram]) -> str:
    """Return diagrams as JSON that holds its arrays itself."""

    def coded(values: Array) -> str:
        return base64.b64encode(np.asarray(values, dtype="<f4").tobytes()).decode("ascii")

    return json.dumps([chart(diagram, coded) for diagram in diagrams], allow_nan=False)


def amplitudes(diagram: Diagram) -> Diagram | None:
    """Return the amplitudes of a diagram over frequency, None if its times are not equally spaced or too few."""
    from floatframe.signals import spectrum  # pages of bodies do not need it

    try:
        found = [(curve, spectrum(curve.t, curve.y)) for curve in diagram.curves]
    except ModelError:
        return None
    # the mean is not a vibration
    curves = [Curve(curve.name, curve.unit, s.frequency[1:], s.amplitude[1:]) for curve, s in found]
    return replace(diagram, name=f"{diagram.name}, amplitudes", curves=tuple(curves), over="frequency [Hz]")
