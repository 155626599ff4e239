"""Pieces that several pages use."""

from __future__ import annotations

import json
from typing import Any

from trame.widgets import html, vuetify3 as v

from floatframe.studio.texts import word


def either(condition: str, text: str, other: str) -> str:
    """Return what shows one text where an expression of the state holds, and another where it does not."""
    return f"{{{{ {condition} ? {json.dumps(text)} : {json.dumps(other)} }}}}"


def view(place: str, address: str, hint: str = "", **more: Any) -> None:
    """Show a scene: address is the name of the state that has it, empty for none, of which the hint says why."""
    html.Iframe(
        v_if=address,
        src=(address,),
        key=(address,),
        title=word("view"),
        raw_attrs=[f'data-view="{place}"'],
        **more,
    )
    html.Div(hint or word("choose"), v_if=f"!{address}", classes="text-medium-emphasis pa-8 text-center")


def chooser(label: str, model: str, items: str, **more: Any) -> None:
    """Choose one of a list in the state."""
    v.VSelect(
        label=label,
        v_model=(model, ""),
        items=(items, []),
        density="compact",
        variant="outlined",
        hide_details=True,
        raw_attrs=[f'data-field="{model}"'],
        **{"classes": "mb-2", **more},
    )


def combination(label: str, model: str, items: str, **more: Any) -> None:
    """Choose one of a list in the state, or type another."""
    v.VCombobox(
        label=label,
        v_model=(model,),
        items=(items,),
        density="compact",
        variant="outlined",
        hide_details=True,
        raw_attrs=[f'data-field="{model}"'],
        **more,
    )


def switch(label: str, model: str, mark: str) -> None:
    """Turn something on or off; mark: the attribute by which it is found."""
    v.VSwitch(
        label=label,
        v_model=(model,),
        density="compact",
        hide_details=True,
        color="primary",
        raw_attrs=[mark],
    )


def several(label: str, model: str, items: str, free: bool = False, **more: Any) -> None:
    """Choose some of a long list in the state by search; free: others may be typed."""
    kind, own = (v.VCombobox, {}) if free else (v.VAutocomplete, {"auto_select_first": True})
    kind(
        label=label,
        v_model=(model, []),
        items=(items, []),
        multiple=True,
        chips=True,
        closable_chips=True,
        density="compact",
        variant="outlined",
        hide_details=True,
        raw_attrs=[f'data-field="{model}"'],
        **{"classes": "mb-2", **own, **more},
    )


def entry(label: str, model: str, default: Any = "", **more: Any) -> None:
    """Enter a word or number."""
    v.VTextField(
        label=label,
        v_model=(model, default),
        density="compact",
        variant="outlined",
        hide_details=True,
        raw_attrs=[f'data-field="{model}"'],
        **{"classes": "mb-2", **more},
    )


def button(text: str, click: Any, **more: Any) -> None:
    """Do something."""
    v.VBtn(text, click=click, **{"size": "small", "variant": "tonal", "classes": "mr-2 mb-1", **more})


def fact_table(rows: str) -> None:
    """Show rows of a name and a text in the state."""
    with html.Table(classes="facts"), html.Tr(v_for=f"(row, k) in {rows}", key="k"):
        html.Td("{{ row.name }}")
        html.Td("{{ row.text }}")


def record_tables(tables: str) -> None:
    """Show tables of a title, headers and rows in the state."""
    with html.Div(v_for=f"(table, n) in {tables}", key="n", style="overflow-x: auto", raw_attrs=["data-records"]):
        html.Div("{{ table.title }}", classes="text-caption text-medium-emphasis mt-2")
        with html.Table(classes="records"):
            with html.Tr():
                html.Th("{{ name }}", v_for="name in table.headers", key="name")
            with html.Tr(v_for="(row, k) in table.rows", key="k"):
                html.Td("{{ text }}", v_for="(text, m) in row", key="m")


def mode_table(place: str, rows: str, headers: str, height: int = 260) -> None:
    """Show modes as a table; a click shows one in the view of a place."""
    v.VDataTable(
        v_if=f"{rows}.length",
        items=(rows,),
        headers=(headers,),
        density="compact",
        items_per_page=-1,
        hide_default_footer=True,
        hover=True,
        height=(f"Math.min({height}, 60 + 36 * {rows}.length)",),
        fixed_header=True,
        raw_attrs=[
            f'data-modes="{place}"',
            f"@click:row=\"(event, row) => window.studio.mode('{place}', row.item.mode - 1)\"",
        ],
    )


def heading(text: str, **more: Any) -> None:
    """Open a part of a page."""
    html.Div(text, **{"classes": "text-subtitle-2 mt-3 mb-1", **more})
