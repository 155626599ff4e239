"""Layered solids of a deck: one anisotropic material that stretches as the layers do.

Strains in the layers' plane and stresses across it are the same in all layers. Stretching, shear and mass are those of
the stack; bending inside one element is that of the mixed layers.
"""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.errors import ModelError
from floatframe.fem import Material
from floatframe.io.abaqus.deck import Card
from floatframe.io.abaqus.properties.materials import Materials
from floatframe.io.deck import parse_number

_IN_PLANE, _ACROSS = [0, 1, 3], [2, 4, 5]  # of xx, yy, zz, xy, yz, zx
# corners of the faces between which layers are stacked along 1, 2, 3: first face, opposite face
_HEX_FACES = {1: ((0, 3, 7, 4), (1, 2, 6, 5)), 2: ((0, 1, 5, 4), (3, 2, 6, 7)), 3: ((0, 1, 2, 3), (4, 5, 6, 7))}
_WEDGE_FACES = {3: ((0, 1, 2), (3, 4, 5))}


def stacked_material(card: Card, materials: Materials) -> Material:
    """Return the material of *SOLID SECTION, COMPOSITE: thickness, points, material, angle on each line."""
    layers = []
    for line, words in card.fields():
        words = [*words, "", "", ""]
        thickness = card.numbers(words[:1], line)[0]
        angle = parse_number(words[3]) if words[3] else 0.0
        if not thickness > 0.0 or not words[2] or angle is None:
            raise card.error(f"a layer of {card.name}, COMPOSITE needs thickness, points, material and an angle.", line)
        layers.append((thickness, materials.get(words[2], card, directed=True), angle))
    if not layers:
        raise card.error(f"{card.name}, COMPOSITE has no layers.")
    share = np.array([thickness for thickness, _, _ in layers])
    share = share / share.sum()
    laws = [_turned(material.elasticity(), angle) for _, material, angle in layers]
    rho = float(sum(part * material.rho for part, (_, material, _) in zip(share, layers, strict=True)))
    reason = f"{len(layers)} layers are one mixed material: right for stretching, not for bending inside an element"
    materials.log.skip(f"{card.name}, COMPOSITE", reason, line=card.line)
    try:
        return Material.anisotropic(_mixed(laws, share), rho, f"layers of {card.option('ELSET')}")
    except ModelError as error:
        raise card.error(str(error)) from error


def stacking_axes(card: Card, xyz: Array, along: Array) -> Array:
    """Return axes (nel, 3, 3) of elements (nel, k, 3): z from layer to layer, x along directions (nel, 3)."""
    given = card.numbers([card.option("STACKDIRECTION")], card.line)[0] or 3.0
    faces = _HEX_FACES if xyz.shape[1] in (8, 20) else _WEDGE_FACES
    if given not in faces:
        raise card.error(f"{card.name}, STACK DIRECTION={given:g} does not fit elements of {xyz.shape[1]} nodes.")
    first, other = faces[int(given)]
    z = xyz[:, list(other)].mean(axis=1) - xyz[:, list(first)].mean(axis=1)
    z = z / np.maximum(np.sqrt((z**2).sum(axis=1)), 1e-300)[:, None]
    upright = np.abs((along * z).sum(axis=1)) > 0.999
    along = np.where(upright[:, None], np.roll(along, 1, axis=1), along)
    x = along - (along * z).sum(axis=1)[:, None] * z
    x = x / np.maximum(np.sqrt((x**2).sum(axis=1)), 1e-300)[:, None]
    return np.stack([x, np.cross(z, x), z], axis=1)


def _turned(law: Array, angle: float) -> Array:
    """Return a matrix (6, 6) whose axes 1, 2 are turned by an angle [degrees] about axis 3."""
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    R = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])  # rows: axes of the layer
    pairs: IntArray = np.array([[0, 0], [1, 1], [2, 2], [0, 1], [1, 2], [2, 0]])
    T = np.zeros((6, 6))
    for row, (i, j) in enumerate(pairs):
        for column, (k, m) in enumerate(pairs):
            # strain of the layer by strains of the stack, shear strains twice the tensor's
            T[row, column] = R[i, k] * R[j, m] if k == m else 0.5 * (R[i, k] * R[j, m] + R[i, m] * R[j, k])
            T[row, column] *= 2.0 if i != j else 1.0
    return np.asarray(T.T @ law @ T)


def _mixed(laws: list[Array], share: Array) -> Array:
    p, n = _IN_PLANE, _ACROSS
    inverse = [np.linalg.inv(law[np.ix_(n, n)]) for law in laws]
    across = np.linalg.inv(sum(part * one for part, one in zip(share, inverse, strict=True)))
    lead = sum(part * one @ law[np.ix_(n, p)] for part, one, law in zip(share, inverse, laws, strict=True))
    plane = sum(
        part * (law[np.ix_(p, p)] - law[np.ix_(p, n)] @ one @ law[np.ix_(n, p)])
        for part, one, law in zip(share, inverse, laws, strict=True)
    )
    mixed = np.zeros((6, 6))
    mixed[np.ix_(n, n)] = across
    mixed[np.ix_(n, p)] = across @ lead
    mixed[np.ix_(p, n)] = (across @ lead).T
    mixed[np.ix_(p, p)] = plane + lead.T @ across @ lead
    return (mixed + mixed.T) / 2.0
