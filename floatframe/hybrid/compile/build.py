"""Everything collected on the way from a flat description to the arrays of a system, and what is added to it later."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from floatframe.arrays import AnyArray, Array
from floatframe.errors import ModelError, Where
from floatframe.expressions import Table
from floatframe.hybrid.compile.flexible import shape_rows
from floatframe.hybrid.compile.index import CutJoint, SystemIndex, TreeIndex
from floatframe.hybrid.compile.joint_steps import MEASURES, ROWS
from floatframe.hybrid.compile.program import Program
from floatframe.hybrid.compile.start_poses import GROUND, Pose
from floatframe.hybrid.compile.tree_links import Carrier, TreeLinks
from floatframe.hybrid.flat import FlatBody, FlatModel, FlatPlace
from floatframe.hybrid.kernels import ANGLE, TREE_COORDINATE, Tables, UserFunction
from floatframe.modal import ReducedBody
from floatframe.railway import RunningWheel
from floatframe.wording import did_you_mean

# axes -x, z, y of a frame
SEEN_FROM_A = np.array([[-1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]])


Record = TypeVar("Record")


class Added(list[Record]):
    """Records that are put behind others, the first of them with the number `first`."""

    first = 0

    def add(self, record: Record) -> int:
        """Put a record at the end; returns its number."""
        self.append(record)
        return self.first + len(self) - 1


# the fields of a coordinate that it does not use
_UNMEASURED = dict.fromkeys(("iq", "iv", "a", "b", "axis", "memory"), -1)


def _on_link(link: int, pose: Pose) -> dict[str, Any]:
    """The record of a marker that moves with a link."""
    unused = dict.fromkeys(("flexible", "shapes", "work", "quadratic"), -1)
    return {"link": link, **unused, "position": pose.p, "rotation": pose.R}


class Additions:
    """Markers, coordinates, sensors, programs, forces and the numbers they need, put behind those of a system.

    poses: start poses of the bodies; tree, flexible, flexible_of, cut_joints: where bodies and joints are.
    """

    def __init__(
        self,
        model: FlatModel,
        poses: Sequence[Pose],
        tree: TreeLinks | TreeIndex,
        flexible: Sequence[Any] | AnyArray,
        flexible_of: Mapping[int, int],
        cut_joints: Mapping[int, CutJoint],
    ) -> None:
        self.model, self.poses, self.tree, self.flexible = model, tuple(poses), tree, flexible
        self.flexible_of, self.cut_joints = flexible_of, cut_joints
        self.markers: Added[dict[str, Any]] = Added()
        self.marker_number: dict[tuple[Any, ...], int] = {}
        self.coordinates: Added[dict[str, int]] = Added()
        self.coordinate_number: dict[tuple[int, int], int] = {}
        self.sensors: Added[dict[str, int]] = Added()
        self.sensor_slot: dict[str, int] = {}
        self.states: list[dict[str, Any]] = []
        self.held: list[dict[str, Any]] = []
        self.state_places: dict[str, int] = {}
        self.programs: Added[Program] = Added()
        self.tables: Added[Table] = Added()
        self.table_numbers: dict[str, int] = {}
        self.memory: Added[float] = Added()
        self.forces: list[dict[str, Any]] = []
        self.functions: list[UserFunction] = []
        self.wheels: list[RunningWheel] = []
        self.pool: list[Array] = []
        self.pool_size = self.work_size = 0

    @classmethod
    def behind(cls, index: SystemIndex, tables: Tables) -> Additions:
        """Nothing yet, behind what a system has."""
        b = cls(index.model, index.poses, index.tree, tables.flexible, index.flexible_of, index.cut_joints)
        b.marker_number, b.coordinate_number = dict(index.numbers.markers), dict(index.numbers.coordinates)
        b.sensor_slot, b.table_numbers = dict(index.numbers.sensors), dict(index.numbers.tables)
        b.state_places = dict(index.numbers.states)
        b.markers.first, b.coordinates.first = len(tables.markers), len(tables.coordinates)
        b.sensors.first, b.programs.first = len(tables.sensors), len(tables.begin) - 1
        b.tables.first, b.memory.first = len(tables.table_begin) - 1, len(index.room.memory)
        b.pool_size, b.work_size = index.room.pool, index.room.work
        return b

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
        start = self.memory.first + len(self.memory)
        self.memory.extend(values)
        return start

    def marker(self, place: FlatPlace, rotation: Array | None = None) -> int:
        """The marker at a place where joints and forces act, with the frame `rotation` (3, 3) in body axes."""
        if rotation is None:
            rotation = np.eye(3) if place.rotation is None else place.rotation
        key = (place.body, place.node, tuple(place.point), rotation.tobytes())
        if key not in self.marker_number:
            self.marker_number[key] = self.markers.add(self._new_marker(place, rotation))
        return self.marker_number[key]

    def seen(self, place: FlatPlace) -> int:
        """The marker that moves as a place is seen to: a node between interface nodes follows them to second order."""
        second = None if place.node is None else self.model.bodies[place.body].second_order
        if second is None or place.node is None or second.known(place.node):
            return self.marker(place)
        key = (place.body, place.node, "seen")
        if key not in self.marker_number:
            self.marker_number[key] = self.markers.add(self._new_marker(place, np.eye(3), second.seen(place.node)))
        return self.marker_number[key]

    def frame_marker(self, body: int) -> int:
        """A marker at the floating frame of a flexible body, which no deformation moves."""
        key = ("frame", body)
        if key not in self.marker_number:
            carrier = self.tree.carriers[body]
            self.marker_number[key] = self.markers.add(_on_link(carrier.link, carrier.pose))
        return self.marker_number[key]

    def com_marker(self, body: int) -> int:
        """A marker at the centre of mass of a deformed flexible body: its shapes there are their mean by mass."""
        key = ("com", body)
        if key not in self.marker_number:
            carrier, constants = self.tree.carriers[body], flexible_part(self.model.bodies[body]).inertia
            pose = carrier.pose.then(constants.com, np.eye(3))
            rows = np.vstack((constants.H / (constants.m or 1.0), np.zeros_like(constants.H)))
            on_body = {"flexible": self.flexible_of[body], "shapes": self.add_numbers(rows)}
            record = {**_on_link(carrier.link, pose), **on_body, "work": self.add_work(rows.size)}
            self.marker_number[key] = self.markers.add(record)
        return self.marker_number[key]

    def _new_marker(self, place: FlatPlace, rotation: Array, matrices: Array | None = None) -> dict[str, Any]:
        carrier = self.tree.carriers[place.body]
        pose = carrier.pose.then(np.asarray(place.point), rotation)
        number = self.flexible_of.get(place.body, -1)
        if number < 0:
            return _on_link(carrier.link, pose)
        body = self.model.bodies[place.body]
        reduced, node = flexible_part(body), place.node or 0
        rows = shape_rows(reduced, node)
        if matrices is None and (second := body.second_order) is not None:
            matrices = second.acting(node)
        quadratic = -1 if matrices is None else self.add_numbers(matrices)
        work = self.add_work(rows.size if matrices is None else 2 * rows.size)
        on_node = {"flexible": number, "shapes": self.add_numbers(rows), "work": work, "quadratic": quadratic}
        return {**_on_link(carrier.link, pose), **on_node}

    def coordinate(self, joint: int, k: int, where: Where | None = None) -> int:
        """The number of coordinate k of a joint, tree or cut; where: what asks for it, the joint itself without it."""
        if (joint, k) not in self.coordinate_number:
            new = self._new_coordinate(joint, k, where or self.model.joints[joint].where)
            self.coordinate_number[joint, k] = self.coordinates.add(new)
        return self.coordinate_number[joint, k]

    def _new_coordinate(self, joint: int, k: int, where: Where) -> dict[str, int]:
        description = self.model.joints[joint]
        if joint in self.tree.joint_coordinates:
            steps = self.tree.joint_coordinates[joint]
            if description.kind not in ("spherical", "free") and k < len(steps):
                iq, iv = steps[k]
                return {**_UNMEASURED, "kind": TREE_COORDINATE, "iq": iq, "iv": iv}
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
                own = {"kind": kind, "a": a, "b": b, "axis": axis, "memory": self.remember([start])}
                return {**_UNMEASURED, **own}
            known = len(measures)
        raise ModelError(
            f"joint {description.name!r} ({description.kind}) has {known} coordinates that a force, motion or relation "
            f"can use; number {k + 1} was requested. Choose another joint or coordinate.",
            subject=where.subject,
            field=where.field,
        )

    def table_number(self, name: str) -> int:
        """The number of a lookup table."""
        if name not in self.table_numbers:
            if name not in self.model.tables:
                raise ModelError(
                    f"table '{name}' is not in the model{did_you_mean(name, self.model.tables)}", missing=name
                )
            self.table_numbers[name] = self.tables.add(self.model.tables[name])
        return self.table_numbers[name]

    def state_place(self, name: str) -> int:
        """Where the value of a state variable, or what a block holds, lies in the memory."""
        if name not in self.state_places:
            start = next(one.start for one in self.model.kept if one.name == name)
            self.state_places[name] = self.remember([start or 0.0])
        return self.state_places[name]

    def moves_b(self, joint: int, k: int) -> bool:
        """Whether coordinate k of a joint moves b against a: the tree begins at a, or the axis is one of a."""
        if joint in self.tree.joint_links:
            return self.tree.joint_links[joint][1]
        return (self.model.joints[joint].kind, k) == ("universal", 1)

    def pose(self, body: int) -> Pose:
        """Start pose of a body, -1 being the ground."""
        return GROUND if body < 0 else self.poses[body]

    def joint_number(self, name: str, wanted_by: Where) -> int:
        names = [joint.name for joint in self.model.joints]
        if name not in names:
            raise wanted_by.error(f"joint '{name}' is not in the model{did_you_mean(name, names)}", missing=name)
        return names.index(name)


class Build(Additions):
    """Everything collected on the way to the arrays of a system; `floatframe.hybrid.compile` makes them of it."""

    tree: TreeLinks
    flexible_of: dict[int, int]
    cut_joints: dict[int, CutJoint]

    def __init__(self, model: FlatModel, poses: Sequence[Pose]) -> None:
        self.flexible: list[dict[str, Any]] = []
        super().__init__(model, poses, TreeLinks(), self.flexible, {}, {})
        self.rows: list[dict[str, Any]] = []
        self.row_names: list[str] = []
        self.terms: list[dict[str, float]] = []

    def marker_on(self, carrier: Carrier, pose: Pose) -> int:
        """A marker with a pose in the frame that a link carries, which need not be that of a body."""
        place = carrier.pose.then(pose.p, pose.R)
        return self.markers.add(_on_link(carrier.link, place))

    def add_rows(self, name: str, kind: str, a: int, b: int, length: float = 0.0) -> None:
        """The constraint rows of a joint of some kind between two markers."""
        for row, axis_a, axis_b in ROWS[kind]:
            self.rows.append(
                {"kind": row, "a": a, "b": b, "axis_a": axis_a, "axis_b": axis_b, "length": length, "program": -1}
            )
            self.row_names.append(name)


def flexible_part(body: FlatBody) -> ReducedBody:
    """The reduced body of a flexible body."""
    if body.reduced is None:
        raise Where.of("body", body.name).error("is rigid, expected a flexible one", after=" ")
    return body.reduced
