"""The railcar over irregular track: what an elastic body changes, with 6, 24 and 70 forms of the vehicle.

Six forms are the rigid body on its springs; 24 and 70 have 18 and 64 elastic modes besides. The runs are those of
Mikheev (2004, §3.3): straight irregular track from 20 to 100 km/h, a curve of 300 m at 80 km/h, smooth and irregular.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import floatframe as ff
from floatframe.arrays import Array
from floatframe.samples.railcar.design import Design
from floatframe.samples.railcar.model import build, on_springs
from floatframe.samples.railcar.runs import FORMS, POINTS, Curving, Ride, curving, ride
from floatframe.samples.railcar.tuning import PUBLISHED, named_modes

SPEEDS = (20.0, 40.0, 60.0, 80.0, 100.0)  # km/h
CURVE_SPEED = 80.0  # km/h
SECONDS, CURVE_SECONDS = 25.0, 20.0  # measured in each ride and in the irregular curve
MATTERS = 0.01  # a form matters whose part has this share of the root mean square of the whole
FEWEST, MIDDLE, MOST = FORMS
#: root mean square of the frame force in the irregular curve [N], as published
PUBLISHED_FRAME_FORCE = {FEWEST: 4483.0, MIDDLE: 4922.0, MOST: 5004.0}


@dataclass(frozen=True)
class Study:
    """What was found, and the files written."""

    frequencies: dict[str, tuple[float, float]]  # by name: ours and published [Hz]
    rides: dict[tuple[int, float], Ride]  # by forms and speed [km/h]
    smooth: dict[int, Curving]  # by forms
    irregular: dict[int, Curving]
    files: tuple[Path, ...] = ()

    @property
    def speeds(self) -> list[float]:
        """Speeds of the rides [km/h], rising."""
        return sorted({speed for _, speed in self.rides})

    def rms(self, forms: int, point: str) -> Array:
        """Root mean square of the vertical acceleration at all speeds [m/s2]."""
        return np.array([self.rides[forms, speed].rms(point) for speed in self.speeds])

    def excess(self, forms: int, over: int, point: str) -> Array:
        """How much more the root mean square is than with other forms, at all speeds: 0.1 is 10 %."""
        return self.rms(forms, point) / self.rms(over, point) - 1.0

    def parts(self) -> Array:
        """Root mean square of the part of each of 70 forms under mid-saloon at the highest speed [m/s2]."""
        return np.sqrt(np.mean(self.rides[MOST, self.speeds[-1]].parts["middle"] ** 2, axis=0))

    def forms_that_matter(self) -> int:
        """How many of the 70 forms matter under mid-saloon at the highest speed."""
        return int(np.sum(self.parts() > MATTERS * self.rms(MOST, "middle")[-1]))


def prepare() -> ff.modal.ReducedBody:
    """Return the body with the elastic modes of 70 forms."""
    return ff.modal.reduce(build(), n_modes=FORMS[MOST], method="eigenmodes")


def measure(
    body: ff.modal.ReducedBody,
    speeds: Sequence[float] = SPEEDS,
    seconds: float = SECONDS,
    in_curve: float = CURVE_SECONDS,
    say: Callable[[str], None] = lambda text: None,
) -> Study:
    """Make all runs, and compare the frequencies on the springs; without seconds in the curve no runs there."""
    modes, number = named_modes(Design())
    frequencies = {name: (float(modes.frequency[number[name]]), value) for name, value in PUBLISHED.items()}
    rides: dict[tuple[int, float], Ride] = {}
    smooth: dict[int, Curving] = {}
    irregular: dict[int, Curving] = {}
    for forms in FORMS:
        for speed in speeds:
            say(f"{forms} forms at {speed:g} km/h on straight track")
            rides[forms, speed] = ride(body, forms, speed / 3.6, seconds)
        if in_curve:
            say(f"{forms} forms in the curve")
            smooth[forms] = curving(body, forms, CURVE_SPEED / 3.6, in_curve / 2, irregular=False)
            irregular[forms] = curving(body, forms, CURVE_SPEED / 3.6, in_curve, irregular=True)
    return Study(frequencies, rides, smooth, irregular)


def run(folder: Path, say: Callable[[str], None] = lambda text: None) -> Study:
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
    standing = on_springs(build())
    figures = draw(folder, found, standing)
    report = write_report(folder / "report.html", found, figures, table(found), PUBLISHED_FRAME_FORCE)
    files = (folder / "railcar.h5", folder / "body.h5", *figures.values(), report)
    return Study(found.frequencies, found.rides, found.smooth, found.irregular, files)


def table(study: Study) -> str:
    """Frequencies, accelerations and frame forces, with what Mikheev (2004) gives."""
    lines = [f"{'form':<30}{'ours [Hz]':>10}{'published':>11}"]
    lines += [f"{name:<30}{ours:10.3f}{given:11.2f}" for name, (ours, given) in study.frequencies.items()]
    speeds = "".join(f"{speed:>9g}" for speed in study.speeds)
    lines += ["", f"{'vertical RMS [m/s²] at km/h':<30}{'forms':>6}{speeds}"]
    for point, where in POINTS.items():
        for forms in FORMS:
            values = "".join(f"{value:9.3f}" for value in study.rms(forms, point))
            lines.append(f"{where:<30}{forms:>6}{values}")
    lines += ["", f"{'against the rigid body [%]':<30}{'forms':>6}{speeds}"]
    for point, where in POINTS.items():
        for forms in (MIDDLE, MOST):
            values = "".join(f"{100 * value:+9.1f}" for value in study.excess(forms, FEWEST, point))
            lines.append(f"{where:<30}{forms:>6}{values}")
    lines += ["", *_frame_forces(study), ""]
    lines += [f"{study.forms_that_matter()} of {MOST} forms matter under mid-saloon at {study.speeds[-1]:g} km/h"]
    return "\n".join(lines)


def _frame_forces(study: Study) -> list[str]:
    """Return lines on the frame force in the curve, smooth: its mean; irregular: its root mean square without trend."""
    heading = f"{'frame force in R = 300 m':<30}{'forms':>6}{'smooth [N]':>12}{'irregular [N]':>15}{'[%]':>7}"
    lines = [f"{heading}{'published [N]':>15}{'[%]':>7}"]
    rms = {forms: run.rms() for forms, run in study.irregular.items()}
    for forms, run in study.smooth.items():
        values = f"{np.mean(run.force[run.in_curve]):12.0f}"
        for found in (rms, PUBLISHED_FRAME_FORCE):
            values += f"{found[forms]:15.0f}{100 * (found[forms] / found[FEWEST] - 1):+7.1f}"
        lines.append(f"{'80 km/h':<30}{forms:>6}{values}")
    return lines
