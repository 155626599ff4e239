"""Machine: the things of a model file as a tree, a form of the chosen one, the machine beside it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from trame.widgets import html, vuetify3 as v

from floatframe.hybrid import read_model_text
from floatframe.studio import commands
from floatframe.studio.document import Document, Mistake
from floatframe.studio.pages.widgets import button, chooser, entry, heading, view
from floatframe.studio.texts import word
from floatframe.viewer import scene_of

if TYPE_CHECKING:
    from floatframe.studio.app import Studio

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
                "machine_types": {},
            }
        )

    async def enter(self) -> None:
        """Open the machine that is there."""
        state = self.studio.state
        if self.document is None and state.machines:
            await self.open(state.machines[0])

    async def open(self, name: str = "") -> None:
        """Open a model file; one with changes that are not saved stays."""
        state = self.studio.state
        state.problems = []
        name = name or str(state.machine_file)
        if self.document is not None and self.document.changed:
            state.machine_file = self.studio.project.name_of(self.document.path)
            if name != state.machine_file:
                self.studio.complain(word("machine.keep", state.machine_file, name))
            return
        document = await self.studio.work(name, lambda: Document(self.studio.path(name)))
        if document is None:
            return
        self.document, state.machine_file, state.machine_chosen = document, name, None
        state.machine_tables = [table for table, rule in document.rules.items() if rule.many]
        state.machine_types = {table: list(rule.types) for table, rule in document.rules.items() if rule.types}
        self.studio.show(commands.show_machine(name))
        await self._changed(draw=True)

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
        mistakes = await self.studio.work(word("page.machine"), document.mistakes)
        if mistakes is None:
            return
        self._form(mistakes)
        state.machine_mistakes = [{"text": m.text, "line": m.line, "table": m.table, "name": m.name} for m in mistakes]
        self._tree(mistakes)
        if not mistakes:
            address = await self.studio.work(word("view"), self._drawn, document.text, document.path)
            state.machine_view = address or state.machine_view

    def _drawn(self, text: str, path: Path) -> str:
        scene = scene_of(read_model_text(text, path))
        return self.studio.views.show("machine", scene)

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
        names = document.things().get(table, [])
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
        except Exception:
            state.machine_chosen, state.machine_fields = None, []
            return
        state.machine_chosen = {"table": table, "index": index, "name": name, "problem": problems.get("", "")}
        state.machine_fields = [{**field.plain(), "problem": problems.get(field.key, "")} for field in fields]

    async def picked(self, place: str, part: int, point: int) -> None:
        """Choose the thing that was clicked in the view."""
        if self.document is None:
            return
        name = self.studio.views.thing_at("machine", part)
        for table, names in self.document.things().items():
            if name in names:
                await self.choose(table, names.index(name))
                return

    async def analyse(self) -> None:
        """Go on with this machine, which is saved before."""
        await self.save()
        if self.document is not None and self.document.changed:
            return
        self.studio.state.analyse_file = self.studio.state.machine_file
        await self.studio.go("analyse")

    def draw(self) -> None:
        """Make the widgets."""
        with html.Div(style="display: grid; grid-template-columns: 230px 340px 1fr; gap: 12px; height: 100%"):
            with html.Div(classes="scroll"):
                self._draw_tree()
            with html.Div(classes="scroll"):
                self._draw_form()
            with html.Div(style="display: flex; flex-direction: column; min-height: 0"):
                with html.Div(classes="d-flex align-center mb-1"):
                    button(
                        word("save"),
                        self.save,
                        disabled=("!machine_changed",),
                        color="primary",
                        raw_attrs=['data-do="machine_save"'],
                        title="Ctrl+S",
                    )
                    button(word("machine.undo"), self.undo, raw_attrs=['data-do="machine_undo"'])
                    button(word("machine.redo"), self.redo)
                    button(word("machine.analyse"), self.analyse, raw_attrs=['data-do="machine_analyse"'])
                    v.VChip(
                        f"{{{{ machine_changed ? '{word('machine.unsaved')}' : '{word('machine.saved')}' }}}}",
                        v_if="machine_file",
                        size="x-small",
                        color=("machine_changed ? 'warning' : 'success'",),
                    )
                with html.Div(style="flex: 1; min-height: 0"):
                    view("machine", "machine_view")
                with html.Div(
                    v_if="machine_mistakes.length",
                    style="max-height: 120px; overflow: auto",
                    raw_attrs=["data-mistakes"],
                ):
                    v.VAlert(
                        "{{ mistake.line ? mistake.line + ': ' : '' }}{{ mistake.text }}",
                        v_for="(mistake, k) in machine_mistakes",
                        key="k",
                        type="warning",
                        variant="tonal",
                        density="compact",
                        classes="mt-1 text-caption",
                    )

    def _draw_tree(self) -> None:
        chooser(word("machine.file"), "machine_file", "machines", update_modelValue=(self.open, "[$event]"))
        with html.Div(v_for="group in machine_tree", key="group.title"):
            html.Div("{{ group.title }}", classes="text-caption text-medium-emphasis mt-1")
            with (
                v.VList(density="compact", classes="py-0"),
                v.VListItem(
                    v_for="thing in group.things",
                    key="group.table + thing.name",
                    click=(self.choose, "[thing.table || group.table, thing.index]"),
                    active=(
                        "machine_chosen && machine_chosen.table === (thing.table || group.table) "
                        "&& machine_chosen.index === thing.index",
                    ),
                    min_height=26,
                    raw_attrs=[':data-thing="thing.name"'],
                ),
            ):
                html.Span("{{ thing.name }}", classes=("thing.wrong ? 'text-error' : ''",))
                html.Span("{{ thing.type }}", classes="text-caption text-medium-emphasis ml-2")
        heading(word("machine.new"))
        chooser(word("machine.new"), "machine_add_table", "machine_tables")
        v.VSelect(
            v_if="machine_types[machine_add_table]",
            label=word("machine.type"),
            v_model=("machine_add_type",),
            items=("machine_types[machine_add_table]",),
            density="compact",
            variant="outlined",
            hide_details=True,
            classes="mb-2",
            raw_attrs=['data-field="machine_add_type"'],
        )
        entry(word("machine.name"), "machine_add_name")
        button(word("machine.new"), self.add, raw_attrs=['data-do="machine_add"'])

    def _draw_form(self) -> None:
        with v.VTabs(v_model=("machine_tab",), density="compact"):
            v.VTab(word("machine.form"), value="form")
            v.VTab(word("machine.parameters"), value="parameters")
            v.VTab(word("machine.text"), value="text", raw_attrs=['data-tab="text"'])
        with html.Div(v_show="machine_tab === 'form'", classes="pt-2"):
            html.Div(word("machine.choose"), v_if="!machine_chosen", classes="text-caption text-medium-emphasis")
            with html.Div(v_if="machine_chosen"):
                with html.Div(classes="d-flex align-center mb-2"):
                    html.Div(
                        "{{ machine_chosen.table }} {{ machine_chosen.name }}", classes="text-subtitle-2 flex-grow-1"
                    )
                    button(word("machine.delete"), self.remove, size="x-small", raw_attrs=['data-do="machine_remove"'])
                html.Div(
                    "{{ machine_chosen.problem }}",
                    v_if="machine_chosen.problem",
                    classes="text-error text-caption mb-2",
                )
                self._draw_fields()
        with (
            html.Div(v_show="machine_tab === 'parameters'", classes="pt-3"),
            html.Div(v_for="one in machine_parameters", key="one.name"),
        ):
            v.VTextField(
                label=("one.name",),
                model_value=("one.value",),
                density="compact",
                variant="outlined",
                hide_details=True,
                change=(self.set_parameter, "[one.name, $event.target.value]"),
                raw_attrs=[':data-parameter="one.name"'],
            )
            v.VSlider(
                v_if="one.number !== null",
                model_value=("one.number",),
                min=("one.low",),
                max=("one.high",),
                step=("(one.high - one.low) / 200",),
                density="compact",
                hide_details=True,
                thumb_label=True,
                classes="mb-2",
                end=(self.set_parameter, "[one.name, String(+$event.toPrecision(4))]"),
                raw_attrs=[':data-slider="one.name"'],
            )
        with html.Div(v_show="machine_tab === 'text'", style="height: calc(100% - 56px)", classes="pt-2"):
            html.Textarea(
                value=("machine_text",),
                input="machine_text = $event.target.value",
                classes="source",
                spellcheck="false",
                style="height: calc(100% - 40px)",
                raw_attrs=["data-source"],
            )
            button(word("machine.take"), self.take_text, raw_attrs=['data-do="machine_take"'])

    def _draw_fields(self) -> None:
        common = {
            "label": ("f.key + (f.required ? ' *' : '')",),
            "hint": ("f.meaning + (f.default ? ' (default: ' + f.default + ')' : '')",),
            "persistent_hint": True,
            "density": "compact",
            "variant": "outlined",
            "classes": "mb-1",
            "error_messages": ("f.problem ? [f.problem] : []",),
            "raw_attrs": [':data-key="f.key"'],
        }
        with html.Div(v_for="f in machine_fields", key="machine_chosen.table + machine_chosen.index + f.key"):
            v.VSelect(
                v_if="f.widget === 'choice' || f.widget === 'truth'",
                model_value=("f.shown || null",),
                items=("f.widget === 'truth' ? ['true', 'false'] : f.choices",),
                clearable=("!f.required",),
                update_modelValue=(self.set, "[f.key, $event || '']"),
                **common,
            )
            v.VTextField(
                v_else=True,
                model_value=("f.shown",),
                suffix=("f.unit",),
                change=(self.set, "[f.key, $event.target.value]"),
                **common,
            )


def _parameter(name: str, value: Any) -> dict[str, Any]:
    """Return a parameter with the range of its slider, which an expression does not have."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return {"name": name, "value": str(value), "number": None, "low": 0.0, "high": 0.0}
    ends = sorted((0.0, 2.0 * value)) if value else (-1.0, 1.0)
    return {"name": name, "value": str(value), "number": float(value), "low": ends[0], "high": ends[1]}
