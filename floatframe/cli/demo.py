"""`floatframe demo`: the whole path on a sample, checked against theory and published values."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from floatframe.cli.common import Json, Verbose, complain, console, printed_warnings, progress, show_json, table

EXAMPLES = """
floatframe demo
floatframe demo -o somewhere --json
"""


def run_command(
    output: Annotated[Path, typer.Option("-o", "--output", file_okay=False, help="Folder for the results.")] = Path(
        "floatframe-demo"
    ),
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Mesh a beam, check it against theory, reduce it, and run it as the rod of a slider-crank, with pictures."""
    with printed_warnings(output), progress("sample beam") as show:
        from floatframe.samples.demo import run
        from floatframe.samples.slider_crank import study

        outcome = run(output, lambda text: show(0, None, text))
    if outcome.no_picture:
        complain(outcome.no_picture)
    if as_json:
        checks = [
            {"quantity": check.quantity, "unit": check.unit, "theory": check.theory, "computed": check.ours}
            for check in outcome.checks
        ]
        cranks = [
            {
                "rod": model,
                "crank_speed_rad_per_s": outcome.mechanism.speed(model),
                "reference_speed_rad_per_s": study.REFERENCE[model],
                "reactions": [
                    {"joint": joint, "largest_force_n": outcome.mechanism.largest_reaction(model, joint)}
                    for joint in study.JOINTS
                ],
            }
            for model in outcome.mechanism.runs
        ]
        written = [str(path) for path in outcome.files]
        show_json("floatframe-demo/1", {"checks": checks, "slider_crank": cranks, "written": written})
        return
    cells = {
        "quantity": [check.quantity for check in outcome.checks],
        "theory": [f"{check.theory:.6f}" for check in outcome.checks],
        "ours": [f"{check.ours:.6f}" for check in outcome.checks],
        "unit": [check.unit for check in outcome.checks],
        "error": [f"{check.error:+.1e}" for check in outcome.checks],
    }
    out = console()
    out.print(table("beam, 2 m long, 2 cm square, clamped at one end", cells))
    out.print("theory: P L³ / 3 E I, and Euler–Bernoulli without the rotary inertia that the model has\n")
    out.print("slider-crank after 2 s, four models of its rod", markup=False)
    out.print(study.table(outcome.mechanism) + "\n", markup=False, soft_wrap=True)
    for path in outcome.files:
        out.print(f"wrote {path}", soft_wrap=True)
