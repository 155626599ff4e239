"""Geometric stiffening: the slider-crank against converged chains of rigid links, divergence, flutter, rotation.

The models are those of the tests.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np

from benchmarks.verify.rows import Row
from floatframe import hybrid as h
from floatframe.arrays import Array
from floatframe.hybrid.description.bodies import Frame
from tests.hybrid.stiffened_models import (
    BEAM_UNIT,
    LENGTH,
    SPIN_UP,
    beam,
    blade,
    chain_of_links,
    flexible_rod,
    lag_of_tip,
    slider_crank,
    spin_up_arm,
)

STEP = 1e-4
LINKS = (11, 22, 44, 88)
FRAMES: tuple[Frame, ...] = ("mean", "chord")
# Wright et al. (1982): hub radius / L, Ω, first two flap frequencies in units of sqrt(EI / (m L^4))
WRIGHT = (
    (0.0, 4, (5.5850, 24.2733)),
    (0.0, 12, (13.1702, 37.6031)),
    (1.0, 4, (7.475, 26.957)),
    (1.0, 12, (19.722, 51.07)),
)


def problems() -> Iterator[Row]:
    """Yield all problems of this module."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*frame is clamped to node|.*stiffening switched off")
        yield from slider_crank_curves()
        yield from spin_up()
        yield from rotating_blade()


def slider_crank_curves() -> Iterator[Row]:
    """Crank speed over 2 s; chains of rigid links converge with the square of the link's length."""
    problem, how = "stiffened slider-crank", f"gen.-alpha {STEP * 1e6:.0f} µs"
    chains = [_crank_speed(slider_crank(chain_of_links(n))) for n in LINKS]
    for n, curve in zip(LINKS, chains, strict=True):
        yield Row(problem, f"speed at 2 s, {n} links [rad/s]", 6.9179, float(curve[-1]), 2e-4, how)
    for n, coarse, fine in zip(LINKS[1:], chains, chains[1:], strict=False):
        change = float(np.abs(fine - coarse).max())
        yield Row(
            problem, f"largest change of the curve by {n} links [rad/s]", 0.0, change, 2e-3 if n < 88 else 2e-4, how
        )
    converged = chains[-1] + (chains[-1] - chains[-2]) / 3.0
    rod = beam(n=40, modes=20)
    for frame in FRAMES:
        curve = _crank_speed(slider_crank(flexible_rod(rod, frame=frame)))
        yield Row(problem, f"speed at 2 s, {frame} [rad/s]", 6.917, float(curve[-1]), 0.003 / 6.917, how)
        distance = float(np.abs(curve - converged).max())
        yield Row(problem, f"largest distance from the converged chain, {frame} [rad/s]", 0.0, distance, 0.01, how)


def spin_up() -> Iterator[Row]:
    """Simo and Vu-Quoc: right with stiffening in every frame; without it the frame of the hub diverges."""
    problem, arm = "spin-up beam", spin_up_arm()
    for frame in (*FRAMES, "node"):
        run = _turned(blade(arm, 0.0, SPIN_UP, frame=str(frame)), 18.0)
        yield Row(problem, f"smallest lag, {frame} [m]", -0.5744, float(lag_of_tip(run).min()), 0.01, "20 beams")
    rates, speeds = [], np.array([4.2, 4.6, 5.0])
    for speed in speeds:
        model = blade(arm, 0.0, f"{float(speed)!r}*t", float(speed), frame="node", stiffening="off")
        model.gravity = (0.0, -1e-5, 0.0)
        run = _turned(model, 6.0)
        late = run.t > 4.5
        rates.append(np.polyfit(run.t[late], np.log(np.abs(lag_of_tip(run)[late])), 1)[0])
    slope, start = np.polyfit(speeds**2, np.square(rates), 1)
    critical = float(np.sqrt(-start / slope))
    yield Row(
        problem, "critical speed without stiffening, from growth in time [rad/s]", 3.798, critical, 5e-3, "20 beams"
    )


def rotating_blade() -> Iterator[Row]:
    """Wright's frequencies; in the plane of rotation ω² is smaller by Ω²."""
    body = beam()
    for radius, speed, flap in WRIGHT:
        rate = speed * BEAM_UNIT
        system = blade(body, radius * LENGTH, f"{rate!r}*t", rate).compile()
        found = 2.0 * np.pi * system.linearise(system.steady_motion(), n=4).frequency / BEAM_UNIT
        lag = np.sqrt(np.square(flap) - speed**2)
        for target, ours in zip(np.sort([*flap, *lag]), found, strict=True):
            kind = "flap" if target in flap else "lead-lag"
            yield Row(
                "rotating blade",
                f"hub {radius:g} L, speed {speed}: {kind}",
                float(target),
                float(ours),
                5e-3,
                "20 beams",
            )


def _crank_speed(model: h.Model) -> Array:
    record = h.Record(every=1e-2, channels=("A.rate",))
    return np.asarray(model.compile().simulate(t_end=2.0, step=STEP, spectral_radius=0.6, record=record)["A.rate"])


def _turned(model: h.Model, t_end: float) -> h.Results:
    record = h.Record(every=0.02, channels=("axle.angle", "blade.node[21].position"))
    return model.compile().simulate(t_end=t_end, step=5e-3, record=record)
