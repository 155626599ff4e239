"""Force elements in plain NumPy: what each measures, the law of its description, the generalised forces of its load.

Nothing is taken from the arrays the kernels read but the poses of links: places, parameters and laws come from the
description, motions of places are complex steps along the speeds, and generalised forces are virtual work, the power of
the load on the motions of its places for a unit of each speed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.spatial.transform import Rotation

from floatframe.hybrid.flat.model import FlatPlace
from floatframe.hybrid.kernels.layout import ANGLE, FRESH, SLIDES, STICKS
from tests.hybrid.twin import TINY, Twin, exponential, pose, vee


@dataclass(frozen=True)
class Motion:
    """Position, axes, velocity and angular velocity of a place, world axes."""

    p: np.ndarray
    R: np.ndarray
    v: np.ndarray
    w: np.ndarray


@dataclass(frozen=True)
class Load:
    """Force and torque on place a, world axes, and what an element reports besides."""

    force: np.ndarray
    torque: np.ndarray
    value: float
    elongation: float
    rate: float
    state: tuple[float, float, float] = (0.0, 0.0, 0.0)


class ForceTwin(Twin):
    """The force elements of a compiled system at one state."""

    def __init__(self, system, state):
        super().__init__(system, state)
        self._moving = {}

    # what is measured

    def moving(self, direction):
        """Coordinates and poses of links after a complex step along a direction (nv,); kept, for many ask for them."""
        key = direction.tobytes()
        if key not in self._moving:
            q = self.moved(1j * TINY * direction)
            self._moving[key] = q, self.links(q)
        return self._moving[key]

    def place(self, place, q, links, seen=False):
        """Pose (4, 4) of a place, where forces act or as it is seen; nodes of flexible bodies move by their shapes."""
        carrier = self.system.index.tree.carriers[place.body]
        local = pose(place.point, place.axes)
        if place.node is not None:
            body = self.system.model.bodies[place.body]
            row = int(body.reduced.node_index([place.node])[0])
            record = self.tables.flexible[self.system.index.flexible_of[place.body]]
            w = q[record["iq"] : record["iq"] + record["n"]]
            u = body.reduced.shapes[6 * row : 6 * row + 6] @ w
            u = u - 0.5 * self.second_order(place.body, place.node, seen) @ w @ w
            local = pose(place.point + u[:3], exponential(u[3:]) @ place.axes)
        return links[carrier.link] @ pose(carrier.pose.p, carrier.pose.R) @ local

    def motion(self, place, direction, seen=False):
        """The motion of a place at the speeds `direction` (nv,)."""
        T = self.place(place, *self.moving(direction), seen)
        R, rate = T[:3, :3].real, T.imag / TINY
        return Motion(T[:3, 3].real, R, rate[:3, 3], vee(rate[:3, :3] @ R.T))

    def coordinate(self, force, direction):
        """Value of the joint coordinate of an element and its rate at the speeds `direction`."""
        number = [joint.name for joint in self.system.model.joints].index(force.joint)
        k = self.system.index.numbers.coordinates[number, force.coordinate]
        found = self.coordinates(self.moving(direction)[0])[k]
        value, memory = found.real, self.tables.coordinates[k]["memory"]
        if memory >= 0 and self.tables.coordinates[k]["kind"] == ANGLE:  # turns are counted from the last step on
            value += 2.0 * np.pi * np.round((self.state.memory[memory] - value) / (2.0 * np.pi))
        return value, found.imag / TINY

    def sensed(self, name):
        """The value of a name such as arm.angular_velocity.z, beam.node[1].velocity.x, beam.mode[2] in a law."""
        body_name, node, what, component = re.fullmatch(
            r"(\w+)(?:\.node\[(\d+)\])?\.(\w+)(?:\.([xyz])|\[\d+\])", name
        ).groups()
        body = [b.name for b in self.system.model.bodies].index(body_name)
        if what.startswith("mode"):
            record = self.tables.flexible[self.system.index.flexible_of[body]]
            k = int(re.search(r"\[(\d+)\]$", name)[1]) - 1
            return self.state.q[record["iq"] + k] if what == "mode" else self.state.v[record["iv"] + k]
        place = FlatPlace(body, np.zeros(3), None, None)
        if node is not None:
            reduced = self.system.model.bodies[body].reduced
            place = FlatPlace(body, reduced.nodes[int(reduced.node_index([int(node)])[0])], int(node), None)
        here = self.motion(place, self.state.v, seen=True)
        vector = {"position": here.p, "velocity": here.v, "angular_velocity": here.R.T @ here.w}[what]
        return vector["xyz".index(component)]

    def law(self, force, key, **variables):
        """The value of an expression of an element; zero if it has none."""
        if key not in force.expressions:
            return 0.0
        law = force.expressions[key]
        known = {"t": self.state.t, **variables}
        known |= {name: self.sensed(name) for name in law.names if name not in known}
        return law.evaluate(known, force.tables)

    # what is done

    def load(self, force):
        """The load of an element between places."""
        a = self.motion(force.a, self.state.v)
        if force.b is None:
            return self.point_load(force, a)
        b = self.motion(force.b, self.state.v)
        return getattr(self, force.kind)(force, *self.seen(a, b))

    def seen(self, a, b):
        """Both motions, and position and velocities of a as b's frame sees them, world axes."""
        arm = a.p - b.p
        return a, b, arm, a.v - b.v - np.cross(b.w, arm), a.w - b.w

    def work(self, number):
        """Load and generalised forces (nv,) of the element with a number."""
        force, n = self.system.model.forces[number], self.system.nv
        if force.joint:
            return self.in_joint(number, force)
        load = self.load(force)
        work = np.zeros(n)
        for j, e in enumerate(np.eye(n)):
            a = self.motion(force.a, e)
            work[j] = load.force @ a.v + load.torque @ a.w
            if force.b is not None:
                b = self.motion(force.b, e)
                work[j] -= load.force @ b.v + (load.torque + np.cross(a.p - b.p, load.force)) @ b.w
        return load, work

    def in_joint(self, number, force):
        """An element in a coordinate of a joint with one axis, given on its place b."""
        value, rate = self.coordinate(force, self.state.v)
        variables = {"angle": value, "displacement": value, "rate": rate}
        state = (0.0, 0.0, 0.0)
        if force.kind == "joint_friction":
            total, state = self.dry(number, force, value, rate, self.law(force, "limit", **variables))
            total = -total
        else:
            total = self.law(force, "torque" if force.kind == "joint_torque" else "force", **variables)
        work = np.array([total * self.coordinate(force, e)[1] for e in np.eye(self.system.nv)])
        joint = next(joint for joint in self.system.model.joints if joint.name == force.joint)
        along = total * self.motion(joint.b, self.state.v).R @ joint.axis
        turns = joint.coordinates[force.coordinate] == "angle"
        nothing = np.zeros(3)
        return Load(nothing if turns else along, along if turns else nothing, total, value, rate, state), work

    @cached_property
    def number_of(self):
        return {force.name: k for k, force in enumerate(self.system.model.forces)}

    def spring(self, force, a, b, arm, relative, spin):
        length, number = np.linalg.norm(arm), force.numbers
        u = arm / length
        x, rate = length - number["length"], u @ relative
        tension = number["preload"] + number["stiffness"] * x + number["damping"] * rate
        tension += self.law(force, "force", elongation=x, length=length, rate=rate)
        return Load(-tension * u, np.zeros(3), tension, x, rate)

    def bump_stop(self, force, a, b, arm, relative, spin):
        length, number = np.linalg.norm(arm), force.numbers
        u = arm / length
        x, rate = length - number["length"], u @ relative
        tension = 0.0
        for sign, gap in ((-1.0, "clearance"), (1.0, "rebound")):
            used = sign * x - number.get(gap, np.inf)
            if used > 0.0:
                law = self.law(force, "force", penetration=used, rate=sign * rate)
                tension += sign * max(0.0, number["stiffness"] * used + number["damping"] * sign * rate + law)
        return Load(-tension * u, np.zeros(3), tension, x, rate)

    def friction(self, force, a, b, arm, relative, spin):
        u, start = arm / np.linalg.norm(arm), None
        poses = [self.system.index.pose(place.body) for place in (force.a, force.b)]
        ends = [pose.p + pose.R @ place.point for pose, place in zip(poses, (force.a, force.b), strict=True)]
        start = np.linalg.norm(ends[0] - ends[1])
        if "axis" in force.numbers:
            u = b.R @ force.numbers["axis"]
            start = (poses[1].R @ force.b.axes @ force.numbers["axis"]) @ (ends[0] - ends[1])
        x, rate = u @ arm - start, u @ relative
        limit = self.law(force, "limit", elongation=x, length=u @ arm, rate=rate)
        total, state = self.dry(self.number_of[force.name], force, x, rate, limit)
        return Load(-total * u, np.zeros(3), total, x, rate, state)

    def dry(self, number, force, x, rate, limit):
        """Friction force against the sliding, and what it would remember."""
        limit = max(limit, 0.0)
        if force.options["model"] == "regularised":
            growth = 2.0 / force.numbers["speed"]
            slope = limit * growth / np.cosh(growth * rate) ** 2
            return limit * np.tanh(growth * rate), (slope, 0.0, 0.0)
        first = self.tables.forces[number]["memory"]
        held, anchor, happened = self.state.memory[first : first + 3]
        if happened == FRESH:
            held, anchor = 0.0, x
        if happened != SLIDES:
            limit = limit * force.numbers["static"]
        viscous = force.numbers["damping"] * rate
        sticking = held + force.numbers["stiffness"] * (x - anchor) + viscous
        total = np.clip(sticking, -limit, limit)
        return total, (np.clip(total - viscous, -limit, limit), x, STICKS if total == sticking else SLIDES)

    def bushing(self, force, a, b, arm, relative, spin):
        z = np.r_[b.R.T @ arm, Rotation.from_matrix(b.R.T @ a.R).as_rotvec()]
        rate = np.r_[b.R.T @ relative, b.R.T @ spin]
        wrench = force.numbers["preload"] - force.numbers["stiffness"] @ z - force.numbers["damping"] @ rate
        return self.six(b.R @ wrench[:3], b.R @ wrench[3:], arm, relative)

    def user_force(self, force, a, b, arm, relative, spin):
        found = force.function(self.state.t, b.R.T @ arm, b.R.T @ a.R, b.R.T @ relative, b.R.T @ spin)
        return self.six(b.R @ found[0], b.R @ found[1], arm, relative)

    def six(self, force, torque, arm, relative):
        length = np.linalg.norm(arm)
        return Load(force, torque, np.linalg.norm(force), length, arm @ relative / length)

    def point_load(self, force, a):
        axes = a.R if force.numbers["body_axes"] else np.eye(3)
        push, twist = (axes @ [self.law(force, f"{what}{c}") for c in "xyz"] for what in "ft")
        return Load(push, twist, np.linalg.norm(push), 0.0, 0.0)

    def contact_plane(self, force, a, b, arm, relative, spin):
        number, n = force.numbers, b.R @ force.numbers["normal"]
        depth, rate = number["radius"] - n @ arm, -n @ relative
        if depth <= 0.0:
            return Load(np.zeros(3), np.zeros(3), 0.0, depth, rate)
        push = max(0.0, number["stiffness"] * depth ** number["exponent"] + number["damping"] * rate)
        lever = -number["radius"] * n
        slip = (np.eye(3) - np.outer(n, n)) @ (relative + np.cross(spin, lever))
        speed = np.linalg.norm(slip)
        total = push * n - number["friction"] * push * np.tanh(2.0 * speed / number["speed"]) * slip / speed
        return Load(total, np.cross(lever, total), push, depth, rate)
