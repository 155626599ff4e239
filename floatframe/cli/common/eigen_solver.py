"""How the eigen solver is steered from the command line: which modes, and how the structure is divided."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from floatframe.cli.common.picks import hertz

if TYPE_CHECKING:
    from floatframe.arrays import IntArray
    from floatframe.modal import LanczosOptions

AXES = "xyz"


class Ordering(StrEnum):
    """How the equations inside the substructures are ordered."""

    dissection = "dissection"
    wave = "wave"


class Cleaning(StrEnum):
    """How a Lanczos basis is kept orthogonal."""

    full = "full"
    partial = "partial"
    selective = "selective"


@dataclass(frozen=True)
class ModesWanted:
    """Which modes: so many, or all below a frequency or in a band."""

    n: Annotated[int | None, typer.Option("-n", min=1, help="Number of modes, from the lowest up (default: 10).")] = (
        None
    )
    below: Annotated[
        str | None, typer.Option(metavar="FREQUENCY", help="All modes below this, e.g. 50Hz, instead of -n.")
    ] = None
    band: Annotated[
        str | None, typer.Option(metavar="LOW:HIGH", help="All modes between two frequencies [Hz], instead of -n.")
    ] = None

    def __post_init__(self) -> None:
        if sum(given is not None for given in (self.n, self.below, self.band)) > 1:
            raise typer.BadParameter("give one of -n, --below and --band")

    @property
    def count(self) -> int:
        return 10 if self.n is None else self.n

    @property
    def limits(self) -> dict[str, Any]:
        """What `modal.eigenmodes` takes."""
        return {"n": self.count, "below": hertz(self.below, "--below"), "band": self._band()}

    @property
    def by_number(self) -> bool:
        return self.below is None and self.band is None

    def _band(self) -> tuple[float, float] | None:
        if self.band is None:
            return None
        low, _, high = (piece.strip() for piece in self.band.partition(":"))
        try:
            limits = float(low), float(high.lower().removesuffix("hz"))
        except ValueError:
            limits = (math.nan, math.nan)
        if not 0.0 <= limits[0] < limits[1] < math.inf:
            raise typer.BadParameter(f"--band: '{self.band}' must be two rising frequencies [Hz], e.g. 10:50")
        return limits

    def __str__(self) -> str:
        if self.by_number:
            return f"{self.count} modes"
        return f"modes below {self.below}" if self.below is not None else f"modes in {self.band} Hz"


@dataclass(frozen=True)
class EigenSolver:
    """How the eigen solver runs; the modes do not depend on it."""

    ordering: Annotated[
        Ordering | None,
        typer.Option(help="Order inside substructures: nested dissection (default) or waves of the renumbering."),
    ] = None
    cuts: Annotated[
        str | None,
        typer.Option(
            metavar="X=…|SETS",
            help="Cut into substructures by planes, x=3.5,7, or by hand, node sets front,rear (the rest is one more).",
        ),
    ] = None
    block: Annotated[int | None, typer.Option(min=1, help="Vectors per step of the recurrence (default: 4).")] = None
    reorthogonalisation: Annotated[
        Cleaning | None, typer.Option(help="How the Lanczos basis is kept orthogonal (default: full).")
    ] = None
    report: Annotated[
        bool, typer.Option("--report", help="Show substructures, profiles, memory and times of the solver.")
    ] = False

    def options(self, fe: Any) -> LanczosOptions:
        """What the solver takes; division: labels (ndof,) of the rows of a model."""
        from floatframe.modal import LanczosOptions

        given: dict[str, Any] = {"division": self.division(fe)}
        if self.ordering is not None:
            given["ordering"] = "wave" if self.ordering is Ordering.wave else "metis"
        if self.block is not None:
            given["block"] = self.block
        if self.reorthogonalisation is not None:
            given["reorthogonalisation"] = self.reorthogonalisation.value
        return LanczosOptions(**given)

    def division(self, fe: Any) -> IntArray | None:
        """The number (ndof,) of the substructure that each row of the model is in; None without cuts."""
        if self.cuts is None:
            return None
        axis, equals, places = self.cuts.partition("=")
        index = fe.node_index(fe.dofs[:, 0])
        if not equals:
            return _by_sets(fe, self.cuts)[index]
        from floatframe.modal import by_planes

        try:
            planes = [float(place) for place in places.split(",")]
        except ValueError:
            planes = []
        if axis.strip().lower() not in ("x", "y", "z") or not planes or not all(map(math.isfinite, planes)):
            raise typer.BadParameter(f"--cuts: '{self.cuts}' must be an axis and places on it [m], e.g. x=3.5,7")
        number = AXES.index(axis.strip().lower())
        labels = by_planes(fe.nodes[index], planes, number, len(index))
        parts = len(set(labels.tolist()))
        if parts <= len(planes):
            along = fe.nodes[index, number]
            raise typer.BadParameter(
                f"--cuts: '{self.cuts}' makes {parts} of {len(planes) + 1} substructures, the others are empty; nodes "
                f"lie from {AXES[number]} = {along.min():g} to {along.max():g}"
            )
        return labels


def _by_sets(fe: Any, names: str) -> IntArray:
    """Labels (nnode,): the place of a node's set in the list, one more for nodes in none of them."""
    sets = [name.strip() for name in names.split(",") if name.strip()]
    missing = [name for name in sets if name not in fe.node_sets]
    if missing or not sets:
        known = ", ".join(sorted(fe.node_sets)) or "none"
        raise typer.BadParameter(
            f"--cuts: '{(missing or [names])[0]}' is neither a plane such as x=3.5 nor a node set; node sets: {known}"
        )
    import numpy as np

    labels = np.full(fe.nnode, len(sets), dtype=np.int64)
    for number, name in reversed(list(enumerate(sets))):
        labels[fe.node_index(fe.pick_nodes(name))] = number
    return labels
