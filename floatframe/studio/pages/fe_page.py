"""FE model: what was imported, its mesh, nodes picked in the view that become interface nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from trame.widgets import html, vuetify3 as v

from floatframe import io
from floatframe.errors import FloatframeError, ModelError
from floatframe.studio import commands
from floatframe.studio.facts import facts, words
from floatframe.studio.numbers import in_box, number_in
from floatframe.studio.pages.widgets import button, chooser, entry, fact_table, heading, mode_table, view
from floatframe.studio.texts import word
from floatframe.viewer import scene_of

if TYPE_CHECKING:
    from floatframe.arrays import Array, IntArray
    from floatframe.studio.app import Studio

_HEADERS = [
    {"title": word("reduce.mode"), "key": "mode", "align": "end"},
    {"title": word("reduce.frequency"), "key": "frequency", "align": "end"},
    {"title": word("reduce.kind"), "key": "kind"},
]
MOST_MARKS = 100  # on nodes in a view
MOST_PICKED = 2000  # by a box
_BLOCKS = ("problems", "node_sets", "element_sets", "import")


class Nodes(NamedTuple):
    """What is kept of a model: numbers (n,) and places (n, 3) of its nodes [m]."""

    number: IntArray
    place: Array


class FePage:
    """The page FE model."""

    name = "fe"

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        self.nodes: Nodes | None = None
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
                "fe_box": "",
                "fe_n": "10",
                "fe_fixed": "",
                "fe_modes": [],
                "fe_mode_headers": _HEADERS,
            }
        )

    async def enter(self) -> None:
        """Nothing to look at again: the model stays until another one is opened."""

    async def open(self, name: str = "") -> None:
        """Read a model and show it."""
        state = self.studio.state
        state.problems = []
        name = name or str(state.fe_file)
        units = str(state.fe_units)
        found = await self.studio.work(name, self._read, name, units)
        if found is None:
            return
        model, self.nodes, report, address = found
        self.studio.show(commands.show_model(name, units))
        state.fe_file, state.fe_view, state.fe_report = name, address, report
        state.fe_picked, state.fe_modes, state.fe_facts, state.fe_sets, state.fe_problems = [], [], [], [], []
        state.marks = {**state.marks, "fe": []}
        # the picture need not wait for the check
        description = await self.studio.work(word("fe.problems"), io.describe, model)
        if description is None or state.fe_view != address:
            return
        state.fe_facts = facts(description, _BLOCKS)
        state.fe_problems = [words(problem) for problem in description.get("problems", [])]
        sets = {**description.get("node_sets", {}), **description.get("element_sets", {})}
        state.fe_sets = [{"name": name, "count": count} for name, count in sets.items()]

    def _read(self, name: str, units: str) -> tuple[Any, Nodes, str, str]:
        imported = io.read_with_report(self.studio.path(name), units=units or None)
        model = imported.model
        report = str(imported.report) if imported.report.read else ""
        return model, Nodes(model.node_ids, model.nodes), report, self.studio.views.show("fe", scene_of(model))

    async def modes(self) -> None:
        """Find the lowest eigenmodes, and show them in motion."""
        state = self.studio.state
        name = str(state.fe_file)
        try:
            n = number_in(state.fe_n, word("analyse.n"), whole=True)
            self.studio.path(name)
        except FloatframeError as error:
            self.studio.complain(error)
            return
        output = self.studio.project.new_name(f"{name.rpartition('.')[0]}-modes", ".h5")
        fixed = str(state.fe_fixed).replace(" ", "")
        job = await self.studio.run(commands.modes(name, output, 10 if n is None else n, fixed, str(state.fe_units)))
        if job.state == "done":
            await self.open_modes(output)

    async def open_modes(self, name: str) -> None:
        """Show modes on the model that they belong to."""
        state = self.studio.state
        found = await self.studio.work(name, self._swinging, name)
        if found is None:
            return
        rows, address, model = found
        state.fe_modes, state.fe_view, state.fe_file, state.fe_picked = rows, address, model, []
        state.marks = {**state.marks, "fe": []}

    def _swinging(self, name: str) -> tuple[list[dict[str, Any]], str, str]:
        shapes = io.read(self.studio.path(name))
        folder = name.rpartition("/")[0]
        known = [one for one in self.studio.project.of_kind("model") if one.rpartition("/")[0] == folder]
        opened = str(self.studio.state.fe_file)
        for file in sorted(known, key=lambda one: (one != opened, not name.startswith(one.rpartition(".")[0]))):
            fe = io.read(self.studio.path(file))
            if getattr(fe, "nnode", -1) != len(shapes.node_ids):
                continue
            scene = scene_of(fe, modes=shapes)
            first = next((k for k, clip in enumerate(scene.clips, start=1) if "rigid" not in clip.title), 1)
            self.nodes = Nodes(fe.node_ids, fe.nodes)
            rows = [
                {"mode": k + 1, "frequency": f"{f:.5g}", "kind": shapes.kind[k]} for k, f in enumerate(shapes.frequency)
            ]
            return rows, self.studio.views.show("fe", scene, first), file
        raise ModelError(f"'{name}' holds modes; the model they belong to is not beside it")

    async def pick_box(self) -> None:
        """Pick the nodes inside a box: x, y and z from … to …, empty for all."""
        state = self.studio.state
        if self.nodes is None:
            return
        try:
            inside = in_box(self.nodes.place, str(state.fe_box))
        except FloatframeError as error:
            self.studio.complain(error)
            return
        rows = np.flatnonzero(inside)
        if len(rows) > MOST_PICKED:
            self.studio.complain(word("fe.box.many", len(rows), MOST_PICKED))
            return
        known = {one["node"] for one in state.fe_picked}
        new = [self._entry(int(row)) for row in rows if int(self.nodes.number[row]) not in known]
        state.fe_picked = [*state.fe_picked, *new]
        self._mark()

    def _entry(self, row: int, part: int = -1, point: int = -1) -> dict[str, Any]:
        """Return a picked node for the page; part and point say where its mark is drawn."""
        nodes = self.nodes
        number = int(nodes.number[row]) if nodes is not None else row
        at = ", ".join(f"{value:.4g}" for value in (nodes.place[row] if nodes is not None else ()))
        if part < 0:
            part, point = self.studio.views.point_of("fe", row)
        return {"node": number, "at": at, "part": part, "point": point}

    async def picked(self, place: str, part: int, point: int) -> None:
        """Take a node that was clicked, or drop it again."""
        row = self.studio.views.node_at("fe", part, point)
        if row is None or self.nodes is None:
            return
        number, state = int(self.nodes.number[row]), self.studio.state
        known = [one for one in state.fe_picked if one["node"] != number]
        if len(known) == len(state.fe_picked):
            known.append(self._entry(row, part, point))
        state.fe_picked = known
        self._mark()

    def clear(self) -> None:
        """Drop all picked nodes."""
        self.studio.state.fe_picked = []
        self._mark()

    def _mark(self) -> None:
        state = self.studio.state
        marks = [{"part": p["part"], "point": p["point"], "text": str(p["node"])} for p in state.fe_picked[:MOST_MARKS]]
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
                with html.Div(classes="d-flex align-center", style="gap: 8px", v_if="fe_view"):
                    entry(word("fe.box"), "fe_box", placeholder="x 0 0.1, z 0 0", classes="flex-grow-1")
                    button(word("fe.box.pick"), self.pick_box, classes="", raw_attrs=['data-do="fe_box"'])
                heading(word("fe.modes"), v_if="fe_view")
                with html.Div(classes="d-flex align-center", style="gap: 8px", v_if="fe_view"):
                    entry(word("analyse.n"), "fe_n", classes="")
                    entry(word("fe.fixed"), "fe_fixed", classes="")
                    button(
                        word("fe.modes"), self.modes, classes="", disabled=("!!job",), raw_attrs=['data-do="fe_modes"']
                    )
                mode_table("fe", "fe_modes", "fe_mode_headers")
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
