"""What the studies of samples share: conclusions beside published ones, and tables as text for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

Records: TypeAlias = Sequence[Mapping[str, Any]]
WIDEST = 150  # characters in a line


@dataclass(frozen=True)
class Finding:
    """A conclusion of Mikheev (2004), its figures, ours, and whether ours agree."""

    conclusion: str
    published: str
    ours: str
    agrees: bool


def conclusions(findings: Iterable[Finding]) -> Records:
    """Return the conclusions beside ours as a table."""
    return [
        {
            "conclusion of Mikheev": one.conclusion,
            "published": one.published,
            "ours": one.ours,
            "agrees": "yes" if one.agrees else "no",
        }
        for one in findings
    ]


def printed_tables(tables: Mapping[str, Records]) -> str:
    """Return tables by caption as text; empty ones are left out."""
    return "\n\n".join(_text(caption, records) for caption, records in tables.items() if records)


def _text(caption: str, records: Records) -> str:
    """Return a table as lines; sentences are put below each other."""
    headings = list(dict.fromkeys(heading for record in records for heading in record))
    rows = [[str(record.get(heading, "")) for heading in headings] for record in records]
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    if sum(widths) > WIDEST:
        blocks = ["\n".join(f"  {h}: {cell}" for h, cell in zip(headings, row, strict=True)) for row in rows]
        return "\n".join([caption, *blocks])
    texts = [all(isinstance(record.get(heading), str) for record in records) for heading in headings]
    lines = [
        "  ".join(f"{cell:{'<' if is_text else '>'}{w}}" for cell, w, is_text in zip(row, widths, texts, strict=True))
        for row in (headings, *rows)
    ]
    return "\n".join([caption, *lines])
