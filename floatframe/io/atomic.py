"""Files that appear complete or not at all.

A file is written under a temporary name beside the final one, brought to the disk, and renamed. The name holds random
digits and is made new, so nobody can put a link there before. While it is written it is locked; a temporary file
without lock was left by a process that was killed, and the next writer of the same name deletes it. An output that is
a symbolic link stays one: the file that it points to is replaced.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
import signal
import stat
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from types import FrameType

from floatframe.errors import WriteError
from floatframe.io.locks import try_lock
from floatframe.userfiles import was_read

_RANDOM = 8  # bytes in a temporary name
_OLD = 86400.0  # s, after which a temporary file is nobody's where locks do not tell
_written_over: ContextVar[frozenset[Path]] = ContextVar("written over", default=frozenset())


@contextmanager
def complete_file(path: Path) -> Iterator[Path]:
    """Yield a temporary name beside `path`; it takes the final name only if the block ends well."""
    target = output_target(path)
    try:
        _remove_left(target)
        temporary, handle = _new_beside(target)
    except OSError as error:
        raise cannot_write(path, error) from error
    try:
        yield temporary
        sync(temporary)
        if sys.platform == "win32":
            os.close(handle)  # an open file cannot be renamed there
            handle = -1
        os.replace(temporary, target)
        sync(target.parent)
    except OSError as error:
        raise cannot_write(path, error) from error
    finally:
        temporary.unlink(missing_ok=True)
        if handle >= 0:
            os.close(handle)


@contextmanager
def complete_folder(path: Path) -> Iterator[Path]:
    """Yield a new folder beside `path`; it takes that name, and an older one goes, only if the block ends well."""
    temporary, aside = _temporary_name(path), _temporary_name(path)
    handle = -1
    try:
        _remove_left(path)
        temporary.mkdir()
        if sys.platform != "win32":  # folders cannot be opened there
            handle = os.open(temporary, os.O_RDONLY)
            try_lock(handle)
        yield temporary
        with uninterrupted():
            _exchange(temporary, path, aside)
    except OSError as error:
        raise cannot_write(path, error) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
        if path.exists():
            shutil.rmtree(aside, ignore_errors=True)
        if handle >= 0:
            os.close(handle)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold Ctrl-C back until the block is done: in the middle of it, it would get lost or leave things half done."""
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    pressed: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: pressed.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
    if pressed:
        handler(*pressed[0])


@contextmanager
def writing_over(paths: Iterable[Path]) -> Iterator[None]:
    """Let files of another kind be replaced inside the block; until the new one is complete the old one stays."""
    before = _written_over.set(frozenset(map(Path, paths)))
    try:
        yield
    finally:
        _written_over.reset(before)


def may_write_over(path: Path) -> bool:
    """Whether a file may be replaced, whatever it holds."""
    return path in _written_over.get()


def output_target(path: Path) -> Path:
    """The file that is written for `path`: what a symbolic link points to, else itself."""
    try:
        target = Path(os.path.realpath(path))
        if not target.parent.is_dir():
            raise WriteError(f"'{path}' cannot be written: folder '{target.parent}' does not exist; create it first.")
        if target.exists() and not target.is_file():
            raise WriteError(f"'{path}' cannot be written: it is not a regular file; choose another name.")
        if was_read(target):
            raise WriteError(f"'{path}' is an input of the same command; choose another name, or the original is lost.")
    except (OSError, ValueError) as error:  # a name that is too long, or has a zero in it
        raise cannot_write(path, error) from error
    return target


def cannot_write(path: Path, error: Exception) -> WriteError:
    """The sentence about a file that the system refuses to write."""
    why = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return WriteError(f"'{path}' cannot be written: {why}.")


def sync(path: Path) -> None:
    """Bring a file, or the names in a folder, to the disk; only then are all errors of writing known."""
    if sys.platform == "win32" and path.is_dir():
        return
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def reserve(handle: int, start: int, stop: int) -> None:
    """Have space on the disk for some bytes of an open file, so that writing them does not fail; OSError without it."""
    if hasattr(os, "posix_fallocate"):
        try:
            os.posix_fallocate(handle, start, stop - start)
            return
        except OSError as error:
            if error.errno not in (errno.EINVAL, errno.EOPNOTSUPP):
                raise
    if hasattr(os, "fstatvfs"):  # else there is nobody to ask
        disk = os.fstatvfs(handle)
        if disk.f_bavail * disk.f_frsize < stop - max(start, os.fstat(handle).st_size):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _exchange(new: Path, path: Path, aside: Path) -> None:
    """Give a folder its name; an older one of that name goes aside, and comes back if the new one cannot be named."""
    if path.exists():
        path.rename(aside)
    try:
        new.rename(path)
    except OSError:
        if aside.exists():
            aside.rename(path)
        raise


def _new_beside(target: Path) -> tuple[Path, int]:
    """A new, empty, locked file beside another, open."""
    temporary = _temporary_name(target)
    flags = os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    handle = os.open(temporary, flags, 0o666)
    try_lock(handle)
    return temporary, handle


def _temporary_name(target: Path) -> Path:
    return target.with_name(f".{target.name}.{secrets.token_hex(_RANDOM)}.tmp")


def _remove_left(target: Path) -> None:
    """Delete what killed writers of a file or folder have left beside it."""
    name = re.compile(rf"\.{re.escape(target.name)}\.[0-9a-f]+\.tmp")
    for found in os.scandir(target.parent):
        folder, file = (test(follow_symlinks=False) for test in (found.is_dir, found.is_file))
        if name.fullmatch(found.name) and (folder or file):
            with suppress(OSError):  # another writer was faster, or it is not ours
                flags = os.O_RDONLY if folder else os.O_RDWR
                handle = os.open(found.path, flags | getattr(os, "O_NOFOLLOW", 0))
                try:
                    held = try_lock(handle)
                    mode, age = os.fstat(handle).st_mode, time.time() - os.fstat(handle).st_mtime
                    nobodys = age > _OLD if held is None else held
                finally:
                    os.close(handle)
                if nobodys and stat.S_ISDIR(mode):
                    shutil.rmtree(found.path)
                elif nobodys and stat.S_ISREG(mode):
                    os.unlink(found.path)
