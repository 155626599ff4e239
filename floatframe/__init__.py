"""Floatframe: machines with rigid and flexible parts, from finite elements to motion.

The packages load on first use, so that importing this one costs nothing:
`ff.fem`, `ff.modal`, `ff.io`, `ff.signals`, `ff.railway`, `ff.hybrid`, `ff.equations`,
`ff.network`, `ff.durability`, `ff.viewer`.
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe import (
        durability as durability,
        equations as equations,
        fem as fem,
        hybrid as hybrid,
        io as io,
        modal as modal,
        network as network,
        railway as railway,
        signals as signals,
        viewer as viewer,
    )
    from floatframe.errors import (
        FloatframeError as FloatframeError,
        MissingDependency as MissingDependency,
        ModelError as ModelError,
        NotConverged as NotConverged,
        ReadError as ReadError,
        WriteError as WriteError,
    )
    from floatframe.version import __version__ as __version__
else:
    __getattr__, __dir__, __all__ = open_door(__name__)

if "IPython" in sys.modules:  # in notebooks models and bodies show themselves
    importlib.import_module("floatframe.viewer").register_in_notebooks()
