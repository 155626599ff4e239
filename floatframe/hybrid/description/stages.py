"""Stages of a model: at a time or an event joints are released or locked, forces and parameters change.

model.add(Stage("launch", when="A.angle - 0.8", release=["A"]))

Stages follow each other in the order in which they are added. What a stage locks or switches on, and no earlier stage
has released or switched off, is open or off from the start. A joint, motion or relation that is locked holds its two
places as it finds them: nothing is moved, and the bodies take on speeds that it allows by an impulse in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from floatframe.errors import Where
from floatframe.expressions import Scalar, kept
from floatframe.hybrid.description.places import checked_name

NAMES = ("release", "lock", "off", "on")


@dataclass(frozen=True, eq=False)
class Stage:
    """A change of the model while it moves.

    when: the time [s], or an expression of t and measured values that crosses zero there; release, lock: joints,
    motions and relations; off, on: forces; set: new values of parameters, front.mass that of an instance.
    """

    name: str
    when: Scalar
    release: Sequence[str] = ()
    lock: Sequence[str] = ()
    off: Sequence[str] = ()
    on: Sequence[str] = ()
    set: Mapping[str, Scalar] = field(default_factory=dict)

    def __post_init__(self) -> None:
        checked_name(self.name, "stage")
        object.__setattr__(self, "when", kept(self.when, self.where.key("when"), ()))
        for key in NAMES:
            names: Any = getattr(self, key)
            if isinstance(names, str) or not all(isinstance(name, str) for name in names):
                raise self.where.at(key).error(f"{key} is {names!r}, expected a list of names")
            object.__setattr__(self, key, tuple(names))
        values = {name: kept(value, self.new_value(name), ()) for name, value in self.set.items()}
        object.__setattr__(self, "set", values)
        if not (values or any(getattr(self, key) for key in NAMES)):
            raise self.where.error("changes nothing; give release, lock, off, on or set", after=" ")

    def __str__(self) -> str:
        return str(self.where)

    @property
    def where(self) -> Where:
        """What errors about it name."""
        return Where.of("stage", self.name)

    def new_value(self, name: str) -> Where:
        """What errors about the new value of a parameter name."""
        return self.where.at("set").key(name, f"parameter '{name}'")
