"""The railcar over irregular track: what an elastic body changes, with 6, 24 and 70 forms of the vehicle.

Six forms are the rigid body on its springs; 24 and 70 have 18 and 64 elastic modes besides. The runs are those of
Mikheev (2004, §3.3), see `cases`; each is made on guided wheelsets and on wheels that roll with creep.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import floatframe as ff
from floatframe.arrays import Array
from floatframe.samples.railcar.cases import (
    CANT,
    CURVE_SPEED,
    FEWEST,
    FORMS,
    MIDDLE,
    MOST,
    ROUGH,
    SECONDS,
    SEEDS,
    SMOOTH,
    SMOOTH_SECONDS,
    SPEEDS,
    Case,
    plan,
    variant,
)
from floatframe.samples.railcar.design import Design
from floatframe.samples.railcar.model import build, on_springs
from floatframe.samples.railcar.runs import TREND, Run, Say, run_cases
from floatframe.samples.railcar.tuning import PUBLISHED, named_modes

MATTERS = 0.01  # a form matters whose part has this share of the root mean square of the whole


@dataclass(frozen=True)
class Study:
    """What was found, and the files written."""

    frequencies: dict[str, tuple[float, float]]  # by name: ours and published [Hz]
    runs: dict[Case, Run]
    measured: float = SECONDS  # in each rough run [s]
    elapsed: float = 0.0  # that all runs took [s]
    files: tuple[Path, ...] = ()

    @property
    def speeds(self) -> list[float]:
        """Speeds of the runs on straight track [km/h], rising."""
        return sorted({case.speed for case in self.runs if not case.curved})

    @property
    def vehicles(self) -> dict[bool, str]:
        """Which vehicles have run: by whether their wheels roll, the better one first."""
        known = {True: "rolling wheels", False: "guided wheelsets"}
        return {rolling: name for rolling, name in known.items() if any(c.rolling == rolling for c in self.runs)}

    @property
    def best(self) -> bool:
        """Whether the better vehicle that has run has wheels that roll."""
        return next(iter(self.vehicles))

    def run(self, forms: int, speed: float, rolling: bool, curved: bool = False, smooth: bool = False) -> Run:
        """Return a run with the first seed."""
        seconds = SMOOTH_SECONDS if smooth else self.measured
        return self.runs[Case(forms, speed, curved, SMOOTH if smooth else ROUGH, rolling, seconds=seconds)]

    def canted(self) -> Run | None:
        """Return the run through the smooth curve with cant, if it was made."""
        return self.runs.get(Case(MIDDLE, CURVE_SPEED, True, SMOOTH, rolling=True, cant=CANT, seconds=SMOOTH_SECONDS))

    def rms(self, forms: int, point: str, rolling: bool, curved: bool = False) -> Array:
        """Root mean square of the vertical acceleration on rough track at all speeds [m/s2]."""
        return np.array([self.run(forms, v, rolling, curved).acceleration_rms(point) for v in self.speeds])

    def excess(self, forms: int, over: int, point: str, rolling: bool) -> Array:
        """How much more the root mean square is than with other forms, at all speeds: 0.1 is 10 %."""
        return self.rms(forms, point, rolling) / self.rms(over, point, rolling) - 1.0

    def parts(self, rolling: bool) -> Array:
        """Root mean square of the part of each of 70 forms under mid-saloon at the highest speed [m/s2]."""
        return self.run(MOST, self.speeds[-1], rolling).parts

    def forms_that_matter(self, rolling: bool) -> int:
        """How many of the 70 forms matter under mid-saloon at the highest speed."""
        return int(np.sum(self.parts(rolling) > MATTERS * self.rms(MOST, "middle", rolling)[-1]))

    def smooth_difference(self, forms: int, over: int, rolling: bool) -> float:
        """Largest difference of the frame force in the smooth curve from that with other forms, over its mean there."""
        one, other = (self.run(f, CURVE_SPEED, rolling, curved=True, smooth=True) for f in (forms, over))
        return float(np.abs(one.force["front"] - other.force["front"]).max() / abs(other.mean_force()))

    def force_rms(
        self, forms: int, rolling: bool, change: Mapping[str, Any] | None = None, trend: float = TREND
    ) -> Array:
        """Root mean square of the frame force in the rough curve at 80 km/h [N], by seed."""
        cases = [
            variant(Case(forms, CURVE_SPEED, True, rolling=rolling, seed=seed, seconds=self.measured), change or {})
            for seed in SEEDS
        ]
        return np.array([self.runs[case].force_rms(trend=trend) for case in cases if case in self.runs])

    def raised(
        self,
        forms: int,
        rolling: bool,
        change: Mapping[str, Any] | None = None,
        over: int = FEWEST,
        trend: float = TREND,
    ) -> Array:
        """How much more the root mean square of the frame force is than with other forms, by seed."""
        more = self.force_rms(forms, rolling, change, trend)
        return more / self.force_rms(over, rolling, change, trend)[: more.size] - 1.0


def prepare() -> ff.modal.ReducedBody:
    """Return the body with the elastic modes of 70 forms."""
    return ff.modal.reduce(build(), n_modes=FORMS[MOST], method="eigenmodes")


def measure(
    body: ff.modal.ReducedBody,
    speeds: tuple[float, ...] = SPEEDS,
    seconds: float = SECONDS,
    rolling: bool = True,
    repeated: bool = True,
    say: Say = lambda *_: None,
) -> Study:
    """Make the runs of `plan`, and compare the frequencies on the springs; one of the speeds is that of the curve."""
    modes, number = named_modes(Design())
    frequencies = {name: (float(modes.frequency[number[name]]), value) for name, value in PUBLISHED.items()}
    begun = time.perf_counter()
    runs = run_cases(body, plan(speeds, seconds, rolling, repeated), say)
    return Study(frequencies, runs, seconds, time.perf_counter() - begun)


def run(folder: Path, say: Say = lambda *_: None) -> Study:
    """Build and reduce the body, make all runs, draw figures and write the report; `say` hears what is being done."""
    from floatframe.samples.railcar.figures import draw
    from floatframe.samples.railcar.report import write_report

    folder.mkdir(parents=True, exist_ok=True)
    say("reducing the body")
    body = prepare()
    ff.io.write(folder / "railcar.h5", build())
    ff.io.write(folder / "body.h5", body)
    found = measure(body, say=say)
    say("drawing")
    figures = draw(folder, found, on_springs(build()))
    report = write_report(folder / "report.html", found, figures)
    return replace(found, files=(folder / "railcar.h5", folder / "body.h5", *figures.values(), report))


def table(study: Study) -> str:
    """All tables as text."""
    from floatframe.samples.railcar.tables import printed

    return printed(study)
