"""Descriptions of models, bodies and runs as rows and tables that pages show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from floatframe.viewer import for_people, says_nothing

MOST_ROWS = 200  # of a table
_ROUNDING = 1e-14  # share of the largest number of a list or matrix below which others are what rounding left of zero


def facts(description: Mapping[str, Any], leave_out: tuple[str, ...] = ()) -> list[dict[str, str]]:
    """Return what a description says as rows of a name and a text; lists of records are counted."""
    kept = {key: value for key, value in description.items() if key not in leave_out and not says_nothing(value)}
    return [{"name": str(key), "text": words(value)} for key, value in for_people(kept).items()]


def _tables(description: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the lists of records in a description as tables: a title, headers and rows of texts."""
    found = []
    for title, records in for_people(dict(description)).items():
        if not _is_table(records):
            continue
        columns = [name for name in records[0] if not all(says_nothing(row.get(name)) for row in records)]
        rows = [[words(row.get(name)) for name in columns] for row in records[:MOST_ROWS]]
        found.append({"title": str(title), "headers": [str(name) for name in columns], "rows": rows})
    return found


def facts_and_tables(description: Mapping[str, Any]) -> tuple[list[dict[str, str]], list[dict[str, Any]]]:
    """Return a description as rows of a name and a text, and its lists of records as tables."""
    lists = tuple(key for key, value in description.items() if _is_table(value))
    return facts(description, lists), _tables(description)


def _is_table(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, Mapping) for row in value)


def words(value: Any) -> str:
    """Return a value in one line."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.5g}"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {words(part)}" for name, part in value.items() if not says_nothing(part))
    if isinstance(value, list | tuple):
        if value and isinstance(value[0], Mapping):
            return "; ".join(words(part) for part in value[:20])
        parts = _without_rounding(value)
        return ("; " if any(isinstance(part, str | list) for part in value) else "  ").join(map(words, parts))
    return str(value)


def _without_rounding(values: Any) -> Any:
    """Return numbers, or lists of them, with zero for those that are nothing beside the largest."""
    try:
        found = np.array(values)
    except ValueError:  # not of one length
        return values
    if found.dtype.kind != "f" or not np.isfinite(found).all():
        return values
    return np.where(np.abs(found) > _ROUNDING * np.abs(found).max(initial=0.0), found, 0.0).tolist()


def size_words(size: float) -> str:
    """Return a size in bytes as people read it."""
    for unit in ("B", "kB", "MB"):
        if size < 1000:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} GB"
