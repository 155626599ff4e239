"""Where things of a deck stand: instances of parts, and coordinate systems."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from floatframe.arrays import Array
from floatframe.io.abaqus.deck.deck import Card


@dataclass(frozen=True)
class Place:
    """Where cards apply: an instance with its name, raised numbers and position; the deck itself has none of these."""

    name: str = ""
    nodes: int = 0  # added to node numbers
    elements: int = 0
    R: Array | None = None
    shift: Array | None = None

    def named(self, name: str) -> str:
        """Return the full name of a set defined here, as written."""
        return f"{self.name}.{name}" if self.name else name

    def key(self, name: str) -> str:
        """Return the full name of a set, surface or orientation defined here; case does not count."""
        return self.named(name).upper()


def axes_of(card: Card, x: Array, in_plane: Array) -> Array:
    """Return rows x, y, z of axes given by the x direction and another vector in the x–y plane."""
    z = np.cross(x, in_plane)
    size = np.sqrt(x @ x), np.sqrt(z @ z)
    if not min(size) > 0 or not np.isfinite(size).all():
        raise card.error(f"{card.name}: its points give no axes; they coincide or lie on one line.")
    x, z = x / size[0], z / size[1]
    return np.stack([x, np.cross(z, x), z])


def instance_place(card: Card, nodes: int, elements: int) -> Place:
    """Return the place of an *INSTANCE from its data lines: translation, then axis points and angle [degrees]."""
    lines = [card.numbers(words, line) for line, words in card.fields()]
    shift, R = np.zeros(3), np.eye(3)
    if lines:
        shift = np.array((lines[0] + [0.0] * 3)[:3])
    if len(lines) > 1:
        values = np.array((lines[1] + [0.0] * 7)[:7])
        origin, axis = values[:3], values[3:6] - values[:3]
        length = np.sqrt(axis @ axis)
        if length == 0.0:
            raise card.error("*INSTANCE: the axis of rotation has no length.")
        R = Rotation.from_rotvec(np.radians(values[6]) * axis / length).as_matrix()
        # moved first, then turned about the axis
        shift = origin + R @ (shift - origin)
    moved = not (np.array_equal(R, np.eye(3)) and not shift.any())
    return Place(card.required("NAME"), nodes, elements, R if moved else None, shift if moved else None)


def from_curved(card: Card, xyz: Array) -> Array:
    """Return Cartesian coordinates of nodes given in *NODE, SYSTEM=C (r, angle, z) or S (r, angle, angle)."""
    system = card.option("SYSTEM").upper()[:1]
    if system in ("", "R"):
        return xyz
    r, theta, last = xyz[:, 0], np.radians(xyz[:, 1]), xyz[:, 2]
    if system == "C":
        return np.column_stack([r * np.cos(theta), r * np.sin(theta), last])
    if system == "S":
        rise = np.radians(last)
        return np.column_stack([r * np.cos(theta) * np.cos(rise), r * np.sin(theta) * np.cos(rise), r * np.sin(rise)])
    raise card.error(f"*NODE, SYSTEM={system} is unknown; expected R, C or S.")
