"""Can this machine draw? Without its system libraries VTK ends the whole process, so a child process tries first."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache

from floatframe.errors import MissingDependency

INSTALL = "apt-get install -y --no-install-recommends libegl1 libgl1-mesa-dri"

_TRIAL = """
import pyvista
plotter = pyvista.Plotter(off_screen=True, window_size=(32, 32))
plotter.add_mesh(pyvista.Sphere())
picture = plotter.screenshot(return_img=True)
assert picture.min() < picture.max(), "the picture is blank"
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
    if problem := rendering_problem():
        raise MissingDependency(f"pictures cannot be drawn on this machine ({problem}); run: {INSTALL}")
    for name, value in rendering_environment().items():
        os.environ.setdefault(name, value)
