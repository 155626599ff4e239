"""Everything collected on the way from a flat description to the arrays of a system."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError, Where
from floatframe.hybrid.compile.flexible import shape_rows
from floatframe.hybrid.compile.joint_steps import MEASURES, ROWS
from floatframe.hybrid.compile.program import Program
from floatframe.hybrid.compile.start_poses import GROUND, Pose
from floatframe.hybrid.compile.tree_links import Carrier, JointFrames, TreeLinks
from floatframe.hybrid.description import SecondOrder
from floatframe.hybrid.expressions import Table, did_you_mean
from floatframe.hybrid.flat import FlatBody, FlatModel, FlatPlace
from floatframe.hybrid.kernels import ANGLE, TREE_COORDINATE, UserFunction
from floatframe.modal import ReducedBody

# axes -x, z, y of a frame
SEEN_FROM_A = np.array([[-1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]])


@dataclass(frozen=True)
class CutJoint:
    """A joint that is a set of constraint rows: its markers, its range of rows and its frames on the bodies."""

    a: int
    b: int
    first_row: int
    last_row: int
    frames: JointFrames


@dataclass
class Build:
    """Everything collected on the way to the arrays of a system."""

    model: FlatModel
    poses: list[Pose]
    tree: TreeLinks = field(default_factory=TreeLinks)
    flexible: list[tuple[Any, ...]] = field(default_factory=list)
    flexible_of: dict[int, int] = field(default_factory=dict)
    second_orders: dict[int, SecondOrder] = field(default_factory=dict)  # by body
    markers: list[tuple[Any, ...]] = field(default_factory=list)
    marker_number: dict[tuple[Any, ...], int] = field(default_factory=dict)
    coordinates: list[tuple[int, ...]] = field(default_factory=list)
    coordinate_number: dict[tuple[int, int], int] = field(default_factory=dict)
    rows: list[dict[str, Any]] = field(default_factory=list)
    row_names: list[str] = field(default_factory=list)
    terms: list[tuple[int, float]] = field(default_factory=list)
    forces: list[dict[str, Any]] = field(default_factory=list)
    sensors: list[tuple[int, int, int, int]] = field(default_factory=list)
    sensor_slot: dict[str, int] = field(default_factory=dict)
    programs: list[Program] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    table_numbers: dict[str, int] = field(default_factory=dict)
    cut_joints: dict[int, CutJoint] = field(default_factory=dict)
    pool: list[Array] = field(default_factory=list)
    pool_size: int = 0
    work_size: int = 0
    memory: list[float] = field(default_factory=list)
    held: dict[int, Any] = field(default_factory=dict)  # rows that hold their places as they were found (see switching)
    functions: list[UserFunction] = field(default_factory=list)  # called by address: must live as long as the system

    def add_numbers(self, numbers: Any) -> int:
        """Put numbers into the pool; returns where they start."""
        flat = np.ascontiguousarray(numbers, dtype=np.float64).ravel()
        start = self.pool_size
        self.pool.append(flat)
        self.pool_size += flat.size
        return start

    def add_work(self, size: int) -> int:
        start = self.work_size
        self.work_size += size
        return start

    def remember(self, values: list[float]) -> int:
        start = len(self.memory)
        self.memory.extend(values)
        return start

    def marker(self, place: FlatPlace, rotation: Array | None = None) -> int:
        """The marker at a place where joints and forces act, with the frame `rotation` (3, 3) in body axes."""
        if rotation is None:
            rotation = np.eye(3) if place.rotation is None else place.rotation
        key = (place.body, place.node, tuple(place.point), rotation.tobytes())
        if key not in self.marker_number:
            self.marker_number[key] = len(self.markers)
            self.markers.append(self._new_marker(place, rotation))
        return self.marker_number[key]

    def seen(self, place: FlatPlace) -> int:
        """The marker that moves as a place is seen to: a node between interface nodes follows them to second order."""
        second = None if place.node is None else self.second_order(place.body)
        if second is None or place.node is None or second.known(place.node):
            return self.marker(place)
        key = (place.body, place.node, "seen")
        if key not in self.marker_number:
            self.marker_number[key] = len(self.markers)
            self.markers.append(self._new_marker(place, np.eye(3), second.seen(place.node)))
        return self.marker_number[key]

    def _new_marker(self, place: FlatPlace, rotation: Array, matrices: Array | None = None) -> tuple[Any, ...]:
        carrier = self.tree.carriers[place.body]
        pose = carrier.pose.then(np.asarray(place.point), rotation)
        number = self.flexible_of.get(place.body, -1)
        if number < 0:
            return carrier.link, -1, -1, -1, -1, pose.p, pose.R
        body = self.model.bodies[place.body]
        reduced, node = flexible_part(body), place.node or 0
        rows = shape_rows(reduced, node)
        if matrices is None and (second := self.second_order(place.body)) is not None:
            matrices = second.acting(node)
        quadratic = -1 if matrices is None else self.add_numbers(matrices)
        work = self.add_work(rows.size if matrices is None else 2 * rows.size)
        return carrier.link, number, self.add_numbers(rows), work, quadratic, pose.p, pose.R

    def second_order(self, number: int) -> SecondOrder | None:
        """The second-order motion of the nodes of a flexible body, None if it has none or stiffening is off."""
        body = self.model.bodies[number]
        if body.stiffening == "off" or flexible_part(body).geometric is None:
            return None
        if number not in self.second_orders:
            self.second_orders[number] = SecondOrder(flexible_part(body))
        return self.second_orders[number]

    def marker_on(self, carrier: Carrier, pose: Pose) -> int:
        """A marker with a pose in the frame that a link carries, which need not be that of a body."""
        place = carrier.pose.then(pose.p, pose.R)
        self.markers.append((carrier.link, -1, -1, -1, -1, place.p, place.R))
        return len(self.markers) - 1

    def add_rows(self, name: str, kind: str, a: int, b: int, length: float = 0.0) -> None:
        """The constraint rows of a joint of some kind between two markers."""
        for row, axis_a, axis_b in ROWS[kind]:
            self.rows.append(
                {"kind": row, "a": a, "b": b, "axis_a": axis_a, "axis_b": axis_b, "length": length, "program": -1}
            )
            self.row_names.append(name)

    @property
    def holding_rows(self) -> list[int]:
        """Numbers of the rows whose joint or relation is not idle."""
        return [k for k, name in enumerate(self.row_names) if name not in self.model.idle]

    def coordinate(self, joint: int, k: int, where: Where | None = None) -> int:
        """The number of coordinate k of a joint, tree or cut; where: what asks for it, the joint itself without it."""
        if (joint, k) not in self.coordinate_number:
            self.coordinates.append(self._new_coordinate(joint, k, where or self.model.joints[joint].where))
            self.coordinate_number[joint, k] = len(self.coordinates) - 1
        return self.coordinate_number[joint, k]

    def _new_coordinate(self, joint: int, k: int, where: Where) -> tuple[int, ...]:
        description = self.model.joints[joint]
        if joint in self.tree.joint_coordinates:
            steps = self.tree.joint_coordinates[joint]
            if description.kind not in ("spherical", "free") and k < len(steps):
                return TREE_COORDINATE, *steps[k], -1, -1, -1, -1
            known = 0 if description.kind in ("spherical", "free") else len(steps)
        else:
            measures = MEASURES.get(description.kind, ())
            if k < len(measures):
                cut, (kind, axis), start = self.cut_joints[joint], measures[k], 0.0
                if kind == ANGLE and k < len(description.start):
                    # it counts turns from its start value
                    given = description.start[k]
                    start = cut.frames.angle if given is None else given
                a, b = cut.a, cut.b
                if (description.kind, k) == ("universal", 1):
                    # b seen from a about the opposite of the axis on a, between directions that stay normal to it
                    a = self.marker(description.b, cut.frames.b.R @ SEEN_FROM_A)
                    b = self.marker(description.a, cut.frames.a.R @ SEEN_FROM_A)
                return kind, -1, -1, a, b, axis, self.remember([start])
            known = len(measures)
        raise ModelError(
            f"joint {description.name!r} ({description.kind}) has {known} coordinates that a force, motion or relation "
            f"can use; number {k + 1} was asked for. Choose another joint or coordinate.",
            subject=where.subject,
            field=where.field,
        )

    def moves_b(self, joint: int, k: int) -> bool:
        """Whether coordinate k of a joint moves b against a: the tree begins at a, or the axis is one of a."""
        if joint in self.tree.joint_links:
            return self.tree.joint_links[joint][1]
        return (self.model.joints[joint].kind, k) == ("universal", 1)

    def pose(self, body: int) -> Pose:
        """Start pose of a body, -1 being the ground."""
        return GROUND if body < 0 else self.poses[body]

    def table_number(self, name: str) -> int:
        """The number of a lookup table."""
        if name not in self.table_numbers:
            if name not in self.model.tables:
                raise ModelError(
                    f"table '{name}' is not in the model{did_you_mean(name, self.model.tables)}", missing=name
                )
            self.table_numbers[name] = len(self.tables)
            self.tables.append(self.model.tables[name])
        return self.table_numbers[name]

    def joint_number(self, name: str, wanted_by: Where) -> int:
        names = [joint.name for joint in self.model.joints]
        if name not in names:
            raise wanted_by.error(f"joint '{name}' is not in the model{did_you_mean(name, names)}", missing=name)
        return names.index(name)


def flexible_part(body: FlatBody) -> ReducedBody:
    """The reduced body of a flexible body."""
    if body.reduced is None:
        raise Where.of("body", body.name).error("is rigid, expected a flexible one", after=" ")
    return body.reduced
