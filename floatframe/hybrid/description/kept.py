"""What a system was compiled from, so that a run can keep it."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, TypeVar

from floatframe.expressions import Scalar
from floatframe.hybrid.description.subsystems import Assembly, Instance

Kind = TypeVar("Kind", bound=Assembly)


@dataclass(frozen=True, eq=False)
class Description:
    """What a system was compiled from: the model as it was then, and the parameters that were given other values."""

    model: Assembly
    parameters: Mapping[str, Scalar]

    @classmethod
    def of(cls, model: Assembly, parameters: Mapping[str, Scalar]) -> Description:
        """Keep a model as it is now; what is changed in it or in its parts later is not part of the system."""
        seen = _snapshot(model, {})
        vars(seen).pop("overrides", None)  # of a model file; they are among the parameters
        return cls(seen, MappingProxyType(dict(parameters)))


def _snapshot(assembly: Kind, done: dict[Assembly, Any]) -> Kind:
    """Return a copy that cannot be changed, parts used several times still one part; done: those copied already."""
    if assembly in done:
        return done[assembly]
    seen = done[assembly] = copy(assembly)
    items = {
        name: replace(item, subsystem=_snapshot(item.subsystem, done)) if isinstance(item, Instance) else item
        for name, item in assembly.items.items()
    }
    for name, values in (("items", items), ("parameters", assembly.parameters), ("tables", assembly.tables)):
        setattr(seen, name, MappingProxyType(dict(values)))
    return seen
