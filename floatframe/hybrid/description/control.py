"""State variables beside the mechanics, and signals: what controllers, motors and valves are made of.

    model.add(StateVariable("current", rate="(voltage - R*current - k*shaft.rate)/L", unit="A"))
    model.add(joint_torque("motor", "shaft", torque="k*current"))

Their names stand for their values in all expressions of forces, events, stages and of each other: current is the same
as current.value, and current.rate is its time derivative.
"""

from __future__ import annotations

from dataclasses import dataclass

from floatframe.errors import Where
from floatframe.expressions import Scalar, kept
from floatframe.hybrid.description.forces import VARIABLES
from floatframe.hybrid.description.places import checked_name

# words that expressions of force elements use for something else
_TAKEN = frozenset(word for words in VARIABLES.values() for word in words)


def quantity_name(name: str, kind: str) -> str:
    """Return the name of something that stands in expressions by its name alone."""
    checked_name(name, kind)
    if name in _TAKEN:
        where = Where.of(kind, name).at("name")
        raise where.error(f"'{name}' is a variable of force elements; choose another name: {name}_1")
    return name


@dataclass(frozen=True, eq=False)
class StateVariable:
    """A number that changes by its rate: an equation of first order beside those of the motion.

    rate: an expression [unit/s] of t, measured values, signals and state variables; start: its value at the start;
    size: what is large for it, so that errors of values around zero have a measure; unit: for channels and plots.
    """

    name: str
    rate: Scalar
    start: Scalar = 0.0
    size: Scalar = 1.0
    unit: str = ""

    def __post_init__(self) -> None:
        quantity_name(self.name, "state")
        for key in ("rate", "start", "size"):
            object.__setattr__(self, key, kept(getattr(self, key), self.where.key(key), ()))

    def __str__(self) -> str:
        return str(self.where)

    @property
    def where(self) -> Where:
        """What errors about it name."""
        return Where.of("state", self.name)


@dataclass(frozen=True, eq=False)
class Signal:
    """A name for an expression of t, measured values, state variables and other signals; unit: for channels."""

    name: str
    value: Scalar
    unit: str = ""

    def __post_init__(self) -> None:
        quantity_name(self.name, "signal")
        object.__setattr__(self, "value", kept(self.value, self.where.key("value"), ()))

    def __str__(self) -> str:
        return str(self.where)

    @property
    def where(self) -> Where:
        """What errors about it name."""
        return Where.of("signal", self.name)
