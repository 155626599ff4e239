"""FE model: what was imported, its mesh, nodes picked in the view that become interface nodes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from floatframe import io
from floatframe.errors import FloatframeError, ModelError
from floatframe.studio import commands
from floatframe.studio.facts import facts, words
from floatframe.studio.numbers import in_box, number_in
from floatframe.studio.pages.fe_widgets import draw_fe
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
                "fe_couplings": [],
                "fe_couple_name": "",
                "fe_couple_kind": "rbe3",
                "fe_couple_kinds": [{"title": word(f"fe.couple.{kind}"), "value": kind} for kind in ("rbe3", "rbe2")],
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
        state.fe_couplings = []
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

    def couple(self) -> None:
        """Couple the picked nodes, or the set of the name that is given, to a new reference node."""
        state = self.studio.state
        name = str(state.fe_couple_name or "").strip()
        picked = [int(one["node"]) for one in state.fe_picked]
        taken = {one["name"] for one in state.fe_couplings}
        sets = {one["name"]: one["count"] for one in state.fe_sets}
        if picked and not name:
            name = next(free for k in range(1, 10_000) if (free := f"hub{k}") not in {*taken, *sets})
        wrong = name in taken or not re.fullmatch(r"[\w.-]+", name) or (name in sets) == bool(picked)
        if wrong:
            self.studio.complain(word("fe.couple.missing"))
            return
        kind = "rbe2" if state.fe_couple_kind == "rbe2" else "rbe3"
        entry = {"name": name, "kind": kind, "nodes": picked, "count": len(picked) or sets[name]}
        state.fe_couplings, state.fe_couple_name, state.problems = [*state.fe_couplings, entry], "", []
        self.clear()

    def release(self, name: str) -> None:
        """Drop a coupling again."""
        self.studio.state.fe_couplings = [one for one in self.studio.state.fe_couplings if one["name"] != name]

    async def reduce(self) -> None:
        """Go on with the reduction, the picked nodes and the reference nodes being its interface."""
        state = self.studio.state
        state.reduce_file, state.reduce_couplings = state.fe_file, list(state.fe_couplings)
        names = [*(str(one["node"]) for one in state.fe_picked), *(one["name"] for one in state.fe_couplings)]
        if names:
            state.reduce_interface = ",".join(names)
        await self.studio.go("reduce")

    def draw(self) -> None:
        """Make the widgets."""
        draw_fe(self)
