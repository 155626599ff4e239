"""Curved shells of eight and six nodes: rigid motion, patch tests, published shells, mass, stresses, buckling."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import eigh, eigvalsh
from scipy.sparse.linalg import splu

import floatframe as ff
from floatframe.arrays import Array, IntArray
from floatframe.errors import ModelError
from floatframe.fem import (
    ElementBlock,
    FEModel,
    GeneralShellSection,
    Layer,
    LayeredSection,
    Material,
    ShellSection,
    load_vector,
    merge_nodes,
    plate_grid,
    shell_mesh,
)
from floatframe.fem.elements import Batch, element_kind

KINDS = ("shell8", "shell6")
STEEL = Material(2.1e11, 0.3, 7850.0)
ROUND_OFF = 1e-10


def surface(
    kind: str,
    place: Callable[[Array, Array], tuple[Array, ...]],
    nx: int,
    ny: int,
    thickness: float,
    material: Material,
) -> FEModel:
    """Return a grid of shells on x, y, z = place(r, s) with r, s in 0..1."""
    fe = plate_grid(1.0, 1.0, nx, ny, thickness, material, triangles=kind == "shell6", quadratic=True)
    return replace(fe, nodes=np.column_stack(np.broadcast_arrays(*place(fe.nodes[:, 0], fe.nodes[:, 1]))))


def static(fe: FEModel, force: Array, fixed: list, given: Array | None = None) -> Array:
    """Displacements (nnode, 6); dofs held by `fixed` take the values of `given`."""
    K, free = fe.stiffness(), fe.free_rows(fixed)
    x = np.zeros(fe.ndof) if given is None else fe.project_load(given)
    x[free] = 0.0
    x[free] = splu(K[free][:, free].tocsc()).solve((fe.project_load(force) - K @ x)[free])
    return fe.expand(x)


def corner(fe: FEModel, first: str, second: str) -> int:
    return int(fe.node_index(np.intersect1d(fe.node_sets[first], fe.node_sets[second]))[0])


def edge_load(fe: FEModel, edge: str, force: Array) -> Array:
    """Spread a force (6,) over an edge as quadratic functions do: 1, 4, 2, 4, … 1."""
    rows = fe.node_index(fe.node_sets[edge])
    share = np.where(np.arange(rows.size) % 2, 4.0, 2.0)
    share[[0, -1]] = 1.0
    load = np.zeros((fe.nnode, 6))
    load[rows] = np.outer(share / share.sum(), force)
    return load


def rigid(xyz: Array) -> Array:
    """Six rigid motions (6 nnode, 6) of nodes."""
    motion = np.zeros((len(xyz), 6, 6))
    motion[:, range(6), range(6)] = 1.0
    for k in range(3):
        motion[:, :3, 3 + k] = np.cross(np.eye(3)[k], xyz)
    return motion.reshape(-1, 6)


def element_nodes(kind: str, shape: str) -> Array:
    x = np.column_stack([element_kind(kind).reference_nodes, np.zeros(element_kind(kind).nnode)])
    if shape != "flat":
        x[:, 2] = 0.3 * x[:, 0] ** 2 + 0.1 * x[:, 0] * x[:, 1]
    if shape == "distorted":
        x += 0.06 * np.random.default_rng(1).standard_normal(x.shape)
    return x


@pytest.mark.parametrize("thickness", [0.1, 1e-3])
@pytest.mark.parametrize("shape", ["flat", "curved", "distorted"])
@pytest.mark.parametrize("kind", KINDS)
def test_an_element_has_six_rigid_motions_and_no_other_without_energy(kind, shape, thickness):
    element, x = element_kind(kind), element_nodes(kind, shape)
    batch = Batch(x[None], STEEL, ShellSection(thickness, offset=0.05))
    K = element.stiffness(batch)[0]
    assert_allclose(K @ rigid(x), 0.0, atol=1e-13 * np.abs(K).max())
    values = eigvalsh(K)
    # the softest true motion: drilling of 1e-3 of the shear stiffness, bending of (t/L)² of the membrane
    assert (values[:6] < 1e-14 * values[-1]).all()
    assert values[6] > 5e-5 * thickness**2 * values[-1] > 1e3 * np.abs(values[:6]).max()


PATCH = np.array([[0, 0], [0.24, 0], [0.24, 0.12], [0, 0.12], [0.04, 0.02], [0.18, 0.03], [0.16, 0.08], [0.08, 0.08]])


def patch(kind: str, thickness: float, bent: float = 0.0) -> tuple[FEModel, IntArray]:
    """MacNeal and Harder's patch with inner sides bent by up to `bent`, and the numbers of its outer nodes."""
    quads = np.array([[0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7], [4, 5, 6, 7]])
    faces = quads[:, [[0, 1, 2], [0, 2, 3]]].reshape(-1, 3) if kind == "shell6" else quads
    points, middle = [*np.column_stack([PATCH, np.zeros(8)])], {}
    shift = np.random.default_rng(0)
    for face in faces:
        for a, b in zip(face, np.roll(face, -1), strict=True):
            side = frozenset((int(a), int(b)))
            if side not in middle:
                middle[side] = len(points)
                inner = max(side) > 3
                points.append(0.5 * (points[a] + points[b]) + inner * bent * np.r_[shift.uniform(-1, 1, 2), 0.0])
    cells = [[*f, *(middle[frozenset(map(int, s))] for s in zip(f, np.roll(f, -1), strict=True))] for f in faces]
    outer = [0, 1, 2, 3, *(node for side, node in middle.items() if max(side) < 4)]
    return shell_mesh(np.array(points), np.array(cells), thickness, Material(1e6, 0.25)), np.array(outer) + 1


def plane_stress(fe: FEModel, u: Array, layer: str) -> Array:
    """Return stresses xx, yy, xy (nel nnode, 3) in model axes at the nodes of all elements."""
    return ff.fem.stresses(fe, u).blocks[0].tensors[layer][..., [0, 1, 3]].reshape(-1, 3)


@pytest.mark.parametrize("bent", [0.0, 0.004])
@pytest.mark.parametrize("kind", KINDS)
def test_membrane_patch(kind, bent):
    """Constant stretches on whatever sides; forces 4/3, 4/3, 0.4 as MacNeal and Harder (1985) give them."""
    fe, outer = patch(kind, 1e-3, bent)
    x, y, o = fe.nodes[:, 0], fe.nodes[:, 1], np.zeros(fe.nnode)
    exact = 1e-3 * np.column_stack([x + y / 2, y + x / 2, o, o, o, o])
    u = static(fe, np.zeros((fe.nnode, 6)), [int(node) for node in outer], exact)
    assert_allclose(u[:, :3], exact[:, :3], atol=ROUND_OFF * np.abs(exact).max())
    stress = plane_stress(fe, u, "middle")
    assert_allclose(stress, np.broadcast_to([4e3 / 3, 4e3 / 3, 4e2], stress.shape), rtol=1e-8)


@pytest.mark.parametrize("thickness", [0.05, 1e-5])
@pytest.mark.parametrize("kind", KINDS)
def test_bending_patch(kind, thickness):
    """Constant curvatures on straight sides, from thick to t/L = 1e-4."""
    fe, outer = patch(kind, thickness)
    x, y, o = fe.nodes[:, 0], fe.nodes[:, 1], np.zeros(fe.nnode)
    exact = 1e-3 * np.column_stack([o, o, (x * x + x * y + y * y) / 2, x / 2 + y, -x - y / 2, o])
    u = static(fe, np.zeros((fe.nnode, 6)), [int(node) for node in outer], exact)
    # shear is 1e8 times stiffer than bending of the thin wall, which costs as many digits
    assert_allclose(u, exact, atol=max(ROUND_OFF, 1e-15 / (thickness / 0.24) ** 2) * np.abs(exact).max())
    # as MacNeal and Harder give them for t = 1e-3, compression on top
    stress = plane_stress(fe, u, "top")
    assert_allclose(stress, np.broadcast_to(np.array([-2.0, -2.0, -0.6]) / 3e-3 * thickness, stress.shape), rtol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_shear_patch(kind):
    """A wall so soft in shear that it does not bend: constant shear across it."""
    fe, outer = patch(kind, 0.05)
    fe = replace(fe, blocks=(replace(fe.blocks[0], section=ShellSection(0.05, shear_factor=1e-9)),))
    exact = 1e-3 * np.outer(fe.nodes[:, 0] + 2.0 * fe.nodes[:, 1], np.eye(6)[2])
    u = static(fe, np.zeros((fe.nnode, 6)), [int(node) for node in outer], exact)
    # bending is 1e9 (t / L)² / 10 times stiffer
    assert_allclose(u[:, 2], exact[:, 2], atol=1e-6 * np.abs(exact).max())
    Q = ff.fem.stresses(fe, u).blocks[0].resultants[..., 6:]
    G = 1e-9 * 1e6 / 2.5 * 0.05
    assert_allclose(np.sqrt((Q**2).sum(axis=2)), 1e-3 * np.sqrt(5.0) * G, rtol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_scordelis_lo_roof(kind):
    angle = np.radians(40.0)
    place = lambda r, s: (25 * np.sin(angle * r), 25 * s, 25 * np.cos(angle * r))  # noqa: E731
    fe = surface(kind, place, 4, 4, 0.25, Material(4.32e8, 0.0, 360.0 / 9.81))
    held = [("xmin", "ux ry rz"), ("ymin", "uy rx rz"), ("ymax", "ux uz ry")]
    u = static(fe, load_vector(fe, gravity=(0.0, 0.0, -9.81)), held)
    # QUAD4 of MacNeal and Harder (1985) misses by 5 % with as many elements
    assert_allclose(-u[corner(fe, "xmax", "ymin"), 2], 0.3020, rtol=0.05)


@pytest.mark.parametrize("kind", KINDS)
def test_hemisphere_with_hole(kind):
    """Nearly no stretch: membrane locking would show; 3 % with the problem."""

    def place(r: Array, s: Array) -> tuple[Array, ...]:
        a, b = np.pi / 2 * r, np.radians(72) * s
        return 10 * np.cos(b) * np.cos(a), 10 * np.cos(b) * np.sin(a), 10 * np.sin(b)

    fe = surface(kind, place, 8, 8, 0.04, Material(6.825e7, 0.3))
    first, second = corner(fe, "xmin", "ymin"), corner(fe, "xmax", "ymin")
    force = np.zeros((fe.nnode, 6))
    force[first, 0], force[second, 1] = 1.0, -1.0
    held = [("xmin", "uy rx rz"), ("xmax", "ux ry rz"), (int(fe.node_ids[corner(fe, "xmin", "ymax")]), "uz")]
    assert_allclose(static(fe, force, held)[first, 0], 0.0930, rtol=0.03)


@pytest.mark.parametrize(("thickness", "targets"), [(0.32, (0.0054245, 0.0017532)), (0.0032, (5256.0, 1294.0))])
@pytest.mark.parametrize("kind", KINDS)
def test_twisted_beam(kind, thickness, targets):
    """Warped elements, three hundred times as long as thick in the second case (Belytschko and others 1989)."""

    def place(r: Array, s: Array) -> tuple[Array, ...]:
        return 12 * r, 1.1 * (s - 0.5) * np.sin(np.pi / 2 * r), 1.1 * (s - 0.5) * np.cos(np.pi / 2 * r)

    fe = surface(kind, place, 12, 2, thickness, Material(29e6, 0.22))
    tip = fe.node_index(fe.node_sets["xmax"])[2]
    for component, target in zip((1, 2), targets, strict=True):
        u = static(fe, edge_load(fe, "xmax", np.eye(6)[component]), ["xmin"])
        assert_allclose(u[tip, component], target, rtol=0.02)  # published with the problem


@pytest.mark.parametrize("kind", KINDS)
def test_clamped_plate_of_any_thinness(kind):
    """Centre of a square plate under pressure: 0.00126532 p L⁴ / D (Timoshenko); t/L = 1e-4 with 4 x 4 on a quarter."""
    fe = surface(kind, lambda r, s: (r, s, 0 * r), 4, 4, 2e-4, Material(1.092e7, 0.3))
    fe = fe.with_element_set("all", fe.blocks[0].element_ids)
    held = [("xmin", "ux ry rz"), ("ymin", "uy rx rz"), "xmax", "ymax"]
    u = static(fe, load_vector(fe, pressure={"all": -1.0}), held)
    D = 1e6 * 2e-4**3
    # eight elements along a side leave a thousandth, six-node triangles three
    assert_allclose(u[corner(fe, "xmin", "ymin"), 2], 0.00126532 * 2.0**4 / D, rtol=4e-3)


def cylinder(kind: str, around: int, along: int, thickness: float, radius: float, length: float) -> FEModel:
    def place(r: Array, s: Array) -> tuple[Array, ...]:
        return radius * np.cos(2 * np.pi * r), radius * np.sin(2 * np.pi * r), length * s

    fe = surface(kind, place, around, along, thickness, STEEL)
    return merge_nodes(replace(fe, node_sets={name: fe.node_sets[name] for name in ("ymin", "ymax")}), 1e-6 * radius)


def shell_theory(m: int, n: int, thickness: float, radius: float, length: float) -> float:
    """Lowest frequency [Hz] of a cylinder between diaphragms with m half waves along, n waves round (Sanders)."""
    R, k, E, nu = radius, m * np.pi / length, STEEL.E, STEEL.nu
    # amplitudes U cos kx cos nθ, V sin kx sin nθ, W sin kx cos nθ
    stretch = np.array([[-k, 0, 0], [0, n / R, 1 / R], [-n / R, k, 0]])
    curve = np.array([[0, 0, k**2], [0, n / R**2, n**2 / R**2], [n / (2 * R**2), 1.5 * k / R, 2 * k * n / R]])
    Q = E / (1 - nu**2) * np.array([[1, nu, 0], [nu, 1, 0], [0, 0, (1 - nu) / 2]])
    K = thickness * stretch.T @ Q @ stretch + thickness**3 / 12 * curve.T @ Q @ curve
    return float(np.sqrt(eigh(K, STEEL.rho * thickness * np.eye(3), eigvals_only=True)[0]) / (2 * np.pi))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_cylinder_between_diaphragms(kind):
    """Thin cylinder, R/t = 100: the lowest modes are pairs of n = 5, 6, 4 waves round it."""
    t, R, length = 0.01, 1.0, 2.0
    fe = cylinder(kind, 24, 4, t, R, length)
    held = [(edge, "ux uy") for edge in ("ymin", "ymax")]
    found = ff.modal.eigenmodes(fe, n=7, fixed=held).frequency[1:]  # it slides along its axis
    exact = sorted(shell_theory(1, n, t, R, length) for n in (4, 5, 6))
    # four elements along the shortest wave: 1.3 %, with its fourth power less
    assert_allclose(found[0::2], exact, rtol=0.015)
    assert_allclose(found[1::2], found[0::2], rtol=1e-6)  # pairs


@pytest.mark.parametrize("offset", [0.0, 0.03])
@pytest.mark.parametrize("kind", KINDS)
def test_mass_of_a_cylinder(kind, offset):
    """Both masses know the whole of a pipe whose wall lies off its nodes: 2 π (R + o) t L."""
    t, R, length = 0.01, 1.0, 2.0
    fe = cylinder(kind, 24, 3, t, R, length)
    wall = replace(fe.blocks[0], section=ShellSection(t, offset))
    fe = replace(fe, blocks=(wall,))
    whole = 2 * np.pi * (R + offset) * t * length * STEEL.rho
    motion = rigid(fe.nodes - [0.0, 0.0, length / 2])
    for kind_of_mass in ("consistent", "lumped"):
        seen = motion.T @ (fe.mass(kind_of_mass) @ motion)
        # parabolas over a 24th of a circle: 1e-5, and their normals turn by 4e-4 where they meet
        assert_allclose(np.diag(seen)[:3], whole, rtol=2e-5 if offset == 0.0 else 2e-4)
        assert_allclose(seen[5, 5], whole * ((R + offset) ** 2 + t**2 / 12), rtol=1e-4 if offset == 0.0 else 2e-4)
        assert_allclose(seen[:3, 3:], 0.0, atol=1e-9 * whole)


@pytest.mark.parametrize("kind", KINDS)
def test_thickness_at_the_nodes(kind):
    """Thickness from 0.01 to 0.03 along x: the mean is 0.02, the centre of mass at 7/12; bending as a tapered strip."""
    fe = surface(kind, lambda r, s: (r, 0.1 * s, 0 * r), 6, 1, 0.02, Material(2.1e11, 0.0, 7850.0))
    block = fe.blocks[0]
    t = 0.01 + 0.02 * fe.nodes[block.connectivity, 0]
    fe = replace(fe, blocks=(replace(block, data={"thickness": t}),))
    found = fe.mass_properties()
    assert_allclose(found.mass, 7850.0 * 0.1 * 0.02, rtol=ROUND_OFF)
    assert_allclose(found.com, [7.0 / 12.0, 0.05, 0.0], atol=ROUND_OFF)
    u = static(fe, edge_load(fe, "xmin", np.eye(6)[2]), ["xmax"])
    x = np.linspace(0.0, 1.0, 20001)
    flexibility = x**2 / (2.1e11 * 0.1 * (0.01 + 0.02 * x) ** 3 / 12.0)
    shear = 1.0 / (5.0 / 6.0 * 2.1e11 / 2.0 * 0.1 * (0.01 + 0.02 * x))
    # six elements along it
    assert_allclose(u[fe.node_index(fe.node_sets["xmin"]), 2], np.trapezoid(flexibility + shear, x), rtol=2e-3)


@pytest.mark.parametrize("kind", KINDS)
def test_stresses_of_a_pipe_under_pressure(kind):
    """Hoop stress p R / t in the direction of the circle at every node, in the axes of the model."""
    t, R = 0.01, 1.0
    fe = cylinder(kind, 24, 2, t, R, 0.5)
    fe = fe.with_element_set("all", fe.blocks[0].element_ids)
    # normals point outwards: a pressure on that side pushes in
    u = static(
        fe,
        load_vector(fe, pressure={"all": -1e5}),
        [("ymin", "uz rx ry"), ("ymax", "uz rx ry"), (1, "uy rz"), (25, "uy")],
    )
    stress = ff.fem.stresses(fe, u).blocks[0]
    x, y, _ = np.moveaxis(fe.nodes[stress.block.connectivity], 2, 0)
    hoop = np.stack([-y, x, np.zeros_like(x)], axis=2) / R
    xx, yy, zz, xy, yz, zx = np.moveaxis(stress.tensors["middle"], 2, 0)
    tensor = np.stack([xx, xy, zx, xy, yy, yz, zx, yz, zz], axis=2).reshape(*xx.shape, 3, 3)
    along = np.einsum("eni,enij,enj->en", hoop, tensor, hoop)
    # the bend of a 24th of a circle, drawn by parabolas: 0.3 % of eight nodes, 1 % of six
    assert_allclose(along, 1e5 * R / t, rtol=0.015)
    radial = np.einsum("eni,enij,enj->en", np.stack([x, y, 0 * x], axis=2) / R, tensor, hoop)
    assert_allclose(radial, 0.0, atol=0.02 * 1e5 * R / t)


@pytest.mark.parametrize("kind", KINDS)
def test_buckling_of_a_square_plate(kind):
    """Simply supported under uniform compression: 4 π² D / b² per unit width."""
    t = 0.01
    fe = surface(kind, lambda r, s: (r, s, 0 * r), 4, 4, t, STEEL)
    held = [("edges", "uz"), ("xmin", "rx ux"), ("xmax", "rx"), ("ymin", "ry"), ("ymax", "ry"), (1, "uy")]
    u = static(fe, edge_load(fe, "xmax", -np.eye(6)[0]), held)
    free = fe.free_rows(held)
    K, G = (np.asarray(m.todense())[np.ix_(free, free)] for m in (fe.stiffness(), fe.geometric_stiffness(u)))
    factor = 1.0 / eigh(-G, K, eigvals_only=True)[-1]
    D = STEEL.E * t**3 / 12 / (1 - STEEL.nu**2)
    # four elements along a side: half a per cent; shear deformation takes 0.1 %
    assert_allclose(factor, 4 * np.pi**2 * D, rtol=0.01)


@pytest.mark.parametrize("kind", KINDS)
def test_a_fold_carries_bending(kind):
    """Two walls at a right angle, the tip of one pushed: both bend, as Euler's frame does."""
    wide, t = 0.1, 0.005
    flat = surface(kind, lambda r, s: (2 * r, wide * s, 0 * r), 8, 1, t, Material(2.1e11, 0.0))
    x = flat.nodes[:, 0]
    folded = np.column_stack([np.minimum(x, 1.0), flat.nodes[:, 1], np.maximum(x - 1.0, 0.0)])
    fe = replace(flat, nodes=folded)
    u = static(fe, edge_load(fe, "xmax", np.eye(6)[0]), ["xmin"])
    stiff = 2.1e11 * wide * t**3 / 12.0
    tip = u[fe.node_index(fe.node_sets["xmax"]), 0].mean()
    # lever 1 on the post and the moment 1 along the beam: 1/3 + 1
    assert_allclose(tip, (1.0 / 3.0 + 1.0) / stiff, rtol=1e-3)  # shear and stretch of slender walls


@pytest.mark.parametrize("kind", KINDS)
def test_layers_couple_stretch_and_bending(kind):
    """A strip of two layers pulled at its mid-surface bends: curvature -B / (A D - B²) of unit force, by lamination."""
    soft, stiff = Material(1e10, 0.0, 1000.0), Material(5e10, 0.0, 3000.0)
    wall = LayeredSection((Layer(soft, 0.01), Layer(stiff, 0.01)))
    fe = surface(kind, lambda r, s: (r, 0.1 * s, 0 * r), 2, 1, 0.02, soft)
    fe = replace(fe, blocks=(ElementBlock(kind, fe.blocks[0].connectivity, None, wall),))
    u = static(fe, edge_load(fe, "xmax", 0.1 * np.eye(6)[0]), ["xmin"])
    A, B = 0.01 * 6e10, 0.5 * 1e-4 * 4e10
    D = 1e-6 / 3.0 * 6e10
    tip = fe.node_index(fe.node_sets["xmax"])
    assert_allclose(u[tip, 2], 0.5 * B / (A * D - B**2), rtol=1e-6)
    assert_allclose(u[tip, 0], D / (A * D - B**2), rtol=1e-6)
    assert_allclose(fe.mass_properties().mass, 0.1 * 0.01 * 4000.0, rtol=ROUND_OFF)
    assert_allclose(fe.mass_properties().com[2], 0.01 * (3000.0 - 1000.0) / 4000.0 / 2.0, rtol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_crossed_sides_are_refused_by_name(kind):
    x = element_nodes(kind, "flat")
    x[[1, 2]] = x[[2, 1]]
    block = ElementBlock(kind, np.arange(len(x))[None], STEEL, ShellSection(0.01), element_ids=[17])
    fe = FEModel(x, (block,))
    assert any("crossed edges" in str(problem) and "17" in str(problem) for problem in ff.fem.check_model(fe).problems)
    if kind == "shell8":
        with pytest.raises(ModelError, match="shell element 17: its sides cross"):
            fe.stiffness()


def test_corner_with_a_quarter_point_has_a_normal():
    """Middle nodes at a quarter of the sides, as at a crack: the element is whole but for one point."""
    x = element_nodes("shell8", "flat")
    x[4], x[7] = [-0.5, -1.0, 0.0], [-1.0, -0.5, 0.0]
    batch = Batch(x[None], STEEL, ShellSection(0.1))
    values = eigvalsh(element_kind("shell8").stiffness(batch)[0])
    assert np.isfinite(values).all()
    assert element_kind("shell8").size_measure(batch)[0] > 0.0


@pytest.mark.parametrize("kind", KINDS)
def test_walls_without_bending_stiffness_are_membranes(kind):
    """A strip that has only A waves along its length as a bar does: a quarter wave, √(E/ρ) / 4 L."""
    A = 2.1e11 * 0.01 * np.diag([1.0, 1.0, 0.5])
    wall = GeneralShellSection(A, np.zeros((3, 3)), np.zeros((3, 3)), None, 0.01, m0=78.5)
    fe = surface(kind, lambda r, s: (r, 0.1 * s, 0 * r), 4, 1, 0.01, STEEL)
    fe = replace(fe, blocks=(ElementBlock(kind, fe.blocks[0].connectivity, None, wall),))
    still = [(int(node), "uy uz rx ry") for node in fe.node_ids]
    found = ff.modal.eigenmodes(fe, n=1, fixed=["xmin", *still]).frequency
    assert_allclose(found, np.sqrt(2.1e11 / 7850.0) / 4.0, rtol=1e-4)  # four quadratic elements
