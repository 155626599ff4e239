"""Inputs and outputs by name and unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from floatframe.errors import ModelError
from floatframe.wording import did_you_mean

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


def number_of(ports: Sequence[Port], name: str, what: str) -> int:
    """Return the place of an input or output by its name; what: "input" or "output"."""
    names = [port.name for port in ports]
    if name not in names:
        raise ModelError(f"response: {what} '{name}' was not asked for{did_you_mean(name, names)}", missing=name)
    return names.index(name)
