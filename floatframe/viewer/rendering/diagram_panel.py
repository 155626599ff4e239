"""Diagrams beside a scene in PyVista, with a line at the present time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from floatframe.viewer.curves import thinned
from floatframe.viewer.plots import COLOURS

if TYPE_CHECKING:
    from floatframe.viewer.curves import Diagram

BESIDE = 0.36  # share of the width that diagrams take
_MOST_POINTS = 4000  # of a curve
_CURSOR = "#9b1c2e"


class DiagramPanel:
    """Charts below each other in the right part of a plotter; `mark` moves their lines."""

    def __init__(self, plotter: Any, diagrams: Sequence[Diagram]) -> None:
        plotter.subplot(0, 1)
        self._lines = []
        height = 1.0 / len(diagrams)
        for k, diagram in enumerate(diagrams):
            place = (0.0, 1.0 - (k + 1) * height)
            self._lines.append(_chart(plotter, diagram, place, height, last=k == len(diagrams) - 1))
        plotter.subplot(0, 0)

    def mark(self, t: float) -> None:
        """Put the lines at a time [s]."""
        for line, ends in self._lines:
            line.update([t, t], ends)


def _chart(plotter: Any, diagram: Diagram, place: tuple[float, float], height: float, last: bool) -> Any:
    """Add a chart; return its line at the present time and how far that reaches."""
    import pyvista

    chart: Any = pyvista.Chart2D(size=(1.0, height), loc=place)
    chart.background_color = "white"
    chart.title = diagram.name
    chart.y_label = f"[{diagram.unit}]" if diagram.unit else ""
    chart.x_label = diagram.over if last else ""
    for k, curve in enumerate(diagram.curves):
        x, y = thinned(curve.t, curve.y, _MOST_POINTS)
        chart.line(x, y, color=COLOURS[k % len(COLOURS)], width=1.5, label=curve.name)
    chart.legend_visible = len(diagram.curves) > 1
    low = min(float(curve.y.min()) for curve in diagram.curves)
    high = max(float(curve.y.max()) for curve in diagram.curves)
    margin = 0.05 * (high - low) or abs(high) or 1.0
    # the legend stands above the curves
    ends = np.array([low - margin, high + margin * (6 if len(diagram.curves) > 1 else 1)])
    span = [float(diagram.curves[0].t[0]), float(diagram.curves[0].t[-1])]
    chart.x_range, chart.y_range = span, ends
    line = chart.line([span[0], span[0]], ends, color=_CURSOR, width=1.5)
    plotter.add_chart(chart)
    return line, ends
