"""Coefficients of the explicit Runge-Kutta methods of up to seven stages, and the stability polynomials of all."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.hybrid.kernels.stepping import RUNGE_KUTTA_STAGES
from floatframe.hybrid.kernels.steps.dormand_prince8 import A8, B8

# Euler's method
B1 = np.array([1.0])
# classical fourth order, and the pair of Dormand and Prince of orders 5 and 4
A4 = np.array([[0.0, 0, 0, 0], [0.5, 0, 0, 0], [0, 0.5, 0, 0], [0, 0, 1, 0]])
B4 = np.array([1 / 6, 1 / 3, 1 / 3, 1 / 6])
A5 = np.array(
    [
        [0.0, 0, 0, 0, 0, 0, 0],
        [1 / 5, 0, 0, 0, 0, 0, 0],
        [3 / 40, 9 / 40, 0, 0, 0, 0, 0],
        [44 / 45, -56 / 15, 32 / 9, 0, 0, 0, 0],
        [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729, 0, 0, 0],
        [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656, 0, 0],
        [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84, 0],
    ]
)
B5 = A5[6].copy()
# coefficients of theta, theta^2, theta^3, theta^4 in the weights of the stages at the share theta of a step: the
# continuous extension of order 4 that Shampine gave the pair
P5 = np.array(
    [
        [1.0, -8048581381 / 2820520608, 8663915743 / 2820520608, -12715105075 / 11282082432],
        [0.0, 0, 0, 0],
        [0.0, 131558114200 / 32700410799, -68118460800 / 10900136933, 87487479700 / 32700410799],
        [0.0, -1754552775 / 470086768, 14199869525 / 1410260304, -10690763975 / 1880347072],
        [0.0, 127303824393 / 49829197408, -318862633887 / 49829197408, 701980252875 / 199316789632],
        [0.0, -282668133 / 205662961, 2019193451 / 616988883, -1453857185 / 822651844],
        [0.0, 40617522 / 29380423, -110615467 / 29380423, 69997945 / 29380423],
    ]
)
# difference of the two orders
E5 = np.array([71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40])


def stability_polynomial(method: str) -> Array:
    """Coefficients c_0, c_1, ... of R: a step h of y' = K y takes y to R(h K) y, R(z) = sum of c_j z^j."""
    count = RUNGE_KUTTA_STAGES[method]
    A, b = {1: (np.zeros((1, 1)), B1), 4: (A4, B4), 7: (A5, B5), 12: (A8[:12, :12], B8)}[count]
    coefficients, stages = [1.0], np.ones(count)
    for _ in range(count):
        coefficients.append(float(b[:count] @ stages))
        stages = A[:count, :count] @ stages
    return np.array(coefficients)


# the same for kernels
R1, R4, R5, R8 = (stability_polynomial(method) for method in RUNGE_KUTTA_STAGES)
