"""The parts of a mesh file: every type with its keys and the builder that makes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.fem import builders
from floatframe.fem.builders import BeamRib, ShellRib
from floatframe.fem.meshfile import picks, values as v
from floatframe.fem.meshfile.context import XYZ, Context, Field, Late
from floatframe.fem.meshfile.placing import PLACING
from floatframe.fem.meshfile.properties import material, section
from floatframe.fem.model import FEModel
from floatframe.fem.properties import Material
from floatframe.tomlfile import Key, Spot, choice, read_keys

SURFACE = ("u", "v", *XYZ)


@dataclass(frozen=True)
class Kind:
    """A type of part or feature: what makes it, and its own keys."""

    make: Callable[..., FEModel]
    keys: Mapping[str, Key]
    about: str


def _beam(a: Array, b: Array, offset: Array | None = None, **more: Any) -> FEModel:
    return builders.beam_line(a, b, offsets=offset, **more)


def _frame(lines: list[list[Array]], **more: Any) -> FEModel:
    places: dict[tuple[float, ...], int] = {}
    rows = [[places.setdefault(tuple(end.tolist()), len(places)) for end in line] for line in lines]
    return builders.frame(np.array(list(places)), rows, **more)


def _sheet(u: Array, v: Array, name: str, thickness: float, material: Material, **fields: Field) -> FEModel:
    """Return the surface x, y, z over mesh lines u (along a row) and v (from row to row)."""
    env = {"u": u[None, :], "v": v[:, None]}
    waiting = dict(fields)
    while waiting:
        ready = [axis for axis, field in waiting.items() if not field.names & waiting.keys()]
        if not ready:
            raise ModelError(f"{', '.join(waiting)} depend on each other; write one of them with u and v alone")
        for axis in ready:
            env[axis] = waiting.pop(axis).finite({key: env[key] for key in env})
    part = builders.sheet(env["x"], env["y"], env["z"], thickness, material, name)
    return replace(part, node_sets={})  # its sides have no names of their own


def _shell(points: Array, elements: list[list[int]], **more: Any) -> FEModel:
    return builders.shell_mesh(points, [[number - 1 for number in element] for element in elements], **more)


def _panel(rib: dict[str, Any] | None = None, **more: Any) -> FEModel:
    made = None if rib is None else BeamRib(**rib) if "section" in rib else ShellRib(**rib)
    return builders.stiffened_panel(**more, rib=made)


def _from_file(context: Context, name: str, file: Any, **options: Any) -> FEModel:
    return replace(context.read_part(file, options), name=name)


def _defined(context: Context, name: str, use: Spot, parameters: Mapping[str, float] | None = None) -> FEModel:
    return replace(context.make_part(use, parameters or {}), name=name)


def _lines_of_points(spot: Spot) -> Late:
    """Pairs of points."""
    pairs = spot.entries() if isinstance(spot.value, list) else []
    if not pairs or not all(isinstance(pair.value, list) and len(pair.value) == 2 for pair in pairs):
        raise spot.wrong('a list of pairs of points such as [["A", "B"], ["B", "C"]]')
    ends = [[v.point(end) for end in pair.entries()] for pair in pairs]
    return lambda context: [[np.asarray(end(context), dtype=float) for end in pair] for pair in ends]


def _elements(spot: Spot) -> Late:
    """Rows of numbers of points, from 1."""
    if not isinstance(spot.value, list) or not all(isinstance(row, list) for row in spot.value):
        raise spot.wrong("a list of elements, each a list of numbers of points from 1")
    rows = [[v.count(entry) for entry in row.entries()] for row in spot.entries()]
    return lambda context: [[entry(context) for entry in row] for row in rows]


def _rib(spot: Spot) -> Late:
    """A rib of beams { section, offset } or of shells { height, thickness, rows }."""
    beams = isinstance(spot.value, dict) and "section" in spot.value
    given = read_keys(spot, BEAM_RIB if beams else SHELL_RIB, "a rib of beams" if beams else "a rib of shells")
    return lambda context: {key: late(context) for key, late in given.items()}


def _spot(spot: Spot) -> Late:
    v.word(spot)
    return lambda context: spot


def _needed(**keys: tuple[str, Callable[[Spot], Late]]) -> dict[str, Key]:
    return {name: Key(meaning, read, required=True) for name, (meaning, read) in keys.items()}


MADE_OF = {"material": Key("name in [materials] or in the library, or { E, nu, rho }", material, required=True)}
SECTION = {"section": Key('name in [sections], "IPE 200", or { type, … }', section, required=True)}
ORIENTATION = {"orientation": Key("a vector in the plane of local x and z (default: see the beam element)", v.vector)}
_BEAM_KIND = {"kind": Key('"beam", "beam_cubic_mass" or "truss"', v.one_of("beam", "beam_cubic_mass", "truss"),
                          default='"beam"')}  # fmt: skip
_WALL = {
    "thickness": Key("of the shells [m]", v.positive, required=True),
    **MADE_OF,
    "offset": Key("of the mid-surface from the nodes along the normal [m]", v.number, default="0"),
}
_FLAT = _needed(
    lx=("length along x [m]", v.positive),
    ly=("width along y [m]", v.positive),
    nx=("elements along x", v.count),
    ny=("elements along y", v.count),
)
_PLAIN_WALL = {key: _WALL[key] for key in ("thickness", "material")}
_WALLS = ("xmin", "xmax", "ymin", "ymax", "zmin", "zmax")
_SOLIDS = (
    *("hex8", "hex20_reduced", "hex20", "tet4", "tet10", "wedge6", "wedge15"),
    *("pyramid5", "pyramid13"),
)
BEAM_RIB = {**SECTION, "offset": Key("height z of its centroid [m]", v.number, default="0")}
SHELL_RIB = {
    **_needed(height=("towards +z, negative below [m]", v.number), thickness=("of its shells [m]", v.positive)),
    "rows": Key("elements over the height", v.count, default="1"),
}


def _walls(spot: Spot) -> Late:
    """Names of walls."""
    if not isinstance(spot.value, list):
        raise spot.wrong("a list of walls such as " + ", ".join(_WALLS[:2]))
    found = [choice(*_WALLS)(entry) for entry in spot.entries()]
    return lambda context: found


PARTS = {
    "beam": Kind(
        _beam,
        {
            **_needed(a=("where it starts", v.point), b=("where it ends", v.point), n=("number of elements", v.count)),
            **SECTION,
            **MADE_OF,
            **ORIENTATION,
            "offset": Key("from the nodes to the centroid [m]", v.vector, default="[0, 0, 0]"),
            **_BEAM_KIND,
        },
        'a straight beam; node sets "start", "end"',
    ),
    "frame": Kind(
        _frame,
        {
            "lines": Key('pairs of points: [["A", "B"], ["B", "C"]]', _lines_of_points, required=True),
            "n": Key("number of elements of each line", v.count, default="1"),
            **SECTION,
            **MADE_OF,
            **ORIENTATION,
            **_BEAM_KIND,
        },
        'beams between points, joined where they share one; node set "points"',
    ),
    "plate": Kind(
        builders.plate_grid,
        {
            **_FLAT,
            **_WALL,
            "triangles": Key("true: triangles, two for each quadrilateral", v.flag, default="false"),
            "quadratic": Key("true: elements with nodes on their sides", v.flag, default="false"),
        },
        'a rectangle 0…lx, 0…ly in z = 0; node sets "xmin" … "ymax", "edges", "corners"',
    ),
    "patch": Kind(
        builders.quad_patch,
        {
            **_needed(
                corners=("four points, counter-clockwise round the normal", v.points),
                nx=("elements from corner 1 to 2", v.count),
                ny=("elements from corner 2 to 3", v.count),
            ),
            **_WALL,
        },
        "a surface between four corners",
    ),
    "sheet": Kind(
        _sheet,
        {
            **_needed(
                u=("mesh lines along a row", v.lines),
                v=("mesh lines from row to row", v.lines),
                x=("x [m], an expression of u, v and the other coordinates", v.expression(*SURFACE)),
                y=("y [m], likewise", v.expression(*SURFACE)),
                z=("z [m], likewise", v.expression(*SURFACE)),
            ),
            **_PLAIN_WALL,
        },
        "any surface x(u, v), y(u, v), z(u, v) over mesh lines",
    ),
    "shell": Kind(
        _shell,
        {
            **_needed(
                points=("its nodes", v.points),
                elements=("rows of three, four, six or eight numbers of points, from 1", _elements),
            ),
            **_WALL,
        },
        "shells between given points",
    ),
    "extrusion": Kind(
        builders.extrusion,
        {
            **_needed(
                profile=("points of the swept line", v.points),
                vector=("the way [m]", v.vector),
                n=("elements along it", v.count),
            ),
            **_WALL,
            "closed": Key("true: the last point is joined to the first", v.flag, default="false"),
        },
        "a shell swept by a line of points",
    ),
    "revolution": Kind(
        builders.revolution,
        {
            **_needed(
                profile=("points of the turned line", v.points),
                axis=('"x", "y", "z" or a vector', v.axis),
                n=("elements around it", v.count),
            ),
            **_WALL,
            "angle": Key("[rad]", v.number, default="2*pi"),
            "origin": Key("a point of the axis", v.point, default="[0, 0, 0]"),
        },
        "a shell made by turning a line of points",
    ),
    "box": Kind(
        builders.box,
        {
            **_FLAT,
            **_needed(lz=("height along z [m]", v.positive), nz=("elements along z", v.count)),
            **_PLAIN_WALL,
            "walls": Key("which walls exist (default: all six)", _walls),
        },
        'a box of shells with outward normals; sets "xmin" … "zmax"',
    ),
    "panel": Kind(
        _panel,
        {
            **_FLAT,
            **_PLAIN_WALL,
            "rib": Key("{ section, offset } of beams or { height, thickness, rows } of shells", _rib),
            "ribs_x": Key("y of the ribs along x [m]", v.lines),
            "ribs_y": Key("x of the ribs along y [m]", v.lines),
            "openings": Key("regions that are cut out", picks.regions),
        },
        'a plate with ribs and openings; element sets "plate", "ribs"',
    ),
    "solid": Kind(
        builders.solid_box,
        {
            **_needed(size=("lengths along x, y, z [m]", v.vector), divisions=("elements along x, y, z", v.counts)),
            **MADE_OF,
            "kind": Key(", ".join(f'"{kind}"' for kind in _SOLIDS), v.one_of(*_SOLIDS), default='"hex8"'),
            "origin": Key("its lowest corner", v.point, default="[0, 0, 0]"),
        },
        'a block of solid elements; node sets "xmin" … "zmax"',
    ),
    "file": Kind(
        _from_file,
        {
            "file": Key("a deck, CAD mesh, .h5 or other mesh file, relative to this one", v.file, required=True),
            "units": Key('of a file from another program: "mm-t-s" …', v.word, default='"SI"'),
            "material": Key("of a CAD mesh, which has none of its own: as of other parts", material),
            "thickness": Key("of its shells [m]", v.positive),
            "parameters": Key("other values for the parameters of a mesh file", v.named_values),
        },
        "a model from another file; its sets, masses, couplings and supports come with it",
    ),
    "use": Kind(
        _defined,
        {
            "use": Key("the NAME of a [define.NAME] in this file", _spot, required=True),
            "parameters": Key("values for its parameters", v.named_values),
        },
        "a model defined in this file",
    ),
}  # fmt: skip
WITH_CONTEXT = ("file", "use")  # types whose parts are made elsewhere
COMMON = {
    "type": Key("the type", v.word, required=True),
    "name": Key("the name of its element set (default: the type); like parts may share one", v.word),
    "for": Key("{ NAME = [values] }: once for every value, which NAME stands for; NAME.number counts", v.loops),
    "when": Key("only if this is true", v.number),
}
PART_KEYS = {**COMMON, **PLACING}
