"""The part of `floatframe plot` that takes no channels: matrices, trees, MAC of modes, errors of bodies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from floatframe.cli.common import Reading, Wanted, printed_warnings, progress, read_file, read_model, show_json

if TYPE_CHECKING:
    from floatframe.arrays import Array, IntArray


@dataclass(frozen=True)
class Pictures:
    """Pictures of a whole file; one of them at most."""

    sparsity: Annotated[
        bool, typer.Option("--sparsity", help="Of a model: its stiffness matrix before and after renumbering.")
    ] = False
    tree: Annotated[bool, typer.Option("--tree", help="Of a model: the substructures of its factorisation.")] = False
    mac: Annotated[
        Path | None,
        typer.Option(exists=True, dir_okay=False, help="Of modes or a body: MAC with the shapes of another file."),
    ] = None
    errors: Annotated[
        Path | None,
        typer.Option(
            exists=True, dir_okay=False, help="Of a body: frequency errors against this model over the number of modes."
        ),
    ] = None

    @property
    def options(self) -> dict[str, Callable[[Path, Path], None] | None]:
        """By the name of each option the function that draws a file into another, None if it is not given."""
        mac, errors = self.mac, self.errors
        return {
            "sparsity": draw_sparsity if self.sparsity else None,
            "tree": draw_tree if self.tree else None,
            "mac": (lambda file, to: draw_mac(file, mac, to)) if mac else None,
            "errors": (lambda file, to: draw_errors(file, errors, to)) if errors else None,
        }

    @property
    def given(self) -> dict[str, Callable[[Path, Path], None]]:
        """The options that are given."""
        return {name: draw for name, draw in self.options.items() if draw is not None}


def draw_picture(file: Path, pictures: Pictures, channels: list[str], wanted: Wanted, as_json: bool) -> None:
    """Draw the one picture that is asked for."""
    ((name, draw),) = pictures.given.items()
    output = wanted.output
    if output is None or channels or wanted != Wanted(output):
        raise typer.BadParameter(f"--{name} takes no channels, --csv and --rms, but -o PICTURE")
    with printed_warnings(file), progress(f"drawing {output.name}"):
        draw(file, output)
    if as_json:
        show_json("floatframe-plot/1", {"file": str(file), "written": wanted.files})
        return
    wanted.show_files()


def draw_sparsity(file: Path, output: Path) -> None:
    """Draw the stiffness matrix of a model before and after renumbering."""
    from floatframe import viewer

    viewer.plot_sparsity(read_model(file, Reading()).stiffness(), output, title=file.name)


def draw_tree(file: Path, output: Path) -> None:
    """Draw the substructures by which the stiffness matrix of a model is factorised."""
    from floatframe import modal, viewer

    viewer.plot_tree(modal.analyse(read_model(file, Reading()).stiffness()), output, title=file.name)


def draw_mac(file: Path, other: Path, output: Path) -> None:
    """Draw the MAC matrix of two bodies or files of modes, on the nodes that both have."""
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

    from floatframe import fem, io, modal, viewer

    body, fe = read_file(file, Reading()).model, read_file(model, Reading()).model
    if not isinstance(body, modal.ReducedBody) or not isinstance(fe, fem.FEModel):
        raise typer.BadParameter(
            f"--errors compares a reduced body with its finite element model; '{file}' holds {io.in_words(body)}, "
            f"'{model}' {io.in_words(fe)}"
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
    raise typer.BadParameter(f"--mac: '{file}' holds {io.in_words(thing)}, expected modes or a reduced body")
