"""Shell surfaces mapped from their edges, swept along a vector or turned about an axis."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.errors import ModelError
from floatframe.fem.builders import _checks as check
from floatframe.fem.builders.picks import axis_vector
from floatframe.fem.builders.plates import shell_grid, shell_mesh
from floatframe.fem.model import FEModel
from floatframe.fem.properties import Material


def segment(a: Iterable[float], b: Iterable[float], n: int) -> Array:
    """Return n + 1 equally spaced points (n + 1, 3) from a to b."""
    start, end = check.point(a, "segment: a"), check.point(b, "segment: b")
    return np.linspace(start, end, check.count(n, "segment: n") + 1)


def arc(a: Iterable[float], through: Iterable[float], b: Iterable[float], n: int) -> Array:
    """Return n + 1 equally spaced points (n + 1, 3) on the circular arc from a through a point to b."""
    p, q, r = (check.point(v, f"arc: {w}") for v, w in ((a, "a"), (through, "through"), (b, "b")))
    n = check.count(n, "arc: n")
    u, v = q - p, r - p
    normal = np.cross(u, v)
    size = normal @ normal
    if size <= 1e-24 * (u @ u) * (v @ v):
        raise ModelError("arc: its three points lie on one line; use segment(a, b, n).")
    centre = p + np.cross((u @ u) * v - (v @ v) * u, normal) / (2.0 * size)
    e1 = (p - centre) / np.sqrt((p - centre) @ (p - centre))
    e2 = np.cross(normal / np.sqrt(size), e1)
    end = np.arctan2((r - centre) @ e2, (r - centre) @ e1) % (2.0 * np.pi)
    angle = np.linspace(0.0, end, n + 1)[:, None]
    radius = np.sqrt((p - centre) @ (p - centre))
    points = centre + radius * (np.cos(angle) * e1 + np.sin(angle) * e2)
    points[0], points[-1] = p, r
    return points


def quad_patch(
    corners: Array, nx: int, ny: int, thickness: float, material: Material, offset: float = 0.0, name: str = "patch"
) -> FEModel:
    """Return a patch between four corners (4, 3), counter-clockwise round the normal, with straight edges.

    nx elements along corners 0-1, ny along 1-2; node sets as in `mapped_patch`.
    """
    p = check.points(corners, f"{name}: corners", (4, 3))
    bottom, top = segment(p[0], p[1], nx), segment(p[3], p[2], nx)
    left, right = segment(p[0], p[3], ny), segment(p[1], p[2], ny)
    return mapped_patch(bottom, right, top, left, thickness, material, offset, name)


def mapped_patch(
    bottom: Array,
    right: Array,
    top: Array,
    left: Array,
    thickness: float,
    material: Material,
    offset: float = 0.0,
    name: str = "patch",
) -> FEModel:
    """Return quadrilaterals between four edges of any shape (transfinite interpolation).

    bottom, top (nx + 1, 3) run in the same direction, left and right (ny + 1, 3) from bottom to top, all points [m];
    the normal is bottom x left. Node sets: "left", "right", "bottom", "top", "edges", "corners".
    """
    lines = {}
    for side, line in (("bottom", bottom), ("right", right), ("top", top), ("left", left)):
        lines[side] = check.polyline(line, f"{name}: {side} edge")
    if len(lines["bottom"]) != len(lines["top"]) or len(lines["left"]) != len(lines["right"]):
        counts = ", ".join(f"{side} {len(line)}" for side, line in lines.items())
        raise ModelError(f"{name}: opposite edges need equally many points; found {counts}.")
    b, r, t, w = lines["bottom"], lines["right"], lines["top"], lines["left"]
    size = np.ptp(np.concatenate([b, r, t, w]), axis=0).max()
    for p, q, where in (
        (b[0], w[0], "bottom and left"),
        (b[-1], r[0], "bottom and right"),
        (t[0], w[-1], "top and left"),
        (t[-1], r[-1], "top and right"),
    ):
        if np.abs(p - q).max() > 1e-9 * size:
            raise ModelError(f"{name}: edges {where} do not meet: {p.tolist()} and {q.tolist()}.")
    nx, ny = len(b) - 1, len(w) - 1
    x, y = np.linspace(0.0, 1.0, nx + 1)[None, :, None], np.linspace(0.0, 1.0, ny + 1)[:, None, None]
    between = (1 - y) * b + y * t + (1 - x) * w[:, None] + x * r[:, None]
    corners = (1 - x) * (1 - y) * b[0] + x * (1 - y) * b[-1] + x * y * t[-1] + (1 - x) * y * t[0]
    return shell_grid(between - corners, thickness, material, offset, name)


def extrusion(
    profile: Array,
    vector: Iterable[float],
    n: int,
    thickness: float,
    material: Material,
    closed: bool = False,
    offset: float = 0.0,
    name: str = "extrusion",
) -> FEModel:
    """Return the shell swept by a profile (k, 3) along a vector [m] in n steps.

    `closed` joins the profile's last point to its first. The normal is profile direction x vector. Node sets: "start",
    "end" (the profile at both ends of the way) and, if open, "first", "last" (the ways of the profile's ends).
    """
    line = check.polyline(profile, f"{name}: profile")
    way = check.point(vector, f"{name}: vector")
    check.direction(way, f"{name}: vector")
    n = check.count(n, f"{name}: number of steps n")
    k = len(line)
    nodes = (line + np.linspace(0.0, 1.0, n + 1)[:, None, None] * way).reshape(-1, 3)
    shell = shell_mesh(nodes, _swept(k, n, closed, False), thickness, material, offset, name)
    grid = np.arange(1, k * (n + 1) + 1).reshape(n + 1, k)
    sets = {"start": grid[0], "end": grid[-1]}
    if not closed:
        sets |= {"first": grid[:, 0], "last": grid[:, -1]}
    return replace(shell, node_sets=sets)


def revolution(
    profile: Array,
    axis: str | Iterable[float],
    n: int,
    thickness: float,
    material: Material,
    angle: float = 2.0 * np.pi,
    origin: Iterable[float] = (0.0, 0.0, 0.0),
    offset: float = 0.0,
    name: str = "revolution",
) -> FEModel:
    """Return the shell made by turning a profile (k, 3) [m] about an axis through `origin` by `angle` [rad] in n steps.

    A whole turn closes the shell. Profile points on the axis become one node each, joined by triangles. The normal is
    profile direction x direction of turning. Node sets: "first", "last" (the circles of the profile's ends) and, if
    not closed, "start", "end" (the profile at both ends of the turn).
    """
    line = check.polyline(profile, f"{name}: profile")
    along = check.direction(axis_vector(axis), f"{name}: axis")
    n = check.count(n, f"{name}: number of steps n")
    if not 0.0 < angle <= 2.0 * np.pi * (1.0 + 1e-12):
        raise ModelError(f"{name}: angle is {angle:g} rad; it must lie between 0 and 2 pi.")
    closed = bool(angle >= 2.0 * np.pi * (1.0 - 1e-12))
    if closed and n < 3:
        raise ModelError(f"{name}: a whole turn needs at least 3 steps; n is {n}.")
    middle = check.point(origin, f"{name}: origin")
    arm = line - middle
    height = (arm @ along)[:, None] * along
    out = arm - height
    side = np.cross(along, out)
    turn = np.linspace(0.0, angle, n + 1)[: n if closed else None, None, None]
    nodes = (middle + height + np.cos(turn) * out + np.sin(turn) * side).reshape(-1, 3)
    k, nturn = len(line), len(turn)
    quads = _swept(k, n, False, closed)
    # points on the axis stay where they are: all their copies become the first one
    fixed = (out**2).sum(axis=1) <= (1e-12 * np.ptp(line, axis=0).max()) ** 2
    if (fixed[:-1] & fixed[1:]).any():
        raise ModelError(f"{name}: two neighbouring profile points lie on the axis and sweep no surface; remove one.")
    number = np.arange(nturn * k).reshape(nturn, k)
    number[:, fixed] = number[0, fixed]
    faces = number.ravel()[quads]
    used, compact = np.unique(number, return_inverse=True)
    faces = np.searchsorted(used, faces)
    whole = (np.diff(np.sort(faces, axis=1), axis=1) > 0).all(axis=1)
    listed: list[list[int]] | IntArray = faces
    if not whole.all():
        listed = [list(dict.fromkeys(face)) for face in faces.tolist()]
    shell = shell_mesh(nodes[used], listed, thickness, material, offset, name)
    grid = compact.reshape(nturn, k) + 1
    sets = {"first": np.unique(grid[:, 0]), "last": np.unique(grid[:, -1])}
    if not closed:
        sets |= {"start": grid[0], "end": grid[-1]}
    return replace(shell, node_sets=sets)


def _swept(k: int, n: int, closed_profile: bool, closed_way: bool) -> IntArray:
    """Return quadrilaterals between n steps of a profile with k points, node i + j k being point i after j steps."""
    across = k if closed_profile else k - 1
    i, j = np.tile(np.arange(across), n), np.repeat(np.arange(n), across)
    i_next, j_next = (i + 1) % k, (j + 1) % (n if closed_way else n + 1)
    return np.column_stack([i + j * k, i_next + j * k, i_next + j_next * k, i + j_next * k])
