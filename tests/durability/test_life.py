"""Stress fields, gauges and life of a cantilever in a machine: beam theory and sums by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import floatframe as ff
from floatframe import durability
from floatframe.durability import Share, life_table, miner, own_curve, rainflow
from floatframe.errors import ModelError
from tests.modal.body.stressed_models import STEEL

SIDE, LENGTH, FORCE = 0.02, 1.0, 10.0
SECTION = ff.fem.BeamSection.rectangle(SIDE, SIDE)
ROOT = 6.0 * FORCE * LENGTH / SIDE**3  # M c / I of a square cantilever with a force at its tip [Pa]


def machine(stress=True):
    fe = ff.fem.beam_line((0, 0, 0), (LENGTH, 0, 0), n=10, section=SECTION, material=STEEL)
    body = ff.modal.reduce(fe, interface=[1, 11], n_modes=4, geometric=False)
    model = ff.hybrid.Model(name="cantilever")
    beam = model.add(
        ff.hybrid.FlexibleBody(
            "beam", ff.modal.with_stress(body, fe) if stress else body, stiffening="off", damping=0.1
        )
    )
    model.add(ff.hybrid.fixed("root", beam.node(1), model.ground.at((0, 0, 0))))
    model.add(ff.hybrid.point_force("pull", beam.node(11), force=("0", "0", f"-{FORCE}*sin(pi*t)^2")))
    return model.compile()


@pytest.fixture(scope="module")
def run():
    return machine().simulate(t_end=2.0, step=5e-3, record=ff.hybrid.Record(every=0.01))


def test_a_gauge_measures_the_strain_of_beam_theory(run):
    # a force that swells slowly against 17 Hz: the strain of M(x) c / (E I) at each moment
    found = run.stress("beam")
    points = found.body.stress_shapes.at_node(3)
    top = [p for p in points if found.body.stress_shapes.stress(found.drive[50], np.array([p]))[0, 0] > 0.0]
    fibre = found.body.stress_shapes.place_name(top[0]).replace(" ", "[") + "]"
    strain = durability.gauge(found, 3, (1, 0, 0), fibre)
    theory = ROOT / STEEL.E * 0.8 * np.sin(np.pi * run.t) ** 2
    # inertia of a mode at 16.7 Hz under 1 Hz adds 1/16.7^2, damping 2 · 0.1 / 16.7 in quadrature
    assert np.abs(strain - theory).max() < 0.02 * theory.max()
    assert durability.gauge(found, 3, (0, 1, 0), fibre) == pytest.approx(-STEEL.nu * strain, rel=1e-9)
    three = durability.rosette(found, 3, (1, 0, 0), (0, 0, 1), fibre)
    assert three.principal[50] == pytest.approx([strain[50], -STEEL.nu * strain[50]], rel=1e-9)
    assert three.angle[50] == pytest.approx(0.0, abs=1e-9)
    turned = durability.rosette(found, 3, (1, 1, 0), (0, 0, 1), fibre)
    assert turned.principal == pytest.approx(three.principal, rel=1e-6, abs=1e-12)
    assert turned.angle[50] == pytest.approx(-np.pi / 4, abs=1e-9)  # from the first gauge back to the axis of the beam


def test_channels_by_name(run):
    bending = run["beam.element[1].node[1].My"]
    assert np.abs(bending).max() == pytest.approx(FORCE * LENGTH, rel=0.05)
    assert run.unit("beam.element[1].von_mises") == "Pa"
    worst = np.max([np.abs(run[f"beam.element[1].node[1].fibre[{k}].stress.xx"]) for k in (1, 2, 3, 4)], axis=0)
    shear = np.abs(run["beam.element[1].node[1].Vz"]) / (SECTION.kz * SIDE**2)
    assert run["beam.element[1].node[1].von_mises"] == pytest.approx(np.sqrt(worst**2 + 3 * shear**2), rel=1e-6)


def test_peak_hold_and_hot_spots(run):
    found = run.stress("beam")
    peaks = durability.peak_hold(found)
    everything = np.stack([run[f"beam.node[{node}].von_mises"] for node in peaks.node], axis=1)
    assert peaks.value == pytest.approx(everything.max(axis=0), rel=1e-12)
    assert np.array_equal(peaks.time, run.t[everything.argmax(axis=0)])
    _, field = durability.field_at(found, 0.5)
    assert field == pytest.approx(everything[50], rel=1e-12)
    spots = durability.hot_spots(found, 3, apart=0.25)
    assert [spot.node for spot in spots] == [1, 4, 7]
    assert spots[0].value == pytest.approx(ROOT, rel=0.03)
    with pytest.raises(ModelError, match="outside the run"):
        durability.field_at(found, 3.0)


def test_life_is_the_damage_of_the_worst_fibre(run):
    found = run.stress("beam")
    curve = own_curve(2e6, 1e6, 5.0, 9.0)
    table = life_table(found, curve, measure="xx")
    assert table.node[0] == 1
    assert table.place[0].startswith("fibre")
    fibre = table.place[0].replace(" ", "[") + "]"
    by_hand = miner(rainflow(run[f"beam.node[1].{fibre}.stress.xx"]), curve)
    assert table.damage[0] == pytest.approx(by_hand, rel=1e-12)
    assert table.life[0] == pytest.approx(2.0 / by_hand, rel=1e-12)
    # the critical plane of a uniaxial stress is across it, and von Mises with its sign is the same
    for measure in ("critical_plane", "signed_von_mises"):
        assert life_table(found, curve, measure=measure, nodes=[1]).damage[0] == pytest.approx(by_hand, rel=1e-9)
    twice = life_table([Share(found, 3.0), Share(found)], curve, measure="xx")
    assert twice.damage[0] == pytest.approx(4.0 * by_hand, rel=1e-12)
    assert twice.duration == pytest.approx(8.0)


def test_what_cannot_be_is_refused(run):
    bare = machine(stress=False).simulate(t_end=0.02, step=5e-3)
    with pytest.raises(
        ModelError, match=r"'beam' keeps no stresses of its shapes; reduce it with them: .* --stress all"
    ):
        bare["beam.element[1].von_mises"]
    with pytest.raises(ModelError, match=r"several places \(fibre 1, fibre 2, fibre 3, fibre 4\); name one, as in "):
        run["beam.node[1].stress.xx"]
    with pytest.raises(ModelError, match=r"has no stresses among those kept.*springs, masses, couplings"):
        run["beam.element[99].von_mises"]
    with pytest.raises(ModelError, match=r"'beam.node\[1\].von_mises' is computed from the coordinates"):
        machine().simulate(t_end=0.02, step=5e-3, record=ff.hybrid.Record(channels=("beam.node[1].von_mises",)))
    with pytest.raises(ModelError, match=r"at node 1 of 'beam' is out of its range"):
        life_table(run.stress("beam"), own_curve(1e6, 1e6, 5.0, fewest=1e5), measure="xx")
    found = run.stress("beam")
    fe = ff.fem.beam_line((0, 0, 0), (LENGTH, 0, 0), n=10, section=SECTION, material=STEEL)
    some = replace(found, body=ff.modal.with_stress(found.body, fe, [1, 2, 3]))
    with pytest.raises(ModelError, match="keep stresses of different elements; reduce with the same --stress"):
        life_table([Share(found), Share(some)], own_curve(2e6, 1e6, 5.0))


def test_a_shaft_under_torque_has_shear_at_its_surface():
    """Gauges at 45° measure the torque, and its life is that of the principal stress, as large as the shear."""
    fe = ff.fem.beam_line(
        (0, 0, 0), (LENGTH, 0, 0), n=4, section=ff.fem.BeamSection.circle(0.05), material=STEEL, orientation=(0, 0, 1)
    )
    body = ff.modal.with_stress(ff.modal.reduce(fe, interface=[1, 5], n_modes=2), fe, correction=False)
    shear = 40e6  # G r times the twist per length
    turned = np.zeros((5, 6))
    turned[:, 3] = shear / STEEL.G / 0.025 * fe.nodes[:, 0]
    w = np.linalg.lstsq(body.shapes, turned.reshape(-1), rcond=None)[0]
    found = ff.hybrid.Recovered("shaft", body, np.arange(6.0), np.outer([0.0, 1.0, -1.0, 1.0, -1.0, 0.0], w))
    stresses = np.array([found.values(f"shaft.node[3].fibre[{k}].stress")[1] for k in range(1, 73)])
    top = int(np.argmin(stresses[:, 3]))  # a positive torque shears against y where z is highest
    assert stresses[top] == pytest.approx([0, 0, 0, -shear, 0, 0], abs=1e-6 * shear)
    three = durability.rosette(found, 3, (1, 0, 0), (0, 0, 1), f"fibre[{top + 1}]")
    strain = shear / STEEL.G / 2.0
    assert three.strain[1] == pytest.approx([0.0, -strain, 0.0], abs=1e-6 * strain)
    assert three.principal[1] == pytest.approx([strain, -strain], rel=1e-6)
    # by E1049 half a cycle from zero, one and a half of the whole range, half a cycle to zero
    damage = (1.5 * (40 / 15) ** 5 + (20 / 15) ** 5) / 1e6
    table = life_table(found, own_curve(15e6, 1e6, 5.0), nodes=[3])
    assert table.damage[0] == pytest.approx(damage, rel=1e-3)  # normals within half a degree
