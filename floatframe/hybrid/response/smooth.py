"""Frequencies between those of a response, until its curves in the complex plane bend without corners."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from floatframe.arrays import AnyArray, Array, BoolArray

SEEN = 5e-4  # of the size of a curve: how far its chords may lie off, less than a pixel of a picture
HALVINGS = 12  # of a step
MOST = 20_000  # frequencies


def smooth_curves(
    frequency: Array, values: AnyArray, solve: Callable[[Array], AnyArray], left: Array
) -> tuple[Array, AnyArray]:
    """Return frequencies (k,) and values (k, p, m), those given among them, whose chords follow the curves.

    solve: values (k, p, m) at frequencies (k,) [Hz]. Steps across one of `left` (l,) [Hz] stay as they are.
    """
    for _ in range(HALVINGS):
        across = np.diff(np.searchsorted(left, frequency)) > 0
        step = np.flatnonzero(_coarse(values) & ~across)
        if not step.size or len(frequency) + step.size > MOST:
            break
        between = np.sqrt(frequency[step] * frequency[step + 1])
        frequency, values = (
            np.insert(frequency, step + 1, between),
            np.insert(values, step + 1, solve(between), axis=0),
        )
    return frequency, values


def _coarse(values: AnyArray) -> BoolArray:
    """Return which steps (nf - 1,) are chords that lie off a curve: by the angle to their neighbours, as in a circle.

    What runs to infinity and back, such as ratios to what stands still, turns on one line.
    """
    if len(values) < 3:
        return np.zeros(len(values) - 1, dtype=bool)
    chord = np.diff(values, axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        bend = np.nan_to_num(np.abs(np.sin(np.angle(chord[1:] / chord[:-1]))))
    none = np.zeros_like(bend[:1])
    largest = np.maximum(np.concatenate([none, bend]), np.concatenate([bend, none]))
    size = np.abs(values - values.mean(axis=0)).max(axis=0)
    return np.asarray((np.abs(chord) * largest / 8.0 > SEEN * size).any(axis=(1, 2)))
