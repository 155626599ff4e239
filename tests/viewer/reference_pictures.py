"""Draw the stored pictures anew: `python -m tests.viewer.reference_pictures`. Look at them before storing them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import floatframe as ff
from tests.viewer.looking import REFERENCE

SIZE = (480, 300)


def draw_all(folder: Path, machine: Any, body: Any) -> Iterator[Path]:
    """Draw a model at rest and vibrating, with thick walls and coloured by stress, and a mode of a body."""
    modes = ff.modal.eigenmodes(machine, n=4)
    yield ff.viewer.picture(machine, folder / "machine.png", size=SIZE)
    yield ff.viewer.picture(machine, folder / "machine-mode.png", modes=modes, mode=2, thick_shells=True, size=SIZE)
    yield ff.viewer.picture(machine, folder / "machine-stress.png", modes=modes, mode=4, stress=True, size=SIZE)
    yield ff.viewer.picture(body, folder / "body-mode.png", mode=1, size=SIZE)


if __name__ == "__main__":
    from tests import conftest
    from tests.viewer import conftest as models

    beam = conftest.beam.__wrapped__()
    for picture in draw_all(REFERENCE, models.machine.__wrapped__(), models.body.__wrapped__(beam)):
        print(picture)
