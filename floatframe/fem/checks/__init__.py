"""Checks: what is wrong with a finite element model before it is used.

In: an `FEModel`. Out: a `CheckReport` of problems, each with its place and its cure.
Open `model_check` first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.fem.checks.model_check import (
        CheckReport as CheckReport,
        Problem as Problem,
        check_model as check_model,
    )
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
