"""How wheels on a track carry a system along: its motion along the track, the spins of its axles, axes that go along.

What rolls steadily looks the same from a frame that runs along the track, and turns its axles about themselves: along a
straight, and along a curve of constant radius and cant. Small motions about it have constant equations in axes that go
along but do not spin.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from floatframe.arrays import Array, skew
from floatframe.errors import NotConverged
from floatframe.hybrid.assembly import CompiledSystem, State
from floatframe.hybrid.dense import connected_groups, null_space
from floatframe.hybrid.kernels import FREE, OFF, SPHERICAL, WHEEL_ON_TRACK, Tables
from floatframe.hybrid.studies.element_forces import evaluation
from floatframe.hybrid.studies.tangent import Tangent
from floatframe.railway import FIELDS, Track

FOLLOWS = 1e-6  # share of a motion that the joints may not be able to follow
DEPENDENT = 1e-9  # singular values of motions and drives that are rounding
SAME = 1e-9  # difference of curvature [1/m], cant, gauge, gradient and rails between wheels that rounding makes


@dataclass(frozen=True)
class RollingAxes:
    """Motions that leave the look of a rolling system as it is, and how its axes turn with them."""

    along: Array  # (nv,) speeds of the coordinates per speed along the track, drives included
    loose: Array  # (nv,) the same of what no drive leads; zero if a drive leads the whole
    spins: Array  # (nv, k) per spin of an axle, forward positive
    rates: Array  # (1 + k,) speed along the track [m/s] and spins [rad/s]
    own_spins: Array  # (k, m) combinations of spins that no drive prescribes
    turning_x: Array  # (nv, nv) as of a tangent
    turning_v: Array  # (nv, nv)
    turn: Array  # (3,) of the frame that goes along the track [rad/m]

    @property
    def turning(self) -> tuple[Array, Array]:
        """Both matrices of a tangent."""
        return self.turning_x, self.turning_v

    @property
    def speeds(self) -> Array:
        """Of all coordinates (nv,)."""
        return np.asarray(self.rates[0] * self.along + self.spins @ self.rates[1:])

    @property
    def onward(self) -> Array:
        """Motions (nv, n) on which nothing depends: along the track and of spin, unless driven."""
        free = self.loose[:, None][:, : int(self.loose.any())]
        return np.hstack((free, self.spins @ self.own_spins))

    @property
    def faster(self) -> Array:
        """Speeds (nv,) that are a larger share of the present ones, or 1 m/s where it stands; 0 if a drive keeps it."""
        if not self.loose.any() or self.rates[0] == 0.0:
            return self.loose
        own = self.own_spins @ (self.own_spins.T @ self.rates[1:])
        return np.asarray(self.rates[0] * self.loose + self.spins @ own)


def has_wheels(system: CompiledSystem) -> bool:
    """Whether wheels run on the track of the model."""
    return bool(np.any(system.tables.forces["kind"] == WHEEL_ON_TRACK))


def rolling_axes(
    system: CompiledSystem, tables: Tables, state: State, rates: Array | None = None, constant: bool = True
) -> RollingAxes:
    """The axes of a rolling system at a state.

    rates (1 + k,): speed along the track and spins, by default those of the state; drives have theirs. constant: refuse
    places where the track changes from wheel to wheel.
    """
    from floatframe.hybrid.kernels import APPLIED, JACOBIAN, MASS, VELOCITY

    track = system.model.track
    if track is None:
        raise NotConverged("no steady rolling: the model has no track")
    now = evaluation(system, tables, state)
    now(state.t, state.q, VELOCITY | APPLIED | JACOBIAN | MASS, state.v)
    wheels = tables.forces[tables.forces["kind"] == WHEEL_ON_TRACK]
    s = np.sort([now.data.pool[int(wheel["work"]) + FIELDS["distance"]] for wheel in wheels])
    if constant:
        _require_constant(track, s)
    here = track.frame(float(np.mean(s)))
    turn = here.R @ here.w
    M, G, rate = now.M.copy(), now.G.copy(), np.array(now.data.rows["rate"])
    markers, links = now.data.markers.copy(), now.data.links.copy()
    J = _link_motions(system, tables, state)
    travelling = _travelling(tables, wheels)
    twist = np.zeros((len(links), 6))
    twist[:, :3] = here.dp + np.cross(turn, links["p"] - here.p)
    twist[:, 3:] = turn
    hard = np.vstack((J[travelling].reshape(-1, system.nv), G[rate == 0.0]))
    wanted = np.concatenate((twist[travelling].ravel(), np.zeros(len(hard) - 6 * len(travelling))))
    first = np.linalg.lstsq(hard, wanted, rcond=1e-10)[0]
    if constant and np.abs(hard @ first - wanted).max() > FOLLOWS * np.abs(wanted).max():
        raise NotConverged(
            f"no steady rolling at {here.s:g} m along the track: a joint on the ground keeps a body from following the "
            "track there. Leave the bodies free, or carry them by the frame of the track."
        )
    spins = _spins(tables, wheels, J, travelling, G[rate == 0.0], markers, links)
    speed = float(np.mean(markers["v"][wheels["a"]] @ here.dp)) / float(here.dp @ here.dp)
    speed = speed if rates is None else float(rates[0])
    # what the travelling bodies leave open follows the drives
    led, open_ = G[rate != 0.0], null_space(hard, DEPENDENT)
    along, loose = (
        first - open_ @ np.linalg.lstsq(_cleared(led @ open_), led @ first + asked, rcond=1e-10)[0]
        for asked in (rate[rate != 0.0] / (speed or np.inf), np.zeros(len(led)))
    )
    if np.abs(led @ loose).max(initial=0.0) > FOLLOWS:
        loose = np.zeros(system.nv)
    turns = _shares(M, spins) @ (state.v - speed * along) if rates is None else rates[1:]
    driven = _cleared(led @ spins)
    gap = -rate[rate != 0.0] - led @ (speed * along) - driven @ turns
    turns = turns + np.linalg.lstsq(driven, gap, rcond=1e-9)[0]
    turning = _turning(system, tables, speed * along, spins @ turns, speed * turn)
    rates = np.concatenate(([speed], turns))
    return RollingAxes(along, loose, spins, rates, null_space(driven, DEPENDENT), *turning, turn)


def in_the_middle(system: CompiledSystem, tables: Tables, state: State) -> State:
    """The state with all that travels moved sideways until its wheels are in the middle of the track."""
    from floatframe.hybrid.kernels import APPLIED, VELOCITY

    track = system.model.track
    wheels = tables.forces[tables.forces["kind"] == WHEEL_ON_TRACK]
    pool = evaluation(system, tables, state)(state.t, state.q, VELOCITY | APPLIED, state.v).data.pool
    s, y = (np.mean([pool[int(one["work"]) + FIELDS[name]] for one in wheels]) for name in ("distance", "lateral"))
    if track is None or not np.isfinite(y):
        return state
    travelling = _travelling(tables, wheels)
    left = np.append(track.frame(float(s)).R[:, 1], np.zeros(3))
    J = _link_motions(system, tables, state)[travelling].reshape(-1, system.nv)
    return system.move(state, np.linalg.lstsq(J, np.tile(-y * left, len(travelling)), rcond=1e-10)[0])


def going_on(t: Tangent, axes: RollingAxes) -> Tangent:
    """The tangent of a steadily rolling system with no force that resists its going on, its spins and its speed.

    In a curve the slopes of stiff contacts, known to four digits or so, leave some of the first; and creep costs power
    there, so that the speed falls slowly, if nothing drives: it is looked at as kept.
    """
    c, faster = axes.onward, axes.faster[:, None]
    by_v = t.C + t.M @ t.turning_v
    down = None if t.down is None else going_on(t.down, axes)
    rest = t.rest - (t.K @ c + by_v @ (t.turning_x @ c)) @ _shares(t.M, c)
    C = t.C - (by_v + t.M @ t.turning_x) @ faster @ _shares(t.M, faster)
    return replace(t, rest=rest, C=C, down=down)


def _shares(M: Array, motions: Array) -> Array:
    """Shares (k, nv) of motions (nv, k) in any other, by least kinetic energy of the rest."""
    return np.asarray(np.linalg.lstsq(motions.T @ M @ motions, motions.T @ M, rcond=1e-12)[0])


def _require_constant(track: Track, s: Array) -> None:
    """Refuse wheels on places of the track that differ, or that are irregular."""
    frames = track.frame(s)
    for what in ("curvature", "cant", "gauge", "gradient"):
        if np.ptp(getattr(frames, what)) > SAME:
            raise NotConverged(
                f"no steady rolling from {s[0]:g} to {s[-1]:g} m along the track: its {what} changes between the "
                "wheels. Start where it is straight, or in a curve of constant radius and cant."
            )
    if np.abs(track.irregularity(s)).max(initial=0.0) > SAME:
        raise NotConverged(
            f"no steady rolling from {s[0]:g} to {s[-1]:g} m along the track: it is irregular there. Start before its "
            "irregularities, or scale them by 0."
        )


def _cleared(A: Array) -> Array:
    """What drives see of motions, without rounding."""
    return np.where(np.abs(A) > DEPENDENT, A, 0.0)


def _link_motions(system: CompiledSystem, tables: Tables, state: State) -> Array:
    """Velocities and angular velocities of all links per unit speed (nlink, 6, nv), world axes."""
    from floatframe.hybrid.kernels import VELOCITY

    now = evaluation(system, tables, state)
    J = np.zeros((len(tables.links), 6, system.nv))
    for j, unit in enumerate(np.eye(system.nv)):
        now(state.t, state.q, VELOCITY, unit)
        J[:, :3, j], J[:, 3:, j] = now.data.links["v"], now.data.links["w"]
    return J


def _travelling(tables: Tables, wheels: Array) -> Array:
    """Numbers of the links with mass that hang together with a wheel, not over the ground."""
    links, forces = tables.links, tables.forces[tables.forces["kind"] != OFF]
    carrier = np.append(tables.markers["link"], 0)
    pairs = [(k, int(link["parent"])) for k, link in enumerate(links) if link["kind"] != FREE]
    for table in (tables.rows, forces, tables.coordinates):
        pairs += zip(carrier[table["a"]].tolist(), carrier[table["b"]].tolist(), strict=True)
    linked = np.zeros((len(links), len(links)), dtype=bool)
    for a, b in pairs:
        linked[a, b] = a > 0 and b > 0
    group = connected_groups(linked)
    heavy = (links["mass"] > 0.0) | (links["flexible"] >= 0)
    return np.flatnonzero(heavy & np.isin(group, group[carrier[wheels["a"]]]))


def _spins(tables: Tables, wheels: Array, J: Array, travelling: Array, G: Array, markers: Array, links: Array) -> Array:
    """Motions (nv, k), one for every axle that can turn about itself while all else stays, as far as it can."""
    nv = J.shape[-1]
    found = []
    for axle in dict.fromkeys(tables.markers["link"][wheels["a"]].tolist()):
        wheel = next(int(w["a"]) for w in wheels if tables.markers["link"][w["a"]] == axle)
        axis = markers["R"][wheel][:, 1]
        motion = np.concatenate((np.cross(axis, links["p"][axle] - markers["p"][wheel]), axis))
        fixed = np.vstack((J[axle], G))
        wanted = np.concatenate((motion, np.zeros(len(G))))
        x = np.linalg.lstsq(fixed, wanted, rcond=1e-10)[0]
        if np.abs(J[axle] @ x - motion).max() > FOLLOWS:
            continue  # it slides
        others = J[[k for k in travelling if k != axle]].reshape(-1, nv)
        Z = null_space(fixed, DEPENDENT)
        if len(others) and Z.shape[1]:
            x = x - Z @ np.linalg.lstsq(others @ Z, others @ x, rcond=1e-10)[0]
        found.append(x)
    return np.column_stack(found) if found else np.zeros((nv, 0))


def _turning(system: CompiledSystem, tables: Tables, going: Array, spinning: Array, turn: Array) -> tuple[Array, Array]:
    """The matrices `turning_x` and `turning_v` (nv, nv) of a tangent.

    going, spinning: speeds (nv,) along the track and of spin; turn: of the track, world axes [rad/s].
    """
    by_x, by_v = np.zeros((system.nv, system.nv)), np.zeros((system.nv, system.nv))
    for link in tables.links[1:]:
        kind, at = int(link["kind"]), int(link["iv"])
        if kind not in (FREE, SPHERICAL):
            continue
        if kind == FREE:
            if int(link["parent"]) == 0:
                across = skew(link["rotation"].T @ turn)
                by_x[at : at + 3, at : at + 3] = by_v[at : at + 3, at : at + 3] = across
            at += 3
        part = slice(at, at + 3)
        by_x[part, part] = skew(going[part])
        by_v[part, part] = -skew(spinning[part])
    return by_x, by_v
