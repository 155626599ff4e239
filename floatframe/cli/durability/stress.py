"""`floatframe stress RUN.h5`: where the stresses of a flexible body are largest in a run, and when."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from floatframe.cli.common import Json, Verbose, asked, console, show_json, table
from floatframe.cli.durability.runs import stressed_body

EXAMPLES = """
floatframe stress run.h5 --body rod
floatframe stress run.h5 --body frame --top 5 --apart 0.2 --json
floatframe stress run.h5 --body frame --time 0.35
"""


def run_command(
    *,
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A run.")],
    body: Annotated[str, typer.Option(metavar="NAME", help="The flexible body, if there are several.")] = "",
    top: Annotated[int, typer.Option(min=1, help="How many hot spots.")] = 10,
    apart: Annotated[float, typer.Option(min=0.0, help="Least distance between hot spots [m].")] = 0.0,
    time: Annotated[float | None, typer.Option(metavar="S", help="Of this moment only [s].")] = None,
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """List the hot spots of a body: nodes with the largest von Mises stresses of a run, or of one moment of it."""
    from floatframe import durability

    found = stressed_body(file, body)
    with asked():
        spots = durability.hot_spots(found if time is None else found.at(time), top, apart)
    if as_json:
        rows = [
            {"node": s.node, "von_mises_pa": s.value, "time_s": s.time, "position_m": list(s.position)} for s in spots
        ]
        content = {"file": str(file), "body": found.name, "static_correction": found.corrected, "hot_spots": rows}
        show_json("floatframe-stress/1", content)
        return
    columns = {
        "node": [str(s.node) for s in spots],
        "von Mises [MPa]": [f"{s.value / 1e6:.4g}" for s in spots],
        "time [s]": [f"{s.time:.6g}" for s in spots],
        "x y z [m]": [" ".join(f"{x:.4g}" for x in s.position) for s in spots],
    }
    how = "with" if found.corrected else "without"
    console().print(table(f"hot spots of '{found.name}', {how} static correction", columns))
