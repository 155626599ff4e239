"""Analyse: rest, frequencies and motion of a machine; a run is seen while it is computed, stopped and resumed."""

from __future__ import annotations

import time
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from trame.widgets import html, plotly

from floatframe.errors import FloatframeError
from floatframe.hybrid import Results, find_equilibrium, read_model, usual_start
from floatframe.studio import commands
from floatframe.studio.curves import curves_of, figure
from floatframe.studio.facts import facts
from floatframe.studio.numbers import number_in
from floatframe.studio.pages.widgets import button, chooser, entry, fact_table, heading, mode_table, view
from floatframe.studio.texts import word
from floatframe.studio.views import frames_from
from floatframe.viewer import moving_channels, scene_of, word_of

if TYPE_CHECKING:
    from floatframe.studio.app import Studio
    from floatframe.studio.jobs import Job

_HEADERS = [
    {"title": word("reduce.mode"), "key": "mode", "align": "end"},
    {"title": word("reduce.frequency"), "key": "frequency", "align": "end"},
    {"title": word("analyse.damping"), "key": "damping", "align": "end"},
    {"title": word("reduce.kind"), "key": "kind_word"},
    {"title": word("analyse.moving"), "key": "moving"},
]
LOOK = 1.0  # s between two looks at the plot of a growing run
SHARE = 0.2  # of the time that looking may take


class AnalysePage:
    """The page Analyse."""

    name = "analyse"

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        self._run: Job | None = None
        self._next = 0.0
        self._output = ""  # of the run, whatever the field says meanwhile
        studio.state.update(
            {
                "analyse_file": "",
                "analyse_values": "",
                "analyse_t_end": "",
                "analyse_output": "",
                "analyse_n": "10",
                "analyse_at": "",
                "analyse_ats": ["", "start", "equilibrium", "steady"],
                "analyse_view": "",
                "analyse_modes": [],
                "analyse_headers": _HEADERS,
                "analyse_facts": [],
                "analyse_channel": "",
                "analyse_channels": [],
                "analyse_plot": {"data": [], "layout": {}},
                "analyse_running": False,
                "analyse_resumable": False,
                "analyse_status": "",
            }
        )

        studio.state.change("analyse_output")(self._offer)

    async def enter(self) -> None:
        """Propose the machine that is there, and a name for the run."""
        state = self.studio.state
        if not state.analyse_file and state.machines:
            state.analyse_file = state.machine_file or state.machines[0]
        if state.analyse_file and not state.analyse_output:
            self._propose()

    async def open(self, name: str = "") -> None:
        """Take a machine."""
        self.studio.state.analyse_file = name
        self._propose()

    def _propose(self) -> None:
        path = PurePosixPath(str(self.studio.state.analyse_file))
        self.studio.state.analyse_output = self.studio.project.new_name(str(path.with_name(f"{path.stem}-run")), ".h5")
        self._offer()

    def _offer(self, **_: object) -> None:
        """Offer to go on with the run whose name is given, if its file says that it was stopped or killed."""
        state = self.studio.state
        try:
            path = self.studio.path(str(state.analyse_output).strip())
            reason = Results.open(path).status.reason if path.is_file() else ""
        except (FloatframeError, OSError):
            reason = ""  # it is no run
        state.analyse_resumable = not state.analyse_running and reason in ("interrupted", "running")

    async def picked(self, place: str, part: int, point: int) -> None:
        """What moves is looked at only."""

    @property
    def _values(self) -> list[str]:
        return [
            one.strip() for one in str(self.studio.state.analyse_values).replace(";", ",").split(",") if one.strip()
        ]

    # rest and frequencies

    async def equilibrium(self) -> None:
        """Find where the machine rests."""
        state = self.studio.state
        file = str(state.analyse_file)
        try:
            self.studio.path(file)
        except FloatframeError as error:
            self.studio.complain(error)
            return
        job = await self.studio.run(commands.equilibrium(file, self._values), machine=True)
        if job.state == "done":
            state.analyse_facts, state.analyse_modes = facts(job.answer, ("format",)), []
            address = await self.studio.work(word("view"), self._resting)
            state.analyse_view = address or state.analyse_view

    def _resting(self) -> str:
        system = self._file().model.compile()
        return self.studio.views.show("analyse", scene_of(system, state=find_equilibrium(system).state))

    def _file(self) -> Any:
        values = dict(one.split("=", 1) for one in self._values if "=" in one)
        return read_model(
            self.studio.path(str(self.studio.state.analyse_file)), {n: _value(w) for n, w in values.items()}
        )

    async def linear(self) -> None:
        """Find frequencies and damping, and show the modes."""
        state = self.studio.state
        file = str(state.analyse_file)
        try:
            n = number_in(state.analyse_n, word("analyse.n"), whole=True)
            self.studio.path(file)
        except FloatframeError as error:
            self.studio.complain(error)
            return
        n, at = 10 if n is None else n, str(state.analyse_at or "")
        job = await self.studio.run(commands.linear(file, self._values, n, at), machine=True)
        if job.state != "done":
            return
        state.analyse_modes = [_row(mode) for mode in job.answer.get("modes", [])]
        state.analyse_facts = facts(job.answer, ("format", "modes", "one_sided_modes"))
        address = await self.studio.work(word("view"), self._swinging, n, at)
        state.analyse_view = address or state.analyse_view

    def _swinging(self, n: int, at: str) -> str:
        system = self._file().model.compile()
        at = at or usual_start(system).value
        states = {"start": system.initial_state, "steady": system.steady_motion}
        state = states[at]() if at in states else find_equilibrium(system).state
        return self.studio.views.show("analyse", scene_of(system, state=state, linear=system.linearise(state, n=n)))

    # motion

    async def simulate(self) -> None:
        """Start a run."""
        await self._simulate(resume=False)

    async def resume(self) -> None:
        """Go on with the run that was stopped."""
        await self._simulate(resume=True)

    async def _simulate(self, resume: bool) -> None:
        state = self.studio.state
        file, output = str(state.analyse_file), str(state.analyse_output).strip()
        if self.studio.busy():
            return
        try:
            self.studio.path(file)
            path = self.studio.path(output)
            t_end = number_in(state.analyse_t_end, word("analyse.t_end"))
        except FloatframeError as error:
            self.studio.complain(error)
            return
        state.analyse_running, state.analyse_resumable, state.analyse_status = True, False, ""
        state.analyse_view, state.analyse_modes, state.analyse_facts = "", [], []
        before = path.stat().st_mtime_ns if path.exists() else 0
        self._next, self._output = 0.0, output
        self.studio.views.clear("analyse")

        def changed(job: Job) -> None:
            self._run = job
            if path.exists() and path.stat().st_mtime_ns != before and time.monotonic() >= self._next:
                self._look(output)

        try:
            job = await self.studio.run(commands.simulate(file, output, self._values, t_end, resume), changed)
        finally:
            self._run, state.analyse_running = None, False
        if path.exists():
            self._look(output)
        self._offer()
        state.analyse_status = word(f"ended.{job.state}")

    def _look(self, output: str) -> None:
        """Show the run as far as it is; the view asks for its further frames itself."""
        began, state = time.monotonic(), self.studio.state
        try:
            run = Results.open(self.studio.path(output))
            if len(run) < 2:
                return
            if not state.analyse_channels:
                state.analyse_channels = [channel.name for channel in run.channels]
            if state.analyse_channel not in state.analyse_channels:
                state.analyse_channel = next(iter(moving_channels(run)), "")
            curves = [curve for _, curve in curves_of({"": run}, [state.analyse_channel])]
            state.analyse_plot = figure(curves, "time [s]", bool(state.dark))
            if not state.analyse_view:
                state.analyse_view = self._show(run) + "&live=1"
        except (FloatframeError, OSError):
            return  # it has hardly begun
        finally:
            took = time.monotonic() - began
            self._next = began + max(LOOK, took / SHARE)

    def _show(self, run: Results) -> str:
        return self.studio.views.show("analyse", scene_of(run))

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

    async def results(self) -> None:
        """See the run on the page Results."""
        await self.studio.open_on("results", self._output)

    def draw(self) -> None:
        """Make the widgets."""
        with html.Div(classes="beside"):
            with html.Div(classes="scroll"):
                chooser(word("machine.file"), "analyse_file", "machines", update_modelValue=(self.open, "[$event]"))
                entry(word("analyse.values"), "analyse_values", placeholder="torque=50, drag=2")
                heading(word("analyse.simulate"))
                with html.Div(classes="d-flex", style="gap: 8px"):
                    entry(word("analyse.t_end"), "analyse_t_end")
                    entry(word("analyse.output"), "analyse_output")
                busy = "!!job || !analyse_file"
                button(
                    word("analyse.run"),
                    self.simulate,
                    color="primary",
                    disabled=(busy,),
                    raw_attrs=['data-do="simulate"'],
                )
                button(word("analyse.pause"), self.stop, disabled=("!analyse_running",), raw_attrs=['data-do="pause"'])
                button(
                    word("analyse.resume"),
                    self.resume,
                    disabled=(f"{busy} || !analyse_resumable",),
                    raw_attrs=['data-do="resume"'],
                )
                button(
                    word("analyse.results"),
                    self.results,
                    disabled=("!analyse_status",),
                    raw_attrs=['data-do="see_results"'],
                )
                html.Div("{{ analyse_status }}", classes="text-caption", raw_attrs=["data-status"])
                chooser(
                    word("analyse.live"),
                    "analyse_channel",
                    "analyse_channels",
                    v_if="analyse_channels.length",
                    classes="mt-2",
                )
                with html.Div(classes="over-time", style="height: 220px", v_show="analyse_plot.data.length"):
                    plotly.Figure(state_variable_name="analyse_plot", display_mode_bar=False, responsive=True)
                heading(word("analyse.equilibrium"))
                button(
                    word("analyse.equilibrium"), self.equilibrium, disabled=(busy,), raw_attrs=['data-do="equilibrium"']
                )
                heading(word("analyse.linear"))
                with html.Div(classes="d-flex", style="gap: 8px"):
                    entry(word("analyse.n"), "analyse_n")
                    chooser(word("analyse.at"), "analyse_at", "analyse_ats")
                button(word("analyse.linear"), self.linear, disabled=(busy,), raw_attrs=['data-do="linear"'])
                mode_table("analyse", "analyse_modes", "analyse_headers")
                fact_table("analyse_facts")
            with html.Div():
                view("analyse", "analyse_view")


def _row(mode: dict[str, Any]) -> dict[str, Any]:
    """Return a mode of the assembled machine as a row of the table."""
    damping, moving = mode.get("damping_ratio"), {**mode.get("participants", {}), **mode.get("states", {})}
    return {
        "mode": mode.get("mode"),
        "frequency": f"{mode.get('frequency_hz') or 0.0:.5g}",
        "damping": "" if damping is None else f"{100 * damping:.3g}",
        "kind_word": word_of("kind", str(mode.get("kind", ""))),
        "moving": ", ".join(f"{name} {100 * share:.0f} %" for name, share in moving.items() if share > 0.005),
    }


def _value(words: str) -> float | str:
    try:
        return float(words)
    except ValueError:
        return words
