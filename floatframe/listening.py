"""Warnings of one thread among several, as of the points of a sweep or the files that are read at the same time.

Python's `catch_warnings` is for all threads at once. Here one hook for all is set while any thread listens, and each
thread hears its own warnings.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_own = threading.local()  # `said`: the list of the thread that listens


class _Hook:
    """The hook that all threads share; it is there as long as somebody listens."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listeners = 0
        self._before = warnings.catch_warnings()
        self._show: Any = None

    def add(self) -> None:
        with self._lock:
            self._listeners += 1
            if self._listeners == 1:
                self._before = warnings.catch_warnings()
                self._before.__enter__()
                self._show = warnings.showwarning
                warnings.simplefilter("always", UserWarning)
                warnings.showwarning = self._hear

    def remove(self) -> None:
        with self._lock:
            self._listeners -= 1
            if not self._listeners:
                self._before.__exit__(None, None, None)

    def _hear(self, message: Any, *rest: Any, **more: Any) -> None:
        said = getattr(_own, "said", None)
        if said is None:  # of a thread that does not listen
            self._show(message, *rest, **more)
        else:
            said.append(str(message))


_hook = _Hook()


@contextmanager
def listening() -> Iterator[list[str]]:
    """Yield a list that holds what was warned of in this thread when the block is done, each sentence once."""
    outer, heard = getattr(_own, "said", None), list[str]()
    said: list[str] = []
    _hook.add()
    _own.said = heard
    try:
        yield said
    finally:
        _own.said = outer
        _hook.remove()
        said += dict.fromkeys(heard)
