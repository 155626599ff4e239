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
    """Charts below each other in the right part of a plotter; `mark` moves their lines, `take` replaces the curves."""

    def __init__(self, plotter: Any, diagrams: Sequence[Diagram]) -> None:
        plotter.subplot(0, 1)
        height = 1.0 / len(diagrams)
        self._charts = [
            _Chart(plotter, diagram, (0.0, 1.0 - (k + 1) * height), height, last=k == len(diagrams) - 1)
            for k, diagram in enumerate(diagrams)
        ]
        plotter.subplot(0, 0)

    def mark(self, t: float) -> None:
        """Put the lines at a time [s]."""
        for chart in self._charts:
            chart.line.update([t, t], chart.ends)

    def take(self, diagrams: Sequence[Diagram]) -> None:
        """Show the same diagrams with other curves."""
        for chart, diagram in zip(self._charts, diagrams, strict=True):
            chart.take(diagram)


class _Chart:
    """A chart with the curves of a diagram, and its line at the present time between its ends."""

    def __init__(self, plotter: Any, diagram: Diagram, place: tuple[float, float], height: float, last: bool) -> None:
        import pyvista

        self.chart: Any = pyvista.Chart2D(size=(1.0, height), loc=place)
        self.chart.background_color = "white"
        self.chart.title = diagram.name
        self.chart.y_label = f"[{diagram.unit}]" if diagram.unit else ""
        self.chart.x_label = diagram.over if last else ""
        self.curves = [
            self.chart.line([0.0, 1.0], [0.0, 0.0], color=COLOURS[k % len(COLOURS)], width=1.5, label=curve.name)
            for k, curve in enumerate(diagram.curves)
        ]
        self.chart.legend_visible = len(self.curves) > 1
        self.line = self.chart.line([0.0, 0.0], [0.0, 1.0], color=_CURSOR, width=1.5)
        self.take(diagram)
        plotter.add_chart(self.chart)

    def take(self, diagram: Diagram) -> None:
        """Draw the curves, and the line at their start."""
        for drawn, curve in zip(self.curves, diagram.curves, strict=True):
            drawn.update(*thinned(curve.t, curve.y, _MOST_POINTS))
        low = min(float(curve.y.min()) for curve in diagram.curves)
        high = max(float(curve.y.max()) for curve in diagram.curves)
        margin = 0.05 * (high - low) or abs(high) or 1.0
        # the legend stands above the curves
        self.ends = np.array([low - margin, high + margin * (6 if len(self.curves) > 1 else 1)])
        first, last = float(diagram.curves[0].t[0]), float(diagram.curves[0].t[-1])
        self.chart.x_range, self.chart.y_range = [first, last], self.ends
        self.line.update([first, first], self.ends)
