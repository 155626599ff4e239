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

from floatframe.arrays import Array, BoolArray, SparseMatrix
from floatframe.errors import ModelError
from floatframe.fem import assembly
from floatframe.fem.blocks import ElementBlock
from floatframe.fem.coats import displacements_alone
from floatframe.fem.couplings import RBE2, dependency_matrix
from floatframe.fem.dofs import components
from floatframe.fem.elements import arm_stiffness


def geometric_stiffness(fe: assembly.ElementModel, u: Array) -> SparseMatrix:
    """Return K_G over all existing dofs, before couplings are eliminated, for nodal displacements u (nnode, 6)."""
    u = np.asarray(u, dtype=float)
    if u.shape != (fe.nnode, 6):
        raise ModelError(f"displacement has shape {u.shape}, expected ({fe.nnode}, 6): one row for each node.")
    pattern = assembly.Pattern.of(fe, [block.connectivity for block in fe.blocks])
    matrix = assembly.summed(
        pattern, [_group(fe, block, coat, u) for block, coat in zip(fe.blocks, fe.coats, strict=True)]
    )
    arms = RigidArms(fe)
    return csc_array(matrix + arms.matrix(u)) if arms else matrix


@dataclass(frozen=True)
class RigidArms:
    """The rigid couplings (RBE2) of a model in which at least one translation follows; false if there are none."""

    fe: assembly.ElementModel

    def __bool__(self) -> bool:
        return bool(self._couplings)

    def turning(self, u: Array) -> Iterator[tuple[int, Array]]:
        """Yield reference nodes (rows) and their stiffness (3, 3) against turning for displacements u (nnode, 6)."""
        force = self._forces(u)
        for coupling in self._couplings:
            reference = int(self.fe.node_index(coupling.reference)[0])
            ends = self.fe.node_index(coupling.dependents)
            follows = np.isin(np.arange(3), components(coupling.components))
            arms = self.fe.nodes[ends] - self.fe.nodes[reference]
            yield reference, arm_stiffness(force[ends, :3] * follows, arms).sum(axis=0)

    def matrix(self, u: Array) -> SparseMatrix:
        """Return the same over all existing dofs."""
        table = self.fe.dof_table
        found = [(table.equation[6 * node + np.arange(3, 6)], block) for node, block in self.turning(u)]
        rows = np.concatenate([np.repeat(place, 3) for place, _ in found])
        columns = np.concatenate([np.tile(place, 3) for place, _ in found])
        values = np.concatenate([block.ravel() for _, block in found])
        return csc_array((values, (rows, columns)), shape=(table.size, table.size))

    @cached_property
    def _couplings(self) -> list[RBE2]:
        rigid = [coupling for coupling in self.fe.couplings if isinstance(coupling, RBE2)]
        return [coupling for coupling in rigid if min(components(coupling.components)) < 3]

    @cached_property
    def _stiffness_and_dependency(self) -> tuple[SparseMatrix, csr_array]:
        return assembly.assemble(self.fe, "stiffness"), dependency_matrix(self.fe, self.fe.couplings)[1]

    def _forces(self, u: Array) -> Array:
        """Return the forces (nnode, 6) that the nodes resist with, those handed on by couplings included."""
        K, D = self._stiffness_and_dependency
        handed = force = K @ u.ravel()[self.fe.dof_table.slots]
        while handed.any():
            # a dependent dof hands its force on to those it follows
            handed = D.T @ handed
            force = force + handed
        at_nodes = np.zeros(6 * self.fe.nnode)
        at_nodes[self.fe.dof_table.slots] = force
        return at_nodes.reshape(-1, 6)


def _group(fe: assembly.ElementModel, block: ElementBlock, coat: BoolArray, u: Array) -> assembly.Group:
    def matrices() -> Iterator[tuple[slice, Array]]:
        for part, batch in fe.batches(block):
            local = u[block.connectivity[part], : block.element.dof_per_node].reshape(batch.size, -1)
            found = block.element.geometric_stiffness(batch, local)
            if found is not None:
                if coat[part].any():
                    found = displacements_alone(displacements_alone(found, coat[part]).swapaxes(1, 2), coat[part])
                yield part, found

    return assembly.Group(block.connectivity, matrices())
