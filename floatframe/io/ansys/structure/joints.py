"""Joints of MPC184: relative motions of two nodes that are held in the axes of the joint, and springs on others."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array, skew
from floatframe.io.ansys.commands import SectionData, symmetric, system_of
from floatframe.io.ansys.structure.builder import Builder, Group
from floatframe.io.deck import LinearConstraints as Found

_SMALL = 1e-12  # of unit vectors
# relative motions left free, by KEYOPT(1) and, where there are two, KEYOPT(4)
_FREE: dict[int, tuple[tuple[int, ...], ...]] = {
    6: ((3,), (5,)),  # revolute about x or z
    7: ((3, 5),),  # universal
    8: ((0, 3, 4, 5),),  # slot
    9: ((1, 2, 3, 4, 5),),  # point in plane
    10: ((0,),),  # translational
    11: ((0, 3), (2, 5)),  # cylindrical about x or z
    12: ((1, 2, 3), (0, 1, 5)),  # planar across x or z
    13: ((),),  # weld
    14: ((0, 1, 2),),  # orient
    15: ((3, 4, 5),),  # spherical
}
GENERAL = 16
SLIDER = 3
JOINTS = {*_FREE, GENERAL}


def add_joints(builder: Builder, found: Found, group: Group) -> None:
    """Hold the relative motions of a group of joints and add the springs and dampers of TB,JOIN."""
    section = builder.deck.sections.get(group.section)
    given = [] if section is None else section.more.get("SECJ", [])
    held = _held(builder, group, given)
    axes = _axes(builder, section, given)
    _springs(builder, group, axes)
    builder.turning.update(node for node in _pairs(group).ravel().tolist() if node)
    for number, (first, second) in zip(group.ids.tolist(), _pairs(group).tolist(), strict=True):
        arm = np.zeros(3)
        if first:
            ends = builder.places(np.array([first, second]), f"{group.name} element", np.array([number, number]))
            arm = ends[1] - ends[0]
        for component in held:
            row = _relative(axes, arm, component, first, second)
            found.equation([((node, k), factor) for (node, k), factor in row])
    if section is not None and section.more.get("SECL"):
        builder.log.skip("SECLOCK", "limits at which joints lock are left out", line=section.line)


def add_sliders(builder: Builder, found: Found, group: Group) -> None:
    """Keep node I on the line from node J to node K, along which it slides."""
    if group.nodes.shape[1] < 3:
        raise builder.log.error(f"{group.name} slider {group.ids[0]} needs three nodes I, J and K.")
    places = builder.places(group.nodes[:, :3], f"{group.name} element", group.ids)
    for number, (own, first, second), (at, a, b) in zip(
        group.ids.tolist(), group.nodes[:, :3].tolist(), places, strict=True
    ):
        line = b - a
        if not line.any():
            raise builder.log.error(f"{group.name} slider {number}: its nodes J and K lie in one place.")
        share = float((at - a) @ line / (line @ line))
        for direction in np.linalg.svd(line[None])[2][1:]:
            terms = [
                ((node, k), factor * float(direction[k]))
                for node, factor in ((own, 1.0), (first, share - 1.0), (second, -share))
                for k in np.argsort(-np.abs(direction), kind="stable").tolist()
            ]
            found.equation([term for term in terms if abs(term[1]) > _SMALL])


def _pairs(group: Group) -> np.ndarray:
    """Return nodes (n, 2); the first is 0 where a joint hangs on the ground."""
    nodes = group.nodes[:, :2] if group.nodes.shape[1] > 1 else np.column_stack([np.zeros_like(group.ids), group.nodes])
    return np.where(nodes[:, 1:2] == 0, nodes[:, ::-1], nodes)


def _held(builder: Builder, group: Group, given: list[list[str]]) -> list[int]:
    kind, option = group.type.key(1), group.type.key(4)
    if kind == GENERAL:
        fixed = {
            builder.deck.text.integer(entry) - 1
            for fields in given
            if fields and fields[0].upper() == "RDOF"
            for entry in fields[1:]
            if entry
        }
        return sorted(k for k in fixed if 0 <= k < (3 if option == 1 else 6))
    free = _FREE[kind]
    return [k for k in range(6) if k not in free[min(option, len(free) - 1)]]


def _axes(builder: Builder, section: SectionData | None, given: list[list[str]]) -> Array:
    """Return rows x, y, z (3, 3) of the joint's system at node I, the model's if none is named."""
    for fields in given:
        if section is not None and (not fields or fields[0].upper() in ("", "LSYS")) and len(fields) > 1 and fields[1]:
            return system_of(builder.deck, builder.deck.text.integer(fields[1], "coordinate system")).axes.T
    return np.eye(3)


def _relative(axes: Array, arm: Array, component: int, first: int, second: int) -> list[tuple[tuple[int, int], float]]:
    """Return the terms of a relative motion of node J seen from node I; those of J come first."""
    direction = axes[component % 3]
    start = 3 * (component // 3)
    order = np.argsort(-np.abs(direction), kind="stable").tolist()
    terms = [((second, start + k), float(direction[k])) for k in order]
    if first:
        terms += [((first, start + k), -float(direction[k])) for k in order]
        if component < 3:
            # the point of node I that meets node J moves by θ x arm
            turn = direction @ skew(arm)
            terms += [((first, 3 + k), float(turn[k])) for k in range(3)]
    return [(place, factor) for place, factor in terms if abs(factor) > _SMALL]


def _springs(builder: Builder, group: Group, axes: Array) -> None:
    laws = builder.deck.materials.laws.get(group.material, {})
    data = {}
    for option, name in (("STIF", "stiffness"), ("DAMP", "damping")):
        law = laws.get(f"JOIN {option}")
        if law is not None:
            matrix = symmetric(law.values(21, builder.temperature), 6)
            if matrix.any():
                data[name] = np.tile(matrix, (group.ids.size, 1, 1))
    rest = [
        key.split()[1] for key in laws if key.startswith("JOIN ") and key.split()[-1] not in ("STIF", "DAMP", "JOIN")
    ]
    if any(option.startswith("JNS") for option in rest):
        builder.log.lose("TB JOIN", "stiffness", "nonlinear stiffness of joints is not read")
    if not data:
        return
    data.setdefault("stiffness", np.zeros((group.ids.size, 6, 6)))
    pairs = _pairs(group)
    data["axes"] = np.tile(axes, (group.ids.size, 1, 1))
    if (pairs[:, 0] > 0).all():
        data["location"] = np.ones(group.ids.size)
        builder.add_block("spring", group, group.ids, pairs, data=data)
    else:
        builder.add_block("ground_spring", group, group.ids, pairs[:, 1:], data=data)
