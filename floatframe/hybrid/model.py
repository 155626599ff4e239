"""The model: what a user builds up and compiles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from floatframe.expressions import Scalar, Table, Vector
from floatframe.hybrid.description import Assembly, Description, kept_gravity
from floatframe.hybrid.flat import FlatModel, flatten
from floatframe.railway import Track

if TYPE_CHECKING:
    from floatframe.hybrid.system import System


class Model(Assembly):
    """A system of rigid and flexible bodies: gravity [m/s2] in world axes, named parameters, named tables, a track."""

    def __init__(
        self,
        gravity: Vector = (0.0, 0.0, 0.0),
        parameters: Mapping[str, Scalar] | None = None,
        tables: Mapping[str, Table] | None = None,
        name: str = "model",
        track: Track | None = None,
    ) -> None:
        super().__init__(name, parameters, tables, kept_gravity(gravity, name))
        self.track = track

    def flatten(self, parameters: Mapping[str, Scalar] | None = None, like: FlatModel | None = None) -> FlatModel:
        """Return the flat form; `parameters` override those of the model, front.mass that of an instance.

        like: the flat form at other parameters, from which all is taken over that stays the same.
        """
        return flatten(self, parameters, like)

    def compile(self, parameters: Mapping[str, Scalar] | None = None, like: System | None = None) -> System:
        """Return the compiled, immutable system.

        Parameters
        ----------
        parameters
            Values in place of those of the model; front.mass for that of an instance.
        like
            This model compiled with other parameters. What they do not change is taken over from it: files of
            flexible bodies are not read again. The system and all warnings are the same to the last bit as without.
        """
        # the kernels behind it take a moment to import
        from floatframe.hybrid.system import compile_model

        flat = self.flatten(parameters, None if like is None else like.model)
        return compile_model(flat, Description.of(self, parameters or {}), like)
