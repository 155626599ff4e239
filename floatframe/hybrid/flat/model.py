"""The flat description of a system: subsystems opened, parameters put in, everything checked. What compilers read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from floatframe.arrays import Array, frozen, short_repr
from floatframe.errors import Where
from floatframe.expressions import Expression, Table
from floatframe.hybrid.description import Ratios, SecondOrder, kind_in_words
from floatframe.hybrid.flat.reuse import History
from floatframe.io import Surface
from floatframe.modal import ReducedBody
from floatframe.railway import Profile, Track

_PLAIN = frozenset((str, int, float, bool, tuple, type(None)))  # neither arrays nor mappings, without a long look


class _Frozen:
    """A thing whose arrays and mappings nobody can change."""

    def __post_init__(self) -> None:
        for name, value in list(vars(self).items()):
            if isinstance(value, np.ndarray):
                frozen(value)
            elif type(value) not in _PLAIN and isinstance(value, Mapping):
                object.__setattr__(self, name, MappingProxyType(dict(value)))
                for entry in value.values():
                    if isinstance(entry, np.ndarray):
                        frozen(entry)


def _equal(one: Any, other: Any) -> bool:
    """Whether two fields of a body are the same to the last bit."""
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return one.shape == other.shape and one.tobytes() == other.tobytes()
    return one is other or (type(one) is type(other) and not isinstance(one, np.ndarray) and bool(one == other))


@short_repr
@dataclass(frozen=True, eq=False)
class FlatBody(_Frozen):
    """A body in its own axes; start values in the world, None where the user left them out."""

    name: str  # with the path of its subsystem: front.wheel
    mass: float
    com: Array  # (3,)
    inertia: Array  # (3, 3) about the centre of mass, body axes
    reduced: ReducedBody | None  # without rigid shapes, in the frame that was asked for
    damping: Array  # (n, n) generalised damping of the modes, (0, 0) for a rigid body
    position: Array | None  # (3,)
    rotation: Array | None  # (3, 3)
    velocity: Array | None  # (3,) of the origin, world axes
    angular_velocity: Array | None  # (3,) body axes
    subsystem: str  # outermost instance, "" in the model itself
    coriolis: bool
    stiffening: str  # "auto", "off", "interface", "full"
    limits: tuple[float, ...]  # of load, deflection and rotation, for runs without stiffening; () for a rigid body
    home_position: Array  # (3,) where the body stands if neither it nor a joint says anything: origin of its subsystem
    home_rotation: Array  # (3, 3)
    damping_given: Mapping[str, Any] | None = None  # what the user asked for; None for a rigid body
    held_ratios: Ratios | None = None  # damping by ratios of its modes as it is held, which compiling puts in
    doubts: tuple[str, ...] = ()  # what to warn of
    shape: Surface | None = None  # of a rigid body, in its axes

    def differs_in_mass(self, other: FlatBody) -> bool:
        """Whether it differs from another rigid body in mass, centre of mass and inertia alone."""
        kept = [one.name for one in fields(self) if one.name not in ("mass", "com", "inertia")]
        return self.reduced is None and all(_equal(getattr(self, name), getattr(other, name)) for name in kept)

    @cached_property
    def second_order(self) -> SecondOrder | None:
        """The second-order motion of its nodes; None of a rigid body, without geometric terms, or if it is off."""
        if self.reduced is None or self.reduced.geometric is None or self.stiffening == "off":
            return None
        return SecondOrder(self.reduced)


@short_repr
@dataclass(frozen=True, eq=False)
class FlatPlace(_Frozen):
    """A place on body number `body`, -1 being the ground."""

    body: int
    point: Array  # (3,) body axes; of a node where it is undeformed
    node: int | None  # node number of a flexible body
    rotation: Array | None  # (3, 3) axes of the place in body axes, None: the body's own
    home: Array | None = None  # (3, 3) ground as a turned subsystem sees it: axes that stand for those of the body

    @property
    def body_axes(self) -> Array:
        """The axes (3, 3) that count as those of the body: its own, or on the ground those of the subsystem."""
        return np.eye(3) if self.home is None else self.home

    @property
    def axes(self) -> Array:
        """The axes (3, 3) of the place in body axes."""
        return np.eye(3) if self.rotation is None else self.rotation

    @property
    def has_own_axes(self) -> bool:
        """Whether the user gave the place a rotation."""
        return self.rotation is not None and self.rotation is not self.home


@short_repr
@dataclass(frozen=True, eq=False)
class FlatStep:
    """One step of a general joint: along or about a unit axis."""

    motion: Literal["translate", "rotate"]
    axis: tuple[float, float, float]
    value: float | None = None  # a constant, or None for a coordinate


@short_repr
@dataclass(frozen=True, eq=False)
class FlatJoint(_Frozen):
    """A joint; its coordinates are those of a relative to b."""

    name: str
    kind: str
    a: FlatPlace
    b: FlatPlace
    axis: Array  # (3,) unit, in the axes of place b
    axis_a: Array | None  # (3,) unit, in the axes of place a: universal joint only
    first: Array | None  # (3,) unit, in the axes of place b, across the axis: direction of the first coordinate
    pitch: float
    length: float | None
    steps: tuple[FlatStep, ...]
    driven: tuple[Expression | None, ...]  # general joint: per coordinate the expression of t it follows
    coordinates: tuple[str, ...]  # "angle" or "displacement"
    subsystem: str
    cut: bool
    start: tuple[float | None, ...]  # one per coordinate
    start_rate: tuple[float | None, ...]
    tables: Mapping[str, Table] = field(default_factory=dict)  # those that the expressions it follows look into

    @property
    def where(self) -> Where:
        """What errors about it name."""
        return Where.of("joint", self.name)


@short_repr
@dataclass(frozen=True, eq=False)
class FlatRelation:
    """Σ factor · coordinate = value(t)."""

    name: str
    terms: tuple[tuple[str, int, float], ...]  # joint, coordinate, factor
    value: Expression


@short_repr
@dataclass(frozen=True, eq=False)
class FlatRow:
    """An equation of a constraint, expression = 0; with `of_speeds` the expression is linear in speeds."""

    channel: str  # what its force is called: "force", "normal_force", ...
    law: Expression
    of_speeds: bool
    unit: str  # of the force
    rate: Expression | None = None  # of the expression, where that is known in a shorter form


@short_repr
@dataclass(frozen=True, eq=False)
class FlatConstraint(_Frozen):
    """Equations of places or speeds that hold together: one that the user wrote, or those of something that rolls."""

    name: str
    kind: str  # relation, velocity_constraint, rolling, blade, wheel
    rows: tuple[FlatRow, ...]
    a: FlatPlace | None = None  # what rolls: x of its axes is the axis of a disc, or the direction of an edge
    b: FlatPlace | None = None  # what it rolls on: z of its axes is the normal
    shape: str = ""  # of what rolls: disc, sphere, wheel or blade
    radius: float = 0.0  # m
    height: Expression | None = None  # z of the surface that a sphere rolls on, of ground.foot_x and ground.foot_y
    tables: Mapping[str, Table] = field(default_factory=dict)  # those that its equations look into

    @property
    def where(self) -> Where:
        """What errors about it name."""
        return Where.of("joint", self.name, self.kind)


@short_repr
@dataclass(frozen=True, eq=False)
class FlatForce(_Frozen):
    """A force element; only t, the variables of its kind and sensors are left in its expressions."""

    name: str
    kind: str
    a: FlatPlace | None
    b: FlatPlace | None
    joint: str  # "" if it acts between places
    coordinate: int
    expressions: Mapping[str, Expression]
    numbers: Mapping[str, Array]
    options: Mapping[str, str]
    tables: Mapping[str, Table]  # those its expressions look into, by the names in FlatModel.tables
    function: Callable[..., Any] | None
    profile: Profile | None = None  # of a wheel on the track
    subsystem: str = ""

    def __str__(self) -> str:
        return str(self.where)

    @property
    def where(self) -> Where:
        """What errors about it name."""
        return Where.of("force", self.name, kind_in_words(self.kind, self.expressions))


@short_repr
@dataclass(frozen=True, eq=False)
class FlatState:
    """A state variable; only t, sensors, signals and states are left in its rate."""

    name: str
    rate: Expression
    start: float
    size: float  # what is large for it
    unit: str = ""
    block: Where | None = None  # that it is part of

    @property
    def where(self) -> Where:
        """What errors about it name."""
        return self.block or Where.of("state", self.name)


@short_repr
@dataclass(frozen=True, eq=False)
class FlatSignal:
    """A name for an expression of t, sensors, states and other signals."""

    name: str
    value: Expression
    unit: str = ""


@short_repr
@dataclass(frozen=True, eq=False)
class FlatHeld:
    """A value that a block holds between instants: sampled, switched (0 or 1) or delayed; `input` is a signal."""

    name: str
    kind: Literal["sampled", "switched", "delayed"]
    input: str
    length: float  # period of samples or delay [s]; input at which a switch turns on
    other: float  # time of the first sample [s]; input at which a switch turns off
    start: float | None  # None: what the input is at the start
    size: float  # what is large for it
    block: Where
    unit: str = ""

    @property
    def where(self) -> Where:
        """What errors about it name."""
        return self.block


@short_repr
@dataclass(frozen=True, eq=False)
class FlatModel(_Frozen):
    """All of a model."""

    name: str
    gravity: Array  # (3,) [m/s2]
    bodies: tuple[FlatBody, ...]
    joints: tuple[FlatJoint, ...]
    relations: tuple[FlatRelation, ...]
    forces: tuple[FlatForce, ...]
    parameters: Mapping[str, float]  # front.mass: that of an instance
    states: tuple[FlatState, ...] = ()
    signals: tuple[FlatSignal, ...] = ()
    constraints: tuple[FlatConstraint, ...] = ()
    held: tuple[FlatHeld, ...] = ()
    tables: Mapping[str, Table] = field(default_factory=dict)
    track: Track | None = None
    idle: frozenset[str] = frozenset()  # joints and relations that do not hold
    idle_at_start: frozenset[str] = frozenset()
    switched: frozenset[str] = frozenset()  # joints that are cut for no other reason than that they come or go
    off: frozenset[str] = frozenset()  # forces that do not act
    jolted: bool = False  # whether stages begin with impulses, by what they lock or set
    whens: tuple[Expression, ...] = ()  # what is measured for the stages
    stages: tuple[FlatStage, ...] = ()  # what the model becomes, one after another
    history: History = field(default_factory=History)  # what its items were made from

    @property
    def kept(self) -> tuple[FlatState | FlatHeld, ...]:
        """What the memory of a system keeps for expressions: states, then what blocks hold."""
        return (*self.states, *self.held)


@short_repr
@dataclass(frozen=True, eq=False)
class FlatStage:
    """A stage: when it begins, the joints and relations that are locked there, the model from there on."""

    name: str
    when: Expression  # a constant is a time [s]; else it begins where the expression crosses zero
    lock: tuple[str, ...]
    model: FlatModel

    @property
    def where(self) -> Where:
        """What errors about it name."""
        return Where.of("stage", self.name)
