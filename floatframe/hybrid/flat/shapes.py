"""Shapes of rigid bodies from files, and the mass, centre and inertia that follow from them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import FloatframeError, ReadError, Where
from floatframe.expressions import Scope
from floatframe.hybrid.description import RigidBody
from floatframe.hybrid.flat.checks import inertia_tensor, positive_mass
from floatframe.io import LENGTHS, Surface, read_shape


@dataclass
class Shapes:
    """Surfaces by file and unit; one that is used several times is read once."""

    known: dict[tuple[str, float | str | None], Surface] = field(default_factory=dict)

    def surface(self, body: RigidBody, scope: Scope, where: Where, earlier: Surface | None) -> Surface | None:
        """Return the surface of a body, None without; earlier: that of the same body at other parameters."""
        if body.shape is None:
            return None
        scale = body.scale
        if isinstance(scale, str) and scale not in LENGTHS:  # an expression of parameters
            if scale.isidentifier() and scale not in scope.parameters:
                units = ", ".join(LENGTHS)
                raise where.key("scale").error(f"found '{scale}', expected one of {units}, or a number of metres")
            scale, earlier = scope.number(scale, where.key("scale")), None
        if earlier is not None:
            return earlier
        key = str(body.shape), scale
        if key not in self.known:
            try:
                self.known[key] = read_shape(body.shape, scale)
            except ReadError as error:
                raise ReadError(str(error), subject=where.subject, field="shape") from error
        return self.known[key]


def mass_of_rigid(body: RigidBody, shape: Surface | None, scope: Scope, where: Where) -> tuple[float, Array, Array]:
    """Return mass [kg], centre (3,) [m] and inertia (3, 3) about it [kg m2], as given or of the solid of a shape."""
    if shape is None or not body.solid:
        mass = positive_mass(scope.number(body.mass or 0.0, where.key("mass")), where)
        com = np.zeros(3) if body.com is None else scope.array(body.com, where.key("com"))
        inertia = np.zeros(3) if body.inertia is None else scope.array(body.inertia, where.key("inertia"))
        return mass, com, inertia_tensor(inertia, where)
    try:
        shape.require_closed()
    except FloatframeError as error:
        raise where.at("shape").error(str(error)) from None
    if body.density is not None:
        density = scope.number(body.density, where.key("density"))
        if not density > 0:
            raise where.at("density").error(f"found a density of {density:g} kg/m3, expected more than zero")
    else:
        density = positive_mass(scope.number(body.mass or 0.0, where.key("mass")), where) / shape.volume
    found = shape.mass_properties(density)
    return positive_mass(found.mass, where), found.com, inertia_tensor(found.inertia, where)
