"""Prescribed motions whose value, rate or acceleration is not finite at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from floatframe.errors import ModelError
from floatframe.hybrid.expressions import Expression
from floatframe.hybrid.flat import FlatModel

ENDLESS = 1e12  # (m or rad)/s2 or less: beyond all machines, a root or pole of the expression is near
ENDLESS_CURE = (
    "Give a motion with finite rate and acceleration, such as step(t, 0, 0, 1, 2), or begin and end where it has them."
)
_WHAT = ("value", "rate", "acceleration")


def endless_motion(model: FlatModel, times: Iterable[float], derivatives: int = 2) -> str:
    """The first motion, relation or driven joint that is not finite at one of the times [s], in words."""
    for name, value in _prescribed(model):
        laws = [value]
        while len(laws) <= derivatives:
            laws.append(laws[-1].derivative("t"))
        for t in times:
            for what, law in zip(_WHAT, laws, strict=False):
                try:
                    number = abs(law.evaluate({"t": t}, model.tables))
                except ModelError:
                    return f"the {what} of motion '{name}' ({value}) is not finite at t = {t:g} s"
                if number > ENDLESS:
                    return f"the {what} of motion '{name}' ({value}) is {number:.3g} at t = {t:.9g} s"
    return ""


def _prescribed(model: FlatModel) -> Iterator[tuple[str, Expression]]:
    """What follows an expression of time."""
    for relation in model.relations:
        if relation.name not in model.idle and "t" in relation.value.names:
            yield relation.name, relation.value
    for joint in model.joints:
        for law in joint.driven:
            if law is not None and joint.name not in model.idle and "t" in law.names:
                yield joint.name, law
