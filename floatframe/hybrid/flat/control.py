"""State variables and signals in their flat form, and the refusal of signals that need themselves."""

from __future__ import annotations

from collections.abc import Sequence

from floatframe.errors import Where
from floatframe.expressions import Expression
from floatframe.hybrid.description import Signal, StateVariable
from floatframe.hybrid.flat.model import FlatSignal, FlatState
from floatframe.hybrid.flat.parts import TIME, Part

VALUE, RATE = ".value", ".rate"


def flat_state(part: Part, state: StateVariable) -> FlatState:
    """Return a state variable with its numbers worked out and its rate filled in."""
    where = Where.of("state", part.path + state.name)
    size = part.scope.number(state.size, where.key("size"))
    if not size > 0.0:
        raise where.key("size").error(f"found {size:g}, expected a positive number: what is large for this state")
    return FlatState(
        name=part.path + state.name,
        rate=part.expression(state.rate, where.key("rate"), TIME, sensors=True),
        start=part.scope.number(state.start, where.key("start")),
        size=size,
        unit=state.unit,
    )


def flat_signal(part: Part, signal: Signal) -> FlatSignal:
    """Return a signal with its expression filled in."""
    name = part.path + signal.name
    where = Where.of("signal", name)
    return FlatSignal(name, part.expression(signal.value, where.key("value"), TIME, sensors=True), signal.unit)


def without_loops(states: Sequence[FlatState], signals: Sequence[FlatSignal]) -> None:
    """Refuse signals, and rates that are used as such, which need each other at the same instant."""
    laws: dict[str, Expression] = {signal.name: signal.value for signal in signals}
    laws |= {state.name + RATE: state.rate for state in states}
    done: set[str] = set()
    for first in laws:
        path: list[str] = []
        waiting = [(first, False)]
        while waiting:
            name, left = waiting.pop()
            if left:
                path.pop()
                done.add(name)
                continue
            if name in path:
                circle = " -> ".join([*path[path.index(name) :], name])
                raise laws[name].problem(f"needs itself at the same instant, {circle}; put a state between them")
            if name not in done:
                path.append(name)
                waiting.append((name, True))
                used = (word.removesuffix(VALUE) for word in sorted(laws[name].names))
                waiting += [(word, False) for word in used if word in laws]
