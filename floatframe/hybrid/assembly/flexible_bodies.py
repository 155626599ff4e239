"""Flexible bodies of a system by name."""

from __future__ import annotations

from typing import Any

from floatframe.errors import ModelError
from floatframe.hybrid.assembly.compiled_system import CompiledSystem
from floatframe.hybrid.compile import flexible_part
from floatframe.modal import ReducedBody


def flexible_body(system: CompiledSystem, name: str, who: str) -> tuple[ReducedBody, Any]:
    """Return a flexible body of a system and its record in the tables; who: opens the error where there is none."""
    numbers = {system.model.bodies[number].name: number for number in system.index.flexible_of}
    if name not in numbers:
        known = ", ".join(numbers) or "none"
        raise ModelError(f"{who}: flexible body '{name}' does not exist; flexible bodies: {known}")
    number = numbers[name]
    return flexible_part(system.model.bodies[number]), system.tables.flexible[system.index.flexible_of[number]]
