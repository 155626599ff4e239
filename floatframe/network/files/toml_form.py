"""Networks in TOML.

format = "floatframe-network/1"

[[element]]
name = "R"
kind = "resistor"
nodes = ["in", "out"]
resistance = 100.0
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from floatframe.errors import FloatframeError, Where
from floatframe.expressions import Scalar, Scope
from floatframe.hybrid import read_model
from floatframe.network.description import V_NAMES, X_NAMES, MachineFile, Structure
from floatframe.network.files.places import Line, Places
from floatframe.network.laws import LIBRARY, Kind
from floatframe.network.machine import machine_kind
from floatframe.network.settings import STATES
from floatframe.tomlfile import (
    Key,
    Source,
    Spot,
    choice,
    found_at,
    gathered,
    integer,
    located,
    named_numbers,
    number,
    path,
    read_keys,
    text,
    texts,
    truth,
)

FORMAT = "floatframe-network/1"


def _nodes(spot: Spot) -> tuple[str, ...]:
    """Names or numbers of nodes."""
    if not isinstance(spot.value, list):
        raise spot.wrong('a list of nodes such as ["in", "out"]')
    for entry in spot.entries():
        if isinstance(entry.value, bool) or not isinstance(entry.value, str | int):
            raise entry.wrong("the name or number of a node")
    return tuple(map(str, spot.value))


def _plain(spot: Spot) -> Any:
    """A table that is read later, with keys of its own."""
    return spot.value


TOP = {
    "format": Key('"floatframe-network/1"', choice(FORMAT), required=True),
    "name": Key("name of the network", text, default="name of the file"),
    "base": Key("nodes whose potential is zero, beside ground", _nodes, default='["ground"]'),
    "parameters": Key("numbers that expressions may use, by name", named_numbers),
    "element": Key("the elements, [[element]]", _plain),
    "machine": Key("machines, [[machine]]", _plain),
    "node": Key("start of nodes, [[node]]", _plain),
    "record": Key("what to keep, [record]", _plain),
    "simulate": Key("how to integrate, [simulate]", _plain),
}
ELEMENT = {
    "name": Key("name of the element", text, required=True),
    "kind": Key("kind of the element, see below", text, required=True),
    "nodes": Key("nodes of its terminals, in their order; optional ones at the end may be left out", _nodes),
}
MACHINE = {
    "name": Key("name of the machine in the network", text, required=True),
    "file": Key("its model file", path, required=True),
    "ports": Key("joints with one coordinate, and springs between two points, that nodes join", texts, required=True),
    "nodes": Key("the nodes, one for each port", _nodes, required=True),
    "parameters": Key("other values for parameters of the model, expressions of those of the network", named_numbers),
}
NODE = {
    "name": Key("name of the node", text, required=True),
    **{name: Key("displacement of the potential at the start", number) for name in X_NAMES},
    **{name: Key("velocity of the potential at the start", number) for name in V_NAMES},
}
RECORD = {
    "every": Key("time between two records [s] (default: every step)", number),
    "channels": Key('names such as "out.voltage"; "*" matches any text', texts, default='["*"]'),
    "start": Key("time of the first record [s]", number),
    "coordinates": Key("whether all potentials are kept", truth, default="true"),
    "checkpoint_every": Key("wall-clock time between two checkpoints to resume from [s]", number, default="10"),
    "model": Key("whether the file of results keeps the network", truth, default="true"),
}
SIMULATE = {
    "t_end": Key("end of the run [s]", number, required=True),
    "method": Key('"stormer", "bdf2", "generalised-alpha"', text, default='"bdf2"'),
    "step": Key("a fixed step [s]; not together with rtol or atol", number),
    "rtol": Key("local error over the largest potential of its physics so far", number, default="1e-4"),
    "atol": Key("local error beside it (default: what counts as nothing in that physics)", number),
    "first_step": Key("first of controlled steps [s]", number, default="1e-6 of the run"),
    "step_max": Key("largest step [s]", number),
    "step_min": Key("smallest step [s]", number),
    "step_rule": Key('rule for the next step: "1.30" or the corrected "2.23"', text, default='"2.23"'),
    "newton_potential": Key("change of potentials that ends the iterations", number),
    "newton_flow": Key("sum of flows at a node that ends the iterations", number),
    "iterations": Key("most iterations of a step, which is then halved", integer, default="10"),
    "spectral_radius": Key("of generalised-alpha: 1 no damping, 0 most", number, default="0.8"),
    "events": Key("expressions that end the run where they cross zero", texts),
    "from": Key('initial state: "start", or "equilibrium", the operating point', choice(*STATES), default='"start"'),
}


def keys_of(kind: Kind) -> dict[str, Key]:
    """The keys of an element."""
    own = {
        one.name: Key(f"{one.meaning} [{one.unit}]" if one.unit else one.meaning, number, default=_default(one.default))
        for one in kind.values
    }
    return {**ELEMENT, **own}


def _default(value: float | None) -> str:
    return "" if value is None else f"{value:g}"


def read_toml(
    source: Source, network: Structure, places: Places, parameters: Mapping[str, Scalar]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Fill a network from a file; returns the tables [record] and [simulate].

    parameters: other values than those of the file, which machines may depend on.
    """
    root = source.root
    found: Mapping[str, Any] = {}
    try:
        found = read_keys(root, TOP, "a network file")
    except FloatframeError as error:
        places.mistakes.append(error)
    network.name = str(found.get("name", source.path.stem))
    network.base = tuple(dict.fromkeys((*network.base, *found.get("base", ()))))
    network.parameters.update(found.get("parameters", {}))
    places.lines["network", network.name] = _lines(root)
    for table, read in (("element", _element), ("machine", partial(_machine, parameters=parameters)), ("node", _node)):
        if table not in source.content:
            continue
        spot = root.inside(table)
        if not isinstance(spot.value, list):
            places.mistakes.append(spot.error(f"expected tables opened by double brackets, [[{table}]]"))
            continue
        for entry in spot.entries():
            _one(entry, table, read, network, places)
    settings = []
    for table, keys in (("record", RECORD), ("simulate", SIMULATE)):
        values: dict[str, Any] = {}
        if table in source.content:
            spot = root.inside(table).of(table, "")
            places.lines[table, ""] = _lines(spot)
            try:
                values = read_keys(spot, keys, f"[{table}]")
            except FloatframeError as error:
                places.mistakes.append(error)
        settings.append(values)
    return settings[0], settings[1]


def _one(entry: Spot, table: str, read: Any, network: Structure, places: Places) -> None:
    """Read one element, machine or node."""
    name = entry.value.get("name", "") if isinstance(entry.value, dict) else ""
    kind = "element" if table == "machine" else table
    spot = entry.of(kind, str(name), f"{table} '{name}'" if name else table)
    places.lines.setdefault((kind, str(name)), _lines(spot))
    try:
        read(spot, network)
    except FloatframeError as error:
        places.mistakes.append(gathered([located(spot, problem) for problem in error.problems], spot.source.path))


def _lines(spot: Spot) -> Line:
    return lambda name: found_at(spot, name).line


def _element(spot: Spot, network: Structure) -> None:
    kind = spot.value.get("kind") if isinstance(spot.value, dict) else None
    if isinstance(kind, str) and kind in LIBRARY:
        values = read_keys(spot, keys_of(LIBRARY[kind]), f"a {kind}")
    else:
        given = spot.value if isinstance(spot.value, dict) else ()
        values = read_keys(spot, {**{key: Key("", _plain) for key in given}, **ELEMENT}, "an element")
    name, kind, nodes = values.pop("name"), values.pop("kind"), values.pop("nodes", ())
    network.add(name, kind, nodes, **values)


def _machine(spot: Spot, network: Structure, parameters: Mapping[str, Scalar]) -> None:
    values = read_keys(spot, MACHINE, "a machine")
    written: dict[str, Scalar] = values.get("parameters", {})
    given = written
    if any(isinstance(value, str) for value in written.values()):
        known = {name: value for name, value in parameters.items() if name in network.parameters}
        scope, where = Scope(network.resolved(known)), Where.of("element", values["name"], "machine")
        given = {name: scope.number(value, where.key(name)) for name, value in written.items()}
    system = read_model(values["file"], given).model.compile()
    network.add(values["name"], machine_kind(system, values["ports"]), values["nodes"])
    network.machines[values["name"]] = MachineFile(values["file"], values["ports"], written)


def _node(spot: Spot, network: Structure) -> None:
    values = read_keys(spot, NODE, "a node")
    name = values.pop("name")
    if name in network.starts:
        raise spot.inside("name").error("the node has a start already; give both values in one table")
    network.start(name, **values)
