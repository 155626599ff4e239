"""Curves of runs for plots: found by search, thinned on the server to what a plot can show, over time or frequency."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.hybrid import Results
from floatframe.viewer import Curve, span_curves

MOST_CHANNELS = 60  # of a search
PIXELS = 1200  # across a plot; the lowest and the highest value of each is drawn


def search(channels: Sequence[str], words: str) -> tuple[list[str], int]:
    """Return the names in which all words occur, and how many more there are than can be listed."""
    wanted = words.lower().split()
    found = [name for name in channels if all(one in name.lower() for one in wanted)]
    return found[:MOST_CHANNELS], max(0, len(found) - MOST_CHANNELS)


def decimated(x: Array, y: Array, start: float, end: float, pixels: int = PIXELS) -> tuple[Array, Array]:
    """Return the part of a curve from start to end with the lowest and highest value of every pixel.

    x rises. Curves with few points are returned as they are; one point on either side of the range stays.
    """
    first = max(0, int(np.searchsorted(x, start)) - 1)
    last = min(len(x), int(np.searchsorted(x, end, side="right")) + 1)
    x, y = x[first:last], y[first:last]
    if len(x) <= 4 * pixels:
        return x, y
    edges = np.linspace(0, len(x), pixels + 1).astype(np.int64)[:-1]
    low, high = np.minimum.reduceat(y, edges), np.maximum.reduceat(y, edges)
    # the two values stand at the start of their pixel and half a pixel behind it
    places = np.column_stack([edges, np.minimum(edges + np.diff(np.append(edges, len(x))) // 2, len(x) - 1)])
    return x[places].ravel(), np.column_stack([low, high]).ravel()


def spectrum_of(curve: Curve) -> Curve:
    """Return the amplitudes of a curve over frequency, without its mean."""
    from floatframe.signals import resample, spectrum

    t, y = curve.t, curve.y
    if len(t) < 8:
        raise ModelError(f"'{curve.name}' has {len(t)} records, a spectrum needs at least eight")
    steps = np.diff(t)
    if steps.max() > 1.0001 * steps.min():
        even = resample(t, y, float((t[-1] - t[0]) / (len(t) - 1)))
        t, y = even.t, even.y
    found = spectrum(t, y)
    return Curve(curve.name, curve.unit, found.frequency[1:], found.amplitude[1:])


def curves_of(
    runs: dict[str, Results], channels: Sequence[str], over_frequency: bool = False
) -> list[tuple[str, Curve]]:
    """Return the curves of channels in runs, each with the name of its channel; a run without one is left out of it."""
    found = []
    several = len(runs) > 1
    for channel in channels:
        for name, run in runs.items():
            if several and channel not in run:
                continue
            for curve in span_curves(run, [channel]):
                drawn = spectrum_of(curve) if over_frequency else curve
                label = f"{curve.name} · {name}" if several else curve.name
                found.append((channel, Curve(label, drawn.unit, drawn.t, drawn.y)))
    return found
