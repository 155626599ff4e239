"""Runs of the vehicle, and what is measured in them: accelerations of the frame, parts of the forms, frame forces."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation
from threadpoolctl import threadpool_limits

import floatframe as ff
from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.samples.railcar.cases import Case
from floatframe.samples.railcar.rolling import rolling_vehicle
from floatframe.samples.railcar.tracks import begin
from floatframe.samples.railcar.vehicle import dampers_of, node_place, springs_of, vehicle

POINTS = {"front": "under the front cab", "rear": "under the rear cab", "middle": "under mid-saloon"}
WHEELSETS = ("front", "rear")
STEP, EVERY = 1e-3, 2e-3  # s
TREND = 0.5  # Hz: what is slower is a trend; the slowest form of the vehicle has 0.92 Hz

Say = Callable[..., None]  # (text, done, wanted)


@dataclass(frozen=True)
class Run:
    """What was measured, over the whole time; `measured` marks the part behind entry and settling."""

    t: Array  # (n,) [s]
    acceleration: dict[str, Array]  # vertical, by point (n,) [m/s2]
    parts: Array  # root mean square of the part of each form in that under mid-saloon (forms,) [m/s2]
    force: dict[str, Array]  # frame force by wheelset (n,) [N]: sideways on the body, positive to the left
    speed: float  # mean [m/s]
    measured: Array  # (n,) bool

    def acceleration_rms(self, point: str) -> float:
        """Root mean square of the vertical acceleration [m/s2]."""
        return _rms(self.acceleration[point][self.measured])

    def mean_force(self, wheelset: str = "front") -> float:
        """Mean of the frame force [N]."""
        return float(np.mean(self.force[wheelset][self.measured]))

    def without_trend(self, wheelset: str = "front", trend: float = TREND) -> Array:
        """Return the frame force (n,) [N] without what is slower than the trend [Hz]."""
        return np.asarray(ff.signals.highpass(self.t, self.force[wheelset], trend).y)

    def force_rms(self, wheelset: str = "front", trend: float = TREND) -> float:
        """Root mean square of the frame force without its trend [N]."""
        return _rms(self.without_trend(wheelset, trend)[self.measured])


def run_case(body: ff.modal.ReducedBody, case: Case) -> Run:
    """Make a run."""
    carrier = "box" if case.rolling else "axle"
    forces = {name: _forces(case, name == "front") for name in WHEELSETS}
    nodes = {point: f"body.node[{point}].acceleration" for point in POINTS} if case.modes else {}
    moving = ["body.velocity", "body.acceleration", "body.rotation", "body.angular_velocity"]
    channels = [*moving, "body.angular_acceleration", *nodes.values(), *forces["front"], *forces["rear"]]
    channels += [f"{name}.{carrier}.rotation" for name in WHEELSETS]
    channels += ["body.modal_acceleration"] if case.modes else []
    system = (rolling_vehicle if case.rolling else vehicle)(body, case).compile()
    record = ff.hybrid.Record(EVERY, tuple(channels))
    result = _simulated(system, case, record)
    measured = result.t >= begin(case)
    if case.modes:
        acceleration = {point: np.array(result[name][:, 2]) for point, name in nodes.items()}
    else:
        acceleration = {point: _of_point(result, node_place(body, point)) for point in POINTS}
    force = {name: _sideways(result, forces[name], f"{name}.{carrier}.rotation") for name in WHEELSETS}
    parts = np.sqrt(np.mean(parts_of_forms(result, body, case, "middle")[measured] ** 2, axis=0))
    speed = float(np.mean(np.linalg.norm(result["body.velocity"][measured, :2], axis=1)))
    return Run(np.array(result.t), acceleration, parts, force, speed, measured)


def _simulated(system: ff.hybrid.System, case: Case, record: ff.hybrid.Record) -> ff.hybrid.Results:
    """Simulate a run to its end, again with half the step where Newton's method fails at a flange."""
    for step in (STEP, STEP / 2, STEP / 4):
        t_end = begin(case) + case.seconds
        result = system.simulate(t_end=t_end, step=step, method="generalised-alpha", record=record)
        if result.status.ok:
            return result
    raise ModelError(f"railcar: the run '{case}' {result.status.message}")


def run_cases(body: ff.modal.ReducedBody, cases: Iterable[Case], say: Say = lambda *_: None) -> dict[Case, Run]:
    """Make many runs, each on a core; the first of either vehicle comes alone and compiles the kernels for all."""
    waiting = sorted(cases, key=lambda case: -case.cost)
    wanted, done = sum(case.cost for case in waiting), 0.0
    found: dict[Case, Run] = {}

    def keep(case: Case, run: Run) -> None:
        nonlocal done
        found[case], done = run, done + case.cost
        say(f"{len(found)} of {len(waiting)} runs", done, wanted)

    first = list({case.rolling: case for case in waiting}.values())  # the shortest of either vehicle
    with threadpool_limits(1), ThreadPoolExecutor(os.cpu_count()) as team:
        for case in first:
            keep(case, run_case(body, case))
        under_way = {team.submit(run_case, body, case): case for case in waiting if case not in first}
        try:
            for future in as_completed(under_way):
                keep(under_way[future], future.result())
        finally:
            team.shutdown(wait=False, cancel_futures=True)
    return found


def parts_of_forms(result: ff.hybrid.Results, body: ff.modal.ReducedBody, case: Case, point: str) -> Array:
    """Return the part of each form (n, forms) in the vertical acceleration of a point, for small angles.

    The first six are motions along x, y, z and turns about them; only bounce, roll and pitch lift a point.
    """
    x, y, _ = node_place(body, point)
    change = result["body.angular_acceleration"]
    rigid = np.zeros((len(result.t), 6))
    rigid[:, 2], rigid[:, 3], rigid[:, 4] = result["body.acceleration"][:, 2], change[:, 0] * y, -change[:, 1] * x
    if not case.modes:
        return rigid
    row = 6 * int(body.node_index([body.node_names[point]])[0]) + 2
    return np.hstack([rigid, body.shapes[row, : case.modes] * result["body.modal_acceleration"]])


def _forces(case: Case, front: bool) -> list[str]:
    """Return the channels of the forces of a wheelset that can act sideways."""
    rubbing = [f"side_damper_{k}.force" for k in dampers_of(front)] if case.sideways_friction else []
    return [f"spring_{k}.force" for k in springs_of(front)] + rubbing


def _sideways(result: ff.hybrid.Results, forces: list[str], rotation: str) -> Array:
    """Return the sum of forces (n,) [N] along the axle."""
    whole = np.sum([result[name] for name in forces], axis=0)
    return np.array(Rotation.from_quat(result[rotation], scalar_first=True).inv().apply(whole)[:, 1])


def _of_point(result: ff.hybrid.Results, place: Array) -> Array:
    """Return the vertical acceleration (n,) [m/s2] of a point of the rigid body."""
    rate, change = result["body.angular_velocity"], result["body.angular_acceleration"]
    turning = np.cross(change, place) + np.cross(rate, np.cross(rate, place))
    attitude = Rotation.from_quat(result["body.rotation"], scalar_first=True)
    return np.array((result["body.acceleration"] + attitude.apply(turning))[:, 2])


def _rms(values: Array) -> float:
    return float(np.sqrt(np.mean(values**2)))
