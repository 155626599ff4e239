"""A part of FE model: nodes and elements picked by clicks, boxes, surfaces and sets; sets and couplings made of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from floatframe.errors import FloatframeError
from floatframe.studio.commands import OwnSet, sets_of
from floatframe.studio.numbers import in_box
from floatframe.studio.texts import word

if TYPE_CHECKING:
    from floatframe.arrays import IntArray
    from floatframe.studio.app import Studio
    from floatframe.studio.picking import Mesh
    from floatframe.studio.views import Click

MOST_MARKS = 30  # words in a view; more would hide it
MOST_PICKED = 2000  # nodes or elements
MOST_SIDES = 8000  # lines in a view
KINDS = ("node", "element", "surface")


class FePicks:
    """What is picked of the model on the page FE model; `mesh` is that model, None before one is open."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        self.mesh: Mesh | None = None
        self.problems: list[dict[str, Any]] = []
        studio.state.update(
            {
                "fe_pick": KINDS[0],
                "fe_picks": [{"title": word(f"fe.pick.{kind}"), "value": kind} for kind in KINDS],
                "fe_picked": [],
                "fe_elements": [],
                "fe_box": "",
                "fe_set_name": "",
                "fe_own_sets": [],
                "fe_couplings": [],
                "fe_couple_kind": "rbe3",
                "fe_couple_kinds": [{"title": word(f"fe.couple.{kind}"), "value": kind} for kind in ("rbe3", "rbe2")],
                "fe_problem": -1,
            }
        )

    def take(self, mesh: Mesh) -> None:
        """Take a model, of which nothing is picked yet."""
        self.mesh, self.problems = mesh, []
        self.studio.state.update({"fe_own_sets": [], "fe_couplings": [], "fe_problem": -1})
        self.clear()

    def clear(self) -> None:
        """Drop all that is picked."""
        self.studio.state.update({"fe_picked": [], "fe_elements": []})
        self.mark()

    # picks

    async def click(self, click: Click) -> None:
        """Take what was clicked, or drop it again."""
        state, views = self.studio.state, self.studio.views
        row, face = views.node_at(click), views.nodes_at(click)
        if row is None or self.mesh is None:
            return
        if state.fe_pick == "element":
            element = self.mesh.element_at(face or [row])
            known = [one for one in state.fe_elements if one != element]
            if element is not None and len(known) == len(state.fe_elements):
                known.append(element)
            state.fe_elements = known
        elif state.fe_pick == "surface":
            found = await self.studio.work(word("fe.pick.surface"), self.mesh.surface_at, face or [row])
            if found is not None:
                self._add_nodes(found)
        else:
            number = int(self.mesh.number[row])
            known = [one for one in state.fe_picked if one["node"] != number]
            if len(known) == len(state.fe_picked):
                known.append(_entry(self.mesh, row, click.part, click.point))
            state.fe_picked = known
        self.mark()

    async def pick_box(self) -> None:
        """Pick the nodes inside a box: x, y and z from … to …, empty for all."""
        if self.mesh is None:
            return
        try:
            inside = in_box(self.mesh.place, str(self.studio.state.fe_box))
        except FloatframeError as error:
            self.studio.complain(error)
            return
        self._add_nodes(np.flatnonzero(inside))

    def pick_set(self, name: str) -> None:
        """Pick the nodes or elements of a set."""
        if self.mesh is None:
            return
        if name in self.mesh.node_sets:
            self._add_nodes(self.mesh.rows_of(self.mesh.node_sets[name]))
        elif name in self.mesh.element_sets:
            state = self.studio.state
            self._keep_elements([*state.fe_elements, *self.mesh.element_sets[name].tolist()])

    def _keep_elements(self, numbers: list[int]) -> None:
        kept = list(dict.fromkeys(numbers))
        if len(kept) > MOST_PICKED:
            self.studio.complain(word("fe.many", len(kept), MOST_PICKED))
            return
        self.studio.state.fe_elements = kept
        self.mark()

    def _add_nodes(self, rows: IntArray) -> None:
        state, mesh = self.studio.state, self.mesh
        if mesh is None:
            return
        known = {one["node"] for one in state.fe_picked}
        new = [int(row) for row in rows if int(mesh.number[row]) not in known]
        if len(new) + len(known) > MOST_PICKED:
            self.studio.complain(word("fe.many", len(new) + len(known), MOST_PICKED))
            return
        places = self.studio.views.points_of("fe", np.array(new, dtype=np.int64))
        state.fe_picked = [*state.fe_picked, *(_entry(mesh, row, *at) for row, at in zip(new, places, strict=True))]
        self.mark()

    # what is highlighted

    def problem(self, number: int) -> None:
        """Highlight one problem of the check alone, or all again."""
        state = self.studio.state
        state.fe_problem = -1 if number == state.fe_problem or not 0 <= number < len(self.problems) else number
        self.mark()

    def mark(self) -> None:
        """Show picks and what the check found in the view."""
        state, mesh = self.studio.state, self.mesh
        if mesh is None:
            return
        words = [{"part": p["part"], "point": p["point"], "text": str(p["node"])} for p in state.fe_picked]
        chosen = self.problems if state.fe_problem < 0 else self.problems[state.fe_problem : state.fe_problem + 1]
        faulty = [node for one in chosen for node in one.get("nodes", [])][:MOST_PICKED]
        rows = mesh.rows_of(faulty)
        places = self.studio.views.points_of("fe", rows)
        words += [
            {"part": part, "point": point, "text": str(mesh.number[row]), "wrong": True}
            for row, (part, point) in zip(rows, places, strict=True)
        ]
        wrong = [element for one in chosen for element in one.get("elements", [])]
        words = [one for one in words if one["part"] >= 0]
        marks = {
            "words": words if len(words) <= MOST_MARKS else [],
            "dots": [[one["part"], one["point"]] for one in words],
            "sides": self._lines(state.fe_elements),
            "wrong": self._lines(wrong),
        }
        state.marks = {**state.marks, "fe": marks}

    def _lines(self, elements: list[int]) -> list[list[int]]:
        """Return sides of elements as part and point of both ends."""
        if self.mesh is None or not elements:
            return []
        sides = self.mesh.sides_of(elements)[:MOST_SIDES]
        ends = self.studio.views.points_of("fe", sides.ravel())
        pairs = zip(ends[::2], ends[1::2], strict=True)
        return [[*a, *b] for a, b in pairs if a[0] >= 0 and b[0] >= 0]

    # what is made of picks

    def name_set(self) -> None:
        """Keep the picked nodes, or else the picked elements, as a set."""
        state = self.studio.state
        nodes = [int(one["node"]) for one in state.fe_picked]
        numbers = nodes or [int(one) for one in state.fe_elements]
        name = self._new_name(state.fe_set_name, "set")
        if not name or not numbers:
            self.studio.complain(word("fe.set.missing"))
            return
        entry = {"name": name, "nodes": bool(nodes), "numbers": numbers, "count": len(numbers)}
        state.fe_own_sets, state.fe_set_name, state.problems = [*state.fe_own_sets, entry], "", []
        self.clear()

    def own_sets(self) -> list[OwnSet]:
        """Return the sets that were made here."""
        return sets_of(self.studio.state.fe_own_sets)

    def drop_set(self, name: str) -> None:
        """Drop a set that was made here."""
        self.studio.state.fe_own_sets = [one for one in self.studio.state.fe_own_sets if one["name"] != name]

    def couple(self) -> None:
        """Couple the picked nodes, or the set of the name that is given, to a new reference node."""
        state = self.studio.state
        picked = [int(one["node"]) for one in state.fe_picked]
        given = str(state.fe_set_name or "").strip()
        own = {one["name"]: one["count"] for one in state.fe_own_sets if one["nodes"]}
        sets = {**{one["name"]: one["count"] for one in state.fe_sets}, **own}
        coupled = {one["name"] for one in state.fe_couplings}
        name = self._new_name(given, "hub") if picked else given if given in sets and given not in coupled else ""
        if not name:
            self.studio.complain(word("fe.couple.missing"))
            return
        kind = "rbe2" if state.fe_couple_kind == "rbe2" else "rbe3"
        entry = {"name": name, "kind": kind, "nodes": picked, "count": len(picked) or sets[name]}
        state.fe_couplings, state.fe_set_name, state.problems = [*state.fe_couplings, entry], "", []
        self.clear()

    def _new_name(self, given: object, stem: str) -> str:
        """Return a name that no set has yet: the one that is given, "" if it cannot be one, or one made of a stem."""
        state, name = self.studio.state, str(given or "").strip()
        taken = {one["name"] for one in (*state.fe_sets, *state.fe_own_sets, *state.fe_couplings)}
        if name:
            return name if re.fullmatch(r"[\w.-]+", name) and name not in taken else ""
        return next(free for k in range(1, 10_000) if (free := f"{stem}{k}") not in taken)

    def release(self, name: str) -> None:
        """Drop a coupling again."""
        self.studio.state.fe_couplings = [one for one in self.studio.state.fe_couplings if one["name"] != name]


def _entry(mesh: Mesh, row: int, part: int, point: int) -> dict[str, Any]:
    """Return a picked node for the page; part and point say where its mark is drawn."""
    at = ", ".join(f"{value:.4g}" for value in mesh.place[row])
    return {"node": int(mesh.number[row]), "at": at, "part": part, "point": point}
