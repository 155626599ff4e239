"""*MPC of a deck: joints of two nodes, nodes between others, and nodes that stay on a line or in a plane."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.io.abaqus.deck import Card, Mesh, Place
from floatframe.io.deck import Dof, LinearConstraints, follow_faces, tied_nodes

_NOT_MECHANICAL = ("PLINEAR", "PBILINEAR", "TLINEAR", "TBIQUAD")  # of pore pressures and temperatures
_SAME = 1e-9


def add_mpcs(card: Card, place: Place, mesh: Mesh, found: LinearConstraints) -> None:
    """Add the constraints of a *MPC, one on each line; a line that begins with a number goes on with the one before.

    The number is 0 in Abaqus, and in CalculiX the next node.
    """
    log = mesh.log
    for line, words in _whole_lines(card):
        kind = "".join(words[0].upper().split())
        if kind in _NOT_MECHANICAL:
            log.skip(f"*MPC {kind}", "it is not about displacements", physical=False, line=line)
            continue
        if kind not in _OF_ONE_SET and kind not in _OF_ROWS:
            log.lose(f"*MPC {kind}", "coupling", "this constraint is not supported; write it as *EQUATION", line=line)
            continue
        groups = [mesh.nodes(word, place, card, line) for word in words[1:] if word]
        for node in np.unique(np.concatenate([np.empty(0, np.int64), *groups])).tolist():
            if node not in found.nodes:
                raise card.error(f"*MPC, {kind}: node {node} is not defined.", line)
        if kind in _OF_ONE_SET:
            least, make = _OF_ONE_SET[kind]
            # nodes may be repeated once for each of their three translations
            nodes = list(dict.fromkeys(np.concatenate([np.empty(0, np.int64), *groups]).tolist()))
            if len(nodes) < least:
                raise card.error(f"*MPC, {kind} needs at least {least} nodes; there are {len(nodes)}.", line)
            make(nodes, found, card)
        else:
            count, make = _OF_ROWS[kind]
            for nodes in _matched(card, line, kind, groups, count):
                make(nodes, found, card)
        log.took(f"*MPC {kind}")


def _whole_lines(card: Card) -> Iterator[tuple[int, list[str]]]:
    whole: list[tuple[int, list[str]]] = []
    for line, words in card.fields():
        if words[0].isdigit() and whole and "USER" not in card.options:
            whole[-1][1].extend(words if int(words[0]) else words[1:])
        else:
            whole.append((line, words))
    yield from whole


def _matched(card: Card, line: int, kind: str, groups: list[IntArray], count: int) -> Iterator[list[int]]:
    """Yield one list of nodes for each member of the sets; single nodes stand in all of them."""
    if len(groups) < max(count, 2) or (count and len(groups) > count):
        raise card.error(f"*MPC, {kind} needs {count or 'two or more'} nodes or sets; there are {len(groups)}.", line)
    size = max(len(group) for group in groups)
    if any(len(group) not in (1, size) for group in groups):
        raise card.error(f"*MPC, {kind}: its sets have different numbers of nodes.", line)
    for k in range(size):
        yield [int(group[k if len(group) > 1 else 0]) for group in groups]


# joints of two nodes


def _beam(nodes: list[int], found: LinearConstraints, card: Card) -> None:
    found.rigid(nodes[1], np.array(nodes[:1]), "all", card)


def _tie(nodes: list[int], found: LinearConstraints, card: Card) -> None:
    _between(nodes[0], nodes[1:], np.ones(1), found)


def _pin(nodes: list[int], found: LinearConstraints, card: Card) -> None:
    for k in range(3):
        found.equation([((nodes[0], k), 1.0), ((nodes[1], k), -1.0)])


def _link(nodes: list[int], found: LinearConstraints, card: Card) -> None:
    found.link(nodes[0], nodes[1], card)


# nodes between others


def _linear(nodes: list[int], found: LinearConstraints, card: Card) -> None:
    share = _along(nodes[0], nodes[1], nodes[2], found, card)
    _between(nodes[0], nodes[1:], np.array([1.0 - share, share]), found)


def _quadratic(nodes: list[int], found: LinearConstraints, card: Card) -> None:
    p, *edge = nodes
    xyz = np.array([found.nodes[node] for node in edge])
    # the middle node is the one nearest to the mean of the others
    away = [np.abs(xyz[k] - np.delete(xyz, k, axis=0).mean(axis=0)).max() for k in range(3)]
    middle = int(np.argmin(away))
    first, last = (k for k in range(3) if k != middle)
    x = 2.0 * _along(p, edge[first], edge[last], found, card) - 1.0
    weights = np.zeros(3)
    weights[first], weights[middle], weights[last] = x * (x - 1.0) / 2.0, 1.0 - x * x, x * (x + 1.0) / 2.0
    _between(p, edge, weights, found)


def _face(nodes: list[int], found: LinearConstraints, card: Card) -> None:
    places = np.array([[found.nodes[node] for node in nodes[1:]]])
    point = found.nodes[nodes[0]][None]
    for tied in tied_nodes(point, np.array(nodes[:1]), [np.array([nodes[1:]])], [places]):
        follow_faces(tied, found)


def _shell_on_solid(nodes: list[int], found: LinearConstraints, card: Card) -> None:
    """SS LINEAR …: a node of a shell follows a line of nodes through the thickness of a solid."""
    shell, *line = nodes
    found.part_of_mean(shell, np.array(line), np.ones(len(line)), np.eye(6), card)


def _between(node: int, others: list[int], weights: Array, found: LinearConstraints) -> None:
    for k in range(6):
        terms: list[tuple[Dof, float]] = [((node, k), 1.0)]
        terms += [((other, k), -float(w)) for other, w in zip(others, weights, strict=True)]
        found.equation(terms, optional=k > 2)


def _along(node: int, first: int, last: int, found: LinearConstraints, card: Card) -> float:
    """Return where a node stands between two others: 0 at the first, 1 at the last."""
    line = found.nodes[last] - found.nodes[first]
    if not line.any():
        raise card.error(f"{card.name}: nodes {first} and {last} are in one place.")
    return float((found.nodes[node] - found.nodes[first]) @ line / (line @ line))


# nodes that stay on a line or in a plane, and means


def _straight(nodes: list[int], found: LinearConstraints, card: Card) -> None:
    """The first two nodes make the line on which the others stay."""
    first, last, *others = nodes
    line = found.nodes[last] - found.nodes[first]
    for node in others:
        share = _along(node, first, last, found, card)
        for across in np.linalg.svd(line[None])[2][1:]:
            _equation([node, first, last], [across, -(1.0 - share) * across, -share * across], found)


def _slider(nodes: list[int], found: LinearConstraints, card: Card) -> None:
    _straight([*nodes[1:], nodes[0]], found, card)


def _plane(nodes: list[int], found: LinearConstraints, card: Card) -> None:
    """The first three nodes that do not lie on one line make the plane in which the others stay."""
    xyz = np.array([found.nodes[node] for node in nodes])
    first, second = 0, int(np.argmax(((xyz - xyz[0]) ** 2).sum(axis=1)))
    span = xyz[second] - xyz[first]
    normals = np.cross(span, xyz - xyz[first])
    third = int(np.argmax((normals**2).sum(axis=1)))
    normal = normals[third]
    size = float(np.sqrt(normal @ normal))
    if not size > _SAME * float(span @ span):
        raise card.error(f"{card.name}: the nodes of a plane lie on one line.")
    base = [first, second, third]
    corner = np.stack([span, xyz[third] - xyz[first]])
    for k in range(len(nodes)):
        if k not in base:
            b, c = (xyz[k] - xyz[first]) @ np.linalg.pinv(corner)
            rows = [share * normal / size for share in (1.0, b + c - 1.0, -b, -c)]
            _equation([nodes[j] for j in (k, *base)], rows, found)


def _mean_rotation(nodes: list[int], found: LinearConstraints, card: Card) -> None:
    """MEANROT of CalculiX: the first translation of the last node is the mean turn of the others about an axis.

    The place of that node, seen from the origin, is the axis; each node turns about the axis through their centre.
    """
    *members, pilot = nodes
    axis = found.nodes[pilot]
    if not axis.any():
        raise card.error(f"{card.name}: the last node of MEANROT is at the origin; its place is the axis.")
    axis = axis / np.sqrt(axis @ axis)
    xyz = np.array([found.nodes[node] for node in members])
    arm = xyz - xyz.mean(axis=0)
    spread = float((arm**2).sum()) / len(members)
    arm = arm - (arm @ axis)[:, None] * axis
    size = (arm**2).sum(axis=1)
    off = size > _SAME * spread
    if not off.any():
        raise card.error(f"{card.name}: all nodes of MEANROT lie on the axis.")
    turn = np.zeros_like(arm)
    turn[off] = np.cross(axis, arm[off]) / size[off, None]
    turn -= turn.mean(axis=0)
    largest = int(np.argmax(np.abs(turn).max(axis=1)))
    order = [largest, *(k for k in range(len(members)) if k != largest)]
    shown = np.array([-float(off.sum()), 0.0, 0.0])  # nodes on the axis do not count
    _equation([*(members[k] for k in order), pilot], [*turn[order], shown], found)


def _distance(nodes: list[int], found: LinearConstraints, card: Card) -> None:
    """DIST of CalculiX: two nodes never farther apart than the first coordinate of a third; a link once they are."""
    a, b, pilot = nodes[:3]
    gap = found.nodes[a] - found.nodes[b]
    if gap @ gap >= (1.0 - _SAME) * float(found.nodes[pilot][0]) ** 2:
        found.link(a, b, card)


def _equation(nodes: list[int], rows: list[Array], found: LinearConstraints) -> None:
    """Add Σ row · translation = 0, its largest factor of the first node in front."""
    size = max(float(np.abs(row).max()) for row in rows)
    terms = [
        ((node, int(k)), float(row[k]))
        for node, row in zip(nodes, rows, strict=True)
        for k in np.argsort(-np.abs(row), kind="stable")
        if abs(row[k]) > 1e-14 * size
    ]
    found.equation(terms)


_Make = Callable[[list[int], LinearConstraints, Card], None]

# number of nodes or sets on a line, any number for 0
_OF_ROWS: dict[str, tuple[int, _Make]] = {
    "BEAM": (2, _beam),
    "TIE": (2, _tie),
    "PIN": (2, _pin),
    "LINK": (2, _link),
    "LINEAR": (3, _linear),
    "QUADRATIC": (4, _quadratic),
    "BILINEAR": (5, _face),
    "CBIQUAD": (9, _face),
    "SLIDER": (3, _slider),
    **dict.fromkeys(("SSLINEAR", "SSBILINEAR", "SSFBILINEAR"), (0, _shell_on_solid)),
}
# least number of nodes
_OF_ONE_SET: dict[str, tuple[int, _Make]] = {
    "STRAIGHT": (3, _straight),
    "PLANE": (4, _plane),
    "MEANROT": (3, _mean_rotation),
    "DIST": (3, _distance),
}
