"""Why an integration ended early, in sentences that name the place and the cure."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError, Where
from floatframe.hybrid.assembly.compiled_system import CompiledSystem, accelerations_in
from floatframe.hybrid.assembly.consistent import distance_gap, mechanism_size
from floatframe.hybrid.assembly.coordinate_names import coordinate_names
from floatframe.hybrid.assembly.endless_motions import ENDLESS_CURE, endless_motion
from floatframe.hybrid.assembly.extents import extents
from floatframe.hybrid.assembly.redundancy import all_rows
from floatframe.hybrid.assembly.start_speeds import null_space
from floatframe.hybrid.assembly.state import Evaluation, State
from floatframe.hybrid.flat import FlatForce
from floatframe.hybrid.kernels import (
    APPLIED,
    FAILED,
    NOT_A_NUMBER,
    NOT_CLOSED,
    OPENED,
    SINGULAR,
    TOO_SMALL,
    VELOCITY,
    Data,
    raise_failures,
)
from floatframe.io import Status
from floatframe.railway import BELOW_THE_RAIL, FIELDS, OFF_THE_RAIL, OFF_THE_TRACK

SINGULAR_START = 1e-7  # smallest singular value of unit constraint rows at a singular start
SINGULAR_SHARE = 0.2  # of the start's smallest singular value of the constraint rows: close to a singular position
NEAR_SHARE = 0.05  # the same share of the poses about a state
NEAR, NEARBY = 0.3, 7  # how far these poses are (rad, sizes of the mechanism), and how many are tried
GROWN = 1e9  # times its size: a state variable that has grown beyond all bounds
NO_INERTIA = 1e-13  # share of the largest inertia: rounding
LEAVING = 0.025  # m: less of a wheel's profile than this over the middle of the rail, and it climbs or falls off
OVERFLOWING = 1e100  # N, N m: squares of what such a force moves are beyond all numbers
_CURES = {
    FAILED: "Give a smaller step, or rtol for controlled steps; look for a jump in a force there.",
    TOO_SMALL: "Raise rtol or lower step_min; look for a jump in a force there.",
    SINGULAR: "Give every moving body mass and inertia.",
    NOT_CLOSED: "Give a smaller step, or rtol for controlled steps.",
    OPENED: "Give a smaller step or rtol, or use a joint with fewer constraints in place of the redundant one.",
    NOT_A_NUMBER: "Check its expression, table or parameters there.",
}
_OVERFLOW_CURE = "Check its expression and units; forces of machines stay far below 1e+12 N."


_WHAT = {
    FAILED: "Newton's method does not converge, worst",
    TOO_SMALL: "the step has become too small, worst",
    NOT_CLOSED: "the joints can no longer be closed, worst",
    NOT_A_NUMBER: "the motion grows beyond all bounds, first",
}
_SINGULAR_CURE = (
    "No step is small enough there: start elsewhere, end before it, drive another joint, leave out a redundant joint, "
    "or add compliance: a spring, damper or flexible body in place of a rigid part."
)


def failure_status(system: CompiledSystem, integrator: Any, outcome: int) -> Status:
    """The status of a failed run; a user's function that raised an exception is named instead."""
    raise_failures(system.tables)
    t = integrator.where()[0]
    if state := _rate_without_value(system, integrator):
        return Status("failed", f"the rate of {state} evaluates to NaN.", t, _CURES[NOT_A_NUMBER])
    culprit = not_a_number(system, integrator.data)
    if culprit:
        return Status("failed", *_why_no_number(system, culprit, integrator.data, t))
    if endless := endless_motion(system.model, _times(integrator)):
        return Status("failed", f"{endless.reason}.", t, ENDLESS_CURE)
    if left := leaving_the_rail(system, integrator.data):
        return Status("failed", *_why_no_number(system, left, integrator.data, t))
    if overflow := overflowing(system, integrator.data):
        return Status("failed", f"{overflow.reason}.", t, _OVERFLOW_CURE)
    names = coordinate_names(system)
    residual = integrator.work.residual
    worst = names[int(np.argmax(np.where(np.isfinite(residual), np.abs(residual), np.inf)))] if names else "the system"
    worst = _grown_state(system, integrator.state()) or worst
    if outcome == SINGULAR:
        reason, cure = not_unique(system, integrator.state())
        message = f"the motion is not unique: {reason}."
        if singular := singular_start(system):
            message += f" {singular}"
    elif outcome == OPENED:
        message, cure = (
            f"{widest_gap(system, integrator)}, which followed from the others at the start.",
            _CURES[OPENED],
        )
    else:
        message, cure = f"{_WHAT[outcome]} in {worst}.", _CURES[FAILED if outcome == NOT_A_NUMBER else outcome]
        if joints := singular_joints(system, integrator.state()):
            message += f" The mechanism is singular near there (dead centre): {joints} constrain one motion twice."
            cure = _SINGULAR_CURE
        if singular := singular_start(system):
            message, cure = f"{message} {singular}", _SINGULAR_CURE
    return Status("failed", message, t, cure)


class Begun(NamedTuple):
    """What is known at the start of a run: accelerations (nv,), multipliers (nlambda,), and all that gave them."""

    x: Array
    lam: Array
    now: Evaluation


def require_start(system: CompiledSystem, state: State, now: Evaluation | None = None) -> Begun:
    """Refuse a start without forces or accelerations that are numbers; returns what was found there.

    now: a workspace of the system with the memory of the state (default: one of its own).
    """
    now = system.moving(state, now)
    if (wrong := rate_without_value(now.rates)) is not None:
        where = system.model.states[wrong].where
        raise where.at("rate").error(f"its rate evaluates to NaN at the start. {_CURES[NOT_A_NUMBER]}")
    if not _moderate(now.data):
        _require_forces(system, state, now.data)
    if endless := endless_motion(system.model, (state.t,)):
        raise endless.error("simulate: ")
    try:
        found = accelerations_in(now)
        if _turns_without_inertia(system, state):
            raise np.linalg.LinAlgError
    except np.linalg.LinAlgError:
        reason, cure = not_unique(system, state)
        raise ModelError(f"simulate: the motion is not unique at the start: {reason}. {cure}") from None
    return Begun(*found, now)


def _moderate(data: Data) -> bool:
    """Whether all forces are numbers of a usual size, at one look at each."""
    forces = data.forces
    return all(np.abs(forces[name]).max(initial=0.0) <= OVERFLOWING for name in ("value", "force", "torque"))


def _require_forces(system: CompiledSystem, state: State, data: Data) -> None:
    """Refuse forces that are not numbers, or so large that motions overflow."""
    if culprit := not_a_number(system, data):
        message, _, cure = _why_no_number(system, culprit, data, state.t, " at the start")
        text = f"simulate: {message} {cure}"
        raise ModelError(text, subject=culprit.where.subject)
    if overflow := overflowing(system, data):
        text = f"simulate: at the start {overflow.reason}. {_OVERFLOW_CURE}"
        raise ModelError(text, subject=overflow.force.where.subject)


def _grown_state(system: CompiledSystem, state: State) -> str:
    """The state variable that is farthest beyond what is large for it, "" if none is far beyond."""
    states = system.tables.states
    values = np.abs(state.memory[states["memory"]])
    share = np.where(np.isfinite(values), values / states["size"], np.inf)
    if not np.any(share > GROWN):
        return ""
    worst = int(np.argmax(share))
    return f"{system.model.states[worst].where} ({values[worst]:.2g})"


def _turns_without_inertia(system: CompiledSystem, state: State) -> bool:
    """Whether the joints leave a body without inertia a motion that nothing resists."""
    points = [k for k, body in enumerate(system.model.bodies) if body.reduced is None and not np.any(body.inertia)]
    if not set(points) - set(system.index.tree.particles) or not system.nlambda:
        return False  # without constraints the mass matrix itself is singular
    free = null_space(system.constraint_jacobian(state))
    inertia = np.linalg.eigvalsh(free.T @ system.mass_matrix(state) @ free)
    return bool(len(inertia) and inertia[0] <= NO_INERTIA * inertia[-1])


def rate_without_value(rates: Array) -> int | None:
    """The number of the first state variable whose rate (nz,) is not a number, if there is one."""
    if not len(rates):
        return None
    wrong = np.flatnonzero(~np.isfinite(rates))
    return int(wrong[0]) if len(wrong) else None


def _rate_without_value(system: CompiledSystem, integrator: Any) -> Where | None:
    """The state variable whose rate is not a number although the motion that it was asked for is one."""
    places = system.tables.states["memory"]
    tried = integrator.work.q, integrator.work.v, integrator.data.memory[places]
    state = integrator.state()
    found = rate_without_value(integrator.data.slots[system.tables.states["rate"]])
    if found is None or not all(np.isfinite(one).all() for one in tried):
        # a wild iterate says nothing of it: look at the last state that was accepted, at the end of the step
        now = system.evaluation(state)
        now.quietly(_times(integrator)[1], state.q, VELOCITY | APPLIED, state.v)
        found = rate_without_value(now.rates)
    return None if found is None else system.model.states[found].where


def not_a_number(system: CompiledSystem, data: Data) -> FlatForce | None:
    """The force element whose force evaluates to NaN, if any."""
    if all(np.isfinite(data.forces[name]).all() for name in ("value", "force", "torque")):
        return None
    for force, here in zip(system.model.forces, data.forces, strict=True):
        if not (np.isfinite(here["value"]) and np.isfinite(here["force"]).all() and np.isfinite(here["torque"]).all()):
            return force
    return None


def _why_no_number(
    system: CompiledSystem, force: FlatForce, data: Data, t: float, when: str = ""
) -> tuple[str, float, str]:
    """Why a force is not a number, in a sentence; the time; and the cure."""
    if force.kind != "wheel_on_track":
        return f"{force} evaluates to NaN{when}.", t, _CURES[NOT_A_NUMBER]
    first = int(system.tables.forces[system.model.forces.index(force)]["work"])
    trouble, s, y, margin = (
        float(data.pool[first + FIELDS[name]]) for name in ("trouble", "distance", "lateral", "margin")
    )
    if trouble == OFF_THE_TRACK and system.model.track is not None:
        ends = system.model.track.layout
        return (
            f"{force} is {s:.6g} m along the track{when}, which reaches from {ends.start:g} to {ends.end:g} m.",
            t,
            "Make the track longer, the run shorter, or start further on.",
        )
    if trouble == BELOW_THE_RAIL:
        return (
            f"{force} has fallen below the rail{when}, its axle is lower than the rail's top at {s:.6g} m.",
            t,
            "Check its place, radius and profiles: do they touch at the start?",
        )
    if trouble == OFF_THE_RAIL or margin < LEAVING:
        return (
            f"{force} has left the rail{when}, {1e3 * abs(y):.3g} mm beside the middle of the track at {s:.6g} m.",
            t,
            "Check its place, gauge and profiles, or run slower.",
        )
    return f"{force} evaluates to NaN{when}.", t, _CURES[NOT_A_NUMBER]


def leaving_the_rail(system: CompiledSystem, data: Data) -> FlatForce | None:
    """The wheel on the track of which hardly anything is above its rail any more, if there is one."""
    for number, force in enumerate(system.model.forces):
        first = int(system.tables.forces[number]["work"])
        if force.kind == "wheel_on_track" and data.pool[first + FIELDS["margin"]] < LEAVING:
            return force
    return None


class Overflow(NamedTuple):
    """A force element and what it gives, in words."""

    force: FlatForce
    reason: str


def overflowing(system: CompiledSystem, data: Data) -> Overflow | None:
    """The force element whose force is so large that motions overflow, if there is one."""
    if all(np.abs(data.forces[name]).max(initial=0.0) <= OVERFLOWING for name in ("force", "torque")):
        return None
    for force, here in zip(system.model.forces, data.forces, strict=True):
        sizes = {"N": np.abs(here["force"]).max(), "N m": np.abs(here["torque"]).max()}
        unit = max(sizes, key=lambda unit: float(sizes[unit]))
        if sizes[unit] > OVERFLOWING:
            reason = f"{force} gives {sizes[unit]:.3g} {unit}, with which motions grow beyond all bounds"
            return Overflow(force, reason)
    return None


def _times(integrator: Any) -> tuple[float, ...]:
    """Where a run came to, and where the step that failed would have ended."""
    t, last, _ = integrator.where()
    return t, t + (integrator.fixed_step or last)


def not_unique(system: CompiledSystem, state: State) -> tuple[str, str]:
    """What leaves the motion open at a state, a free motion without inertia or joints that depend; and the cure."""
    M, G = system.mass_matrix(state), system.constraint_jacobian(state)
    free = null_space(G) if len(G) else np.eye(system.nv)
    inertia, motions = np.linalg.eigh(free.T @ M @ free)
    if len(inertia) and inertia[0] <= NO_INERTIA * np.diag(M).max():
        bare = int(np.argmax(np.abs(free @ motions[:, 0])))
        return f"{coordinate_names(system)[bare]} has no inertia", _CURES[SINGULAR]
    if not len(G):
        return "inertia leaves a motion open", _CURES[SINGULAR]
    joints = nearly_dependent(system, G)[1]
    return f"the mechanism is singular there (dead centre), {joints} constrain one motion twice", _SINGULAR_CURE


def nearly_dependent(system: CompiledSystem, G: Array, scale: Array | None = None) -> tuple[float, str]:
    """The smallest singular value of the constraint rows over a scale (m,), and the joints that have part in it.

    Without a scale each row counts as of length one.
    """
    own = np.linalg.norm(G, axis=1) if scale is None else scale
    U, values, _ = np.linalg.svd(G / np.maximum(own, 1e-300)[:, None])
    share = np.abs(U[:, -1])  # of each row in the combination nearest to zero
    joints = dict.fromkeys(f"'{system.row_names[k]}'" for k in np.flatnonzero(share > 0.1 * share.max()))
    return float(values[-1]) if G.shape[0] <= G.shape[1] else 0.0, f"joints {', '.join(joints)}"


def singular_joints(system: CompiledSystem, state: State) -> str:
    """The joints that depend on each other close to a state, more than at poses about it or at the start."""
    if system.nlambda == 0:
        return ""
    here = system.constraint_jacobian(state)
    if not np.isfinite(here).all():  # where motions grow beyond all bounds
        return ""
    far = extents(system, mechanism_size(system.index, system.tables))
    rng = np.random.default_rng(1)
    poses = [system.move(state, NEAR * far * rng.normal(size=system.nv)) for _ in range(NEARBY)]
    about = [system.constraint_jacobian(pose) * far for pose in poses]
    # rows may vanish at the state itself
    scale = np.median([np.linalg.norm(G, axis=1) for G in about], axis=0)
    typical = np.median([nearly_dependent(system, G, scale)[0] for G in about])
    start, _ = nearly_dependent(system, system.constraint_jacobian(system.start) * far, scale)
    value, joints = nearly_dependent(system, here * far, scale)
    return joints if value < max(SINGULAR_SHARE * start, NEAR_SHARE * float(typical), NO_INERTIA) else ""


def singular_start(system: CompiledSystem) -> str:
    """A sentence if the start is a singular position, where joints that differ elsewhere constrain one motion twice."""
    if system.nlambda == 0:
        return ""
    value, joints = nearly_dependent(system, system.constraint_jacobian(system.start))
    if value > SINGULAR_START:
        return ""
    return f"The start is a singular position (dead centre): {joints} constrain one motion twice there; start "
    "away from it."


def widest_gap(system: CompiledSystem, integrator: Any) -> str:
    """The joint that a step would open most, and how far."""
    state = integrator.state()
    now = all_rows(system, state)(state.t, integrator.work.q, 0)
    values = now.data.rows["value"]
    gaps = np.array([distance_gap(row, value) for row, value in zip(now.tables.rows, values, strict=True)])
    widest = int(np.argmax(gaps))
    name = system.index.rows.names[system.index.rows.holding[widest]]
    return f"joint '{name}' would open by {gaps[widest]:.3g} m or rad"
