"""What the commands do with networks of elements: `simulate`, `info`, `linear` and `view`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from floatframe.cli.common import asked, console, given_parameters, show_json, table

if TYPE_CHECKING:
    from floatframe.hybrid import Progress, Results
    from floatframe.network import NetworkFile


def read_network_file(file: Path, values: list[str] | None) -> NetworkFile:
    """Return a network file with parameters as the command line sets them."""
    from floatframe.network import read_network

    network = read_network(file, given_parameters(values))
    if values:
        with asked():
            network.network.resolved(network.parameters)
    return network


def simulate_network(
    file: Path,
    output: Path,
    values: list[str] | None,
    given: dict[str, Any],
    resume: bool,
    show: Callable[[Progress], None] | None,
) -> Results:
    """Simulate a network file; given: settings of the command line."""
    network = read_network_file(file, values)
    if given.pop("from", None):
        raise typer.BadParameter("--from applies to machines; networks begin from the start of their nodes")
    if "t_end" not in network.simulate and given.get("t_end") is None:
        raise typer.BadParameter(f"{file.name} has no t_end in [simulate]; give --t-end")
    if any(value is not None for value in given.values()):
        with asked():
            settings = network.settings(**given)
    else:
        settings = network.settings()
    system, record = network.compile(), network.record()
    with network.placed():
        return system.simulate(settings=settings, record=record, path=output, resume=resume, progress=show)


def network_description(file: Path) -> dict[str, Any]:
    """What `info` says of a network file."""
    from floatframe.network import describe_network_file

    network = read_network_file(file, None)
    return describe_network_file(network, network.compile())


def draw_network(file: Path, save: Path | None, title: str) -> Path:
    """Draw the graph of a network into a picture."""
    from floatframe import viewer

    if save is None or save.suffix.lower() != ".png":
        raise typer.BadParameter(f"the graph of network '{file}' is drawn into a picture; give --save network.png")
    return viewer.plot_network(read_network_file(file, None).network, save, title)


def show_network_modes(file: Path, values: list[str] | None, n: int, as_json: bool) -> None:
    """Print eigenvalues of a network at its start, the slowest first, each with what moves most."""
    network = read_network_file(file, values)
    system = network.compile()
    with network.placed():
        found = system.linearise()
    modes = found.described(n)
    if as_json:
        content = {"name": network.network.name, "at": "start", "unknown_count": system.n}
        show_json("floatframe-linear-network/1", {**content, "stable": found.stable, "modes": modes})
        return
    cells = {
        "mode": [str(one["mode"]) for one in modes],
        "eigenvalue [1/s]": [_complex(one["real_per_s"], one["imaginary_per_s"]) for one in modes],
        "frequency [Hz]": [f"{one['frequency_hz']:.6g}" for one in modes],
        "damping [%]": [f"{100.0 * one['damping_ratio']:.3f}" for one in modes],
        "moving most": [", ".join(name for name, share in one["participants"].items() if share > 0.1) for one in modes],
    }
    console().print(table(f"{network.network.name}: {system.n} unknowns, at start", cells))


def _complex(real: float, imaginary: float) -> str:
    return f"{real:.6g}" if imaginary == 0.0 else f"{real:.6g} ± {imaginary:.6g}i"
