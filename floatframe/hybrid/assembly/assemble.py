"""From a flat model to a compiled system: records for the kernels, then bodies assembled at the start."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import TypeVar

import numpy as np

from floatframe.hybrid.assembly.compiled_system import CompiledSystem
from floatframe.hybrid.assembly.consistent import initial_state
from floatframe.hybrid.assembly.holding import body_poses, with_damping_as_held
from floatframe.hybrid.assembly.redundancy import kept_rows
from floatframe.hybrid.assembly.start_checks import doubtful_start
from floatframe.hybrid.assembly.switching import independent_tables
from floatframe.hybrid.compile import SystemIndex, compiled, with_damping, with_other_masses
from floatframe.hybrid.description import Description
from floatframe.hybrid.flat import FlatModel
from floatframe.hybrid.kernels import Tables

Kind = TypeVar("Kind", bound=CompiledSystem)


def assemble(
    model: FlatModel,
    kind: type[Kind],
    description: Description | None = None,
    like: CompiledSystem | None = None,
) -> Kind:
    """Compile a model, assemble its bodies, leave out the constraint rows that follow from others.

    kind: the class of the system; description: what the model was flattened from; like: the system of the model at
    other parameters, from which all is taken over that stays the same.
    """
    other = None if like is None else with_other_masses(like.index, like.tables, model)
    if like is not None and other is not None and starts_like(like, *other):
        _warn(like.start_doubts)
        return kind(*other, like.row_numbers, like.redundant, like.start, description, like.start_doubts)
    index, tables = compiled(model, None if like is None else like.index.skeleton)
    if like is not None and starts_like(like, index, tables):
        if any(body.held_ratios is not None for body in model.bodies):
            index, tables = with_damping(index, tables, replace(model, bodies=like.model.bodies))
        tables, redundant = kept_rows(index, tables, like.row_numbers)
        _warn(like.start_doubts)
        return kind(index, tables, like.row_numbers, redundant, like.start, description, like.start_doubts)
    holding = index.rows.holding
    everything, _ = kept_rows(index, tables, holding)
    start = initial_state(index, everything, row_names=[index.rows.names[k] for k in holding])
    doubts = doubtful_start(index, everything, start)
    _warn(doubts)
    if any(body.held_ratios is not None for body in model.bodies):
        # ratios of modes as joints hold them in the start pose, which is known by now
        damped = with_damping_as_held(model, body_poses(index, everything, start))
        index, tables = with_damping(index, tables, damped)
    tables, numbers, redundant = independent_tables(index, tables, start)
    return kind(index, tables, numbers, redundant, start, description, doubts)


def _warn(doubts: tuple[str, ...]) -> None:
    for sentence in doubts:
        warnings.warn(sentence, stacklevel=6)


def starts_like(like: CompiledSystem, index: SystemIndex, tables: Tables) -> bool:
    """Whether a system assembles as another one: nothing is new but forces, which act where they did, and masses.

    Friction that holds from where it stands remembers the start, so the start is computed again.
    """
    return (
        (index.skeleton is like.index.skeleton or _starts_at_any_mass(like, index))
        and not index.model.stages
        and not np.any(tables.forces["memory"] >= 0)
        and tables.markers.tobytes() == like.tables.markers.tobytes()
        and tables.coordinates.tobytes() == like.tables.coordinates.tobytes()
        and index.room.memory.tobytes() == like.index.room.memory.tobytes()
    )


def _starts_at_any_mass(like: CompiledSystem, index: SystemIndex) -> bool:
    """Whether a system is another one with other masses that do not matter for the start.

    Where joints are open, or speeds and coordinates of cut joints are asked for, masses decide what gives way; where
    rows are redundant, or damping is that of modes as held, they decide too.
    """
    model, mine, theirs = index.model, index.skeleton, like.index.skeleton
    return (
        mine is not None
        and theirs is not None
        and mine.bones is theirs.bones
        and not like.redundant
        and not like.start.v.any()
        and like.start.q.tobytes() == index.tree.q.tobytes()
        and all(body.velocity is None and body.angular_velocity is None for body in model.bodies)
        and all(body.held_ratios is None for body in model.bodies)
        and all(rate is None for joint in model.joints for rate in joint.start_rate)
        and all(start is None for number in index.cut_joints for start in model.joints[number].start)
    )
