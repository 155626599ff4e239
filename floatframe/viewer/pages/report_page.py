"""The page of a report: sections of words, tables, pictures and scenes, in one file that needs nothing else."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from floatframe.viewer.curves import Diagram
from floatframe.viewer.headings import says_nothing
from floatframe.viewer.pages.charts import written
from floatframe.viewer.pages.web_files import web_text
from floatframe.wording import printable


@dataclass
class Section:
    """A part of a report; its methods add what is in it, in that order. What is empty is left out."""

    title: str
    blocks: list[dict[str, Any]] = field(default_factory=list)

    def note(self, text: str, tone: str = "plain") -> None:
        """Add a sentence; tone "good", "bad" or "warning"."""
        if text:
            self.blocks.append({"kind": "note", "text": text, "tone": tone})

    def lines(self, values: Mapping[str, Any]) -> None:
        """Add names and values, one on a line; lists and mappings of numbers are written out."""
        rows = [(name, word(value)) for name, value in values.items() if not says_nothing(value)]
        if rows:
            self.blocks.append({"kind": "lines", "rows": rows})

    def table(self, caption: str, records: Sequence[Mapping[str, Any]]) -> None:
        """Add a table of records with the same keys."""
        if not records:
            return
        headings = list(dict.fromkeys(heading for record in records for heading in record))
        numeric = [h for h in headings if all(isinstance(r.get(h), int | float | None) for r in records)]
        rows = [[word(record.get(heading)) for heading in headings] for record in records]
        self.blocks.append(
            {"kind": "table", "caption": caption, "headings": headings, "numeric": numeric, "rows": rows}
        )

    def figures(self, figures: Iterable[tuple[str, str]], wide: bool = False) -> None:
        """Add pictures (caption, data address) side by side, wide ones below each other."""
        found = [{"caption": caption, "data": data} for caption, data in figures]
        if found:
            self.blocks.append({"kind": "figures", "figures": found, "wide": wide})

    def charts(self, charts: Iterable[Sequence[Diagram]]) -> None:
        """Add charts below each other, each showing one of its diagrams at a time."""
        found = [written(diagrams) for diagrams in charts]
        if found:
            self.blocks.append({"kind": "charts", "charts": found})

    def scene(self, caption: str, page: str) -> None:
        """Add a scene that can be turned and played, given as its page."""
        self.blocks.append({"kind": "scene", "caption": caption, "page": page})

    def text(self, caption: str, text: str) -> None:
        """Add a text to be opened by those who want it."""
        if text:
            self.blocks.append({"kind": "text", "caption": caption, "text": text})


@dataclass
class Page:
    """A report."""

    title: str
    subtitle: str = ""
    sections: list[Section] = field(default_factory=list)

    def section(self, title: str) -> Section:
        """Return a new section at the end."""
        self.sections.append(Section(title))
        return self.sections[-1]

    def html(self) -> str:
        """Return the whole page."""
        from jinja2 import Environment
        from markupsafe import Markup

        template = Environment(autoescape=True, finalize=_shown).from_string(web_text("report.html"))
        kept = [section for section in self.sections if section.blocks]
        plotted = any(block["kind"] == "charts" for section in kept for block in section.blocks)
        return template.render(
            page=Page(self.title, self.subtitle, kept),
            style=Markup(web_text("report.css", "chart.css")),
            script=Markup(web_text("chart.js")) if plotted else "",
        )


def _shown(value: Any) -> Any:
    """What a template puts into the page: texts as they read, pieces of the page as they are."""
    return printable(value) if type(value) is str else value


def drawn(draw: Callable[[Path], Any]) -> str:
    """Return what `draw` writes into a picture as an address that holds the picture itself."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "picture.png"
        draw(path)
        return "data:image/png;base64," + base64.b64encode(path.read_bytes()).decode("ascii")


def word(value: Any) -> str:
    """Return a value as it is read: six digits of numbers, vectors as (x, y, z)."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} = {word(part)}" for name, part in value.items()) or "none"
    if isinstance(value, list | tuple):
        if value and isinstance(value[0], list | tuple):
            return "; ".join(word(row) for row in value)
        words = ", ".join(word(part) for part in value)
        return f"({words})" if value and isinstance(value[0], float) else words or "none"
    return value if isinstance(value, str) else json.dumps(value)
