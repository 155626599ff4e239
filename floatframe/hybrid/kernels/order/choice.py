"""Whether a system is solved along its tree or by dense equations."""

from __future__ import annotations

import numpy as np

from floatframe.hybrid.kernels.layout import FREE, PRISMATIC, REVOLUTE, SCREW, Tables
from floatframe.hybrid.kernels.order.elimination import Elimination, elimination

FEWEST = 12  # dofs and rows below which dense equations are always as fast
THIN = 1e-9  # share of its largest moment of inertia below which a body does not resist turning about some axis
# arithmetic operations, about, of a link, of a dof or row without open rows, of a coefficient of a row; and what one of
# a dense factorisation costs, which are done several at a time
EACH_LINK, EACH_DOF, EACH_COEFFICIENT, DENSE_SHARE = 350.0, 90.0, 30.0, 0.25


def order_of(tables: Tables) -> Elimination | None:
    """The order of a system, None if its dense equations are faster or may have to be solved with pivoting."""
    if is_open_tree(tables):
        return elimination(tables)
    if len(tables.dofs) + len(tables.rows) < FEWEST or not _solid(tables):
        return None
    order = elimination(tables)
    return order if tree_like_flops(order) < dense_flops(tables) else None


def is_open_tree(tables: Tables) -> bool:
    """Whether a system consists of rigid links without constraint rows."""
    return len(tables.rows) == 0 and len(tables.flexible) == 0


def _solid(tables: Tables) -> bool:
    """Whether every joint of the tree carries mass that resists whatever its dofs do."""
    carries = set(tables.flexible["link"].tolist())
    for i in range(len(tables.links) - 1, 0, -1):
        link = tables.links[i]
        if i not in carries and link["nv"] > 0 and not _resists(link):
            return False
        if i in carries or link["mass"] > 0.0:
            carries.add(int(link["parent"]))
    return True


def _resists(link: np.void) -> bool:
    """Whether a link that carries no other one resists the dofs of its joint: about z, or in all directions."""
    m, s, J = float(link["mass"]), link["moment"], link["inertia"]
    if m <= 0.0:
        return False
    if link["kind"] in (REVOLUTE, SCREW):
        return bool(J[2, 2] > THIN * np.abs(J).max())
    if link["kind"] == FREE:
        J = J - (float(s @ s) * np.eye(3) - np.outer(s, s)) / m
    return bool(link["kind"] == PRISMATIC or np.linalg.eigvalsh(J)[0] > THIN * np.abs(link["inertia"]).max())


def tree_like_flops(order: Elimination) -> float:
    """What a factorisation along the tree costs, about, with loops and flexible bodies too."""
    m, stay = order.fronts["count"], order.fronts["count"] - order.fronts["closing"]
    dofs = order.fronts["nv"] * (EACH_DOF + 14 * stay + stay * (stay + 1))
    modes = order.fronts["modes"] * (EACH_DOF + 12 * m + m * (m + 1))
    near = order.steps["count"]
    rows = EACH_DOF + 13 * near + near * (near + 1)
    coefficients = EACH_COEFFICIENT * (order.steps["last"] - order.steps["first"]) / 2
    return float(EACH_LINK * len(m) + dofs.sum() + modes.sum() + rows.sum() + coefficients.sum())


def dense_flops(tables: Tables) -> float:
    """What the mass matrix, the Jacobian and their dense factorisation cost, about, in the same units."""
    depth = np.zeros(len(tables.links))
    for i in range(1, len(depth)):
        depth[i] = depth[int(tables.links[i]["parent"])] + tables.links[i]["nv"]
    of_links = float((tables.links["nv"] * depth).sum())
    of_modes = float((tables.flexible["n"] * depth[tables.flexible["link"]]).sum())
    between = tables.rows[tables.rows["a"] >= 0]
    of_rows = sum(float(depth[tables.markers[between[side]]["link"]].sum()) for side in ("a", "b"))
    apart = int(tables.flexible["n"].sum()) if np.all(tables.flexible["diagonal"] == 1) else 0
    rest = len(tables.dofs) + len(tables.rows) - apart
    factor = DENSE_SHARE * (2.0 / 3.0 * rest**3 + 2.0 * apart * rest**2)
    return factor + EACH_COEFFICIENT * (of_links + of_rows + 0.5 * of_modes)
