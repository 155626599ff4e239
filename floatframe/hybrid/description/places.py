"""Places: where joints and forces act. A point of a rigid body or of the ground, or a node of a flexible body."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from floatframe.errors import Where
from floatframe.expressions import RESERVED, Vector, kept
from floatframe.hybrid.description.rotations import Rotation, kept_rotation

GROUND = "ground"
# words that name something else in expressions and channels
RESERVED_NAMES = frozenset({GROUND, "world", "t", "energy", "momentum"})
_NAME = re.compile(r"[^\W\d]\w*(?:\[\w+\])*")


def checked_name(name: str, kind: str, called: str = "") -> str:
    """Return a name, or a path of names such as front.wheel, that can stand in expressions.

    kind: of the thing that has the name; called: what messages say for it.
    """
    where = Where.of(kind, name, called).at("name")
    for part in name.split(".") if isinstance(name, str) else [name]:
        if not isinstance(part, str) or not _NAME.fullmatch(part):
            raise replace(where, words=f"{called or kind} {name!r}").error(
                "a name begins with a letter and goes on with letters, digits and _ (or [1] at its end)"
            )
        if part in RESERVED_NAMES | RESERVED:
            raise where.error(f"the word '{part}' is reserved; choose another name: {part}_1")
    return name


@dataclass(frozen=True)
class Place:
    """A point with axes of its own on a body, which is named as seen from the subsystem where the place is used."""

    body: str
    point: Any = (0.0, 0.0, 0.0)  # (3,) in body axes [m]; left alone if a node is given
    node: int | str | None = None  # number or name of a node of a flexible body
    rotation: Any = None  # axes of the place in body axes; None: they are the body's axes

    def __post_init__(self) -> None:
        where = Where(f"place on '{self.body}'")
        object.__setattr__(self, "point", kept(self.point, where.key("point"), (3,)))
        object.__setattr__(self, "rotation", kept_rotation(self.rotation, where.key("rotation")))
        if self.node is not None and (isinstance(self.node, bool) or not isinstance(self.node, int | str)):
            raise where.at("node").error(f"found node {self.node!r}, expected the number or the name of a node")

    def __str__(self) -> str:
        return f"node {self.node} of '{self.body}'" if self.node is not None else f"a point of '{self.body}'"


@dataclass(frozen=True)
class Ground:
    """What does not move. Inside a subsystem its axes are those of the instance."""

    name: str = GROUND

    def at(self, point: Vector = (0.0, 0.0, 0.0), rotation: Rotation | None = None) -> Place:
        """Return the place at a point (3,) [m], with axes of its own if a rotation is given."""
        return Place(self.name, point, rotation=rotation)
