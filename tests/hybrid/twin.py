"""A slow twin of the kernels in plain NumPy, written from the theory.

Only poses are programmed: links as products of 4 x 4 matrices, nodes of flexible bodies by their shapes, constraint
rows by what they mean. Everything else is derivatives. The system is moved from its state along x (nv,), the chart of
`System.move`; first derivatives by x are complex steps and exact to rounding, further ones are central differences of
sixth order. At x = 0 the chart's x'' is the acceleration of the velocity coordinates, because the rotation vector of a
motion at constant spin is that spin times time; so Lagrange's equations in x are those of the system.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from floatframe.hybrid.kernels.layout import (
    ANGLE,
    COINCIDE,
    DISPLACEMENT,
    DISTANCE,
    FIXED,
    FREE,
    IN_PLANE,
    PERPENDICULAR,
    PRISMATIC,
    RELATION,
    REVOLUTE,
    SCREW,
    SPHERICAL,
    TREE_COORDINATE,
)
from floatframe.modal.body.geometric_terms import PRODUCTS

TINY = 1e-30  # complex step
STEP = 1e-2  # of the differences: truncated at STEP^6, rounded at 1e-16 / STEP


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def vee(A):
    """The vector of the antisymmetric part of A (3, 3)."""
    return 0.5 * np.array([A[2, 1] - A[1, 2], A[0, 2] - A[2, 0], A[1, 0] - A[0, 1]])


def pose(p, R):
    T = np.eye(4, dtype=complex)
    T[:3, :3], T[:3, 3] = R, p
    return T


def attitude(quaternion):
    """Rotation of a quaternion w, x, y, z of length one, which may be complex."""
    w, *v = quaternion
    V = skew(v)
    return np.eye(3) + 2.0 * w * V + 2.0 * V @ V


def sine_quotient(square):
    """sin(r)/r for r^2 = square, which may be complex."""
    r = np.sqrt(square + 0j)
    return np.sin(r) / r if abs(r) > 1e-3 else 1.0 - square / 6.0 + square**2 / 120.0 - square**3 / 5040.0


def exponential(t):
    """Rotation (3, 3) of a rotation vector t: E + sin r/r t~ + 1/2 (sin(r/2)/(r/2))^2 t~ t~."""
    square, T = t @ t, skew(t)
    return np.eye(3) + sine_quotient(square) * T + 0.5 * sine_quotient(square / 4.0) ** 2 * T @ T


def turned(quaternion, t):
    """A quaternion w, x, y, z times that of the rotation vector t."""
    square = t @ t / 4.0
    w, v = np.cos(np.sqrt(square + 0j)), 0.5 * sine_quotient(square) * t
    w0, v0 = quaternion[0], quaternion[1:]
    vector = w0 * v + w * v0 + np.array(skew(v0) @ v)
    return np.concatenate(([w0 * w - v0 @ v], vector))


def difference(function: Callable[[float], np.ndarray], step: float = STEP) -> np.ndarray:
    """Derivative at zero, sixth order."""
    near, far, farther = (function(k * step) - function(-k * step) for k in (1, 2, 3))
    return (45.0 * near - 9.0 * far + farther) / (60.0 * step)


def moments_of_constants(J, w):
    """Inertia (6 + n, 6 + n) of a deformed body by its nine constants: origin, spin, modal speeds, body axes."""
    s = J.rho + J.H @ w
    rotary = J.rhorho - np.einsum("ipq,i->pq", J.rhoh + np.swapaxes(J.rhoh, 1, 2), w)
    rotary = rotary - np.einsum("ijpq,i,j->pq", J.hh, w, w)
    coupling = J.rhoH + np.einsum("ipj,i->pj", J.hH, w)
    top = np.hstack((J.m * np.eye(3), -skew(s), J.H))
    middle = np.hstack((skew(s), rotary, coupling))
    return np.vstack((top, middle, np.hstack((J.H.T, coupling.T, J.HH))))


def moments_of_nodes(body, w):
    """The same by the sum over the nodes of a ReducedBody: each moves, turns with the body and turns by its shapes."""
    n = body.nmode
    total = np.zeros((6 + n, 6 + n), dtype=np.result_type(w, float))
    for k in range(body.nnode):
        H = body.shapes[6 * k : 6 * k + 6]
        u = body.nodes[k] + H[:3] @ w
        velocity = np.hstack((np.eye(3), -skew(u), H[:3]))
        spin = np.hstack((np.zeros((3, 3)), np.eye(3), H[3:]))
        total = total + body.nodal_mass[k] * velocity.T @ velocity + spin.T @ body.nodal_inertia[k] @ spin
    return total


class Twin:
    """The twin of a compiled system at one state.

    `moments(body number, w)` gives the inertia of flexible bodies, by default that of their constants.
    """

    def __init__(self, system, state, moments=None):
        self.system, self.state, self.tables = system, state, system.tables
        self.moments = moments or self._constants
        self.rigid = []
        for i, link in enumerate(self.tables.links):
            if link["mass"] > 0.0:
                s = skew(link["moment"])
                self.rigid.append((i, np.block([[link["mass"] * np.eye(3), -s], [s, link["inertia"]]]), []))

    def _constants(self, body, w):
        """By the nine constants, with the generalised mass the body carries and its second-order terms.

        h_i x h_j is antisymmetric; what consistent masses of beams leave besides is no inertia.
        """
        reduced = self.system.model.bodies[body].reduced
        J = reduced.inertia
        total = moments_of_constants(replace(J, HH=reduced.mass, hH=0.5 * (J.hH - np.transpose(J.hH, (2, 1, 0)))), w)
        if reduced.geometric is not None and self.system.model.bodies[body].stiffening in ("auto", "full"):
            # in steady rotation the energy 1/2 spin^T J spin loses 1/2 w^T G w for each product of spins
            for (p, q), G in zip(PRODUCTS, reduced.geometric.centrifugal, strict=True):
                total[3 + p, 3 + q] -= 0.5 * w @ G @ w
                total[3 + q, 3 + p] -= 0.5 * w @ G @ w
        return total

    # positions

    def moved(self, x):
        """Coordinates (nq,) after the motion x (nv,), real or complex."""
        q = np.array(self.state.q, dtype=complex)
        for link in self.tables.links[1:]:
            iq, iv, nv = int(link["iq"]), int(link["iv"]), int(link["nv"])
            if link["kind"] == FREE:
                q[iq : iq + 3] += x[iv : iv + 3]
                iq, iv, nv = iq + 3, iv + 3, 3
            if link["kind"] in (FREE, SPHERICAL):
                q[iq : iq + 4] = turned(q[iq : iq + 4], x[iv : iv + 3])
            else:
                q[iq : iq + nv] += x[iv : iv + nv]
        for body in self.tables.flexible:
            q[body["iq"] : body["iq"] + body["n"]] += x[body["iv"] : body["iv"] + body["n"]]
        return q

    def links(self, q):
        """Pose (4, 4) of every link."""
        poses = [np.eye(4, dtype=complex)]
        for link in self.tables.links[1:]:
            own = q[link["iq"] :]
            p, R = np.zeros(3), np.eye(3)
            kind = link["kind"]
            if kind in (REVOLUTE, SCREW):
                c, s = np.cos(own[0]), np.sin(own[0])
                R = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
                p = np.array([0, 0, link["pitch"] * own[0] if kind == SCREW else 0])
            elif kind == PRISMATIC:
                p = np.array([0, 0, own[0]])
            elif kind == SPHERICAL:
                R = attitude(own[:4])
            elif kind == FREE:
                p, R = own[:3], attitude(own[3:7])
            else:
                assert kind == FIXED
            poses.append(poses[link["parent"]] @ pose(link["position"], link["rotation"]) @ pose(p, R))
        return poses

    def markers(self, q):
        """Pose (4, 4) of every marker; nodes turn by the exponential of their rotation vector."""
        poses = self.links(q)
        found = []
        for number, marker in enumerate(self.tables.markers):
            local = pose(marker["position"], marker["rotation"])
            if marker["flexible"] >= 0:
                body = self.tables.flexible[marker["flexible"]]
                shapes = self.tables.pool[marker["shapes"] :][: 6 * body["n"]].reshape(6, -1)
                w = q[body["iq"] : body["iq"] + body["n"]]
                owner, node, how = next(key[:3] for key, k in self.system.index.numbers.markers.items() if k == number)
                u = shapes @ w - 0.5 * self.second_order(owner, node, how == "seen") @ w @ w
                local = pose(marker["position"] + u[:3], exponential(u[3:]) @ marker["rotation"])
            found.append(poses[marker["link"]] @ local)
        return found

    def second_order(self, body, node, seen):
        """Matrices (6, n, n) of the second-order motion of a node of body number `body`; zero if it has none.

        The dofs of the interface have theirs; the body between them is seen to follow with the least strain energy,
        which is a linear problem with the forces at the interface as multipliers.
        """
        description = self.system.model.bodies[body]
        reduced = description.reduced
        n = reduced.nmode
        if reduced.geometric is None or description.stiffening == "off":
            return np.zeros((6, n, n))
        if not seen:
            G = np.zeros((6, n, n))
            for (owner, component), matrix in zip(reduced.interface, reduced.geometric.interface, strict=True):
                if owner == node:
                    G[component] = matrix
            return G
        held = np.array([self.motions(reduced, owner)[component] for owner, component in reduced.interface])
        k, size = len(held), np.append(np.sqrt(np.diag(reduced.stiffness)), np.ones(6))  # shapes of unit energy
        energy = np.zeros((n + 6, n + 6))
        energy[:n, :n] = reduced.stiffness / np.outer(size[:n], size[:n])
        balance = np.block([[energy, (held / size).T], [held / size, np.zeros((k, k))]])
        unit = np.linalg.solve(balance, np.eye(n + 6 + k)[:, n + 6 :])[: n + 6] / size[:, None]
        return np.einsum("pc,cs,sij->pij", self.motions(reduced, node), unit, reduced.geometric.interface)

    @staticmethod
    def motions(reduced, node):
        """Motion (6, n + 6) of a node in the shapes and in six rigid motions about the origin."""
        row = list(reduced.node_ids).index(node)
        rigid = np.block([[np.eye(3), -skew(reduced.nodes[row])], [np.zeros((3, 3)), np.eye(3)]])
        return np.hstack((reduced.shapes[6 * row : 6 * row + 6], rigid))

    # inertia

    def bodies(self, x):
        """Pairs (link, inertia (6 + n, 6 + n), modal dofs) of everything that has mass, at the motion x."""
        q = self.moved(x) if len(self.tables.flexible) else None
        yield from self.rigid
        for body, number in self.system.index.flexible_of.items():
            record = self.tables.flexible[number]
            w = q[record["iq"] : record["iq"] + record["n"]].real
            modal = list(range(record["iv"], record["iv"] + record["n"]))
            yield record["link"], self.moments(body, w), modal

    def twists(self, x, direction):
        """Velocity over angular velocity (6,) of every link in its own axes, for the speed `direction` of x."""
        found = []
        for T in self.links(self.moved(x + 1j * TINY * direction)):
            R, rate = T[:3, :3].real, T.imag / TINY
            found.append(np.concatenate((R.T @ rate[:3, 3], vee(R.T @ rate[:3, :3]))))
        return found

    def mass_matrix(self, x=None):
        """Sum of J^T I J over all bodies (nv, nv), J by the chart coordinates x."""
        nv = self.system.nv
        x = np.zeros(nv) if x is None else x
        twists = np.array([self.twists(x, e) for e in np.eye(nv)])  # (nv, nlink, 6)
        M = np.zeros((nv, nv))
        for link, inertia, modal in self.bodies(x):
            J = np.vstack((twists[:, link].T, np.eye(nv)[modal]))
            M += J.T @ inertia @ J
        return M

    def kinetic_energy(self, x, rate):
        twists = self.twists(x, rate)
        speeds = [(np.concatenate((twists[i], rate[modal])), inertia) for i, inertia, modal in self.bodies(x)]
        return sum(0.5 * u @ inertia @ u for u, inertia in speeds)

    def inertia_forces(self):
        """d/dt dT/dx' - dT/dx (nv,) at the speeds of the state, without accelerations."""
        v, nv = self.state.v, self.system.nv
        momentum_rate = difference(lambda s: self.mass_matrix(s * v) @ v)
        slope = [difference(lambda s, e=e: self.kinetic_energy(s * e, v)) for e in np.eye(nv)]
        return momentum_rate - np.array(slope)

    def weight(self):
        """Generalised gravity forces (nv,): the work of the weights of all bodies."""
        nv = self.system.nv
        work = np.zeros(nv)
        for j, e in enumerate(np.eye(nv)):
            motion = self.twists(np.zeros(nv), e)
            poses = self.links(self.moved(np.zeros(nv)))
            for link, inertia, modal in self.bodies(np.zeros(nv)):
                g = poses[link][:3, :3].real.T @ self.tables.gravity
                # the momentum of a unit speed, along gravity
                work[j] += g @ (inertia @ np.concatenate((motion[link], e[modal])))[:3]
        return work

    # constraints

    def coordinates(self, q):
        """Values of the coordinates that forces and relations use; angles between -pi and pi."""
        markers, values = self.markers(q), []
        for coordinate in self.tables.coordinates:
            kind, k = coordinate["kind"], coordinate["axis"]
            if kind == TREE_COORDINATE:
                values.append(q[coordinate["iq"]])
                continue
            seen = np.linalg.inv(markers[coordinate["b"]]) @ markers[coordinate["a"]]
            if kind == ANGLE:
                i, j = (k + 1) % 3, (k + 2) % 3
                c, s = seen[i, i], seen[j, i]
                slope = (c.real * s.imag - s.real * c.imag) / (c.real**2 + s.real**2)
                values.append(np.arctan2(s.real, c.real) + 1j * slope)
            else:
                assert kind == DISPLACEMENT
                values.append(seen[k, 3])
        return values

    def rows(self, x):
        """Values (nlambda,) of the constraint rows at the motion x; relations count without their function of time."""
        q = self.moved(x)
        markers, coordinates, values = self.markers(q), self.coordinates(q), []
        for row in self.tables.rows:
            if row["kind"] == RELATION:
                terms = self.tables.terms[row["first_term"] : row["last_term"]]
                values.append(sum(term["factor"] * coordinates[term["coordinate"]] for term in terms))
                continue
            a, b = markers[row["a"]], markers[row["b"]]
            gap, y = a[:3, 3] - b[:3, 3], b[:3, row["axis_b"]]
            values.append(
                {
                    COINCIDE: lambda gap=gap, row=row: gap[row["axis_b"]],
                    PERPENDICULAR: lambda a=a, y=y, row=row: a[:3, row["axis_a"]] @ y,
                    IN_PLANE: lambda gap=gap, y=y, row=row: gap @ y - row["length"],
                    DISTANCE: lambda gap=gap, row=row: 0.5 * (gap @ gap / row["length"] - row["length"]),
                }[int(row["kind"])]()
            )
        return np.array(values, dtype=complex)

    def row_rates(self, x, direction):
        """Derivative of the rows along a direction, at the motion x."""
        return self.rows(x + 1j * TINY * direction).imag / TINY

    def jacobian(self):
        nv = self.system.nv
        return np.array([self.row_rates(np.zeros(nv), e) for e in np.eye(nv)]).T.reshape(-1, nv)

    def convective(self):
        """Second derivatives of the rows while the speeds stay as they are."""
        v = self.state.v
        # nodes of stiff bodies turn fast
        return difference(lambda s: self.row_rates(s * v, v), 0.1 * STEP)
