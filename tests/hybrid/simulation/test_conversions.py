"""One way from a model file to its results: what is converted on it is converted once."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from floatframe import hybrid
from floatframe.expressions.tables import Table
from floatframe.hybrid.compile import arrays, system as compiling
from floatframe.hybrid.flat import flatten
from floatframe.hybrid.flat.parts import opened

MODEL = """
format = "floatframe-model/1"
gravity = [0, 0, -9.81]

[parameters]
drag = 30.0

[tables.load]
x = [0, 0.3, 1.0]
y = [0, 40.0, 10.0]

[define.strut.parameters]
stiffness = 1.0e4

[define.strut.tables.push]
x = [-0.1, 0.0, 0.2]
y = [-500.0, 0.0, 900.0]

[[define.strut.body]]
name = "mass"
mass = 2.0
inertia = [0.1, 0.1, 0.1]

[[define.strut.joint]]
name = "guide"
type = "prismatic"
place = { body = "mass" }
against = { body = "ground" }
axis = [0, 0, 1]

[[define.strut.force]]
name = "spring"
type = "joint_force"
joint = "guide"
force = "-stiffness*displacement - table(push, displacement)"

[[subsystem]]
name = "left"
use = "strut"

[[subsystem]]
name = "right"
use = "strut"
position = [1, 0, 0]
parameters = { stiffness = "200*drag" }

[[force]]
name = "drive"
type = "joint_force"
joint = "left.guide"
force = "table(load, t) - drag*rate"

[record]
every = 0.01

[simulate]
t_end = 0.02
step = 1e-2
"""


@contextmanager
def counted(*functions: Callable[..., object]) -> Iterator[Counter[str]]:
    """Count the calls of functions, from wherever they come."""
    codes = {function.__code__: function.__name__ for function in functions}
    found = Counter(dict.fromkeys(codes.values(), 0))

    def count(frame, event, _):
        if event == "call" and frame.f_code in codes:
            found[codes[frame.f_code]] += 1

    sys.setprofile(count)
    try:
        yield found
    finally:
        sys.setprofile(None)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "struts.toml"
    path.write_text(MODEL)
    return path


def test_a_run_opens_subsystems_and_makes_tables_once(file):
    steps = (opened, flatten, compiling.build, arrays.finished, Table.pieces.func)
    with counted(*steps) as calls:
        model = hybrid.read_model(file, {"left.stiffness": 2e4})
        system = model.model.compile()
        result = system.simulate(
            record=model.record, path=file.with_suffix(".h5"), events=["left.mass.position.z - 1"], **model.simulate
        )
    assert result.status.ok
    # two tables: one of the model, one that the struts share
    assert calls == {"opened": 1, "flatten": 1, "build": 1, "finished": 1, "pieces": 2}


def test_damping_of_a_body_as_held_needs_no_second_build(beam_model):
    with counted(compiling.build, arrays.finished) as calls:
        system = beam_model.compile()
    assert calls == {"build": 1, "finished": 1}
    assert hybrid.held_modes(system, "rod").ratio[0] == pytest.approx(0.02, rel=1e-9)


@pytest.fixture
def beam_model():
    import floatframe as ff

    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
    section = ff.fem.BeamSection.rectangle(0.02, 0.03)
    fe = ff.fem.beam_line((0, 0, 0), (1, 0, 0), n=4, section=section, material=steel)
    model = hybrid.Model()
    body = ff.modal.reduce(fe, interface=[1, 5], n_modes=2)
    rod = model.add(hybrid.FlexibleBody("rod", body, damping=hybrid.ModalDamping(0.02, of="assembled")))
    model.add(hybrid.fixed("wall", rod.node(1), model.ground.at()))
    return model
