"""What the model says in place of each measured number, at any values of its parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError, NotConverged
from floatframe.hybrid.assembly import State
from floatframe.hybrid.fitting.measured import Measured, MeasuredModes
from floatframe.hybrid.kernels import new_kept
from floatframe.hybrid.results import observed, read_formula, split_numbers
from floatframe.hybrid.settings import Record
from floatframe.hybrid.sweep import Measure, Points, Study, measures
from floatframe.hybrid.system import System

RTOL = 1e-8  # of runs with controlled steps, so that differences by parameters are smooth
_UNEVEN = 4  # records between two measured times that are not evenly spaced
_MOVE = 1e-6  # along a shape of unit generalised mass, for what channels move by


@dataclass(frozen=True)
class Column:
    """A part of all measured numbers that has one unit and one noise."""

    name: str
    unit: str
    values: Array
    scales: int = 0  # how many of the numbers the fit of their scales uses up

    @property
    def count(self) -> int:
        """How many numbers it has to give."""
        return len(self.values) - self.scales


class Predicted:
    """Runs or linear analyses of a model file beside what was measured."""

    def __init__(
        self,
        source: Path,
        measured: Measured | MeasuredModes,
        parameters: Mapping[str, Any],
        settings: Mapping[str, Any],
    ) -> None:
        self.measured = measured
        self.runs = 0
        self._last: tuple[dict[str, float], list[Array]] = {}, []
        kind = "simulate" if isinstance(measured, Measured) else "linear"
        if isinstance(measured, Measured):
            settings = {**settings, "t_end": float(measured.t[-1])}
        elif set(settings) - {"at"}:
            raise ModelError("fit: modes take no settings of runs; leave them out")
        self._points = Points(Study(source, kind, settings, parameters=parameters, measure=_nothing))
        self.start = self._points.compiled({})[0]
        self._columns = self._measured_columns()

    @property
    def columns(self) -> tuple[Column, ...]:
        """What was measured, column by column."""
        return self._columns

    def _measured_columns(self) -> tuple[Column, ...]:
        measured = self.measured
        if isinstance(measured, Measured):
            found = {name: _measure(self.start, name) for name in measured.histories}
            self._texts = tuple(one.text for one in found.values())
            self._channels = tuple(dict.fromkeys(whole for one in found.values() for whole in one.channels))
            begin = self.start.start.t
            if measured.t[0] < begin:
                raise ModelError(
                    f"measured times begin at {measured.t[0]:g} s and runs at {begin:g} s; shift the times of the data"
                )
            return tuple(Column(name, found[name].unit, values) for name, values in measured.histories.items())
        for name in measured.shapes:
            if _measure(self.start, name).chain.filters:
                raise ModelError(f"measured '{name}' filters a history, which shapes are not; take the channels alone")
        columns, count = [Column("frequency", "Hz", measured.frequency)], len(measured.frequency)
        if measured.damping is not None:
            columns.append(Column("damping", "", measured.damping))
        if measured.shapes:
            columns.append(Column("shapes", "", _largest_one(np.array([*measured.shapes.values()])).ravel(), count))
        return tuple(columns)

    def __call__(self, values: Mapping[str, float]) -> list[Array]:
        """What the model says for every column at values of its parameters; the last answer is kept."""
        if values != self._last[0]:
            self._last = dict(values), self._computed(values)
        return self._last[1]

    def _computed(self, values: Mapping[str, float]) -> list[Array]:
        self.runs += 1
        system, _, settings = self._points.compiled(values)
        if isinstance(self.measured, Measured):
            return self._histories(system, settings, self.measured)
        return self._modes(system, self.measured)

    def _histories(self, system: System, settings: dict[str, Any], measured: Measured) -> list[Array]:
        from scipy.interpolate import CubicSpline

        if settings.get("step") is None:
            settings = {**settings, "rtol": min(settings.get("rtol") or RTOL, RTOL)}
        every, exact = _interval(measured.t - system.start.t)
        record = Record(every=every, channels=self._channels, coordinates=False)
        result = self._points.run(system, record, settings)
        if not result.status.ok:
            raise NotConverged(f"fit: a run ended early: {result.status}")
        if exact:
            rows = np.rint((measured.t - system.start.t) / every).astype(int)
            return [result[text][rows] for text in self._texts]
        once = np.concatenate(([True], np.diff(result.t) > 0))
        return [CubicSpline(result.t[once], result[text][once])(measured.t) for text in self._texts]

    def _modes(self, system: System, measured: MeasuredModes) -> list[Array]:
        state, linear = self._points.linear(system)
        swinging = np.flatnonzero(~linear.rigid & (linear.eigenvalues.imag > 0))
        count = len(measured.frequency)
        if len(swinging) < count:
            raise ModelError(f"fit: {count} modes are measured, and the model has {len(swinging)} that swing")
        chosen, shapes = swinging[:count], np.zeros((0, count))
        if measured.shapes:
            wanted = _largest_one(np.array([*measured.shapes.values()]))
            own = _displacements(system, state, linear.shapes[:, swinging].real, tuple(measured.shapes))
            order = _paired(wanted, own)
            chosen, shapes = swinging[order], own[:, order]
            # each shape as large as the measured one
            shapes = shapes * ((wanted * shapes).sum(axis=0) / (shapes**2).sum(axis=0))
        found = [np.asarray(linear.frequency[chosen])]
        if measured.damping is not None:
            found.append(np.asarray(linear.damping[chosen]))
        return [*found, shapes.ravel()] if measured.shapes else found


def _nothing(_: object) -> dict[str, float]:
    return {}


def _measure(system: System, name: str) -> Measure:
    """Return the history that a measured column is of: one component, or an expression of components with filters."""
    found = measures(system, [name])
    if len(found) > 1:
        names = ", ".join(one.name for one in found)
        raise ModelError(f"measured '{name}' has {len(found)} components, expected one; name it: {names}")
    if split_numbers(name)[1].numbers:
        raise ModelError(f"measured '{name}' asks for a number, expected a history; leave out what is behind the colon")
    return found[0]


def _interval(t: Array) -> tuple[float, bool]:
    """Time between records, and whether all measured times are among them."""
    step = float(np.median(np.diff(t)))
    if np.abs(t / step - np.rint(t / step)).max() < 1e-6:
        return step, True
    return float(np.diff(t).min()) / _UNEVEN, False


def _largest_one(shapes: Array) -> Array:
    """Shapes (nplace, n) whose largest component is one."""
    sizes = shapes[np.abs(shapes).argmax(axis=0), np.arange(shapes.shape[1])]
    if (sizes == 0).any():
        raise ModelError("a measured shape is zero everywhere; leave its line out")
    return np.asarray(shapes / sizes)


def _displacements(system: System, state: State, shapes: Array, names: tuple[str, ...]) -> Array:
    """What channels (nchannel, n) move by along shapes (nv, n)."""
    states = [system.move(state, sign * _MOVE * shape) for shape in shapes.T for sign in (1.0, -1.0)]
    kept = new_kept(len(states), system.nq, system.nv, system.nlambda, len(state.memory))
    kept.t[:], kept.q[:], kept.v[:] = state.t, [one.q for one in states], 0.0
    kept.x[:], kept.lam[:], kept.memory[:] = 0.0, 0.0, state.memory
    wanted = [_measure(system, name) for name in names]
    values = observed(system, tuple(dict.fromkeys(whole for one in wanted for whole in one.channels)), kept)
    found = [read_formula(one.text, values.__contains__).values(kept.t, values.__getitem__) for one in wanted]
    return np.array([moved[0::2] - moved[1::2] for moved in found]) / (2 * _MOVE)


def _paired(wanted: Array, own: Array) -> Array:
    """For each measured shape the number of the mode that is most like it, each mode once."""
    from scipy.optimize import linear_sum_assignment

    moved = np.flatnonzero(np.isfinite(own).all(axis=0) & own.any(axis=0))
    if len(moved) < wanted.shape[1]:
        raise ModelError(
            f"fit: {wanted.shape[1]} shapes are measured, and {len(moved)} modes of the model move their channels; "
            "name channels that move, or leave their columns out"
        )
    a, b = (shapes / np.linalg.norm(shapes, axis=0) for shapes in (wanted, own[:, moved]))
    return moved[linear_sum_assignment(-((a.T @ b) ** 2))[1]]  # by the largest sum of MAC
