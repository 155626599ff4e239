"""Studio in a process of its own, and a page of it in a real browser."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

SIZE = {"width": 1280, "height": 720}
WAIT = 120_000  # ms, on a busy machine that compiles its loops meanwhile


@contextmanager
def served(folder: Path, *more: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run `floatframe studio` on a folder; yields its process and the address that it prints."""
    words = [sys.executable, "-m", "floatframe", "studio", str(folder), "--no-browser", *more]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            raise AssertionError(process.stderr.read() if process.stderr else "")
        try:
            yield process, line.partition(": ")[2].strip()
        finally:
            process.terminate()


def apart(coroutine: Any) -> Any:
    """Run a coroutine in a thread: the browser's driver has a loop of its own in this one, once a test has used it."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


class Tab:
    """A tab of Studio: what it shows, what it complains of, what it asks others for."""

    def __init__(self, browser: Any, address: str) -> None:
        self.page = (browser.contexts[-1] if browser.contexts else browser.new_context(viewport=SIZE)).new_page()
        self.page.set_default_timeout(WAIT)
        self.errors: list[str] = []
        self.outside: list[str] = []
        self.page.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", self._asked)
        self.page.goto(address)
        self.page.wait_for_function("window.trame && trame.state && window.studio")

    def _asked(self, request: Any) -> None:
        if not request.url.startswith(("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:")):
            self.outside.append(request.url)

    def click(self, what: str) -> None:
        """Click on what has an attribute: do=simulate, go=fe, open=beam.h5."""
        name, _, value = what.partition("=")
        self.page.click(f'[data-{name}="{value}"]:visible')

    def fill(self, field: str, text: str) -> None:
        """Type into a field and leave it."""
        entry = self.page.locator(f'[data-field="{field}"]:visible input, input[data-field="{field}"]:visible').first
        entry.fill(text)
        entry.press("Tab")

    def wait(self, condition: str) -> None:
        """Wait until an expression of the state holds: state('note')."""
        words = f"(() => {{ const state = (k) => trame.state.get(k); return {condition}; }})()"
        try:
            self.page.wait_for_function(words)
        except Exception as error:
            shown = {k: self.state(k) for k in ("page", "problems", "note", "working", "job", "command")}
            raise AssertionError(f"{condition} does not come to hold: {shown} {self.errors}") from error

    def state(self, name: str) -> Any:
        """Return what is in the state."""
        return self.page.evaluate("name => trame.state.get(name)", name)

    def view(self, place: str) -> Any:
        """Return the frame of a view when it has drawn something."""
        handle = self.page.wait_for_selector(f'iframe[data-view="{place}"]')
        frame = handle.content_frame()
        frame.wait_for_function("window.floatframe && floatframe.pick && floatframe.state.frames > 0", timeout=WAIT)
        return frame

    def click_in(self, place: str, point: tuple[float, float, float]) -> None:
        """Click on a point of space in a view."""
        frame = self.view(place)
        # what was drawn before the page around it had its size lies elsewhere
        frame.wait_for_function(
            "(() => { const c = floatframe.viewer.canvas, now = [c.clientWidth, c.clientHeight, c.width].join();"
            " const same = window.lastSize === now && c.width === Math.round(c.clientWidth * devicePixelRatio)"
            " && c.height === Math.round(c.clientHeight * devicePixelRatio); window.lastSize = now; return same; })()",
            polling=200,
        )
        box = self.page.query_selector(f'iframe[data-view="{place}"]').bounding_box()
        x, y = frame.evaluate("p => floatframe.viewer.locate({ carrier: 0, point: p, anchor: -1 })", list(point))
        self.page.mouse.click(box["x"] + x, box["y"] + y)
