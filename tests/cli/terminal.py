"""Programs that run in a terminal of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import pytest


class Terminal:
    """A terminal for the stderr of a program, and with stdout="terminal" for its stdout."""

    def __init__(self, words: Sequence[Any], **options: Any) -> None:
        pty = pytest.importorskip("pty", reason="no terminals for programs here")
        self._ours, theirs = pty.openpty()
        shown = {name: theirs if value == "terminal" else value for name, value in options.items()}
        self.process = subprocess.Popen([sys.executable, "-c", *map(str, words)], **{"stderr": theirs, **shown})
        os.close(theirs)

    def read(self) -> str:
        """Return what it shows until it ends."""
        shown = b""
        try:
            while piece := os.read(self._ours, 4096):
                shown += piece
        except OSError:  # the terminal closes with the program
            pass
        finally:
            os.close(self._ours)
        return shown.decode()
