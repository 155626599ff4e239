"""Formulas of the site, drawn while it is built: no script, no network, no fonts to fetch.

A block ```math holds TeX, which GitHub renders by itself. Here Matplotlib's own TeX parser turns it into outlines that
stand in the page as SVG, in the colour of the text. Lines end with \\\\ and are aligned at &, as in `aligned`.
"""

from __future__ import annotations

import html
from typing import Any

from matplotlib.font_manager import FontProperties
from matplotlib.path import Path as Outline
from matplotlib.textpath import TextPath

EM = 100.0  # units of the outlines to one em
FONT = FontProperties(family="serif", math_fontfamily="stix")
LETTERS = {Outline.MOVETO: "M", Outline.LINETO: "L", Outline.CURVE3: "Q", Outline.CURVE4: "C", Outline.CLOSEPOLY: "Z"}


def svg(tex: str) -> str:
    """Return one line of TeX as inline SVG whose baseline is that of the text around it."""
    outline = TextPath((0, 0), f"${tex}$", size=EM, prop=FONT, usetex=False)
    left, low = outline.vertices.min(axis=0)
    right, high = outline.vertices.max(axis=0)
    # no line is lower than one of plain text
    top, bottom = max(high, 0.75 * EM), min(low, -0.25 * EM)
    steps = []
    for points, code in outline.iter_segments(curves=True, simplify=False):
        numbers = () if code == Outline.CLOSEPOLY else (f"{value:.1f}" for value in points)
        steps.append(LETTERS[code] + " ".join(numbers))
    view = f"{left - 2:.1f} {-top:.1f} {right - left + 4:.1f} {top - bottom:.1f}"
    style = f"height:{(top - bottom) / EM:.3f}em;vertical-align:{bottom / EM:.3f}em"
    return (
        f'<svg class="formula" role="img" aria-label="{html.escape(tex)}" viewBox="{view}" style="{style}">'
        f'<path fill="currentColor" transform="scale(1 -1)" d="{"".join(steps)}"/></svg>'
    )


def rows(source: str) -> list[list[str]]:
    """Return the cells of a block: lines end with \\\\, cells with &."""
    text = source.replace("\\begin{aligned}", "").replace("\\end{aligned}", "")
    lines = (" ".join(line.split()) for line in text.split("\\\\"))
    return [[cell.strip() for cell in line.split("&")] for line in lines if line]


def fence(source: str, _language: str, _classes: Any, _options: Any, _markdown: Any, **_more: Any) -> str:
    """Return a block of formulas as a table without lines: what `pymdownx.superfences` asks of a formatter."""
    cells = [[f"<td>{svg(cell) if cell else ''}</td>" for cell in row] for row in rows(source)]
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in cells)
    return f'<div class="formulas"><table class="formulas">{body}</table></div>'
