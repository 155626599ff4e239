"""Shells that coat solids: whatever their thickness, they bring their membrane and their mass and nothing else."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import floatframe as ff
from floatframe.fem import ElementBlock, FEModel, Material, ShellSection, solid_box

STEEL = Material(2.1e11, 0.3, 7850.0)
LENGTH, WIDTH = 0.1, 0.02


def bar(kind: str, scale: float = 1.0) -> FEModel:
    return solid_box((scale * LENGTH, scale * WIDTH, scale * WIDTH), (10, 2, 2), kind, material=STEEL)


def coated(fe: FEModel, thickness: float, offset: float = 0.0) -> FEModel:
    """The solid with shells on the outer faces that lie in the top."""
    block = fe.blocks[0]
    top = fe.nodes[:, 2].max()
    faces = [block.connectivity[:, list(face)] for face in block.element.faces]
    rows = np.concatenate([nodes[(fe.nodes[nodes, 2] == top).all(axis=1)] for nodes in faces])
    if rows.shape[1] > 4:
        # faces go round with every second node on an edge; shells have their corners first
        rows = np.hstack([rows[:, ::2], rows[:, 1::2]])
    kind = f"shell{rows.shape[1]}"
    return fe.with_block(ElementBlock(kind, rows, STEEL, ShellSection(thickness, offset)))


@pytest.mark.parametrize("mass", ["consistent", "lumped"])
@pytest.mark.parametrize(
    ("kind", "scale"), [("hex8", 1.0), ("hex8", 30.0), ("tet4", 1.0), ("tet4", 30.0), ("hex20", 1.0), ("tet10", 1.0)]
)
def test_a_thin_coat_changes_nothing(kind, mass, scale):
    """No wall vibrates by itself between the nodes; the share of the coat falls with its thickness."""
    fe = bar(kind, scale)
    exact = ff.modal.eigenmodes(fe, n=6, fixed=["xmin"], mass=mass).frequency
    for thickness in (1e-5, 1e-6, 1e-9, 1e-12):
        found = ff.modal.eigenmodes(coated(fe, thickness), n=6, fixed=["xmin"], mass=mass).frequency
        # stiffness and mass of a wall at the edge of the bar: (I + b t h²/4) / I = 1 + 3 t / h in a square section, so
        # at most 3/2 t / h of the frequency, and 1e-9 of the solution
        assert_allclose(found, exact, rtol=1.5 * thickness / (scale * WIDTH) + 1e-9)


def test_quadrilaterals_over_the_faces_of_two_tetrahedra():
    """A foil of 1 µm is a coat on whatever solids: counted as a free wall it would have its own modes at 10 Hz."""
    bricks, tetrahedra = bar("hex8"), bar("tet4")
    assert_array_equal(bricks.nodes, tetrahedra.nodes)
    foil = replace(coated(bricks, 1e-6).blocks[1], element_ids=None)
    fe = tetrahedra.with_block(foil)
    assert fe.coats[1].all()
    exact = ff.modal.eigenmodes(tetrahedra, n=4, fixed=["xmin"]).frequency
    # share of the coat as above
    assert_allclose(ff.modal.eigenmodes(fe, n=4, fixed=["xmin"]).frequency, exact, rtol=1.5e-6 / WIDTH)


def test_a_thick_coat_stiffens_as_a_beam_of_two_layers():
    """Bending of a composite section about its own neutral axis, which the top wall moves up."""
    h, t = WIDTH, 5e-4
    fe = bar("hex8")
    modes = {}
    for name, model in (("bare", fe), ("coated", coated(fe, t, offset=t / 2))):
        modes[name] = ff.modal.eigenmodes(model, n=2, fixed=["xmin"]).frequency
    # stiffness and mass of unit width: a block of height h, a wall of height t on it
    area, lever = np.array([h, t]), np.array([0.0, (h + t) / 2])
    axis = (area @ lever) / area.sum()
    own = np.array([h**3, t**3]) / 12.0
    upright = (own + area * (lever - axis) ** 2).sum() / own[0] / (area.sum() / h)
    aside = 1.0  # the wall is as wide as the block: stiffness and mass grow alike
    ratio = np.sort(np.sqrt([aside, upright]))
    # Euler's beam against bricks of a short one, whose shear deformation takes part of the gain: 0.6 % measured
    assert_allclose(np.sort(modes["coated"] / modes["bare"]), ratio, rtol=0.01)


@pytest.mark.parametrize("offset", [0.0, 3e-3])
@pytest.mark.parametrize("kind", ["hex8", "tet4"])
def test_rigid_motion_sees_the_whole_mass(kind, offset):
    """Kinetic energy of rigid motion is that of mass, centre and inertia taken from the geometry."""
    fe = coated(bar(kind), 1e-3, offset)
    assert fe.coats[1].all()
    R = fe.rigid_shapes()
    energy = R.T @ (fe.mass() @ R)
    volume = LENGTH * WIDTH**2 + LENGTH * WIDTH * 1e-3
    assert_allclose(energy[0, 0], volume * STEEL.rho, rtol=1e-12)
    given = fe.mass_properties()
    assert_allclose(energy[:3, :3], given.mass * np.eye(3), atol=1e-12 * given.mass)
    height = (WIDTH**2 * WIDTH / 2 + WIDTH * 1e-3 * (WIDTH + offset)) / (WIDTH**2 + WIDTH * 1e-3)
    assert_allclose(energy[0, 4], given.mass * height, rtol=1e-12)
    # about the top edge: the wall is a plate whose rotary inertia about the normal is left out, 1e-4 of t²/12 stands in
    block = LENGTH * WIDTH**2 * STEEL.rho * (LENGTH**2 + WIDTH**2) / 3
    wall = LENGTH * WIDTH * 1e-3 * STEEL.rho * (LENGTH**2 + WIDTH**2) / 3
    assert_allclose(energy[5, 5], block + wall, rtol=1e-6)


def test_rigid_motion_strains_no_coat():
    fe = coated(bar("hex8"), 1e-7, 2e-4)
    K, R = fe.stiffness(), fe.rigid_shapes()
    assert np.abs(K @ R).max() < 1e-12 * abs(K).max()


@pytest.mark.parametrize("method", ["craig-bampton", "macneal"])
def test_a_coated_solid_can_be_reduced(method):
    """A free body is not held at the rotations of its coat; what it is with the coat it is without, down to t / h."""
    bare = bar("hex8")
    corners = [(int(node), "u") for node in bare.node_ids[[0, -1, 4]]]
    bodies = [ff.modal.reduce(fe, corners, 5, method=method) for fe in (bare, coated(bare, 1e-9))]
    frequencies = [body.orthonormalised().frequency for body in bodies]
    assert_allclose(frequencies[1], frequencies[0], rtol=1e-6)
    stiffening = [np.linalg.norm(body.geometric.interface, axis=(1, 2)) for body in bodies]
    assert_allclose(stiffening[1], stiffening[0], rtol=1e-3)


def test_a_wall_between_two_blocks_is_no_coat():
    """All its nodes belong to solids but not to one: it spans a gap and bends there."""
    one = bar("hex8")
    other = replace(one, nodes=one.nodes + np.array([LENGTH + 0.05, 0.0, 0.0]))
    right = np.flatnonzero((one.nodes[:, 0] == LENGTH) & (one.nodes[:, 2] == WIDTH))
    left = one.nnode + np.flatnonzero((one.nodes[:, 0] == 0.0) & (one.nodes[:, 2] == WIDTH))
    nodes = np.vstack([one.nodes, other.nodes])
    blocks = (
        ElementBlock("hex8", one.blocks[0].connectivity, STEEL),
        ElementBlock("hex8", one.blocks[0].connectivity + one.nnode, STEEL),
        ElementBlock("shell4", [[right[0], left[0], left[1], right[1]]], STEEL, ShellSection(1e-3)),
    )
    fe = FEModel(nodes, blocks)
    assert_array_equal(fe.coats[2], [False])
    M = ElementBlock("shell4", blocks[2].connectivity, STEEL, ShellSection(1e-3))
    alone = FEModel(nodes, (M,))
    rows = [fe.row_of(node, component) for node in (right[0], left[1]) for component in (3, 4)]
    same = [alone.row_of(node, component) for node in (right[0], left[1]) for component in (3, 4)]
    assert_array_equal(fe.mass()[rows][:, rows].toarray(), alone.mass()[same][:, same].toarray())


def test_a_coat_does_not_buckle_between_its_nodes():
    """The critical load of a coated column is the column's own."""
    fe = bar("hex8").with_support(["xmin"])
    tip = fe.node_sets["xmax"]
    loads = {(int(node), "ux"): -1.0 / tip.size for node in tip}
    bare, with_coat = (ff.modal.buckling(model, loads, n=2).factor for model in (fe, coated(fe, 1e-6)))
    assert_allclose(with_coat, bare, rtol=1e-3)
