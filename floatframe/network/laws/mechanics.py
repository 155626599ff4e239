"""Mechanics along a line and about an axis: springs, dampers, masses, forces, gears, friction, stops.

The kinds of rotation are those of translation with other units: rotary_spring, rotary_damper, inertia, torque …
"""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.network.laws.kind import (
    ROTATION,
    TRANSLATION,
    At,
    Domain,
    Input,
    Internal,
    Kind,
    Out,
    Parameter,
    Terminal,
    by_difference,
    magnitude,
    pair,
    through,
)


def spring(at: At, out: Out) -> None:
    """K (x_a - x_b - length)."""
    k, length = at.p
    through(out.F, k * (at.x[0] - at.x[1] - length))
    by_difference(out.K, k)


def spring_energy(at: At) -> Array:
    k, length = at.p
    return 0.5 * k * (at.x[0] - at.x[1] - length) ** 2


def damper(at: At, out: Out) -> None:
    (c,) = at.p
    through(out.F, c * (at.v[0] - at.v[1]))
    by_difference(out.D, c)


def quadratic_damper(at: At, out: Out) -> None:
    """Mu v |v|, the MUNL of PRADIS."""
    (mu,) = at.p
    speed = at.v[0] - at.v[1]
    through(out.F, mu * speed * magnitude(speed))
    by_difference(out.D, 2.0 * mu * magnitude(speed))


def mass(at: At, out: Out) -> None:
    (m,) = at.p
    out.F[0] += m * at.a[0]
    out.M[0, 0] += m


def mass_energy(at: At) -> Array:
    return 0.5 * at.p[0] * at.v[0] ** 2


def force(at: At, out: Out) -> None:
    """The force pushes a and its reaction b."""
    through(out.F, -at.s[0])
    out.S[0, 0] -= 1.0
    out.S[1, 0] += 1.0


def sine_force(at: At, out: Out) -> None:
    """Q sin(2 pi t / T + phase) on a, its reaction on b: the FSIN of PRADIS."""
    amplitude, period, phase = at.p
    through(out.F, -amplitude * np.sin(2.0 * np.pi / period * at.t + phase))


def speed_source(at: At, out: Out) -> None:
    """The internal unknown is the force that keeps v_a - v_b at the given value."""
    through(out.F, at.v[2])
    out.D[0, 2] += 1.0
    out.D[1, 2] -= 1.0
    out.F[2] += at.v[0] - at.v[1] - at.s[0]
    out.D[2, 0] += 1.0
    out.D[2, 1] -= 1.0
    out.S[2, 0] -= 1.0


def sources(domain: Domain, name: str, small_flow: float) -> tuple[Kind, Kind]:
    """Return what gives a flow, a kind of this name, and what keeps a potential; between a and b or at a alone."""
    level, flow = domain.levels[1], domain.flow.replace("_", " ")
    ends = (Terminal("a", domain), Terminal("b", domain, optional=True))
    given = Kind(
        name,
        f"given {flow} into a, out of b",
        ends,
        (),
        force,
        (Input(domain.flow, domain.flow_unit, f"the {flow}"),),
        linear=True,
        through=True,
    )
    kept = Kind(
        f"{level}_source",
        f"keeps the {level} of a, above that of b if there is one",
        ends,
        (),
        speed_source,
        (Input(level, domain.units[1], f"the {level}"),),
        (Internal(domain.flow, domain.flow_unit, small_flow),),
        linear=True,
        through=True,
    )
    return given, kept


def gear(at: At, out: Out) -> None:
    """v_a = ratio v_b, kept at velocity level by the internal unknown, the force on a."""
    (ratio,) = at.p
    out.F[0] += at.v[2]
    out.F[1] -= ratio * at.v[2]
    out.F[2] += at.v[0] - ratio * at.v[1]
    for i, j, value in ((0, 2, 1.0), (1, 2, -ratio), (2, 0, 1.0), (2, 1, -ratio)):
        out.D[i, j] += value


def friction(at: At, out: Out) -> None:
    """Dry friction, regularised: below the transition speed a stiff damper, above it the full force."""
    limit, transition = at.p
    ratio = np.tanh((at.v[0] - at.v[1]) / transition)
    through(out.F, limit * ratio)
    by_difference(out.D, limit / transition * (1.0 - ratio**2))


def stop(at: At, out: Out) -> None:
    """No force within the clearance; beyond it a spring, and a damper that grows with the penetration.

    F = k d (1 + damping v) for a penetration d > 0 whose rate is v; it pushes and never pulls.
    """
    k, damping, clearance = at.p
    gap, speed = at.x[0] - at.x[1], at.v[0] - at.v[1]
    side = np.where(np.real(gap) < 0.0, -1.0, 1.0)
    deep = side * gap - clearance
    rise = 1.0 + damping * side * speed
    acts = (np.real(deep) > 0.0) & (np.real(rise) > 0.0)
    through(out.F, np.where(acts, side * k * deep * rise, 0.0))
    by_difference(out.K, np.where(acts, k * rise, 0.0))
    by_difference(out.D, np.where(acts, k * deep * damping, 0.0))


def rack(at: At, out: Out) -> None:
    """v_a = radius w_b: a rack or winch turns rotation into translation; the internal unknown is the force on a."""
    gear(at, out)


def _kinds(domain: Domain, prefix: str, names: dict[str, str], lengths: tuple[str, str, str]) -> list[Kind]:
    """The kinds of one sort of motion; lengths: units of stiffness, damping and inertia."""
    stiff, damp, inert = lengths
    x, v, flow = domain.units[0], domain.units[1], domain.flow_unit
    two = pair(domain)

    def named(name: str) -> str:
        return names.get(name, f"{prefix}{name}")

    code = {"spring": "K", "damper": "MU", "quadratic_damper": "MUNL", "mass": "M", "sine_force": "FSIN"}
    codes = code if domain is TRANSLATION else {}
    return [
        Kind(
            named("spring"),
            "linear spring",
            two,
            (
                Parameter("stiffness", stiff, "stiffness", least=0.0),
                Parameter("length", x, "difference of the displacements at which it is free", 0.0),
            ),
            spring,
            linear=True,
            through=True,
            energy=spring_energy,
            code=codes.get("spring", ""),
        ),
        Kind(
            named("damper"),
            "linear damper",
            two,
            (Parameter("damping", damp, "damping constant", least=0.0),),
            damper,
            linear=True,
            through=True,
            code=codes.get("damper", ""),
        ),
        Kind(
            named("quadratic_damper"),
            "damper whose force grows with the square of the speed",
            two,
            (Parameter("damping", f"{flow}/({v})2", "damping constant", least=0.0),),
            quadratic_damper,
            through=True,
            code=codes.get("quadratic_damper", ""),
        ),
        Kind(
            named("mass"),
            "inertia of a node",
            (Terminal("a", domain),),
            (Parameter("mass" if domain is TRANSLATION else "inertia", inert, "inertia", least=0.0),),
            mass,
            linear=True,
            energy=mass_energy,
            code=codes.get("mass", ""),
        ),
        Kind(
            named("force"),
            f"given {domain.flow} on a, its reaction on b",
            (Terminal("a", domain), Terminal("b", domain, optional=True)),
            (),
            force,
            (Input(domain.flow, flow, f"the {domain.flow}"),),
            linear=True,
            through=True,
        ),
        Kind(
            named("sine_force"),
            f"{domain.flow} amplitude sin(2 pi t / period + phase) on a, its reaction on b",
            (Terminal("a", domain), Terminal("b", domain, optional=True)),
            (
                Parameter("amplitude", flow, "amplitude"),
                Parameter("period", "s", "period", above=0.0),
                Parameter("phase", "rad", "phase at t = 0", 0.0),
            ),
            sine_force,
            linear=True,
            timed=True,
            through=True,
            code=codes.get("sine_force", ""),
        ),
        Kind(
            named("speed_source"),
            "keeps the difference of two speeds at a given value",
            (Terminal("a", domain), Terminal("b", domain, optional=True)),
            (),
            speed_source,
            (Input("speed", v, "speed of a relative to b"),),
            (Internal(domain.flow, flow),),
            linear=True,
            through=True,
        ),
        Kind(
            named("gear"),
            "keeps the speed of a at ratio times that of b",
            two,
            (Parameter("ratio", "", "speed of a over speed of b"),),
            gear,
            internals=(Internal(domain.flow, flow),),
            linear=True,
            check=lambda values: "" if values["ratio"] else "its ratio is 0, so that a stands still; give another one",
        ),
        Kind(
            named("friction"),
            "dry friction, a stiff damper below the transition speed",
            two,
            (
                Parameter("limit", flow, f"{domain.flow} of sliding", least=0.0),
                Parameter("transition", v, "speed below which it sticks, nearly", 1e-3, above=0.0),
            ),
            friction,
            through=True,
        ),
        Kind(
            named("stop"),
            "stop with clearance on both sides",
            two,
            (
                Parameter("stiffness", stiff, "stiffness of the stop", least=0.0),
                Parameter("damping", f"1/({v})", "growth of the contact force with the speed of approach", 0.0, 0.0),
                Parameter("clearance", x, "displacement to either side before it touches", 0.0, 0.0),
            ),
            stop,
            through=True,
        ),
    ]


KINDS = (
    *_kinds(TRANSLATION, "", {"gear": "lever"}, ("N/m", "N s/m", "kg")),
    *_kinds(
        ROTATION,
        "rotary_",
        {"mass": "inertia", "force": "torque", "sine_force": "sine_torque", "gear": "gear"},
        ("N m/rad", "N m s/rad", "kg m2"),
    ),
    Kind(
        "rack",
        "rack and pinion, winch: the speed of a is radius times the angular velocity of b",
        (Terminal("a", TRANSLATION), Terminal("b", ROTATION)),
        (Parameter("radius", "m", "radius of the pinion or drum"),),
        rack,
        internals=(Internal("force", "N"),),
        linear=True,
    ),
)
