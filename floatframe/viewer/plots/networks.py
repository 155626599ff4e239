"""The drawing of a network: boxes are elements, circles nodes coloured by their physics, dashed what inputs read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from floatframe.errors import ModelError
from floatframe.viewer.plots.network_layout import Layout, Thing, network_layout
from floatframe.viewer.plots.style import COLOURS, PathLike, label, saved_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.patches import Patch

    from floatframe.network import Element, Network

MOST = 200  # elements whose names can still be read
_WIDE, _TALL = 1.35, 0.95  # inches of a column and a row
_BOX = (0.58, 0.26)  # half the width and height of an element, in columns and rows
_LONG = 20  # letters that fit into a box
_LETTER, _REACH = 0.045, 0.32  # columns of a letter at a terminal, and at most of all of them
_DARK, _GREY = "#20252b", "#6b6f76"
_MACHINE = "#f4e3d7"
_DASHED = (0, (4, 3))


def plot_network(network: Network, path: PathLike, title: str = "") -> Path:
    """Draw elements with their names and kinds, the nodes that they join, ports of machines, and grounds."""
    if len(network.elements) > MOST:
        raise ModelError(
            f"network '{network.name}' has {len(network.elements)} elements, of which a drawing shows {MOST} at most; "
            "draw a part of it, or list all of them with `floatframe info`."
        )
    if not network.elements:
        raise ModelError(f"network '{network.name}' has no elements to draw; add some.")
    layout = network_layout(network)
    x, y = zip(*layout.place.values(), strict=True)
    width, height = max(x) - min(x) + 1.8, max(y) - min(y) + 1.7
    with saved_figure(path, max(width * _WIDE, 4.0), height * _TALL + 0.6, title or network.name) as figure:
        axes = figure.add_subplot()
        axes.set(xlim=(min(x) - 0.9, max(x) + 0.9), ylim=(min(y) - 0.95, max(y) + 0.75))
        axes.set_axis_off()
        _lines(axes, network, layout)
        _nodes(axes, network, layout)
        boxes = {
            one.name: _element(axes, network, one, *layout.place["element", one.name])
            for one in network.elements.values()
        }
        _arrows(axes, layout, boxes)
    return Path(path)


def _lines(axes: Axes, network: Network, layout: Layout) -> None:
    """Lines from elements to nodes; terminals are named where there are more than two, and those of machines.

    Named ones leave the side of their box one below the other, in the order of their nodes, and straight as far as the
    names reach that stand on them.
    """
    sides: dict[tuple[Thing, float], list[tuple[Thing, str]]] = {}
    for element, node, terminal in layout.lines:
        way = 1.0 if layout.place[node][0] > layout.place[element][0] else -1.0
        sides.setdefault((element, way), []).append((node, terminal))
    for (element, way), ends in sides.items():
        x, y = layout.place[element]
        side = x + way * _BOX[0]
        kind = network.elements[element[1]].kind
        named = len(kind.terminals) > 2 or kind.observable is not None
        ends = sorted(ends, key=lambda end: layout.place[end[0]][1], reverse=True)
        reach = min(_LETTER * (1 + max(len(terminal) for _, terminal in ends)), _REACH) if named else 0.0
        for k, (node, terminal) in enumerate(ends):
            height = y + _BOX[1] * (1.0 - 2.0 * (k + 1) / (len(ends) + 1)) if named else y
            xn, yn = layout.place[node]
            axes.plot([side, side + way * reach, xn], [height, height, yn], color=_GREY, linewidth=1.3, linestyle="-")
            if named:
                axes.text(
                    *(side + way * 0.5 * _LETTER, height + 0.015),
                    _short(terminal),
                    fontsize=7,
                    color=_GREY,
                    ha="left" if way > 0.0 else "right",
                    va="bottom",
                    zorder=5,
                )


def _nodes(axes: Axes, network: Network, layout: Layout) -> None:
    """Circles with names, and a legend of the physics with the potential of each."""
    from matplotlib.patheffects import withStroke

    physics = {
        node: terminal.domain
        for element in network.elements.values()
        for node, terminal in zip(element.nodes, element.kind.terminals, strict=True)
        if node not in network.base
    }
    colours = {domain: COLOURS[k % len(COLOURS)] for k, domain in enumerate(dict.fromkeys(physics.values()))}
    for domain, colour in colours.items():
        places = [layout.place["node", node] for node, found in physics.items() if found is domain]
        words = f"{domain.name}: {label(domain.levels[1].replace('_', ' '), domain.units[1])}"
        x, y = zip(*places, strict=True)
        axes.scatter(x, y, s=70, color=colour, edgecolors="white", zorder=4, label=words)
    for node in physics:
        column, height = layout.place["node", node]
        name = axes.text(column, height + 0.13, _short(node), ha="center", va="bottom", fontsize=8.5, color=_DARK)
        name.set(zorder=6, path_effects=[withStroke(linewidth=2.5, foreground="white")])  # lines may pass below it
    if layout.arrows:
        axes.plot([], [], color=COLOURS[3], linewidth=1.0, linestyle=_DASHED, label="read by an input")
    if count := len(colours) + bool(layout.arrows):
        axes.figure.legend(loc="outside lower left", ncols=min(count, 3))


def _arrows(axes: Axes, layout: Layout, boxes: Mapping[str, Patch]) -> None:
    """Dashed arrows from what an input reads to its element."""
    for first, last in layout.arrows:
        if first == last:
            continue
        axes.annotate(
            "",
            xy=layout.place[last],
            xytext=layout.place[first],
            arrowprops={
                "arrowstyle": "-|>",
                "linestyle": _DASHED,
                "color": COLOURS[3],
                "linewidth": 1.0,
                "connectionstyle": "arc3,rad=0.15",
                "patchA": boxes[first[1]] if first[0] == "element" else None,
                "patchB": boxes[last[1]],
                "shrinkA": 0 if first[0] == "element" else 6,
                "shrinkB": 1,
            },
            zorder=0,
        )


def _element(axes: Axes, network: Network, element: Element, x: float, y: float) -> Patch:
    """A box with name and kind, which is returned; below it the ground, if a terminal is there."""
    from matplotlib.patches import FancyBboxPatch

    machine = element.kind.observable is not None
    box = FancyBboxPatch(
        (x - _BOX[0], y - _BOX[1]),
        2.0 * _BOX[0],
        2.0 * _BOX[1],
        boxstyle="round,pad=0,rounding_size=0.08",
        facecolor=_MACHINE if machine else "#f5f7f9",
        edgecolor=COLOURS[1] if machine else _DARK,
        linewidth=1.8 if machine else 1.0,
        zorder=3,
    )
    axes.add_patch(box)
    axes.text(x, y + 0.09, _short(element.name), ha="center", va="center", fontsize=9, color=_DARK, zorder=6)
    kind = _short(element.kind.name.replace("_", " "))
    axes.text(x, y - 0.11, kind, ha="center", va="center", fontsize=7.5, color=_GREY, zorder=6)
    grounds = [node for node in dict.fromkeys(element.nodes) if node in network.base]
    if not grounds:
        return box
    foot = y - _BOX[1] - 0.12
    axes.plot([x, x], [foot, y - _BOX[1]], color=_GREY, linewidth=1.0, linestyle="-", zorder=2)
    for k, half in enumerate((0.14, 0.09, 0.04)):
        axes.plot([x - half, x + half], [foot - 0.045 * k] * 2, color=_GREY, linewidth=1.0, linestyle="-", zorder=2)
    if named := [node for node in grounds if node != "ground"]:
        axes.text(x + 0.2, foot - 0.04, _short(", ".join(named)), fontsize=7, color=_GREY, va="center", zorder=6)
    return box


def _short(name: str) -> str:
    """A name that fits into a box."""
    return name if len(name) <= _LONG else name[: _LONG - 1] + "…"
