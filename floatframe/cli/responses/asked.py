"""What commands of responses ask for: inputs, outputs, a band, the state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from floatframe.cli.common import span_of
from floatframe.hybrid import Start

if TYPE_CHECKING:
    from floatframe.hybrid import State, System

Inputs = Annotated[
    list[str] | None,
    typer.Option(
        "--input",
        metavar="NAME",
        help="What drives the model, repeat it for more: a force element, a prescribed motion (or its .rate or "
        ".acceleration), a signal, a parameter, ground.acceleration.x.",
    ),
]
Outputs = Annotated[
    list[str] | None,
    typer.Option(
        "--output",
        metavar="CHANNEL",
        help="What is measured, repeat it for more: a channel, a component or an expression of components.",
    ),
]
At = Annotated[
    Start | None,
    typer.Option(
        "--at", help="State about which motions are small (default: equilibrium, with wheels on a track steady)."
    ),
]


@dataclass(frozen=True)
class Band:
    """Which frequencies are looked at."""

    band: Annotated[str, typer.Option(metavar="FIRST:LAST", help="Lowest and highest frequency [Hz]: 0.1:200.")] = ""
    points: Annotated[
        int, typer.Option(min=2, help="Frequencies in the band; resonances get some more of their own.")
    ] = 400
    evenly: Annotated[bool, typer.Option("--evenly", help="Equal steps instead of equal ratios.")] = False

    @property
    def ends(self) -> tuple[float, float]:
        """The two ends of the band [Hz]."""
        if not self.band:
            raise typer.BadParameter("--band: the lowest and highest frequency are needed, e.g. --band 0.1:200")
        return span_of(self.band)


def required(names: list[str] | None, option: str, system: System) -> list[str]:
    """The names that an option gives; without any the possible ones are listed."""
    if names:
        return names
    from floatframe.hybrid import input_names

    known = f"; inputs of this model: {', '.join(input_names(system))}" if option == "--input" else ""
    raise typer.BadParameter(f"{option} is missing{known}")


def found_state(system: System, at: Start | None) -> State:
    """The state that `--at` asks for."""
    from floatframe.hybrid import state_at

    return state_at(system, None if at is None else at.value)
