"""FE model: what was imported, its mesh, nodes picked in the view that become interface nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from floatframe import io
from floatframe.errors import FloatframeError, ModelError
from floatframe.studio import commands
from floatframe.studio.facts import facts
from floatframe.studio.numbers import number_in
from floatframe.studio.pages.fe_picks import FePicks
from floatframe.studio.pages.fe_widgets import draw_fe
from floatframe.studio.picking import mesh_of
from floatframe.studio.texts import word
from floatframe.studio.views import view_of
from floatframe.viewer import scene_of

if TYPE_CHECKING:
    from floatframe.studio.app import Studio
    from floatframe.studio.picking import Mesh
    from floatframe.studio.views import Click, View

_HEADERS = [
    {"title": word("reduce.mode"), "key": "mode", "align": "end"},
    {"title": word("reduce.frequency"), "key": "frequency", "align": "end"},
    {"title": word("reduce.kind"), "key": "kind"},
]
_BLOCKS = ("problems", "node_sets", "element_sets", "import")


class FePage:
    """The page FE model."""

    name = "fe"

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        self.picks = FePicks(studio)
        self._shown = ""  # file of the model in the view
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
                "fe_n": "10",
                "fe_fixed": "",
                "fe_modes": [],
                "fe_mode_headers": _HEADERS,
            }
        )

    async def enter(self) -> None:
        """Nothing to look at again: the model stays until another one is opened."""

    def take_units(self, units: str) -> None:
        """Read the model again in other units."""
        self.studio.state.fe_units = units
        if self.studio.state.fe_file:
            self.studio.open_on("fe", "")

    async def open(self, name: str = "") -> None:
        """Read a model and show it."""
        state = self.studio.state
        state.problems = []
        name = name or str(state.fe_file)
        units = str(state.fe_units)
        found = await self.studio.work(name, self._read, name, units)
        if found is None:
            state.fe_file = self._shown
            return
        model, mesh, report, view = found
        self.studio.show(commands.show_model(name, units))
        if name != self._shown:
            state.fe_fixed, self._shown = "", name
        address = self.studio.views.show("fe", view)
        state.fe_file, state.fe_view, state.fe_report = name, address, report
        state.fe_modes, state.fe_facts, state.fe_sets, state.fe_problems = [], [], [], []
        self.picks.take(mesh)
        # the picture need not wait for the check
        description = await self.studio.work(word("fe.problems"), io.describe, model)
        if description is None or state.fe_view != address:
            return
        state.fe_facts = facts(description, _BLOCKS)
        self.picks.problems = description.get("problems", [])
        state.fe_problems = [str(problem["text"]) for problem in self.picks.problems]
        self.picks.mark()
        sets = {**description.get("node_sets", {}), **description.get("element_sets", {})}
        state.fe_sets = [{"name": name, "count": count} for name, count in sets.items()]

    def _read(self, name: str, units: str) -> tuple[Any, Mesh, str, View]:
        imported = io.read_with_report(self.studio.path(name), units=units or None)
        model = imported.model
        report = str(imported.report) if imported.report.read else ""
        return model, mesh_of(model), report, view_of(scene_of(model))

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
        sets = tuple(one for one in self.picks.own_sets() if one.name in fixed.split(","))
        action = commands.modes(name, output, 10 if n is None else n, fixed, str(state.fe_units), sets)
        job = await self.studio.run(action)
        if job.state == "done":
            await self.open_modes(output)

    async def open_modes(self, name: str) -> None:
        """Show modes on the model that they belong to."""
        state = self.studio.state
        found = await self.studio.work(name, self._swinging, name)
        if found is None:
            return
        rows, view, model, mesh = found
        known = self._shown == model and self.picks.mesh is not None
        self._shown = model
        state.fe_modes, state.fe_view, state.fe_file = rows, self.studio.views.show("fe", view), model
        if known:
            self.picks.mark()
        else:
            self.picks.take(mesh)
            state.fe_facts, state.fe_sets, state.fe_problems, state.fe_report = [], [], [], ""

    def _swinging(self, name: str) -> tuple[list[dict[str, Any]], View, str, Mesh]:
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
            rows = [
                {"mode": k + 1, "frequency": f"{f:.5g}", "kind": shapes.kind[k]} for k, f in enumerate(shapes.frequency)
            ]
            return rows, view_of(scene, first), file, mesh_of(fe)
        raise ModelError(f"'{name}' holds modes; the model they belong to is not beside it")

    async def picked(self, click: Click) -> None:
        """Take what was clicked."""
        await self.picks.click(click)

    def fix(self) -> None:
        """Hold the picked nodes when eigenmodes are found."""
        state = self.studio.state
        known = [one for one in str(state.fe_fixed or "").replace(" ", "").split(",") if one]
        state.fe_fixed = ",".join(dict.fromkeys([*known, *(str(one["node"]) for one in state.fe_picked)]))
        self.picks.clear()

    async def reduce(self) -> None:
        """Go on with the reduction: picked nodes are its interface, of picked elements it keeps stresses."""
        state = self.studio.state
        state.reduce_file, state.reduce_couplings = state.fe_file, list(state.fe_couplings)
        state.reduce_sets = list(state.fe_own_sets)
        if state.fe_elements:
            state.reduce_stress = ",".join(map(str, state.fe_elements))
        names = [*(str(one["node"]) for one in state.fe_picked), *(one["name"] for one in state.fe_couplings)]
        if names:
            state.reduce_interface = ",".join(names)
        await self.studio.go("reduce")

    def draw(self) -> None:
        """Make the widgets."""
        draw_fe(self)
