"""Springs, dampers, gaps and actuators of ANSYS files by their linear part."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.fem import PointMass
from floatframe.io.ansys.apdl import padded
from floatframe.io.ansys.structure.builder import Builder, Group

_SAME_AXES = 1e-9
_PLANES = {0: (0, 1), 1: (1, 2), 2: (0, 2)}  # of COMBI214 by KEYOPT(2)


def add_springs(builder: Builder, group: Group) -> None:
    """COMBIN14: along its line, torsion about it, or in one direction of the nodal axes (KEYOPT(2) = 1 to 6)."""
    r = [*builder.needed_reals(group), *[0.0] * 3]
    if group.type.key(1) or r[2]:
        builder.log.skip("COMBIN14", f"set {group.real}: nonlinear damping is left out")
    direction, option = group.type.key(2), group.type.key(3)
    if direction == 0 and option in (0, 2):
        _along(builder, group, r[0], r[1], plane=option == 2)
    elif direction == 0 and option == 1:
        _about(builder, group, r[0], r[1])
    elif 1 <= direction <= 6:
        _in_direction(builder, group, direction - 1, r[0], r[1])
    else:
        reason = f"KEYOPT(2) = {direction}, KEYOPT(3) = {option} is not a displacement"
        builder.log.skip("COMBIN14", reason, False, count=group.ids.size)


def add_curve_springs(builder: Builder, group: Group) -> None:
    """COMBIN39: the slope of its curve at rest, along its line or in one direction (KEYOPT(3), KEYOPT(4))."""
    stiffness = slope_at_rest(builder.needed_reals(group))
    builder.log.skip(group.name, f"set {group.real}: of its curve the slope at zero is used, {stiffness:g}")
    direction, option = group.type.key(3), group.type.key(4)
    if option in (1, 3):
        _along(builder, group, stiffness, 0.0, plane=option == 3)
    elif option == 2:
        _about(builder, group, stiffness, 0.0)
    elif direction <= 6:
        _in_direction(builder, group, max(0, direction - 1), stiffness, 0.0)
    else:
        builder.log.skip(group.name, f"KEYOPT(3) = {direction} is not a displacement", False, count=group.ids.size)


def slope_at_rest(values: Sequence[float]) -> float:
    """Return the slope at zero of a curve given by pairs of deflection and force; where it bends there, for tension."""
    points = {0.0: 0.0}
    for deflection, force in zip(values[::2], values[1::2], strict=False):
        if deflection or not force:
            points[deflection] = force
    above = sorted(deflection for deflection in points if deflection > 0.0)
    below = sorted(deflection for deflection in points if deflection < 0.0)
    if above:
        return points[above[0]] / above[0]
    return points[below[-1]] / below[-1] if below else 0.0


def add_gap_springs(builder: Builder, group: Group) -> None:
    """COMBIN40: K1, C, M, GAP, FSLIDE, K2 in one direction; an open gap leaves K2 alone."""
    k1, damping, mass, gap, slide, k2 = [*builder.needed_reals(group), *[0.0] * 6][:6]
    direction = group.type.key(3)
    if direction > 6:
        builder.log.skip(group.name, f"KEYOPT(3) = {direction} is not a displacement", False, count=group.ids.size)
        return
    direction = max(0, direction - 1)
    if gap or slide:
        state = "is open at rest, K2 alone counts" if gap > 0.0 else "sticks: K1 and K2 count"
        builder.log.skip(group.name, f"set {group.real}: it has a gap or slides; here it {state}")
    stiffness = k2 + (0.0 if gap > 0.0 else k1)
    both = padded(group.nodes, 2)
    if both[:, 1].any():
        _in_direction(builder, group, direction, stiffness, damping)
    if mass:
        shares = {0: (1.0, 0.0), 1: (0.5, 0.5), 2: (0.0, 1.0)}.get(group.type.key(6), (1.0, 0.0))
        for end, share in enumerate(shares):
            if share:
                _mass_in_direction(builder, group, both[:, end], direction, share * mass)


def _mass_in_direction(builder: Builder, group: Group, nodes: IntArray, direction: int, mass: float) -> None:
    """Add a mass or inertia along or about one of the nodal axes."""
    nodes = nodes[nodes > 0]
    kind, size = ("point_node_matrix", 3) if direction < 3 else ("node_matrix", 6)
    matrix = np.zeros((nodes.size, size, size))
    matrix[:, direction, direction] = mass
    data = {"mass": matrix, "axes": _axes(builder, group, nodes[:, None])}
    builder.add_block(kind, group, builder.fresh(nodes.size), nodes[:, None], data=data, active=(direction,))


def add_bearings(builder: Builder, group: Group) -> None:
    """COMBI214: K11, K22, K12, K21, C11, C22, C12, C21 in a plane of the nodal axes (KEYOPT(2))."""
    r = [*builder.needed_reals(group), *[0.0] * 8][:8]
    first, second = _PLANES.get(group.type.key(2), (0, 1))
    laws = {}
    for name, (a, b, ab, ba) in (("stiffness", r[:4]), ("damping", r[4:])):
        if abs(ab - ba) > _SAME_AXES * max(abs(ab), abs(ba)):
            builder.log.skip(group.name, f"set {group.real}: its {name} is not symmetric; the mean across counts")
        law = np.zeros((group.ids.size, 3, 3))
        law[:, first, first], law[:, second, second] = a, b
        law[:, first, second] = law[:, second, first] = 0.5 * (ab + ba)
        if name == "stiffness" or law.any():
            laws[name] = law
    nodes = padded(group.nodes, 2)
    laws["axes"] = _axes(builder, group, nodes)
    builder.add_block("point_spring", group, group.ids, nodes, data=laws, active=(first, second))


def add_actuators(builder: Builder, group: Group) -> None:
    """LINK11: K, C and the mass of the whole, half at each end."""
    r = [*builder.needed_reals(group), *[0.0] * 3]
    _along(builder, group, r[0], r[1], plane=False)
    if r[2]:
        builder.masses += [PointMass(node, r[2] / 2.0) for node in padded(group.nodes, 2).ravel().tolist()]


def _along(builder: Builder, group: Group, stiffness: float, damping: float, plane: bool) -> None:
    nodes = padded(group.nodes, 2)
    law = _law(stiffness, damping, (group.ids.size,), None)
    builder.add_block("axial_spring", group, group.ids, nodes, data=law, active=(0, 1) if plane else None)


def _about(builder: Builder, group: Group, stiffness: float, damping: float) -> None:
    """Torsion about the line."""
    law = _law(stiffness, damping, (group.ids.size, 6), 3)
    builder.add_block("spring", group, group.ids, padded(group.nodes, 2), data=law, active=(3, 4, 5))


def _in_direction(builder: Builder, group: Group, direction: int, stiffness: float, damping: float) -> None:
    nodes = padded(group.nodes, 2)
    alone = nodes[:, 1] == 0
    kinds = ("point_spring", 3, "ground_point_spring") if direction < 3 else ("spring", 6, "ground_spring")
    for mask, kind, ends in ((~alone, kinds[0], 2), (alone, kinds[2], 1)):
        if mask.any():
            law = _law(stiffness, damping, (int(mask.sum()), kinds[1]), direction)
            law["axes"] = _axes(builder, group, nodes[mask, :ends])
            builder.add_block(kind, group, group.ids[mask], nodes[mask, :ends], data=law, active=(direction,))


def _axes(builder: Builder, group: Group, nodes: IntArray) -> Array:
    """Return nodal axes (n, 3, 3), as rows, of the first nodes."""
    axes = [np.array([builder.axes(int(node)).T for node in ends]) for ends in nodes.T]
    if len(axes) > 1 and np.abs(axes[0] - axes[1]).max() > _SAME_AXES:
        builder.log.skip(group.name, "its nodes have different axes; those of the first node are taken for both")
    return axes[0]


def _law(stiffness: float, damping: float, shape: tuple[int, ...], component: int | None) -> dict[str, Array]:
    """Return stiffness and damping, in one component or along the line."""
    law = {"stiffness": np.zeros(shape), "damping": np.zeros(shape)}
    place = ... if component is None else (slice(None), component)
    law["stiffness"][place] = stiffness
    law["damping"][place] = damping
    return law if damping else {"stiffness": law["stiffness"]}
