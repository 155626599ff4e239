"""Stiffened panels and boxes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from floatframe.arrays import AnyArray, Array
from floatframe.errors import ModelError
from floatframe.fem.builders import _checks as check
from floatframe.fem.builders.joining import element_numbers, join, merge_nodes
from floatframe.fem.builders.picks import in_box
from floatframe.fem.builders.plates import plate_grid
from floatframe.fem.builders.regions import cut_openings
from floatframe.fem.builders.ribs import with_ribs
from floatframe.fem.builders.surfaces import extrusion, quad_patch, segment
from floatframe.fem.model import FEModel
from floatframe.fem.properties import BeamSection, Material

WALLS = ("xmin", "xmax", "ymin", "ymax", "zmin", "zmax")


@dataclass(frozen=True)
class BeamRib:
    """A rib made of beams."""

    section: BeamSection
    offset: float = 0.0  # height z of the centroid [m]


@dataclass(frozen=True)
class ShellRib:
    """A rib made of shells that stand on a plate."""

    height: float  # towards +z [m], negative for a rib below the plate
    thickness: float  # of the shells [m]
    rows: int = 1  # elements over the height

    def __post_init__(self) -> None:
        check.positive(abs(self.height), "rib: height")
        check.positive(self.thickness, "rib: thickness")
        check.count(self.rows, "rib: rows")


def stiffened_panel(
    lx: float,
    ly: float,
    nx: int,
    ny: int,
    thickness: float,
    material: Material,
    *,
    rib: BeamRib | ShellRib | None = None,
    ribs_x: Iterable[float] = (),
    ribs_y: Iterable[float] = (),
    openings: Sequence[Callable[[Array], AnyArray]] = (),
    name: str = "panel",
) -> FEModel:
    """Return a plate in z = 0 with ribs and openings, with element sets "plate" and "ribs".

    Parameters
    ----------
    lx, ly, nx, ny, thickness, material
        The plate, as for `plate_grid` [m].
    rib
        What the ribs are made of: `BeamRib` or `ShellRib`.
    ribs_x, ribs_y
        Places of the ribs along x (their y) and along y (their x) [m], on mesh lines.
    openings
        Functions of points such as `in_box`, cut out of the plate first. A beam rib that would cross an opening is
        interrupted there, a shell rib is cut.
    name
        Of the model.
    """
    panel = plate_grid(lx, ly, nx, ny, thickness, material, name=name)
    panel = panel.with_element_set("plate", np.arange(1, panel.nelement + 1))
    x, y = np.linspace(0.0, lx, nx + 1), np.linspace(0.0, ly, ny + 1)
    lines = [((0.0, _on_mesh(v, y, "y", name), 0.0), (lx, _on_mesh(v, y, "y", name), 0.0), nx) for v in ribs_x]
    lines += [((_on_mesh(v, x, "x", name), 0.0, 0.0), (_on_mesh(v, x, "x", name), ly, 0.0), ny) for v in ribs_y]
    if rib is None and lines:
        raise ModelError(f"{name}: the ribs at {len(lines)} lines are made of nothing; give rib=BeamRib or ShellRib.")
    if isinstance(rib, ShellRib):
        panel = _with_shell_ribs(panel, lines, rib, min(lx / nx, ly / ny), material)
    if openings:
        panel = cut_openings(panel, *openings)
    if isinstance(rib, BeamRib):
        for a, b, _ in lines:
            panel = with_ribs(panel, in_box(a, b), rib.section, material, offset=(0.0, 0.0, rib.offset))
    return panel


def box(
    lx: float,
    ly: float,
    lz: float,
    nx: int,
    ny: int,
    nz: int,
    thickness: float,
    material: Material,
    walls: Iterable[str] = WALLS,
    name: str = "box",
) -> FEModel:
    """Return a box 0..lx, 0..ly, 0..lz [m] of shell walls with outward normals, joined along their edges.

    walls: which of "xmin", "xmax", "ymin", "ymax", "zmin", "zmax" exist; each is a node set and an element set.
    """
    lengths = [check.positive(v, f"{name}: {w}") for v, w in ((lx, "lx"), (ly, "ly"), (lz, "lz"))]
    counts = {"x": nx, "y": ny, "z": nz}
    parts = []
    for wall in walls:
        if wall not in WALLS:
            raise ModelError(f"{name}: wall '{wall}' is unknown; walls are {', '.join(WALLS)}.")
        normal = "xyz".index(wall[0])
        u, v = (normal + 1) % 3, (normal + 2) % 3
        if wall.endswith("min"):
            u, v = v, u
        corners = np.zeros((4, 3))
        corners[:, normal] = lengths[normal] if wall.endswith("max") else 0.0
        corners[[1, 2], u] = lengths[u]
        corners[[2, 3], v] = lengths[v]
        part = quad_patch(corners, counts["xyz"[u]], counts["xyz"[v]], thickness, material, name=f"{name} {wall}")
        parts.append(replace(part, node_sets={wall: part.node_ids}, element_sets={wall: element_numbers(*part.blocks)}))
    if not parts:
        raise ModelError(f"{name}: no walls are left; name at least one of {', '.join(WALLS)}.")
    smallest = min(length / counts[axis] for axis, length in zip("xyz", lengths, strict=True))
    return merge_nodes(join(*parts, name=name), 1e-6 * smallest)


def _on_mesh(value: float, lines: Array, axis: str, name: str) -> float:
    """Return the mesh line at this place."""
    k = int(np.argmin(np.abs(lines - value)))
    if abs(lines[k] - value) > 1e-6 * lines[-1]:
        raise ModelError(
            f"{name}: rib at {axis} = {value:g} m does not lie on a mesh line; the nearest is {axis} = {lines[k]:g} m."
        )
    return float(lines[k])


def _with_shell_ribs(
    panel: FEModel,
    lines: Iterable[tuple[tuple[float, float, float], tuple[float, float, float], int]],
    rib: ShellRib,
    spacing: float,
    material: Material,
) -> FEModel:
    """Stand a strip of shells on every line and weld all together."""
    parts, up = [panel], (0.0, 0.0, rib.height)
    for a, b, n in lines:
        strip = extrusion(segment(a, b, n), up, rib.rows, rib.thickness, material, name=f"{panel.name} rib")
        parts.append(replace(strip, node_sets={}, element_sets={"ribs": element_numbers(*strip.blocks)}))
    return merge_nodes(join(*parts), 1e-6 * min(spacing, abs(rib.height) / rib.rows))
