"""What a channel reads from the workspace after an evaluation, as records for the observing kernel."""

from __future__ import annotations

import numpy as np

# of a marker: index is the marker
(
    POSITION,
    VELOCITY,
    ACCELERATION,
    ATTITUDE,
    ANGULAR_VELOCITY,
    ANGULAR_ACCELERATION,
    DISPLACEMENT,
    ROTATION,
    # of a coordinate: index is the coordinate
    COORDINATE,
    RATE,
    SECOND_RATE,
    # of a joint: marker is its place a, first_row:last_row are its own rows; in the tree index is its last link, last
    # the first dof of its chain, sign -1 if the link carries b
    TREE_FORCE,
    TREE_TORQUE,
    CUT_FORCE,
    CUT_TORQUE,
    MULTIPLIER,
    # of a force element: index is the element
    ELEMENT_VALUE,
    ELEMENT_ELONGATION,
    ELEMENT_RATE,
    ELEMENT_POWER,
    ELEMENT_FORCE,
    ELEMENT_TORQUE,
    # numbers index:last of q, v, accelerations
    Q_RANGE,
    V_RANGE,
    X_RANGE,
    # of the whole system: index is the kind of energy
    ENERGY,
    LINEAR_MOMENTUM,
    ANGULAR_MOMENTUM,
    # numbers index:last of the workspace: channels of a wheel on the track
    WORK_RANGE,
    # angles of the attitude of a marker: index is the marker
    CARDAN,
    EULER,
    # what expressions read: index is the slot
    SLOT,
) = range(32)

PROBE = np.dtype(
    [
        ("kind", "i8"),
        ("index", "i8"),
        ("last", "i8"),
        ("marker", "i8"),
        ("first_row", "i8"),
        ("last_row", "i8"),
        ("column", "i8"),
        ("sign", "f8"),
    ],
    align=True,
)
