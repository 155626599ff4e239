"""Stresses in runs: full statics and full time integration of the finite element model, names, refusals."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csc_matrix
from scipy.sparse.linalg import splu

import floatframe as ff
from tests.modal.body.stressed_models import beam, shell, solid

GRAVITY = (1.0, -2.0, -9.81)
FORCE = np.array([300.0, 200.0, -100.0])


def machine(body: ff.modal.ReducedBody, gravity=(0.0, 0.0, 0.0), force=FORCE, factor="1") -> ff.hybrid.System:
    """A body that is clamped at its first interface node and pulled at the second."""
    first, second = (int(node) for node in body.interface_nodes)
    model = ff.hybrid.Model(gravity=gravity)
    part = model.add(ff.hybrid.FlexibleBody("part", body, stiffening="off"))
    place = tuple(body.nodes[body.node_index([first])[0]])
    model.add(ff.hybrid.fixed("root", part.node(first), model.ground.at(place)))
    model.add(ff.hybrid.point_force("pull", part.node(second), force=tuple(f"({factor})*{f}" for f in force)))
    return model.compile()


def stressed(make, n_modes=20, **options):
    fe, interface = make()
    body = ff.modal.reduce(fe, interface=interface, n_modes=n_modes, geometric=False)
    return fe, ff.modal.with_stress(body, fe, **options)


@pytest.mark.parametrize("make", [beam, shell, solid])
def test_statics_of_the_machine_are_those_of_the_full_model(make):
    fe, body = stressed(make)
    system = machine(body, GRAVITY, 0.01 * FORCE)
    found = ff.hybrid.stress_at(system, system.equilibrium(), "part")
    nodes, values = found.body.stress_shapes.nodal_von_mises(found.drive[0])
    first, second = body.interface_nodes
    loads = {(int(second), name): 0.01 * f for name, f in zip(("ux", "uy", "uz"), FORCE, strict=True)}
    full = ff.modal.static_solution(fe, loads=loads, gravity=GRAVITY, fixed=[int(first)])
    expected = full.stresses().nodal_von_mises()[fe.node_index(nodes)]
    # exact but for the rotation of the deflected end, of which the loads know in the machine
    assert values == pytest.approx(expected, rel=0.01, abs=1e-3 * expected.max())


def newmark(fe, fixed: int, load: np.ndarray, factors: np.ndarray, step: float) -> np.ndarray:
    """Return displacements (nt, ndof) of the full model, at rest at first, under a load times factors (nt,)."""
    free = fe.free_rows([fixed])
    K, M = (csc_matrix(A[free][:, free]) for A in (fe.stiffness(), fe.mass()))
    f = fe.project_load(load)[free]
    u, v, a = np.zeros(len(free)), np.zeros(len(free)), splu(M).solve(f * factors[0])
    effective, found = splu(csc_matrix(K + 4.0 / step**2 * M)), []
    for k, factor in enumerate(factors):
        if k:
            new = effective.solve(factor * f + M @ (4.0 / step**2 * u + 4.0 / step * v + a))
            rate = 2.0 / step * (new - u) - v
            a = 4.0 / step**2 * (new - u) - 4.0 / step * v - a
            u, v = new, rate
        found.append(u)
    whole = np.zeros((len(found), fe.ndof))
    whole[:, free] = found
    return whole


@pytest.mark.parametrize(("make", "period"), [(beam, 0.05), (shell, 0.1), (solid, 0.01)])
def test_transient_stress_is_that_of_full_time_integration(make, period):
    """A pull that swells and fades twice within the first period or so of the clamped body."""
    fe, body = stressed(make)
    system = machine(body, force=0.01 * FORCE, factor=f"sin({2.0 * np.pi / period}*t)^2")
    step = period / 400
    record = ff.hybrid.Record(every=4 * step)
    result = system.simulate(t_end=period, method="generalised-alpha", step=step, spectral_radius=1.0, record=record)
    first, second = body.interface_nodes
    load = np.zeros((fe.nnode, 6))
    load[fe.node_index([int(second)])[0], :3] = 0.01 * FORCE
    factors = np.sin(2.0 * np.pi * np.arange(401) / 400) ** 2
    u = newmark(fe, int(first), load, factors, step)[::4]
    # a node in the middle of the body and one near its clamp
    middle = fe.node_ids[np.argsort(np.abs(fe.nodes[:, 0] - np.median(fe.nodes[:, 0])))[0]]
    kept = np.unique(body.stress.node)
    near = kept[
        np.argsort(np.linalg.norm(fe.nodes[fe.node_index(kept)] - fe.nodes[fe.node_index([first])[0]], axis=1))[1]
    ]
    for node in (middle, near):
        found = result[f"part.node[{node}].von_mises"]
        expected = [ff.fem.stresses(fe, fe.expand(row)).nodal_von_mises()[fe.node_index([int(node)])[0]] for row in u]
        assert len(found) == len(expected) == 101
        assert np.abs(found - expected).max() < 0.02 * np.max(expected)


def test_many_fibres_are_named_by_the_first_and_the_last():
    """The outline of a tube has 72 of them."""
    tube = ff.fem.BeamSection.tube(0.05, 0.004)
    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
    fe = ff.fem.beam_line((0, 0, 0), (1, 0, 0), n=2, section=tube, material=steel)
    body = ff.modal.with_stress(ff.modal.reduce(fe, interface=[1, 3], n_modes=1, geometric=False), fe)
    run = machine(body).simulate(t_end=1e-3, step=1e-3)
    with pytest.raises(ff.ModelError, match=r"places \(fibre 1 … fibre 72\); name one, as in part\.node\[2\]\.fibre"):
        run["part.node[2].stress.xx"]
    with pytest.raises(ff.ModelError, match=r"no 'fibre 99' there; it has fibre 1 … fibre 72"):
        run["part.node[2].fibre[99].stress.xx"]
