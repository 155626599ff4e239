"""The report of the study: one page that says what was compared, what came out, and why it differs where it does."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from shutil import copyfile
from typing import TYPE_CHECKING

from floatframe.samples.railcar.cases import ROUGH
from floatframe.samples.railcar.tables import all_tables, printed
from floatframe.samples.railcar.tracks import WAVELENGTHS
from floatframe.viewer.pages.report_page import Page, drawn

if TYPE_CHECKING:
    from floatframe.samples.railcar.study import Study

_VEHICLE = (
    "The body has 1273 nodes and 2478 elements, as Mikheev's (2004, §3.3). Its stiffnesses were tuned to his "
    "frequencies. Four springs and two friction dampers join it to each of two wheelsets. 6 forms are the rigid "
    "body on its springs, 24 and 70 have 18 and 64 elastic modes of the free body besides. His friction, damping "
    "and irregularities are not published; those used here are named in the sample, so figures are to be compared"
    " as ratios."
)
_WHEELS = (
    "Every run is made on two vehicles. Rolling wheels: profiles S1002 on rails 60E1, contact and creep at every "
    "wheel, gravity, speed held by a force on the axle boxes. Guided wheelsets: each follows the middle of the "
    "rails, without play and creep; this takes a fraction of the time. What the wheels add is the difference of "
    "their rows."
)
_TRACK = (
    "The curve of 300 m has no cant: the source does not mention any, and the forces it adds in the curve depend "
    "on speed, angular velocity and angular acceleration only. One run with a cant of 150 mm shows what it would "
    "change."
)
_FORCE = (
    "The frame force is the sum of all sideways forces from the front wheelset on the frame, along the axle. The "
    "source takes its standard deviation after a low-frequency trend is removed, without saying how; here a "
    "filter takes away what is slower than 0.5 Hz, while the slowest form has 0.92 Hz."
)
_WHY = (
    "Why the published rise is not confirmed: nine tenths of the variance lie between 0.9 and 1.7 Hz, where lateral "
    "irregularities excite yaw and sway, and there an elastic body differs little from a rigid one. Cross level twists "
    "the body: alone it lets 24 forms raise the frame force by a third and more, through torsion at 3 Hz. The "
    "rise depends on the share of both, which is not published. With rolling wheels the play between the rails makes "
    "the frame force of one run of 20 s differ from seed to seed by more than the published rise, which a single run "
    "can therefore not show. No other limit of the trend gives the published rise either."
)


def write_report(path: Path, study: Study, figures: Mapping[str, Path]) -> Path:
    """Write the page with figures by caption and all tables."""
    page = Page("Railcar with an elastic body", "6, 24 and 70 forms of the vehicle, straight and in a curve of 300 m")
    tables = list(all_tables(study).items())
    about = page.section("What is compared")
    for text in (_VEHICLE, _WHEELS, _TRACK, _rough(study)):
        about.note(text)
    page.section("Conclusions").table(*tables[0])
    shown = {name: drawn(partial(copyfile, file)) for name, file in figures.items()}
    for title, found, prefixes in (
        ("Frequencies", tables[1:2], ("Table 3.3",)),
        ("Frame forces in the curve", tables[5:11], ("Figure 3.13", "Figure 3.14", "Figure 3.15", "Change")),
        ("Accelerations", tables[2:5], ("Figure 3.16", "Figure 3.17", "Figure 3.18")),
    ):
        section = page.section(title)
        if title.startswith("Frame"):
            section.note(_FORCE)
            section.note(_WHY)
        for caption, records in found:
            section.table(caption, records)
        section.figures([(name, data) for name, data in shown.items() if name.startswith(prefixes)], wide=True)
    page.section("As printed").text("all tables", printed(study))
    path.write_text(page.html(), encoding="utf-8")
    return path


def _rough(study: Study) -> str:
    classes = ", ".join(f"{quantity.replace('_', ' ')} {quality}" for quantity, quality in ROUGH)
    return (
        f"Irregularities: {classes}, wavelengths {WAVELENGTHS[0]:g} to {WAVELENGTHS[1]:g} m. Vertical and cross "
        "level were chosen by the size of the published accelerations, lateral by the published frame force with "
        f"6 forms, on guided wheelsets. Each rough run is measured for {study.measured:g} s after it has settled. "
        f"All {len(study.runs)} runs took {study.elapsed / 60:.1f} min."
    )
