"""The model check names what is wrong."""

from dataclasses import replace

import numpy as np
import pytest

import floatframe as ff

STEEL = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)


def plate():
    return ff.fem.plate_grid(2.0, 1.0, nx=2, ny=2, thickness=0.01, material=STEEL)


def words(fe):
    return " ".join(str(problem) for problem in ff.fem.check_model(fe).problems)


def test_good_model_has_no_problems():
    assert ff.fem.check_model(plate()).problems == ()


def test_orphan_node():
    fe = plate()
    report = ff.fem.check_model(ff.fem.FEModel(np.vstack([fe.nodes, [[9, 9, 9]]]), fe.blocks))
    assert report.problems[0].nodes.tolist() == [10]
    assert "Nodes without elements: 10" in str(report.problems[0])
    assert report.ok


def test_crossed_and_flat_elements_are_errors():
    fe = plate()
    crossed = fe.blocks[0].connectivity.copy()
    crossed[1] = crossed[1][[0, 2, 1, 3]]
    bad = replace(fe, blocks=(replace(fe.blocks[0], connectivity=crossed),))
    report = ff.fem.check_model(bad)
    assert not report.ok
    assert report.problems[0].elements.tolist() == [2]
    with pytest.raises(ff.ModelError, match="crossed edges: 2"):
        report.raise_errors()


def test_inside_out_solid():
    fe = ff.fem.solid_box((1, 1, 1), (1, 1, 1), kind="hex8", material=STEEL)
    turned = replace(fe.blocks[0], connectivity=fe.blocks[0].connectivity[:, [4, 5, 6, 7, 0, 1, 2, 3]])
    assert "inside out: 1" in words(replace(fe, blocks=(turned,)))


def test_zero_length_beam():
    fe = ff.fem.beam_line((0, 0, 0), (1, 0, 0), n=3, section=ff.fem.BeamSection.circle(0.1), material=STEEL)
    nodes = fe.nodes.copy()
    nodes[2] = nodes[1]
    assert "zero length: 2" in words(replace(fe, nodes=nodes))


def test_warped_quadrilateral():
    fe = plate()
    nodes = fe.nodes.copy()
    nodes[0, 2] = 0.8
    assert "warped by more than 10%" in words(replace(fe, nodes=nodes))


def test_duplicate_elements_unconnected_parts_and_loose_seams():
    fe = plate()
    twice = fe.with_block(replace(fe.blocks[0], element_ids=None).take([1]))
    assert "Elements on the same nodes: 2, 5" in words(twice)
    apart = ff.fem.join(fe, ff.fem.translate(fe, (2.0, 0, 0)))
    text = words(apart)
    assert "2 unconnected parts" in text
    assert "same place" in text
    assert words(ff.fem.merge_nodes(apart)) == ""


def test_weightless_material():
    fe = ff.fem.plate_grid(1, 1, nx=1, ny=1, thickness=0.1, material=ff.fem.Material(E=1e9, name="foam"))
    assert "Material 'foam'" in words(fe)


def test_point_spring_between_nodes_apart():
    spring = ff.fem.ElementBlock("point_spring", [[0, 1]], data={"stiffness": [[1e3, 1e3, 1e3]]})
    fe = ff.fem.FEModel(np.array([[0.0, 0, 0], [0.5, 0, 0]]), (spring,))
    assert "resist rigid turning: 1" in words(fe)


class TestBadModels:
    """Each gives one clear sentence when the model is made."""

    def test_nan_coordinates(self):
        fe = plate()
        nodes = fe.nodes.copy()
        nodes[3, 1] = np.nan
        with pytest.raises(ff.ModelError, match="coordinates of node 4 are not finite"):
            replace(fe, nodes=nodes)

    def test_unknown_node_in_a_set(self):
        with pytest.raises(ff.ModelError, match="node set 'base' names unknown node 77"):
            replace(plate(), node_sets={"base": [1, 77]})

    def test_unknown_element_in_a_set(self):
        with pytest.raises(ff.ModelError, match="element set 'deck' names unknown element 77"):
            plate().with_element_set("deck", [77])

    def test_negative_thickness(self):
        with pytest.raises(ff.ModelError, match=r"thickness is -0\.01"):
            ff.fem.plate_grid(1, 1, nx=1, ny=1, thickness=-0.01, material=STEEL)

    def test_beam_along_its_orientation(self):
        section = ff.fem.BeamSection.circle(0.1)
        fe = ff.fem.beam_line((0, 0, 0), (0, 0, 1), n=2, section=section, material=STEEL, orientation=(0, 0, 2))
        with pytest.raises(ff.ModelError, match=r"beam 1 .*lies along its orientation vector"):
            fe.stiffness()

    def test_connectivity_outside_the_nodes(self):
        block = ff.fem.ElementBlock("shell3", [[0, 1, 9]], STEEL, ff.fem.ShellSection(0.1))
        with pytest.raises(ff.ModelError, match="there are 3 nodes"):
            ff.fem.FEModel(np.eye(3), (block,))

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"E": -1.0}, "E is -1"),
            ({"E": 1.0, "nu": 0.5}, "nu is 0.5"),
            ({"E": 1.0, "rho": -2.0}, "rho is -2"),
            ({"E": float("nan")}, "E is nan"),
        ],
    )
    def test_material(self, arguments, message):
        with pytest.raises(ff.ModelError, match=message):
            ff.fem.Material(**arguments)

    def test_missing_material_and_section(self):
        with pytest.raises(ff.ModelError, match="no material"):
            ff.fem.ElementBlock("beam", [[0, 1]])
        with pytest.raises(ff.ModelError, match="section is none, expected a BeamSection"):
            ff.fem.ElementBlock("beam", [[0, 1]], STEEL)

    def test_point_mass(self):
        with pytest.raises(ff.ModelError, match="mass is -1"):
            plate().with_point_mass(1, mass=-1.0)
        with pytest.raises(ff.ModelError, match="unknown node 99"):
            plate().with_point_mass(99, mass=1.0)


def beam(**options):
    section = ff.fem.BeamSection.circle(0.1)
    return ff.fem.beam_line((0, 0, 0), (1, 0, 0), n=2, section=section, material=STEEL, **options)


def test_empty_blocks_and_models_are_looked_over():
    fe = plate()
    nothing = fe.blocks[0].take(np.zeros(4, dtype=bool))
    springs = ff.fem.ElementBlock("spring", np.empty((0, 2), dtype=int), data={"stiffness": np.empty((0, 6))})
    assert words(fe.with_block(replace(nothing, element_ids=None)).with_block(springs)) == ""
    assert ff.fem.check_model(ff.fem.FEModel(np.empty((0, 3)))).problems == ()


def test_bushing_between_nodes_at_one_place_joins_them():
    halves = ff.fem.join(beam(), ff.fem.translate(beam(), (1.0, 0, 0)))
    assert "same place that are not joined: 3, 4" in words(halves)
    bushing = ff.fem.ElementBlock("spring", [[2, 3]], data={"stiffness": np.full((1, 6), 1e6)})
    assert words(halves.with_block(bushing)) == ""
    # a spring to ground at each of them joins nothing
    grounded = ff.fem.ElementBlock("ground_spring", [[2], [3]], data={"stiffness": np.full((2, 6), 1e6)})
    assert "same place" in words(halves.with_block(grounded))


@pytest.mark.parametrize("place", [0.5e-7, 1.5e-7, 0.3])
def test_nodes_a_rounding_apart_are_found_wherever_they_are(place):
    block = ff.fem.ElementBlock("truss", [[0, 1], [2, 3]], STEEL, ff.fem.BeamSection.circle(0.1))
    x = [0.0, place - 1e-12, place + 1e-12, 1.0]
    fe = ff.fem.FEModel(np.column_stack([x, np.zeros(4), [0.5, 0, 0, 0.5]]), (block,))
    assert "same place that are not joined: 2, 3" in words(fe)


def test_springs_that_do_nothing():
    fe = beam()
    data = {"stiffness": [[0.0] * 6, [1e6] * 6, [0.0] * 6], "damping": [[0.0] * 6, [0.0] * 6, [5.0] * 6]}
    springs = ff.fem.ElementBlock("spring", [[0, 1], [1, 2], [0, 2]], data=data)
    assert "without stiffness and damping: 3." in words(fe.with_block(springs))


def test_springs_side_by_side_are_no_problem():
    pair = ff.fem.ElementBlock("spring", [[0, 1], [0, 1]], data={"stiffness": np.ones((2, 6))})
    assert words(beam().with_block(pair)) == ""


def test_thickness_that_is_not_positive():
    fe = plate()
    thin = replace(fe.blocks[0], data={"thickness": np.array([0.01, -0.01, 0.0, 0.01])})
    report = ff.fem.check_model(replace(fe, blocks=(thin,)))
    assert not report.ok
    assert "thickness is not positive: 2, 3" in str(report.problems[0])


def test_beams_along_their_orientation_are_reported():
    report = ff.fem.check_model(beam(orientation=(3, 0, 0)))
    assert not report.ok
    assert report.problems[0].elements.tolist() == [1, 2]


# couplings


def line_with(*couplings, supports=()):
    fe = ff.fem.beam_line((0, 0, 0), (1, 0, 0), n=4, section=ff.fem.BeamSection.circle(0.1), material=STEEL)
    for coupling in couplings:
        fe = fe.with_coupling(coupling)
    return fe.with_support(list(supports)) if supports else fe


DOUBLE = [
    (
        line_with(ff.fem.RBE2(1, [3], name="hub"), ff.fem.RBE2(4, [3], name="rim")),
        "Node 3 (ux, uy, uz, rx, ry, rz) is dependent in both RBE2 'hub' at node 1 and RBE2 'rim' at node 4",
    ),
    (
        line_with(ff.fem.RBE2(1, [2, 3], "u"), ff.fem.MPC([(3, "uy", 1.0), (4, "uy", -1.0)])),
        "Node 3 (uy) is dependent in both RBE2 at node 1 and MPC of nodes 3, 4",
    ),
    (
        line_with(ff.fem.MPC([(3, "uy", 1.0), (4, "uy", -1.0)]), ff.fem.MPC([(3, "uy", 1.0), (1, "uy", -2.0)])),
        "Node 3 (uy) is dependent in both MPC of nodes 3, 4 and MPC of nodes 3, 1",
    ),
    (
        line_with(ff.fem.RBE2(1, [3], name="hub"), supports=[(3, "ux"), (3, "uz")]),
        "Node 3 (ux, uz) is dependent in RBE2 'hub' at node 1 and held by a support; hold its independent node",
    ),
    (
        line_with(ff.fem.RBE2(1, [3], name="hub"), ff.fem.RBE2(3, [1], name="rim")),
        "RBE2 'hub' at node 1 and RBE2 'rim' at node 3 depend on each other in a circle through nodes 1, 3",
    ),
    (
        line_with(ff.fem.RBE2(1, [2]), ff.fem.RBE2(2, [3]), ff.fem.RBE2(3, [1])),
        "RBE2 at node 1 and RBE2 at node 2 and RBE2 at node 3 depend on each other in a circle",
    ),
]


@pytest.mark.parametrize(("fe", "message"), DOUBLE)
def test_dofs_that_are_dependent_twice(fe, message):
    """Both couplings are named, and what the check finds is what the computation refuses."""
    report = ff.fem.check_model(fe)
    assert not report.ok
    errors = [str(problem) for problem in report.problems if problem.severity == "error"]
    assert len(errors) == 1
    assert message in errors[0]
    with pytest.raises(ff.ModelError):
        ff.modal.eigenmodes(fe, n=1)


def test_chains_and_shared_nodes_of_couplings_are_fine():
    """A dependent node may lead others, and two couplings may share a node in different components."""
    chain = line_with(ff.fem.RBE2(1, [2]), ff.fem.RBE2(2, [3]))
    apart = line_with(ff.fem.RBE2(1, [3], "ux"), ff.fem.RBE2(4, [3], "uy"))
    for fe in (chain, apart):
        assert ff.fem.check_model(fe).ok
        assert len(ff.modal.eigenmodes(fe, n=3)) == 3


def test_mean_motion_held_and_dofs_that_are_missing():
    box = ff.fem.solid_box((1, 1, 1), (1, 1, 1), material=STEEL)
    fe = ff.fem.FEModel(np.vstack([box.nodes, [0.5, 0.5, 2.0]]), box.blocks)
    held = fe.with_coupling(ff.fem.RBE3(9, [2, 4, 6])).with_support([(9, "uz")])
    assert "make it independent by fe.with_independent([9])" in words(held)
    assert "rx of node 3 does not exist" in words(fe.with_coupling(ff.fem.MPC([(3, "rx", 1.0), (4, "ux", -1.0)])))
    assert ff.fem.check_model(held.with_independent([9])).ok
