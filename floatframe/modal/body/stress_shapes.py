"""Stresses of the shapes of a body: what its modal coordinates, and the inertia of its motion, do at points of it.

All stresses are products of one matrix with a vector of drives: the modal coordinates w and, if the body has the static
correction, what else loads its interior, see docs/theory/stress-recovery.md. The matrix stays as it was computed; how
its columns belong to the shapes of today's basis is a small matrix beside it, so that a change of basis costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from floatframe.arrays import Array, IntArray, short_repr
from floatframe.errors import ModelError
from floatframe.fem import BOTTOM, SOLID, TOP, joined_shear, von_mises
from floatframe.modal.body.shape_source import Shapes

COMPONENTS = ("xx", "yy", "zz", "xy", "yz", "zx")
INERTIA = 12  # drives of the frame: acceleration less gravity, angular acceleration, products of angular velocity
_PLACES = {SOLID: "", TOP: "top", BOTTOM: "bottom"}


def place_name(place: int) -> str:
    """Return "" for a solid, "top", "bottom", or "fibre 2"."""
    return _PLACES.get(place, f"fibre {-place}")


@short_repr
@dataclass(frozen=True)
class StressShapes:
    """Stresses at p points and r section forces of a body per drive; model axes, SI units.

    Drives (c,): n modal coordinates; with the static correction also the acceleration of the body frame less gravity
    (3), its angular acceleration (3), the products ωx² ωy² ωz² ωxωy ωyωz ωzωx (6), all in body axes, and n modal
    accelerations. Points are element corners (`fem.stress_rows`); rows of `values` are six stresses of each point,
    three shear stresses of each point that is a fibre of a beam, and the section forces.
    """

    element: IntArray  # (p,) element numbers
    node: IntArray  # (p,) node numbers of the corners
    place: IntArray  # (p,) SOLID, TOP, BOTTOM, or -k: fibre k of a beam
    elastic: Array  # (p, 2) Young's modulus [Pa] and Poisson's ratio, NaN where the material is not isotropic
    names: tuple[str, ...]  # of section forces
    force_element: IntArray  # (r,)
    force_node: IntArray  # (r,)
    force_name: IntArray  # (r,) among `names`
    columns: Array  # (columns of values, c): how drives move them
    corrected: bool  # whether there are drives of inertia
    values: Shapes = Shapes()  # noqa: RUF009  (a descriptor) (6 p + 3 f + r, columns)
    group: IntArray | None = None  # (p,) equal where points may be averaged, see `family`; None in older files

    def __post_init__(self) -> None:
        p, r = len(self.element), len(self.force_element)
        wanted: dict[str, tuple[int, ...]] = {"node": (p,), "place": (p,), "elastic": (p, 2)}
        wanted |= {"force_node": (r,), "force_name": (r,)} | ({} if self.group is None else {"group": (p,)})
        for name, shape in wanted.items():
            if np.shape(getattr(self, name)) != shape:
                raise ModelError(f"stress shapes: {name} has shape {np.shape(getattr(self, name))}, expected {shape}.")
        rows = (6 * p + 3 * int(np.count_nonzero(self.place < 0)) + r, len(self.columns))
        if tuple(self.__dict__["_values"].shape) != rows:
            raise ModelError(f"stress shapes: values have shape {self.__dict__['_values'].shape}, expected {rows}.")

    def __len__(self) -> int:
        """Return the number of points."""
        return len(self.element)

    @property
    def n(self) -> int:
        """Number of shapes of the body."""
        c = self.columns.shape[1]
        return (c - INERTIA) // 2 if self.corrected else c

    # change of basis

    def transformed(self, T: Array) -> StressShapes:
        """Return those of the shapes H T, for T (n, m)."""
        n, columns = self.n, self.columns
        parts = [columns[:, :n] @ T]
        if self.corrected:
            parts += [columns[:, n : n + INERTIA], columns[:, n + INERTIA :] @ T]
        return replace(self, columns=np.hstack(parts), values=self.__dict__["_values"])

    def with_static(self, picked: Array, gone: IntArray, amplitude: Array) -> StressShapes:
        """Return those of the shapes H picked; those that are gone follow the drives of inertia by amplitude (g, c)."""
        own = self.columns[:, gone] @ amplitude
        smaller = self.transformed(picked)
        columns = np.hstack([smaller.columns[:, : smaller.n], smaller.columns[:, smaller.n :] + own])
        return replace(smaller, columns=columns, values=self.__dict__["_values"])

    def without_rigid_motion(self, motion: Array) -> StressShapes:
        """Return those of shapes less rigid motions (6, n), translations and rotations about the origin."""
        if not self.corrected:
            return self
        n, columns = self.n, self.columns.copy()
        columns[:, n + INERTIA :] -= columns[:, n : n + 6] @ motion
        return replace(self, columns=columns, values=self.__dict__["_values"])

    # where points are

    @cached_property
    def fibres(self) -> IntArray:
        """Points (f,) that are fibres of beams."""
        return np.flatnonzero(self.place < 0)

    def place_name(self, point: int) -> str:
        """Return the place of a point in words."""
        return place_name(int(self.place[point]))

    def of_element(self, number: int) -> IntArray:
        """Return the points of an element by its number."""
        return self._found(np.flatnonzero(self.element == number), f"element {number}")

    def at_node(self, number: int) -> IntArray:
        """Return the points at a node by its number."""
        return self._found(np.flatnonzero(self.node == number), f"node {number}")

    def _found(self, points: IntArray, what: str) -> IntArray:
        if not points.size:
            raise ModelError(
                f"{what} has no stresses among those kept with the body ({len(np.unique(self.element))} elements); "
                "springs, masses, couplings and sections given by constants have none, those of other elements are "
                "kept by floatframe reduce --stress all"
            )
        return points

    # values

    def stress(self, drive: Array, points: IntArray | None = None) -> Array:
        """Return stress tensors (..., k, 6) [Pa] at points (default: all) for drives (..., c)."""
        points = np.arange(len(self)) if points is None else np.asarray(points)
        rows = (6 * points[:, None] + np.arange(6)).reshape(-1)
        return self._products(rows, drive).reshape(*np.shape(drive)[:-1], len(points), 6)

    def strain(self, drive: Array, points: IntArray) -> Array:
        """Return strain tensors (..., k, 6), shear as half the change of the angle."""
        E, nu = self.elastic[points].T
        if np.isnan(E).any():
            k = points[int(np.flatnonzero(np.isnan(E))[0])]
            raise ModelError(
                f"element {self.element[k]} is not of one isotropic material, so that its strains do not follow from "
                "its stresses alone; ask for stress."
            )
        stress = self.stress(drive, points)
        trace = stress[..., :3].sum(axis=-1, keepdims=True) * np.array([1.0, 1.0, 1.0, 0.0, 0.0, 0.0])
        return np.asarray(((1.0 + nu)[:, None] * stress - nu[:, None] * trace) / E[:, None])

    def von_mises(self, drive: Array, points: IntArray | None = None) -> Array:
        """Return von Mises stresses (..., k) [Pa]; fibres of beams join the shear of their section on the safe side."""
        points = np.arange(len(self)) if points is None else np.asarray(points)
        stress = self.stress(drive, points)
        found = von_mises(stress)
        fibre = np.flatnonzero(self.place[points] < 0)
        if fibre.size:
            place = np.searchsorted(self.fibres, points[fibre])
            rows = 6 * len(self) + (3 * place[:, None] + np.arange(3)).reshape(-1)
            shear = self._products(rows, drive).reshape(*np.shape(drive)[:-1], fibre.size, 3)
            normal = stress[..., fibre, :3].sum(axis=-1)  # their trace
            found[..., fibre] = np.sqrt(normal**2 + 3.0 * joined_shear(shear) ** 2)
        return found

    def section_forces(self, drive: Array, element: int, name: str) -> tuple[IntArray, Array]:
        """Return node numbers (k,) of an element and a section force there (..., k), such as "Mz" [N m]."""
        if name not in self.names:
            raise ModelError(f"section force '{name}' is unknown; the body has {', '.join(self.names) or 'none'}.")
        chosen = (self.force_element == element) & (self.force_name == self.names.index(name))
        rows = self._found(np.flatnonzero(chosen), f"section force '{name}' of element {element}")
        first = 6 * len(self) + 3 * len(self.fibres)
        return self.force_node[rows], self._products(first + rows, drive)

    def _products(self, rows: IntArray, drive: Array) -> Array:
        drive = np.asarray(drive, dtype=float)
        c = self.columns.shape[1]
        if drive.shape[-1] not in (self.n, c):
            raise ModelError(f"stress shapes: {drive.shape[-1]} drives, expected {self.n} or {c}.")
        columns, values = self.columns[:, : drive.shape[-1]], self.values[rows]
        if drive.ndim == 1:
            return np.asarray(values @ (columns @ drive))
        return np.asarray(drive @ (values @ columns).T if len(drive) > c else (drive @ columns.T) @ values.T)

    # averages

    @cached_property
    def corners(self) -> tuple[IntArray, IntArray]:
        """First point (g,) of every element corner, whose places follow one another, and its node number (g,)."""
        new = np.r_[True, (np.diff(self.element) != 0) | (np.diff(self.node) != 0)] if len(self) else np.empty(0, bool)
        first = np.flatnonzero(new)
        return first, self.node[first]

    @cached_property
    def family(self) -> IntArray:
        """Number (p,) of what a point may be averaged with at its node: one wall or solid, beams with none.

        Older files do not say which walls meet at an angle; there all shells of one material are averaged.
        """
        if self.group is not None:
            return self.group
        _, material = np.unique(np.nan_to_num(self.elastic), axis=0, return_inverse=True)
        return np.where(self.place < 0, -1 - self.element, 2 * material.reshape(-1) + (self.place != SOLID))

    def nodal_von_mises(self, drive: Array) -> tuple[IntArray, Array]:
        """Return node numbers (k,) and their von Mises stresses (..., k) [Pa]: the largest of the families there.

        A family has the mean of its element corners, each at its worst place; an end of a beam is one by itself.
        """
        first, node = self.corners
        if not first.size:
            return node, np.empty((*np.shape(drive)[:-1], 0))
        worst = np.maximum.reduceat(self.von_mises(drive), first, axis=-1)
        keys, order, start, count = _groups(node, self.family[first])
        means = np.add.reduceat(worst[..., order], start, axis=-1) / count
        nodes, start = np.unique(keys[0], return_index=True)
        return nodes, np.maximum.reduceat(means, start, axis=-1)

    def nodal_points(self) -> NodalPoints:
        """Return stress tensors averaged over the elements of a family that meet at a node, for each place."""
        keys, order, start, count = _groups(self.node, self.place, self.family)
        stress = (self.values[: 6 * len(self)] @ self.columns).reshape(len(self), 6, -1)
        total = np.add.reduceat(stress[order], start, axis=0) if len(self) else stress
        return NodalPoints(keys[0], keys[1], total / count[:, None, None])


def _groups(*keys: IntArray) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Return distinct keys (n, g), an order that puts equal ones together, where each begins in it and its count."""
    rows = np.stack(keys)
    order = np.lexsort(rows[::-1])
    distinct, start, count = np.unique(rows[:, order], axis=1, return_index=True, return_counts=True)
    return distinct, order, start, count


@short_repr
@dataclass(frozen=True)
class NodalPoints:
    """Mean stress tensors at nodes: node (k,) numbers, place (k,) as in `StressShapes`, stress (k, 6, c) per drive.

    A node and place may stand there several times, once for every beam or material that meets others there.
    """

    node: IntArray
    place: IntArray
    stress: Array

    def __len__(self) -> int:
        """Return the number of points."""
        return len(self.node)

    def place_name(self, point: int) -> str:
        """Return the place of a point in words."""
        return place_name(int(self.place[point]))
