"""Inputs and outputs by name and unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

ORDERS = ("", ".rate", ".acceleration")  # what is behind the name of a prescribed motion


@dataclass(frozen=True)
class Port:
    """An input or output: its name as the user gave it, and its unit."""

    name: str
    unit: str = ""

    def per(self, other: Port) -> str:
        """Return the unit of this output per unit of an input."""
        if not other.unit:
            return self.unit
        if self.unit == other.unit:
            return ""
        below = f"({other.unit})" if any(sign in other.unit for sign in " /") else other.unit
        return f"{self.unit or 1}/{below}"


def listed(names: Sequence[str] | str) -> list[str]:
    """Return names as a list, also if there is only one."""
    return [names] if isinstance(names, str) else list(names)
