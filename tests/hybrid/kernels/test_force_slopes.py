"""Slopes of forces element by element against differences of the whole residual, on a flexible body on wheels."""

from __future__ import annotations

import numpy as np
import scipy.linalg

import floatframe as ff
from floatframe import hybrid as h, railway
from floatframe.hybrid.kernels.linear import solve_step
from floatframe.hybrid.kernels.stepping import new_stepping, new_work
from floatframe.hybrid.kernels.steps.newton import iteration_matrix
from floatframe.hybrid.kernels.steps.sliding import correct_sliding
from tests.hybrid.fields import with_fields

TRACK = railway.Track(sections=[railway.Straight(40.0), railway.Transition(20.0), railway.Curve(40.0, 500.0)])
SPEED, STEP = 20.0, 1e-3
CV, CQ = 0.5 * STEP, 0.25 * STEP**2


def vehicle():
    """A beam on two wheelsets: bushings, dampers, friction, wheels."""
    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
    section = ff.fem.BeamSection.rectangle(0.5, 0.3)
    fe = ff.fem.beam_line((-4, 0, 0), (4, 0, 0), n=8, section=section, material=steel)
    body = ff.modal.reduce(fe, interface=[2, 8], n_modes=2)
    model = h.Model(gravity=(0, 0, -9.81), track=TRACK)
    car = model.add(h.FlexibleBody("car", body, **railway.on_track(TRACK, 52.0, height=1.0, speed=SPEED)))
    data = h.Wheelset(1500.0, (900.0, 100.0, 900.0), 0.46, contact={"law": "polach"})
    for name, node, x in (("rear", 2, -3.0), ("front", 8, 3.0)):
        parts = h.add_wheelset(model, name, data, h.Run(52.0 + x, SPEED), 5e4)
        place = parts.box.at((0, 0, 1.0 - parts.height))
        model.add(h.bushing(f"{name}_springs", car.node(node), place, [4e6, 2e6, 2e6, 4e6, 2e6, 6e6], [2e4] * 6))
        model.add(h.spring(f"{name}_damper", car.node(node), parts.box.at((0, 0.5, 0)), damping=5e4))
        model.add(h.friction(f"{name}_rub", car.node(node), parts.box.at((0, -0.5, 0)), 4e3, 0.02, axis=(0, 0, 1)))
    return model.compile()


def prepared(system, state):
    """The arguments of the kernels at a state, for their functions in Python."""
    tables, data, w = with_fields(system.tables), with_fields(system.data(state)), with_fields(new_work(system.tables))
    w.q[:], w.v[:] = state.q, state.v
    w.coordinates.q0[:], w.dofs.v_hist[:] = state.q, state.v
    s = new_stepping()
    s.cv, s.cq = CV, CQ
    return tables, data, w, s


def iteration_matrices(system, state, levels):
    """The iteration matrices of a step that ends at a state, by the kernel's functions in Python."""
    tables, data, w, s = prepared(system, state)
    matrices = []
    for level in levels:
        s.level = level
        iteration_matrix(tables, data, w, s, state.t)
        matrices.append(w.M.copy())
    return matrices


def test_elements_give_the_slopes_of_the_residual():
    """Over the inertia and stiffness of the dofs; without what levers, axes and gyroscopic moments change, which is
    0.4 % of them. Level 0, without forces, is off by far more."""
    system = vehicle()
    none, elements, whole = iteration_matrices(system, system.initial_state(), (0, 1, 2))
    scale = np.sqrt(np.outer(np.diag(whole), np.diag(whole)))
    assert np.abs((elements - whole) / scale).max() < 6e-3
    assert np.abs((none - whole) / scale).max() > 0.5


def test_friction_follows_the_iterate_without_new_factors():
    """A solution by old factors, put right for other slopes of friction, is that of the new matrix, by SciPy; to the
    rounding of a matrix with a condition of 1e4."""
    system = vehicle()
    tables, data, w, s = prepared(system, system.initial_state())
    s.level = 1.0
    assert iteration_matrix(tables, data, w, s, 0.0)
    assert len(w.sliding) == 2
    matrix, load = w.M.copy(), np.linspace(-1.0, 1.0, len(w.x))
    # from holding to sliding, and to half of it
    for number, share, column in zip(w.sliding["element"], (0.0, 0.5), w.rubs, strict=True):
        before = data.forces["state"][number, 0]
        assert before > 1e5  # N s/m: it holds
        data.forces["state"][number, 0] = share * before
        matrix += CV * (share - 1.0) * before * np.outer(column, column)
    w.rhs[:] = load[w.rows["dof"]]
    solve_step(w, 0)
    plain = w.correction.copy()
    correct_sliding(data, w, CV)
    right = scipy.linalg.solve(matrix, load)
    scale = np.abs(right).max()
    np.testing.assert_allclose(w.correction, right, atol=1e-10 * scale)
    assert np.abs(plain - right).max() > 1e-3 * scale
