"""Couplings transmit rigid motion, forces and mass exactly."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.linalg
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.fem import MPC, RBE2, RBE3

STEEL = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
EXACT = 1e-9  # round-off of one dense solve


def two_beams(gap=0.0):
    """Two collinear beams of 1 m with a gap between nodes 3 and 4."""
    section = ff.fem.BeamSection.rectangle(0.02, 0.03)
    first = ff.fem.beam_line((0, 0, 0), (1, 0, 0), n=2, section=section, material=STEEL)
    second = ff.fem.beam_line((1 + gap, 0, 0), (2 + gap, 0, 0), n=2, section=section, material=STEEL)
    return ff.fem.join(first, second)


def solve(fe, f, fixed):
    """Dense solution, independent of the sparse solvers."""
    free = fe.free_rows(fixed)
    x = np.zeros(fe.ndof)
    K = fe.stiffness().toarray()
    x[free] = scipy.linalg.solve(K[np.ix_(free, free)], fe.project_load(f)[free], assume_a="pos")
    return fe.expand(x)


def nodal_load(fe, node, values):
    f = np.zeros((fe.nnode, 6))
    f[fe.node_index(node)] = values
    return f


def test_rigid_link_equals_merged_node():
    linked = two_beams().with_coupling(RBE2(3, [4]))
    whole = ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=4, section=linked.blocks[0].section, material=STEEL)
    load = [1.0, 2.0, 3.0, 0.1, 0.2, 0.3]
    tip = solve(linked, nodal_load(linked, 6, load), [1])[5]
    assert_allclose(tip, solve(whole, nodal_load(whole, 5, load), [1])[4], rtol=EXACT)


def test_rigid_arm_moves_like_a_rigid_body():
    fe = two_beams(gap=0.5).with_coupling(RBE2(3, [4]))
    u = solve(fe, nodal_load(fe, 6, [10.0, -20.0, 30.0, 4.0, 5.0, 6.0]), [1])
    arm = fe.nodes[3] - fe.nodes[2]
    assert_allclose(u[3, :3], u[2, :3] + np.cross(u[2, 3:], arm), rtol=EXACT)
    assert_allclose(u[3, 3:], u[2, 3:], rtol=EXACT)


def test_chain_of_rigid_links_is_followed():
    fe = two_beams(gap=0.5)
    chained = ff.fem.FEModel(np.vstack([fe.nodes, [[1.25, 0.3, 0.0]]]), fe.blocks)
    chained = chained.with_coupling(RBE2(7, [4])).with_coupling(RBE2(3, [7]))
    direct = fe.with_coupling(RBE2(3, [4]))
    load = [1.0, 2.0, 3.0, 0.1, 0.2, 0.3]
    assert_allclose(
        solve(chained, nodal_load(chained, 6, load), [1])[5],
        solve(direct, nodal_load(direct, 6, load), [1])[5],
        rtol=EXACT,
    )


def averaged_brick(independent=False):
    """A clamped brick whose free face is averaged by a reference node off its centre."""
    brick = ff.fem.solid_box((1.0, 0.2, 0.3), (4, 2, 2), kind="hex8", material=STEEL)
    face = brick.node_sets["xmax"]
    nodes = np.vstack([brick.nodes, [[1.2, 0.15, 0.1]]])
    fe = ff.fem.FEModel(nodes, brick.blocks, node_sets=brick.node_sets)
    return fe.with_coupling(RBE3(len(nodes), face, independent=independent)), face, len(nodes)


@pytest.mark.parametrize("independent", [False, True])
def test_averaging_spreads_a_load_with_the_same_resultant(independent):
    fe, _, reference = averaged_brick(independent)
    load = np.array([100.0, -50.0, 70.0, 11.0, 12.0, 13.0])
    u = solve(fe, nodal_load(fe, reference, load), ["xmin"])
    # reactions of the clamped face must balance force and moment of the load
    free_model = ff.fem.FEModel(fe.nodes, fe.blocks)
    held = free_model.node_index(fe.node_sets["xmin"])
    f = free_model.stiffness() @ u.reshape(-1)[free_model.dof_table.slots]
    nodal = np.zeros((fe.nnode, 6))
    nodal.ravel()[free_model.dof_table.slots] = f
    arm = fe.nodes[held] - fe.nodes[reference - 1]
    force = nodal[held, :3].sum(axis=0)
    moment = np.cross(arm, nodal[held, :3]).sum(axis=0)
    # 1e-7: the moments are small against stiffness times displacement in the dense solve
    assert_allclose(-force, load[:3], rtol=1e-7)
    assert_allclose(-moment, load[3:], rtol=1e-6)


def test_both_forms_of_averaging_agree():
    load = np.array([100.0, -50.0, 70.0, 11.0, 12.0, 13.0])
    first, _, node = averaged_brick(independent=False)
    second = first.with_independent([node])
    u = [solve(fe, nodal_load(fe, node, load), ["xmin"]) for fe in (first, second)]
    assert_allclose(u[1], u[0], rtol=1e-7, atol=1e-9 * np.abs(u[0]).max())


def test_averaged_reference_can_be_held():
    fe, _, node = averaged_brick()
    with pytest.raises(ff.ModelError, match=rf"node {node} depends on other nodes .*with_independent"):
        fe.free_rows([node])
    held = fe.with_independent([node])
    u = solve(held, nodal_load(held, 1, [0, 0, -1000.0, 0, 0, 0]), [node, "xmin"])
    assert_allclose(u[node - 1], 0.0, atol=1e-15)
    assert np.abs(u).max() == 0.0 or np.abs(u[:, 2]).max() > 0.0


def test_rigid_motion_of_coupled_model_costs_no_energy():
    fe, _, _ = averaged_brick(independent=True)
    K = fe.stiffness()
    assert np.abs(K @ fe.rigid_shapes()).max() < 1e-9 * np.abs(K.diagonal()).max()


def test_point_mass_on_rigid_arm_equals_offset_mass():
    beam = ff.fem.beam_line((0, 0, 0), (1, 0, 0), n=3, section=ff.fem.BeamSection.circle(0.03), material=STEEL)
    offset = beam.with_point_mass(4, mass=5.0, inertia=(0.1, 0.2, 0.3), offset=(0.1, 0.2, -0.3))
    nodes = np.vstack([beam.nodes, beam.nodes[3] + [0.1, 0.2, -0.3]])
    linked = ff.fem.FEModel(nodes, beam.blocks).with_coupling(RBE2(4, [5]))
    linked = linked.with_point_mass(5, mass=5.0, inertia=(0.1, 0.2, 0.3))
    assert_allclose(linked.mass("lumped").toarray(), offset.mass("lumped").toarray(), rtol=1e-12, atol=1e-12)


def test_multipoint_constraint_holds_and_shares_the_load():
    # two parallel cantilevers whose tips are tied in uz with factor 2: u6 = 2 u3
    section = ff.fem.BeamSection.circle(0.02)
    a = ff.fem.beam_line((0, 0, 0), (1, 0, 0), n=2, section=section, material=STEEL)
    b = ff.fem.beam_line((0, 1, 0), (1, 1, 0), n=2, section=section, material=STEEL)
    fe = ff.fem.join(a, b).with_coupling(MPC([(6, "uz", 1.0), (3, "uz", -2.0)]))
    u = solve(fe, nodal_load(fe, 6, [0, 0, 10.0, 0, 0, 0]), [1, 4])
    alone = solve(a, nodal_load(a, 3, [0, 0, 1.0, 0, 0, 0]), [1])[2, 2]
    assert_allclose(u[5, 2], 2 * u[2, 2], rtol=EXACT)
    # virtual work: (k + 4k) u3 = 2 * 10
    assert_allclose(u[2, 2], 20.0 / 5.0 * alone, rtol=EXACT)


@pytest.mark.parametrize(
    "held",
    [
        MPC([(1, "ux", 1.0), (1, "uy", -1.0)], name="support in a turned direction"),
        MPC([(3, "uz", 1.0), (2, "uz", -2.0)], name="lever"),
    ],
    ids=lambda held: held.name,
)
def test_couplings_that_stop_rigid_motion_take_no_mass_away(held):
    fe = ff.fem.beam_line((0, 0, 0), (1, 0, 0), n=2, section=ff.fem.BeamSection.circle(0.02), material=STEEL)
    fe = fe.with_point_mass(3, mass=5.0)
    free, found = fe.mass_properties(), fe.with_coupling(held).mass_properties()
    assert found.mass == pytest.approx(5.0 + np.pi * 0.01**2 * STEEL.rho, rel=1e-12)  # round-off of a sum
    assert_allclose(found.com, free.com, rtol=1e-12, atol=1e-15)
    assert_allclose(found.inertia, free.inertia, rtol=1e-12, atol=1e-15)


def test_nothing_holds_a_released_model():
    """A beam on supports askew to the axes: six rigid motions come back, the arm stays."""
    fe = two_beams(gap=0.5).with_coupling(RBE2(3, [4])).with_support([1])
    fe = fe.with_coupling(MPC([(6, "uy", 1.0), (6, "uz", -1.0)])).with_coupling(MPC([(6, "rx", 1.0), (6, "rz", 2.0)]))
    free = fe.without_supports()
    assert free.couplings == (RBE2(3, [4]),)
    assert np.abs(free.stiffness() @ free.rigid_shapes()).max() < EXACT * abs(free.stiffness()).max()


@pytest.mark.parametrize(
    ("coupling", "message"),
    [
        (lambda: RBE2(3, []), "no dependent nodes"),
        (lambda: RBE2(3, [3]), "both reference and dependent"),
        (lambda: RBE3(9, [1, 2], weights=[1.0]), "positive weight"),
        (lambda: MPC([(1, "ux", 1.0)]), "at least two terms"),
        (lambda: MPC([(1, "ux", 1.0), (1, "ux", 1.0)]), "two terms"),
    ],
)
def test_bad_coupling_is_refused(coupling, message):
    with pytest.raises(ff.ModelError, match=message):
        coupling()


def test_conflicting_couplings_are_named():
    fe = two_beams(gap=0.5)
    with pytest.raises(ff.ModelError, match="ux of node 4 is dependent in both"):
        fe.with_coupling(RBE2(3, [4])).with_coupling(RBE2(2, [4])).stiffness()
    with pytest.raises(ff.ModelError, match="in a circle"):
        fe.with_coupling(RBE2(3, [4])).with_coupling(RBE2(4, [3])).stiffness()
    with pytest.raises(ff.ModelError, match="unknown node 99"):
        fe.with_coupling(RBE2(3, [99]))
    with pytest.raises(ff.ModelError, match="lie on one line"):
        fe.with_coupling(RBE3(6, [1, 2, 3])).stiffness()


def test_repeated_nodes_are_refused():
    with pytest.raises(ff.ModelError, match="averaged nodes name node 8 more than once"):
        RBE3(1, [2, 3, 8, 8], independent=True)
    with pytest.raises(ff.ModelError, match="dependents name node 4 more than once"):
        RBE2(1, [4, 4])


def test_merged_averaged_nodes_carry_their_weights_together():
    """Two copies of an edge merged under an RBE3 weigh twice."""
    plate = ff.fem.plate_grid(1.0, 1.0, nx=1, ny=1, thickness=0.01, material=STEEL)
    double = ff.fem.join(plate, ff.fem.translate(plate, (1.0, 0, 0)))
    coupled = ff.fem.with_reference_node(double.with_node_set("all", double.node_ids), "all", "rbe3")
    merged = ff.fem.merge_nodes(coupled)
    (coupling,) = merged.couplings
    weight = dict(zip(coupling.averaged, coupling.weights, strict=True))
    x = {node: merged.nodes[merged.node_index(node)[0], 0] for node in weight}
    assert all(weight[node] == (2.0 if x[node] == 1.0 else 1.0) for node in weight)
    # the mean motion of a rigid turn is that turn
    K = merged.stiffness()
    assert np.abs(K @ merged.rigid_shapes()).max() < EXACT * abs(K).max()


def test_dof_that_depends_on_itself_is_a_circle():
    class Bitten(MPC):
        def dependencies(self, fe):
            return [(np.array([0]), np.array([[0.5, 0.5]]), np.array([0, 6]))]

    with pytest.raises(ff.ModelError, match="circle at node 1"):
        two_beams().with_coupling(Bitten([(1, "ux", 1.0), (2, "ux", -1.0)])).stiffness()


@pytest.mark.parametrize(
    ("coupling", "message"),
    [
        (lambda: RBE2(3, [4], name="weld"), r"make nodes 3, 4 of RBE2 'weld' one; use a smaller tolerance"),
        (lambda: MPC([(3, "ux", 1.0), (4, "ux", -1.0)]), "make nodes 3, 4 of MPC one"),
    ],
)
def test_merging_the_nodes_of_a_coupling_is_refused_by_name(coupling, message):
    with pytest.raises(ff.ModelError, match=message):
        ff.fem.merge_nodes(two_beams().with_coupling(coupling()))


def test_merged_terms_add_up():
    fe = two_beams().with_coupling(MPC([(1, "ux", 1.0), (3, "uy", 0.25), (4, "uy", 0.5)]))
    assert ff.fem.merge_nodes(fe).couplings[0].terms == ((1, 0, 1.0), (3, 1, 0.75))


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        ([(1, "u", 1.0), (2, "ux", 1.0)], "names 3; a term takes one"),
        ([(1, "", 1.0), (2, "ux", 1.0)], "no dof is named"),
        ([(1, "ux", 1.0), (2, "ux", float("nan"))], "coefficient at node 2 is nan"),
        ([(1.5, "ux", 1.0), (2, "ux", 1.0)], "found 1.5"),
    ],
)
def test_terms_that_mean_nothing(terms, message):
    with pytest.raises(ff.ModelError, match=message):
        MPC(terms)


def test_partly_coupled_nodes_turn_where_axes_meet_axes():
    quarter = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    slanted = np.array([[0.6, -0.8, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, 1.0]])
    assert RBE2(1, [2], "r").rotated(slanted).components == "r"
    assert RBE2(1, [2], "uz,rz").rotated(slanted).components == "uz,rz"
    assert RBE2(1, [2], "ux,ry").rotated(quarter).components == "uy,rx"
    with pytest.raises(ff.ModelError, match="RBE2 at node 1: only ux are coupled"):
        RBE2(1, [2], "ux").rotated(slanted)


def test_turned_hinge_bends_like_the_straight_one():
    hinged = two_beams().with_coupling(RBE2(3, [4], "u,rx,rz"))
    load = np.zeros((6, 6))
    load[4] = [10.0, 20.0, 30.0, 0.0, 0.0, 0.0]
    straight = solve(hinged, load, [1, 6])
    turned = ff.fem.rotate(hinged, "z", np.pi / 2)
    R = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    both = np.kron(np.eye(2), R)
    # 1e-8: sines of a quarter turn are not zero in floating point
    assert_allclose(solve(turned, load @ both.T, [1, 6]), straight @ both.T, atol=1e-8 * np.abs(straight).max())


def test_sets_stand_for_nodes_in_masses_springs_and_couplings():
    fe = two_beams().with_node_set("end", 6).with_node_set("joint", [3, 4]).with_node_set("all", range(1, 7))
    assert fe.with_point_mass("end", 2.0).point_masses[0].node == 6
    assert fe.with_rbe2(3, "joint").couplings == (RBE2(3, [4]),)
    assert fe.with_rbe2("end", [1], "u", name="x").couplings == (RBE2(6, [1], "u", "x"),)
    assert fe.with_rbe3("end", "joint").couplings == (RBE3(6, [3, 4]),)
    assert fe.with_rbe3(1, "joint", [1.0, 2.0], independent=True).couplings == (RBE3(1, [3, 4], [1.0, 2.0], True),)
    assert fe.with_spring("end", stiffness=[1.0] * 6).blocks[-1].connectivity.tolist() == [[5]]
    for call in (fe.with_point_mass, lambda pick: fe.with_spring(1, pick), lambda pick: fe.with_rbe2(pick, "all")):
        with pytest.raises(ff.ModelError, match=r"needs one node, but set 'joint' has 2; `with_reference_node`"):
            call("joint")


def test_a_mass_on_the_mean_of_too_many_nodes_is_refused_before_memory_runs_out(monkeypatch):
    """Its mass couples all averaged dofs: n nodes fill (3 n)² entries."""
    plate = ff.fem.plate_grid(1.0, 1.0, nx=9, ny=9, thickness=0.01, material=STEEL)
    nodes = np.vstack([plate.nodes, [[0.5, 0.5, 0.3]]])
    node = int(plate.node_ids.max()) + 1
    mean = replace(plate, nodes=nodes, node_ids=np.append(plate.node_ids, node)).with_rbe3(node, plate.node_ids)
    monkeypatch.setattr("floatframe.fem.assembly.CROWD", 1e3)
    mean.mass()  # a reference node without mass of its own fills nothing
    with pytest.raises(ff.errors.ModelError, match=rf"node {node} follows \d+ dofs .* couple fewer nodes"):
        mean.with_point_mass(node, 5.0).mass()
