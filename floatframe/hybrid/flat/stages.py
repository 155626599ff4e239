"""Stages in their flat form: which joints and forces each leaves out, and the model with its parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from floatframe.errors import ModelError, Where
from floatframe.hybrid.description import Stage
from floatframe.hybrid.flat.model import FlatModel, FlatStage
from floatframe.hybrid.flat.parts import TIME, Part
from floatframe.wording import did_you_mean


def with_stages(
    flat: FlatModel, part: Part, stages: Sequence[Stage], again: Callable[[Mapping[str, float]], FlatModel]
) -> FlatModel:
    """Return the flat model with its stages; `again` flattens the model with other values of its parameters."""
    holders = [joint.name for joint in flat.joints]
    holders += [relation.name for relation in flat.relations]
    holders += [constraint.name for constraint in flat.constraints]
    _require_known(stages, ("release", "lock"), holders, "joint, motion or relation")
    _require_known(stages, ("off", "on"), [force.name for force in flat.forces], "force")
    switched = frozenset(name for stage in stages for name in (*stage.release, *stage.lock))
    for joint in flat.joints:
        if joint.name in switched and joint.kind == "general":
            where = Where.of("joint", joint.name)
            raise where.error("a general joint cannot be released or locked; use one of the named joints")
    idle = frozenset(_first_set(stages, "lock", "release"))
    off = frozenset(_first_set(stages, "on", "off"))
    at_start = idle
    first = replace(_cut(flat, switched), idle=idle, idle_at_start=idle, off=off)
    found: list[FlatStage] = []
    values: dict[str, float] = {}
    model = first
    for stage in stages:
        if stage.set:
            values |= {
                name: part.scope.number(value, stage.where.key("set").key(name)) for name, value in stage.set.items()
            }
            try:
                model = _cut(again(values), switched)
            except ModelError as error:
                raise stage.where.at("set").error(str(error)) from None
        idle = (idle | set(stage.release)) - set(stage.lock)
        off = (off | set(stage.off)) - set(stage.on)
        model = replace(model, idle=idle, idle_at_start=at_start, off=off)
        when = part.expression(stage.when, stage.where.key("when"), TIME, sensors=True)
        found.append(FlatStage(stage.name, when, tuple(stage.lock), model))
    # every stage knows what the others measure, so that all have the same places and memory; all have the same channels
    whens, jolted = tuple(stage.when for stage in found), any(stage.lock or stage.set for stage in stages)
    later = tuple(replace(stage, model=replace(stage.model, whens=whens, jolted=jolted)) for stage in found)
    return replace(first, stages=later, whens=whens, jolted=jolted)


def _cut(flat: FlatModel, names: frozenset[str]) -> FlatModel:
    """Joints that come and go are constraints, so that all stages share the same coordinates."""
    joints = tuple(replace(one, cut=True) if one.name in names else one for one in flat.joints)
    return replace(flat, joints=joints, switched=names & {one.name for one in flat.joints if not one.cut})


def _require_known(stages: Sequence[Stage], keys: Iterable[str], known: Sequence[str], what: str) -> None:
    for stage in stages:
        for key in keys:
            for number, name in enumerate(getattr(stage, key)):
                if name not in known:
                    words = f"{what} '{name}' does not exist{did_you_mean(name, known)}"
                    raise stage.where.key(key).at(number).error(words, missing=name)


def _first_set(stages: Sequence[Stage], starts: str, ends: str) -> set[str]:
    """Return the names that are first mentioned as taking part; refuse two changes of the same kind in a row."""
    last: dict[str, tuple[str, Stage]] = {}
    later = set()
    for stage in stages:
        for key in (starts, ends):
            for number, name in enumerate(getattr(stage, key)):
                where = stage.where.at(key).at(number)
                if name in last and last[name][0] == key:
                    raise (
                        stage.where.key(key)
                        .at(number)
                        .error(f"'{name}' is in {key} of {last[name][1]} already; take it out of one of them")
                    )
                if name in last and last[name][1] is stage:
                    raise where.error(f"'{name}' is both in {starts} and in {ends}; take it out of one of them")
                if name not in last and key == starts:
                    later.add(name)
                last[name] = (key, stage)
    return later
