"""`floatframe simulate --live`: the run in a process of its own, and a window here that follows its file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def run_live(output: Path, channels: list[str] | None = None, words: list[str] | None = None) -> int:
    """Compute the run that the words of this command ask for, and show it meanwhile; returns its exit code.

    channels: what is plotted beside it, by default the first in which something happens.

    Closing the window leaves the run going; Ctrl-C ends both, and the file can be resumed.
    """
    from floatframe.cli.common import Reading
    from floatframe.cli.view import follow_run
    from floatframe.cli.view_things import Look, OfModelFile, OfRun, Wanted
    from floatframe.viewer import require_screen

    require_screen(f"run without --live, and view the run later: floatframe view {output} --save scene.html")
    given = _without_looks(sys.argv[1:] if words is None else words)
    before = output.stat().st_mtime_ns if output.exists() else None
    with subprocess.Popen([sys.executable, "-m", "floatframe", *given]) as run:
        try:
            while run.poll() is None and not _begun(output, before):
                _pause(run)
            if _begun(output, before):
                wanted = Wanted(output, Look(), OfRun(channels=channels), OfModelFile(), [], Reading())
                follow_run(wanted, lambda: run.poll() is not None)
            return run.wait()
        except KeyboardInterrupt:  # the run has heard it too and ends with a sound file
            return run.wait()


def _without_looks(words: list[str]) -> list[str]:
    """The words of the command that are about the run, not about what is seen of it."""
    return [
        word
        for word, before in zip(words, ["", *words], strict=False)
        if word not in ("--live", "--channel") and before != "--channel" and not word.startswith("--channel=")
    ]


def _begun(output: Path, before: int | None) -> bool:
    """Whether the file is that of the new run."""
    return output.exists() and output.stat().st_mtime_ns != before


def _pause(run: subprocess.Popen[bytes]) -> None:
    try:
        run.wait(timeout=0.2)
    except subprocess.TimeoutExpired:
        return
