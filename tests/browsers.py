"""A real browser for tests of pages, as fixtures that a conftest takes."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest

# software rendering; nothing that calls home
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--no-default-browser-check",
]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A headless chromium; where there is none the tests that need it are left out."""
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        pytest.skip("no chromium here; on Debian: apt-get install chromium")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        try:
            running = driver.chromium.launch(executable_path=program, args=CHROMIUM_FLAGS)
        except playwright.Error as error:
            pytest.skip(f"chromium does not start here: {str(error).splitlines()[0]}")
        yield running
        running.close()


@pytest.fixture
def browser(chromium: Any) -> Iterator[Any]:
    """The browser of one test; pages it opened are closed after it, for pages that play keep a processor busy."""
    before = list(chromium.contexts)
    yield chromium
    for context in chromium.contexts:
        if context not in before:
            context.close()
