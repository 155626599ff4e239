"""Whether the Jacobians of a law are those of its flows, by complex steps: exact to rounding."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.network.laws.kind import At, Kind, Law, Out

TINY = 1e-200  # imaginary step
CLOSE = 1e-12  # relative to the largest slope of the kind: both are rounded sums of a few terms


def empty_out(kind: Kind, count: int, dtype: type = float) -> Out:
    """Zeros for a law of so many elements to write to."""
    n, inputs = kind.size, len(kind.inputs)
    shapes = ((n,), (n, n), (n, n), (n, n), (n, inputs))
    return Out(*(np.zeros((*shape, count), dtype) for shape in shapes))


def flows(kind: Kind, at: At) -> Out:
    """What the law of a kind gives."""
    out = empty_out(kind, at.x.shape[1], complex if any(np.iscomplexobj(one) for one in at) else float)
    kind.law(at, out)
    return out


def differentiated(flow: Callable[[At, Array], None]) -> Law:
    """Return the law of flows flow(at, F) alone, of arrays that may be complex: its Jacobians by complex steps."""

    def law(at: At, out: Out) -> None:
        flow(at, out.F)
        if np.iscomplexobj(out.F):
            return  # somebody else is differentiating
        for J, field in ((out.K, "x"), (out.D, "v"), (out.M, "a"), (out.S, "s")):
            values: Array = getattr(at, field)
            for j in range(len(values)):
                moved = values.astype(complex)
                moved[j] += 1j * TINY
                F = np.zeros(out.F.shape, complex)
                flow(At(**{**at._asdict(), field: moved}), F)
                J[:, j] += F.imag / TINY

    return law


def jacobian_errors(kind: Kind, at: At) -> dict[str, float]:
    """Largest difference between Jacobians and complex steps, by K, D, M, S, relative to the largest slope of each.

    The law must be plain Python that takes complex numbers; `numba.njit(law).py_func` is.
    """
    law = getattr(kind.law, "py_func", kind.law)
    exact = empty_out(kind, at.x.shape[1])
    law(at, exact)
    errors = {}
    for name, field, given in zip("KDMS", ("x", "v", "a", "s"), exact[1:], strict=True):
        values: Array = getattr(at, field)
        found = np.zeros_like(given)
        for j in range(len(values)):
            moved = values.astype(complex)
            moved[j] += 1j * TINY
            out = empty_out(kind, values.shape[1], complex)
            law(At(**{**at._asdict(), field: moved}), out)
            found[:, j] = out.F.imag / TINY
        size = max(float(np.abs(found).max(initial=0.0)), float(np.abs(given).max(initial=0.0)))
        errors[name] = float(np.abs(found - given).max(initial=0.0)) / size if size else 0.0
    return errors


def check_law(kind: Kind, at: At, tolerance: float = CLOSE) -> None:
    """Refuse a kind whose Jacobians differ from complex steps of its flows."""
    names = {"K": "displacement", "D": "velocity", "M": "acceleration", "S": "input"}
    for name, error in jacobian_errors(kind, at).items():
        if not error <= tolerance:
            raise ModelError(
                f"kind '{kind.name}': the derivatives {name} of its flows by {names[name]} differ by {error:.2g} of "
                f"the largest from those of complex steps, expected at most {tolerance:g}; correct out.{name}"
            )
