"""Surface elements of ANSYS: their added mass and foundation stiffness, spread over the nodes."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.fem import PointMass
from floatframe.io.ansys.apdl import padded
from floatframe.io.ansys.structure.builder import Builder, Group

_GAUSS = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]) / np.sqrt(3.0)
_CORNERS = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


def add_surfaces(builder: Builder, group: Group) -> bool:
    """SURF154: EFS (fourth constant) across, ADMSUA (sixth) and density times thickness (seventh) as mass per area.

    Return whether there is any of them.
    """
    r = [*builder.reals(group.real), *[0.0] * 10][:10]
    foundation, added, thickness = r[3], r[5], r[6]
    density = thickness * builder.material(group.material).rho if thickness else 0.0
    if r[4]:
        builder.log.skip(group.name, "its surface tension is left out", count=group.ids.size)
    if not (foundation or added or density):
        builder.log.skip(group.name, "it has neither stiffness nor mass of its own", False, count=group.ids.size)
        return False
    nodes = padded(group.nodes, 8)
    # a triangle repeats its third corner, with four nodes or with eight
    nodes[:, 3] = np.where(nodes[:, 3] == 0, nodes[:, 2], nodes[:, 3])
    places = builder.places(nodes[:, :4], f"{group.name} element", group.ids)
    areas, normals = _corner_areas(places)
    shares, members = _with_middles(areas, nodes)
    if added or density:
        mass: dict[int, float] = {}
        for node, area in zip(members.ravel().tolist(), shares.ravel().tolist(), strict=True):
            if node:
                mass[node] = mass.get(node, 0.0) + (added + density) * area
        builder.masses += [PointMass(node, value) for node, value in mass.items()]
    if foundation:
        used = members > 0
        law = np.zeros((int(used.sum()), 3))
        law[:, 2] = foundation * shares[used]
        axes = np.repeat(_axes(normals)[:, None], members.shape[1], axis=1)[used]
        numbers = builder.fresh(int(used.sum()))
        law_and_axes = {"stiffness": law, "axes": axes}
        builder.add_block("ground_point_spring", group, numbers, members[used][:, None], data=law_and_axes)
    return True


def _corner_areas(places: Array) -> tuple[Array, Array]:
    """Return the areas (n, 4) that belong to the corners (n, 4, 3) and unit normals (n, 3)."""
    areas = np.zeros(places.shape[:2])
    total = np.zeros((len(places), 3))
    for point in _GAUSS:
        shape = (1.0 + _CORNERS * point).prod(axis=1) / 4.0
        along = [_CORNERS[:, k] * (1.0 + _CORNERS[:, 1 - k] * point[1 - k]) / 4.0 for k in range(2)]
        area = np.cross(along[0] @ places, along[1] @ places)
        areas += np.linalg.norm(area, axis=1)[:, None] * shape
        total += area
    size = np.linalg.norm(total, axis=1)
    return areas, total / np.where(size > 0.0, size, 1.0)[:, None]


def _with_middles(areas: Array, nodes: IntArray) -> tuple[Array, IntArray]:
    """Return areas and nodes (n, 4 or 8): with mid-side nodes in the ratio 3 to 16 of the scaled diagonal."""
    if not nodes[:, 4:].any():
        return areas, nodes[:, :4]
    whole = np.all(nodes[:, 4:] > 0, axis=1, keepdims=True)
    sides = (areas + np.roll(areas, -1, axis=1)) / 2.0
    shares = np.hstack([np.where(whole, areas * 3.0 / 19.0, areas), np.where(whole, sides * 16.0 / 19.0, 0.0)])
    return shares, np.where(np.hstack([np.ones_like(whole)] * 4 + [whole] * 4), nodes, 0)


def _axes(normals: Array) -> Array:
    """Return rows x, y, z (n, 3, 3) of systems whose z is the normal."""
    helper = np.where(np.abs(normals[:, :1]) < 0.9, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])
    y = np.cross(normals, helper)
    size = np.linalg.norm(y, axis=1)[:, None]
    y = np.where(size > 0.0, y / np.where(size > 0.0, size, 1.0), [0.0, 1.0, 0.0])
    return np.stack([np.cross(y, normals), y, normals], axis=1)
