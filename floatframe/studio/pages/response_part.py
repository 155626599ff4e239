"""A part of Analyse: the response of a machine to harmonic inputs as a Bode diagram."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from trame.widgets import html, plotly, vuetify3 as v

from floatframe.errors import FloatframeError, ModelError
from floatframe.hybrid import input_names
from floatframe.studio.charts import EMPTY, bode
from floatframe.studio.numbers import number_in
from floatframe.studio.pages.widgets import button, chooser, entry, several
from floatframe.studio.studies import Response
from floatframe.studio.texts import word

if TYPE_CHECKING:
    from floatframe.studio.pages.analysed import Analysed

_HEADERS = [
    {"title": word("response.output"), "key": "output"},
    {"title": word("response.peak"), "key": "peak", "align": "end"},
    {"title": word("response.size"), "key": "size", "align": "end"},
    {"title": word("response.phase"), "key": "phase", "align": "end"},
]
MOST_PEAKS = 6  # of each response


class ResponsePart:
    """Responses of what the page Analyse has."""

    def __init__(self, of: Analysed) -> None:
        self.of, self.studio = of, of.studio
        self.studio.state.update(
            {
                "response_inputs": [],
                "response_known": [],
                "response_of": "",
                "response_outputs": [],
                "response_channels": [],
                "response_low": "0.1",
                "response_high": "100",
                "response_at": "",
                "response_size": EMPTY,
                "response_phase": EMPTY,
                "response_peaks": [],
                "response_headers": _HEADERS,
            }
        )

    def clear(self) -> None:
        """Let the results go."""
        self.studio.state.update({"response_size": EMPTY, "response_phase": EMPTY, "response_peaks": []})

    async def enter(self) -> None:
        """Find what can drive the machine, and what can be measured of it."""
        state = self.studio.state
        file = str(state.analyse_file)
        if state.response_of == file or state.analyse_tab != "response" or not file:
            return
        found = await self.studio.work(file, self._known)
        if found is not None:
            state.response_of = file
            state.response_known, state.response_channels = found
            state.response_inputs = [one for one in state.response_inputs if one in found[0]]

    def _known(self) -> tuple[list[str], list[str]]:
        if self.of.studied().network:
            raise ModelError(word("response.network"))
        system = self.of.machine()
        return input_names(system), self.of.channels(system)

    def _wanted(self) -> Response:
        state = self.studio.state
        inputs, outputs = ([str(one) for one in state[f"response_{what}"] or []] for what in ("inputs", "outputs"))
        low, high = (number_in(state[f"response_{end}"], word(f"response.{end}")) for end in ("low", "high"))
        if not inputs or not outputs or not low or not high:
            raise ModelError(word("response.missing"))
        return Response(self.of.studied(), tuple(inputs), tuple(outputs), (low, high), str(state.response_at or ""))

    async def respond(self) -> None:
        """Compute the responses, and draw them."""
        state = self.studio.state
        try:
            wanted = self._wanted()
        except FloatframeError as error:
            self.studio.complain(error)
            return
        job = await self.studio.run(wanted.action(), machine=True)
        if job.state != "done":
            return
        found = job.answer.get("responses", [])
        curves = {_name(one): (np.array(one["real"]) + 1j * np.array(one["imaginary"]), one["unit"]) for one in found}
        state.response_size, state.response_phase = bode(np.array(job.answer["frequency_hz"]), curves)
        state.response_peaks = [row for one in found for row in _peaks(one)]

    async def picture(self) -> None:
        """Write the Bode diagram as a picture."""
        await self._write(".png")

    async def csv(self) -> None:
        """Write the responses as a table."""
        await self._write(".csv")

    async def _write(self, suffix: str) -> None:
        try:
            wanted = self._wanted()
            output = self.studio.project.new_name(f"{wanted.of.file.rpartition('.')[0]}-response", suffix)
        except FloatframeError as error:
            self.studio.complain(error)
            return
        action = wanted.action(picture=output) if suffix == ".png" else wanted.action(table=output)
        job = await self.studio.run(action)
        if job.state == "done":
            self.studio.written(job, output)

    def draw(self) -> None:
        """Make the widgets of the form."""
        several(word("response.inputs"), "response_inputs", "response_known")
        several(word("response.outputs"), "response_outputs", "response_channels", free=True)
        with html.Div(classes="d-flex", style="gap: 8px"):
            entry(word("response.low"), "response_low")
            entry(word("response.high"), "response_high")
            chooser(word("analyse.at"), "response_at", "analyse_ats")
        busy = "!!job || !analyse_file"
        for key, click in (("run", self.respond), ("picture", self.picture), ("csv", self.csv)):
            button(
                word({"run": "response.run"}.get(key, f"results.{key}")),
                self.studio.beginning(click),
                disabled=(busy,),
                raw_attrs=[f'data-do="response_{key}"'],
                **({"color": "primary"} if key == "run" else {}),
            )
        v.VDataTable(
            v_if="response_peaks.length",
            items=("response_peaks",),
            headers=("response_headers",),
            density="compact",
            items_per_page=-1,
            hide_default_footer=True,
            classes="mt-2",
            raw_attrs=["data-peaks"],
        )

    def draw_beside(self) -> None:
        """Make the diagrams."""
        html.Div(
            word("response.hint"), v_if="!response_size.data.length", classes="text-medium-emphasis pa-8 text-center"
        )
        for name, height in (("response_size", "60%"), ("response_phase", "38%")):
            with html.Div(style=f"height: {height}", v_show=f"{name}.data.length", raw_attrs=[f'data-chart="{name}"']):
                plotly.Figure(state_variable_name=name, display_logo=False, responsive=True)


def _name(one: dict[str, Any]) -> str:
    return f"{one['output']} per {one['input']}"


def _peaks(one: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the highest peaks of a response as rows, by their frequency."""
    rows = zip(one["peaks_hz"], one["peak_magnitudes"], one["peak_phases_deg"], strict=True)
    highest = sorted(rows, key=lambda row: -(row[1] if row[1] is not None else np.inf))[:MOST_PEAKS]
    return [
        {
            "output": _name(one),
            "peak": f"{frequency:.5g}",
            "size": word("response.infinite") if size is None else f"{size:.4g} {one['unit']}",
            "phase": "" if phase is None else f"{phase:.0f}",
        }
        for frequency, size, phase in sorted(highest)
    ]
