"""The look of all plots, and how they come into a file: whole, without a screen, without global settings."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from floatframe.errors import ModelError, WriteError
from floatframe.io import complete_file
from floatframe.listening import listening
from floatframe.wording import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PathLike = str | os.PathLike[str]

# dark enough for thin lines, distinct for the colour-blind too
COLOURS = ("#1f5f99", "#d1622b", "#2f8f5b", "#8d4fa8", "#c29a1c", "#4db1c9", "#a33b4f", "#6b6f76")
COLOUR_MAP = "viridis"
_PIECE = r"\\mathdefault\{(?:[-−+]?[\d.]+(?:\\times)?)?(?:[-−]?10\^\{[-−]?\d+\})?\}"
_NUMBER = re.compile(rf"\$(?:\\times)?(?:{_PIECE})+\$")  # as Matplotlib writes it along an axis
PLOT_SUFFIXES = (".png", ".svg", ".pdf")
_GREY = "#4d5560"


def _settings() -> Any:
    from cycler import cycler

    return {
        # all colours, then all of them in other lines
        "axes.prop_cycle": cycler(linestyle=("-", "--", "-.", ":")) * cycler(color=COLOURS),
        "axes.edgecolor": _GREY,
        "axes.labelcolor": "#20252b",
        "axes.labelsize": 10,
        "axes.titlesize": 10,
        "axes.titlelocation": "left",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.axisbelow": True,
        "axes.formatter.limits": (-3, 4),
        "axes.formatter.use_mathtext": True,
        "agg.path.chunksize": 5000,  # a curve as one piece takes 350 MB for 100 000 points
        "grid.color": "#dfe3e8",
        "grid.linewidth": 0.8,
        "lines.linewidth": 1.2,
        "xtick.color": _GREY,
        "ytick.color": _GREY,
        "xtick.labelsize": 9,
        "ytick.labelsize": 9,
        "legend.frameon": False,
        "legend.fontsize": 9,
        "font.size": 10,
        "figure.facecolor": "white",
        "savefig.facecolor": "white",
        "svg.hashsalt": "floatframe",  # the same plot gives the same file
    }


@dataclass(frozen=True)
class Frame:
    """How far axes go (low, high), None for all; which are logarithmic, "x", "y", "xy" or ""."""

    x: tuple[float, float] | None = None
    y: tuple[float, float] | None = None
    log: str = ""

    def put(self, axes: Axes) -> None:
        """Set the axes of a diagram."""
        for axis, limits, scale, place in (
            ("x", self.x, axes.set_xscale, axes.set_xlim),
            ("y", self.y, axes.set_yscale, axes.set_ylim),
        ):
            if axis in self.log:
                scale("log")
            if limits is not None:
                if not limits[0] < limits[1]:
                    raise ModelError(
                        f"plot: limits {limits[0]:g} and {limits[1]:g} of {axis}; expected a lower one first."
                    )
                if axis in self.log and limits[0] <= 0:
                    raise ModelError(
                        f"plot: a logarithmic {axis} axis has no place for {limits[0]:g}; begin above zero."
                    )
                place(*limits)
        if self.x is not None and self.y is None:
            _fit_height(axes, *self.x)


def _fit_height(axes: Axes, low: float, high: float) -> None:
    """Let the vertical axis show what its lines do between two places of the horizontal one, ends included."""
    import numpy as np  # command lines ask this module what a picture may be called

    heights = []
    for line in axes.lines:
        x, y = (np.asarray(values, dtype=float) for values in line.get_data())
        inside = (x >= low) & (x <= high)
        ends = np.interp([low, high], x, y, left=np.nan, right=np.nan) if np.all(np.diff(x) >= 0.0) else []
        heights += [y[inside], ends]
    shown = np.concatenate([*heights, []])
    shown = shown[np.isfinite(shown) & ((shown > 0.0) | (axes.get_yscale() != "log"))]
    if shown.size:
        axes.dataLim.intervaly = shown.min(), shown.max()
        axes.autoscale_view(scalex=False)


@contextmanager
def saved_figure(path: PathLike, width: float = 8.0, height: float = 4.5, title: str = "") -> Iterator[Figure]:
    """Yield an empty figure, width and height in inches, that is written when the block ends well."""
    path = Path(path)
    if path.suffix.lower() not in PLOT_SUFFIXES:
        raise WriteError(f"'{path}': plots are written as {', '.join(PLOT_SUFFIXES)}, not '{path.suffix}'.")
    if not path.parent.is_dir():
        raise WriteError(f"'{path}': folder '{path.parent}' does not exist; create it first.")
    import logging

    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # a home that is not writable is said by `doctor`
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(_settings()):
        figure = Figure(figsize=(width, height), dpi=150, layout="constrained")
        if title:
            figure.suptitle(title, x=0.01, ha="left", fontsize=12, fontweight="bold", color="#20252b")
        yield figure
        _take_literally(figure)
        with complete_file(path) as temporary, listening() as said:
            figure.savefig(temporary, format=path.suffix.lower()[1:])
        for sentence in said:
            if not sentence.startswith("Glyph"):  # of letters that no font has; they are drawn as boxes
                warnings.warn(sentence, stacklevel=2)


def _take_literally(figure: Figure) -> None:
    """Let names be drawn as they stand, with dollars and control characters; formulas are in the numbers of axes."""
    from matplotlib.text import Text

    for text in figure.findobj(Text):
        if isinstance(text, Text) and not _NUMBER.fullmatch(words := text.get_text()):
            text.set_text(printable(words))
            if "$" in words:
                text.set_parse_math(False)


def label(quantity: str, unit: str) -> str:
    """Return "quantity [unit]"."""
    return f"{quantity} [{unit}]" if unit else quantity


def density_unit(unit: str) -> str:
    """Return the unit of a power spectral density, with products in brackets: (m/s²)²/Hz."""
    if not unit:
        return "1/Hz"
    return f"({unit})²/Hz" if any(sign in unit for sign in "/ ·*²^") else f"{unit}²/Hz"


def add_legend(axes: Axes, entries: int) -> None:
    """Add a legend beside the curves, never over them; one curve is named by its axis."""
    if entries > 1:
        handles, names = axes.get_legend_handles_labels()
        axes.legend(handles, map(folded, names), loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0)


def folded(name: str, width: int = 36) -> str:
    """A name in lines of about this width, broken before operators, filters and inputs, to leave room for curves."""
    lines = [""]
    for piece in re.split(r" (?=(?:[-+*/]|per|for) )|(?=:)", name):
        space = "" if piece.startswith(":") or not lines[-1] else " "
        if lines[-1] and len(lines[-1]) + len(space) + len(piece) > width:
            lines.append(piece)
        else:
            lines[-1] += space + piece
    return "\n".join(lines)
