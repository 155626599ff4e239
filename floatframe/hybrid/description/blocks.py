"""Blocks of controllers: transfer functions, PID controllers, state-space systems, delays, switches, sampled values.

    model.add(pid("control", "target - arm.angle", kp=40.0, ki=20.0, kd=4.0, filter=0.01, low=-30.0, high=30.0))
    model.add(joint_torque("motor", "arm", torque="control"))

The name of a block stands for its output in all expressions; what is inside has names of its own, control.integral.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from floatframe.errors import Where
from floatframe.expressions import Scalar, Values, kept, kept_list
from floatframe.hybrid.description.control import quantity_name


@dataclass(frozen=True, eq=False)
class Block:
    """A part of a controller, made by the functions below."""

    name: str
    kind: str
    inputs: Mapping[str, Any]  # expressions of t, measured values, states, signals and other blocks
    numbers: Mapping[str, Any] = field(default_factory=dict)  # expressions of parameters; those not given are left out
    unit: str = ""

    def __post_init__(self) -> None:
        quantity_name(self.name, "block")
        for key in ("inputs", "numbers"):
            given = {name: value for name, value in getattr(self, key).items() if value is not None}
            object.__setattr__(self, key, {name: self._kept(name, value) for name, value in given.items()})

    def _kept(self, key: str, value: Any) -> Any:
        where = self.where.key(key)
        if key in _MATRICES:
            return _matrix(value, where)
        several = key in _LISTS or (key == "start" and self.kind == "state_space")
        return kept_list(value, where) if several else kept(value, where, ())

    def __str__(self) -> str:
        return str(self.where)

    @property
    def where(self) -> Where:
        """What errors about it name."""
        return Where.of("block", self.name, self.kind)


_LISTS = ("numerator", "denominator", "inputs")
_MATRICES = ("A", "B", "C", "D")


def _matrix(raw: Any, where: Where) -> tuple[tuple[Any, ...], ...]:
    """Return the rows of a matrix."""
    rows = raw.tolist() if hasattr(raw, "tolist") else raw
    if not isinstance(rows, list | tuple) or not all(isinstance(row, list | tuple) for row in rows):
        raise where.error(f"found {raw!r}, expected a matrix: a list of rows such as [[0, 1], [-4, -2]]")
    kept_rows = tuple(kept_list(row, where) for row in rows)
    if len({len(row) for row in kept_rows}) != 1:
        raise where.error(f"found {raw!r}, expected a matrix with rows of equal length")
    return kept_rows


def transfer_function(
    name: str,
    input: Scalar,
    numerator: Sequence[Scalar],
    denominator: Sequence[Scalar],
    size: Scalar = 1.0,
    unit: str = "",
) -> Block:
    """The output of numerator(s)/denominator(s), coefficients from the highest power of s down; it starts at rest.

    size: what is large for its input, so that errors of values around zero have a measure.
    """
    numbers = {"numerator": numerator, "denominator": denominator, "size": size}
    return Block(name, "transfer_function", {"input": input}, numbers, unit)


def state_space(
    name: str,
    inputs: Sequence[Scalar],
    A: Values,
    B: Values,
    C: Values,
    D: Values | None = None,
    start: Sequence[Scalar] | None = None,
    size: Scalar = 1.0,
    unit: str = "",
) -> Block:
    """The outputs y = C x + D u of x' = A x + B u: NAME if there is one, NAME.y1, NAME.y2, … if there are several.

    A (n, n), B (n, m), C (p, n), D (p, m); start (n,) of the states NAME.x1, NAME.x2, …; size: what is large for them.
    """
    numbers = {"A": A, "B": B, "C": C, "D": D, "start": start, "size": size}
    return Block(name, "state_space", {"inputs": inputs}, numbers, unit)


def pid(
    name: str,
    input: Scalar,
    kp: Scalar,
    ki: Scalar = 0.0,
    kd: Scalar = 0.0,
    filter: Scalar | None = None,
    low: Scalar | None = None,
    high: Scalar | None = None,
    anti_windup: Scalar | None = None,
    start: Scalar = 0.0,
    size: Scalar = 1.0,
    unit: str = "",
) -> Block:
    """A PID controller: kp e + ki ∫e dt + kd e', held between low and high; its input e is target less measured value.

    The derivative is that of e behind a filter of first order with the time constant `filter` [s]. While the output is
    at a limit, the integral follows what the limit leaves with the time constant `anti_windup` [s], by default kp/ki or
    √(kd/ki). start: of the integral, as part of the output; size: what is large for the output.
    """
    numbers = {"kp": kp, "ki": ki, "kd": kd, "filter": filter, "low": low, "high": high}
    numbers |= {"anti_windup": anti_windup, "start": start, "size": size}
    return Block(name, "pid", {"input": input}, numbers, unit)


def delay(
    name: str, input: Scalar, time: Scalar, start: Scalar | None = None, size: Scalar = 1.0, unit: str = ""
) -> Block:
    """The input as it was a time [s] ago; start: what it was before the run (default: what it is at the start)."""
    return Block(name, "delay", {"input": input}, {"time": time, "start": start, "size": size}, unit)


def switch(
    name: str,
    input: Scalar,
    on: Scalar,
    off: Scalar,
    high: Scalar = 1.0,
    low: Scalar = 0.0,
    start: bool = False,
    unit: str = "",
) -> Block:
    """A switch with hysteresis: its output is `high` from where the input comes to `on` until it comes to `off`.

    Else it is `low`. `on` may lie above or below `off`; start: whether it is on where the input lies between them.
    """
    numbers = {"on": on, "off": off, "high": high, "low": low, "start": float(start)}
    return Block(name, "switch", {"input": input}, numbers, unit)


def sampled(
    name: str,
    input: Scalar,
    period: Scalar,
    offset: Scalar = 0.0,
    start: Scalar = 0.0,
    size: Scalar = 1.0,
    unit: str = "",
) -> Block:
    """The input at the instants offset + k period [s], held until the next one; start: its value before the first.

    All samples of an instant are taken of the values just before it. In its own input the name of the block is the
    sample before: `sampled("sum", "sum + period*error", period=…)` is an integral by sums.
    """
    numbers = {"period": period, "offset": offset, "start": start, "size": size}
    return Block(name, "sampled", {"input": input}, numbers, unit)
