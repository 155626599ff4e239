"""Where the parts of a network stand in its drawing: columns from left to right, heights that keep lines short."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from floatframe.expressions import parse

if TYPE_CHECKING:
    from floatframe.arrays import Array
    from floatframe.network import Network

Thing = tuple[str, str]  # "element" or "node", and its name

_TURNS = 40  # of moving things towards their neighbours
_WIDEST = 16  # columns in a row; the first row has one less, so that all end with elements
_GAP = 0.6  # between rows of parts that nothing joins


@dataclass(frozen=True)
class Layout:
    """Places (column, height) of elements and nodes, lines between neighbours, arrows from what an input reads."""

    place: Mapping[Thing, tuple[float, float]]
    lines: Sequence[tuple[Thing, Thing, str]]  # element, node, name of the terminal
    arrows: Sequence[tuple[Thing, Thing]]


def network_layout(network: Network) -> Layout:
    """Return the layout: first elements to the left, what they join one column further, signals above."""
    lines = [
        (("element", one.name), ("node", node), terminal.name)
        for one in network.elements.values()
        for node, terminal in zip(one.nodes, one.kind.terminals, strict=True)
        if node not in network.base
    ]
    near: dict[Thing, list[Thing]] = {("element", name): [] for name in network.elements}
    for element, node, _ in lines:
        near[element].append(node)
        near.setdefault(node, []).append(element)
    place: dict[Thing, tuple[float, float]] = {}
    low = 0.0
    for part in _parts(near):
        heights = _heights(part, near)
        for band in range(_across(max(part.values()))[0] + 1):
            inside = [thing for thing, column in part.items() if _across(column)[0] == band]
            top = max(heights[thing] for thing in inside)
            place |= {thing: (_across(part[thing])[1], low - top + heights[thing]) for thing in inside}
            low = min(y for _, y in place.values()) - 1.0 - _GAP
    arrows = _arrows(network)
    return Layout(place | _above(network, place, arrows), lines, arrows)


def _across(column: int) -> tuple[int, float]:
    """The row and the place of a column; chains that are too long turn back below, so that neighbours stay near."""
    band, inside = divmod(column + 1, _WIDEST)
    return band, float(inside - 1 if band % 2 == 0 else _WIDEST - 2 - inside)


def _parts(near: Mapping[Thing, Sequence[Thing]]) -> Iterable[dict[Thing, int]]:
    """The parts that lines join, each with the columns of its things: steps from its first element."""
    seen: set[Thing] = set()
    for first, neighbours in near.items():
        if first in seen or not neighbours:
            continue
        column, front = {first: 0}, [first]
        while front:
            front = [other for thing in front for other in near[thing] if column.setdefault(other, -1) == -1]
            front = list(dict.fromkeys(front))
            column |= dict.fromkeys(front, max(column.values()) + 1)
        seen |= column.keys()
        yield column


def _heights(column: Mapping[Thing, int], near: Mapping[Thing, Sequence[Thing]]) -> dict[Thing, float]:
    """Heights of the things of a part, at least 1 apart in a column, each drawn towards its neighbours."""
    columns: list[list[Thing]] = [[] for _ in range(max(column.values()) + 1)]
    for thing, k in column.items():
        columns[k].append(thing)
    height = {thing: -float(k) for things in columns for k, thing in enumerate(things)}
    for turn in range(_TURNS):
        for things in columns if turn % 2 == 0 else columns[::-1]:
            wish = [float(np.mean([height[other] for other in near[thing]])) for thing in things]
            height |= dict(zip(things, apart(wish).tolist(), strict=True))
    return height


def _arrows(network: Network) -> list[tuple[Thing, Thing]]:
    """From what an input reads to its element."""
    domains = {
        node: terminal.domain
        for one in network.elements.values()
        for node, terminal in zip(one.nodes, one.kind.terminals, strict=True)
    }
    found: dict[tuple[Thing, Thing], None] = {}
    for one in network.elements.values():
        for value in one.values.values():
            for name in sorted(parse(value).names) if isinstance(value, str) else ():
                owner, _, level = name.rpartition(".")
                if owner in domains and level in domains[owner].levels:
                    found[("node", owner), ("element", one.name)] = None
                elif owner in network.elements:
                    found[("element", owner), ("element", one.name)] = None
    return list(found)


def _above(
    network: Network, place: Mapping[Thing, tuple[float, float]], arrows: Sequence[tuple[Thing, Thing]]
) -> dict[Thing, tuple[float, float]]:
    """Places of the elements that join no node, in a row above what they act on."""
    alone = [("element", name) for name in network.elements if ("element", name) not in place]
    if not alone:
        return {}
    top = max((y for _, y in place.values()), default=-1.0) + 1.0 + _GAP
    middle = float(np.mean([x for x, _ in place.values()])) if place else 0.0
    wish = []
    for thing in alone:
        ends = [one for arrow in arrows if thing in arrow for one in arrow if one in place]
        wish.append(float(np.mean([place[end][0] for end in ends])) if ends else middle)
    return {thing: (x, top) for thing, x in zip(alone, (2.0 * apart([x / 2.0 for x in wish])).tolist(), strict=True)}


def apart(wish: Sequence[float]) -> Array:
    """Return places (n,) at least 1 apart, in the order of what is wished, as near to it as least squares get."""
    order = np.argsort(wish, kind="stable")
    # without the distances the places must only rise: pool neighbours that do not
    pools: list[tuple[float, int]] = []
    for target in np.asarray(wish)[order] - np.arange(len(order)):
        mean, count = float(target), 1
        while pools and pools[-1][0] > mean:
            other, more = pools.pop()
            mean, count = (mean * count + other * more) / (count + more), count + more
        pools.append((mean, count))
    found = np.empty(len(order))
    found[order] = np.concatenate([np.full(count, mean) for mean, count in pools]) + np.arange(len(order))
    return found
