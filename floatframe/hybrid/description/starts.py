"""States that a run may begin from, by name."""

from __future__ import annotations

from enum import StrEnum


class Start(StrEnum):
    """Where a run begins: as the bodies are described, in static equilibrium, or in steady motion."""

    start = "start"
    equilibrium = "equilibrium"
    steady = "steady"
