"""Still pictures of a model and of its deformed shape."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.errors import ModelError, WriteError
from floatframe.modal.reduced_body import ReducedBody
from floatframe.viewer.body_scene import body_scene
from floatframe.viewer.probe import require_rendering
from floatframe.viewer.scene import Scene, scene_of

if TYPE_CHECKING:
    from floatframe.fem import FEModel
    from floatframe.modal.modes import Modes

AUTO_AMPLITUDE = 0.12  # largest drawn displacement in units of the model's diagonal
EDGES_UP_TO = 4000  # polygons; beyond, edges would hide the colours

# where to look from, by the axis along which the model is longest: across it, from above
_VIEW_FROM = {0: (0.35, -1.0, 0.5), 1: (1.0, -0.35, 0.5), 2: (0.8, -1.0, 0.35)}

# colours must stay readable on sides turned from the light
_LIGHT = {"ambient": 0.35, "diffuse": 0.7, "specular": 0.0}
_GHOST = "#9aa3ad"


def picture(
    fe: FEModel | ReducedBody,
    path: str | os.PathLike[str],
    displacement: Array | None = None,
    scale: float | Literal["auto"] = "auto",
    title: str = "",
    legend: str = "displacement [m]",
    size: tuple[int, int] = (1280, 720),
) -> Path:
    """Draw a model or body into a PNG file: the undeformed shape as a ghost, the deformed one coloured by displacement.

    displacement (nnode, 6) or (nnode, 3) in model axes [m, rad]; drawn `scale` times as large, "auto" so that it is
    well seen. size: width and height in pixels.
    """
    path = Path(path)
    if path.suffix.lower() != ".png":
        raise WriteError(f"'{path}': pictures are written as .png, not '{path.suffix}'.")
    if not path.parent.is_dir():
        raise WriteError(f"'{path}': there is no folder '{path.parent}'; make it first.")
    scene = body_scene(fe) if isinstance(fe, ReducedBody) else scene_of(fe)
    moved = np.zeros_like(scene.points) if displacement is None else scene.motion(_checked(fe, displacement))
    length = np.linalg.norm(moved, axis=1)
    largest = float(length.max(initial=0.0))
    if scale == "auto":
        scale = AUTO_AMPLITUDE * scene.size / largest if largest else 1.0

    require_rendering()
    import pyvista

    plotter: Any = pyvista.Plotter(off_screen=True, window_size=list(size), lighting="light kit")
    try:
        plotter.set_background("white")
        plotter.enable_anti_aliasing("ssaa")
        if largest:
            _add_ghost(plotter, scene)
            colours = {"cmap": "viridis", "clim": (0.0, largest), "scalar_bar_args": _colour_bar(legend, size)}
            _add(plotter, scene, scene.points + scale * moved, values=length, **colours)
        else:
            _add(plotter, scene, scene.points, color="#5b8db8")
        if title:
            plotter.add_text(title, position=(0.02, 0.93), viewport=True, font_size=size[1] // 65, color="black")
        _aim(plotter, np.concatenate([scene.points, scene.points + scale * moved]), size)
        plotter.screenshot(path)
    finally:
        plotter.close()
    return path


def mode_picture(fe: FEModel, modes: Modes, path: str | os.PathLike[str], mode: int | None = None) -> Path:
    """Draw one mode (counted from 1; the first elastic one by default) with its frequency."""
    if mode is None:
        elastic = [k for k, kind in enumerate(modes.kind, start=1) if kind != "rigid"]
        mode = elastic[0] if elastic else 1
    if not 1 <= mode <= len(modes.omega):
        raise ModelError(f"mode {mode} does not exist; there are {len(modes.omega)} modes, counted from 1.")
    shape = fe.expand(modes.shapes[:, mode - 1])
    largest = np.linalg.norm(shape[:, :3], axis=1).max(initial=0.0)
    relative = shape / largest if largest else shape
    title = f"{fe.name}, mode {mode}: {modes.frequency[mode - 1]:.4g} Hz"
    return picture(fe, path, relative, title=title, legend="relative displacement")


def body_picture(body: ReducedBody, path: str | os.PathLike[str], mode: int | None = None) -> Path:
    """Draw one mode of a reduced body (counted from 1; the first by default), whatever its kind."""
    mode = 1 if mode is None else mode
    if not 1 <= mode <= body.nmode:
        raise ModelError(f"mode {mode} does not exist; body '{body.name}' has {body.nmode}, counted from 1.")
    w = np.zeros(body.nmode)
    w[mode - 1] = 1.0
    shape = body.expand(w)
    largest = np.linalg.norm(shape[:, :3], axis=1).max(initial=0.0)
    relative = shape / largest if largest else shape
    frequency = "" if np.isnan(body.frequency[mode - 1]) else f", {body.frequency[mode - 1]:.4g} Hz"
    title = f"{body.name}, mode {mode} ({body.kind[mode - 1]}, {body.origin[mode - 1]}){frequency}"
    return picture(body, path, relative, title=title, legend="relative displacement")


def _colour_bar(title: str, size: tuple[int, int]) -> dict[str, Any]:
    """Return a flat bar at the bottom with its two end values, so that nothing collides with the title."""
    place = {"position_x": 0.35, "position_y": 0.03, "width": 0.3, "height": 0.07}
    fonts = {"title_font_size": size[1] // 38, "label_font_size": size[1] // 42, "color": "black", "fmt": "%.3g"}
    return {"title": title, "n_labels": 2, **place, **fonts}


def _checked(fe: FEModel | ReducedBody, displacement: Array) -> Array:
    displacement = np.asarray(displacement, dtype=float)
    if displacement.shape not in ((fe.nnode, 3), (fe.nnode, 6)):
        raise ModelError(f"displacement has shape {displacement.shape}, expected ({fe.nnode}, 6) or ({fe.nnode}, 3).")
    if not np.isfinite(displacement).all():
        raise ModelError("displacement contains numbers that are not finite.")
    return displacement


def _add(plotter: Any, scene: Scene, points: Array, values: Array | None = None, **look: Any) -> None:
    """Add the surfaces, beams and lines of a scene at some place of its points."""
    import pyvista

    for kind in ("surfaces", "beams", "ends", "lines"):
        groups = (scene.lines,) if kind == "lines" else getattr(scene, kind)
        if not sum(len(group) for group in groups):
            continue
        cells = _cells(groups)
        mesh = pyvista.PolyData(points, lines=cells) if kind == "lines" else pyvista.PolyData(points, faces=cells)
        if values is not None:
            mesh["displacement"] = values
        edges = kind == "surfaces" and mesh.n_cells <= EDGES_UP_TO
        width = 3 if kind == "lines" else 1
        plotter.add_mesh(mesh, show_edges=edges, edge_color="#4d5560", line_width=width, **_LIGHT, **look)


def _add_ghost(plotter: Any, scene: Scene) -> None:
    """Add the undeformed model: the contours of surfaces, or a veil of the beams where there are no surfaces."""
    import pyvista

    if scene.surfaces:
        skin = pyvista.PolyData(scene.points, faces=_cells(scene.surfaces))
        contours = skin.extract_feature_edges(feature_angle=40, manifold_edges=False, non_manifold_edges=False)
        if contours.n_cells:
            plotter.add_mesh(contours, color=_GHOST, line_width=1.5, lighting=False)
    else:
        # the ends of beam elements inside a beam would shine through
        _add(plotter, replace(scene, ends=()), scene.points, color=_GHOST, opacity=0.25)


def _cells(groups: tuple[IntArray, ...]) -> IntArray:
    """Return polygons as VTK wants them: the number of corners before each."""
    parts = [np.insert(group, 0, group.shape[1], axis=1).ravel() for group in groups]
    return np.concatenate(parts)


def _aim(plotter: Any, points: Array, size: tuple[int, int]) -> None:
    """Look across the longest side with parallel rays, so near that the points fill the frame."""
    away = np.array(_VIEW_FROM[int(np.argmax(np.ptp(points, axis=0)))])
    away /= np.linalg.norm(away)
    right = np.cross((0.0, 0.0, 1.0), away)
    right /= np.linalg.norm(right)
    up = np.cross(away, right)
    across, upward = points @ right, points @ up
    # a tenth is left free on every side, below a little more for the colour bar
    half_width, half_height = np.ptp(across) / 2 / 0.9, np.ptp(upward) / 2 / 0.75
    span = max(half_height, half_width * size[1] / size[0], 1e-9)
    centre = (across.min() + across.max()) / 2 * right + ((upward.min() + upward.max()) / 2 - 0.04 * span) * up
    centre = centre + (points @ away).mean() * away
    distance = 2 * np.linalg.norm(np.ptp(points, axis=0)) + 4 * span
    plotter.enable_parallel_projection()
    plotter.camera_position = [centre + distance * away, centre, up]
    plotter.camera.parallel_scale = span
    plotter.reset_camera_clipping_range()
