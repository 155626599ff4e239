"""Where machine code is kept on disk, and what is said where it cannot be.

The folder is FLOATFRAME_CACHE_DIR or NUMBA_CACHE_DIR if set, else beside the package, or the user's cache folder where
the package cannot be written to, or a folder of the user's own among temporary files where there is no home.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

CURE = "set FLOATFRAME_CACHE_DIR to a folder that can be written to"


@cache
def cache_folder() -> Path:
    """The folder for machine code; one that cannot be written to if there is none, which is said once."""
    named = _named()
    if named is not None:
        return named
    for place in _candidates():
        if cache_is_writable(place):
            return place
    temporary = _temporary()
    if temporary is not None:
        say(f"kernels are kept in '{temporary}', since neither the program nor a home can be written to; {CURE}")
        return temporary
    say(f"kernels are compiled in every run, since no folder for them can be written to; {CURE}")
    return next(_candidates())


def folders_to_look_in() -> Iterator[Path]:
    """Where machine code may lie: an installation that cannot be written to may have brought its own."""
    yield cache_folder()
    if _named() is None:
        yield from _candidates()


def cache_is_writable(place: Path) -> bool:
    """Whether a file can be made there, which no other question answers on every system."""
    trial = place / f".{os.urandom(8).hex()}.try"
    try:
        place.mkdir(parents=True, exist_ok=True)
        os.close(os.open(trial, os.O_CREAT | os.O_EXCL | os.O_WRONLY))  # never one that is there, nor through a link
        trial.unlink()
    except OSError:
        return False
    return True


def say(sentence: str) -> None:
    """Say something about the cache on stderr, each sentence once in a process."""
    if sentence not in _said:
        _said.add(sentence)
        sys.stderr.write(f"floatframe: {sentence}\n")
        sys.stderr.flush()


_said: set[str] = set()


def _named() -> Path | None:
    for variable in ("FLOATFRAME_CACHE_DIR", "NUMBA_CACHE_DIR"):
        if os.environ.get(variable):
            return Path(os.environ[variable]) / "floatframe-kernels"
    return None


def _candidates() -> Iterator[Path]:
    yield Path(__file__).parent / "__pycache__"
    try:
        yield _of_user() / "floatframe" / "kernels"
    except RuntimeError:  # nobody knows a home
        return


def _of_user() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def _temporary() -> Path | None:
    """A folder of this user among the temporary files; None where somebody else may write into it."""
    import tempfile

    try:
        user = os.getuid() if hasattr(os, "getuid") else 0
        place = Path(tempfile.gettempdir()) / f"floatframe-kernels-{user}"
        place.mkdir(mode=0o700, exist_ok=True)
        found = os.lstat(place)
    except OSError:
        return None
    ours = stat.S_ISDIR(found.st_mode) and (not hasattr(os, "getuid") or found.st_uid == user)
    return place if ours and (os.name == "nt" or not found.st_mode & 0o022) and cache_is_writable(place) else None
