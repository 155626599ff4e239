"""What the commands do with networks of elements: `simulate`, `info`, `equilibrium`, `linear`, `sweep` and `view`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from floatframe.cli.common import asked, complain, console, given_parameters, progress, show_json, table

if TYPE_CHECKING:
    from floatframe.hybrid import Progress, Results
    from floatframe.network import NetworkFile


MOST_JUDGED = 500  # unknowns, up to which an operating point is linearised


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
    from floatframe.network import doubtful_connections

    network = read_network_file(file, values)
    if given.pop("solver", None):
        raise typer.BadParameter("--solver applies to machines; networks have one")
    if "t_end" not in network.simulate and given.get("t_end") is None:
        raise typer.BadParameter(f"{file.name} has no t_end in [simulate]; give --t-end")
    if any(value is not None for value in given.values()):
        with asked():
            settings = network.settings(**given)
    else:
        settings = network.settings()
    system, record = network.compile(), network.record()
    for doubt in doubtful_connections(network):
        complain(doubt)
    with network.placed():
        return system.simulate(settings=settings, record=record, path=output, resume=resume, progress=show)


def network_description(file: Path) -> dict[str, Any]:
    """What `info` says of a network file."""
    from floatframe.network import describe_network_file

    network = read_network_file(file, None)
    network.settings()  # refuses those that no run can have
    return describe_network_file(network, network.compile())


def holds_network(file: Path) -> bool:
    """Whether a file holds a network, or a run of one."""
    from floatframe import io
    from floatframe.network import is_network_file, is_network_text

    if is_network_file(file) or file.suffix.lower() not in (".h5", ".hdf5"):
        return is_network_file(file)
    return io.format_of(file).holds is io.ResultFile and is_network_text(io.read(file).meta.model)


def draw_network(file: Path, save: Path | None, title: str) -> Path:
    """Draw the graph of a network, or of the network of a run, into a picture."""
    from floatframe import io, viewer
    from floatframe.network import is_network_file, network_of

    if save is None or save.suffix.lower() != ".png":
        raise typer.BadParameter(f"the graph of network '{file}' is drawn into a picture; give --save network.png")
    if is_network_file(file):
        network = read_network_file(file, None)
    else:
        network = network_of(io.read(file).meta.model.encode(), file)
    return viewer.plot_network(network.network, save, title)


def show_network_modes(file: Path, values: list[str] | None, n: int, at_start: bool, as_json: bool) -> None:
    """Print eigenvalues of a network at its operating point or start, the slowest first, each with what moves most."""
    network = read_network_file(file, values)
    system = network.compile()
    with network.placed(), progress(f"modes of {system.n} unknowns"):
        found = system.linearise(None if at_start else system.operating_point())
    modes, at = found.described(n), "start" if at_start else "equilibrium"
    if as_json:
        content = {"name": network.network.name, "at": at, "unknown_count": system.n}
        show_json("floatframe-linear-network/1", {**content, "stable": found.stable, "modes": modes})
        return
    cells = {
        "mode": [str(one["mode"]) for one in modes],
        "eigenvalue [1/s]": [_complex(one["real_per_s"], one["imaginary_per_s"]) for one in modes],
        "frequency [Hz]": [f"{one['frequency_hz']:.6g}" for one in modes],
        "damping [%]": [f"{100.0 * one['damping_ratio']:.3f}" for one in modes],
        "moving most": [", ".join(name for name, share in one["participants"].items() if share > 0.1) for one in modes],
    }
    console().print(table(f"{network.network.name}: {system.n} unknowns, at {at}", cells))
    if growing := int(found.unstable[n:].sum()):
        complain(f"unstable by {growing} of the modes beyond these {n}; a larger -n shows them")


def show_operating_point(file: Path, values: list[str] | None, as_json: bool) -> None:
    """Print the steady state of a network: all channels, and whether it is stable."""
    network = read_network_file(file, values)
    system = network.compile()
    with network.placed(), progress("operating point"):
        found = system.operating_point()
        stable = None if system.n > MOST_JUDGED else system.linearise(found).stable
    channels, numbers = found.values()
    rows, first = [], 0
    for channel in channels:
        for name in channel.columns:
            rows.append({"channel": name, "unit": channel.unit, "value": float(numbers[first])})
            first += 1
    if as_json:
        content = {"name": network.network.name, "unknown_count": system.n, "stable": stable, "channels": rows}
        show_json("floatframe-equilibrium-network/1", content)
        return
    cells = {
        "channel": [str(row["channel"]) for row in rows],
        "value": [f"{row['value']:.6g}" for row in rows],
        "unit": [str(row["unit"]) for row in rows],
    }
    console().print(table(f"{network.network.name}: operating point", cells))
    if stable is False:
        complain("the operating point is unstable: what is beside it moves away; `floatframe linear` shows the modes")
    elif stable is None:
        complain(f"whether the operating point is stable is not judged for more than {MOST_JUDGED} unknowns")


def _complex(real: float, imaginary: float) -> str:
    return f"{real:.6g}" if imaginary == 0.0 else f"{real:.6g} ± {imaginary:.6g}i"
