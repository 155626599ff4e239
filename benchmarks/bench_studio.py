"""Studio with the locomotive body: first picture, frames of a mode, picking, a channel of a million samples, memory.

The browser is a headless chromium that draws in software; with a graphics processor everything is faster. Times are
from the click to what it brings, the best of three where that can be repeated.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import floatframe as ff
from benchmarks.bench_viewer import motions
from benchmarks.targets import met
from floatframe.io import Channel, ResultMeta, ResultWriter
from floatframe.samples.locomotive_body import build
from tests.browsers import CHROMIUM_FLAGS
from tests.studio.conftest import Tab, served

FIRST = 5.0  # s
FRAMES = 15.0  # per second
PICK = 0.2  # s
PLOT = 1.0  # s
IDLE = 0.01  # of a processor
MEMORY = 2.0  # of the data shown
STEEL = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
SAMPLES = 1_000_000


def write_files(folder: Path) -> tuple[int, int]:
    """Write the body, ten motions of it, and a run with one long channel; returns the bytes of data of both."""
    fe = build()
    modes = motions(fe, 10)
    ff.io.write(folder / "body.h5", fe)
    ff.io.write(folder / "modes.h5", modes)
    t = np.linspace(0.0, 1000.0, SAMPLES)
    channel = Channel("long.force", "N", ("x",))
    with ResultWriter.create(folder / "long.h5", [channel], ResultMeta(0, 0)) as writer:
        values = (np.sin(t) + 0.1 * np.sin(200.0 * t))[:, None]
        none = np.empty((SAMPLES, 0))
        writer.append(t, none, none, values, none)
        writer.finish()
    small = ff.fem.beam_line((0, 0, 0), (1, 0, 0), n=2, section=ff.fem.BeamSection.rectangle(0.1, 0.1), material=STEEL)
    ff.io.write(folder / "warm.h5", small)
    with ResultWriter.create(folder / "warm-run.h5", [channel], ResultMeta(0, 0)) as writer:
        writer.append(t[:100], none[:100], none[:100], values[:100], none[:100])
        writer.finish()
    return modes.displacement.nbytes, t.nbytes + values.nbytes


def memory(process: Any) -> int:
    """Return the resident memory of a process [bytes]."""
    words = Path(f"/proc/{process.pid}/statm").read_text().split()
    return int(words[1]) * 4096


def spent(process: Any) -> float:
    """Return the processor time of a process [s]."""
    return sum(map(int, Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[11:13])) / 100


def frame_work(tab: Tab, processes: list[int]) -> float:
    """Return the processor time of the browser for one frame [s]; what others compute meanwhile does not count."""

    def total() -> float:
        stats = (Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in processes)
        return sum(int(stat[11]) + int(stat[12]) for stat in stats) / 100

    frame = tab.view("fe")
    began, count = total(), frame.evaluate("floatframe.state.frames")
    time.sleep(3.0)
    frames = frame.evaluate("floatframe.state.frames") - count
    return (total() - began) / max(frames, 1)


def browser_processes() -> list[int]:
    """Return the processes of the browser, which this one has started."""
    found = []
    for place in Path("/proc").iterdir():
        try:
            if place.name.isdigit() and b"chromium" in (place / "cmdline").read_bytes() and _descends(int(place.name)):
                found.append(int(place.name))
        except OSError:
            continue  # it has ended meanwhile
    return found


def _descends(pid: int) -> bool:
    """Whether a process is a descendant of this one."""
    while pid > 1:
        if pid == os.getpid():
            return True
        try:
            pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            return False
    return False


def first_picture(tab: Tab) -> float:
    """Return the time from the click on a model to its picture [s]."""
    tab.click("go=project")
    began = time.perf_counter()
    tab.click("open=body.h5")
    tab.wait("state('fe_file') === 'body.h5'")
    tab.view("fe")
    return time.perf_counter() - began


def frame_rate(tab: Tab) -> float:
    """Return frames per second of a mode that swings in the browser, the best of three seconds."""
    frame = tab.view("fe")
    counted = (
        "new Promise((done) => { const first = floatframe.state.frames; "
        "setTimeout(() => done(floatframe.state.frames - first), 1000); })"
    )
    return float(max(frame.evaluate(counted) for _ in range(3)))


def picking(tab: Tab) -> float:
    """Return the time from a click on the model to the number of the node on the page [s], the best of three."""
    handle = tab.page.wait_for_selector('iframe[data-view="fe"]')
    box, best = handle.bounding_box(), np.inf
    for k in range(3):
        before = len(tab.state("fe_picked"))
        began = time.perf_counter()
        tab.page.mouse.click(box["x"] + box["width"] * (0.45 + 0.03 * k), box["y"] + box["height"] * 0.45)
        tab.page.wait_for_function(f"trame.state.get('fe_picked').length !== {before}", polling=10)
        best = min(best, time.perf_counter() - began)
    return best


def long_channel(tab: Tab) -> float:
    """Return the time from the choice of a channel of a million samples to its plot [s], the best of three."""
    best = np.inf
    for _ in range(3):
        tab.click("channel=long.force.x")
        tab.wait("!state('working')")
        began = time.perf_counter()
        tab.click("channel=long.force.x")
        tab.page.wait_for_function(
            "document.querySelector('[data-plot=\"1\"] .scatterlayer path.js-line') && "
            "trame.state.get('results_plot_1').data.length > 0"
        )
        best = min(best, time.perf_counter() - began)
    return best


def main() -> None:
    """Print what was measured beside what is wanted."""
    from playwright.sync_api import sync_playwright

    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        print("no chromium here; on Debian: apt-get install chromium")
        return
    with tempfile.TemporaryDirectory() as name, sync_playwright() as driver:
        folder = Path(name)
        of_modes, of_run = write_files(folder)
        browser = driver.chromium.launch(executable_path=program, args=CHROMIUM_FLAGS)
        with served(folder) as (process, address):
            tab = Tab(browser, address)
            tab.page.wait_for_selector("[data-files]")
            # libraries that any file needs are not data
            tab.click("open=warm-run.h5")
            tab.wait("state('results_found').length > 0 && !state('working')")
            tab.click("go=project")
            tab.click("open=warm.h5")
            tab.wait("state('fe_facts').length > 0 && !state('working')")
            first = first_picture(tab)
            kept = [met("first picture of 27 900 nodes", first, FIRST, " s")]
            tab.wait("state('fe_facts').length > 0 && !state('working')")
            pick = picking(tab)
            kept.append(met("picking a node", 1000 * pick, 1000 * PICK, " ms"))
            tab.click("go=project")
            tab.click("open=modes.h5")
            tab.wait("state('fe_modes').length === 10")
            rate = frame_rate(tab)
            print(f"  {rate:.0f} frames per second of a mode in the browser")
            work = frame_work(tab, browser_processes())
            print(f"  {1000 * work:.0f} ms of the processor for one frame, drawn in software")
            kept.append(met("one frame", 1000 / max(rate, 1e-3), 1000 / FRAMES, " ms"))
            # once more, now that what drawing and checking need is loaded
            tab.click("go=project")
            tab.click("open=warm.h5")
            tab.wait("state('fe_facts').length > 0 && state('fe_file') === 'warm.h5' && !state('working')")
            before = memory(process)
            tab.click("go=project")
            tab.click("open=modes.h5")
            tab.wait("state('fe_modes').length === 10")
            share = (memory(process) - before) / of_modes
            kept.append(met("memory over data, modes", share, MEMORY))
            tab.click("go=project")
            tab.click("open=long.h5")
            tab.wait("state('results_file') === 'long.h5' && !state('working')")
            plot = long_channel(tab)
            tab.click("go=project")
            tab.click("open=warm-run.h5")
            tab.wait("state('results_file') === 'warm-run.h5' && !state('working')")
            before = memory(process)
            tab.click("go=project")
            tab.click("open=long.h5")
            tab.wait("state('results_file') === 'long.h5' && !state('working')")
            kept.append(met("a channel of a million samples", plot, PLOT, " s"))
            share = (memory(process) - before) / of_run
            kept.append(met("memory over data, channel", share, MEMORY))
            tab.click("go=project")
            time.sleep(2.0)
            began = spent(process)
            time.sleep(10.0)
            idle = (spent(process) - began) / 10.0
            kept.append(met("processor when idle", 100 * idle, 100 * IDLE, " %"))
        browser.close()
    if not all(kept):
        sys.exit(1)


if __name__ == "__main__":
    main()
