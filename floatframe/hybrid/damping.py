"""Damping of the modes of a flexible body, all forms as one generalised matrix.

For modes of unit generalised mass, frequency ω and ratio γ of critical damping the diagonal entry is d = 2 γ ω.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.hybrid.tables import Table
from floatframe.hybrid.values import Scalar, Scope, kept, kept_list


@dataclass(frozen=True)
class Rayleigh:
    """Damping alpha M + beta K: alpha [1/s] goes with the mass, beta [s] with the stiffness."""

    alpha: Scalar = 0.0
    beta: Scalar = 0.0

    def __post_init__(self) -> None:
        for name in ("alpha", "beta"):
            object.__setattr__(self, name, kept(getattr(self, name), f"Rayleigh damping, {name}", ()))


# nothing, one ratio for all modes, one per mode, Rayleigh, or a table of ratios over the frequency [Hz]
Damping: TypeAlias = Scalar | Sequence[Scalar] | Rayleigh | Table | None


def kept_damping(raw: Any, where: str) -> Any:
    """Return the damping as the user wrote it, its form checked."""
    if raw is None or isinstance(raw, Rayleigh | Table):
        return raw
    return kept(raw, where, ()) if np.ndim(raw) == 0 else kept_list(raw, where)


def damping_matrix(damping: Any, omega: Array, scope: Scope, where: str) -> Array:
    """Return the generalised damping (n, n) of modes with unit mass and frequencies omega (n,) [rad/s]."""
    if isinstance(damping, Rayleigh):
        alpha = scope.number(damping.alpha, f"{where}, alpha")
        beta = scope.number(damping.beta, f"{where}, beta")
        return np.diag(_not_negative(alpha + beta * omega**2, f"{where}, alpha + beta ω²"))
    if isinstance(damping, Table):
        ratio = np.array([damping.value(frequency) for frequency in omega / (2.0 * np.pi)])
    else:
        ratio = np.zeros(()) if damping is None else scope.array(damping, where)
    if ratio.ndim and ratio.size != omega.size:
        raise ModelError(
            f"{where}: found {ratio.size} ratios, expected one for each of the {omega.size} modes "
            "that are left when rigid motions are taken out, or one for all"
        )
    return np.diag(2.0 * _not_negative(np.broadcast_to(ratio, omega.shape), where) * omega)


def _not_negative(values: Array, where: str) -> Array:
    if (values < 0).any():
        raise ModelError(f"{where}: found {values.min():g}, expected nothing below zero; it would feed energy")
    return values
