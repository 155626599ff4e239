"""Displacements that are large for a model, coordinate by coordinate."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.hybrid.assembly.compiled_system import CompiledSystem
from floatframe.hybrid.kernels import FIXED, FREE, JOINT_NV, PRISMATIC

GROUND_LINK = 0
SMALLEST = 1e-3  # m, of a model whose places are all one
_PLAIN = (0, 1, 1, 1, 0, 3)  # coordinates by kind of tree joint before a quaternion


def spread(system: CompiledSystem) -> float:
    """A length [m] that is large for a model wherever in the world it stands: arms on bodies, ways between bodies."""
    positions = system.tables.markers["position"]
    on_ground = system.tables.markers["link"] == GROUND_LINK
    arms = np.linalg.norm(positions[~on_ground], axis=1)
    places = [*(pose.p for pose in system.index.poses), *positions[on_ground]]
    return max(float(arms.max(initial=0.0)), float(np.linalg.norm(np.ptp(places, axis=0))), SMALLEST)


def extents(system: CompiledSystem, size: float) -> Array:
    """Displacements (nv,) that are large for a model of a size [m]: that size, one radian, modes that move as far."""
    found = np.full(system.nv, size)
    for link in system.tables.links:
        first, turning = int(link["iv"]), JOINT_NV[int(link["kind"])]
        if link["kind"] not in (FIXED, PRISMATIC):
            found[first + (3 if link["kind"] == FREE else 0) : first + turning] = 1.0
    for body in system.tables.flexible:
        n, own = int(body["n"]), slice(int(body["iv"]), int(body["iv"] + body["n"]))
        numbers = system.tables.pool[int(body["matrices"]) :]
        masses = numbers[:n] if body["diagonal"] else numbers[: n * n : n + 1]
        found[own] *= np.sqrt(body["mass"] / (n * masses))
    return found


def coordinate_extents(system: CompiledSystem, own: Array) -> Array:
    """The same for coordinates (nq,), from those of the speeds (nv,): quaternions change by half the angle."""
    found = np.full(system.nq, 0.5)
    for link in system.tables.links:
        iq, iv, plain = int(link["iq"]), int(link["iv"]), _PLAIN[int(link["kind"])]
        found[iq : iq + plain] = own[iv : iv + plain]
    for body in system.tables.flexible:
        iq, iv, n = int(body["iq"]), int(body["iv"]), int(body["n"])
        found[iq : iq + n] = own[iv : iv + n]
    return found
