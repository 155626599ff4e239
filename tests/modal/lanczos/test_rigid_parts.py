"""Free models with a part that a coupling makes wholly rigid: forces inside it cancel and leave no springs behind."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
import scipy.linalg
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.fem import RBE2, FEModel, Material, solid_box

STEEL = Material(2.1e11, 0.3, 7850.0)


def bar() -> FEModel:
    return solid_box((1.0, 0.2, 0.2), (4, 1, 1), material=STEEL)


def bar_and_block() -> FEModel:
    """The bar and, apart from it, a block that follows its own reference node."""
    one, other = bar(), solid_box((0.3, 0.2, 0.2), (2, 1, 1), material=STEEL, origin=(3.0, 0.5, 0.0))
    nodes = np.vstack([one.nodes, other.nodes, other.nodes.mean(axis=0)])
    block = replace(other.blocks[0], connectivity=other.blocks[0].connectivity + one.nnode, element_ids=None)
    rigid = RBE2(len(nodes), list(range(one.nnode + 1, len(nodes))))
    return FEModel(nodes, (replace(one.blocks[0], element_ids=None), block), couplings=(rigid,))


def test_a_rigid_part_of_its_own_moves_freely():
    found = ff.modal.eigenmodes(bar_and_block(), n=16).frequency
    alone = ff.modal.eigenmodes(bar(), n=10).frequency
    assert_allclose(found[:12], 0.0, atol=1e-3)  # Hz, of a first elastic mode at 1 kHz
    assert_allclose(found[12:], alone[6:], rtol=1e-8)  # two eigenvalue problems with the same elastic part


def test_a_soft_spring_to_the_rigid_part_is_kept():
    fe = bar_and_block()
    reference = int(fe.node_ids[-1])
    soft = fe.with_spring(1, reference, stiffness=1.0)
    rows = soft.rows([(reference, "u")])
    line = fe.nodes[-1] - fe.nodes[0]
    direction = line / np.sqrt(line @ line)
    # [N/m]; round-off of the cancelled forces, which are of 1e11 N/m, is about 1e-5
    found = soft.stiffness()[rows][:, rows].toarray()
    assert_allclose(found, np.outer(direction, direction), atol=1e-4)


@pytest.mark.parametrize(("rho", "direction"), [(0.0, (0, 1, 0)), (2700.0, (0.6, 0.8, 0))])
def test_every_partial_support_of_a_bar_with_masses(rho, direction):
    """Rigid motions of one plane leave round-off in the others, which are unconnected parts of the matrices."""
    material = ff.fem.Material(7e10, 0.3, rho)
    section = ff.fem.BeamSection(A=0.8, Iy=2.5e-3, Iz=2.36e-1, J=2.52e-3)
    tip = 4.7 * np.array(direction)
    fe = ff.fem.beam_line((0, 0, 0), tip, n=2, section=section, material=material)
    for node, mass in ((1, 7864.8), (2, 1364.8), (3, 2305.2)):
        fe = fe.with_point_mass(node, mass=mass, inertia=(0.0, 2e5, 0.0) if node == 1 else (0, 0, 0))
    # a rigid arm to a node that carries nothing
    fe = replace(fe, nodes=np.vstack([fe.nodes, [0, 0, -0.5]]), node_ids=[*fe.node_ids, 17]).with_rbe2(1, [17])
    names = ("ux", "uy", "uz", "rx", "ry", "rz")
    for count in (1, 2, 4):
        for held in combinations(names, count):
            fixed = fe.with_support([(1, name) for name in held])
            modes = ff.modal.eigenmodes(fixed, n=6)
            exact, rigid = dense(fixed)
            assert modes.kind.count("rigid") == rigid
            # masses and stiffness spread over eleven decades: round-off of the dense solution
            assert_allclose(modes.frequency[rigid:], exact[rigid:6], rtol=1e-6)


def dense(fe):
    """Return frequencies [Hz] by a dense solution, massless dofs condensed, and the number of those at zero."""
    free = fe.free_rows()
    K, M = (matrix.toarray()[np.ix_(free, free)] for matrix in (fe.stiffness(), fe.mass()))
    heavy = np.diag(M) > 0
    K = K[np.ix_(heavy, heavy)] - K[np.ix_(heavy, ~heavy)] @ np.linalg.solve(
        K[np.ix_(~heavy, ~heavy)], K[np.ix_(~heavy, heavy)]
    )
    value = scipy.linalg.eigh(K, M[np.ix_(heavy, heavy)], eigvals_only=True)
    return np.sqrt(np.abs(value)) / (2.0 * np.pi), int((np.abs(value) < 1e-3).sum())
