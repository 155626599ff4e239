"""Can this machine draw? Without its system libraries VTK ends the whole process, so a child process tries first."""

from __future__ import annotations

import contextlib
import importlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from floatframe.errors import MissingDependency

INSTALL = "apt-get install -y --no-install-recommends libegl1 libgl1-mesa-dri"

# VTK alone: the whole of PyVista would take three times as long to load
_TRIAL = """
import vtkmodules.vtkRenderingOpenGL2
from vtkmodules.vtkCommonCore import vtkUnsignedCharArray
from vtkmodules.vtkFiltersSources import vtkSphereSource
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer, vtkRenderWindow

window, renderer = vtkRenderWindow(), vtkRenderer()
ball, mapper, actor = vtkSphereSource(), vtkPolyDataMapper(), vtkActor()
mapper.SetInputConnection(ball.GetOutputPort())
actor.SetMapper(mapper)
renderer.AddActor(actor)
window.SetOffScreenRendering(1)
window.SetSize(32, 32)
window.AddRenderer(renderer)
window.Render()
pixels = vtkUnsignedCharArray()
window.GetRGBACharPixelData(0, 0, 31, 31, 0, pixels)
low, high = pixels.GetRange(0)
assert low < high, "the picture is blank"
"""


def rendering_environment() -> dict[str, str]:
    """Return the variables that let VTK draw without a display."""
    # asking for EGL at once avoids a warning about the X display VTK would try first
    return {"VTK_DEFAULT_OPENGL_WINDOW": "vtkEGLRenderWindow"} if sys.platform == "linux" else {}


@cache
def rendering_problem() -> str | None:
    """Return why off-screen drawing does not work here, or None; tried once per process."""
    environment = {**rendering_environment(), **os.environ}
    try:
        trial = subprocess.run(
            [sys.executable, "-c", _TRIAL], env=environment, capture_output=True, text=True, timeout=120, check=False
        )
    except subprocess.TimeoutExpired:
        return "a trial picture took more than 120 s"
    if trial.returncode == 0:
        return None
    if trial.returncode < 0:
        return f"VTK ended with signal {-trial.returncode}"
    return (trial.stderr.strip().splitlines() or [f"exit code {trial.returncode}"])[-1]


def require_rendering() -> None:
    """Raise MissingDependency with the line that helps when pictures cannot be drawn; prepare VTK otherwise."""
    with ThreadPoolExecutor(1) as beside:
        trial = beside.submit(rendering_problem)
        # loading takes about as long as the trial; what fails to load the trial explains
        with contextlib.suppress(ImportError):
            importlib.import_module("pyvista.plotting")
        problem = trial.result()
    if problem:
        raise MissingDependency(f"pictures cannot be drawn on this machine ({problem}); run: {INSTALL}")
    for name, value in rendering_environment().items():
        os.environ.setdefault(name, value)
