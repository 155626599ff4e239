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
            chooser(word("file"), "fe_file", "models", update_modelValue=(page.open, "[$event]"))
            chooser(word("fe.units"), "fe_units", "fe_unit_choices", update_modelValue="fe_units = $event")
            button(word("open"), page.open, raw_attrs=['data-do="fe_open"'])
            button(
                word("fe.reduce"),
                page.reduce,
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
            button(word("fe.pick.clear"), page.clear, v_if="fe_picked.length", size="x-small")
            with html.Div(classes="d-flex align-center", style="gap: 8px", v_if="fe_view"):
                entry(word("fe.box"), "fe_box", placeholder="x 0 0.1, z 0 0", classes="flex-grow-1")
                button(word("fe.box.pick"), page.pick_box, classes="", raw_attrs=['data-do="fe_box"'])
            heading(word("fe.couple"), v_if="fe_view")
            with html.Div(classes="d-flex align-center", style="gap: 8px", v_if="fe_view"):
                combination(word("fe.couple.name"), "fe_couple_name", "fe_sets.map((one) => one.name)")
                chooser(word("fe.couple.kind"), "fe_couple_kind", "fe_couple_kinds", classes="")
                button(word("fe.couple.do"), page.couple, classes="", raw_attrs=['data-do="fe_couple"'])
            v.VChip(
                "{{ one.name }}: {{ one.kind }}, {{ one.count }}",
                v_for="one in fe_couplings",
                key="one.name",
                size="small",
                closable=True,
                classes="mr-1 mt-1",
                click_close=(page.release, "[one.name]"),
                raw_attrs=[':data-coupling="one.name"'],
            )
            heading(word("fe.modes"), v_if="fe_view")
            with html.Div(classes="d-flex align-center", style="gap: 8px", v_if="fe_view"):
                entry(word("analyse.n"), "fe_n", classes="")
                entry(word("fe.fixed"), "fe_fixed", classes="")
                button(word("fe.modes"), page.modes, classes="", disabled=("!!job",), raw_attrs=['data-do="fe_modes"'])
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
