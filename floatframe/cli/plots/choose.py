"""`floatframe choose MODEL.toml`: what each solver of accelerations costs, counted, predicted and measured."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from floatframe.cli.common import (
    Json,
    Set,
    Verbose,
    compiled,
    console,
    positive,
    progress,
    read_model_file,
    show_json,
    show_written,
    table,
    with_suffix,
)

if TYPE_CHECKING:
    from floatframe.equations import SolverCost

EXAMPLES = """
floatframe choose robot.toml
floatframe choose robot.toml -o choices.png --iterations 2
floatframe choose --calibrate
"""


def run_command(
    *,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="MODEL.toml", exists=True, dir_okay=False, help="A model file; may be left out."),
    ] = None,
    values: Set = None,
    calibrate: Annotated[
        bool,
        typer.Option("--calibrate", help="Measure the factors of this computer and keep them in the user's folder."),
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            callback=with_suffix(".png", ".svg", ".pdf"),
            help="Draw which solver is best for chains: their number and length, joints of 1 to 5 dofs.",
        ),
    ] = None,
    iterations: Annotated[
        float, typer.Option(callback=positive, metavar="K", help="Iterations of itr that the diagrams assume.")
    ] = 3.0,
    by_time: Annotated[
        bool, typer.Option("--by-time", help="Diagrams by the predicted time of this computer, not by operations.")
    ] = False,
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Compare the solvers of accelerations for a model: operations counted and by formula, time predicted and measured.

    `auto` takes the one of least predicted time; runs measure nothing.
    """
    if file is None and not calibrate and output is None:
        raise typer.BadParameter("give a model file, --calibrate, or -o for the diagrams")
    from floatframe import equations, hybrid, viewer

    written = []
    if calibrate:
        with progress("calibrating") as update:
            factors = equations.calibrated(lambda words: update(None, None, words))
        written.append(str(factors.save()))
    costs: tuple[SolverCost, ...] = ()
    unusable: dict[str, str] = {}
    if file is not None:
        system = compiled(read_model_file(file, values))
        with progress("solvers"):
            costs, unusable = equations.compare_solvers(system), hybrid.unusable_solvers(system)
    factors = hybrid.known_factors()
    if output is not None:
        best = equations.best_by_time(factors) if by_time else equations.best_by_operations(iterations)
        by = f"time by the factors of {factors.origin}" if by_time else f"operations, {iterations:g} iterations of itr"
        viewer.plot_choices(best, equations.BY_OPERATIONS, output, f"least {by}")
        written.append(str(output))
    if as_json:
        content = {"file": None if file is None else str(file), "factors": factors.origin, "written": written}
        each = [{"solver": name, "call_s": a, "link_s": b, "flop_s": c} for name, (a, b, c) in factors.each.items()]
        without = [{"name": name, "reason": why} for name, why in unusable.items()]
        rows = [_row(cost) for cost in costs]
        show_json("floatframe-choose/1", {**content, "machine": each, "solvers": rows, "unusable": without})
        return
    if costs:
        how = f"factors of {factors.origin}" + "; auto compares formulas" * ("cbm" in unusable)
        console().print(table(f"one evaluation of the accelerations; {how}", _cells(costs)))
    for name, why in unusable.items():
        console().print(f"{name} {why}", markup=False, highlight=False)
    show_written(written)


def _row(cost: SolverCost) -> dict[str, Any]:
    return {
        "name": cost.name,
        "chosen": cost.chosen,
        "counted_flops": cost.counted,
        "table_flops": cost.table,
        "fill_in_blocks": cost.fill_in,
        "predicted_s": cost.predicted,
        "measured_s": cost.measured,
        "iterations": cost.iterations,
    }


def _cells(costs: tuple[SolverCost, ...]) -> dict[str, list[str]]:
    def numbers(values: list[float | None], form: str) -> list[str]:
        return ["-" if value is None else format(value, form) for value in values]

    micro = [None if cost.predicted is None else 1e6 * cost.predicted for cost in costs]
    ratios = [None if not cost.counted or not cost.table else cost.counted / cost.table for cost in costs]
    columns = {
        "solver": [cost.name + (" (auto)" if cost.chosen else "") for cost in costs],
        "counted [flops]": numbers([cost.counted for cost in costs], ".0f"),
        "formula [flops]": numbers([cost.table for cost in costs], ".0f"),
        "ratio": numbers(ratios, ".2f"),
        "fill-in": numbers([cost.fill_in for cost in costs], ".0f"),
        "predicted [µs]": numbers(micro, ".2f"),
        "measured [µs]": numbers([1e6 * cost.measured for cost in costs], ".2f"),
        "iterations": numbers([cost.iterations for cost in costs], ".1f"),
    }
    return {name: cells for name, cells in columns.items() if set(cells) != {"-"}}
