"""The diagrams as one picture for the documentation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.precision.diagram import Curve
from benchmarks.precision.methods import LARGEST, SMALLEST

COLUMNS = 3
#: colour, marker and width of a line by method; relatives of generalised-alpha are left out of the picture
STYLES = {
    "auto": ("black", "o", 2.2),
    "dop853": ("tab:blue", "s", 1.3),
    "radau5": ("tab:red", "D", 1.3),
    "rk45": ("tab:cyan", "^", 1.0),
    "rk4": ("tab:olive", "v", 1.0),
    "generalised-alpha, rtol": ("tab:orange", "x", 1.0),
    "generalised-alpha, step": ("tab:orange", "+", 1.0),
    "scipy:DOP853": ("0.55", "s", 0.8),
    "scipy:Radau": ("0.55", "D", 0.8),
    "scipy:LSODA": ("0.55", "x", 0.8),
    "sundials:cvode": ("tab:green", "^", 0.8),
    "sundials:ida": ("tab:green", "v", 0.8),
    "Exudyn, implicit": ("tab:purple", "P", 1.0),
    "Exudyn, explicit": ("tab:purple", "*", 1.0),
}


def draw(diagrams: Mapping[str, Sequence[Curve]], path: Path) -> None:
    """Processor time over error, one panel per problem, by title."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    rows = -(-len(diagrams) // COLUMNS)
    figure, axes = pyplot.subplots(rows, COLUMNS, figsize=(4.2 * COLUMNS, 3.6 * rows), squeeze=False)
    handles = {}
    for axis, (title, curves) in zip(axes.flat, diagrams.items(), strict=False):
        for curve in curves:
            if curve.label not in STYLES or not curve.points:
                continue
            colour, marker, width = STYLES[curve.label]
            dashed = "--" if curve.label.endswith("step") else "-"
            errors, times = zip(*((point.error, point.seconds) for point in curve.edge), strict=True)
            (handles[curve.label],) = axis.loglog(
                errors, times, dashed, color=colour, marker=marker, linewidth=width, markersize=4
            )
        axis.set_title(title, fontsize=11)
        axis.set_xlim(3 * LARGEST, SMALLEST / 3)  # finer to the right
        axis.grid(visible=True, which="major", color="0.9", linewidth=0.6)
        axis.tick_params(labelsize=8)
    for axis in axes.flat[len(diagrams) :]:
        axis.set_visible(False)
    for axis in axes[:, 0]:
        axis.set_ylabel("processor time [s]", fontsize=9)
    for axis in axes[-1]:
        axis.set_xlabel("relative error at the end", fontsize=9)
    order = [label for label in STYLES if label in handles]
    figure.legend([handles[label] for label in order], order, loc="lower center", ncol=5, fontsize=9, frameon=False)
    figure.tight_layout(rect=(0, 0.075, 1, 1))
    figure.savefig(path, dpi=110)
    pyplot.close(figure)
