"""The model: what a user builds up and compiles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from floatframe.hybrid.description import Assembly, Description, kept_gravity
from floatframe.hybrid.expressions import Scalar, Table, Vector
from floatframe.hybrid.flat import FlatModel, flatten

if TYPE_CHECKING:
    from floatframe.hybrid.system import System


class Model(Assembly):
    """A system of rigid and flexible bodies: gravity [m/s2] in world axes, named parameters, named tables."""

    def __init__(
        self,
        gravity: Vector = (0.0, 0.0, 0.0),
        parameters: Mapping[str, Scalar] | None = None,
        tables: Mapping[str, Table] | None = None,
        name: str = "model",
    ) -> None:
        super().__init__(name, parameters, tables, kept_gravity(gravity, name))

    def flatten(self, parameters: Mapping[str, Scalar] | None = None) -> FlatModel:
        """Return the flat form; `parameters` override those of the model, front.mass that of an instance."""
        return flatten(self, parameters)

    def compile(self, parameters: Mapping[str, Scalar] | None = None) -> System:
        """Return the compiled, immutable system."""
        # the kernels behind it take a moment to import
        from floatframe.hybrid.system import compile_model

        return compile_model(self.flatten(parameters), Description.of(self, parameters or {}))
