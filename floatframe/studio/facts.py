"""Descriptions of models, bodies and runs as rows and tables that pages show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from floatframe.viewer import for_people, says_nothing

MOST_ROWS = 200  # of a table


def facts(description: Mapping[str, Any], leave_out: tuple[str, ...] = ()) -> list[dict[str, str]]:
    """Return what a description says as rows of a name and a text; lists of records are counted."""
    kept = {key: value for key, value in description.items() if key not in leave_out and not says_nothing(value)}
    return [{"name": str(key), "text": words(value)} for key, value in for_people(kept).items()]


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
        return ("; " if any(isinstance(part, str | list) for part in value) else "  ").join(map(words, value))
    return str(value)


def size_words(size: float) -> str:
    """Return a size in bytes as people read it."""
    for unit in ("B", "kB", "MB"):
        if size < 1000:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} GB"
