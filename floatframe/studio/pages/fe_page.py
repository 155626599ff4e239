"""FE model: what was imported, its mesh, nodes picked in the view that become interface nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trame.widgets import html, vuetify3 as v

from floatframe import io
from floatframe.studio import commands
from floatframe.studio.facts import facts, words
from floatframe.studio.pages.widgets import button, chooser, fact_table, heading, view
from floatframe.studio.texts import word
from floatframe.viewer import scene_of

if TYPE_CHECKING:
    from floatframe.fem import FEModel
    from floatframe.studio.app import Studio

_BLOCKS = ("problems", "node_sets", "element_sets", "import")


class FePage:
    """The page FE model."""

    name = "fe"

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        self.model: FEModel | None = None
        units = [{"title": word("fe.units.own"), "value": ""}, *({"title": u, "value": u} for u in io.UNIT_SYSTEMS)]
        studio.state.update(
            {
                "fe_file": "",
                "fe_units": "",
                "fe_unit_choices": units,
                "fe_view": "",
                "fe_facts": [],
                "fe_report": "",
                "fe_problems": [],
                "fe_sets": [],
                "fe_picked": [],
            }
        )

    async def enter(self) -> None:
        """Nothing to look at again: the model stays until another one is opened."""

    async def open(self, name: str = "") -> None:
        """Read a model and show it."""
        state = self.studio.state
        name = name or str(state.fe_file)
        units = str(state.fe_units)
        found = await self.studio.work(name, self._read, name, units)
        if found is None:
            return
        self.model, description, report, address = found
        self.studio.show(commands.show_model(name, units))
        state.fe_file, state.fe_view = name, address
        state.fe_facts = facts(description, _BLOCKS)
        state.fe_report = report
        state.fe_problems = [words(problem) for problem in description.get("problems", [])]
        sets = {**description.get("node_sets", {}), **description.get("element_sets", {})}
        state.fe_sets = [{"name": name, "count": count} for name, count in sets.items()]
        state.fe_picked = []
        state.marks = {**state.marks, "fe": []}

    def _read(self, name: str, units: str) -> tuple[Any, dict[str, Any], str, str]:
        imported = io.read_with_report(self.studio.path(name), units=units or None)
        scene = scene_of(imported.model)
        report = str(imported.report) if imported.report.read else ""
        return imported.model, io.describe(imported.model), report, self.studio.views.show("fe", scene)

    async def picked(self, place: str, part: int, point: int) -> None:
        """Take a node that was clicked, or drop it again."""
        row = self.studio.views.node_at("fe", part, point)
        if row is None or self.model is None:
            return
        number, state = int(self.model.node_ids[row]), self.studio.state
        known = [one for one in state.fe_picked if one["node"] != number]
        if len(known) == len(state.fe_picked):
            x, y, z = (f"{value:.4g}" for value in self.model.nodes[row])
            known.append({"node": number, "at": f"{x}, {y}, {z}", "part": part, "point": point})
        state.fe_picked = known
        self._mark()

    def clear(self) -> None:
        """Drop all picked nodes."""
        self.studio.state.fe_picked = []
        self._mark()

    def _mark(self) -> None:
        state = self.studio.state
        marks = [{"part": p["part"], "point": p["point"], "text": str(p["node"])} for p in state.fe_picked]
        state.marks = {**state.marks, "fe": marks}

    async def reduce(self) -> None:
        """Go on with the reduction, the picked nodes being its interface."""
        state = self.studio.state
        state.reduce_file = state.fe_file
        if state.fe_picked:
            state.reduce_interface = ",".join(str(one["node"]) for one in state.fe_picked)
        await self.studio.go("reduce")

    def draw(self) -> None:
        """Make the widgets."""
        with html.Div(classes="beside"):
            with html.Div(classes="scroll"):
                chooser(word("file"), "fe_file", "models", update_modelValue=(self.open, "[$event]"))
                chooser(word("fe.units"), "fe_units", "fe_unit_choices", update_modelValue="fe_units = $event")
                button(word("open"), self.open, raw_attrs=['data-do="fe_open"'])
                button(
                    word("fe.reduce"),
                    self.reduce,
                    color="primary",
                    disabled=("!fe_view",),
                    raw_attrs=['data-do="fe_reduce"'],
                )
                heading(word("fe.picked"))
                html.Div(word("fe.pick.hint"), v_if="!fe_picked.length", classes="text-caption text-medium-emphasis")
                with v.VChip(
                    v_for="one in fe_picked",
                    key="one.node",
                    size="small",
                    classes="mr-1 mb-1",
                    raw_attrs=[':data-picked="one.node"'],
                ):
                    html.Span("{{ one.node }}", classes="font-weight-bold mr-1")
                    html.Span("({{ one.at }})")
                button(word("fe.pick.clear"), self.clear, v_if="fe_picked.length", size="x-small")
                heading(word("fe.problems"), v_if="fe_problems.length")
                v.VAlert(
                    "{{ problem }}",
                    v_for="(problem, k) in fe_problems",
                    key="k",
                    type="warning",
                    variant="tonal",
                    density="compact",
                    classes="mb-1 text-caption",
                )
                heading(word("fe.sets"), v_if="fe_sets.length")
                v.VChip(
                    "{{ one.name }}: {{ one.count }}",
                    v_for="one in fe_sets",
                    key="one.name",
                    size="small",
                    classes="mr-1 mb-1",
                )
                heading(word("fe.facts"), v_if="fe_facts.length")
                fact_table("fe_facts")
                heading(word("fe.report"), v_if="fe_report")
                html.Pre("{{ fe_report }}", v_if="fe_report", classes="command", raw_attrs=["data-import_report"])
            with html.Div():
                view("fe", "fe_view")
