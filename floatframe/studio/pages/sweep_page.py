"""Sweep: a study over parameters, seen as curves and maps while it is computed; sweeps that are there."""

from __future__ import annotations

import time
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from floatframe import io
from floatframe.errors import FloatframeError, ModelError
from floatframe.io import SweepResult
from floatframe.studio import studies
from floatframe.studio.charts import EMPTY, Chart
from floatframe.studio.document import Document
from floatframe.studio.facts import facts
from floatframe.studio.numbers import number_in
from floatframe.studio.pages.sweep_widgets import draw_sweep
from floatframe.studio.studies import Studied, Sweep
from floatframe.studio.sweeps import axes_of, columns_of, held, point_table, sweep_chart, values_between
from floatframe.studio.texts import word

if TYPE_CHECKING:
    from floatframe.studio.app import Studio
    from floatframe.studio.jobs import Job
    from floatframe.studio.views import Click

STUDIES = ("simulate", "equilibrium", "linear")
LOOK = 1.0  # s between two looks at a sweep that grows


class SweepPage:
    """The page Sweep."""

    name = "sweep"

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        self.result: SweepResult | None = None
        self._job: Job | None = None
        studio.state.update(
            {
                "sweep_model": "",
                "sweep_study": STUDIES[0],
                "sweep_studies": [{"title": word(f"analyse.{one}"), "value": one} for one in STUDIES],
                "sweep_vary": [],
                "sweep_known": [],
                "sweep_parameter": "",
                "sweep_from": "",
                "sweep_to": "",
                "sweep_steps": "5",
                "sweep_measures": [],
                "sweep_channels": [],
                "sweep_t_end": "",
                "sweep_n": "10",
                "sweep_at": "",
                "sweep_output": "",
                "sweep_running": False,
                "sweep_resumable": False,
                "sweep_file": "",
                "sweep_column": "",
                "sweep_columns": [],
                "sweep_fixed": {},
                "sweep_others": [],
                "sweep_chart": EMPTY,
                "sweep_rows": [],
                "sweep_headers": [],
                "sweep_facts": [],
                "sweep_failures": [],
            }
        )
        studio.state.change("sweep_column", "sweep_fixed")(self._draw_again)
        studio.state.change("sweep_output")(self._offer)

    async def enter(self) -> None:
        """Propose the machine that is there."""
        state = self.studio.state
        if not state.sweep_model and state.studied:
            await self.take(str(state.analyse_file or state.machine_file or state.studied[0]))
        if self.result is None and state.sweeps:
            await self.open(state.sweeps[0])

    async def take(self, name: str) -> None:
        """Take a machine or network to sweep."""
        state = self.studio.state
        found = await self.studio.work(name, lambda: Document(self.studio.path(name)))
        if found is None:
            return
        state.sweep_model, state.sweep_vary = name, []
        state.sweep_known = [p for p, value in found.parameters().items() if isinstance(value, int | float)]
        state.sweep_channels = [str(one) for one in found.values("record").get("channels", []) if "*" not in str(one)]
        state.sweep_parameter = next(iter(state.sweep_known), "")
        path = PurePosixPath(name)
        state.sweep_output = self.studio.project.new_name(str(path.with_name(f"{path.stem}-sweep")), ".h5")

    async def picked(self, click: Click) -> None:
        """Nothing is drawn here."""

    def add(self) -> None:
        """Take the parameter and its values from the fields to what varies."""
        state = self.studio.state
        try:
            name = str(state.sweep_parameter or "").strip()
            low, high = (_signed(state[f"sweep_{end}"], word(f"sweep.{end}")) for end in ("from", "to"))
            count = number_in(state.sweep_steps, word("sweep.steps"), whole=True)
            if not name or low is None or high is None or not count or count < 2:
                raise ModelError(word("sweep.range"))
            values = values_between(low, high, count)
        except FloatframeError as error:
            self.studio.complain(error)
            return
        kept = [one for one in state.sweep_vary if not str(one).startswith(f"{name}=")]
        state.sweep_vary, state.problems = [*kept, f"{name}={values}"], []

    # the sweep

    def _wanted(self) -> Sweep:
        state = self.studio.state
        file, output = str(state.sweep_model), str(state.sweep_output).strip()
        if not file or not state.sweep_vary:
            raise ModelError(word("sweep.missing"))
        self.studio.path(file)
        self.studio.path(output)
        return Sweep(
            of=Studied(file, network=self.studio.project.kind(file) == "network"),
            vary=tuple(str(one) for one in state.sweep_vary),
            output=output,
            study=str(state.sweep_study),
            measures=tuple(str(one) for one in state.sweep_measures or []),
            t_end=number_in(state.sweep_t_end, word("analyse.t_end")),
            n=number_in(state.sweep_n, word("analyse.n"), whole=True),
            at=str(state.sweep_at or ""),
        )

    async def sweep(self) -> None:
        """Begin a sweep."""
        await self._sweep(resume=False)

    async def resume(self) -> None:
        """Compute the points that are missing."""
        await self._sweep(resume=True)

    async def _sweep(self, resume: bool) -> None:
        state = self.studio.state
        if self.studio.busy():
            return
        try:
            wanted = self._wanted()
        except FloatframeError as error:
            self.studio.complain(error)
            return
        path, begun = self.studio.path(wanted.output), time.time()
        state.sweep_running, state.sweep_resumable, state.sweep_fixed = True, False, {}
        looked = 0.0

        def changed(job: Job) -> None:
            nonlocal looked
            self._job = job
            now = time.monotonic()
            if now - looked >= LOOK and path.exists() and path.stat().st_mtime >= begun:
                self._look(wanted.output)
                looked = now

        try:
            await self.studio.run(wanted.action(resume), changed)
        finally:
            self._job, state.sweep_running = None, False
        if path.exists():
            self._look(wanted.output)
        self._offer()

    def stop(self) -> None:
        """Stop, as by Ctrl-C; what is done stays."""
        if self._job is not None:
            self.studio.jobs.stop(self._job)

    def _offer(self, **_: object) -> None:
        """Offer to go on with the sweep whose name is given, if points are missing in it."""
        state = self.studio.state
        try:
            path = self.studio.path(str(state.sweep_output).strip())
            found = io.read(path) if path.is_file() and io.is_sweep_file(path) else None
        except (FloatframeError, OSError):
            found = None
        state.sweep_resumable = bool(not state.sweep_running and found is not None and found.nwaiting)

    # what is seen

    async def open(self, name: str = "") -> None:
        """Show a sweep."""
        state = self.studio.state
        state.problems = []
        name = name or str(state.sweep_file)
        if not state.sweep_model and state.studied:
            await self.take(str(state.analyse_file or state.machine_file or state.studied[0]))
        found = await self.studio.work(name, lambda: io.read(self.studio.path(name)))
        if isinstance(found, SweepResult):
            state.sweep_fixed = {}
            self._show(name, found)

    def _look(self, name: str) -> None:
        """Show a sweep as far as it is."""
        try:
            found = io.read(self.studio.path(name))
        except (FloatframeError, OSError):
            return  # it has hardly begun
        if isinstance(found, SweepResult) and found.columns:
            self._show(name, found)

    def _show(self, name: str, found: SweepResult) -> None:
        state = self.studio.state
        self.result, columns = found, columns_of(found)
        whole = found.study == "linear" and not found.samples and len(axes_of(found)) == 1
        titles = [{"title": one, "value": one} for one in columns]
        state.sweep_columns = [*([{"title": word("sweep.frequencies"), "value": ""}] if whole else []), *titles]
        if state.sweep_column not in columns:
            state.sweep_column = "" if whole else next(iter(columns), "")
        state.sweep_file = name
        others = axes_of(found)[: -2 if state.sweep_column else -1] if not found.samples else []
        state.sweep_others = [{"name": one.name, "values": list(one.values)} for one in others]
        failures = {f"{_where(point)}: {why}" for point, why in found.failures}
        state.sweep_failures = sorted(failures)[:20]
        done = len(found.states) - found.nwaiting
        state.sweep_facts = facts(
            {"study": found.study, "points": f"{done} of {len(found.states)}", "state": found.status}
        )
        state.sweep_headers, state.sweep_rows = point_table(found, columns)
        state.sweep_chart = self._chart()

    def _chart(self) -> Chart:
        state = self.studio.state
        if self.result is None or not state.sweep_columns:
            return EMPTY
        try:
            return sweep_chart(self.result, str(state.sweep_column or ""), self._fixed())
        except FloatframeError as error:
            self.studio.complain(error)
            return EMPTY

    def _fixed(self) -> dict[str, str]:
        """The values that were chosen for parameters which the chart does not show."""
        fixed = self.studio.state.sweep_fixed
        return {name: str(value) for name, value in fixed.items()} if isinstance(fixed, dict) else {}

    def _draw_again(self, **_: object) -> None:
        if self.result is not None:
            self.studio.state.sweep_chart = self._chart()

    # exports

    async def picture(self) -> None:
        """Write the chart as a picture."""
        state, result = self.studio.state, self.result
        if result is None:
            return
        column, name = str(state.sweep_column or ""), str(state.sweep_file)
        wide = len(axes_of(result)) > 1
        output = self.studio.project.new_name(name.rpartition(".")[0], ".png")
        try:
            where = held(result, column, self._fixed())
        except FloatframeError as error:
            self.studio.complain(error)
            return
        await self._written(studies.plot_sweep(name, column, output, wide=wide, where=where), output)

    async def report(self) -> None:
        """Write a report."""
        name = str(self.studio.state.sweep_file)
        output = self.studio.project.new_name(name.rpartition(".")[0], ".html")
        await self._written(studies.report(name, output), output)

    async def csv(self) -> None:
        """Write all points as a table."""
        name = str(self.studio.state.sweep_file)
        output = self.studio.project.new_name(name.rpartition(".")[0], ".csv")
        await self._written(studies.sweep_to_csv(name, output), output)

    async def _written(self, action: Any, output: str) -> None:
        job = await self.studio.run(action)
        if job.state == "done":
            self.studio.written(job, output)

    def draw(self) -> None:
        """Make the widgets."""
        draw_sweep(self)


def _signed(words: object, what: str) -> float | None:
    """Return a number that may be below zero."""
    text = str(words if words is not None else "").strip()
    found = number_in(text.removeprefix("-"), what)
    return -found if found is not None and text.startswith("-") else found


def _where(point: dict[str, float]) -> str:
    return ", ".join(f"{name} = {value:g}" for name, value in point.items())
