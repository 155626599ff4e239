"""Scalar elements and points, dampers, element matrices and rigid elements of Nastran decks."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.errors import ReadError
from floatframe.fem.model import rigid_motion
from tests.io.nastran.decks import read

ROUNDING = 1e-9  # of frequencies from tiny eigenproblems
BLOCK = (
    "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,1.,1.,0.\nGRID,4,,0.,1.,0.\nGRID,5,,0.,0.,1.\nGRID,6,,1.,0.,1.\n"
    "GRID,7,,1.,1.,1.\nGRID,8,,0.,1.,1.\nCHEXA,1,1,1,2,3,4,5,6\n,7,8\nPSOLID,1,1\nMAT1,1,2.1+11,,.3,7850.\n"
)


def frequencies(fe: ff.fem.FEModel, count: int) -> np.ndarray:
    return ff.modal.eigenmodes(fe, n=count).frequency


@pytest.mark.parametrize(
    "cards",
    [
        "SPOINT,11,12\nCELAS4,1,100.,0,11\nCELAS4,2,200.,11,12\nCMASS4,3,2.,11\nCMASS4,4,3.,12\n",
        # the second line of a declaration, properties, and an undeclared scalar point that is declared by its use
        "SPOINT,11,THRU,12\nCELAS1,1,7,11,0\nPELAS,7,100.,,,8,200.\nCELAS1,2,8,11,,12\nCMASS1,3,5,11\n"
        "PMASS,5,2.,6,3.\nCMASS1,4,6,0,0,12\n",
        "CELAS3,1,7,11\nCELAS3,2,8,11,12\nPELAS,7,100.,,,8,200.\nCMASS3,3,5,11\nCMASS3,4,6,,12\nPMASS,5,2.,6,3.\n",
        # along one axis of grids, which is not one of the model's
        "CORD2R,5,,0.,0.,0.,0.,1.,1.\n,1.,0.,0.\nGRID,11,,0.,0.,0.,5,12456\nGRID,12,,0.,0.,0.,,12456\nCELAS2,1,100.,11,3\n"
        "CELAS2,2,200.,11,3,12,3\nCONM2,3,11,,2.\nCONM2,4,12,,3.\n",
    ],
)
def test_two_masses_on_two_springs(tmp_path, cards):
    """A chain ground - k1 - m1 - k2 - m2: roots of its two by two problem."""
    k1, k2, m1, m2 = 100.0, 200.0, 2.0, 3.0
    fe = read(tmp_path, cards)
    omega2 = np.roots([m1 * m2, -(m1 * k2 + m2 * (k1 + k2)), k1 * k2])
    assert_allclose(frequencies(fe, 2), np.sqrt(np.sort(omega2)) / (2 * math.pi), rtol=ROUNDING)


@pytest.mark.parametrize(
    "mass",
    [
        "CMASS2,2,.5,1,6\n",
        "CONM1,2,1\n,0.\n,,,,,,,,.5\n",
        "DMIG,MAD,0,6,1,0\nDMIG,MAD,1,6,,1,6,.5\n",
    ],
)
def test_moments_of_inertia_given_by_themselves_stay_where_the_rest_is_lumped(tmp_path, mass):
    head = "SOL 103\nCEND\nM2GG=MAD\nBEGIN BULK\n" if "DMIG" in mass else ""
    fe = read(tmp_path, f"{head}GRID,1,,0.,0.,0.,,12345\nCELAS2,1,50.,1,6\n{mass}")
    assert_allclose(frequencies(fe, 1), math.sqrt(50.0 / 0.5) / (2 * math.pi), rtol=ROUNDING)


def test_scalar_mass_between_two_dofs_resists_their_difference(tmp_path):
    fe = read(
        tmp_path,
        "SPOINT,11,12\nCELAS4,1,100.,11\nCELAS4,2,100.,12\nCMASS4,3,2.,11,12\nCMASS4,4,1.,11\nCMASS4,5,1.,12\n",
    )
    # in step the mass between them does nothing; against each other it counts twice
    assert_allclose(frequencies(fe, 2), np.sqrt([100.0 / 5.0, 100.0]) / (2 * math.pi), rtol=ROUNDING)


def test_spring_between_a_rotation_and_a_translation(tmp_path):
    """A gear rack: k (u - r φ)² keeps a wheel of inertia J and a rack of mass m together."""
    fe = read(
        tmp_path,
        "GRID,1,,0.,0.,0.,,12345\nGRID,2,,0.,1.,0.,,23456\nCONM2,1,1,,1.\n,1.,0.,1.,0.,0.,4.\nCONM2,2,2,,2.\n"
        "CELAS2,3,50.,1,6,2,1\n",
    )
    assert_allclose(frequencies(fe, 2)[1], math.sqrt(50.0 * (1 / 4.0 + 1 / 2.0)) / (2 * math.pi), rtol=ROUNDING)


def test_dampers_of_all_kinds(tmp_path):
    deck = (
        "GRID,1,,0.,0.,0.\nGRID,2,,3.,4.,0.\nCONM2,1,1,,1.\n,1.,0.,1.,0.,0.,1.\nCONM2,2,2,,1.\n,1.,0.,1.,0.,0.,1.\n"
        "CVISC,3,9,1,2\nPVISC,9,5.,7.\nCBUSH1D,4,8,1,2\nPBUSH1D,8,60.,2.,1.\nCBUSH1D,5,8,2,,0\nCDAMP2,6,3.,1,1,2,2\n"
    )
    fe = read(tmp_path, deck)
    C = np.zeros((12, 12))
    for block in fe.blocks:
        for rows, batch in block.batches(fe.nodes):
            damping = block.element.damping(batch)
            if damping is not None:
                size = block.element.dof_per_node
                for nodes, matrix in zip(block.connectivity[rows], damping, strict=True):
                    dofs = np.concatenate([6 * node + np.arange(size) for node in nodes])
                    C[np.ix_(dofs, dofs)] += matrix
    x = np.array([0.6, 0.8, 0.0])
    along = np.r_[x, np.zeros(3), -x, np.zeros(3)]
    about = np.r_[np.zeros(3), x, np.zeros(3), -x]
    scalar, ground = np.zeros(12), np.zeros(12)
    scalar[[0, 7]], ground[6] = (1.0, -1.0), 1.0
    expected = 7.0 * np.outer(along, along) + 7.0 * np.outer(about, about)
    expected += 3.0 * np.outer(scalar, scalar) + 2.0 * np.outer(ground, ground)
    assert_allclose(C, expected, atol=1e-12)
    assert sum(mass.mass for mass in fe.point_masses) == pytest.approx(2.0 + 2.0)  # each CBUSH1D brings its own


def test_mass_matrix_that_differs_between_directions(tmp_path):
    fe = read(
        tmp_path,
        "GRID,1,,0.,0.,0.,,456\nCONM1,1,1,,2.,0.,8.,0.,0.\n,4.\nCELAS2,2,32.,1,1\nCELAS2,3,32.,1,2\nCELAS2,4,32.,1,3\n",
    )
    assert_allclose(frequencies(fe, 3), np.sqrt([4.0, 8.0, 16.0]) / (2 * math.pi), rtol=ROUNDING)


def test_numbers_shared_between_kinds_of_elements(tmp_path):
    fe = read(tmp_path, BLOCK + "CONM2,1,7,,5.\nCELAS2,1,10.,1,1\nPLOTEL,1,1,2\nRBE2,1,7,123,8\n")
    assert fe.nelement == 2
    assert len(set(np.concatenate([block.element_ids for block in fe.blocks]))) == 2
    with pytest.raises(ReadError, match="element 1 was already defined as CELAS2 in line 13"):
        read(tmp_path, BLOCK + "CELAS2,1,10.,1,1\nCELAS2,1,11.,1,2\n")


def test_constraints_with_scalar_points(tmp_path):
    """A scalar point that follows half the motion of a grid lends it a quarter of its spring."""
    fe = read(
        tmp_path,
        "GRID,1,,0.,0.,0.,,23456\nCONM2,1,1,,2.\nSPOINT,9\nCELAS4,2,80.,9\nMPC,1,9,0,1.,1,1,-.5\nSPOINT,10\nCELAS4,3,1.,10\n"
        "CMASS4,4,1.,10\nSPC1,1,0,10\n",
    )
    assert_allclose(frequencies(fe, 1), math.sqrt(80.0 / 4.0 / 2.0) / (2 * math.pi), rtol=ROUNDING)


# bars with a mass beside them, whose dofs are measured in cylindrical axes
FRAME = (
    "MAT1,1,2.1+11,,.3,7850.\nCORD2C,9,,0.,0.,0.,0.,0.,1.\n,1.,0.,0.\nGRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\n"
    "GRID,3,9,1.4,40.,0.,9\nGRID,4,,0.,1.,.1\nGRID,5,,.4,.4,.7,9\nPBAR,1,1,4.-4,3.-8,1.-8,2.-8\nCBAR,1,1,1,2,0.,.1,1.\n"
    "CBAR,2,1,2,3,0.,.1,1.\nCBAR,3,1,3,4,0.,.1,1.\nCONM2,9,5,,3.\n,1.,,1.,,,1.\n"
)
RIGID = [
    "RBAR,21,5,3,1236,45\n",
    "RBAR,21,3,5,123,456\n",
    "RBAR1,21,3,5\n",
    "GRID,6,,.4,.4,.7\nCONM2,8,6,,1.\nRJOINT,21,5,6\nRBE2,22,5,123456,3\n",
    "RTRPLT,21,2,4,5,123,23,3\n",
    "RTRPLT,21,3,4,5,123456,,,\n,,123,123456\n",
    "RTRPLT1,21,3,4,5,123\n",
    "RBE1,21,2,123,4,23,5,3\n,UM,5,12456,3,12\n",
    "RBE1,21,3,123456\n,UM,5,123456,2,1\n,1.-6\n",
]


@pytest.mark.parametrize("card", RIGID)
def test_rigid_elements_leave_rigid_motion_free(tmp_path, card):
    fe = read(tmp_path, FRAME + card)
    shapes = fe.rigid_shapes()
    moved, expected = fe.expand(shapes), rigid_motion(fe.nodes)
    there = np.repeat(fe.dof_table.present, 3, axis=1)
    assert_allclose(moved[there], expected[there], atol=1e-9)  # the fit divides by products of lengths
    assert np.abs(fe.stiffness() @ shapes).max() < 1e-8 * np.abs(fe.stiffness()).max()
    # six rigid motions, and every other one strains the body
    found = frequencies(fe, 7)
    assert (found[:6] < 1e-3 * found[6]).all()


def test_which_dofs_of_a_rigid_bar_are_independent_makes_no_difference(tmp_path):
    cards = ("RBAR,21,3,5,123456\n", "RBAR,21,5,3,1236,45\n", "RBAR,21,3,5,123,456\n", "RBE2,21,3,123456,5\n")
    found = [frequencies(read(tmp_path, FRAME + card), 12)[6:] for card in cards]
    assert_allclose(found[1:], np.tile(found[0], (3, 1)), rtol=1e-7)  # a chain of eliminations, then an eigenproblem


@pytest.mark.parametrize("held", ["1", "13", "1234", "5", "246"])
@pytest.mark.parametrize("card", ["RBAR,21,3,5,123,456\n", "RBAR,21,5,3,123456\n", "RBE2,21,3,123456,5\n"])
def test_rigid_elements_with_partial_supports(tmp_path, card, held):
    """As many motions cost nothing as supports leave free, wherever the held dofs are in a rigid element."""
    found = frequencies(read(tmp_path, FRAME + f"SPC1,1,{held},5\n" + card), 8)
    assert int((found < 1e-3 * found[-1]).sum()) == 6 - len(held)


def test_bush_beside_its_line(tmp_path):
    """A mass at grid 1, held by a spring along y at the place OCID gives: the arm couples motion and turning."""
    deck = (
        "GRID,1,,0.,0.,0.,,1345\nGRID,2,,1.,0.,0.,,123456\nCONM2,9,1,,2.\n,1.,0.,1.,0.,0.,.5\nPBUSH,5,K,,800.,,,,30.\n"
        "CBUSH,1,5,1,2,,,,0\n,,7,0.,.3,0.\nCORD2R,7,,0.,0.,0.,0.,0.,1.\n,0.,-1.,0.\n"
    )
    # y of system 7 is x of the model: the spring sits at x = 0.3 of grid 1
    K = np.array([[800.0, 800.0 * 0.3], [800.0 * 0.3, 800.0 * 0.09 + 30.0]])
    omega2 = np.linalg.eigvals(np.linalg.inv(np.diag([2.0, 0.5])) @ K)
    assert_allclose(frequencies(read(tmp_path, deck), 2), np.sqrt(np.sort(omega2)) / (2 * math.pi), rtol=ROUNDING)


def test_glued_plates_bend_as_one(tmp_path):
    """Two plates, one above the other: the tip of NX Nastran's example n401gsh01 sinks by 8.343 mm."""
    lines = ["SOL 401", "CEND", "SPC = 1", "BGSET = 100", "SUBCASE 1", " LOAD = 3", "BEGIN BULK", "BGADD,100,101"]
    lines += ["BGSET,101,1,2,1.5,,.01", "PSHELL,1,1,1.,1,1.,1,.833333,0.", "MAT1,1,7.312+7,,.33,2.794-6"]
    number = {}
    for layer, i, j in np.ndindex(2, 11, 3):
        number[layer, i, j] = len(number) + 1
        lines.append(f"GRID,{len(number)},,{5.0 * i},{5.0 * j - 5.0},{0.5 - layer}")
    for k, (layer, i, j) in enumerate(np.ndindex(2, 10, 2)):
        corners = ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1))
        lines.append(f"CQUADR,{k + 1},1," + ",".join(str(number[layer, *corner]) for corner in corners))
    lines += [f"SPC,1,{number[layer, 0, j]},123456,0." for layer, j in np.ndindex(2, 3)]
    lines += ["BSURF,1,1,THRU,20", "BCRPARA,1,TOP,0.,FLEX", "BSURF,2,21,THRU,40", "ENDDATA"]
    fe = read(tmp_path, "\n".join(lines))
    motion = fe.expand(np.eye(fe.stiffness().shape[0]))
    held = np.array([motion[number[layer, 0, j] - 1].any(axis=0) for layer, j in np.ndindex(2, 3)]).any(axis=0)
    force = sum(share * motion[number[0, 10, j] - 1, 2] for j, share in enumerate((25e3, 50e3, 25e3)))
    K = fe.stiffness().toarray()[np.ix_(~held, ~held)]
    tip = motion[number[0, 10, 1] - 1, 2][~held] @ np.linalg.solve(K, force[~held])
    # the glue there has a stiffness of its own, and a plate clamped all across is stiffer than a beam (8.55 mm)
    assert tip == pytest.approx(8.343, rel=0.02)


def test_matrices_added_to_elements(tmp_path):
    """K2GG and M2GG: a spring between turned dofs of two grids and a mass on one of them, with a factor."""
    deck = (
        "SOL 103\nCEND\nK2GG = 2.0*KADD\nM2GG = MADD\nBEGIN BULK\nCORD2R,9,,0.,0.,0.,1.,0.,0.\n,0.,1.,0.\n"
        "GRID,1,,0.,0.,0.,9,13456\nGRID,2,,1.,0.,0.,,123456\nCELAS2,1,0.,1,2,2,1\nCONM2,2,1,,1.\n"
        "DMIG,KADD,0,6,2\nDMIG,KADD,1,2,,1,2,100.\n,2,1,-100.\nDMIG,KADD,2,1,,2,1,100.\n"
        "DMIG,MADD,0,6,2\nDMIG,MADD,1,2,,1,2,3.\nDMIG,UNUSED,0,1,3\nDMIG,UNUSED,1,2,,1,2,3.,1.\nENDDATA\n"
    )
    fe = read(tmp_path, deck)
    assert_allclose(frequencies(fe, 1), math.sqrt(200.0 / 4.0) / (2 * math.pi), rtol=ROUNDING)
    with pytest.raises(ReadError, match=r"K2GG KXX.*carries stiffness: no DMIG of this name"):
        read(tmp_path, deck.replace("2.0*KADD", "KXX"))


def test_a_grid_in_several_groups_of_a_mean(tmp_path):
    """The weights of a grid belong to components: all in one group, or each in its own, is the same mean."""
    tip = "GRID,9,,2.,0.,0.\nCONM2,9,9,,5.\n"
    one = "RBE3,8,,9,123456,1.,123,5,6\n,7,8\n"
    three = "RBE3,8,,9,123456,1.,1,5,6\n,7,8,1.,2,5,6,7\n,8,1.,3,5,6,7,8\n"
    held = "SPC1,1,123,1,2,3,4\n"
    plain, split = (frequencies(read(tmp_path, BLOCK + tip + mean + held), 3) for mean in (one, three))
    assert_allclose(split, plain, rtol=ROUNDING)


def test_matrices_of_the_response_leave_springs_and_masses_a_model(tmp_path):
    text = "SOL 111\nCEND\nMETHOD=1\nK2PP=KX\nBEGIN BULK\nGRID,1,,,,,,23456\nCELAS2,5,8.,1,1\nCONM2,6,1,,2.\n"
    fe = read(tmp_path, f"{text}DMIG,KX,0,6,1,0\nDMIG,KX,1,1,,1,1,30.\nENDDATA\n")
    assert_allclose(frequencies(fe, 1), 2.0 / (2 * math.pi), rtol=ROUNDING)


BAR = "CBAR,1,1,1,2,0.,1.,0.\nPBAR,1,1,.01,1.-5,2.-5,3.-5\nMAT1,1,2.+11,8.+10,,7850.\n"  # EI about z: 2e6


@pytest.mark.parametrize(
    ("cards", "where", "compliance"),
    [
        # an arm from the foot of the bar to a support
        ("GRID,1\nGRID,3,,0.,1.,0.,,123456\nRBE2,7,1,123456,3\n", (2, "uy"), 8 / 3 / 2e6),
        ("GRID,1\nGRID,3,,0.,1.,0.,,123456\nRBAR,7,1,3,123456\n", (2, "uy"), 8 / 3 / 2e6),
        # a node that two arms share
        ("GRID,1,,,,,,123456\nGRID,3,,2.,0.,2.\nGRID,4\nRBE2,7,2,123456,4\nRBE2,8,3,123456,4\n", (3, "uy"), None),
        # a chain that begins at a grid with nothing but a mass
        ("GRID,1,,,,,,123456\nGRID,3,,2.,0.,2.\nGRID,4\nRBE2,7,3,123456,4\nRBE2,8,4,123456,2\n", (3, "uy"), None),
        # a node at the end of an arm whose motion an equation passes on
        (
            "GRID,1,,,,,,123456\nGRID,3,,2.,1.,0.\nRBE2,7,2,123456,3\nGRID,4,,,,,,13456\nMPC,1,4,2,1.,3,2,-1.\n",
            (4, "uy"),
            8 / 3 / 2e6,
        ),
        (
            "GRID,1,,,,,,123456\nGRID,3,,2.,1.,0.\nRBE2,7,2,123456,3\nGRID,4,,,,,,13456\nMPC,1,4,2,1.,3,6,-1.\n",
            (4, "uy"),
            2 / 2e6,
        ),
    ],
)
def test_rigid_arms_to_grids_without_elements(tmp_path, cards, where, compliance):
    fe = read(tmp_path, f"{cards}GRID,2,,2.,0.,0.\n{BAR}CONM2,20,{where[0]},,1.\n")
    if compliance is None:  # the arm of 2 m along z twists the bar
        compliance = 8 / 3 / 2e6 + 2.0**2 * 2 / (8e10 * 3e-5)
    row = fe.node_index(where[0])
    assert_allclose(ff.modal.static_solution(fe, {where: 1.0}).displacement[row, 1], compliance, rtol=1e-6)


def test_factors_of_whole_matrices_are_lost(tmp_path):
    text = "GRID,1,,,,,,23456\nCELAS2,5,8.,1,1\nCONM2,6,1,,2.\nPARAM,CK1,1.\n"
    assert_allclose(frequencies(read(tmp_path, text), 1), 2.0 / (2 * math.pi), rtol=ROUNDING)
    with pytest.raises(ReadError, match=r"PARAM CM1 .* carries mass"):
        read(tmp_path, f"{text}PARAM,CM1,2.\n")
