"""The finite element model of the frame, of the size and frequencies that Mikheev (2004, §3.4) gives.

Two plate girders 24.5 m long (x from the rear end, y to the left, z up from their top), lower in the middle to clear
the excavating chain, tied by cross beams, with plated platforms at both ends and walkways outside; the machinery on
the frame is a mass on struts for each unit. The screens and the springs under the frame are not part of it: node sets
name the places where they attach. Lengths in m, masses in kg.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from floatframe.arrays import Array, BoolArray
from floatframe.fem import (
    BeamSection,
    FEModel,
    Material,
    join,
    lines_between,
    merge_nodes,
    mesh_lines,
    sheet,
    with_beams,
    with_machine,
    with_node,
    with_places,
    with_ribs,
)
from floatframe.samples.meshing import near, on_any

LENGTH, MIDDLE = 24.5, 12.25
GIRDER, FLANGE, WALKWAY = 0.95, 0.15, 1.5  # |y| of girders, half width of their flanges, |y| of the walkways' edges
POINTS = (2.35, 5.25, 8.70, 11.70, 14.70, 18.25, 21.15, 23.50)  # measuring points
SCREENS = ((5.25, 8.70), (14.70, 18.25))  # x of the springs under each screen
SUPPORTS = (2.35, 21.15)  # x of the frame's own springs
PLATFORMS = ((0.0, 4.5), (20.0, LENGTH))
SPACING = 1.25  # of cross beams


@dataclass(frozen=True)
class Design:
    """What was tuned to bring the frequencies of the free frame close to the published ones."""

    height: float = 0.575  # of the girders
    neck: float = 0.290  # height in the middle
    neck_length: float = 2.0  # of the low part; it rises over another metre at each end
    web: float = 0.010
    flange: float = 0.016
    plate: float = 0.0071  # platforms and walkways
    plate_density: float = 7850.0
    cross_beam: BeamSection = BeamSection.i_section(0.12, 0.24, 0.006, 0.010)  # noqa: RUF009  (a frozen value)
    edge_beam: BeamSection = BeamSection.channel(0.05, 0.10, 0.005, 0.007)  # noqa: RUF009
    density: float = 12200.0  # kg/m3, steel with pipes, conveyors and cables
    tied: int = 2  # every how many cross beams there is one between the lower flanges too
    drive: float = 5000.0  # excavating drive in the middle
    units: float = 7000.0  # power unit and hopper, each


def build(design: Design | None = None) -> FEModel:
    """Return the free frame.

    Node sets: "points" and "point 1" … "point 8" (measuring points on the left girder), "screen 1" and "screen 2" with
    "screen 1 spring 1" … "screen 2 spring 4" (places under the springs of the screens: rear right, rear left, front
    right, front left), "supports" with "support 1" … "support 4", and the machinery "power unit", "drive", "hopper".
    """
    design = design or Design()
    steel = Material(E=2.1e11, nu=0.3, rho=design.density, name="steel with equipment")
    x = mesh_lines((0, LENGTH, MIDDLE, *POINTS, *PLATFORMS[0], *PLATFORMS[1]), 0.25)
    stations = np.unique(x[np.abs(x[:, None] - np.arange(0, LENGTH + 0.1, SPACING)).argmin(axis=0)])
    frame = merge_nodes(join(*_plates(x, design, steel), name="ballast cleaner frame"), 1e-4)
    frame = _with_beams(replace(frame, node_sets={}), stations, design, steel)
    return _with_places(_with_machinery(frame, design), design)


def _plates(x: Array, design: Design, steel: Material) -> list[FEModel]:
    """Return webs, flanges, platforms and walkways, not yet joined."""
    depth = _height(x, design)
    rows = np.linspace(-1.0, 0.0, 4)[:, None]
    across = np.array([-FLANGE, 0.0, FLANGE])[:, None]
    plain = replace(steel, rho=design.plate_density, name="steel plates")
    parts = []
    for side in (-1, 1):
        y = side * GIRDER
        parts += [
            sheet(x[None, :], y, rows * depth, design.web, steel, "webs"),
            sheet(x[None, :], y + across, 0.0, design.flange, steel, "upper flanges"),
            sheet(x[None, :], y + across, -depth[None, :], design.flange, steel, "lower flanges"),
            sheet(x[None, :], side * np.array([[GIRDER + FLANGE], [WALKWAY]]), 0.0, design.plate, plain, "walkways"),
        ]
    for ends in PLATFORMS:
        parts.append(sheet(lines_between(x, *ends)[None, :], _inner()[:, None], 0.0, design.plate, plain, "platforms"))
    return parts


def _height(x: Array, design: Design) -> Array:
    """Return the height of the girders, lower in the middle."""
    rise = np.clip(np.abs(x - MIDDLE) - design.neck_length / 2, 0.0, 1.0)
    return design.neck + (design.height - design.neck) * rise


def _with_beams(frame: FEModel, stations: Array, design: Design, steel: Material) -> FEModel:
    """Add cross beams, edge beams of the walkways with brackets, rails on the girders and stiffeners of the webs."""
    depth = _height(stations, design)
    for number, place in enumerate(stations):
        levels = (0.0,) if number % design.tied else (0.0, -depth[number])
        for level in levels:
            frame = _with_cross_beam(frame, place, level, design, steel)

    def on_web(p: Array) -> BoolArray:
        return near(np.abs(p[:, 1]), GIRDER)

    def on_walkway(p: Array) -> BoolArray:
        return np.asarray(np.abs(p[:, 1]) > GIRDER + FLANGE - 1e-6)

    def at_stations(p: Array) -> BoolArray:
        return on_any(p[:, 0], stations)

    flat, rail = BeamSection.rectangle(0.10, 0.010), BeamSection.rectangle(0.05, 0.03)
    below = (0.0, 0.0, -0.05)
    for name, pick, section, orientation, offset in (
        ("stiffeners", lambda p: on_web(p) & at_stations(p), flat, (1, 0, 0), (0, 0, 0)),
        ("rails", lambda p: on_web(p) & near(p[:, 2], 0.0), rail, (0, 0, 1), (0, 0, 0.02)),
        ("brackets", lambda p: on_walkway(p) & at_stations(p), design.edge_beam, (0, 0, 1), below),
        ("edge beams", lambda p: near(np.abs(p[:, 1]), WALKWAY), design.edge_beam, (0, 0, 1), below),
    ):
        frame = with_ribs(frame, pick, section, steel, orientation, offset, name)
    return frame


def _with_cross_beam(frame: FEModel, x: float, z: float, design: Design, steel: Material) -> FEModel:
    """Tie the girders by a beam across at one place and level; its nodes are those that stand there, or new ones."""
    chain = []
    for y in (-GIRDER, *_inner(), GIRDER):
        frame, node = with_node(frame, (x, y, z))
        chain.append(node)
    offset = (0.0, 0.0, -0.12 if z == 0.0 else 0.12)
    return with_beams(frame, chain, design.cross_beam, steel, offsets=offset, name="cross beams")


def _inner() -> Array:
    """Return the mesh lines between the flanges."""
    return np.linspace(-GIRDER + FLANGE, GIRDER - FLANGE, 5)


def _with_machinery(frame: FEModel, design: Design) -> FEModel:
    """Put the units on both girders."""
    steel = Material(E=2.1e11, nu=0.3, rho=7850.0, name="steel")
    strut = BeamSection.box(0.15, 0.15, 0.010, 0.010)
    for name, mass, x, half in (
        ("power unit", design.units, 4.0, 1.0),
        ("drive", design.drive, MIDDLE, 0.5),
        ("hopper", design.units, 20.5, 1.0),
    ):
        mounts = [(x + s * half, t * GIRDER, 0.0) for s in (-1, 1) for t in (-1, 1)]
        frame = with_machine(frame, name, mass, mounts, 0.6, strut, steel)
    return frame


def _with_places(frame: FEModel, design: Design) -> FEModel:
    """Name the measuring points and the places of all springs."""
    frame = with_places(frame, "points", "point", [(x, GIRDER, 0.0) for x in POINTS])
    for number, ends in enumerate(SCREENS, start=1):
        seats = [(x, side * GIRDER, 0.0) for x in ends for side in (-1, 1)]
        frame = with_places(frame, f"screen {number}", f"screen {number} spring", seats)
    below = [(x, side * GIRDER, -design.height) for x in SUPPORTS for side in (-1, 1)]
    return with_places(frame, "supports", "support", below)
