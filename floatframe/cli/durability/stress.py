"""`floatframe stress RUN.h5`: where the stresses of a flexible body are largest in a run, and when."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from floatframe.cli.common import Json, Verbose, asked, console, progress, show_json, show_written, table, with_suffix
from floatframe.cli.durability.runs import stressed_body

EXAMPLES = """
floatframe stress run.h5 --body rod
floatframe stress run.h5 --body frame --top 5 --apart 0.2 --json
floatframe stress run.h5 --body frame --time 0.35 --save moment.png
"""


def run_command(
    *,
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A run.")],
    body: Annotated[str, typer.Option(metavar="NAME", help="The flexible body, if there are several.")] = "",
    top: Annotated[int, typer.Option(min=1, help="How many hot spots.")] = 10,
    apart: Annotated[float, typer.Option(min=0.0, help="Least distance between hot spots [m].")] = 0.0,
    time: Annotated[float | None, typer.Option(metavar="S", help="Of this moment only [s].")] = None,
    save: Annotated[
        Path | None,
        typer.Option("--save", "-o", callback=with_suffix(".png", ".html", ".htm"), help="Picture of these stresses."),
    ] = None,
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """List the hot spots of a body: nodes with the largest von Mises stresses of a run, or of one moment of it."""
    from floatframe import durability, viewer

    found = stressed_body(file, body)
    with asked():
        seen = found if time is None else found.at(time)
        spots = durability.hot_spots(seen, top, apart)
    when = "largest of the run" if time is None else f"at {seen.t[0]:g} s"
    if save is not None:
        with progress(f"drawing {save.name}"):
            peaks = durability.peak_hold(seen)
            legend, title = "von Mises stress [Pa]", f"stresses of '{found.name}', {when}"
            values = peaks.node, peaks.value
            scene = viewer.scene_of(found.body, values=values, legend=legend, title=title)
            viewer.save(scene, save, mode=1)
    written = [] if save is None else [str(save)]
    if as_json:
        rows = [
            {"node": s.node, "von_mises_pa": s.value, "time_s": s.time, "position_m": list(s.position)} for s in spots
        ]
        content = {"file": str(file), "body": found.name, "static_correction": found.corrected, "hot_spots": rows}
        show_json("floatframe-stress/1", {**content, "written": written})
        return
    columns = {
        "node": [str(s.node) for s in spots],
        "von Mises [MPa]": [f"{s.value / 1e6:.4g}" for s in spots],
        "time [s]": [f"{s.time:.6g}" for s in spots],
        "x y z [m]": [" ".join(f"{x:.4g}" for x in s.position) for s in spots],
    }
    how = "with" if found.corrected else "without"
    console().print(table(f"hot spots of '{found.name}', {how} static correction, {when}", columns))
    show_written(written)
