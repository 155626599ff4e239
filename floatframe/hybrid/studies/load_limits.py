"""Where flexible bodies leave their range.

Bodies without geometric stiffening are watched for loads near buckling, deflections and rotations that are not small;
the load at the interface is that which would deform the body statically as it is deformed now. Bodies with stiffening
know how loads change their stiffness, but not how their deformation changes the inertia of their vibration: they are
watched for that.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from weakref import WeakKeyDictionary

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError, Where
from floatframe.hybrid.assembly import CompiledSystem
from floatframe.hybrid.dense import null_space
from floatframe.hybrid.description import rigid_rows
from floatframe.hybrid.flat import FlatBody, framed
from floatframe.modal import ReducedBody

SHIFT = 0.02  # of a frequency, by inertia that the deformation changes and the motion leaves out
PIECE = 2048  # records looked at together; however they come, what is found depends on them alone
SURELY = 0.999  # of a limit: what is bound to stay below it is not looked at closer
TRIED = 16  # records of a piece, those with the largest loads, whose buckling load is computed

_ends: WeakKeyDictionary[FlatBody, BodyEnds] = WeakKeyDictionary()


class LoadLimits:
    """Watches the flexible bodies of a system."""

    def __init__(self, system: CompiledSystem) -> None:
        self._waiting: list[tuple[Array, Array, Array]] = []  # t, q, v of records that make no piece yet
        self.bodies: list[tuple[slice, slice, BodyLimits | VibrationLimits]] = []
        for span, turns, body, reduced in _flexible_bodies(system):
            limits = VibrationLimits(body.name, reduced) if _stiffens(body) else BodyLimits(body, reduced)
            self.bodies.append((span, turns, limits))

    def watch(self, t: Array, q: Array, v: Array) -> None:
        """Look at recorded states t (m,), q (m, nq), v (m, nv), as soon as a piece of them is together."""
        if not self.bodies:
            return
        self._waiting.append((t, q, v))
        if sum(len(times) for times, *_ in self._waiting) >= PIECE:
            t, q, v = self._joined()
            whole = len(t) - len(t) % PIECE
            for k in range(0, whole, PIECE):
                self._look(t[k : k + PIECE], q[k : k + PIECE], v[k : k + PIECE])
            self._waiting = [(t[whole:], q[whole:], v[whole:])]

    def _joined(self) -> list[Array]:
        """What waits, as one piece."""
        if len(self._waiting) == 1:
            return list(self._waiting[0])
        return [np.concatenate(parts) for parts in zip(*self._waiting, strict=True)]

    def _look(self, t: Array, q: Array, v: Array) -> None:
        for span, turns, limits in self.bodies:
            limits.watch(t, q[:, span])
            if isinstance(limits, BodyLimits):
                limits.watch_spin(t, v[:, turns])

    def words(self) -> str:
        """What was passed, one sentence per body; empty if nothing was. Also given as warnings."""
        if any(len(times) for times, *_ in self._waiting):
            self._look(*self._joined())
            self._waiting = []
        found = [sentence for *_, limits in self.bodies if (sentence := limits.sentence())]
        for sentence in found:
            warnings.warn(sentence, stacklevel=2)
        return " ".join(found)


def warn_of_vibration(system: CompiledSystem, t: float, q: Array) -> None:
    """Warn where the modes of stiffened bodies are not what a linear analysis at q (nq,) says."""
    for span, _, body, reduced in _flexible_bodies(system):
        limits = VibrationLimits(body.name, reduced)
        if _stiffens(body):
            limits.watch(np.array([t]), q[None, span])
        if sentence := limits.sentence():
            warnings.warn(sentence, stacklevel=3)


def _flexible_bodies(system: CompiledSystem) -> Iterator[tuple[slice, slice, FlatBody, ReducedBody]]:
    """Yield of each flexible body where its modes lie in q and its angular velocity in v, its description, itself."""
    for number, k in system.index.flexible_of.items():
        body, record = system.model.bodies[number], system.tables.flexible[k]
        if body.reduced is not None:
            link = system.tables.links[record["link"]]  # its frame floats: three speeds, then the angular velocity
            turns = slice(int(link["iv"]) + 3, int(link["iv"]) + 6)
            yield slice(int(record["iq"]), int(record["iq"] + record["n"])), turns, body, body.reduced


def _stiffens(body: FlatBody) -> bool:
    return body.stiffening != "off" and body.reduced is not None and body.reduced.geometric is not None


class VibrationLimits:
    """The largest change of a frequency of one stiffened body by the inertia that its motion leaves out."""

    def __init__(self, name: str, reduced: ReducedBody) -> None:
        self.name, self.reduced = name, reduced
        self.shift, self.mode, self.at = 0.0, 0, 0.0

    def watch(self, t: Array, w: Array) -> None:
        """Look at modal coordinates w (m, n) at times t (m,)."""
        shifts = self.reduced.frequency_shift(w)
        if not shifts.size:
            return
        k, mode = np.unravel_index(int(np.argmax(np.abs(shifts))), shifts.shape)
        if abs(shifts[k, mode]) > abs(self.shift):
            self.shift, self.mode, self.at = float(shifts[k, mode]), int(mode), float(t[k])

    def sentence(self) -> str:
        """Return what was passed, or nothing."""
        if abs(self.shift) <= SHIFT:
            return ""
        return (
            f"body '{self.name}' is deformed so far at t = {self.at:.4g} s that its mode {self.mode + 1} is faster by "
            f"{100 * self.shift:+.1f} % than computed: the inertia of its vibration changes with its shape, which a "
            "single reduced body leaves out. Divide it into several flexible bodies, at its corners first."
        )


class BodyLimits:
    """The largest share of the buckling load, deflection and rotation of one body so far, and when they were met."""

    def __init__(self, body: FlatBody, reduced: ReducedBody) -> None:
        self.name, self.bare = body.name, reduced.geometric is None
        self.load_limit, self.deflection_limit, self.rotation_limit = body.limits
        if (ends := _ends.get(body)) is None:
            ends = _ends[body] = BodyEnds(reduced)  # worked out once for all its runs
        self.ends, self.loose, self.spin = ends, ends.loose, 0.0
        self.motion, self.slowest, self.size, self.buckling = ends.motion, ends.slowest, ends.size, ends.buckling
        self.share = self.force = self.moment = self.deflection = self.rotation = 0.0
        self.at = dict.fromkeys(("load", "deflection", "rotation", "spin"), 0.0)

    def watch(self, t: Array, w: Array) -> None:
        """Look at modal coordinates w (m, n) at times t (m,)."""
        if self._passes_nothing(np.abs(w).max(axis=0, initial=0.0)):
            return
        squares = np.square(self.motion @ w.T)  # (6k, m)
        sizes = squares[0::3] + squares[1::3] + squares[2::3]
        for what, nodes in zip(("deflection", "rotation"), np.split(sizes, 2), strict=True):
            farthest = nodes.max(axis=0, initial=0.0)
            k = int(np.argmax(farthest))
            if (size := math.sqrt(farthest[k])) > getattr(self, what):
                setattr(self, what, size)
                self.at[what] = float(t[k])
        if self.buckling is not None:
            k, share, load = self.buckling.largest(w, max(self.share, self.load_limit))
            if share > self.share:
                self.share, self.at["load"] = share, float(t[k])
                self.force, self.moment = load

    def _passes_nothing(self, largest: Array) -> bool:
        """Whether modal coordinates of these sizes (n,) cannot reach a limit, however they come together."""
        squares = np.square(self.ends.sizes @ largest)  # (6k,)
        nodes = squares[0::3] + squares[1::3] + squares[2::3]
        moved, turned = nodes[: len(nodes) // 2], nodes[len(nodes) // 2 :]
        bounds = (self.deflection_limit * self.size, self.rotation_limit)
        return (
            moved.max(initial=0.0) <= (SURELY * bounds[0]) ** 2
            and turned.max(initial=0.0) <= (SURELY * bounds[1]) ** 2
            and (self.buckling is None or float(self.buckling.sizes @ largest) < SURELY * self.load_limit)
        )

    def watch_spin(self, t: Array, omega: Array) -> None:
        """Look at angular velocities omega (m, 3) [rad/s]: they alone load a body that nothing holds."""
        if not self.loose:
            return
        size = np.linalg.norm(omega, axis=1)
        k = int(np.argmax(size))
        if size[k] > self.spin:
            self.spin, self.at["spin"] = float(size[k]), float(t[k])

    def sentence(self) -> str:
        """Return what was passed, or nothing."""
        passed = []
        node = "a node" if self.loose else "an interface node"
        if self.spin**2 > self.load_limit * self.slowest**2:
            passed.append(
                f"it turned with {self.spin:.4g} rad/s at t = {self.at['spin']:.4g} s, "
                f"{100 * self.spin / self.slowest:.0f} % of its first angular frequency"
            )
        if self.share >= self.load_limit:
            limit = "the buckling load of a slender strut like it" if self.bare else "its buckling load"
            passed.append(
                f"its load reached {100 * self.share:.0f} % of {limit} at t = {self.at['load']:.4g} s "
                f"(largest force {self.force:.4g} N, moment {self.moment:.4g} N m at an interface node)"
            )
        if self.deflection > self.deflection_limit * self.size:
            passed.append(
                f"{node} moved by {self.deflection:.3g} m, {100 * self.deflection / self.size:.0f} % of its "
                f"size, at t = {self.at['deflection']:.4g} s"
            )
        if self.rotation > self.rotation_limit:
            passed.append(f"{node} turned by {self.rotation:.2g} rad at t = {self.at['rotation']:.4g} s")
        if not passed:
            return ""
        cure = (
            "reduce it with geometric=True and keep it in an .h5 file" if self.bare else "set its stiffening to 'auto'"
        )
        off = "has no geometric terms" if self.bare else "has its stiffening switched off"
        return f"body '{self.name}' {off}: {'; '.join(passed)}. Linear results may be wrong there; {cure}."


class BodyEnds:
    """What is watched of a body: how its interface nodes move, its slowest mode, its size and its buckling load."""

    def __init__(self, reduced: ReducedBody) -> None:
        rows = reduced.node_index(reduced.interface_nodes)
        shapes = np.asarray(reduced.shapes).reshape(reduced.nnode, 6, reduced.nmode)
        self.loose = not len(rows)
        # without joints it is the nodes that move most in each shape
        shapes = shapes[np.unique(np.argmax((shapes[:, :3] ** 2).sum(axis=1), axis=0)) if self.loose else rows]
        # rows (6k, n): displacements of these nodes, then their rotations
        self.motion = np.vstack([shapes[:, part].reshape(-1, reduced.nmode) for part in (slice(3), slice(3, 6))])
        self.sizes = np.abs(self.motion)
        self.slowest = float(np.sqrt(np.diag(reduced.stiffness).min(initial=np.inf)))  # rad/s
        self.size = float(np.linalg.norm(np.ptp(reduced.nodes, axis=0)))
        self.buckling = BucklingShare(reduced) if len(rows) >= 2 else None


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
        balanced = null_space(rigid.T)
        flexibility = (H.T @ balanced) / self.omega[:, None]
        self.loads = balanced @ np.linalg.pinv(flexibility) * self.omega  # (k, n): interface loads per w
        scale = 1.0 / self.omega
        self.G = (
            _of_a_strut(reduced, H * scale)
            if reduced.geometric is None
            else _in_chord(reduced) * np.outer(scale, scale)
        )
        self.extremes = np.linalg.eigvalsh(self.G)[:, [0, -1]] if self.omega.size else np.zeros((len(self.G), 2))
        self.sizes = np.abs(self.extremes).max(axis=1, initial=0.0) @ np.abs(self.loads)  # (n,) share per w at most

    def largest(self, w: Array, floor: float) -> tuple[int, float, tuple[float, float]]:
        """The record of w (m, n) with the largest share above a floor, the share, its largest force and moment."""
        loads = self.loads @ w.T  # (k, m)
        # at most this share; a rod that is pulled has none, however hard
        least, most = self.extremes.T[:, :, None]
        bounds = np.maximum(-loads * least, -loads * most).sum(axis=0)
        above = np.flatnonzero(bounds > floor)
        best, share = 0, 0.0
        for k in above[np.argsort(-bounds[above])[:TRIED]]:
            if bounds[k] > max(floor, share) and (value := self.share(loads[:, k])) > share:
                best, share = int(k), value
        force = np.abs(loads[self.table[:, 1] < 3, best]).max(initial=0.0)
        moment = np.abs(loads[self.table[:, 1] >= 3, best]).max(initial=0.0)
        return best, share, (float(force), float(moment))

    def share(self, loads: Array) -> float:
        """The load (k,) over the load of its kind that makes the body buckle."""
        values = np.linalg.eigvalsh(-np.tensordot(loads, self.G, axes=1))
        return float(max(values[-1], 0.0))


def _of_a_strut(reduced: ReducedBody, motion: Array) -> Array:
    """Terms (k, 1, 1) of Euler's load π² EI / L² of the line between the first two interface nodes.

    motion (k, n): of the interface dofs in modal coordinates of unit stiffness. Under a pair of unit moments the
    ends of a strut turn against each other by L / EI. Zero where a node lacks a dof or both are at one place.
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
    turned = null_space(line[None]).T @ (motion[rows_a[3:]] - motion[rows_b[3:]])  # (2, n) across the line
    softest = np.linalg.norm(turned, ord=2) ** 2  # L / EI of the weak axis
    if softest > 0.0:
        press = length * softest / np.pi**2 / 2.0 * line  # share per unit force; half at each end
        G[rows_a[:3], 0, 0], G[rows_b[:3], 0, 0] = -press, press
    return G


def _in_chord(reduced: ReducedBody) -> Array:
    """The interface terms (k, n, n) seen from the chord of the first two interface nodes, if they are apart."""
    try:
        terms = framed(reduced, ("chord",), Where("load limits")).geometric
    except ModelError:
        terms = reduced.geometric
    if terms is None:
        raise ModelError("load limits: the body has no geometric terms; reduce it with geometric=True.")
    return np.asarray(terms.interface)
