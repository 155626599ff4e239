"""`floatframe demo`: the main job on a sample, checked against theory."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from floatframe.cli.terminal import Json, Verbose, complain, console, progress, show_json, table

EXAMPLES = "Example: floatframe demo -o somewhere"


def run_command(
    output: Annotated[Path, typer.Option("-o", "--output", help="Folder for the results.")] = Path("floatframe-demo"),
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Mesh the sample beam, bend it, find its modes, compare with theory, draw pictures."""
    with progress("sample beam"):
        from samples import demo

        outcome = demo.run(output)
    if outcome.no_picture:
        complain(outcome.no_picture)
    if as_json:
        checks = [
            {"quantity": check.quantity, "unit": check.unit, "theory": check.theory, "ours": check.ours}
            for check in outcome.checks
        ]
        show_json({"checks": checks, "files": [str(path) for path in outcome.files]})
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
    for path in outcome.files:
        out.print(f"wrote {path}", soft_wrap=True)
