"""Steps of small networks by compiled kernels: the description as flat tables, and what lies behind carried over.

They take the same steps as `Stepper`, which knows all networks, and leave to it what ends a run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from floatframe.arrays import Array
from floatframe.expressions import NO_TABLES, Expression
from floatframe.hybrid import compile_program, link
from floatframe.network.closures import TIME
from floatframe.network.compiled import Batch, Drive
from floatframe.network.kernels import (
    ALPHA,
    BDF2,
    DRIVE,
    ELEMENT,
    ENTRY,
    LAWS,
    MOST_DOFS,
    MOST_UNKNOWNS,
    NUMBERS,
    SHARE,
    SLOPE,
    STORMER,
    Behind,
    Block,
    Tables,
    new_block,
    new_work,
    run,
)
from floatframe.network.laws import LIBRARY, Out
from floatframe.network.schemes import GeneralisedAlpha, Past
from floatframe.network.stepping import Stepper

MOST_ROWS, LEAST_ROWS, VALUES = 2048, 16, 40_000  # of a block
_LAWS = {kind.law: LAWS[kind.law.__name__] for kind in LIBRARY.values() if kind.law.__name__ in LAWS}
_METHODS = {"stormer": STORMER, "bdf2": BDF2, "generalised-alpha": ALPHA}


class Legs:
    """The compiled twin of a stepper."""

    def __init__(self, stepper: Stepper, events: Sequence[Expression]) -> None:
        self.stepper = stepper
        self.tables, stack = _tables(stepper, events)
        self._work = new_work(self.tables, stack)
        width = stepper.equations.n + 1
        self.block = new_block(max(LEAST_ROWS, min(MOST_ROWS, VALUES // width)), width)
        self._numbers = np.zeros(1, NUMBERS)
        scheme, settings, s = stepper.scheme, stepper.settings, self._numbers
        s["method"], s["order"], s["settles"] = _METHODS[settings.method], scheme.order, scheme.settles
        s["error_share"], s["constant"] = scheme.error_share, stepper.equations.constant
        s["settles_at_start"] = stepper.settles
        if isinstance(scheme, GeneralisedAlpha):
            for name in ("gamma", "beta", "alpha_m", "alpha_f"):
                s[name] = getattr(scheme, name)
        s["t_end"], s["rtol"], s["corrected"] = settings.t_end, settings.relative, settings.step_rule == "2.23"
        s["iterations_most"] = settings.iterations
        for name in ("step", "step_max", "step_min"):
            s[name] = getattr(settings, name) or 0.0
        for name in ("atol", "newton_potential", "newton_flow"):
            given = getattr(settings, name)
            s[name] = -1.0 if given is None else given

    def go(self, work: float, event_values: Array) -> tuple[Block, float, int]:
        """Steps until the block is full or Python has to go on; returns the rows, the work, and why they ended.

        work: that went into what stores energy; event_values (nevent,) are carried on in place.
        """
        stepper, s, past = self.stepper, self._numbers, self.stepper.past
        counters, none = stepper.counters, np.zeros_like(past.y)
        behind = Behind(
            past.y.copy(),
            past.alpha.copy(),
            none if past.before is None else past.before.copy(),
            none[0].copy() if past.older is None else past.older.copy(),
            stepper.largest,
            event_values,
        )
        refused_error, refused_h, silent, leaps, passed = stepper.memory
        s["t"], s["h"], s["h_before"], s["h_older"] = past.t, stepper.h, past.h, past.older_h
        s["has_before"], s["has_older"] = past.before is not None, past.older is not None
        s["first"], s["refused"], s["passed"] = stepper.first, refused_h > 0.0, passed
        s["refused_error"], s["refused_h"], s["silent"], s["in_a_row"] = refused_error, refused_h, silent, leaps
        for name in _COUNTED:
            s[name] = getattr(counters, name)
        s["work"], s["power"] = work, np.nan
        why, rows = run(self.tables, s, behind, self._work, self.block)
        now = {name: s[name].item() for name in NUMBERS.names or ()}
        stepper.past = Past(
            *(now["t"], behind.y, behind.alpha, behind.before if now["has_before"] else None, now["h_before"]),
            *(behind.older if now["has_older"] else None, now["h_older"]),
        )
        stepper.h, stepper.first = now["h"], bool(now["first"])
        known = (now["refused_error"], now["refused_h"]) if now["refused"] else (0.0, 0.0)
        stepper.memory = (*known, float(now["silent"]), float(now["in_a_row"]), now["passed"])
        for name in _COUNTED:
            setattr(counters, name, now[name])
        return Block(*(column[:rows] for column in self.block)), now["work"], why


_COUNTED = ("steps", "iterations", "rejected", "halved", "leaps")


def compiled_legs(stepper: Stepper, events: Sequence[Expression]) -> Legs | None:
    """The compiled twin of a stepper, None for large networks and those with laws that the kernels do not know."""
    equations = stepper.equations
    known = all(batch.kind.law in _LAWS for batch in equations.others)
    known = known and all(batch.kind.law in _LAWS for batch, _ in equations.linear if batch.kind.timed)
    return Legs(stepper, events) if known and equations.n <= MOST_UNKNOWNS else None


@dataclass
class _Programs:
    """Expressions on their way to one book."""

    slots: dict[str, int] = field(default_factory=lambda: {TIME: 0})
    expressions: list[Expression] = field(default_factory=list)

    def add(self, expression: Expression) -> int:
        for name in sorted(expression.names):
            self.slots.setdefault(name, len(self.slots))
        self.expressions.append(expression)
        return len(self.expressions) - 1


def _tables(stepper: Stepper, events: Sequence[Expression]) -> tuple[Tables, int]:
    """The flat tables of a network, and the stack that its expressions need."""
    equations, network, programs = stepper.equations, stepper.equations.network, _Programs()
    n, timed = equations.n, [batch for batch, _ in equations.linear if batch.kind.timed]
    constant = [(batch, out) for batch, out in equations.linear if not batch.kind.timed]
    storing = [(batch, out) for batch, out in constant if batch.kind.energy is not None]
    elements, parameters, inputs = _elements([*equations.others, *timed])
    drives: list[tuple[int, ...]] = []
    shares: list[tuple[int, float]] = []
    slopes: list[tuple[int, int, int]] = []

    def driven(drive: Drive, number: int, flows: Sequence[tuple[int, float]]) -> None:
        first_share, first_slope = len(shares), len(slopes)
        shares.extend(flows)
        for name in sorted(drive.expression.names - {TIME}):
            level, column = network.places[name]
            slopes.append((programs.add(drive.expression.derivative(name)), level, column))
        program = programs.add(drive.expression)
        drives.append((program, number, first_share, len(shares), first_slope, len(slopes)))

    for batch, out in constant:
        for drive in batch.drives:
            share = out.S[:, drive.input, drive.element]
            rows = batch.dofs[:, drive.element]
            driven(drive, -1, [(int(i), float(one)) for i, one in zip(rows, share, strict=True) if one and i < n])
    first = 0
    for batch in equations.others:
        for drive in batch.drives:
            elements[first + drive.element]["drive"] = len(drives)
            driven(drive, int(elements[first + drive.element]["input"]), [])
        first += len(batch.elements)
    waves = [programs.add(wave) for wave in stepper.switches.stairs]
    ends = [programs.add(event) for event in events]
    book = link([compile_program(expression, programs.slots) for expression in programs.expressions])
    spots = [network.places[name] for name in programs.slots if name != TIME]
    tables = Tables(
        entries=_entries(constant, n),
        stored=_entries(storing, n),
        offset=_offsets(constant, n),
        stored_offset=_offsets(storing, n),
        weight=np.where(equations.heat, 2, np.where(equations.flowing, 1, 0)),
        elements=elements,
        parameters=parameters,
        inputs=inputs,
        drives=np.array(drives, DRIVE),
        shares=np.array(shares, SHARE),
        slopes=np.array(slopes, SLOPE),
        places=np.array([level * (n + 1) + dof for level, dof in spots], dtype=int),
        small=network.small,
        groups=network.groups,
        by_speed=stepper.by_speed.astype(int),
        by_place=stepper.by_place.astype(int),
        times=stepper.switches.times,
        waves=np.array(waves, dtype=int),
        events=np.array(ends, dtype=int),
        code=book.code,
        constants=book.constants,
        begin=book.begin,
        table_begin=NO_TABLES.begin,
        table_x=NO_TABLES.x,
        table_coefficients=NO_TABLES.coefficients,
    )
    return tables, book.stack_depth


def _elements(batches: Sequence[Batch]) -> tuple[Array, Array, Array]:
    """Elements with laws of their own, their parameters, and the values of their inputs."""
    found, parameters, inputs, place = [], [np.zeros(0)], list[float](), 0
    for batch in batches:
        for k in range(len(batch.elements)):
            dofs = [*batch.dofs[:, k].tolist(), *[0] * (MOST_DOFS - len(batch.dofs))]
            number = len(inputs) if len(batch.s) else -1
            inputs += batch.s[:, k].tolist()
            found.append((_LAWS[batch.kind.law], dofs, place, number, -1))
            parameters.append(batch.p[:, k])
            place += len(batch.p)
    return np.array(found, ELEMENT), np.concatenate(parameters), np.array(inputs, dtype=float)


def _entries(parts: Sequence[tuple[Batch, Out]], n: int) -> Array:
    """The entries of constant Jacobians that are not zero."""
    sums = np.zeros((3, n + 1, n + 1))
    for batch, out in parts:
        rows, columns = batch.dofs[:, None, :], batch.dofs[None, :, :]
        for level, J in enumerate((out.K, out.D, out.M)):
            np.add.at(sums[level], (rows, columns), J)
    i, j = np.nonzero(sums[:, :n, :n].any(axis=0))
    found = np.zeros(len(i), ENTRY)
    found["row"], found["column"] = i, j
    for level, name in enumerate("kdm"):
        found[name] = sums[level, i, j]
    return found


def _offsets(parts: Sequence[tuple[Batch, Out]], n: int) -> Array:
    """Flows (n + 1,) at zero potentials."""
    total = np.zeros(n + 1)
    for batch, out in parts:
        np.add.at(total, batch.dofs, out.F)
    return total
