"""Balance of force and moment of every body from recorded channels and the description of the model alone.

Nothing of the compiled system is used. What a joint, a force element, a motion or a relation does to its body a is as
the documents say; the opposite acts on b along the same line.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy.spatial.transform import Rotation

from floatframe.hybrid.description.rotations import about


@dataclass
class Sum:
    """Force [N] and moment [N m] about the world's origin on a body, and the largest single parts of them."""

    force: np.ndarray = field(default_factory=lambda: np.zeros(3))
    moment: np.ndarray = field(default_factory=lambda: np.zeros(3))
    largest: float = 0.0

    def add(self, force, torque, point):
        parts = force, torque, np.cross(point, force)
        self.force += parts[0]
        self.moment += parts[1] + parts[2]
        self.largest = max(self.largest, *(np.abs(part).max() for part in parts))


class Balance:
    """One record: channels by name -> values."""

    def __init__(self, model, channels):
        self.flat = model.flatten()
        self.joints = [item for item in model if hasattr(item, "moving_steps")]
        self.relations = [item for item in model if hasattr(item, "terms")]
        self.channels = channels
        self.sums = [Sum() for _ in range(len(self.flat.bodies) + 1)]  # the last one is the ground's

    def left(self):
        """Largest force or moment that no acceleration answers for, as part of the largest one there is."""
        for joint in self.flat.joints:
            self.pass_on(joint, self.channels[f"{joint.name}.force"], self.channels[f"{joint.name}.torque"])
        for force in self.flat.forces:
            wrench = self.channels[f"{force.name}.force"], self.channels[f"{force.name}.torque"]
            if force.joint:
                self.pass_on(self.named(self.flat.joints, force.joint), *wrench)
            else:
                self.pass_on(force, *wrench)
        for relation in self.relations:
            for name, k, factor in relation.terms:
                value = float(factor) * self.channels[f"{relation.name}.force"][0]
                along, axis = self.drive(name, k)
                wrench = (value * axis, np.zeros(3)) if along else (np.zeros(3), value * axis)
                self.pass_on(self.named(self.flat.joints, name), *wrench)
        for body, total in zip(self.flat.bodies, self.sums, strict=False):
            needed = self.flexible_inertia(body) if body.reduced is not None else self.rigid_inertia(body)
            total.add(-needed[0], -needed[1], self.channels[f"{body.name}.position"])
        bodies = self.sums[:-1]
        left = max(np.abs((total.force, total.moment)).max() for total in bodies)
        return left / max(total.largest for total in bodies)

    @staticmethod
    def named(things, name):
        return next(thing for thing in things if thing.name == name)

    def pass_on(self, thing, force, torque):
        """A wrench on place a of a joint or element, and its opposite on b."""
        point, _ = self.place(thing.a)
        self.sums[thing.a.body].add(force, torque, point)
        if thing.b is not None:
            self.sums[thing.b.body].add(-force, -torque, point)

    def place(self, place):
        """Point and axes of a place, world."""
        own = np.eye(3) if place.rotation is None else place.rotation
        if place.body < 0:
            return np.asarray(place.point), own
        name = self.flat.bodies[place.body].name
        p, R = self.channels[f"{name}.position"], self.attitude(name)
        if place.node is None:
            return p + R @ place.point, R @ own
        node = f"{name}.node[{place.node}]"
        turned = Rotation.from_rotvec(self.channels[f"{node}.rotation"]).as_matrix()
        return self.channels[f"{node}.position"], R @ turned @ own

    def attitude(self, name):
        return Rotation.from_quat(self.channels[f"{name}.rotation"], scalar_first=True).as_matrix()

    def drive(self, name, k):
        """Whether coordinate k of a joint slides, and its axis in the world."""
        joint, flat = self.named(self.joints, name), self.named(self.flat.joints, name)
        (_, on_a), (_, on_b) = self.place(flat.a), self.place(flat.b)
        along = joint.coordinates[k] == "displacement"
        if joint.kind == "general":
            R, number = on_b, 0
            for step in joint.steps:
                axis = np.asarray(step.axis) / np.linalg.norm(step.axis)
                value = step.by
                if step in joint.moving_steps:
                    if number == k:
                        return along, R @ axis
                    value = self.coordinate(joint, number)
                    number += 1
                if step.motion == "rotate":
                    R = R @ about(axis, value)
        if joint.kind == "universal" and k == 1:
            return along, on_a @ joint.axis_a / np.linalg.norm(joint.axis_a)
        axis = np.asarray(joint.axis) / np.linalg.norm(joint.axis)
        if joint.kind in ("planar", "point_on_plane") and k < 2:
            first = np.asarray(joint.first) / np.linalg.norm(joint.first)
            axis = (first, np.cross(axis, first))[k]
        return along, on_b @ axis

    def coordinate(self, joint, k):
        what = joint.coordinates[k]
        place = f"[{k + 1}]" if joint.coordinates.count(what) > 1 else ""
        return self.channels[f"{joint.name}.{what}{place}"][0]

    def rigid_inertia(self, body):
        """m a less weight, and J e + w x J w moved to the body's origin, world axes."""
        R = self.attitude(body.name)
        J = R @ body.inertia @ R.T
        w, e = (R @ self.channels[f"{body.name}.angular_{what}"] for what in ("velocity", "acceleration"))
        force = body.mass * (self.channels[f"{body.name}.com_acceleration"] - self.flat.gravity)
        arm = self.channels[f"{body.name}.com_position"] - self.channels[f"{body.name}.position"]
        return force, J @ e + np.cross(w, J @ w) + np.cross(arm, force)

    def flexible_inertia(self, body):
        """The same of a flexible body: its nine constants and modal accelerations, world axes, at its frame."""
        J, R = body.reduced.inertia, self.attitude(body.name)
        w, rate, second = (self.channels[f"{body.name}.modal{what}"] for what in ("", "_rate", "_acceleration"))
        a = R.T @ (self.channels[f"{body.name}.acceleration"] - self.flat.gravity)
        spin, e = (self.channels[f"{body.name}.angular_{what}"] for what in ("velocity", "acceleration"))
        s = J.rho + J.H @ w
        # a consistent mass has a symmetric part here that no rotation of the body can have
        hH = 0.5 * (J.hH - J.hH.transpose(2, 1, 0))
        turning = J.rhoH + np.einsum("iaj,i->aj", hH, w)
        own = J.rhorho - np.einsum("iab,i->ab", J.rhoh, w) - np.einsum("iba,i->ab", J.rhoh, w)
        own = own - np.einsum("ijab,i,j->ab", J.hh, w, w)
        mixed = np.einsum("ijab,j->iab", J.hh, w) + np.einsum("jiab,j->iab", J.hh, w)
        slope = -J.rhoh - J.rhoh.transpose(0, 2, 1) - mixed
        if body.stiffening != "off" and body.reduced.geometric is not None:
            # second-order displacement in rotation, whose terms are those of w_x^2 … w_x w_y, w_y w_z, w_z w_x
            xx, yy, zz, xy, yz, zx = body.reduced.geometric.centrifugal
            second_order = -np.array([[2 * xx, xy, zx], [xy, 2 * yy, yz], [zx, yz, 2 * zz]]) @ w  # (3, 3, n)
            slope = slope + second_order.transpose(2, 0, 1)
            own = own + 0.5 * second_order @ w
        growth = np.einsum("iab,i->ab", slope, rate)
        force = J.m * a + np.cross(e, s) + np.cross(spin, np.cross(spin, s) + 2.0 * J.H @ rate) + J.H @ second
        torque = np.cross(s, a) + own @ e + np.cross(spin, own @ spin + turning @ rate) + growth @ spin
        return R @ force, R @ (torque + turning @ second)
