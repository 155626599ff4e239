"""`floatframe drift MODEL.toml`: how far a run leaves its constraints by each way of keeping them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from floatframe.cli.common import (
    Json,
    ModelPath,
    Set,
    Verbose,
    asked,
    compiled,
    console,
    positive,
    printed_warnings,
    progress,
    read_model_file,
    show_json,
    show_written,
    table,
    with_suffix,
)

EXAMPLES = """
floatframe drift four_bar.toml
floatframe drift four_bar.toml --method euler --step 1e-4 -o drift.png
floatframe drift four_bar.toml --stabilisation 5,5 --t-end 2 -o drift.csv --json
"""


def run_command(
    *,
    file: ModelPath,
    values: Set = None,
    method: Annotated[
        str | None, typer.Option(metavar="NAME", help="An explicit method: euler, rk4 (default), rk45, dop853.")
    ] = None,
    step: Annotated[
        float | None, typer.Option(callback=positive, metavar="S", help="Step [s]; default: 1/1000 of the run.")
    ] = None,
    t_end: Annotated[float | None, typer.Option(callback=positive, metavar="S", help="End of the run [s].")] = None,
    stabilisation: Annotated[
        str | None, typer.Option(metavar="A,B", help="Factors a, b [1/s] of your own to compare too.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", callback=with_suffix(".png", ".svg", ".pdf", ".csv"), help="Plot, or table as CSV."
        ),
    ] = None,
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Compare the drift of constraints and of their speeds: none, Baumgarte, proposed, projection, index 3.

    All runs have the same fixed step. Bounds are those of stabilised constraints; times are those of this computer.
    """
    from floatframe import hybrid, viewer

    model = read_model_file(file, values)
    keys = dict(method=_explicit(method, model.simulate), step=step, t_end=t_end, stabilisation=_pair(stabilisation))
    settings = hybrid.overridden(model.simulate, keys)
    settings.pop("rtol", None)
    if "t_end" not in settings:
        raise typer.BadParameter(f"{file.name} has no t_end in [simulate]; give --t-end")
    with asked(), model.placed(given=[name for name, value in keys.items() if value is not None]):
        chosen = hybrid.checked_settings(settings)
    system = compiled(model, hybrid.parts_for(chosen.method, chosen.step))
    state = settings.get("state", "start")
    with printed_warnings(file), progress("drift"):
        runs = hybrid.compare_drift(system, chosen, state)
    rows = [run.row() for run in runs]
    if output is not None:
        if output.suffix == ".csv":
            _write(output, rows)
        else:
            viewer.plot_drift(
                *([(run.name, run.t, run.drift, run.velocity_drift) for run in runs], output),
                title=f"{file.stem}: drift with {runs[0].method}",
            )
    written = [] if output is None else [str(output)]
    used = chosen.step or (chosen.t_end - float(runs[0].t[0])) / 1000
    limit = hybrid.stable_factors(system, runs[0].method, used)
    if as_json:
        content = {"file": str(file), "step_s": used, "largest_stable_a_per_s": limit, "runs": rows}
        show_json("floatframe-drift/1", {**content, "written": written})
        return
    console().print(
        table(f"{runs[0].method}, steps of {used:g} s: a = b is stable up to {limit:.4g} 1/s", _cells(rows))
    )
    for row in rows:
        if row["message"]:
            console().print(f"{row['name']}: {row['message']}", markup=False, soft_wrap=True)
    plain, enforced = rows[-2], rows[-1]
    more = 100.0 * (enforced["computing_time_s"] / plain["computing_time_s"] - 1.0)
    iterations = 100.0 * (enforced["iteration_count"] / max(plain["iteration_count"], 1) - 1.0)
    cost = f"{more:+.0f} % of computing time, {iterations:+.0f} % of iterations"
    console().print(f"speeds on the constraints inside implicit steps: {cost}", markup=False)
    show_written(written)


def _explicit(wanted: str | None, simulate: Mapping[str, Any]) -> str:
    """The method asked for, which must be an explicit one; else that of the model file if it is one, else rk4."""
    from floatframe.hybrid import EXPLICIT_METHODS as known  # noqa: N811  (they are a list here)

    if wanted is None:
        method = str(simulate.get("method", ""))
        return method if method in known else "rk4"
    if wanted not in known:
        raise typer.BadParameter(f"--method '{wanted}' must be an explicit one: {', '.join(known)}")
    return wanted


def _pair(text: str | None) -> list[float] | None:
    if text is None:
        return None
    try:
        a, b = (float(part) for part in text.split(","))
    except ValueError:
        raise typer.BadParameter(f"--stabilisation '{text}' must be two numbers a,b [1/s] such as 5,5") from None
    return [a, b]


def _cells(rows: list[dict[str, Any]]) -> dict[str, list[str]]:
    def numbers(key: str, form: str = ".2e") -> list[str]:
        return ["" if row[key] is None else format(row[key], form) for row in rows]

    pairs = zip(numbers("a_per_s", ".4g"), numbers("b_per_s", ".4g"), strict=True)
    return {
        "constraints": [row["name"] for row in rows],
        "a, b [1/s]": [a if a == b else f"{a}, {b}" for a, b in pairs],
        "drift [m, rad]": numbers("largest_constraint_drift"),
        "bound": numbers("constraint_drift_bound"),
        "of speeds [1/s]": numbers("largest_velocity_drift"),
        "bound ": numbers("velocity_drift_bound"),
        "energy [J]": numbers("energy_error_j"),
        "time [s]": numbers("computing_time_s", ".3f"),
    }


def _write(path: Path, rows: list[dict[str, Any]]) -> None:
    import numpy as np

    from floatframe.io import write_csv

    keys = [key for key in rows[0] if key not in ("name", "method", "message")]
    columns = [[np.nan if row[key] is None else float(row[key]) for key in keys] for row in rows]
    write_csv(path, ["number", *keys], np.column_stack((np.arange(1, len(rows) + 1), np.array(columns))))
