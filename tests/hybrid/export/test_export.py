"""Exported code computes what the system computes: other code, another compiler, the same numbers."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from floatframe import hybrid as h
from floatframe.errors import FloatframeError, ModelError
from floatframe.hybrid.assembly.compiled_system import accelerations_in
from floatframe.hybrid.export import random_states
from floatframe.hybrid.kernels import ALL_FORCES, CONVECTIVE, JACOBIAN, MASS, TASK_ACCELERATE, along_tree, do
from tests.hybrid import elastic_slider_crank
from tests.hybrid.dc_motor import dc_motor
from tests.hybrid.export.standalone import c_accelerations, c_angles, compiled, imported
from tests.hybrid.four_bar import four_bar
from tests.hybrid.random_systems import TREE_KINDS, beam_body, direction, tree

STATES = 1000
# relative to the largest acceleration or multiplier of a state: the operations are the same but for the order of a few
# sums and the factors of the mass matrix, whose condition multiplies rounding; 1e-15 to 4e-13 measured
CLOSE = 1e-12


def all_joints():
    return tree(np.random.default_rng(1), TREE_KINDS, gravity=(1.0, 2.0, -9.81))


def long_chain():
    """18 speeds in a row: solved by articulated bodies instead of factors of the mass matrix."""
    model = h.Model()
    last = model.ground.at()
    for k in range(18):
        body = model.add(h.RigidBody(f"b{k}", 1.0, (0.1, 0.2, 0.3), com=(0.0, 0.0, -0.5)))
        model.add(h.revolute(f"j{k}", body.at(), last, axis=(1, 0, 0) if k % 2 else (0, 1, 0)))
        last = body.at((0, 0, -1.0))
    return model


def all_forces():
    """Every force element that has a formula; stops and contacts touch at some of the states that are tried."""
    model = h.Model()
    one = model.add(h.RigidBody("one", 2.0, (0.3, 0.4, 0.5), com=(0.1, 0, 0)))
    two = model.add(h.RigidBody("two", 1.0, (0.1, 0.1, 0.1), position=(1.0, 0, 0)))
    model.add(h.revolute("hinge", one.at(), model.ground.at(), axis=(0, 1, 0)))
    law = h.Table([-1.0, 0.0, 0.3, 2.0], [-40.0, 0.0, 5.0, 90.0], kind="cubic", extrapolate=True)
    kinked = "if(elongation > 0, 30*elongation, 20*elongation*abs(rate))"
    steep = "max(1, sin(3*t)) - min(rate, two.position.x)*hypot(angle, 0.1)^2.5"
    model.add(h.spring("spring", two.at(), one.at((0.5, 0, 0)), 100.0, damping=3.0))
    model.add(h.spring("curve", two.at((0, 0.1, 0)), one.at((0.5, 0, 0.2)), force=law))
    model.add(h.spring("kinked", two.at((0, 0.1, 0)), one.at((0.5, 0, 0.2)), force=kinked))
    model.add(h.bushing("bushing", two.at((0, 0, 0.1)), one.at((1, 0, 0)), (50, 60, 70, 4, 5, 6), (1.0,) * 6))
    model.add(h.bump_stop("stop", two.at(), model.ground.at(), 0.02, stiffness=500.0, rebound=0.03))
    floor = {"stiffness": 1e4, "damping": 10.0, "radius": 0.05, "friction": 0.3, "speed": 0.01, "exponent": 1.5}
    model.add(h.contact_plane("plane", two.at(), model.ground.at(), **floor))
    model.add(h.joint_friction("drag", "hinge", "1 + mod(t, 0.3)", speed=0.1))
    model.add(h.joint_torque("drive", "hinge", steep))
    model.add(h.point_force("push", two.at(), ("tanh(t)", "two.velocity.y", "sqrt(1 + two.position.z^2)"), axes="body"))
    return model


def loop():
    """A loop with a torsion spring in the joint that is cut, whose angle is measured."""
    model = four_bar()
    model.add(h.joint_torque("twist", "C", "-3*angle - 0.1*rate"))
    return model


def flexible_branch():
    """A beam as a branch of the tree, with its own damping and a body at its end."""
    rng = np.random.default_rng(5)
    model = tree(rng, ("revolute", "prismatic"), gravity=(0.0, 0.0, -9.81))
    beam = model.add(h.FlexibleBody("beam", beam_body(), damping=0.02))
    tip = model.add(h.RigidBody("tip", 1.0, (1, 1, 1)))
    model.add(h.fixed("base", beam.node(1), h.Place("body1", rng.normal(size=3))))
    model.add(h.revolute("end", tip.at(), beam.node(11), direction(rng)))
    model.add(h.point_force("push", beam.node(11), ("10*sin(t)", 0, 0)))
    return model


MODELS = {
    "all_joints": all_joints,
    "long_chain": long_chain,
    "all_forces": all_forces,
    "loop": loop,
    "flexible_branch": flexible_branch,
    "flexible_loop": elastic_slider_crank.model,
    "state_variables": dc_motor,
}


def expected(system, states):
    """Accelerations, multipliers, rates of states; of a tree those of the kernel that steps use, which is as exact."""
    now, found = system.evaluation(), []
    by_tree = not (system.nlambda or len(system.tables.flexible))
    if by_tree:
        now.work = along_tree(now.work, system.order)
    what = ALL_FORCES | MASS | JACOBIAN | CONVECTIVE
    for state in states:
        now.data.memory[: len(state.memory)] = state.memory
        now(state.t, state.q, what, state.v)
        rates = now.rates
        if by_tree:
            do(TASK_ACCELERATE, now.tables, now.data, now.work, now.settings, False)
            found.append((now.work.x.copy(), now.work.lam.copy(), rates))
        else:
            found.append((*accelerations_in(now), rates))
    return found


@pytest.mark.parametrize("name", MODELS)
def test_exported_c_and_python_agree_with_the_system_at_a_thousand_states(tmp_path, name):
    system = MODELS[name]().compile()
    report = h.export_code(system, tmp_path / f"{name}.c")
    h.export_code(system, tmp_path / f"{name}.py")
    library, module = compiled(report.path, tmp_path), imported(tmp_path / f"{name}.py")
    states = random_states(system, STATES, seed=7)
    wanted = expected(system, states)
    angles, places = module.START_ANGLES, system.tables.states["memory"]
    by_python = module.accelerations(
        np.array([state.t for state in states]),
        np.column_stack([state.q for state in states]),
        np.column_stack([state.v for state in states]),
        np.column_stack([state.memory[places] for state in states]),
        angles[:, None],
    )
    by_c = [c_accelerations(library, name, system, state, angles) for state in states]
    for k, what in enumerate(("accelerations", "multipliers", "rates of states")):
        values = np.column_stack([each[k] for each in wanted])
        size = np.abs(values).max(axis=0, initial=1e-300)
        for found in (np.column_stack([each[k] for each in by_c]), by_python[k]):
            assert_allclose(found / size, values / size, rtol=0, atol=CLOSE, err_msg=what)


def test_exported_code_is_as_exact_where_a_measured_angle_has_turned(tmp_path):
    """A cut hinge counts its turns: the angle last known decides which turn it is in."""
    system = loop().compile()
    path = h.export_code(system, tmp_path / "loop.c").path
    library, module = compiled(path, tmp_path), imported(h.export_code(system, tmp_path / "loop.py").path)
    turned = module.START_ANGLES + 4 * np.pi
    (state,) = random_states(system, 1)
    memory = state.memory.copy()
    memory[system.tables.coordinates["memory"][system.tables.coordinates["kind"] == 1]] += 4 * np.pi
    there = h.State(state.t, state.q, state.v, memory)
    once, twice = system.accelerations(state)[0], system.accelerations(there)[0]
    assert np.abs(twice - once).max() > 1e-2 * np.abs(once).max()  # a spring wound up by two turns
    size = np.abs(twice).max()
    assert_allclose(c_accelerations(library, "loop", system, state, turned)[0] / size, twice / size, atol=CLOSE)
    now = module.measured_angles(state.q, turned)
    assert abs(now - turned).max() < np.pi
    assert_allclose(c_angles(library, "loop", state.q, turned), now, rtol=1e-15)


def test_coordinate_rates_are_those_of_moving_along_the_speeds(tmp_path):
    """dq/dt of every kind of joint, quaternions included, by central differences of the motion itself."""
    system = all_joints().compile()
    module = imported(h.export_code(system, tmp_path / "tree.py").path)
    (state,) = random_states(system, 1)
    step = 1e-4
    ahead, behind = (system.move(state, sign * step * state.v).q for sign in (1, -1))
    # central differences: error of second order in the step, third derivatives of quaternions are below 1
    assert_allclose(module.coordinate_rates(state.q, state.v), (ahead - behind) / (2 * step), atol=1e-7)


def test_constants_are_folded():
    """A pendulum needs few operations: sine of the angle, a factor, the torque; not the hundreds of a general tree."""
    from floatframe.hybrid.export.equations import equations_of

    model = h.Model()
    bob = model.add(h.RigidBody("bob", 2.0, (0.1, 0.1, 0.1), com=(0, 0, -1.5)))
    model.add(h.revolute("hinge", bob.at(), model.ground.at(), axis=(0, 1, 0)))
    assert equations_of(model.compile()).operations < 20


def refused(model):
    with pytest.raises(ModelError) as error:
        h.export_code(model.compile(), "never.c")
    return str(error.value)


def test_what_has_no_formula_is_refused_by_its_name():
    model = all_forces()
    model.add(h.user_force("mine", h.Place("two"), model.ground.at(), lambda *_: ((0, 0, 0), (0, 0, 0))))
    assert refused(model).startswith("user_force 'mine' cannot be exported: it calls a Python function")
    model = all_forces()
    model.add(h.joint_friction("sticky", "hinge", 1.0, stick=True, stiffness=100.0))
    assert "'sticky' cannot be exported: it remembers where it sticks" in refused(model)
    model = all_forces()
    model.add(h.Stage("later", 1.0, off=("drive",)))
    assert "stage 'later' cannot be exported" in refused(model)


@pytest.mark.parametrize("law", ["sin(3*1e308)", "1e200*1e200", "exp(1000)", "log(0 - 1)", "0/0"])
def test_expressions_without_a_number_are_refused(law):
    model = h.Model()
    bob = model.add(h.RigidBody("bob", 2.0, (0.1, 0.1, 0.1)))
    model.add(h.revolute("hinge", bob.at(), model.ground.at(), axis=(0, 1, 0)))
    model.add(h.joint_torque("drive", "hinge", law))
    with pytest.raises(FloatframeError, match="number"):
        h.export_code(model.compile(), "never.c")


def test_another_suffix_is_refused(tmp_path):
    with pytest.raises(ModelError, match=r"has the suffix '.cpp', expected .c or .py"):
        h.export_code(all_forces().compile(), tmp_path / "model.cpp")
