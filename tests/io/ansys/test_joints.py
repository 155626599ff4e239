"""Joints and rigid links of MPC184: what they hold and what they leave free."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import null_space

import floatframe as ff
from floatframe.io.ansys.apdl.systems import rotation

# two free bodies, each a mass with rotations, and a joint between their nodes, which lie apart
BODIES = (
    "/PREP7\nET,1,21\nR,1,2,2,2,1,2,3\nN,1,0.3,0.1,-0.2\nN,2,1.0,0.5,0.4\nE,1\nE,2\nLOCAL,11,0,0,0,0,30,20,10\nCSYS,0\n"
)
FREE = {
    (6, 0): {3},
    (6, 1): {5},
    (7, 0): {3, 5},
    (8, 0): {0, 3, 4, 5},
    (9, 0): {1, 2, 3, 4, 5},
    (10, 0): {0},
    (11, 0): {0, 3},
    (11, 1): {2, 5},
    (12, 0): {1, 2, 3},
    (12, 1): {0, 1, 5},
    (13, 0): set(),
    (14, 0): {0, 1, 2},
    (15, 0): {3, 4, 5},
}


def relative_motions(fe, axes):
    """All motions (n, 6) of node 2 against the body of node 1, along and about given axes."""
    rows = []
    for c in fe.couplings:
        row = np.zeros(12)
        for node, component, factor in c.terms:
            row[6 * int(fe.node_index(node)[0]) + component] = factor
        rows.append(row)
    motions = null_space(np.array(rows)).T if rows else np.eye(12)
    arm = fe.nodes[1] - fe.nodes[0]
    shift = motions[:, 6:9] - motions[:, :3] - np.cross(motions[:, 3:6], arm)
    return np.hstack([shift @ axes.T, (motions[:, 9:] - motions[:, 3:6]) @ axes.T])


@pytest.mark.parametrize(("kind", "option"), FREE)
def test_joints_leave_free_what_they_should(read, kind, option):
    """In the joint's own axes, whatever the bodies do: held relative motions vanish, the others all occur."""
    joint = f"ET,2,184,{kind},,,{option}\nSECTYPE,2,JOINT,X\nSECJOINT,LSYS,11\nTYPE,2\nSECNUM,2\nE,1,2\n"
    fe = read(BODIES + joint)
    motions = relative_motions(fe, rotation(np.array([[30.0, 20.0, 10.0]]))[0].T)
    free = FREE[kind, option]
    held = [k for k in range(6) if k not in free]
    assert np.abs(motions[:, held]).max(initial=0.0) < 1e-12
    assert np.linalg.matrix_rank(motions, tol=1e-9) == len(free)
    assert fe.free_rows().size == 6 + len(free)


def test_general_joints_hold_what_they_name(read):
    joint = "ET,2,184,16\nSECTYPE,2,JOINT,GENE\nSECJOINT,,11\nSECJOINT,RDOF,1,3,5\nTYPE,2\nSECNUM,2\nE,1,2\n"
    assert read(BODIES + joint).free_rows().size == 12 - 3


def test_a_revolute_joint_with_a_spring_swings(read):
    """A body of inertia 3 on a held node by a hinge about z with stiffness 27."""
    law = "TB,JOIN,5,,,STIF\nTBDATA,21,27\n"
    deck = f"/PREP7\nET,1,21\nR,1,2,2,2,1,2,3\nN,1\nN,2\nE,2\nET,2,184,6,,,1\n{law}SECTYPE,2,JOINT,REVO\n"
    fe = read(f"{deck}TYPE,2\nMAT,5\nSECNUM,2\nE,1,2\nD,1,ALL\n")
    assert ff.modal.eigenmodes(fe, n=1).frequency[0] == pytest.approx(3.0 / (2 * np.pi), rel=1e-10)


def test_a_joint_to_ground(read):
    fe = read(BODIES + "ET,2,184,15\nSECTYPE,2,JOINT,SPHE\nTYPE,2\nSECNUM,2\nE,0,2\n")
    assert fe.free_rows().size == 12 - 3


def test_the_cut_of_a_pretension_section_is_closed(read):
    """Two bars that meet at a cut stretch as one of their whole length."""
    head = "/PREP7\nET,1,180\nET,2,179\nR,1,1e-4\nMP,EX,1,2e11\nMP,DENS,1,7800\nN,1\nN,2,1\nN,3,1\nN,4,2\nN,9,1\n"
    fe = read(
        f"{head}E,1,2\nE,3,4\nSECTYPE,3,PRETENSION\nSECDATA,9,1\nTYPE,2\nSECNUM,3\nE,2,3,9\nD,ALL,UY,,,,,UZ\nD,1,UX\n"
    )
    K = fe.stiffness().toarray()[np.ix_(fe.free_rows(), fe.free_rows())]
    assert 1.0 / np.linalg.inv(K)[-1, -1] == pytest.approx(2e11 * 1e-4 / 2.0, rel=1e-10)


def test_rigid_links_keep_their_length(read):
    fe = read(BODIES + "ET,2,184\nTYPE,2\nE,1,2\n")
    assert fe.free_rows().size == 11
    motions = relative_motions(fe, np.eye(3))
    arm = fe.nodes[1] - fe.nodes[0]
    assert np.abs(motions[:, :3] @ arm).max() < 1e-12


def test_a_slider_stays_on_its_line(tmp_path):
    """A mass on the middle of a beam's line: free along it, held across by half the motion of its end."""
    path = tmp_path / "deck.dat"
    path.write_text(
        "/PREP7\nET,1,188\nMP,EX,1,2e11\nMP,PRXY,1,.3\nMP,DENS,1,7800\nSECTYPE,1,BEAM,RECT\nSECDATA,.1,.1\n"
        "ET,2,184\nKEYOPT,2,1,3\nET,3,21\nKEYOPT,3,3,2\nR,1,5\nET,4,14\nKEYOPT,4,2,1\nR,4,500\n"
        "N,1\nN,2,2\nN,3,1\nN,4,1\nE,1,2\nTYPE,2\nE,3,1,2\nTYPE,3\nE,3\nTYPE,4\nREAL,4\nE,4,3\nD,1,ALL\nD,4,ALL\n"
    )
    fe = ff.io.read(path)
    # along the line there is the spring alone
    assert 2 * np.pi * ff.modal.eigenmodes(fe, n=1).frequency[0] == pytest.approx(10.0, rel=1e-6)
    u = ff.modal.solve_static(fe, loads={(2, "uz"): 1.0})
    assert u[2, 2] == pytest.approx(u[1, 2] / 2, rel=1e-9)


def test_a_rigid_element_with_one_node_is_named(tmp_path):
    path = tmp_path / "deck.dat"
    path.write_text("/PREP7\nET,1,21\nKEYOPT,1,3,2\nR,1,5\nN,1\nE,1\nET,2,184\nKEYOPT,2,1,1\nTYPE,2\nE,1\n")
    with pytest.raises(ff.errors.ReadError, match="MPC184 element 2 has one node"):
        ff.io.read(path)
