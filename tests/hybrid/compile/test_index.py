"""A compiled system is a value: nothing that can be reached from it can be changed."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import FunctionType, MappingProxyType

import numpy as np
import pytest

from floatframe import hybrid as h
from floatframe.expressions.expression import Expression
from floatframe.hybrid.flat.reuse import History
from floatframe.hybrid.kernels.user_functions import UserFunction
from floatframe.modal import ReducedBody
from tests.hybrid.random_systems import beam_body

PLAIN = (type(None), bool, int, float, str, bytes, np.generic, enum.Enum, FunctionType)
VALUES = (ReducedBody, Expression, UserFunction, History)  # keep to themselves what they cache


def changeable(thing: object, way: str) -> Iterator[str]:
    """Yield the ways to all that could be changed."""
    if isinstance(thing, PLAIN + VALUES):
        return
    if isinstance(thing, np.ndarray):
        if thing.flags.writeable:
            yield f"{way} can be written to"
    elif isinstance(thing, tuple | frozenset):
        names = getattr(thing, "_fields", None) or range(len(thing))
        for name, value in zip(names, thing, strict=True):
            yield from changeable(value, f"{way}.{name}")
    elif isinstance(thing, Mapping):
        if not isinstance(thing, MappingProxyType):
            yield f"{way} is a {type(thing).__name__}"
        for key, value in thing.items():
            yield from changeable(value, f"{way}[{key!r}]")
    elif dataclasses.is_dataclass(thing):
        if not thing.__dataclass_params__.frozen:
            yield f"{way} is a {type(thing).__name__} that is not frozen"
        for field in dataclasses.fields(thing):
            yield from changeable(getattr(thing, field.name), f"{way}.{field.name}")
    else:
        yield f"{way} is a {type(thing).__name__}"


@pytest.fixture(scope="module")
def system() -> h.System:
    """Rigid, flexible and point bodies, tree and cut joints, forces of several kinds, a stage."""
    model = h.Model(gravity=(0, 0, -9.81), parameters={"k": 1e3}, tables={"push": h.Table([0, 1], [0, 5])})
    crank = model.add(h.RigidBody("crank", mass=1.0, inertia=(0.1, 0.1, 0.1), com=(0.5, 0, 0)))
    rod = model.add(h.FlexibleBody("rod", beam_body(), damping=0.01))
    ball = model.add(h.RigidBody("ball", mass=0.5, inertia=(0.01, 0.01, 0.01), position=(3, 0, 0)))
    model.add(h.revolute("A", crank.at(), model.ground.at(), axis=(0, 1, 0), start=0.1))
    model.add(h.spherical("B", rod.node(1), crank.at((1, 0, 0))))
    model.add(h.distance("rope", ball.at(), model.ground.at((3, 0, 2))))
    model.add(h.joint_torque("drive", joint="A", torque="table(push, t) - rod.node[11].position.z"))
    model.add(h.spring("s", ball.at(), rod.node(11), stiffness="k", length=1.0))
    model.add(h.user_force("own", ball.at(), model.ground.at(), lambda *_: ((0, 0, 0), (0, 0, 0))))
    model.add(h.Stage("later", when=0.5, release=["rope"]))
    return model.compile()


def test_nothing_reached_from_a_system_can_be_changed(system):
    # the description is what the user wrote; only the text that a run keeps is made of it
    assert list(changeable(replace(system, description=None), "system")) == []


def test_index_finds_bodies_joints_and_rows(system):
    index, tables = system.index, system.tables
    assert index.model is system.model
    assert tables.links[index.tree.carriers[0].link]["mass"] == 1.0
    record = tables.flexible[index.flexible_of[1]]
    assert record["n"] == system.model.bodies[1].reduced.nmode
    ((iq, iv),) = index.tree.joint_coordinates[0]
    assert system.start.q[iq] == pytest.approx(0.1)
    assert tables.dofs[iv]["link"] == index.tree.joint_links[0][0]
    assert [index.rows.names[k] for k in system.row_numbers] == list(system.row_names) == ["B"] * 3 + ["rope"]
    rope = index.cut_joints[2]
    assert index.rows.names[rope.first_row : rope.last_row] == ("rope",)
    assert index.rows.records[rope.first_row]["length"] == pytest.approx(2.0)
