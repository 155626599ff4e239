"""Assemblies of bodies, joints and forces; subsystems are assemblies that are written once and used many times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, TypeVar

from floatframe.errors import ModelError, Subject, Where
from floatframe.expressions import Scalar, Scope, Table, Vector, kept, parameter
from floatframe.hybrid.description.blocks import Block
from floatframe.hybrid.description.bodies import FlexibleBody, RigidBody
from floatframe.hybrid.description.constraints import Constraint, Rolling
from floatframe.hybrid.description.control import Signal, StateVariable
from floatframe.hybrid.description.forces import Force
from floatframe.hybrid.description.joints import Joint, Relation
from floatframe.hybrid.description.places import Ground, checked_name
from floatframe.hybrid.description.rotations import Rotation, kept_rotation
from floatframe.hybrid.description.stages import Stage
from floatframe.railway import Track
from floatframe.wording import did_you_mean

MOST_THINGS = 50_000  # in an instance, its subsystems opened

Part = TypeVar("Part", bound="Item")


def kept_gravity(gravity: Vector, name: str) -> Vector:
    """Return gravity as a model keeps it: three numbers or expressions [m/s2]."""
    return kept(gravity, Where.of("model", name).key("gravity"), (3,))


class Assembly:
    """Bodies, joints, forces and instances of subsystems under names, with the parameters their expressions use."""

    def __init__(
        self,
        name: str,
        parameters: Mapping[str, Scalar] | None = None,
        tables: Mapping[str, Table] | None = None,
        gravity: Vector | None = None,
    ) -> None:
        self.name = checked_name(name, "subsystem")
        where = Where(f"'{name}'", Subject("model", name))
        self.parameters: dict[str, Scalar] = {
            key: kept(value, parameter(where, key), ()) for key, value in (parameters or {}).items()
        }
        self.tables: dict[str, Table] = dict(tables or {})
        self.gravity = gravity  # a subsystem leaves it to the model
        self.track: Track | Callable[[Scope], Track] | None = None  # or what makes it of the parameters
        self.items: dict[str, Item] = {}

    def __repr__(self) -> str:
        counts = Counter(type(item).__name__ for item in self.items.values())
        words = [f"{count} {kind}" for kind, count in counts.items()]
        return f"{type(self).__name__}({self.name!r}: {', '.join(words) or 'empty'})"

    @property
    def ground(self) -> Ground:
        """What does not move, in the axes of this assembly."""
        return Ground()

    def add(self, item: Part) -> Part:
        """Take in a body, joint, relation, force, state variable, signal, block, instance or stage and return it."""
        if isinstance(item, Assembly):
            raise ModelError(
                f"subsystem '{item.name}': add an instance of it, as in .add({item.name}.instance('front'))"
            )
        if not isinstance(item, Item):
            expected = "a body, joint, relation, force, state variable, signal, block, instance or stage"
            raise ModelError(f"'{self.name}': found {item!r}, expected {expected}")
        if isinstance(item, Stage) and isinstance(self, Subsystem):
            raise item.where.error(f"stages are part of the model; add it there, with names such as '{self.name}.A'")
        if "." in item.name:
            where = item.where.at("name")
            raise where.error(f"a name must not contain dots; '{item.name}' is inside another")
        if item.name in self.items:
            raise item.where.at("name").error(
                f"the name is used already, by {self.items[item.name]} of '{self.name}'; choose another one"
            )
        if isinstance(item, Instance):
            if circle := _way(item.subsystem, self, set()):
                names = " -> ".join([self.name, *circle])
                raise item.where.error(f"subsystems contain each other, {names}; take one of these instances out")
            if (count := _count(item.subsystem, {})) > MOST_THINGS:
                raise item.where.error(
                    f"with the subsystems in it it has {count:.3g} bodies, joints and other things, at most "
                    f"{MOST_THINGS} are possible; leave some instances out"
                )
        self.items[item.name] = item
        return item

    def __getitem__(self, path: str) -> Any:
        """Return a thing by its name, or by its path: model["front.wheel"].at((0, 0, 0)) is a place."""
        head, _, rest = path.partition(".")
        if head not in self.items:
            raise ModelError(f"'{self.name}' has nothing named '{head}'{did_you_mean(head, self.items)}", missing=head)
        item = self.items[head]
        if not rest:
            return item
        if not isinstance(item, Instance):
            raise item.where.error(
                f"of '{self.name}' has no parts, so '{path}' does not exist", missing=path, after=" "
            )
        return item[rest]

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items.values())


class Subsystem(Assembly):
    """An assembly that stands in models through its instances, each with a pose and parameters of its own."""

    def instance(
        self,
        name: str,
        position: Vector = (0.0, 0.0, 0.0),
        rotation: Rotation | None = None,
        parameters: Mapping[str, Scalar] | None = None,
    ) -> Instance:
        """Return an instance to be added; `parameters` override those of the subsystem and may use the outer ones."""
        return Instance(name, self, position, rotation, parameters or {})


@dataclass(frozen=True, eq=False)
class Instance:
    """A subsystem in its place: origin and axes of the subsystem as seen from the assembly around it."""

    name: str
    subsystem: Subsystem
    position: Any = (0.0, 0.0, 0.0)  # (3,) [m]
    rotation: Any = None
    parameters: Mapping[str, Scalar] = field(default_factory=dict)

    def __post_init__(self) -> None:
        checked_name(self.name, "subsystem", "instance")
        object.__setattr__(self, "position", kept(self.position, self.where.key("position"), (3,)))
        object.__setattr__(self, "rotation", kept_rotation(self.rotation, self.where.key("rotation")))
        values = {name: kept(value, parameter(self.where, name), ()) for name, value in self.parameters.items()}
        object.__setattr__(self, "parameters", values)

    def __str__(self) -> str:
        return str(self.where)

    @property
    def where(self) -> Where:
        """What errors about it name."""
        return Where.of("subsystem", self.name, "instance")

    def __getitem__(self, path: str) -> Any:
        """Return a thing inside, named as seen from outside: front["wheel"].at((0, 0, 0))."""
        inner = self.subsystem[path]
        return replace(inner, name=f"{self.name}.{inner.name}")


Item: TypeAlias = (
    RigidBody
    | FlexibleBody
    | Joint
    | Relation
    | Constraint
    | Rolling
    | Force
    | StateVariable
    | Signal
    | Block
    | Instance
    | Stage
)


def _way(start: Assembly, goal: Assembly, seen: set[int]) -> list[str]:
    """Return the names of subsystems on the way from one down to another, empty if there is none.

    seen: subsystems from which there is no way; several instances of one are looked through once.
    """
    if start is goal:
        return [start.name]
    if id(start) in seen:
        return []
    for item in start:
        if isinstance(item, Instance) and (way := _way(item.subsystem, goal, seen)):
            return [start.name, *way]
    seen.add(id(start))
    return []


def _count(assembly: Assembly, known: dict[int, int]) -> int:
    """Return how many things an assembly has once its subsystems are opened."""
    if id(assembly) not in known:
        inside = (1 + _count(item.subsystem, known) if isinstance(item, Instance) else 1 for item in assembly)
        known[id(assembly)] = sum(inside)
    return known[id(assembly)]
