"""What a factorisation costs, in the shape of table 2.1 of Mikheev (2004)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Report:
    """Cost of a factorisation in the shape of table 2.1 of Mikheev (2004); memory in bytes, times in seconds."""

    equations: int
    substructures: int
    interior_memory: int  # factors of the interiors C_i
    boundary_size: int  # rows of the boundary system G
    boundary_memory: int
    fronts: int
    factor_entries: int
    gigaflop: float
    ordering_seconds: float
    analysis_seconds: float
    factor_seconds: float
    solve_seconds: float | None  # mean per right-hand side so far

    def __str__(self) -> str:
        solve = "not yet" if self.solve_seconds is None else f"{self.solve_seconds:.4f} s"
        rows = (
            ("equations", f"{self.equations}"),
            ("substructures", f"{self.substructures}"),
            ("memory of the interiors", f"{self.interior_memory / 2**20:.1f} MB"),
            ("size of the boundary system G", f"{self.boundary_size}"),
            ("memory of G", f"{self.boundary_memory / 2**20:.1f} MB"),
            ("fronts in the tree", f"{self.fronts}"),
            ("entries of the factor", f"{self.factor_entries / 1e6:.2f} million"),
            ("operations", f"{self.gigaflop:.2f} Gflop"),
            ("ordering", f"{self.ordering_seconds:.3f} s"),
            ("analysis", f"{self.analysis_seconds:.3f} s"),
            ("factorisation", f"{self.factor_seconds:.3f} s"),
            ("solution, per right-hand side", solve),
        )
        return "\n".join(f"{name:<32}{value:>20}" for name, value in rows)
