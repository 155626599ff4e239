"""Heat: capacity, conduction, convection, radiation, sources. Temperatures are absolute [K]."""

from __future__ import annotations

from floatframe.arrays import Array
from floatframe.network.laws.kind import (
    THERMAL,
    At,
    Kind,
    Out,
    Parameter,
    Terminal,
    by_difference,
    pair,
    through,
)
from floatframe.network.laws.mechanics import mass, sources

STEFAN_BOLTZMANN = 5.670374419e-8  # W/(m2 K4)


def capacity_energy(at: At) -> Array:
    return at.p[0] * at.v[0]


def conduction(at: At, out: Out) -> None:
    (g,) = at.p
    through(out.F, g * (at.v[0] - at.v[1]))
    by_difference(out.D, g)


def convection(at: At, out: Out) -> None:
    h, area = at.p
    through(out.F, h * area * (at.v[0] - at.v[1]))
    by_difference(out.D, h * area)


def radiation(at: At, out: Out) -> None:
    emissivity, area = at.p
    factor = STEFAN_BOLTZMANN * emissivity * area
    through(out.F, factor * (at.v[0] ** 4 - at.v[1] ** 4))
    for j, sign in ((0, 1.0), (1, -1.0)):
        slope = 4.0 * factor * at.v[j] ** 3 * sign
        out.D[0, j] += slope
        out.D[1, j] -= slope


KINDS = (
    Kind(
        "heat_capacity",
        "heat that a node stores",
        (Terminal("a", THERMAL),),
        (Parameter("capacity", "J/K", "heat capacity", least=0.0),),
        mass,
        linear=True,
        energy=capacity_energy,
    ),
    Kind(
        "conduction",
        "conduction between two nodes",
        pair(THERMAL),
        (Parameter("conductance", "W/K", "conductivity times area over length", least=0.0),),
        conduction,
        linear=True,
        through=True,
    ),
    Kind(
        "convection",
        "heat that a fluid carries off a surface",
        pair(THERMAL),
        (
            Parameter("coefficient", "W/(m2 K)", "heat transfer coefficient", least=0.0),
            Parameter("area", "m2", "surface", least=0.0),
        ),
        convection,
        linear=True,
        through=True,
    ),
    Kind(
        "radiation",
        "radiation between two grey surfaces, sigma emissivity area (T_a^4 - T_b^4)",
        pair(THERMAL),
        (
            Parameter("emissivity", "", "emissivity and view factor together", 1.0, 0.0),
            Parameter("area", "m2", "surface", least=0.0),
        ),
        radiation,
        through=True,
    ),
    *sources(THERMAL, "heat_source", 1e-6),
)
