"""A command in a process of its own: it ends as by Ctrl-C when its standard input is closed, so also with its parent.

python -m floatframe.studio.child simulate machine.toml -o run.h5
"""

from __future__ import annotations

import os
import runpy
import signal
import sys
import threading
from types import FrameType


def main() -> None:
    """Run the command that the arguments ask for."""
    signal.signal(signal.SIGINT, _end_once)
    end_with_input()
    sys.argv[0] = "floatframe"
    runpy.run_module("floatframe", run_name="__main__")


def end_with_input() -> None:
    """Interrupt this process when its standard input is closed."""
    threading.Thread(target=_read_to_end, daemon=True).start()


def _read_to_end() -> None:
    # not sys.stdin, which nobody else could close while it is read
    while os.read(0, 1):
        pass
    signal.raise_signal(signal.SIGINT)


def _end_once(number: int, frame: FrameType | None) -> None:
    """Interrupt the command; what comes after must not disturb it while it leaves a sound file."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()
