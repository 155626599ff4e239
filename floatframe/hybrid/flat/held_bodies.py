"""Bodies whose finite element model was held by supports of its own: where joints may attach to them, and how they
stiffen.

Supports are places that do not move in the shapes. A joint there is as good as one at an interface node, so they join
the interface. Geometric terms of such a body belong to loads that its supports carry and to a second-order motion u₂
that vanishes at them. Here they become those of a free body, whose loads inertia balances and whose u₂ has no mean:
both differ by a rigid motion r₂(w), which the terms of rigid accelerations know.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from floatframe.arrays import Array, skew
from floatframe.hybrid.flat.turned_terms import CENTRIFUGAL, MassField
from floatframe.modal import ReducedBody


def with_supports_as_interface(body: ReducedBody) -> ReducedBody:
    """Return the body with its supported dofs behind those of its interface, its terms balanced by inertia."""
    if not len(body.supports):
        return body
    interface = np.vstack([np.asarray(body.interface).reshape(-1, 2), body.supports])
    if body.geometric is None:
        return replace(body, interface=interface)
    terms = body.geometric
    rigid = np.concatenate([terms.acceleration, terms.angular_acceleration])  # (6, n, n): of forces and moments
    # the rigid motion that takes the mean out of u₂, as matrices like those of an interface
    field = MassField(body.inertia)
    back = np.tensordot(field.inverse, rigid, axes=1)
    own = np.concatenate([terms.interface, np.zeros((len(body.supports), *back.shape[1:]))])
    loads = np.array([_unit_load(body, int(node), int(part)) for node, part in interface])
    turning = np.array([field.load(B) for B in CENTRIFUGAL])
    resultant = np.vstack([body.inertia.H, body.inertia.rhoH]) @ np.linalg.pinv(np.asarray(terms.softest))  # (6, s)
    return replace(
        body,
        interface=interface,
        geometric=replace(
            terms,
            interface=own - np.tensordot(loads, back, axes=1),
            centrifugal=terms.centrifugal - np.tensordot(turning, back, axes=1),
            acceleration=np.zeros_like(terms.acceleration),
            angular_acceleration=np.zeros_like(terms.angular_acceleration),
            vibration=np.asarray(terms.vibration) - np.tensordot(resultant.T, back, axes=1),
        ),
    )


def held_at_several_nodes(body: ReducedBody) -> bool:
    """Whether the supports may still carry forces, one against the other, when all other loads are in balance."""
    nodes = np.asarray(body.supports)[:, 0]
    return bool((nodes != nodes[:1]).any())


def _unit_load(body: ReducedBody, node: int, part: int) -> Array:
    """Force and moment about the origin (6,) of a unit force or moment at a node."""
    row, unit = int(body.node_index([node])[0]), np.eye(3)[part % 3]
    if part >= 3:
        return np.concatenate([np.zeros(3), unit])
    return np.concatenate([unit, skew(body.nodes[row]) @ unit])
