"""From a flat description to the flat arrays of a System."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from floatframe.errors import ModelError
from floatframe.hybrid.compile_flexible import pack_body, shape_rows
from floatframe.hybrid.expression import Expression, parse
from floatframe.hybrid.expression_parser import did_you_mean
from floatframe.hybrid.expression_program import Program, compile_program, link
from floatframe.hybrid.flatten import FlatJoint, FlatModel, FlatPlace
from floatframe.hybrid.joint_steps import MEASURES, ROWS
from floatframe.hybrid.layout import (
    COORDINATE,
    DOF,
    FIRST_SENSOR,
    FLEXIBLE,
    FORCE,
    MARKER,
    RELATION,
    ROW,
    SENSOR,
    SLOT_TIME,
    TERM,
    TREE_COORDINATE,
    Tables,
)
from floatframe.hybrid.spanning_tree import spanning_tree
from floatframe.hybrid.start_poses import Pose, axis_of, start_poses
from floatframe.hybrid.tables import Table, link_tables
from floatframe.hybrid.tree_links import Carrier, JointFrames, TreeLinks, joint_frames

Array = NDArray[np.float64]


@dataclass(frozen=True)
class CutJoint:
    """A joint that is a set of constraint rows: its markers and its range of rows."""

    a: int
    b: int
    first_row: int
    last_row: int


@dataclass
class Build:
    """Everything collected on the way to the arrays of a system."""

    model: FlatModel
    poses: list[Pose]
    tree: TreeLinks = field(default_factory=TreeLinks)
    flexible: list[tuple[Any, ...]] = field(default_factory=list)
    flexible_of: dict[int, int] = field(default_factory=dict)
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
    cut_joints: dict[int, CutJoint] = field(default_factory=dict)
    pool: list[Array] = field(default_factory=list)
    pool_size: int = 0
    work_size: int = 0
    memory: list[float] = field(default_factory=list)

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
        """The marker at a place, with the frame `rotation` (3, 3) in body axes."""
        if rotation is None:
            rotation = np.eye(3) if place.rotation is None else place.rotation
        key = (place.body, place.node, tuple(place.point), rotation.tobytes())
        if key not in self.marker_number:
            self.marker_number[key] = len(self.markers)
            self.markers.append(self._new_marker(place, rotation))
        return self.marker_number[key]

    def _new_marker(self, place: FlatPlace, rotation: Array) -> tuple[Any, ...]:
        carrier = self.tree.carriers[place.body]
        pose = carrier.pose.then(np.asarray(place.point), rotation)
        number = self.flexible_of.get(place.body, -1)
        if number < 0:
            return carrier.link, -1, -1, -1, -1, pose.p, pose.R
        body = self.model.bodies[place.body].reduced
        assert body is not None and place.node is not None
        rows = shape_rows(body, place.node)
        return carrier.link, number, self.add_numbers(rows), self.add_work(rows.size), -1, pose.p, pose.R

    def coordinate(self, joint: int, k: int) -> int:
        """The number of coordinate k of a joint, tree or cut."""
        if (joint, k) not in self.coordinate_number:
            self.coordinate_number[joint, k] = len(self.coordinates)
            self.coordinates.append(self._new_coordinate(joint, k))
        return self.coordinate_number[joint, k]

    def _new_coordinate(self, joint: int, k: int) -> tuple[int, ...]:
        description = self.model.joints[joint]
        if joint in self.tree.joint_coordinates:
            steps = self.tree.joint_coordinates[joint]
            if description.kind not in ("spherical", "free") and k < len(steps):
                return TREE_COORDINATE, *steps[k], -1, -1, -1, -1
            known = 0 if description.kind in ("spherical", "free") else len(steps)
        else:
            measures = MEASURES.get(description.kind, ())
            if k < len(measures):
                cut = self.cut_joints[joint]
                return measures[k][0], -1, -1, cut.a, cut.b, measures[k][1], self.remember([0.0])
            known = len(measures)
        raise ModelError(
            f"joint {description.name!r} ({description.kind}) has {known} coordinates that a force, motion or relation "
            f"can use; number {k + 1} was asked for. Choose another joint or coordinate."
        )

    def program(self, expression: Expression, slots: Mapping[str, int]) -> int:
        """Compile an expression of time, the given local variables and sensors; returns its number."""
        known = {"t": SLOT_TIME, **slots}
        for name in sorted(expression.names - set(known)):
            known[name] = self._sensor(name, tuple(known))
        tables = {}
        for name in sorted(expression.tables):
            tables[name] = self._table(name)
        self.programs.append(compile_program(expression, known, tables))
        return len(self.programs) - 1

    def _sensor(self, name: str, local: tuple[str, ...]) -> int:
        from floatframe.hybrid.sensors import find_sensor

        if name not in self.sensor_slot:
            self.sensors.append(find_sensor(self, name, local))
            self.sensor_slot[name] = FIRST_SENSOR + len(self.sensors) - 1
        return self.sensor_slot[name]

    def _table(self, name: str) -> int:
        try:
            table = self.model.tables[name]
        except KeyError:
            raise ModelError(f"table '{name}' is not in the model{did_you_mean(name, self.model.tables)}") from None
        self.tables.append(table)
        return len(self.tables) - 1

    def joint_number(self, name: str, wanted_by: str) -> int:
        names = [joint.name for joint in self.model.joints]
        if name not in names:
            raise ModelError(f"{wanted_by}: joint '{name}' is not in the model{did_you_mean(name, names)}")
        return names.index(name)


def build(model: FlatModel) -> Build:
    """Collect links, markers, rows, forces of a model."""
    from floatframe.hybrid.compile_forces import add_force

    poses = start_poses(model.bodies, model.joints)
    b = Build(model, poses)
    branches = spanning_tree(model.bodies, model.joints)
    for branch in branches:
        body = model.bodies[branch.child]
        if branch.joint is None:
            b.tree.add_floating(branch.child, poses[branch.child])
        else:
            joint = model.joints[branch.joint]
            parent = Pose(np.zeros(3), np.eye(3)) if branch.parent < 0 else poses[branch.parent]
            b.tree.add_branch(branch, joint, parent, poses[branch.child])
        carrier = b.tree.carriers[branch.child]
        if body.reduced is None:
            b.tree.add_rigid_mass(body, carrier)
        else:
            _add_flexible(b, branch.child, carrier)
    for k, joint in enumerate(model.joints):
        if k not in b.tree.joint_links:
            _add_cut_joint(b, k, joint)
    for relation in model.relations:
        _add_relation(b, relation.name, relation.terms, relation.value)
    for k, joint in enumerate(model.joints):
        if joint.kind == "general" and k in b.tree.joint_links:
            _drive_general(b, joint)
    for force in model.forces:
        add_force(b, force)
    return b


def _add_flexible(b: Build, body: int, carrier: Carrier) -> None:
    description = b.model.bodies[body]
    reduced = description.reduced
    assert reduced is not None
    numbers, diagonal = pack_body(reduced, description.damping)
    n = reduced.nmode
    iq, iv = b.tree.add_modes(carrier.link, n)
    b.flexible_of[body] = len(b.flexible)
    b.tree.records[carrier.link]["flexible"] = len(b.flexible)
    work = b.add_work(12 * n + 9)
    mass, coriolis = float(reduced.inertia.m), 1.0 if description.coriolis else 0.0
    b.flexible.append((carrier.link, iq, iv, n, b.add_numbers(numbers), work, int(diagonal), mass, coriolis))


def _pose(b: Build, body: int) -> Pose:
    return Pose(np.zeros(3), np.eye(3)) if body < 0 else b.poses[body]


def _add_cut_joint(b: Build, number: int, joint: FlatJoint) -> None:
    if joint.kind not in ROWS:
        raise ModelError(
            f"joint {joint.name!r} ({joint.kind}) closes a loop or touches a flexible body, which a general joint "
            "cannot do. Use one of the named joints there, or cut the loop at another joint (cut=True)."
        )
    pose_a, pose_b = _pose(b, joint.a.body), _pose(b, joint.b.body)
    frames = joint_frames(joint, pose_a, pose_b)
    if joint.kind == "universal":
        frames = _universal_frames(joint, frames)
    a, bm = b.marker(joint.a, frames.a.R), b.marker(joint.b, frames.b.R)
    first = len(b.rows)
    length = 0.0
    if joint.kind == "distance":
        gap = pose_a.then(frames.a.p, np.eye(3)).p - pose_b.then(frames.b.p, np.eye(3)).p
        length = float(np.linalg.norm(gap)) if joint.length is None else float(joint.length)
        if length <= 0.0:
            raise ModelError(f"joint {joint.name!r}: the distance is {length:g} m; it must be positive (use spherical)")
    for kind, axis_a, axis_b in ROWS[joint.kind]:
        b.rows.append({"kind": kind, "a": a, "b": bm, "axis_a": axis_a, "axis_b": axis_b, "length": length, "program": -1})
        b.row_names.append(joint.name)
    b.cut_joints[number] = CutJoint(a, bm, first, len(b.rows))
    if joint.kind == "revolute" or joint.kind == "screw":
        # the angle counts turns from its start value
        c = b.coordinate(number, 0)
        b.memory[b.coordinates[c][6]] = frames.angle if not joint.start or joint.start[0] is None else joint.start[0]
    if joint.kind == "screw":
        _add_relation(b, joint.name, ((joint.name, 1, 1.0), (joint.name, 0, -joint.pitch)), parse(0.0))
        b.cut_joints[number] = CutJoint(a, bm, first, len(b.rows))


def _universal_frames(joint: FlatJoint, frames: JointFrames) -> JointFrames:
    """x of a's frame along the axis fixed on a."""
    assert joint.axis_a is not None
    x = np.asarray(joint.axis_a, dtype=float)
    z = frames.a.R[:, 2] - (frames.a.R[:, 2] @ x) * x
    z /= np.linalg.norm(z)
    return JointFrames(Pose(frames.a.p, np.column_stack((x, np.cross(z, x), z))), frames.b, 0.0)


def _add_relation(b: Build, name: str, terms: tuple[tuple[str, int, float], ...], value: Expression) -> None:
    first = len(b.terms)
    for joint, k, factor in terms:
        b.terms.append((b.coordinate(b.joint_number(joint, f"relation {name!r}"), k), float(factor)))
    unknown = value.names - {"t"}
    if unknown:
        raise ModelError(
            f"{name!r}: a prescribed motion may depend on t only; found {', '.join(sorted(unknown))} in {value}"
        )
    rate = value.derivative("t")
    start = b.program(value, {})
    b.program(rate, {})
    b.program(rate.derivative("t"), {})
    b.rows.append(
        {"kind": RELATION, "a": -1, "b": -1, "first_term": first, "last_term": len(b.terms), "program": start}
    )
    b.row_names.append(name)


def _drive_general(b: Build, joint: FlatJoint) -> None:
    """Steps of a general joint that are given functions of time."""
    for k, value in enumerate(joint.driven):
        if value is not None:
            _add_relation(b, joint.name, ((joint.name, k, 1.0),), value)


def tables_of(b: Build) -> Tables:
    """The constant arrays of the finished build."""
    book, lookup = link(b.programs), link_tables(b.tables)
    rows = _records(ROW, b.rows)
    dofs = np.zeros(len(b.tree.dofs), DOF)
    for k, dof in enumerate(b.tree.dofs):
        dofs[k] = dof
    pool = np.concatenate(b.pool) if b.pool else np.zeros(1)
    return Tables(
        links=b.tree.table(),
        dofs=dofs,
        flexible=_tuples(FLEXIBLE, b.flexible),
        markers=_tuples(MARKER, b.markers),
        coordinates=_tuples(COORDINATE, b.coordinates),
        rows=rows,
        terms=_tuples(TERM, b.terms),
        forces=_records(FORCE, b.forces),
        sensors=_tuples(SENSOR, b.sensors),
        gravity=np.array(b.model.gravity, dtype=np.float64),
        pool=pool,
        code=book.code,
        constants=book.constants,
        begin=book.begin,
        table_begin=lookup.begin,
        table_x=lookup.x,
        table_coefficients=lookup.coefficients,
    )


def _tuples(dtype: np.dtype[Any], values: list[Any]) -> NDArray[Any]:
    out = np.zeros(len(values), dtype)
    for k, value in enumerate(values):
        out[k] = value
    return out


def _records(dtype: np.dtype[Any], values: list[dict[str, Any]]) -> NDArray[Any]:
    out = np.zeros(len(values), dtype)
    for k, value in enumerate(values):
        for name, entry in value.items():
            out[k][name] = entry
    return out


__all__ = ["Build", "CutJoint", "axis_of", "build", "tables_of"]
