"""The finite element model of the railcar body, of the size and layout that Mikheev (2004, §3.3) gives.

An underframe of sills and cross beams with a deck carries two identical cabs, welded to it, and between them a saloon:
a stiffened shell of many posts, bolted to the underframe along its feet and touching the cabs through rubber gaskets.
x points forward, y to the left, z up from the deck. Engine, transmission and other machines are masses at nodes below
the deck. Lengths in m, masses in kg.

Mikheev gives 1273 nodes, 2478 beam and plate elements and 7474 dofs, 164 fewer than six for each node. Here these
are the dofs that saloon and rest share: three translations at the bolts of 2 · 21 feet; at the gaskets of 2 · 19 nodes
one, across the side walls, whose edges cover plates keep flush with those of the cabs, and along the roof, which the
cabs stop. Sections and stiffnesses are not published; `Design` holds those that `tuning` found.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from floatframe.arrays import Array, BoolArray
from floatframe.fem import (
    ElementBlock,
    FEModel,
    cut_openings,
    join,
    merge_nodes,
    mirror,
    node_near,
    sheet,
    tie_nodes,
    with_beams,
    with_machine,
    with_node,
    with_places,
    with_ribs,
)
from floatframe.samples.meshing import near, on_any
from floatframe.samples.railcar.design import (
    CAB_POST,
    CROSS_BEAM,
    DECK,
    LOAD,
    MACHINES,
    PANEL,
    RAIL,
    SIDE_SILL,
    STEEL,
    STRINGER,
    STRUT,
    Design,
)

SALOON, HALF, SIDE = 4.5, 6.9, 1.4  # half length of the saloon, which ends at the cabs, and of the deck; half width
LEVELS = (0.0, 0.35, 0.7, 1.05, 1.75, 2.1, 2.4)  # mesh lines up the walls
CENTRE, INNER = 0.3, 0.65  # |y| of the centre sills and of the stringers beside them
SILL, HEAD, TOP = LEVELS[3], LEVELS[4], LEVELS[6]  # lower and upper edge of the windows, edge of the roof
AXLE, SPREAD = 3.15, 0.45  # half wheelbase, distance of the springs from the axle along x
ALONG_SALOON = np.linspace(-SALOON, SALOON, 21)
ALONG_CAB = np.linspace(SALOON, HALF, 9)


def build(design: Design | None = None) -> FEModel:
    """Return the body.

    Node sets: "springs" (eight seats) and "dampers" (four brackets), also alone as "spring 1" …: from rear to front,
    right before left; "rear", "middle", "front" (measuring points on the frame), and the machines by name.
    """
    design = design or Design()
    cab = _cab(design)
    welded = merge_nodes(join(_underframe(design), cab, mirror(cab, "x"), name="railcar body"), 1e-4)
    body = _bolted(welded, _saloon(design))
    return _with_seats(_with_machines(replace(body, node_sets={}), design), design)


def on_springs(body: FEModel, design: Design | None = None) -> FEModel:
    """Return the body standing on its eight springs, wheelsets at rest."""
    seats = body.node_index(body.node_sets["springs"])
    stiffness = np.tile([*(design or Design()).spring, 0.0, 0.0, 0.0], (seats.size, 1))
    return body.with_block(ElementBlock("ground_spring", seats[:, None], data={"stiffness": stiffness}, name="springs"))


# parts


def _across(design: Design) -> Array:
    """Return the mesh lines across the body: centre line, sills, spring seats, sides."""
    right = np.array([-SIDE, -design.seat_side, -INNER, -CENTRE])
    return np.concatenate([right, [0.0], -right[::-1]])


def _underframe(design: Design) -> FEModel:
    """Return the deck with sills and cross beams below it."""
    x = np.concatenate([np.linspace(-HALF, -4.8, 8), ALONG_SALOON, np.linspace(4.8, HALF, 8)])
    y = _across(design)
    deck = sheet(x[None, :], y[:, None], 0.0, DECK, design.deck, "deck")
    braced = [*ALONG_SALOON, *ALONG_CAB[2::2], *-ALONG_CAB[2::2]]
    for name, section, pick in (
        ("centre sills", design.centre_sill, lambda p: near(np.abs(p[:, 1]), CENTRE)),
        ("side sills", SIDE_SILL, lambda p: near(np.abs(p[:, 1]), SIDE)),
        ("stringers", STRINGER, lambda p: on_any(np.abs(p[:, 1]), (0.0, design.seat_side))),
        ("cross beams", CROSS_BEAM, lambda p: on_any(p[:, 0], braced)),
    ):
        deck = with_ribs(deck, pick, section, STEEL, offset=(0.0, 0.0, -section.z_max), name=name)
    return deck


def _cab(design: Design) -> FEModel:
    """Return the front cab: four walls and a roof of thin panels on a frame of posts and rails."""
    x, y, z = ALONG_CAB, _across(design), np.array(LEVELS)
    walls: list[tuple[Any, Any, Any]] = [
        *((x[None, :], side, z[:, None]) for side in (-SIDE, SIDE)),
        *((end, y[None, :], z[:, None]) for end in (SALOON, HALF)),
        (x[None, :], y[:, None], TOP),
    ]
    skin = [sheet(*wall, PANEL, design.cab_panel, "cab panels") for wall in walls]
    cab = merge_nodes(join(*skin, name="cab"), 1e-4)
    cab = with_ribs(cab, _on_cab_frame, CAB_POST, STEEL, orientation=(0.6, 0.5, 0.4), name="cab frame")
    return cut_openings(cab, _in_cab_windows)


def _in_cab_windows(p: Array) -> BoolArray:
    """Return which points lie in the windscreen or in a side window of the cab."""
    x, y, z = p[:, 0], np.abs(p[:, 1]), p[:, 2]
    row = (z > SILL) & (z < HEAD)
    return row & ((near(x, HALF) & (y < 1.0)) | (near(y, SIDE) & (x > ALONG_CAB[3]) & (x < ALONG_CAB[6])))


def _on_cab_frame(p: Array) -> BoolArray:
    """Return which points lie on corner posts, posts of the ends, window rails, roof edges or the middle bow."""
    x, y, z = p[:, 0], np.abs(p[:, 1]), p[:, 2]
    end, side, roof = on_any(x, (SALOON, HALF)), near(y, SIDE), near(z, TOP)
    posts = (end & side) | (end & near(y, CENTRE))
    rails = (side | near(x, HALF)) & near(z, SILL)
    return posts | rails | (roof & (end | side | near(x, ALONG_CAB[4])))


def _saloon(design: Design) -> FEModel:
    """Return the saloon: side walls and roof with a post or bow at every station."""
    x, y, z = ALONG_SALOON, _across(design), np.array(LEVELS)
    walls: list[tuple[Any, Any, Any]] = [
        *((x[None, :], side, z[:, None]) for side in (-SIDE, SIDE)),
        (x[None, :], y[:, None], TOP),
    ]
    skin = [sheet(*wall, PANEL, design.saloon_panel, "saloon panels") for wall in walls]
    saloon = merge_nodes(join(*skin, name="saloon"), 1e-4)
    for name, section, pick in (
        ("saloon posts", design.post, lambda p: on_any(p[:, 0], ALONG_SALOON)),
        ("saloon rails", RAIL, lambda p: near(np.abs(p[:, 1]), SIDE) & on_any(p[:, 2], (0.0, SILL, HEAD, TOP))),
        ("roof purlins", RAIL, lambda p: near(p[:, 2], TOP) & near(p[:, 1], 0.0)),
    ):
        saloon = with_ribs(saloon, pick, section, STEEL, orientation=_inward, name=name)
    return cut_openings(saloon, _in_saloon_windows)


def _inward(p: Array) -> Array:
    """Return vectors across the wall or roof that points lie in."""
    roof = near(p[:, 2], TOP) & (np.abs(p[:, 1]) < SIDE - 1e-6)
    return np.where(roof[:, None], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0])


def _in_saloon_windows(p: Array) -> BoolArray:
    """Return which points lie in the band of windows between the posts."""
    return near(np.abs(p[:, 1]), SIDE) & (p[:, 2] > SILL) & (p[:, 2] < HEAD) & ~on_any(p[:, 0], ALONG_SALOON)


def _bolted(welded: FEModel, saloon: FEModel) -> FEModel:
    """Bolt the feet of the saloon to the side sills, and put its ends on the gaskets of the cabs."""
    body = join(welded, saloon, name=welded.name)
    body = tie_nodes(body, lambda p: near(p[:, 2], 0.0), "ux,uy,uz", "bolt")
    body = tie_nodes(body, lambda p: _at_cabs(p) & near(np.abs(p[:, 1]), SIDE), "uy", "gasket")
    return tie_nodes(body, lambda p: _at_cabs(p) & (np.abs(p[:, 1]) < SIDE - 1e-6), "ux", "gasket")


def _at_cabs(p: Array) -> BoolArray:
    """Return which points lie where the saloon ends, above the deck."""
    return near(np.abs(p[:, 0]), SALOON) & (p[:, 2] > 1e-6)


# what is put on the body


def _with_machines(body: FEModel, design: Design) -> FEModel:
    """Hang the machines under the centre sills, and put loads of cabs and saloon on the deck."""
    for name, (mass, x, y, depth) in MACHINES.items():
        mounts = [(place, side * y, 0.0) for place in x for side in (-1, 1)]
        body = with_machine(body, name, mass, mounts, -depth, STRUT, STEEL)
    ends = [(x, y, 0.0) for x in (-HALF, HALF) for y in (-CENTRE, CENTRE)]
    floor = [(x, side * SIDE, 0.0) for x in (-3.6, -1.8, 0.0, 1.8, 3.6) for side in (-1, 1)]
    for mass, places in ((design.end_mass, ends), (LOAD, floor)):
        for place in places:
            body = body.with_point_mass(_deck_node(body, place), mass / len(places))
    return body


def _deck_node(body: FEModel, place: tuple[float, float, float]) -> int:
    """Return the node of the deck at a place; the feet of the saloon stand at the same places and come later."""
    distance = np.abs(body.nodes - place).max(axis=1)
    return int(body.node_ids[np.flatnonzero(distance < distance.min() + 1e-6)[0]])


def _with_seats(body: FEModel, design: Design) -> FEModel:
    """Hang spring seats and damper brackets under the cross beams of the axles, and name the measuring points."""
    for single, shifts in (("spring", (-SPREAD, SPREAD)), ("damper", (0.0,))):
        along = [axle + shift for axle in (-AXLE, AXLE) for shift in shifts]
        places = [(x, side * design.seat_side, design.seat_height) for x in along for side in (-1, 1)]
        for x, y, z in places:
            body, node = with_node(body, (x, y, z))
            body = with_beams(body, [node, _deck_node(body, (x, y, 0.0))], STRUT, STEEL, name="struts")
        body = with_places(body, f"{single}s", single, places)
    for name, x in (("rear", -5.7), ("middle", 0.0), ("front", 5.7)):
        body = body.with_node_set(name, [node_near(body, (x, CENTRE, 0.0))])
    return body
