"""The widgets of the page FE model: file, picked nodes, couplings, eigenmodes, what the check says, sets, facts."""

from __future__ import annotations

from typing import Any

from trame.widgets import html, vuetify3 as v

from floatframe.studio.pages.widgets import button, chooser, combination, entry, fact_table, heading, mode_table, view
from floatframe.studio.texts import word


def draw_fe(page: Any) -> None:
    """Make the widgets of a FePage: what was read and picked, the model beside it."""
    with html.Div(classes="beside"):
        with html.Div(classes="scroll"):
            chooser(word("file"), "fe_file", "models", update_modelValue=(page.studio.opening("fe"), "[$event]"))
            chooser(word("fe.units"), "fe_units", "fe_unit_choices", update_modelValue=(page.take_units, "[$event]"))
            button(
                word("fe.reduce"),
                page.reduce,
                color="primary",
                disabled=("!fe_view",),
                raw_attrs=['data-do="fe_reduce"'],
            )
            with html.Div(v_if="fe_view"):
                _picks(page.picks)
            heading(word("fe.modes"), v_if="fe_view")
            with html.Div(classes="d-flex align-center", style="gap: 8px", v_if="fe_view"):
                entry(word("analyse.n"), "fe_n", classes="")
                entry(word("fe.fixed"), "fe_fixed", classes="")
                button(
                    word("fe.fix"),
                    page.fix,
                    classes="",
                    disabled=("!fe_picked.length",),
                    raw_attrs=['data-do="fe_fix"'],
                )
                modes = page.studio.beginning(page.modes)
                button(word("fe.modes"), modes, classes="", disabled=("!!job",), raw_attrs=['data-do="fe_modes"'])
            mode_table("fe", "fe_modes", "fe_mode_headers")
            heading(word("fe.problems"), v_if="fe_problems.length")
            html.Div(
                word("fe.problems.all"), v_if="fe_problems.length > 1", classes="text-caption text-medium-emphasis"
            )
            v.VAlert(
                "{{ problem }}",
                v_for="(problem, k) in fe_problems",
                key="k",
                type="warning",
                variant=("k === fe_problem ? 'outlined' : 'tonal'",),
                density="compact",
                style="cursor: pointer",
                classes="mb-1 text-caption",
                click=(page.picks.problem, "[k]"),
                raw_attrs=[':data-problem="k"'],
            )
            heading(word("fe.sets"), v_if="fe_sets.length")
            v.VChip(
                "{{ one.name }}: {{ one.count }}",
                v_for="one in fe_sets",
                key="one.name",
                size="small",
                classes="mr-1 mb-1",
                click=(page.picks.pick_set, "[one.name]"),
                raw_attrs=[':data-set="one.name"'],
            )
            heading(word("fe.facts"), v_if="fe_facts.length")
            fact_table("fe_facts")
            heading(word("fe.report"), v_if="fe_report")
            html.Pre("{{ fe_report }}", v_if="fe_report", classes="command", raw_attrs=["data-import_report"])
        with html.Div():
            view("fe", "fe_view")


def _picks(picks: Any) -> None:
    """Make what is picked, and what is made of it."""
    with html.Div(classes="d-flex align-center mt-2", style="gap: 8px"):
        html.Div(word("fe.picked"), classes="text-subtitle-2 flex-grow-1")
        with v.VBtnToggle(v_model=("fe_pick",), density="compact", mandatory=True, variant="outlined", divided=True):
            v.VBtn(
                "{{ one.title }}",
                v_for="one in fe_picks",
                key="one.value",
                value=("one.value",),
                size="x-small",
                raw_attrs=[':data-pick="one.value"'],
            )
    html.Div(
        word("fe.pick.hint"),
        v_if="!fe_picked.length && !fe_elements.length",
        classes="text-caption text-medium-emphasis",
    )
    with v.VChip(
        v_for="one in fe_picked.slice(0, 6)",
        key="one.node",
        size="small",
        classes="mr-1 mb-1",
        raw_attrs=[':data-picked="one.node"'],
    ):
        html.Span("{{ one.node }}", classes="font-weight-bold mr-1")
        html.Span("({{ one.at }})")
    v.VChip(
        f"{word('fe.pick.element')}: {{{{ fe_elements.slice(0, 6).join(', ') }}}}",
        v_if="fe_elements.length",
        size="small",
        classes="mr-1 mb-1",
        raw_attrs=["data-elements"],
    )
    more = "Math.max(fe_picked.length - 6, 0) + Math.max(fe_elements.length - 6, 0)"
    html.Span(
        word("fe.pick.more", f"{{{{ {more} }}}}"),
        v_if="fe_picked.length > 6 || fe_elements.length > 6",
        classes="text-caption mr-2",
    )
    button(
        word("fe.pick.clear"),
        picks.clear,
        v_if="fe_picked.length || fe_elements.length",
        size="x-small",
        raw_attrs=['data-do="fe_clear"'],
    )
    with html.Div(classes="d-flex align-center mt-1", style="gap: 8px"):
        entry(
            word("fe.box"),
            "fe_box",
            placeholder="x 0 0.1, z 0 0",
            persistent_placeholder=True,  # its form is not guessed
            classes="flex-grow-1",
        )
        button(word("fe.box.pick"), picks.pick_box, classes="", raw_attrs=['data-do="fe_box"'])
    with html.Div(classes="pairs mt-2"):
        combination(word("fe.set.name"), "fe_set_name", "fe_sets.map((one) => one.name)")
        button(word("fe.set"), picks.name_set, classes="", raw_attrs=['data-do="fe_set"'])
        chooser(word("fe.couple.kind"), "fe_couple_kind", "fe_couple_kinds", classes="")
        button(word("fe.couple.do"), picks.couple, classes="", raw_attrs=['data-do="fe_couple"'])
    for entries, mark, drop, text in (
        ("fe_own_sets", "own-set", picks.drop_set, "{{ one.name }}: {{ one.count }}"),
        ("fe_couplings", "coupling", picks.release, "{{ one.name }}: {{ one.kind }}, {{ one.count }}"),
    ):
        v.VChip(
            text,
            v_for=f"one in {entries}",
            key="one.name",
            size="small",
            closable=True,
            classes="mr-1 mt-1",
            click_close=(drop, "[one.name]"),
            raw_attrs=[f':data-{mark}="one.name"'],
        )
