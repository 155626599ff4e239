"""Arrays of implicit Runge-Kutta steps: their stages, the Jacobians and factors of their equations."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from floatframe.arrays import AnyArray, Array
from floatframe.hybrid.kernels.stepping import DENSE_ROW, Work


class Collocation(NamedTuple):
    """Stages of the step tried and what its equations were factored from; n = nv + nlambda + nz."""

    x: Array  # (3, nv) accelerations
    lam: Array  # (3, nlambda)
    v: Array  # (3, nv) speeds
    d: Array  # (3, nv) displacements from the start of the step, rotation vectors in body axes
    rate: Array  # (3, nv) their derivatives
    dx: Array  # (3, nv) corrections
    dlam: Array  # (3, nlambda)
    place: Array  # (nq,) coordinates that differences return to
    power: Array  # (3,) W, that enters the energy
    rho: Array  # (3, nz) rates of state variables
    drho: Array  # (3, nz) their corrections
    # of the last step accepted
    x_last: Array  # (3, nv)
    lam_last: Array  # (3, nlambda)
    rho_last: Array  # (3, nz)
    # where the equations were linearised: mass, and slopes by positions and speeds
    mass: Array  # (nv, nv)
    rows: Array  # (nlambda, nv)
    stiffness: Array  # (nv + nlambda, nv)
    damping: Array  # (nv + nlambda, nv)
    # factors for the real and the complex eigenvalue of the method
    real: Array  # (n, n)
    real_rows: AnyArray  # DENSE_ROW (n,)
    complex: Array  # (n, n), real parts
    imaginary: Array  # (n, n)
    complex_rows: AnyArray  # DENSE_ROW (n,)
    rhs: Array  # (n,)
    complex_rhs: Array  # (n,)
    imaginary_rhs: Array  # (n,)
    rounding: Array  # (nv,) what rounding of positions does to accelerations of a step with these factors


def new_collocation(w: Work) -> Collocation:
    """Arrays for the system of a workspace."""
    nv, nl, nz = len(w.v), len(w.lam), len(w.states)
    n = nv + nl + nz
    stage = {name: np.zeros((3, nv)) for name in ("x", "v", "d", "rate", "dx", "x_last")}
    return Collocation(
        **stage,
        lam=np.zeros((3, nl)),
        dlam=np.zeros((3, nl)),
        lam_last=np.zeros((3, nl)),
        place=np.zeros(len(w.q)),
        power=np.zeros(3),
        rho=np.zeros((3, nz)),
        drho=np.zeros((3, nz)),
        rho_last=np.zeros((3, nz)),
        mass=np.zeros((nv, nv)),
        rows=np.zeros((nl, nv)),
        stiffness=np.zeros((nv + nl, nv)),
        damping=np.zeros((nv + nl, nv)),
        real=np.zeros((n, n)),
        real_rows=np.zeros(n, DENSE_ROW),
        complex=np.zeros((n, n)),
        imaginary=np.zeros((n, n)),
        complex_rows=np.zeros(n, DENSE_ROW),
        rhs=np.zeros(n),
        complex_rhs=np.zeros(n),
        imaginary_rhs=np.zeros(n),
        rounding=np.zeros(nv),
    )
