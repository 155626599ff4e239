"""Reduction methods: statics kept exactly, frequencies from above, known failures, interfaces of every kind."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.fem import RBE2, RBE3
from floatframe.modal.body.inertia import exact_inertia_constants
from floatframe.modal.lanczos.dense import reduced_modes
from floatframe.modal.reduction import truncation
from tests.reference import beams as reference

STEEL = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
SECTION = ff.fem.BeamSection.rectangle(0.02, 0.03)


def beam_model(n=40):
    return ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=n, section=SECTION, material=STEEL)


@pytest.fixture(scope="module")
def beam():
    return beam_model()


@pytest.fixture(scope="module")
def plate():
    return ff.fem.plate_grid(1.0, 0.6, nx=8, ny=6, thickness=0.01, material=STEEL)


def frequencies(body):
    value, _ = reduced_modes(body.mass, body.stiffness)
    return np.sqrt(value[value > 0]) / (2 * np.pi)


def constrained(body, held):
    """Generalised matrices with static coordinates (node, component) in `held` taken out."""
    keep = [
        k for k in range(body.nmode) if body.kind[k] != "static" or tuple(body.interface[k - body.n_eigen]) not in held
    ]
    return keep, body.mass[np.ix_(keep, keep)], body.stiffness[np.ix_(keep, keep)]


def static_response(body, held, node, load):
    """Nodal displacements under a nodal load (6,), static coordinates in `held` fixed."""
    keep, _, K = constrained(body, held)
    rows = slice(6 * int(body.node_index([node])[0]), None)
    f = body.shapes[rows][:6, keep].T @ load
    w = np.zeros(body.nmode)
    w[keep] = np.linalg.solve(K, f)
    return body.expand(w)


# static exactness

LOAD = np.array([500.0, -300.0, 1000.0, 20.0, -30.0, 40.0])
NAMES = ("ux", "uy", "uz", "rx", "ry", "rz")


@pytest.mark.parametrize("n_modes", [1, 8])
def test_interface_loads_give_the_displacements_of_the_full_model(plate, n_modes):
    corners = [1, 9, 55, 63]
    body = ff.modal.reduce(plate, interface=corners, n_modes=n_modes)
    held = {(node, part) for node in (1, 9) for part in range(6)}
    loads = {(63, name): float(value) for name, value in zip(NAMES, LOAD, strict=True)}
    full = ff.modal.solve_static(plate, loads=loads, fixed=[1, 9])
    u = static_response(body, held, 63, LOAD)
    assert_allclose(u, full, rtol=0, atol=1e-8 * np.abs(full).max())


def test_interior_loads_are_exact_only_with_their_attachment_shape(plate):
    load = np.zeros(6)
    load[2] = 100.0
    corners = [1, 9, 55, 63]
    held = {(node, part) for node in corners for part in range(6)}
    full = ff.modal.solve_static(plate, loads={(32, "uz"): 100.0}, fixed=corners)
    plain = static_response(ff.modal.reduce(plate, interface=corners, n_modes=6), held, 32, load)
    with_shape = ff.modal.reduce(plate, interface=corners, n_modes=6, extra=ff.modal.ExtraShapes(loads=[(32, "uz")]))
    assert with_shape.kind.count("attachment") == 1
    assert np.abs(plain - full).max() > 1e-3 * np.abs(full).max()
    u = static_response(with_shape, held, 32, load)
    assert_allclose(u, full, rtol=0, atol=1e-8 * np.abs(full).max())


def test_load_case_shape_carries_its_whole_load(plate):
    corners = [1, 9, 55, 63]
    case = {(32, "uz"): 100.0, (20, "uz"): -50.0, (44, "ux"): 1e4}
    body = ff.modal.reduce(
        plate, interface=corners, n_modes=6, extra=ff.modal.ExtraShapes(load_cases={"machine": case})
    )
    assert body.origin[-1] == "load case machine"
    keep, _, K = constrained(body, {(node, part) for node in corners for part in range(6)})
    f = np.zeros((plate.nnode, 6))
    for (node, name), value in case.items():
        f[node - 1, NAMES.index(name)] = value
    w = np.zeros(body.nmode)
    w[keep] = np.linalg.solve(K, body.shapes[:, keep].T @ f.ravel())
    full = ff.modal.solve_static(plate, loads=case, fixed=corners)
    assert_allclose(body.expand(w), full, rtol=0, atol=1e-8 * np.abs(full).max())


def test_inertia_relief_shapes_give_the_sag_under_gravity(plate):
    corners = [1, 9, 55, 63]
    held = {(node, part) for node in corners for part in range(6)}
    full = ff.modal.solve_static(plate, gravity=(0, 0, -9.81), fixed=corners)
    weight = plate.project_load(ff.fem.load_vector(plate, gravity=(0, 0, -9.81)))
    sag = {}
    for relief in (False, True):
        body = ff.modal.reduce(plate, interface=corners, n_modes=3, extra=ff.modal.ExtraShapes(inertia_relief=relief))
        keep, _, K = constrained(body, held)
        shapes = body.shapes[:, keep].reshape(plate.nnode, 6, -1)
        at_rows = shapes[plate.node_index(plate.dofs[:, 0]), plate.dofs[:, 1]]
        w = np.zeros(body.nmode)
        w[keep] = np.linalg.solve(K, at_rows.T @ weight)
        sag[relief] = np.abs(body.expand(w) - full).max() / np.abs(full).max()
    assert sag[False] > 1e-3
    assert sag[True] < 1e-8


# frequencies


def test_fixed_interface_frequencies_are_those_of_the_clamped_beam(beam):
    slender = replace(beam.blocks[0], section=SECTION.without_shear())
    body = ff.modal.reduce(replace(beam, blocks=(slender,)), interface=[1, 41], n_modes=8)
    EI = [STEEL.E * SECTION.Iz, STEEL.E * SECTION.Iy]
    per_length = STEEL.rho * SECTION.A
    exact = sorted(
        reference.bending_frequency("clamped-clamped", n, ei, per_length, 2.0) for n in (1, 2, 3, 4) for ei in EI
    )
    # rotary inertia lowers the eighth by (wave number x radius of gyration)^2 / 2, half a per cent
    assert_allclose(body.frequency[:8], exact[:8], rtol=6e-3)
    assert_allclose(body.frequency[:2], exact[:2], rtol=1e-3)


def test_frequencies_come_down_to_those_of_the_model(beam):
    full = ff.modal.eigenmodes(beam, n=14).frequency[6:]
    found = np.array([frequencies(ff.modal.reduce(beam, interface=[1, 41], n_modes=n))[:8] for n in (4, 8, 16, 32)])
    error = found / full - 1.0
    assert (error > -1e-9).all()  # a subspace can only stiffen; eigenvalues of the full model are good to 1e-9
    assert (np.diff(error, axis=0) < 1e-9).all()
    assert error[-1].max() < 2e-4


def test_guyan_keeps_statics_but_not_frequencies_nor_mass(beam):
    """The known failures of static condensation, here for a mass at mid-span that no interface node follows."""
    heavy = beam.with_point_mass(21, mass=50.0)
    body = ff.modal.reduce(heavy, interface=[1, 41], method="guyan")
    assert body.nmode == 12
    full = ff.modal.eigenmodes(heavy, n=8).frequency[6:]
    assert frequencies(body)[0] > 1.05 * full[0]
    # held at its ends the condensed body has nothing left that could move
    keep, _, _ = constrained(body, {tuple(row) for row in body.interface})
    assert keep == []
    # mass as the end sees it, the other one held: the static cubic is one half at mid-span, so the mass there counts by
    # a quarter, and the beam by 13/35; shear and rotary inertia of this slender beam change 1e-3 of it
    expected = 50.0 / 4.0 + 13.0 / 35.0 * beam.mass_properties().mass
    assert body.mass[1, 1] == pytest.approx(expected, rel=2e-3)


def test_guyan_of_one_node_loses_mass_and_centre_of_a_supported_body():
    """With one condensed dof the body's mass is what the static shape leaves of it (33/140 of a cantilever)."""
    fe = beam_model(40).with_support([1])
    body = ff.modal.reduce(fe, interface=[(41, "uz")], method="guyan")
    mass = fe.mass_properties().mass
    # exact for the Euler-Bernoulli tip-load curve; shear and rotary inertia of this slender beam change 1e-3 of it
    assert body.mass[0, 0] / mass == pytest.approx(33.0 / 140.0, rel=2e-3)
    exact = ff.modal.eigenmodes(fe, n=2, fixed=[(n, "uy,rx,ux,rz") for n in range(1, 42)]).frequency[0]
    assert 1.01 < frequencies(body)[0] / exact < 1.02  # 1.5 % too stiff: Rayleigh's quotient of the static curve


@pytest.mark.parametrize("method", ["eigenmodes", "attachment", "macneal"])
def test_free_interface_methods_keep_the_frequencies_of_the_free_body(beam, method):
    full = ff.modal.eigenmodes(beam, n=14).frequency[6:]
    body = ff.modal.reduce(beam, interface=[1, 41], n_modes=8, method=method)
    assert_allclose(frequencies(body)[:8], full, rtol=1e-9)
    assert body.n_eigen == 8
    J = body.inertia
    assert np.abs(J.H[:, :8]).max() < 1e-8 * np.sqrt(J.m)  # no rigid motion: modes are orthogonal to it


@pytest.mark.parametrize(("method", "exact"), [("eigenmodes", False), ("attachment", True), ("macneal", True)])
def test_attachment_shapes_remove_the_residual_force_error(beam, method, exact):
    """A cantilever under a tip load: modes alone leave out what the higher ones carry."""
    fe = beam.with_support([1])
    body = ff.modal.reduce(fe, interface=[41], n_modes=4, method=method)
    load = np.array([1e5, 0.0, 200.0, 0.0, 0.0, 0.0])
    w = np.linalg.solve(body.stiffness, body.shapes[-6:].T @ load)
    full = ff.modal.solve_static(fe, loads={(41, "ux"): 1e5, (41, "uz"): 200.0})
    error = np.abs(body.expand(w) - full).max(axis=0)[[0, 2]] / np.abs(full).max(axis=0)[[0, 2]]
    if exact:
        assert (error < 1e-8).all()
    else:
        assert error[0] == pytest.approx(1.0)  # four bending modes do not stretch at all
        assert error[1] > 1e-3


def test_macneal_held_at_its_interface_beats_plain_eigenmodes(beam):
    """Frequencies of the clamped beam from free modes, the body's frame moving as well (MacNeal 1971, Rubin 1975)."""
    body = ff.modal.reduce(beam, interface=[1, 41], n_modes=12, method="macneal", inertia="exact")
    report = ff.modal.quality_report(body, beam, n=2)
    assert_allclose(report.clamped.model, ff.modal.eigenmodes(beam, n=2, fixed=[1, 41]).frequency)
    assert (report.clamped.error > -1e-9).all()
    assert report.clamped.error.max() < 2e-3
    # without residual shapes twelve modes and the frame cannot meet twelve conditions well
    modes_only = ff.modal.reduce(beam, n_modes=12, method="eigenmodes", inertia="exact")
    modes_only = replace(modes_only, interface=body.interface)
    assert ff.modal.quality_report(modes_only, beam, n=2).clamped.error.max() > 0.2


def test_attachment_body_has_unit_mass_and_uncoupled_modes(plate):
    body = ff.modal.reduce(plate, interface=[1, 63], n_modes=6, method="attachment")
    assert_allclose(body.mass, np.eye(body.nmode), atol=1e-9)
    assert_allclose(body.stiffness[:6, 6:], 0.0, atol=1e-6 * np.abs(body.stiffness).max())


def test_one_file_five_supports():
    """The sample beam's input.fum, 12 + 20 shapes, held in five ways in both planes; as near to theory as published."""
    from benchmarks.verify.reduction import five_supports

    rows = list(five_supports())
    assert len(rows) == 34
    assert [row.quantity for row in rows if not row.ok] == []


# interfaces


def test_single_dofs_sets_and_nodes_name_the_same_interface(beam):
    named = beam.with_node_set("ends", [1, 41])
    by_set = ff.modal.reduce(named, interface=["ends"], n_modes=3)
    by_dof = ff.modal.reduce(beam, interface=[(n, c) for n in (1, 41) for c in NAMES], n_modes=3)
    by_node = ff.modal.reduce(beam, interface=[1, 41], n_modes=3)
    for other in (by_set, by_dof):
        assert_allclose(other.interface, by_node.interface)
        assert_allclose(other.stiffness, by_node.stiffness, rtol=1e-9, atol=1e-3)


def test_numbers_of_arrays_name_nodes(beam):
    body = ff.modal.reduce(beam, interface=np.array([1, 41]), n_modes=2)
    assert body.interface_nodes.tolist() == [1, 41]


def test_a_body_of_interface_nodes_only_has_no_modes():
    """One beam between two interface nodes: the static shapes are the whole model."""
    fe = beam_model(1)
    body = ff.modal.reduce(fe, interface=[1, 2], n_modes=5)
    assert body.kind == ("static",) * 12
    assert_allclose(body.stiffness, fe.stiffness().toarray(), rtol=1e-9, atol=1e-6)
    assert_allclose(body.mass, fe.mass().toarray(), rtol=1e-12, atol=1e-12)


def test_order_of_static_shapes_is_the_order_of_naming(beam):
    body = ff.modal.reduce(beam, interface=[41, (1, "uz"), 41], n_modes=2)
    assert body.interface.tolist() == [[41, c] for c in range(6)] + [[1, 2]]


def test_solids_have_three_dofs_and_reference_nodes_six():
    box = ff.fem.solid_box((1.0, 0.1, 0.1), (8, 1, 1), kind="hex20", material=STEEL)
    assert len(ff.modal.reduce(box, interface=["xmin"], n_modes=2).interface) == 3 * len(box.node_sets["xmin"])
    for coupling in (RBE2, RBE3):
        nodes = np.vstack([box.nodes, [[0.0, 0.05, 0.05], [1.0, 0.05, 0.05]]])
        n = box.nnode
        fe = replace(box, nodes=nodes, node_ids=np.append(box.node_ids, [n + 1, n + 2]))
        fe = fe.with_coupling(coupling(n + 1, box.node_sets["xmin"].tolist()))
        fe = fe.with_coupling(coupling(n + 2, box.node_sets["xmax"].tolist()))
        body = ff.modal.reduce(fe, interface=[n + 1, n + 2], n_modes=16)
        assert body.n_static == 12
        full = ff.modal.eigenmodes(fe, n=10).frequency[6:]
        assert_allclose(frequencies(body)[:2], full[:2], rtol=2e-3)
        # every node of a coupled face moves with the interface: unit displacement of one end, rigid or in the mean
        face = body.shapes[:, body.columns("static")[0]].reshape(-1, 6)[fe.node_index(box.node_sets["xmin"]), 0]
        assert face.mean() == pytest.approx(1.0, abs=0.05)


def test_supports_of_the_model_stay_held(beam):
    fe = beam.with_support([1])
    body = ff.modal.reduce(fe, interface=[41], n_modes=10)
    assert_allclose(body.shapes[:6], 0.0, atol=1e-14)
    assert_allclose(frequencies(body)[:2], ff.modal.eigenmodes(fe, n=2).frequency, rtol=1e-4)
    assert body.supports.tolist() == [[1, c] for c in range(6)]


@pytest.mark.parametrize(
    ("interface", "rigid"), [([(1, "u")], 3), ([(1, "u"), (41, "u")], 1), ([(1, "ux,uy,uz,rx")], 2)]
)
def test_interfaces_that_do_not_hold_the_body(beam, interface, rigid):
    """Hinges: rigid motions about them come first among the eigenmodes, and the free body is still right."""
    body = ff.modal.reduce(beam, interface=interface, n_modes=12)
    assert body.origin[:rigid] == tuple(f"rigid motion {k + 1}" for k in range(rigid))
    assert_allclose(body.frequency[:rigid], 0.0)
    full = ff.modal.eigenmodes(beam, n=8).frequency[6:]
    assert_allclose(frequencies(body)[:2], full, rtol=1e-3)
    value, _ = reduced_modes(body.mass, body.stiffness)
    assert (value == 0.0).sum() == 6


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"interface": [1], "method": "fancy"}, "method 'fancy' is unknown; use one of craig-bampton"),
        ({"interface": []}, "needs interface nodes"),
        ({"interface": [99]}, "unknown node 99"),
        ({"interface": ["base"]}, "node set 'base' is unknown"),
        ({"interface": [(1, "uq")]}, "'uq' is unknown"),
        ({"interface": [1], "n_modes": -1}, "n_modes is -1"),
        ({"interface": [1], "up_to": 0.0}, "up_to is 0.0 Hz"),
        ({"interface": [(1, "u")], "method": "guyan"}, "leaves 3 rigid motions free"),
        ({"interface": [1], "n_modes": 2.5}, "n_modes is 2.5; expected a whole number"),
        ({"interface": [1], "n_modes": 1000}, "1000 modes were requested, but with its supports it has 240"),
        ({"n_modes": 1000, "method": "macneal"}, "1000 modes were requested, but with its supports it has 240"),
        ({"interface": [1], "inertia": "fancy"}, "inertia 'fancy' is unknown"),
        ({"interface": [1], "inertia": "exact", "mass": "lumped"}, "needs the consistent mass"),
        (
            {"interface": [1], "extra": ff.modal.ExtraShapes(shapes=np.full((41, 6), np.nan))},
            "shapes hold numbers that are not finite",
        ),
        ({"interface": [1], "method": "guyan", "up_to": 50.0}, "'guyan' has no modes to choose"),
        ({"interface": [1], "accuracy": 1e-3}, "accuracy is given, but it applies to up_to"),
        ({"interface": [1], "method": "macneal", "up_to": 50.0, "accuracy": 1e-6}, "accuracy is given"),
    ],
)
def test_requests_that_make_no_sense(beam, arguments, message):
    with pytest.raises(ff.ModelError, match=message):
        ff.modal.reduce(beam, **arguments)


def test_settings_of_the_eigenanalysis_leave_the_modes_alone(beam):
    plain = ff.modal.reduce(beam, interface=[1, 41], n_modes=5)
    options = ff.modal.LanczosOptions(2, reorthogonalisation="partial", form="cholesky", seed=3, tol=1e-10)
    other = ff.modal.reduce(beam, interface=[1, 41], n_modes=5, options=options)
    assert_allclose(other.frequency[:5], plain.frequency[:5], rtol=1e-9)


@pytest.mark.parametrize("method", ["eigenmodes", "attachment", "macneal"])
def test_up_to_a_frequency_takes_all_modes_of_the_body_itself(beam, method):
    body = ff.modal.reduce(beam, interface=[1, 41], up_to=250.0, method=method)
    full = ff.modal.eigenmodes(beam, below=250.0).frequency[6:]
    assert_allclose(body.frequency[: body.n_eigen], full, rtol=1e-9)
    assert "accuracy" not in body.provenance.settings


def test_loads_are_named_like_interfaces_and_must_exist(beam):
    body = ff.modal.reduce(beam, interface=[1, 41], n_modes=2, extra=ff.modal.ExtraShapes(np.int64(16)))
    assert body.origin[-6:] == tuple(f"load at node 16 {name}" for name in NAMES)
    box = ff.fem.solid_box((1.0, 0.1, 0.1), (4, 1, 1), material=STEEL)
    with pytest.raises(ff.ModelError, match="loaded node 20 has none of the requested dofs"):
        ff.modal.reduce(box, interface=["xmin"], n_modes=2, extra=ff.modal.ExtraShapes([(20, "rx")]))


def test_held_interface_dofs_are_refused(beam):
    with pytest.raises(ff.ModelError, match="ux of node 1 is held by the model's own supports"):
        ff.modal.reduce(beam.with_support([1]), interface=[1])
    # of a node named as a whole, what the supports leave free is taken
    assert ff.modal.reduce(beam.with_support([(1, "ux")]), interface=[1, 41], n_modes=1).n_static == 11


def test_loose_parts_are_named(beam):
    nodes = np.vstack([beam.nodes, beam.nodes[:2] + np.array([0.0, 1.0, 0.0])])
    loose = replace(beam.blocks[0].take([0]), connectivity=np.array([[41, 42]]), element_ids=None)
    fe = ff.fem.FEModel(nodes, (*beam.blocks, loose))
    with pytest.raises(ff.ModelError, match="parts of it move freely"):
        ff.modal.reduce(fe, interface=[1, 41])


# extra shapes and mode counts


def test_dependent_shapes_are_dropped_with_a_note(plate):
    given = np.zeros((plate.nnode, 6, 2))
    given[:, 2, 0] = 1.0  # a rigid motion, contained in the static shapes
    given[:, 2, 1] = np.sin(3 * plate.nodes[:, 0]) * plate.nodes[:, 1]
    body = ff.modal.reduce(
        plate, interface=[1, 9, 55], n_modes=4, extra=ff.modal.ExtraShapes([(32, "uz"), (32, "uz")], shapes=given)
    )
    assert body.origin[-2:] == ("load at node 32 uz", "given shape 2")
    assert [note.split(":")[0] for note in body.notes] == ["load at node 32 uz", "given shape 1"]
    size = np.sqrt(np.diag(body.mass))
    assert np.linalg.matrix_rank(body.mass / np.outer(size, size), tol=1e-9) == body.nmode


@pytest.mark.parametrize("accuracy", [1e-2, 1e-4])
def test_up_to_a_frequency_takes_as_many_modes_as_needed(beam, accuracy):
    limit = 250.0
    body = ff.modal.reduce(beam, interface=[1, 41], up_to=limit, accuracy=accuracy)
    full = ff.modal.eigenmodes(beam, n=40).frequency[6:]
    inside = full[full <= limit]
    error = frequencies(body)[: inside.size] / inside - 1.0
    assert error.max() <= 1.1 * accuracy
    # and no more: with one mode less the accuracy is lost
    fewer = body.drop(modes=[body.n_eigen])
    worse = frequencies(fewer)[: inside.size] / inside - 1.0
    assert worse.max() > 0.5 * accuracy


def test_an_accuracy_that_takes_too_many_modes_is_refused_with_what_was_reached(beam, monkeypatch):
    monkeypatch.setattr(truncation, "_MOST", 12)
    with pytest.raises(ff.NotConverged, match=r"up to 250 Hz are estimated to be off by .* with \d+ fixed-interface"):
        ff.modal.reduce(beam, interface=[1, 41], up_to=250.0, accuracy=1e-6)


def test_lumped_and_consistent_mass_meet(beam):
    kinds = ("lumped", "consistent")
    bodies = [ff.modal.reduce(beam, interface=[1, 41], n_modes=4, mass=kind) for kind in kinds]
    lumped, consistent = (body.frequency[:4] for body in bodies)
    assert_allclose(lumped, consistent, rtol=2e-3)
    assert (lumped != consistent).all()


def test_dampers_of_the_model_become_generalised_damping(beam):
    damper = ff.fem.ElementBlock("ground_spring", np.array([[20]]), data={"damping": np.array([[0, 0, 7.0, 0, 0, 0]])})
    body = ff.modal.reduce(beam.with_block(damper), interface=[1, 41], n_modes=3)
    # one damper at node 21 along z: the dissipated power is 7 times its squared speed
    row = body.shapes[6 * 20 + 2]
    assert_allclose(body.damping, 7.0 * np.outer(row, row), rtol=1e-12, atol=1e-12)


def test_lumped_body_sums_its_own_generalised_mass(plate):
    fe = plate.with_point_mass(20, mass=30.0, inertia=(0.3, 0.2, 0.4), offset=(0.0, 0.05, 0.1))
    body = ff.modal.reduce(fe, interface=[1, 9, 55], n_modes=5, mass="lumped")
    # the nodal sum and the projected matrix are two paths to one energy
    assert_allclose(body.inertia.HH, body.mass, rtol=1e-9, atol=1e-9 * np.abs(body.mass).max())
    assert body.inertia.m == pytest.approx(fe.mass_properties().mass, rel=1e-12)
    assert_allclose(body.inertia.com, fe.mass_properties().com, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("k", [1e4, 1e2])
@pytest.mark.parametrize("method", ["craig-bampton", "eigenmodes"])
def test_soft_springs_to_the_ground_are_no_rigid_motions(k, method):
    """A stiff plate on four springs bounces at sqrt(4 k / m), however soft they are."""
    fe = on_springs(k)
    bounce = np.sqrt(4.0 * k / fe.mass_properties().mass) / (2.0 * np.pi)
    body = ff.modal.reduce(fe, interface=[1, 9], n_modes=8, method=method)
    found = frequencies(body)[:6]
    assert_allclose(found, ff.modal.eigenmodes(fe, n=6).frequency, rtol=1e-4)
    # the plate is six times stiffer in bending than 1e4 N/m springs ask for: they come out 1e-3 low at most
    assert_allclose(found[:3], bounce, rtol=1e-3)


def test_the_softest_springs_are_still_seen_by_the_eigenanalysis():
    modes = ff.modal.eigenmodes(on_springs(1.0), n=6)
    assert modes.kind.count("rigid") == 0
    assert_allclose(modes.frequency[:3], np.sqrt(4.0 / on_springs(1.0).mass_properties().mass) / (2 * np.pi), rtol=1e-3)


def on_springs(k):
    """A plate of 785 kg with springs k [N/m] to the ground at its corners."""
    plate = ff.fem.plate_grid(2.0, 1.0, nx=8, ny=4, thickness=0.05, material=STEEL)
    stiffness = np.tile([k, k, k, 0.0, 0.0, 0.0], (4, 1))
    corners = np.array([[0], [8], [36], [44]])
    return plate.with_block(ff.fem.ElementBlock("ground_spring", corners, data={"stiffness": stiffness}))


@pytest.mark.parametrize("kind", ["beam", "plate", "box"])
def test_constants_and_generalised_mass_are_of_one_mass(beam, plate, kind):
    """The sums of the floating frame and the generalised mass describe one kinetic energy."""
    if kind == "box":
        fe = ff.fem.solid_box((1.0, 0.1, 0.1), (6, 1, 1), kind="hex20", material=STEEL)
        for name in ("xmin", "xmax"):
            fe = ff.fem.with_reference_node(fe, name, "rbe3")
        interface = ["xmin_ref", "xmax_ref"]
    else:
        fe, interface = {"beam": (beam, [1, 41]), "plate": (plate, [1, 9, 55, 63])}[kind]
    body = ff.modal.reduce(fe, interface=interface, n_modes=8)
    assert_allclose(body.inertia.HH, body.mass, rtol=0, atol=1e-15 * np.abs(body.mass).max())
    projected = exact_inertia_constants(fe, body.shapes).HH
    size = np.sqrt(np.diag(body.mass))
    # round-off of the modes' orthonormality
    assert_allclose(projected / np.outer(size, size), body.mass / np.outer(size, size), rtol=0, atol=1e-9)
    free = body.orthonormalised()
    assert np.abs(free.inertia.H).max() < 1e-7 * np.sqrt(free.inertia.m)
    assert_allclose(free.inertia.HH, np.eye(free.nmode), atol=1e-9)


def test_sums_over_nodes_belong_to_the_lumped_mass(beam):
    assert ff.modal.reduce(beam, interface=[1, 41], n_modes=2, mass="lumped").constants is None
    assert ff.modal.reduce(beam, interface=[1, 41], n_modes=2, inertia="nodal").constants is None


def test_the_provenance_of_a_body_names_the_file_of_its_model(beam, tmp_path):
    path = tmp_path / "beam.h5"
    ff.io.write(path, beam)
    fe = ff.io.read(path).with_point_mass(41, mass=1.0)  # a changed model comes from the same file
    found = ff.modal.reduce(fe, interface=[1], n_modes=1, geometric=False).with_comment("first try").provenance
    assert (found.source, found.source_hash) == ("beam.h5", hashlib.sha256(path.read_bytes()).hexdigest())
    assert (found.comment, found.settings["method"]) == ("first try", "craig-bampton")
    made_here = ff.modal.reduce(beam, interface=[1], n_modes=1, geometric=False).provenance
    assert (made_here.source, made_here.source_hash) == ("", "")
