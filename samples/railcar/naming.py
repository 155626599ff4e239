"""Names of vibration shapes of a vehicle body, read from the motion of its underframe.

The motion of the deck is split into mean sideways and vertical motion and roll at every station, and these into
constant, linear and curved parts along the body; a shape is named after the part that holds most of its motion.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array
from floatframe.fem import FEModel

#: parts of the motion: quantity and order of the polynomial along the body
PARTS = {
    "longitudinal": ("x", 0),
    "lateral": ("y", 0),
    "bounce": ("z", 0),
    "roll": ("roll", 0),
    "pitch": ("z", 1),
    "yaw": ("y", 1),
    "torsion": ("roll", 1),
    "bending": ("z", 2),
    "lateral bending": ("y", 2),
}


@dataclass(frozen=True)
class DeckMotion:
    """Parts of shapes at the underframe, by name (nmode,): roots of mean squares [m of a shape of unit mass]."""

    parts: dict[str, Array]
    all: Array  # of all motion of the deck (nmode,)

    def share(self, name: str) -> Array:
        """Share of a part in all motion of the deck, squared, (nmode,)."""
        return np.asarray((self.parts[name] / self.all) ** 2)


def deck_motion(body: FEModel, shapes: Array, half_width: float) -> DeckMotion:
    """Split shapes (nnode, 6, nmode) at the two edges of the deck (z = 0, |y| = half_width)."""
    edge = [np.flatnonzero(_on_edge(body.nodes, side * half_width)) for side in (-1, 1)]
    stations = [np.unique(body.nodes[rows, 0].round(6), return_index=True) for rows in edge]
    x = stations[0][0]
    right, left = (shapes[rows[first]] for rows, (_, first) in zip(edge, stations, strict=True))
    mean, roll = (left + right) / 2, (left - right)[:, 2] / 2
    motion = {"x": mean[:, 0], "y": mean[:, 1], "z": mean[:, 2], "roll": roll}
    basis = np.polynomial.legendre.legvander(x / np.abs(x).max(), 4)
    q, _ = np.linalg.qr(basis)
    parts = {name: np.abs(q[:, order] @ motion[what]) for name, (what, order) in PARTS.items()}
    return DeckMotion(parts, np.sqrt(sum((value**2).sum(axis=0) for value in motion.values())))


def _on_edge(nodes: Array, y: float) -> Array:
    return (np.abs(nodes[:, 1] - y) < 1e-6) & (np.abs(nodes[:, 2]) < 1e-6)
