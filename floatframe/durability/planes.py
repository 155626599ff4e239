"""The critical plane: where the normal stress, or a shear stress in it, does most damage, for many points at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array, BoolArray

PLANES = 72  # directions of normals on half a sphere, about 10° apart
TURNS = (6.0, 3.0, 2.0, 1.0, 0.5)  # degrees by which the best normal is then turned, each to six sides
SHEAR_TURNS = (
    8.0,
    8.0,
    6.0,
    4.0,
    3.0,
    2.0,
    2.0,
    1.0,
    1.0,
    0.5,
)  # of a normal and a direction

ALIKE = 0.75  # in common from which on two planes lie on one summit: 30°

# from normals (k, 3), or frames, of k points to damages (k,) and largest amplitudes (k,)
Damages = Callable[[Array], tuple[Array, Array]]


def along(normals: Array) -> Array:
    """Return what stresses xx yy zz xy yz zx are multiplied with (..., 6) to be taken normal to planes (..., 3)."""
    x, y, z = np.moveaxis(normals, -1, 0)
    return np.stack([x * x, y * y, z * z, 2.0 * x * y, 2.0 * y * z, 2.0 * z * x], axis=-1)


def sheared(frames: Array) -> Array:
    """Return the same for shear stresses in planes along a direction: frames (..., 2, 3), normals and directions."""
    (a, b, c), (x, y, z) = (np.moveaxis(frames[..., k, :], -1, 0) for k in range(2))
    return np.stack([a * x, b * y, c * z, a * y + b * x, b * z + c * y, c * x + a * z], axis=-1)


def worst_planes(count: int, damages: Damages) -> tuple[Array, Array]:
    """Return the damage (count,) of each point's critical plane, and the largest amplitude (count,) of any plane.

    First all points look at the same planes, then each turns its own until the stress is within a thousandth.
    """
    return _worst(count, damages, hemisphere(PLANES), _turned, TURNS)


def worst_shears(count: int, damages: Damages) -> tuple[Array, Array]:
    """Return the same for shear stresses; damages take frames (count, 2, 3), see `sheared`."""
    normals = hemisphere(PLANES // 2)
    first, second = _across(normals)
    angles = np.arange(6) * np.pi / 6.0
    starts = [np.stack([normals, np.cos(a) * first + np.sin(a) * second], axis=1) for a in angles]
    return _worst(count, damages, np.concatenate(starts), _turned_frames, SHEAR_TURNS)


@dataclass
class _Best:
    """The worst places (count, …) so far, with their damages and amplitudes (count,)."""

    damage: Array
    amplitude: Array
    place: Array

    def beaten_by(self, damage: Array, amplitude: Array) -> BoolArray:
        # where nothing is damaged yet, the largest amplitude leads on
        return np.asarray((damage > self.damage) | ((damage == self.damage) & (amplitude > self.amplitude)))

    def take(self, where: BoolArray, other: _Best) -> None:
        self.damage[where], self.amplitude[where] = other.damage[where], other.amplitude[where]
        self.place[where] = other.place[where]


def _worst(
    count: int,
    damages: Damages,
    starts: Array,
    turned: Callable[[Array, float], list[Array]],
    turns: tuple[float, ...],
) -> tuple[Array, Array]:
    """Look at all starts, then turn the worst and the worst of those that are unlike it: there may be two summits."""
    none = np.zeros((count, *starts.shape[1:]))
    first, second = (_Best(np.full(count, -1.0), np.zeros(count), none.copy()) for _ in range(2))
    largest = np.zeros(count)

    def seen(places: Array) -> _Best:
        damage, amplitude = damages(places)
        np.maximum(largest, amplitude, out=largest)
        return _Best(damage, amplitude, places)

    for one in starts:
        now = seen(np.broadcast_to(one, none.shape).copy())
        unlike, better = _in_common(first.place, now.place) < ALIKE, first.beaten_by(now.damage, now.amplitude)
        second.take(better & unlike, first)
        second.take(~better & unlike & second.beaten_by(now.damage, now.amplitude), now)
        first.take(better, now)
    for best in (first, second):
        for angle in np.radians(turns):
            for places in turned(best.place.copy(), angle):
                now = seen(places)
                best.take(best.beaten_by(now.damage, now.amplitude), now)
    return np.maximum(first.damage, second.damage), largest


def _in_common(one: Array, other: Array) -> Array:
    """Return (k,) what stresses by normals (k, 3) or frames (k, 2, 3) have in common: cos² of the angle of normals."""
    tensors = []
    for places in (one, other):
        n, m = (places, places) if places.ndim == 2 else (places[:, 0], places[:, 1])
        product = n[:, :, None] * m[:, None, :]
        tensors.append(product + product.swapaxes(1, 2))
    sizes = [np.einsum("kij,kij->k", tensor, tensor) for tensor in tensors]
    both = np.abs(np.einsum("kij,kij->k", *tensors))
    return np.asarray(both / np.sqrt(np.where(sizes[0] * sizes[1] > 0.0, sizes[0] * sizes[1], 1.0)))


def hemisphere(count: int) -> Array:
    """Return unit vectors (3 + count, 3) spread evenly over half a sphere, the axes before them."""
    k = np.arange(count) + 0.5
    z = k / count
    angle = np.pi * (1.0 + np.sqrt(5.0)) * k
    radius = np.sqrt(1.0 - z**2)
    return np.vstack([np.eye(3), np.stack([radius * np.cos(angle), radius * np.sin(angle), z], axis=1)])


def _across(normal: Array) -> tuple[Array, Array]:
    """Return two unit vectors (k, 3) across normals (k, 3) and each other."""
    other = np.eye(3)[np.argmin(np.abs(normal), axis=1)]
    first = np.cross(normal, other)
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    return first, np.cross(normal, first)


def _turned(normal: Array, angle: float) -> list[Array]:
    """Return normals (k, 3) turned by an angle [rad] to six sides."""
    first, second = _across(normal)
    sides = [np.cos(a) * first + np.sin(a) * second for a in np.arange(6) * np.pi / 3.0]
    return [np.cos(angle) * normal + np.sin(angle) * side for side in sides]


def _turned_frames(frames: Array, angle: float) -> list[Array]:
    """Return frames (k, 2, 3) turned by an angle [rad] about their three axes, to either side."""
    n, m = frames[:, 0], frames[:, 1]
    axes = n, m, np.cross(n, m)
    found = []
    for i, j in ((0, 1), (1, 2), (2, 0)):
        for turn in (angle, -angle):
            moved = list(axes)
            moved[i] = np.cos(turn) * axes[i] + np.sin(turn) * axes[j]
            moved[j] = np.cos(turn) * axes[j] - np.sin(turn) * axes[i]
            found.append(np.stack(moved[:2], axis=1))
    return found
