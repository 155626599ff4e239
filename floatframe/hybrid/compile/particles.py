"""Point masses held and pushed at their point only: their rotation means nothing, three dofs are enough."""

from __future__ import annotations

import numpy as np

from floatframe.hybrid.flat import FlatForce, FlatJoint, FlatModel, FlatPlace

# joints and forces that act at points; those on the right ask for the axes of their place b
_ANY_SIDE = frozenset({"spherical", "distance", "spring", "bump_stop"})
_SIDE_A = frozenset({"point_on_line", "point_on_plane", "friction"})


def particles(model: FlatModel) -> frozenset[int]:
    """Numbers of the bodies without inertia that nothing can turn."""
    found = {k for k, body in enumerate(model.bodies) if body.reduced is None and not np.any(body.inertia)}
    things: list[FlatJoint | FlatForce] = [*model.joints, *model.forces] if found else []
    for thing in things:
        for place in (thing.a, thing.b):
            if place is not None and place.body in found and not _at_point(model, thing, place):
                found.discard(place.body)
    for constraint in model.constraints if found else ():
        found -= {place.body for place in (constraint.a, constraint.b) if place is not None}
        names = [name for row in constraint.rows for name in row.law.names]
        found -= {k for k in found if any(_turns(name, model.bodies[k].name) for name in names)}
    return frozenset(found)


def _turns(name: str, body: str) -> bool:
    """Whether a name in an expression asks for the rotation of a body."""
    return name.startswith((f"{body}.axis_", f"{body}.angular_velocity."))


def _at_point(model: FlatModel, thing: FlatJoint | FlatForce, place: FlatPlace) -> bool:
    """Whether a joint or force takes no notice of the rotation of a body."""
    if not np.array_equal(place.point, model.bodies[place.body].com):
        return False
    if isinstance(thing, FlatForce) and thing.kind == "point_load":
        return "fx" in thing.expressions and not np.any(thing.numbers["body_axes"])
    return thing.kind in _ANY_SIDE or (thing.kind in _SIDE_A and place is thing.a)
