"""Project: the files of the folder, what they are and whether they are up to date; decks and samples to begin with."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import TYPE_CHECKING, Any

from trame.widgets import html, vuetify3 as v

from floatframe.samples import samples
from floatframe.studio import commands
from floatframe.studio.pages.widgets import button, chooser, entry, switch
from floatframe.studio.texts import word
from floatframe.studio.thumbnails import KINDS, LARGEST, drawn_beside

if TYPE_CHECKING:
    from floatframe.studio.app import Studio
    from floatframe.studio.views import Click

_HEADERS = [  # of a tree, which has its own order
    {"title": word("file"), "key": "name", "sortable": False},
    {"title": word("project.kind"), "key": "kind_word", "sortable": False},
    {"title": word("project.state"), "key": "state_word", "sortable": False},
    {"title": word("project.size"), "key": "size", "align": "end", "sortable": False},
]
_FOCUSED = ('href="#"', "@click.prevent")  # what the keyboard reaches, and opens by Enter
_ASIDE = ("other", "properties")  # kinds of files that Studio has nothing to do with


class ProjectPage:
    """The page Project."""

    name = "project"

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        known = [{"title": f"{one.name}: {one.about}", "value": one.name} for one in samples()]
        studio.state.update(
            {"sample": "slider-crank", "samples": known, "sample_folder": "", "search": "", "headers": _HEADERS}
        )
        studio.state.update({"pictures_shown": False, "thumbnails": {}, "all_files": False, "closed": [], "rows": []})
        studio.state.change("files", "all_files", "closed")(self.show_tree)
        studio.state.change("pictures_shown")(self.draw_pictures)
        self._drawn: dict[str, tuple[float, int]] = {}  # when the files with pictures were changed, and their size
        self._drawing = False

    async def enter(self) -> None:
        """Look at the folder again."""
        self.studio.look()
        self.studio.later(self.draw_pictures())

    def show_tree(self, **_: object) -> None:
        """Make the rows of the table: folders that can be closed, files as deep as what they are made of says."""
        state = self.studio.state
        shown = [file for file in state.files if state.all_files or file["kind"] not in _ASIDE]
        closed = {str(one) for one in state.closed} if isinstance(state.closed, list) else set()
        rows: list[dict[str, object]] = []
        for root, files in groupby(shown, key=_root()):
            inside = list(files)
            if root:
                rows.append({"name": root, "kind": "folder", "closed": root in closed, "kind_word": len(inside)})
            if root not in closed:
                rows += [
                    {**file, "level": file["depth"] + bool(root), "label": str(file["name"]).removeprefix(f"{root}/")}
                    for file in inside
                ]
        state.rows = rows

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
            self.studio.written(job, folder)

    def draw(self) -> None:
        """Make the widgets."""
        with html.Div(classes="d-flex align-center flex-wrap pt-2 mb-2", style="gap: 8px"):
            entry(
                word("project.search"), "search", style="max-width: 220px", prepend_inner_icon="mdi-magnify", classes=""
            )
            button(word("refresh"), self.enter, classes="")
            switch(word("project.pictures"), "pictures_shown", "data-pictures")
            switch(word("project.all"), "all_files", "data-all-files")
            v.VSpacer()
            chooser(word("project.template"), "sample", "samples", style="max-width: 260px", classes="")
            entry(word("project.into"), "sample_folder", style="max-width: 160px", placeholder=("sample",), classes="")
            button(
                word("project.copy"),
                self.studio.beginning(self.copy_sample),
                classes="",
                color="primary",
                raw_attrs=['data-do="copy_sample"'],
            )
        html.Div(word("project.empty"), v_if="!files.length", classes="pa-8 text-center text-medium-emphasis")
        with v.VDataTable(
            v_if="files.length",
            items=("rows", []),
            item_value="name",
            headers=("headers",),
            search=("search",),
            items_per_page=200,
            density="compact",
            hover=True,
            raw_attrs=["data-files"],
        ):
            with html.Template(raw_attrs=['v-slot:item.name="{ item }"']):
                with html.A(
                    v_if="item.kind === 'folder'",
                    click=("closed = item.closed ? closed.filter((one) => one !== item.name) : [...closed, item.name]"),
                    classes="branch",
                    raw_attrs=[':data-folder="item.name"', *_FOCUSED],
                ):
                    v.VIcon("{{ item.closed ? 'mdi-chevron-right' : 'mdi-chevron-down' }}", size="small")
                    html.Span("{{ item.name }}")
                with html.Span(v_else=True, style=("{ paddingLeft: 20 * item.level + 'px' }",)):
                    html.Img(
                        v_if="pictures_shown && thumbnails[item.name]",
                        src=("thumbnails[item.name]",),
                        alt="",
                        classes="thumbnail",
                        raw_attrs=[':data-thumbnail="item.name"'],
                    )
                    html.A(
                        "{{ item.label }}",
                        click=(self.studio.open_file, "[item.name]"),
                        classes="text-primary",
                        raw_attrs=[':data-open="item.name"', *_FOCUSED],
                    )
            with html.Template(raw_attrs=['v-slot:item.state_word="{ item }"']):
                v.VChip(
                    "{{ item.state_word }}",
                    v_if="item.state",
                    size="x-small",
                    color=("item.state === 'current' ? 'success' : 'warning'",),
                    raw_attrs=[':data-state="item.state"'],
                )
            with html.Template(raw_attrs=['v-slot:item.size="{ item }"']):
                html.Span("{{ item.size_word }}")
        html.Div(word("project.drop"), classes="text-caption text-medium-emphasis mt-2")


def _root() -> Callable[[dict[str, Any]], str]:
    """Return a function of files in the order of the tree: the folder of what each was made of in the end."""
    known = ""

    def root(file: dict[str, Any]) -> str:
        nonlocal known
        known = known if file["depth"] else str(file["folder"])
        return known

    return root
