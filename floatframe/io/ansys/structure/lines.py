"""Beams, straight pipes, links and masses of ANSYS files."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.fem import PointMass
from floatframe.io.ansys.apdl import BEAM_SECTION, CURVED_PIPE, PIPE_REAL, PIPE_SECTION, PLANE_BEAM, padded
from floatframe.io.ansys.commands import SectionData
from floatframe.io.ansys.structure import pipes, sections
from floatframe.io.ansys.structure.builder import Builder, Group

TAPER = "TAPE"
_THREE_NODES = {189, 289, 290}
_MIDDLES = [(k + 0.5) / 12 for k in range(12)]  # of the pieces of a tapering beam
_EQUAL = 1e-9
# beams with constants for each end, and how many
_BY_ENDS = {44: (sections.beam44_section, 6), 54: (sections.beam54_section, 4)}
_PLANE = (0, 1, 5)  # dofs of beams in the xy plane
_OF_MASS = {0: range(6), 2: range(3), 3: (0, 1, 5), 4: (0, 1)}  # dofs of MASS21 by KEYOPT(3)
_VERTICAL = 1e-4  # slope against global z below which ANSYS counts a beam as parallel to it


def add_beams(builder: Builder, group: Group) -> None:
    """BEAM3 to BEAM188 and straight pipes as they are; those of three nodes as two beams that meet in the middle."""
    log, ids = builder.log, group.ids
    section = builder.deck.sections.get(group.section)
    if group.type.number in _THREE_NODES:
        nodes = padded(group.nodes, 4)
        ends, guide = nodes[:, [0, 2, 1]], nodes[:, 3]
    else:
        nodes = padded(group.nodes, 3)
        ends, guide = nodes[:, [0, 0, 1]], nodes[:, 2]
        ends[:, 1] = 0
    if group.type.number == 44 and (group.type.key(7) or group.type.key(8)):
        log.lose(f"{group.name} KEYOPT", "coupling", "released ends (KEYOPT(7), KEYOPT(8)) are not read")
    if group.type.number in BEAM_SECTION and group.type.key(1):
        log.skip(group.name, "the warping dof (KEYOPT(1) = 1) is left out")
    if section is not None and section.kind == TAPER and group.type.number in BEAM_SECTION | PIPE_SECTION:
        _add_tapered(builder, group, section, ends, guide)
        return
    by_ends = _BY_ENDS.get(group.type.number)
    if by_ends is not None and sections.tapers(builder.needed_reals(group), by_ends[1]):
        pieces = [by_ends[0](group.real, builder.reals(group.real), log, at) for at in _MIDDLES]
        chain = _divided(builder, group, ids, ends[:, [0, 2]], len(pieces))
        _add_chain(builder, group, pieces, ids, chain, guide)
        return
    if group.type.number in CURVED_PIPE:
        for part, data in pipes.bent_pipes(builder, group, _data(builder, group, section), ends):
            _add_chain(builder, group, [data, data], ids[part], ends[part], guide[part])
        return
    data = _data(builder, group, section)
    whole = ends[:, 1] == 0
    for mask, chain in ((whole, ends[:, [0, 2]]), (~whole, ends)):
        if mask.any():
            parts = [data] * (chain.shape[1] - 1)
            _add_chain(builder, group, parts, ids[mask], chain[mask], guide[mask])


def _data(builder: Builder, group: Group, section: SectionData | None) -> sections.BeamData:
    """Return the section of beams and pipes by the rules of their element."""
    log, number = builder.log, group.type.number
    if number in PIPE_REAL:
        return pipes.pipe_by_constants(builder, group)
    if number in PIPE_SECTION or (section is not None and section.kind == "PIPE"):
        if section is None or section.kind != "PIPE":
            raise log.error(f"{group.name} element {group.ids[0]} needs section {group.section} of type PIPE.")
        return pipes.pipe_by_section(builder, group, section)
    if number in BEAM_SECTION:
        return sections.beam_section(group.section, section, log)
    if number in _BY_ENDS:
        return _BY_ENDS[number][0](group.real, builder.needed_reals(group), log, 0.0)
    if number in PLANE_BEAM:
        return sections.beam3_section(group.real, builder.needed_reals(group), log)
    return sections.beam4_section(group.real, builder.needed_reals(group), log)


def _add_tapered(builder: Builder, group: Group, taper: SectionData, ends: IntArray, guide: IntArray) -> None:
    """SECTYPE,,TAPER: sections at two points, between them linear; beams are divided where they span much of it."""
    first, second = sections.stations(group.section, taper, builder.deck.sections, builder.log)
    for row in range(group.ids.size):
        ids = group.ids[row : row + 1]
        chain = ends[row : row + 1, [0, 1, 2] if ends[row, 1] else [0, 2]]
        at = [taper_at(taper, place) for place in builder.places(chain, f"{group.name} element", ids)[0]]
        count = 1 if chain.shape[1] > 2 else max(1, math.ceil(len(_MIDDLES) * abs(at[-1] - at[0]) - _EQUAL))
        if chain.shape[1] == 2:
            chain = _divided(builder, group, ids, chain, count)
            at = np.linspace(at[0], at[-1], count + 1).tolist()
        middles = [(a + b) / 2.0 for a, b in pairwise(at)]
        parts = [_data(builder, group, sections.between(first, second, t)) for t in middles]
        _add_chain(builder, group, parts, ids, chain, guide[row : row + 1])


def taper_at(taper: SectionData, place: Array) -> float:
    """Return where the closest point on the line of a taper lies, from 0 at its first to 1 at its second station."""
    a, b = (np.array([*row, 0.0, 0.0, 0.0][1:4]) for row in taper.rows[:2])
    return float(np.clip((place - a) @ (b - a) / ((b - a) @ (b - a)), 0.0, 1.0))


def _divided(builder: Builder, group: Group, ids: IntArray, ends: IntArray, count: int) -> IntArray:
    """Return chains (n, count + 1) with new nodes between ends (n, 2)."""
    a, b = builder.places(ends, f"{group.name} element", ids).swapaxes(0, 1)
    inner = [builder.add_nodes(a + (b - a) * k / count) for k in range(1, count)]
    return np.column_stack([ends[:, 0], *inner, ends[:, 1]])


def _add_chain(
    builder: Builder, group: Group, parts: Sequence[sections.BeamData], ids: IntArray, chain: IntArray, guide: IntArray
) -> None:
    """Add beams with sections `parts` from node to node of chains (n, k), all with the orientation of their chain."""
    places = builder.places(chain[:, [0, -1]], f"{group.name} element", ids)
    target = np.full((ids.size, 3), np.nan)
    guided = guide > 0
    if guided.any():
        target[guided] = builder.places(guide[guided], f"{group.name} element", ids[guided])
    axes = beam_axes(places, target, parts[0].theta)
    number = ids[:, None] if len(parts) == 1 else builder.split(ids, len(parts))
    material = builder.material(group.material)
    active = _PLANE if group.type.number in PLANE_BEAM else None
    for part, data in enumerate(parts):
        more = {"orientation": axes[:, 2]}
        y, z = data.offset
        arms = np.repeat((y * axes[:, 1] + z * axes[:, 2])[:, None], 2, axis=1)
        if data.ends is not None:
            # arms of both ends, and between them where a beam is divided
            first, second = np.array(data.ends)
            local = [first + (second - first) * (part + k) / len(parts) for k in (0, 1)]
            arms = arms + np.einsum("ka,nab->nkb", np.array(local), axes)
        if arms.any():
            more["offsets"] = arms
        builder.add_block(
            "beam",
            group,
            number[:, part],
            chain[:, part : part + 2],
            data.loaded(material),
            data.sheared(material),
            more,
            active,
        )


def beam_axes(ends: Array, guides: Array, theta: float = 0.0) -> Array:
    """Return rows x, y, z (n, 3, 3) of ANSYS beams with ends (n, 2, 3) and orientation points (n, 3), NaN for none.

    z points towards the orientation point. Without one, y is parallel to the global xy plane (global y for beams
    along global z), and both are turned about x by theta [degrees].
    """
    x = ends[:, 1] - ends[:, 0]
    length = np.linalg.norm(x, axis=1)
    x = x / np.where(length > 0, length, 1.0)[:, None]
    upright = np.hypot(x[:, 0], x[:, 1]) < _VERTICAL
    level = np.where(upright[:, None], [0.0, 1.0, 0.0], np.cross([0.0, 0.0, 1.0], x))
    z = np.cross(x, level)
    turn = np.radians(theta)
    z = np.cos(turn) * z - np.sin(turn) * np.cross(z, x)
    towards = guides - ends[:, 0]
    z = np.where(np.isnan(guides), z, towards - np.einsum("ni,ni->n", np.nan_to_num(towards), x)[:, None] * x)
    size = np.linalg.norm(z, axis=1)
    z = z / np.where(size > 0, size, 1.0)[:, None]
    return np.stack([x, np.cross(z, x), z], axis=1)


def add_links(builder: Builder, group: Group) -> None:
    """LINK1, LINK8, LINK10, LINK180: bars."""
    section = builder.deck.sections.get(group.section)
    if group.type.number == 180 and section is not None and section.kind == "LINK":
        values, number = (section.rows[0] if section.rows else []), group.section
    else:
        values, number = builder.needed_reals(group), group.real
    area = values[0] if values else 0.0
    added, one_way = ([*values[1:3], 0.0, 0.0] if group.type.number == 180 else [0.0, 0.0])[:2]
    if section is not None and section.kind == "LINK" and section.control:
        added, one_way = [*section.control, 0.0][:2]
    if group.type.number == 10 or one_way:
        builder.log.skip(group.name, "a bar for tension or compression only works both ways here")
    bar = sections.BeamData(sections.link_section(number, area, builder.log), added=added)
    material = bar.loaded(builder.material(group.material))
    active = (0, 1) if group.type.number == 1 else None
    builder.add_block("truss", group, group.ids, padded(group.nodes, 2), material, bar.section, active=active)


def add_masses(builder: Builder, group: Group) -> None:
    """MASS21 with its key options: (1) 1: values are volumes, (2) 1: nodal axes, (3) 0, 2, 3, 4: which values."""
    log = builder.log
    r = [*builder.needed_reals(group), *[0.0] * 6][:6]
    option = group.type.key(3)
    if option == 0:
        masses, inertia = r[:3], r[3:6]
        builder.turning.update(group.nodes[:, 0].tolist())
    elif option in (2, 3, 4):
        masses = [r[0]] * 3
        inertia = [0.0, 0.0, r[1]] if option == 3 else [0.0] * 3
    else:
        raise log.error(f"MASS21 has KEYOPT(3) = {option}; known are 0, 2, 3 and 4.")
    if group.type.key(1):
        density = builder.material(group.material).rho
        masses, inertia = [density * value for value in masses], [density * value for value in inertia]
    if min(*masses, *inertia) < 0:
        raise log.error(f"MASS21 real constants {group.real} are negative; they must be zero or positive.")
    builder.rows(group.nodes[:, :1], "MASS21 element", group.ids)
    nodes = group.nodes[:, 0].tolist()
    axes = [builder.axes(node) if group.type.key(2) else np.eye(3) for node in nodes]
    if max(masses) - min(masses) > 1e-9 * max(masses):
        # a mass that differs between directions
        kind, values = ("node_matrix", [*masses, *inertia]) if any(inertia) else ("point_node_matrix", masses)
        data = {"mass": np.tile(np.diag(values), (len(nodes), 1, 1)), "axes": np.swapaxes(axes, 1, 2)}
        builder.add_block(kind, group, group.ids, group.nodes[:, :1], data=data, active=_OF_MASS[option])
        return
    builder.masses += [
        PointMass(node, masses[0], turn @ np.diag(inertia) @ turn.T) for node, turn in zip(nodes, axes, strict=True)
    ]
    builder.activate(group.nodes[:, 0], _OF_MASS[option])
