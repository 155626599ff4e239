"""Shells with layers, orthotropic shells and shells of varying thickness against closed forms."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import eigh
from scipy.sparse.linalg import spsolve

from benchmarks.verify.laminates import SS1, SS2, navier
from floatframe import ModelError, fem, modal
from floatframe.fem.properties.wall_law import section_law

PLY = fem.Material.ply(25e9, 1e9, 0.25, 0.5e9, 0.5e9, 0.2e9, rho=1600.0)
STEEL = fem.Material(2.1e11, 0.3, 7850.0)
KINDS = pytest.mark.parametrize("triangles", [False, True], ids=["shell4", "shell3"])


def laminate(angles: Sequence[float], thickness: float, **more) -> fem.LayeredSection:
    return fem.LayeredSection([fem.Layer(PLY, thickness / len(angles), angle) for angle in angles], **more)


def plate(section, triangles: bool, n: int = 10, lx: float = 1.0, ly: float = 1.0, material=None) -> fem.FEModel:
    fe = fem.plate_grid(lx, ly, n, max(int(n * ly / lx), 1), section.thickness, STEEL, triangles=triangles)
    along_x = {"direction": np.tile([1.0, 0.0, 0.0], (len(fe.blocks[0]), 1))}
    return replace(fe, blocks=(replace(fe.blocks[0], material=material, section=section, data=along_x),))


def skewed(fe: fem.FEModel) -> fem.FEModel:
    """The same plate with its inner nodes moved about."""
    inner = np.setdiff1d(np.arange(fe.nnode), fe.node_index(fe.node_sets["edges"]))
    nodes = fe.nodes.copy()
    nodes[inner, :2] += 0.02 * np.random.default_rng(3).standard_normal((inner.size, 2))
    return replace(fe, nodes=nodes)


SUPPORTS = {False: SS1, True: SS2}


@KINDS
@pytest.mark.parametrize("angles", [(0.0, 90.0), (0.0, 90.0, 90.0, 0.0), (-45.0, 45.0), (30.0, -30.0, 30.0, -30.0)])
def test_fundamental_frequency_by_navier(angles: Sequence[float], triangles: bool) -> None:
    angle_ply = 90.0 not in angles
    section = laminate(angles, 0.05)
    exact = np.sqrt(eigh(*navier(section_law(section, None), 1, 1, angle_ply), eigvals_only=True)[0]) / (2.0 * np.pi)
    fe = plate(section, triangles).with_support(SUPPORTS[angle_ply])
    # errors fall with the square of the size; 0.7 % measured on 10 x 10
    assert modal.eigenmodes(fe, 1).frequency[0] == pytest.approx(exact, rel=0.008)


@KINDS
def test_orthotropic_wall_by_navier_in_a_turned_skewed_mesh(triangles: bool) -> None:
    section = fem.ShellSection(0.02)
    exact = np.sqrt(eigh(*navier(section_law(section, PLY), 1, 1, False), eigvals_only=True)[0]) / (2.0 * np.pi)
    fe = skewed(plate(section, triangles, material=PLY)).with_support(SUPPORTS[False])
    value = modal.eigenmodes(fe, 1).frequency[0]
    assert value == pytest.approx(exact, rel=0.012)  # 0.9 % measured
    free = replace(fe, supports=np.empty((0, 2), dtype=int))
    turned = fem.rotate(free, [1.0, 2.0, 0.5], 0.7).mass_properties()
    assert turned.mass == pytest.approx(free.mass_properties().mass, rel=1e-12)


@KINDS
@pytest.mark.parametrize("angles", [(0.0, 90.0), (-45.0, 45.0), (10.0, 50.0, 100.0)])
def test_constant_strains_and_curvatures_have_their_forces(angles: Sequence[float], triangles: bool) -> None:
    """Patch test: any constant strain and curvature on distorted elements, resultants by the law; exact."""
    section = laminate(angles, 0.05)
    fe = skewed(plate(section, triangles, n=4))
    law = section_law(section, None)
    x, y, _ = fe.nodes.T
    ex, ey, exy, kx, ky, kxy = 1e-3 * np.array([1.0, -0.5, 0.7, 2.0, -1.0, 0.6])
    w = -(kx * x**2 + ky * y**2 + kxy * x * y) / 2.0
    o = 0.0 * x
    u = np.column_stack(
        [ex * x + exy * y / 2, ey * y + exy * x / 2, w, -(ky * y + kxy * x / 2), kx * x + kxy * y / 2, o]
    )
    force = (fe.stiffness() @ u.ravel()[fe.dof_table.slots]).reshape(-1, 6)
    inner = np.setdiff1d(np.arange(fe.nnode), fe.node_index(fe.node_sets["edges"]))
    N = law.A @ [ex, ey, exy] + law.B @ [kx, ky, kxy]
    M = law.B @ [ex, ey, exy] + law.D @ [kx, ky, kxy]
    assert np.abs(force[inner]).max() < 1e-10 * np.abs(force).max()  # round-off
    block = fem.stresses(fe, u).blocks[0]
    _, batch = next(fe.blocks[0].batches(fe.nodes))
    axes = block.block.element.axes(batch)
    for first, expected in ((0, N), (3, M)):
        local = block.resultants[..., first : first + 3]
        plane = np.zeros((*local.shape[:2], 2, 2))
        plane[..., 0, 0], plane[..., 1, 1] = local[..., 0], local[..., 1]
        plane[..., 0, 1] = plane[..., 1, 0] = local[..., 2]
        turned = axes[:, None, :2, :2].swapaxes(-1, -2) @ plane @ axes[:, None, :2, :2]
        found = turned[..., [0, 1, 0], [0, 1, 1]]
        assert found == pytest.approx(np.broadcast_to(expected, found.shape), abs=1e-8 * np.abs(expected).max())


@KINDS
def test_an_unsymmetric_strip_bends_under_tension(triangles: bool) -> None:
    """A free strip under N has ε = a N, κ = b N with [[a, b], [b, d]] the inverse of [[A, B], [B, D]]."""
    section = laminate((0.0, 90.0), 0.01)
    fe = plate(section, triangles, n=12, lx=1.2, ly=0.3)
    load = np.zeros((fe.nnode, 6))
    for edge, sign in (("xmin", -1.0), ("xmax", 1.0)):
        rows = fe.node_index(fe.node_sets[edge])
        share = np.ones(rows.size)
        share[[0, -1]] = 0.5
        load[rows, 0] = sign * 1e4 * 0.3 * share / share.sum()
    held = fe.with_support([(1, "all"), *straight_sides(fe)])
    u = static(held, load)
    law = section_law(section, None)
    flexibility = np.linalg.inv(np.block([[law.A, law.B], [law.B, law.D]]))
    strain, curvature = flexibility[[0, 3], 0] * 1e4
    end = fe.node_index(fe.node_sets["xmax"])
    # constant strains are exact
    assert (u[end, 0] - u[fe.node_index(fe.node_sets["xmin"]), 0]).mean() / 1.2 == pytest.approx(strain, rel=1e-6)
    assert (u[end, 4] - u[fe.node_index(fe.node_sets["xmin"]), 4]).mean() / 1.2 == pytest.approx(curvature, rel=1e-6)
    layer = fem.stresses(held, u).blocks[0].layer(0, "bottom")
    level = section.levels[0]
    eps = flexibility[:3, 0] * 1e4 + level * flexibility[3:, 0] * 1e4
    Q = section_law(fem.ShellSection(1.0), PLY).A
    assert layer[..., 0] == pytest.approx(np.full(layer.shape[:2], (Q @ eps)[0]), rel=1e-6)


def straight_sides(fe: fem.FEModel) -> list[tuple[int, str]]:
    """Hold the drilling rotations, so that forces on nodes are those of an even traction."""
    return [(int(node), "rz") for node in fe.node_ids]


def static(fe: fem.FEModel, load: np.ndarray) -> np.ndarray:
    free = fe.free_rows()
    x = np.zeros(fe.ndof)
    x[free] = spsolve(fe.stiffness()[free][:, free].tocsc(), fe.project_load(load)[free])
    return fe.expand(x)


@KINDS
def test_offset_of_the_nodes_is_a_law_about_them(triangles: bool) -> None:
    """An offset laminate and the same wall given by matrices about the nodes bend alike."""
    section = laminate((0.0, 90.0, 90.0, 0.0), 0.02, offset=0.015)
    law = section_law(section, None).about(0.015)
    general = fem.GeneralShellSection(law.A, law.B, law.D, law.S, 0.02, float(law.m0), float(law.m1), float(law.m2))
    first, second = (
        modal.eigenmodes(plate(wall, triangles, 12, 1.0, 0.5).with_support([("xmin", "all")]), 4).frequency
        for wall in (section, general)
    )
    # they meet as the mesh is refined; here torsion with its layers along the free edges differs by 3.7 %
    assert second == pytest.approx(first, rel=0.04)
    assert second[0] == pytest.approx(first[0], rel=0.003)


@KINDS
def test_mass_of_unsymmetric_layers_lies_where_they_are(triangles: bool) -> None:
    heavy, light = fem.Layer(STEEL, 0.01), fem.Layer(fem.Material(7e10, 0.3, 2700.0), 0.03)
    section = fem.LayeredSection([heavy, light], offset=0.05, extra_mass=3.0)
    for kind in ("consistent", "lumped"):
        found = fem.mass_properties(plate(section, triangles, 4), kind)
        total = 78.5 + 81.0 + 3.0
        centre = (78.5 * (-0.015) + 81.0 * 0.005) / total
        assert found.mass == pytest.approx(total, rel=1e-12)
        assert found.com[2] == pytest.approx(0.05 + centre, rel=1e-12)


@KINDS
def test_mirrored_and_turned_laminates_vibrate_alike(triangles: bool) -> None:
    section = laminate((0.0, 30.0, 70.0), 0.02)
    fe = plate(section, triangles, 6, 1.0, 0.5)
    reference = modal.eigenmodes(fe, 10).frequency[6:]
    for image in (fem.mirror(fe, [1.0, 0.3, 0.2]), fem.rotate(fe, [1.0, 0.5, 2.0], 1.0)):
        assert modal.eigenmodes(image, 10).frequency[6:] == pytest.approx(reference, rel=1e-7)


@KINDS
def test_tapered_strip_in_bending_and_tension(triangles: bool) -> None:
    """Cantilever whose thickness grows from 10 to 20 mm: closed forms of the tapered beam with ν = 0."""
    material = fem.Material(2e11, 0.0, 7850.0)
    fe = fem.plate_grid(1.0, 0.1, 10, 1, 0.01, material, triangles=triangles)
    t = (0.01 + 0.01 * fe.nodes[:, 0])[fe.blocks[0].connectivity]
    fe = replace(fe, blocks=(replace(fe.blocks[0], data={"thickness": t}),))
    fe = fe.with_support([("xmax", "all"), *straight_sides(fe)])
    load = np.zeros((fe.nnode, 6))
    load[fe.node_index(fe.node_sets["xmin"]), 0] = -500.0
    load[fe.node_index(fe.node_sets["xmin"]), 2] = 0.5
    u = static(fe, load)[fe.node_index(fe.node_sets["xmin"])]
    # ∫ F/(E b t) dx and ∫ F x²/(E I) dx with t = 0.01 (1 + x)
    tension = 1000.0 / (2e11 * 0.1 * 0.01) * np.log(2.0)
    s = np.linspace(0.0, 1.0, 20001)
    bending = np.trapezoid(s**2 / (1.0 + s) ** 3, s) * 12.0 / (2e11 * 0.1 * 0.01**3)
    # 0.04 % and 0.01 % measured, falling with the square of the size; with the mean of each element: 0.4 % in bending
    assert -u[:, 0].mean() == pytest.approx(tension, rel=1e-3)
    assert u[:, 2].mean() == pytest.approx(bending, rel=1e-3)
    properties = fem.mass_properties(fe)
    assert properties.mass == pytest.approx(7850 * 0.1 * 0.015, rel=1e-12)
    assert properties.com[0] == pytest.approx((1 / 2 + 1 / 3) / 1.5, rel=1e-12)


def test_a_wall_of_layers_needs_no_material_of_its_own() -> None:
    with pytest.raises(ModelError, match="no material"):
        fem.ElementBlock("shell4", np.arange(4)[None], section=fem.ShellSection(0.01))
    with pytest.raises(ModelError, match="ShellSection or LayeredSection or GeneralShellSection"):
        fem.ElementBlock("shell4", np.arange(4)[None], STEEL)
    fem.ElementBlock("shell4", np.arange(4)[None], section=laminate((0.0,), 0.01))


@KINDS
@pytest.mark.parametrize("missing", ["A", "D"])
def test_walls_without_one_stiffness_keep_the_other(missing: str, triangles: bool) -> None:
    """A wall without stiffness in its plane bends as before, one without bending stiffness stretches as before."""
    law, none = section_law(fem.ShellSection(0.01), STEEL), np.zeros((3, 3))
    parts = {"A": law.A, "B": none, "D": law.D, "S": law.S}
    whole = fem.GeneralShellSection(**parts, thickness=0.01, m0=78.5)
    half = fem.GeneralShellSection(**{**parts, missing: none}, thickness=0.01, m0=78.5)
    first, second = (plate(wall, triangles, 3).stiffness().toarray() for wall in (whole, half))
    dofs = np.arange(len(first)) % 6
    in_plane = np.isin(dofs, (0, 1, 5))
    kept, lost = (~in_plane, in_plane) if missing == "A" else (in_plane, ~in_plane)
    size = np.abs(first).max()
    assert second[np.ix_(kept, kept)] == pytest.approx(first[np.ix_(kept, kept)], abs=1e-14 * size)
    assert not second[lost].any()


def test_a_direction_across_the_wall_names_the_element() -> None:
    fe = plate(laminate((0.0,), 0.01), False, 2)
    block = replace(fe.blocks[0], data={"direction": np.array([[1.0, 0, 0]] * 3 + [[0.0, 0, 1]])})
    with pytest.raises(ModelError, match="shell element 4: its material direction does not lie along it"):
        replace(fe, blocks=(block,)).stiffness()


@KINDS
def test_buckling_of_a_cross_ply_by_navier(triangles: bool) -> None:
    """Simply supported under compression along x: N a² works on the slopes of w as a mass would, for one wave."""
    section = laminate((0.0, 90.0, 90.0, 0.0), 0.02)
    fe = plate(section, triangles, 12)
    load = np.zeros((fe.nnode, 6))
    for edge, sign in (("xmin", 1.0), ("xmax", -1.0)):
        rows = fe.node_index(fe.node_sets[edge])
        share = np.ones(rows.size)
        share[[0, -1]] = 0.5
        load[rows, 0] = sign * share / share.sum()
    held = [("edges", "uz"), ("xmin", "rx"), ("xmax", "rx"), ("ymin", "ry"), ("ymax", "ry"), (1, "ux uy")]
    held += [(int(fe.node_sets["xmax"][0]), "uy"), *straight_sides(fe)]
    u = static(fe.with_support(held), load)
    K, G = fe.stiffness(), fe.geometric_stiffness(u)
    free = fe.free_rows(held)
    K, G = (m[free][:, free].toarray() for m in (K, G))
    ours = 1.0 / eigh(-G, K, eigvals_only=True)[-1]
    law = section_law(section, None)
    exact = min(
        eigh(navier(law, m, 1, False)[0], np.diag([1e-12, 1e-12, (m * np.pi) ** 2, 1e-12, 1e-12]), eigvals_only=True)[0]
        for m in (1, 2)
    )
    # Poisson's contraction is free, so that the state is one of even compression; 1.0 % measured on 12 x 12
    assert ours == pytest.approx(exact, rel=0.02)


@KINDS
def test_shear_between_layers_of_a_cantilever(triangles: bool) -> None:
    """Homogeneous wall in four layers: the parabola of shear, 3/2 Q/t at the middle and 9/8 Q/t at a quarter."""
    material = fem.Material(2e11, 0.0, 7850.0)
    section = fem.LayeredSection([fem.Layer(material, 0.005)] * 4)
    fe = plate(section, triangles, n=16, lx=1.6, ly=0.1).with_support([("xmin", "all")])
    load = np.zeros((fe.nnode, 6))
    load[fe.node_index(fe.node_sets["xmax"]), 2] = 50.0
    block = fem.stresses(fe, static(fe, load)).blocks[0]
    away = (block.block.connectivity % 17 > 3).all(axis=1) & (block.block.connectivity % 17 < 13).all(axis=1)
    for face, factor in ((0, 0.0), (1, 9 / 8), (2, 3 / 2), (3, 9 / 8), (4, 0.0)):
        found = block.between_layers(face)[away, :, 0].mean()
        # as good as the shear forces of the elements: exact for quadrilaterals, 3.5 % measured for two triangles across
        assert found == pytest.approx(factor * 1000.0 / 0.02, rel=0.05 if triangles else 1e-6, abs=1e-3)
    with pytest.raises(ModelError, match="faces 0 to 4; face 5"):
        block.between_layers(5)
