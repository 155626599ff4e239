"""Analyse: motion, rest, frequencies and responses of a machine or network; each is a part of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trame.widgets import html, vuetify3 as v

from floatframe.studio.pages.analysed import Analysed
from floatframe.studio.pages.linear_part import LinearPart
from floatframe.studio.pages.motion_part import MotionPart
from floatframe.studio.pages.response_part import ResponsePart
from floatframe.studio.pages.widgets import chooser, either, entry, view
from floatframe.studio.texts import word

if TYPE_CHECKING:
    from floatframe.studio.app import Studio
    from floatframe.studio.views import Click

TABS = ("simulate", "linear", "response")


class AnalysePage:
    """The page Analyse."""

    name = "analyse"

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        studio.state.analyse_tab = TABS[0]
        self._opened = ""  # whose results are shown
        of = Analysed(studio)
        self.motion, self.small, self.response = MotionPart(of), LinearPart(of), ResponsePart(of)
        studio.state.change("analyse_tab", "analyse_file")(self._chosen)

    async def enter(self) -> None:
        """Propose the machine that is there, and a name for the run."""
        state = self.studio.state
        if not state.analyse_file and state.studied:
            await self.open(state.machine_file or state.studied[0])

    async def open(self, name: str = "") -> None:
        """Take a machine or network."""
        if name != self._opened:
            self.studio.state.update({"analyse_file": name, "analyse_view": ""})
            self._opened = name
            self.small.clear()
            self.response.clear()
            self.motion.propose()

    async def _chosen(self, **_: object) -> None:
        with self.studio.state:
            await self.response.enter()

    async def picked(self, click: Click) -> None:
        """What moves is looked at only."""

    async def frames(self, first: int) -> dict[str, Any]:
        """Return the frames of the run from one on."""
        return await self.motion.frames(first)

    def draw(self) -> None:
        """Make the widgets."""
        with html.Div(classes="beside"):
            with html.Div(classes="scroll"):
                chooser(word("analyse.file"), "analyse_file", "studied", update_modelValue=(self.open, "[$event]"))
                entry(word("analyse.values"), "analyse_values", placeholder="torque=50, drag=2")
                with v.VTabs(v_model=("analyse_tab",), density="compact", classes="mb-3"):
                    for tab in TABS:
                        v.VTab(word(f"analyse.tab.{tab}"), value=tab, raw_attrs=[f'data-tab="{tab}"'])
                draws = self.motion.draw, self.small.draw, self.response.draw
                for tab, draw in zip(TABS, draws, strict=True):
                    with html.Div(v_show=f"analyse_tab === '{tab}'"):
                        draw()
            with html.Div(v_show="analyse_tab !== 'response'", classes="stacked"):
                with html.Div(
                    style="flex: 1 1 60%; min-height: 0",
                    v_show="analyse_view || analyse_tab !== 'simulate' || !analyse_plot.data.length",
                ):
                    view("analyse", "analyse_view", either("analyse_file", word("analyse.none"), word("choose")))
                self.motion.draw_beside()
            with html.Div(v_show="analyse_tab === 'response'", style="height: 100%"):
                self.response.draw_beside()
