"""The part of `floatframe assess` that is about sweeps over speed: root loci and limit cycles."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from floatframe.cli.common import (
    asked,
    complain,
    console,
    crossings_as_json,
    positive,
    roots_of,
    show_crossings,
    show_json,
    show_written,
    table,
)

if TYPE_CHECKING:
    from floatframe.arrays import AnyArray, Array
    from floatframe.io import SweepResult


@dataclass(frozen=True)
class SweepChoice:
    """What of a sweep is looked at."""

    over: Annotated[str | None, typer.Option(metavar="NAME", help="Sweep: its speed (default: first parameter).")] = (
        None
    )
    amplitude: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="Sweep of runs: axle.position.y (half of max less min), or axle.y:std."),
    ] = None
    least: Annotated[
        float | None,
        typer.Option(callback=positive, help="Sweep of runs: smaller amplitudes count as rest (default: a tenth)."),
    ] = None

    @property
    def given(self) -> list[str]:
        """The names of the options that are given."""
        options = {"over": self.over, "amplitude": self.amplitude, "least": self.least}
        return [name for name, value in options.items() if value is not None]


def assess_sweep(file: Path, chosen: SweepChoice, output: Path | None, as_json: bool) -> None:
    """Find the critical speeds in a sweep, draw and print them."""
    from floatframe import io

    result: SweepResult = io.read(file)
    over = chosen.over or next(iter(result.parameters), "")
    if over not in result.parameters:
        raise typer.BadParameter(f"--over: '{over}' does not vary here; {', '.join(result.parameters)} do")
    if result.study not in ("linear", "simulate"):
        raise typer.BadParameter(f"'{file.name}' holds a sweep of study '{result.study}', expected linear or simulate")
    with asked():
        if result.study == "linear":
            _assess_roots(file, result, over, output, as_json)
        else:
            _assess_cycles(file, result, over, chosen, output, as_json)
    if output is not None and not as_json:
        show_written([str(output)])


def _assess_roots(file: Path, result: SweepResult, over: str, output: Path | None, as_json: bool) -> None:
    from floatframe import railway, viewer

    if len(result.parameters) > 1:
        raise typer.BadParameter(f"a linear sweep is assessed over one parameter, found {', '.join(result.parameters)}")
    speed, roots = _roots(result, over)
    found = railway.root_locus(speed, roots)
    hidden = [value for value, grows in zip(speed, _grows_unseen(result, over), strict=True) if grows]
    if hidden:
        complain(f"at {over} = {hidden[0]:g} a mode grows that the sweep did not keep; sweep again with a larger -n")
    if output is not None:
        viewer.plot_root_locus(found, output, over, file.name)
    if as_json:
        content = {"file": str(file), "study": "linear", "over": over, **crossings_as_json(found)}
        show_json("floatframe-assess/1", {**content, "written": [] if output is None else [str(output)]})
        return
    show_crossings(found, over, file.name)


def _roots(result: SweepResult, over: str) -> tuple[Array, AnyArray]:
    """Return rising speeds (n,) and roots (n, nroot) [1/s] with imaginary parts that are not negative."""
    import numpy as np

    speed = np.array(result.parameters[over])
    order = np.argsort(speed)
    return speed[order], roots_of(result.frequency[order], result.damping[order])


def _grows_unseen(result: SweepResult, over: str) -> list[bool]:
    """Whether the sweep says of a point, by rising speed, that it is unstable, and keeps no mode that grows."""
    import numpy as np

    order = np.argsort(np.array(result.parameters[over]))
    kept = np.asarray((np.nan_to_num(result.damping, nan=0.0) < 0.0).any(axis=1))
    return [result.sentences[k].startswith("unstable") and not kept[k] for k in order]


def _assess_cycles(
    file: Path, result: SweepResult, over: str, chosen: SweepChoice, output: Path | None, as_json: bool
) -> None:
    import numpy as np

    from floatframe import railway, viewer

    if chosen.amplitude is None:
        raise typer.BadParameter("--amplitude names the column of a sweep of runs, such as axle.position.y")
    others = [name for name in result.parameters if name != over]
    if len(others) > 1:
        raise typer.BadParameter(f"a sweep of runs varies {over} and one disturbance, found {', '.join(others)}")
    branches = [result]
    if others:
        values = result.parameters[others[0]]
        branches = [result.where({others[0]: value}) for value in dict.fromkeys((min(values), max(values)))]
    rising, falling = (_amplitude(branches[k], chosen.amplitude) for k in (0, -1))
    speed = np.array(result.parameters[over])
    found = railway.limit_cycles(speed, rising, falling if len(branches) > 1 else None, chosen.least)
    if output is not None:
        viewer.plot_limit_cycles(found, output, over, chosen.amplitude, file.name)
    if as_json:
        content = {
            "file": str(file),
            "study": "simulate",
            "over": over,
            "starts": found.starts,
            "lowest": found.lowest,
            "least": found.least,
            "speed": found.speed.tolist(),
            "rising": found.rising.tolist(),
            "falling": found.falling.tolist(),
        }
        show_json("floatframe-assess/1", {**content, "written": [] if output is None else [str(output)]})
        return
    columns = {
        over: [f"{one:.5g}" for one in found.speed],
        "small disturbance": [f"{one:.4g}" for one in found.rising],
        "large disturbance": ["-" if np.isnan(one) else f"{one:.4g}" for one in found.falling],
    }
    console().print(table(f"{file.name}: amplitude of {chosen.amplitude}", columns))
    for words, first in (("limit cycles exist from", found.lowest), ("small disturbances grow from", found.starts)):
        console().print(f"{words} {over} = {first:g}" if first is not None else f"{words} no {over} here", markup=False)


def _amplitude(result: SweepResult, column: str) -> Array:
    """Return amplitudes (n,): a column as it is, or half of the range of a channel."""
    if ":" in column:
        return result[column].ravel()
    return 0.5 * (result[f"{column}:max"] - result[f"{column}:min"]).ravel()
