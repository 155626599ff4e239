"""A wheel on a rail in plain NumPy, vectors in space throughout: deepest place by search, creep laws as printed.

All vectors are in the axes of the track unless said otherwise: x along it, y to the left, z up.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from floatframe.railway import hertz_contact, kalker_coefficients
from tests.hybrid.force_twin import ForceTwin, Load
from tests.hybrid.twin import difference

REACH = 0.05  # m, ahead of and behind the axle, within which the contact is searched


@dataclass(frozen=True)
class Ellipse:
    """Semi-axes along and across the rail, creep coefficients, shear modulus; friction limit under the load [N]."""

    a: float
    b: float
    c11: float
    c22: float
    c23: float
    c33: float
    G: float
    limit: float


def linear(e, sx, sy, phi):
    """Kalker's linear theory: force along and across, moment about the normal, on the wheel."""
    ab = e.a * e.b
    return np.array(
        [
            -e.G * ab * e.c11 * sx,
            -e.G * ab * e.c22 * sy - e.G * ab**1.5 * e.c23 * phi,
            e.G * ab**1.5 * e.c23 * sy - e.G * ab**2 * e.c33 * phi,
        ]
    )


def saturated(e, sx, sy, phi):
    """Shen, Hedrick, Elkins: the linear forces bent by Vermeulen and Johnson's cubic up to the limit of friction."""
    forces = linear(e, sx, sy, phi)
    wanted = np.hypot(*forces[:2])
    u = wanted / (3.0 * e.limit)
    given = e.limit * (1.0 - (1.0 - u) ** 3) if u < 1.0 else e.limit
    return forces * given / wanted


def polach(e, sx, sy, phi, adhesion, slip):
    """Polach with spin; no moment."""
    s = np.hypot(sx, sy)
    cjj = np.sqrt((e.c11 * sx / s) ** 2 + (e.c22 * sy / s) ** 2)
    syc = sy + phi * e.a if abs(sy + phi * e.a) > abs(sy) else sy
    sc = np.hypot(sx, syc)
    eps = e.G * np.pi * e.a * e.b * cjj * sc / (4.0 * e.limit)
    F = 2.0 * e.limit / np.pi * (adhesion * eps / (1.0 + (adhesion * eps) ** 2) + np.arctan(slip * eps))
    K = 1.0 + 6.3 * (1.0 - np.exp(-e.a / e.b))
    eps_m = 8.0 / 3.0 * e.G * e.b * np.sqrt(e.a * e.b) * e.c23 * abs(syc) / (e.limit * K)
    delta = (eps_m**2 - 1.0) / (eps_m**2 + 1.0)
    K_m = eps_m * (delta**3 / 3.0 - delta**2 / 2.0 + 1.0 / 6.0) - (1.0 - delta**2) ** 1.5 / 3.0
    P = -9.0 / 16.0 * e.a * e.limit * K * K_m
    return np.array([-F * sx / sc, -(F * sy + P * phi) / sc, 0.0])


class RailTwin(ForceTwin):
    """Force elements with wheels on rails."""

    def radius(self, force, outward):
        """Radius of the wheel at a distance outward from its rolling circle [m]."""
        if "profile" in force.expressions:
            return self.law(force, "profile", distance=outward)
        return force.numbers["radius"] - force.numbers["conicity"] * outward

    def slope(self, force, outward):
        if "profile" in force.expressions:
            return force.expressions["profile"].derivative("distance").evaluate({"distance": outward}, force.tables)
        return -force.numbers["conicity"]

    def contact(self, force, centre, axle):
        """Arm (3,) from the wheel's centre to the contact, normal (3,) into the wheel, penetration [m].

        The rail is a line along x where it is abreast of the wheel's centre.
        """
        side = {"left": 1.0, "right": -1.0}[force.options["side"]]
        lateral, vertical = (self.law(force, key, distance=centre[0]) for key in ("lateral", "vertical"))
        ahead = np.array([1.0, 0.0, 0.0])
        rail = np.array([0.0, side * force.numbers["half_gauge"] + lateral - centre[1], vertical - centre[2]])

        def outward_normal(s):
            """Of the surface of revolution through the place of the rail that is s ahead, not of length one."""
            arm = rail + s * ahead
            along = arm @ axle
            radial = arm - along * axle
            return radial / np.linalg.norm(radial) - self.slope(force, side * along) * side * axle

        # deepest where the surface runs along the rail
        s = brentq(lambda s: outward_normal(s)[0], -REACH, REACH, xtol=1e-15)
        arm, normal = rail + s * ahead, outward_normal(s)
        along = arm @ axle
        gap = np.linalg.norm(arm - along * axle) - self.radius(force, side * along)
        return arm, -normal / np.linalg.norm(normal), -gap / np.linalg.norm(normal)

    def depth(self, force, x):
        """Penetration after the motion x (nv,)."""
        q = self.moved(x + 0j)
        links = self.links(q)
        seen = (np.linalg.inv(self.place(force.b, q, links)) @ self.place(force.a, q, links)).real
        return self.contact(force, seen[:3, 3], seen[:3, 1])[2]

    def wheel_rail(self, force, a, b, arm, relative, spin):
        number = force.numbers
        centre, velocity, turning = (b.R.T @ vector for vector in (arm, relative, spin))
        lever, normal, depth = self.contact(force, centre, b.R.T @ a.R[:, 1])
        # the rate of the penetration by differences, with no formula for it
        rate = difference(lambda s: self.depth(force, s * self.state.v), 1e-6)
        hertz = hertz_contact(number["radius"], number["rail_radius"], number["young"], number["poisson"])
        push = hertz.stiffness * max(depth, 0.0) ** 1.5
        if "stiffness" in number:
            push = number["stiffness"] * depth
        push += number["damping"] * rate
        if depth <= 0.0 or push <= 0.0:
            return Load(np.zeros(3), np.zeros(3), 0.0, depth, rate)
        speed = np.hypot(velocity[0], number["speed"])
        along = np.array([1.0 if velocity[0] >= 0.0 else -1.0, 0.0, 0.0])
        across = np.cross(normal, along)
        slip = (velocity + np.cross(turning, lever)) / speed
        creep = np.array([slip @ along, slip @ across, turning @ normal / speed])
        sliding = speed * np.hypot(*creep[:2])
        ratio = number["friction_ratio"]
        mu = number["friction"] * (ratio + (1.0 - ratio) * np.exp(-number["friction_decay"] * sliding))
        axes = np.array([hertz.axis_x, hertz.axis_y]) * np.cbrt(push)
        if "semi_axis_x" in number:
            axes = np.array([number["semi_axis_x"], number["semi_axis_y"]])
        G = number["young"] / (2.0 * (1.0 + number["poisson"]))
        ellipse = Ellipse(*axes, *kalker_coefficients(axes[0] / axes[1], number["poisson"]), G, mu * push)
        if force.options["law"] == "polach":
            fx, fy, moment = polach(ellipse, *creep, number["adhesion"], number["slip"])
        else:
            fx, fy, moment = {"linear": linear, "saturated": saturated}[force.options["law"]](ellipse, *creep)
        total = push * normal + fx * along + fy * across
        torque = np.cross(lever, total) + moment * normal
        return Load(b.R @ total, b.R @ torque, push, depth, rate, tuple(creep))
