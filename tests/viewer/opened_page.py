"""A page in a browser: what it shows, how it is touched."""

from __future__ import annotations

import base64
import io
from typing import Any

import numpy as np
from PIL import Image

SIZE = {"width": 640, "height": 480}
MOVED = 3e-4  # mean difference of pictures; where nothing moved it is zero


class Opened:
    """A page in the browser, standing still at a moment."""

    def __init__(self, browser: Any, path: Any) -> None:
        self.page = browser.new_page(viewport=SIZE)
        self.errors: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(path.as_uri())
        self.page.wait_for_function(
            "window.floatframe && floatframe.state.frames > 0 || !message.hidden", timeout=30000
        )

    def run(self, code: str) -> Any:
        """Run a line of script and wait until what it changed is drawn."""
        found = self.page.evaluate(code)
        self.page.wait_for_function("!floatframe.state.dirty")
        return found

    def slide(self, control: str, value: float) -> None:
        self.run(f"(() => {{ {control}.value = {value}; {control}.dispatchEvent(new Event('input')); }})()")

    def shot(self) -> np.ndarray:
        """Return the pixels of the canvas, without the words over it."""
        coded = self.page.evaluate("canvas.toDataURL('image/png')").partition(",")[2]
        return np.array(Image.open(io.BytesIO(base64.b64decode(coded))).convert("RGB"))
