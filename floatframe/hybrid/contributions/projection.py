"""A run seen as a sum of modes: directions in the coordinates of a system, and how far it has moved along each.

Small motions about a reference state are z = Σ φ_k η_k in velocity coordinates. The modes φ_k are those of the
assembled system without damping, or the modal coordinates of one flexible body.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array
from floatframe.hybrid.assembly import CompiledSystem, State, flexible_body
from floatframe.hybrid.kernels import FREE, SPHERICAL
from floatframe.hybrid.studies import undamped_modes


@dataclass(frozen=True)
class Modes:
    """Directions shapes (nv, k) of modes, their frequencies (k,) [Hz], and rows (k, nv) with η = rows z."""

    names: tuple[str, ...]
    frequency: Array
    shapes: Array
    rows: Array

    def upto(self, count: int | None) -> Modes:
        """Return the first modes only."""
        kept = slice(count)
        return Modes(self.names[kept], self.frequency[kept], self.shapes[:, kept], self.rows[kept])


def system_modes(system: CompiledSystem, state: State) -> Modes:
    """Return the undamped modes of the assembled system at a state, slowest first.

    Their coordinates follow from the mass matrix, by which they are normal to each other: what turns freely, a shaft
    say, is a mode of its own and stays out of the others. Coordinates that motions prescribe are no part of any mode.
    """
    found = undamped_modes(system, state)
    names = tuple(f"mode {k + 1}" for k in range(len(found.frequency)))
    return Modes(names, found.frequency, found.shapes, found.rows)


def body_modes(system: CompiledSystem, body: str) -> Modes:
    """Return the modal coordinates of a flexible body as they are in the system."""
    reduced, record = flexible_body(system, body, "contributions")
    first = int(record["iv"])
    rows = np.eye(system.nv)[first : first + reduced.nmode]
    names = tuple(f"{body} {k + 1}" for k in range(reduced.nmode))
    return Modes(names, np.asarray(reduced.frequency), rows.T, rows)


def displacements(system: CompiledSystem, reference: Array, q: Array) -> Array:
    """Return the motion z (nt, nv) that leads from coordinates reference (nq,) to q (nt, nq)."""
    z = np.zeros((len(q), system.nv))
    for link in system.tables.links[1:]:
        kind, iq, iv, nv = (int(link[name]) for name in ("kind", "iq", "iv", "nv"))
        straight = {FREE: 3, SPHERICAL: 0}.get(kind, nv)
        z[:, iv : iv + straight] = q[:, iq : iq + straight] - reference[iq : iq + straight]
        if kind in (FREE, SPHERICAL):
            at = slice(iq + straight, iq + straight + 4)
            z[:, iv + straight : iv + straight + 3] = _turned(reference[at], q[:, at])
    for body in system.tables.flexible:
        iq, iv, n = int(body["iq"]), int(body["iv"]), int(body["n"])
        z[:, iv : iv + n] = q[:, iq : iq + n] - reference[iq : iq + n]
    return z


def _turned(first: Array, then: Array) -> Array:
    """Rotation vectors (nt, 3) [rad] in body axes that lead from a quaternion (4,) to others (nt, 4), scalar first."""
    w, x = first[0], first[1:]
    scalar = w * then[:, 0] + then[:, 1:] @ x
    vector = w * then[:, 1:] - then[:, :1] * x - np.cross(x, then[:, 1:])
    vector[scalar < 0] *= -1.0
    sine = np.linalg.norm(vector, axis=1)
    angle = 2.0 * np.arctan2(sine, np.abs(scalar))
    return vector * np.divide(angle, sine, out=np.full(len(sine), 2.0), where=sine > 0)[:, None]
