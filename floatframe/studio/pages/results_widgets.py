"""The widgets of the page Results: runs, exports, stresses and channels; plots; the run in motion."""

from __future__ import annotations

from typing import Any

from trame.widgets import html, plotly, vuetify3 as v

from floatframe.studio.pages.widgets import button, chooser, either, entry, fact_table, heading, switch, view
from floatframe.studio.texts import word

PLOTS = 4  # at once


def draw_results(page: Any) -> None:
    """Make the widgets of a ResultsPage: what is chosen, plots, the run in motion."""
    with html.Div(classes=("results_view || !results_file ? 'results' : 'results alone'",)):
        with html.Div(classes="scroll"):
            chooser(
                word("results.run"),
                "results_file",
                "runs",
                update_modelValue=(page.studio.opening("results"), "[$event]"),
            )
            chooser(
                word("results.others"),
                "results_others",
                "runs",
                multiple=True,
                chips=True,
                update_modelValue=(page.studio.beginning(page.compare), "[$event]"),
            )
            for text, click in (
                (word("results.picture"), page.picture),
                (word("results.csv"), page.csv),
                (word("results.report"), page.report),
                (word("results.movie"), page.movie),
            ):
                button(
                    text,
                    page.studio.beginning(click),
                    disabled=("!!job || !results_file",),
                    raw_attrs=[f'data-do="export_{click.__name__}"'],
                )
            switch(word("results.spectrum"), "results_frequency", "data-results-frequency")
            with html.Div(v_if="results_bodies.length"):
                switch(word("results.stress"), "results_stress", "data-stress")
                chooser(word("results.body"), "results_body", "results_bodies", v_if="results_bodies.length > 1")
                button(
                    word("results.spots"),
                    page.studio.beginning(page.hot_spots),
                    disabled=("!!job",),
                    raw_attrs=['data-do="hot_spots"'],
                )
                v.VDataTable(
                    v_if="results_spots.length",
                    items=("results_spots",),
                    headers=("results_spot_headers",),
                    density="compact",
                    items_per_page=-1,
                    hide_default_footer=True,
                    hover=True,
                    raw_attrs=["data-spots", '@click:row="(event, row) => window.studio.goTo(+row.item.time)"'],
                )
            html.Div("{{ results_unstressed }}", v_if="results_unstressed", classes="text-caption text-medium-emphasis")
            heading(word("results.channels"))
            entry(word("results.search"), "results_search", prepend_inner_icon="mdi-magnify", clearable=True)
            with v.VList(density="compact", classes="py-0"):
                v.VListItem(
                    v_for="name in results_found",
                    key="name",
                    title=("name",),
                    click=(page.choose, "[name]"),
                    active=("results_shown.includes(name)",),
                    min_height=26,
                    raw_attrs=[':data-channel="name"'],
                )
            html.Div(
                f"{{{{ results_more }}}} {word('results.more', '').strip()}",
                v_if="results_more",
                classes="text-caption",
            )
            fact_table("results_facts")
        with html.Div(classes="scroll"):
            for k in range(PLOTS):
                with html.Div(
                    v_show=f"results_shown.length > {k}",
                    style="height: 260px",
                    classes=("results_frequency ? '' : 'over-time'",),
                    raw_attrs=[f'data-plot="{k}"'],
                ):
                    plotly.Figure(
                        state_variable_name=f"results_plot_{k}",
                        display_logo=False,
                        responsive=True,
                        relayout=(page.zoom, f"[{k}, $event]"),
                    )
            html.Div(
                either("results_frequency", word("results.hint.spectrum"), word("results.hint")),
                v_if="results_shown.length",
                classes="text-caption text-medium-emphasis",
            )
        with html.Div(v_show="results_view || !results_file"):
            view("results", "results_view")
