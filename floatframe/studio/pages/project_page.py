"""Project: the files of the folder, what they are and whether they are up to date; decks and samples to begin with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trame.widgets import html, vuetify3 as v

from floatframe.samples import samples
from floatframe.studio import commands
from floatframe.studio.pages.widgets import button, chooser, entry, switch
from floatframe.studio.texts import word
from floatframe.studio.thumbnails import KINDS, LARGEST, drawn_beside

if TYPE_CHECKING:
    from floatframe.studio.app import Studio
    from floatframe.studio.views import Click

_HEADERS = [
    {"title": word("file"), "key": "name"},
    {"title": word("project.kind"), "key": "kind_word"},
    {"title": word("project.state"), "key": "state_word"},
    {"title": word("project.size"), "key": "size", "align": "end"},
]


class ProjectPage:
    """The page Project."""

    name = "project"

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        known = [{"title": f"{one.name}: {one.about}", "value": one.name} for one in samples()]
        studio.state.update(
            {"sample": "slider-crank", "samples": known, "sample_folder": "", "search": "", "headers": _HEADERS}
        )
        studio.state.update({"pictures_shown": False, "thumbnails": {}})
        studio.state.change("pictures_shown")(self.draw_pictures)
        self._drawn: dict[str, tuple[float, int]] = {}  # when the files with pictures were changed, and their size
        self._drawing = False

    async def enter(self) -> None:
        """Look at the folder again."""
        self.studio.look()
        self.studio.later(self.draw_pictures())

    async def draw_pictures(self, **_: object) -> None:
        """Draw small pictures of the files that have none yet, in a process of its own."""
        state = self.studio.state
        files = {str(file["name"]): file for file in state.files}
        stamps = {name: (file["changed"], file["size"]) for name, file in files.items()}
        names = [
            name
            for name, file in files.items()
            if file["kind"] in KINDS and file["size"] <= LARGEST and self._drawn.get(name) != stamps[name]
        ]
        if not state.pictures_shown or self._drawing or not names:
            return
        self._drawing = True
        try:
            async for name, address in drawn_beside(self.studio.project.folder, names):
                self._drawn[name] = stamps[name]
                with state:
                    state.thumbnails = {**state.thumbnails, name: address}
        finally:
            self._drawing = False

    async def picked(self, click: Click) -> None:
        """Nothing is drawn here."""

    async def open(self, name: str) -> None:
        """Show a file on the page that it belongs to."""
        await self.studio.open_file(name)

    async def copy_sample(self) -> None:
        """Copy the chosen sample into a folder of the project."""
        state = self.studio.state
        name = str(state.sample)
        folder = str(state.sample_folder).strip() or name
        try:
            self.studio.path(folder)
        except Exception as error:
            self.studio.complain(error)
            return
        job = await self.studio.run(commands.copy_sample(name, folder))
        if job.state == "done":
            self.studio.note(word("written", folder))

    def draw(self) -> None:
        """Make the widgets."""
        with html.Div(classes="d-flex align-end flex-wrap mb-2", style="gap: 8px"):
            entry(
                word("project.search"), "search", style="max-width: 260px", prepend_inner_icon="mdi-magnify", classes=""
            )
            button(word("refresh"), self.enter, classes="")
            switch(word("project.pictures"), "pictures_shown", "data-pictures")
            v.VSpacer()
            chooser(word("project.template"), "sample", "samples", style="max-width: 340px", classes="")
            entry(word("project.into"), "sample_folder", style="max-width: 200px", placeholder=("sample",), classes="")
            button(
                word("project.copy"), self.copy_sample, classes="", color="primary", raw_attrs=['data-do="copy_sample"']
            )
        html.Div(word("project.empty"), v_if="!files.length", classes="pa-8 text-center text-medium-emphasis")
        with v.VDataTable(
            v_if="files.length",
            items=("files", []),
            headers=("headers",),
            search=("search",),
            items_per_page=50,
            density="compact",
            hover=True,
            raw_attrs=["data-files"],
        ):
            with html.Template(raw_attrs=['v-slot:item.name="{ item }"']):
                html.Img(
                    v_if="pictures_shown && thumbnails[item.name]",
                    src=("thumbnails[item.name]",),
                    alt="",
                    classes="thumbnail",
                    raw_attrs=[':data-thumbnail="item.name"'],
                )
                html.A(
                    "{{ item.name }}",
                    click=(self.open, "[item.name]"),
                    style="cursor: pointer; text-decoration: none",
                    classes="text-primary",
                    raw_attrs=[':data-open="item.name"'],
                )
            with html.Template(raw_attrs=['v-slot:item.state_word="{ item }"']):
                v.VChip(
                    "{{ item.state_word }}",
                    v_if="item.state",
                    size="x-small",
                    color=("item.state === 'older' ? 'warning' : 'success'",),
                    raw_attrs=[':data-state="item.state"'],
                )
            with html.Template(raw_attrs=['v-slot:item.size="{ item }"']):
                html.Span("{{ item.size_word }}")
        html.Div(word("project.drop"), classes="text-caption text-medium-emphasis mt-2")
