"""A scene as a series for ParaView: run.pvd, and beside it a folder with one .vtu of each moment."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import quoteattr

import numpy as np

from floatframe.errors import WriteError
from floatframe.io import complete_file, complete_folder
from floatframe.viewer.drawing import scene_of
from floatframe.viewer.rendering import PERIOD, Amplitude, Progress, clip_of, writable
from floatframe.viewer.scene import Clip, History, Scene

if TYPE_CHECKING:
    from floatframe.arrays import Array

_MOST_FRAMES = 500
_PER_PERIOD = 24  # moments of a vibration
_KINDS = {2: 3, 3: 5, 4: 9}  # corners -> kind of VTK: line, triangle, quadrilateral; more corners are polygons
_POLYGON = 7
_FRAME = re.compile(r"frame-\d{4}\.vtu")


def paraview(
    thing: Any,
    path: str | os.PathLike[str],
    mode: int | None = None,
    amplitude: Amplitude = "auto",
    progress: Progress | None = None,
    **options: Any,
) -> Path:
    """Write a model, body, run or scene as run.pvd and run-frames/frame-0000.vtu, …: places, displacement, colours.

    mode: which clip, counted from 1, the first if None; amplitude as for `movie`; options of `scene_of`. Points are
    where they are at the moment, `displacement` [m] is counted from the rest of a mode, the start of a run.
    """
    path = writable(path, ".pvd")
    scene = scene_of(thing, **options)
    clip = clip_of(scene, mode or 1) if scene.clips else None
    folder = path.with_name(f"{path.stem}-frames")
    _require_ours(folder)
    times, moments = _times(clip)
    scale = 1.0 if clip is None else scene.scale(clip, amplitude)
    with complete_folder(folder) as made:
        _write_frames(made, scene, clip, moments, scale, progress)
    rows = [
        f'    <DataSet timestep="{t:.9g}" file={quoteattr(f"{folder.name}/frame-{k:04d}.vtu")}/>'
        for k, t in enumerate(times)
    ]
    head = (
        '<?xml version="1.0"?>\n<VTKFile type="Collection" version="0.1" byte_order="LittleEndian">\n  <Collection>\n'
    )
    with complete_file(path) as temporary:
        temporary.write_text(head + "\n".join(rows) + "\n  </Collection>\n</VTKFile>\n", encoding="utf-8")
    return path


def _require_ours(folder: Path) -> None:
    """Refuse a folder that holds anything but an earlier series."""
    if folder.exists() and not (folder.is_dir() and all(_FRAME.fullmatch(one.name) for one in folder.iterdir())):
        raise WriteError(f"'{folder}' holds other files than an earlier series; choose another name.")


def _times(clip: Clip | None) -> tuple[Array, Array]:
    """Return times [s] and moments, 0 to 1, of what is written."""
    if clip is None:
        return np.zeros(1), np.zeros(1)
    if isinstance(clip, History):
        rows = np.unique(np.linspace(0, len(clip.t) - 1, min(len(clip.t), _MOST_FRAMES)).round().astype(np.int64))
        span = float(clip.t[-1] - clip.t[0])
        return clip.t[rows], (clip.t[rows] - clip.t[0]) / span if span else np.zeros(len(rows))
    moments = np.arange(_PER_PERIOD) / _PER_PERIOD
    return PERIOD * moments, moments


def _write_frames(
    folder: Path, scene: Scene, clip: Clip | None, moments: Array, scale: float, progress: Progress | None
) -> None:
    from vtkmodules.util.numpy_support import numpy_to_vtk
    from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridWriter

    grid = _grid(scene)
    first = None
    for k, moment in enumerate(moments):
        state = scene.rest if clip is None else scene.state(clip, float(moment), scale)
        places = np.concatenate([np.empty((0, 3)), *scene.positions(state)])
        if first is None:
            still = clip is None or clip.periodic
            first = np.concatenate([np.empty((0, 3)), *scene.positions(scene.rest)]) if still else places
        grid.points = places
        arrays = {"displacement": places - first}
        if clip is not None:
            arrays[clip.legend] = _values(scene, clip, float(moment))
        for name, values in arrays.items():
            array = numpy_to_vtk(values.astype(np.float32), deep=True)  # type: ignore[no-untyped-call]
            array.SetName(name)
            grid.GetPointData().AddArray(array)
        writer = vtkXMLUnstructuredGridWriter()
        writer.SetFileName(str(folder / f"frame-{k:04d}.vtu"))
        writer.SetInputData(grid)
        if not writer.Write():
            raise WriteError(f"'{folder}' cannot be written; is the disk full?")
        if progress is not None:
            progress(k + 1, len(moments))


def _values(scene: Scene, clip: Clip, moment: float) -> Array:
    """Return the numbers that colour all points (n,), NaN where there is none."""
    own = scene.values(clip, scene.state(clip, moment))
    shown = [np.full(len(v), np.nan) if part.color else v for part, v in zip(scene.parts, own, strict=True)]
    return np.concatenate([np.empty(0), *shown])


def _grid(scene: Scene) -> Any:
    """Return the cells of all parts, with number of part and carrier; faces, and lines of what has none."""
    import pyvista

    cells: list[Array] = []
    kinds: list[Array] = []
    part_of: list[Array] = []
    start = 0
    for number, part in enumerate(scene.parts):
        for group in (*part.faces, part.lines):
            if len(group):
                corners = group.shape[1]
                cells.append(np.insert(group + start, 0, corners, axis=1).ravel())
                kinds.append(np.full(len(group), _KINDS.get(corners, _POLYGON), dtype=np.uint8))
                part_of.append(np.full(len(group), number))
        start += len(part.points)
    points = np.concatenate([np.empty((0, 3)), *(part.points for part in scene.parts)])
    none = np.empty(0, dtype=np.int64)
    grid: Any = pyvista.UnstructuredGrid(
        np.concatenate([none, *cells]), np.concatenate([none.astype(np.uint8), *kinds]), points.astype(np.float32)
    )
    numbers = np.concatenate([none, *part_of])
    grid.cell_data["part"] = numbers
    grid.cell_data["carrier"] = np.array([part.carrier for part in scene.parts])[numbers]
    names = [f"{k} {part.name}" for k, part in enumerate(scene.parts)]
    grid.field_data["parts"] = np.array(names)
    return grid
