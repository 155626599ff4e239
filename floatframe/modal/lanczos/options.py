"""How a search for eigenpairs runs, and what it has cost."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from floatframe.arrays import IntArray, short_repr
from floatframe.errors import ModelError
from floatframe.modal.factor import Report, whole_number
from floatframe.modal.lanczos.orthogonality import STRATEGIES

ORDERINGS = ("metis", "wave")
FORMS = ("inner-product", "cholesky")


@short_repr
@dataclass(frozen=True)
class LanczosOptions:
    """How a search for eigenpairs runs; which ones it finds does not depend on it. For experts."""

    # columns per step: solutions for four at once cost less than half each, and only a few more are needed in all
    block: int = 4
    tol: float = 1e-8  # of |A x - theta x| / |theta| with the inverse operator A
    reorthogonalisation: Literal["full", "partial", "selective"] = "full"
    form: Literal["inner-product", "cholesky"] = "inner-product"  # how the mass enters the operator
    shift: float | None = None  # of the first factorisation [rad2/s2]; just below zero without it
    ordering: Literal["metis", "wave"] = "metis"  # separators by METIS, or wave fronts of the renumbering
    # (n,) number of the substructure of each row; found by the ordering without it
    division: IntArray | None = field(default=None, compare=False)
    seed: int = 0  # of the random first vectors
    memory_limit: int | None = None  # for factor and basis [bytes]
    check: bool = True  # False leaves out the Sturm count where it costs a factorisation of its own

    def __post_init__(self) -> None:
        whole_number(self.block, "block")
        if not 0.0 < self.tol < 1.0:
            raise ModelError(f"tol is {self.tol:g}; expected a number between 0 and 1, such as 1e-8.")
        if self.reorthogonalisation not in STRATEGIES:
            names = ", ".join(map(repr, STRATEGIES))
            raise ModelError(f"reorthogonalisation is {self.reorthogonalisation!r}; expected one of {names}.")
        if self.ordering not in ORDERINGS:
            raise ModelError(f"ordering is {self.ordering!r}; expected one of {', '.join(map(repr, ORDERINGS))}.")
        if self.form not in FORMS:
            raise ModelError(f"form is {self.form!r}; expected one of {', '.join(map(repr, FORMS))}.")

    @property
    def divides(self) -> bool:
        """Whether the division into substructures is asked for."""
        return self.division is not None or self.ordering != ORDERINGS[0]

    def of_rows(self, rows: IntArray, n: int) -> LanczosOptions:
        """Return the same for some of n rows."""
        if self.division is None:
            return self
        division = np.asarray(self.division)
        if division.shape != (n,):
            raise ModelError(f"division has shape {division.shape}; expected a whole number for each of {n} rows.")
        return replace(self, division=division[rows])


@dataclass
class Costs:
    """Counters that grow while a search runs; the fields are those of `Statistics`."""

    steps: int = 0
    solves: int = 0
    restarts: int = 0
    factor_seconds: float = 0.0
    solve_seconds: float = 0.0
    orthogonalisation_seconds: float = 0.0
    factor_bytes: int = 0
    basis_bytes: int = 0
    shifts: list[float] = field(default_factory=list)
    report: Report | None = None  # of the largest factorisation by substructures that has solved something
