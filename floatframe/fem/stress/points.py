"""Stresses and section forces of many displacement fields at once: one row per component, one column per field.

All of them are linear in the displacements, so that a reduced body can keep them for each of its shapes. Points are
element corners: once in solids, on both faces of shells, at the extreme fibres of beams. Fibres have the normal stress
and the greatest shear stress of the torque, along the outline; all shear stresses of the section stand beside them,
since von Mises stresses join them on the safe side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from floatframe.arrays import Array, BoolArray, IntArray, short_repr
from floatframe.fem.properties import BeamSection, LayeredSection, ShellSection
from floatframe.fem.stress.meeting import meeting
from floatframe.fem.stress.recovery import TENSOR, elastic_of, tensors_of, wall_strains_of
from floatframe.fem.stress.sections import extreme_points, fibre_stress, shear_parts
from floatframe.fem.stress.tensors import BOTTOM, SOLID, TOP

if TYPE_CHECKING:
    from floatframe.fem.elements import Batch
    from floatframe.fem.model import ElementBlock, FEModel

_FACES = {"top": TOP, "bottom": BOTTOM}
_ELEMENTS = 128  # of a batch, so that the matrices of quadratic solids stay small


@short_repr
@dataclass(frozen=True)
class StressRows:
    """What c displacement fields do at p points and to r section forces; model axes, SI units.

    element, node, place (p,): numbers of element and corner, SOLID, TOP, BOTTOM or -k for fibre k; elastic (p, 2):
    Young's modulus and Poisson's ratio, NaN where the material is not isotropic; group (p,): equal where points of
    different elements may be averaged, see `meeting`; stress (p, 6, c): xx yy zz xy yz zx;
    shear (f, 3, c): of the f points that are fibres, by shear forces along y and z and by the torque; force_element,
    force_node, force_name (r,), force (r, c): resultants in element axes, by number in `names`.
    """

    element: IntArray
    node: IntArray
    place: IntArray
    elastic: Array
    group: IntArray
    stress: Array
    shear: Array
    names: tuple[str, ...]
    force_element: IntArray
    force_node: IntArray
    force_name: IntArray
    force: Array


class Pull(NamedTuple):
    """A field of inertia that belongs to a column of displacements, see `Element.weight_resultants`."""

    column: int
    field: Array  # (nnode, 6)
    axis: Array | None = None  # (3,)


def stress_rows(
    fe: FEModel, fields: Array, elements: IntArray | None = None, weight: Sequence[Pull] = ()
) -> StressRows:
    """Return stresses and section forces of displacement fields (nnode, 6, c).

    elements: numbers of those wanted (default: all); weight: what pulls the mass of beams between their nodes.
    """
    blocks = [block for block in fe.blocks if block.element.resultant_names]
    parts = [
        _block_rows(fe, block, fields, _wanted(block, elements), weight, group)
        for block, group in zip(blocks, meeting(fe, blocks), strict=True)
    ]
    names = tuple(dict.fromkeys(name for block in fe.blocks if block.element.dimension < 3 for name in _named(block)))
    count = fields.shape[2]

    def joined(name: str, empty: Array) -> Array:
        return np.concatenate([empty, *(part[name] for part in parts)])

    none = np.empty(0, dtype=np.int64)
    force_name = np.concatenate(
        [none, *(np.array([names.index(n) for n in p["force_name"]], dtype=np.int64) for p in parts)]
    )
    return StressRows(
        joined("element", none),
        joined("node", none),
        joined("place", none),
        joined("elastic", np.empty((0, 2))),
        joined("group", none),
        joined("stress", np.empty((0, 6, count))),
        joined("shear", np.empty((0, 3, count))),
        names,
        joined("force_element", none),
        joined("force_node", none),
        force_name,
        joined("force", np.empty((0, count))),
    )


def _wanted(block: ElementBlock, elements: IntArray | None) -> BoolArray:
    return np.ones(len(block), dtype=bool) if elements is None else np.isin(block.element_ids, elements)


def _named(block: ElementBlock) -> tuple[str, ...]:
    return block.element.resultant_names


def _block_rows(
    fe: FEModel, block: ElementBlock, fields: Array, wanted: BoolArray, weight: Sequence[Pull], group: IntArray
) -> dict[str, Array]:
    """Return the columns of `StressRows` of one block, rows element by element and corner by corner."""
    element, d = block.element, block.element.dof_per_node
    places = _places(block)
    found: dict[str, list[Array]] = {name: [] for name in ("stress", "shear", "force")}
    for rows, batch in fe.batches(block, _ELEMENTS):
        chosen = wanted[rows]
        if not chosen.any():
            continue
        nodes = block.connectivity[rows]
        u = fields[nodes, :d].reshape(batch.size, element.ndof, -1)
        unit = np.zeros((batch.size, element.ndof))
        made: dict[str, list[Array]] = {name: [] for name in found}
        for k in range(element.ndof):
            unit[:, k] = 1.0
            for name, values in _of_resultants(block, batch, element.resultants(batch, unit)).items():
                made[name].append(values[chosen])
            unit[:, k] = 0.0
        added = [
            (pull.column, element.weight_resultants(batch, pull.field[nodes, :d].reshape(batch.size, -1), pull.axis))
            for pull in weight
        ]
        inside = [(c, _of_resultants(block, batch, values)) for c, values in added if values is not None]
        for name, columns in made.items():
            matrix = np.stack(columns, axis=-1)  # (nel, …, ndof)
            flat = matrix.reshape(len(matrix), int(np.prod(matrix.shape[1:-1])), element.ndof)
            values = (flat @ u[chosen]).reshape(*matrix.shape[:-1], fields.shape[2])
            for column, extra in inside:
                values[..., column] += extra[name][chosen]
            found[name].append(values)
    nodes, ids = fe.node_ids[block.connectivity[wanted]], block.element_ids[wanted]
    count, corners, c = len(ids), element.nnode, fields.shape[2]
    names = _named(block) if element.dimension < 3 else ()
    point, each = count * corners * len(places), count * corners * len(names)
    elastic = elastic_of(block)
    fibres = point if element.dimension == 1 else 0

    def joined(name: str, *shape: int) -> Array:
        return np.concatenate(found[name]).reshape(shape) if found[name] else np.empty(shape)

    return {
        "element": np.repeat(ids, corners * len(places)),
        "node": np.repeat(nodes.reshape(-1), len(places)),
        "place": np.tile(places, count * corners),
        "elastic": np.tile(elastic, (point, 1)),
        "group": np.repeat(group[wanted].reshape(-1), len(places)),
        "stress": joined("stress", point, 6, c),
        "shear": joined("shear", fibres, 3, c),
        "force_element": np.repeat(ids, corners * len(names)),
        "force_node": np.repeat(nodes.reshape(-1), len(names)),
        "force_name": np.tile(np.array(names, dtype=object), count * corners),
        "force": joined("force", each, c),
    }


def _places(block: ElementBlock) -> IntArray:
    """Return the places of the points at each corner of a block's elements; none where stresses are unknown."""
    if block.element.dimension == 3:
        return np.array([SOLID])
    if block.element.dimension == 2:
        faces = isinstance(block.section, ShellSection | LayeredSection)
        return np.array([TOP, BOTTOM] if faces else [], dtype=np.int64)
    return -1 - np.arange(len(_fibres(block)), dtype=np.int64)


def _fibres(block: ElementBlock) -> Array:
    """Return section points (k, 2) of the fibres of lines; a bar has one, the centroid, springs have none."""
    if not isinstance(block.section, BeamSection):
        return np.empty((0, 2))
    return np.zeros((1, 2)) if len(_named(block)) == 1 else extreme_points(block.section)


def _of_resultants(block: ElementBlock, batch: Batch, values: Array) -> dict[str, Array]:
    """Return stress (nel, nnode, k, 6), shear (nel, nnode, k, 3) and force (nel, nnode, m) of resultants."""
    shape = values.shape[:2]
    none = {"stress": np.empty((*shape, 0, 6)), "shear": np.empty((*shape, 0, 3)), "force": values}
    if block.element.dimension == 1:
        return none | _of_line(block, batch, values)
    strains = [wall_strains_of(block, batch, values)] if isinstance(block.section, LayeredSection) else []
    tensors = tensors_of(block, batch, values, strains)
    if block.element.dimension == 3:
        return none | {"stress": tensors["middle"][:, :, None], "force": np.empty((*shape, 0))}
    if not tensors:
        return none
    return none | {"stress": np.stack([tensors[face] for face in _FACES], axis=2)}


def _of_line(block: ElementBlock, batch: Batch, values: Array) -> dict[str, Array]:
    points = _fibres(block)
    if not len(points) or not isinstance(block.section, BeamSection):
        return {}
    if values.shape[2] == 1:
        ends = batch.xyz[:, 1] - batch.xyz[:, 0]
        along = ends / np.linalg.norm(ends, axis=1, keepdims=True)
        normal, shear = values / block.section.A, np.zeros((*values.shape[:2], 3))
        around = np.zeros((len(along), 1, 3))
    else:
        axes = block.element.axes(batch)
        along = axes[:, 0]
        normal, shear = fibre_stress(block.section, values, points), shear_parts(block.section, values)
        # a torque turns fibres about the centroid
        radius = np.linalg.norm(points, axis=1, keepdims=True)
        around = np.column_stack([-points[:, 1], points[:, 0]]) / np.where(radius > 0.0, radius, 1.0) @ axes[:, 1:]
    x = along[:, None]
    pull = np.stack([x[..., i] * x[..., j] for i, j in TENSOR], axis=-1)
    twist = np.stack([x[..., i] * around[..., j] + x[..., j] * around[..., i] for i, j in TENSOR], axis=-1)
    return {
        "stress": normal[..., None] * pull[:, None] + shear[:, :, 2, None, None] * twist[:, None],
        "shear": np.repeat(shear[:, :, None], len(points), axis=2),
    }
