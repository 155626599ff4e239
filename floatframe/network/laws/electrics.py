"""Circuits: resistor, inductor, capacitor, diode, sources, and the motor that joins a circuit and a shaft."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.network.laws.kind import (
    ELECTRIC,
    ROTATION,
    At,
    Input,
    Internal,
    Kind,
    Out,
    Parameter,
    Terminal,
    by_difference,
    pair,
    through,
)

STEEPEST = 40.0  # exponent of a diode beyond which its curve goes on straight


def resistor(at: At, out: Out) -> None:
    (r,) = at.p
    through(out.F, (at.v[0] - at.v[1]) / r)
    by_difference(out.D, 1.0 / r)


def inductor(at: At, out: Out) -> None:
    """The flux linkage of its ends over L: no unknown of its own."""
    inductance, start = at.p
    through(out.F, start + (at.x[0] - at.x[1]) / inductance)
    by_difference(out.K, 1.0 / inductance)


def inductor_energy(at: At) -> Array:
    inductance, start = at.p
    return 0.5 * inductance * (start + (at.x[0] - at.x[1]) / inductance) ** 2


def capacitor(at: At, out: Out) -> None:
    (c,) = at.p
    through(out.F, c * (at.a[0] - at.a[1]))
    by_difference(out.M, c)


def capacitor_energy(at: At) -> Array:
    return 0.5 * at.p[0] * (at.v[0] - at.v[1]) ** 2


def diode(at: At, out: Out) -> None:
    """saturation (exp(u/voltage) - 1) + leakage u; straight on beyond an exponent of `STEEPEST`."""
    saturation, voltage, leakage = at.p
    u = at.v[0] - at.v[1]
    exponent = u / voltage
    over = np.real(exponent) > STEEPEST
    grown = np.exp(np.where(over, STEEPEST, exponent))
    beyond = np.where(over, exponent - STEEPEST, 0.0)
    through(out.F, saturation * (grown * (1.0 + beyond) - 1.0) + leakage * u)
    by_difference(out.D, saturation / voltage * grown + leakage)


def diode_reach(v: Array, change: Array, p: Array) -> Array:
    """Beyond the knee of its curve the voltage may grow by the logarithm of what an iteration wants, as in SPICE.

    Where the curve goes straight on, an iteration may go all the way.
    """
    saturation, voltage, _ = p
    u, wish = v[0] - v[1], change[0] - change[1]
    knee = np.maximum(voltage * np.log(voltage / (np.sqrt(2.0) * saturation)), voltage)
    far = (u + wish > knee) & (wish > 2.0 * voltage) & (u < STEEPEST * voltage)
    more, end = np.where(far, wish, 1.0), np.where(far, u + wish, 1.0)
    allowed = np.where(u > 0.0, voltage * np.log1p(more / voltage), voltage * np.log(end / voltage) - u)
    return np.where(far, allowed / more, 1.0)


def switch(at: At, out: Out) -> None:
    """Conductance between that of the open and that of the closed switch, in proportion to the input 0 to 1."""
    shut, open_ = 1.0 / at.p
    share = np.clip(np.real(at.s[0]), 0.0, 1.0)
    inside = (share > 0.0) & (share < 1.0)
    g = open_ + (shut - open_) * np.where(inside, at.s[0], share)
    u = at.v[0] - at.v[1]
    through(out.F, g * u)
    by_difference(out.D, g)
    through(out.S[:, 0], np.where(inside, (shut - open_) * u, 0.0))


def voltage_source(at: At, out: Out) -> None:
    """v_a - v_b = voltage - resistance i; the internal unknown is the current into a."""
    (r,) = at.p
    current = at.v[2]
    through(out.F, current)
    out.D[0, 2] += 1.0
    out.D[1, 2] -= 1.0
    out.F[2] += at.v[0] - at.v[1] - r * current - at.s[0]
    out.D[2, 0] += 1.0
    out.D[2, 1] -= 1.0
    out.D[2, 2] -= r
    out.S[2, 0] -= 1.0


def current_source(at: At, out: Out) -> None:
    """The current leaves at a and comes back at b."""
    through(out.F, -at.s[0])
    out.S[0, 0] -= 1.0
    out.S[1, 0] += 1.0


def dc_motor(at: At, out: Out) -> None:
    """v_p - v_n = R i + L i' + k w and torque k i on the shaft against the housing; i is the internal unknown."""
    r, inductance, k = at.p
    current, rate, speed = at.v[4], at.a[4], at.v[2] - at.v[3]
    through(out.F, current)
    through(out.F, -k * current, 2, 3)
    out.F[4] += at.v[0] - at.v[1] - r * current - inductance * rate - k * speed
    one = np.ones_like(k)
    for i, j, value in ((0, 4, one), (1, 4, -one), (2, 4, -k), (3, 4, k), (4, 4, -r)):
        out.D[i, j] += value
    for j, value in ((0, one), (1, -one), (2, -k), (3, k)):
        out.D[4, j] += value
    out.M[4, 4] -= inductance


KINDS = (
    Kind(
        "resistor",
        "resistor",
        pair(ELECTRIC),
        (Parameter("resistance", "Ohm", "resistance", above=0.0),),
        resistor,
        linear=True,
        through=True,
        code="R",
    ),
    Kind(
        "inductor",
        "inductor",
        pair(ELECTRIC),
        (
            Parameter("inductance", "H", "inductance", above=0.0),
            Parameter("start_current", "A", "current at the start, into a", 0.0),
        ),
        inductor,
        linear=True,
        through=True,
        energy=inductor_energy,
        code="L",
    ),
    Kind(
        "capacitor",
        "capacitor",
        pair(ELECTRIC),
        (Parameter("capacitance", "F", "capacitance", above=0.0),),
        capacitor,
        linear=True,
        through=True,
        energy=capacitor_energy,
        code="C",
    ),
    Kind(
        "diode",
        "diode, saturation (exp(u / voltage) - 1) + leakage u",
        pair(ELECTRIC),
        (
            Parameter("saturation", "A", "saturation current", 1e-14, above=0.0),
            Parameter("voltage", "V", "emission coefficient times thermal voltage", 0.02585, above=0.0),
            Parameter("leakage", "1/Ohm", "conductance beside it", 1e-12, 0.0),
        ),
        diode,
        through=True,
        reach=diode_reach,
        code="D",
    ),
    Kind(
        "switch",
        "resistance of an open or a closed switch",
        pair(ELECTRIC),
        (
            Parameter("resistance", "Ohm", "resistance while it is closed", 1e-3, above=0.0),
            Parameter("open_resistance", "Ohm", "resistance while it is open", 1e9, above=0.0),
        ),
        switch,
        (Input("closed", "", "1 closed, 0 open"),),
        through=True,
    ),
    Kind(
        "voltage_source",
        "keeps v_a - v_b at a given voltage",
        (Terminal("a", ELECTRIC), Terminal("b", ELECTRIC, optional=True)),
        (Parameter("resistance", "Ohm", "inner resistance", 0.0, 0.0),),
        voltage_source,
        (Input("voltage", "V", "the voltage"),),
        (Internal("current", "A"),),
        linear=True,
        through=True,
        code="E",
    ),
    Kind(
        "current_source",
        "drives a given current out of a, back into b",
        (Terminal("a", ELECTRIC), Terminal("b", ELECTRIC, optional=True)),
        (),
        current_source,
        (Input("current", "A", "the current"),),
        linear=True,
        through=True,
        code="J",
    ),
    Kind(
        "dc_motor",
        "direct current motor: v_p - v_n = R i + L i' + k w, torque k i on the shaft",
        (
            Terminal("p", ELECTRIC),
            Terminal("n", ELECTRIC),
            Terminal("shaft", ROTATION),
            Terminal("housing", ROTATION, optional=True),
        ),
        (
            Parameter("resistance", "Ohm", "resistance of the armature", least=0.0),
            Parameter("inductance", "H", "inductance of the armature", 0.0, 0.0),
            Parameter("constant", "N m/A", "torque per current, also voltage per angular velocity"),
        ),
        dc_motor,
        internals=(Internal("current", "A"),),
        linear=True,
    ),
)
