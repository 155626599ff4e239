"""The widgets of the page Machine: a tree of its things, their forms, parameters with sliders, the text itself."""

from __future__ import annotations

from typing import Any

from trame.widgets import html, vuetify3 as v

from floatframe.studio.pages.widgets import button, chooser, either, entry, heading, view
from floatframe.studio.texts import word


def draw_machine(page: Any) -> None:
    """Make the widgets of a MachinePage: tree, form, and the machine beside them."""
    with html.Div(style="display: grid; grid-template-columns: 230px 340px 1fr; gap: 12px; height: 100%"):
        with html.Div(classes="scroll"):
            _tree(page)
        with html.Div(classes="scroll"):
            _form(page)
        with html.Div(style="display: flex; flex-direction: column; min-height: 0"):
            with html.Div(classes="d-flex align-center mb-1"):
                button(
                    word("save"),
                    page.save,
                    disabled=("!machine_changed",),
                    color="primary",
                    raw_attrs=['data-do="machine_save"'],
                    title="Ctrl+S",
                )
                button(word("machine.undo"), page.undo, raw_attrs=['data-do="machine_undo"'])
                button(word("machine.redo"), page.redo)
                button(word("machine.analyse"), page.analyse, raw_attrs=['data-do="machine_analyse"'])
                v.VChip(
                    f"{{{{ machine_changed ? '{word('machine.unsaved')}' : '{word('machine.saved')}' }}}}",
                    v_if="machine_file",
                    size="x-small",
                    color=("machine_changed ? 'warning' : 'success'",),
                )
            with html.Div(style="flex: 1; min-height: 0", v_show="!machine_graph"):
                none = either("machine_file", word("machine.none"), word("machine.begin.hint"))
                view("machine", "machine_view", none)
            with html.Div(classes="graph", v_if="machine_graph", raw_attrs=["data-graph"]):
                html.Img(src=("machine_graph",), alt=word("machine.graph"))
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


def _tree(page: Any) -> None:
    chooser(
        word("analyse.file"), "machine_file", "studied", update_modelValue=(page.studio.opening("machine"), "[$event]")
    )
    with html.Div(v_for="group in machine_tree", key="group.title"):
        html.Div("{{ group.title }}", classes="text-caption text-medium-emphasis mt-1")
        with (
            v.VList(density="compact", classes="py-0"),
            v.VListItem(
                v_for="thing in group.things",
                key="group.table + thing.name",
                click=(page.choose, "[thing.table || group.table, thing.index]"),
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
    button(word("machine.new"), page.add, disabled=("!machine_file",), raw_attrs=['data-do="machine_add"'])
    heading(word("machine.begin"))
    entry(word("machine.begin.name"), "machine_begun")
    button(word("machine.begin"), page.studio.beginning(page.begin), raw_attrs=['data-do="machine_begin"'])


def _form(page: Any) -> None:
    with v.VTabs(v_model=("machine_tab",), density="compact"):
        v.VTab(word("machine.form"), value="form")
        v.VTab(word("machine.parameters"), value="parameters")
        v.VTab(word("machine.text"), value="text", raw_attrs=['data-tab="text"'])
    with html.Div(v_show="machine_tab === 'form'", classes="pt-2"):
        html.Div(word("machine.choose"), v_if="!machine_chosen", classes="text-caption text-medium-emphasis")
        with html.Div(v_if="machine_chosen"):
            with html.Div(classes="d-flex align-center mb-2"):
                html.Div("{{ machine_chosen.table }} {{ machine_chosen.name }}", classes="text-subtitle-2 flex-grow-1")
                button(word("machine.delete"), page.remove, size="x-small", raw_attrs=['data-do="machine_remove"'])
            html.Div(
                "{{ machine_chosen.problem }}",
                v_if="machine_chosen.problem",
                classes="text-error text-caption mb-2",
            )
            _fields(page)
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
            change=(page.set_parameter, "[one.name, $event.target.value]"),
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
            end=(page.set_parameter, "[one.name, String(+$event.toPrecision(4))]"),
            raw_attrs=[':data-slider="one.name"'],
        )
    with html.Div(v_show="machine_tab === 'text'", style="height: calc(100% - 48px)", classes="pt-2"):
        v.VTextarea(
            v_model=("machine_text",),
            aria_label=word("machine.text"),
            variant="outlined",
            hide_details=True,
            no_resize=True,
            classes="source",
            spellcheck="false",
            raw_attrs=["data-source"],
        )
        button(word("machine.take"), page.take_text, disabled=("!machine_file",), raw_attrs=['data-do="machine_take"'])


def _fields(page: Any) -> None:
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
            update_modelValue=(page.set, "[f.key, $event || '']"),
            **common,
        )
        v.VTextField(
            v_else=True,
            model_value=("f.shown",),
            suffix=("f.unit",),
            change=(page.set, "[f.key, $event.target.value]"),
            **common,
        )
