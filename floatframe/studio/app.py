"""The state that all pages share: project, jobs, views, and what is said to the user."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, ParamSpec, Protocol, TypeVar

from floatframe.errors import FloatframeError, shown_problems
from floatframe.studio.actions import Action
from floatframe.studio.facts import size_words
from floatframe.studio.jobs import Job, Jobs
from floatframe.studio.memory import give_back
from floatframe.studio.project import Project
from floatframe.studio.texts import in_pages, sentence, word
from floatframe.studio.views import Click, Views

P = ParamSpec("P")
T = TypeVar("T")

PAGES = ("project", "fe", "reduce", "machine", "analyse", "sweep", "results")

# where files of a kind are shown
_PAGE_OF = {
    "model": "fe",
    "body": "reduce",
    "machine": "machine",
    "network": "machine",
    "run": "results",
    "sweep": "sweep",
}


class Page(Protocol):
    """One page: `draw` makes its widgets, `enter` is called when it is shown, `picked` when its view is clicked."""

    name: str

    def draw(self) -> None: ...
    async def enter(self) -> None: ...
    async def open(self, name: str = "") -> None: ...
    async def picked(self, click: Click) -> None: ...


class Studio:
    """One project in one server. `state` is that of trame: what pages show, by name, the same in all tabs."""

    def __init__(self, project: Project, state: Any) -> None:
        self.project = project
        self.jobs = Jobs(project.folder)
        self.views = Views()
        self.state = state
        self.pages: dict[str, Page] = {}
        # few, so that what is large is not computed several times at once
        self._workers = ThreadPoolExecutor(2, "studio")
        self._command = ""  # that runs
        self._working: list[str] = []  # what is being done beside the server, by its titles
        self._later: set[asyncio.Future[None]] = set()
        self._showing: dict[str, asyncio.Future[None]] = {}  # what is being made ready, by its page
        state.update(
            {
                "page": "project",
                "dark": False,
                "working": "",
                "problems": [],
                "note": "",
                "note_kind": "info",
                "note_page": "",  # where it is shown
                "command": "",
                "commands_shown": True,
                "python": "",
                "job": None,
                "folder": project.folder.name or str(project.folder),
                "files": [],
                "marks": {},
                "moment": None,
                "trame__title": word("title"),
            }
        )

    # what is said

    def complain(self, error: BaseException | str) -> None:
        """Show what went wrong, one sentence for each mistake."""
        if isinstance(error, FloatframeError):
            self.state.problems = [self._inner(text) for text in shown_problems(error.problems)]
        elif isinstance(error, OSError):
            place = f"'{error.filename}' cannot be used: " if error.filename else ""
            self.state.problems = [self._inner(f"{place}{error.strerror or error}")]
        elif isinstance(error, MemoryError):
            self.state.problems = ["memory is not enough for this; use a smaller model"]
        elif isinstance(error, str):
            self.state.problems = [error]
        else:
            self.state.problems = [f"this should not happen, please report it: {type(error).__name__}: {error}"]

    def _inner(self, text: str) -> str:
        return in_pages(sentence(text)).replace(f"{self.project.folder}/", "")

    def note(self, text: str, kind: str = "info") -> None:
        """Show that something was done; kind: "warning" for what its user should think of."""
        self.state.update({"note": text, "note_kind": kind, "note_page": self.state.page})

    def written(self, job: Job, name: str) -> None:
        """Show that a command wrote a file, and what it warned of."""
        if warnings := _warnings(job):
            self.note(word("written.warned", name, warnings), "warning")
        else:
            self.note(word("written", name))

    def show(self, action: Action) -> Action:
        """Show the command line and the Python of what is done, and return it."""
        self.state.command, self.state.python = action.command, action.python
        return action

    # what is done

    async def work(self, title: str, function: Callable[P, T], *given: P.args, **more: P.kwargs) -> T | None:
        """Do something slow beside the server; what goes wrong is shown, and None returned.

        What went wrong before stays on show: the click that begins something takes it away, not what follows or polls.
        """
        self._working.append(title)
        self._show_working()
        self.state.flush()
        try:
            return await asyncio.get_running_loop().run_in_executor(
                self._workers, partial(_done, function, *given, **more)
            )
        except Exception as error:
            self.complain(error)
            return None
        finally:
            self._working.remove(title)
            self._show_working()

    def _show_working(self) -> None:
        self.state.working = next(filter(None, reversed(self._working)), "")

    def later(self, done: Coroutine[Any, Any, None]) -> asyncio.Future[None]:
        """Do something without waiting for it; what goes wrong is shown."""
        task = asyncio.ensure_future(self._shown(done))
        self._later.add(task)
        task.add_done_callback(self._later.discard)
        return task

    def replace(self, page: str, done: Coroutine[Any, Any, None]) -> None:
        """Make something ready on a page without waiting for it, in place of what is being made ready there.

        What is given up has no more effect: its slow part goes on beside the server, but nobody takes what comes of it.
        """
        if (before := self._showing.get(page)) is not None:
            before.cancel()
        self._showing[page] = self.later(done)

    def is_opening(self, page: str) -> bool:
        """Whether something is being made ready on a page, which then needs no proposals."""
        return page in self._showing and not self._showing[page].done()

    async def _shown(self, done: Coroutine[Any, Any, None]) -> None:
        with self.state:
            try:
                await done
            except Exception as error:
                self.complain(error)

    def beginning(self, do: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
        """Return what a click calls to begin a command, or something else that is slow.

        The server answers the calls of a tab one after another: a click that waited for its command would keep the
        click on Stop waiting too.
        """

        def begin(*given: P.args, **more: P.kwargs) -> None:
            self.later(do(*given, **more))

        return begin

    def opening(self, page: str) -> Callable[[str], None]:
        """Return what a click calls to show a file on a page; the last click wins."""
        return partial(self.open_on, page)

    async def run(self, action: Action, changed: Callable[[Job], None] | None = None, machine: bool = False) -> Job:
        """Run the command of an action to its end, with its progress shown; machine: ask for its answer as JSON.

        One command runs at a time: a second click, or one in another tab, is refused.
        """
        words = (*action.words, "--json") if machine else action.words
        if self.busy():
            return Job(words, "failed")
        self.show(action)
        self.state.problems, self.state.note = [], ""

        async def report(job: Job) -> None:
            with self.state:
                self._show_job(action, job)
                if changed is not None:
                    changed(job)

        self._show_job(action, Job(words))
        self.state.flush()
        try:
            job = await self.jobs.run(words, report)
        except OSError as error:
            self.complain(error)
            return Job(words, "failed")
        finally:
            with self.state:
                self.state.job, self._command = None, ""
        with self.state:
            if job.state == "failed":
                self.state.problems = [in_pages(one) for one in job.complaints[-20:]] or [
                    word("failed", action.command)
                ]
            elif job.complaints:
                self.note(_warnings(job), "warning")
            self.look()
        return job

    def busy(self) -> bool:
        """Say that a command runs already, if one does."""
        if self._command:
            self.complain(word("busy", self._command))
        return bool(self._command)

    def _show_job(self, action: Action, job: Job) -> None:
        self._command = action.command
        self.state.job = {
            "words": action.command,
            "state": job.state,
            "share": round(100 * job.share, 1),
            "text": word("stopping", job.text or action.command) if job.stopping else job.text,
            "stopping": job.stopping,
            "seconds": round(job.seconds, 1),
        }

    def stop(self) -> None:
        """Stop what is running, as by Ctrl-C."""
        for job in self.jobs.running:
            self.jobs.stop(job)

    # the folder

    def look(self) -> None:
        """Look at the files of the folder again."""
        self.state.files = [
            {
                "name": entry.name,
                "folder": entry.folder,
                "depth": entry.depth,
                "kind": entry.kind,
                "kind_word": word(f"kind.{entry.kind}"),
                "state": entry.state,
                "state_word": word(f"state.{entry.state}", entry.because) if entry.state else "",
                "size": entry.size,
                "size_word": size_words(entry.size),
                "changed": entry.changed,
            }
            for entry in self.project.entries()
        ]
        for name, kinds in (
            ("models", ("model",)),
            ("machines", ("machine",)),
            ("runs", ("run",)),
            ("bodies", ("body",)),
            ("sweeps", ("sweep",)),
            ("networks", ("network",)),
            ("studied", ("machine", "network")),
        ):
            self.state[name] = [file["name"] for file in self.state.files if file["kind"] in kinds]

    def path(self, name: str) -> Path:
        """Return the path of a file of the project."""
        return self.project.inside(name)

    async def go(self, page: str) -> None:
        """Show a page."""
        if page in self.pages:
            self.state.page = page
            await self.pages[page].enter()

    def open_file(self, name: str) -> None:
        """Show a file on the page that it belongs to."""
        self.state.problems = []
        try:
            kind = self.project.kind(name)
        except (FloatframeError, OSError) as error:
            self.complain(error)
            return
        if kind == "modes":
            self.state.page = "fe"
            self.replace("fe", self.pages["fe"].open_modes(name))  # type: ignore[attr-defined]
            return
        page = _PAGE_OF.get(kind)
        if page is None:
            self.note(word("no_page", word(f"kind.{kind}")))
            return
        self.open_on(page, name)

    def open_on(self, page: str, name: str) -> None:
        """Begin to show a file on a page."""
        self.replace(page, self.pages[page].open(name))
        self.state.page = page

    async def frames(self, place: str, first: int) -> dict[str, Any]:
        """Return the frames of a run that are there from one on, and whether more will come."""
        page = self.pages.get(place)
        found = getattr(page, "frames", None)
        return await found(first) if found is not None else {"frames": {"t": []}, "running": False}


def _warnings(job: Job) -> str:
    """Return what a command warned of last, "" for nothing."""
    return in_pages(" ".join(job.complaints[-3:]))


def _done(function: Callable[P, T], *given: P.args, **more: P.kwargs) -> T:
    """Do something and give the memory back that it took meanwhile."""
    try:
        return function(*given, **more)
    finally:
        give_back()
