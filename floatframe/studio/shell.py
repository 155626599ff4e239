"""What is around the pages: title, choice of pages, problems, progress, the commands of what was clicked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from trame.app import get_server
from trame.ui.vuetify3 import VAppLayout
from trame.widgets import html, vuetify3 as v

from floatframe.studio.app import PAGES, Studio
from floatframe.studio.pages import PAGE_KINDS
from floatframe.studio.project import Project
from floatframe.studio.texts import named, word
from floatframe.studio.views import Click

_WEB = Path(__file__).parent / "web"
_ICONS = {
    "project": "mdi-folder-outline",
    "fe": "mdi-grid",
    "reduce": "mdi-sine-wave",
    "machine": "mdi-cogs",
    "analyse": "mdi-play-circle-outline",
    "sweep": "mdi-view-grid-plus-outline",
    "results": "mdi-chart-line",
}


def make_server(project: Project, file: str = "") -> tuple[Any, Studio]:
    """Return trame's server with all pages drawn, and the state behind them."""
    server = get_server(client_type="vue3")
    server.enable_module(
        {"serve": {"__studio": str(_WEB)}, "scripts": ["__studio/studio.js"], "styles": ["__studio/studio.css"]}
    )
    studio = Studio(project, server.state)
    studio.look()
    for kind in PAGE_KINDS:
        page = kind(studio)
        studio.pages[page.name] = page
    _draw(server, studio)
    _listen(server, studio)
    if file:
        server.controller.on_server_ready.add(lambda **_: studio.open_file(file))
    return server, studio


def _listen(server: Any, studio: Studio) -> None:
    """Take what views, keys and dropped files say; words of a page are checked, for anybody may send them."""

    async def view_picked(
        place: object = "", part: object = -1, point: object = -1, corners: object = (), *_: object
    ) -> None:
        page = studio.pages.get(str(place).partition("-")[0])
        if page is not None and isinstance(part, int) and isinstance(point, int) and isinstance(corners, list | tuple):
            face = tuple(one for one in corners[:3] if isinstance(one, int))
            await page.picked(Click(page.name, part, point, face))

    def uploaded(name: object = "", fine: object = False, why: object = "", *_: object) -> None:
        studio.look()
        if fine:
            studio.note(word("written", name))
        else:
            studio.complain(str(why))

    async def save_key(*_: object) -> None:
        await studio.pages["machine"].save()  # type: ignore[attr-defined]

    server.controller.trigger("view_picked")(view_picked)
    server.controller.trigger("uploaded")(uploaded)
    server.controller.trigger("save_key")(save_key)

    @server.state.change("page")
    def page_chosen(page: object = "", **_: object) -> None:
        if page in studio.pages and not studio.is_opening(str(page)):
            studio.replace(str(page), studio.pages[str(page)].enter())


def _draw(server: Any, studio: Studio) -> None:
    with VAppLayout(server, theme=("dark ? 'dark' : 'light'",), full_height=True), v.VLayout(full_height=True):
        _bar(studio)
        _rail()
        with v.VMain(style="height: 100vh"), html.Div(classes="pages"):
            _messages(studio)
            for name in PAGES:
                with html.Div(v_show=f"page === '{name}'", classes="page", raw_attrs=[f'data-page="{name}"']):
                    studio.pages[name].draw()
        _commands()


def _bar(studio: Studio) -> None:
    with v.VAppBar(density="compact", height=48, flat=True, border=True):
        v.VAppBarTitle("{{ trame__title }} · {{ folder }}", classes="text-body-1")
        with html.Div(
            v_if="job", classes="d-flex align-center", style="gap: 8px; max-width: 45vw", raw_attrs=["data-job"]
        ):
            v.VProgressCircular(
                model_value=("job.share",), indeterminate=("job.share === 0",), size=22, width=3, color="primary"
            )
            html.Span(
                "{{ job.text || job.words }} · {{ job.seconds.toFixed(0) }} s", classes="text-caption text-truncate"
            )
            v.VBtn(
                word("stop"),
                size="small",
                variant="tonal",
                disabled=("job.stopping",),
                click=studio.stop,
                raw_attrs=["data-stop"],
            )
        v.VProgressCircular(v_if="working", indeterminate=True, size=22, width=3, classes="mx-2")
        html.Span("{{ working }}", v_if="working", classes="text-caption mr-2", raw_attrs=["data-working"])
        v.VBtn(
            icon="mdi-console",
            click="commands_shown = !commands_shown",
            variant="text",
            raw_attrs=named(word("commands")),
        )
        v.VBtn(
            icon="mdi-theme-light-dark",
            click="dark = !dark",
            variant="text",
            raw_attrs=named(word("theme")),
        )


def _rail() -> None:
    with (
        v.VNavigationDrawer(permanent=True, width=150),
        v.VList(nav=True, density="compact", selected=("[page]",), mandatory=True, color="primary"),
    ):
        for number, name in enumerate(PAGES, start=1):
            with v.VListItem(
                value=name,
                click=f"page = '{name}'",
                title_=f"Alt+{number}",
                prepend_icon=_ICONS[name],
                raw_attrs=[f'data-go="{name}"'],
            ):
                v.VListItemTitle(word(f"page.{name}"), classes="text-caption")


def _messages(studio: Studio) -> None:
    with v.VAlert(
        v_if="problems.length",
        type="error",
        variant="tonal",
        closable=True,
        density="compact",
        classes="mb-2",
        click_close="problems = []",
        raw_attrs=["data-problems"],
    ):
        html.Div("{{ problem }}", v_for="problem in problems", key="problem", style="white-space: pre-wrap")
    v.VAlert(
        "{{ note }}",
        v_if="note && note_page === page && !problems.length",
        type=("note_kind",),
        variant="tonal",
        closable=True,
        density="compact",
        classes="mb-2",
        click_close="note = ''",
        raw_attrs=["data-note"],
    )


def _commands() -> None:
    with v.VFooter(
        app=True, v_if="commands_shown", border=True, classes="d-block pa-2", style="max-height: 116px; overflow: auto"
    ):
        html.Div(word("commands.none"), v_if="!command", classes="text-caption")
        with html.Div(v_else=True, style="display: grid; grid-template-columns: 1fr 1fr; gap: 12px"):
            for state, title in (("command", word("commands.line")), ("python", word("commands.python"))):
                with html.Div():
                    with html.Div(classes="d-flex align-center"):
                        html.Span(title, classes="text-caption text-medium-emphasis")
                        v.VBtn(
                            icon="mdi-content-copy",
                            size="x-small",
                            variant="text",
                            click=f"window.studio.copy({state})",
                            raw_attrs=named(word("copy")),
                        )
                    html.Div("{{ " + state + " }}", classes="command", raw_attrs=[f"data-{state}"])
