"""The equations of a network: flows of all elements add up to zero at every node; and their Jacobian.

Elements with constant Jacobians are three constant matrices; only the others are evaluated again.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from scipy.sparse import csr_array

from floatframe.arrays import Array, IntArray
from floatframe.errors import ModelError
from floatframe.network.compiled import Batch, CompiledNetwork, Drive
from floatframe.network.factor import Pattern, Singular, Solve
from floatframe.network.laws import LIBRARY, ROTATION, TRANSLATION, At, Domain, Internal, Out, empty_out

AFFINE = 1e-9  # of the flows: rounding of a law
GENERIC = 1e-3  # s, which is the time constant of no usual network
MOST_KEPT = 8  # factors of linear networks, by step


class Equations:
    """Residual and Jacobian of a compiled network."""

    def __init__(self, network: CompiledNetwork) -> None:
        self.network = network
        n = network.n
        self.n, self.names = n, [unknown.name for unknown in network.unknowns]
        zero = np.zeros((3, n + 1))
        # elements with constant Jacobians and what their laws give at zero; what changes with inputs comes on top
        self.linear = [(b, replace(b, drives=()).out(zero, 0.0)) for b in network.batches if b.kind.linear]
        for batch, out in self.linear:
            _require_affine(batch, out)
        self.others = [batch for batch in network.batches if not batch.kind.linear]
        entries = [_entries(batch.dofs, batch.dofs) for batch in network.batches]
        for batch in network.batches:
            for drive in batch.drives:
                columns = np.array([dof for _, dof, _ in drive.slopes], dtype=int)
                entries.append(_entries(batch.dofs[:, [drive.element]], columns[:, None]))
        rows, columns = (np.concatenate([entry[k].ravel() for entry in entries]) for k in (0, 1))
        self.pattern = Pattern(n, rows, columns)
        self._constant = np.zeros((3, self.pattern.size + 1))
        self._offset = np.zeros(n + 1)
        parts: list[tuple[IntArray, IntArray, Array]] = []
        stored: list[tuple[IntArray, IntArray, Array]] = []
        self._stored_offset = np.zeros(n + 1)
        self._timed: list[Batch] = []
        self._drives: list[tuple[IntArray, Array, Drive]] = []
        for batch, out in self.linear:
            r, c = _entries(batch.dofs, batch.dofs)
            places = self.pattern.positions(r, c)
            for level, J in enumerate((out.K, out.D, out.M)):
                self._constant[level] += np.bincount(places.ravel(), J.ravel(), self.pattern.size + 1)
                parts.append((r, c + level * (n + 1), J))
                if batch.kind.energy is not None:
                    stored.append((r, c + level * (n + 1), J))
            if batch.kind.timed:
                self._timed.append(batch)
            else:
                self._offset += _gathered(batch.dofs, out.F, n)
            if batch.kind.energy is not None:
                self._stored_offset += _gathered(batch.dofs, out.F, n)
            for drive in batch.drives:
                self._drives.append((batch.dofs[:, drive.element], out.S[:, drive.input, drive.element], drive))
        self._constant = self._constant[:, :-1]
        self._A = _matrix(parts, n, self.pattern.dense)
        self._A_stored = _matrix(stored, n, self.pattern.dense)
        self._places = [self.pattern.positions(*_entries(batch.dofs, batch.dofs)) for batch in self.others]
        self._drive_places = [self._drive_positions(rows, drive) for rows, _, drive in self._drives]
        self._batch_drive_places = [
            [self._drive_positions(batch.dofs[:, drive.element], drive) for drive in batch.drives]
            for batch in self.others
        ]
        self._carrying = [(batch, batch.kind.carried) for batch in network.batches if batch.kind.carried is not None]
        self._limiting = [(batch, batch.kind.reach) for batch in network.batches if batch.kind.reach is not None]
        self._storing = [batch for batch in network.batches if batch.kind.energy is not None]
        domains = [unknown.of for unknown in network.unknowns]
        self.heat = np.array([isinstance(one, Domain) and one.heat for one in domains] + [False])
        motions = [one.motion if isinstance(one, Internal) else one for one in domains]
        self.turning = np.array([one is ROTATION for one in motions], dtype=bool)
        self.moving = self.turning | np.array([one is TRANSLATION for one in motions], dtype=bool)
        self.flowing = np.array([isinstance(one, Domain) for one in domains] + [False])
        # whether one iteration solves a step, and factors depend on it alone
        self.constant = not self.others and all(not drive.slopes for _, _, drive in self._drives)
        self._kept: dict[tuple[float, float], Solve] = {}
        self._offset_at = (float("nan"), self._offset)

    def begin(self) -> None:
        """Let elements go back to the start with what they carry beside their unknowns."""
        for batch, carried in self._carrying:
            carried.begin(batch.at(self.network.start, 0.0))

    def follow(self, y: Array, t: float) -> None:
        """Let them go to the end of a step that was taken."""
        for batch, carried in self._carrying:
            carried.follow(batch.at(y, t))

    @property
    def next_change(self) -> float:
        """When the equations of an element change next [s]."""
        return min((carried.next_change for _, carried in self._carrying), default=math.inf)

    @property
    def words(self) -> str:
        """What has changed so far, in sentences."""
        return " ".join(filter(None, (carried.words for _, carried in self._carrying)))

    def change(self, y: Array, t: float) -> None:
        """Let the equations change that do so next."""
        now = self.next_change
        for batch, carried in self._carrying:
            if carried.next_change == now:
                carried.change(batch.at(y, t))

    @property
    def carried(self) -> Array:
        """All that they carry, in one row."""
        return np.concatenate([carried.content() for _, carried in self._carrying] or [np.zeros(0)])

    @carried.setter
    def carried(self, kept: Array) -> None:
        begin = 0
        for _, carried in self._carrying:
            size = len(carried.content())
            carried.restore(kept[begin : begin + size])
            begin += size

    def renew(self) -> None:
        """Let Jacobians that elements keep from step to step be found again."""
        for _, carried in self._carrying:
            carried.renew()

    def residual(self, y: Array, t: float) -> tuple[Array, list[Out]]:
        """Sums of the flows (n,) for unknowns y (3, n + 1), and what the laws of the other elements gave."""
        total = self._A @ y.ravel() + self._offset_of(t)
        for rows, share, drive in self._drives:
            np.add.at(total, rows, share * drive.function(y, t))
        outs = []
        for batch in self.others:
            out = batch.out(y, t)
            total += _gathered(batch.dofs, out.F, self.n)
            outs.append(out)
        return total[:-1], outs

    def reach(self, v: Array, change: Array) -> float:
        """The share of a change (n,) of v (n + 1,) that one iteration may go."""
        shares = [1.0]
        for batch, reach in self._limiting:
            whole = np.append(change, 0.0)
            shares.append(float(reach(v[batch.dofs], whole[batch.dofs], batch.p).min()))
        return min(shares)

    def solver(self, y: Array, t: float, outs: list[Out], cx: float, ca: float) -> Solve:
        """Return what solves with the Jacobian cx K + D + ca M."""
        if self.constant:
            key = (cx, ca)
            if key not in self._kept:
                if len(self._kept) >= MOST_KEPT:
                    del self._kept[next(iter(self._kept))]
                self._kept[key] = self._factored(self.data(y, t, outs, cx, ca))
            return self._kept[key]
        return self._factored(self.data(y, t, outs, cx, ca))

    def require_determined(self, y: Array, t: float) -> None:
        """Refuse elements that leave an unknown open."""
        _, outs = self.residual(y, t)
        self.solver(y, t, outs, GENERIC, 1.0 / GENERIC)

    def _factored(self, data: Array) -> Solve:
        try:
            return self.pattern.factored(data)
        except Singular as found:
            raise self._undetermined(found.unknown) from None

    def _undetermined(self, unknown: int | None) -> ModelError:
        """The error about an unknown that the elements do not determine, at the first that has it."""
        cure = (
            "is not determined by the elements that join it; give its node a mass, a capacity, a resistance or a way "
            "to the ground, and look for two sources that contradict each other"
        )
        if unknown is None:
            return ModelError(f"an unknown {cure}")
        owners = (
            one
            for batch in self.network.batches
            for one, dofs in zip(batch.elements, batch.dofs.T, strict=True)
            if unknown in dofs
        )
        return next(owners).where.error(f"'{self.names[unknown]}' {cure}")

    def data(self, y: Array, t: float, outs: list[Out], cx: float, ca: float, cv: float = 1.0) -> Array:
        """The Jacobian cx K + cv D + ca M as data of the pattern."""
        size, factors = self.pattern.size, (cx, cv, ca)
        data = np.append(cx * self._constant[0] + cv * self._constant[1] + ca * self._constant[2], 0.0)
        for places, out in zip(self._places, outs, strict=True):
            data += np.bincount(places.ravel(), (cx * out.K + cv * out.D + ca * out.M).ravel(), size + 1)
        moving = [
            (share, drive, places) for (_, share, drive), places in zip(self._drives, self._drive_places, strict=True)
        ]
        for batch, spots, out in zip(self.others, self._batch_drive_places, outs, strict=True):
            moving += [
                (out.S[:, drive.input, drive.element], drive, spot)
                for drive, spot in zip(batch.drives, spots, strict=True)
            ]
        for share, drive, places in moving:
            for k, (level, _, slope) in enumerate(drive.slopes):
                np.add.at(data, places[:, k], share * factors[level] * slope(y, t))
        return data[:-1]

    def storing(self, y: Array, t: float) -> tuple[Array, Array]:
        """Whether unknowns (n,) keep what they have: by flows of their acceleration, by flows of displacement alone.

        The potentials of the others follow from the rest of the network and may jump.
        """
        _, outs = self.residual(y, t)
        by_x, by_a = (
            np.asarray(abs(self.pattern.matrix(self.data(y, t, outs, *factors))).sum(axis=0)).ravel() > 0.0
            for factors in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
        )
        return by_a, by_x & ~by_a

    def stored_energy(self, y: Array, t: Array, linear: bool = False) -> Array:
        """What springs, masses, coils, … store [J] at times t (R,) with unknowns y (R, 3, n + 1).

        linear: without the other kinds, which `stored_power` leaves out.
        """
        total = np.zeros(len(t))
        for batch in self._storing:
            if batch.kind.energy is not None and (batch.kind.linear or not linear):
                total += batch.kind.energy(batch.at_times(y, t)).reshape(len(t), -1).sum(axis=1)
        return total

    def stored_power(self, y: Array) -> float:
        """What flows into the linear ones of them [W]: potentials times flows; flows alone where they are heat."""
        if not self._storing:
            return 0.0
        flow = self._A_stored @ y.ravel() + self._stored_offset
        return float(flow[self.flowing & ~self.heat] @ y[1, self.flowing & ~self.heat] + flow[self.heat].sum())

    def _offset_of(self, t: float) -> Array:
        """Flows at zero potentials, kept for one time."""
        if self._timed and self._offset_at[0] != t:
            total, zero = self._offset.copy(), np.zeros((3, self.n + 1))
            for batch in self._timed:
                total += _gathered(batch.dofs, batch.out(zero, t).F, self.n)
            self._offset_at = (t, total)
        return self._offset_at[1] if self._timed else self._offset

    def _drive_positions(self, rows: IntArray, drive: Drive) -> IntArray:
        columns = np.array([dof for _, dof, _ in drive.slopes], dtype=int)
        return self.pattern.positions(rows[:, None] + 0 * columns, columns + 0 * rows[:, None])


def _require_affine(batch: Batch, at_zero: Out) -> None:
    """Refuse kinds of users that are called linear and are not: their flows would be wrong without a word."""
    kind = batch.kind
    if LIBRARY.get(kind.name) is kind:
        return
    x, v, a = np.random.default_rng(1).uniform(0.5, 2.0, (3, *batch.dofs.shape))
    out = empty_out(kind, len(batch.elements))
    kind.law(At(x, v, a, 0.0, batch.p, batch.s), out)
    F = at_zero.F + sum(np.einsum("ijn,jn->in", J, z) for J, z in zip(at_zero[1:4], (x, v, a), strict=True))
    size = np.abs(out.F).max(initial=0.0) + np.abs(F).max(initial=0.0)
    if not np.abs(out.F - F).max(initial=0.0) <= AFFINE * size:
        raise batch.elements[0].where.error(
            "its flows are not those of constant Jacobians, though its kind says linear=True; leave that out"
        )


def _entries(rows: IntArray, columns: IntArray) -> tuple[IntArray, IntArray]:
    """Rows and columns (N, M, ne) of the blocks of unknowns (N, ne) and (M, ne)."""
    r, c = rows[:, None, :], columns[None, :, :]
    return r + 0 * c, c + 0 * r


def _gathered(dofs: IntArray, F: Array, n: int) -> Array:
    """Sums (n + 1,) of flows (N, ne) at their unknowns."""
    return np.bincount(dofs.ravel(), F.ravel(), n + 1)


def _matrix(parts: list[tuple[IntArray, IntArray, Array]], n: int, dense: bool) -> csr_array | Array:
    """The matrix (n + 1, 3 (n + 1)) that takes x, v and a to flows."""
    shape = (n + 1, 3 * (n + 1))
    rows, columns, data = (
        np.concatenate([part[k].ravel() for part in parts]) if parts else np.zeros(0, dtype=int if k < 2 else float)
        for k in range(3)
    )
    matrix = csr_array((data, (rows, columns)), shape=shape)
    return matrix.toarray() if dense else matrix
