"""Hydraulics: volume, orifice, pump, valve, cylinder, sources. Pressures are above that of the ground node."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from floatframe.arrays import Array
from floatframe.network.laws.kind import (
    HYDRAULIC,
    ROTATION,
    TRANSLATION,
    At,
    Input,
    Kind,
    Limit,
    Out,
    Parameter,
    Terminal,
    by_difference,
    pair,
    through,
)
from floatframe.network.laws.mechanics import sources


def volume(at: At, out: Out) -> None:
    """Compressed oil: V / bulk p'."""
    size, bulk = at.p
    out.F[0] += size / bulk * at.a[0]
    out.M[0, 0] += size / bulk


def volume_energy(at: At) -> Array:
    size, bulk = at.p
    return 0.5 * size / bulk * at.v[0] ** 2


def _orifice(drop: Array, conductance: Array, laminar: Array) -> tuple[Array, Array]:
    """Flow and its slope of conductance drop / (drop² + laminar²)^(1/4): a root, straight through zero."""
    square = drop**2 + laminar**2
    root = square**-0.25
    return conductance * drop * root, conductance * root * (1.0 - 0.5 * drop**2 / square)


def orifice(at: At, out: Out) -> None:
    """discharge area sqrt(2/density drop), smooth where the drop is below the laminar one."""
    area, discharge, density, laminar = at.p
    flow, slope = _orifice(at.v[0] - at.v[1], discharge * area * np.sqrt(2.0 / density), laminar)
    through(out.F, flow)
    by_difference(out.D, slope)


def valve(at: At, out: Out) -> None:
    """An orifice whose area is opening times the full one; a negative opening is closed."""
    area, discharge, density, laminar = at.p
    opens = np.real(at.s[0]) > 0.0
    opening = np.where(opens, at.s[0], 0.0)
    flow, slope = _orifice(at.v[0] - at.v[1], discharge * area * np.sqrt(2.0 / density), laminar)
    through(out.F, opening * flow)
    by_difference(out.D, opening * slope)
    through(out.S[:, 0], np.where(opens, flow, 0.0))


def check_valve(at: At, out: Out) -> None:
    """An orifice from a to b that leaks only in the other direction; the area opens over the opening pressure."""
    area, discharge, density, laminar, cracking, leakage = at.p
    drop = at.v[0] - at.v[1]
    share = np.clip(np.real(drop) / cracking, 0.0, 1.0)
    inside = (share > 0.0) & (share < 1.0)
    ratio = np.where(inside, drop / cracking, share)
    open_, by_ratio = ratio**2 * (3.0 - 2.0 * ratio), 6.0 * ratio * (1.0 - ratio)
    flow, slope = _orifice(drop, discharge * area * np.sqrt(2.0 / density), laminar)
    through(out.F, open_ * flow + leakage * drop)
    by_difference(out.D, open_ * slope + np.where(inside, by_ratio / cracking, 0.0) * flow + leakage)


def pipe(at: At, out: Out) -> None:
    """Laminar flow: conductance (p_a - p_b)."""
    (g,) = at.p
    through(out.F, g * (at.v[0] - at.v[1]))
    by_difference(out.D, g)


def pump(at: At, out: Out) -> None:
    """Displacement per radian: flow = displacement w from a to b less leakage; torque = displacement (p_b - p_a).

    Driven backwards it is a motor.
    """
    displacement, leakage = at.p
    drop = at.v[0] - at.v[1]
    through(out.F, displacement * at.v[2] + leakage * drop)
    by_difference(out.D, leakage)
    out.F[2] -= displacement * drop
    for i, j, value in ((0, 2, displacement), (1, 2, -displacement), (2, 0, -displacement), (2, 1, displacement)):
        out.D[i, j] += value


def cylinder(at: At, out: Out) -> None:
    """Piston with chambers a (whole area) and b (ring), pushing rod against body; its oil is compressible.

    p_a area_a - p_b area_b pushes them apart; the chambers take in area times speed and V / bulk p'.
    """
    area_a, area_b, dead_a, dead_b, stroke, bulk, leakage = at.p
    p_a, p_b = at.v[0], at.v[1]
    out_by = at.x[2] - at.x[3]
    speed = at.v[2] - at.v[3]
    room_a, room_b = dead_a + area_a * out_by, dead_b + area_b * (stroke - out_by)
    # what is left of a chamber at the end of the stroke stays above zero
    free_a, free_b = np.real(room_a) > dead_a, np.real(room_b) > dead_b
    room_a, room_b = np.where(free_a, room_a, dead_a), np.where(free_b, room_b, dead_b)
    through(out.F, leakage * (p_a - p_b))
    by_difference(out.D, leakage)
    out.F[0] += area_a * speed + room_a / bulk * at.a[0]
    out.F[1] += -area_b * speed + room_b / bulk * at.a[1]
    out.M[0, 0] += room_a / bulk
    out.M[1, 1] += room_b / bulk
    push = area_a * p_a - area_b * p_b
    through(out.F, -push, 2, 3)
    for end, sign in ((2, 1.0), (3, -1.0)):
        out.D[0, end] += sign * area_a
        out.D[1, end] -= sign * area_b
        out.D[end, 0] -= sign * area_a
        out.D[end, 1] += sign * area_b
        out.K[0, end] += sign * np.where(free_a, area_a, 0.0) / bulk * at.a[0]
        out.K[1, end] -= sign * np.where(free_b, area_b, 0.0) / bulk * at.a[1]


def cylinder_energy(at: At) -> Array:
    """Work that compressed the oil of both chambers to rooms V: bulk V (e^(p / bulk) - 1 - p / bulk)."""
    area_a, area_b, dead_a, dead_b, stroke, bulk, _ = at.p
    out_by = at.x[2] - at.x[3]
    room_a = np.maximum(dead_a + area_a * out_by, dead_a)
    room_b = np.maximum(dead_b + area_b * (stroke - out_by), dead_b)
    strain_a, strain_b = at.v[0] / bulk, at.v[1] / bulk
    return bulk * (room_a * (np.expm1(strain_a) - strain_a) + room_b * (np.expm1(strain_b) - strain_b))


def _beyond_stroke(values: Mapping[str, float]) -> str:
    return (
        f"its piston stands at {values['rod'] - values['body']:.4g} m, where a chamber is empty, and has left the "
        f'stroke of 0 to {values["stroke"]:g} m; end its way by a stop (kind = "stop"), or give it a longer stroke'
    )


_ORIFICE = (
    Parameter("area", "m2", "area of the opening", least=0.0),
    Parameter("discharge", "", "discharge coefficient", 0.7, above=0.0),
    Parameter("density", "kg/m3", "density of the oil", 870.0, above=0.0),
    Parameter("laminar", "Pa", "pressure drop below which the flow is proportional to it", 1e3, above=0.0),
)
_LEAKAGE = Parameter("leakage", "m3/(s Pa)", "leakage per pressure difference", 0.0, 0.0)

KINDS = (
    Kind(
        "volume",
        "compressible oil of a node",
        (Terminal("a", HYDRAULIC),),
        (
            Parameter("volume", "m3", "volume", least=0.0),
            Parameter("bulk", "Pa", "bulk modulus of the oil", 1.4e9, above=0.0),
        ),
        volume,
        linear=True,
        energy=volume_energy,
    ),
    Kind("orifice", "sharp-edged orifice", pair(HYDRAULIC), _ORIFICE, orifice, through=True),
    Kind(
        "valve",
        "orifice with an opening of 0 to 1",
        pair(HYDRAULIC),
        _ORIFICE,
        valve,
        (Input("opening", "", "share of the area that is open"),),
        through=True,
    ),
    Kind(
        "check_valve",
        "orifice that opens from a to b only",
        pair(HYDRAULIC),
        (*_ORIFICE, Parameter("cracking", "Pa", "pressure drop at which it is fully open", 1e5, above=0.0), _LEAKAGE),
        check_valve,
        through=True,
    ),
    Kind(
        "pipe",
        "laminar pipe or leak",
        pair(HYDRAULIC),
        (Parameter("conductance", "m3/(s Pa)", "flow per pressure difference", least=0.0),),
        pipe,
        linear=True,
        through=True,
    ),
    Kind(
        "pump",
        "pump or motor: displacement per radian, flow from a to b, torque on the shaft",
        (*pair(HYDRAULIC), Terminal("shaft", ROTATION)),
        (Parameter("displacement", "m3/rad", "volume per radian"), _LEAKAGE),
        pump,
        linear=True,
    ),
    Kind(
        "cylinder",
        "piston with chambers a and b that pushes rod and body apart",
        (*pair(HYDRAULIC), Terminal("rod", TRANSLATION), Terminal("body", TRANSLATION, optional=True)),
        (
            Parameter("area_a", "m2", "area of the piston", above=0.0),
            Parameter("area_b", "m2", "area of the ring at the rod", 0.0, 0.0),
            Parameter("dead_a", "m3", "volume of chamber a at displacement 0", 1e-5, above=0.0),
            Parameter("dead_b", "m3", "volume of chamber b at the full stroke", 1e-5, above=0.0),
            Parameter("stroke", "m", "stroke", 1.0, above=0.0),
            Parameter("bulk", "Pa", "bulk modulus of the oil", 1.4e9, above=0.0),
            _LEAKAGE,
        ),
        cylinder,
        energy=cylinder_energy,
        limits=(
            Limit("dead_a + area_a*(rod - body)", _beyond_stroke),
            # a plunger has no ring; its whole area stands for it
            Limit("dead_b + if(area_b > 0, area_b, area_a)*(stroke - (rod - body))", _beyond_stroke),
        ),
    ),
    *sources(HYDRAULIC, "flow_source", 1e-12),
)
