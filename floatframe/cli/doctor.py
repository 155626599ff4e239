"""`floatframe doctor`: what works on this machine, and how to mend what does not."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from floatframe.cli.common import Json, Verbose, console, show_json, table

EXAMPLES = """
floatframe doctor
floatframe doctor --json
"""
_PACKAGES = ("numpy", "scipy", "h5py", "numba", "llvmlite", "matplotlib", "pyvista", "meshio", "distributed")
_NEEDED = ("numpy", "scipy", "h5py", "numba", "llvmlite")
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "firefox", "msedge")
_LITTLE_MEMORY = 2 << 30  # bytes
_LITTLE_DISK = 1 << 30  # bytes


class Finding(NamedTuple):
    """One thing that was looked at: "ok", "missing" (something optional) or "broken", and what helps."""

    what: str
    state: str
    found: str
    cure: str = ""


def run_command(*, as_json: Json = False, verbose: Verbose = False) -> int:
    """Print what works here: versions, cache, rendering, browser, threads, memory, disk; and how to mend the rest."""
    found = [finding for look in _LOOKS for finding in _looked(look)]
    if as_json:
        show_json("floatframe-doctor/1", {"findings": [finding._asdict() for finding in found]})
    else:
        columns = {name: [str(getattr(finding, name)) for finding in found] for name in Finding._fields}
        console().print(table("", columns))
    return 1 if any(finding.state == "broken" for finding in found) else 0


def _looked(look: Callable[[], Iterator[Finding]]) -> Iterator[Finding]:
    """What one look finds; what it meets that nobody foresaw is a finding too, since the others count all the same."""
    try:
        yield from look()
    except Exception as error:
        yield Finding(look.__name__.strip("_"), "broken", f"{type(error).__name__}: {error}")


def _versions() -> Iterator[Finding]:
    from importlib import metadata

    from floatframe.version import __version__

    yield Finding("floatframe", "ok", f"{__version__} in {Path(__file__).parents[1]}")
    yield Finding("python", "ok", f"{platform.python_version()} on {platform.platform()}")
    for name in _PACKAGES:
        try:
            yield Finding(name, "ok", metadata.version(name))
        except metadata.PackageNotFoundError:
            needed = name in _NEEDED
            extra = {"distributed": "cluster"}.get(name, "all")
            line = "pip install --force-reinstall floatframe" if needed else f"pip install 'floatframe[{extra}]'"
            yield Finding(name, "broken" if needed else "missing", "not installed", line)


def _cache() -> Iterator[Finding]:
    from floatframe.native import cache_folder, cache_is_writable

    place = cache_folder()
    if not cache_is_writable(place):
        yield Finding(
            "cache of kernels",
            "broken",
            f"'{place}' cannot be written to: kernels are compiled in every run",
            "set FLOATFRAME_CACHE_DIR to a folder that can be written to",
        )
        return
    kept = [path.stat().st_size for path in place.glob("*.o")]
    cure = "" if kept else "floatframe warmup compiles all kernels now"
    yield Finding("cache of kernels", "ok", f"{len(kept)} kernels, {sum(kept) / 1e6:.1f} MB in '{place}'", cure)


def _kernels() -> Iterator[Finding]:
    """A small machine, from its description to a state of motion."""
    from floatframe import hybrid

    try:
        model = hybrid.Model()
        box = model.add(hybrid.RigidBody("box", mass=1.0, inertia=(1, 1, 1), velocity=(1, 0, 0)))
        model.add(hybrid.prismatic("slide", box.at((0, 0, 0)), model.ground.at((0, 0, 0)), axis=(1, 0, 0)))
        result = model.compile().simulate(t_end=1.0, step=0.1)
        way = float(result["slide.displacement"][-1])
        right = abs(way - 1.0) < 1e-9  # 1 m/s over 1 s, exact but for rounding
        yield Finding("simulation", "ok" if right else "broken", f"1 m/s for 1 s leads to {way:.6g} m")
    except Exception as error:  # whatever does not work here is what was asked for
        yield Finding(
            "simulation", "broken", f"{type(error).__name__}: {error}", "pip install --force-reinstall floatframe"
        )


def _rendering() -> Iterator[Finding]:
    from floatframe.errors import FloatframeError
    from floatframe.viewer import require_rendering

    try:
        require_rendering()
        yield Finding("pictures and movies", "ok", "can be drawn")
    except FloatframeError as error:
        said, _, line = str(error).partition("; run: ")
        yield Finding("pictures and movies", "missing", said, line)


def _browser() -> Iterator[Finding]:
    found = next((path for name in _BROWSERS if (path := shutil.which(name))), None)
    if found is None and sys.platform in ("win32", "darwin"):
        found = "that of the system"
    cure = "" if found else "copy pages to a machine with one; they need nothing else"
    yield Finding("browser for pages", "ok" if found else "missing", found or "none found", cure)


def _threads() -> Iterator[Finding]:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    set_by = [name for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS") if os.environ.get(name)]
    settings = ", ".join(f"{name}={os.environ[name]}" for name in set_by)
    yield Finding("threads", "ok", f"{cores} processors{'; ' if settings else ''}{settings}")


def _memory() -> Iterator[Finding]:
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        free = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable"))
    except (OSError, StopIteration, ValueError):
        return  # other systems do not say
    little = free < _LITTLE_MEMORY
    cure = "large models need more; fewer workers of a sweep need less" if little else ""
    yield Finding("memory", "missing" if little else "ok", f"{free / 1e9:.1f} GB free", cure)


def _disk() -> Iterator[Finding]:
    import tempfile

    for what, place in {"disk here": Path.cwd(), "disk of temporary files": Path(tempfile.gettempdir())}.items():
        free = shutil.disk_usage(place).free
        writable = os.access(place, os.W_OK)
        state = "ok" if writable and free >= _LITTLE_DISK else "missing"
        cure = "" if state == "ok" else "make space" if writable else "go to a folder that can be written to"
        yield Finding(what, state, f"{free / 1e9:.1f} GB free in '{place}'{'' if writable else ', read only'}", cure)


_LOOKS: tuple[Callable[[], Iterator[Finding]], ...] = (
    *(_versions, _cache, _kernels, _rendering, _browser, _threads, _memory, _disk),
)
