"""Machine: the things of a model or network file as a tree, a form of the chosen one, the whole beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from floatframe.errors import FloatframeError
from floatframe.hybrid import read_model_text
from floatframe.network import network_of
from floatframe.studio import commands
from floatframe.studio.document import Document, Mistake, begin_machine
from floatframe.studio.pages.machine_widgets import draw_machine
from floatframe.studio.texts import word
from floatframe.studio.views import view_of
from floatframe.viewer import drawn, plot_network, scene_of

if TYPE_CHECKING:
    from floatframe.studio.app import Studio
    from floatframe.studio.views import Click, View

_SINGLE = ("record", "simulate")


class MachinePage:
    """The page Machine."""

    name = "machine"

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        self.document: Document | None = None
        studio.state.update(
            {
                "machine_file": "",
                "machine_view": "",
                "machine_graph": "",
                "machine_tree": [],
                "machine_tables": [],
                "machine_parameters": [],
                "machine_chosen": None,
                "machine_fields": [],
                "machine_mistakes": [],
                "machine_changed": False,
                "machine_text": "",
                "machine_tab": "form",
                "machine_add_table": "body",
                "machine_add_type": "",
                "machine_add_name": "",
                "machine_begun": "",
                "machine_types": {},
            }
        )

    async def enter(self) -> None:
        """Open the machine that is there."""
        state = self.studio.state
        if self.document is None and state.studied:
            await self.open(state.studied[0])

    async def open(self, name: str = "") -> None:
        """Open a model file; one with changes that are not saved stays."""
        state = self.studio.state
        state.problems = []
        name = name or str(state.machine_file)
        if self._keeps(name):
            return
        document = await self.studio.work(name, lambda: Document(self.studio.path(name)))
        if document is None:
            state.machine_file = "" if self.document is None else self.studio.project.name_of(self.document.path)
            return
        self.document, state.machine_file, state.machine_chosen = document, name, None
        state.machine_tables = [table for table, rule in document.rules.items() if rule.many]
        state.machine_types = {table: list(rule.types) for table, rule in document.rules.items() if rule.types}
        state.machine_add_table = "element" if document.network else "body"
        self.studio.show(commands.show_network(name) if document.network else commands.show_machine(name))
        await self._changed(draw=True)

    def _keeps(self, name: str) -> bool:
        """Whether a file with changes that are not saved stays open; says so to who wants another one."""
        state = self.studio.state
        if self.document is None or not self.document.changed:
            return False
        state.machine_file = self.studio.project.name_of(self.document.path)
        if name != state.machine_file:
            self.studio.complain(word("machine.keep", state.machine_file, name))
        return True

    async def begin(self) -> None:
        """Begin a machine of one body in a new file, and open it."""
        state = self.studio.state
        state.problems = []
        name = str(state.machine_begun).strip()
        if not name:
            self.studio.complain(word("machine.begin.missing"))
            return
        name = name if name.endswith(".toml") else f"{name}.toml"
        if self._keeps(name):
            return
        try:
            begin_machine(self.studio.path(name))
        except (FloatframeError, OSError) as error:
            self.studio.complain(error)
            return
        state.machine_begun = ""
        self.studio.look()
        await self.open(name)
        await self.choose("body", 0)

    # changes

    async def choose(self, table: str, index: int) -> None:
        """Show the form of a thing."""
        if self.document is None or table not in self.document.rules or not isinstance(index, int):
            return
        self.studio.state.machine_chosen = {"table": table, "index": index}
        self._form()

    async def set(self, key: str, words: object) -> None:
        """Take the value that was entered into a field of the chosen thing."""
        chosen = self.studio.state.machine_chosen
        if chosen:
            await self._change(lambda d: d.set(str(chosen["table"]), int(chosen["index"]), str(key), str(words)))

    async def set_parameter(self, name: str, words: object) -> None:
        """Take the value of a parameter."""
        await self._change(lambda d: d.set("parameters", 0, str(name), str(words)))

    async def add(self) -> None:
        """Add a thing of the chosen table and type."""
        state = self.studio.state
        table, kind, name = str(state.machine_add_table), str(state.machine_add_type or ""), str(state.machine_add_name)
        made: list[int] = []

        def change(document: Document) -> None:
            types = document.rules[table].types
            made.append(document.add(table, kind if kind in types else next(iter(types), ""), name.strip()))

        await self._change(change)
        if made:
            state.machine_add_name = ""
            await self.choose(table, made[0])

    async def remove(self) -> None:
        """Take the chosen thing out."""
        chosen = self.studio.state.machine_chosen
        if chosen:
            self.studio.state.machine_chosen = None
            await self._change(lambda d: d.remove(str(chosen["table"]), int(chosen["index"])))

    async def undo(self) -> None:
        """Take the last change back."""
        await self._change(lambda d: d.undo())

    async def redo(self) -> None:
        """Make it again."""
        await self._change(lambda d: d.redo())

    async def take_text(self) -> None:
        """Take the text that was edited."""
        text = str(self.studio.state.machine_text)
        await self._change(lambda d: d.replace_text(text))

    async def save(self) -> None:
        """Write the file."""
        self.studio.state.problems = []
        if self.document is not None and await self.studio.work(word("save"), self.document.save):
            self.studio.state.machine_changed = self.document.changed
            self.studio.look()

    async def _change(self, change: Any) -> None:
        if self.document is None:
            return
        self.studio.state.problems = []
        try:
            change(self.document)
        except Exception as error:
            self.studio.complain(error)
            return
        self.studio.state.machine_changed = self.document.changed
        await self._changed()

    # what is shown

    async def _changed(self, draw: bool = False) -> None:
        """Show the tree, the form, what is wrong, and the machine if nothing is."""
        document, state = self.document, self.studio.state
        if document is None:
            return
        self._tree()
        text = document.text
        mistakes = await self.studio.work(word("page.machine"), document.mistakes)
        if mistakes is None or self._is_old(document, text):
            return
        self._form(mistakes)
        state.machine_mistakes = [{"text": m.text, "line": m.line, "table": m.table, "name": m.name} for m in mistakes]
        self._tree(mistakes)
        if not mistakes:
            shown = await self.studio.work(word("view"), self._drawn, document)
            if shown is None or self._is_old(document, text):
                return
            if isinstance(shown, str):
                state.machine_view, state.machine_graph = "", shown
            else:
                state.machine_view, state.machine_graph = self.studio.views.show("machine", shown), ""

    def _is_old(self, document: Document, text: str) -> bool:
        """Whether what was found out about a text is not about what is edited now; that comes after it."""
        return self.document is not document or document.text != text

    def _drawn(self, document: Document) -> View | str:
        """Return the view of a machine, or the address of the graph of a network."""
        if document.network:
            network = network_of(document.text.encode(), document.path).network
            return drawn(lambda path: plot_network(network, path))
        return view_of(scene_of(read_model_text(document.text, document.path)))

    def _tree(self, mistakes: list[Mistake] | None = None) -> None:
        document, state = self.document, self.studio.state
        if document is None:
            return
        wrong = {(m.table, m.name) for m in mistakes or []}
        tree = [
            {
                "table": table,
                "title": table,
                "things": [
                    {"name": n, "index": k, "type": document.type_of(table, k), "wrong": (table, n) in wrong}
                    for k, n in enumerate(names)
                ],
            }
            for table, names in document.things().items()
        ]
        single = [{"name": table, "index": 0, "type": "", "wrong": False, "table": table} for table in _SINGLE]
        state.machine_tree = [*tree, {"table": "", "title": "settings", "things": single}]
        state.machine_parameters = [_parameter(n, value) for n, value in document.parameters().items()]
        state.machine_text = document.text

    def _form(self, mistakes: list[Mistake] | None = None) -> None:
        document, state = self.document, self.studio.state
        chosen = state.machine_chosen
        if document is None or not chosen:
            state.machine_fields = []
            return
        table, index = chosen["table"], chosen["index"]
        names, rule = document.things().get(table, []), document.rules.get(table)
        if rule is None or (rule.many and index >= len(names)):  # it is gone, as after an undo
            state.machine_chosen, state.machine_fields = None, []
            return
        name = names[index] if index < len(names) else table
        if mistakes is None:
            said = {(m["table"], m["name"]): m["text"] for m in state.machine_mistakes}
            problems = {"": said[table, name]} if (table, name) in said else {}
        else:
            problems = {
                m.key: m.text for m in mistakes if (m.table, m.name) == (table, name) or m.table == table == name
            }
        try:
            fields = document.fields(table, index)
        except Exception as error:
            self.studio.complain(error)
            state.machine_chosen, state.machine_fields = None, []
            return
        state.machine_chosen = {"table": table, "index": index, "name": name, "problem": problems.get("", "")}
        state.machine_fields = [{**field.plain(), "problem": problems.get(field.key, "")} for field in fields]

    async def picked(self, click: Click) -> None:
        """Choose the thing that was clicked in the view."""
        if self.document is None:
            return
        name = self.studio.views.thing_at(click)
        for table, names in self.document.things().items():
            if name in names:
                await self.choose(table, names.index(name))
                return

    async def analyse(self) -> None:
        """Go on with this machine, which is saved before."""
        await self.save()
        if self.document is not None and self.document.changed:
            return
        self.studio.open_on("analyse", str(self.studio.state.machine_file))

    def draw(self) -> None:
        """Make the widgets."""
        draw_machine(self)


def _parameter(name: str, value: Any) -> dict[str, Any]:
    """Return a parameter with the range of its slider, which an expression does not have."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return {"name": name, "value": str(value), "number": None, "low": 0.0, "high": 0.0}
    ends = sorted((0.0, 2.0 * value)) if value else (-1.0, 1.0)
    return {"name": name, "value": str(value), "number": float(value), "low": ends[0], "high": ends[1]}
