"""The finite element model of the locomotive body, of the size of that in Mikheev (2004, §2.5).

A load-bearing shell 20 m long (x forward, y to the left, z up from the floor): floor, side walls with windows and
doors, curved roof with fan openings, two cabs with slanted fronts, bulkheads, an underframe of sills and cross beams,
ribs and stringers as beams inside the skin, machines as masses on the underframe. Lengths in m, masses in kg.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from floatframe.arrays import Array, BoolArray
from floatframe.fem import (
    BeamSection,
    FEModel,
    Material,
    cut_openings,
    in_ellipse,
    join,
    lines_between,
    merge_nodes,
    mesh_lines,
    node_near,
    sheet,
    with_machine,
    with_places,
    with_ribs,
)
from floatframe.samples.meshing import near, on_any

HALF, SIDE, WALL_TOP, ROOF_TOP, SILL_DEPTH = 10.0, 1.5, 2.3, 2.9, 0.3
BULKHEADS = (-7.5, -3.0, 3.0, 7.5)  # rear walls of the cabs, walls of the engine room
FRAMES = tuple(range(-9, 10))  # ribs of walls and roof
CROSS_BEAMS = tuple(range(-9, 10, 2))
MAIN_SILL, FLANGE = 0.7, (0.6, 0.8)  # place of the main sills, edges of their lower flanges
BOGIES, SUPPORT = (-6.0, 6.0), 1.0  # bogie centres and half distance of the body supports along a bogie

STEEL = Material(E=2.1e11, nu=0.3, rho=7850.0, name="steel")
RIB = BeamSection.channel(0.06, 0.1, 0.005, 0.005)
STRINGER = BeamSection.angle(0.05, 0.05, 0.004)
LINTEL = BeamSection.box(0.04, 0.06, 0.003, 0.003)
PILLAR = BeamSection.box(0.06, 0.08, 0.004, 0.004)
STRUT = BeamSection.box(0.2, 0.2, 0.012, 0.012)
CHORD = BeamSection.rectangle(0.12, 0.012)

# windows and doors of both side walls: x from, to; z from, to
SIDE_OPENINGS = (
    (8.1, 8.9, 1.0, 1.8),
    (-8.9, -8.1, 1.0, 1.8),
    (6.3, 7.1, 0.1, 2.0),
    (-7.1, -6.3, 0.1, 2.0),
    *((x - 0.4, x + 0.4, 1.0, 1.6) for x in (-4.5, -1.5, 0.0, 1.5, 4.5)),
)
WINDSCREEN = (0.2, 1.2, 1.0, 1.8)  # y and z from, to; on both sides of the middle
FANS = ((4.0, 0.6), (5.5, 0.6), (-1.0, 0.6))  # openings of the roof: x, radius
SUMP = (-2.4, 1.4, 0.5)  # opening of the floor under the engine: x from, to; |y| up to

# mass, places on the underframe (x, |y|) on both sides, height of the centre above the floor
MACHINES = {
    "diesel generator": (24000.0, ((-2.0, 0.7), (-1.0, 0.7), (0.0, 0.7), (1.0, 0.7)), 0.9),
    "cooling unit": (6000.0, ((4.0, 0.7), (5.0, 0.7)), 1.2),
    "rectifier": (3000.0, ((-5.0, 0.7), (-4.0, 0.7)), 0.7),
    "front desk": (600.0, ((8.1, 0.7), (9.0, 0.7)), 0.5),
    "rear desk": (600.0, ((-9.0, 0.7), (-8.1, 0.7)), 0.5),
    "fuel tank": (5000.0, ((-1.0, 1.5), (1.0, 1.5)), -0.8),
}


def build(refine: float = 1.0) -> FEModel:
    """Return the body with elements of about 0.1 m / refine.

    refine 1 gives the size of the published model (164 000 dofs), 0.2 about 20 000, 2.5 a million.
    Node sets: "pivots" (eight body supports, also alone as "pivot 1" … "pivot 8"), "coupler front", "coupler rear",
    "cab front", "cab rear", and the centres of the machines by name.
    """
    sheets = merge_nodes(join(*_sheets(0.1 / refine), name="locomotive body"), 1e-4 / refine)
    body = cut_openings(replace(sheets, node_sets={}), _in_openings)
    body = _with_machines(_with_interfaces(_with_beams(body)))
    return replace(body, nodes=_slanted_fronts(body.nodes))


def _sheets(size: float) -> list[FEModel]:
    """Return the walls, not yet joined, on mesh lines that pass through all places of interest."""
    x = mesh_lines((*FRAMES, *BULKHEADS, -HALF, HALF, *SUMP[:2], *(o[k] for o in SIDE_OPENINGS for k in (0, 1))), size)
    y = mesh_lines([s * v for s in (-1, 1) for v in (0, SIDE, *WINDSCREEN[:2], SUMP[2], MAIN_SILL, *FLANGE)], size)
    z = mesh_lines((0, WALL_TOP, 1.9, *(o[k] for o in SIDE_OPENINGS for k in (2, 3))), size)
    sill = mesh_lines((-SILL_DEPTH, 0), size)
    parts = [
        sheet(x[None, :], y[:, None], 0.0, 0.004, STEEL, "floor"),
        sheet(x[None, :], y[:, None], _roof(y)[:, None], 0.0025, STEEL, "roof"),
    ]
    for side in (-1, 1):
        flange = side * lines_between(y, *FLANGE)
        parts += [
            sheet(x[None, :], side * SIDE, z[:, None], 0.0025, STEEL, "side wall"),
            sheet(x[None, :], side * SIDE, sill[:, None], 0.008, STEEL, "side sill"),
            sheet(x[None, :], side * MAIN_SILL, sill[:, None], 0.010, STEEL, "main sill"),
            sheet(x[None, :], flange[:, None], -SILL_DEPTH, 0.016, STEEL, "main sill flange"),
        ]
    for place in (-HALF, *BULKHEADS, HALF):
        height = z[:, None] * _roof(y) / WALL_TOP  # mesh lines rise with the roof
        parts.append(sheet(place, y[None, :], height, 0.003, STEEL, "bulkhead"))
    for place in (-HALF, *CROSS_BEAMS, HALF):
        parts.append(sheet(place, y[None, :], sill[:, None], 0.008, STEEL, "cross beam"))
    for bogie in BOGIES:
        along = lines_between(x, bogie - SUPPORT, bogie + SUPPORT)
        inner = lines_between(y, -FLANGE[0], FLANGE[0])
        parts.append(sheet(along[None, :], inner[:, None], -SILL_DEPTH, 0.012, STEEL, "bolster"))
    return parts


def _roof(y: Array) -> Array:
    """Return the height of the roof, an arc of a circle over the width."""
    rise = ROOF_TOP - WALL_TOP
    radius = (SIDE**2 + rise**2) / (2 * rise)
    return ROOF_TOP - radius + np.sqrt(radius**2 - y**2)


def _in_openings(p: Array) -> BoolArray:
    """Return which points lie in a window, a door, or an opening of roof or floor."""
    x, y, z = p.T
    inside = np.zeros(len(p), dtype=bool)
    for x0, x1, z0, z1 in SIDE_OPENINGS:
        inside |= near(np.abs(y), SIDE) & (x > x0) & (x < x1) & (z > z0) & (z < z1)
    y0, y1, z0, z1 = WINDSCREEN
    flat = z * WALL_TOP / _roof(y)
    inside |= near(np.abs(x), HALF) & (np.abs(y) > y0) & (np.abs(y) < y1) & (flat > z0) & (flat < z1)
    for place, radius in FANS:
        inside |= in_ellipse((place, 0, 0), (radius, 0, 0), (0, radius, 0))(p) & (z > WALL_TOP)
    inside |= near(z, 0.0) & (x > SUMP[0]) & (x < SUMP[1]) & (np.abs(y) < SUMP[2])
    return inside


def _with_beams(body: FEModel) -> FEModel:
    """Add ribs and stringers inside the skin, frames of windows and doors, and lower chords of the underframe."""
    body = with_ribs(
        body,
        lambda p: on_any(p[:, 0], FRAMES) & _on_skin(p),
        RIB,
        STEEL,
        orientation=_inward,
        offset=lambda p: 0.05 * _inward(p),
        name="frames",
    )
    body = with_ribs(
        body,
        lambda p: (
            (near(np.abs(p[:, 1]), SIDE) & on_any(p[:, 2], (0.5, 1.9, WALL_TOP)))
            | (near(p[:, 2], _roof(p[:, 1])) & on_any(np.abs(p[:, 1]), (0.0, MAIN_SILL)))
        ),
        STRINGER,
        STEEL,
        orientation=_inward,
        offset=lambda p: 0.02 * _inward(p),
        name="stringers",
    )
    body = with_ribs(body, _on_rims, LINTEL, STEEL, orientation=(0.0, 1.0, 0.0), name="window and door frames")
    body = with_ribs(
        body,
        lambda p: on_any(p[:, 0], BULKHEADS) & on_any(np.abs(p[:, 1]), (0.0, MAIN_SILL)) & (p[:, 2] > -1e-6),
        STRINGER,
        STEEL,
        orientation=(1.0, 0.0, 0.0),
        offset=(0.02, 0.0, 0.0),
        name="bulkhead posts",
    )
    body = with_ribs(
        body, _on_front_frame, PILLAR, STEEL, orientation=(1.0, 0.0, 0.0), offset=_behind_front, name="cab fronts"
    )
    return with_ribs(
        body,
        lambda p: near(p[:, 2], -SILL_DEPTH) & (on_any(p[:, 0], CROSS_BEAMS) | near(np.abs(p[:, 1]), SIDE)),
        CHORD,
        STEEL,
        name="lower chords",
    )


def _on_skin(p: Array) -> BoolArray:
    return (near(np.abs(p[:, 1]), SIDE) & (p[:, 2] > -1e-6)) | (near(p[:, 2], _roof(p[:, 1]), 0.01))


def _inward(p: Array) -> Array:
    """Return unit vectors from the skin into the body."""
    wall = np.column_stack([np.zeros(len(p)), -np.sign(p[:, 1]), np.zeros(len(p))])
    slope = np.column_stack([np.zeros(len(p)), -p[:, 1], -(np.sqrt(_arc_height(p[:, 1])))])
    roof = slope / np.sqrt((slope**2).sum(axis=1))[:, None]
    return np.where((p[:, 2] > WALL_TOP + 1e-6)[:, None], roof, wall)


def _arc_height(y: Array) -> Array:
    rise = ROOF_TOP - WALL_TOP
    return ((SIDE**2 + rise**2) / (2 * rise)) ** 2 - y**2


def _on_rims(p: Array) -> BoolArray:
    """Return which points lie on the edge of a window or door of the side walls."""
    x, z = p[:, 0], p[:, 2]
    rim = np.zeros(len(p), dtype=bool)
    for x0, x1, z0, z1 in SIDE_OPENINGS:
        inside = (x > x0 - 1e-6) & (x < x1 + 1e-6) & (z > z0 - 1e-6) & (z < z1 + 1e-6)
        rim |= inside & (on_any(x, (x0, x1)) | on_any(z, (z0, z1)))
    return rim & near(np.abs(p[:, 1]), SIDE)


def _on_front_frame(p: Array) -> BoolArray:
    """Return which points lie on the pillars beside the windscreens or on the rails above and below them."""
    x, y, z = p.T
    y0, y1, z0, z1 = WINDSCREEN
    flat = z * WALL_TOP / _roof(y)
    pillar, rail = on_any(np.abs(y), (y0, y1)), on_any(flat, (z0, z1))
    return near(np.abs(x), HALF) & (z > -1e-6) & (pillar | rail)


def _behind_front(p: Array) -> Array:
    """Return offsets of the frame of a cab front towards the inside."""
    return np.column_stack([-0.04 * np.sign(p[:, 0]), np.zeros((len(p), 2))])


def _with_interfaces(body: FEModel) -> FEModel:
    """Name the places where other bodies attach."""
    pivots = [
        (bogie + along, side * MAIN_SILL, -SILL_DEPTH)
        for bogie in BOGIES
        for along in (-SUPPORT, SUPPORT)
        for side in (-1, 1)
    ]
    body = with_places(body, "pivots", "pivot", pivots)
    for end, x in (("front", HALF), ("rear", -HALF)):
        body = body.with_node_set(f"coupler {end}", [node_near(body, (x, 0.0, -SILL_DEPTH))])
        body = body.with_node_set(f"cab {end}", [node_near(body, (0.9 * x, 0.0, 0.0))])
    return body


def _with_machines(body: FEModel) -> FEModel:
    """Put the machines on the underframe."""
    for name, (mass, places, height) in MACHINES.items():
        mounts = [(x, side * y, 0.0) for x, y in places for side in (-1, 1)]
        body = with_machine(body, name, mass, mounts, height, STRUT, STEEL)
    return body


def _slanted_fronts(nodes: Array) -> Array:
    """Lean the upper part of both cab fronts back by up to 0.4 m over the last metre."""
    x, z = nodes[:, 0], nodes[:, 2]
    lean = 0.4 * np.clip((z - 1.0) / (ROOF_TOP - 1.0), 0.0, None) * np.clip(np.abs(x) - (HALF - 1.0), 0.0, None)
    return nodes - np.column_stack([np.sign(x) * lean, np.zeros((len(nodes), 2))])
