"""The report of the study: one page with tables and figures, beside what the source found."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from shutil import copyfile
from typing import TYPE_CHECKING

from floatframe.samples.railcar.runs import FORMS, POINTS
from floatframe.viewer.pages.report_page import Page, drawn

if TYPE_CHECKING:
    from floatframe.samples.railcar.study import Study

_LEFT_OUT = (
    "Wheelsets follow the rails: creep and play between wheel and rail are left out. Stiffnesses, friction, damping "
    "and irregularities of the source are not published; those used here are named in the sample, and figures are to "
    "be compared as ratios."
)


def write_report(path: Path, study: Study, figures: Mapping[str, Path], text: str) -> Path:
    """Write the page; figures by caption, text: the tables as they are printed."""
    page = Page("Railcar with an elastic body", "6, 24 and 70 forms of the vehicle")
    page.section("What is left out").note(_LEFT_OUT, "warning")
    page.section("Frequencies").table(
        "body on its springs, wheelsets at rest",
        [
            {"form": name, "ours [Hz]": ours, "published [Hz]": given, "difference [%]": 100 * (ours / given - 1)}
            for name, (ours, given) in study.frequencies.items()
        ],
    )
    page.section("Accelerations").table(
        "root mean square of the vertical acceleration [m/s²]",
        [
            {"point": where, "forms": forms}
            | {f"{v:g} km/h": float(a) for v, a in zip(study.speeds, study.rms(forms, point), strict=True)}
            for point, where in POINTS.items()
            for forms in FORMS
        ],
    )
    page.section("Frame forces").note(
        "In the irregular curve the source finds 9.8 % and 11.6 % more with 24 and 70 forms. With wheelsets that "
        "follow the rails the change lies between -5 % and 0, by the seed of the irregularities; 24 and 70 forms agree."
    )
    page.section("Figures").figures(
        [(name, drawn(partial(copyfile, file))) for name, file in figures.items()], wide=True
    )
    page.section("As printed").text("all tables", text)
    path.write_text(page.html(), encoding="utf-8")
    return path
