"""Pictures of the machine: its measuring points, and the two shapes in which the frame bends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import floatframe as ff
from floatframe.samples.ballast_cleaner.machine import PUBLISHED, named_modes
from floatframe.samples.ballast_cleaner.model import GIRDER, POINTS as PLACES

LOOK = (0.45, -1.0, 0.5)  # towards the eye: the right girder in front
SIZE = (1600, 800)
BENDINGS = ("first bending", "second bending")


def machine_picture(machine: Path, path: Path) -> Path:
    """Draw the machine with the numbers of the measuring points."""
    scene = ff.viewer.scene_of(ff.hybrid.read_model(machine), title="")
    frame = next(k for k, one in enumerate(scene.carriers) if one.name == "frame")
    labels = tuple(ff.viewer.Label(str(k), (x, -GIRDER, 0.0), frame) for k, x in enumerate(PLACES, start=1))
    return ff.viewer.picture(replace(scene, labels=labels, look=LOOK), path, size=SIZE)


def bending_pictures(machine: Path, paths: Sequence[Path], parts: ff.hybrid.Contributions) -> dict[str, Path]:
    """Draw both modes in which the frame bends; return the files by caption.

    parts: of the modes in the motion of point 4, which tell these from others of nearly the same frequency.
    """
    system = ff.hybrid.read_model(machine).model.compile()
    modes = ff.hybrid.system_modes(system, system.initial_state())
    numbers = named_modes(parts)
    drawn = {}
    for name, path in zip(BENDINGS, paths, strict=True):
        k = numbers[name]
        title = f"{name}: {modes.frequency[k]:.2f} Hz, published {PUBLISHED[name]:.2f} Hz"
        shape = ff.hybrid.Deflection(title, modes.shapes[:, k], float(modes.frequency[k]))
        scene = replace(ff.viewer.scene_of(system, deflections=[shape], title=""), look=LOOK)
        drawn[title] = ff.viewer.picture(scene, path, mode=1, size=SIZE)
    return drawn
