"""The part of `floatframe plot` that is not about runs: matrices, trees, MAC of modes, errors of bodies."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from floatframe.cli.common import Reading, read_file, read_model

if TYPE_CHECKING:
    from floatframe.arrays import Array, IntArray


def draw_sparsity(file: Path, output: Path) -> None:
    """Draw the stiffness matrix of a model before and after renumbering."""
    from floatframe import viewer

    viewer.plot_sparsity(read_model(file, Reading()).stiffness(), output, title=file.name)


def draw_tree(file: Path, output: Path) -> None:
    """Draw the substructures by which the stiffness matrix of a model is factorised."""
    from floatframe import modal, viewer

    viewer.plot_tree(modal.analyse(read_model(file, Reading()).stiffness()), output, title=file.name)


def draw_mac(file: Path, other: Path, output: Path) -> None:
    """Draw how alike the shapes of two bodies or files of modes are, on the nodes that both have."""
    import numpy as np

    from floatframe import modal, viewer

    (ids, first), (other_ids, second) = _shapes(file), _shapes(other)
    common, rows, other_rows = np.intersect1d(ids, other_ids, return_indices=True)
    if not common.size:
        raise typer.BadParameter(f"--mac: '{file}' and '{other}' have no node number in common")
    a, b = (s[k, :3].reshape(3 * len(k), -1) for s, k in ((first, rows), (second, other_rows)))
    viewer.plot_mac(modal.mac(a, b), output, f"{file.name}, mode", f"{other.name}, mode")


def draw_errors(file: Path, model: Path, output: Path) -> None:
    """Draw how the frequencies of a body approach those of its model with the number of modes."""
    import numpy as np

    from floatframe import fem, modal, viewer

    body, fe = read_file(file, Reading()).model, read_file(model, Reading()).model
    if not isinstance(body, modal.ReducedBody) or not isinstance(fe, fem.FEModel):
        raise typer.BadParameter(
            f"--errors compares a reduced body with its finite element model; '{file}' holds a {type(body).__name__}, "
            f"'{model}' a {type(fe).__name__}"
        )
    found = modal.errors_of_fewer_modes(body, fe)
    names = [f"mode {k}: {f:.4g} Hz" for k, f in enumerate(found.frequency, start=1)]
    curves = {name: np.abs(error) for name, error in zip(names, found.error.T, strict=True)}
    viewer.plot_errors(found.count, curves, output, f"{file.name}: free frequencies against {model.name}")


def _shapes(file: Path) -> tuple[IntArray, Array]:
    """Return node numbers (nnode,) and motions (nnode, 6, n) of the shapes in a file."""
    from floatframe import io, modal

    thing = read_file(file, Reading()).model
    if isinstance(thing, io.NodalModes):
        return thing.node_ids, thing.displacement
    if isinstance(thing, modal.ReducedBody):
        return thing.node_ids, thing.shapes.reshape(thing.nnode, 6, -1)
    raise typer.BadParameter(f"--mac: '{file}' holds a {type(thing).__name__}, expected modes or a reduced body")
