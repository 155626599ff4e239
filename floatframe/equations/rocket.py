"""A rocket of variable mass in a central field on an optimal path, its first integrals and their stabilisation.

The equations of the optimal path are canonical, ẋ = ∂H/∂λ, λ̇ = −∂H/∂x, with the Hamiltonian g₁ of x = (r, v) and the
adjoint vectors λ_r of r and λ of v, which is also the direction of the thrust. g₁ and g₂ are first integrals. With
H' = H + γ₁ (g₁ − C₁) + γ₂ (g₂ − C₂) in place of H their deviations decay as e^(−k₁ t) and e^(−k₂ t).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import solve_ivp

from floatframe.arrays import Array, short_repr
from floatframe.errors import ModelError

SMALL = 1e-9  # of B, beside the size of its terms: the stabilisation is singular there


@short_repr
@dataclass(frozen=True)
class RocketState:
    """Position r and velocity v (3,), adjoint vectors λ of v and λ_r of r (3,), mass, ∫ λ² dt."""

    r: ArrayLike
    v: ArrayLike
    adjoint: ArrayLike
    adjoint_r: ArrayLike
    mass: float
    squares: float = 0.0

    @property
    def numbers(self) -> Array:
        """All of it (14,)."""
        return np.concatenate([np.atleast_1d(np.asarray(part, dtype=float)) for part in astuple(self)])


@dataclass(frozen=True)
class Rocket:
    """The motion of the rocket.

    Parameters
    ----------
    mu
        Gravity parameter of the centre.
    power
        P of the jet, constant.
    b
        λ_m m², a constant of the optimal path; P/b λ is the acceleration by the thrust.
    integrals
        Values C₁, C₂ that the first integrals are led to.
    gains
        k₁, k₂ (default: zero, nothing is stabilised).
    """

    mu: float
    power: float
    b: float
    integrals: tuple[float, float]
    gains: tuple[float, float] = (0.0, 0.0)

    @classmethod
    def meeting(cls, state: RocketState, mu: float, power: float, b: float, gains: tuple[float, float]) -> Rocket:
        """A rocket whose integrals have the values of a state at the time zero."""
        bare = cls(mu, power, b, (0.0, 0.0))
        first, second = bare.deviations(0.0, state.numbers)
        return cls(mu, power, b, (float(first), float(second)), gains)

    def deviations(self, t: float, y: Array) -> Array:
        """g₁ − C₁ and g₂ − C₂ of the 14 numbers of a state, or of columns of them at many times."""
        r, v, adjoint, adjoint_r = y[:12].reshape(4, 3, *y.shape[1:])
        first = self._hamiltonian(r, v, adjoint, adjoint_r) - self.integrals[0]
        spent = 2.5 * self.power / self.b * y[13]
        second = (adjoint * v).sum(0) - 2.0 * (r * adjoint_r).sum(0) - spent + 3.0 * self.integrals[0] * t
        return np.array([first, second - self.integrals[1]])

    def bracket(self, y: Array) -> float:
        """B = −3 g₁ + 5 P λ²/(2b), by which the stabilisation divides."""
        r, v, adjoint, adjoint_r = y[:12].reshape(4, 3)
        return float(
            -3.0 * self._hamiltonian(r, v, adjoint, adjoint_r) + 2.5 * self.power / self.b * (adjoint @ adjoint)
        )

    def rates(self, t: float, y: Array) -> Array:
        """Rates (14,) of a state."""
        r, v, adjoint, adjoint_r = y[:12].reshape(4, 3)
        along, scale = self._multipliers(t, y)
        distance = np.sqrt(r @ r)
        pull = self.mu / distance**3
        # flow of H and g₁, which are the same, and of the phase part λ·v − 2 r·λ_r of g₂
        r_rate = (1.0 + along) * v - 2.0 * scale * r
        v_rate = (1.0 + along) * (self.power / self.b * adjoint - pull * r) + scale * v
        adjoint_rate = -(1.0 + along) * adjoint_r - scale * adjoint
        adjoint_r_rate = (1.0 + along) * pull * (
            adjoint - 3.0 * (adjoint @ r) / distance**2 * r
        ) + 2.0 * scale * adjoint_r
        square = adjoint @ adjoint
        mass_rate = -0.5 * self.power * square * y[12] ** 2 / self.b**2
        return np.concatenate((r_rate, v_rate, adjoint_rate, adjoint_r_rate, (mass_rate, square)))

    def motion(self, state: RocketState, times: Sequence[float] | Array, rtol: float = 1e-10) -> Array:
        """States (14, times) of the motion from a state at the time zero."""
        at = np.asarray(times, dtype=float)
        found = solve_ivp(self.rates, (0.0, at[-1]), state.numbers, "DOP853", t_eval=at, rtol=rtol, atol=1e-12)
        return np.asarray(found.y)

    def _hamiltonian(self, r: Array, v: Array, adjoint: Array, adjoint_r: Array) -> Array:
        distance = np.sqrt((r * r).sum(0))
        thrust = 0.5 * self.power / self.b * (adjoint * adjoint).sum(0)
        return np.asarray((adjoint_r * v).sum(0) - self.mu * (adjoint * r).sum(0) / distance**3 + thrust)

    def _multipliers(self, t: float, y: Array) -> tuple[float, float]:
        """γ₁ and γ₂."""
        if self.gains == (0.0, 0.0):
            return 0.0, 0.0
        first, second = self.deviations(t, y)
        B = self.bracket(y)
        if abs(B) < SMALL * self.power / self.b * (y[6:9] @ y[6:9]):
            raise ModelError(f"rocket: B = −3 g₁ + 5 P λ²/(2b) is zero at t = {t:g}; the integrals cannot be led there")
        return (3.0 * first - self.gains[1] * second) / B, self.gains[0] * first / B
