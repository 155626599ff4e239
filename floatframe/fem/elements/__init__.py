"""The element library: importing it registers every kind."""

from __future__ import annotations

import importlib
import pkgutil

from floatframe.fem.elements.base import Batch, Element, SecondOrder, element_kind, element_kinds, register

__all__ = ["Batch", "Element", "SecondOrder", "element_kind", "element_kinds", "register"]

# a new element is one new module in a folder here; modules with a leading underscore are shared helpers
for _module in pkgutil.walk_packages(__path__, f"{__name__}."):
    if not _module.name.rpartition(".")[2].startswith("_"):
        importlib.import_module(_module.name)
