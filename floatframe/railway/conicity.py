"""Equivalent conicity of a wheelset on a track, after EN 15302.

The rolling radii of both wheels over the lateral shift give the path of a wheelset that rolls without slip:
y'' = -Δr(y) / (2 e r0) with the distance 2 e of the contact points. The cone whose path has the same wavelength at an
amplitude has the equivalent conicity tan γ = e r0 (2π / wavelength)².
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.railway.contact import Resting, WheelOnRail, rest

_HALF = 200  # intervals between the middle and the end of a motion
_LEAST = 5  # shifts to either side of the centre that must have a contact
_EQUAL = 1e-9  # m: rolling radii that differ by less lead a wheelset nowhere
_ROUNDING = 1e-9  # m


@dataclass(frozen=True)
class ContactGeometry:
    """Where both wheels touch, over the lateral shift of the wheelset to the right."""

    lateral: Array  # (n,) [m]
    radius_difference: Array  # (n,) rolling radius of the right wheel less that of the left one [m]
    right: Array  # (n, 4): rolling radius [m], place on the wheel [m], place on the rail [m], contact angle [rad]
    left: Array  # the same


@dataclass(frozen=True)
class Conicity:
    """Equivalent conicity over the amplitude of a wheelset's motion."""

    amplitude: Array  # (n,) [m]
    conicity: Array  # (n,) tan γ; 0 where both wheels keep equal radii, NaN where the wheelset does not come back
    wavelength: Array  # (n,) [m]; endless where both wheels keep equal radii
    centre: float  # lateral shift at which both wheels run equally far [m]
    geometry: ContactGeometry

    def at(self, amplitude: float) -> float:
        """Return the equivalent conicity at an amplitude [m], between those that were computed; NaN beyond them."""
        return float(np.interp(amplitude, self.amplitude, self.conicity, left=np.nan, right=np.nan))

    @property
    def nonlinearity(self) -> float:
        """Rise of the conicity from 2 to 4 mm [1/m], after Polach: positive if it grows with the amplitude."""
        return (self.at(4e-3) - self.at(2e-3)) / 2e-3


def contact_geometry(
    right: WheelOnRail, left: WheelOnRail | None = None, *, lateral: Sequence[float] | Array, rolls: bool = False
) -> ContactGeometry:
    """Return where a wheelset touches both rails at lateral shifts [m].

    Parameters
    ----------
    right, left
        The wheels on their rails; the left one is like the right one without it.
    lateral
        Shifts to the right [m].
    rolls
        Whether the wheelset leans with its shift; EN 15302 keeps it level.
    """
    left = left or right
    places = np.asarray(lateral, float)
    return _geometry(places, [rest(right, left, lateral=float(y), rolls=rolls) for y in places])


def _geometry(places: Array, found: Sequence[Resting]) -> ContactGeometry:
    on_right, on_left = (
        np.array([[t.radius, t.on_wheel, t.y, np.arctan(t.slope)] for t in touches])
        for touches in ([one.right for one in found], [one.left for one in found])
    )
    return ContactGeometry(places, on_right[:, 0] - on_left[:, 0], on_right, on_left)


def equivalent_conicity(
    right: WheelOnRail,
    left: WheelOnRail | None = None,
    *,
    amplitudes: Sequence[float] | Array | None = None,
    rolls: bool = False,
    step: float = 1e-4,
) -> Conicity:
    """Return the equivalent conicity of a wheelset.

    Parameters
    ----------
    right, left
        The wheels on their rails; the left one is like the right one without it.
    amplitudes
        Of the motion [m]; 1 to 7 mm every 0.1 mm without them.
    rolls
        Whether the wheelset leans with its shift; EN 15302 keeps it level.
    step
        Between lateral shifts at which the contact is looked for [m].
    """
    left = left or right
    wanted = np.arange(1.0, 7.05, 0.1) * 1e-3 if amplitudes is None else np.asarray(amplitudes, float)
    if not (wanted.size and (wanted > 0.0).all()):
        raise ModelError("conicity: expected amplitudes of more than 0")
    reach = int(np.ceil((float(wanted.max()) + 4e-3) / step))
    geometry = _over_the_play(right, left, 0, reach, rolls, step)
    centre, idle = _centre(geometry.lateral, geometry.radius_difference, right.radius - left.radius)
    # motions have their ends about the centre, which wheels of different size have beside the track's middle
    if aside := round(centre / step):
        geometry = _over_the_play(right, left, aside, reach, rolls, step)
    y, difference = geometry.lateral, geometry.radius_difference
    distance = right.wheel_origin + left.wheel_origin
    r0 = 0.5 * (right.radius + left.radius)
    energy = _Energy(y, difference / (0.5 * distance * r0))
    length = np.array(
        [np.inf if one <= idle + _ROUNDING else _wavelength(energy, centre, 2.0 * one) for one in wanted.tolist()]
    )
    conicity = 0.5 * distance * r0 * (2.0 * np.pi / length) ** 2
    return Conicity(wanted, conicity, length, centre, geometry)


def _over_the_play(
    right: WheelOnRail, left: WheelOnRail, middle: int, reach: int, rolls: bool, step: float
) -> ContactGeometry:
    """The contact at shifts on either side of a middle, counted in steps, or up to those where a flange climbs."""

    def outward(way: int) -> list[Resting]:
        found: list[Resting] = []
        for k in range(1, reach + 1):
            try:
                found.append(rest(right, left, lateral=(middle + way * k) * step, rolls=rolls))
            except ModelError:
                if k <= _LEAST:
                    raise
                break
        return found

    to_left, to_right = outward(-1), outward(1)
    places = np.arange(middle - len(to_left), middle + len(to_right) + 1) * step
    return _geometry(places, [*to_left[::-1], rest(right, left, lateral=middle * step, rolls=rolls), *to_right])


def _centre(y: Array, difference: Array, apart: float) -> tuple[float, float]:
    """The shift at which the rolling radii are equal, nearest to the middle of the track.

    With half the length over which they stay equal there, as those of cylindrical treads do.
    """
    sign = np.where(np.abs(difference) < _EQUAL, 0.0, np.sign(difference))
    differ = np.flatnonzero(sign)
    before = differ[:-1][(sign[differ[:-1]] < 0.0) & (sign[differ[1:]] > 0.0)]
    if not before.size:
        equal = difference.min() <= 0.0 <= difference.max()
        so = "nothing leads the wheelset back to the middle" if equal else "the wheelset does not run straight anywhere"
        raise ModelError(
            f"conicity: the rolling radii differ by {1e3 * difference.min():.3g} to {1e3 * difference.max():.3g} mm "
            f"over all lateral shifts (nominal: {1e3 * apart:.3g} mm), so that {so}; check radii and profiles"
        )
    found = []
    for k in before.tolist():
        after = int(differ[np.searchsorted(differ, k) + 1])
        if after - k > 2:  # equal at two shifts at least
            found.append((0.5 * float(y[k + 1] + y[after - 1]), 0.5 * float(y[after - 1] - y[k + 1])))
        else:
            share = float(difference[k] / (difference[k] - difference[after]))
            found.append((float(y[k]) + share * float(y[after] - y[k]), 0.0))
    return min(found, key=lambda one: abs(one[0]))


class _Energy:
    """Twice the potential energy of the motion, the integral of its force: y'² + energy(y) is constant."""

    def __init__(self, y: Array, force: Array) -> None:
        self.y, self._force = y, force
        self._known = np.concatenate(([0.0], np.cumsum(0.5 * (force[1:] + force[:-1]) * np.diff(y))))

    def __call__(self, at: Array) -> Array:
        """The force is linear between the shifts known."""
        k = np.clip(np.searchsorted(self.y, at) - 1, 0, len(self.y) - 2)
        t = at - self.y[k]
        slope = (self._force[k + 1] - self._force[k]) / (self.y[k + 1] - self.y[k])
        energy: Array = self._known[k] + t * (self._force[k] + 0.5 * t * slope)
        return energy


def _wavelength(energy: _Energy, centre: float, stroke: float) -> float:
    """Length of a full motion whose ends are a stroke apart [m]; NaN if it has none within the shifts known."""
    from scipy.optimize import brentq

    def uneven(at: float) -> float:
        return float(energy(np.array(at)) - energy(np.array(at + stroke)))

    # the ends have equal energy and lie a stroke apart
    low, high = max(energy.y[0], centre - stroke), min(centre, energy.y[-1] - stroke)
    if low >= high or uneven(low) * uneven(high) > 0.0:
        return float("nan")
    left = float(brentq(uneven, low, high, xtol=1e-13))
    # dx = dy / y'; the root at the ends goes by y = middle + half sin(angle)
    angles = (np.arange(2 * _HALF) + 0.5) / (2 * _HALF) * np.pi - 0.5 * np.pi
    square = energy(np.array(left)) - energy(left + 0.5 * stroke * (1.0 + np.sin(angles)))
    if (square <= 0.0).any():
        return float("nan")
    return float(2.0 * np.sum(0.5 * stroke * np.cos(angles) / np.sqrt(square)) * np.pi / (2 * _HALF))
