"""Geometric stiffness: how the stresses of a linear state stiffen or soften a model against further motion.

K_G(u) is the matrix of ∫ σ(u):η(v, v) over the model, with the stresses σ that displacements u cause by linear theory
and the part η of the strain that is quadratic in the motion v (η_ij = v_k,i v_k,j in solids). It is linear in u and
symmetric; tension stiffens. Rigid arms that carry forces, as those of RBE2, take part; averaging couplings and general
constraints hold to first order only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csc_array, csr_array

from floatframe.arrays import Array, IntArray, SparseMatrix
from floatframe.errors import ModelError
from floatframe.fem import assembly
from floatframe.fem.blocks import ElementBlock
from floatframe.fem.couplings import RBE2, dependency_matrix
from floatframe.fem.dofs import components
from floatframe.fem.elements._arms import arm_stiffness


def geometric_stiffness(fe: assembly.ElementModel, u: Array) -> SparseMatrix:
    """Return K_G over all existing freedoms, before couplings are eliminated, for nodal displacements u (nnode, 6)."""
    u = np.asarray(u, dtype=float)
    if u.shape != (fe.nnode, 6):
        raise ModelError(f"displacement has shape {u.shape}, expected ({fe.nnode}, 6): one row for each node.")
    return GeometricAssembly(fe).matrix(u)


@dataclass(frozen=True)
class GeometricAssembly:
    """What the geometric stiffnesses of many states of one model share."""

    fe: assembly.ElementModel

    def matrix(self, u: Array) -> SparseMatrix:
        """Return K_G over all existing freedoms for nodal displacements u (nnode, 6)."""
        matrix = assembly.summed(self._pattern, [_group(self.fe, block, u) for block in self.fe.blocks])
        return matrix if not self._arms else csc_array(matrix + self._of_arms(u))

    @cached_property
    def _pattern(self) -> assembly.Pattern:
        return assembly.Pattern.of(self.fe, [block.connectivity for block in self.fe.blocks])

    @cached_property
    def _arms(self) -> list[RBE2]:
        """Rigid couplings of which at least one translation follows."""
        rigid = [coupling for coupling in self.fe.couplings if isinstance(coupling, RBE2)]
        return [coupling for coupling in rigid if min(components(coupling.components)) < 3]

    @cached_property
    def _stiffness_and_dependency(self) -> tuple[SparseMatrix, csr_array]:
        return assembly.assemble(self.fe, "stiffness"), dependency_matrix(self.fe, self.fe.couplings)[1]

    def _of_arms(self, u: Array) -> SparseMatrix:
        """Return what forces at the ends of rigid arms add to the turning of their reference nodes."""
        K, D = self._stiffness_and_dependency
        table = self.fe.dof_table
        handed = force = K @ u.ravel()[table.slots]
        while handed.any():
            # a dependent freedom hands its force on to those it follows
            handed = D.T @ handed
            force = force + handed
        at_slots = np.zeros(6 * self.fe.nnode)
        at_slots[table.slots] = force
        rows, columns, values = [], [], []
        for coupling in self._arms:
            reference = int(self.fe.node_index(coupling.reference)[0])
            block = _turning(self.fe, coupling, reference, at_slots.reshape(-1, 6))
            place: IntArray = table.equation[6 * reference + np.arange(3, 6)]
            rows.append(np.repeat(place, 3))
            columns.append(np.tile(place, 3))
            values.append(block.ravel())
        entries = np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))
        return csc_array(entries, shape=(table.size, table.size))


def _group(fe: assembly.ElementModel, block: ElementBlock, u: Array) -> assembly.Group:
    def matrices() -> Iterator[tuple[slice, Array]]:
        for part, batch in block.batches(fe.nodes):
            local = u[block.connectivity[part], : block.element.dof_per_node].reshape(batch.size, -1)
            found = block.element.geometric_stiffness(batch, local)
            if found is not None:
                yield part, found

    return assembly.Group(block.connectivity, matrices())


def _turning(fe: assembly.ElementModel, coupling: RBE2, reference: int, force: Array) -> Array:
    """Return the stiffness (3, 3) of a rigid coupling's arms against turning under nodal forces (nnode, 6)."""
    ends = fe.node_index(coupling.dependents)
    follows = np.isin(np.arange(3), components(coupling.components))
    return np.asarray(arm_stiffness(force[ends, :3] * follows, fe.nodes[ends] - fe.nodes[reference]).sum(axis=0))
