"""Looking at the locomotive body: the first picture of a mode, frames per second off screen, and the page.

Drawing happens in software here (Mesa's llvmpipe); with a graphics processor everything is faster. Frames are counted
as the best of three periods. A frame is void unless it differs from the one before.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import floatframe as ff
from benchmarks.targets import met
from floatframe.samples.locomotive_body import build

SIZE = (640, 480)

# everything counts: drawing libraries, the trial whether this machine can draw, the scene, the file
_FIRST = """
import resource, sys, time
import floatframe as ff
used = lambda: sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
fe, modes = (ff.io.read(f"{sys.argv[1]}/{name}.h5") for name in ("model", "modes"))
start, before = time.perf_counter(), used()
ff.viewer.picture(fe, f"{sys.argv[1]}/mode.png", modes=modes, mode=1)
print(time.perf_counter() - start, used() - before)
"""
FIRST_FRAME = 3.0  # s after loading
FRAMES = 15.0  # per second
PAGE = 20.0  # MB for ten modes


def motions(fe: ff.fem.FEModel, count: int) -> ff.io.NodalModes:
    """Return waves along the body in place of modes: drawing costs the same, and no eigenanalysis is needed."""
    x, y, z = (fe.nodes / np.ptp(fe.nodes, axis=0)).T
    shapes = np.zeros((fe.nnode, 6, count))
    for k in range(count):
        shapes[:, 2, k] = np.cos((k + 1) * np.pi * x)
        shapes[:, 1, k] = 0.3 * np.sin((k + 1) * np.pi * x) * z
        shapes[:, 3, k] = 0.1 * y
    frequency = np.arange(1.0, count + 1)
    return ff.io.NodalModes(fe.node_ids, shapes, frequency, np.zeros(count), ("elastic",) * count)


def first_frame(folder: Path) -> tuple[float, float]:
    """Return wall time and processor time [s] from a loaded model to the picture of a mode, in a fresh process."""
    child = subprocess.run([sys.executable, "-c", _FIRST, str(folder)], capture_output=True, text=True, check=True)
    wall, processor = map(float, child.stdout.split())
    return wall, processor


def frame_rate(fe: ff.fem.FEModel, modes: ff.io.NodalModes, count: int = 24) -> tuple[float, float]:
    """Return frames per second and the processor time of a frame [s], both the best of three periods."""
    from floatframe.viewer.rendering.movies import frames

    scene = ff.viewer.scene_of(fe, modes=modes)
    best, cost = 0.0, np.inf
    for _ in range(3):
        pictures = frames(scene, scene.clips[0], count, size=SIZE)
        before = next(pictures)  # building the scene is no part of a frame
        wall, processor = time.perf_counter(), time.process_time()
        for picture in pictures:
            if (picture == before).all():
                raise SystemExit("a frame equals the one before: its time means nothing")
            before = picture
        best = max(best, (count - 1) / (time.perf_counter() - wall))
        cost = min(cost, (time.process_time() - processor) / (count - 1))
    return best, cost


def main() -> int:
    """Print the numbers; whether all targets are met shows in the exit code."""
    if problem := ff.viewer.rendering_problem():
        raise SystemExit(f"nothing can be drawn here: {problem}")
    ff.viewer.require_rendering()
    fe = build()
    modes = motions(fe, 10)
    print(f"Viewer: {fe.nnode} nodes, {fe.nelement} elements")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ff.io.write(folder / "model.h5", fe)
        ff.io.write(folder / "modes.h5", modes)
        first, processor = (min(times) for times in zip(*(first_frame(folder) for _ in range(3)), strict=True))
        rate, cost = frame_rate(fe, modes)
        start = time.perf_counter()
        page = ff.viewer.page(fe, folder / "scene.html", modes=modes)
        seconds, size = time.perf_counter() - start, page.stat().st_size / 1e6
    print(f"  first picture of a mode: {first:.2f} s, {processor:.2f} s of processor time")
    print(f"  {rate:.1f} frames/s at {SIZE[0]} x {SIZE[1]}, {1e3 * cost:.0f} ms of processor time each")
    print(f"  page with 10 modes: {size:.1f} MB in {seconds:.1f} s")
    kept = [
        met("first picture of a mode", first, FIRST_FRAME, " s"),
        met("time of a frame", 1e3 / rate, 1e3 / FRAMES, " ms"),
        met("page with 10 modes", size, PAGE, " MB"),
    ]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    raise SystemExit(main())
