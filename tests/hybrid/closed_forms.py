"""Smooth motions whose ends are known without the equations of this program: closed forms, and equations by hand.

Each is a model, the end of its run [s] and the values of its channels there. SI units.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp
from scipy.linalg import eigh, expm
from scipy.optimize import brentq
from scipy.special import ellipj, ellipk

import floatframe as ff
from floatframe import hybrid as h

GRAVITY = 9.81
Array = np.ndarray


@dataclass(frozen=True)
class Motion:
    """A model, the end of its run [s], channels and what they are there."""

    model: h.Model
    t_end: float
    expected: Mapping[str, Any]


def solved(rates: Callable[[float, Array], Any], start: tuple[float, ...], t_end: float) -> Array:
    """The end of an integration by hand-written equations, good to about 1e-11."""
    run = solve_ivp(rates, (0.0, t_end), start, "DOP853", rtol=1e-13, atol=1e-14)
    return run.y[:, -1]


def tall_pendulum() -> Motion:
    """A rod released 0.1 rad from upright; Jacobi's elliptic functions. Period 6.5 s."""
    t_end, amplitude = 10.0, np.pi - 0.1
    model = h.Model(gravity=(0, -GRAVITY, 0))
    rod = model.add(h.RigidBody("rod", 3.0, (0.25, 0.25, 0.25), com=(0, -0.5, 0)))
    model.add(h.revolute("hinge", rod.at(), model.ground.at(), start=amplitude))
    frequency, k = np.sqrt(3.0 * 0.5 * GRAVITY / (0.25 + 3.0 * 0.25)), np.sin(amplitude / 2)
    sn, cn, _, _ = ellipj(ellipk(k**2) - frequency * t_end, k**2)
    angle = 2 * np.arcsin(k * sn)
    rate = -2 * frequency * k * cn
    return Motion(model, t_end, {"hinge.angle": angle, "hinge.rate": rate})


def kepler() -> Motion:
    """A planet of eccentricity 0.6 pulled by 1/r², four and a half revolutions; Kepler's equation."""
    eccentricity, t_end = 0.6, 9.0 * np.pi + 1.0
    model = h.Model()
    nearest, speed = 1 - eccentricity, np.sqrt((1 + eccentricity) / (1 - eccentricity))
    planet = model.add(h.RigidBody("planet", 1.0, (1, 1, 1), position=(nearest, 0, 0), velocity=(0, speed, 0)))
    model.add(h.spring("pull", planet.at(), model.ground.at(), length=0.0, force="1/length^2"))
    anomaly = brentq(lambda u: u - eccentricity * np.sin(u) - t_end, t_end - 1, t_end + 1, xtol=1e-14)
    across = np.sqrt(1 - eccentricity**2)
    place = (np.cos(anomaly) - eccentricity, across * np.sin(anomaly), 0)
    rate = 1 / (1 - eccentricity * np.cos(anomaly))
    velocity = (-rate * np.sin(anomaly), rate * across * np.cos(anomaly), 0)
    return Motion(model, t_end, {"planet.position": place, "planet.velocity": velocity})


def tumbling_body() -> Motion:
    """A free body that turns near its middle axis most of the time; Landau and Lifshitz, Mechanics, § 37."""
    A, B, C = inertia = 1.0, 2.0, 3.0
    first, third, t_end = 1.7, 1.0, 20.0  # rad/s, the middle component is zero at the start
    model = h.Model()
    model.add(h.RigidBody("body", 1.0, inertia, angular_velocity=(first, 0, third)))
    energy, momentum = A * first**2 + C * third**2, A**2 * first**2 + C**2 * third**2  # 2 E, L²
    low, high = momentum - energy * A, energy * C - momentum
    pace = np.sqrt((C - B) * low / (A * B * C))
    sn, cn, dn, _ = ellipj(pace * t_end, (B - A) * high / ((C - B) * low))
    spin = (
        np.sqrt(high / (A * (C - A))) * cn,
        np.sqrt(high / (B * (C - B))) * sn,
        np.sqrt(low / (C * (C - A))) * dn,
    )
    return Motion(model, t_end, {"body.angular_velocity": spin})


def gyroscope() -> Motion:
    """A symmetric top released at 0.5 rad with spin alone: it nods in cusps; Lagrange's equations by hand."""
    mass, arm, across, along, spin, t_end = 2.0, 0.3, 0.05, 0.04, 60.0, 3.0
    tilt = 0.5
    rotation = np.array([[np.cos(tilt), 0, np.sin(tilt)], [0, 1, 0], [-np.sin(tilt), 0, np.cos(tilt)]])
    model = h.Model(gravity=(0, 0, -GRAVITY))
    body = h.RigidBody(
        "top", mass, (across, across, along), (0, 0, arm), rotation=rotation, angular_velocity=(0, 0, spin)
    )
    model.add(h.spherical("pivot", model.add(body).at(), model.ground.at()))
    about = across + mass * arm**2  # inertia about the pivot
    own, vertical = along * spin, along * spin * np.cos(tilt)  # momenta about the own and the vertical axis

    def precession(angle: float) -> float:
        return (vertical - own * np.cos(angle)) / (about * np.sin(angle) ** 2)

    def rates(_: float, y: Array) -> tuple[float, float, float]:
        angle, rate, _ = y
        turn = precession(angle)
        push = mass * GRAVITY * arm + about * turn**2 * np.cos(angle) - own * turn
        return rate, np.sin(angle) * push / about, turn

    angle, rate, azimuth = solved(rates, (tilt, 0.0, 0.0), t_end)
    up = np.array([0, 0, 1])
    outward = np.array([np.cos(azimuth), np.sin(azimuth), 0])
    sideways = np.cross(up, outward)
    place = arm * (np.sin(angle) * outward + np.cos(angle) * up)
    velocity = arm * rate * (np.cos(angle) * outward - np.sin(angle) * up)
    velocity = velocity + arm * np.sin(angle) * precession(angle) * sideways
    return Motion(model, t_end, {"top.com_position": place, "top.com_velocity": velocity})


def elastic_pendulum() -> Motion:
    """A mass on a spring that swings and stretches in turn; Newton's equations by hand."""
    mass, stiffness, length, t_end = 1.0, 40.0, 1.0, 9.2
    start = (0.6, -0.9, 0.0, 0.0)
    model = h.Model(gravity=(0, -GRAVITY, 0))
    bob = model.add(h.RigidBody("bob", mass, (1, 1, 1), position=(*start[:2], 0)))
    model.add(h.spring("spring", bob.at(), model.ground.at(), stiffness=stiffness, length=length))

    def rates(_: float, y: Array) -> tuple[float, float, float, float]:
        pull = stiffness * (1 - length / np.hypot(y[0], y[1])) / mass
        return y[2], y[3], -pull * y[0], -pull * y[1] - GRAVITY

    x, y, u, w = solved(rates, start, t_end)
    return Motion(model, t_end, {"bob.position": (x, y, 0), "bob.velocity": (u, w, 0)})


def shaken_pivot() -> Motion:
    """A rod that stands on a pivot shaken up and down at 40 Hz, as Kapitza's; its equation by hand."""
    amplitude, frequency, t_end = 0.02, 80 * np.pi, 1.73
    model = h.Model(gravity=(0, -GRAVITY, 0))
    cart = model.add(h.RigidBody("cart", 1.0, (1, 1, 1)))
    rod = model.add(h.RigidBody("rod", 0.5, (0.5 * 0.2**2 / 12,) * 3, com=(0, 0.1, 0)))
    model.add(h.prismatic("guide", cart.at(), model.ground.at(), axis=(0, 1, 0)))
    model.add(h.revolute("hinge", rod.at(), cart.at(), start=0.3))
    model.add(h.motion("shake", "guide", f"{amplitude!r}*(cos({frequency!r}*t) - 1)"))

    def rates(t: float, y: Array) -> tuple[float, float]:
        lift = GRAVITY - amplitude * frequency**2 * np.cos(frequency * t)
        return y[1], 0.1 * lift * np.sin(y[0]) / (0.2**2 / 12 + 0.1**2)

    angle, rate = solved(rates, (0.3, 0.0), t_end)
    return Motion(model, t_end, {"hinge.angle": angle, "hinge.rate": rate})


def stiff_coupling() -> Motion:
    """Two masses joined by a stiff spring and damper, on a soft spring, pushed by a slow force; matrix exponential."""
    first, second, soft, stiff, damper, push, frequency, t_end = 1.0, 2.0, 50.0, 1e8, 2e4, 20.0, 3.0, 8.0
    model = h.Model()
    bodies = [model.add(h.RigidBody(name, m, (1, 1, 1))) for name, m in (("first", first), ("second", second))]
    for body in bodies:
        model.add(h.prismatic(f"{body.name}_guide", body.at(), model.ground.at(), axis=(1, 0, 0)))
    model.add(h.joint_force("soft", "first_guide", f"-{soft!r}*displacement - 2*rate"))
    model.add(h.joint_force("push", "second_guide", f"{push!r}*cos({frequency!r}*t)"))
    places = bodies[1].at(), bodies[0].at()
    model.add(h.bushing("stiff", *places, stiffness=(stiff, 0, 0), damping=(damper, 0, 0, 0, 0, 0)))
    # x1, x2, v1, v2, and cosine and sine of the force as states of their own
    A = np.zeros((6, 6))
    A[:2, 2:4] = np.eye(2)
    A[2, :4] = np.array([-soft - stiff, stiff, -2.0 - damper, damper]) / first
    A[3, :4] = np.array([stiff, -stiff, damper, -damper]) / second
    A[3, 4], A[4, 5], A[5, 4] = push / second, -frequency, frequency
    end = expm(A * t_end) @ np.array([0, 0, 0, 0, 1.0, 0])
    return Motion(model, t_end, {"first_guide.displacement": end[0], "second_guide.rate": end[3]})


def gears_and_rack() -> Motion:
    """A drive through a pair of gears and a rack onto a mass on a spring; one dof, a damped oscillator."""
    ratio, radius, mass, stiffness, damper, drive, t_end = -3.0, 0.05, 4.0, 2000.0, 10.0, 5.0, 2.9
    inertias = {"motor": 0.002, "wheel": 0.03}
    model = h.Model()
    for k, (name, inertia) in enumerate(inertias.items()):
        wheel = model.add(h.RigidBody(name, 1.0, (inertia,) * 3, position=(0, 0, k)))
        model.add(h.revolute(f"{name}_axle", wheel.at(), model.ground.at((0, 0, k))))
    sledge = model.add(h.RigidBody("sledge", mass, (1, 1, 1), position=(0, 1, 0)))
    model.add(h.prismatic("slide", sledge.at(), model.ground.at((0, 1, 0)), axis=(1, 0, 0)))
    model.add(h.gear("gears", "motor_axle", "wheel_axle", ratio))
    model.add(h.rack("rack", "slide", "wheel_axle", radius))
    model.add(h.joint_torque("drive", "motor_axle", drive))
    model.add(h.joint_force("spring", "slide", f"-{stiffness!r}*displacement - {damper!r}*rate"))
    moved = mass + (inertias["wheel"] + ratio**2 * inertias["motor"]) / radius**2
    still = drive * ratio / radius / stiffness
    decay = damper / (2 * moved)
    swing = np.sqrt(stiffness / moved - decay**2)
    wave = np.exp(-decay * t_end) * np.array([np.cos(swing * t_end), np.sin(swing * t_end)])
    x = still * (1 - wave[0] - decay / swing * wave[1])
    v = still * (swing + decay**2 / swing) * wave[1]
    return Motion(model, t_end, {"slide.displacement": x, "slide.rate": v, "motor_axle.angle": ratio * x / radius})


def shaken_cantilever() -> Motion:
    """A steel cantilever on a base shaken across it, below its first resonance; modes of the finite elements."""
    amplitude, frequency, t_end = 1e-3, 20.0, 1.0
    section = ff.fem.BeamSection.rectangle(0.02, 0.02)
    fe = ff.fem.beam_line((0, 0, 0), (2.0, 0, 0), n=10, section=section, material=ff.fem.Material(2.1e11, 0.3, 7850.0))
    body = ff.modal.reduce(fe, interface=[1], n_modes=30)
    model = h.Model()
    base = model.add(h.RigidBody("base", 1.0, (1, 1, 1)))
    model.add(h.prismatic("guide", base.at(), model.ground.at(), axis=(0, 1, 0)))
    model.add(h.motion("shake", "guide", f"{amplitude!r}*(1 - cos({frequency!r}*t))"))
    beam = model.add(h.FlexibleBody("beam", body))
    model.add(h.fixed("root", beam.node(1), base.at()))
    K, M = fe.stiffness().toarray(), fe.mass("consistent").toarray()
    node, component = np.asarray(fe.dofs).T
    free = np.flatnonzero(node != 1)
    sideways = (component == 1).astype(float)
    values, shapes = eigh(K[np.ix_(free, free)], M[np.ix_(free, free)])
    pushed = -(shapes.T @ (M @ sideways)[free]) * amplitude * frequency**2  # of each mode, times cos(frequency t)
    omega = np.sqrt(values)
    gain = pushed / (values - frequency**2)
    swing = gain * (omega * np.sin(omega * t_end) - frequency * np.sin(frequency * t_end))
    tip = np.flatnonzero((node[free] == 11) & (component[free] == 1))[0]
    speed = amplitude * frequency * np.sin(frequency * t_end) + float(shapes[tip] @ swing)
    return Motion(model, t_end, {"beam.node[11].velocity": (0, speed, 0)})


def sliding_arm() -> Motion:
    """A mass on a spring along an arm that turns freely, out and in; Lagrange's equations by hand."""
    mass, turning, stiffness, free, t_end = 2.0, 0.7, 300.0, 0.4, 4.3
    start = (0.0, 0.5, 6.0, -0.3)
    model = h.Model(gravity=(0, 0, 0))
    arm = model.add(h.RigidBody("arm", 1.0, (turning,) * 3))
    block = model.add(h.RigidBody("block", mass, (1e-3,) * 3, position=(start[1], 0, 0)))
    model.add(h.revolute("bearing", arm.at(), model.ground.at(), start=start[0], start_rate=start[2]))
    model.add(h.prismatic("guide", block.at(), arm.at(), axis=(1, 0, 0), start=start[1], start_rate=start[3]))
    model.add(h.joint_force("spring", "guide", f"-{stiffness!r}*(displacement - {free!r})"))

    def rates(_: float, y: Array) -> tuple[float, float, float, float]:
        _, r, w, u = y
        return w, u, -2 * mass * r * u * w / (turning + 1e-3 + mass * r**2), r * w**2 - stiffness / mass * (r - free)

    angle, place, rate, speed = solved(rates, start, t_end)
    expected = {"bearing.angle": angle, "bearing.rate": rate, "guide.displacement": place, "guide.rate": speed}
    return Motion(model, t_end, expected)


def driven_cart() -> Motion:
    """A cart with a rod that hangs from it, pushed to and fro and braked; Lagrange's equations by hand."""
    cart_mass, mass, arm, turning, push, frequency, brake, t_end = 3.0, 1.5, 0.8, 0.2, 25.0, 2.7, 1.2, 5.9
    model = h.Model(gravity=(0, -GRAVITY, 0))
    cart = model.add(h.RigidBody("cart", cart_mass, (1, 1, 1)))
    rod = model.add(h.RigidBody("rod", mass, (turning,) * 3, com=(0, -arm, 0)))
    model.add(h.prismatic("rail", cart.at(), model.ground.at(), axis=(1, 0, 0)))
    model.add(h.revolute("hinge", rod.at(), cart.at(), start=0.9))
    model.add(h.joint_force("push", "rail", f"{push!r}*sin({frequency!r}*t) - {brake!r}*rate"))

    def rates(t: float, y: Array) -> tuple[float, float, float, float]:
        _, angle, speed, rate = y
        coupling = mass * arm * np.cos(angle)
        M = [[cart_mass + mass, coupling], [coupling, turning + mass * arm**2]]
        swung = mass * arm * rate**2 * np.sin(angle)
        force = push * np.sin(frequency * t) - brake * speed
        u, w = np.linalg.solve(M, [force + swung, -mass * GRAVITY * arm * np.sin(angle)])
        return speed, rate, float(u), float(w)

    place, angle, speed, rate = solved(rates, (0.0, 0.9, 0.0, 0.0), t_end)
    expected = {"rail.displacement": place, "rail.rate": speed, "hinge.angle": angle, "hinge.rate": rate}
    return Motion(model, t_end, expected)


def governor() -> Motion:
    """A rod thrown out by a shaft that runs up with the square of time; Lagrange's equation by hand."""
    mass, arm, inertia, t_end = 2.0, 0.3, (0.03, 0.032, 0.005), 4.7
    model = h.Model(gravity=(0, 0, -GRAVITY))
    shaft = model.add(h.RigidBody("shaft", 1.0, (1, 1, 1)))
    rod = model.add(h.RigidBody("rod", mass, inertia, com=(0, 0, -arm)))
    model.add(h.revolute("bearing", shaft.at(), model.ground.at(), axis=(0, 0, 1)))
    model.add(h.revolute("hinge", rod.at(), shaft.at(), axis=(0, 1, 0), start=0.2))
    model.add(h.motion("run_up", "bearing", "t^2"))

    def rates(t: float, y: Array) -> tuple[float, float]:
        thrown = (2 * t) ** 2 * (inertia[0] + mass * arm**2 - inertia[2]) * np.cos(y[0])
        return y[1], (thrown - mass * GRAVITY * arm) * np.sin(y[0]) / (inertia[1] + mass * arm**2)

    angle, rate = solved(rates, (0.2, 0.0), t_end)
    return Motion(model, t_end, {"hinge.angle": angle, "hinge.rate": rate})


MOTIONS = (
    tall_pendulum,
    kepler,
    tumbling_body,
    gyroscope,
    elastic_pendulum,
    shaken_pivot,
    stiff_coupling,
    gears_and_rack,
    shaken_cantilever,
    sliding_arm,
    driven_cart,
    governor,
)
