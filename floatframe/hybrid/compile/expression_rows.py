"""Constraint rows that are expressions: their derivatives by calculus, as the programs that `kernels.terms` runs.

An expression has names of places p, whose rates are expressions linear in names of speeds r, and of t. With

    E' = dE/dt = sum of dE/dp rate(p) + partial dE/dt           of a row of places
    E' = E                                                      of a row of speeds

E' is linear in the speeds, a_i = dE'/dr_i; what is left of it without speeds is the partial rate a_0, and its own
derivative without accelerations is the sum of dE'/dp rate(p) + partial dE'/dt. Nothing is found by differences.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from floatframe.errors import ModelError
from floatframe.expressions import Call, Expression, parse
from floatframe.hybrid.compile.build import Build
from floatframe.hybrid.compile.foot_point import FOOT, foot_point
from floatframe.hybrid.compile.programs import add_program, sensor_slot
from floatframe.hybrid.flat import RATE, VALUE, FlatConstraint, FlatPlace, FlatRow, FlatState
from floatframe.hybrid.kernels import (
    DISPLACEMENT,
    EXPRESSION,
    FIRST_SENSOR,
    PLACES,
    SENSE_AXIS,
    SENSE_COORDINATE,
    SENSE_FOOT,
    SENSE_MEMORY,
    SENSE_MODAL,
    SENSE_POSITION,
    SENSE_RATE,
    SPEEDS,
    TURNING,
)
from floatframe.wording import chain

NOTHING = parse(0.0)
SLOPE = 1e-9  # by which the gradient of a distance may miss one


@dataclass
class Variables:
    """What the names in the equations of one constraint mean."""

    b: Build
    slots: dict[str, int] = field(default_factory=dict)  # of names that only this constraint knows
    rates: dict[str, Expression] = field(default_factory=dict)  # by name of a place: its rate
    speeds: dict[str, int] = field(default_factory=dict)  # by name of a speed: its slot
    states: set[str] = field(default_factory=set)  # places that are state variables
    held: set[str] = field(default_factory=set)  # names of what blocks hold
    on_ground: dict[str, Expression] = field(default_factory=lambda: dict(_GROUND_RATES))

    def add_foot(self, height: Expression) -> None:
        """The foot of the place on a surface z = height of it, and its rates."""
        starts, steps, rates = foot_point(height)
        slots = self.slots | {name: FIRST_SENSOR + len(self.b.sensors) + k for k, name in enumerate(FOOT)}
        programs = [add_program(self.b, law, slots) for law in (*starts, *steps)]
        for k, name in enumerate(FOOT):
            sensor = {"kind": SENSE_FOOT, "index": programs[0], "component": k}
            self.slots[name] = FIRST_SENSOR + self.b.sensors.add(sensor)
            self.on_ground[name] = rates[k]

    def learn(self, law: Expression) -> None:
        """Find out what the names of an expression mean, and the names in their rates."""
        for name in sorted(law.names - {"t"} - self.rates.keys() - self.speeds.keys()):
            slot = self.slots[name] if name in self.slots else sensor_slot(self.b, name, law.where, ("t",))
            rate = self._rate(name, slot)
            if rate is None:
                self.speeds[name] = slot
            else:
                self.rates[name] = NOTHING  # meanwhile, since rates of axes name each other
                self.learn(rate)
                self.rates[name] = rate

    def _rate(self, name: str, slot: int) -> Expression | None:
        """The rate of a place; None of a speed."""
        if name.startswith("ground."):
            return self.on_ground.get(name)
        sensor = self.b.sensors[slot - FIRST_SENSOR - self.b.sensors.first]
        kind = sensor["kind"]
        if kind == SENSE_MEMORY:
            kept = next(one for one in self.b.model.kept if one.name == name.removesuffix(VALUE))
            if isinstance(kept, FlatState):
                self.states.add(name)
                return kept.rate
            self.held.add(name)
            return NOTHING
        if kind == SENSE_POSITION:
            return parse(name.replace(".position.", ".velocity."))
        if kind == SENSE_MODAL:
            return parse(name.replace(".mode[", ".mode_rate["))
        if kind == SENSE_COORDINATE:
            joint, k = next(key for key, number in self.b.coordinate_number.items() if number == sensor["index"])
            return parse(f"{self.b.model.joints[joint].name}.rate[{k + 1}]")
        if kind == SENSE_AXIS:
            whole, _, component = name.rpartition(".")
            body, _, axis = whole.rpartition(".axis_")
            following, last = {"x": ("y", "z"), "y": ("z", "x"), "z": ("x", "y")}[axis]
            turn, axes = f"{body}.angular_velocity", f"{body}.axis_"
            return parse(f"{turn}.{last}*{axes}{following}.{component} - {turn}.{following}*{axes}{last}.{component}")
        return None

    def derivative(self, law: Expression) -> Expression:
        """The total derivative by time of an expression, but for accelerations."""
        total = law.derivative("t").root
        for name in sorted(law.names & self.rates.keys()):
            part = Call("*", (law.derivative(name).root, self.rates[name].root))
            total = Call("+", (total, part))
        return Expression(total, law.where).simplified()


def add_constraint(b: Build, constraint: FlatConstraint) -> None:
    """The rows of a constraint."""
    variables = Variables(b)
    if constraint.a is not None and constraint.b is not None:
        variables.slots |= _seen_from_ground(b, b.marker(constraint.a), b.marker(constraint.b))
        _require_distance(b, constraint, constraint.a, constraint.b)
        if constraint.height is not None:
            variables.add_foot(constraint.height)
    for row in constraint.rows:
        _add_row(b, constraint, row, variables)


def _add_row(b: Build, constraint: FlatConstraint, row: FlatRow, variables: Variables) -> None:
    law = _without_signals(b, row.law)
    variables.learn(law)
    speeds = sorted(law.names & variables.speeds.keys())
    if held := sorted(law.names & variables.held):
        raise law.problem(
            f"'{law}' has {chain(held)} in it, which jumps or has no known rate, so speeds cannot follow it; expected "
            "no values of blocks that sample, switch or delay: put a transfer_function behind them"
        )
    if not row.of_speeds:
        _require_places(law, speeds, variables)
    elif not speeds:
        raise law.problem(
            f"'{law}' has no speeds, expected velocities of bodies or rates of joints; make it a relation"
        )
    rate = law if row.of_speeds else row.rate or variables.derivative(law)
    variables.learn(rate)
    speeds = sorted(rate.names & variables.speeds.keys())
    slopes = {name: rate.derivative(name) for name in speeds}
    for name, slope in slopes.items():
        if bent := sorted(slope.names & variables.speeds.keys()):
            raise law.problem(
                f"'{law}' is not linear in speeds: the factor of {name} has {chain(bent)} in it; expected factors of "
                "places and t only"
            )
    if not speeds:
        raise law.problem(
            f"'{law}' does not depend on the motion, so it holds nothing; name places of bodies or joints"
        )
    still = rate.substitute(dict.fromkeys(speeds, 0.0)).simplified()
    programs = [NOTHING if row.of_speeds else law, still, variables.derivative(rate), *slopes.values()]
    try:
        numbers = [add_program(b, one, {**variables.slots}) for one in programs]
    except ModelError as error:
        raise law.problem(str(error)) from None
    first = len(b.terms)
    b.terms += ({"coordinate": -1, "sensor": variables.speeds[name] - FIRST_SENSOR} for name in speeds)
    b.rows.append(
        {
            "kind": EXPRESSION,
            "level": SPEEDS if row.of_speeds else PLACES,
            "a": -1,
            "b": -1,
            "first_term": first,
            "last_term": len(b.terms),
            "program": numbers[0],
            "work": b.add_work(len(speeds)),
        }
    )
    b.row_names.append(constraint.name)


def _require_places(law: Expression, speeds: list[str], variables: Variables) -> None:
    """Refuse a relation of speeds or states."""
    if speeds:
        raise law.problem(
            f"'{law}' has the speeds {chain(speeds)} in it, expected places and t only; write it as velocity_constraint"
        )
    if states := sorted(law.names & variables.states):
        raise law.problem(
            f"'{law}' has the state {chain(states)} in it, which would have to follow the motion at once; hold its "
            "rate by a velocity_constraint, or act through a force"
        )


def _without_signals(b: Build, law: Expression) -> Expression:
    """The expression with signals, and rates of states, replaced by what they stand for."""
    known: dict[str, float | Expression] = {}
    for signal in b.model.signals:
        known |= {signal.name: signal.value, signal.name + VALUE: signal.value}
    known |= {state.name + RATE: state.rate for state in b.model.states}
    while law.names & known.keys():
        law = law.substitute(known)
    return law


# the rates of places seen from the ground that something rolls on
_GROUND_RATES: Mapping[str, Expression] = {
    **{f"ground.{k}": parse(f"ground.v{k}") for k in "xyz"},
    "ground.ax": parse("ground.wy*ground.az - ground.wz*ground.ay"),
    "ground.ay": parse("ground.wz*ground.ax - ground.wx*ground.az"),
    "ground.az": parse("ground.wx*ground.ay - ground.wy*ground.ax"),
}


def _require_distance(b: Build, constraint: FlatConstraint, one: FlatPlace, other: FlatPlace) -> None:
    """Refuse a surface whose expression is not the distance from it: its gradient has another length than one."""
    law = constraint.rows[0].law
    if constraint.shape != "sphere" or constraint.height is not None:
        return
    place, origin = (b.pose(place.body).then(place.point, place.axes) for place in (one, other))
    seen = {f"ground.{k}": x for k, x in zip("xyz", origin.R.T @ (place.p - origin.p), strict=True)}
    slope = math.hypot(*(law.derivative(name).evaluate(seen, b.model.tables) for name in seen))
    if abs(slope - 1.0) > SLOPE:
        raise constraint.where.key("surface").error(
            f"its gradient has the length {slope:.6g} at the start, expected 1: the expression must be the distance "
            "from the surface, such as sqrt(x^2 + z^2) - 0.5 of a cylinder"
        )


def _seen_from_ground(b: Build, one: int, other: int) -> dict[str, int]:
    """The slots of place, velocity, turning and direction of a marker, in the axes of another one."""
    slots = {}

    def add(name: str, **sensor: int) -> None:
        slots[f"ground.{name}"] = FIRST_SENSOR + b.sensors.add(sensor)

    unused = dict.fromkeys(("iq", "iv", "memory"), -1)
    for k, letter in enumerate("xyz"):
        shared = {**unused, "a": one, "b": other, "axis": k}
        way = b.coordinates.add({**shared, "kind": DISPLACEMENT})
        turn = b.coordinates.add({**shared, "kind": TURNING})
        add(letter, kind=SENSE_COORDINATE, index=way)
        add(f"v{letter}", kind=SENSE_RATE, index=way)
        add(f"w{letter}", kind=SENSE_RATE, index=turn)
        add(f"a{letter}", kind=SENSE_AXIS, index=one, other=other, component=k)
    return slots
