"""Small pieces of error sentences."""

from __future__ import annotations

from collections.abc import Sequence

from floatframe.arrays import AnyArray


def numbers(values: AnyArray | Sequence[int], most: int = 8) -> str:
    """Return e.g. "3, 7, 9 and 120 more"."""
    shown = ", ".join(str(value) for value in values[:most])
    return shown + (f" and {len(values) - most} more" if len(values) > most else "")


def listed(noun: str, values: AnyArray | Sequence[int]) -> str:
    """Return e.g. "nodes 3, 7, 9 and 120 more"."""
    return f"{noun}{'s' if len(values) > 1 else ''} {numbers(values)}"
