"""Plots of fits: what was measured beside what the model said before and says after."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from floatframe.hybrid import Fit
from floatframe.viewer.plots.style import COLOURS, PathLike, add_legend, label, saved_figure


def plot_fit(fit: Fit, path: PathLike, title: str = "") -> Path:
    """Draw each measured column with the model before and after, over time or over the numbers of modes."""
    rows = len(fit.columns)
    with saved_figure(path, 8.0, 1.2 + 2.4 * rows, title) as figure:
        for axes, name, unit, measured, before, after in zip(
            figure.subplots(rows, 1, squeeze=False)[:, 0],
            *(fit.columns, fit.units, fit.measured, fit.before, fit.after),
            strict=True,
        ):
            over = np.arange(1, len(measured) + 1) if fit.t is None else fit.t
            lines = "" if fit.t is None else "-"
            axes.plot(over, before, "s--" if fit.t is None else "--", color=COLOURS[7], label="model before")
            axes.plot(over, after, f"x{lines}" if fit.t is None else lines, color=COLOURS[1], label="model after")
            axes.plot(over, measured, "o", color=COLOURS[0], markersize=3.5, fillstyle="none", label="measured")
            axes.set_ylabel(label(name, unit))
            axes.set_xlabel("number" if fit.t is None else label("time", "s"))
            add_legend(axes, 3)
    return Path(path)
