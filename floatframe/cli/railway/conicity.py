"""`floatframe conicity`: rolling radii, contact angles and equivalent conicity of a wheelset on a track."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from floatframe.cli.common import Json, Picture, Verbose, console, positive, show_json, show_written, table
from floatframe.cli.railway.pair_options import PairOptions

if TYPE_CHECKING:
    from floatframe.railway import Conicity

EXAMPLES = """
floatframe conicity --wheel S1002 --rail 60E1
floatframe conicity --wheel worn.whl --rail 60E1 --gauge 1.437 -o conicity.png
floatframe conicity --wheel EN15302-A --left-wheel EN15302-B --rail EN15302-A --gauge 1.43516 --json
"""


@dataclass(frozen=True)
class LeftOptions:
    """The left wheel and rail, where they differ from the right ones."""

    left_wheel: Annotated[
        str | None, typer.Option(metavar="NAME|FILE", help="Left wheel (default: as the right one).")
    ] = None
    left_rail: Annotated[
        str | None, typer.Option(metavar="NAME|FILE", help="Left rail (default: as the right one).")
    ] = None
    left_radius: Annotated[
        float | None, typer.Option(callback=positive, help="Of the left wheel [m] (default: as the right one).")
    ] = None

    def instead_of(self, right: PairOptions) -> PairOptions:
        """Return the options of the left side."""
        return replace(
            right,
            wheel=self.left_wheel or right.wheel,
            rail=self.left_rail or right.rail,
            radius=self.left_radius or right.radius,
        )


def run_command(
    *,
    given: PairOptions,
    left: LeftOptions,
    amplitude: Annotated[
        float, typer.Option(min=1e-4, max=0.1, help="Largest amplitude of the wheelset's motion [m].")
    ] = 7e-3,
    rolls: Annotated[
        bool, typer.Option("--rolls", help="Let the wheelset lean with its shift; EN 15302 keeps it level.")
    ] = False,
    output: Picture = None,
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Compute the equivalent conicity of a wheelset on a track over the amplitude of its motion, after EN 15302.

    The rolling radii follow from the contact of rigid profiles at lateral shifts every 0.1 mm.
    """
    import numpy as np

    from floatframe import railway, viewer

    right, other = given.pair(), left.instead_of(given).pair()
    steps = max(1, round(amplitude / 1e-4))
    amplitudes = np.arange(min(10, steps), steps + 1) * 1e-4
    found = railway.equivalent_conicity(right, other, amplitudes=amplitudes, rolls=rolls)
    if output is not None:
        viewer.plot_conicity(found, right, output)
    written = [] if output is None else [str(output)]
    if as_json:
        about = {
            "wheel": given.wheel,
            "rail": given.rail,
            "gauge_m": given.gauge,
            "back_to_back_m": given.back_to_back,
            "radius_m": given.radius,
        }
        show_json("floatframe-conicity/1", {**about, **_content(found), "written": written})
        return
    _show(found, f"{right.wheel.name} on {right.rail.name}")
    show_written(written)


def _content(found: Conicity) -> dict[str, Any]:
    """Return the results as JSON can hold them."""
    geometry = found.geometry
    return {
        "centre_m": found.centre,
        "conicity_at_3_mm": found.at(3e-3),
        "nonlinearity_per_m": found.nonlinearity,
        "amplitude_m": found.amplitude.tolist(),
        "conicity": found.conicity.tolist(),
        "wavelength_m": found.wavelength.tolist(),
        "lateral_m": geometry.lateral.tolist(),
        "radius_difference_m": geometry.radius_difference.tolist(),
        **{
            f"{side}_{name}": column.tolist()
            for side, touches in (("right", geometry.right), ("left", geometry.left))
            for name, column in zip(("radius_m", "on_wheel_m", "on_rail_m", "angle_rad"), touches.T, strict=True)
        },
    }


def _show(found: Conicity, title: str) -> None:
    """Print the conicity at whole millimetres."""
    import numpy as np

    shown = [k for k, one in enumerate(found.amplitude) if abs(one * 1e3 - round(one * 1e3)) < 1e-6]
    shown = shown or [len(found.amplitude) - 1]
    geometry = found.geometry
    difference = np.interp(found.centre + found.amplitude[shown], geometry.lateral, geometry.radius_difference)
    columns = {
        "amplitude [mm]": [f"{1e3 * found.amplitude[k]:g}" for k in shown],
        "equivalent conicity": [f"{found.conicity[k]:.4f}" for k in shown],
        "wavelength [m]": [f"{found.wavelength[k]:.2f}" for k in shown],
        "radius difference [mm]": [f"{1e3 * one:.3f}" for one in difference],
    }
    console().print(table(title, columns))
    if abs(found.centre) > 1e-6:
        side = "right" if found.centre > 0.0 else "left"
        console().print(f"runs {1e3 * abs(found.centre):.2f} mm to the {side} of the middle", markup=False)
