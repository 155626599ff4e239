"""What to draw of a finite element model: elements, masses, couplings, springs, supports."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from floatframe.fem import BeamSection, WallSection, spider_lines
from floatframe.viewer.drawing import glyphs
from floatframe.viewer.drawing.polygons import all_edges, contours, grouped, normals, outer
from floatframe.viewer.drawing.section_sweep import profile, swept
from floatframe.viewer.scene import Part

if TYPE_CHECKING:
    from floatframe.arrays import Array, IntArray
    from floatframe.fem import ElementBlock, FEModel

MASS, COUPLING, SPRING, SUPPORT, INTERFACE = "#c8772a", "#8a3ffc", "#2f8f5b", "#3b6ea5", "#d6263b"
_STEEL = 7850.0  # kg/m3: a mass is drawn as a ball of steel ...
_LARGEST_BALL, _SMALLEST_BALL = 0.035, 0.004  # ... between these radii in units of the model's size
_MARK = 0.006  # radius of marks in units of the model's size
_COIL = 0.008
_CONES_UP_TO = 100  # nodes; of more, those that are held as most nodes are have none
_COILS_UP_TO = 200  # springs; more are drawn as lines


def fe_parts(fe: FEModel, sections: bool = True, thick_shells: bool = False) -> tuple[Part, ...]:
    """Return the drawing of a model, its points hung on its nodes.

    sections: beams with their outline, else as lines; thick_shells: walls with their thickness.
    """
    size = float(np.linalg.norm(np.ptp(fe.nodes, axis=0))) if fe.nnode else 0.0
    found = [*_walls(fe, thick_shells), *_beams(fe, sections)]
    found += [*_springs(fe, size), *_couplings(fe), *_masses(fe, size), *_supports(fe, size)]
    return tuple(found)


def wall_part(name: str, nodes: Array, faces: tuple[IntArray, ...]) -> Part:
    """Return polygons of nodes as a part of the nodes they use."""
    used, rows = np.unique(np.concatenate([group.ravel() for group in faces]), return_inverse=True)
    split = np.split(rows, np.cumsum([group.size for group in faces])[:-1])
    local = tuple(part.reshape(group.shape) for part, group in zip(split, faces, strict=True))
    rims = contours(nodes[used], local)
    return Part(name, nodes[used], local, edges=rims, mesh=all_edges(local), anchor=used)


def line_part(name: str, nodes: Array, lines: IntArray, color: str = "") -> Part:
    """Return lines between nodes as a part of the nodes they use."""
    used, rows = np.unique(lines, return_inverse=True)
    return Part(name, nodes[used], lines=rows.reshape(lines.shape), anchor=used, color=color)


def thick_walls(nodes: Array, quads: IntArray, thickness: Array, offset: Array) -> Part:
    """Return walls (k, corners) with thickness (k,) and offset (k,) of their middle along the normal [m]."""
    corners = quads.shape[1]
    normal = normals(nodes, quads)
    side = np.array([-0.5, 0.5])
    height = side[None, :] * thickness[:, None] + offset[:, None]
    arm = np.repeat((height[:, :, None] * normal[:, None])[:, :, None], corners, axis=2)
    anchor = np.repeat(quads[:, None], 2, axis=1)
    start = 2 * corners * np.arange(len(quads))[:, None]
    k = np.arange(corners)
    # side walls stand only where the surface ends or folds
    after = np.roll(quads, -1, axis=1)
    number = len(nodes)
    rim = np.sort(contours(nodes, (quads,)), axis=1)
    key = np.minimum(quads, after) * number + np.maximum(quads, after)
    element, corner = np.nonzero(np.isin(key, rim[:, 0] * number + rim[:, 1]))
    first, second = 2 * corners * element + corner, 2 * corners * element + (corner + 1) % corners
    rims = np.stack([first, second, second + corners, first + corners], axis=1)
    ends = np.concatenate([rims[:, :2], rims[:, 2:]])
    return Part(
        "shells",
        (nodes[anchor] + arm).reshape(-1, 3),
        tuple(grouped([start + k[::-1], start + corners + k, rims])),
        edges=ends,
        anchor=anchor.ravel(),
        arm=arm.reshape(-1, 3),
    )


def hung_on(part: Part, rows: IntArray) -> Part:
    """Return a part whose nodes are the rows (nnode,) of another numbering."""
    anchor = None if part.anchor is None else rows[part.anchor]
    far = None if part.far is None else np.where(part.far < 0, -1, rows[part.far])
    return replace(part, anchor=anchor, far=far)


def marks(name: str, nodes: Array, rows: IntArray, color: str = INTERFACE) -> Part:
    """Return balls on some nodes."""
    size = _MARK * float(np.linalg.norm(np.ptp(nodes, axis=0)))
    return glyphs.copies(name, glyphs.sphere(), nodes[rows], size or _MARK, rows, color=color)


def _walls(fe: FEModel, thick: bool) -> Iterator[Part]:
    shells: list[IntArray] = []
    solids: list[IntArray] = []
    walls: dict[int, list[tuple[IntArray, Array, Array]]] = defaultdict(list)
    for block in fe.blocks:
        if not block.element.faces or not len(block):
            continue
        if block.element.dimension == 3:
            solids += [block.connectivity[:, list(face)] for face in block.element.faces]
            continue
        for piece in block.element.drawn or block.element.faces[:1]:
            faces = block.connectivity[:, list(piece)]
            shells.append(faces)
            if isinstance(block.section, WallSection):
                thickness = np.asarray(block.data.get("thickness", np.full(len(block), block.section.thickness)))
                thickness = thickness.reshape(len(block), -1).mean(axis=1)
                walls[faces.shape[1]].append((faces, thickness, np.full(len(block), block.section.offset)))
    if thick:
        for group in walls.values():
            yield thick_walls(fe.nodes, *(np.concatenate(column) for column in zip(*group, strict=True)))
    elif shells:
        yield wall_part("shells", fe.nodes, tuple(grouped(shells)))
    if solids:
        yield wall_part("solids", fe.nodes, tuple(outer(solids)))


def _beams(fe: FEModel, sections: bool) -> Iterator[Part]:
    lines: list[IntArray] = []
    swept_blocks: dict[BeamSection, list[ElementBlock]] = defaultdict(list)
    for block in fe.blocks:
        if not isinstance(block.section, BeamSection) or not len(block):
            continue
        if sections and block.section.outline:
            swept_blocks[block.section].append(block)
        else:
            lines.append(block.connectivity[:, :2])
    for section, blocks in swept_blocks.items():
        ends = np.concatenate([block.connectivity[:, :2] for block in blocks])
        offsets = np.concatenate([block.data.get("offsets", np.zeros((len(block), 2, 3))) for block in blocks])
        axes = np.concatenate([block.element.axes(batch) for block in blocks for _, batch in block.batches(fe.nodes)])
        shape = profile(np.array(section.outline), np.array(section.hole))
        yield swept("beams", shape, fe.nodes, ends, offsets, axes)
    if lines:
        yield line_part("beams", fe.nodes, np.concatenate(lines))


def _springs(fe: FEModel, size: float) -> Iterator[Part]:
    """Yield coils between nodes, cubes where both are in one place, and coils to the ground."""
    blocks = [block for block in fe.blocks if block.kind.endswith("spring") and len(block)]
    pairs = np.concatenate(
        [np.empty((0, 2), dtype=np.int64), *(b.connectivity for b in blocks if b.element.nnode == 2)]
    )
    grounded = [block for block in blocks if block.element.nnode == 1]
    length = np.linalg.norm(fe.nodes[pairs[:, 1]] - fe.nodes[pairs[:, 0]], axis=1)
    together = length <= 1e-6 * size
    if together.any():
        rows = pairs[together, 0]
        yield glyphs.copies("springs", glyphs.box(), fe.nodes[rows], 2 * _COIL * size, rows, color=SPRING)
    apart = pairs[~together]
    if len(apart):
        a, b = apart.T
        yield coils(fe.nodes[a], fe.nodes[b], _COIL * size, a, b, len(apart) > _COILS_UP_TO)
    if grounded:
        rows = np.concatenate([block.connectivity[:, 0] for block in grounded])
        away = np.concatenate([_stiffest(fe, block) for block in grounded])
        away *= np.where(((fe.nodes[rows] - fe.nodes.mean(axis=0)) * away).sum(axis=1) < 0, -1.0, 1.0)[:, None]
        foot = fe.nodes[rows] + 6 * _COIL * size * away
        yield coils(fe.nodes[rows], foot, _COIL * size, rows, None, len(rows) > _COILS_UP_TO)


def coils(a: Array, b: Array, radius: float, anchor: IntArray, far: IntArray | None, plain: bool = False) -> Part:
    """Return springs from places a to b (k, 3), following the nodes (k,) at both ends, or with b held; plain: lines."""
    ends, faces, lines = glyphs.line() if plain else glyphs.coil()
    count, n = len(a), len(ends)
    # a long spring is drawn wider, a short one no wider than long
    length = np.linalg.norm(b - a, axis=1)
    pose = glyphs.stretched(a, b, np.clip(radius, 0.06 * length, 0.25 * length))
    points = np.einsum("kij,nj->kni", pose[:, :, :3], ends) + pose[:, None, :, 3]
    start = n * np.arange(count)[:, None, None]
    return Part(
        "springs",
        points.reshape(-1, 3),
        tuple((start + group).reshape(-1, group.shape[1]) for group in faces),
        lines=(start + lines).reshape(-1, 2),
        anchor=np.repeat(anchor, n),
        far=np.repeat(np.full(count, -1) if far is None else far, n),
        share=np.tile(ends[:, 0].clip(0.0, 1.0), count),
        color=SPRING,
    )


def _stiffest(fe: FEModel, block: ElementBlock) -> Array:
    """Return for every spring to ground the direction (nel, 3) in which it is stiffest."""
    axes = np.concatenate([block.element.axes(batch) for _, batch in block.batches(fe.nodes)])
    law = np.asarray(block.data.get("stiffness", np.zeros((len(block), 3))), dtype=float)
    diagonal = law if law.ndim == 2 else np.diagonal(law, axis1=1, axis2=2)
    return axes[np.arange(len(block)), diagonal[:, :3].argmax(axis=1)]


def _couplings(fe: FEModel) -> Iterator[Part]:
    """Yield the spiders: lines from the reference node (of an equation: from its dependent node) to all others."""
    if fe.couplings:
        pairs = spider_lines(fe, fe.couplings)
        yield line_part("couplings", fe.nodes, pairs[pairs[:, 0] != pairs[:, 1]], COUPLING)


def _masses(fe: FEModel, size: float) -> Iterator[Part]:
    masses = [mass for mass in fe.point_masses if mass.mass > 0]
    if not masses:
        return
    rows = fe.node_index([mass.node for mass in masses])
    offset = np.array([mass.offset for mass in masses])
    radius = np.cbrt(0.75 / np.pi / _STEEL * np.array([mass.mass for mass in masses]))
    # a heavy mass must not hide the model, a light one must be seen
    shrunk = radius * min(1.0, _LARGEST_BALL * size / radius.max()) if size else radius
    size_seen = np.maximum(shrunk, _SMALLEST_BALL * size)
    ball = glyphs.sphere(12, 24)
    balls = glyphs.copies("masses", ball, fe.nodes[rows] + offset, size_seen, rows, color=MASS)
    yield replace(balls, arm=np.repeat(offset, len(ball.points), axis=0))


def _supports(fe: FEModel, size: float) -> Iterator[Part]:
    held = fe.supports
    # what most nodes of a large model lack, as those of a plane one motion across it, is no place that carries it
    if len(np.unique(held[:, 0])) > _CONES_UP_TO:
        common = np.bincount(held[:, 1], minlength=6) > 0.5 * fe.nnode
        places = held[~common[held[:, 1]]]
        held = places if len(places) else held
    if len(held):
        rows = fe.node_index(np.unique(held[:, 0]))
        yield glyphs.copies("supports", glyphs.cone(), fe.nodes[rows], 3 * _MARK * size, color=SUPPORT)
