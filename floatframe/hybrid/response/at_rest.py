"""Modes as an observer at rest sees them, whatever axes their coordinates are measured in.

Coordinates behind a joint that spins are measured in axes that turn with it: there a rotor that whirls at the speed w
in space goes round at w - Ω. How fast the axes of a mode turn is seen from its momentum, linear and angular, which is
followed along the steady motion; which way round it goes in them, from that of its real and of its imaginary part, a
quarter of a period before.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from floatframe.arrays import AnyArray, Array
from floatframe.hybrid.assembly import CompiledSystem, State, mechanism_size
from floatframe.hybrid.description import Start
from floatframe.hybrid.kernels import VELOCITY, new_kept
from floatframe.hybrid.results import Observer
from floatframe.hybrid.settings import Record
from floatframe.hybrid.studies import Linear, equations_at, evaluation, in_order, usual_start, without_friction

MOMENTA = Record(channels=("momentum.linear", "momentum.angular"))
ANGLE = 1e-4  # [rad] by which the motion goes on and back; the error of differences is its square
ACROSS = 0.5  # share of a momentum that is across the axis, from which a mode may whirl
ALIKE = 1e-3  # share of the larger one of two momenta squared, below which two modes have one direction
TURNS = 1e-3  # share of the change of a momentum that may be another than turning about the axis
CIRCLE = 0.9  # of an orbit, 1 for a circle and 0 for a line, from which it goes round
STAYS = 1e-6  # speeds, over that of the spin, that are zero
EQUAL = 1e-4  # of eigenvalues: modes that differ by less may be mixed, as whirl of a thin disc in its own axes


def seen_at_rest(system: CompiledSystem, state: State, found: Linear) -> Linear:
    """The modes of a system near a state with the frequencies at which they whirl in space; found: all its modes.

    Modes that go round the axis of the fastest body in axes that turn have other frequencies there than in space.
    All others keep theirs: those along the axis, about it, and to and fro in axes that turn, as of blades and of shafts
    with two bending stiffnesses, which have two frequencies in space. On a track axes do not turn.
    """
    tables = without_friction(system)
    now = evaluation(system, tables, state)(state.t, state.q, VELOCITY, state.v).data.links
    fastest = int(np.argmax(np.linalg.norm(now["w"], axis=1)))
    spin = np.array(now["w"][fastest])
    speed = float(np.linalg.norm(spin))
    if speed == 0.0 or usual_start(system) is Start.steady:
        return found
    dt = ANGLE / speed
    moved = (system.move(state, on * state.v) for on in (-dt, 0.0, dt))
    before, P, after = (_momenta(system, State(state.t, one.q, state.v, state.memory), fastest) for one in moved)
    change = (after - before) / (2.0 * dt) + P @ equations_at(system, tables, state).tangent.turning_v
    # a torque about the axis counts as much as the force that has its power
    mass = float(tables.links["mass"].sum() + tables.flexible["mass"].sum())
    gyration = np.sqrt(max(float((P @ state.v)[3:] @ spin), 0.0) / (mass * speed**2)) if mass > 0.0 else 0.0
    weight = np.repeat((1.0, 1.0 / (gyration or mechanism_size(system.index, tables))), 3)[:, None]
    shapes = _parted(spin / speed, weight * P, found)
    momenta, changes = ((weight * A @ shapes).T.reshape(-1, 2, 3) for A in (P, change))
    least = STAYS * np.abs(momenta).max(initial=0.0)
    values, rigid = np.array(found.eigenvalues, dtype=complex), np.array(found.rigid)
    for k, (momentum, its_change) in enumerate(zip(momenta, changes, strict=True)):
        rate, round_going = _turning(spin / speed, momentum, its_change, least)
        swings = values[k].imag != 0.0
        if abs(rate) < STAYS * speed or not (rigid[k] or (swings and abs(round_going) > CIRCLE)):
            continue
        whirl = abs(rate + (np.sign(round_going) * values[k].imag if swings else 0.0))
        rigid[k] = whirl < STAYS * speed
        values[k] = 0.0 if rigid[k] else complex(values[k].real, whirl)
    order = in_order(values, rigid)
    values, size = values[order], np.abs(values[order])
    return replace(
        found,
        frequency=size / (2.0 * np.pi),
        damping=np.divide(-values.real, size, out=np.zeros(len(values)), where=size > 0.0) + 0.0,
        eigenvalues=values,
        shapes=shapes[:, order],
        rigid=rigid[order],
        kinetic=found.kinetic[:, order],
        elastic=found.elastic[:, order],
        state_shares=found.state_shares[:, order],
    )


def _momenta(system: CompiledSystem, state: State, link: int) -> Array:
    """Momentum and angular momentum about the origin of a link (6, nv) per unit speed, world axes."""
    nv = system.nv
    kept = new_kept(nv, system.nq, nv, system.nlambda, len(state.memory))
    kept.t[:], kept.q[:], kept.v[:], kept.memory[:] = state.t, state.q, np.eye(nv), state.memory
    linear, angular = np.hsplit(Observer(system, MOMENTA)(kept).values, 2)
    origin = evaluation(system, system.tables, state)(state.t, state.q, VELOCITY).data.links["p"][link]
    return np.asarray(np.hstack((linear, angular - np.cross(origin, linear))).T)


def _parted(axis: Array, P: Array, found: Linear) -> AnyArray:
    """The shapes (nv, k); of two modes with the same eigenvalue those that go round forward and backward."""
    shapes, values = np.array(found.shapes, dtype=complex), found.eigenvalues
    same = np.abs(np.diff(values)) <= EQUAL * np.abs(values[1:])
    beside = np.append(False, same[:-1]) | np.append(same[1:], False)  # blades, more of which are the same
    for k in np.flatnonzero(same & ~beside & (values.imag[1:] != 0.0)):
        pair = slice(k, k + 2)
        momenta = (P @ shapes[:, pair]).T.reshape(2, 2, 3)
        across = np.cross(axis, momenta).reshape(2, 6)
        size, turn = np.linalg.eigh(across.conj() @ across.T)
        if size[0] <= ALIKE * size[1]:
            continue
        turn = turn / np.sqrt(size)
        circling = 1j * (momenta.reshape(2, 6).conj() @ across.T)
        turn = turn @ np.linalg.eigh(turn.conj().T @ circling @ turn)[1]
        shapes[:, pair] = shapes[:, pair] @ (turn / np.linalg.norm(turn, axis=0))
    return shapes


def _turning(axis: Array, momentum: AnyArray, change: AnyArray, least: float) -> tuple[float, float]:
    """Speed of the axes of a mode about an axis (3,), and its sense of rotation in them: 1 forward, -1 backward.

    momentum, change (2, 3): of the shape, linear and angular; least: size of the former that is more than rounding.
    The speed is zero where the mode does not move across the axis or its axes turn in another way.
    """
    across = np.cross(axis, momentum)
    size = float(np.linalg.norm(across))
    if size <= max(least, ACROSS * float(np.linalg.norm(momentum))):
        return 0.0, 0.0
    rate = float(np.vdot(across, change).real) / size**2
    if np.linalg.norm(change - rate * across) > TURNS * abs(rate) * size:
        return 0.0, 0.0
    return rate, -float((np.cross(momentum.conj(), momentum) @ axis).imag.sum()) / size**2
