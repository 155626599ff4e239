"""APDL of hand-written decks: defaults of the manual, loops, macros, generated nodes, elements and couplings."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import floatframe as ff
from floatframe.errors import ReadError
from floatframe.fem import RBE3
from floatframe.io.ansys.apdl import flow

TRUSS = "/PREP7\nET,1,LINK180\nR,1,1e-4\nMP,EX,,2e11\nMP,DENS,,7800\n"
EXACT = 1e-12  # rounding of a few operations


def bars(fe):
    """Node numbers of all bars."""
    return np.concatenate([fe.node_ids[block.connectivity] for block in fe.blocks])


def test_fill_takes_the_last_two_nodes_and_material_one_is_meant(read):
    fe = read(TRUSS + "N,1\nN,5,4\nFILL\nN,9,4,8\nFILL,,,,,,,,2.0\nE,1,2\nE,5,6\nE,8,9\n*REPEAT,1\n")
    assert_allclose(fe.nodes[:5, 0], [0, 1, 2, 3, 4], atol=EXACT)
    steps = np.diff(fe.nodes[4:, 1])
    # the last division is twice the first, all in one ratio
    assert_allclose(steps[1:] / steps[:-1], 2.0 ** (1.0 / 3.0), rtol=EXACT)
    assert fe.blocks[0].material.E == 2e11


def test_fill_repeats_and_keeps_to_the_active_system(read):
    deck = TRUSS + "CSYS,1\nN,1,2,0\nN,4,2,90\nNGEN,2,10,1,4,3,,,1\nFILL,1,4,2,2,1,2,10\nE,1,2\nE,11,12\n"
    fe = read(deck)
    assert_array_equal(fe.node_ids, [1, 2, 3, 4, 11, 12, 13, 14])
    assert_allclose(fe.nodes[1], [2 * math.cos(math.pi / 6), 1.0, 0.0], atol=EXACT)
    assert_allclose(fe.nodes[6], [1.0, 2 * math.sin(math.pi / 3), 1.0], atol=EXACT)


def test_loops_branches_arrays_and_functions_make_a_mesh(read):
    deck = f"""{TRUSS}*AFUN,DEG
*DIM,R,ARRAY,4
R(1)=1,2
*SET,R(3),3,4
N = 4
*DO,I,1,N
  *IF,I,EQ,3,CYCLE
  N,I,R(I)*COS(60),R(I)*SIN(60)
  *IF,I,GT,1,THEN
    *IF,I,EQ,2,THEN
      E,1,I
    *ELSE
      E,2,I
    *ENDIF
  *ENDIF
*ENDDO
*DO,J,1,0
  N,99
*ENDDO
*GET,TOP,NODE,0,NUM,MAX
N,TOP+1,NX(4)+DISTND(1,2),NY(4)
E,TOP,TOP+1
"""
    fe = read(deck)
    assert_array_equal(fe.node_ids, [1, 2, 4, 5])
    assert_allclose(fe.nodes[:, 0], [0.5, 1.0, 2.0, 3.0], rtol=EXACT)
    assert_array_equal(bars(fe), [[1, 2], [2, 4], [4, 5]])


def test_macros_jumps_and_files_beside_the_deck(read, tmp_path):
    (tmp_path / "more.inp").write_text("N,7,ARG1\n")
    deck = f"""{TRUSS}*CREATE,MAKE,MAC
N,ARG1,ARG2
*END
MAKE,1,0
*USE,MAKE.MAC,2,3
/INPUT,more,inp
K0=0
:AGAIN
K0=K0+1
N,10+K0,K0
*IF,K0,LT,3,:AGAIN
E,1,2
*REPEAT,2,10,10
"""
    fe = read(deck)
    assert_array_equal(fe.node_ids, [1, 2, 7, 11, 12, 13])
    assert_array_equal(bars(fe), [[1, 2], [11, 12]])


def test_a_loop_without_end_is_refused(read, monkeypatch):
    monkeypatch.setattr(flow, "_MOST_PASSES", 1000)
    with pytest.raises(ReadError, match="loops run more than"):
        read(TRUSS + "A=1\n*DOWHILE,A\nA=A+1\n*ENDDO\n")


def test_copies_of_elements_change_attributes_and_make_their_nodes(read):
    fe = read(TRUSS + "R,2,2e-4\nN,1\nN,2,1\nE,1,2\nEGEN,3,1,1,,,,,1,,,1,0,0\nR,3,3e-4\n")
    assert_array_equal(bars(fe), [[1, 2], [2, 3], [3, 4]])
    assert_allclose([block.section.A for block in fe.blocks], [1e-4, 2e-4, 3e-4])
    assert_allclose(fe.nodes[:, 0], [0, 1, 2, 3])


def test_nodes_in_one_place_become_one(read):
    fe = read(TRUSS + "N,1\nN,2,1\nN,3,1\nN,4,2\nE,1,2\nE,3,4\nD,3,UX\nNUMMRG,NODE\n")
    assert_array_equal(bars(fe), [[1, 2], [2, 4]])
    assert_array_equal(fe.supports, [[2, 0]])


def test_selections_without_a_type_are_new_ones(read):
    fe = read(TRUSS + "N,1\nN,5,4\nFILL\nE,1,2\nEGEN,4,1,-1\nNSEL,,NODE,,2,4,2\nD,ALL,UY\nNSEL,ALL\nD,1,UX,0,,5,4,UZ\n")
    assert_array_equal(fe.supports, [[1, 0], [1, 2], [2, 1], [4, 1], [5, 0], [5, 2]])


def test_symmetry_holds_across_its_plane_in_the_named_system(read):
    """Nodes on a plane turned by 90 degrees about z: its x axis is the model's y."""
    deck = TRUSS + "N,1\nN,2,1\nE,1,2\nLOCAL,11,0,0,0,0,90\nCSYS,0\nNSEL,S,LOC,X,0\nDSYM,SYMM,X,11\n"
    fe = read(deck)
    assert_array_equal(fe.supports, [[1, 1]])


def test_sets_of_coupled_dofs_are_made_from_others(read):
    deck = TRUSS + "N,1\nN,2,1\nN,11\nN,12,1\nE,1,2\nE,11,12\nCP,1,UX,1,11\nCPLGEN,1,UY,UZ\nCPSGEN,2,1,1,3\n"
    fe = read(deck)
    dependent = sorted((c.terms[0][0], c.terms[0][1]) for c in fe.couplings)
    assert dependent == [(11, 0), (11, 1), (11, 2), (12, 0), (12, 1), (12, 2)]
    assert fe.free_rows().size == 6
    same = read(TRUSS + "N,1\nN,2,1\nN,11\nN,12,1\nE,1,2\nE,11,12\nCPINTF,ALL\n")
    assert same.free_rows().size == 6


def test_arrays_are_filled_by_data_and_ramps(read):
    deck = TRUSS + "*DIM,X,ARRAY,4,2\n*VFILL,X(1,1),RAMP,1,.5\n*VFILL,X(2,2),DATA,2,3,\n"
    fe = read(deck + "*DO,I,1,4\nN,I,X(I),X(I,2)\n*ENDDO\nE,1,2\nE,3,4\n")
    assert_allclose(fe.nodes[:, :2], [[1, 0], [1.5, 2], [2, 3], [2.5, 0]], atol=EXACT)


@pytest.mark.parametrize(
    "command",
    [
        "*VGET,X(1),NODE,1,LOC,X",
        "*VOPER,X(1),X(1),ADD,1",
        "*VREAD,X(1),values,txt\n(F8.3)",
        "*VFILL,X,RAND,0,1",
        "*VLEN,1\n*VFILL,X,RAMP,1,1",
    ],
)
def test_arrays_filled_by_other_commands_are_not_taken_for_zero(read, command):
    deck = TRUSS + f"N,1\nN,2,1\nE,1,2\n*DIM,X,ARRAY,2\nX(1)=1,2\n{command}\n"
    assert read(deck).nnode == 2
    with pytest.raises(ReadError, match="the value of 'X' is not known here"):
        read(f"{deck}N,2,X(2)\n")


def test_rbe3_names_its_nodes_by_an_array(read):
    square = "N,1\nN,2,1\nN,3,1,1\nN,4,0,1\nE,1,2\nE,2,3\nE,3,4\nE,4,1\nE,1,3\n"
    deck = (
        TRUSS
        + square
        + "N,9,.5,.5\nET,2,21\nKEYOPT,2,3,2\nR,2,3.0\nTYPE,2\nREAL,2\nE,9\n*DIM,S,,4\nS(1)=1,2,3,4\nRBE3,9,ALL,S\n"
    )
    (mean,) = [c for c in read(deck).couplings if isinstance(c, RBE3)]
    assert (mean.reference, mean.averaged) == (9, (1, 2, 3, 4))


def test_rbe3_of_some_dofs_leaves_the_others_free(read):
    """Node 9 has an inertia on a spring of its own about z; its translations follow the square."""
    square = "N,1\nN,2,1\nN,3,1,1\nN,4,0,1\nE,1,2\nE,2,3\nE,3,4\nE,4,1\nE,1,3\n"
    inertia = "N,9,.5,.5\nET,2,21\nR,2,3,3,3,1,1,2\nTYPE,2\nREAL,2\nE,9\n"
    spring = "N,10,.5,.5\nET,3,COMBIN14,,6\nR,3,8\nTYPE,3\nREAL,3\nE,10,9\n"
    held = "D,10,ALL\nD,1,ALL\nD,2,ALL\nD,3,ALL\nD,4,ALL\nD,9,ROTX,,,,,ROTY\n"
    fe = read(TRUSS + square + inertia + spring + "NSEL,S,NODE,,1,4\nRBE3,9,UXYZ,ALL\nNSEL,ALL\n" + held)
    # sqrt(k / J) = 2 rad/s
    assert_allclose(ff.modal.eigenmodes(fe, n=1).frequency, [2.0 / (2 * np.pi)], rtol=1e-10)


def test_supports_are_deleted_by_groups_of_labels(read):
    deck = TRUSS + "N,1\nN,2,1\nE,1,2\nD,ALL,ALL\nDDELE,2,UXYZ\n"
    assert 2 not in read(deck).supports[read(deck).supports[:, 1] < 3, 0]


def test_picks_of_the_graphical_interface(read):
    deck = TRUSS + "N,1\nN,5,4\nFILL\nFLST,2,2,1\nFITEM,2,1\nFITEM,2,2\nE,P51X\nEGEN,4,1,1\n"
    deck += "FLST,2,4,1,ORDE,3\nFITEM,2,1\nFITEM,2,3\nFITEM,2,-5\nD,P51X, , , , , ,UY, , , , ,\n"
    assert_array_equal(read(deck).supports, [[1, 1], [3, 1], [4, 1], [5, 1]])


def test_meshes_of_geometry_are_refused_with_a_cure(read):
    with pytest.raises(ReadError, match=r"VMESH makes the mesh from geometry.*CDWRITE,DB"):
        read(TRUSS + "BLOCK,0,1,0,1,0,1\nVMESH,ALL\n")
    with pytest.raises(ReadError, match=r"NSLA works by geometry.*CDWRITE,DB"):
        read(TRUSS + "N,1\nN,2,1\nE,1,2\nNSLA,S,1\nD,ALL,ALL\n")


@pytest.mark.parametrize(
    ("kind", "nodes", "elements"),
    [
        ("185", "N,1\nN,2,1\nN,3,1,1\nN,4,0,1\nNGEN,2,4,1,4,,,,1\n", "E,1,2,3,4,5,6,7,8\n"),
        ("187", "N,1\nN,2,1\nN,3,0,1\nN,4,0,0,1\nN,5,.5\nN,6,.5,.5\nN,7,0,.5\nN,8,0,0,.5\nN,9,.5,0,.5\nN,10,0,.5,.5\n",
         "E,1,2,3,4,5,6,7,8\nEMORE,9,10\n"),
    ],
)  # fmt: skip
def test_mirrored_elements_have_the_mass_of_their_originals(tmp_path, kind, nodes, elements):
    deck = (
        f"/PREP7\nET,1,{kind}\nMP,EX,1,1e9\nMP,PRXY,1,.3\nMP,DENS,1,6\n{nodes}{elements}NSYM,X,100,ALL\nESYM,,100,1\n"
    )
    path = tmp_path / "deck.dat"
    path.write_text(deck)
    fe = ff.io.read(path)
    whole = fe.mass_properties()
    assert whole.mass == pytest.approx(12.0 if kind == "185" else 2.0, rel=1e-12)
    assert whole.com[0] == pytest.approx(0.0, abs=1e-12)


def test_merged_nodes_stay_in_means(read):
    """Node 12 of RBE3 lies on node 2 and becomes it."""
    beam = "ET,1,188\nMP,EX,1,2e11\nMP,PRXY,1,.3\nMP,DENS,1,7800\nSECTYPE,1,BEAM,RECT\nSECDATA,.1,.1\n"
    nodes = "N,1\nN,2,1\nN,3,2\nN,12,1\nN,20,1,1\nE,1,2\nE,2,3\n"
    mean = "*DIM,S,ARRAY,3\nS(1)=1,12,3\nRBE3,20,ALL,S\n"
    (coupling,) = read(f"/PREP7\n{beam}{nodes}{mean}NUMMRG,NODE\nD,1,ALL\n").couplings
    assert isinstance(coupling, RBE3)
    assert_array_equal(coupling.averaged, [1, 2, 3])


def test_equations_are_copied_and_sets_merged(read):
    """CESGEN makes the second equation from the first; the merged sets hold three nodes together."""
    springs = "ET,1,14\nKEYOPT,1,2,1\nR,1,100\nET,2,21\nKEYOPT,2,3,4\nR,2,1\n"
    nodes = (
        "".join(f"N,{k},{k}\n" for k in range(1, 8))
        + "E,1,2\nTYPE,2\nREAL,2\n"
        + "".join(f"E,{k}\n" for k in range(2, 8))
    )
    ties = "CE,1,0,2,UX,1,5,UX,-1\nCESGEN,2,1,1\nCP,1,UX,2,3\nCP,2,UX,3,4\nCPMERGE\n"
    fe = read(f"/PREP7\n{springs}{nodes}{ties}D,1,ALL\nD,2,UY,,,7\nD,7,UX\n")
    # nodes 2 to 6 move as one
    assert 2 * np.pi * ff.modal.eigenmodes(fe, n=1).frequency[0] == pytest.approx(math.sqrt(100 / 5), rel=1e-9)


def test_deleted_properties_are_gone(read):
    brick = "N,1\nN,2,1\nN,3,1,1\nN,4,0,1\nNGEN,2,4,1,4,,,,1\nE,1,2,3,4,5,6,7,8\n"
    deck = f"ET,1,185\nMP,EX,1,1e9\nMP,PRXY,1,.3\nMP,DENS,1,5\n{{}}{brick}"
    assert read("/PREP7\n" + deck.format("")).mass_properties().mass == pytest.approx(5.0)
    with pytest.raises(ReadError, match="EX"):
        read("/PREP7\n" + deck.format("MPDELE,EX,1\n"))


def test_released_warping_changes_nothing(read):
    beam = (
        "ET,1,188\nMP,EX,1,2e11\nMP,PRXY,1,.3\nMP,DENS,1,7800\nSECTYPE,1,BEAM,RECT\nSECDATA,.1,.1\nN,1\nN,2,1\nE,1,2\n"
    )
    assert read(f"/PREP7\n{beam}ENDRELEASE,,-1,WARP\n").mass_properties().mass == pytest.approx(78.0)
    with pytest.raises(ReadError, match=r"ENDRELEASE .*BALL"):
        read(f"/PREP7\n{beam}ENDRELEASE,,-1,BALL\n")


@pytest.mark.parametrize(
    "turned", ["", "NMODIF,1,,,,90\nNMODIF,2,,,,90\n", "NMODIF,2,,,,20,30,40\nNMODIF,3,,,,20,30,40\n"]
)
@pytest.mark.parametrize("tie", ["CP,1,UY,2,3\n", "CE,1,0,2,UY,1,3,UY,-1\n"])
def test_springs_of_one_direction_keep_it_at_turned_nodes(read, turned, tie):
    """Node 2 has the dof of its spring alone: UY of the node, wherever that points."""
    spring = "ET,1,COMBIN14,,2\nR,1,800\nN,1\nN,2,1\nN,3,2\nE,1,2\n"
    mass = "ET,2,MASS21,,,2\nR,2,2\nTYPE,2\nREAL,2\nE,3\n"
    spring = spring if "NMODIF,1" in turned or not turned else spring.replace("N,1\n", "N,1,,,,20,30,40\n")
    fe = read(f"/PREP7\n{spring}{mass}{turned}{tie}D,1,ALL\nD,2,UX,,,3,1,UZ\n")
    assert_allclose(ff.modal.eigenmodes(fe, n=1).frequency, 20.0 / (2 * math.pi), rtol=1e-9)


def test_conditions_on_what_get_cannot_say_are_reported(tmp_path):
    path = tmp_path / "deck.dat"
    deck = TRUSS + "N,1\nN,2,1\nE,1,2\n*GET,V,ELEM,1,VOLU\n*GET,S,ACTIVE,0,INT\n*IF,S,EQ,0,THEN\n*ENDIF\n"
    path.write_text(deck + "*IF,V,GT,0,THEN\nD,1,ALL\n*ENDIF\n")
    assert ff.io.read_with_report(path).report.warnings == (
        "a condition asks for V, which a *GET that is not read gives; it counts as zero.",
    )
    path.write_text(deck + "V=1\n*IF,V,GT,0,THEN\nD,1,ALL\n*ENDIF\n")
    assert not ff.io.read_with_report(path).report.warnings
    path.write_text(deck + "*DIM,A,ARRAY,2\n*GET,A(1),ELEM,1,VOLU\nN,2,A(1)\n")
    with pytest.raises(ReadError, match="the value of 'A' is not known here"):
        ff.io.read(path)


def test_numbers_are_compressed_everywhere(read):
    deck = TRUSS + "N,10\nN,20,1\nN,21,1\nN,40,2\nEN,5,10,20\nEN,9,21,40\nCP,1,UX,10,40\nD,40,UY\nCM,TIP,NODE\n"
    fe = read(f"/PREP7\nNUMCMP,ALL\n{deck}NUMMRG,NODE\nNUMCMP,NODE\nNUMCMP,ELEM\nNUMCMP,MAT\nD,3,UZ\nN,4,3\nE,3,4\n")
    assert_array_equal(fe.node_ids, [1, 2, 3, 4])
    assert_array_equal(np.sort(bars(fe), axis=0), [[1, 2], [2, 3], [3, 4]])
    assert_array_equal(np.concatenate([block.element_ids for block in fe.blocks]), [1, 2, 3])
    assert {(3, 1), (3, 2)} <= set(map(tuple, fe.supports.tolist()))
    with pytest.raises(ReadError, match="NUMCMP,ALL renumbers MAT inside ANSYS"):
        read(f"{deck}MP,EX,7,1\nNUMCMP,ALL\n")


def test_commands_follow_slash_commands_on_a_line(read):
    deck = TRUSS.replace("/PREP7\n", "/TITLE,5 $ N,7\n/COM, $ N,8\n/PREP7 $ N,9,5\n")
    fe = read(f"{deck}N,1 $ N,2,1\nE,1,2\nE,2,9\nFINISH $ /SOLU $ D,1,ALL\n/SOLU $ D,2,UY\n")
    assert_array_equal(fe.node_ids, [1, 2, 9])
    assert {(1, 0), (2, 1)} <= set(map(tuple, fe.supports.tolist()))
