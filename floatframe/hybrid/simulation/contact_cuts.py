"""What contacts did to the steps of a run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ContactCuts:
    """Fixed steps shortened for contacts: how many, for which element last, the shortest [s]; those left too long."""

    count: int = 0
    element: int = 0
    shortest: float = 0.0
    unresolved: int = 0
