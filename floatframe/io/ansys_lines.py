"""Beams, straight pipes, links and masses of ANSYS files."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.fem import PointMass
from floatframe.io import ansys_pipes as pipes
from floatframe.io import ansys_sections as sections
from floatframe.io.ansys_builder import Builder, Group
from floatframe.io.ansys_elements import BEAM_SECTION, PIPE_REAL, PIPE_SECTION, PLANE_BEAM, padded

_PLANE = (0, 1, 5)  # dofs of beams in the xy plane
_OF_MASS = {0: range(6), 2: range(3), 3: (0, 1, 5), 4: (0, 1)}  # dofs of MASS21 by KEYOPT(3)
_VERTICAL = 1e-4  # slope against global z below which ANSYS counts a beam as parallel to it


def add_beams(builder: Builder, group: Group) -> None:
    """BEAM3 to BEAM188 and straight pipes as they are; BEAM189, PIPE289 as two beams that meet at the middle node."""
    log = builder.log
    ids = group.ids
    section = builder.deck.sections.get(group.section)
    if group.type.number in PIPE_REAL:
        data = pipes.pipe_by_constants(builder, group)
    elif group.type.number in PIPE_SECTION or (section is not None and section.kind == "PIPE"):
        if section is None or section.kind != "PIPE":
            raise log.error(f"{group.name} element {ids[0]} needs section {group.section} of type PIPE.")
        data = pipes.pipe_by_section(builder, group, section)
    elif group.type.number in BEAM_SECTION:
        data = sections.beam_section(group.section, builder.deck.sections.get(group.section), log)
        if group.type.key(1):
            log.skip(group.name, "the warping freedom (KEYOPT(1) = 1) is left out")
    elif group.type.number == 44:
        data = sections.beam44_section(group.real, builder.needed_reals(group), log)
        if group.type.key(7) or group.type.key(8):
            log.lose(f"{group.name} KEYOPT", "coupling", "released ends (KEYOPT(7), KEYOPT(8)) are not read")
    elif group.type.number in PLANE_BEAM:
        data = sections.beam3_section(group.real, builder.needed_reals(group), log)
    else:
        data = sections.beam4_section(group.real, builder.needed_reals(group), log)
    if group.type.number in (189, 289):
        nodes = padded(group.nodes, 4)
        ends, guide = nodes[:, [0, 2, 1]], nodes[:, 3]
        whole = ends[:, 1] == 0
        for mask, chain in ((whole, ends[:, [0, 2]]), (~whole, ends)):
            if mask.any():
                _add_chain(builder, group, data, ids[mask], chain[mask], guide[mask])
        return
    nodes = padded(group.nodes, 3)
    _add_chain(builder, group, data, ids, nodes[:, :2], nodes[:, 2])


def _add_chain(
    builder: Builder, group: Group, data: sections.BeamData, ids: IntArray, chain: IntArray, guide: IntArray
) -> None:
    """Add beams from node to node of chains (n, k), all with the orientation of their chain."""
    places = builder.places(chain[:, [0, -1]], f"{group.name} element", ids)
    target = np.full((ids.size, 3), np.nan)
    guided = guide > 0
    if guided.any():
        target[guided] = builder.places(guide[guided], f"{group.name} element", ids[guided])
    axes = beam_axes(places, target, data.theta)
    number = ids[:, None] if chain.shape[1] == 2 else builder.split(ids, chain.shape[1] - 1)
    arms = np.zeros((ids.size, 2, 3))
    if data.ends is not None:
        arms = np.einsum("ka,nab->nkb", np.array(data.ends), axes)
    y, z = data.offset
    arms = arms + (y * axes[:, 1] + z * axes[:, 2])[:, None]
    material = builder.material(group.material)
    active = _PLANE if group.type.number in PLANE_BEAM else None
    for part in range(chain.shape[1] - 1):
        more = {"orientation": axes[:, 2]}
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
