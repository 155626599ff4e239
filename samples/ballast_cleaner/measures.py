"""What is measured in a run: vibration of the eight points and of the screens, in each regime."""

from __future__ import annotations

import numpy as np

import floatframe as ff

RUN_UP, WORK, RUN_DOWN = "run-up", "work", "run-down"
#: times of the regimes [s]; of the work the part in which the run-up has died out
REGIMES = {RUN_UP: (0.0, 5.0), WORK: (10.0, 13.0), RUN_DOWN: (13.0, 23.0)}
POINTS = range(1, 9)
SCREENS = ("rear", "front")
DISPLACEMENT, RMS, PEAK = "displacement", "rms acceleration", "peak acceleration"
UNIT = {DISPLACEMENT: "mm", RMS: "m/s2", PEAK: "m/s2"}


def column(regime: str, point: int, quantity: str, axis: str = "z") -> str:
    """Return the name of a number of a point; displacements are amplitudes about the mean."""
    return f"{regime} point {point} {axis} {quantity}"


def screen_column(screen: str) -> str:
    """Return the name of the vertical amplitude of a screen at work."""
    return f"{screen} screen z {DISPLACEMENT}"


def measured(result: ff.hybrid.Results) -> dict[str, float]:
    """Return all numbers of a run by name, with their units."""
    numbers: dict[str, float] = {}
    for regime, (start, end) in REGIMES.items():
        inside = (result.t >= start) & (result.t <= end)
        for point in POINTS:
            moved = 1e3 * result[f"frame.node[point {point}].position"][inside]
            shaken = result[f"frame.node[point {point}].acceleration"][inside]
            for k, axis in enumerate("xyz"):
                found = {
                    DISPLACEMENT: np.abs(moved[:, k] - moved[:, k].mean()).max(),
                    RMS: np.sqrt(np.mean(shaken[:, k] ** 2)),
                    PEAK: np.abs(shaken[:, k]).max(),
                }
                for quantity, value in found.items():
                    numbers[f"{column(regime, point, quantity, axis)} [{UNIT[quantity]}]"] = float(value)
        if regime == WORK:
            for screen in SCREENS:
                height = 1e3 * result[f"{screen}.housing.position"][inside, 2]
                numbers[f"{screen_column(screen)} [mm]"] = float(np.ptp(height) / 2)
    return numbers
