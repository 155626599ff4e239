"""Channels of a system: what can be recorded, under which name, and the probes that read it.

BODY.position, velocity, acceleration      of the body's origin, world axes; com_position … of its centre of mass
                                           the latter of flexible bodies if it is asked for by name
BODY.rotation                              attitude as a quaternion w x y z
BODY.cardan_angles, euler_angles           the same as angles, if they are asked for by name; see the kernel `observe`
BODY.angular_velocity, …_acceleration      body axes
BODY.modal, modal_rate, modal_acceleration flexible bodies
BODY.node[12].position, velocity, acceleration, angular_velocity   with second-order motion
BODY.node[12].displacement, rotation       the linear field of the shapes, body axes: what stresses follow
BODY.node[TIP_ref].position                nodes by name, where the reduced body has names
BODY.element[12].von_mises, …              stresses are never recorded, see `stress_names`
JOINT.force, torque                        of the joint on place a and about it, world axes, without its drives
JOINT.impulse, angular_impulse             the same of the impulse with which the stage of a record began
JOINT.angle or displacement, rate, coordinate_acceleration
MOTION.force                               what holds a prescribed motion or relation
MOTION.impulse                             the same of the impulse with which the stage of a record began
ELEMENT.force, torque, value, elongation, rate, power
WHEEL.distance, Y, Q, Y_Q, wear, …         of a wheel on the track, see `floatframe.railway.REPORTS`
STATE.value, rate; SIGNAL.value            state variables and signals
energy.kinetic, potential (gravity), elastic (flexible bodies), stored (force elements), total; momentum.linear, angular
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from floatframe.arrays import AnyArray, Array, IntArray
from floatframe.errors import Subject, Where
from floatframe.hybrid.assembly import Blank, CompiledSystem, workspace
from floatframe.hybrid.compile import Additions, Skeleton, SystemIndex, extended, flexible_part, sensor_slot
from floatframe.hybrid.description import COORDINATE_UNITS, relation_unit, report_units
from floatframe.hybrid.flat import RATE, VALUE, FlatPlace, bracketed, node_number
from floatframe.hybrid.kernels import (
    APPLIED,
    CONVECTIVE,
    INERTIA,
    RELATION,
    TASK_OBSERVE,
    VELOCITY,
    Data,
    Kept,
    Work,
    new_stepping,
    new_work,
    order_of,
    probes,
    sealed,
)
from floatframe.hybrid.results.stress_names import BODY, stress_channel
from floatframe.hybrid.settings import RECORD, Record
from floatframe.io import Channel
from floatframe.railway import FIELDS, REPORTS
from floatframe.wording import did_you_mean

XYZ = ("x", "y", "z")
_NODE = re.compile(BODY + r"\.node\[(?P<node>[^\[\]]+)\]\.(?P<what>\w+)")
_OF_PLACE = {
    "position": (probes.POSITION, "m", XYZ),
    "velocity": (probes.VELOCITY, "m/s", XYZ),
    "acceleration": (probes.ACCELERATION, "m/s2", XYZ),
    "rotation": (probes.ATTITUDE, "", ("w", *XYZ)),
    "angular_velocity": (probes.ANGULAR_VELOCITY, "rad/s", XYZ),
    "angular_acceleration": (probes.ANGULAR_ACCELERATION, "rad/s2", XYZ),
}
_OF_NODE = {**_OF_PLACE, "displacement": (probes.DISPLACEMENT, "m", XYZ), "rotation": (probes.ROTATION, "rad", XYZ)}
_ANGLES = {
    "cardan_angles": (probes.CARDAN, XYZ),
    "euler_angles": (probes.EULER, ("precession", "nutation", "spin")),
}
_OF_COM = {f"com_{what}": _OF_PLACE[what] for what in ("position", "velocity", "acceleration")}
_ELEMENT: dict[str, tuple[int, tuple[str, ...]]] = {
    "value": (probes.ELEMENT_VALUE, ()),
    "elongation": (probes.ELEMENT_ELONGATION, ()),
    "rate": (probes.ELEMENT_RATE, ()),
    "power": (probes.ELEMENT_POWER, ()),
    "force": (probes.ELEMENT_FORCE, XYZ),
    "torque": (probes.ELEMENT_TORQUE, XYZ),
}
_ENERGY = ("kinetic", "potential", "elastic", "stored", "total")
# what needs accelerations and reactions
_DYNAMIC = {
    *(probes.ACCELERATION, probes.ANGULAR_ACCELERATION, probes.SECOND_RATE, probes.X_RANGE),
    *(probes.TREE_FORCE, probes.TREE_TORQUE, probes.CUT_FORCE, probes.CUT_TORQUE, probes.MULTIPLIER),
}

# makes the fields of the probe of one channel, but for its column, and adds what it measures at
Maker = Callable[[Additions], dict[str, float]]


@dataclass(frozen=True)
class Available:
    """A channel that can be recorded and how its probe is made; None if it keeps its values during a stage."""

    channel: Channel
    make: Maker | None


def available(system: CompiledSystem) -> dict[str, Available]:
    """All channels of a system except those of nodes, which are found by name."""
    found: dict[str, Available] = {}

    def add(name: str, unit: str, components: tuple[str, ...], make: Maker | None) -> None:
        found[name] = Available(Channel(name, unit, components), make)

    for number, body in enumerate(system.model.bodies):
        _add_body(system, number, body.name, add)
    for number in range(len(system.model.joints)):
        _add_joint(system, number, add)
    place = {row: k for k, row in enumerate(system.index.rows.holding)}
    moved = {joint.name: joint.coordinates for joint in system.model.joints}
    units = {
        relation.name: relation_unit([(moved[joint][k], factor) for joint, k, factor in relation.terms])
        for relation in system.model.relations
    }
    equations = {constraint.name: list(constraint.rows) for constraint in system.model.constraints}
    for row, name in enumerate(system.index.rows.names):
        channel, unit = f"{name}.force", units.get(name, "N, N m")
        if name in equations:
            equation = equations[name].pop(0)
            channel, unit = f"{name}.{equation.channel}", equation.unit
        if channel not in found:
            # a row that does not hold carries nothing: an empty range
            holding = (probes.MULTIPLIER, place[row]) if row in place else (probes.Q_RANGE, 0)
            add(channel, unit, (), _plain(*holding))
            if system.model.jolted and name in units:
                add(f"{name}.impulse", ", ".join(f"{one} s" for one in unit.split(", ")), (), None)
    for number, force in enumerate(system.model.forces):
        unit_of = report_units(moved[force.joint][force.coordinate] if force.joint else "displacement")
        for what, (kind, components) in _ELEMENT.items():
            add(f"{force.name}.{what}", unit_of[what], components, _plain(kind, number))
        if force.kind == "wheel_on_track":
            _add_wheel(int(system.tables.forces[number]["work"]) + FIELDS["report"], force.name, add)
    for state in system.model.states:
        add(state.name + VALUE, state.unit, (), _slot(state.name, state.where))
        add(state.name + RATE, f"{state.unit or 1}/s", (), _slot(state.name + RATE, state.where))
    for held in system.model.held:
        add(held.name + VALUE, held.unit, (), _slot(held.name, held.where))
    for signal in system.model.signals:
        add(signal.name + VALUE, signal.unit, (), _slot(signal.name, signal.value.where))
    for number, name in enumerate(_ENERGY):
        add(f"energy.{name}", "J", (), _plain(probes.ENERGY, number))
    add("momentum.linear", "N s", XYZ, _plain(probes.LINEAR_MOMENTUM, 0))
    add("momentum.angular", "N m s", XYZ, _plain(probes.ANGULAR_MOMENTUM, 0))
    return found


_known: WeakKeyDictionary[Skeleton, tuple[tuple[Any, ...], dict[str, Available]]] = WeakKeyDictionary()


def listed(system: CompiledSystem) -> dict[str, Available]:
    """All channels of a system, listed once for systems that differ only in the numbers of their forces and masses."""
    skeleton = system.index.skeleton
    if skeleton is None:
        return available(system)
    forces = [(force.name, force.joint, force.coordinate) for force in system.model.forces]
    states = [(state.name, state.unit) for state in system.model.states]
    signals = [(signal.name, signal.unit) for signal in system.model.signals]
    signals += [(held.name, held.unit) for held in system.model.held]
    own = (*forces, *states, *signals, *(body.com.tobytes() for body in system.model.bodies))
    listed = _known.get(skeleton.bones)
    if listed is None or listed[0] != own:
        listed = _known[skeleton.bones] = own, available(system)
    return listed[1]


def _plain(kind: int, index: int, last: int = 0) -> Maker:
    return lambda added: {"kind": kind, "index": index, "last": last}


def _slot(name: str, where: Where) -> Maker:
    """A probe of what a name means in expressions."""
    return lambda added: {"kind": probes.SLOT, "index": sensor_slot(added, name, where)}


def _in_joint(kind: int, place: FlatPlace, rows: tuple[int, int], **more: float) -> Maker:
    """A probe of what a joint carries, about its place a."""
    own = {"kind": kind, "first_row": rows[0], "last_row": rows[1], **more}
    return lambda added: {**own, "marker": added.marker(place)}


def _at(kind: int, body: int, point: Array, node: int | None = None) -> Maker:
    place = FlatPlace(body, point, node, None)
    return lambda added: {"kind": kind, "index": added.seen(place)}


def _add_body(system: CompiledSystem, number: int, name: str, add: Callable[..., None]) -> None:
    body = system.model.bodies[number]
    if body.reduced is None:
        for what, (kind, unit, components) in _OF_PLACE.items():
            add(f"{name}.{what}", unit, components, _at(kind, number, np.zeros(3)))
        for what, (kind, unit, components) in _OF_COM.items():
            add(f"{name}.{what}", unit, components, _at(kind, number, np.asarray(body.com)))
        return
    for what, (kind, unit, components) in _OF_PLACE.items():
        add(f"{name}.{what}", unit, components, _frame(kind, number))
    record = system.tables.flexible[system.index.flexible_of[number]]
    iq, iv, n = int(record["iq"]), int(record["iv"]), int(record["n"])
    modes = tuple(str(k + 1) for k in range(n))
    if n:
        add(f"{name}.modal", "m kg^0.5", modes, _plain(probes.Q_RANGE, iq, iq + n))
        add(f"{name}.modal_rate", "m kg^0.5/s", modes, _plain(probes.V_RANGE, iv, iv + n))
        add(f"{name}.modal_acceleration", "m kg^0.5/s2", modes, _plain(probes.X_RANGE, iv, iv + n))


def _frame(kind: int, body: int) -> Maker:
    """A probe of the floating frame itself."""
    return lambda added: {"kind": kind, "index": added.frame_marker(body)}


def _com(kind: int, body: int) -> Maker:
    """A probe of the centre of mass of a flexible body."""
    return lambda added: {"kind": kind, "index": added.com_marker(body)}


def _add_joint(system: CompiledSystem, number: int, add: Callable[..., None]) -> None:
    joint, tree = system.model.joints[number], system.index.tree
    if number in tree.joint_links:
        link, reverse = tree.joint_links[number]
        coordinates = tree.joint_coordinates[number]
        first = coordinates[-1 if reverse else 0][1] if coordinates else int(system.tables.links[link]["iv"])
        kinds = probes.TREE_FORCE, probes.TREE_TORQUE
        rows = _holding(system.index, _driven_steps(system.index, joint.name))
        more = {"index": link, "last": first, "sign": -1.0 if reverse else 1.0}
    else:
        cut, kinds, more = system.index.cut_joints[number], (probes.CUT_FORCE, probes.CUT_TORQUE), {}
        rows = _holding(system.index, range(cut.first_row, cut.last_row))
    add(f"{joint.name}.force", "N", XYZ, _in_joint(kinds[0], joint.a, rows, **more))
    add(f"{joint.name}.torque", "N m", XYZ, _in_joint(kinds[1], joint.a, rows, **more))
    if system.model.jolted:
        add(f"{joint.name}.impulse", "N s", XYZ, None)
        add(f"{joint.name}.angular_impulse", "N m s", XYZ, None)
    measurable = joint.coordinates
    for k, what in enumerate(measurable):
        unit = COORDINATE_UNITS[what]
        place = f"[{k + 1}]" if measurable.count(what) > 1 else ""
        rate = f"[{k + 1}]" if len(measurable) > 1 else ""
        add(f"{joint.name}.{what}{place}", unit, (), _coordinate(probes.COORDINATE, number, k))
        add(f"{joint.name}.rate{rate}", f"{unit}/s", (), _coordinate(probes.RATE, number, k))
        add(f"{joint.name}.coordinate_acceleration{rate}", f"{unit}/s2", (), _coordinate(probes.SECOND_RATE, number, k))


def _add_wheel(first: int, name: str, add: Callable[..., None]) -> None:
    """Channels of a wheel on the track; first: where it lies in the workspace."""
    for report in REPORTS:
        components = tuple(map(str, range(1, report.width + 1))) if report.width > 1 else ()
        add(f"{name}.{report.name}", report.unit, components, _plain(probes.WORK_RANGE, first, first + report.width))
        first += report.width


def _driven_steps(index: SystemIndex, joint: str) -> range:
    """The rows of the steps of a general joint that follow the time."""
    kinds = index.rows.records["kind"]
    rows = [k for k, name in enumerate(index.rows.names) if name == joint and kinds[k] == RELATION]
    return range(rows[0], rows[-1] + 1) if rows else range(0)


def _holding(index: SystemIndex, rows: range) -> tuple[int, int]:
    """First and last place of a range of rows among those that hold."""
    first, last = np.searchsorted(np.asarray(index.rows.holding), (rows.start, rows.stop))
    return int(first), int(last)


def _coordinate(kind: int, joint: int, k: int) -> Maker:
    return lambda added: {"kind": kind, "index": added.coordinate(joint, k)}


def unlisted_channel(name: str) -> Channel | None:
    """The channel of a node, of angles, of a centre of mass or of a stress as its name alone shows, if it is one."""
    if found := stress_channel(name):
        return found
    body, _, what = name.rpartition(".")
    if what in _ANGLES and re.fullmatch(BODY, body):
        return Channel(name, "rad", _ANGLES[what][1])
    if what in _OF_COM and re.fullmatch(BODY, body):
        return Channel(name, *_OF_COM[what][1:])
    match = _NODE.fullmatch(name)
    if match is None or match["what"] not in _OF_NODE:
        return None
    _, unit, components = _OF_NODE[match["what"]]
    return Channel(name, unit, components)


def body_channel(system: CompiledSystem, name: str) -> Available | None:
    """The attitude of a body as angles, or the centre of mass of a flexible one, if the name asks for it."""
    whole, _, what = name.rpartition(".")
    numbers = {body.name: number for number, body in enumerate(system.model.bodies)}
    if what not in {**_ANGLES, **_OF_COM} or whole not in numbers:
        return None
    number = numbers[whole]
    rigid = system.model.bodies[number].reduced is None
    if what in _OF_COM:
        kind, unit, components = _OF_COM[what]
        return None if rigid else Available(Channel(name, unit, components), _com(kind, number))
    kind, components = _ANGLES[what]
    return Available(
        Channel(name, "rad", components), _at(kind, number, np.zeros(3)) if rigid else _frame(kind, number)
    )


def node_channel(system: CompiledSystem, name: str) -> Available | None:
    """The channel of a node of a flexible body, if the name is one."""
    match = _NODE.fullmatch(name)
    bodies = [body.name for body in system.model.bodies]
    if match is None or "*" in name:
        return None
    where = Where(f"record: '{name}'", Subject("record"), "channels")
    if match["body"] not in bodies:
        raise where.error(f"body '{match['body']}' does not exist{did_you_mean(match['body'], bodies)}")
    if match["what"] not in _OF_NODE:
        raise where.error(f"a node has no '{match['what']}'{did_you_mean(match['what'], _OF_NODE)}")
    number = bodies.index(match["body"])
    if system.model.bodies[number].reduced is None:
        raise where.error(f"body '{match['body']}' is rigid and has no nodes; record its own motion")
    reduced = flexible_part(system.model.bodies[number])
    node = node_number(reduced, bracketed(match["node"]), where, match["body"])
    kind, unit, components = _OF_NODE[match["what"]]
    point = np.asarray(reduced.nodes[int(reduced.node_index([node])[0])])
    return Available(Channel(name, unit, components), _at(kind, number, point, node))


class Observer:
    """Computes chosen channels of recorded states; its tables hold the extra markers, so that steps stay fast.

    They hold all constraint rows, also those left out because they follow from others, so that the drift is that of
    whole joints and a run may go on with other rows.
    """

    def __init__(self, system: CompiledSystem, wanted: Record, lasting: Mapping[str, Array] | None = None) -> None:
        """lasting: values of channels that keep them during a stage (default: zeros)."""
        known = dict(listed(system))
        for name in wanted.channels:
            if stress_channel(name) or stress_channel(name.rpartition(".")[0]):
                raise RECORD.at("channels").error(
                    f"'{name}' is computed from the coordinates of a run when it is asked for; leave it out of the "
                    "channels to record"
                )
            if found := body_channel(system, name) or node_channel(system, name):
                known[name] = found
        chosen = [known[name] for name in wanted.pick(known)]
        self.channels = tuple(entry.channel for entry in chosen)
        added = Additions.behind(system.index, system.tables)
        entries: list[dict[str, float]] = []
        column = 0
        self._lasting: list[tuple[slice, Array | float]] = []  # columns, and what is in them
        for entry in chosen:
            if entry.make is None:
                values = (lasting or {}).get(entry.channel.name, 0.0)
                self._lasting.append((slice(column, column + entry.channel.width), values))
            else:
                entries.append({**entry.make(added), "column": column})
            column += entry.channel.width
        self._width = column
        self.records = np.zeros(len(entries), probes.PROBE)
        for k, fields in enumerate(entries):
            for name, value in fields.items():
                self.records[k][name] = value
        self.row_numbers = system.row_numbers  # the rows that the multipliers of records belong to
        self._holding = system.index.rows.holding
        rows = np.ascontiguousarray(system.index.rows.records[list(self._holding)])
        forces, self._stores = _with_potentials(system.tables.forces, added)
        whole = system.tables._replace(rows=rows, spare=rows[:0], forces=forces)
        index, self.tables = extended(system.index, whole, added)
        self._start = index, system.start.memory
        self._order = None if system.order is None else order_of(self.tables)
        self.data, self.work, self._settings = self._workspace()
        self._second: tuple[Data, Work, Any] | None = None
        self._blank: Blank | None = None
        self._dynamic = not _DYNAMIC.isdisjoint(self.records["kind"].tolist())
        # whether records need nothing of those before them: no angle, potential, sample or wheel remembers any
        remembers = len(self.data.memory) > len(system.start.memory)
        self.any_order = not (remembers or len(self.tables.held) or self.work.traits.wheels)

    def _workspace(self) -> tuple[Data, Work, Any]:
        index, memory = self._start
        return workspace(index, self.tables, memory), new_work(self.tables, order=self._order), new_stepping()

    def keep_blank(self) -> None:
        """Keep the workspace as it is before the first record, for `begin_again`."""
        arrays = (*self.data, *self.work)
        self._blank = Blank(arrays, arrays)

    def begin_again(self, system: CompiledSystem) -> bool:
        """Observe another system of the same structure from its start; False if what was added does not fit it."""
        now, old = system.tables, self.tables
        if self._blank is None or len(old.begin) > len(now.begin) or len(old.table_begin) > len(now.table_begin):
            return False
        self._blank.put_back()
        self._second = None
        known = system.index.room.pool
        pool = now.pool if len(old.pool) <= known else np.concatenate((now.pool[:known], old.pool[known:]))
        forces = now.forces
        if self._stores:
            forces = forces.copy()
            forces["stored"] = old.forces["stored"]
        added = {"markers": old.markers, "coordinates": old.coordinates, "sensors": old.sensors}
        # rows and what is behind them belong to the structure
        kept = {"rows": old.rows, "spare": old.spare, "states": old.states, "held": old.held}
        self.tables = sealed(now._replace(**added, **kept, forces=forces, pool=pool))
        self.row_numbers = system.row_numbers
        self.data.memory[: len(system.start.memory)] = system.start.memory
        return True

    def __call__(
        self, kept: Kept, settle: bool = False, project: bool = False, first: int = 0, beside: bool = False
    ) -> Observed:
        """Channels of m recorded states.

        With `settle` the accelerations and multipliers, and with `project` the speeds of those from number `first` on
        are found from time, positions and speeds first, as far as channels need them, and put into `kept`.
        beside: in a second workspace, while another thread observes in the first; only in any order.
        """
        from floatframe.hybrid.kernels import do

        if beside and self._second is None:
            self._second = self._workspace()
        data, work, s = self._second if beside and self._second else (self.data, self.work, self._settings)
        values, judged = np.empty((len(kept.t), self._width)), np.empty((len(kept.t), len(_ENERGY) + 2))
        lam: Array = kept.lam
        places: IntArray | slice = slice(None)
        if self.row_numbers != self._holding:
            places = np.searchsorted(self._holding, self.row_numbers)
            held = work.rows["held"][len(work.x) :]
            held[:] = 0
            held[places] = 1
            lam = np.zeros((len(kept.t), len(self.tables.rows)))
            lam[:, places] = kept.lam
        t, q, v, x, lam, memory = map(_taken, (kept.t, kept.q, kept.v, kept.x, lam, kept.memory))
        whole = Kept(t, q, v, x, lam, memory, kept.counters)
        what = VELOCITY | APPLIED | (INERTIA | CONVECTIVE if self._dynamic else 0)
        s.project = project and len(self.tables.rows) > 0
        settle = settle and (self._dynamic or bool(s.project))
        unsettled = first if settle else len(kept.t)
        do(TASK_OBSERVE, self.tables, data, work, s, self.records, what, unsettled, whole, values, judged)
        if settle:
            for mine, settled in ((kept.v, whole.v), (kept.x, whole.x), (kept.lam, whole.lam)):
                if settled is not mine:
                    mine[:] = settled[:, places] if settled is whole.lam else settled
        for columns, lasting in self._lasting:
            values[:, columns] = lasting
        return Observed(values, *judged[:, -3:].T)


@dataclass(frozen=True)
class Observed:
    """Channel columns (m, ncolumn), total energy (m,), and drift of constraints (m,) and of their rates (m,).

    Drift of rates is that of the steps: speeds that are projected for the records were off by it.
    """

    values: Array
    energy: Array = field(repr=False)
    drift: Array = field(repr=False)
    speed_drift: Array = field(repr=False)


def _taken(array: Array) -> Array:
    """An array as kernels take it: itself, if it is one of theirs."""
    flags = array.flags
    if array.dtype == np.float64 and flags.c_contiguous and flags.aligned and flags.writeable:
        return array
    return np.require(array, np.float64, ["C", "A", "W"])


def _with_potentials(forces: AnyArray, added: Additions) -> tuple[AnyArray, list[int]]:
    """Give every law with a potential a place for a coordinate and the potential there, at first zero at zero."""
    forces = forces.copy()
    stores = []
    for number in np.flatnonzero(forces["static"] >= 0):
        stores.append(added.remember([0.0, 0.0]))
        forces[number]["stored"] = stores[-1]
    return forces, stores
