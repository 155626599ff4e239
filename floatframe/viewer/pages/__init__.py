"""Scenes, diagrams and tables as pages that open offline in a browser, and in notebooks.

In: scenes and results. Out: HTML files.
Open `html` first, then `reports`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.viewer.pages.html import page as page, scene_html as scene_html
    from floatframe.viewer.pages.notebook import (
        display as display,
        load_ipython_extension as load_ipython_extension,
        register_in_notebooks as register_in_notebooks,
    )
    from floatframe.viewer.pages.report_page import drawn as drawn
    from floatframe.viewer.pages.report_response import (
        LociWanted as LociWanted,
        RandomWanted as RandomWanted,
        ResponseWanted as ResponseWanted,
        ShockWanted as ShockWanted,
    )
    from floatframe.viewer.pages.report_stress import damage_colours as damage_colours
    from floatframe.viewer.pages.reports import Study as Study, report as report
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
