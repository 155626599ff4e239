"""Geometric stiffness: linear in the stress, blind to translation, turning with the body, cubic in the energy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

import floatframe as ff
from floatframe.errors import ModelError
from floatframe.fem import BeamSection, ElementBlock, FEModel, Material, element_kind, element_kinds
from floatframe.fem.elements import Batch
from floatframe.fem.nodal import rigid_motion

STEEL = Material(E=2.1e11, nu=0.3, rho=7850.0)
ROUND_OFF = 1e-10  # exact in theory; room for the condition of a small mesh
SOLIDS = ["tet4", "tet10", "hex8", "hex20", "hex20_reduced", "wedge6", "wedge15", "pyramid5", "pyramid13"]
ANGLE = BeamSection(A=1e-3, Iy=2e-6, Iz=5e-7, Iyz=3e-7, J=1e-8, ky=0.5, kz=0.7, shear_centre=(0.02, -0.01))


def tilted(fe: FEModel) -> FEModel:
    """The same model away from the axes, so that no direction is special."""
    turned = fe.nodes @ Rotation.from_euler("xyz", [0.3, -0.7, 1.1]).as_matrix().T
    return replace(fe, nodes=turned + np.array([0.4, -0.2, 0.9]))


def models() -> dict[str, FEModel]:
    slanted = np.array([[0.0, 0, 0], [1, 0.1, 0], [2.2, 0, 0.3], [3, 0, 0]])
    lines = np.array([[0, 1], [1, 2], [2, 3]])
    plate = ff.fem.plate_grid(1.0, 0.8, nx=2, ny=2, thickness=0.05, material=STEEL)
    quads = plate.blocks[0].connectivity
    cut = np.vstack([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    offsets = {"offsets": np.tile([[0.0, 0.1, 0.2], [0.05, 0.1, 0.15]], (3, 1, 1))}
    found = {
        "truss": FEModel(slanted, (ElementBlock("truss", lines, STEEL, BeamSection.circle(0.1)),)),
        "beam": FEModel(slanted, (ElementBlock("beam", lines, STEEL, ANGLE),)),
        "thin beam": FEModel(
            slanted, (ElementBlock("beam", lines, STEEL, BeamSection.rectangle(0.1, 0.2).without_shear()),)
        ),
        "beam on arms": FEModel(slanted, (ElementBlock("beam", lines, STEEL, ANGLE, offsets),)),
        "shell4": tilted(plate),
        "shell3": tilted(ff.fem.shell_mesh(plate.nodes, cut, thickness=0.05, material=STEEL)),
    }
    return found | {kind: tilted(ff.fem.solid_box((1, 0.8, 0.6), (1, 2, 1), kind, material=STEEL)) for kind in SOLIDS}


MODELS = models()


def random_motion(fe: FEModel, seed: int) -> np.ndarray:
    """Displacements (nnode, 6) without rotations where there are none."""
    u = 1e-3 * np.random.default_rng(seed).standard_normal((fe.nnode, 6))
    return np.where(np.repeat(fe.dof_table.present, 3, axis=1), u, 0.0)


def at_nodes(fe: FEModel, f: np.ndarray) -> np.ndarray:
    placed = np.zeros(6 * fe.nnode)
    placed[fe.dof_table.slots] = f
    return placed.reshape(-1, 6)


@pytest.mark.parametrize("name", MODELS)
def test_it_is_symmetric_linear_in_the_stress_and_blind_to_translation(name):
    fe = MODELS[name]
    u, v = random_motion(fe, 1), random_motion(fe, 2)
    K_G = fe.geometric_stiffness(u)
    size = np.abs(K_G).max()
    assert np.abs(K_G - K_G.T).max() == 0.0
    both = 2.0 * K_G - 3.0 * fe.geometric_stiffness(v)
    assert np.abs(fe.geometric_stiffness(2.0 * u - 3.0 * v) - both).max() < ROUND_OFF * np.abs(both).max()
    assert np.abs(K_G @ fe.rigid_shapes()[:, :3]).max() < ROUND_OFF * size
    # what strains nothing has no stress
    rigid = at_nodes(fe, fe.rigid_shapes() @ np.arange(1.0, 7.0)) * 1e-3
    assert np.abs(fe.geometric_stiffness(rigid)).max() < ROUND_OFF * size


@pytest.mark.parametrize("name", [name for name in MODELS if not name.startswith("shell")])
def test_forces_turn_with_the_body(name):
    """A stressed body turned by θ needs nodal forces f + θ x f; moments follow by half (semitangential)."""
    fe = MODELS[name]
    u = random_motion(fe, 3)
    f = at_nodes(fe, fe.stiffness() @ u.ravel()[fe.dof_table.slots])
    K_G, motions = fe.geometric_stiffness(u), rigid_motion(fe.nodes).reshape(-1, 6)[fe.dof_table.slots]
    for axis in range(3):
        found = at_nodes(fe, K_G @ motions[:, 3 + axis])
        wanted = np.cross(np.eye(3)[axis], f.reshape(-1, 2, 3)).reshape(-1, 6) * np.repeat([1.0, 0.5], 3)
        if name == "beam on arms":  # moments at the nodes hold those of the forces on the arms, which turn in full
            found, wanted = found[:, :3], wanted[:, :3]
        assert_allclose(found, wanted, atol=1e-9 * np.abs(f).max())


@pytest.mark.parametrize("kind", ["shell4", "shell3"])
@pytest.mark.parametrize("component", [1, 2])
def test_a_uniformly_stretched_shell_holds_its_slopes(kind, component):
    """∫ N (w')² = N area for a motion that grows as x, across the wall or in it, and N from the strain of x."""
    plate = ff.fem.plate_grid(1.0, 0.8, nx=2, ny=2, thickness=0.05, material=STEEL)
    quads = plate.blocks[0].connectivity
    if kind == "shell3":
        cut = np.vstack([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
        plate = ff.fem.shell_mesh(plate.nodes, cut, thickness=0.05, material=STEEL)
    u, w = np.zeros((2, plate.nnode, 6))
    u[:, 0], u[:, 1] = 1e-3 * plate.nodes[:, 0], -1e-3 * STEEL.nu * plate.nodes[:, 1]
    w[:, component] = plate.nodes[:, 0]
    w[:, 4 if component == 2 else 5] = -1.0 if component == 2 else 1.0  # nodes turn along
    w = w.ravel()[plate.dof_table.slots]
    assert w @ plate.geometric_stiffness(u) @ w == pytest.approx(STEEL.E * 1e-3 * 0.05 * 0.8, rel=ROUND_OFF)


@pytest.mark.parametrize("kind", [kind for kind in SOLIDS if kind != "hex8"])
def test_solids_have_the_cubic_energy_of_green_lagrange_strains(kind):
    """U(u) - U(-u) = uᵀ K_G(u) u for the energy ½ E:C:E, whose odd part is cubic; likewise with two motions."""
    fe = MODELS[kind]
    block, element = fe.blocks[0], element_kind(kind)
    batch = Batch(fe.nodes[block.connectivity], STEEL, None)
    volume = element.gradients(batch)[1]

    def gradient(u):
        return element.displacement_gradients(batch, u[block.connectivity, :3])

    def energy(u, fixed_stress_of=None):
        H = gradient(u)
        E = 0.5 * (H + H.swapaxes(-1, -2) + H.swapaxes(-1, -2) @ H)
        if fixed_stress_of is None:
            return float((volume * 0.5 * (stress(E) * E).sum(axis=(2, 3))).sum())
        G = gradient(fixed_stress_of)
        return float((volume * (stress(0.5 * (G + G.swapaxes(-1, -2))) * E).sum(axis=(2, 3))).sum())

    u, v = 100.0 * random_motion(fe, 5), 100.0 * random_motion(fe, 6)
    x, y = u.ravel()[fe.dof_table.slots], v.ravel()[fe.dof_table.slots]
    K_G = fe.geometric_stiffness(u)
    assert x @ K_G @ x == pytest.approx(energy(u) - energy(-u), rel=1e-9)
    assert y @ K_G @ y == pytest.approx(energy(v, u) + energy(-v, u), rel=1e-9)


def stress(E: np.ndarray) -> np.ndarray:
    lam = STEEL.E * STEEL.nu / ((1 + STEEL.nu) * (1 - 2 * STEEL.nu))
    return lam * np.trace(E, axis1=-2, axis2=-1)[..., None, None] * np.eye(3) + 2.0 * STEEL.G * E


def test_a_truss_has_the_cubic_energy_of_its_exact_length():
    fe = MODELS["truss"]
    A = fe.blocks[0].section.A

    def energy(u):
        lengths = [np.linalg.norm(np.diff(nodes, axis=0), axis=1) for nodes in (fe.nodes, fe.nodes + u[:, :3])]
        E = (lengths[1] ** 2 - lengths[0] ** 2) / (2.0 * lengths[0] ** 2)
        return float((0.5 * STEEL.E * A * lengths[0] * E**2).sum())

    u = 10.0 * random_motion(fe, 7)
    x = u.ravel()[fe.dof_table.slots]
    assert x @ fe.geometric_stiffness(u) @ x == pytest.approx(energy(u) - energy(-u), rel=1e-9)


def test_a_stretched_axial_spring_holds_across_its_line():
    nodes = np.array([[0.0, 0, 0], [0.3, 0.4, 0]])
    spring = ElementBlock("axial_spring", np.array([[0, 1]]), data={"stiffness": np.array([2000.0])})
    u = np.zeros((2, 6))
    u[1, :2] = 0.003, 0.004
    K_G = FEModel(nodes, (spring,)).geometric_stiffness(u).toarray()
    across = np.array([0.8, -0.6, 0.0])
    assert across @ K_G[3:, 3:] @ across == pytest.approx(2000.0 * 0.005 / 0.5)
    assert_allclose(K_G[3:, 3:] @ [0.6, 0.8, 0.0], 0.0, atol=1e-12)


@pytest.mark.parametrize("reference", [2, 3])
def test_rigid_arms_stiffen_as_stiff_beams_do(reference):
    """A pendulum of a rigid arm and a string under tension: N (1/arm + 1/string) against moving the joint."""
    arm, string, N = 0.5, 2.0, 1000.0
    nodes = np.array([[0.0, 0, 0], [arm, 0, 0], [arm, 0, 0], [arm + string, 0, 0]])
    truss = ElementBlock("truss", np.array([[2, 3]]), STEEL, BeamSection.circle(0.01))
    fe = FEModel(nodes[[0, 2, 3]], (replace(truss, connectivity=np.array([[1, 2]])),))
    fe = fe.with_coupling(ff.fem.RBE2(1, [2], "ux,uy,uz"))
    if reference == 3:  # the same arm in two pieces, one rigid coupling hanging on the other
        middle = np.vstack([fe.nodes, [[0.2, 0, 0]]])
        fe = replace(fe, nodes=middle, node_ids=None, couplings=(ff.fem.RBE2(1, [4]), ff.fem.RBE2(4, [2], "ux,uy,uz")))
    u = np.zeros((fe.nnode, 6))
    u[2, 0] = N * string / (STEEL.E * truss.section.A)
    K_G = fe.geometric_stiffness(u)
    turn = np.zeros(fe.ndof)
    turn[fe.row_of(0, 5)] = 1.0  # about z through node 1: the string's near end moves across by the arm
    assert turn @ K_G @ turn == pytest.approx(N * (arm + arm**2 / string), rel=1e-9)


@pytest.mark.parametrize("kind", SOLIDS)
def test_many_states_at_once_do_the_work_of_each(kind):
    fe = MODELS[kind]
    block = fe.blocks[0]
    batch = Batch(fe.nodes[block.connectivity], STEEL, None)
    random = np.random.default_rng(8)
    states, motions = (
        random.standard_normal((batch.size, block.element.ndof, 2)),
        random.standard_normal((batch.size, block.element.ndof, 3)),
    )
    (part,) = block.element.second_order(batch, states, motions)
    work = np.einsum("epcs,cab,epai,epbj->seij", part.stress, part.forms, part.slopes, part.slopes)
    for state in range(2):
        K_G = block.element.geometric_stiffness(batch, states[:, :, state])
        wanted = motions.swapaxes(1, 2) @ K_G @ motions
        assert_allclose(work[state], wanted, atol=1e-10 * np.abs(wanted).max())


def test_every_kind_with_a_material_takes_part():
    without = {kind for kind, element in element_kinds().items() if element.needs_material and not _takes_part(element)}
    assert not without


def _takes_part(element) -> bool:
    return type(element).second_order is not ff.fem.Element.second_order


def test_displacements_of_a_wrong_shape_are_refused(beam):
    with pytest.raises(ModelError, match=r"expected \(21, 6\)"):
        beam.geometric_stiffness(np.zeros((21, 3)))
