"""Results: channels of runs, found by search, as plots that stand at the moment of the animation; spectra, exports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trame.widgets import html, plotly, vuetify3 as v

from floatframe.hybrid import Results
from floatframe.studio import commands
from floatframe.studio.commands import Action
from floatframe.studio.curves import curves_of, figure, search
from floatframe.studio.facts import facts
from floatframe.studio.pages.widgets import button, chooser, entry, fact_table, heading, view
from floatframe.studio.texts import word
from floatframe.viewer import moving_channels, scene_of

if TYPE_CHECKING:
    from floatframe.studio.app import Studio

PLOTS = 4  # at once


class ResultsPage:
    """The page Results."""

    name = "results"

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        self.runs: dict[str, Results] = {}
        studio.state.update(
            {
                "results_file": "",
                "results_others": [],
                "results_view": "",
                "results_search": "",
                "results_found": [],
                "results_more": 0,
                "results_shown": [],
                "results_frequency": False,
                "results_facts": [],
                **{f"results_plot_{k}": {"data": [], "layout": {}} for k in range(PLOTS)},
            }
        )
        studio.state.change("results_search")(self._search)
        studio.state.change("results_frequency", "dark")(self._drawn_again)

    async def enter(self) -> None:
        """Open the run that is there."""
        if not self.runs and self.studio.state.runs:
            await self.open(self.studio.state.runs[0])

    async def picked(self, place: str, part: int, point: int) -> None:
        """Show the channels of the thing that was clicked."""
        name = self.studio.views.thing_at("results", part)
        if any(channel.startswith(f"{name}.") for channel in self._channels()):
            self.studio.state.results_search = f"{name}."

    async def open(self, name: str = "") -> None:
        """Open a run and plot the first channels in which something happens."""
        state = self.studio.state
        state.problems = []
        name = name or str(state.results_file)
        found = await self.studio.work(name, self._read, name)
        if found is None:
            return
        run, address, first = found
        self.runs = {name: run}
        state.results_file, state.results_view, state.results_others = name, address, []
        state.results_facts = facts(
            {"ended": str(run.status), "records": len(run), "time_s": float(run.t[-1]) if len(run) else None}
        )
        known = [one for one in state.results_shown if one in run]
        state.results_shown = known or first
        file = commands.file_word(name)
        self.studio.show(Action(("view", file, "--save", commands.file_word(commands.page_of(name))), _python(name)))
        self._search()
        await self._draw()

    def _read(self, name: str) -> tuple[Results, str, list[str]]:
        run = Results.open(self.studio.path(name))
        first = [name for name, _ in zip(moving_channels(run), range(2), strict=False)]
        address = self.studio.views.show("results", scene_of(run)) if run.meta.nq and len(run) else ""
        return run, address, first

    async def compare(self, names: object) -> None:
        """Plot the channels of other runs too."""
        wanted = [str(name) for name in names] if isinstance(names, list) else []
        first = str(self.studio.state.results_file)
        self.studio.state.problems = []
        found = await self.studio.work(
            word("results.others"), lambda: {name: Results.open(self.studio.path(name)) for name in [first, *wanted]}
        )
        if found is not None:
            self.runs, self.studio.state.results_others = found, wanted
            await self._draw()

    def _channels(self) -> list[str]:
        run = next(iter(self.runs.values()), None)
        return [] if run is None else [name for channel in run.channels for name in (channel.name, *_parts(channel))]

    def _search(self, **_: object) -> None:
        state = self.studio.state
        state.results_found, state.results_more = search(self._channels(), str(state.results_search or ""))

    async def choose(self, channel: object) -> None:
        """Plot a channel, or leave it out again; a formula of channels is taken from the search."""
        state, name = self.studio.state, str(channel)
        shown = [one for one in state.results_shown if one != name]
        if len(shown) == len(state.results_shown):
            shown.append(name)
        state.results_shown, state.problems = shown[-PLOTS:], []
        await self._draw()

    async def _drawn_again(self, **_: object) -> None:
        if self.runs:
            with self.studio.state:
                await self._draw()

    async def _draw(self) -> None:
        state = self.studio.state
        figures = await self.studio.work(word("page.results"), self._figures, list(state.results_shown))
        for k in range(PLOTS):
            state[f"results_plot_{k}"] = figures[k] if figures and k < len(figures) else {"data": [], "layout": {}}

    def _figures(self, channels: list[str]) -> list[dict[str, Any]]:
        state = self.studio.state
        frequency, dark = bool(state.results_frequency), bool(state.dark)
        over = "frequency [Hz]" if frequency else "time [s]"
        found = []
        for channel in channels:
            curves = [curve for _, curve in curves_of(self.runs, [channel], frequency)]
            found.append(figure(curves, over, dark, log=frequency))
        return found

    async def zoom(self, number: int, event: object) -> None:
        """Draw a plot again with the points of the range that is shown."""
        if (
            not isinstance(event, dict)
            or not isinstance(number, int)
            or not 0 <= number < len(self.studio.state.results_shown)
        ):
            return
        start, end = event.get("xaxis.range[0]"), event.get("xaxis.range[1]")
        numbers = isinstance(start, int | float) and isinstance(end, int | float)
        span = (float(start), float(end)) if numbers else None  # type: ignore[arg-type]  # both are numbers here
        if span is None and not event.get("xaxis.autorange"):
            return
        state = self.studio.state
        frequency = bool(state.results_frequency)
        curves = [c for _, c in curves_of(self.runs, [state.results_shown[number]], frequency)]
        over = "frequency [Hz]" if frequency else "time [s]"
        state[f"results_plot_{number}"] = figure(curves, over, bool(state.dark), span, frequency)

    # exports

    async def _export(self, make: Any, suffix: str) -> None:
        state = self.studio.state
        name = str(state.results_file)
        output = self.studio.project.new_name(name.rpartition(".")[0], suffix)
        job = await self.studio.run(make(name, output))
        if job.state == "done":
            self.studio.note(word("written", output))

    async def picture(self) -> None:
        """Write the plots as a picture."""
        shown, frequency = list(self.studio.state.results_shown), bool(self.studio.state.results_frequency)
        runs = list(self.runs)
        await self._export(lambda name, output: commands.plot(runs, shown, output, frequency), ".png")

    async def csv(self) -> None:
        """Write the channels as a table."""
        shown = list(self.studio.state.results_shown)
        await self._export(lambda name, output: commands.to_csv(name, output, shown), ".csv")

    async def report(self) -> None:
        """Write a report."""
        await self._export(commands.report, ".html")

    async def movie(self) -> None:
        """Write a movie."""
        await self._export(commands.movie, ".mp4")

    def draw(self) -> None:
        """Make the widgets."""
        with html.Div(style="display: grid; grid-template-columns: 250px 1fr 1fr; gap: 12px; height: 100%"):
            with html.Div(classes="scroll"):
                chooser(word("results.run"), "results_file", "runs", update_modelValue=(self.open, "[$event]"))
                chooser(
                    word("results.others"),
                    "results_others",
                    "runs",
                    multiple=True,
                    chips=True,
                    update_modelValue=(self.compare, "[$event]"),
                )
                for text, click in (
                    (word("results.picture"), self.picture),
                    (word("results.csv"), self.csv),
                    (word("results.report"), self.report),
                    (word("results.movie"), self.movie),
                ):
                    button(
                        text,
                        click,
                        disabled=("!!job || !results_file",),
                        raw_attrs=[f'data-do="export_{click.__name__}"'],
                    )
                v.VSwitch(
                    label=word("results.spectrum"),
                    v_model=("results_frequency",),
                    density="compact",
                    hide_details=True,
                    color="primary",
                )
                heading(word("results.channels"))
                entry(word("results.search"), "results_search", prepend_inner_icon="mdi-magnify", clearable=True)
                with v.VList(density="compact", classes="py-0"):
                    v.VListItem(
                        v_for="name in results_found",
                        key="name",
                        title=("name",),
                        click=(self.choose, "[name]"),
                        active=("results_shown.includes(name)",),
                        min_height=26,
                        raw_attrs=[':data-channel="name"'],
                    )
                html.Div(
                    f"{{{{ results_more }}}} {word('results.more', '').strip()}",
                    v_if="results_more",
                    classes="text-caption",
                )
                fact_table("results_facts")
            with html.Div(classes="scroll"):
                for k in range(PLOTS):
                    with html.Div(
                        v_show=f"results_shown.length > {k}",
                        style="height: 260px",
                        classes=("results_frequency ? '' : 'over-time'",),
                        raw_attrs=[f'data-plot="{k}"'],
                    ):
                        plotly.Figure(
                            state_variable_name=f"results_plot_{k}",
                            display_logo=False,
                            responsive=True,
                            relayout=(self.zoom, f"[{k}, $event]"),
                        )
                html.Div(word("results.hint"), v_if="results_shown.length", classes="text-caption text-medium-emphasis")
            with html.Div():
                view("results", "results_view")


def _parts(channel: Any) -> tuple[str, ...]:
    return channel.columns if channel.components else ()


def _python(name: str) -> str:
    page = commands.page_of(name)
    return f"import floatframe as ff\n\nresult = ff.hybrid.Results.open({name!r})\nff.viewer.page(result, {page!r})"
