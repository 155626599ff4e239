"""The operating point of a network: the steady state that it comes to from its start while inputs stay as they are.

Backward Euler steps grow from a microsecond to thirty years and damp whatever swings; what is left of displacements,
which are small differences of large ones by then, is found by Newton's method on flows and their rates.

A long step may end in balance far from where it began. So steps that turn an angle, on which flows depend, too far are
refused and divided; where that does not end, what moves begins every step at rest, which goes down in energy; and
what keeps turning, as a motor does with its machine, needs steps without a limit. Each search ends after some refusals.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.linalg import lstsq

from floatframe.arrays import Array, short_repr
from floatframe.errors import ModelError, NotConverged
from floatframe.hybrid import Record
from floatframe.io import Channel
from floatframe.network.channels import Observer
from floatframe.network.compiled import CompiledNetwork
from floatframe.network.equations import Equations

FIRST, LAST = 1e-6, 1e9  # s
LEAST = 1e-15  # s, below which no step helps
ITERATIONS = 50  # of a step, which is then divided
CLOSE = 1e-8  # relative change of potentials that ends iterations
STEADY = 1e-5  # relative change in one of the longest steps that belongs to a steady state
REPEATS = 20  # of the longest step
POLISHED = 600  # unknowns, up to which displacements are found again
TURNS = 10  # of that
LOST = 1e-15  # of what a steady motion has gone: digits that its displacement has lost
ROUNDING = 1e-12  # of what counts as nothing: what iterations leave of a zero
ALIKE = 1e-12  # singular values over the largest that count as zero


class Search(NamedTuple):
    """How far steps may go."""

    turn: float  # that an angle may make in a step [rad]
    refused: int  # steps that end the search
    growth: float = 10.0  # ratio of two steps
    damped: bool = False  # what moves begins every step at rest


NEAR, DAMPED, FAR = Search(1.0, 30), Search(1.0, 100, 2.0, damped=True), Search(math.inf, 100)


@short_repr
@dataclass(frozen=True, eq=False)
class OperatingPoint:
    """Where a network rests or runs steadily: unknowns y (3, n + 1) at time t, accelerations zero."""

    network: CompiledNetwork
    t: float
    y: Array
    carried: Array  # what elements know beside their unknowns

    def values(self, channels: tuple[str, ...] = ()) -> tuple[tuple[Channel, ...], Array]:
        """Channels, all by default, and their columns side by side."""
        equations = Equations(self.network)
        equations.carried = self.carried
        observer = Observer(equations, Record(channels=channels) if channels else Record())
        return observer.channels, observer.values(self.y[None], np.array([self.t]))[0]

    def __getitem__(self, name: str) -> Array:
        """The values of a channel."""
        return self.values((name,))[1]


def operating_point(network: CompiledNetwork, t: float = 0.0) -> OperatingPoint:
    """Return the steady state with all inputs as at time t [s]."""
    equations = Equations(network)
    equations.begin()
    equations.require_determined(network.start, t)
    with np.errstate(all="ignore"):  # numbers beyond all bounds are found below
        y = _rest(equations, t)
        y = _polished(equations, y, t)
    y[:, :-1][np.abs(y[:, :-1]) <= ROUNDING * network.small] = 0.0
    return OperatingPoint(network, t, y, equations.carried)


def _rest(equations: Equations, t: float) -> Array:
    """The steady state near the start, else that which longer turns lead to."""
    if not equations.constant and equations.turning.any():
        for search in (NEAR, DAMPED):
            try:
                return _settled(equations, t, search)
            except NotConverged:
                equations.begin()
    return _settled(equations, t, FAR)


def _settled(equations: Equations, t: float, search: Search) -> Array:
    """Steps of growing lengths until nothing changes; displacements of steady motions are taken out again."""
    y, h, repeats, lasted, refused = equations.network.start.copy(), FIRST, 0, 0.0, 0
    while repeats < REPEATS:
        found = _stepped(equations, y, t, h, search)
        if found is None:
            equations.renew()  # what iterations found far away
            h, refused = h / search.growth, refused + 1
            if h < LEAST or refused > search.refused:
                raise NotConverged(
                    f"network '{equations.network.network.name}' has no operating point that its start leads to within "
                    f"{search.refused} refused steps; simulate it, or give its nodes another start"
                )
            continue
        change = _relative(equations, found[1] - y[1], found[1])
        equations.follow(found, t)
        y, lasted = found, lasted + h
        if h >= LAST:
            repeats += 1
            if float(change.max(initial=0.0)) <= STEADY:
                gone = lasted * y[1]
                start, y[0] = equations.network.start[0], y[0] - gone
                y[0] = np.where(np.abs(y[0] - start) <= LOST * np.abs(gone), start, y[0])
                y[2] = 0.0
                return y
        h = min(search.growth * h, LAST)
    name = equations.names[int(np.argmax(change))]
    raise NotConverged(
        f"network '{equations.network.network.name}' has no steady state: '{name}' keeps changing; give it a load, "
        "friction or a leak, or look at its start by --at start"
    )


def _stepped(equations: Equations, start: Array, t: float, h: float, search: Search) -> Array | None:
    """The end of a backward Euler step with inputs as at t, None where iterations do not converge or turn too far.

    Iterations begin with displacements that flows depend on where they were: what turned on with its speed through a
    long step would come to rest some whole turns later, and in all steps from there on.
    """
    y, v = start.copy(), start[1].copy()
    _, outs = equations.residual(start, t)
    stiffness = equations.pattern.matrix(equations.data(start, t, outs, 1.0, 0.0, 0.0))
    depends = np.asarray(abs(stiffness).sum(axis=0)).ravel() > 0.0
    v[:-1][depends] = 0.0
    angles = np.flatnonzero(depends & equations.turning)
    before = start[1].copy()
    if search.damped:
        before[:-1][depends & equations.moving] = 0.0
    for _ in range(ITERATIONS):
        y[0], y[1], y[2] = start[0] + h * v, v, (v - before) / h
        residual, outs = equations.residual(y, t)
        if not np.isfinite(residual).all():
            return None
        try:
            change = equations.solver(y, t, outs, h, 1.0 / h)(-residual)
        except ModelError:
            if h <= LEAST * search.growth:
                raise
            return None
        v[:-1] += change
        if not np.isfinite(v).all():
            return None
        if float(_relative(equations, np.append(change, 0.0), v).max(initial=0.0)) <= CLOSE:
            y[0], y[1], y[2] = start[0] + h * v, v, (v - before) / h
            return y if float(h * np.abs(v[angles]).max(initial=0.0)) <= search.turn else None
    return None


def _relative(equations: Equations, change: Array, v: Array) -> Array:
    """Changes (n,) over the largest potential of the same physics, and over what counts as nothing there."""
    network = equations.network
    largest = np.zeros(int(network.groups.max(initial=-1)) + 1)
    np.maximum.at(largest, network.groups, np.abs(v[:-1]))
    return np.asarray(np.abs(change[:-1]) / (network.small / STEADY + largest[network.groups]))


def _polished(equations: Equations, y: Array, t: float) -> Array:
    """Newton's method for flows F = 0 and their rates K v = 0, the smallest change where these leave a choice."""
    n = equations.n
    if n > POLISHED:
        return y
    best, least = y, np.inf
    for _ in range(TURNS):
        residual, outs = equations.residual(y, t)
        K, D = (_dense(equations.pattern.matrix(equations.data(y, t, outs, *one))) for one in ((1, 0, 0), (0, 0, 1)))
        if not K.any():
            return y
        rows = 1.0 / np.maximum(np.abs(np.hstack((K, D))).max(axis=1), 1e-300)
        rest = np.concatenate((rows * residual, rows * (K @ y[1, :-1])))
        size = float(np.abs(rest).max(initial=0.0))
        if not size < least:
            return best
        best, least = y.copy(), size
        K, D = rows[:, None] * K, rows[:, None] * D
        both = np.block([[K, D], [np.zeros((n, n)), K]])
        columns = 1.0 / np.maximum(np.abs(both).max(axis=0), 1e-300)
        columns[np.abs(both).max(axis=0) == 0.0] = 0.0
        change = columns * lstsq(both * columns, -rest, cond=ALIKE)[0]
        y = y.copy()
        y[0, :-1] += change[:n]
        y[1, :-1] += change[n:]
    return best


def _dense(matrix: object) -> Array:
    return np.asarray(matrix.toarray() if hasattr(matrix, "toarray") else matrix)
