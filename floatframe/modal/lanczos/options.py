"""How a search for eigenpairs runs, and what it has cost."""

from __future__ import annotations

from dataclasses import dataclass, field

from floatframe.errors import ModelError
from floatframe.modal.factor import whole_number
from floatframe.modal.lanczos.modes import Progress
from floatframe.modal.lanczos.orthogonality import STRATEGIES

FORMS = ("inner-product", "cholesky")


@dataclass(frozen=True)
class Options:
    """How a search runs; checked once."""

    block: int
    tol: float
    reorthogonalisation: str
    form: str
    seed: int
    memory_limit: int | None
    progress: Progress | None

    def __post_init__(self) -> None:
        whole_number(self.block, "block")
        if not 0.0 < self.tol < 1.0:
            raise ModelError(f"tol is {self.tol:g}; expected a number between 0 and 1, such as 1e-8.")
        if self.reorthogonalisation not in STRATEGIES:
            names = ", ".join(map(repr, STRATEGIES))
            raise ModelError(f"reorthogonalisation is {self.reorthogonalisation!r}; expected one of {names}.")
        if self.form not in FORMS:
            raise ModelError(f"form is {self.form!r}; expected one of {', '.join(map(repr, FORMS))}.")


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
