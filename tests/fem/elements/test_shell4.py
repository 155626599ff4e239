"""Quadrilateral shells: twist of narrow strips, bending in the plane on distorted meshes, company of other elements."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from floatframe.fem import ElementBlock, FEModel, Material, ShellSection, element_kind, plate_grid
from floatframe.fem.elements import Batch
from floatframe.fem.neighbours import Neighbours, alone
from tests.fem.elements.shell_patch import PATCH, QUADS, resultants, solve

ALUMINIUM = Material(1e7, 0.3)
ROUND_OFF = 1e-10


def strip(nx: int, ny: int, width: float = 0.2, thickness: float = 0.1) -> FEModel:
    return plate_grid(6.0, width, nx, ny, thickness, ALUMINIUM)


def tip_load(fe: FEModel, component: int) -> np.ndarray:
    tip = fe.node_index(fe.node_sets["xmax"])
    share = np.ones(tip.size)
    share[[0, -1]] = 0.5
    force = np.zeros((fe.nnode, 6))
    force[tip, component] = share / share.sum()
    return force


@pytest.mark.parametrize("thickness", [0.1, 0.05])
@pytest.mark.parametrize(
    ("cells", "tolerance"),
    # a plain MITC4 misses by 4.0 and 0.8 % on these meshes at t = 0.1
    [((24, 4), 0.040), ((48, 8), 0.008)],
)
def test_strip_twists_as_a_plate_with_shear(cells: tuple[int, int], tolerance: float, thickness: float) -> None:
    """Rate of twist far from the ends: b t³/3 less the layers at the free edges, as deep as t/√10 each."""
    fe = strip(*cells, thickness=thickness)
    u = solve(fe, ["xmin"], tip_load(fe, 3))
    low, high = (u[fe.node_index(fe.node_sets[edge]), 2] for edge in ("ymin", "ymax"))
    twist = (high - low) / 0.2
    rate = (twist[2 * cells[0] // 3] - twist[cells[0] // 3]) / 2.0
    depth = np.sqrt(10.0) * 0.2 / (2.0 * thickness)
    J = 0.2 * thickness**3 / 3.0 * (1.0 - np.tanh(depth) / depth)
    assert rate == pytest.approx(1.0 / (ALUMINIUM.G * J), rel=tolerance)


def leaning(mesh: str, thickness: float) -> FEModel:
    """MacNeal and Harder's beam, 6 x 0.2, whose inner sides lean by 45 degrees: all alike or in turn."""
    fe = strip(6, 1, thickness=thickness)
    x, y, z = fe.nodes.T
    number = np.rint(x)
    turn = np.where(number % 2, 1.0, -1.0) if mesh == "trapezoidal" else 1.0
    inner = (number > 0) & (number < 6)
    return replace(fe, nodes=np.column_stack([x + inner * turn * (y - 0.1), y, z]))


@pytest.mark.parametrize("thickness", [0.1, 1e-4])
@pytest.mark.parametrize(
    ("mesh", "tolerance"),
    # GCMQ, a membrane with drilling rotations (Chang et al. 2019), misses by 3.2 and 1.6 %: up to twice as much
    [("parallelogram", 0.064), ("trapezoidal", 0.032)],
)
def test_leaning_sides_do_not_lock_bending_in_the_plane(mesh: str, tolerance: float, thickness: float) -> None:
    fe = leaning(mesh, thickness)
    u = solve(fe, ["xmin"], tip_load(fe, 1))
    tip = fe.node_index(fe.node_sets["xmax"])
    assert u[tip, 1].mean() == pytest.approx(0.1081 * 0.1 / thickness, rel=tolerance)


def pure_bending(nu: float, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Nodal motion (n, 6) of σx = y alone, for E = 1."""
    o = 0 * x
    return np.column_stack([x * y, -(x**2 + nu * y**2) / 2, o, o, o, -x])


def one_element(x: np.ndarray, y: np.ndarray, nu: float, thickness: float) -> FEModel:
    block = ElementBlock("shell4", np.arange(4)[None], Material(1.0, nu), ShellSection(thickness))
    return FEModel(np.column_stack([x, y, 0 * x]), (block,))


@pytest.mark.parametrize("thickness", [1e-5, 0.3])
@pytest.mark.parametrize("lean", [0.0, 0.4, 2.0])
def test_bending_along_the_sides_of_a_parallelogram_is_exact(lean: float, thickness: float) -> None:
    nu = 0.3
    x, y = (np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]]) @ np.array([[2.0, 0.0], [lean, 0.5]])).T
    fe = one_element(x, y, nu, thickness)
    u = pure_bending(nu, x, y)
    force = resultants(fe, u)[0, :, :3]
    assert_allclose(force, thickness * np.column_stack([y, 0 * y, 0 * y]), atol=1e-9 * thickness)
    assert u.ravel() @ (fe.stiffness() @ u.ravel()) == pytest.approx(thickness * 4.0 * 0.5**2 / 3, rel=1e-9)


@pytest.mark.parametrize(
    ("lean", "given_back"),
    # what the bulges of the sides cannot follow costs 1.9 and 7.9 % of energy; it is given back to first order
    [(0.2, 0.019), (0.4, 0.079)],
)
def test_pure_bending_of_a_trapezoid_has_its_energy(lean: float, given_back: float) -> None:
    x, y = np.array([[-1.0 - lean, -1.0], [1.0 + lean, -1.0], [1.0 - lean, 1.0], [-1.0 + lean, 1.0]]).T
    to_centroid = lean / 3.0
    fe = one_element(x, y + to_centroid, 0.3, 0.01)
    u = pure_bending(0.3, x, y + to_centroid).ravel()
    at, weight = np.polynomial.legendre.leggauss(4)
    exact = 0.01 * (weight * (at + to_centroid) ** 2 * 2.0 * (1.0 - lean * at)).sum()
    assert u @ (fe.stiffness() @ u) == pytest.approx(exact, rel=given_back**2)


@pytest.mark.parametrize("n", [4, 8])
def test_drilling_does_not_lock_a_thin_hemisphere(n: int) -> None:
    """MacNeal and Harder (1985); 3 % is the tolerance of the problem. Full drilling would give 84 and 30 % less."""
    fe = plate_grid(1.0, 1.0, n, n, 0.04, Material(6.825e7, 0.3))
    along, up = np.pi / 2 * fe.nodes[:, 0], np.radians(72.0) * fe.nodes[:, 1]
    nodes = 10 * np.column_stack([np.cos(up) * np.cos(along), np.cos(up) * np.sin(along), np.sin(up)])
    fe = replace(fe, nodes=nodes)
    force = np.zeros((fe.nnode, 6))
    force[0, 0], force[n, 1] = 1.0, -1.0
    u = solve(fe, [("xmin", "uy rx rz"), ("xmax", "ux ry rz"), (n * (n + 1) + 1, "uz")], force)
    assert u[0, 0] == pytest.approx(0.093, rel=0.03)


@pytest.mark.parametrize(
    ("thickness", "exact", "tolerance"),
    # MacNeal and Harder's tolerance of 2 % where they have the case; the thinnest, 230 times longer than thick, misses
    # by 15 % on this uneven mesh, and by 70 % if the nodes' arms turned with the element as a whole
    [(0.32, 0.0054245, 0.02), (0.05, 1.3888, 0.02), (0.0032, 5.256e3, 0.2)],
)
def test_uneven_warped_elements_do_not_lock(thickness: float, exact: float, tolerance: float) -> None:
    """The strip 12 x 1.1 twisted by 90 degrees, 12 x 2 elements whose nodes are moved along it by up to a quarter."""
    fe = plate_grid(1.0, 1.0, 12, 2, thickness, Material(29e6, 0.22))
    moved = np.random.default_rng(3).uniform(-0.25, 0.25, (13, 3)) / 12
    number, across = np.rint(12 * fe.nodes[:, 0]).astype(int), np.rint(2 * fe.nodes[:, 1]).astype(int)
    r = fe.nodes[:, 0] + np.where((number > 0) & (number < 12), moved[number, across], 0.0)
    arm, angle = 1.1 * (fe.nodes[:, 1] - 0.5), np.pi / 2 * r
    fe = replace(fe, nodes=np.column_stack([12 * r, arm * np.sin(angle), arm * np.cos(angle)]))
    u = solve(fe, ["xmin"], tip_load(fe, 1))
    assert u[fe.node_index(fe.node_sets["xmax"])[1], 1] == pytest.approx(exact, rel=tolerance)


@pytest.mark.parametrize("thickness", [1e-4, 0.02, 0.2])
@pytest.mark.parametrize("company", ["one block", "two blocks", "triangles", "turned over"])
def test_patch_in_company(company: str, thickness: float) -> None:
    """Constant strain and constant curvature where thick elements of many widths meet, with triangles too."""
    x, y = PATCH.T
    o = 0 * x
    material, section = Material(1e6, 0.25), ShellSection(thickness)
    quads = QUADS.copy()
    if company == "turned over":
        quads[2:] = quads[2:, ::-1]
    parts = [("shell4", quads[1:]), ("shell4", quads[:1])]
    if company == "one block":
        parts = [("shell4", quads)]
    if company == "triangles":
        parts[1] = ("shell3", quads[:1, [[0, 1, 2], [0, 2, 3]]].reshape(-1, 3))
    fe = FEModel(np.column_stack([x, y, o]), tuple(ElementBlock(k, c, material, section) for k, c in parts))
    for exact in (
        1e-3 * np.column_stack([x + y / 2, y + x / 2, o, o, o, o]),
        1e-3 * np.column_stack([o, o, (x * x + x * y + y * y) / 2, x / 2 + y, -x - y / 2, o]),
    ):
        u = solve(fe, [1, 2, 3, 4], 0 * exact, given=exact)
        assert_allclose(u, exact, rtol=0, atol=ROUND_OFF * np.abs(exact).max())


@pytest.mark.parametrize("thickness", [0.3, 1e-5])
def test_order_of_nodes_and_axes_do_not_matter(thickness: float) -> None:
    element = element_kind("shell4")
    rng = np.random.default_rng(5)
    corners = np.array([[0, 0, 0], [1.3, 0.1, 0], [1.1, 0.9, 0], [-0.1, 1, 0]], dtype=float)
    for height in (0.0, 0.1):
        xyz = corners + height * np.array([[0, 0, 1], [0, 0, -1], [0, 0, 1], [0, 0, -1]])
        K = element.stiffness(Batch(xyz[None], ALUMINIUM, ShellSection(thickness)))[0]
        for order in ([1, 2, 3, 0], [0, 3, 2, 1]):
            rows = (6 * np.array(order)[:, None] + np.arange(6)).ravel()
            found = element.stiffness(Batch(xyz[None, order], ALUMINIUM, ShellSection(thickness)))[0]
            assert_allclose(found, K[np.ix_(rows, rows)], atol=1e-12 * np.abs(K).max())
        R = Rotation.random(rng=rng).as_matrix()
        turn = np.kron(np.eye(8), R)
        found = element.stiffness(Batch((xyz @ R.T)[None], ALUMINIUM, ShellSection(thickness)))[0]
        assert_allclose(found, turn @ K @ turn.T, atol=1e-12 * np.abs(K).max())


def test_neighbours_show_curvature_and_width() -> None:
    """A row of squares bent by an angle, a triangle on one of them: sag is size times sine; the least width counts."""
    angle = np.radians(10.0)
    nodes = np.array(
        [[-1, 0, 0], [0, 0, 0], [0, 2, 0], [-1, 2, 0], [2 * np.cos(angle), 0, 2 * np.sin(angle)],
         [2 * np.cos(angle), 2, 2 * np.sin(angle)], [-1, 3, 0]]
    )  # fmt: skip
    quads, triangles = np.array([[0, 1, 2, 3], [1, 2, 5, 4]]), np.array([[3, 2, 6]])  # the second is turned over
    around = Neighbours(nodes, (quads, triangles)).all[0]
    assert_allclose(around.width, [[2.0, 1.0, 1.0, 1.0], [1.0, 2.0, 2.0, 2.0]])
    assert around.beside_triangle.nonzero() == (0, 2)
    # at the fold two or three corners meet: mean of squared sines over all of them, the element's own included
    share = {2: np.sin(angle) ** 2 / 2, 3: np.sin(angle) ** 2 * 2 / 3}
    assert around.sag == pytest.approx([2.0 * np.sqrt(share[3])] * 2, rel=1e-9)
    assert_allclose(around.side_sag, np.full((2, 4), around.sag[0]))
    assert_allclose(alone(nodes[quads]).sag, 0.0)
    flat = nodes * [1.0, 1.0, 0.0]
    assert_allclose(Neighbours(flat, (quads, triangles)).all[0].sag, 0.0)
