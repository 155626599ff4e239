"""Blocks of controllers opened: the states and signals that they are made of, under names behind that of the block."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import Where
from floatframe.expressions import Expression, parse
from floatframe.hybrid.description import Block
from floatframe.hybrid.flat.model import FlatHeld, FlatSignal, FlatState
from floatframe.hybrid.flat.parts import TIME, Part


@dataclass(frozen=True, eq=False)
class FlatBlock:
    """What a block is made of."""

    states: tuple[FlatState, ...] = ()
    signals: tuple[FlatSignal, ...] = ()
    held: tuple[FlatHeld, ...] = ()


@dataclass(frozen=True, eq=False)
class Opened:
    """A block with its part: its numbers, and the laws of what is inside."""

    part: Part
    block: Block

    @property
    def name(self) -> str:
        """The full name."""
        return self.part.path + self.block.name

    @property
    def where(self) -> Where:
        """What errors about it name."""
        return Where.of("block", self.name, self.block.kind)

    def number(self, key: str) -> float | None:
        """The value of a number, None if it is not given."""
        raw = self.block.numbers.get(key)
        return None if raw is None else self.part.scope.number(raw, self.where.key(key))

    def positive(self, key: str, what: str) -> float | None:
        """The same, which must be positive."""
        value = self.number(key)
        if value is not None and not value > 0.0:
            raise self.where.at(key).error(f"found {value:g}, expected a positive number: {what}")
        return value

    def array(self, key: str) -> Array:
        """The value of a list or matrix."""
        return self.part.scope.array(self.block.numbers[key], self.where.key(key))

    def input(self, key: str = "input") -> Expression:
        """An input as an expression of what there is in the model."""
        return self.part.expression(self.block.inputs[key], self.where.key(key), TIME, sensors=True)

    def law(self, text: str, **values: float) -> Expression:
        """An expression in which ~ opens the names of what is inside the block, and some names are numbers."""
        inside = parse(text.replace("~", f"{self.name}."), where=self.where)
        return inside.substitute(values).simplified()

    def signal(self, inner: str, value: Expression, unit: str = "") -> FlatSignal:
        """A signal inside the block, or its output."""
        return FlatSignal(f"{self.name}.{inner}" if inner else self.name, value, unit)

    def state(self, inner: str, rate: Expression, size: float, start: float = 0.0, unit: str = "") -> FlatState:
        """A state inside the block."""
        return FlatState(f"{self.name}.{inner}", rate, start, size, unit, self.where)


def flat_block(part: Part, block: Block) -> FlatBlock:
    """Return what a block is made of."""
    return _MAKERS[block.kind](Opened(part, block))


def _size(opened: Opened) -> float:
    return opened.positive("size", "what is large for this block") or 1.0


def _transfer_function(opened: Opened) -> FlatBlock:
    numerator, denominator = (_stripped(opened.array(key)) for key in ("numerator", "denominator"))
    if not len(denominator):
        raise opened.where.at("denominator").error("all coefficients are zero, expected at least one that is not")
    n = len(denominator) - 1
    if len(numerator) - 1 > n:
        raise opened.where.at("numerator").error(
            f"its degree is {len(numerator) - 1} and that of the denominator {n}, which makes an improper transfer "
            "function; expected a degree of the denominator at least as high: multiply it by (T*s + 1) with a small T"
        )
    a = denominator / denominator[0]
    b = np.concatenate((np.zeros(n + 1 - len(numerator)), numerator)) / denominator[0]
    # in units of time in which poles have size one all states are as large as the input
    last = int(np.flatnonzero(a)[-1])
    omega = abs(a[last]) ** (1.0 / last) if last else 1.0
    powers = omega ** np.arange(n + 1)
    a, b = a / powers, b / powers
    size = _size(opened)
    names = [f"x{k + 1}" for k in range(n)]
    rates = [opened.law(f"w*~{after}", w=omega) for after in names[1:]]
    if n:
        rates.append(opened.law(f"w*(~input + {_sum(names, -a[:0:-1])})", w=omega))
    output = opened.law(f"{_sum(names, (b - a * b[0])[:0:-1])} + d*~input", d=float(b[0]))
    return FlatBlock(
        tuple(opened.state(name, rate, size) for name, rate in zip(names, rates, strict=True)),
        (opened.signal("input", opened.input()), opened.signal("", output, opened.block.unit)),
    )


def _stripped(coefficients: Array) -> Array:
    """Coefficients without leading zeros."""
    return np.trim_zeros(coefficients, "f")


def _sum(names: list[str], factors: Array) -> str:
    """The text of Σ factor · name, of names inside a block."""
    terms = [f"({float(factor)!r})*~{name}" for name, factor in zip(names, factors, strict=True) if factor]
    return " + ".join(terms) or "0"


def _state_space(opened: Opened) -> FlatBlock:
    given = opened.block.inputs["inputs"]
    inputs = []
    for k, raw in enumerate(given):
        law = opened.part.expression(raw, opened.where.key(f"inputs.{k}"), TIME, sensors=True)
        inputs.append(opened.signal(f"u{k + 1}", law))
    A, B, C = (opened.array(key) for key in ("A", "B", "C"))
    D = opened.array("D") if "D" in opened.block.numbers else np.zeros((len(C), len(given)))
    n, m, p = len(A), len(given), len(C)
    for key, matrix, shape in (("A", A, (n, n)), ("B", B, (n, m)), ("C", C, (p, n)), ("D", D, (p, m))):
        if matrix.shape != shape:
            found = "x".join(map(str, matrix.shape))
            raise opened.where.at(key).error(
                f"found a {found} matrix, expected {shape[0]}x{shape[1]}: there are {n} states (rows of A), {m} inputs "
                f"and {p} outputs (rows of C)"
            )
    start = opened.array("start") if "start" in opened.block.numbers else np.zeros(n)
    if len(start) != n:
        raise opened.where.at("start").error(f"found {len(start)} values, expected {n}: one for each state")
    states, controls = [f"x{k + 1}" for k in range(n)], [f"u{k + 1}" for k in range(m)]
    size, unit = _size(opened), opened.block.unit
    outputs = [opened.law(f"{_sum(states, C[k])} + {_sum(controls, D[k])}") for k in range(p)]
    return FlatBlock(
        tuple(
            opened.state(name, opened.law(f"{_sum(states, A[k])} + {_sum(controls, B[k])}"), size, float(start[k]))
            for k, name in enumerate(states)
        ),
        (*inputs, *(opened.signal(f"y{k + 1}" if p > 1 else "", y, unit) for k, y in enumerate(outputs))),
    )


def _pid(opened: Opened) -> FlatBlock:
    unit, size = opened.block.unit, _size(opened)
    kp, ki, kd = (opened.number(key) or 0.0 for key in ("kp", "ki", "kd"))
    low, high = opened.number("low"), opened.number("high")
    if low is not None and high is not None and not low < high:
        raise opened.where.at("high").error(f"found limits from {low:g} to {high:g}, expected low below high")
    filtered = opened.positive("filter", "the time constant [s] behind which the derivative is taken")
    if kd and filtered is None:
        raise opened.where.at("filter").error(
            "filter is missing, since a derivative is taken behind a filter; give its time constant [s], such as a "
            "tenth of kd/kp"
        )
    limited = low is not None or high is not None
    # as a sum the law stays linear where there are no limits
    terms = ["kp*~input", *(["~integral"] if ki else []), *(["kd/T*(~input - ~filtered)"] if kd else [])]
    raw = opened.law(" + ".join(terms), kp=kp, kd=kd, T=filtered or 1.0)
    signals = [opened.signal("input", opened.input())]
    if limited:
        limits = "~raw" if low is None else f"max(~raw, {low!r})"
        limits = limits if high is None else f"min({limits}, {high!r})"
        signals += [opened.signal("raw", raw, unit), opened.signal("", opened.law(limits), unit)]
    else:
        signals.append(opened.signal("", raw, unit))
    states = []
    if ki:
        rate = "ki*~input"
        tracking = _tracking(opened, kp, ki, kd) if limited else 0.0
        if tracking:
            rate += f" + ({opened.name} - ~raw)/T"
        start = opened.number("start") or 0.0
        states.append(opened.state("integral", opened.law(rate, ki=ki, T=tracking), size, start, unit))
    if kd and filtered:
        states.append(
            opened.state("filtered", opened.law("(~input - ~filtered)/T", T=filtered), size * filtered / abs(kd))
        )
    return FlatBlock(tuple(states), tuple(signals))


def _tracking(opened: Opened, kp: float, ki: float, kd: float) -> float:
    """The time constant [s] with which the integral follows what a limit leaves."""
    given = opened.positive("anti_windup", "the time constant [s] with which the integral follows a limit")
    if given is not None:
        return given
    if kd * ki > 0.0:
        return float((kd / ki) ** 0.5)
    if kp * ki > 0.0:
        return kp / ki
    raise opened.where.at("anti_windup").error(
        "anti_windup is missing, the time constant [s] with which the integral follows what a limit leaves; only with "
        "kp or kd of the sign of ki it has a default"
    )


def _delay(opened: Opened) -> FlatBlock:
    time = opened.number("time")
    if time is None or not time > 0.0:
        raise opened.where.at("time").error(
            f"found a delay of {time:g} s, expected a positive time; without one use its input"
        )
    held = FlatHeld(
        opened.name,
        "delayed",
        f"{opened.name}.input",
        time,
        0.0,
        opened.number("start"),
        _size(opened),
        opened.where,
        opened.block.unit,
    )
    return FlatBlock(signals=(opened.signal("input", opened.input()),), held=(held,))


def _sampled(opened: Opened) -> FlatBlock:
    period = opened.number("period")
    if period is None or not period > 0.0:
        raise opened.where.at("period").error(
            f"found a period of {period:g} s, expected a positive time between samples; without one use a signal"
        )
    held = FlatHeld(
        opened.name,
        "sampled",
        f"{opened.name}.input",
        period,
        opened.number("offset") or 0.0,
        opened.number("start") or 0.0,
        _size(opened),
        opened.where,
        opened.block.unit,
    )
    return FlatBlock(signals=(opened.signal("input", opened.input()),), held=(held,))


def _switch(opened: Opened) -> FlatBlock:
    on, off = opened.number("on") or 0.0, opened.number("off") or 0.0
    if on == off:
        raise opened.where.at("off").error(
            f"found on and off at the same input {on:g}, expected a hysteresis between them: off={on - 0.1:g}"
        )
    high, low = opened.number("high"), opened.number("low")
    held = FlatHeld(
        f"{opened.name}.on",
        "switched",
        f"{opened.name}.input",
        on,
        off,
        1.0 if opened.number("start") else 0.0,
        1.0,
        opened.where,
    )
    law = opened.law("low + (high - low)*~on", low=0.0 if low is None else low, high=1.0 if high is None else high)
    signals = (opened.signal("input", opened.input()), opened.signal("", law, opened.block.unit))
    return FlatBlock(signals=signals, held=(held,))


_MAKERS: dict[str, Callable[[Opened], FlatBlock]] = {
    "transfer_function": _transfer_function,
    "state_space": _state_space,
    "pid": _pid,
    "delay": _delay,
    "sampled": _sampled,
    "switch": _switch,
}
