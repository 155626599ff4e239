"""The widgets of the page Sweep: what varies, what is done and measured; curves, maps and points beside it."""

from __future__ import annotations

from typing import Any

from trame.widgets import html, plotly, vuetify3 as v

from floatframe.studio.pages.widgets import button, chooser, combination, entry, fact_table, heading, several
from floatframe.studio.texts import word


def draw_sweep(page: Any) -> None:
    """Make the widgets of a SweepPage."""
    with html.Div(classes="beside"):
        with html.Div(classes="scroll"):
            _form(page)
        with html.Div(style="display: flex; flex-direction: column; min-height: 0"):
            _shown(page)


def _form(page: Any) -> None:
    chooser(
        word("analyse.file"), "sweep_model", "studied", update_modelValue=(page.studio.beginning(page.take), "[$event]")
    )
    chooser(word("sweep.study"), "sweep_study", "sweep_studies")
    with html.Div(style="display: grid; grid-template-columns: 2fr 1fr 1fr 1fr auto; gap: 6px; align-items: center"):
        combination(word("sweep.parameter"), "sweep_parameter", "sweep_known")
        for end in ("from", "to", "steps"):
            entry(word(f"sweep.{end}"), f"sweep_{end}", classes="")
        button(word("sweep.add"), page.add, classes="", raw_attrs=['data-do="sweep_add"'])
    several(word("sweep.vary"), "sweep_vary", "[]", free=True, classes="my-2")
    several(word("sweep.measures"), "sweep_measures", "sweep_channels", free=True, v_if="sweep_study !== 'linear'")
    with html.Div(classes="d-flex", style="gap: 8px"):
        entry(word("analyse.t_end"), "sweep_t_end", v_if="sweep_study === 'simulate'")
        entry(word("analyse.n"), "sweep_n", v_if="sweep_study === 'linear'")
        chooser(word("analyse.at"), "sweep_at", "analyse_ats", v_if="sweep_study === 'linear'")
        entry(word("analyse.output"), "sweep_output")
    busy, begin = "!!job || !sweep_model || !sweep_vary.length", page.studio.beginning
    button(word("sweep.run"), begin(page.sweep), color="primary", disabled=(busy,), raw_attrs=['data-do="sweep"'])
    button(
        word("stop"),
        page.stop,
        disabled=("!sweep_running || (job && job.stopping)",),
        raw_attrs=['data-do="sweep_stop"'],
    )
    button(
        word("sweep.resume"),
        begin(page.resume),
        disabled=(f"{busy} || !sweep_resumable",),
        raw_attrs=['data-do="sweep_resume"'],
    )
    with html.Div(v_if="sweep_failures.length"):
        heading(word("sweep.failed"))
        html.Div("{{ one }}", v_for="one in sweep_failures", key="one", classes="text-caption text-error")


def _shown(page: Any) -> None:
    with html.Div(classes="d-flex align-center flex-wrap pt-2", style="gap: 8px", v_if="sweeps.length"):
        chooser(
            word("sweep.open"),
            "sweep_file",
            "sweeps",
            update_modelValue=(page.studio.opening("sweep"), "[$event]"),
            classes="",
            style="max-width: 220px",
        )
        chooser(word("sweep.column"), "sweep_column", "sweep_columns", classes="", style="max-width: 240px")
        v.VSelect(
            v_for="one in sweep_others",
            key="one.name",
            label=("one.name",),
            model_value=("sweep_fixed[one.name] || one.values[0]",),
            items=("one.values",),
            update_modelValue="sweep_fixed = { ...sweep_fixed, [one.name]: $event }",
            density="compact",
            variant="outlined",
            hide_details=True,
            style="max-width: 110px",
        )
        for key, click in (("picture", page.picture), ("csv", page.csv), ("report", page.report)):
            button(
                word(f"results.{key}"),
                page.studio.beginning(click),
                disabled=("!!job || !sweep_file",),
                classes="",
                raw_attrs=[f'data-do="sweep_{key}"'],
            )
    html.Div(word("sweep.hint"), v_if="!sweep_chart.data.length", classes="text-medium-emphasis pa-8 text-center")
    with html.Div(style="flex: 1 1 60%; min-height: 0", v_show="sweep_chart.data.length", raw_attrs=["data-map"]):
        plotly.Figure(state_variable_name="sweep_chart", display_logo=False, responsive=True)
    with html.Div(classes="scroll", style="flex: 1 1 30%; min-height: 0", v_show="sweep_rows.length"):
        fact_table("sweep_facts")
        v.VDataTable(
            items=("sweep_rows",),
            headers=("sweep_headers",),
            density="compact",
            items_per_page=-1,
            hide_default_footer=True,
            raw_attrs=["data-points"],
        )
