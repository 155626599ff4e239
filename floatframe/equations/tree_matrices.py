"""The matrices of a tree of rigid bodies by which all six forms of the equations are written.

Twists, wrenches and accelerations are vectors of six per body, velocity and force before spin and torque, in the axes
of the body at its origin, which is where its joint ends. Accelerations are the derivatives of the components of twists.
Poses and applied forces come from the kernels; everything else is computed here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy import linalg

from floatframe.arrays import Array, IntArray, short_repr, skew
from floatframe.equations.joint_motions import Motion, crossed
from floatframe.errors import ModelError
from floatframe.hybrid import State, System


@short_repr
@dataclass(frozen=True)
class TreeMatrices:
    """A tree of N bodies with n unknown speeds at one state.

    links (N,): the link of each body in the tables of the system; parents (N,): number of each parent, -1 the ground;
    free (n,): which speeds of the system are unknown, the others follow the time.
    S (6N, 6N): kinematic structure, twists relative to the parents are S v; A (6N, n): bases of the motions of the
    joints, A_rate their rate; M (6N, 6N): inertia. twists (6N,): v; driven (6N,): v̂ʳ, relative twists by coordinates
    that follow the time; bias (6N,): ŵᶜʳ, relative accelerations without those of the unknowns; loads (6N,): applied
    forces Fᵃ; drives (n,): forces in the joints along the unknown speeds.
    """

    links: IntArray
    parents: IntArray
    free: IntArray
    S: Array
    A: Array
    A_rate: Array
    M: Array
    twists: Array
    driven: Array
    bias: Array
    loads: Array
    drives: Array

    @cached_property
    def T(self) -> Array:  # noqa: N802  (named as in the theory)
        """S⁻¹: from relative twists to those of the bodies."""
        return linalg.solve_triangular(self.S, np.eye(len(self.S)), lower=True, unit_diagonal=True)

    @cached_property
    def Z(self) -> Array:  # noqa: N802
        """Orthonormal bases (6N, 6N − n) of what the joints hinder, Aᵀ Z = 0."""
        blocks = []
        for own in self.A.reshape(-1, 6, self.A.shape[1]):
            moved = own[:, np.any(own != 0.0, axis=0)]
            blocks.append(linalg.qr(moved)[0][:, moved.shape[1] :] if moved.size else np.eye(6))
        return linalg.block_diag(*blocks)

    @cached_property
    def Omega(self) -> Array:  # noqa: N802
        """Block diagonal matrix (6N, 6N) with Ṡ = Ωᵀ S − S Ωᵀ; Ω M v are centrifugal and gyroscopic forces."""
        return linalg.block_diag(*(-crossed(twist).T for twist in self.twists.reshape(-1, 6)))

    @cached_property
    def along(self) -> Array:
        """A (AᵀA)⁻¹ (6N, n), by which forces along the joints become wrenches in them."""
        return np.asarray(linalg.solve(self.A.T @ self.A, self.A.T, assume_a="pos").T)

    @cached_property
    def mass(self) -> Array:
        """Aᵀ Tᵀ M T A (n, n), the mass matrix of the unknown speeds."""
        X = self.T @ self.A
        return X.T @ self.M @ X

    @cached_property
    def mass_rate(self) -> Array:
        """Rate of `mass` (n, n) along the motion, by Ṫ = Ωᵀ T − T Ωᵀ."""
        X = self.T @ self.A
        X_rate = self.Omega.T @ X - self.T @ (self.Omega.T @ self.A) + self.T @ self.A_rate
        half = X_rate.T @ self.M @ X
        return half + half.T

    @cached_property
    def gyroscopic(self) -> Array:
        """Fᵃᶜ = Fᵃ − Ω M v (6N,)."""
        return self.loads - self.Omega @ self.M @ self.twists

    @cached_property
    def force(self) -> Array:
        """Right side (n,) of the equations of the second kind."""
        return self.A.T @ self.T.T @ (self.gyroscopic - self.M @ self.T @ self.bias) + self.drives


def tree_matrices(system: System, state: State) -> TreeMatrices:
    """The matrices of a system of rigid bodies without loops; single coordinates may follow the time."""
    driven, speeds, accelerations = driven_coordinates(system, state)
    v = np.array(state.v)
    v[driven] = speeds
    state = replace(state, v=v)
    now = system.moving(state).data
    bodies = list(_bodies(system, now, v))
    places = {body.link: i for i, body in enumerate(bodies)}
    parents = np.array([places.get(body.parent, -1) for body in bodies], dtype=int)

    N = len(bodies)
    S, A, A_rate = np.eye(6 * N), np.zeros((6 * N, system.nv)), np.zeros((6 * N, system.nv))
    twists, bias, loads = np.zeros((N, 6)), np.zeros((N, 6)), np.zeros((N, 6))
    for i, (body, parent) in enumerate(zip(bodies, parents, strict=True)):
        rows, motion, own = slice(6 * i, 6 * i + 6), body.motion, v[body.dofs]
        A[rows, body.dofs], A_rate[rows, body.dofs] = motion.basis, motion.basis_rate
        carried = np.zeros(6)
        if parent >= 0:
            S[rows, 6 * parent : 6 * parent + 6] = -motion.shift
            carried = motion.shift @ twists[parent]
        relative = motion.basis @ own
        twists[i] = carried + relative
        # the rate of C times the twist of the parent, and of A times the speeds
        bias[i] = motion.basis_rate @ own - crossed(relative) @ carried
        here = now.links[body.link]
        wrench = np.concatenate((here["R"].T @ here["load"], here["R"].T @ here["load_torque"]))
        loads[i] = wrench + body.inertia[:, :3] @ here["R"].T @ system.tables.gravity

    free = np.setdiff1d(np.arange(system.nv), driven)
    tree = TreeMatrices(
        links=np.array([body.link for body in bodies], dtype=int),
        parents=parents,
        free=free,
        S=S,
        A=A[:, free],
        A_rate=A_rate[:, free],
        M=linalg.block_diag(*(body.inertia for body in bodies)),
        twists=twists.ravel(),
        driven=A[:, driven] @ speeds,
        bias=bias.ravel() + A[:, driven] @ accelerations,
        loads=loads.ravel(),
        drives=np.zeros(len(free)),
    )
    if not np.any(system.tables.forces["coordinate"] >= 0):
        return tree
    # what forces do beside those on bodies, they do in joints
    return replace(tree, drives=system.forces(state)[free] - tree.A.T @ tree.T.T @ tree.loads)


def driven_coordinates(system: System, state: State) -> tuple[IntArray, Array, Array]:
    """Numbers of the speeds that follow the time, those speeds and their rates; other constraints are refused."""
    if len(system.tables.flexible):
        raise ModelError(
            "equations: found flexible bodies, expected rigid bodies only; leave them out or make them rigid"
        )
    if not system.nlambda:
        return np.zeros(0, dtype=int), np.zeros(0), np.zeros(0)
    now = system.moving(state)
    dofs = [np.flatnonzero(row) for row in now.G]
    for name, found in zip(system.row_names, dofs, strict=True):
        if len(found) != 1:
            raise ModelError(
                f"equations: '{name}' closes a loop or couples coordinates; expected a tree of joints in which at most "
                "single coordinates follow the time"
            )
    driven = np.array([found[0] for found in dofs], dtype=int)
    factors = now.G[np.arange(len(driven)), driven]
    rows = now.data.rows
    return driven, -rows["rate"] / factors, -rows["convective"] / factors


@dataclass(frozen=True)
class _Body:
    """A body of the tree: its link and that of its parent, its dofs, the motion of its joint, its inertia (6, 6)."""

    link: int
    parent: int
    dofs: list[int]
    motion: Motion
    inertia: Array


def _bodies(system: System, now: Any, v: Array) -> Iterator[_Body]:
    """The bodies from the ground outwards; the steps of a joint with several dofs are taken as one motion."""
    links, poses = system.tables.links, now.links
    nodes = {carrier.link for carrier in system.index.tree.carriers.values()} | set(np.flatnonzero(links["mass"]))
    begun: dict[int, tuple[int, list[int], Motion]] = {0: (0, [], Motion.none())}
    for number in range(1, len(links)):
        link, here, before = links[number], poses[number], poses[links[number]["parent"]]
        parent, dofs, motion = begun[link["parent"]]
        own = list(range(link["iv"], link["iv"] + link["nv"]))
        step = Motion.of_link(
            before["R"].T @ (here["p"] - before["p"]),
            before["R"].T @ here["R"],
            here["R"].T @ now.dofs["linear"][own].T,
            here["R"].T @ now.dofs["angular"][own].T,
            v[own],
        )
        motion, dofs = motion.then(step, v[own]), [*dofs, *own]
        if number in nodes:
            s = skew(link["moment"])
            inertia = np.block([[link["mass"] * np.eye(3), -s], [s, link["inertia"]]])
            yield _Body(number, parent, dofs, motion, inertia)
            begun[number] = (number, [], Motion.none())
        else:
            begun[number] = (parent, dofs, motion)
