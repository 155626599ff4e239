"""The Manchester coach: at rest, on irregular straight track, in a curve, and its modes over speed.

Models are the files beside this; vehicle.toml is a part of the other two.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import copyfile

import numpy as np

import floatframe as ff
from floatframe.arrays import Array
from floatframe.railway import Assessment, Finding, RootLocus, WheelHistory, assess_run, felt_acceleration, root_locus

HERE = Path(__file__).parent
MODELS = ("vehicle.toml", "ride.toml", "curve.toml", "cycles.toml")
GRAVITY = 9.81  # m/s2
MASS = 32000.0 + 2 * 2615.0 + 4 * 1813.0  # of the whole coach [kg]
LOAD = MASS * GRAVITY / 8  # of a wheel at rest [N]
SPEEDS = tuple(range(10, 121, 10))  # of the modes [m/s]
AXLES = tuple(f"{bogie}.frame_{end}" for bogie in ("front", "rear") for end in ("front", "rear"))
WHEELS = tuple(f"{axle}_{side}" for axle in AXLES for side in ("left", "right"))
SETTLED = 0.25  # last share of the run through the curve that is taken as steady
ROUGH = 90.0  # m, from which the irregularities are full under the whole coach
_SLOWEST, _FASTEST = 0.3, 30.0  # Hz, of modes that are shown


@dataclass(frozen=True)
class Curving:
    """Forces in the full curve, means over its last part [N]."""

    speed: float  # m/s
    radius: float  # m
    cant: float  # m
    rail_distance: float  # m, to which the cant refers
    lateral: Mapping[str, float]  # Y by wheel, outward
    vertical: Mapping[str, float]  # Q by wheel
    t: Array  # (nt,) [s]
    histories: Mapping[str, Array]  # sum of Y to the left on the rails by axle, (nt,) [N]

    @property
    def total(self) -> float:
        """Sum of all Y, from the middle of the curve outward: in a left curve to the right."""
        return sum(value if name.endswith("right") else -value for name, value in self.lateral.items())

    @property
    def balance(self) -> float:
        """What the coach presses outward in the plane of the rails: m v²/R cos α - m g sin α."""
        lean = np.arcsin(self.cant / self.rail_distance)
        return MASS * float(self.speed**2 / self.radius * np.cos(lean) - GRAVITY * np.sin(lean))


@dataclass(frozen=True)
class Study:
    """What was found, and the files written."""

    static: Mapping[str, float]  # Q by wheel at the start [N]
    ride: Assessment
    curving: Curving
    locus: RootLocus
    files: tuple[Path, ...] = ()

    @property
    def critical_speed(self) -> float | None:
        """Where the first mode loses its damping [m/s]."""
        return next((one.speed for one in self.locus.crossings if one.unstable_above), None)


def static_loads() -> dict[str, float]:
    """Return Q of all wheels as the model starts [N]."""
    file = ff.hybrid.read_model(HERE / "vehicle.toml")
    result = file.model.compile().simulate(t_end=2e-3, method="generalised-alpha", step=1e-3)
    return {wheel: float(result[f"{wheel}.Q"][0]) for wheel in WHEELS}


def riding(time: float | None = None, path: Path | None = None) -> Assessment:
    """Return the ride over irregular track assessed, from where all wheels are on it; time: of the run [s]."""
    result = _run("ride.toml", {} if time is None else {"time": time}, path)
    rough = result[f"coach.{WHEELS[-1]}.distance"] > ROUGH
    wheels = [
        WheelHistory(wheel, *(result[f"coach.{wheel}.{what}"][rough] for what in ("distance", "Y", "Q", "wear")))
        for wheel in WHEELS
    ]
    wanted = ("com_acceleration", "rotation", "velocity")
    acceleration, rotation, velocity = (result[f"coach.body.{what}"][rough] for what in wanted)
    found = felt_acceleration(acceleration, rotation, velocity, result.gravity)
    accelerations = {"body": {axis: found[:, k] for k, axis in enumerate("xyz") if axis != "x"}}
    return assess_run(result.t[rough], wheels, accelerations, load=LOAD)


def worst(ride: Assessment) -> list[Finding]:
    """Return the largest finding of each quantity."""
    found: dict[str, Finding] = {}
    for one in sorted(ride.findings, key=lambda one: one.value):
        found[one.quantity] = one
    return [found[name] for name in dict.fromkeys(one.quantity for one in ride.findings)]


def curving(parameters: Mapping[str, float] | None = None, path: Path | None = None) -> Curving:
    """Return the forces in the curve, at other values of the parameters of its file."""
    file = ff.hybrid.read_model(HERE / "curve.toml", parameters)
    result = _run("curve.toml", parameters or {}, path)
    last = result.t > (1.0 - SETTLED) * result.t[-1]
    given = {**file.model.parameters, **file.parameters}
    radius, cant = (float(given[name]) for name in ("radius", "cant"))
    forces = {what: {wheel: result[f"coach.{wheel}.{what}"] for wheel in WHEELS} for what in ("Y", "Q")}
    mean = {what: {wheel: float(y[last].mean()) for wheel, y in found.items()} for what, found in forces.items()}
    moved = {axle: forces["Y"][f"{axle}_left"] - forces["Y"][f"{axle}_right"] for axle in AXLES}
    way = np.mean([result[f"coach.{wheel}.distance"][last] for wheel in WHEELS], axis=0)
    speed = float(np.ptp(way) / np.ptp(result.t[last]))  # it slows down a little
    return Curving(speed, radius, cant, 1.5, mean["Y"], mean["Q"], result.t, moved)


def modes(speeds: Sequence[float] = SPEEDS) -> RootLocus:
    """Return the roots of the rolling coach over speed."""
    file = ff.hybrid.read_model(HERE / "vehicle.toml")
    rows, system = [], None
    for speed in speeds:
        system = file.model.compile({"speed": float(speed)}, like=system)
        roots = system.linearise(system.steady_motion()).eigenvalues
        rows.append(roots[(np.abs(roots) > 2 * np.pi * _SLOWEST) & (np.abs(roots) < 2 * np.pi * _FASTEST)])
    table = np.full((len(rows), max(map(len, rows))), np.nan, dtype=complex)
    for row, roots in zip(table, rows, strict=True):
        row[: len(roots)] = roots
    return root_locus(np.array(speeds, dtype=float), table)


def run(folder: Path, say: Callable[[str], None] = lambda text: None) -> Study:
    """Make all runs, draw figures and write the report; `say` hears what is being done."""
    from floatframe.samples.manchester.report import draw, write_report

    folder.mkdir(parents=True, exist_ok=True)
    models = [Path(copyfile(HERE / name, folder / name)) for name in MODELS]
    say("standing")
    static = static_loads()
    say("riding over irregular track")
    ride = riding(path=folder / "ride.h5")
    say("curving")
    curve = curving(path=folder / "curve.h5")
    say("modes over speed")
    study = Study(static, ride, curve, modes())
    say("drawing")
    figures = draw(folder, study)
    report = write_report(folder / "report.html", study, figures, table(study))
    files = (*models, folder / "ride.h5", folder / "curve.h5", *figures.values(), report)
    return replace(study, files=files)


def table(study: Study) -> str:
    """Loads at rest, ride, curve and critical speed as text."""
    lines = [f"{'at rest':<28}{'Q [kN]':>10}{'of weight/8':>13}"]
    lines += [f"{name:<28}{1e-3 * load:10.3f}{load / LOAD:13.6f}" for name, load in study.static.items()]
    lines += ["", f"{'ride on irregular track':<28}{'value':>10}  {'unit':<8}{'limit':>10}"]
    for one in worst(study.ride):
        limit = f"{one.limit:10.4g}" if one.limit is not None else ""
        lines.append(f"{one.subject[:26]:<28}{one.value:10.4g}  {one.unit:<8}{limit:>10}  {one.quantity}")
    curve = study.curving
    head = f"curve of {curve.radius:g} m at {curve.speed:.3g} m/s"
    lines += ["", f"{head:<28}{'Y [kN]':>10}{'Q [kN]':>10}"]
    lines += [f"{name:<28}{1e-3 * y:10.3f}{1e-3 * curve.vertical[name]:10.3f}" for name, y in curve.lateral.items()]
    lines += [f"sum of Y {1e-3 * curve.total:.3f} kN, by the balance of forces {1e-3 * curve.balance:.3f} kN", ""]
    speed = study.critical_speed
    fastest = float(study.locus.speed[-1])
    lines += [f"critical speed {speed:.1f} m/s" if speed is not None else f"stable up to {fastest:g} m/s"]
    return "\n".join(lines)


def _run(name: str, parameters: Mapping[str, float], path: Path | None) -> ff.hybrid.Results:
    """Run a model file."""
    file = ff.hybrid.read_model(HERE / name, parameters)
    return file.model.compile().simulate(record=file.record, path=path, **file.simulate)
