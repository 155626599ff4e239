"""Models that cannot be: each is refused on the way to a system, and the message says what to do."""

from __future__ import annotations

import numpy as np
import pytest

from floatframe import hybrid as h
from floatframe.cli import main
from floatframe.errors import ModelError
from tests.hybrid import random_systems as make


def pendulum(**body):
    model = h.Model(parameters={"length": 1.0})
    rod = model.add(h.RigidBody("rod", **{"mass": 1.0, "inertia": (0.1, 1, 1), "com": ("length", 0, 0)} | body))
    model.add(h.revolute("hinge", rod.at(), model.ground.at()))
    return model


def at_node(node):
    model = h.Model()
    beam = model.add(h.FlexibleBody("beam", make.beam_body()))
    model.add(h.spherical("joint", beam.node(node), model.ground.at()))
    return model


def unreachable():
    """A rod of 1 m between two points 1.5 m apart."""
    model = h.Model()
    rod = model.add(h.RigidBody("rod", 1.0, (0.1, 1, 1), com=(0.5, 0, 0)))
    model.add(h.spherical("left", rod.at(), model.ground.at()))
    model.add(h.spherical("right", rod.at((1, 0, 0)), model.ground.at((1.5, 0, 0))))
    return model


def circular():
    wheel, bogie = h.Subsystem("wheel"), h.Subsystem("bogie")
    bogie.add(wheel.instance("left"))
    wheel.add(bogie.instance("carrier"))
    return h.Model()


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: pendulum(mass=0.0), ["body 'rod'", "found a mass of 0 kg", "more than zero"]),
        (
            lambda: pendulum(inertia=(0.1, 0.2, 1.0)),
            ["body 'rod'", "0.1, 0.2, 1 kg m2", "no body has one larger than the sum", "about the centre of mass"],
        ),
        (
            lambda: at_node(5),
            [
                "joint 'joint'",
                "node 5 of body 'beam' is not an interface node",
                "interface nodes are 1 (start), 11 (end)",
                "reduce",
            ],
        ),
        (unreachable, ["joint 'right' stays open by 0.5 m", "however the bodies are moved", "lengths of the bodies"]),
        (lambda: pendulum(com=("lenght", 0, 0)), ["body 'rod', com", "unknown", "'lenght'", "did you mean length"]),
        (circular, ["instance 'carrier'", "subsystems contain each other", "wheel -> bogie -> wheel"]),
    ],
    ids=["zero mass", "triangle inequality", "not an interface node", "unreachable", "unknown parameter", "circular"],
)
def test_refused_in_words(build, message):
    with pytest.raises(ModelError) as error:
        build().compile()
    for words in message:
        assert words in str(error.value)


def test_unknown_parameter_from_outside():
    with pytest.raises(ModelError, match="has no parameter 'lengt'; did you mean length"):
        pendulum().compile({"lengt": 2.0})


def test_a_flexible_body_without_mass():
    from dataclasses import replace

    weightless = make.reduced_body(np.random.default_rng(0))
    weightless = replace(weightless, nodal_mass=0.0 * weightless.nodal_mass)
    model = h.Model()
    model.add(h.FlexibleBody("beam", weightless))
    with pytest.raises(ModelError, match="body 'beam'"):
        model.compile()


FILES = {
    "zero mass": ("mass = 0.0\ninertia = [1, 1, 1]", "mass of 0 kg"),
    "triangle inequality": ("mass = 1.0\ninertia = [0.1, 0.2, 1.0]", "larger than the sum"),
    "unknown parameter": ("mass = 'weight'\ninertia = [1, 1, 1]", "'weight'"),
}


@pytest.mark.parametrize("case", FILES)
def test_model_files_are_refused_without_traceback(case, tmp_path, capsys):
    body, message = FILES[case]
    file = tmp_path / "model.toml"
    file.write_text(f'format = "floatframe-model/1"\n[[body]]\nname = "rod"\n{body}\n')
    with pytest.raises(SystemExit, match="1"):
        main(["linear", str(file)])
    shown = "".join(capsys.readouterr())
    assert "model.toml" in shown
    assert "body 'rod'" in shown
    assert message in shown
    assert "Traceback" not in shown


def test_files_that_include_each_other(tmp_path, capsys):
    for name, other in (("first", "second"), ("second", "first")):
        text = f'format = "floatframe-model/1"\n[[subsystem]]\nname = "inner"\nfile = "{other}.toml"\n'
        (tmp_path / f"{name}.toml").write_text(text)
    with pytest.raises(SystemExit, match="1"):
        main(["linear", str(tmp_path / "first.toml")])
    shown = "".join(capsys.readouterr())
    assert "first" in shown
    assert "second" in shown
    assert "Traceback" not in shown
