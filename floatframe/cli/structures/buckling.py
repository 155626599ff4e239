"""`floatframe buckling FE`: load factors and shapes at which a finite element model buckles."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from floatframe.cli.common import (
    Json,
    Reading,
    Verbose,
    asked,
    at_reference_nodes,
    console,
    picked_dofs,
    place_list,
    progress,
    read_model,
    show_json,
    table,
)

EXAMPLES = """
floatframe buckling column.h5 --load end:ux=-1 --fixed start
floatframe buckling tower.h5 --gravity 0,0,-9.81 --fixed base -n 3
"""


def run_command(
    *,
    file: Annotated[Path, typer.Argument(metavar="FE", exists=True, dir_okay=False, help="A finite element model.")],
    load: Annotated[
        list[str] | None,
        typer.Option(metavar="SET|NODE:PART=VALUE", help="A force [N] or moment [N m] at each node: tip:uz=-100."),
    ] = None,
    gravity: Annotated[str, typer.Option(metavar="X,Y,Z", help="Gravity vector [m/s2], e.g. 0,0,-9.81.")] = "",
    pressure: Annotated[
        list[str] | None, typer.Option(metavar="SET=VALUE", help="A pressure [Pa] on the faces of a set.")
    ] = None,
    fixed: Annotated[
        str, typer.Option(metavar="SET|NODES", help="Fix these nodes or dofs: base or 1,201 or base,7:uz+rx.")
    ] = "",
    n: Annotated[int, typer.Option("-n", min=1, help="Number of load factors, smallest magnitude first.")] = 5,
    as_json: Json = False,
    how: Reading,
    verbose: Verbose = False,
) -> None:
    """Print the load factors at which the model buckles under the given loads; negative: under reversed loads."""
    from floatframe import fem, modal

    loads = {place: value for word in load or [] for place, value in _nodal(word).items()}
    field = _numbers(gravity, "--gravity", 3) if gravity else None
    pushed = {name: _numbers(value, "--pressure", 1)[0] for name, value in map(_named, pressure or [])}
    if not (loads or field or pushed):
        raise typer.BadParameter("give a load: --load, --gravity or --pressure")
    fe = read_model(file, how)
    if not isinstance(fe, fem.FEModel):
        raise typer.BadParameter(f"'{file}': a model given by its matrices has no stresses, so it cannot buckle")
    held = at_reference_nodes(picked_dofs(fixed, "--fixed"), how.couple)
    loads = dict(zip(at_reference_nodes(list(loads), how.couple), loads.values(), strict=True))
    with asked():
        fe.pick_dofs([*held, *loads])
    with progress(f"{n} load factors of {fe.ndof} equations"):
        found = modal.buckling(fe, loads, held, n, gravity=field, pressure=pushed or None)
    if as_json:
        pairs = zip(found.factor.tolist(), found.residual.tolist(), strict=True)
        rows = [{"factor": factor, "residual": residual} for factor, residual in pairs]
        content = {"model": fe.name, "fixed": place_list(held), "factors": rows, "counted": found.expected}
        show_json("floatframe-buckling/1", content)
        return
    cells = {
        "factor": [f"{factor:.6g}" for factor in found.factor],
        "residual": [f"{residual:.1e}" for residual in found.residual],
    }
    console().print(table(f"{fe.name}: buckling load factors, {fe.ndof} equations", cells))


def _nodal(word: str) -> dict[Any, float]:
    """Return the load that "tip:uz=-100" names."""
    place, value = _named(word)
    items = picked_dofs(place, "--load")
    if len(items) != 1 or not isinstance(items[0], tuple):
        raise typer.BadParameter(f"--load: '{word}' must be a node or set with its component, e.g. tip:uz=-100")
    where, parts = items[0]
    return {(where, part): _numbers(value, "--load", 1)[0] for part in parts}


def _named(word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not equals:
        raise typer.BadParameter(f"'{word}' has no value; write {word}=VALUE")
    return name, value


def _numbers(text: str, option: str, count: int) -> list[float]:
    try:
        found = [float(part) for part in text.split(",")]
    except ValueError:
        found = []
    if len(found) != count:
        raise typer.BadParameter(f"{option}: '{text}' is not {'a number' if count == 1 else f'{count} numbers'}")
    return found
