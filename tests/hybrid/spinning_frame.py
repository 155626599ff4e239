"""A free frame of beams that spins steadily in its plane, by geometrically exact beams in plain NumPy. SI units.

The reference has nothing in common with Floatframe: Reissner's beam with linear shape functions and one integration
point, lumped mass, equilibrium of the turning shape by Newton's method, then small vibration about it in turning axes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.linalg

E, NU, DENSITY, SIDE = 2.1e11, 0.3, 7850.0, 0.02  # a steel bar of square section
CORNERS = ((1.0, 0.0), (0.0, 0.0), (0.0, 0.7))  # tip, corner, tip of an L
AREA, BENDING = SIDE**2, SIDE**4 / 12.0
STIFFNESS = np.array([E * AREA, 5.0 / 6.0 * E / (2.0 * (1.0 + NU)) * AREA, E * BENDING])


@dataclass(frozen=True)
class SpinningFrame:
    """The shape that the frame keeps at a speed of rotation [rad/s]; n beams for each of its two legs."""

    speed: float
    n: int = 60

    @cached_property
    def start(self):
        """Nodes (2 n + 1, 2) about their centre of mass, and masses."""
        first, corner, last = (np.array(point) for point in CORNERS)
        steps = np.arange(self.n + 1)[:, None] / self.n
        x = np.vstack([first + steps * (corner - first), (corner + steps * (last - corner))[1:]])
        half = DENSITY * AREA * np.linalg.norm(np.diff(x, axis=0), axis=1) / 2.0
        mass = np.append(half, 0.0) + np.append(0.0, half)
        return x - mass @ x / mass.sum(), mass

    @cached_property
    def shape(self):
        """Coordinates x, y, rotation of the nodes (2 n + 1, 3) in turning axes."""
        x, mass = self.start
        q = np.column_stack([x, np.zeros(len(x))]).ravel()
        still = q.copy()
        M = np.column_stack([mass, mass, 0.0 * mass]).ravel()
        rigid = np.zeros((3, len(q)))  # mean translation and rotation are free; they stay zero
        rigid[0, 0::3], rigid[1, 1::3] = mass, mass
        rigid[2, 0::3], rigid[2, 1::3] = -mass * x[:, 1], mass * x[:, 0]
        rigid *= STIFFNESS[0] / mass[0]  # of the size of the other rows
        for _ in range(50):
            force, K = self.elastic(q.reshape(-1, 3))
            A = np.block([[K - np.diag(self.speed**2 * M), rigid.T], [rigid, np.zeros((3, 3))]])
            left = np.concatenate([force - self.speed**2 * M * q, rigid @ (q - still)])
            step = scipy.linalg.solve(A, -left)[: len(q)]
            q = q + step
            if np.abs(step).max() < 1e-12:
                return q.reshape(-1, 3)
        raise AssertionError("no steady shape")

    def elastic(self, q):
        """Forces (3 N,) and tangent stiffness (3 N, 3 N)."""
        x, _ = self.start
        edge = np.diff(x, axis=0)
        length = np.linalg.norm(edge, axis=1)
        angle = np.arctan2(edge[:, 1], edge[:, 0]) + 0.5 * (q[:-1, 2] + q[1:, 2])
        slope = np.diff(q[:, :2], axis=0) / length[:, None]
        along, across = (np.stack([np.cos(angle + turn), np.sin(angle + turn)], 1) for turn in (0.0, np.pi / 2.0))
        strain = np.stack([(along * slope).sum(1) - 1.0, (across * slope).sum(1), np.diff(q[:, 2]) / length], 1)
        B, H = np.zeros((len(edge), 3, 6)), np.zeros((len(edge), 3, 6, 6))
        for k, (axis, turned) in enumerate(((along, across), (across, -along))):
            B[:, k, :2], B[:, k, 3:5] = -axis / length[:, None], axis / length[:, None]
            for j in (2, 5):
                B[:, k, j] = 0.5 * (turned * slope).sum(1)
                for first, sign in ((0, -0.5), (3, 0.5)):
                    H[:, k, first : first + 2, j] = H[:, k, j, first : first + 2] = sign * turned / length[:, None]
                for other in (2, 5):
                    H[:, k, j, other] = -0.25 * (axis * slope).sum(1)
        B[:, 2, 2], B[:, 2, 5] = -1.0 / length, 1.0 / length
        stress = strain * STIFFNESS * length[:, None]
        K_e = np.einsum("ek,eki,ekj->eij", STIFFNESS * length[:, None], B, B) + np.einsum("ek,ekij->eij", stress, H)
        rows = 3 * np.arange(len(edge))[:, None] + np.arange(6)
        force, K = np.zeros(q.size), np.zeros((q.size, q.size))
        np.add.at(force, rows, np.einsum("ek,ekj->ej", stress, B))
        np.add.at(K, (rows[:, :, None], rows[:, None, :]), K_e)
        return force, K

    @property
    def tips(self) -> float:
        """Distance of the two tips [m]."""
        return float(np.linalg.norm(self.shape[0, :2] - self.shape[-1, :2]))

    def frequencies(self, lowest: float):
        """Angular frequencies [rad/s] in the plane above a lowest one, seen in turning axes."""
        _, mass = self.start
        _, K = self.elastic(self.shape)
        turns = np.arange(2, len(K), 3)
        moves = np.setdiff1d(np.arange(len(K)), turns)
        stiff = K[np.ix_(turns, turns)]
        K = K[np.ix_(moves, moves)] - K[np.ix_(moves, turns)] @ scipy.linalg.solve(stiff, K[np.ix_(turns, moves)])
        scale = 1.0 / np.sqrt(np.repeat(mass, 2))
        K = scale[:, None] * K * scale
        _, modes = scipy.linalg.eigh(0.5 * (K + K.T), subset_by_index=(0, 59))
        gyroscopic = np.kron(np.eye(len(mass)), [[0.0, -1.0], [1.0, 0.0]])
        G = 2.0 * self.speed * modes.T @ gyroscopic @ modes
        K = modes.T @ K @ modes - self.speed**2 * np.eye(60)
        roots = scipy.linalg.eigvals(np.block([[np.zeros_like(K), np.eye(60)], [-K, -G]])).imag
        return np.sort(roots[roots > lowest])
