"""The finite element model of the frame, of the size and frequencies that Mikheev (2004, §3.4) gives.

Two plate girders 24.5 m long (x from the rear end, y to the left, z up from their top), tied by cross beams, with
plated platforms at both ends and walkways outside. The drive stands on struts, the hopper hangs between the girders on
a soft carrier, power unit, cabs and couplers are masses on the girders. The screens and the springs under the
frame are not part of it: node sets name the places where they attach. Lengths in m, masses in kg.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

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
    node_near,
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
SCREENS = ((2.5, 5.5), (16.6, 19.6))  # x of the springs under each screen
SUPPORTS = (2.65, 22.55)  # x of the frame's own springs
PLATFORMS = ((0.0, 4.5), (20.0, LENGTH))
SPACING = 1.25  # of cross beams
HOPPER = 12.5  # x of the carrier of the hopper, which takes the place of a cross beam

Place: TypeAlias = tuple[float, float, float]


@dataclass(frozen=True)
class Design:
    """Quantities that are not published; `tuning` says how height and carrier were found."""

    height: float = 1.45  # of the girders
    web: float = 0.017
    flange: float = 0.050
    plate: float = 0.0055  # platforms and walkways
    plate_density: float = 7850.0
    cross_beam: BeamSection = BeamSection.i_section(0.12, 0.24, 0.006, 0.010)  # noqa: RUF009  (a frozen value)
    edge_beam: BeamSection = BeamSection.channel(0.05, 0.10, 0.005, 0.007)  # noqa: RUF009
    density: float = 10500.0  # kg/m3, steel with pipes, conveyors and cables
    tied: int = 2  # every how many cross beams there is one between the lower flanges too
    drive: float = 3000.0  # excavating drive in the middle
    power_unit: float = 3400.0  # on the girders at the rear
    hopper: float = 3650.0  # between the girders in the middle, on a carrier instead of a cross beam
    carrier: float = 0.0915  # height of the carrier
    rear_end: float = 1650.0  # cab and coupler
    front_end: float = 3600.0  # the same


def build(design: Design | None = None) -> FEModel:
    """Return the free frame.

    Node sets: "points" and "point 1" … "point 8" (measuring points on the right girder), "screen 1" and "screen 2" with
    "screen 1 spring 1" … "screen 2 spring 4" (places under the springs of the screens: rear right, rear left, front
    right, front left), "supports" with "support 1" … "support 4", and the mass "drive".
    """
    design = design or Design()
    steel = Material(E=2.1e11, nu=0.3, rho=design.density, name="steel with equipment")
    x = mesh_lines(
        (0, LENGTH, MIDDLE, *POINTS, *PLATFORMS[0], *PLATFORMS[1], *SCREENS[0], *SCREENS[1], *SUPPORTS, HOPPER), 0.25
    )
    stations = np.unique(x[np.abs(x[:, None] - np.arange(0, LENGTH + 0.1, SPACING)).argmin(axis=0)])
    frame = merge_nodes(join(*_plates(x, design, steel), name="ballast cleaner frame"), 1e-4)
    frame = _with_beams(replace(frame, node_sets={}), stations, design, steel)
    return _with_places(_with_machinery(frame, design), design)


def _plates(x: Array, design: Design, steel: Material) -> list[FEModel]:
    """Return webs, flanges, platforms and walkways, not yet joined."""
    rows = np.linspace(-1.0, 0.0, 4)[:, None]
    across = np.array([-FLANGE, 0.0, FLANGE])[:, None]
    plain = replace(steel, rho=design.plate_density, name="steel plates")
    parts = []
    for side in (-1, 1):
        y = side * GIRDER
        parts += [
            sheet(x[None, :], y, rows * design.height, design.web, steel, "webs"),
            sheet(x[None, :], y + across, 0.0, design.flange, steel, "upper flanges"),
            sheet(x[None, :], y + across, -design.height, design.flange, steel, "lower flanges"),
            sheet(x[None, :], side * np.array([[GIRDER + FLANGE], [WALKWAY]]), 0.0, design.plate, plain, "walkways"),
        ]
    for ends in PLATFORMS:
        parts.append(sheet(lines_between(x, *ends)[None, :], _inner()[:, None], 0.0, design.plate, plain, "platforms"))
    return parts


def _with_beams(frame: FEModel, stations: Array, design: Design, steel: Material) -> FEModel:
    """Add cross beams, edge beams of the walkways with brackets, rails on the girders and stiffeners of the webs."""
    for number, x in enumerate(stations):
        levels = (0.0,) if number % design.tied else (0.0, -design.height)
        for level in levels:
            if level < 0.0 or not near(x, HOPPER):
                offset = (0.0, 0.0, 0.12 if level < 0.0 else -0.12)
                frame = _with_cross_beam(frame, (x, level), design.cross_beam, steel, offset, "cross beams")
    carrier = BeamSection.i_section(0.12, design.carrier, 0.006, 0.010)
    frame = _with_cross_beam(frame, (HOPPER, 0.0), carrier, steel, (0.0, 0.0, 0.0), "carriers")

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


def _with_cross_beam(
    frame: FEModel, place: tuple[float, float], section: BeamSection, steel: Material, offset: Place, name: str
) -> FEModel:
    """Tie the girders by a beam across at x and z; its nodes are those that stand there, or new ones."""
    chain = []
    for y in (-GIRDER, *_inner(), GIRDER):
        frame, node = with_node(frame, (place[0], y, place[1]))
        chain.append(node)
    return with_beams(frame, chain, section, steel, offsets=offset, name=name)


def _inner() -> Array:
    """Return the mesh lines between the flanges."""
    return np.linspace(-GIRDER + FLANGE, GIRDER - FLANGE, 5)


def _with_machinery(frame: FEModel, design: Design) -> FEModel:
    """Put the drive on struts, the hopper on its carrier, power unit, cabs and couplers on the girders."""
    steel = Material(E=2.1e11, nu=0.3, rho=7850.0, name="steel")
    strut = BeamSection.box(0.15, 0.15, 0.010, 0.010)
    frame = with_machine(frame, "drive", design.drive, _on_girders(MIDDLE - 0.5, MIDDLE + 0.5), 0.6, strut, steel)
    for total, places in (
        (design.power_unit, _on_girders(4.5, 6.5)),
        (design.hopper, [(HOPPER, 0.0, 0.0)]),
        (design.rear_end, _on_girders(0.0)),
        (design.front_end, _on_girders(LENGTH)),
    ):
        for place in places:
            frame = frame.with_point_mass(node_near(frame, place), total / len(places))
    return frame


def _on_girders(*stations: float) -> list[Place]:
    """Return the places on top of both girders at some x, the right one first."""
    return [(x, side * GIRDER, 0.0) for x in stations for side in (-1, 1)]


def _with_places(frame: FEModel, design: Design) -> FEModel:
    """Name the measuring points and the places of all springs."""
    frame = with_places(frame, "points", "point", [(x, -GIRDER, 0.0) for x in POINTS])
    for number, ends in enumerate(SCREENS, start=1):
        frame = with_places(frame, f"screen {number}", f"screen {number} spring", _on_girders(*ends))
    below = [(x, side * GIRDER, -design.height) for x in SUPPORTS for side in (-1, 1)]
    return with_places(frame, "supports", "support", below)
