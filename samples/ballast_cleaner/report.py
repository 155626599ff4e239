"""The report of the study: one page that says what was compared, what came out, and what is ours."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from shutil import copyfile
from typing import TYPE_CHECKING

from floatframe.samples.ballast_cleaner.tables import all_tables, factors, printed
from floatframe.viewer.pages.report_page import Page, drawn

if TYPE_CHECKING:
    from floatframe.samples.ballast_cleaner.study import Study

_MACHINE = (
    "A flexible frame of the size of Mikheev's (2004, §3.4), with 25 modes between 2 and 28 Hz, stands on four springs "
    "and four dampers and carries two screens, each on four springs and four dampers of its own. A screen has a "
    "housing, a shaft, two main and two additional unbalances and its ballast; masses and radii of the unbalances and "
    "the 6315 kg of a screen are published. The shafts run up in 5 s, work at 14 rev/s and run down in 10 s, at "
    "constant angular acceleration."
)
_OURS = (
    "Not published, and chosen here: the shape of the frame and its masses, places and properties of all springs and "
    "dampers, the damping of the frame, the direction in which the shafts turn, the sign of φ (the rear shaft lags) "
    "and the ballast on the screens, with which they move by 7.5 mm at α = 0. Height of the girders, height of the "
    "hopper's carrier and stiffness of the suspension were fitted to the three published frequencies (tuning.py), "
    "which are met to half a percent. Places of the screens, springs and dampers and the masses on the frame were "
    "identified from table 3.5 and the conclusions: agreement shows that such a machine can behave so, not that it "
    "must."
)
_WHY = (
    "Why it behaves so: at 13.00 Hz the frame bends with point 4 near its largest motion and with nodes near 5 and "
    "20.5 m. Little damping reaches this mode, so that it rings on after the shafts have run through 13 Hz, and "
    "run-down, the slower passage, is the worst regime. The rear screen stands mostly outside the nodes and the front "
    "one inside: in phase they work against each other, nearly in opposite phase together. Masses at the ends keep the "
    "ends from moving more than the middle."
)
_SHORT = (
    "What falls short: at 9.53 Hz the hopper bounces on its carrier with six tenths of the kinetic energy and the "
    "frame bends along, while the source shows a bending of the frame; a plain girder has its second bending far "
    "above 1.4 times the first. Point 4 moves most of all, but by little: point 3 beside it by 0.4 % less, and at φ = "
    "240°, where the machine pitches, its front end, point 8, by 2 % less. The acceleration of point 4 is some "
    "percent larger at φ = 180° than at 150°, and its root mean square in run-down little larger than that at work, "
    "while the peak is three times as large; at points 1, 2, 5 and 6 the root mean square is larger at work."
)
_PARTS = (
    "The parts are projections on the modes of the assembled machine, screens included. The source expands in forms of "
    "the frame. What the screens do on their own springs, near 1.2 Hz, is therefore a mode besides the three here, and "
    "belongs to the motion on the suspension there. The last column of Mikheev's table is taken as mm."
)


def write_report(path: Path, study: Study, figures: Mapping[str, Path]) -> Path:
    """Write the page with figures by caption and all tables."""
    page = Page("Ballast cleaner", "two screens with unbalances on a flexible frame")
    about = page.section("What is compared")
    for text in (_MACHINE, _OURS, _WHY, _SHORT, _PARTS, factors(study)):
        about.note(text)
    for caption, records in all_tables(study).items():
        page.section(caption).table(caption, records)
    page.section("Figures").figures(
        [(name, drawn(partial(copyfile, file))) for name, file in figures.items()], wide=True
    )
    page.section("As printed").text("all tables", printed(study))
    path.write_text(page.html(), encoding="utf-8")
    return path
