"""The solid shell hex8_shell: thin walls that are skewed or curved do not lock."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.fem import ElementBlock, FEModel, Material

STEEL = Material(2e11, 0.3, 7800.0)


def wall(n: int, thickness: float, skew: float = 0.0, radius: float = 0.0) -> FEModel:
    """A square wall of side 1, flat or bent round the y axis, one element thick; inner nodes moved by up to `skew`."""
    rng = np.random.default_rng(1)
    grid = np.stack(np.meshgrid(np.arange(n + 1.0), np.arange(n + 1.0), indexing="ij"), axis=-1)
    grid[1:-1, 1:-1] += skew * rng.uniform(-1.0, 1.0, (n - 1, n - 1, 2))
    x, y = (grid.reshape(-1, 2) / n).T
    layers = []
    for z in (-thickness / 2, thickness / 2):
        if radius:
            layers.append(np.stack([(radius + z) * np.sin(x / radius), y, (radius + z) * np.cos(x / radius)], axis=1))
        else:
            layers.append(np.stack([x, y, np.full_like(x, z)], axis=1))
    first = np.arange((n + 1) ** 2).reshape(n + 1, n + 1)
    base = np.stack([first[:-1, :-1], first[1:, :-1], first[1:, 1:], first[:-1, 1:]], axis=-1).reshape(-1, 4)
    block = ElementBlock("hex8_shell", np.hstack([base, base + (n + 1) ** 2]), STEEL)
    return FEModel(np.vstack(layers), (block,))


def test_only_rigid_motions_are_free_of_energy():
    fe = wall(1, 0.1, radius=0.7)
    values = np.linalg.eigvalsh(fe.stiffness().toarray())
    assert np.abs(values[:6]).max() < 1e-9 * values[-1]  # rounding
    assert values[6] > 1e-5 * values[-1]


@pytest.mark.parametrize("component", range(6))
def test_constant_strains_in_a_flat_skewed_wall(component):
    """Linear displacements keep their exact energy, so the patch test holds."""
    fe = wall(3, 0.05, skew=0.25)
    pairs = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))
    slope = np.zeros((3, 3))
    slope[pairs[component]] = 1.0
    u = (fe.nodes @ slope.T).ravel()
    strain = np.zeros(6)
    strain[component] = 1.0
    energy = strain @ STEEL.elasticity() @ strain * 0.05
    assert u @ fe.stiffness() @ u == pytest.approx(energy, rel=1e-10)


@pytest.mark.parametrize("skew", [0.0, 0.3])
@pytest.mark.parametrize("thickness", [0.01, 0.001])
def test_a_thin_cantilever_plate_does_not_lock(thickness, skew):
    """Leissa (1973), cantilever square plate, nu = 0.3: 3.4917 and 8.5246 times sqrt(D / ρ t) / (2 π a²)."""
    fe = wall(8, thickness, skew)
    held = np.flatnonzero(np.abs(fe.nodes[:, 0]) < 1e-9) + 1
    found = ff.modal.eigenmodes(fe, n=2, fixed=held.tolist()).frequency
    unit = np.sqrt(2e11 * thickness**2 / (12 * 0.91 * 7800.0)) / (2 * np.pi)
    # Ritz values lie some 0.6 % above; the coarse mesh adds as much to ours in the second mode
    assert_allclose(found, unit * np.array([3.4917, 8.5246]), rtol=1e-2)


def test_a_curved_wall_bends_as_shells_do():
    """Against flat shells of the same mesh; hex8 with incompatible modes is 3.5 times too stiff here."""
    radius, thickness, n = 0.5, 0.001, 8
    fe = wall(n, thickness, radius=radius)
    held = (np.flatnonzero(np.abs(fe.nodes[:, 0]) < 1e-9) + 1).tolist()
    found = ff.modal.eigenmodes(fe, n=2, fixed=held).frequency
    half = (n + 1) ** 2
    middle = (fe.nodes[:half] + fe.nodes[half:]) / 2
    flat = ElementBlock("shell4", fe.blocks[0].connectivity[:, :4], STEEL, ff.fem.ShellSection(thickness))
    shell = FEModel(middle, (flat,))
    expected = ff.modal.eigenmodes(shell, n=2, fixed=[node for node in held if node <= half]).frequency
    assert_allclose(found, expected, rtol=5e-3)  # two formulations on a mesh of eight elements a side


def test_stresses_of_bending():
    """A strip bent by M has stresses 6 M / t² at its faces, zero in its middle."""
    fe = wall(4, 0.01)
    x, y, z = fe.nodes.T
    nu, curvature = STEEL.nu, 1e-3
    # cylinder bending by a moment about y with free edges: anticlastic
    u = np.stack([curvature * x * z, -nu * curvature * y * z, -curvature * (x**2 - nu * (y**2 - z**2)) / 2], axis=1)
    (found,) = ff.fem.stresses(fe, np.hstack([u, np.zeros_like(u)])).blocks
    top = found.resultants[:, 4:, 0]
    assert_allclose(top, STEEL.E * curvature * 0.005, rtol=2e-2)  # trilinear thickness strain of a coarse mesh
