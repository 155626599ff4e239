"""Doors of packages and rooms: names that load on first use, and still have their types.

The `__init__` of a room lists what others may use as imports under `if TYPE_CHECKING:`, where editors and type checkers
find it. That list is read here, so that it stands in one place; a name is imported when it is first asked for.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

# `from module import name` or `from module import (name as other, …)`; Python's own parser takes ten times as long
_IMPORT = re.compile(r"^    from ([\w.]+) import (?:\(([^)]*)\)|(.*))$", re.MULTILINE)
_NAME = re.compile(r"(\w+)(?: as (\w+))?")


class Home(NamedTuple):
    """Where a name of a door comes from."""

    module: str
    name: str


class _Door(ModuleType):
    """A package whose listed names come before its folders: `modal.lanczos` is the function, not the room."""

    def __setattr__(self, name: str, value: object) -> None:
        # the import system names every loaded submodule on its package
        if not (isinstance(value, ModuleType) and name in self.__dict__["__all__"]):
            super().__setattr__(name, value)


def open_door(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` of a package that lists its names under `if TYPE_CHECKING:`."""
    homes = listed_names(source_of(package))
    names = sorted(homes)
    door = sys.modules[package]
    door.__dict__["__all__"] = names
    door.__class__ = _Door

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        value = _value(homes[name], package)
        door.__dict__[name] = value
        return value

    def names_of_door() -> list[str]:
        return names

    return load, names_of_door, names


def listed_names(source: str) -> dict[str, Home]:
    """Return the names that a door lists, and their homes."""
    block = source.partition("\nif TYPE_CHECKING:\n")[2].partition("\nelse:\n")[0]
    return {
        other or name: Home(module, name)
        for module, several, one in _IMPORT.findall(block)
        for name, other in _NAME.findall(several or one)
    }


def source_of(package: str) -> str:
    """Return the text of the `__init__` of a package, from a folder or an archive."""
    loader: Any = sys.modules[package].__spec__.loader  # type: ignore[union-attr]
    return str(loader.get_source(package))


def _value(home: Home, package: str) -> Any:
    """Return what a name stands for: an attribute of its module, or a module of the package itself."""
    if home.module == package:
        return importlib.import_module(f"{package}.{home.name}")
    return getattr(importlib.import_module(home.module), home.name)
