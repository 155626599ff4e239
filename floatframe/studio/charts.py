"""Charts as plotly takes them: curves, Bode diagrams, maps. Their ink follows the theme by the style sheet.

Names are text, so what looks like markup in them is shown as it is.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from floatframe.studio.curves import decimated
from floatframe.viewer import Curve

if TYPE_CHECKING:
    from floatframe.arrays import AnyArray, Array

Chart = dict[str, Any]
COLOURS = ("#1f6fb4", "#d9722b", "#3a9950", "#b03a48", "#7a5ea8", "#8a6a4f", "#c95fa1", "#6b7280", "#a3a52c", "#21a0ad")
EMPTY: Chart = {"data": [], "layout": {}}
_MANY = 20_000  # points, from which the graphics processor draws
_AXIS = {"gridcolor": "#80808050", "zerolinecolor": "#80808080", "linecolor": "#80808080", "automargin": True}


def chart(data: list[dict[str, Any]], x: dict[str, Any], y: dict[str, Any], **layout: Any) -> Chart:
    """Return a chart of traces; x, y: what is special of the axes, their title among it."""
    return {
        "data": data,
        "layout": {
            "margin": {"l": 56, "r": 12, "t": 8, "b": 36},
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": {"size": 11},
            "showlegend": len(data) > 1,
            "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
            "hovermode": "closest",
            "modebar": {"orientation": "v", "bgcolor": "rgba(0,0,0,0)", "color": "#80808080", "activecolor": "#808080"},
            "xaxis": {**_AXIS, **x, "title": {"text": plain(x.get("title", "")), "standoff": 4}},
            "yaxis": {**_AXIS, **y, "title": {"text": plain(y.get("title", "")), "standoff": 6}},
            **layout,
        },
    }


def line(name: str, x: Array, y: Array, number: int, **more: Any) -> dict[str, Any]:
    """Return a curve in the colour of its number."""
    return {
        "type": "scattergl" if len(x) > _MANY else "scatter",
        "mode": "lines",
        "name": plain(name),
        "x": numbers(x),
        "y": numbers(y),
        "line": {"color": COLOURS[number % len(COLOURS)], "width": 1.5},
        **more,
    }


def figure(curves: Sequence[Curve], over: str, span: tuple[float, float] | None = None, log: bool = False) -> Chart:
    """Return curves over time or frequency, thinned to what can be seen of a span."""
    ends = [(float(c.t[0]), float(c.t[-1])) for c in curves if len(c.t)]
    start, end = span or (min((e[0] for e in ends), default=0.0), max((e[1] for e in ends), default=1.0))
    data = [line(c.name, *decimated(c.t, c.y, start, end), k) for k, c in enumerate(curves)]
    names, units = {curve.name for curve in curves}, {curve.unit for curve in curves}
    title = names.pop() if len(names) == 1 else _common(names)
    return chart(
        data,
        {"title": over, "range": [start, end]},
        {"title": with_unit(title, units.pop() if len(units) == 1 else ""), "type": "log" if log else "linear"},
        uirevision=f"{over} {[c.name for c in curves]}",
    )


def bode(frequency: Array, responses: dict[str, tuple[AnyArray, str]]) -> tuple[Chart, Chart]:
    """Return magnitudes and phases over the frequency [Hz]; responses (n,) complex with their units, by name."""
    units = {unit for _, unit in responses.values()}
    sizes, phases = [], []
    for k, (name, (values, _)) in enumerate(responses.items()):
        sizes.append(line(name, frequency, np.abs(values), k))
        phases.append(line(name, frequency, np.degrees(np.unwrap(np.angle(values))), k))
    x = {"title": "frequency [Hz]", "type": "log"}
    title = with_unit("magnitude", units.pop() if len(units) == 1 else "")
    return (
        chart(sizes, x, {"title": title, "type": "log", "exponentformat": "power"}),
        chart(phases, x, {"title": "phase [°]", "tickmode": "auto", "nticks": 7}, showlegend=False),
    )


def heat_map(
    x: Sequence[Any], y: Sequence[Any], values: Array, titles: tuple[str, str], quantity: str, written: bool
) -> Chart:
    """Return a map of values (ny, nx) over two parameters; written: each with its number."""
    more = {"texttemplate": "%{z:.4g}"} if written else {}
    bar = {"title": {"text": plain(quantity), "side": "right"}, "thickness": 12}
    trace = {"type": "heatmap", "x": list(x), "y": list(y), "z": [numbers(row) for row in values], **more}
    return chart([{**trace, "colorscale": "Viridis", "colorbar": bar}], {"title": titles[0]}, {"title": titles[1]})


def with_unit(title: str, unit: str) -> str:
    """Return the title of an axis."""
    return f"{title} [{unit}]".strip() if unit else title


def plain(text: str) -> str:
    """Return text that plotly does not take for markup."""
    return html.escape(text, quote=False)


def numbers(values: Array) -> list[float | None]:
    """Return values as JSON can hold them; what is not finite leaves a gap."""
    array = np.asarray(values, dtype=float)
    if np.isfinite(array).all():
        found: list[float | None] = array.tolist()
        return found
    return [v if np.isfinite(v) else None for v in array.tolist()]


def _common(names: set[str]) -> str:
    """Return what the names of components begin with: A.force of A.force.x and A.force.y."""
    stems = {name.partition(" · ")[0].rpartition(".")[0] for name in names}
    return stems.pop() if len(stems) == 1 else ""
