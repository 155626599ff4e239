"""What a kind of element is: terminals, parameters, and the law that gives its flows and their three Jacobians.

A node has a potential with a displacement x, a velocity v and an acceleration a; what these are depends on the physics:

translation  displacement, velocity, acceleration; flow: force        thermal    v is the temperature; flow: heat flow
rotation     angle, angular velocity, …; flow: torque                 hydraulic  v is the pressure; flow: volume flow
electric     x flux linkage, v voltage; flow: current                 signal     v is the value of a signal
orientation x is one of three parameters of an attitude; flow: moment about a global axis

Flows are those of the system on the element, so that they are positive into it and add up to zero at every node.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from floatframe.arrays import Array
from floatframe.io import Channel


@dataclass(frozen=True)
class Domain:
    """A kind of physics: names and units of its potential and flow.

    levels: names of x, v, a, empty where nobody looks at them; small: a potential that counts as nothing next to those
    of usual models, the absolute tolerance by default.
    """

    name: str
    levels: tuple[str, str, str]
    units: tuple[str, str, str]
    flow: str
    flow_unit: str
    small: float
    shown: tuple[int, ...] = (0, 1, 2)  # levels that are recorded
    heat: bool = False  # the flow itself is a power
    dual: bool = True  # flow times velocity is a power


TRANSLATION = Domain(
    *("translation", ("displacement", "velocity", "acceleration"), ("m", "m/s", "m/s2"), "force", "N", 1e-6)
)
ROTATION = Domain(
    "rotation",
    ("angle", "angular_velocity", "angular_acceleration"),
    ("rad", "rad/s", "rad/s2"),
    *("torque", "N m", 1e-6),
)
ELECTRIC = Domain("electric", ("flux", "voltage", "voltage_rate"), ("V s", "V", "V/s"), "current", "A", 1e-6, (1,))
THERMAL = Domain(
    "thermal", ("", "temperature", "temperature_rate"), ("", "K", "K/s"), "heat_flow", "W", 1e-3, (1,), True
)
HYDRAULIC = Domain("hydraulic", ("", "pressure", "pressure_rate"), ("", "Pa", "Pa/s"), "flow", "m3/s", 1.0, (1,))
SIGNAL = Domain("signal", ("integral", "value", "rate"), ("", "", ""), "input", "", 1e-6, (1,))
ORIENTATION = Domain(
    *("orientation", ("parameter", "parameter_rate", "parameter_acceleration"), ("", "1/s", "1/s2"), "moment", "N m"),
    *(1e-6, (0, 1)),
    dual=False,
)
DOMAINS = {d.name: d for d in (TRANSLATION, ROTATION, ELECTRIC, THERMAL, HYDRAULIC, SIGNAL, ORIENTATION)}


@dataclass(frozen=True)
class Terminal:
    """A place of an element that joins a node; optional: grounded unless a node is named."""

    name: str
    domain: Domain
    optional: bool = False


@dataclass(frozen=True)
class Internal:
    """An unknown of an element's own, such as the current of a source: its v is what the name says.

    small: a value that counts as nothing; start: its v at the start, or the parameter for it; displacement: its x;
    motion: the physics of a speed, ROTATION where x is an angle.
    """

    name: str
    unit: str
    small: float = 1e-9
    start: float | str = 0.0
    displacement: float = 0.0
    motion: Domain | None = None


@dataclass(frozen=True)
class Parameter:
    """A number of an element; without a default it must be given."""

    name: str
    unit: str
    meaning: str
    default: float | None = None
    least: float = -math.inf
    above: float = -math.inf  # must be greater


@dataclass(frozen=True)
class Input:
    """A parameter that may be an expression of time and of potentials, such as the voltage of a source."""

    name: str
    unit: str
    meaning: str
    default: float | None = None


class At(NamedTuple):
    """Where a law is evaluated, for n elements of one kind with N terminals and internal unknowns each."""

    x: Array  # (N, n)
    v: Array  # (N, n)
    a: Array  # (N, n)
    t: float  # [s]
    p: Array  # (number of parameters, n)
    s: Array  # (number of inputs, n)


class Out(NamedTuple):
    """Where a law writes, zeros at first."""

    F: Array  # (N, n) flows into the elements; for an internal unknown the equation that is to vanish
    K: Array  # (N, N, n) derivatives of the flows by x
    D: Array  # (N, N, n) by v
    M: Array  # (N, N, n) by a
    S: Array  # (N, number of inputs, n) by the inputs


Law = Callable[[At, Out], None]


class Observable(Protocol):
    """What an element has to record besides unknowns and flows."""

    def channels(self, wanted: Sequence[str]) -> dict[str, Channel]:
        """All channels by name, and those of the wanted names that are too many to list."""
        ...

    def reader(self, names: Sequence[str]) -> Callable[[At], Array]:
        """The function that reads the columns of some of them."""
        ...


class Carried(Protocol):
    """What an element knows beside its unknowns: the attitudes of bodies, which no displacements add up to.

    And Jacobians of an earlier step, on which the last digits of a run depend.
    """

    def begin(self, at: At) -> None:
        """Go back to the start."""
        ...

    def follow(self, at: At) -> None:
        """Go to the end of a step that was taken."""
        ...

    @property
    def next_change(self) -> float:
        """When its equations change next [s]."""
        ...

    @property
    def words(self) -> str:
        """What has changed so far, in sentences."""
        ...

    def change(self, at: At) -> None:
        """Let its equations change, at that time."""
        ...

    def content(self) -> Array:
        """All of it, for a run that is resumed."""
        ...

    def restore(self, kept: Array) -> None:
        """Go to where a run was."""
        ...

    def renew(self) -> None:
        """Find Jacobians where it is when they are needed next."""
        ...


@dataclass(frozen=True)
class Limit:
    """Where a law ends: a run fails there.

    above_zero: an expression of parameters and of displacements, which are called as their terminals; problem: the
    sentence about it, from the values of all these, with the cure.
    """

    above_zero: str
    problem: Callable[[Mapping[str, float]], str]


def _nothing_wrong(values: dict[str, float]) -> str:
    return ""


@dataclass(frozen=True)
class Kind:
    """A kind of element.

    linear: the Jacobians are constant and the flows affine in potentials and inputs; timed: the flows depend on t other
    than through inputs; through: what enters at the first of two terminals leaves at the second; energy: what the
    elements store (n,) [J]; linear kinds with it do nothing else with what they take in; code: name in the text form;
    closing: how many eigenvalues only say how gaps of joints close, and their rate [1/s]; reach: the share (n,) of a
    change (N, n) of potentials v (N, n) that one iteration may go, for laws that bend away sharply, with parameters p;
    limits: where the law ends.
    """

    name: str
    meaning: str
    terminals: tuple[Terminal, ...]
    parameters: tuple[Parameter, ...]
    law: Law
    inputs: tuple[Input, ...] = ()
    internals: tuple[Internal, ...] = ()
    linear: bool = False
    timed: bool = False
    through: bool = False
    energy: Callable[[At], Array] | None = None
    code: str = ""
    closing: tuple[int, float] = (0, 0.0)
    observable: Observable | None = None
    carried: Carried | None = None
    reach: Callable[[Array, Array, Array], Array] | None = None
    limits: tuple[Limit, ...] = ()
    check: Callable[[dict[str, float]], str] = _nothing_wrong  # what is wrong with parameters

    @property
    def values(self) -> tuple[Parameter | Input, ...]:
        """All that is given for an element: parameters, then inputs."""
        return (*self.parameters, *self.inputs)

    @property
    def size(self) -> int:
        """Number of terminals and internal unknowns."""
        return len(self.terminals) + len(self.internals)


def pair(domain: Domain) -> tuple[Terminal, Terminal]:
    """Two terminals of the same physics, a and b."""
    return Terminal("a", domain), Terminal("b", domain)


def through(F: Array, flow: Array, first: int = 0, second: int = 1) -> None:
    """Let a flow enter at one terminal and leave at another one."""
    F[first] += flow
    F[second] -= flow


def by_difference(J: Array, slope: Array, first: int = 0, second: int = 1) -> None:
    """Add the Jacobian of a flow through two terminals that depends on the difference of their potentials."""
    J[first, first] += slope
    J[second, second] += slope
    J[first, second] -= slope
    J[second, first] -= slope


def magnitude(z: Array) -> Array:
    """|z| of real numbers that may carry a complex step."""
    return np.where(np.real(z) < 0.0, -z, z)
