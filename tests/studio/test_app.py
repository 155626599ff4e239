"""What all pages share: what went wrong stays on show, one command runs at a time, a window is on the main thread."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
import threading
import types
from pathlib import Path
from typing import Any

import pytest

import floatframe as ff
from floatframe.errors import ModelError
from floatframe.samples.beam import build
from floatframe.studio import start
from floatframe.studio.actions import Action
from floatframe.studio.app import Studio
from floatframe.studio.document import Document
from floatframe.studio.jobs import Job
from floatframe.studio.pages.analyse_page import AnalysePage
from floatframe.studio.pages.fe_page import FePage
from floatframe.studio.pages.machine_page import MachinePage
from floatframe.studio.pages.results_page import ResultsPage
from floatframe.studio.pages.widgets import either
from floatframe.studio.project import Project
from tests.studio.conftest import apart

RIGID = Path(__file__).parents[2] / "samples" / "slider_crank" / "rigid.toml"


class State(dict[str, Any]):
    """trame's state without a server: values by name, sent to nobody."""

    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__

    def change(self, *_: str) -> Any:
        """Call nobody back."""
        return lambda function: function

    def flush(self) -> None:
        """Send nothing."""

    def __enter__(self) -> State:
        return self

    def __exit__(self, *_: object) -> None:
        return None


@pytest.fixture
def studio(tmp_path: Path) -> Studio:
    (tmp_path / "rigid.toml").write_text(RIGID.read_text(encoding="utf-8"), encoding="utf-8")
    made = Studio(Project(tmp_path), State(machine_file=""))
    made.look()
    return made


def test_what_went_wrong_stays_on_show_while_views_poll(studio):
    page = AnalysePage(studio)
    studio.state.analyse_file, studio.state.analyse_output = "no.toml", "run.h5"

    async def fail_and_poll() -> None:
        await page.motion.simulate()
        await studio.work("", lambda: None)

    apart(fail_and_poll())
    assert "no.toml" in " ".join(studio.state.problems)
    assert studio.state.job is None
    assert not studio.state.analyse_running


def test_what_a_command_warned_of_is_shown_with_what_it_wrote(studio, monkeypatch):
    page, warned = ResultsPage(studio), ["the basis ends below the loads"]
    studio.state.results_file = "run.h5"

    async def run(words: tuple[str, ...], changed: object) -> Job:
        return Job(words, "done", complaints=warned)

    monkeypatch.setattr(studio.jobs, "run", run)
    apart(page.report())
    assert studio.state.note == "Written: run.html, with a warning: the basis ends below the loads"
    assert studio.state.note_kind == "warning"
    warned.clear()
    apart(page.report())
    assert (studio.state.note, studio.state.note_kind) == ("Written: run.html", "info")


def test_what_cures_missing_stresses_is_a_field_not_a_command(studio, tmp_path):
    """A body that keeps none: the page of its run says where they are asked for, and so do errors."""
    fe = build(n=2)
    body = ff.modal.reduce(fe, interface=[1, 3], n_modes=1)
    ff.io.write(tmp_path / "rod.h5", body)
    model = ff.hybrid.Model()
    rod = model.add(ff.hybrid.FlexibleBody("rod", tmp_path / "rod.h5"))
    model.add(ff.hybrid.fixed("wall", rod.node(1), model.ground.at((0, 0, 0))))
    model.compile().simulate(t_end=0.01, record=ff.hybrid.Record(every=5e-3), path=tmp_path / "run.h5")
    page = ResultsPage(studio)
    studio.state.results_stress = True
    apart(page.open("run.h5"))
    assert studio.state.problems == []
    assert studio.state.results_bodies == []
    said = "the page Reduce with 'all' in 'Stresses kept: all, or a set'"
    assert f"'rod'. T{said[1:]}" in studio.state.results_unstressed
    for fail in (
        lambda: body.stress_shapes,
        lambda: ff.hybrid.Results.open(tmp_path / "run.h5").stress("rod"),
        lambda: ff.viewer.scene_of(model.compile(), stress=True),
    ):
        with pytest.raises(ModelError) as error:
            fail()
        studio.complain(error.value)
        assert said in studio.state.problems[0]
        assert "--stress" not in studio.state.problems[0]


def test_a_second_command_is_refused_while_one_runs(studio):
    one, other = (Action(("info", "rigid.toml", *more), "") for more in ((), ("--json",)))

    async def twice() -> list[str]:
        jobs = await asyncio.gather(studio.run(one), studio.run(other))
        return [job.state for job in jobs]

    assert apart(twice()) == ["done", "failed"]
    assert studio.state.job is None
    assert apart(studio.run(other)).state == "done"


def test_a_mistake_in_showing_a_run_does_not_end_it(studio):
    def changed(_: object) -> None:
        raise KeyError("curve")

    job = apart(studio.run(Action(("info", "rigid.toml"), ""), changed))
    assert job.state == "done"
    assert studio.state.job is None
    assert "KeyError" in studio.state.note
    assert studio.state.note_kind == "warning"


def test_a_run_stopped_before_its_first_record_says_so_and_is_not_to_be_seen(studio, tmp_path, monkeypatch):
    page = AnalysePage(studio)
    studio.state.analyse_file, studio.state.analyse_output = "rigid.toml", "run.h5"

    async def run(words: tuple[str, ...], changed: object) -> Job:
        return Job(words, "stopped")

    monkeypatch.setattr(studio.jobs, "run", run)
    for older in (False, True):
        if older:
            (tmp_path / "run.h5").write_bytes(b"of another run")
        apart(page.motion.simulate())
        assert studio.state.analyse_status.startswith("The run was stopped before its first record")
        assert (studio.state.analyse_resumable, studio.state.analyse_seeable) == (False, older)


def test_a_command_that_is_stopped_shows_so_until_it_ends(studio):
    shown, page = [], AnalysePage(studio)
    studio.state.analyse_file, studio.state.analyse_output, studio.state.analyse_t_end = "rigid.toml", "run.h5", "1e6"
    show = studio._show_job

    def stopped_at_once(action: Action, job: Job) -> None:
        show(action, job)
        shown.append((studio.state.job["stopping"], studio.state.job["text"], studio.state.analyse_status))
        page.motion.stop()

    studio._show_job = stopped_at_once
    apart(page.motion.simulate())
    first, *later = [one for one in shown if one[0]]
    assert "stopping … · " in first[1]
    assert first[2] == "Pausing …"
    assert all(stopping for stopping, *_ in later)
    assert studio.state.analyse_status.startswith("The run was stopped")


def test_files_outside_the_project_reach_no_command(studio):
    page = AnalysePage(studio)
    studio.state.analyse_file, studio.state.analyse_output = "/etc/passwd", "run.h5"
    studio.state.response_inputs, studio.state.response_outputs = ["drive"], ["slider.acceleration.x"]
    for do in (page.motion.simulate, page.small.equilibrium, page.small.linear, page.response.respond):
        studio.state.problems = []
        apart(do())
        assert "not in the project folder" in studio.state.problems[0]
    assert studio.state.command == ""


def test_a_file_is_opened_beside_the_server_and_the_last_click_wins(studio, tmp_path, monkeypatch):
    """The click returns at once; what an earlier one was reading comes to nothing, on the page and in its view."""
    monkeypatch.setattr(studio, "pages", {"fe": FePage(studio)})
    fe, go_on = build(n=2), threading.Event()
    for name in ("large.h5", "small.h5"):
        ff.io.write(tmp_path / name, fe)
    read = ff.io.read_with_report

    def slow(path: Path, **how: Any) -> Any:
        assert path.name == "small.h5" or go_on.wait(60)
        return read(path, **how)

    monkeypatch.setattr("floatframe.studio.pages.fe_page.io.read_with_report", slow)

    async def click() -> None:
        studio.open_file("large.h5")
        assert studio.state.page == "fe"
        assert studio.is_opening("fe")
        while studio.state.working != "large.h5":
            await asyncio.sleep(0)
        studio.open_file("small.h5")
        await studio._showing["fe"]
        assert studio.state.working == ""
        go_on.set()
        await asyncio.get_running_loop().run_in_executor(None, studio._workers.shutdown)  # all is read now
        await asyncio.sleep(0)

    apart(click())
    assert studio.state.fe_file == "small.h5"
    assert studio.state.fe_view == "view/fe?number=1"
    assert not studio.is_opening("fe")
    assert studio.state.problems == []


def test_a_form_that_cannot_be_made_says_why(studio, monkeypatch):
    """What is gone leaves an empty form; what should not happen is not hidden."""
    page = MachinePage(studio)
    apart(page.open("rigid.toml"))
    apart(page.choose("body", 7))
    assert (studio.state.machine_chosen, studio.state.problems) == (None, [])
    monkeypatch.setattr(Document, "fields", lambda *_: 1 / 0)
    apart(page.choose("body", 0))
    assert studio.state.machine_fields == []
    assert "please report it: ZeroDivisionError" in studio.state.problems[0]


def test_one_of_two_texts_is_shown_whatever_is_in_them():
    assert either("file", "what's computed", 'a "b"') == r"""{{ file ? "what's computed" : "a \"b\"" }}"""


def test_a_machine_is_begun_in_a_new_file(studio, tmp_path):
    page = MachinePage(studio)
    apart(page.begin())
    assert "needs a name" in studio.state.problems[0]
    studio.state.machine_begun = "arm"
    apart(page.begin())
    assert (studio.state.machine_file, studio.state.problems, studio.state.machine_mistakes) == ("arm.toml", [], [])
    assert "arm.toml" in studio.state.studied
    assert studio.state.machine_chosen["name"] == "body_1"
    assert ff.hybrid.read_model(tmp_path / "arm.toml").model.name == "arm"
    # a file that is there is kept, and so are changes that are not saved
    studio.state.machine_begun = "rigid.toml"
    apart(page.begin())
    assert "in the folder already" in studio.state.problems[0]
    assert (tmp_path / "rigid.toml").read_bytes() == RIGID.read_bytes()
    apart(page.set("mass", "2"))
    studio.state.machine_begun = "other"
    apart(page.begin())
    assert "not saved" in studio.state.problems[0]
    assert not (tmp_path / "other.toml").exists()


def test_changes_that_are_not_saved_are_not_replaced(studio, tmp_path):
    (tmp_path / "other.toml").write_text(RIGID.read_text(encoding="utf-8"), encoding="utf-8")
    page = MachinePage(studio)

    async def click() -> None:
        await page.open("rigid.toml")
        await page.set_parameter("torque", "7")
        await page.open("other.toml")

    apart(click())
    assert "not saved" in studio.state.problems[0]
    assert studio.state.machine_file == "rigid.toml"
    assert page.document is not None
    assert page.document.parameters()["torque"] == 7

    async def give_up() -> None:
        await page.undo()
        await page.open("other.toml")

    apart(give_up())
    assert studio.state.machine_file == "other.toml"
    assert not studio.state.machine_changed


def test_a_server_with_changes_that_are_not_saved_waits_for_a_new_tab(monkeypatch, studio):
    monkeypatch.setattr(start, "LOOK", 0.01)
    monkeypatch.setattr(start, "WAIT_FOR_TAB", 0.0)
    tabs, stopped = types.SimpleNamespace(open=0, ever=True, since=0.0), asyncio.Event()

    class Server:
        async def stop(self) -> None:
            stopped.set()

    async def look(keep: bool) -> None:
        await asyncio.wait_for(start._end_when_left(Server(), studio, tabs, keep), 0.2)

    studio.state.machine_changed = True
    with pytest.raises(TimeoutError):
        apart(look(keep=True))
    apart(look(keep=False))
    assert stopped.is_set()


def test_a_run_that_was_stopped_is_known_by_its_file(studio, tmp_path):
    file = ff.hybrid.read_model(tmp_path / "rigid.toml")
    page, system = AnalysePage(studio), file.model.compile()
    system.simulate(record=file.record, path=tmp_path / "whole.h5", **{**file.simulate, "t_end": 0.01})
    with pytest.raises(KeyboardInterrupt), ff.io.ResultWriter.resume(tmp_path / "whole.h5"):
        raise KeyboardInterrupt
    for name, offered in (("whole.h5", True), ("none.h5", False), ("rigid.toml", False), ("../x", False)):
        studio.state.analyse_output = name
        page.motion.offer()
        assert studio.state.analyse_resumable == offered


class Window:
    """A stand-in for pywebview and its window: it is closed as a user or as Ctrl-C closes it."""

    def __init__(self, interrupted: bool) -> None:
        self.interrupted = interrupted
        self.errors = types.SimpleNamespace(WebViewException=RuntimeError)
        self.events = types.SimpleNamespace(closing=Handlers())
        self.closed = threading.Event()
        self.confirm_close = False
        self.seen: list[object] = []

    def create_window(self, title: str, address: str, **_: object) -> Window:
        self.seen.append(address)
        return self

    def start(self) -> None:
        self.seen.append(threading.current_thread())
        if self.interrupted:
            os.kill(os.getpid(), signal.SIGINT)
            assert self.closed.wait(10)
        else:
            self.destroy()

    def destroy(self) -> None:
        self.events.closing.call()
        self.seen.append(self.confirm_close)
        self.closed.set()


class Handlers(list[Any]):
    def __iadd__(self, one: Any) -> Handlers:  # type: ignore[misc, override]
        self.append(one)
        return self

    def call(self) -> None:
        for one in self:
            one()


@pytest.mark.parametrize(("busy", "interrupted"), [(False, False), (True, False), (True, True)])
@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_window_is_on_the_main_thread_and_asks_before_work_is_lost(monkeypatch, busy, interrupted):
    listening, fake = threading.Event(), Window(interrupted)
    monkeypatch.setitem(sys.modules, "webview", fake)
    before = signal.signal(signal.SIGINT, lambda *_: None)  # as toolkits have one of their own

    async def serving() -> None:
        fake.seen.append(threading.current_thread() is threading.main_thread())
        listening.set()
        while not fake.closed.is_set():
            await asyncio.sleep(0.01)

    try:
        start.serve_with_window(serving(), listening, lambda: start._open_window("http://here", lambda: busy))
    finally:
        signal.signal(signal.SIGINT, before)
    assert fake.seen == [False, "http://here", threading.main_thread(), busy and not interrupted]


def test_a_window_that_cannot_open_ends_the_server():
    listening, ended = threading.Event(), threading.Event()

    async def serving() -> None:
        listening.set()
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    def show() -> None:
        raise ModelError("no display")

    with pytest.raises(ModelError, match="no display"):
        start.serve_with_window(serving(), listening, show)
    assert ended.is_set()


def test_tabs_and_servers_that_end_leave_no_traceback(caplog):
    async def leave(error: BaseException) -> None:
        asyncio.get_running_loop().set_exception_handler(start.leave_out_cut_off)

        async def send() -> None:
            raise error

        await asyncio.wait([asyncio.gather(send())])  # nobody asks how it ended
        gc.collect()

    for error in (ConnectionResetError("Cannot write to closing transport"), asyncio.CancelledError()):
        apart(leave(error))
    assert caplog.text == ""
    apart(leave(ValueError("a mistake of ours")))
    assert "a mistake of ours" in caplog.text
