"""Reduce: which shapes a body gets, its modes as a table and in motion."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from trame.widgets import html, vuetify3 as v

from floatframe import io
from floatframe.errors import FloatframeError
from floatframe.modal import METHODS, effective_mass
from floatframe.studio import commands
from floatframe.studio.commands import Coupled, Reduction, sets_of
from floatframe.studio.facts import facts, facts_and_tables
from floatframe.studio.numbers import number_in
from floatframe.studio.pages.widgets import button, chooser, entry, fact_table, heading, mode_table, record_tables, view
from floatframe.studio.texts import word
from floatframe.studio.views import view_of
from floatframe.viewer import scene_of

if TYPE_CHECKING:
    from floatframe.studio.app import Studio
    from floatframe.studio.views import Click, View

_HEADERS = [
    {"title": word("reduce.mode"), "key": "mode", "align": "end"},
    {"title": word("reduce.frequency"), "key": "frequency", "align": "end"},
    {"title": word("reduce.kind"), "key": "kind"},
    {"title": word("reduce.mass"), "key": "mass"},
    {"title": word("reduce.origin"), "key": "origin"},
]
SHOWN = 0.005  # of the mass or a moment of inertia
_BLOCKS = ("modes", "interface", "buckling_loads", "uncarried_loads", "settings", "quality")


class ReducePage:
    """The page Reduce."""

    name = "reduce"

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        studio.state.update(
            {
                "reduce_file": "",
                "reduce_method": METHODS[0],
                "reduce_methods": list(METHODS),
                "reduce_interface": "",
                "reduce_couplings": [],
                "reduce_sets": [],
                "reduce_n": "20",
                "reduce_up_to": "",
                "reduce_stress": "",
                "reduce_quality": False,
                "reduce_output": "",
                "body_file": "",
                "body_view": "",
                "body_modes": [],
                "body_headers": _HEADERS,
                "body_facts": [],
                "body_errors": [],
                "body_compared": [],
                "body_curves": "",
            }
        )

    async def enter(self) -> None:
        """Propose the model that is there, and a name for the body."""
        state = self.studio.state
        if not state.reduce_file and state.models:
            state.reduce_file = state.fe_file or state.models[0]
        if state.reduce_file and not state.reduce_output:
            state.reduce_output = self._proposed(str(state.reduce_file))

    def _proposed(self, file: str) -> str:
        path = PurePosixPath(file)
        return self.studio.project.new_name(str(path.with_name(f"{path.stem}-body")), ".h5")

    async def picked(self, click: Click) -> None:
        """A body is looked at only."""

    async def reduce(self) -> None:
        """Reduce the model as the form says, and show the body."""
        state = self.studio.state
        try:
            wanted = self._wanted()
        except Exception as error:
            self.studio.complain(error)
            return
        job = await self.studio.run(wanted.action(), machine=True)
        if job.state == "done":
            await self.open(wanted.output)
            quality = job.answer.get("quality", {})
            state.body_errors, state.body_compared = facts_and_tables(quality if isinstance(quality, dict) else {})
            self.studio.show(wanted.action())
            self.studio.written(job, wanted.output)

    def _wanted(self) -> Reduction:
        state = self.studio.state
        output = str(state.reduce_output).strip() or self._proposed(str(state.reduce_file))
        self.studio.path(str(state.reduce_file))
        self.studio.path(output)
        return Reduction(
            file=str(state.reduce_file),
            output=output,
            interface=str(state.reduce_interface).replace(" ", ""),
            method=str(state.reduce_method),
            n=number_in(state.reduce_n, word("reduce.n"), whole=True),
            up_to=number_in(state.reduce_up_to, word("reduce.up_to")),
            units=str(state.fe_units) if state.fe_file == state.reduce_file else "",
            sets=tuple(sets_of(state.reduce_sets)) if state.reduce_file == state.fe_file else (),
            couple=tuple(
                Coupled(str(one["name"]), str(one["kind"]), tuple(int(node) for node in one["nodes"]))
                for one in state.reduce_couplings
                if state.reduce_file == state.fe_file
            ),
            stress=str(state.reduce_stress).replace(" ", ""),
            quality=bool(state.reduce_quality),
        )

    async def open(self, name: str = "") -> None:
        """Show a body."""
        state = self.studio.state
        state.problems = []
        name = name or str(state.body_file)
        found = await self.studio.work(name, self._read, name)
        if found is None:
            return
        description, drawn, carried = found
        state.body_file, state.body_view = name, self.studio.views.show("reduce", drawn)
        state.body_facts, state.body_curves = facts(description, _BLOCKS), ""
        state.body_errors, state.body_compared = [], []
        state.reduce_file = self.studio.project.source(name) or state.reduce_file
        await self.enter()
        self.studio.show(commands.show_model(name))
        state.body_modes = [
            {
                **mode,
                "frequency": "" if (f := mode.get("frequency_hz")) is None else f"{f:.5g}",
                "mass": carried.get(int(mode["mode"]), ""),
            }
            for mode in description.get("modes", [])
        ]

    async def errors(self) -> None:
        """Draw how the errors of the frequencies fall with the number of modes."""
        state = self.studio.state
        body, file = str(state.body_file), str(state.reduce_file)
        try:
            self.studio.path(body), self.studio.path(file)
        except FloatframeError as error:
            self.studio.complain(error)
            return
        output = self.studio.project.new_name(f"{body.rpartition('.')[0]}-errors", ".png")
        job = await self.studio.run(commands.errors_of_modes(body, file, output))
        if job.state == "done":
            state.body_curves = f"file?name={quote(output)}"

    def _read(self, name: str) -> tuple[dict[str, Any], View, dict[int, str]]:
        body = io.read(self.studio.path(name))
        scene = scene_of(body)
        first = next((k for k, clip in enumerate(scene.clips, start=1) if "rigid" not in clip.title), 1)
        parts = zip((body.columns("eigen") + 1).tolist(), effective_mass(body).tolist(), strict=True)
        carried = {mode: _shares(row) for mode, row in parts}
        return io.describe(body), view_of(scene, first), carried

    def draw(self) -> None:
        """Make the widgets."""
        with html.Div(classes="beside"):
            with html.Div(classes="scroll"):
                chooser(word("reduce.model"), "reduce_file", "models")
                entry(word("reduce.interface"), "reduce_interface", placeholder="1,201")
                chooser(word("reduce.method"), "reduce_method", "reduce_methods")
                with html.Div(classes="d-flex", style="gap: 8px"):
                    entry(word("reduce.n"), "reduce_n", disabled=("!!reduce_up_to",))
                    entry(word("reduce.up_to"), "reduce_up_to")
                entry(word("reduce.stress"), "reduce_stress")
                v.VCheckbox(
                    label=word("reduce.quality"), v_model=("reduce_quality",), density="compact", hide_details=True
                )
                entry(word("reduce.output"), "reduce_output")
                button(
                    word("reduce.run"),
                    self.studio.beginning(self.reduce),
                    color="primary",
                    disabled=("!!job || !reduce_file",),
                    raw_attrs=['data-do="reduce"'],
                )
                opening = (self.studio.opening("reduce"), "[$event]")
                chooser(word("open"), "body_file", "bodies", update_modelValue=opening, classes="mt-3")
                button(
                    word("reduce.curves"),
                    self.studio.beginning(self.errors),
                    classes="mb-2",
                    disabled=("!!job || !body_file || !reduce_file",),
                    raw_attrs=['data-do="errors"'],
                )
                heading(word("reduce.errors"), v_if="body_errors.length")
                fact_table("body_errors")
                record_tables("body_compared")
                heading(word("reduce.modes"), v_if="body_modes.length")
                mode_table("reduce", "body_modes", "body_headers")
                fact_table("body_facts")
            with html.Div(classes="stacked"):
                with html.Div(style="flex: 1 1 55%; min-height: 0"):
                    view("reduce", "body_view")
                with html.Div(classes="graph", style="flex: 1 1 45%", v_if="body_curves", raw_attrs=["data-curves"]):
                    html.Img(src=("body_curves",), alt=word("reduce.curves"))


def _shares(row: list[float]) -> str:
    """Return what a mode carries of mass and moments of inertia in words, the directions with most of it first."""
    shares = sorted(zip(("x", "y", "z", "rx", "ry", "rz"), row, strict=True), key=lambda one: -one[1])
    return ", ".join(f"{name} {100 * share:.3g} %" for name, share in shares if share >= SHOWN)
