"""Profiles that standards define, and the simple ones of textbooks."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.polynomial import Polynomial

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.railway.profiles.profile import RAIL, WHEEL, Profile
from floatframe.wording import did_you_mean

_STEP = 0.05  # mm between points of a profile

Zone = tuple[float, float, Callable[[Array], Array]]  # from, to [mm], z(y)


def _arc(y: float, z: float, radius: float, side: int) -> Callable[[Array], Array]:
    """The lower (side 1) or upper (side -1) part of a circle; z points down."""
    return lambda s: z + side * np.sqrt(np.maximum(radius**2 - (s - y) ** 2, 0.0))


# the flange that several wheels have; EN 13715, zones H, G, F, E
_FLANGE: list[Zone] = [
    (-70.0, -62.764705882, _arc(-49.5, 9.519259302, 20.5, 1)),
    (-62.764705882, -49.662510381, _arc(-55.0, 16.0, 12.0, 1)),
    (-49.662510381, -39.764473993, _arc(-58.558326413, 8.83492413, 20.0, 1)),
]
_LINE_E = Polynomial([-93.576667419, -2.747477419])

#: EN 13715, S1002
_S1002: list[Zone] = [
    *_FLANGE,
    (-39.764473993, -38.426669071, _LINE_E),
    (-38.426669071, -35.0, _arc(-26.210665, 16.446, 13.0, -1)),
    (
        -35.0,
        -26.0,
        -Polynomial(
            [
                *(4320.221063, 1038.384026, 106.5501873, 6.051367875),
                *(0.2054332446, 4.169739389e-3, 4.687195829e-5, 2.25275554e-7),
            ]
        ),
    ),
    (
        -26.0,
        32.15796,
        Polynomial(
            [
                *(0.0, -3.358537058e-2, 1.565681624e-3, -2.810427944e-5, 5.844240864e-8),
                *(-1.562379023e-8, 5.309217349e-15, -5.957839843e-12, 2.646656573e-13),
            ]
        ),
    ),
    (32.15796, 60.0, Polynomial([1.36432364, -0.066666667])),
]
#: EN 15302, wheel A: hollow, like a worn one
_WHEEL_A: list[Zone] = [
    (-70.0, -62.7647, _arc(-49.5, 9.51926, 20.5, 1)),
    (-62.7647, -49.6625, _arc(-55.0, 16.00065, 12.0, 1)),
    (-49.6625, -39.7645, _arc(-58.5583, 8.83556, 20.0, 1)),
    (-39.7645, -38.7372, Polynomial([-93.57685, -2.7475])),
    (-38.7372, -29.4591, _arc(-25.5816, 17.64215, 14.0, -1)),
    (-29.4591, -10.8749, _arc(-2.6594, 97.16493, 96.76055, -1)),
    (-10.8749, 18.4173, _arc(18.4173, 344.50806, 345.0, -1)),
    (18.4173, 30.0, Polynomial([-0.49194])),
    (30.0, 60.0, Polynomial([1.50804, -0.066666])),
]
#: EN 15302, wheel B: a cone of 1:40 with a flange
_WHEEL_B: list[Zone] = [
    *_FLANGE,
    (-39.764473993, -38.7879, _LINE_E),
    (-38.7879, -29.3505, _arc(-25.6322, 17.7814, 14.0, -1)),
    (-29.3505, -0.4787, _arc(2.5204, 119.9745, 120.0, -1)),
    (-0.4787, 30.0, Polynomial([0.0, -0.025])),
    (30.0, 60.0, Polynomial([0.75, -0.05])),
]
#: EN 15302, wheel H: a cone of 1:40 with one of 1:5 beside the flange
_WHEEL_H: list[Zone] = [
    (-70.0, -62.7647, _arc(-49.5, 9.5193, 20.5, 1)),
    (-62.7647, -49.6625, _arc(-55.0, 16.0, 12.0, 1)),
    (-49.6625, -39.7645, _arc(-58.5583, 8.8349, 20.0, 1)),
    (-39.7645, -38.7220, Polynomial([-93.5767, -2.7475])),
    (-38.7220, -28.3119, _arc(-25.5663, 17.6003, 14.0, -1)),
    (-28.3119, -10.2297, Polynomial([-1.7902, -0.2])),
    (-10.2297, 30.0, Polynomial([0.0, -0.025])),
    (30.0, 60.0, Polynomial([1.251, -0.0667])),
]
#: EN 15302, wheel I: a cylinder whose fillet begins 5 mm outside the rolling circle
_WHEEL_I: list[Zone] = [
    (-70.0, -62.7647, _arc(-49.5, 9.51929, 20.5, 1)),
    (-62.7647, -49.6625, _arc(-55.0, 16.00054, 12.0, 1)),
    (-49.6625, -39.7640, _arc(-58.5583, 8.83545, 20.0, 1)),
    (-39.7640, -39.0486, Polynomial([-93.5767, -2.7475])),
    (-39.0486, -29.9231, _arc(-25.8929, 18.49733, 14.0, -1)),
    (-29.9231, 5.0, _arc(5.0, math.sqrt(14375.0), 120.0, -1)),
    (5.0, 30.0, Polynomial([math.sqrt(14375.0) - 120.0])),
    (30.0, 60.0, Polynomial([1.89679, -0.0667])),
]
#: EN 13674-1, the head of 60E1 without inclination
_60E1: list[Zone] = [
    (-36.0, -26.0265, _arc(-23.01603, 14.94915, 13.0, -1)),
    (-26.0265, -10.228, _arc(-7.50053, 80.12790, 80.0, -1)),
    (-10.228, 10.228, _arc(0.0, 300.0, 300.0, -1)),
    (10.228, 26.0265, _arc(7.50053, 80.12790, 80.0, -1)),
    (26.0265, 36.0, _arc(23.01603, 14.94915, 13.0, -1)),
]
#: EN 15302, rail A: the arcs of a rail that leans inward by 1:20 already
_RAIL_A: list[Zone] = [
    (-32.6340, -23.2401, _arc(-19.63949, 15.899044, 13.0, -1)),
    (-23.2401, -7.87490, _arc(-1.08250, 80.277908, 80.0, -1)),
    (-7.87490, 13.09890, _arc(17.59660, 299.483490, 300.0, -1)),
    (13.09890, 28.67090, _arc(14.29829, 79.508225, 80.0, -1)),
    (28.67090, 39.27050, _arc(26.33535, 13.598369, 13.0, -1)),
]
_WHEELS = {
    "S1002": _S1002,
    "EN15302-A": _WHEEL_A,
    "EN15302-B": _WHEEL_B,
    "EN15302-H": _WHEEL_H,
    "EN15302-I": _WHEEL_I,
}
_RAILS = {"60E1": _60E1, "UIC60": _60E1, "EN15302-A": _RAIL_A}
_LEANING = {"en15302-a": 0.0}  # slope to add where none is given
_GAUGE_FACES = {"en15302-a": -0.03242}  # m: at a gauge of 1435.16 mm the standard has its origin at 750 mm
NAMES = {WHEEL: tuple(_WHEELS), RAIL: tuple(_RAILS)}


def standard_profile(name: str, kind: str, inclination: float | None = None) -> Profile:
    """Return a standard profile by its name; a rail leans inward by its inclination, 1/40 without it."""
    found = {known.lower(): zones for known, zones in (_WHEELS if kind == WHEEL else _RAILS).items()}
    if name.lower() not in found:
        raise ModelError(f"{kind} '{name}': no file and no standard profile{did_you_mean(name, NAMES[kind])}")
    zones = found[name.lower()]
    _, last, curve = zones[-1]
    points = np.concatenate([*map(_sampled, zones), np.array([[last, curve(np.array(last))]])])
    made = Profile.from_points(name, kind, 1e-3 * points)
    if kind == WHEEL:
        return made
    slope = _LEANING.get(name.lower(), 1 / 40) if inclination is None else inclination
    return made.inclined(slope) if slope else replace(made, gauge_face=_GAUGE_FACES.get(name.lower()))


def _sampled(zone: Zone) -> Array:
    """Points of a zone without its end, which is the beginning of the next."""
    first, last, curve = zone
    y = np.linspace(first, last, max(3, math.ceil((last - first) / _STEP) + 1))[:-1]
    return np.column_stack([y, curve(y)])


def conical_wheel(conicity: float, *, inside: float = -0.03, outside: float = 0.06) -> Profile:
    """Return a wheel that is a cone without a flange, between two places [m] beside the rolling circle."""
    y = np.linspace(inside, outside, 91)
    return Profile(f"cone:{conicity:g}", WHEEL, y, -conicity * y)


def circular_rail(radius: float = 0.3, *, width: float = 0.07, corner: float = 0.013) -> Profile:
    """Return a rail with its top at the origin whose head is an arc, with rounded corners and sides of 1:20 [m]."""
    if not (0.0 < corner < 0.5 * width and corner < radius and 0.5 * width - corner < radius - corner):
        raise ModelError(
            f"rail: found a head of radius {radius:g} m, {width:g} m wide with corners of {corner:g} m, expected "
            "corners below half the width and a head of a larger radius"
        )
    sine = (0.5 * width - corner) / (radius - corner)
    slant = math.radians(87.0)
    angles = np.linspace(math.asin(sine), slant, 80)
    y, z = (radius - corner) * sine, radius - (radius - corner) * math.sqrt(1.0 - sine**2)
    rounded = np.column_stack([y + corner * np.sin(angles), z - corner * np.cos(angles)])
    down = np.linspace(0.0, 0.01, 11)[1:, None] * [math.cos(slant), math.sin(slant)]
    top = np.linspace(0.0, radius * sine, 150)[:-1]
    half = np.concatenate([np.column_stack([top, radius - np.sqrt(radius**2 - top**2)]), rounded, rounded[-1] + down])
    points = np.concatenate([half[:0:-1] * [-1.0, 1.0], half])
    return Profile.from_points(f"arc:{radius:g}", RAIL, points)
