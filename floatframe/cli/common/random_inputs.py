"""Random inputs as commands take them: densities, coherences, delays."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from floatframe.cli.common.terminal import asked

if TYPE_CHECKING:
    from floatframe.arrays import Array

ROAD = "iso8608:"


@dataclass(frozen=True)
class RandomInputs:
    """Random inputs and what they have in common."""

    psd: Annotated[
        list[str] | None,
        typer.Option(
            metavar="INPUT=DENSITY",
            help="One-sided density of an input [unit²/Hz], repeat it for more: a number, a CSV file of frequencies "
            "[Hz] and values, which is a line in logarithms and zero outside, or a road as iso8608:C:20, by class "
            "and speed [m/s].",
        ),
    ] = None
    coherence: Annotated[
        list[str] | None,
        typer.Option(metavar="ONE,OTHER=VALUE", help="Coherence of two inputs, 0 … 1 (default: 0, independent)."),
    ] = None
    delay: Annotated[
        list[str] | None,
        typer.Option(metavar="INPUT=SECONDS", help="By how much an input comes later than the others [s]."),
    ] = None

    @property
    def densities(self) -> dict[str, float | tuple[Array, Array]]:
        """Densities by input."""
        return {name: _density(text) for name, text in _pairs(self.psd, "--psd", "road=1e-6").items()}

    @property
    def coherences(self) -> dict[tuple[str, str], float]:
        """Coherences by two inputs."""
        pairs = _pairs(self.coherence, "--coherence", "left,right=0.6")
        return {_two(name): _number(text, "--coherence") for name, text in pairs.items()}

    @property
    def delays(self) -> dict[str, float]:
        """Delays [s] by input."""
        return {name: _number(text, "--delay") for name, text in _pairs(self.delay, "--delay").items()}


def _pairs(texts: list[str] | None, option: str, example: str = "rear=0.1") -> dict[str, str]:
    """Names and values of NAME=VALUE."""
    found = {}
    for text in texts or []:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not (name and equals and value):
            raise typer.BadParameter(f"{option}: '{text}' must have the form NAME=VALUE, e.g. {example}")
        if name in found:
            raise typer.BadParameter(f"{option}: '{name}' is given twice; leave one of them out")
        found[name] = value
    return found


def _number(text: str, option: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise typer.BadParameter(f"{option}: '{text}' must be a number") from None


def _two(text: str) -> tuple[str, str]:
    names = [part.strip() for part in text.split(",")]
    if len(names) != 2 or not all(names):
        raise typer.BadParameter(f"--coherence: '{text}' must be two inputs, e.g. left,right=0.6")
    return names[0], names[1]


def _road(text: str) -> tuple[Array, Array]:
    """The density of "iso8608:CLASS:SPEED", a straight line in logarithms over the waves of the standard."""
    import numpy as np

    from floatframe.signals import ROAD_WAVES, road_density

    grade, colon, speed = text.removeprefix(ROAD).partition(":")
    v = _number(speed, "--psd") if colon else 0.0
    if not 0.0 < v < np.inf:
        raise typer.BadParameter(f"--psd: '{text}' must have the form {ROAD}CLASS:SPEED, such as {ROAD}C:20")
    waves = np.array(ROAD_WAVES)
    with asked("--psd"):
        return v * waves, road_density(grade, waves) / v


def _density(text: str) -> float | tuple[Array, Array]:
    """A density as a number, from a file of two columns, or that of a road under a wheel."""
    if text.startswith(ROAD):
        return _road(text)
    path = Path(text)
    if path.suffix.lower() not in (".csv", ".txt", ".dat"):
        return _number(text, "--psd")
    import numpy as np

    from floatframe.hybrid import read_table

    with asked("--psd"):
        found = read_table(path)
    return np.asarray(found.x, dtype=float), np.asarray(found.y, dtype=float)
