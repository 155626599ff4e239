"""The ballast cleaner in run-up, work and run-down: which phases of the shafts shake its frame most, and which modes.

The study is that of Mikheev (2004, §3.4): the phase φ between the shafts of the two screens and the angle α of the
additional unbalances go round in steps of 30°; the two phases of his table 3.5 are looked at closely.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

import floatframe as ff
from floatframe.arrays import Array
from floatframe.samples.ballast_cleaner.machine import MODELS, POINT, PUBLISHED, named_modes, prepare, simulated
from floatframe.samples.ballast_cleaner.measures import (
    POINTS,
    REGIMES,
    RUN_DOWN,
    column,
    measured,
    screen_column,
)

Say = Callable[..., None]
ANGLES = tuple(range(0, 360, 30))  # degrees, of φ and α
PHASES = (0.0, 150.0)  # degrees, of table 3.5


@dataclass(frozen=True)
class Closer:
    """The vertical vibration of point 4 in run-down at one phase of the shafts, and the parts of modes in it."""

    t: Array  # (n,) [s]
    y: Array  # (n,) displacement about its mean [m]
    parts: ff.hybrid.Contributions

    @property
    def modes(self) -> dict[str, int]:
        """The numbers of the three modes of Mikheev, by name."""
        return named_modes(self.parts)

    def share(self, names: Sequence[str] = tuple(PUBLISHED)) -> float:
        """Share of some of the named modes in the mean square."""
        return float(sum(self.parts.numbers.rms_share[self.modes[name]] for name in names))


@dataclass(frozen=True)
class Study:
    """What was found, and the files written."""

    closer: dict[float, Closer]  # by phase
    sweep: ff.hybrid.SweepResult  # over phi and alpha
    elapsed: float = 0.0  # that the sweep took [s]
    workers: int = 2
    files: tuple[Path, ...] = ()

    @property
    def frequencies(self) -> dict[str, tuple[float, float]]:
        """Frequencies of the assembled machine by name: ours and published [Hz]."""
        at_rest = self.closer[PHASES[0]]
        return {name: (float(at_rest.parts.frequency[k]), PUBLISHED[name]) for name, k in at_rest.modes.items()}

    def grid(self, regime: str, point: int, quantity: str, axis: str = "z") -> Array:
        """Return a number of a point over the grid (nphi, nalpha)."""
        return np.asarray(self.sweep[column(regime, point, quantity, axis)])

    def screens(self, screen: str) -> Array:
        """Return the vertical amplitude of a screen at work over the grid (nphi, nalpha) [mm]."""
        return np.asarray(self.sweep[screen_column(screen)])

    def worst(self, quantity: str, regime: str = RUN_DOWN, points: Sequence[int] = POINTS) -> tuple[float, int, float]:
        """Return the largest vertical value over grid and points, and its point and phase φ [degrees]."""
        table = np.array([self.grid(regime, point, quantity) for point in points])
        k, i, _ = np.unravel_index(int(np.nanargmax(table)), table.shape)
        return float(np.nanmax(table)), points[int(k)], float(self.sweep.parameters["phi"][int(i)])

    def worst_alpha(self, quantity: str, point: int) -> float:
        """Return the angle α [degrees] of the largest vertical value of a point in run-down."""
        table = self.grid(RUN_DOWN, point, quantity)
        return float(self.sweep.parameters["alpha"][int(np.unravel_index(int(np.nanargmax(table)), table.shape)[1])])


def look_closer(machine: Path, phase: float, path: Path | None = None) -> Closer:
    """Run the machine at a phase of the shafts and split the vibration of point 4 in run-down into parts of modes."""
    run = simulated(machine, {"phi": phase}, path)
    start, _ = REGIMES[RUN_DOWN]
    parts = ff.hybrid.contributions(run, POINT, start=start, at="start")
    inside = run.t >= start
    y = run[POINT][inside]
    return Closer(np.array(run.t[inside]), y - y.mean(), parts)


def swept(
    machine: Path,
    angles: Sequence[float] = ANGLES,
    alphas: Sequence[float] | None = None,
    path: Path | None = None,
    workers: int = 2,
    say: Say = lambda *_: None,
) -> ff.hybrid.SweepResult:
    """Run the machine at all phases φ and angles α [degrees]."""
    grid = {"phi [°]": list(angles), "alpha [°]": list(angles if alphas is None else alphas)}
    wanted = math.prod(map(len, grid.values()))
    return ff.hybrid.sweep(
        *(machine, grid, "simulate", measured),
        path=path,
        workers=workers,
        progress=lambda done: say(f"{done.done} of {wanted} runs", done.done, wanted),
    )


def run(folder: Path, say: Say = lambda *_: None) -> Study:
    """Make frame and machine, all runs, maps, tables and the report; `say` hears what is being done."""
    from floatframe.samples.ballast_cleaner.figures import draw
    from floatframe.samples.ballast_cleaner.report import write_report

    say("reducing the frame")
    machine = prepare(folder)
    say("running at two phases")
    files = [folder / f"run-{phase:.0f}.h5" for phase in PHASES]
    closer = {phase: look_closer(machine, phase, file) for phase, file in zip(PHASES, files, strict=True)}
    begun = time.perf_counter()
    sweep = swept(machine, path=folder / "sweep.h5", say=say)
    study = Study(closer, sweep, time.perf_counter() - begun)
    say("drawing")
    figures = draw(folder, study)
    report = write_report(folder / "report.html", study, figures)
    made = (folder / "frame.h5", *(folder / name for name in MODELS), *files, folder / "sweep.h5")
    return replace(study, files=(*made, *figures.values(), report))


def table(study: Study) -> str:
    """All tables as text."""
    from floatframe.samples.ballast_cleaner.tables import printed

    return printed(study)
