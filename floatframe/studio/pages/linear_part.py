"""A part of Analyse: where a machine or network rests, its frequencies and damping, its modes in motion."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ParamSpec

from trame.widgets import html

from floatframe.errors import FloatframeError
from floatframe.hybrid import find_equilibrium, state_at
from floatframe.studio import studies
from floatframe.studio.facts import facts
from floatframe.studio.numbers import number_in
from floatframe.studio.pages.widgets import button, chooser, entry, fact_table, heading, mode_table
from floatframe.studio.texts import word
from floatframe.studio.views import view_of
from floatframe.viewer import scene_of, word_of

if TYPE_CHECKING:
    from floatframe.studio.pages.analysed import Analysed
    from floatframe.studio.views import View

P = ParamSpec("P")

_HEADERS = [
    {"title": word("reduce.mode"), "key": "mode", "align": "end"},
    {"title": word("reduce.frequency"), "key": "frequency", "align": "end"},
    {"title": word("analyse.damping"), "key": "damping", "align": "end"},
    {"title": word("reduce.kind"), "key": "kind_word"},
    {"title": word("analyse.moving"), "key": "moving"},
]
ROUNDING = 1e-10  # damping ratios below are those of motions without damping


class LinearPart:
    """Rest and small motions of what the page Analyse has."""

    def __init__(self, of: Analysed) -> None:
        self.of, self.studio = of, of.studio
        states = [{"title": word(f"at.{at or 'usual'}"), "value": at} for at in ("", "start", "equilibrium", "steady")]
        self.studio.state.update(
            {
                "analyse_n": "10",
                "analyse_at": "",
                "analyse_ats": states,
                "analyse_modes": [],
                "analyse_headers": _HEADERS,
                "analyse_facts": [],
            }
        )

    def clear(self) -> None:
        """Let the results go."""
        self.studio.state.update({"analyse_modes": [], "analyse_facts": []})

    async def equilibrium(self) -> None:
        """Find where it rests."""
        state = self.studio.state
        try:
            of = self.of.studied()
        except FloatframeError as error:
            self.studio.complain(error)
            return
        job = await self.studio.run(studies.equilibrium(of), machine=True)
        if job.state != "done":
            return
        state.analyse_modes, state.analyse_facts = [], facts(job.answer, ("format", "channels"))
        if of.network:
            channels = job.answer.get("channels", [])
            state.analyse_facts += [
                {"name": one["channel"], "text": f"{one['value']:.6g} {one['unit']}"} for one in channels
            ]
            return
        await self._see(self._resting)

    async def _see(self, draw: Callable[P, View], *given: P.args, **more: P.kwargs) -> None:
        """Show what is drawn beside the server."""
        view = await self.studio.work(word("view"), draw, *given, **more)
        if view is not None:
            self.studio.state.analyse_view = self.studio.views.show("analyse", view)

    def _resting(self) -> View:
        system = self.of.machine()
        return view_of(scene_of(system, state=find_equilibrium(system).state))

    async def linear(self) -> None:
        """Find frequencies and damping, and show the modes."""
        state = self.studio.state
        try:
            of = self.of.studied()
            n = number_in(state.analyse_n, word("analyse.n"), whole=True) or 10
        except FloatframeError as error:
            self.studio.complain(error)
            return
        at = str(state.analyse_at or "")
        job = await self.studio.run(studies.linear(of, n, at), machine=True)
        if job.state != "done":
            return
        modes = job.answer.get("modes", [])
        state.analyse_modes = [_row(mode) for mode in modes]
        state.analyse_facts = facts(job.answer, ("format", "modes", "one_sided_modes"))
        if of.network:
            return
        # what oscillates is worth looking at, what creeps is not
        first = next((k for k, mode in enumerate(modes, start=1) if mode.get("kind") == "oscillation"), 1)
        await self._see(self._swinging, n, at, first)

    def _swinging(self, n: int, at: str, first: int) -> View:
        system = self.of.machine()
        state = state_at(system, at or None)
        scene = scene_of(system, state=state, linear=system.linearise(state, n=n))
        return view_of(scene, first)

    def draw(self) -> None:
        """Make the widgets."""
        busy, begin = "!!job || !analyse_file", self.studio.beginning
        rest = begin(self.equilibrium)
        button(word("analyse.equilibrium"), rest, disabled=(busy,), raw_attrs=['data-do="equilibrium"'])
        heading(word("analyse.linear"))
        with html.Div(classes="d-flex", style="gap: 8px"):
            entry(word("analyse.n"), "analyse_n")
            chooser(word("analyse.at"), "analyse_at", "analyse_ats")
        modes = begin(self.linear)
        button(word("analyse.linear"), modes, color="primary", disabled=(busy,), raw_attrs=['data-do="linear"'])
        mode_table("analyse", "analyse_modes", "analyse_headers")
        fact_table("analyse_facts")


def _row(mode: dict[str, Any]) -> dict[str, Any]:
    """Return a mode of the assembled machine as a row of the table."""
    damping, moving = mode.get("damping_ratio"), {**mode.get("participants", {}), **mode.get("states", {})}
    return {
        "mode": mode.get("mode"),
        "frequency": f"{mode.get('frequency_hz') or 0.0:.5g}",
        "damping": "" if damping is None else f"{100 * (damping if abs(damping) > ROUNDING else 0):.3g}",
        "kind_word": word_of("kind", str(mode.get("kind", ""))),
        "moving": ", ".join(f"{name} {100 * share:.0f} %" for name, share in moving.items() if share > 0.005),
    }
