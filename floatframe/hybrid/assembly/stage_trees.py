"""Stages with a tree of their own.

All stages of a system share its coordinates, for which joints that come and go are cut. While a stage lasts, those of
them that hold may carry the tree all the same: a part fixed to its carrier then has neither coordinates nor constraint
rows. `own_tree` returns the system of such a stage; states are taken from one to the other by a `Translation`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

import numpy as np

from floatframe.hybrid.assembly.compiled_system import CompiledSystem
from floatframe.hybrid.assembly.consistent import OPEN, mechanism_size
from floatframe.hybrid.assembly.state import State
from floatframe.hybrid.assembly.switching import found_rows, holding, independent_tables
from floatframe.hybrid.assembly.translation import Translation, motions
from floatframe.hybrid.compile import FoundRow, Pose, compiled, may_carry
from floatframe.hybrid.description import frame_along
from floatframe.hybrid.flat import FlatJoint, FlatModel, FlatPlace

AS_FOUND = frozenset({"fixed", "spherical"})  # joints without coordinates: places moved to where they are say it all

Kind = TypeVar("Kind", bound=CompiledSystem)


def own_tree(system: Kind, state: State) -> tuple[Kind, State, Translation | None]:
    """The system of a stage on a tree of its own, the state there, and the way back to the shared coordinates.

    Without joints that could carry the tree they are system and state themselves, and nothing is to be translated.
    """
    uncut = {number: joint for number, joint in enumerate(system.model.joints) if _may_carry(system, joint)}
    if not uncut:
        return system, state, None
    moved = {number: _as_found(system, number, joint) for number, joint in uncut.items()}
    index, tables = compiled(_with_joints(system.model, moved), poses=system.index.poses)
    there = Translation.between(system.index, system.tables, index, tables)
    back = Translation.between(index, tables, system.index, system.tables)
    if there is None or back is None:
        return system, state, None
    start = there.state(state)
    # forces and torques are recorded about the places that the user gave
    index = replace(index, model=_with_joints(system.model, uncut))
    names = {system.index.rows.names[k] for k in system.index.rows.found}
    held: dict[int, FoundRow] = {}
    for name in names - {joint.name for joint in uncut.values()}:
        held |= found_rows(index, tables, name, start)
    index, tables = holding(index, tables, held)
    tables, numbers, redundant = independent_tables(index, tables, start)
    own = replace(system, index=index, tables=tables, row_numbers=numbers, redundant=redundant, start=start)
    return (own, start, back) if _same_motion(system, state, own) else (system, state, None)


def _may_carry(system: CompiledSystem, joint: FlatJoint) -> bool:
    """Whether a joint that comes and goes holds now, with places that a tree joint could have."""
    model, index = system.model, system.index
    if joint.name not in model.switched or joint.name in model.idle or not may_carry(model, replace(joint, cut=False)):
        return False
    return joint.kind in AS_FOUND or joint.name not in {index.rows.names[k] for k in index.rows.found}


def _with_joints(model: FlatModel, joints: dict[int, FlatJoint]) -> FlatModel:
    """The model with other joints of these numbers, uncut."""
    kept = (joints.get(number, joint) for number, joint in enumerate(model.joints))
    carrying = {joint.name for joint in joints.values()}
    return replace(model, joints=tuple(replace(joint, cut=joint.cut and joint.name not in carrying) for joint in kept))


def _as_found(system: CompiledSystem, number: int, joint: FlatJoint) -> FlatJoint:
    """The joint with its places where they were when it was locked."""
    index, cut = system.index, system.index.cut_joints[number]
    along = frame_along(joint.axis, joint.where, joint.first)
    frames = {"a": cut.frames.a, "b": cut.frames.b}
    found = [index.rows.found[k] for k in range(cut.first_row, cut.last_row) if k in index.rows.found]
    marked = next((row for row in found if row.marker is not None), None)
    if marked is None or marked.marker is None:
        return joint
    carrier = index.tree.carriers[joint.a.body if marked.side == "a" else joint.b.body].pose
    marker = marked.marker[0]
    frames[marked.side] = Pose(carrier.R.T @ (marker["position"] - carrier.p), carrier.R.T @ marker["rotation"])

    def place(old: FlatPlace, frame: Pose) -> FlatPlace:
        return replace(old, point=frame.p, rotation=frame.R @ along.T, home=None)

    return replace(joint, a=place(joint.a, frames["a"]), b=place(joint.b, frames["b"]))


def _same_motion(system: CompiledSystem, state: State, own: CompiledSystem) -> bool:
    """Whether all bodies are and move in both systems as one state says; a start off its joints they do not share."""
    size = mechanism_size(system.index, system.tables)
    one, other = (motions(of.index, of.tables, at) for of, at in ((system, state), (own, own.start)))
    for name, scale in (("p", size), ("R", 1.0), ("v", None), ("w", None)):
        most = max(float(np.abs(one[name]).max(initial=0.0)), 1e-300) if scale is None else scale
        if np.abs(one[name] - other[name]).max(initial=0.0) > OPEN * most:
            return False
    return True
