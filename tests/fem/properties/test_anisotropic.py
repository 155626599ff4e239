"""Solids of materials with a matrix of their own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import inv
from scipy.spatial.transform import Rotation

import floatframe as ff
from floatframe.errors import ModelError
from floatframe.fem import FEModel, Material, solid_box
from floatframe.fem.builders.transforms import mirror, rotate
from floatframe.fem.stress.recovery import stresses

STEEL = Material(2.1e11, 0.3, 7850.0)
KINDS = ["tet4", "hex8", "wedge6", "pyramid5", "tet10", "hex20_reduced", "hex20", "wedge15"]
ROUND_OFF = 1e-10  # exact in theory; leaves room for the condition of a small mesh


def general() -> np.ndarray:
    """A positive definite matrix without any symmetry of the material [Pa]."""
    root = np.random.default_rng(5).uniform(-1.0, 1.0, (6, 6))
    return 1e10 * (root @ root.T + 3.0 * np.eye(6))


def box(kind: str, material: Material) -> FEModel:
    fe = solid_box((1.0, 0.7, 0.6), (2, 2, 2), kind, material=material)
    shear = np.eye(3) + 0.1 * np.random.default_rng(2).uniform(-1.0, 1.0, (3, 3))
    return replace(fe, nodes=fe.nodes @ shear.T)


@pytest.mark.parametrize("kind", KINDS)
def test_the_matrix_of_an_isotropic_material_changes_nothing(kind):
    plain, matrix = box(kind, STEEL), box(kind, replace(STEEL, matrix=STEEL.elasticity()))
    u = np.zeros((plain.nnode, 6))
    u[:, :3] = np.random.default_rng(1).normal(size=(plain.nnode, 3))
    for one, other in (
        (plain.stiffness(), matrix.stiffness()),
        (plain.geometric_stiffness(u), matrix.geometric_stiffness(u)),
    ):
        assert abs(one - other).max() < ROUND_OFF * abs(one).max()
    stress, again = (stresses(fe, u).blocks[0].tensors["middle"] for fe in (plain, matrix))
    assert_allclose(again, stress, atol=ROUND_OFF * np.abs(stress).max())


@pytest.mark.parametrize("kind", KINDS)
def test_a_uniform_strain_has_the_stress_and_the_energy_of_the_matrix(kind):
    D, Q = general(), Rotation.from_rotvec([0.3, -0.5, 0.8]).as_matrix()
    fe = box(kind, Material.anisotropic(D))
    fe = replace(fe, blocks=tuple(replace(b, data={"material_axes": np.tile(Q, (len(b), 1, 1))}) for b in fe.blocks))
    strain = np.array([[1.0, 0.2, -0.3], [0.2, -0.5, 0.4], [-0.3, 0.4, 0.7]])
    # independent of the element: turn the strain into the material, apply the matrix, turn the stress back
    e = Q @ strain @ Q.T
    s = D @ [e[0, 0], e[1, 1], e[2, 2], 2 * e[0, 1], 2 * e[1, 2], 2 * e[2, 0]]
    stress = Q.T @ np.array([[s[0], s[3], s[5]], [s[3], s[1], s[4]], [s[5], s[4], s[2]]]) @ Q
    u = np.zeros((fe.nnode, 6))
    u[:, :3] = fe.nodes @ strain
    expected = stress[[0, 1, 2, 0, 1, 2], [0, 1, 2, 1, 2, 0]]
    found = stresses(fe, u).blocks[0].tensors["middle"]
    assert_allclose(found, np.broadcast_to(expected, found.shape), atol=ROUND_OFF * np.abs(expected).max())
    flat = u[:, :3].ravel()
    volume = replace(fe, blocks=tuple(replace(b, material=replace(STEEL, rho=1.0)) for b in fe.blocks)).mass()
    whole = volume.sum() / 3.0
    assert flat @ (fe.stiffness() @ flat) == pytest.approx(whole * (stress * strain).sum(), rel=ROUND_OFF)


@pytest.mark.parametrize("moved", [lambda fe: rotate(fe, (1.0, 2.0, 3.0), 0.7), lambda fe: mirror(fe, (1.0, 2.0, 0.5))])
def test_the_material_turns_with_the_model(moved):
    fe = box("hex8", Material.anisotropic(general(), 1000.0))
    turned = moved(fe)
    # a strain energy that does not follow would change the spectrum
    one, other = (np.linalg.eigvalsh(model.stiffness().toarray()) for model in (fe, turned))
    assert_allclose(other, one, atol=ROUND_OFF * one[-1])
    stays = replace(turned, blocks=tuple(replace(block, data={}) for block in turned.blocks))
    assert np.abs(np.linalg.eigvalsh(stays.stiffness().toarray()) - one).max() > 1e-3 * one[-1]


def test_means_over_all_directions_lie_between_equal_strains_and_equal_stresses():
    again = Material.anisotropic(STEEL.elasticity())
    assert (again.E, again.nu) == (pytest.approx(STEEL.E), pytest.approx(STEEL.nu))
    # copper, C11 = 168.4, C12 = 121.4, C44 = 75.4 GPa: Hill's shear modulus 47.3 GPa (Simmons and Wang 1971)
    copper = np.diag([168.4e9 - 121.4e9] * 3 + [75.4e9] * 3)
    copper[:3, :3] += 121.4e9
    assert pytest.approx(47.3e9, rel=5e-3) == Material.anisotropic(copper).G
    assert inv(copper)[0, 0] > 0


def test_a_model_keeps_its_matrix_in_a_file(tmp_path):
    fe = rotate(box("hex8", Material.anisotropic(general(), 1000.0, "wood")), "z", 0.4)
    for name in ("model.h5", "model.inp"):
        ff.io.write(tmp_path / name, fe)
        again = ff.io.read(tmp_path / name)
        assert abs(again.stiffness() - fe.stiffness()).max() < ROUND_OFF * abs(fe.stiffness()).max()
    for name in ("model.cdb", "model.bdf"):
        with pytest.raises(ff.WriteError, match="'wood' is not isotropic"):
            ff.io.write(tmp_path / name, fe)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda D: D[:3, :3], r"shape \(3, 3\)"),
        (lambda D: D - 1e12 * np.eye(6), "not positive definite"),
        (lambda D: D + np.triu(D, 1), "not symmetric"),
    ],
)
def test_matrices_without_sense_are_refused(change, message):
    with pytest.raises(ModelError, match=message):
        Material.anisotropic(change(general()))
