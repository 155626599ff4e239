"""The finite element model of the railcar body, of the size and frequencies that Mikheev (2004, §3.3) gives.

An underframe of sills and cross beams with a timber deck, a driver's cab of thin panels at the front (x forward, y to
the left, z up from the deck), an engine hood in the middle and railings round the platform; machines are masses on
their mounts. Four spring seats under the frame are the interface nodes. Lengths in m, masses in kg.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from floatframe.arrays import Array, BoolArray
from floatframe.fem import (
    BeamSection,
    ElementBlock,
    FEModel,
    Material,
    cut_openings,
    frame,
    in_box,
    join,
    merge_nodes,
    with_beams,
    with_ribs,
)
from floatframe.samples.machinery import node_near, with_machine, with_node, with_places
from floatframe.samples.meshing import between, mesh_lines, near, on_any, sheet

HALF, SIDE, CENTRE, SEAT = 6.5, 1.4, 0.35, 0.95  # half length and width of the deck, centre sills, spring seats (|y|)
CAB, CAB_HEIGHT, WAIST = 3.5, 2.2, 1.1  # rear wall of the cab (it ends at the front), its height, window sill
HOOD, HOOD_HEIGHT = (-0.5, 2.5), 0.8  # engine hood between the centre sills
RAIL = 1.0  # height of the platform railing
LOCKERS = (-4.0, -2.5, -0.5, 1.0)  # places of the tool lockers
AXLE = 3.0  # half distance of the wheelsets
STATIONS = np.arange(-HALF, HALF + 0.1, 0.5)  # cross beams

STRUT = BeamSection.box(0.15, 0.15, 0.010, 0.010)
STEEL = Material(E=2.1e11, nu=0.3, rho=7850.0, name="steel")


@dataclass(frozen=True)
class Design:
    """What was tuned to bring the frequencies on the springs close to the published ones."""

    centre_sill: BeamSection = BeamSection.i_section(0.12, 0.43, 0.010, 0.016)  # noqa: RUF009  (a frozen value)
    side_sill: BeamSection = BeamSection.channel(0.05, 0.10, 0.005, 0.007)  # noqa: RUF009
    cross_beam: BeamSection = BeamSection.channel(0.04, 0.08, 0.004, 0.005)  # noqa: RUF009
    post: BeamSection = BeamSection.box(0.05, 0.05, 0.003, 0.003)  # noqa: RUF009
    deck_modulus: float = 4e7  # Pa, loose planks carry little shear
    deck_density: float = 1800.0  # kg/m3, with material lying on it
    panel: float = 0.0013  # thickness of cab and hood panels
    panel_density: float = 16000.0  # kg/m3, with insulation and trim
    engine: float = 3300.0
    crane: float = 1900.0
    lockers: float = 5300.0  # tool lockers along both sides of the platform
    seat: float = -0.2  # height of the spring seats
    spring: tuple[float, float, float] = (3.12e5, 3.0e5, 3.02e5)  # N/m along x, y, z of each of the four springs


def build(design: Design | None = None) -> FEModel:
    """Return the body.

    Node sets: "springs" (the four seats, also alone as "spring 1" … "spring 4": rear right, rear left, front right,
    front left), "rear", "middle", "front" (measuring points on the frame), "engine" and "crane".
    """
    design = design or Design()
    parts = [*_sheets(design), _railing(design)]
    body = merge_nodes(join(*parts, name="railcar body"), 1e-4)
    body = cut_openings(replace(body, node_sets={}), *_OPENINGS)
    return _with_seats(_with_machines(_with_beams(body, design), design), design)


_OPENINGS = (
    in_box((4.0, -SIDE, WAIST), (5.5, SIDE, 1.8)),  # side windows
    in_box((HALF, -SEAT, WAIST), (HALF, SEAT, 1.8)),  # windscreen
    in_box((CAB, -CENTRE, 0.01), (CAB, CENTRE, 1.8)),  # door to the platform
)


def _sheets(design: Design) -> list[FEModel]:
    """Return deck, cab and hood, not yet joined."""
    timber = Material(E=design.deck_modulus, nu=0.3, rho=design.deck_density, name="timber deck")
    trimmed = replace(STEEL, rho=design.panel_density, name="steel with trim")
    x = mesh_lines((-HALF, HALF, CAB, *HOOD, -AXLE, AXLE), 0.25)
    y = mesh_lines([s * v for s in (-1, 1) for v in (0, CENTRE / 2, CENTRE, SEAT, SIDE)], 0.25)
    z = mesh_lines((0, WAIST, 1.8, CAB_HEIGHT), 0.3)
    cab, hood = between(x, CAB, HALF), between(x, *HOOD)
    inner, rise = between(y, -CENTRE, CENTRE), mesh_lines((0, HOOD_HEIGHT), 0.4)
    walls = [
        *((cab[None, :], side, z[:, None]) for side in (-SIDE, SIDE)),
        *((end, y[None, :], z[:, None]) for end in (CAB, HALF)),
        (cab[None, :], y[:, None], CAB_HEIGHT),
        *((hood[None, :], side, rise[:, None]) for side in (-CENTRE, CENTRE)),
        *((end, inner[None, :], rise[:, None]) for end in HOOD),
        (hood[None, :], inner[:, None], HOOD_HEIGHT),
    ]
    deck = sheet(x[None, :], y[:, None], 0.0, 0.05, timber, "deck")
    return [deck, *(sheet(*wall, design.panel, trimmed, "panels") for wall in walls)]


def _railing(design: Design) -> FEModel:
    """Return posts and a rail along both sides of the platform and across its rear."""
    feet = [(x, s * SIDE) for s in (-1, 1) for x in STATIONS if x < CAB - 0.1] + [(-HALF, 0.0)]
    points = [(x, y, z) for z in (0.0, RAIL) for x, y in feet]
    n, half = len(feet), len(feet) // 2
    row = [*range(half - 1, -1, -1), n - 1, *range(half, n - 1)]  # from the cab round the rear to the cab
    lines = [(k, k + n) for k in range(n)] + [(a + n, b + n) for a, b in pairwise(row)]
    return frame(np.array(points), lines, design.post, STEEL, name="railing")


def _in_deck(pick: Callable[[Array], BoolArray]) -> Callable[[Array], BoolArray]:
    """Return a choice of points that lie in the deck too."""
    return lambda p: pick(p) & near(p[:, 2], 0.0)


def _with_beams(body: FEModel, design: Design) -> FEModel:
    """Add the underframe below the deck and the framing of cab and hood."""
    for name, section, pick in (
        ("centre sills", design.centre_sill, lambda p: near(np.abs(p[:, 1]), CENTRE)),
        ("side sills", design.side_sill, lambda p: near(np.abs(p[:, 1]), SIDE)),
        ("stringers", design.post, lambda p: on_any(np.abs(p[:, 1]), (0.0, CENTRE / 2, SEAT))),
        ("cross beams", design.cross_beam, lambda p: on_any(p[:, 0], STATIONS)),
    ):
        body = with_ribs(
            body,
            _in_deck(pick),
            section,
            STEEL,
            offset=(0.0, 0.0, -0.025 - section.z_max),
            name=name,
        )
    # the square tube is the same in all directions across it
    return with_ribs(body, _on_framing, design.post, STEEL, orientation=(0.6, 0.5, 0.4), name="framing")


def _on_framing(p: Array) -> BoolArray:
    """Return which points lie on posts, rails and bows of the cab or on the edges of the hood."""
    x, y, z = p[:, 0], np.abs(p[:, 1]), p[:, 2]
    ends = on_any(x, (CAB, HALF))
    posts = (near(y, SIDE) & on_any(x, STATIONS)) | (ends & on_any(y, (0.0, CENTRE, SEAT)))
    rails = on_any(z, (WAIST, 1.8, CAB_HEIGHT)) & (near(y, SIDE) | ends)
    bows = near(z, CAB_HEIGHT) & (on_any(x, STATIONS) | on_any(y, (0.0, SEAT)))
    cab = (x > CAB - 1e-6) & (z > -1e-6) & (posts | rails | bows)
    in_hood = (x > HOOD[0] - 1e-6) & (x < HOOD[1] + 1e-6) & (y < CENTRE + 1e-6)
    corners = near(y, CENTRE) & on_any(x, np.arange(HOOD[0], HOOD[1] + 0.1, 1.0))
    return np.asarray(cab | (in_hood & (corners | (near(z, HOOD_HEIGHT) & (near(y, CENTRE) | on_any(x, HOOD))))))


def _with_machines(body: FEModel, design: Design) -> FEModel:
    """Put engine and crane on the centre sills and the lockers on the side sills."""
    for name, mass, places, height in (
        ("engine", design.engine, (0.0, 2.0), 0.4),
        ("crane", design.crane, (-5.5, -4.5), 1.0),
    ):
        mounts = [(x, side * CENTRE, 0.0) for x in places for side in (-1, 1)]
        body = with_machine(body, name, mass, mounts, height, STRUT, STEEL)
    for x in LOCKERS:
        for side in (-1, 1):
            body = body.with_point_mass(node_near(body, (x, side * SIDE, 0.0)), design.lockers / (2 * len(LOCKERS)))
    return body


def _with_seats(body: FEModel, design: Design) -> FEModel:
    """Hang the spring seats under the cross beams of the axles and name the measuring points."""
    places = [(x, side * SEAT, design.seat) for x in (-AXLE, AXLE) for side in (-1, 1)]
    for x, y, z in places:
        body, node = with_node(body, (x, y, z))
        body = with_beams(body, [node, node_near(body, (x, y, 0.0))], STRUT, STEEL, name="struts")
    body = with_places(body, "springs", "spring", places)
    for name, x in (("rear", -AXLE), ("middle", 0.0), ("front", AXLE)):
        body = body.with_node_set(name, [node_near(body, (x, CENTRE, 0.0))])
    return body


def on_springs(body: FEModel, design: Design | None = None) -> FEModel:
    """Return the body standing on its four springs, wheelsets at rest."""
    seats = body.node_index(body.node_sets["springs"])
    stiffness = np.tile([*(design or Design()).spring, 0.0, 0.0, 0.0], (seats.size, 1))
    return body.with_block(ElementBlock("ground_spring", seats[:, None], data={"stiffness": stiffness}, name="springs"))
