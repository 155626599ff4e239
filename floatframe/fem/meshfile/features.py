"""The features of a mesh file: what is put on, cut out of or said about the joined parts, one after another."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.errors import ModelError, Where
from floatframe.fem import builders
from floatframe.fem.meshfile import picks, values as v
from floatframe.fem.meshfile.context import XYZ, Field
from floatframe.fem.meshfile.parts import COMMON, MADE_OF, ORIENTATION, SECTION, Kind
from floatframe.fem.model import FEModel
from floatframe.tomlfile import Key

_FAR = 0.05  # of the size of the model


def _near(fe: FEModel, place: Array) -> int:
    """Return the node nearest to a place; says so if it is far from it for this model and for the elements there."""
    number = builders.node_near(fe, place)
    row = int(fe.node_index([number])[0])
    away = float(np.linalg.norm(fe.nodes[row] - place))
    if away > _FAR * np.linalg.norm(np.ptp(fe.nodes, axis=0)) and away > _longest_edge(fe, row):
        warnings.warn(
            f"the node nearest to ({', '.join(f'{x:g}' for x in place)}) is {number}, {away:.3g} m away from it; "
            "check the place, in m",
            stacklevel=2,
        )
    return number


def _longest_edge(fe: FEModel, row: int) -> float:
    """The longest way [m] from a node, by its row, to another of an element that has it."""
    there = [block.connectivity[(block.connectivity == row).any(axis=1)].ravel() for block in fe.blocks]
    return float(np.linalg.norm(fe.nodes[np.concatenate([[row], *there])] - fe.nodes[row], axis=1).max())


def _node(fe: FEModel, place: Any) -> int:
    """Return the number of a node: given, alone in a set, or nearest to a place."""
    if isinstance(place, np.ndarray):
        return _near(fe, place)
    return fe.one_node(place)


def _found(fe: FEModel, nodes: Any, name: str) -> IntArray:
    at = Where(field="nodes")
    try:
        if isinstance(nodes, picks.Nearest):
            _near(fe, nodes.place)
        picked = fe.pick_nodes(nodes, name)
    except ModelError as error:
        raise at.error(str(error)) from None
    if not picked.size:
        raise at.error("no node lies there; check the place, or widen it")
    return picked


def _elements(fe: FEModel, on: Any) -> IntArray:
    found = builders.pick_elements(fe, on)
    if not found.size:
        raise Where(field="on").error("no element has its centre there; check the place")
    return found


def _ribs(
    fe: FEModel, on: Any, orientation: Any = (0.0, 0.0, 1.0), offset: Any = (0.0, 0.0, 0.0), **more: Any
) -> FEModel:
    return builders.with_ribs(fe, on, orientation=orientation, offset=offset, **more)


def _beams(fe: FEModel, points: Array, offset: Array | None = None, only_nodes: bool = False, **more: Any) -> FEModel:
    """Lay beams along points; nodes that are missing are added."""
    chain = []
    for place in points:
        if only_nodes:
            chain.append(_near(fe, place))
        else:
            fe, node = builders.with_node(fe, place)
            chain.append(node)
    return builders.with_beams(fe, chain, offsets=offset, **more)


def _stiffener(fe: FEModel, a: Array, b: Array, offset: Array | None = None, **more: Any) -> FEModel:
    return builders.with_beams(fe, builders.nodes_between(fe, a, b), offsets=offset, **more)


def _cut(fe: FEModel, on: Any, name: str) -> FEModel:
    return builders.cut_openings(fe, on)


def _remove(fe: FEModel, on: Any, name: str) -> FEModel:
    return builders.remove_unused_nodes(builders.remove_elements(fe, _elements(fe, on)))


def _moved(fe: FEModel, name: str, **fields: Field) -> FEModel:
    env = dict(zip(XYZ, fe.nodes.T, strict=True))
    return replace(fe, nodes=np.column_stack([fields[a].finite(env) if a in fields else env[a] for a in XYZ]))


def _machine(fe: FEModel, name: str, mass: float, mounts: Array, height: float, section: Any, material: Any) -> FEModel:
    for place in mounts:
        _near(fe, place)
    return builders.with_machine(fe, name, mass, mounts, height, section, material)


def _mass(fe: FEModel, at: Any, mass: float, name: str, inertia: Any = (0, 0, 0), offset: Any = (0, 0, 0)) -> FEModel:
    return fe.with_point_mass(_node(fe, at), mass, inertia, offset)


def _masses(fe: FEModel, points: Array, total: float, name: str) -> FEModel:
    for place in points:
        fe = fe.with_point_mass(_near(fe, place), total / len(points))
    return fe


def _spring(fe: FEModel, at: Any, name: str, to: Any = None, stiffness: Any = 0.0, damping: Any = 0.0) -> FEModel:
    return fe.with_spring(_node(fe, at), None if to is None else _node(fe, to), stiffness, damping)


def _rigid(fe: FEModel, reference: Any, nodes: Any, name: str, components: str = "all") -> FEModel:
    return fe.with_rbe2(_node(fe, reference), _found(fe, nodes, name), components, name)


def _tie(fe: FEModel, on: Any, name: str, components: str = "all") -> FEModel:
    return builders.tie_nodes(fe, on, components, name)


def _average(fe: FEModel, reference: Any, nodes: Any, name: str) -> FEModel:
    return fe.with_rbe3(_node(fe, reference), _found(fe, nodes, name), name=name)


def _reference(fe: FEModel, name: str, nodes: Any, at: Any = "centroid", kind: Any = "rbe2") -> FEModel:
    return builders.with_reference_node(fe.with_node_set(name, _found(fe, nodes, name)), name, kind, at)


def _support(fe: FEModel, nodes: Any, name: str, components: str = "all") -> FEModel:
    held = components if components == "all" else [word.strip() for word in components.split(",")]
    return fe.with_support([(int(node), held) for node in _found(fe, nodes, name)])


def _set(fe: FEModel, nodes: Any, name: str) -> FEModel:
    return fe.with_node_set(name, _found(fe, nodes, name))


def _element_set(fe: FEModel, on: Any, name: str) -> FEModel:
    return fe.with_element_set(name, _elements(fe, on))


def _places(fe: FEModel, points: Array, name: str, each: str | None = None) -> FEModel:
    nodes = [_near(fe, place) for place in points]
    return fe.with_node_set(name, nodes) if each is None else builders.with_places(fe, name, each, points)


_OFFSET = {"offset": Key("from the nodes to the centroid [m]", v.vector, default="[0, 0, 0]")}
_LAID = {**SECTION, **MADE_OF, **ORIENTATION, **_OFFSET}
_NODES = {
    "nodes": Key(
        "a set, numbers, { nearest = point }, or a region { box, plane, x, where … }", picks.nodes, required=True
    )
}
_NODE = "a node: its number, a set that holds it alone, or the place it is nearest to"
_COMPONENTS = {"components": Key('"ux,uy,uz,rx,ry,rz" or some of them', v.word, default='"all"')}


def _on(what: str) -> dict[str, Key]:
    return {"on": Key(what, picks.region, required=True)}


FEATURES = {
    "ribs": Kind(
        _ribs,
        {
            **_on("region of the shell edges that carry them"),
            **SECTION,
            **MADE_OF,
            "orientation": Key("vector in the plane of local x and z, of x, y, z", v.field_vector, default="[0, 0, 1]"),
            "offset": Key("from the nodes to the centroid [m], of x, y, z", v.field_vector, default="[0, 0, 0]"),
        },
        "beams along shell edges",
    ),
    "beams": Kind(
        _beams,
        {
            "points": Key("the chain; nodes are those that stand there, or new ones", v.points, required=True),
            **_LAID,
            "only_nodes": Key("true: the nearest nodes, none is added", v.flag, default="false"),
        },
        "beams from point to point",
    ),
    "stiffener": Kind(
        _stiffener,
        {"a": Key("its first end", v.point, required=True), "b": Key("its last", v.point, required=True), **_LAID},
        "beams along the nodes that lie on a straight line",
    ),
    "cut": Kind(_cut, _on("region of the centres of shells that go"), "an opening"),
    "remove": Kind(_remove, _on("region of the centres of elements that go"), "elements of any kind removed"),
    "move": Kind(
        _moved,
        {axis: Key(f"new {axis} of all nodes, of x, y, z [m]", v.expression(*XYZ), default=axis) for axis in XYZ},
        "all nodes moved by expressions",
    ),
    "machine": Kind(
        _machine,
        {
            "mass": Key("[kg]", v.positive, required=True),
            "mounts": Key("places where it stands; a strut goes to the node nearest to each", v.points, required=True),
            "height": Key("of its centre above the mounts [m]", v.number, required=True),
            **SECTION,
            **MADE_OF,
        },
        "a brick with mass and inertia on struts; its node is the set of its name",
    ),
    "mass": Kind(
        _mass,
        {
            "at": Key(_NODE, picks.node, required=True),
            "mass": Key("[kg]", v.number, required=True),
            "inertia": Key("three moments about its centre [kg m2]", v.vector, default="[0, 0, 0]"),
            "offset": Key("of its centre from the node [m]", v.vector, default="[0, 0, 0]"),
        },
        "a rigid mass at a node",
    ),
    "masses": Kind(
        _masses,
        {
            "points": Key("places; the nodes nearest to them carry equal shares", v.points, required=True),
            "total": Key("[kg]", v.positive, required=True),
        },
        "a mass shared by several nodes",
    ),
    "spring": Kind(
        _spring,
        {
            "at": Key(_NODE, picks.node, required=True),
            "to": Key("the other node (default: ground)", picks.node),
            "stiffness": Key("6, 3 or 1 numbers [N/m, N m/rad]", v.one_or_more, default="0"),
            "damping": Key("likewise [N s/m, N m s/rad]", v.one_or_more, default="0"),
        },
        "a spring and damper",
    ),
    "rigid": Kind(
        _rigid,
        {"reference": Key(_NODE, picks.node, required=True), **_NODES, **_COMPONENTS},
        "nodes that follow a node as one rigid piece (RBE2)",
    ),
    "tie": Kind(
        _tie,
        {**_on("region in which nodes that stand at one place are tied"), **_COMPONENTS},
        "nodes at one place that move together, the later after the earlier (RBE2): bolts, hinges",
    ),
    "average": Kind(
        _average,
        {"reference": Key(_NODE, picks.node, required=True), **_NODES},
        "a node that follows the mean motion of nodes (RBE3)",
    ),
    "reference": Kind(
        _reference,
        {
            **_NODES,
            "at": Key("where the new node stands (default: the centroid)", v.point),
            "kind": Key('"rbe2" rigid, "rbe3" mean motion', v.one_of("rbe2", "rbe3"), default='"rbe2"'),
        },
        "a new node coupled to nodes, the set NAME_ref, for joints and loads",
    ),
    "support": Kind(_support, {**_NODES, **_COMPONENTS}, "dofs held at zero"),
    "set": Kind(_set, _NODES, "a node set"),
    "places": Kind(
        _places,
        {
            "points": Key("places; the set holds the nodes nearest to them", v.points, required=True),
            "each": Key("and each alone is the set EACH 1, EACH 2 …", v.word),
        },
        "a node set by places",
    ),
    "element_set": Kind(_element_set, _on("region of the centres of its elements"), "an element set"),
}  # fmt: skip
FEATURE_KEYS = {
    **COMMON,
    "name": Key("the name of the set, element set or coupling (default: the type)", v.word),
}
