"""`floatframe life RUN.h5 …`: fatigue damage and life of a flexible body, worst places first."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

import typer

from floatframe.cli.common import (
    Json,
    Verbose,
    asked,
    draw_life,
    life_places,
    progress,
    show_json,
    show_life,
    show_written,
    with_suffix,
)
from floatframe.cli.durability.runs import stressed_body

EXAMPLES = """
floatframe life run.h5 --body rod --curve fkm:steel:500e6
floatframe life run.h5 --body rod --curve own:120e6:2e6:5 --mean goodman:600e6 --measure signed_von_mises
floatframe life empty.h5:1000 loaded.h5:400 --body frame --curve eurocode:80 --save damage.png
"""
_DIGITS = 19  # beyond, a number does not fit into 64 bits


def run_command(
    *,
    files: Annotated[
        list[str], typer.Argument(metavar="RUN[:TIMES]", help="Runs of the load spectrum, each with its repetitions.")
    ],
    curve: Annotated[
        str,
        typer.Option(
            help="S–N curve: eurocode:71[:SAFETY], fkm:steel:500e6[:FACTOR], own:KNEE:CYCLES:SLOPE[:SLOPE2], in Pa."
        ),
    ],
    body: Annotated[str, typer.Option(metavar="NAME", help="The flexible body, if there are several.")] = "",
    mean: Annotated[
        str | None,
        typer.Option(
            help="Mean stress: none, goodman:R_M, gerber:R_M, swt, fkm:M (default: that of the curve); "
            "not with critical_shear, whose mean does nothing."
        ),
    ] = None,
    measure: Annotated[
        str,
        typer.Option(
            help="Stress that is counted: critical_plane (normal stress), critical_shear, signed_von_mises, xx … zx."
        ),
    ] = "critical_plane",
    nodes: Annotated[str, typer.Option(metavar="NODES", help="Of these nodes only, as 12,13.")] = "",
    top: Annotated[int, typer.Option(min=1, help="How many places are listed.")] = 10,
    save: Annotated[
        Path | None,
        typer.Option("--save", "-o", callback=with_suffix(".png", ".html", ".htm"), help="Picture of the damage."),
    ] = None,
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Count the cycles of stresses in runs (rainflow) and list damage and life (Miner) of a body, worst first."""
    from floatframe import durability

    wanted = _numbers(nodes)
    with asked("--curve"):
        chosen = durability.read_curve(curve)
    with asked("--mean"):
        rule = None if mean is None else durability.read_mean_stress(mean)
    shares = [durability.Share(stressed_body(path, body), times) for path, times in map(_share, files)]
    with progress("counting cycles"):
        found = durability.life_table(shares, chosen, rule, measure, wanted)
    how = f"{measure.replace('_', ' ')}, {'with' if found.corrected else 'without'} static correction"
    title = f"life of '{found.body}', {chosen.name}, {how}, spectrum of {found.duration:g} s"
    if save is not None:
        with progress(f"drawing {save.name}"):
            draw_life(found, shares[0].found.body, save, f"damage of '{found.body}', {chosen.name}")
    if as_json:
        content = {"body": found.body, "curve": chosen.name, "measure": measure, "duration_s": found.duration}
        content["static_correction"] = found.corrected
        places = {"place_count": len(found.node), "places": life_places(found, top)}
        show_json("floatframe-life/1", {**content, **places, "written": [] if save is None else [str(save)]})
        return
    show_life(found, top, title)
    show_written([] if save is None else [str(save)])


def _share(text: str) -> tuple[Path, float]:
    """Return the file and the repetitions of "run.h5:1000"."""
    name, _, times = text.rpartition(":")
    try:
        path, count = (Path(name), float(times)) if name else (Path(text), 1.0)
    except ValueError:
        path, count = Path(text), 1.0
    if not path.is_file():
        raise typer.BadParameter(f"run '{path}' does not exist")
    if not 0.0 < count < math.inf:
        raise typer.BadParameter(f"'{text}': the repetitions of a run must be a positive number")
    return path, count


def _numbers(text: str) -> list[int] | None:
    """The nodes of "12,13"; None for all."""
    words = [word.strip() for word in text.split(",")] if text else []
    if not all(word.isdecimal() and len(word) < _DIGITS for word in words):
        raise typer.BadParameter(f"--nodes: '{text}' must be numbers of nodes, e.g. 12,13")
    return [int(word) for word in words] or None
