"""The conclusions of Mikheev beside ours, and whether they agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from floatframe.samples.ballast_cleaner.machine import PUBLISHED
from floatframe.samples.ballast_cleaner.measures import DISPLACEMENT, REGIMES, RMS, RUN_DOWN, UNIT
from floatframe.samples.printing import Finding

if TYPE_CHECKING:
    from floatframe.samples.ballast_cleaner.study import Study

#: Mikheev (2004), table 3.5: largest amplitude and root mean square of the parts of three modes [mm], by phase
TABLE = {
    0.0: {"suspension": (3.1, 0.96), "first bending": (0.73, 0.25), "second bending": (0.49, 0.13)},
    150.0: {"suspension": (0.37, 0.10), "first bending": (0.27, 0.11), "second bending": (2.45, 0.65)},
}
STROKE = (4.8, 7.5)  # mm, published amplitudes of the screens
MIDDLE = 4  # the point of Mikheev's figures
NEAR = 0.03  # relative error of frequencies that are taken as met
STEP = 30.0  # degrees, of the grid
MOST = 0.75  # share of the mean square that three modes must have to suffice
SMALL = 0.1  # of the vertical vibration: negligible
REACHED = 0.02  # relative error of the amplitudes of the screens


def findings(study: Study) -> list[Finding]:
    """Return all conclusions."""
    return [_frequencies(study), *_regime(study), _directions(study), *_places(study), *_modes(study), _screens(study)]


def _frequencies(study: Study) -> Finding:
    pairs = study.frequencies.values()
    return Finding(
        "frequencies of the assembled machine: suspension, first and second bending [Hz]",
        ", ".join(f"{given:.2f}" for given in PUBLISHED.values()),
        ", ".join(f"{ours:.2f}" for ours, _ in pairs),
        all(abs(ours / given - 1) < NEAR for ours, given in pairs),
    )


def _regime(study: Study) -> list[Finding]:
    found = []
    for quantity, unit in UNIT.items():
        largest = {regime: study.worst(quantity, regime, [MIDDLE])[0] for regime in REGIMES}
        ours = ", ".join(f"{regime} {value:.2f}" for regime, value in largest.items())
        worst = max(largest, key=lambda regime: largest[regime])
        about = f"worst regime, vertical {quantity} of point {MIDDLE} [{unit}]"
        found.append(Finding(about, RUN_DOWN, ours, worst == RUN_DOWN))
    return found


def _directions(study: Study) -> Finding:
    largest = {axis: float(np.nanmax(study.grid(RUN_DOWN, MIDDLE, DISPLACEMENT, axis))) for axis in "xyz"}
    return Finding(
        f"displacement of point {MIDDLE} in run-down: vertical > longitudinal, lateral negligible [mm]",
        "z > x, y small",
        ", ".join(f"{axis} {value:.2f}" for axis, value in largest.items()),
        largest["z"] > largest["x"] and largest["y"] < SMALL * largest["z"],
    )


def _places(study: Study) -> list[Finding]:
    moved, point, phase = study.worst(DISPLACEMENT)
    alpha = study.worst_alpha(DISPLACEMENT, point)
    shaken, _, best = study.worst(RMS, points=[MIDDLE])
    at = study.worst_alpha(RMS, MIDDLE)
    most, where, _ = study.worst(RMS)
    everywhere = {quantity: _of_all(study, quantity) for quantity in UNIT}
    return [
        Finding(
            "largest vertical displacement in run-down",
            f"point {MIDDLE}, α = 0°, φ = 0°",
            f"{moved:.2f} mm at point {point}, α = {alpha:.0f}°, φ = {phase:.0f}°",
            (point, alpha, phase) == (MIDDLE, 0.0, 0.0),
        ),
        Finding(
            f"largest rms of the vertical acceleration of point {MIDDLE} in run-down",
            "α = 0°, φ = 150°",
            f"{shaken:.2f} m/s² at α = {at:.0f}°, φ = {best:.0f}°",
            at == 0.0 and abs(best - 150.0) <= STEP,
        ),
        Finding(
            "the point where that is largest of all",
            f"point {MIDDLE}",
            f"{most:.2f} m/s² at point {where}",
            where == MIDDLE,
        ),
        Finding(
            "where vertical vibration is largest of all points, phases and regimes",
            f"point {MIDDLE}, {RUN_DOWN}",
            "; ".join(f"{quantity}: point {k}, {regime}" for quantity, (k, regime) in everywhere.items()),
            all(found == (MIDDLE, RUN_DOWN) for found in everywhere.values()),
        ),
    ]


def _of_all(study: Study, quantity: str) -> tuple[int, str]:
    """Return the point and regime of the largest vertical value."""
    largest = {regime: study.worst(quantity, regime) for regime in REGIMES}
    regime = max(largest, key=lambda name: largest[name][0])
    return largest[regime][1], regime


def _modes(study: Study) -> list[Finding]:
    return [
        Finding(
            f"three modes suffice for the vertical vibration of point {MIDDLE}, φ = {phase:.0f}°",
            "yes",
            f"{100 * closer.share():.0f} % of the mean square",
            closer.share() > MOST,
        )
        for phase, closer in study.closer.items()
    ]


def _screens(study: Study) -> Finding:
    found = study.screens("front")[0]
    inside = [a for a, value in zip(study.sweep.parameters["alpha"], found, strict=True) if value >= STROKE[0]]
    widest = max(a for a in inside if a <= 180)
    return Finding(
        "amplitude of the screens at work [mm]",
        f"{STROKE[0]:g} … {STROKE[1]:g}",
        f"{found.min():.2f} … {found.max():.2f}; above {STROKE[0]:g} for |α| up to {widest:.0f}°",
        abs(found.max() / STROKE[1] - 1) < REACHED and found.min() <= STROKE[0],
    )
