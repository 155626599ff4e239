"""Share of every body in the energy of a motion."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import AnyArray, Array
from floatframe.hybrid.assembly import CompiledSystem, State
from floatframe.hybrid.compile import matrices_start
from floatframe.hybrid.kernels import Tables
from floatframe.hybrid.studies.element_forces import evaluation
from floatframe.hybrid.studies.tangent import elastic_matrices


def body_energies(
    system: CompiledSystem, tables: Tables, state: State, shapes: AnyArray, eigenvalues: AnyArray
) -> tuple[Array, Array]:
    """Share of the bodies in the kinetic energy (nbody, k) of shapes (nv, k), and their strain energy over it."""
    bodies, K = range(len(system.model.bodies)), elastic_matrices(system)[0]
    kinetic = np.array([_form(body_mass_matrix(system, tables, state, b), shapes) for b in bodies])
    strain = np.zeros_like(kinetic)
    for body, number in system.index.flexible_of.items():
        record = tables.flexible[number]
        own = np.zeros_like(K)
        span = slice(int(record["iv"]), int(record["iv"] + record["n"]))
        own[span, span] = K[span, span]
        strain[body] = _form(own, shapes)
    total = kinetic.sum(axis=0)
    total = np.where(total > 0.0, total, 1.0)
    moving = np.abs(eigenvalues) ** 2 * total
    return kinetic / total, np.divide(strain, moving, out=np.zeros_like(strain), where=moving > 0.0)


def body_mass_matrix(system: CompiledSystem, tables: Tables, state: State, body: int) -> Array:
    """The part (nv, nv) of the mass matrix of one body: that of the system if the others weigh nothing."""
    from floatframe.hybrid.kernels import MASS

    links, flexible, pool = tables.links.copy(), tables.flexible.copy(), np.zeros_like(tables.pool)
    others = np.arange(len(links)) != system.index.tree.carriers[body].link
    for name in ("mass", "moment", "inertia"):
        links[name][others] = 0.0
    number = system.index.flexible_of.get(body, -1)
    flexible["mass"][np.arange(len(flexible)) != number] = 0.0
    if number >= 0:
        record = flexible[number]
        n, first = int(record["n"]), int(record["constants"])
        own = slice(first, first + matrices_start(n) + 3 * (n if record["diagonal"] else n * n))
        pool[own] = tables.pool[own]
    alone = tables._replace(links=links, flexible=flexible, pool=pool)
    return np.array(evaluation(system, alone, state)(state.t, state.q, MASS).M)


def _form(A: Array, shapes: AnyArray) -> Array:
    """Real values of x^H A x (k,) for the columns of shapes, over the coordinates A has."""
    own = np.flatnonzero(A.any(axis=0))
    part = shapes[own]
    return np.asarray(np.einsum("ik,ij,jk->k", part.conj(), A[np.ix_(own, own)], part).real)
