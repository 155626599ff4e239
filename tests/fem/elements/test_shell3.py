"""Triangular shells as plates with shear: narrow strips in twist, thick and narrow elements."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from floatframe.fem import FEModel, Material, ShellSection, element_kind, plate_grid, shell_mesh
from floatframe.fem.elements import Batch
from floatframe.fem.elements.shells._bending import sides
from floatframe.fem.elements.shells._triangle import _side_shear
from floatframe.fem.elements.shells._wall import wall
from tests.fem.elements.shell_patch import solve

ALUMINIUM = Material(1e7, 0.3)
NEEDLES = np.array(
    [
        [[0, 0, 0], [3, 0, 0], [3, 0.2, 0]],
        [[0, 0, 0], [3, -0.1, 0], [3, 0.1, 0]],
        [[0, 0, 0], [1, 0, 0], [0.4, 0.7, 0]],
        [[0, 0, 0], [1, 0, 0], [0.5, 0.05, 0]],
    ],
    dtype=float,
)


def twist_rate(cells: tuple[int, int], thickness: float, other_way: bool = False) -> float:
    """Rate of twist under unit torque, far from the ends of a strip 6 x 0.2."""
    fe = plate_grid(6.0, 0.2, *cells, thickness, ALUMINIUM, triangles=True)
    if other_way:
        fe = _mirrored(fe)
    tip = fe.node_index(fe.node_sets["xmax"])
    share = np.ones(tip.size)
    share[[0, -1]] = 0.5
    force = np.zeros((fe.nnode, 6))
    force[tip, 3] = share / share.sum()
    u = solve(fe, ["xmin"], force)
    low, high = (u[fe.node_index(fe.node_sets[edge]), 2] for edge in ("ymin", "ymax"))
    twist = np.abs(high - low) / 0.2
    return float(twist[2 * cells[0] // 3] - twist[cells[0] // 3]) / 2.0


def _mirrored(fe: FEModel) -> FEModel:
    nodes = fe.nodes * [1.0, -1.0, 1.0]
    mirrored = shell_mesh(nodes, fe.blocks[0].connectivity[:, ::-1], fe.blocks[0].section.thickness, ALUMINIUM)  # type: ignore[union-attr]
    for name, members in fe.node_sets.items():
        mirrored = mirrored.with_node_set(name, members)
    return mirrored


@pytest.mark.parametrize("other_way", [False, True])
@pytest.mark.parametrize(
    ("cells", "thickness", "tolerance"),
    # twice what a plain MITC4 misses by on these meshes of quadrilaterals at t = 0.1 (MITC3+ misses by 16 and 8 %); the
    # layer of half the thickness has as many elements as that of the mesh half as fine
    [((24, 4), 0.1, 0.080), ((48, 8), 0.1, 0.016), ((48, 8), 0.05, 0.080)],
)
def test_strip_twists_as_a_plate_with_shear(
    cells: tuple[int, int], thickness: float, tolerance: float, other_way: bool
) -> None:
    """b t³/3 less the layers at the free edges, as deep as t/√10 each."""
    depth = np.sqrt(10.0) * 0.2 / (2.0 * thickness)
    J = 0.2 * thickness**3 / 3.0 * (1.0 - np.tanh(depth) / depth)
    assert twist_rate(cells, thickness, other_way) == pytest.approx(1.0 / (ALUMINIUM.G * J), rel=tolerance)


def test_shear_has_the_means_of_the_sides_and_varies_least() -> None:
    batch = Batch(NEEDLES, ALUMINIUM, ShellSection(0.1))
    side = sides(wall(batch, element_kind("shell3").axes(batch)))
    x, y = _side_shear(side)
    along = side.c[:, :, None] * x + side.s[:, :, None] * y
    # a needle of 15:1 loses two digits
    assert_allclose(along, np.broadcast_to(np.eye(3), along.shape), atol=1e-12)
    # what the sides see of a constant field gives the field
    for field in np.eye(2):
        seen = (side.c * field[0] + side.s * field[1])[:, :, None]
        assert_allclose(np.matmul(x, seen)[..., 0], field[0], atol=1e-12)
        assert_allclose(np.matmul(y, seen)[..., 0], field[1], atol=1e-12)
    # the fields that no side sees and that have no mean are those across the sides, as large as the sides are long
    unseen = side.length[..., None] * np.stack([-side.s, side.c], axis=2)
    assert_allclose(unseen.sum(axis=1), 0.0, atol=1e-12)
    # ours has nothing of them, so that any part of them makes it vary more
    ours = np.stack([x, y], axis=2) - np.stack([x, y], axis=2).mean(axis=1, keepdims=True)
    assert_allclose(np.einsum("ekan,eka->en", ours, unseen), 0.0, atol=1e-12)


@pytest.mark.parametrize("thickness", [1e-3, 0.1, 2.0])
def test_needles_have_six_rigid_motions_and_no_more(thickness: float) -> None:
    batch = Batch(NEEDLES, ALUMINIUM, ShellSection(thickness))
    K = element_kind("shell3").stiffness(batch)
    scale = np.sqrt(np.einsum("eii->ei", K))
    values = np.linalg.eigvalsh(K / scale[:, :, None] / scale[:, None])
    assert np.abs(values[:, :6]).max() < 1e-12
    assert values[:, 6].min() > 1e-9  # the softest bends the needle along itself, (t/L)² (b/L)² of the stiffest


@pytest.mark.parametrize("thickness", [1e-3, 0.1, 2.0])
def test_order_of_nodes_does_not_matter(thickness: float) -> None:
    element = element_kind("shell3")
    K = element.stiffness(Batch(NEEDLES, ALUMINIUM, ShellSection(thickness)))
    for order in ([1, 2, 0], [0, 2, 1]):
        rows = (6 * np.array(order)[:, None] + np.arange(6)).ravel()
        found = element.stiffness(Batch(NEEDLES[:, order], ALUMINIUM, ShellSection(thickness)))
        assert_allclose(found, K[:, rows][:, :, rows], atol=1e-11 * np.abs(K).max())
