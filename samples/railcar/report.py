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

FEWEST = min(FORMS)
_COMPARED = (
    "On straight track wheelsets follow the rails; in the curve wheels S1002 roll on rails 60E1 with creep. "
    "Stiffnesses, friction, damping and irregularities of Mikheev's railcar are not published; those used here are "
    "named in the sample, and figures are to be compared as ratios."
)


def write_report(
    path: Path, study: Study, figures: Mapping[str, Path], text: str, published: Mapping[int, float]
) -> Path:
    """Write the page; figures by caption, text: the tables as they are printed, published: frame forces by forms."""
    page = Page("Railcar with an elastic body", "6, 24 and 70 forms of the vehicle")
    page.section("What is compared").note(_COMPARED)
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
    rms = {forms: run.rms() for forms, run in study.irregular.items()}
    frame = page.section("Frame forces")
    frame.note(
        "One run of 20 s. With 24 forms the seeds 1 to 4 of the irregularities gave about +5, -9, -5 and -5 %: the "
        "published increase is not confirmed.",
        "warning",
    )
    frame.table(
        "root mean square in the irregular curve, without its trend [N]",
        [
            {"forms": forms, "ours": ours, "over 6 forms [%]": 100 * (ours / rms[FEWEST] - 1)}
            | {"published": published[forms], "published [%]": 100 * (published[forms] / published[FEWEST] - 1)}
            for forms, ours in rms.items()
        ],
    )
    page.section("Figures").figures(
        [(name, drawn(partial(copyfile, file))) for name, file in figures.items()], wide=True
    )
    page.section("As printed").text("all tables", text)
    path.write_text(page.html(), encoding="utf-8")
    return path
