"""Prescribed motions whose value, rate or acceleration is not finite at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from floatframe.errors import ModelError, Where
from floatframe.expressions import Expression
from floatframe.hybrid.flat import FlatModel

ENDLESS = 1e12  # (m or rad)/s2 or less: beyond all machines, a root or pole of the expression is near
ENDLESS_CURE = (
    "Give a motion with finite rate and acceleration, such as step(t, 0, 0, 1, 2), or begin and end where it has them."
)
_WHAT = ("value", "rate", "acceleration")


class EndlessMotion(NamedTuple):
    """What is not finite, in words, and the expression that it follows from."""

    reason: str
    where: Where

    def error(self, opening: str = "") -> ModelError:
        """The error that says so."""
        text = f"{opening}{self.reason}. {ENDLESS_CURE}"
        return ModelError(text, subject=self.where.subject, field=self.where.field)


def endless_motion(model: FlatModel, times: Iterable[float], derivatives: int = 2) -> EndlessMotion | None:
    """The first motion, relation or driven joint that is not finite at one of the times [s]."""
    for name, value in _prescribed(model):
        laws = [value]
        while len(laws) <= derivatives:
            laws.append(laws[-1].derivative("t"))
        for t in times:
            for what, law in zip(_WHAT, laws, strict=False):
                try:
                    number = abs(law.evaluate({"t": t}, model.tables))
                except ModelError:
                    reason = f"the {what} of motion '{name}' ({value}) is not finite at t = {t:g} s"
                    return EndlessMotion(reason, value.where)
                if number > ENDLESS:
                    reason = f"the {what} of motion '{name}' ({value}) is {number:.3g} at t = {t:.9g} s"
                    return EndlessMotion(reason, value.where)
    return None


def _prescribed(model: FlatModel) -> Iterator[tuple[str, Expression]]:
    """What follows an expression of time."""
    for relation in model.relations:
        if relation.name not in model.idle and "t" in relation.value.names:
            yield relation.name, relation.value
    for joint in model.joints:
        for law in joint.driven:
            if law is not None and joint.name not in model.idle and "t" in law.names:
                yield joint.name, law
