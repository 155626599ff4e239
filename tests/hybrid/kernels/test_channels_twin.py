"""Recorded channels of a mixed system against the NumPy twin: complex steps, differences, sums over bodies."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from floatframe import hybrid as h
from floatframe.hybrid.flat.model import FlatPlace
from floatframe.hybrid.kernels.stepping import new_kept
from floatframe.hybrid.results.channels import Observer
from tests.hybrid import random_systems as make
from tests.hybrid.force_twin import ForceTwin
from tests.hybrid.momenta import elastic_energy, momenta
from tests.hybrid.twin import difference

GRAVITY = (1.0, -2.0, -9.0)
SEEDS = range(2)
NODES = ("random.node[1]", "random.node[3]", "beam.node[1]", "beam.node[4]", "floating.node[11]", "floating.node[6]")
OF_NODE = ("position", "velocity", "acceleration", "displacement", "rotation", "angular_velocity")
# complex steps are exact; rounding of some hundred operations
ROUNDING = 1e-11
# sixth-order differences with a step of 1e-3: rounding of 1e-16 over the step, of numbers up to a hundred
DIFFERENCES = 1e-9


@cache
def recorded(seed):
    """A system, a state, accelerations, the twin there, and the channels by name."""
    rng = np.random.default_rng(seed)
    system = make.mixed(rng, GRAVITY)
    state = make.any_state(rng, system, far=0.5, bend=0.02)
    a, lam = rng.normal(size=system.nv), rng.normal(size=system.nlambda)
    wanted = h.Record(channels=("*", *(f"{node}.{what}" for node in NODES for what in OF_NODE)))
    observer = Observer(system, wanted)
    row = new_kept(1, len(state.q), len(state.v), len(lam), len(state.memory))
    row.q[0], row.v[0], row.x[0], row.lam[0], row.memory[0] = state.q, state.v, a, lam, state.memory
    values = observer(row._replace(t=np.zeros(1))).values[0]
    channels, column = {}, 0
    for channel in observer.channels:
        channels[channel.name] = values[column : column + channel.width]
        column += channel.width
    return system, state, a, ForceTwin(system, state), channels


def places(system):
    """What channels are named after, and where that is."""
    for number, body in enumerate(system.model.bodies):
        yield body.name, "", FlatPlace(number, np.zeros(3), None, None)
        if body.reduced is None:
            yield body.name, "com_", FlatPlace(number, body.com, None, None)
            continue
        for name in NODES:
            owner, node = name.rstrip("]").split(".node[")
            if owner == body.name:
                point = body.reduced.nodes[int(body.reduced.node_index([int(node)])[0])]
                yield name, "", FlatPlace(number, point, int(node), None)


@pytest.mark.parametrize("seed", SEEDS)
def test_motions_of_bodies_and_nodes(seed):
    system, state, a, twin, channels = recorded(seed)

    def moving(place, s):
        """The motion of a place after a time s of motion with constant accelerations a, in the twin's chart."""
        q = twin.moved(s * state.v + 0.5 * s**2 * a + 1j * 1e-30 * (state.v + s * a))
        T = twin.place(place, q, twin.links(q), seen=True)
        return T.real, T.imag / 1e-30

    for name, prefix, place in places(system):
        here = twin.motion(place, state.v, seen=True)
        np.testing.assert_allclose(channels[f"{name}.{prefix}position"], here.p, rtol=0, atol=ROUNDING, err_msg=name)
        np.testing.assert_allclose(channels[f"{name}.{prefix}velocity"], here.v, rtol=0, atol=ROUNDING * 10)
        acceleration = difference(lambda s, place=place: moving(place, s)[1][:3, 3], 1e-3)
        size = np.abs(acceleration).max()
        np.testing.assert_allclose(channels[f"{name}.{prefix}acceleration"], acceleration, atol=DIFFERENCES * size)
        if prefix:
            continue
        np.testing.assert_allclose(channels[f"{name}.angular_velocity"], here.R.T @ here.w, atol=ROUNDING * 10)
        if ".node" not in name:
            found = Rotation.from_quat(channels[f"{name}.rotation"], scalar_first=True).as_matrix()
            np.testing.assert_allclose(found, here.R, atol=ROUNDING)

            def spin(s, place=place):
                T, rate = moving(place, s)
                W = T[:3, :3].T @ rate[:3, :3]
                return np.array([W[2, 1], W[0, 2], W[1, 0]])

            expected = difference(spin, 1e-3)
            size = np.abs(expected).max()
            np.testing.assert_allclose(channels[f"{name}.angular_acceleration"], expected, atol=DIFFERENCES * size)
            continue
        body = system.model.bodies[place.body]
        row = int(body.reduced.node_index([place.node])[0])
        w = channels[f"{body.name}.modal"]
        u = body.reduced.shapes[6 * row : 6 * row + 6] @ w
        np.testing.assert_allclose(channels[f"{name}.displacement"], u[:3], atol=ROUNDING)
        np.testing.assert_allclose(channels[f"{name}.rotation"], u[3:], atol=ROUNDING)


@pytest.mark.parametrize("seed", SEEDS)
def test_modal_coordinates(seed):
    system, state, a, _, channels = recorded(seed)
    for body, number in system.index.flexible_of.items():
        record, name = system.tables.flexible[number], system.model.bodies[body].name
        own = slice(record["iv"], record["iv"] + record["n"])
        np.testing.assert_array_equal(channels[f"{name}.modal"], state.q[record["iq"] : record["iq"] + record["n"]])
        np.testing.assert_array_equal(channels[f"{name}.modal_rate"], state.v[own])
        np.testing.assert_array_equal(channels[f"{name}.modal_acceleration"], a[own])


@pytest.mark.parametrize("seed", SEEDS)
def test_energy_and_momentum(seed):
    system, state, _, twin, channels = recorded(seed)
    nothing = np.zeros(system.nv)
    kinetic = twin.kinetic_energy(nothing, state.v)
    assert channels["energy.kinetic"] == pytest.approx(kinetic, rel=ROUNDING)
    elastic = elastic_energy(system, lambda record: state.q[record["iq"] : record["iq"] + record["n"]])
    assert channels["energy.elastic"] == pytest.approx(elastic, rel=ROUNDING)
    potential = 0.0
    links = twin.links(twin.moved(nothing))
    for link, inertia, _ in twin.bodies(nothing):
        T, moment = links[link].real, np.array([inertia[5, 1], inertia[3, 2], inertia[4, 0]])
        potential -= np.array(GRAVITY) @ (inertia[0, 0] * T[:3, 3] + T[:3, :3] @ moment)
    assert channels["energy.potential"] == pytest.approx(potential, rel=ROUNDING)
    assert channels["energy.total"] == pytest.approx(kinetic + elastic + potential, rel=ROUNDING)
    expected = momenta(twin, nothing, state.v)
    found = np.r_[channels["momentum.linear"], channels["momentum.angular"]]
    np.testing.assert_allclose(found, expected, atol=ROUNDING * np.abs(expected).max())
