"""One writer per file: whoever writes a file over a long time holds a lock beside it, which says who that is.

The lock of `run.h5` is the file `.run.h5.lock`. The system holds it for a living process only, so that what a killed
one leaves behind is recognised and taken over.
"""

from __future__ import annotations

import errno
import json
import os
import socket
import stat
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from floatframe.errors import WriteError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_MOST_READ = 4096  # bytes of a lock that are looked at


def try_lock(handle: int) -> bool | None:
    """Lock an open file; False: another process has it, None: this place has no locks."""
    if fcntl is None:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return False if error.errno in (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES) else None
    return True


class WriterLock:
    """Held by the one that writes a file; as a context manager it is released at the end of the block."""

    def __init__(self, target: Path) -> None:
        """Take the lock of a file; another writer that is alive is named in the refusal."""
        self.path = target.with_name(f".{target.name}.lock")
        self._handle = -1
        flags = os.O_CREAT | os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
        flags |= getattr(os, "O_NONBLOCK", 0)  # what is there may be a pipe, which nobody writes into
        while self._handle < 0:
            try:
                handle = os.open(self.path, flags, 0o644)
            except OSError as error:
                raise WriteError(f"'{target}' cannot be written: {error.strerror}: '{self.path}'.") from error
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                os.close(handle)
                raise WriteError(f"'{target}' cannot be written: '{self.path}' is not a regular file; remove it.")
            held, owner = try_lock(handle), _owner(handle)
            if held is False or (held is None and _lives(owner)):
                os.close(handle)
                raise WriteError(f"'{target}' is being written by {_words(owner, self.path)}.")
            if _is_open(handle, self.path):
                self._handle = handle
            else:  # its owner has deleted it in between
                os.close(handle)
        with suppress(OSError):  # on a full disk it stays without a name
            os.ftruncate(self._handle, 0)
            os.lseek(self._handle, 0, os.SEEK_SET)
            os.write(self._handle, _own_name().encode())

    def release(self) -> None:
        """Let others write; a second call does nothing."""
        if self._handle >= 0:
            handle, self._handle = self._handle, -1
            with suppress(OSError):
                self.path.unlink(missing_ok=True)
            os.close(handle)

    def __enter__(self) -> WriterLock:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.release()

    def __del__(self) -> None:
        self.release()


def _own_name() -> str:
    return json.dumps({"pid": os.getpid(), "host": socket.gethostname(), "since": time.strftime("%Y-%m-%d %H:%M:%S")})


def _owner(handle: int) -> dict[str, Any]:
    """What a lock says about its owner, {} if it says nothing that we understand."""
    try:
        said = json.loads(os.read(handle, _MOST_READ))
    except (OSError, ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def _lives(owner: dict[str, Any]) -> bool:
    """Whether the owner of a lock may be alive, where the system has no locks; one on another host may."""
    pid = owner.get("pid")
    if not isinstance(pid, int) or not 0 < pid < 1 << 31:
        return False
    if owner.get("host") != socket.gethostname():
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _words(owner: dict[str, Any], lock: Path) -> str:
    """Who writes, and what can be done about it."""
    pid, host, since = (owner.get(key) for key in ("pid", "host", "since"))
    if not (isinstance(pid, int) and isinstance(host, str) and isinstance(since, str)):
        return f"another process, which holds '{lock.name}'; wait for it or choose another name"
    return f"process {pid} on {host[:64]!r} since {since[:32]}; wait for it, end it or choose another name"


def _is_open(handle: int, path: Path) -> bool:
    """Whether an open file is still the one of a name."""
    try:
        return os.path.samestat(os.fstat(handle), os.lstat(path))
    except OSError:
        return False
