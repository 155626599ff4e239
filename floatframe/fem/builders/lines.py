"""Straight beams and frames of beams."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar, cast

import numpy as np

from floatframe.arrays import AnyArray, Array, IntArray
from floatframe.errors import ModelError
from floatframe.fem.builders import _checks as check
from floatframe.fem.model import ElementBlock, FEModel
from floatframe.fem.properties import BeamSection, Material

T = TypeVar("T")


def beam_line(
    a: Iterable[float],
    b: Iterable[float],
    n: int,
    section: BeamSection,
    material: Material,
    orientation: Iterable[float] | None = None,
    offsets: Array | None = None,
    name: str = "beam",
    kind: str = "beam",
) -> FEModel:
    """Return a straight beam of n equal elements from a to b [m] with nodes 1..n+1 and node sets "start", "end".

    orientation (3,): see the beam element; offsets (3,) of the whole beam, or (2, 3) of both ends of every element,
    from the nodes to the section's centroid, model axes [m]; kind: "beam", "beam_cubic_mass" or "truss".
    """
    start, end = check.point(a, f"{name}: start a"), check.point(b, f"{name}: end b")
    n = check.count(n, f"{name}: number of elements n")
    if (start == end).all():
        raise ModelError(f"{name}: start and end are the same point {start.tolist()}; a beam needs a length.")
    nodes = np.linspace(start, end, n + 1)
    row = np.arange(n)
    block = beam_block(np.column_stack([row, row + 1]), section, material, orientation, offsets, name, kind)
    return FEModel(nodes, (block,), node_sets={"start": np.array([1]), "end": np.array([n + 1])}, name=name)


def frame(
    points: Array,
    lines: Sequence[Sequence[int]] | IntArray,
    section: BeamSection | Sequence[BeamSection],
    material: Material,
    n: int | Sequence[int] = 1,
    orientation: Array | None = None,
    name: str = "frame",
    kind: str = "beam",
) -> FEModel:
    """Return beams along lines between points; nodes 1..npoint are the points themselves (node set "points").

    points (npoint, 3) [m]; lines (nline, 2) rows of `points`, from 0; section and n (elements per line) are one for
    all lines or one for each; orientation (3,) or (nline, 3). Lines are the element sets "line 1", "line 2", …;
    kind as in `beam_line`.
    """
    points = check.points(points, f"{name}: points")
    ends = check.rows(lines, f"{name}: lines", len(points), (2,))
    nline = len(ends)
    sections = _per_line(section, nline, f"{name}: section", BeamSection)
    counts = _per_line(n, nline, f"{name}: n", int)
    for i, number in enumerate(counts):
        check.count(number, f"{name}: n of line {i + 1}")
    for i, (p, q) in enumerate(ends):
        if (points[p] == points[q]).all():
            raise ModelError(f"{name}: line {i + 1} joins points {p} and {q}, which lie in the same place.")
    directions = None
    if orientation is not None:
        given = np.asarray(orientation, dtype=float)
        directions = np.tile(given, (nline, 1)) if given.ndim == 1 else given
        directions = check.points(directions, f"{name}: orientation", (nline, 3))
    nodes, blocks, sets, first = [points], [], {}, 1
    nnode = len(points)
    for i, (p, q) in enumerate(ends):
        between = np.linspace(points[p], points[q], counts[i] + 1)[1:-1]
        chain = np.concatenate([[p], nnode + np.arange(len(between)), [q]])
        nodes.append(between)
        nnode += len(between)
        towards = None if directions is None else directions[i]
        pairs = np.column_stack([chain[:-1], chain[1:]])
        blocks.append(beam_block(pairs, sections[i], material, towards, name=f"line {i + 1}", kind=kind))
        sets[f"line {i + 1}"] = np.arange(first, first + counts[i])
        first += counts[i]
    return FEModel(
        np.concatenate(nodes),
        tuple(blocks),
        node_sets={"points": np.arange(1, len(points) + 1)},
        element_sets=sets,
        name=name,
    )


def beam_block(
    pairs: IntArray,
    section: BeamSection,
    material: Material,
    orientation: Iterable[float] | AnyArray | None = None,
    offsets: Iterable[float] | AnyArray | None = None,
    name: str = "",
    kind: str = "beam",
) -> ElementBlock:
    """Return beams between node rows `pairs` (nel, 2).

    orientation (3,) or (nel, 3); offsets (3,), (2, 3) or (nel, 2, 3).
    """
    nel = len(pairs)
    data: dict[str, AnyArray] = {}
    if orientation is not None:
        data["orientation"] = _spread(orientation, (nel, 3), f"{name}: orientation")
    if offsets is not None:
        data["offsets"] = _spread(offsets, (nel, 2, 3), f"{name}: offsets")
    return ElementBlock(kind, pairs, material, section, data, name=name)


def _spread(value: Iterable[float] | AnyArray, shape: tuple[int, ...], what: str) -> Array:
    """Repeat trailing dimensions so that one vector serves all elements."""
    given = np.asarray(value, dtype=float)
    if given.shape != shape[len(shape) - given.ndim :]:
        raise ModelError(f"{what} has shape {given.shape}, expected {shape} or its last dimensions.")
    if not np.isfinite(given).all():
        raise ModelError(f"{what} contains a number that is not finite; give finite numbers.")
    return np.broadcast_to(given, shape).copy()


def _per_line(value: T | Sequence[T], nline: int, what: str, single: type) -> list[T]:
    """Return one value per line from a single value or a sequence."""
    if isinstance(value, single | np.integer):
        return [cast(T, value)] * nline
    values = list(cast(Sequence[T], value))
    if len(values) != nline:
        raise ModelError(f"{what}: {len(values)} values for {nline} lines; give one, or one for each line.")
    return values
