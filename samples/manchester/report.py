"""Figures and the report of the study: one page with tables and pictures."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from shutil import copyfile
from typing import TYPE_CHECKING

from floatframe.samples.manchester.study import LOAD, worst
from floatframe.viewer import plot_assessment, plot_root_locus
from floatframe.viewer.pages.report_page import Page, drawn
from floatframe.viewer.plots.style import label, saved_figure

if TYPE_CHECKING:
    from floatframe.samples.manchester.study import Study

_SOURCE = (
    "Masses, places and springs are those of vehicle 1 (Iwnicki 1998); stiffness and damping of the traction rods are "
    "ours. Wheels S1002 roll on rails 60E1 inclined 1:40, creep by Polach's law."
)


def draw(folder: Path, study: Study) -> dict[str, Path]:
    """Draw all figures into a folder; return them by caption."""
    return {
        "ride over irregular track": plot_assessment(study.ride, folder / "ride.png"),
        "lateral forces in the curve": _curve(folder / "curve.png", study),
        "modes over speed [m/s]": plot_root_locus(study.locus, folder / "modes.png"),
    }


def _curve(path: Path, study: Study) -> Path:
    curve = study.curving
    with saved_figure(path, 9.0, 4.5) as figure:
        axes = figure.add_subplot()
        for axle, force in curve.histories.items():
            axes.plot(curve.t, 1e-3 * force, label=axle, linewidth=0.9)
        axes.set(
            title=f"R = {curve.radius:g} m, cant {1e3 * curve.cant:g} mm, {curve.speed:.3g} m/s",
            xlabel=label("time", "s"),
            ylabel=label("ΣY, to the left", "kN"),
        )
        axes.margins(x=0)
        axes.legend()
    return path


def write_report(path: Path, study: Study, figures: Mapping[str, Path], text: str) -> Path:
    """Write the page; figures by caption, text: the tables as they are printed."""
    page = Page("Manchester coach", "vehicle 1 of the Manchester benchmarks")
    page.section("What is modelled").note(_SOURCE)
    page.section("At rest").table(
        "forces of the wheels",
        [{"wheel": name, "Q [N]": load, "of weight/8": load / LOAD} for name, load in study.static.items()],
    )
    page.section("Ride").table(
        "largest values on irregular track",
        [
            {"quantity": one.quantity, "where": one.subject, "value": one.value, "unit": one.unit}
            | ({"limit": one.limit} if one.limit is not None else {"limit": ""})
            for one in worst(study.ride)
        ],
    )
    curve = study.curving
    page.section("Curve").table(
        "means in the full curve",
        [
            {"wheel": name, "Y [N]": value, "Q [N]": curve.vertical[name], "Y/Q": value / curve.vertical[name]}
            for name, value in curve.lateral.items()
        ],
    )
    balance = page.section("Balance of forces across the track")
    balance.lines({"sum of Y [N]": curve.total, "m v²/R cos α - m g sin α [N]": curve.balance})
    speed = study.critical_speed
    page.section("Stability").lines({"critical speed [m/s]": "none found" if speed is None else speed})
    page.section("Figures").figures(
        [(name, drawn(partial(copyfile, file))) for name, file in figures.items()], wide=True
    )
    page.section("As printed").text("all tables", text)
    path.write_text(page.html(), encoding="utf-8")
    return path
