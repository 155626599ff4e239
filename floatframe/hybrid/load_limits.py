"""Where linear flexible bodies leave their range: loads near buckling, deflections and rotations that are not small.

Bodies with geometric stiffening know how loads change their stiffness; those without it are watched while they run.
The load at the interface is that which would deform the body statically as it is deformed now.
"""

from __future__ import annotations

import warnings

import numpy as np
import scipy.linalg

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.hybrid.body_frames import framed
from floatframe.hybrid.compiled_system import CompiledSystem
from floatframe.hybrid.flat import FlatBody
from floatframe.hybrid.second_order import rigid_rows
from floatframe.modal import ReducedBody

TRIED = 16  # records of a block, those with the largest loads, whose buckling load is computed


class LoadLimits:
    """Watches the flexible bodies of a system that have no stiffening."""

    def __init__(self, system: CompiledSystem) -> None:
        self.bodies: list[tuple[slice, BodyLimits]] = []
        for number, k in system.names.flexible_of.items():
            body, record = system.model.bodies[number], system.tables.flexible[k]
            if body.reduced is not None and (body.stiffening == "off" or body.reduced.geometric is None):
                first = int(record["iq"])
                self.bodies.append((slice(first, first + int(record["n"])), BodyLimits(body, body.reduced)))

    def watch(self, t: Array, q: Array) -> None:
        """Look at recorded states t (m,), q (m, nq)."""
        for span, limits in self.bodies:
            limits.watch(t, q[:, span])

    def words(self) -> str:
        """What was passed, one sentence per body; empty if nothing was. Also given as warnings."""
        found = [sentence for _, limits in self.bodies if (sentence := limits.sentence())]
        for sentence in found:
            warnings.warn(sentence, stacklevel=2)
        return " ".join(found)


class BodyLimits:
    """The largest share of the buckling load, deflection and rotation of one body so far, and when they were met."""

    def __init__(self, body: FlatBody, reduced: ReducedBody) -> None:
        self.name, self.bare = body.name, reduced.geometric is None
        self.load_limit, self.deflection_limit, self.rotation_limit = body.limits
        rows = reduced.node_index(reduced.interface_nodes)
        shapes = np.asarray(reduced.shapes).reshape(reduced.nnode, 6, reduced.nmode)[rows]
        self.moves, self.turns = shapes[:, :3], shapes[:, 3:]
        self.size = float(np.linalg.norm(np.ptp(reduced.nodes, axis=0)))
        self.buckling = BucklingShare(reduced) if len(rows) >= 2 else None
        self.share = self.force = self.moment = self.deflection = self.rotation = 0.0
        self.at = dict.fromkeys(("load", "deflection", "rotation"), 0.0)

    def watch(self, t: Array, w: Array) -> None:
        """Look at modal coordinates w (m, n) at times t (m,)."""
        for what, shapes in (("deflection", self.moves), ("rotation", self.turns)):
            size = np.linalg.norm(np.einsum("kci,mi->mkc", shapes, w), axis=2).max(axis=1, initial=0.0)
            k = int(np.argmax(size))
            if size[k] > getattr(self, what):
                setattr(self, what, float(size[k]))
                self.at[what] = float(t[k])
        if self.buckling is not None:
            k, share, load = self.buckling.largest(w, max(self.share, self.load_limit))
            if share > self.share:
                self.share, self.at["load"] = share, float(t[k])
                self.force, self.moment = load

    def sentence(self) -> str:
        """Return what was passed, or nothing."""
        passed = []
        if self.share >= self.load_limit:
            limit = "the buckling load of a slender strut like it" if self.bare else "its buckling load"
            passed.append(
                f"its load reached {100 * self.share:.0f} % of {limit} at t = {self.at['load']:.4g} s "
                f"(largest force {self.force:.4g} N, moment {self.moment:.4g} N m at an interface node)"
            )
        if self.deflection > self.deflection_limit * self.size:
            passed.append(
                f"an interface node moved by {self.deflection:.3g} m, {100 * self.deflection / self.size:.0f} % of its "
                f"size, at t = {self.at['deflection']:.4g} s"
            )
        if self.rotation > self.rotation_limit:
            passed.append(f"an interface node turned by {self.rotation:.2g} rad at t = {self.at['rotation']:.4g} s")
        if not passed:
            return ""
        cure = (
            "reduce it with geometric=True and keep it in an .h5 file" if self.bare else "set its stiffening to 'auto'"
        )
        off = "has no geometric terms" if self.bare else "has its stiffening switched off"
        return f"body '{self.name}' {off}: {'; '.join(passed)}. Linear results may be wrong there; {cure}."


class BucklingShare:
    """Loads at the interface over the buckling load of a body whose chord is held: hinged at its first two nodes.

    Without geometric terms the body counts as a slender strut between these two nodes.
    """

    def __init__(self, reduced: ReducedBody) -> None:
        self.table = np.asarray(reduced.interface)
        rows = reduced.node_index(self.table[:, 0])
        H = np.asarray(reduced.shapes)[6 * rows + self.table[:, 1]]  # (k, n)
        self.omega = np.sqrt(np.diag(reduced.stiffness))
        # loads in balance: rigid motion of the interface does no work on them
        rigid = np.zeros((len(rows), 6))
        for k, (row, component) in enumerate(zip(rows, self.table[:, 1], strict=True)):
            motion = rigid_rows(reduced.nodes[row])
            rigid[k] = motion[component]
        balanced = scipy.linalg.null_space(rigid.T)
        flexibility = (H.T @ balanced) / self.omega[:, None]
        self.loads = balanced @ np.linalg.pinv(flexibility) * self.omega  # (k, n): interface loads per w
        scale = 1.0 / self.omega
        self.G = (
            _of_a_strut(reduced, H * scale)
            if reduced.geometric is None
            else _in_chord(reduced) * np.outer(scale, scale)
        )
        self.bound = np.abs(np.linalg.eigvalsh(self.G)).max(axis=1, initial=0.0)  # (k,) share per unit load, at most

    def largest(self, w: Array, floor: float) -> tuple[int, float, tuple[float, float]]:
        """The record of w (m, n) with the largest share above a floor, the share, its largest force and moment."""
        loads = w @ self.loads.T
        bounds = np.abs(loads) @ self.bound
        best, share = 0, 0.0
        for k in np.argsort(-bounds)[:TRIED]:
            if bounds[k] > max(floor, share) and (value := self.share(loads[k])) > share:
                best, share = int(k), value
        force = np.abs(loads[best][self.table[:, 1] < 3]).max(initial=0.0)
        moment = np.abs(loads[best][self.table[:, 1] >= 3]).max(initial=0.0)
        return best, share, (float(force), float(moment))

    def share(self, loads: Array) -> float:
        """The load (k,) over the load of its kind that makes the body buckle."""
        values = np.linalg.eigvalsh(-np.tensordot(loads, self.G, axes=1))
        return float(max(values[-1], 0.0))


def _of_a_strut(reduced: ReducedBody, motion: Array) -> Array:
    """Terms (k, 1, 1) of Euler's load π² EI / L² of the line between the first two interface nodes.

    motion (k, n): of the interface freedoms in modal coordinates of unit stiffness. Under a pair of unit moments the
    ends of a strut turn against each other by L / EI. Zero where a node lacks a freedom or both are at one place.
    """
    a, b = reduced.interface_nodes[:2]
    where = {(int(node), int(part)): k for k, (node, part) in enumerate(reduced.interface)}
    G = np.zeros((len(where), 1, 1))
    line = np.subtract(*reduced.nodes[reduced.node_index([b, a])])
    length = float(np.linalg.norm(line))
    if length == 0.0 or any((int(node), part) not in where for node in (a, b) for part in range(6)):
        return G
    line /= length
    rows_a, rows_b = ([where[int(node), part] for part in range(6)] for node in (a, b))
    turned = scipy.linalg.null_space(line[None]).T @ (motion[rows_a[3:]] - motion[rows_b[3:]])  # (2, n) across the line
    softest = np.linalg.norm(turned, ord=2) ** 2  # L / EI of the weak axis
    if softest > 0.0:
        press = length * softest / np.pi**2 / 2.0 * line  # share per unit force; half at each end
        G[rows_a[:3], 0, 0], G[rows_b[:3], 0, 0] = -press, press
    return G


def _in_chord(reduced: ReducedBody) -> Array:
    """The interface terms (k, n, n) seen from the chord of the first two interface nodes, if they are apart."""
    try:
        terms = framed(reduced, ("chord",), "load limits").geometric
    except ModelError:
        terms = reduced.geometric
    if terms is None:
        raise ModelError("load limits: the body has no geometric terms; reduce it with geometric=True.")
    return np.asarray(terms.interface)
