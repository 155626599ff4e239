"""The six forms of the equations of motion of a tree of rigid bodies after Shimanovskiy (2024).

1, 2, 3 give accelerations: extended with reactions, of the second kind, of the first kind with multipliers. 4, 5, 6 are
their counterparts in momenta p = Aᵀ Tᵀ M v, with the same matrices, and give speeds and the rates of p.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg

from floatframe.arrays import Array, short_repr
from floatframe.equations.tree_matrices import TreeMatrices, driven_coordinates, tree_matrices
from floatframe.errors import ModelError
from floatframe.hybrid import State, System


@short_repr
@dataclass(frozen=True)
class Equations:
    """One form at a state: its linear system, and what follows from it.

    matrix, right_side, unknowns: of the linear system of the form. speeds, accelerations (nv,): of the system, with
    those that follow the time; body_accelerations (N, 6): rates of the twists in body axes; reactions (N, 6): wrench of
    its joint, drives included, on every body at its origin, in body axes; momenta p and momentum_rates ṗ (n,).
    """

    form: int
    matrix: Array
    right_side: Array
    unknowns: Array
    speeds: Array
    accelerations: Array
    body_accelerations: Array
    reactions: Array
    momenta: Array
    momentum_rates: Array


def equations(system: System, state: State, form: int = 2) -> Equations:
    """The equations of motion of a system of rigid bodies at a state, in one of six forms.

    Parameters
    ----------
    system
        A tree of joints; coordinates may follow the time, loops are refused.
    state
        Where the equations are taken; forms 4, 5 and 6 begin with the momenta of its speeds.
    form
        1 Cartesian accelerations, reactions and joint accelerations; 2 Lagrange's of the second kind; 3 of the first
        kind; 4 Hamilton's, extended; 5 Hamilton's; 6 with multipliers of momenta.
    """
    if form not in FORMS:
        raise ModelError(f"equations: form {form!r} does not exist; expected 1, 2, 3, 4, 5 or 6")
    tree = tree_matrices(system, state)
    driven, speeds, accelerations = driven_coordinates(system, state)
    momenta = tree.A.T @ tree.T.T @ tree.M @ tree.twists
    try:
        matrix, right_side = FORMS[form](tree, momenta)
        unknowns = linalg.solve(matrix, right_side, assume_a="sym")
    except linalg.LinAlgError as error:
        raise ModelError(
            f"equations: the matrix of form {form} is singular; a body without mass moves by itself, or a joint has "
            "two axes in one line"
        ) from error
    own_speeds, own_accelerations, rates = (_accelerated if form < 4 else _momentous)(form, tree, unknowns, momenta)
    twist_rates = tree.T @ (tree.A @ own_accelerations + tree.bias)
    reactions = tree.T.T @ (tree.M @ twist_rates - tree.gyroscopic)
    all_speeds, all_accelerations = np.empty(system.nv), np.empty(system.nv)
    all_speeds[tree.free], all_speeds[driven] = own_speeds, speeds
    all_accelerations[tree.free], all_accelerations[driven] = own_accelerations, accelerations
    if form == 1:
        n = len(tree.M)
        twist_rates, reactions = unknowns[:n], unknowns[n : 2 * n]
    elif form == 3:
        n = len(tree.M)
        twist_rates, reactions = unknowns[:n], tree.Z @ unknowns[n:] + tree.along @ tree.drives
    return Equations(
        form=form,
        matrix=matrix,
        right_side=right_side,
        unknowns=unknowns,
        speeds=all_speeds,
        accelerations=all_accelerations,
        body_accelerations=twist_rates.reshape(-1, 6),
        reactions=reactions.reshape(-1, 6),
        momenta=momenta,
        momentum_rates=rates,
    )


def speeds_of_momenta(tree: TreeMatrices, momenta: ArrayLike, form: int = 5) -> tuple[Array, Array]:
    """The unknown speeds (n,) and the composite momenta p* (6N,) that belong to momenta p (n,), by form 4, 5 or 6."""
    p = np.asarray(momenta, dtype=float)
    matrix, right_side = FORMS[form](tree, p)
    return _speeds(form, tree, linalg.solve(matrix, right_side, assume_a="sym"), p)


def momentum_rates(tree: TreeMatrices, composite: Array) -> Array:
    """ṗ (n,) = (Ȧᵀ − Aᵀ Ω) p* + Aᵀ Tᵀ Fᵃ and the drives."""
    own = (tree.A_rate.T - tree.A.T @ tree.Omega) @ composite
    return own + tree.A.T @ tree.T.T @ tree.loads + tree.drives


def _extended(tree: TreeMatrices) -> Array:
    """[[M, −Sᵀ, 0], [−S, 0, A], [0, Aᵀ, 0]]."""
    m, n = tree.A.shape
    zero = np.zeros((m, n))
    return np.block(
        [[tree.M, -tree.S.T, zero], [-tree.S, np.zeros((m, m)), tree.A], [zero.T, tree.A.T, np.zeros((n, n))]]
    )


def _bordered(tree: TreeMatrices) -> Array:
    """[[M, −Sᵀ Z], [−Zᵀ S, 0]]."""
    border = -tree.S.T @ tree.Z
    return np.block([[tree.M, border], [border.T, np.zeros((border.shape[1], border.shape[1]))]])


def _form_1(tree: TreeMatrices, momenta: Array) -> tuple[Array, Array]:
    return _extended(tree), np.concatenate((tree.gyroscopic, -tree.bias, tree.drives))


def _form_2(tree: TreeMatrices, momenta: Array) -> tuple[Array, Array]:
    return tree.mass, tree.force


def _form_3(tree: TreeMatrices, momenta: Array) -> tuple[Array, Array]:
    force = tree.gyroscopic + tree.S.T @ (tree.along @ tree.drives)
    return _bordered(tree), np.concatenate((force, -tree.Z.T @ tree.bias))


def _form_4(tree: TreeMatrices, momenta: Array) -> tuple[Array, Array]:
    return _extended(tree), np.concatenate((np.zeros(len(tree.M)), -tree.driven, momenta))


def _form_5(tree: TreeMatrices, momenta: Array) -> tuple[Array, Array]:
    return tree.mass, momenta - tree.A.T @ tree.T.T @ tree.M @ tree.T @ tree.driven


def _form_6(tree: TreeMatrices, momenta: Array) -> tuple[Array, Array]:
    return _bordered(tree), np.concatenate((tree.S.T @ (tree.along @ momenta), -tree.Z.T @ tree.driven))


FORMS: dict[int, Callable[[TreeMatrices, Array], tuple[Array, Array]]] = {
    1: _form_1,
    2: _form_2,
    3: _form_3,
    4: _form_4,
    5: _form_5,
    6: _form_6,
}


def _momentum_bias(tree: TreeMatrices, composite: Array) -> Array:
    """ṗ (n,) less the mass matrix times the unknown accelerations: p = Aᵀ Tᵀ M v differentiated."""
    carried = tree.T.T @ (tree.Omega @ tree.M @ tree.twists + tree.M @ tree.T @ tree.bias)
    return tree.A_rate.T @ composite + tree.A.T @ (carried - tree.Omega @ composite)


def _accelerated(form: int, tree: TreeMatrices, unknowns: Array, momenta: Array) -> tuple[Array, Array, Array]:
    """Unknown speeds, accelerations and rates of momenta of forms 1, 2, 3."""
    m = len(tree.M)
    if form == 3:
        accelerations = tree.along.T @ (tree.S @ unknowns[:m] - tree.bias)
    else:
        accelerations = unknowns[2 * m :] if form == 1 else unknowns
    composite = tree.T.T @ tree.M @ tree.twists
    speeds = tree.along.T @ (tree.S @ tree.twists - tree.driven)
    return speeds, accelerations, tree.mass @ accelerations + _momentum_bias(tree, composite)


def _momentous(form: int, tree: TreeMatrices, unknowns: Array, momenta: Array) -> tuple[Array, Array, Array]:
    """Unknown speeds, accelerations and rates of momenta of forms 4, 5, 6."""
    speeds, composite = _speeds(form, tree, unknowns, momenta)
    rates = momentum_rates(tree, composite)
    accelerations = linalg.solve(tree.mass, rates - _momentum_bias(tree, composite), assume_a="pos")
    return speeds, accelerations, rates


def _speeds(form: int, tree: TreeMatrices, unknowns: Array, momenta: Array) -> tuple[Array, Array]:
    """Unknown speeds and composite momenta of forms 4, 5, 6."""
    m = len(tree.M)
    if form == 4:
        return unknowns[2 * m :], unknowns[m : 2 * m]
    if form == 5:
        return unknowns, tree.T.T @ tree.M @ tree.T @ (tree.A @ unknowns + tree.driven)
    return tree.along.T @ (tree.S @ unknowns[:m] - tree.driven), tree.Z @ unknowns[m:] + tree.along @ momenta
