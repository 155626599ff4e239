"""Diagrams beside a scene in PyVista, with a line at the present time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from floatframe.viewer.curves import thinned
from floatframe.viewer.plots import COLOURS, folded

if TYPE_CHECKING:
    from floatframe.viewer.curves import Diagram

BESIDE = 0.36  # share of the width that diagrams take
_MOST_POINTS = 4000  # of a curve
_ROW, _AROUND = 17, 60  # pixels of a line of a legend; of title, numbers and name of an axis around the curves
_LETTERS = 13  # pixels
_CURSOR = "#9b1c2e"


class DiagramPanel:
    """Charts below each other in the right part of a plotter; `mark` moves their lines, `take` replaces the curves."""

    def __init__(self, plotter: Any, diagrams: Sequence[Diagram], finer: int = 1) -> None:
        """Put charts on a plotter that is drawn so many times finer than it is seen."""
        self._plotter, self._finer = plotter, finer
        self._put(diagrams)

    def _put(self, diagrams: Sequence[Diagram]) -> None:
        """Make the charts."""
        plotter, height = self._plotter, 1.0 / len(diagrams)
        plotter.subplot(0, 1)
        self._charts = [
            _Chart(plotter, diagram, (0.0, 1.0 - (k + 1) * height), height, self._finer, k == len(diagrams) - 1)
            for k, diagram in enumerate(diagrams)
        ]
        self._shown = _names(diagrams)
        plotter.subplot(0, 0)

    def mark(self, t: float) -> None:
        """Put the lines at a time [s]."""
        for chart in self._charts:
            chart.line.update([t, t], chart.ends)

    def take(self, diagrams: Sequence[Diagram]) -> None:
        """Show other curves; where others than before are worth a look, in other charts."""
        if _names(diagrams) != self._shown:
            self._plotter.subplot(0, 1)
            for chart in self._charts:
                self._plotter.remove_chart(chart.chart)
            self._put(diagrams)
        for chart, diagram in zip(self._charts, diagrams, strict=True):
            chart.take(diagram)


def _names(diagrams: Sequence[Diagram]) -> list[tuple[str, ...]]:
    """What diagrams show."""
    return [(diagram.name, *(curve.name for curve in diagram.curves)) for diagram in diagrams]


class _Chart:
    """A chart with the curves of a diagram, and its line at the present time between its ends."""

    def __init__(
        self, plotter: Any, diagram: Diagram, place: tuple[float, float], height: float, finer: int, last: bool
    ) -> None:
        import pyvista

        self.pixels = max(60.0, height * plotter.window_size[1] / finer - _AROUND)  # of the axes
        self.chart: Any = pyvista.Chart2D(size=(1.0, height), loc=place)
        self.chart.background_color = "white"
        self.chart.title = folded(diagram.name)
        self.chart.y_label = f"[{diagram.unit}]" if diagram.unit else ""
        self.chart.x_label = diagram.over if last else ""
        self.curves = [
            self.chart.line(
                [0.0, 1.0], [0.0, 0.0], color=COLOURS[k % len(COLOURS)], width=1.5 * finer, label=curve.name
            )
            for k, curve in enumerate(diagram.curves)
        ]
        self.chart.legend_visible = len(self.curves) > 1
        self.chart.GetTitleProperties().SetFontSize(_LETTERS * finer)
        self.chart.GetLegend().SetLabelSize((_LETTERS - 1) * finer)
        for axis in (self.chart.x_axis, self.chart.y_axis):
            axis.label_size, axis.tick_label_size = _LETTERS * finer, (_LETTERS - 1) * finer
        self.line = self.chart.line([0.0, 0.0], [0.0, 1.0], color=_CURSOR, width=1.5 * finer)
        self.take(diagram)
        plotter.add_chart(self.chart)

    def take(self, diagram: Diagram) -> None:
        """Draw the curves, and the line at their start."""
        for drawn, curve in zip(self.curves, diagram.curves, strict=True):
            drawn.update(*thinned(curve.t, curve.y, _MOST_POINTS))
        low = min(float(curve.y.min()) for curve in diagram.curves)
        high = max(float(curve.y.max()) for curve in diagram.curves)
        margin = 0.05 * (high - low) or abs(high) or 1.0
        # the legend stands above the curves, in a part of the chart that is left free for it
        free = min(0.55, _ROW * (len(self.curves) + 1) / self.pixels) if len(self.curves) > 1 else 0.0
        self.ends = np.array([low - margin, high + margin + free / (1.0 - free) * (high - low + 2.0 * margin)])
        first, last = float(diagram.curves[0].t[0]), float(diagram.curves[0].t[-1])
        self.chart.x_range, self.chart.y_range = [first, last], self.ends
        self.line.update([first, first], self.ends)
