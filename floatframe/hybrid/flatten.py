"""From the description of a model to its flat form: subsystems opened, parameters put in, everything checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.hybrid import expression_calculus as calculus
from floatframe.hybrid.bodies import FlexibleBody, RigidBody
from floatframe.hybrid.body_frames import PreparedBodies
from floatframe.hybrid.checks import independent_relations, inertia_tensor, interface_node, positive_mass
from floatframe.hybrid.damping import damping_matrix
from floatframe.hybrid.elements import VARIABLES, Force
from floatframe.hybrid.expression import Expression, parse
from floatframe.hybrid.expression_nodes import Call
from floatframe.hybrid.expression_parser import RESERVED, did_you_mean
from floatframe.hybrid.flat import FlatBody, FlatForce, FlatJoint, FlatModel, FlatPlace, FlatRelation, FlatStep
from floatframe.hybrid.joints import POINT_JOINTS, Joint, Relation
from floatframe.hybrid.places import GROUND, Place
from floatframe.hybrid.rotations import frame_along, rotation_matrix, unit
from floatframe.hybrid.subsystems import Assembly, Instance
from floatframe.hybrid.tables import Table
from floatframe.hybrid.values import Scalar, Scope, resolved_parameters

__all__ = ["FlatBody", "FlatForce", "FlatJoint", "FlatModel", "FlatPlace", "FlatRelation", "FlatStep", "flatten"]

_TIME = frozenset({"t"})


def flatten(model: Assembly, parameters: Mapping[str, Scalar] | None = None) -> FlatModel:
    """Return the flat form of a model; `parameters` override those of the model, front.mass that of an instance."""
    parts = list(_opened(model, dict(parameters or {})))
    bodies = _Bodies()
    for part in parts:
        bodies.add(part)
    joints = [joint for part in parts for joint in _joints(part, bodies)]
    kinds = {joint.name: joint.coordinates for joint in joints}
    relations = [relation for part in parts for relation in _relations(part, kinds)]
    independent_relations(relations)
    tables: dict[str, Table] = {}
    for part in parts:
        tables |= {part.path + name: table for name, table in part.assembly.tables.items()}
    forces = []
    for part in parts:
        for item in part.assembly:
            if isinstance(item, Force):
                forces.append(_force(part, item, bodies, kinds, tables))
    where = f"model '{model.name}', gravity"
    return FlatModel(
        name=model.name,
        gravity=np.zeros(3) if model.gravity is None else parts[0].scope.array(model.gravity, where),
        bodies=tuple(bodies.flat),
        joints=tuple(joints),
        relations=tuple(relations),
        forces=tuple(forces),
        parameters={part.path + name: value for part in parts for name, value in part.scope.parameters.items()},
        tables=tables,
    )


@dataclass(frozen=True)
class _Part:
    """An assembly as it stands in the model: the model itself or one instance."""

    assembly: Assembly
    path: str  # "" or "front.": opens the names of everything inside
    scope: Scope
    position: Array  # (3,) of its origin in the world
    rotation: Array  # (3, 3)

    @property
    def subsystem(self) -> str:
        """The outermost instance."""
        return self.path.partition(".")[0]

    def expression(
        self, raw: Scalar, where: str, variables: frozenset[str] = frozenset(), sensors: bool = False
    ) -> Expression:
        """Return an expression with parameters put in and sensors and tables under their full names."""
        expression = self.scope.expression(raw, where, variables, sensors)
        for name in expression.names - variables:
            self._require_sensor(name, expression)
        for table in expression.tables:
            expression.known(table, self.assembly.tables, "table")
        if not self.path:
            return expression
        full = {name: parse(self.path + name) for name in expression.names - variables}
        return _with_tables_of(self.path, expression.substitute(full))

    def _require_sensor(self, name: str, expression: Expression) -> None:
        """Refuse a sensor on something that does not exist; what it measures is the compiler's to judge."""
        assembly, rest = self.assembly, name
        while True:
            head, _, rest = rest.partition(".")
            item = expression.known(head, assembly.items, "name")
            if not isinstance(item, Instance) or not rest:
                return
            assembly = item.subsystem


def _with_tables_of(path: str, expression: Expression) -> Expression:
    """Return the expression with the path of a subsystem before the names of its tables."""

    def make(call: Call) -> Call:
        return Call(call.function, call.arguments, path + call.table) if call.table else call

    return Expression(calculus.filled(expression.root, {}, make), expression.where)


def _opened(model: Assembly, overrides: dict[str, Scalar]) -> list[_Part]:
    """Return the model and, depth first, all instances in it."""
    top = f"model '{model.name}'"
    given = {name: Scope().number(value, f"parameter '{name}'") for name, value in overrides.items()}
    parts = _instances(model, "", given, np.zeros(3), np.eye(3), top)
    known = {part.path + name for part in parts for name in part.assembly.parameters}
    for name in given:
        if name not in known:
            raise ModelError(f"{top} has no parameter '{name}'{did_you_mean(name, known)}")
    return parts


def _instances(
    assembly: Assembly, path: str, given: Mapping[str, float], position: Array, rotation: Array, where: str
) -> list[_Part]:
    own = {name: value for name, value in given.items() if name in assembly.parameters}
    for name in assembly.parameters:
        if name in RESERVED | _TIME or not name.isidentifier():
            raise ModelError(
                f"{where}: '{name}' cannot be the name of a parameter; choose a word of letters, digits, _"
            )
    rest = {name: value for name, value in assembly.parameters.items() if name not in own}
    scope = Scope(resolved_parameters(rest, Scope(own), where))
    parts = [_Part(assembly, path, scope, position, rotation)]
    for item in assembly:
        if not isinstance(item, Instance):
            continue
        inside = f"instance '{path}{item.name}'"
        for name in item.parameters:
            if name not in item.subsystem.parameters:
                near = did_you_mean(name, item.subsystem.parameters)
                raise ModelError(f"{inside}: subsystem '{item.subsystem.name}' has no parameter '{name}'{near}")
        values = {name: scope.number(value, f"{inside}, parameter '{name}'") for name, value in item.parameters.items()}
        mark = f"{item.name}."
        values |= {name.removeprefix(mark): value for name, value in given.items() if name.startswith(mark)}
        turn = rotation_matrix(item.rotation, scope, f"{inside}, rotation")
        origin = position + rotation @ scope.array(item.position, f"{inside}, position")
        inner = rotation if turn is None else rotation @ turn
        parts += _instances(item.subsystem, f"{path}{mark}", values, origin, inner, inside)
    return parts


@dataclass
class _Bodies:
    """The bodies found so far, by their full names."""

    flat: list[FlatBody] = field(default_factory=list)
    number: dict[str, int] = field(default_factory=dict)
    prepared: PreparedBodies = field(default_factory=PreparedBodies)

    def add(self, part: _Part) -> None:
        """Take in the bodies of a part."""
        for item in part.assembly:
            if isinstance(item, RigidBody | FlexibleBody):
                self.number[part.path + item.name] = len(self.flat)
                self.flat.append(self._flat(part, item))

    def _flat(self, part: _Part, body: RigidBody | FlexibleBody) -> FlatBody:
        name, scope = part.path + body.name, part.scope
        where = f"body '{name}'"
        position = scope.optional(body.position, f"{where}, position")
        rotation = rotation_matrix(body.rotation, scope, f"{where}, rotation")
        velocity = scope.optional(body.velocity, f"{where}, velocity")
        reduced, damping = None, np.zeros((0, 0))
        if isinstance(body, FlexibleBody):
            reduced, own_damping = self.prepared.body(body, where)
            omega = np.sqrt(np.diag(reduced.stiffness))
            damping = own_damping + damping_matrix(body.damping, omega, scope, f"{where}, damping")
            mass, com = positive_mass(reduced.inertia.m, where), reduced.inertia.com
            inertia = reduced.inertia.inertia_about_com
        else:
            mass = positive_mass(scope.number(body.mass, f"{where}, mass"), where)
            com = scope.array(body.com, f"{where}, com")
            inertia = inertia_tensor(scope.array(body.inertia, f"{where}, inertia"), where)
        return FlatBody(
            name=name,
            mass=mass,
            com=com,
            inertia=inertia,
            reduced=reduced,
            damping=damping,
            position=None if position is None else part.position + part.rotation @ position,
            rotation=None if rotation is None else part.rotation @ rotation,
            velocity=None if velocity is None else part.rotation @ velocity,
            angular_velocity=scope.optional(body.angular_velocity, f"{where}, angular_velocity"),
            subsystem=part.subsystem,
            coriolis=body.coriolis if isinstance(body, FlexibleBody) else True,
            stiffening=body.stiffening if isinstance(body, FlexibleBody) else "off",
            home_position=part.position,
            home_rotation=part.rotation,
        )

    def place(self, part: _Part, place: Place, where: str) -> FlatPlace:
        """Return a place with the number of its body."""
        point = part.scope.array(place.point, f"{where}, point")
        rotation = rotation_matrix(place.rotation, part.scope, f"{where}, rotation of {place}")
        if place.body == GROUND:
            if place.node is not None:
                raise ModelError(f"{where}: the ground has no node {place.node}; give a point")
            turned = part.rotation if rotation is None else part.rotation @ rotation
            plain = rotation is None and np.array_equal(part.rotation, np.eye(3))
            return FlatPlace(-1, part.position + part.rotation @ point, None, None if plain else turned)
        name = part.path + place.body
        if name not in self.number:
            known = [key.removeprefix(part.path) for key in self.number if key.startswith(part.path)]
            raise ModelError(f"{where}: there is no body '{place.body}'{did_you_mean(place.body, [GROUND, *known])}")
        number = self.number[name]
        reduced = self.flat[number].reduced
        if reduced is None:
            if place.node is not None:
                raise ModelError(f"{where}: body '{name}' is rigid and has no node {place.node}; give a point")
            return FlatPlace(number, point, None, rotation)
        if place.node is None:
            nodes = ", ".join(map(str, reduced.interface_nodes[:12]))
            raise ModelError(f"{where}: body '{name}' is flexible, a place on it is a node; its interface is {nodes}")
        row = reduced.node_index([place.node], where)[0]
        return FlatPlace(number, reduced.nodes[row], place.node, rotation)


def _joints(part: _Part, bodies: _Bodies) -> list[FlatJoint]:
    return [_joint(part, item, bodies) for item in part.assembly if isinstance(item, Joint)]


def _joint(part: _Part, joint: Joint, bodies: _Bodies) -> FlatJoint:
    name, scope = part.path + joint.name, part.scope
    where = f"joint '{name}'"
    a, b = (bodies.place(part, place, where) for place in (joint.a, joint.b))
    if a.body == b.body:
        raise ModelError(f"{where}: both its places are on '{joint.a.body}'; a joint needs two bodies, or the ground")
    for place in (a, b):
        if place.node is not None:
            body = bodies.flat[place.body]
            if body.reduced is not None:
                interface_node(body.reduced, place.node, joint.kind not in POINT_JOINTS, where, body.name)
    axis = unit(scope.array(joint.axis, f"{where}, axis"), where)
    axis_a = first = None
    if joint.axis_a is not None:
        axis_a = unit(scope.array(joint.axis_a, f"{where}, axis_a"), where)
    if joint.first is not None:
        first = frame_along(axis, where, scope.array(joint.first, f"{where}, first"))[:, 0]
    length = None if joint.length is None else scope.number(joint.length, f"{where}, length")
    if length is not None and not length > 0:
        raise ModelError(f"{where}: found a length of {length:g} m, expected more than zero; or join the points")
    steps, driven = [], []
    for step in joint.steps:
        direction = unit(scope.array(step.axis, f"{where}, step"), f"{where}, step '{step.motion}'")
        value = None if step.by is None else part.expression(step.by, f"{where}, step '{step.motion}'", _TIME)
        constant = value.evaluate() if value is not None and value.is_constant else None
        steps.append(FlatStep(step.motion, (float(direction[0]), float(direction[1]), float(direction[2])), constant))
        if constant is None:
            driven.append(value)
    coordinates = joint.coordinates
    if joint.kind == "general":
        coordinates = tuple("angle" if s.motion == "rotate" else "displacement" for s in steps if s.value is None)
    return FlatJoint(
        name=name,
        kind=joint.kind,
        a=a,
        b=b,
        axis=axis,
        axis_a=axis_a,
        first=first,
        pitch=scope.number(joint.pitch, f"{where}, pitch"),
        length=length,
        steps=tuple(steps),
        driven=tuple(driven),
        coordinates=coordinates,
        subsystem=part.subsystem,
        cut=joint.cut,
        start=_start(scope, joint.start, len(coordinates), f"{where}, start"),
        start_rate=_start(scope, joint.start_rate, len(coordinates), f"{where}, start_rate"),
    )


def _start(scope: Scope, raw: tuple[Scalar | None, ...], count: int, where: str) -> tuple[float | None, ...]:
    values = [None if value is None else scope.number(value, where) for value in raw]
    return tuple(values[:count] + [None] * (count - len(values)))


def _relations(part: _Part, kinds: Mapping[str, tuple[str, ...]]) -> list[FlatRelation]:
    found = []
    for item in part.assembly:
        if not isinstance(item, Relation):
            continue
        where = f"{item.kind} '{part.path}{item.name}'"
        terms = []
        for joint, coordinate, factor in item.terms:
            name = _known_joint(part, joint, kinds, where)
            _require_coordinate(kinds[name], coordinate, name, where)
            terms.append((name, coordinate, part.scope.number(factor, f"{where}, factor")))
        value = part.expression(item.value, where, _TIME)
        found.append(FlatRelation(part.path + item.name, tuple(terms), value))
    return found


def _known_joint(part: _Part, joint: str, kinds: Mapping[str, tuple[str, ...]], where: str) -> str:
    name = part.path + joint
    if name not in kinds:
        known = [key.removeprefix(part.path) for key in kinds if key.startswith(part.path)]
        raise ModelError(f"{where}: there is no joint '{joint}'{did_you_mean(joint, known)}")
    return name


def _require_coordinate(coordinates: tuple[str, ...], coordinate: int, joint: str, where: str) -> None:
    if not 0 <= coordinate < len(coordinates):
        has = f"has the coordinates {', '.join(coordinates)}, counted from 0" if coordinates else "has no coordinates"
        raise ModelError(f"{where}: joint '{joint}' has no coordinate {coordinate}; it {has}")


def _force(
    part: _Part, force: Force, bodies: _Bodies, kinds: Mapping[str, tuple[str, ...]], tables: dict[str, Table]
) -> FlatForce:
    name = part.path + force.name
    where = f"{force.kind} '{name}'"
    joint, coordinate = "", 0
    if force.joint:
        joint = _known_joint(part, force.joint, kinds, where)
        coordinate = _coordinate(force, kinds[joint], joint, where)
    variables = frozenset(VARIABLES[force.kind]) | _TIME
    expressions = {}
    for key, law in force.expressions.items():
        if isinstance(law, Table):
            tables[f"{name}.{key}"] = law
            expressions[key] = parse(f"table({name}.{key}, {VARIABLES[force.kind][0]})", where=where)
        else:
            expressions[key] = part.expression(law, f"{where}, {key}", variables, sensors=True)
    used = {table for expression in expressions.values() for table in expression.tables}
    return FlatForce(
        name=name,
        kind=force.kind,
        a=None if force.a is None else bodies.place(part, force.a, where),
        b=None if force.b is None else bodies.place(part, force.b, where),
        joint=joint,
        coordinate=coordinate,
        expressions=expressions,
        numbers={key: part.scope.array(value, f"{where}, {key}") for key, value in force.numbers.items()},
        options=force.options,
        tables={table: tables[table] for table in sorted(used)},
        function=force.function,
        subsystem=part.subsystem,
    )


def _coordinate(force: Force, coordinates: tuple[str, ...], joint: str, where: str) -> int:
    """Return the coordinate a force acts on: the one asked for, or the first of its kind."""
    wanted = {"joint_torque": "angle", "joint_force": "displacement"}.get(force.kind)
    if force.coordinate is None:
        fitting = [k for k, kind in enumerate(coordinates) if wanted in (None, kind)]
        if not fitting:
            has = ", ".join(coordinates) or "none"
            raise ModelError(f"{where}: joint '{joint}' has no {wanted or 'coordinate'}; its coordinates: {has}")
        return fitting[0]
    _require_coordinate(coordinates, force.coordinate, joint, where)
    if wanted not in (None, coordinates[force.coordinate]):
        raise ModelError(
            f"{where}: coordinate {force.coordinate} of joint '{joint}' is no {wanted} but "
            f"{'an angle' if wanted == 'displacement' else 'a displacement'}; use the other kind of force"
        )
    return force.coordinate
