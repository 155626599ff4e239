"""What a system was compiled from, so that a run can keep it."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass

from floatframe.hybrid.description.subsystems import Assembly
from floatframe.hybrid.expressions import Scalar


@dataclass(frozen=True, eq=False)
class Description:
    """What a system was compiled from: the model as it was then, and the parameters that were given other values."""

    model: Assembly
    parameters: Mapping[str, Scalar]

    @classmethod
    def of(cls, model: Assembly, parameters: Mapping[str, Scalar]) -> Description:
        """Take a model down; things that are added to it later are not part of the system."""
        seen = copy(model)
        seen.items = dict(model.items)
        vars(seen).pop("overrides", None)  # of a model file; they are among the parameters
        return cls(seen, dict(parameters))
