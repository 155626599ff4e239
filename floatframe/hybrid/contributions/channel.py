"""How much every mode contributes to a channel of a run.

The channel depends on displacements, speeds and accelerations of the system. About a reference state its part along
mode k is c_k η_k + d_k η̇_k + e_k η̈_k, the slopes being taken there: a position has the first term only, an acceleration
the last. What the parts do not explain, turning of axes and other things of second order, is the rest.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from floatframe.arrays import Array, short_repr
from floatframe.errors import ModelError
from floatframe.hybrid.contributions.modes import ModeContributions, parts_of

if TYPE_CHECKING:
    from floatframe.hybrid.assembly import CompiledSystem, State
    from floatframe.hybrid.contributions.projection import Modes
    from floatframe.hybrid.kernels import Kept
    from floatframe.hybrid.results import Results

STEP = 1e-4  # of a direction whose largest entry is 1 [m, rad, m kg^0.5]: its square is far below channels' own digits
SHORTEST = 2  # records that a window must have


@short_repr
@dataclass(frozen=True)
class Contributions:
    """The parts of modes in a channel: names and frequencies (k,) [Hz], and the numbers of each; the last is the rest.

    The rest has the name "rest" and no frequency (NaN).
    """

    channel: str
    unit: str
    names: tuple[str, ...]
    frequency: Array
    numbers: ModeContributions

    def times(self, factor: float, unit: str) -> Contributions:
        """Return the same in another unit, of which the present one is so many."""
        names = ("rms", "peak", "total_rms", "total_peak")
        numbers = replace(self.numbers, **{name: factor * getattr(self.numbers, name) for name in names})
        return replace(self, unit=unit, numbers=numbers)

    def rows(self) -> list[dict[str, str | float | None]]:
        """Return the table: a row per mode with amplitude, root mean square and share; the rest has no frequency."""
        found = self.numbers
        return [
            {
                "mode": name,
                "frequency_hz": None if np.isnan(frequency) else float(frequency),
                "amplitude": float(found.peak[k]),
                "rms": float(found.rms[k]),
                "share": float(found.rms_share[k]),
            }
            for k, (name, frequency) in enumerate(zip(self.names, self.frequency, strict=True))
        ]


def contributions(
    result: Results,
    channel: str,
    by: str = "system",
    *,
    modes: int | None = None,
    start: float | None = None,
    end: float | None = None,
    mean: Literal["removed", "kept"] = "removed",
    at: Literal["equilibrium", "start"] = "equilibrium",
    system: CompiledSystem | None = None,
) -> Contributions:
    """Return the part of every mode in a channel of a run, such as "frame.node[12].acceleration.z".

    Parameters
    ----------
    result
        A run that kept its coordinates.
    channel
        A component of a channel: positions, displacements, velocities, accelerations, angles, elongations, forces of
        elements; sums of them; with filters behind it, which each part passes through. Reactions of joints do not
        follow from the motion alone and are refused.
    by
        "system" for the modes of the assembled system, suspension and rigid parts included; or the name of a flexible
        body for its own modal coordinates.
    modes
        How many, from the lowest up (default: all); what the others do is in the rest.
    start, end
        Times between which the parts are measured [s] (default: the whole run).
    mean
        Whether the means over that time are "removed" first.
    at
        The state about which the motion is small: the "equilibrium", or the "start" of the model.
    system
        The system of the run, if it is at hand.
    """
    from floatframe.hybrid.contributions.projection import body_modes, displacements, system_modes
    from floatframe.hybrid.results import read_formula, system_of

    if not len(result) or not result.meta.nq:
        raise ModelError("contributions: the run has no coordinates; record them: Record(coordinates=True)")
    names = result.column_names(channel)
    if names != (channel,):
        raise ModelError(f"contributions: '{channel}' has several components; take one: {', '.join(names)}")
    if mean not in ("removed", "kept") or at not in ("equilibrium", "start"):
        raise ModelError(f"contributions: mean is '{mean}' (removed or kept), at is '{at}' (equilibrium or start)")
    system = system_of(result) if system is None else system
    reference = _reference(system, at)
    found = (system_modes(system, reference) if by == "system" else body_modes(system, by)).upto(modes)
    filters = read_formula(channel).chain
    unfiltered = channel.partition(":")[0].strip() if filters.filters else channel
    slopes, value = _slopes(system, reference, unfiltered, found)
    t = result.t
    coordinates = displacements(system, reference.q, result.q) @ found.rows.T
    rates = result.v @ found.rows.T
    parts = coordinates * slopes[0] + rates * slopes[1]
    if slopes[2].any():
        parts = parts + _derivative(t, rates) * slopes[2]
    whole = result[unfiltered] - value
    inside = result.between(start, end)
    if inside.sum() < SHORTEST:
        raise ModelError(
            f"contributions: {inside.sum()} records lie between the given times, expected {SHORTEST} or more; the run "
            f"covers {t[0]:g} … {t[-1]:g} s"
        )
    parts = filters.filtered(t, np.column_stack((parts, whole - parts.sum(axis=1))), inside)[inside]
    numbers = parts_of(parts - parts.mean(axis=0) if mean == "removed" else parts)
    frequency = np.append(found.frequency, np.nan)
    return Contributions(channel, result.unit(channel), (*found.names, "rest"), frequency, numbers)


def _reference(system: CompiledSystem, at: str) -> State:
    """Return the state of reference, at rest."""
    from floatframe.hybrid.studies import find_equilibrium

    state = find_equilibrium(system).state if at == "equilibrium" else system.initial_state()
    return replace(state, v=np.zeros_like(state.v))


def _slopes(system: CompiledSystem, state: State, channel: str, modes: Modes) -> tuple[Array, float]:
    """Return how a channel changes per unit of displacement, speed and acceleration of modes (3, k), and its value.

    By differences across the state, which are exact for what is linear.
    """
    from floatframe.hybrid.kernels import new_kept

    count = len(modes.frequency)
    size = np.abs(modes.shapes).max(axis=0, initial=0.0)
    step = STEP / np.where(size > 0, size, 1.0)
    kept = new_kept(6 * count + 1, system.nq, system.nv, system.nlambda, len(state.memory))
    kept.q[:], kept.v[:], kept.x[:], kept.lam[:] = state.q, 0.0, 0.0, 0.0
    kept.t[:], kept.memory[:] = state.t, state.memory
    for k in range(count):
        move = step[k] * modes.shapes[:, k]
        for side, sign in enumerate((1.0, -1.0)):
            kept.q[6 * k + side] = system.move(state, sign * move).q
            kept.v[6 * k + 2 + side] = sign * modes.shapes[:, k]
            kept.x[6 * k + 4 + side] = sign * modes.shapes[:, k]
    found = _observed(system, channel, kept)
    across = found[:-1].reshape(count, 3, 2)
    slopes = (across[:, :, 0] - across[:, :, 1]).T / 2
    slopes[0] /= step
    return slopes, float(found[-1])


def _observed(system: CompiledSystem, channel: str, kept: Kept) -> Array:
    """Return a channel or an expression of channels (m,) at states of the system."""
    from floatframe.hybrid.results import column_of, observed, read_formula

    formula = read_formula(channel)
    names = [column_of(system, name)[1] for name in formula.names]
    carried = {f"{joint.name}.{what}" for joint in system.model.joints for what in ("force", "torque")}
    carried |= {f"{row}.force" for row in system.index.rows.names}
    carried |= {f"{one.name}.{row.channel}" for one in system.model.constraints for row in one.rows}
    for name in names:
        if name in carried:
            raise ModelError(
                f"contributions: '{name}' is a reaction, which does not follow from the motion alone; take a motion, "
                "or the force of an element"
            )
    return formula.values(kept.t, observed(system, names, kept).__getitem__)


def _derivative(t: Array, y: Array) -> Array:
    """Return the derivative of y (nt, n) by time, by a cubic spline; of records at one time the last counts."""
    from scipy.interpolate import CubicSpline

    last = np.append(np.diff(t) > 0, True)
    return np.asarray(CubicSpline(t[last], y[last])(t, 1))
