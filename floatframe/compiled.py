"""Loops that Numba compiles and keeps on disk, compiled again when a file changes that they were made from.

Numba itself looks at the file of a kernel only. Kernels, intrinsics and constants from other files are compiled into it
and would stay as they were. It also takes what lies on disk as it is; here every file ends with a digest of what is
before it, and one that does not fit, or is not there, means to compile again.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

from numba import config, njit
from numba.core import caching, event

from floatframe.doors import listed_names
from floatframe.native import cache_folder, say_compiling, say_not_kept

_IMPORT = re.compile(r"^from ([\w.]+) import (\([^)]*\)|.*)$", re.MULTILINE)


class _Compiling(event.Listener):  # type: ignore[misc]
    """Says once that something is compiled, and keeps Python from looking for garbage, a tenth of a compiler's time."""

    def __init__(self) -> None:
        self._depth = 0  # of kernels inside kernels; one thread compiles at a time
        self._collecting = False

    def on_start(self, event: Any) -> None:
        if self._depth == 0:
            say_compiling()
            self._collecting = gc.isenabled()
            gc.disable()
        self._depth += 1

    def on_end(self, event: Any) -> None:
        self._depth -= 1
        if self._depth == 0 and self._collecting:
            gc.enable()


event.register("numba:compile", _Compiling())


def kernel(**options: Any) -> Callable[[Any], Any]:
    """Return a decorator for functions that Numba compiles when they are first called; options as for `njit`."""

    def compiled(function: Any) -> Any:
        # only Numba itself calls the wrapper for C, of which we ask nothing: a sixth of a short kernel's time
        made = njit(**{"no_cfunc_wrapper": True, **options})(function)
        if hasattr(made, "enable_caching"):  # else compilation is switched off
            _enable_cache(made)
        if hasattr(getattr(made, "_cache", None), "_cache_file"):
            made._cache._cache_file.__class__ = _CheckedFile
            made._cache._cache_file._source_stamp = stamp(Path(function.__code__.co_filename))
        return made

    return compiled


def _enable_cache(made: Any) -> None:
    """Let Numba keep a kernel; in the folder of our own kernels where it finds no place, as without a home."""
    try:
        made.enable_caching()
    except RuntimeError:  # no place beside the source, no home
        config.CACHE_DIR = str(cache_folder())
        with suppress(RuntimeError, OSError):
            made.enable_caching()


class _CheckedFile(caching.IndexDataCacheFile):  # type: ignore[misc]
    """The files of a kernel, with a digest at their end that Numba does not look at; damaged ones count as absent."""

    def load(self, key: Any) -> Any:
        with suppress(Exception):  # whatever a damaged file leads to
            return super().load(key)
        return None

    def save(self, key: Any, data: Any) -> None:
        try:
            super().save(key, data)
        except OSError as error:
            say_not_kept(error)

    def _load_index(self) -> Any:
        with suppress(Exception):
            _require_sound(Path(self._index_path))
            return super()._load_index()
        return {}

    def _load_data(self, name: str) -> Any:
        _require_sound(Path(self._data_path(name)))
        return super()._load_data(name)

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[BytesIO]:
        with super()._open_for_write(filepath) as file:
            content = BytesIO()
            yield content
            file.write(content.getvalue() + sha256(content.getvalue()).digest())


def _require_sound(path: Path) -> None:
    """Refuse a file that does not end with the digest of what is before it."""
    whole = path.read_bytes()
    if sha256(whole[:-32]).digest() != whole[-32:]:
        raise ValueError(f"'{path}' is damaged")


def is_compiled(kernel: Any) -> bool:
    """Whether the compiled form of a kernel lies on the disk, made from the sources as they are."""
    file = getattr(kernel._cache, "_cache_file", None)  # a linked kernel has none
    return file is not None and bool(file._load_index())


@cache
def stamp(path: Path) -> str:
    """Digest of the sources that the kernels of a file are made from: a new copy of the same ones changes nothing."""
    return sha256(b"".join(map(_digest, sorted(sources(path))))).hexdigest()


def sources(path: Path) -> set[Path]:
    """A file of a package with all files of the package that it imports, directly and through others."""
    found, new = {path}, [path]
    while new:
        imported = _imported(new.pop()) - found
        found |= imported
        new.extend(imported)
    return found


@cache
def _imported(path: Path) -> frozenset[Path]:
    """The files of the package that a file imports as it is loaded."""
    top = path.parent
    while (top / "__init__.py").exists():
        top = top.parent
    found = _IMPORT.findall(_content(path).decode())
    homes = {file for module, names in found for file in _homes(top, module, re.findall(r"\w+", names))}
    return frozenset(homes - {Path(__file__)})  # nothing of this file is compiled


@cache
def _digest(path: Path) -> bytes:
    return sha256(_content(path)).digest()


@cache
def _content(path: Path) -> bytes:
    return path.read_bytes()


def _homes(top: Path, module: str, names: list[str]) -> Iterator[Path]:
    """The files that names come from: a module, or those that the door of a folder lists them from."""
    place = top.joinpath(*module.split("."))
    if place.with_suffix(".py").exists():
        yield place.with_suffix(".py")
    elif (place / "__init__.py").exists():
        listed = listed_names((place / "__init__.py").read_text(encoding="utf-8"))
        for name in names:
            if (place / f"{name}.py").exists():
                yield place / f"{name}.py"
            elif name in listed:
                yield from _homes(top, listed[name].module, [name])
