"""Results: channels of runs, found by search, as plots that stand at the moment of the animation; spectra, exports."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from floatframe.hybrid import Results, system_of
from floatframe.studio import studies
from floatframe.studio.charts import EMPTY, Chart, figure
from floatframe.studio.curves import curves_of, search
from floatframe.studio.facts import facts
from floatframe.studio.pages.results_widgets import PLOTS, draw_results
from floatframe.studio.texts import keeping_stresses, word
from floatframe.studio.views import moves, view_of
from floatframe.viewer import moving_channels, scene_of

if TYPE_CHECKING:
    from floatframe.studio.app import Studio
    from floatframe.studio.views import Click, View

_SPOTS = [
    {"title": word("results.node"), "key": "node", "align": "end"},
    {"title": word("results.von_mises"), "key": "size", "align": "end"},
    {"title": word("results.moment"), "key": "time", "align": "end"},
]


class ResultsPage:
    """The page Results."""

    name = "results"

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        self.runs: dict[str, Results] = {}
        self._stressed = False  # what the view shows
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
                "results_stress": False,
                "results_bodies": [],  # those that keep stresses
                "results_unstressed": "",
                "results_body": "",
                "results_spots": [],
                "results_spot_headers": _SPOTS,
                "results_facts": [],
                **{f"results_plot_{k}": EMPTY for k in range(PLOTS)},
            }
        )
        studio.state.change("results_search")(self._search)
        studio.state.change("results_frequency")(self._drawn_again)
        studio.state.change("results_stress")(self._coloured)

    async def enter(self) -> None:
        """Open the run that is there."""
        if not self.runs and self.studio.state.runs:
            await self.open(self.studio.state.runs[0])

    async def picked(self, click: Click) -> None:
        """Show the channels of the thing that was clicked."""
        name = self.studio.views.thing_at(click)
        if any(channel.startswith(f"{name}.") for channel in self._channels()):
            self.studio.state.results_search = f"{name}."

    async def open(self, name: str = "") -> None:
        """Open a run and plot the first channels in which something happens."""
        state = self.studio.state
        state.problems = []
        name = name or str(state.results_file)
        stressed = bool(state.results_stress)
        found = await self.studio.work(name, self._read, name, stressed)
        if found is None:
            state.results_file = next(iter(self.runs), "")  # what is shown still
            await self._draw()
            return
        run, view, first, flexible = found
        bodies = [body for body, stressed in flexible.items() if stressed]
        state.results_unstressed = "" if bodies or not flexible else _unstressed(flexible)
        state.results_bodies, state.results_body, state.results_spots = bodies, next(iter(bodies), ""), []
        self.runs, self._stressed = {name: run}, stressed and bool(bodies)
        address = "" if view is None else self.studio.views.show("results", view)
        state.results_file, state.results_view, state.results_others = name, address, []
        state.results_facts = facts(
            {"ended": str(run.status), "records": len(run), "time_s": float(run.t[-1]) if len(run) else None}
        )
        known = [one for one in state.results_shown if one in run]
        state.results_shown = known or first
        if address:
            self.studio.show(studies.show_run(name, self._stressed))
        else:
            self.studio.show(studies.plot([name], list(state.results_shown), f"{name.rpartition('.')[0]}.png"))
        self._search()
        await self._draw()

    def _read(self, name: str, stress: bool) -> tuple[Results, View | None, list[str], dict[str, bool]]:
        run = Results.open(self.studio.path(name))
        first = [name for name, _ in zip(moving_channels(run), range(2), strict=False)]
        return run, _seen(run, stress), first, _flexible(run)

    async def _coloured(self, **_: object) -> None:
        """Colour the run by its stresses, or by its deformation again."""
        run, state = next(iter(self.runs.values()), None), self.studio.state
        stress = bool(state.results_stress)
        if run is None or stress == self._stressed:
            return
        with state:
            state.problems = []
            self.studio.show(studies.show_run(str(state.results_file), stress))
            view = await self.studio.work(word("view"), _seen, run, stress)
            if run is not next(iter(self.runs.values()), None):
                return  # another one was opened meanwhile
            if view is None:
                state.results_stress = False  # the sentence says what is missing
            else:
                state.results_view, self._stressed = self.studio.views.show("results", view), stress

    async def hot_spots(self) -> None:
        """List where the stresses of the chosen body are largest."""
        state = self.studio.state
        action = studies.hot_spots(str(state.results_file), str(state.results_body))
        job = await self.studio.run(action, machine=True)
        if job.state == "done":
            state.results_spots = [
                {"node": s["node"], "size": f"{s['von_mises_pa'] / 1e6:.4g}", "time": f"{s['time_s']:.5g}"}
                for s in job.answer.get("hot_spots", [])
            ]

    async def compare(self, names: object) -> None:
        """Plot the channels of other runs too."""
        wanted = [str(name) for name in names] if isinstance(names, list) else []
        first = str(self.studio.state.results_file)
        self.studio.state.problems = []
        found = await self.studio.work(
            word("results.others"), lambda: {name: Results.open(self.studio.path(name)) for name in [first, *wanted]}
        )
        if found is not None and next(iter(self.runs), "") == first:
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
        state, runs = self.studio.state, self.runs
        channels, frequency = list(state.results_shown), bool(state.results_frequency)
        figures = await self.studio.work(word("page.results"), self._figures, channels)
        now = list(state.results_shown), bool(state.results_frequency)
        if self.runs is not runs or now != (channels, frequency):
            return  # other plots are wanted now, and are drawn after these
        for k in range(PLOTS):
            state[f"results_plot_{k}"] = figures[k] if figures and k < len(figures) else EMPTY

    def _figures(self, channels: list[str]) -> list[Chart]:
        state = self.studio.state
        frequency = bool(state.results_frequency)
        over = "frequency [Hz]" if frequency else "time [s]"
        found = []
        for channel in channels:
            curves = [curve for _, curve in curves_of(self.runs, [channel], frequency)]
            found.append(figure(curves, over, log=frequency))
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
        state[f"results_plot_{number}"] = figure(curves, over, span, frequency)

    # exports

    async def _export(self, make: Any, suffix: str) -> None:
        state = self.studio.state
        name = str(state.results_file)
        output = self.studio.project.new_name(name.rpartition(".")[0], suffix)
        job = await self.studio.run(make(name, output))
        if job.state == "done":
            self.studio.written(job, output)

    async def picture(self) -> None:
        """Write the plots as a picture."""
        shown, frequency = list(self.studio.state.results_shown), bool(self.studio.state.results_frequency)
        runs = list(self.runs)
        await self._export(lambda name, output: studies.plot(runs, shown, output, frequency), ".png")

    async def csv(self) -> None:
        """Write the channels as a table."""
        shown = list(self.studio.state.results_shown)
        await self._export(lambda name, output: studies.to_csv(name, output, shown), ".csv")

    async def report(self) -> None:
        """Write a report."""
        await self._export(studies.report, ".html")

    async def movie(self) -> None:
        """Write a movie."""
        stress = self._stressed
        await self._export(lambda name, output: studies.movie(name, output, stress), ".mp4")

    def draw(self) -> None:
        """Make the widgets."""
        draw_results(self)


def _seen(run: Results, stress: bool) -> View | None:
    """Return the view of a run, None for one without motion."""
    if not moves(run):
        return None
    coloured = {"stress": True} if stress and any(_flexible(run).values()) else {}
    return view_of(scene_of(run, **coloured))


def _flexible(run: Results) -> dict[str, bool]:
    """Return whether stresses are kept of the flexible bodies of the machine of a run."""
    if not moves(run):
        return {}
    bodies = system_of(run).model.bodies
    return {body.name: body.reduced.stress is not None for body in bodies if body.reduced is not None}


def _unstressed(bodies: Iterable[str]) -> str:
    where = keeping_stresses()
    return word("results.unstressed", ", ".join(map(repr, bodies)), where[0].upper() + where[1:])


def _parts(channel: Any) -> tuple[str, ...]:
    return channel.columns if channel.components else ()
