"""Derivatives of the equations of motion at a state: mass, damping and stiffness matrices in velocity coordinates.

The residual r = M a + k - f - G^T lam is differentiated by tangent coordinates x (as `move` takes them) and by
speeds. Elastic forces and damping of the modes are linear and taken from the bodies' matrices. Force elements are
differentiated one by one at the scale of their own laws (`element_slopes`) and kept as stiffnesses between their
places, so that a stiff element takes no digits from a soft one. The rest, inertia and the turning of constant forces,
is smooth and comes from central differences, extrapolated to fourth order, at the step where rounding and truncation
balance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from floatframe.arrays import Array, BoolArray, skew
from floatframe.hybrid.assembly import CompiledSystem, State, mechanism_size
from floatframe.hybrid.compile import flexible_part
from floatframe.hybrid.description import kind_in_words, quaternion_to_matrix
from floatframe.hybrid.kernels import BUSHING, FREE, OFF, POINT_LOAD, PRISMATIC, SPEEDS, SPHERICAL, USER_FORCE, Tables
from floatframe.hybrid.studies.element_forces import ElementForces, evaluation
from floatframe.hybrid.studies.element_slopes import LONGEST_STEP, Slopes, element_slopes

STEP_RATIO = 4.0
FRICTION = ("friction", "joint_friction")
BESIDE = 1e-6  # in natural units: a place beside a corner
LOCAL = 1e-6  # what the motion of its own places leaves of the slopes of an element, if it depends on nothing else


@dataclass(frozen=True)
class Tangent:
    """M δa + C δv + K x = G^T δlam near a state; x, δv, δa (nv,) are changes of coordinates, speeds, accelerations.

    On a moving system the joints ask for G δv + gap_rate x = 0 and G δa + gap_x x + gap_v δv = 0; at rest these
    three matrices are zero.

    Attitudes, and positions of floating bodies that joints hold, are measured in the axes of the body, so that what
    turns steadily as a whole has constant matrices: x' = δv - turning_x x, δv' = δa - turning_v δv.

    K = rest + sum over the force elements of J^T stiffness J, with J the motion of their places.
    """

    M: Array  # (nv, nv)
    C: Array  # (nv, nv)
    rest: Array  # (nv, nv) K without the force elements: modes, inertia, gravity, turning of forces
    J: Array  # (ne, 6, nv) motion of place a relative to b, axes of b; in a joint its rate in the first row
    stiffness: Array  # (ne, 6, 6) of the force elements
    forces: Array  # (ne, 6) of the elements at the state
    G: Array  # (nrow, nv)
    error: Array  # (nv, nv): of the rest, estimated
    gap_rate: Array  # (nrow, nv)
    gap_x: Array  # (nrow, nv)
    gap_v: Array  # (nrow, nv)
    turning_x: Array  # (nv, nv)
    turning_v: Array  # (nv, nv)
    # elements with a corner or jump of their laws at the state, and the tangent of the other side; this one is that of
    # growing elongations, penetrations and rates
    corners: tuple[str, ...] = ()
    down: Tangent | None = None

    @property
    def K(self) -> Array:  # noqa: N802  (named as in the theory)
        """Stiffness (nv, nv), with the part of the modes."""
        return self.rest + assembled(self.J, self.stiffness)

    @property
    def sides(self) -> tuple[Tangent, ...]:
        """This tangent, and that of the other side at a corner."""
        return (self,) if self.down is None else (self, self.down)


def assembled(J: Array, laws: Array) -> Array:
    """Sum over elements of J^T law J (n, n), for J (ne, 6, n) and laws (ne, 6, 6)."""
    return _generalised(J, laws @ J)


def without_friction(system: CompiledSystem) -> Tables:
    """The tables of a system with its dry friction off: it carries no load at rest and has no slope there."""
    forces = system.tables.forces.copy()
    rubbing = [force.kind in FRICTION for force in system.model.forces]
    forces["kind"][rubbing], forces["memory"][rubbing] = OFF, -1
    return system.tables._replace(forces=forces)


def turning_coordinates(system: CompiledSystem) -> BoolArray:
    """Which velocity coordinates (nv,) are angles; the others are lengths or modal coordinates."""
    turns = np.zeros(system.nv, dtype=bool)
    for link in system.tables.links[1:]:
        lengths = {PRISMATIC: 1, FREE: 3}.get(int(link["kind"]), 0)
        turns[link["iv"] + lengths : link["iv"] + link["nv"]] = True
    return turns


def natural_units(system: CompiledSystem) -> Array:
    """What counts as a large change of each velocity coordinate (nv,): 1 rad, or the size of the mechanism [m]."""
    size = mechanism_size(system.index, system.tables)
    units = np.where(turning_coordinates(system), 1.0, size)
    for span, body in _modes(system):
        shapes = np.abs(np.asarray(flexible_part(system.model.bodies[body]).shapes))
        reach = shapes.reshape(-1, 6, shapes.shape[1])
        units[span] = 1.0 / np.maximum(reach[:, :3].max(axis=(0, 1)) / size, reach[:, 3:].max(axis=(0, 1)))
    return units


def elastic_matrices(system: CompiledSystem) -> tuple[Array, Array]:
    """Stiffness and damping (nv, nv) of the modes of all flexible bodies."""
    K, C = np.zeros((system.nv, system.nv)), np.zeros((system.nv, system.nv))
    for span, body in _modes(system):
        description = system.model.bodies[body]
        K[span, span] = flexible_part(description).stiffness
        damping = np.asarray(description.damping)
        C[span, span] = np.diag(damping) if damping.ndim == 1 else damping
    return K, C


def _modes(system: CompiledSystem) -> list[tuple[slice, int]]:
    """Velocity coordinates of the modes of every flexible body, with the body's number."""
    records = system.tables.flexible
    return [
        (slice(int(records[k]["iv"]), int(records[k]["iv"] + records[k]["n"])), body)
        for body, k in system.index.flexible_of.items()
    ]


def tangent(
    system: CompiledSystem,
    state: State,
    acceleration: Array | None = None,
    reactions: Array | None = None,
    tables: Tables | None = None,
    units: Array | None = None,
    quick: bool = False,
    speeds: bool = True,
    axes: tuple[Array, Array] | None = None,
) -> Tangent:
    """The tangent at a state with accelerations (nv,), zero if not given, and multipliers (nlambda,).

    quick: as good as an iteration needs. speeds=False leaves C at that of the modes. axes: what `turning` gives, by
    default for the links that joints hold.
    """
    tables = system.tables if tables is None else tables
    units = natural_units(system) if units is None else units
    elements = ElementForces(system, tables, state)
    J, turn = elements.motions()
    rate_units = units * max(1.0, float(np.abs(state.v / units).max(initial=0.0)))
    smooth = _smooth_part(system, elements.held(), state, acceleration, reactions, (units, rate_units), quick, speeds)
    M, G, by_x, by_v, error = smooth
    nv, nrow = system.nv, len(G)
    forces, _ = elements.at(state.q, state.v)
    measured = ~np.isin(tables.forces["kind"], (BUSHING, POINT_LOAD, USER_FORCE))
    lever = mechanism_size(system.index, system.tables)

    def moved(step: Array) -> tuple[Array, Array]:
        found, measure = elements.at(elements.now.moved(state.q, step), state.v)
        return found, measure[:, 0]

    def rates_at(q: Array) -> Slopes:
        def faster(change: Array) -> tuple[Array, Array]:
            found, measure = elements.at(q, state.v + change)
            return found, measure[:, 1]

        return element_slopes(faster, rate_units, lever, measured, quick)

    slopes = element_slopes(moved, units, lever, measured, quick)
    rates = rates_at(state.q) if speeds else None
    if rates is not None:
        # a contact that just touches has its damper on the side of the contact
        for k in np.flatnonzero(slopes.corner & measured):
            for sign, target in ((1, rates.up), (-1, rates.down)):
                beside = elements.now.moved(state.q, sign * BESIDE * units * slopes.rising[k])
                target[k] = rates_at(beside).side(sign)[k]
    K, C = elastic_matrices(system)
    moving = len(by_x) > nv
    gaps = [np.zeros((nrow, nv))] * 3
    if moving:
        gaps = [by_x[nv : nv + nrow], by_x[nv + nrow :], by_v[nv + nrow :]]
    # a force given in the axes of b turns with b, which the constant forces in world axes do not
    turned = np.concatenate([np.cross(turn, forces[:, part, None], axis=1) for part in (slice(0, 3), slice(3, 6))], 1)
    base = by_x[:nv] + K - _generalised(J, turned)
    turning_x, turning_v = turning(tables, state) if axes is None else axes
    sides: list[Tangent] = []
    for sign in (1, -1):
        stiffness, other = _local(slopes.side(sign), J, units)
        damping = np.zeros((nv, nv)) if rates is None else -_generalised(J, rates.side(sign))
        far = other.any(axis=(1, 2))
        sides.append(
            Tangent(
                M=M,
                C=by_v[:nv] + C + damping,
                rest=base - _generalised(J, other),
                J=J,
                stiffness=-stiffness,
                forces=forces,
                G=G,
                error=error[:nv] + _generalised(np.abs(J[far]), slopes.error[far]),
                gap_rate=gaps[0],
                gap_x=gaps[1],
                gap_v=gaps[2],
                turning_x=turning_x,
                turning_v=turning_v,
            )
        )
    corners = _corners(system, slopes, rates)
    return replace(sides[0], corners=corners, down=sides[1] if corners else None)


def _smooth_part(
    system: CompiledSystem,
    tables: Tables,
    state: State,
    acceleration: Array | None,
    reactions: Array | None,
    units: tuple[Array, Array],
    quick: bool,
    speeds: bool,
) -> tuple[Array, Array, Array, Array, Array]:
    """M, G and derivatives of inertia and constant forces by coordinates and speeds, with the error of the first.

    On a moving system further rows are those of the rates and accelerations of the joints' gaps.
    """
    from floatframe.hybrid.kernels import APPLIED, CONVECTIVE, INERTIA, JACOBIAN, MASS, VELOCITY

    now = evaluation(system, tables, state)
    now(state.t, state.q, MASS | JACOBIAN)
    M, G = now.M.copy(), now.G.copy()
    a = np.zeros(system.nv) if acceleration is None else acceleration
    moving = bool(len(G) and (np.any(state.v) or np.any(a) or np.any(tables.rows["level"] == SPEEDS)))
    what = VELOCITY | INERTIA | APPLIED | ((CONVECTIVE | JACOBIAN) if moving else 0)

    def equations(q: Array, v: Array) -> Array:
        now(state.t, q, what, v, a, reactions)
        if not moving:
            return now.residual.copy()
        rows = now.data.rows
        return np.concatenate((now.residual, now.G @ v + rows["rate"], rows["convective"]))

    levels = 2 if quick else 5
    by_x, error = differentiate(
        lambda step: equations(now.moved(state.q, step), state.v), LONGEST_STEP * units[0], levels
    )
    by_v = np.zeros_like(by_x)
    if speeds:
        by_v, _ = differentiate(lambda step: equations(state.q, state.v + step), LONGEST_STEP * units[1], levels)
    return M, G, by_x, by_v, error


def _generalised(J: Array, forces: Array) -> Array:
    """Generalised forces (nv, n) of element forces (ne, 6, n)."""
    rows = 6 * len(J)
    return np.asarray(J.reshape(rows, J.shape[-1]).T @ forces.reshape(rows, forces.shape[-1]))


def _local(slopes: Array, J: Array, units: Array) -> tuple[Array, Array]:
    """Slopes (ne, 6, nv) as a law of the element's own places (ne, 6, 6), and what depends on other motions."""
    laws, other = np.zeros((len(J), 6, 6)), np.array(slopes)
    for k, (slope, motion) in enumerate(zip(slopes * units, J * units, strict=True)):
        if not slope.any():
            continue
        laws[k] = np.linalg.lstsq(motion.T, slope.T, rcond=1e-10)[0].T
        left = slope - laws[k] @ motion
        size = np.abs(slope).max(axis=1, keepdims=True)
        if (np.abs(left) <= LOCAL * np.maximum(size, 1e-3 * size.max())).all():
            other[k] = 0.0
        else:
            other[k] = left / units
    return laws, other


def _corners(system: CompiledSystem, slopes: Slopes, rates: Slopes | None) -> tuple[str, ...]:
    """The elements with a corner or jump of their law at the state."""
    corner = slopes.corner if rates is None else slopes.corner | rates.corner
    return tuple(
        f"{kind_in_words(force.kind, force.expressions)} '{force.name}'"
        for force, flag in zip(system.model.forces, corner, strict=True)
        if flag
    )


def differentiate(function: Callable[[Array], Array], longest: Array, levels: int) -> tuple[Array, Array]:
    """Jacobian (m, n) at zero of a function of n variables, and an estimate of its error (m, n).

    Central differences at steps longest (n,), longest / 4, ... make fourth-order values in pairs; of these every
    column takes the one that differs least from its neighbour: the longest step for smooth functions, where rounding
    is smallest, a shorter one where the function bends within the step.
    """
    columns, errors = [], []
    for j, long in enumerate(longest):
        differences = []
        for level in range(levels):
            step = np.zeros(len(longest))
            step[j] = long / STEP_RATIO**level
            differences.append((function(step) - function(-step)) / (2.0 * step[j]))
        coarse, fine = np.array(differences[:-1]), np.array(differences[1:])
        values = (STEP_RATIO**2 * fine - coarse) / (STEP_RATIO**2 - 1.0)
        changes = np.abs(np.diff(values, axis=0))
        if not len(changes):
            columns.append(values[0])
            errors.append(np.zeros_like(values[0]))
            continue
        best = int(np.argmin(np.linalg.norm(changes, axis=1)))
        # changes that still shrink at the shortest step are truncation, and the shortest step is the best
        columns.append(values[-1] if best == len(changes) - 1 else values[best])
        errors.append(4.0 * changes[best:].max(axis=0))
    if not columns:
        return np.zeros((0, 0)), np.zeros((0, 0))
    return np.column_stack(columns), np.column_stack(errors)


def jointed_links(tables: Tables) -> frozenset[int]:
    """Numbers of the links that closing joints hold."""
    markers = np.concatenate((tables.rows["a"], tables.rows["b"]))
    return frozenset(tables.markers["link"][markers[markers >= 0]].tolist())


def turning(tables: Tables, state: State, round_going: frozenset[int] | None = None) -> tuple[Array, Array]:
    """The matrices `turning_x` and `turning_v` (nv, nv) of a tangent.

    round_going: links whose positions are measured in the axes of the body, by default those that joints hold.
    """
    nv = len(state.v)
    by_x, by_v = np.zeros((nv, nv)), np.zeros((nv, nv))
    going = jointed_links(tables) if round_going is None else round_going
    for number, link in enumerate(tables.links):
        kind, at = int(link["kind"]), int(link["iv"])
        if kind == SPHERICAL:
            by_x[at : at + 3, at : at + 3] = skew(state.v[at : at + 3])
        elif kind == FREE:
            spin = state.v[at + 3 : at + 6]
            by_x[at + 3 : at + 6, at + 3 : at + 6] = skew(spin)
            if number in going:
                first = int(link["iq"]) + 3
                across = skew(quaternion_to_matrix(state.q[first : first + 4]) @ spin)
                by_x[at : at + 3, at : at + 3] = across
                by_v[at : at + 3, at : at + 3] = across
    return by_x, by_v
