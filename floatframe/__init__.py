"""Floatframe: machines with rigid and flexible parts, from finite elements to motion.

The subpackages load on first use, so that importing the package costs nothing:
`ff.fem`, `ff.modal`, `ff.io`, `ff.hybrid`, `ff.viewer`.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType

from floatframe.errors import FloatframeError, MissingDependency, ModelError, NotConverged, ReadError, WriteError

__version__ = "0.1.0"

_SUBPACKAGES = ("fem", "modal", "io", "signals", "hybrid", "viewer")

__all__ = [
    "FloatframeError",
    "MissingDependency",
    "ModelError",
    "NotConverged",
    "ReadError",
    "WriteError",
    "__version__",
    "fem",
    "hybrid",
    "io",
    "modal",
    "signals",
    "viewer",
]


def __getattr__(name: str) -> ModuleType:
    if name in _SUBPACKAGES:
        return importlib.import_module(f"floatframe.{name}")
    raise AttributeError(f"module 'floatframe' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)


if "IPython" in sys.modules:  # in notebooks models and bodies show themselves
    importlib.import_module("floatframe.viewer.pages.notebook").register()
