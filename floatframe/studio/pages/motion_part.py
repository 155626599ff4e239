"""A part of Analyse: the motion of a machine or network, seen while it is computed, stopped and resumed."""

from __future__ import annotations

import time
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from trame.widgets import html, plotly

from floatframe.errors import FloatframeError
from floatframe.hybrid import Results
from floatframe.studio import studies
from floatframe.studio.charts import EMPTY, figure
from floatframe.studio.curves import curves_of
from floatframe.studio.numbers import number_in
from floatframe.studio.pages.widgets import button, chooser, entry
from floatframe.studio.texts import word
from floatframe.studio.views import frames_from, moves, view_of
from floatframe.viewer import moving_channels, scene_of

if TYPE_CHECKING:
    from floatframe.studio.jobs import Job
    from floatframe.studio.pages.analysed import Analysed

LOOK = 1.0  # s between two looks at what grows
SHARE = 0.2  # of the time that looking may take


class MotionPart:
    """Runs of what the page Analyse has."""

    def __init__(self, of: Analysed) -> None:
        self.of, self.studio = of, of.studio
        self._run: Job | None = None
        self._next = 0.0
        self._output = ""  # of the run, whatever the field says meanwhile
        self.studio.state.update(
            {
                "analyse_t_end": "",
                "analyse_output": "",
                "analyse_channel": "",
                "analyse_channels": [],
                "analyse_plot": EMPTY,
                "analyse_running": False,
                "analyse_resumable": False,
                "analyse_status": "",
                "analyse_seeable": False,
            }
        )
        self.studio.state.change("analyse_output")(self.offer)
        self.studio.state.change("analyse_channel")(self._another)

    def propose(self) -> None:
        """Propose a name for a new run, of which nothing is shown yet."""
        self.studio.state.update(
            {"analyse_status": "", "analyse_seeable": False, "analyse_plot": EMPTY, "analyse_channels": []}
        )
        path = PurePosixPath(str(self.studio.state.analyse_file))
        self.studio.state.analyse_output = self.studio.project.new_name(str(path.with_name(f"{path.stem}-run")), ".h5")
        self.offer()

    def offer(self, **_: object) -> None:
        """Offer to go on with the run whose name is given, if its file says that it was stopped or killed."""
        state = self.studio.state
        try:
            path = self.studio.path(str(state.analyse_output).strip())
            reason = Results.open(path).status.reason if path.is_file() else ""
        except (FloatframeError, OSError):
            reason = ""  # it is no run
        state.analyse_resumable = not state.analyse_running and reason in ("interrupted", "running")

    async def simulate(self) -> None:
        """Start a run."""
        await self._simulate(resume=False)

    async def resume(self) -> None:
        """Go on with the run that was stopped."""
        await self._simulate(resume=True)

    async def _simulate(self, resume: bool) -> None:
        state = self.studio.state
        output = str(state.analyse_output).strip()
        if self.studio.busy():
            return
        try:
            of = self.of.studied()
            path = self.studio.path(output)
            t_end = number_in(state.analyse_t_end, word("analyse.t_end"))
        except FloatframeError as error:
            self.studio.complain(error)
            return
        state.analyse_running, state.analyse_resumable, state.analyse_status = True, False, ""
        state.analyse_seeable = False
        state.analyse_view, state.analyse_channels = "", []
        before = path.stat().st_mtime_ns if path.exists() else 0
        self._next, self._output = 0.0, output
        self.studio.views.clear("analyse")

        def changed(job: Job) -> None:
            self._run = job
            if path.exists() and path.stat().st_mtime_ns != before and time.monotonic() >= self._next:
                self._look()

        try:
            job = await self.studio.run(studies.simulate(of, output, t_end, resume), changed)
        finally:
            self._run, state.analyse_running = None, False
        state.analyse_seeable = path.is_file()
        if state.analyse_seeable:
            self._look()
        self.offer()
        begun = resume or (state.analyse_seeable and path.stat().st_mtime_ns != before)
        state.analyse_status = word(f"ended.{job.state}" if begun or job.state != "stopped" else "ended.early")

    def _another(self, **_: object) -> None:
        """Show another channel of the run that is there."""
        if self._output and self._run is None:
            self._look()

    def _look(self) -> None:
        """Show the run as far as it is; the view asks for its further frames itself."""
        began, state = time.monotonic(), self.studio.state
        try:
            run = Results.open(self.studio.path(self._output))
            if len(run) < 2:
                return
            if not state.analyse_channels:
                state.analyse_channels = [channel.name for channel in run.channels]
            if state.analyse_channel not in state.analyse_channels:
                state.analyse_channel = next(iter(moving_channels(run)), "")
            curves = [curve for _, curve in curves_of({"": run}, [state.analyse_channel])]
            state.analyse_plot = figure(curves, "time [s]")
            if not state.analyse_view and moves(run):
                state.analyse_view = self.studio.views.show("analyse", view_of(scene_of(run))) + "&live=1"
        except (FloatframeError, OSError):
            return  # it has hardly begun
        finally:
            took = time.monotonic() - began
            self._next = began + max(LOOK, took / SHARE)

    async def frames(self, first: int) -> dict[str, Any]:
        """Return the frames of the run from one on."""
        running = self._run is not None
        found = await self.studio.work("", self._frames, self._output, first)
        return {"frames": found or {"t": [], "pose": [], "amplitude": []}, "running": running}

    def _frames(self, output: str, first: int) -> dict[str, Any]:
        return frames_from(scene_of(Results.open(self.studio.path(output))), first)

    def stop(self) -> None:
        """Stop the run, as by Ctrl-C; it can be resumed."""
        if self._run is not None:
            self.studio.jobs.stop(self._run)
            self.studio.state.analyse_status = word("analyse.pausing")

    def results(self) -> None:
        """See the run on the page Results."""
        self.studio.open_on("results", self._output)

    def draw(self) -> None:
        """Make the widgets."""
        with html.Div(classes="d-flex", style="gap: 8px"):
            entry(word("analyse.t_end"), "analyse_t_end")
            entry(word("analyse.output"), "analyse_output")
        busy = "!!job || !analyse_file"
        for key, click, color, off in (
            ("run", self.studio.beginning(self.simulate), "primary", busy),
            ("pause", self.stop, "", "!analyse_running || (job && job.stopping)"),
            ("resume", self.studio.beginning(self.resume), "", f"{busy} || !analyse_resumable"),
            ("results", self.results, "", "!analyse_seeable"),
        ):
            name = {"run": "simulate", "results": "see_results"}.get(key, key)
            button(
                word(f"analyse.{key}"),
                click,
                disabled=(off,),
                raw_attrs=[f'data-do="{name}"'],
                **({"color": color} if color else {}),
            )
        html.Div("{{ analyse_status }}", classes="text-caption", raw_attrs=["data-status"])
        chooser(
            word("analyse.live"), "analyse_channel", "analyse_channels", v_if="analyse_channels.length", classes="mt-2"
        )

    def draw_beside(self) -> None:
        """Make the plot below the view, in place of it where there is none."""
        with html.Div(
            classes="over-time",
            style="flex: 1 1 40%; min-height: 0",
            v_show="analyse_tab === 'simulate' && analyse_plot.data.length",
        ):
            plotly.Figure(state_variable_name="analyse_plot", display_mode_bar=False, responsive=True)
