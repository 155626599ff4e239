"""Options that say which wheel is on which rail."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from floatframe.cli.common import asked, finite, positive

if TYPE_CHECKING:
    from floatframe.railway import ContactSettings, Profile, WheelOnRail


@dataclass(frozen=True)
class PairOptions:
    """A wheel, a rail, and where they are."""

    wheel: Annotated[
        str,
        typer.Option(metavar="NAME|FILE", help="S1002, EN15302-A, -B, -H, -I, cone:SLOPE, or a file .prw, .whl, .csv."),
    ] = "S1002"
    rail: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="60E1, UIC60, EN15302-A, arc:RADIUS, or a file .prr, .ban, .csv.")
    ] = "60E1"
    inclination: Annotated[
        float | None,
        typer.Option(
            callback=finite,
            help="Slope by which the rail leans inward (default: 0.025 for 60E1, none for rails of files).",
        ),
    ] = None
    gauge: Annotated[float, typer.Option(callback=positive, help="14 mm below the top of the rails [m].")] = 1.435
    back_to_back: Annotated[
        float,
        typer.Option("--back-to-back", "--flange-back", callback=positive, help="Distance of the wheels' backs [m]."),
    ] = 1.36
    radius: Annotated[float, typer.Option(callback=positive, help="Of the nominal rolling circle [m].")] = 0.46
    smooth: Annotated[
        float | None,
        typer.Option(callback=positive, help="Deviation of measuring errors to smooth out of profiles of files [m]."),
    ] = None

    def pair(self, settings: ContactSettings | None = None) -> WheelOnRail:
        """Return the wheel on the rail."""
        from floatframe import railway

        with asked():
            return railway.WheelOnRail(
                self._profile(self.wheel, "wheel"),
                self._profile(self.rail, "rail"),
                radius=self.radius,
                gauge=self.gauge,
                back_to_back=self.back_to_back,
                settings=settings or railway.ContactSettings(),
            )

    def _profile(self, name: str, kind: str) -> Profile:
        from floatframe import railway

        path = Path(name)
        if path.suffix and ":" not in name and not path.is_file():
            raise typer.BadParameter(f"file '{name}' does not exist", param_hint=f"--{kind}")
        found = railway.profile(name, kind, inclination=self.inclination)
        return found.smoothed(self.smooth) if self.smooth and path.is_file() else found
