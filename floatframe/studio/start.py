"""Starting Studio: its packages, its server, the browser or a window; it ends with the last tab or by Ctrl-C."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from floatframe.errors import MissingDependency
from floatframe.studio.memory import keep_large_apart
from floatframe.studio.project import Project
from floatframe.studio.security import HOST, Guard
from floatframe.viewer import screen_problem

WAIT_FOR_TAB = 5  # s after the last tab was closed; a reload takes less
WAIT_FOR_FIRST = 300  # s for the first tab
LARGEST_MESSAGE = 16_000_000  # bytes that a page sends; a model file as text is the largest
LOOK = 2.0  # s between two looks whether there is one

_INSTALL = "Floatframe Studio needs packages that are not installed: pip install 'floatframe[studio]'"
_WINDOW = "a window needs a package that is not installed: pip install 'floatframe[studio,window]'"
_TOOLKIT = "a window needs Qt or GTK, which is not installed: pip install 'pywebview[pyside6]'"
_SCREEN = "no screen is available for a window; without --window Studio opens in the browser"


def require_studio(window: bool = False) -> None:
    """Refuse to start without the packages that Studio needs, in one sentence."""
    try:
        import aiohttp  # noqa: F401
        import trame.app  # noqa: F401
        import trame_plotly  # noqa: F401
        import trame_vuetify  # noqa: F401
    except ImportError as error:
        raise MissingDependency(f"{_INSTALL} ({error})") from error
    if window:
        os.environ.setdefault("PYWEBVIEW_LOG", "CRITICAL")  # else it lists the toolkits that are not there
        try:
            import webview  # noqa: F401
        except ImportError as error:
            raise MissingDependency(f"{_WINDOW} ({error})") from error
        if problem := screen_problem():
            raise MissingDependency(f"{_SCREEN} ({problem})")


def start_studio(
    folder: Path,
    file: str = "",
    port: int = 0,
    show: bool = True,
    window: bool = False,
    say: Callable[[str], None] = print,
) -> None:
    """Serve a folder until the last tab is closed or Ctrl-C; file: the name of one to open.

    port 0 takes a free one; show: open the browser; window: a window of the desktop instead.
    """
    require_studio(window)
    keep_large_apart()
    project = Project(folder)
    guard = Guard()
    _quiet_trame(guard.token)
    from floatframe.studio.server import Tabs, add_routes
    from floatframe.studio.shell import make_server

    server, studio = make_server(project, file)
    tabs, listening = Tabs(), threading.Event()

    def bound(wslink: Any) -> None:
        add_routes(wslink.app, guard, studio, tabs)

    def ready(**_: Any) -> None:
        guard.port = server.port
        say(guard.address)
        listening.set()
        if show and not window:
            threading.Thread(target=webbrowser.open, args=(guard.address,), daemon=True).start()

    server.controller.on_server_bind.add(bound)
    server.controller.on_server_ready.add(ready)
    serving = _serve(server, studio, tabs, port, keep=not window)
    if window:
        serve_with_window(serving, listening, lambda: _open_window(guard.address, lambda: _busy(studio)))
    else:
        asyncio.run(serving)


def serve_with_window(serving: Coroutine[Any, Any, None], listening: threading.Event, show: Callable[[], None]) -> None:
    """Serve in a thread of its own, for windows need the main one; show: open the window, until it is closed."""
    began: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[None]]] = []

    async def serve() -> None:
        task = asyncio.ensure_future(serving)
        began.append((asyncio.get_running_loop(), task))
        with suppress(asyncio.CancelledError):
            await task

    with ThreadPoolExecutor(1, "server") as pool:
        served = pool.submit(asyncio.run, serve())
        try:
            while not listening.wait(0.1) and not served.done():
                pass
            if listening.is_set():
                show()
            served.result()  # which ends with the last tab, the window being one
        except KeyboardInterrupt:
            pass  # ends a server without a window in the same way
        finally:
            for loop, task in began if not served.done() else ():
                loop.call_soon_threadsafe(task.cancel)


async def _serve(server: Any, studio: Any, tabs: Any, port: int, keep: bool) -> None:
    """Listen until the server ends; what still runs is stopped then, its files can be resumed."""
    asyncio.get_running_loop().set_exception_handler(leave_out_cut_off)
    leaving = asyncio.ensure_future(_end_when_left(server, studio, tabs, keep))
    try:
        with suppress(asyncio.CancelledError):
            await server.start(
                port=port,
                host=HOST,
                exec_mode="coroutine",
                open_browser=False,
                show_connection_info=False,
                disable_logging=True,
                timeout=0,
                thread=threading.current_thread() is not threading.main_thread(),
            )
    finally:
        leaving.cancel()
        await studio.jobs.end()


def leave_out_cut_off(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Print what nobody took of a task, but not that a tab or the server ended before it did."""
    if not isinstance(context.get("exception"), ConnectionResetError | asyncio.CancelledError):
        loop.default_exception_handler(context)


async def _end_when_left(server: Any, studio: Any, tabs: Any, keep: bool) -> None:
    """End the server some time after its last tab was closed, not while something is computed.

    keep: nor while a machine has changes that are not saved, for a new tab shows them again.
    """
    while True:
        await asyncio.sleep(LOOK)
        patience = WAIT_FOR_TAB if tabs.ever else WAIT_FOR_FIRST
        needed = tabs.open or (_busy(studio) if keep else studio.jobs.running)
        if not needed and time.monotonic() - tabs.since > patience:
            await server.stop()
            return


def _busy(studio: Any) -> bool:
    """Whether something is computed, or a machine has changes that are not saved."""
    return bool(studio.jobs.running or studio.state.machine_changed)


def _quiet_trame(token: str) -> None:
    """Give trame its settings, and keep it from reading our command line and from writing to the terminal."""
    os.environ["TRAME_ARGS"] = f"--host {HOST} --authKey={token}"
    os.environ["WSLINK_READY_MSG"] = ""
    sys.argv = sys.argv[:1]
    from wslink.chunking import UnChunker

    allowed = UnChunker.set_max_message_size
    # wslink gives as much memory as a message claims to need, up to 4 GB
    UnChunker.set_max_message_size = lambda self, size: allowed(self, min(size, LARGEST_MESSAGE))
    for name in ("wslink", "trame", "aiohttp", "trame_server"):  # of messages that make no sense
        logger = logging.getLogger(name)
        logger.addHandler(logging.NullHandler())
        logger.propagate = False


def _open_window(address: str, busy: Callable[[], bool]) -> None:
    """Show the address in a window until it is closed or Ctrl-C; it asks first if work would be lost."""
    import webview

    window = webview.create_window("Floatframe Studio", address, width=1280, height=800)
    interrupted = threading.Event()

    def ask() -> None:
        window.confirm_close = busy() and not interrupted.is_set()

    def close() -> None:
        interrupted.set()
        window.destroy()

    window.events.closing += ask
    with _on_interrupt(close):
        try:
            webview.start()
        except webview.errors.WebViewException as error:
            raise MissingDependency(_TOOLKIT) from error


@contextmanager
def _on_interrupt(call: Callable[[], None]) -> Iterator[None]:
    """Call a function in a thread at Ctrl-C: the loops of toolkits keep Python from its own handlers for long."""
    mine, theirs = socket.socketpair()
    theirs.setblocking(False)
    before = signal.set_wakeup_fd(theirs.fileno())

    def wait() -> None:
        if mine.recv(1):
            call()

    waiting = threading.Thread(target=wait, daemon=True)
    waiting.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        theirs.close()
        waiting.join()
        mine.close()
