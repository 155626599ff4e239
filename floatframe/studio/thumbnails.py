"""Small pictures of files, drawn in a process of its own: one line of JSON for each, its name and its address.

python -m floatframe.studio.thumbnails FOLDER beam.h5 run.h5
"""

from __future__ import annotations

import asyncio
import base64
import json
import sys
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from floatframe.studio.child import end_with_input
from floatframe.studio.origins import origin_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

KINDS = ("model", "body", "machine", "run", "network", "sweep")
SIZE = (128, 80)  # pixels
LARGEST = 200_000_000  # bytes of a file that is worth reading for a small picture
_DRAWN = (512, 320)  # pixels, before it is made small and smooth


def thumbnails(folder: Path, names: list[str]) -> Iterator[tuple[str, str]]:
    """Yield every name with an address that holds its picture, "" for what cannot be drawn."""
    for name in names:
        try:
            yield name, _small(_picture(folder / name))
        except Exception:  # whatever a file holds, the others have their pictures
            yield name, ""


def _picture(path: Path) -> str:
    """Return a picture of what a file holds as an address."""
    from floatframe import hybrid, io, viewer
    from floatframe.network import read_network
    from floatframe.studio.sweeps import axes_of, columns_of
    from floatframe.studio.views import moves

    kind = origin_of(path).kind
    if kind == "network":
        network = read_network(path).network
        return viewer.drawn(lambda to: viewer.plot_network(network, to))
    if kind == "sweep":
        sweep: Any = io.read(path)
        draw: Any = viewer.plot_sweep_map if len(axes_of(sweep)) == 2 else viewer.plot_sweep
        column: Any = columns_of(sweep)[0]
        return viewer.drawn(lambda to: draw(sweep, column if len(axes_of(sweep)) == 2 else [column], to))
    if kind == "run":
        run = hybrid.Results.open(path)
        if not moves(run):
            first = [next(iter(viewer.moving_channels(run)))]
            return viewer.drawn(lambda to: viewer.plot_histories(viewer.span_curves(run, first), to))
        thing: Any = run
    else:
        thing = hybrid.read_model(path) if kind == "machine" else io.read(path)
    scene = viewer.scene_of(thing)
    moment = 0.25 if scene.clips else None
    return viewer.drawn(lambda to: viewer.picture(scene, to, moment=moment, size=_DRAWN, words=False))


def _small(address: str) -> str:
    """Return a picture made small."""
    from PIL import Image

    image = Image.open(BytesIO(base64.b64decode(address.partition(",")[2]))).convert("RGB")
    image.thumbnail((2 * SIZE[0], 2 * SIZE[1]))  # screens with small pixels show it sharp
    stream = BytesIO()
    image.save(stream, "PNG", optimize=True)
    return "data:image/png;base64," + base64.b64encode(stream.getvalue()).decode("ascii")


async def drawn_beside(folder: Path, names: list[str]) -> AsyncIterator[tuple[str, str]]:
    """Yield names and addresses of pictures as they are drawn, one process for all."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "floatframe.studio.thumbnails", str(folder), *names),
        stdin=asyncio.subprocess.PIPE,  # whose end is that of the process, so also with this one
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        limit=2**22,
        start_new_session=True,
    )
    try:
        while process.stdout is not None and (line := await process.stdout.readline()):
            name, address = json.loads(line)
            yield str(name), str(address)
    finally:
        if process.returncode is None and process.stdin is not None:
            process.stdin.close()
        await process.wait()


def main() -> None:
    """Draw the files that the arguments name; ends with its parent."""
    end_with_input()
    for found in thumbnails(Path(sys.argv[1]), sys.argv[2:]):
        sys.stdout.write(f"{json.dumps(found)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
