"""From the description of a model to its flat form: subsystems opened, parameters put in, everything checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

import numpy as np

from floatframe.errors import FloatframeError, Where
from floatframe.expressions import Mistakes, Scalar, Scope, Table
from floatframe.hybrid.description import (
    POINT_JOINTS,
    Assembly,
    Block,
    Constraint,
    Force,
    Joint,
    Relation,
    Rolling,
    Signal,
    Stage,
    StateVariable,
    frame_along,
    unit,
)
from floatframe.hybrid.flat.blocks import flat_block
from floatframe.hybrid.flat.bodies import Bodies
from floatframe.hybrid.flat.checks import independent_relations, interface_node
from floatframe.hybrid.flat.constraints import flat_constraint, flat_rolling
from floatframe.hybrid.flat.control import flat_signal, flat_state, without_loops
from floatframe.hybrid.flat.forces import flat_force, known_joint, require_coordinate
from floatframe.hybrid.flat.model import (
    FlatBody,
    FlatConstraint,
    FlatForce,
    FlatHeld,
    FlatJoint,
    FlatModel,
    FlatPlace,
    FlatRelation,
    FlatSignal,
    FlatState,
    FlatStep,
)
from floatframe.hybrid.flat.parts import TIME, Part, opened
from floatframe.hybrid.flat.reuse import History, Reuse
from floatframe.hybrid.flat.stages import with_stages
from floatframe.hybrid.flat.track_courses import track_courses
from floatframe.hybrid.flat.track_starts import start_on_track

Thing = TypeVar("Thing", bound=Joint | Relation | Constraint | Rolling | Force | StateVariable | Signal | Block)

__all__ = ["FlatBody", "FlatForce", "FlatJoint", "FlatModel", "FlatPlace", "FlatRelation", "FlatStep", "flatten"]


def flatten(
    model: Assembly, parameters: Mapping[str, Scalar] | None = None, like: FlatModel | None = None
) -> FlatModel:
    """Return the flat form of a model; `parameters` override those of the model, front.mass that of an instance.

    like: the flat form at other parameters, from which all is taken over that stays the same.
    """
    given = dict(parameters or {})
    stages = [item for item in model if isinstance(item, Stage)]
    history = None if like is None else like.history
    flat, part = _checked(model, given, stages, history)
    if not stages:
        return flat
    return with_stages(flat, part, stages, lambda changed: _checked(model, {**given, **changed}, stages, history)[0])


def mistakes_in(model: Assembly, lost: Iterable[str]) -> list[FloatframeError]:
    """Return what is wrong with a model of which some things could not be made; lost: their names."""
    mistakes = Mistakes(lost)
    parts = opened(model, {}, mistakes)
    with mistakes.of():
        _flat(model, parts, [item for item in model if isinstance(item, Stage)], mistakes)
    return mistakes.found


def _checked(
    model: Assembly, given: dict[str, Scalar], stages: Sequence[Stage], history: History | None
) -> tuple[FlatModel, Part]:
    """Return the flat form and the model itself as a part, or raise all that is wrong with its items."""
    mistakes = Mistakes()
    parts = opened(model, given, mistakes)
    with mistakes.of():
        flat = _flat(model, parts, stages, mistakes, history)
    mistakes.complete()
    return flat, parts[0]


def _flat(
    model: Assembly,
    parts: list[Part],
    stages: Sequence[Stage],
    mistakes: Mistakes,
    history: History | None = None,
) -> FlatModel:
    """Return the flat form of all that could be made; what could not is among the mistakes."""
    track = None
    with mistakes.of("track"):
        track = model.track(parts[0].scope) if callable(model.track) else model.track
    parts = [replace(part, track=track) for part in parts]
    reuse = Reuse(parts, history)
    bodies = Bodies(reuse)
    for part in parts:
        bodies.add(part, mistakes)
    start_on_track(bodies, parts, track, mistakes)
    if not bodies.flat and not mistakes.lost:
        where = Where.of("model", model.name)
        raise where.error("has no bodies; add [[body]], [[flexible]] or [[subsystem]] tables", after=" ")
    joints: list[FlatJoint] = []
    relations: list[FlatRelation] = []
    forces: list[FlatForce] = []
    for part, joint in _items(parts, Joint):
        with mistakes.of(part.path + joint.name, joint.name):
            joints.append(reuse.flat(part, joint.name, partial(flat_joint, joint=joint, bodies=bodies)))
    coordinates = {joint.name: joint.coordinates for joint in joints}
    for part, relation in _items(parts, Relation):
        with mistakes.of(part.path + relation.name, relation.name):
            make = partial(flat_relation, relation=relation, coordinates=coordinates)
            relations.append(reuse.flat(part, relation.name, make, coordinates))
    # those that come and go need not all hold at once
    switched = {name for stage in stages for name in (*stage.release, *stage.lock)}
    with mistakes.of():
        independent_relations([relation for relation in relations if relation.name not in switched])
    constraints = _constraints(parts, reuse, bodies, coordinates, mistakes)
    for part, force in _items(parts, Force):
        with mistakes.of(part.path + force.name, force.name):
            made = partial(flat_force, force=force, bodies=bodies, coordinates=coordinates)
            forces.append(reuse.flat(part, force.name, made, coordinates))
    states: list[FlatState] = []
    for part, state in _items(parts, StateVariable):
        with mistakes.of(part.path + state.name, state.name):
            states.append(reuse.flat(part, state.name, partial(flat_state, state=state)))
    signals: list[FlatSignal] = []
    for part, signal in _items(parts, Signal):
        with mistakes.of(part.path + signal.name, signal.name):
            signals.append(reuse.flat(part, signal.name, partial(flat_signal, signal=signal)))
    held: list[FlatHeld] = []
    for part, block in _items(parts, Block):
        with mistakes.of(part.path + block.name, block.name):
            opened_block = reuse.flat(part, block.name, partial(flat_block, block=block))
            states += opened_block.states
            signals += opened_block.signals
            held += opened_block.held
    with mistakes.of():
        without_loops(states, signals)
    tables: dict[str, Table] = {}
    for part in parts:
        tables |= {part.path + name: table for name, table in part.assembly.tables.items()}
    for acting in forces:
        tables |= acting.tables
    for part in parts:  # last: what is taken over may have been made with another track
        own = part.assembly.tables
        tables |= {part.path + name: table for name, table in track_courses(track).items() if name not in own}
    where = Where.of("model", model.name).key("gravity")
    return FlatModel(
        name=model.name,
        gravity=np.zeros(3) if model.gravity is None else parts[0].scope.array(model.gravity, where),
        bodies=tuple(bodies.flat),
        joints=tuple(joints),
        relations=tuple(relations),
        forces=tuple(forces),
        parameters={part.path + name: value for part in parts for name, value in part.scope.parameters.items()},
        states=tuple(states),
        signals=tuple(signals),
        constraints=tuple(constraints),
        held=tuple(held),
        tables=tables,
        track=track,
        history=reuse.history(),
    )


def _items(parts: list[Part], kind: type[Thing]) -> Iterator[tuple[Part, Thing]]:
    """Yield all items of a kind with the parts they are in."""
    for part in parts:
        for item in part.assembly:
            if isinstance(item, kind):
                yield part, item


def _constraints(
    parts: list[Part], reuse: Reuse, bodies: Bodies, coordinates: Mapping[str, tuple[str, ...]], mistakes: Mistakes
) -> list[FlatConstraint]:
    """Return the constraints that are expressions, and what rolls."""
    found: list[FlatConstraint] = []
    for part, law in _items(parts, Constraint):
        with mistakes.of(part.path + law.name, law.name):
            found.append(reuse.flat(part, law.name, partial(flat_constraint, constraint=law)))
    for part, item in _items(parts, Rolling):
        with mistakes.of(part.path + item.name, item.name):
            make = partial(flat_rolling, rolling=item, bodies=bodies, coordinates=coordinates)
            found.append(reuse.flat(part, item.name, make, coordinates))
    return found


def flat_joint(part: Part, joint: Joint, bodies: Bodies) -> FlatJoint:
    """Return a joint with its places found and its numbers worked out."""
    name, scope = part.path + joint.name, part.scope
    where = Where.of("joint", name)
    a, b = bodies.place(part, joint.a, where.at("a")), bodies.place(part, joint.b, where.at("b"))
    bodies.require_two_ends(a, b, where)
    for side, place in (("a", a), ("b", b)):
        if place.node is not None:
            body = bodies.flat[place.body]
            if body.reduced is not None:
                rotates = joint.kind not in POINT_JOINTS
                interface_node(body.reduced, place.node, rotates, where.at(f"{side}.node"), body.name)
    axis = unit(scope.array(joint.axis, where.key("axis")), where.key("axis"))
    axis_a = first = None
    if joint.axis_a is not None:
        axis_a = unit(scope.array(joint.axis_a, where.key("axis_a")), where.key("axis_a"))
    if joint.first is not None:
        first = frame_along(axis, where.key("first"), scope.array(joint.first, where.key("first")))[:, 0]
    length = None if joint.length is None else scope.number(joint.length, where.key("length"))
    if length is not None and not length > 0:
        raise where.at("length").error(f"found a length of {length:g} m, expected more than zero; or use spherical")
    steps, driven = [], []
    for k, step in enumerate(joint.steps):
        label = where.at("steps").key(str(k), f"step '{step.motion}'")
        direction = unit(scope.array(step.axis, label.at(step.motion)), label.at(step.motion))
        value = None if step.by is None else part.expression(step.by, label.at("by"), TIME)
        constant = value.evaluate() if value is not None and value.is_constant else None
        steps.append(FlatStep(step.motion, (float(direction[0]), float(direction[1]), float(direction[2])), constant))
        if constant is None:
            driven.append(value)
    coordinates = joint.coordinates
    if joint.kind == "general":
        # a step by an expression of parameters is a constant after all
        coordinates = tuple("angle" if s.motion == "rotate" else "displacement" for s in steps if s.value is None)
    return FlatJoint(
        name=name,
        kind=joint.kind,
        a=a,
        b=b,
        axis=axis,
        axis_a=axis_a,
        first=first,
        pitch=scope.number(joint.pitch, where.key("pitch")),
        length=length,
        steps=tuple(steps),
        driven=tuple(driven),
        coordinates=coordinates,
        subsystem=part.subsystem,
        cut=joint.cut,
        start=_start(scope, joint.start, len(coordinates), where.key("start")),
        start_rate=_start(scope, joint.start_rate, len(coordinates), where.key("start_rate")),
        tables={
            table: part.tables[table.removeprefix(part.path)]
            for law in driven
            if law is not None
            for table in law.tables
        },
    )


def _start(scope: Scope, raw: tuple[Scalar | None, ...], count: int, where: Where) -> tuple[float | None, ...]:
    """Return one start value per coordinate, None where there is none."""
    if len(raw) > count:
        raise where.error(f"found {len(raw)} values, the joint has {count} coordinates")
    values = [None if value is None else scope.number(value, where) for value in raw]
    return (*values, *[None] * (count - len(values)))


def flat_relation(part: Part, relation: Relation, coordinates: Mapping[str, tuple[str, ...]]) -> FlatRelation:
    """Return a relation with its joints found and its factors worked out."""
    where = Where.of("joint", part.path + relation.name, relation.kind)
    terms = []
    for k, (joint, coordinate, factor) in enumerate(relation.terms):
        term = where.at(f"terms.{k}")
        name = known_joint(part, joint, coordinates, term.at("joint"))
        require_coordinate(coordinates[name], coordinate, name, term.at("coordinate"))
        terms.append((name, coordinate, part.scope.number(factor, term.key("factor"))))
    value = part.expression(relation.value, where.at("value"), TIME)
    return FlatRelation(part.path + relation.name, tuple(terms), value)
