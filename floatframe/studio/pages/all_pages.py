"""The pages in their order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from floatframe.studio.pages.analyse_page import AnalysePage
from floatframe.studio.pages.fe_page import FePage
from floatframe.studio.pages.machine_page import MachinePage
from floatframe.studio.pages.project_page import ProjectPage
from floatframe.studio.pages.reduce_page import ReducePage
from floatframe.studio.pages.results_page import ResultsPage
from floatframe.studio.pages.sweep_page import SweepPage

PAGE_KINDS: tuple[Callable[[Any], Any], ...] = (
    ProjectPage,
    FePage,
    ReducePage,
    MachinePage,
    AnalysePage,
    SweepPage,
    ResultsPage,
)
