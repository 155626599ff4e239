"""Figures of the study: reactions in the joints, motion of the crank, differences between the models."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

import floatframe as ff
from floatframe.viewer.plots.style import COLOURS, label, saved_figure

Runs = Mapping[str, ff.hybrid.Results]


def draw(folder: Path, runs: Runs, joints: Sequence[str]) -> tuple[Path, ...]:
    """Draw all figures into a folder."""
    reactions = [(f"reaction in joint {joint}", "force", "N", dict(_sizes(runs, f"{joint}.force"))) for joint in joints]
    speed = {name: run["crank.angular_velocity.z"] for name, run in runs.items()}
    acceleration = {name: run["crank.angular_acceleration.z"] for name, run in runs.items()}
    crank = [
        ("angular velocity of the crank", "speed", "rad/s", speed),
        ("angular acceleration of the crank", "acceleration", "rad/s²", acceleration),
    ]
    differences = [
        (f"{title}, less that of the chain of rigid bodies", quantity, unit, _less(values, "chain"))
        for title, quantity, unit, values in (reactions[0], *crank)
    ]
    t = next(iter(runs.values())).t
    return (
        _figure(folder / "reactions.png", "Slider-crank: reactions", t, reactions),
        _figure(folder / "crank.png", "Slider-crank: motion of the crank", t, crank),
        _figure(folder / "differences.png", "Slider-crank: models compared", t, differences),
    )


def _sizes(runs: Runs, channel: str) -> Iterator[tuple[str, np.ndarray]]:
    for name, run in runs.items():
        yield name, np.linalg.norm(run[channel], axis=1)


def _less(values: Mapping[str, np.ndarray], base: str) -> dict[str, np.ndarray]:
    return {name: y - values[base] for name, y in values.items() if name != base}


def _figure(
    path: Path, title: str, t: np.ndarray, panels: Sequence[tuple[str, str, str, Mapping[str, np.ndarray]]]
) -> Path:
    """Draw panels (title, quantity, unit, curves by model) below each other; a model keeps its colour everywhere."""
    colours = dict(zip(("rigid", "chain", "linear", "stiffened"), COLOURS, strict=False))
    with saved_figure(path, 9.0, 1.0 + 2.6 * len(panels), title) as figure:
        rows = figure.subplots(len(panels), sharex=True, squeeze=False)[:, 0]
        for axes, (name, quantity, unit, curves) in zip(rows, panels, strict=True):
            for model, y in curves.items():
                # the chain lies under the stiffened rod
                look = {"linewidth": 3.0, "alpha": 0.5} if model == "chain" else {"linewidth": 1.0}
                axes.plot(t, y, label=model, color=colours[model], **look)
            axes.set_title(name)
            axes.set_ylabel(label(quantity, unit))
            axes.margins(x=0)
        rows[0].legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0)
        rows[-1].set_xlabel(label("time", "s"))
        figure.align_ylabels(rows)
    return path
