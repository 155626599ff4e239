"""Plots about modes: who contributes, frequencies over speed, MAC, error against number of modes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.hybrid import ROTATION, ModeContributions, ModeLoci
from floatframe.viewer.plots.style import COLOURS, PathLike, add_legend, label, saved_figure

NUMBERED = 16  # rows and columns of a matrix up to which its values are written into it


def plot_contributions(
    found: ModeContributions,
    path: PathLike,
    frequency: Array | None = None,
    unit: str = "",
    title: str = "",
    most: int = 24,
    names: Sequence[str] | None = None,
) -> Path:
    """Draw bars of the root mean square and the largest value of each mode's part of one quantity.

    frequency (nmode,) [Hz] is written under the names, by default numbers counted from 1; of many modes the `most`
    important are shown.
    """
    if found.rms.ndim != 1:
        raise ModelError(f"plot: contributions to {len(found.rms)} quantities; give one row of shapes.")
    modes = np.sort(found.ranking()[:most])
    names = [str(mode + 1) if names is None else names[mode] for mode in modes]
    if frequency is not None:
        values = np.asarray(frequency, dtype=float)[modes]
        # no powers of ten: they would run into each other under the bars
        hertz = [f"{f:.2f}" if f < 100.0 else f"{f:.0f}" if 1e3 <= f < 1e5 else f"{f:.3g}" for f in values]
        names = [n if np.isnan(f) else f"{n}\n{h}" for n, f, h in zip(names, values, hertz, strict=True)]
    place = np.arange(len(modes))
    with saved_figure(path, max(6.0, 1.6 + 0.36 * len(modes)), 4.2, title) as figure:
        axes = figure.add_subplot()
        axes.bar(place - 0.2, found.rms[modes], 0.4, label="root mean square", color=COLOURS[0])
        axes.bar(place + 0.2, found.peak[modes], 0.4, label="largest value", color=COLOURS[1])
        axes.set_xticks(place, names, fontsize=8)
        axes.grid(False, axis="x")
        axes.set(
            xlabel="mode" if frequency is None else "mode, its frequency [Hz]", ylabel=label("part of the mode", unit)
        )
        axes.margins(y=0.16)
        axes.legend(loc="upper right", ncols=2)  # above the bars, but inside: over the axes it would meet the title
        whole = f"whole: rms {float(found.total_rms):.3g}, largest {float(found.total_peak):.3g} {unit}"
        axes.set_title(whole.rstrip(), fontsize=9)
    return Path(path)


def plot_mode_loci(found: ModeLoci, path: PathLike, quantity: str = "parameter", title: str = "") -> Path:
    """Draw frequencies and damping of modes over a parameter, and their roots; left of the line they die out."""
    with saved_figure(path, 10.0, 6.5, title) as figure:
        axes = figure.subplot_mosaic([["frequency", "plane"], ["damping", "plane"]])
        turning = np.abs(found.eigenvalues.imag) / (2.0 * math.pi)
        for k in range(turning.shape[1]):
            kept: dict[str, Any] = {"color": COLOURS[k % len(COLOURS)], "marker": "o", "markersize": 2.5}
            axes["frequency"].plot(found.values, found.frequency[:, k], **kept)
            axes["damping"].plot(found.values, 100.0 * found.damping[:, k], **kept)
            axes["plane"].plot(found.eigenvalues[:, k].real, turning[:, k], label=f"mode {k + 1}", **kept)
            # where it begins, so that the direction can be seen
            axes["plane"].plot(found.eigenvalues[0, k].real, turning[0, k], "s", color=kept["color"], markersize=6)
        axes["damping"].axhline(0.0, color=COLOURS[6], linewidth=1.0)
        axes["plane"].axvline(0.0, color=COLOURS[6], linewidth=1.0)
        axes["frequency"].set(ylabel=label("natural frequency", "Hz"))
        axes["damping"].set(xlabel=quantity, ylabel=label("damping ratio", "%"))
        axes["plane"].set(xlabel=label("real part", "1/s"), ylabel=label("imaginary part / 2π", "Hz"))
        axes["plane"].set_title(f"squares: the first value, {found.values[0]:g}")
        add_legend(axes["plane"], turning.shape[1])
    return Path(path)


def plot_loci_over(found: ModeLoci, path: PathLike, quantity: str, unit: str = "", title: str = "") -> Path:
    """Draw a Campbell diagram of modes over a parameter; with a unit of rotation rays of once and twice per turn."""
    orders = (1, 2) if unit in ROTATION else ()
    return plot_campbell(
        found.values, found.frequency, path, unit, orders, ROTATION.get(unit, 1.0), title=title, quantity=quantity
    )


def plot_campbell(
    speed: Array,
    frequency: Array,
    path: PathLike,
    speed_unit: str = "rev/min",
    orders: Sequence[float] = (1, 2, 3),
    per_hertz: float = 60.0,
    names: Sequence[str] | None = None,
    title: str = "",
    quantity: str = "speed",
) -> Path:
    """Draw natural frequencies (nspeed, nmode) [Hz] over speed (nspeed,) and the rays of excitation orders.

    per_hertz: units of speed per turn per second; a ray of order k has the frequency k · speed / per_hertz. Without
    orders `quantity` may be anything that frequencies depend on.
    """
    speed, frequency = np.asarray(speed, dtype=float), np.asarray(frequency, dtype=float)
    if speed.ndim != 1 or len(speed) < 2 or frequency.ndim != 2 or len(frequency) != len(speed):
        raise ModelError(f"plot: speeds {speed.shape} and frequencies {frequency.shape}, expected (n,) and (n, nmode).")
    count = frequency.shape[1]
    names = [f"mode {k + 1}" for k in range(count)] if names is None else list(names)
    if len(names) != count:
        raise ModelError(f"plot: {len(names)} names for {count} modes.")
    top = 1.08 * float(np.nanmax(frequency))
    if not (math.isfinite(top) and np.isfinite(speed).all()):
        raise ModelError("plot: frequencies or what they depend on are not finite numbers; correct them in the file.")
    with saved_figure(path, 8.5, 5.0, title) as figure:
        axes = figure.add_subplot()
        for name, line in zip(names, frequency.T, strict=True):
            axes.plot(speed, line, label=name, marker="o", markersize=3)
        for order in orders:
            axes.plot(
                [0, speed.max()], [0, order * speed.max() / per_hertz], color="#9aa3ad", linewidth=1, dashes=(5, 3)
            )
            # the name of a ray stands where it leaves the picture
            x = min(speed.max(), top * per_hertz / order)
            y = x * order / per_hertz
            axes.annotate(
                f"{order:g}×",
                (x, y),
                xytext=(3, 0) if y < 0.99 * top else (-2, 3),
                textcoords="offset points",
                color="#4d5560",
                fontsize=9,
                va="center" if y < 0.99 * top else "bottom",
                ha="left" if y < 0.99 * top else "center",
                annotation_clip=False,
            )
        axes.set_xlim(min(0.0, speed.min()) if orders else speed.min(), speed.max())
        axes.set_ylim(0, top)
        axes.set(xlabel=label(quantity, speed_unit), ylabel=label("natural frequency", "Hz"))
        if count <= 12:
            axes.legend(loc="upper left", bbox_to_anchor=(1.05 if orders else 1.01, 1.0), borderaxespad=0.0)
    return Path(path)


def plot_mac(
    mac: Array, path: PathLike, rows: str = "first set, mode", columns: str = "second set, mode", title: str = ""
) -> Path:
    """Draw a matrix of modal assurance criteria (n, m), 0 … 1; small ones with their values."""
    mac = np.asarray(mac, dtype=float)
    if mac.ndim != 2 or not mac.size or not ((mac > -1e-9) & (mac < 1 + 1e-9)).all():
        raise ModelError(f"plot: a MAC matrix of shape {mac.shape} must be (n, m) with values 0 … 1.")
    n, m = mac.shape
    cell = 0.42 if max(n, m) <= NUMBERED else 6.0 / max(n, m)
    with saved_figure(path, max(4.6, 2.2 + cell * m), max(3.6, 1.4 + cell * n), title) as figure:
        axes = figure.add_subplot()
        image = axes.imshow(mac, cmap="Blues", vmin=0, vmax=1, origin="lower", extent=(0.5, m + 0.5, 0.5, n + 0.5))
        axes.grid(False)
        if max(n, m) <= NUMBERED:
            axes.set_xticks(range(1, m + 1))
            axes.set_yticks(range(1, n + 1))
            for (i, j), value in np.ndenumerate(mac):
                if value >= 0.05:
                    colour = "white" if value > 0.55 else "#20252b"
                    axes.text(j + 1, i + 1, f"{value:.2f}", ha="center", va="center", fontsize=7, color=colour)
        axes.set(xlabel=columns, ylabel=rows)
        figure.colorbar(image, ax=axes, label="MAC", shrink=0.9, pad=0.03)
    return Path(path)


def plot_errors(
    count: Array, errors: Mapping[str, Array], path: PathLike, title: str = "", quantity: str = "relative error"
) -> Path:
    """Draw how errors fall with the number of modes: count (n,), errors (n,) by name, on a logarithmic scale."""
    count = np.asarray(count)
    if not errors or any(np.shape(values) != count.shape for values in errors.values()) or count.ndim != 1:
        raise ModelError("plot: every error needs one value per number of modes.")
    from matplotlib.ticker import MaxNLocator

    with saved_figure(path, 8.0, 4.2, title) as figure:
        axes = figure.add_subplot()
        for (name, values), marker in zip(errors.items(), "osD^vPX*" * len(errors), strict=False):
            axes.semilogy(
                count, np.where(np.asarray(values) > 0, values, np.nan), marker=marker, markersize=4, label=name
            )
        axes.set(xlabel="number of modes", ylabel=quantity)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        add_legend(axes, len(errors))
        if len(errors) == 1:
            axes.set_title(next(iter(errors)))
    return Path(path)
