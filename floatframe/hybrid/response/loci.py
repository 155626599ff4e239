"""Modes followed over a parameter: root loci and Campbell diagrams, and where a motion loses its damping.

Frequencies of whirl are those that an observer at rest sees.

A mode at one value continues in that of the next with which it has most in common: the modal assurance criterion (MAC)
of their shapes, weighed by the mass, and the nearness of their eigenvalues. Frequencies that cross keep their names.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from floatframe.arrays import AnyArray, Array, BoolArray, short_repr
from floatframe.errors import ModelError, NotConverged
from floatframe.hybrid.assembly import CompiledSystem, State
from floatframe.hybrid.response.at_rest import seen_at_rest
from floatframe.hybrid.response.states import state_at
from floatframe.hybrid.studies import Linear, linearise

ROTATION = {"rad/s": 2.0 * np.pi, "rev/s": 1.0, "Hz": 1.0, "rev/min": 60.0, "rpm": 60.0, "1/min": 60.0, "°/s": 360.0}
CLOSE = 0.05  # share of a step of eigenvalues that counts as much as a whole MAC
NEAR = 1e-7  # share of a speed to which critical ones are found
SAME = 1e-4  # share of a frequency by which a mode and a ray that meet may differ


@dataclass(frozen=True)
class Resonance:
    """A speed of rotation at which a mode, numbered from 1, has a multiple of its frequency [Hz]."""

    mode: int
    order: float
    speed: float
    frequency: float


@dataclass(frozen=True)
class StabilityLimit:
    """A value of a parameter, but for a tolerance, at which a motion of a frequency [Hz] begins or ceases to grow.

    stable_before: whether nothing grows at the last value before it, in their order.
    """

    value: float
    tolerance: float
    frequency: float
    stable_before: bool


@short_repr
@dataclass(frozen=True)
class ModeLoci:
    """Eigenvalues (nvalue, k) [1/s] of k modes over values (nvalue,) of a parameter, each column one mode.

    mac (nvalue - 1, k): how alike the shapes of a mode are at neighbouring values, 1 for the same; stable (nvalue,):
    whether no motion grows, those that are not followed among them.
    between(k, mode)(value): the eigenvalue of a mode, from 0, at a value between k and k + 1, if a system can be asked.
    """

    values: Array
    eigenvalues: AnyArray
    mac: Array
    stable: BoolArray
    between: Callable[[int, int], Callable[[float], complex]] | None = field(default=None, repr=False)

    @property
    def frequency(self) -> Array:
        """Natural frequencies (nvalue, k) [Hz]."""
        return np.abs(self.eigenvalues) / (2.0 * np.pi)

    @property
    def damping(self) -> Array:
        """Damping ratios (nvalue, k), negative where a motion grows."""
        size = np.abs(self.eigenvalues)
        return -self.eigenvalues.real / np.where(size > 0.0, size, 1.0)

    def resonances(self, per_hertz: float, orders: Sequence[float] = (1.0,)) -> list[Resonance]:
        """Return the critical speeds, by speed: where modes have a multiple of the frequency of rotation.

        per_hertz: units of the parameter, a speed, per turn per second, see ROTATION. A mode that passes a ray between
        two values is looked at there until the speed is known to a part in ten million, and so is one that may pass it
        and come back, since its slopes at both values lead beyond; loci without a system (between) are straight lines,
        and so are those, with a warning, that pass a value at which there is no state to look at. Motions that die out
        without oscillation have no frequency that a rotation could meet.
        """
        swings = self.eigenvalues.imag != 0.0
        found = []
        for order in orders:
            slope = order / per_hertz
            above = self.frequency - slope * np.abs(self.values[:, None])
            passes = (above[:-1] > 0.0) != (above[1:] > 0.0)
            passes |= _leads_beyond(self.values, above)
            for k, mode in np.argwhere(passes & (swings[:-1] | swings[1:])):
                for speed in self._speeds(int(k), int(mode), above[k : k + 2, mode], slope):
                    found.append(Resonance(int(mode) + 1, order, speed, slope * abs(speed)))
        return sorted(found, key=lambda one: one.speed)

    def _speeds(self, k: int, mode: int, ends: Array, slope: float) -> list[float]:
        """Values between k and k + 1 at which a mode, above a ray [Hz per unit] by `ends` (2,) there, meets it."""
        left, right = (float(value) for value in self.values[k : k + 2])
        passes = (ends[0] > 0.0) != (ends[1] > 0.0)
        straight = [left + float(ends[0] / (ends[0] - ends[1])) * (right - left)] if passes else []
        if self.between is None:
            return straight
        try:
            return self._searched(self.between(k, mode), left, right, ends, mode, slope)
        except NotConverged as failure:
            if passes:
                warnings.warn(
                    f"mode loci: the critical speed {straight[0]:.5g} of mode {mode + 1} is that of a straight line "
                    f"from {left:g} to {right:g}, since its search failed {failure}",
                    stacklevel=3,
                )
            return straight

    def _searched(
        self, eigenvalue: Callable[[float], complex], left: float, right: float, ends: Array, mode: int, slope: float
    ) -> list[float]:
        """The same by looking at the mode between two values; twice if it passes the ray and comes back."""
        from scipy.optimize import minimize_scalar

        def above(value: float) -> float:
            return abs(eigenvalue(value)) / (2.0 * np.pi) - slope * abs(value)

        spans = [(left, right)]
        if (ends[0] > 0.0) == (ends[1] > 0.0):
            sign = 1.0 if ends[0] > 0.0 else -1.0
            bounds = min(left, right), max(left, right)
            lowest = float(minimize_scalar(lambda v: sign * above(float(v)), bounds=bounds, method="bounded").x)
            spans = [(left, lowest), (lowest, right)] if sign * above(lowest) < 0.0 else []
        met = [self._meeting(above, *span, mode, slope) for span in spans]
        return [speed for speed in met if speed is not None and eigenvalue(speed).imag != 0.0]

    def _meeting(
        self, above: Callable[[float], float], left: float, right: float, mode: int, slope: float
    ) -> float | None:
        """Value between two at which a mode meets a ray [Hz per unit]; None, with a warning, if it is lost."""
        from scipy.optimize import brentq

        if above(left) * above(right) >= 0.0:  # by the last digit: it meets the ray at one of them
            return min(left, right, key=lambda value: abs(above(value)))
        speed = float(brentq(above, left, right, xtol=NEAR * abs(right - left), rtol=NEAR))
        if abs(above(speed)) < SAME * slope * abs(speed):
            return speed
        warnings.warn(
            f"mode loci: mode {mode + 1} jumps or is taken for another between {left:g} and {right:g}, where no "
            "critical speed of it is found; take smaller steps",
            stacklevel=4,
        )
        return None


def _leads_beyond(values: Array, above: Array) -> BoolArray:
    """Return steps (nvalue - 1, k) where modes on one side of a ray are led to it and back from beyond it.

    above (nvalue, k) [Hz]: how far modes are above the ray. Where they bend one way, they lie between the straight line
    and the slopes at both ends, which meet beyond the ray.
    """
    if len(values) < 3:
        return np.zeros_like(above[1:], dtype=bool)
    with np.errstate(all="ignore"):
        side = np.sign(above)
        size, slopes = side * above, side * np.gradient(above, values, axis=0)
        step = np.diff(values)[:, None]
        first, last = slopes[:-1] * step, slopes[1:] * step
        lowest = size[:-1] + first * (size[1:] - size[:-1] - last) / (first - last)
        return np.asarray((side[:-1] == side[1:]) & (first < 0.0) & (last > 0.0) & (lowest < 0.0))


def mode_loci(
    system_at: Callable[[float], CompiledSystem], values: Array, n: int = 10, state: str | None = None
) -> ModeLoci:
    """Follow the n lowest modes over values of a parameter, rigid-body motions left out, as seen at rest.

    Parameters
    ----------
    system_at
        Makes the system of a value: lambda speed: model.compile({"speed": speed}).
    values
        Two or more values of the parameter, in the order in which modes are followed.
    n
        How many modes; at every value twice as many are looked at.
    state
        "start", "equilibrium" or "steady" (default: equilibrium, for wheels on a track steady).
    """
    from scipy.optimize import linear_sum_assignment

    values = np.asarray(values, dtype=float)
    if values.ndim != 1 or len(values) < 2 or n < 1:
        raise ModelError(
            f"mode loci: values of shape {values.shape} and {n} modes, expected two or more and one or more"
        )

    def modes_at(value: float) -> _Modes:
        try:
            return _modes(system_at(value), state, 2 * n)
        except NotConverged as failure:
            raise NotConverged(f"at {value:.7g}: {failure}") from None

    now = modes_at(float(values[0]))
    count = min(n, len(now.values))
    eigenvalues, shapes = [now.values[:count]], [now.shapes[:, :count]]
    stable, alike = [now.stable], []
    for value in values[1:]:
        now = modes_at(float(value))
        if (left := len(now.values)) < count:
            raise ModelError(f"mode loci: at {value:g} there are {left} modes, expected {count}; follow fewer")
        mac = _mac(shapes[-1], now.shapes, now.mass)
        rows, columns = linear_sum_assignment(_unlike(eigenvalues[-1], now.values, mac))
        eigenvalues.append(now.values[columns])
        stable.append(now.stable)
        shapes.append(now.shapes[:, columns])
        alike.append(mac[rows, columns])

    def between(k: int, mode: int) -> Callable[[float], complex]:
        """A mode between two values: the one that is most like its neighbours looked at so far, on both sides."""
        known = {float(values[j]): (eigenvalues[j][mode : mode + 1], shapes[j][:, mode : mode + 1]) for j in (k, k + 1)}

        def eigenvalue(value: float) -> complex:
            if value not in known:
                beside = [max(one for one in known if one < value), min(one for one in known if one > value)]
                now = modes_at(value)
                unlike = sum(
                    _unlike(last, now.values, _mac(shape, now.shapes, now.mass))[0]
                    for last, shape in map(known.__getitem__, beside)
                )
                best = int(np.argmin(unlike))
                known[value] = now.values[best : best + 1], now.shapes[:, best : best + 1]
            return complex(known[value][0][0])

        return eigenvalue

    return ModeLoci(values, np.array(eigenvalues), np.array(alike), np.array(stable), between)


def _unlike(last: AnyArray, now: AnyArray, mac: Array) -> Array:
    """How little modes with eigenvalues (k,) have in common with others (l,), from these and their MAC (k, l)."""
    apart = np.abs(last[:, None] - now) / (CLOSE * (np.abs(last)[:, None] + np.abs(now)))
    unlike: Array = np.minimum(apart, 1e3) * 0.1 - mac
    return unlike


@dataclass(frozen=True)
class _Modes:
    values: AnyArray
    shapes: AnyArray
    mass: Array
    stable: bool


def _modes(system: CompiledSystem, at: str | None, n: int) -> _Modes:
    state = _state(system, at)
    linear: Linear = linearise(system, state)
    found = seen_at_rest(system, state, linear)
    keep = np.flatnonzero(~found.rigid)[:n]
    shapes = found.shapes[:, keep].astype(complex)
    return _Modes(found.eigenvalues[keep], shapes, system.mass_matrix(state), bool(linear.stable))


def _state(system: CompiledSystem, at: str | None) -> State:
    """The state to look at; that it is unstable is what loci and limits are about, and no warning."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="the equilibrium found is unstable")
        return state_at(system, at)


def _mac(one: AnyArray, other: AnyArray, M: Array) -> Array:
    """Modal assurance criterion (k, l) of shapes (nv, k) and (nv, l), weighed by the mass matrix."""
    both = np.abs(one.conj().T @ M @ other) ** 2
    sizes = [np.einsum("ik,ij,jk->k", shapes.conj(), M, shapes).real for shapes in (one, other)]
    product = np.outer(*sizes)
    return np.divide(both, product, out=np.zeros_like(both), where=product > 0.0)


def stability_limit(
    system_at: Callable[[float], CompiledSystem],
    low: float,
    high: float,
    tolerance: float = 1e-6,
    state: str | None = None,
) -> float:
    """Return the value of a parameter between two at which a motion of the system begins to grow, by bisection.

    One of the ends must be stable and the other not. tolerance: of the value, as a share of the distance of the ends.
    """

    def grows(value: float) -> bool:
        system = system_at(value)
        return not linearise(system, _state(system, state)).stable

    ends = grows(low), grows(high)
    if ends[0] == ends[1]:
        what = "unstable" if ends[0] else "stable"
        raise ModelError(f"stability limit: the system is {what} at {low:g} and at {high:g}; take ends that differ")
    left, right = float(low), float(high)
    while abs(right - left) > tolerance * abs(high - low):
        middle = 0.5 * (left + right)
        if grows(middle) == ends[0]:
            left = middle
        else:
            right = middle
    return 0.5 * (left + right)


def stability_limits(
    system_at: Callable[[float], CompiledSystem],
    values: Sequence[float],
    stable: Sequence[bool] | BoolArray,
    tolerance: float = 1e-6,
    state: str | None = None,
) -> list[StabilityLimit]:
    """Return the limits between values of a parameter at which a system is stable or not; see `stability_limit`."""
    found = []
    for left, right, one, other in zip(values, values[1:], stable, stable[1:], strict=False):
        if one != other:
            limit = stability_limit(system_at, left, right, tolerance, state)
            system = system_at(limit)
            linear = linearise(system, _state(system, state))
            roots = linear.eigenvalues[~linear.rigid]
            marginal = roots[(roots.real / np.abs(roots)).argmax()]
            frequency = float(abs(marginal.imag)) / (2.0 * np.pi)
            found.append(StabilityLimit(limit, 0.5 * tolerance * abs(right - left), frequency, bool(one)))
    return found
