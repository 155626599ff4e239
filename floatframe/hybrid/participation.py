"""Share of every body in the energy of a motion."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import AnyArray, Array
from floatframe.hybrid.layout import Tables
from floatframe.hybrid.state import State
from floatframe.hybrid.system import System
from floatframe.hybrid.tangent import elastic_matrices, evaluation


def body_energies(
    system: System, tables: Tables, state: State, shapes: AnyArray, eigenvalues: AnyArray
) -> tuple[Array, Array]:
    """Share of the bodies in the kinetic energy (nbody, k) of shapes (nv, k), and their strain energy over it."""
    bodies, K = range(len(system.model.bodies)), elastic_matrices(system)[0]
    kinetic = np.array([_form(body_mass_matrix(system, tables, state, b), shapes) for b in bodies])
    strain = np.zeros_like(kinetic)
    for body, number in system.names.flexible_of.items():
        record = tables.flexible[number]
        own = np.zeros_like(K)
        span = slice(int(record["iv"]), int(record["iv"] + record["n"]))
        own[span, span] = K[span, span]
        strain[body] = _form(own, shapes)
    total = kinetic.sum(axis=0)
    total = np.where(total > 0.0, total, 1.0)
    moving = np.abs(eigenvalues) ** 2 * total
    return kinetic / total, np.divide(strain, moving, out=np.zeros_like(strain), where=moving > 0.0)


def body_mass_matrix(system: System, tables: Tables, state: State, body: int) -> Array:
    """The part (nv, nv) of the mass matrix that one body contributes."""
    from floatframe.hybrid._kernels_system import MASS

    links = tables.links.copy()
    others = np.ones(len(links), dtype=bool)
    others[system.names.tree.carriers[body].link] = False
    for name in ("mass", "moment", "inertia"):
        links[name][others] = 0.0
    number = system.names.flexible_of.get(body)
    flexible = tables.flexible[[] if number is None else [number]]
    # markers and what hangs on them would look for the bodies left out
    alone = tables._replace(
        links=links,
        flexible=flexible,
        markers=tables.markers[:0],
        coordinates=tables.coordinates[:0],
        rows=tables.rows[:0],
        forces=tables.forces[:0],
    )
    return evaluation(system, alone, state)(state.t, state.q, MASS).M


def _form(A: Array, shapes: AnyArray) -> Array:
    """Real values of x^H A x (k,) for the columns of shapes, over the coordinates A has."""
    own = np.flatnonzero(A.any(axis=0))
    part = shapes[own]
    return np.asarray(np.einsum("ik,ij,jk->k", part.conj(), A[np.ix_(own, own)], part).real)
