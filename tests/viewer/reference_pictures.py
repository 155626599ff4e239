"""Draw the stored pictures again: `python -m tests.viewer.reference_pictures`. Look at them before storing them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import floatframe as ff
from tests.viewer.looking import REFERENCE

SIZE = (480, 300)


def draw_all(folder: Path, machine: Any, body: Any) -> Iterator[Path]:
    """Draw a model at rest, deformed with thick walls, and coloured by stress, and a static shape of a body.

    Nothing here is an eigenvector, whose sign is left to chance.
    """
    x, y, _ = machine.nodes.T
    wave = np.column_stack([0 * x, 0 * x, np.cos(np.pi * x) * (y - 0.3)])
    loads = {(int(machine.node_ids[-2]), "ux"): 1000.0}
    pulled = ff.modal.solve_static(machine, loads=loads)
    yield ff.viewer.picture(machine, folder / "machine.png", size=SIZE)
    yield ff.viewer.picture(machine, folder / "machine-wave.png", wave, thick_shells=True, size=SIZE)
    yield ff.viewer.picture(machine, folder / "machine-stress.png", pulled, stress=True, size=SIZE)
    static = next(
        k
        for k, (kind, origin) in enumerate(zip(body.kind, body.origin, strict=True), 1)
        if kind == "static" and "uz" in origin
    )
    yield ff.viewer.picture(body, folder / "body-shape.png", mode=static, size=SIZE)


def draw_run(folder: Path, run: Any) -> Iterator[Path]:
    """Draw a slider-crank at the start of its run, and later with a channel beside it."""
    yield ff.viewer.picture(run, folder / "run-start.png", mode=1, moment=0.0, size=SIZE)
    beside = {"trace": ["rod.node[11]"], "channels": ["slider.position"], "size": (640, 300)}
    yield ff.viewer.picture(run, folder / "run-beside.png", mode=1, moment=0.8, **beside)


if __name__ == "__main__":
    from tempfile import TemporaryDirectory

    from tests import conftest
    from tests.viewer import conftest as models

    beam = conftest.beam.__wrapped__()
    for picture in draw_all(REFERENCE, models.machine.__wrapped__(), models.body.__wrapped__(beam)):
        print(picture)
    with TemporaryDirectory() as name:
        models.make_machine(Path(name))
        for picture in draw_run(REFERENCE, ff.hybrid.Results.open(Path(name) / "run.h5")):
            print(picture)
