"""Elasticity of solids at integration points: stiffness and stresses from displacement gradients.

Isotropic materials take a short way through Lamé's constants. A material with a matrix of its own, turned by the
element data "material_axes" if there are any, is a tensor (9, 9) on displacement gradients, rows x (u, v, w), y, z.
"""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.fem.elements.base import Batch
from floatframe.fem.properties import Material

# stresses xx, yy, zz, xy, yz, zx work on products of gradients, rows x (u, v, w), y (u, v, w), z (u, v, w)
_TENSOR = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))
FORMS = np.zeros((6, 9, 9))
for _c, (_i, _j) in enumerate(_TENSOR):
    for _a in range(3):
        FORMS[_c, 3 * _i + _a, 3 * _j + _a] = FORMS[_c, 3 * _j + _a, 3 * _i + _a] = 1.0

_STRAIN = np.zeros((6, 9))  # strains (engineering shears) of displacement gradients
for _c, (_i, _j) in enumerate(_TENSOR):
    _STRAIN[_c, 3 * _i + _j] = _STRAIN[_c, 3 * _j + _i] = 1.0
_COMPONENTS = [3 * i + j for i, j in _TENSOR]
_SWELLING = np.eye(3).ravel()
_AXES_TOLERANCE = 1e-6


def material_of(batch: Batch) -> Material:
    if batch.material is None:
        raise ModelError("a solid element has no material; give material=ff.fem.Material(...).")
    return batch.material


def lame(material: Material) -> tuple[float, float]:
    """Return Lamé's constants λ, μ [Pa]."""
    return material.E * material.nu / ((1.0 + material.nu) * (1.0 - 2.0 * material.nu)), material.G


def stiffness(gradients: Array, volume: Array, batch: Batch) -> Array:
    """Return symmetric (nel, 3n, 3n) matrices ∫ ε:C:ε of n functions with gradients (nel, nq, n, 3).

    With P = ∫ g_i ⊗ g_j, the block (i, j) of an isotropic material is λ P + μ Pᵀ + μ tr(P) I: far fewer operations than
    Bᵀ D B.
    """
    nel, nq, n, _ = gradients.shape
    flat = gradients.reshape(nel, nq, 3 * n)
    P = (flat.swapaxes(1, 2) * volume[:, None, :]) @ flat
    blocks = P.reshape(nel, n, 3, n, 3)
    C = tensor(batch)
    if C is None:
        lam, mu = lame(material_of(batch))
        K = lam * blocks + mu * blocks.transpose(0, 1, 4, 3, 2)
        K[:, :, range(3), :, range(3)] += mu * np.einsum("eiaja->eij", blocks)
    else:
        # P in rows (function, function), columns (slope, slope); C in rows (slope, slope), columns (motion, motion)
        pairs = blocks.transpose(0, 1, 3, 2, 4).reshape(nel, n * n, 9)
        law = C.reshape(-1, 3, 3, 3, 3).transpose(0, 1, 3, 2, 4).reshape(-1, 9, 9)
        K = (pairs @ law).reshape(nel, n, n, 3, 3).transpose(0, 1, 3, 2, 4)
    K = K.reshape(nel, 3 * n, 3 * n)
    return 0.5 * (K + K.swapaxes(1, 2))


def stresses(H: Array, volume: Array, batch: Batch) -> Array:
    """Return stresses xx, yy, zz, xy, yz, zx (nel, nq, 6, k) times the volumes, of `field_gradients` H."""
    C = tensor(batch)
    if C is None:
        lam, mu = lame(material_of(batch))
        normal = 2.0 * mu * H[:, :, ::4] + lam * H[:, :, ::4].sum(axis=2, keepdims=True)
        shear = mu * (H[:, :, [1, 5, 6]] + H[:, :, [3, 7, 2]])
        found = np.concatenate([normal, shear], axis=2)
    else:
        found = C[:, None, _COMPONENTS] @ H
    return found * volume[:, :, None, None]


def swelling_work(batch: Batch) -> tuple[Array, Array]:
    """Return the work of a unit swelling on displacement gradients (nel or 1, 9) and on itself (nel or 1,) [Pa]."""
    C = tensor(batch)
    if C is None:
        lam, mu = lame(material_of(batch))
        return (3.0 * lam + 2.0 * mu) * _SWELLING[None], np.array([9.0 * lam + 6.0 * mu])
    return C @ _SWELLING, C @ _SWELLING @ _SWELLING


def tensor(batch: Batch) -> Array | None:
    """Return the law (nel or 1, 9, 9) on displacement gradients in model axes [Pa], None for isotropic materials."""
    material = material_of(batch)
    if material.matrix is None:
        return None
    law = _STRAIN.T @ material.elasticity() @ _STRAIN
    if "material_axes" not in batch.data:
        return law[None]
    axes = np.asarray(batch.data["material_axes"], dtype=float)
    if axes.shape != (batch.size, 3, 3):
        raise ModelError(f"data 'material_axes' has shape {axes.shape}, expected ({batch.size}, 3, 3).")
    if not (np.abs(axes @ axes.swapaxes(1, 2) - np.eye(3)) < _AXES_TOLERANCE).all():
        raise ModelError(f"material '{material.name}': its axes are not three orthonormal rows x, y, z.")
    turned = np.einsum("eij,eab->eiajb", axes, axes).reshape(-1, 9, 9)
    return turned.swapaxes(1, 2) @ law @ turned
