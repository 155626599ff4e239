"""Buckling of a reduced body: by what factors loads at its interface must grow until it loses its stability.

The same problem as that of the finite elements, (K + factor G) z = 0, in the body's shapes. The matrices G of its
geometric terms belong to loads that inertia balances; in a sum of loads and reactions that balance each other nothing
of the inertia is left. Rigid motion, which a body without supports needs to swing about the places that hold it, turns
the loads along: K_G (θ × ρ) = θ × f, moments by half (docs/theory/geometric-stiffness.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import scipy  # scipy.linalg loads when it is first used

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.fem import DOF_NAMES, rigid_motion

if TYPE_CHECKING:
    from floatframe.modal.body.reduced_body import ReducedBody

_NONE = 1e-9  # eigenvalues below this part of the largest: nothing softens
_MECHANISM = 1e-10  # of the largest stiffness: a motion that nothing resists
_AXES = np.cross(np.eye(3)[:, None], np.eye(3)[None])  # [i, j] = e_i × e_j


class HeldBody:
    """A body with geometric terms, held at its interface by rows (c, k) of interface displacements that stay zero."""

    def __init__(self, body: ReducedBody, held: Array) -> None:
        self.body = body = body.orthonormalised()
        if body.geometric is None:
            raise ModelError(f"body '{body.name}' has no geometric terms; reduce it with geometric=True.")
        self.terms = body.geometric.interface
        rows = body.node_index(body.interface[:, 0])
        free = rigid_motion(body.nodes)[rows, body.interface[:, 1]]  # (k, 6)
        self.rigid = free[:, :0] if len(body.supports) else free
        self.motion = np.hstack([body.shapes[6 * rows + body.interface[:, 1]], self.rigid])  # (k, n + r)
        self.stiffness = np.concatenate([np.diag(body.stiffness), np.zeros(self.rigid.shape[1])])
        # modal coordinates that store unit energy, and rigid motion of the same size
        elastic = self.motion[:, : body.nmode] / np.sqrt(self.stiffness[: body.nmode])
        size = np.linalg.norm(elastic, axis=0).max(initial=0.0)
        moved = np.linalg.norm(self.rigid, axis=0)
        self.scale = np.concatenate([self.stiffness[: body.nmode] ** -0.5, size / np.where(moved > 0.0, moved, 1.0)])
        self.held = held
        self.free = scipy.linalg.null_space((held @ self.motion) * self.scale) * self.scale[:, None]
        self.K = self.free.T @ (self.stiffness[:, None] * self.free)
        values = scipy.linalg.eigvalsh(self.K) if self.K.size else np.ones(1)
        if values[0] < _MECHANISM * values[-1]:
            raise ModelError(f"body '{body.name}' can still move as a rigid body; fix more dofs.")
        self.lower = scipy.linalg.cholesky(self.K, lower=True) if self.K.size else self.K

    def factors(self, loads: Array) -> Array:
        """Return all factors of interface loads (k,), the smallest in size first; negative: of the reversed loads."""
        z = self.free @ scipy.linalg.cho_solve((self.lower, True), self.free.T @ (self.motion.T @ loads))
        # reactions close the balance of every shape and rigid motion
        rest = (self.stiffness * z - self.motion.T @ loads) * self.scale
        reactions = np.linalg.lstsq(((self.held @ self.motion) * self.scale).T, rest, rcond=None)[0]
        G = self.free.T @ self._geometric(loads + self.held.T @ reactions) @ self.free
        half = scipy.linalg.solve_triangular(self.lower, G, lower=True)
        softening = -scipy.linalg.solve_triangular(self.lower, half.T, lower=True)
        values = scipy.linalg.eigvalsh((softening + softening.T) / 2.0)
        values = values[np.abs(values) > _NONE * np.abs(values).max(initial=0.0)]
        return np.asarray(1.0 / values[np.argsort(-np.abs(values), kind="stable")])

    def _geometric(self, loads: Array) -> Array:
        """The geometric stiffness (n + r, n + r) of interface loads (k,) in balance."""
        body, n = self.body, self.body.nmode
        G = np.zeros((len(self.stiffness),) * 2)
        G[:n, :n] = np.tensordot(loads, self.terms, axes=1)
        if not self.rigid.shape[1]:
            return G
        for k, (node, part) in enumerate(body.interface):
            # loads turned by unit rotations about the axes (3, 3), moments by half
            turned = loads[k] * _AXES[:, part % 3] * (1.0 if part < 3 else 0.5)
            row = int(body.node_index([int(node)])[0])
            first = 6 * row + (0 if part < 3 else 3)
            shapes = np.hstack([body.shapes[first : first + 3], np.zeros((3, 3)), _turning(body.nodes[row], part)])
            G[:, n + 3 :] += shapes.T @ turned.T
        G[n + 3 :, :n] = G[:n, n + 3 :].T
        G[n + 3 :, n + 3 :] = (G[n + 3 :, n + 3 :] + G[n + 3 :, n + 3 :].T) / 2.0
        return G


def _turning(place: Array, part: int) -> Array:
    """Motion (3, 3) of a node that unit rotations about the axes cause: displacement, or rotation for a moment."""
    return np.cross(np.eye(3), place).T if part < 3 else np.eye(3)


def body_buckling(
    body: ReducedBody, loads: Mapping[tuple[int, str], float], fixed: Iterable[int | tuple[int, str]] = ()
) -> Array:
    """Return the load factors (m,) of a reduced body, the smallest in size first; negative: of the reversed loads.

    loads {(node, "ux"): force [N] or moment [N m]} at dofs of the interface; fixed: interface nodes, or some of
    their dofs such as (201, "uy,uz,rx"). The model's own supports hold the body as well.
    """
    table = {(int(node), DOF_NAMES[part]): k for k, (node, part) in enumerate(body.interface)}

    def row(place: tuple[int, str]) -> int:
        if place not in table:
            raise ModelError(f"body '{body.name}': {place[1]} of node {place[0]} is not a dof of its interface.")
        return table[place]

    held: list[int] = []
    for item in fixed:
        node, parts = item if isinstance(item, tuple) else (item, "")
        names = parts.split(",") if parts else [name for known, name in table if known == node] or ["ux"]
        held += [row((node, name.strip())) for name in names]
    given = np.zeros(len(table))
    for place, value in loads.items():
        given[row(place)] += value
    return HeldBody(body, np.eye(len(table))[held]).factors(given)


@dataclass(frozen=True)
class CriticalLoad:
    """The load at which a body buckles, in the named direction and against it [N, N m]; inf where it never does.

    nodes: the loaded node, or two that are pressed together between hinges; component: "ux" … of the load, empty for
    two nodes; held_node: where the body is clamped, None: by its own supports, or at the hinges.
    """

    nodes: tuple[int, ...]
    component: str
    held_node: int | None
    unit: str
    forward: float
    backward: float


def critical_loads(body: ReducedBody, most_nodes: int = 8) -> list[CriticalLoad]:
    """Return critical loads of a body with geometric terms under single interface loads.

    Pressed between its first two interface nodes as a strut on hinges; and clamped at the first interface node, or at
    the model's own supports, under a load along each dof of the next ones.
    """
    nodes = [int(node) for node in body.interface_nodes[: most_nodes + 1]]
    if body.geometric is None or len(nodes) < (1 if len(body.supports) else 2):
        return []
    table = body.interface
    found = [] if len(body.supports) else _strut(body, nodes[0], nodes[1])
    loaded = nodes if len(body.supports) else nodes[1:]
    first = np.zeros((0, len(table))) if len(body.supports) else np.eye(len(table))[table[:, 0] == nodes[0]]
    place = None if len(body.supports) else nodes[0]
    try:
        clamped = HeldBody(body, first)
    except ModelError:  # the first node has too few dofs to hold the body
        return found
    for k, (node, part) in enumerate(table):
        if int(node) in loaded:
            factors = clamped.factors(np.eye(len(table))[k])
            found.append(_critical((int(node),), DOF_NAMES[part], place, "N" if part < 3 else "N m", factors))
    return found


def _strut(body: ReducedBody, a: int, b: int) -> list[CriticalLoad]:
    """The body between hinges at two nodes under a pair of forces along their line."""
    first, last = body.nodes[body.node_index([a, b])]
    length = float(np.linalg.norm(last - first))
    where = {(int(node), int(part)): k for k, (node, part) in enumerate(body.interface)}
    if not length > 0 or any((a, part) not in where for part in range(6)) or any((b, p) not in where for p in range(3)):
        return []
    line = (last - first) / length
    across = scipy.linalg.null_space(line[None]).T
    unit = np.eye(len(where))
    at_a, at_b = (unit[[where[node, part] for part in range(3)]] for node in (a, b))
    roll = line @ unit[[where[a, part] for part in (3, 4, 5)]]
    held = np.vstack([at_a, across @ at_b, roll])
    factors = HeldBody(body, held).factors(-line @ at_b)
    return [_critical((a, b), "", None, "N", factors)]


def _critical(nodes: tuple[int, ...], component: str, held: int | None, unit: str, factors: Array) -> CriticalLoad:
    forward, backward = (factors[factors * sign > 0] * sign for sign in (1, -1))
    least, reversed_least = (float(part.min(initial=np.inf)) for part in (forward, backward))
    return CriticalLoad(nodes, component, held, unit, least, reversed_least)
