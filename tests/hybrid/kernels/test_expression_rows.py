"""Constraint rows that are expressions against a plain twin: values by the expression's own evaluation, by differences
along the motion, and forces that do no work."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from floatframe import hybrid as h
from floatframe.hybrid.description import quaternion_to_matrix
from floatframe.hybrid.kernels import ALL_FORCES, CONVECTIVE, COUNTERS, JACOBIAN, PLACES, Kept
from floatframe.hybrid.results import observed
from tests.hybrid import random_systems as make

pytestmark = pytest.mark.filterwarnings("ignore:body '")  # bodies are not where they roll at first

EXPRESSIONS = {
    "bent": "sin(A.angle)*B.displacement - 0.3*beam.node[11].position.y^2 + 0.1*t*a.position.x - 0.2",
    "turned": "a.axis_x.y*b.axis_z.x + 0.2*sin(t)*b.axis_y.z - 0.1*beam.mode[1]",
    "glide": "cos(A.angle)*a.velocity.y - b.axis_x.z*beam.node[1].velocity.x + t*B.rate - 0.3*sin(t)*b.position.z",
    "spin": "b.angular_velocity.x*a.position.y + beam.node[11].angular_velocity.z - 2*A.rate + beam.mode_rate[2]",
}
MODES = {"mode": "modal", "mode_rate": "modal_rate"}


def system() -> h.System:
    """Bodies in tree and cut joints, one that rolls on another that moves, and a beam."""
    rng = np.random.default_rng(5)
    model = h.Model(gravity=(1.0, 2.0, -9.0))
    one, two, floor = (model.add(make.rigid_body(rng, name)) for name in ("a", "b", "table_top"))
    beam = model.add(h.FlexibleBody("beam", make.beam_body(2), damping=0.01))
    model.add(h.revolute("A", one.at((0.1, 0, 0)), model.ground.at(), axis=(1, 2, 0)))
    model.add(h.prismatic("B", two.at(), one.at((0, 0.2, 0)), axis=(0, 1, 3), cut=True))
    ball, disc = (model.add(make.rigid_body(rng, name)) for name in ("ball", "disc"))
    model.add(
        h.rolling("on_floor", disc.at((0.1, 0.2, 0)), floor.at((0.3, 0, 0)), 0.4, axis=(0, 1, 0.5), normal=(0, 1, 1))
    )
    model.add(h.rolling("on_drum", ball.at(), floor.at((0.3, 0, 0)), 0.2, surface="sqrt(x^2 + z^2) - 0.7"))
    stone = model.add(make.rigid_body(rng, "stone"))
    hill = "0.2*sin(x) + 0.1*x*y + 0.05*y^2"
    model.add(h.rolling("on_hill", stone.at((0.1, 0, 0)), floor.at((0.3, 0, 0)), 0.2, height=hill))
    model.add(h.blade("edge", two.at((0, 0.3, 0)), floor.at(), forward=(1, 1, 0)))
    model.add(h.wheel("wheel", beam.node(1), floor.at(), steering="0.3*sin(t) + A.angle", radius=0.3, joint="A"))
    for name in ("bent", "turned"):
        model.add(h.relation(name, expression=EXPRESSIONS[name]))
    for name in ("glide", "spin"):
        model.add(h.velocity_constraint(name, EXPRESSIONS[name]))
    return model.compile()


@pytest.fixture(scope="module")
def moving() -> tuple[h.System, h.State]:
    made, rng = system(), np.random.default_rng(6)
    step, v = 0.05 * rng.normal(size=made.nv), rng.normal(size=made.nv)
    flexible = made.tables.dofs["link"] < 0
    step[flexible], v[flexible] = 0.01 * step[flexible], 0.1 * v[flexible]
    return made, h.State(0.4, made.move(made.start, step).q, v, made.start.memory)


def rates(made: h.System, state: h.State) -> np.ndarray:
    now = made.evaluation(state)(state.t, state.q, ALL_FORCES | JACOBIAN, state.v)
    return now.G @ state.v + now.data.rows["rate"]


def later(made: h.System, state: h.State, dt: float, a: np.ndarray) -> h.State:
    """The state a little later, on a motion with accelerations a (nv,)."""
    return h.State(state.t + dt, made.move(state, dt * (state.v + 0.5 * dt * a)).q, state.v + dt * a, state.memory)


def test_rates_are_derivatives_of_values(moving):
    made, state = moving
    e, a = 1e-5, np.zeros(made.nv)
    by_differences = (made.constraints(later(made, state, e, a)) - made.constraints(later(made, state, -e, a))) / (
        2 * e
    )
    places = made.tables.rows["level"] == PLACES
    # truncated at e^2 times third derivatives of order ten
    assert_allclose(rates(made, state)[places], by_differences[places], atol=1e-8)


def test_second_derivatives_are_those_of_rates(moving):
    made, state = moving
    e, a = 1e-5, np.random.default_rng(7).normal(size=made.nv)
    by_differences = (rates(made, later(made, state, e, a)) - rates(made, later(made, state, -e, a))) / (2 * e)
    now = made.evaluation(state)(state.t, state.q, ALL_FORCES | CONVECTIVE | JACOBIAN, state.v, a)
    assert_allclose(now.data.rows["convective"], by_differences, atol=2e-7)  # as above, of larger numbers
    at_rest = made.evaluation(state)(state.t, state.q, ALL_FORCES | CONVECTIVE | JACOBIAN, state.v)
    assert_allclose(at_rest.data.rows["convective"] + now.G @ a, now.data.rows["convective"], atol=1e-11)


def test_forces_are_those_of_the_jacobian(moving):
    made, state = moving
    lam = np.random.default_rng(8).normal(size=made.nlambda)
    a = np.zeros(made.nv)
    with_forces, without = (made.residual(state, a, one) for one in (lam, 0.0 * lam))
    assert_allclose(without - with_forces, made.constraint_jacobian(state).T @ lam, atol=1e-11)


def test_rows_are_the_expressions_themselves(moving):
    """Channels give what the names stand for, and the expressions are evaluated in Python."""
    made, state = moving
    channels = ["A.angle", "A.rate", "B.displacement", "B.rate", "beam.modal", "beam.modal_rate"]
    channels += ["beam.node[11].position", "beam.node[1].velocity", "beam.node[11].angular_velocity"]
    channels += [f"{body}.{what}" for body in "ab" for what in ("position", "velocity", "rotation", "angular_velocity")]
    once = [np.array([state.q]), np.array([state.v]), np.zeros((1, made.nv)), np.zeros((1, made.nlambda))]
    kept = Kept(np.array([state.t]), *once, np.array([state.memory]), np.zeros(1, COUNTERS))
    found = observed(made, channels, kept)
    known = {name: values[0] for name, values in found.items() if values.ndim == 1} | {"t": state.t}
    known |= {f"beam.{what}[{k + 1}]": found[f"beam.{of}"][0, k] for what, of in MODES.items() for k in range(2)}
    for body in "ab":
        R = quaternion_to_matrix(found[f"{body}.rotation"][0])
        known |= {f"{body}.axis_{j}.{i}": R["xyz".index(i), "xyz".index(j)] for i in "xyz" for j in "xyz"}
    values, speeds = made.constraints(state), rates(made, state)
    for name, text in EXPRESSIONS.items():
        row = made.row_names.index(name)
        ours = (values if name in ("bent", "turned") else speeds)[row]
        assert ours == pytest.approx(h.parse(text).evaluate(known), abs=1e-13)  # rounding
