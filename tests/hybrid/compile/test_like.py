"""Systems compiled like another one: bit-equal to those compiled alone, whatever the parameters change."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

import floatframe as ff
from floatframe import hybrid
from floatframe.hybrid.system import System

SAMPLES = Path(__file__).parents[3] / "samples"
IMPOSSIBLE = {("mass", 0.0), ("heavy", 0.0)}
# start values are those of the arm, which takes the rod along
MOVED = pytest.mark.filterwarnings("ignore:body 'rod'. what was given for its start")
STEEL = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)


def assert_same(one: System, other: System) -> None:
    """All numbers of two systems have the same bits, but for addresses of functions and of wheels on a track."""
    for name, mine, theirs in zip(one.tables._fields, one.tables, other.tables, strict=True):
        for field in mine.dtype.names or ("",):
            if (name, field) not in (("forces", "user"), ("forces", "setup")):
                pair = [table[field] if field else table for table in (mine, theirs)]
                assert pair[0].tobytes() == pair[1].tobytes(), f"{name}.{field}"
    for field in ("q", "v", "memory"):
        assert getattr(one.start, field).tobytes() == getattr(other.start, field).tobytes(), field
    assert (one.row_numbers, one.redundant) == (other.row_numbers, other.redundant)
    for mine, theirs in zip(one.model.bodies, other.model.bodies, strict=True):
        assert mine.damping.tobytes() == theirs.damping.tobytes()
    assert dict(one.model.parameters) == dict(other.model.parameters)


@pytest.fixture(scope="module")
def beam() -> ff.modal.ReducedBody:
    section = ff.fem.BeamSection.rectangle(0.02, 0.02)
    fe = ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=8, section=section, material=STEEL)
    return ff.modal.reduce(fe, interface=[1, 9], n_modes=3)


def everything(beam: ff.modal.ReducedBody, damping: object = "ratio") -> hybrid.Model:
    """A model with a parameter for every kind of number, all different."""
    numbers = {
        "g": 9.81, "mass": 2.0, "inertia": 0.3, "com": 0.1, "reach": 1.0, "lift": 0.0, "turn": 0.0, "start": 0.2,
        "spin": 0.1, "stiff": 100.0, "loose": 5.0, "drag": 0.3, "ratio": 0.01, "speed": 2.0, "load": 3.0, "hold": 4.0,
        "heavy": 1.0, "unused": 1.0, "bush": 1e4,
    }  # fmt: skip
    model = hybrid.Model(gravity=(0, 0, "-g"), parameters=numbers)
    arm = model.add(hybrid.RigidBody("arm", "mass", inertia=("inertia",) * 3, com=("com", 0, 0)))
    rod = model.add(hybrid.FlexibleBody("rod", beam, position=("reach", 0, "lift"), damping=damping, stiffening="off"))
    ball = model.add(hybrid.RigidBody("ball", "heavy", position=(0, 1, 0)))
    model.add(hybrid.revolute("A", arm.at(), model.ground.at(), axis=(0, 1, "turn"), start="start", start_rate="spin"))
    model.add(hybrid.revolute("B", rod.node(1), arm.at(("reach", 0, 0)), axis=(0, 1, 0)))
    slide = model.add(hybrid.RigidBody("slide", 1.0, inertia=(1, 1, 1), position=(3, 0, 0)))
    model.add(hybrid.prismatic("guide", slide.at(), model.ground.at((3, 0, 0)), axis=(1, 0, 0)))
    shaft = model.add(hybrid.RigidBody("shaft", 1.0, inertia=(1, 1, 1)))
    model.add(hybrid.revolute("S", shaft.at(), model.ground.at()))
    model.add(hybrid.motion("drive", "S", "speed*t"))
    model.add(hybrid.spring("spring", rod.node(9), slide.at(), stiffness="stiff", damping="loose"))
    model.add(hybrid.spring("cord", ball.at(), model.ground.at((0, 1, 1)), stiffness=10.0, length="hold/8"))
    model.add(hybrid.joint_torque("drag", "A", "-drag*rate + 0*load"))
    model.add(hybrid.point_force("push", slide.at((0, 0, "lift")), force=("load*sin(t)", 0, 0)))
    model.add(hybrid.joint_friction("grip", "guide", "hold", stick=True, stiffness=1e4))
    model.add(hybrid.bushing("bush", shaft.at(), arm.at(), stiffness=("bush", "bush", 0, 0, 0, 0)))
    return model


@MOVED
@pytest.mark.parametrize("damping", ["ratio", hybrid.ModalDamping("ratio", of="assembled")], ids=["free", "held"])
def test_all_kinds_of_numbers(beam, damping):
    model = everything(beam, damping)
    base = model.compile()
    for name, value in model.parameters.items():
        for other in (1.25 * float(value) + 0.05, 0.0):
            if (name, other) in IMPOSSIBLE:
                with pytest.raises(ff.errors.ModelError, match="expected more than zero"):
                    model.compile({name: other}, like=base)
                continue
            like = model.compile({name: other}, like=base)
            assert_same(like, model.compile({name: other}))
            # the way back leads to the first one
            assert_same(model.compile(like=like), base)


@MOVED
def test_what_is_taken_over(beam):
    model = everything(beam)
    base = model.compile()
    spring = model.compile({"stiff": 70.0, "g": 1.0}, like=base)
    assert spring.index.skeleton is base.index.skeleton
    heavy = model.compile({"mass": 3.0}, like=base)
    assert heavy.index.skeleton is not base.index.skeleton
    assert heavy.model.bodies[1] is base.model.history.made["", "rod"].flat
    assert heavy.model.bodies[0].mass == 3.0


def test_warnings_are_the_same(beam):
    """Whatever is taken over or made again, a system warns of all that it would warn of alone."""
    model = hybrid.Model(parameters={"ratio": 0.6, "load": 1.0, "mass": 2.0, "reach": 1.2})
    rod = model.add(hybrid.FlexibleBody("rod", beam, frame="node", damping="ratio", position=("reach", 0, 0)))
    ball = model.add(hybrid.RigidBody("ball", "mass", inertia=(1, 1, 1), position=(2, 0, 0)))
    model.add(hybrid.fixed("A", rod.node(1), model.ground.at()))
    model.add(hybrid.fixed("B", ball.at(), rod.node(9)))
    model.add(hybrid.point_force("push", ball.at(), force=(0, "load", 0)))

    def said(parameters, like=None):
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            return model.compile(parameters, like), [str(one.message) for one in found]

    base, sentences = said({})
    assert len(sentences) == 3
    for other, count in (({"load": 2.0}, 3), ({"mass": 3.0}, 3), ({"ratio": 0.1}, 2), ({"reach": 0.0}, 2)):
        assert said(other, base)[1] == said(other)[1], other
        assert len(said(other)[1]) == count


@pytest.mark.parametrize("rate", [None, 0.0, 1.0])
def test_other_masses(rate):
    """Masses do not build the tree again; the start is taken over where they do not matter for it."""
    numbers = {"mass": 2.0, "inertia": 0.3, "com": 0.1}
    model = hybrid.Model(gravity=(0, 0, -9.81), parameters=numbers)
    arm = model.add(hybrid.RigidBody("arm", "mass", inertia=("inertia",) * 3, com=("com", 0, 0)))
    slide = model.add(hybrid.RigidBody("slide", 1.0, inertia=(1, 1, 1), position=(1, 0, 0)))
    model.add(hybrid.revolute("A", arm.at(), model.ground.at(), axis=(0, 1, 0), start_rate=rate))
    model.add(hybrid.prismatic("guide", slide.at(), model.ground.at((1, 0, 0)), axis=(1, 0, 0)))
    model.add(hybrid.distance("link", slide.at(), arm.at((0, 0, 1.0))))
    base = model.compile()
    for name, value in numbers.items():
        other = {name: 1.25 * value}
        like = model.compile(other, like=base)
        assert_same(like, model.compile(other))
        assert like.index.skeleton.bones is base.index.skeleton
        assert (like.start is base.start) == (rate is None)
        # channels are shared, but not the places of centres of mass
        for system in (like, base):
            result = system.simulate(t_end=0.01, step=0.001, record=hybrid.Record(channels=("arm.com_position",)))
            x = result["arm.com_position"]
            assert np.linalg.norm(x[0]) == pytest.approx(system.model.bodies[0].com[0], rel=1e-15)
    assert_same(model.compile({"inertia": 0.0}, like=base), model.compile({"inertia": 0.0}))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:body 'slider'. what was given")  # a longer link moves it
def test_samples(beam, tmp_path):
    """Every parameter of every sample, one by one."""
    ff.io.write(tmp_path / "input.fum", beam)
    made = ("machine", "five_beams", "arm")  # by commands that make their bodies
    for path in sorted(SAMPLES.glob("*/*.toml")):
        text = (
            path.read_text(encoding="utf-8").replace("node = 201", "node = 9").replace('"input.fum"', '"../input.fum"')
        )
        (tmp_path / path.parent.name).mkdir(exist_ok=True)
        (tmp_path / path.parent.name / path.name).write_text(text, encoding="utf-8")
    models = [
        path for path in sorted(tmp_path.glob("*/*.toml")) if hybrid.is_model_file(path) and path.stem not in made
    ]
    for path in models:
        model = hybrid.read_model(path).model
        base = model.compile()
        for name, value in base.model.parameters.items():
            other = {name: 1.01 * value + 1e-3}
            assert_same(model.compile(other, like=base), model.compile(other))


def test_point_masses_that_a_load_turns():
    """Whether a body is a particle depends on its forces: a load beside its centre needs its rotation."""
    model = hybrid.Model(parameters={"aside": 0.0})
    ball = model.add(hybrid.RigidBody("ball", 1.0))
    model.add(hybrid.spring("cord", ball.at(("aside", 0, 0)), model.ground.at((0, 0, 1)), stiffness=10.0))
    base = model.compile()
    assert base.nv == 3
    assert_same(model.compile({"aside": 0.5}, like=base), model.compile({"aside": 0.5}))
    assert model.compile({"aside": 0.5}, like=base).nv == 6


def test_another_model_takes_nothing_over():
    model = hybrid.Model(parameters={"k": 10.0})
    ball = model.add(hybrid.RigidBody("ball", 1.0))
    model.add(hybrid.spring("cord", ball.at(), model.ground.at((0, 0, 1)), stiffness="k"))
    base = model.compile()
    other = hybrid.Model(parameters={"k": 10.0})
    first = other.add(hybrid.RigidBody("first", 1.0))
    other.add(ball)
    other.add(hybrid.spring("cord", ball.at(), first.at((0, 0, 1)), stiffness="k"))
    assert_same(other.compile({"k": 3.0}, like=base), other.compile({"k": 3.0}))
    np.testing.assert_array_equal(other.compile(like=base).tables.forces["stiffness"], [10.0])
