"""Diagrams of choice: which solver is best for chains of bodies, over how many there are and how long they are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from floatframe.viewer.plots.style import COLOURS, PathLike, saved_figure

LARGEST = 40  # chains, and bodies in each
LEVELS = (10, 30, 100, 300, 1000)  # lines of equal numbers of bodies


def plot_choices(
    best: Callable[[int, int, int], str], names: tuple[str, ...], path: PathLike, title: str = "", joints: int = 5
) -> Path:
    """Colour the solver that best(chains, length, dofs of a joint) names, one panel for joints of 1, 2, … dofs."""
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    sizes = np.arange(1, LARGEST + 1)
    colours = [COLOURS[k] for k in range(len(names))]
    with saved_figure(path, 2.3 * joints + 0.6, 3.4, title) as figure:
        panels = figure.subplots(1, joints, sharey=True, squeeze=False)[0]
        for dofs, axes in enumerate(panels, start=1):
            found = [[names.index(best(int(chains), int(length), dofs)) for length in sizes] for chains in sizes]
            colour_map = ListedColormap(colours)
            axes.pcolormesh(
                sizes, sizes, np.array(found), cmap=colour_map, vmin=-0.5, vmax=len(names) - 0.5, alpha=0.75
            )
            lines = axes.contour(sizes, sizes, np.outer(sizes, sizes), LEVELS, colors="#20252b", linewidths=0.6)
            axes.clabel(lines, fmt="%d", fontsize=7)
            axes.set_title(f"{dofs} dof{'s' if dofs > 1 else ''} in a joint")
            axes.set_xlabel("bodies in a chain")
            axes.grid(visible=False)
        panels[0].set_ylabel("chains on the ground")
        handles = [Patch(color=colour, alpha=0.75, label=name) for name, colour in zip(names, colours, strict=True)]
        panels[-1].legend(handles=handles, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return Path(path)
