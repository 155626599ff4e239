"""Momenta of all bodies, from a plain twin of the system, and the elastic energy."""

from __future__ import annotations

import numpy as np


def momenta(twin, x, rate):
    """Linear momentum and angular momentum about the world's origin (6,) of all bodies."""
    poses, total = twin.links(twin.moved(x)), np.zeros(6)
    twists = twin.twists(x, rate)
    for link, inertia, modal in twin.bodies(x):
        T = poses[link].real
        own = inertia @ np.concatenate((twists[link], rate[modal]))
        linear = T[:3, :3] @ own[:3]
        total[:3] += linear
        total[3:] += T[:3, :3] @ own[3:6] + np.cross(T[:3, 3], linear)
    return total


def elastic_energy(system, w_of):
    energy = 0.0
    for body, number in system.index.flexible_of.items():
        record = system.tables.flexible[number]
        w = w_of(record)
        energy += 0.5 * w @ system.model.bodies[body].reduced.stiffness @ w
    return energy
