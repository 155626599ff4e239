"""Eigenvalues of linear equations, and the part of every mode in a response.

With E⁻¹ A = V Λ W the response is a sum over the modes, Σ_k C v_k w_k B / (s - λ_k), and what follows the input
directly. A pair of complex eigenvalues is one mode; rigid-body motions, whose zeros come in pairs that cannot be
separated, are one entry together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from floatframe.arrays import AnyArray, Array, short_repr
from floatframe.errors import ModelError
from floatframe.hybrid.response.equations import LinearSystem

REGULAR = 1e-13  # reciprocal condition of E, scaled, below which a motion has no inertia
RIGID = 1e-6  # share of the largest eigenvalue, and 1/s, below which an eigenvalue is that of a rigid-body motion
UNDAMPED = 1e-9  # damping ratio below which there is none
CANCELS = 1e-6  # size of a sum over those of its parts below which it is what they leave by cancelling
PAIR = 1e-9  # imaginary part over modulus of an eigenvalue that belongs to a pair


@short_repr
@dataclass(frozen=True)
class ModalParts:
    """Parts (k,) of modes in one output at one frequency, complex; they add up to the response."""

    names: tuple[str, ...]
    frequency: Array  # (k,) natural [Hz], NaN of rigid-body motions and of what follows the input directly
    damping: Array  # (k,)
    parts: AnyArray  # (k,)

    def rows(self, n: int | None = None) -> list[dict[str, str | float | None]]:
        """Return the table of the largest parts, a row each."""
        whole = self.parts.sum()
        adds = abs(whole) > CANCELS * np.abs(self.parts).sum()
        order = np.argsort(-np.abs(self.parts), kind="stable")[:n]
        return [
            {
                "mode": self.names[k],
                "frequency_hz": None if np.isnan(self.frequency[k]) else float(self.frequency[k]),
                "damping_ratio": None if np.isnan(self.damping[k]) else float(self.damping[k]),
                "magnitude": float(np.abs(self.parts[k])),
                "phase_deg": float(np.degrees(np.angle(self.parts[k]))),
                # what a part adds along the whole: the shares add up to one; none of what cancels altogether
                "share": float((self.parts[k] / whole).real) if adds else None,
            }
            for k in order
        ]


def is_undamped(value: complex) -> bool:
    """Return whether an eigenvalue is that of an oscillation that nothing damps."""
    return value.imag > 0.0 and abs(value.real) <= UNDAMPED * abs(value)


def standard_form(linear: LinearSystem) -> tuple[Array, Array]:
    """E⁻¹ A (n, n) and E⁻¹ B (3, n, m); motions without inertia are refused."""
    E = linear.E
    size = np.abs(E).max(axis=1, initial=0.0)
    if not size.all() or np.linalg.cond(E / size[:, None]) > 1.0 / REGULAR:
        raise ModelError(
            "response: a motion of the model has no inertia, so that there is no state space and there are no modes; "
            "give the body that moves so a mass and inertia. The frequency response needs none"
        )
    return np.linalg.solve(E, linear.A), np.linalg.solve(E, linear.B)


def eigenvalues(linear: LinearSystem) -> AnyArray:
    """All finite eigenvalues [1/s]."""
    import scipy.linalg

    values = scipy.linalg.eigvals(linear.A, linear.E, homogeneous_eigvals=True)
    finite = np.abs(values[1]) > REGULAR * np.abs(values).max(initial=0.0)
    return np.asarray(values[0][finite] / values[1][finite])


def modal_parts(linear: LinearSystem, frequency: float, output: int, given: int) -> ModalParts:
    """Return the parts of modes in an output, by number, for an input, by number, at a frequency [Hz]."""
    A, B = standard_form(linear)
    values, V = np.linalg.eig(A)
    values, V = values.astype(complex), V.astype(complex)
    s, order = 2j * np.pi * frequency, linear.order[given]
    entering = (B[0] + s * B[1] + s * s * B[2])[:, given] / s**order
    seen = (linear.C[0] + s * linear.C[1])[output] @ V
    whole = linear.response(np.array([frequency]))[0, output, given]
    rigid = np.abs(values) <= RIGID * max(1.0, float(np.abs(values).max(initial=0.0)) * RIGID)
    amplitude = np.linalg.solve(V, entering)
    parts = seen * amplitude / (s - values)
    names, natural, damping, found = [], [], [], []
    upper = np.flatnonzero(~rigid & (values.imag >= -PAIR * np.abs(values)))
    for number, k in enumerate(upper[np.argsort(np.abs(values[upper]), kind="stable")]):
        paired = values[k].imag > PAIR * abs(values[k])
        partner = int(np.argmin(np.abs(values - values[k].conj()))) if paired else k
        names.append(f"mode {number + 1}")
        natural.append(abs(values[k]) / (2.0 * np.pi))
        damping.append(-values[k].real / abs(values[k]))
        found.append(parts[k] + parts[partner] if paired else parts[k])
    direct = (linear.D[0] + s * linear.D[1] + s * s * linear.D[2])[output, given] / s**order
    if rigid.any():
        # zeros that come in pairs have no vectors of their own: what the others leave is theirs
        names, found = [*names, "rigid-body motions"], [*found, whole - direct - sum(found)]
        natural, damping = [*natural, np.nan], [*damping, np.nan]
    if direct:
        names, found = [*names, "direct"], [*found, direct]
        natural, damping = [*natural, np.nan], [*damping, np.nan]
    return ModalParts(tuple(names), np.array(natural), np.array(damping), np.array(found, dtype=complex))
