"""Stresses as outputs of linear systems: the harmonic solution of full models, closed forms, refusals."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csc_matrix
from scipy.sparse.linalg import splu

import floatframe as ff
from floatframe import hybrid as h
from floatframe.errors import ModelError
from tests.modal.body.stressed_models import beam, shell, solid

AXES = "xyz"


def machine(body: ff.modal.ReducedBody, damping: float | None = None) -> h.System:
    """A body that is clamped at its first interface node and may be pulled at the second."""
    first, second = (int(node) for node in body.interface_nodes)
    model = h.Model()
    part = model.add(h.FlexibleBody("part", body, stiffening="off", damping=damping))
    model.add(h.fixed("root", part.node(first), model.ground.at(tuple(body.nodes[body.node_index([first])[0]]))))
    model.add(h.point_force("pull", part.node(second), force=("0", "0", "0")))
    return model.compile()


@pytest.mark.parametrize(("make", "layer"), [(shell, "top"), (solid, "middle")])
def test_stress_over_frequency_is_that_of_the_full_model(make, layer) -> None:
    """Below, between and above the first two resonances, without damping."""
    fe, interface = make()
    reduced = ff.modal.reduce(fe, interface=interface, n_modes=20, geometric=False, mass="consistent")
    system = machine(ff.modal.with_stress(reduced, fe))
    first, second = (int(node) for node in reduced.interface_nodes)
    frequency = np.array([0.05, 0.9, 1.1, 2.0]) * system.linearise(n=2).frequency[0]
    nodes = np.sort(fe.node_ids)[fe.nnode // 4 :: fe.nnode // 3]
    place = "top." if layer == "top" else ""
    free = fe.free_rows([first])
    K, M = (csc_matrix(A[free][:, free]) for A in (fe.stiffness(), fe.mass("consistent")))
    names = [f"part.node[{node}].{place}stress" for node in nodes]
    found = h.frequency_response(system, [f"pull.{axis}" for axis in AXES], names, frequency=frequency)
    values = found.values.reshape(len(frequency), len(nodes), 6, 3)
    assert np.abs(values.imag).max() < 1e-9 * np.abs(values).max()
    for k, one in enumerate(frequency):
        solver = splu(csc_matrix(K - (2.0 * np.pi * one) ** 2 * M))
        for axis in range(3):
            load = np.zeros((fe.nnode, 6))
            load[fe.node_index([second])[0], axis] = 1.0
            u = np.zeros(fe.ndof)
            u[free] = solver.solve(fe.project_load(load)[free])
            field = ff.fem.stresses(fe, fe.expand(u)).nodal_tensor(layer)
            expected = field[fe.node_index(nodes)]
            # 20 modes and the static correction
            assert values[k, :, :, axis].real == pytest.approx(expected, abs=2e-3 * np.nanmax(np.abs(field)))


LENGTH, SIDE = 1.0, 0.01
STEEL = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)


@pytest.fixture(scope="module")
def cantilever() -> h.System:
    """A slender square beam with stresses, clamped at the origin, along x."""
    section = ff.fem.BeamSection.rectangle(SIDE, SIDE)
    fe = ff.fem.beam_line((0, 0, 0), (LENGTH, 0, 0), n=20, section=section, material=STEEL)
    body = ff.modal.reduce(fe, interface=[1, 21], n_modes=8, geometric=False, mass="consistent")
    return machine(ff.modal.with_stress(body, fe))


def root_moment(frequency: float, tip_force: float, base: float) -> float:
    """Moment at the root of an Euler–Bernoulli cantilever [N m] for a harmonic tip force and base acceleration."""
    EI, m, omega = STEEL.E * SIDE**4 / 12.0, STEEL.rho * SIDE**2, 2.0 * np.pi * frequency
    k = (m * omega**2 / EI) ** 0.25
    x = k * LENGTH
    # relative deflection cosh, sinh, cos, sin of k x and the particular solution base / omega^2
    conditions = np.array(
        [
            [1.0, 0.0, 1.0, 0.0],
            [0.0, 1.0, 0.0, 1.0],
            [np.cosh(x), np.sinh(x), -np.cos(x), -np.sin(x)],
            [np.sinh(x), np.cosh(x), np.sin(x), -np.cos(x)],
        ]
    )
    found = np.linalg.solve(conditions, [-base / omega**2, 0.0, 0.0, -tip_force / (EI * k**3)])
    return float(EI * k**2 * (found[0] - found[2]))


@pytest.mark.parametrize(("source", "force", "base"), [("pull.z", 1.0, 0.0), ("ground.acceleration.z", 0.0, 1.0)])
def test_root_stress_of_a_cantilever(cantilever, source, force, base) -> None:
    first = 1.8751**2 / (2 * np.pi) * np.sqrt(STEEL.E * SIDE**2 / 12.0 / STEEL.rho) / LENGTH**2
    frequency = first * np.array([0.1, 0.8, 1.3, 4.0])
    names = ["part.element[1].node[1].My", "part.node[1].fibre[1].stress.xx", "part.node[1].fibre[3].strain.xx"]
    found = h.frequency_response(cantilever, source, names, frequency=frequency)
    moment = np.array([root_moment(one, force, base) for one in frequency])
    size = np.abs(found.values[:, :, 0])
    # shear and rotary inertia of a beam 100 times as long as high
    assert size[:, 0] == pytest.approx(np.abs(moment), rel=5e-3)
    assert size[:, 1] == pytest.approx(np.abs(moment) * 6.0 / SIDE**3, rel=5e-3)
    assert size[:, 2] == pytest.approx(size[:, 1] / STEEL.E, rel=1e-9)
    assert [port.unit for port in found.outputs] == ["N m", "Pa", ""]


def test_expressions_of_stresses_and_state_spaces_know_them_too(cantilever) -> None:
    bending = "part.node[1].fibre[1].stress.xx - part.node[1].fibre[3].stress.xx"
    plant = h.state_space_of(cantilever, "pull.z", [bending, "part.node[1].fibre[1].stress.xx"])
    values = plant.response(np.array([7.0]))[0, :, 0]
    assert values[0] == pytest.approx(2.0 * values[1], rel=1e-6)  # fibres 1 and 3 lie opposite each other


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("part.node[1].von_mises", "is not linear in the motion"),
        ("part.node[1].stress.xx", "there are several places"),
        ("part.element[77].stress.xx", "element 77 has no stresses"),
        ("part.node[1].fibre[1].stress.xy + part.node[1].fibre[1].stress", "has several components"),
    ],
)
def test_what_has_no_response_is_refused(cantilever, name, words) -> None:
    with pytest.raises(ModelError, match=words):
        h.frequency_response(cantilever, "pull.z", name, (1.0, 10.0))


def test_a_body_without_stresses_names_the_cure() -> None:
    fe, interface = beam()
    system = machine(ff.modal.reduce(fe, interface=interface, n_modes=4))
    with pytest.raises(ModelError, match="keeps no stresses of its shapes; reduce it with them"):
        h.frequency_response(system, "pull.z", "part.node[1].fibre[1].stress.xx", (1.0, 10.0))
