"""The element library: importing it registers every kind."""

from __future__ import annotations

import importlib
import pkgutil

from floatframe.fem.elements.base import Batch, Element, SecondOrder, element_kind, element_kinds, register

__all__ = ["Batch", "Element", "SecondOrder", "element_kind", "element_kinds", "register"]

# a new element is one new module in this folder; modules with a leading underscore are shared helpers
for _module in pkgutil.iter_modules(__path__):
    if not _module.name.startswith("_") and _module.name != "base":
        importlib.import_module(f"{__name__}.{_module.name}")
