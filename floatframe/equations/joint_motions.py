"""Motions of joints in the axes of the moved body: shifts of twists, bases of motion and their rates.

Twists are vectors of six, the velocity of the origin before the spin.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from floatframe.arrays import Array, skew

QUATERNION = {3: 0, 6: 3}  # by the number of speeds of a joint with an attitude: where its spin begins


def crossed(twist: Array) -> Array:
    """Matrix (6, 6) of the product of two twists; −crossed(v)ᵀ is Ω of the theory."""
    return _upper(skew(twist[3:]), skew(twist[:3]))


def _upper(diagonal: Array, corner: Array) -> Array:
    """[[diagonal, corner], [0, diagonal]] of blocks (3, 3)."""
    whole = np.zeros((6, 6))
    whole[:3, :3] = whole[3:, 3:] = diagonal
    whole[:3, 3:] = corner
    return whole


@dataclass(frozen=True)
class Motion:
    """shift: C (6, 6), twist of a body from that of its parent if both move as one; basis (6, n) and its rate."""

    shift: Array
    basis: Array
    basis_rate: Array

    @classmethod
    def none(cls) -> Motion:
        """No motion: the body is where its parent is."""
        return cls(np.eye(6), np.zeros((6, 0)), np.zeros((6, 0)))

    @classmethod
    def of_link(cls, p: Array, R: Array, linear: Array, angular: Array, speeds: Array) -> Motion:
        """The motion of one joint.

        p, R: pose of the body in the frame of its parent; linear, angular (3, n): motion per unit speed, in the axes of
        the body. Displacements go along axes of the parent, spins are about axes of the body.
        """
        turning = -skew(angular @ speeds) @ linear
        return cls(
            _upper(R.T, -R.T @ skew(p)), np.vstack((linear, angular)), np.vstack((turning, np.zeros_like(turning)))
        )

    def then(self, following: Motion, speeds: Array) -> Motion:
        """This motion and one after it as one; speeds: of the one that follows."""
        carried = following.shift @ self.basis
        rate = following.shift @ self.basis_rate - crossed(following.basis @ speeds) @ carried
        return Motion(
            following.shift @ self.shift,
            np.hstack((carried, following.basis)),
            np.hstack((rate, following.basis_rate)),
        )


def coordinate_rates(links: Any, q: Array, v: Array) -> Array:
    """Rates of the coordinates (nq,) at speeds v (nv,): those of quaternions are half their product with the spin."""
    rates = np.zeros(len(q))
    for link in links[1:]:
        iq, iv, n = int(link["iq"]), int(link["iv"]), int(link["nv"])
        spin_at = QUATERNION.get(n, n)
        rates[iq : iq + spin_at] = v[iv : iv + spin_at]
        if n in QUATERNION:
            (w, *axis), spin = q[iq + spin_at : iq + spin_at + 4], v[iv + spin_at : iv + spin_at + 3]
            rates[iq + spin_at] = -0.5 * np.dot(axis, spin)
            rates[iq + spin_at + 1 : iq + spin_at + 4] = 0.5 * (w * spin + np.cross(axis, spin))
    return rates


def unit_quaternions(links: Any, q: Array) -> Array:
    """Coordinates (nq,) with quaternions of length one, which integration leaves by its error."""
    q = np.array(q)
    for link in links[1:]:
        if (n := int(link["nv"])) in QUATERNION:
            first = int(link["iq"]) + QUATERNION[n]
            q[first : first + 4] /= np.sqrt(q[first : first + 4] @ q[first : first + 4])
    return q
