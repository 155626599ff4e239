"""Frequency responses of assembled models against closed forms."""

from __future__ import annotations

import math
import warnings
from pathlib import Path

import numpy as np
import pytest

import floatframe as ff
from floatframe import hybrid as h
from floatframe.errors import ModelError

MASS, STIFFNESS, DAMPING = 2.0, 100.0, 3.0
FREQUENCY = np.array([0.1, 1.0, 3.0])
S = 2j * np.pi * FREQUENCY
EXACT = 2e-9  # laws are differentiated to about 1e-11, a resonance of 3 % damping multiplies that


def oscillator() -> h.System:
    """A mass on spring and damper, on a base that is moved; weight, a load, a parameter and a signal act on it."""
    model = h.Model(gravity=(0, 0, -9.81), parameters={"extra": 3.0})
    base = model.add(h.RigidBody("base", mass=1.0, inertia=(1, 1, 1)))
    mass = model.add(h.RigidBody("mass", mass=MASS, inertia=(1, 1, 1)))
    model.add(h.prismatic("shaker", base.at(), model.ground.at(), axis=(0, 0, 1)))
    model.add(h.prismatic("guide", mass.at(), base.at(), axis=(0, 0, 1)))
    model.add(h.motion("road", "shaker", "0"))
    model.add(h.Signal("given", "0", unit="N"))
    model.add(h.joint_force("law", "guide", f"-{STIFFNESS}*displacement - {DAMPING}*rate + extra + given"))
    model.add(h.point_force("push", mass.at(), (0, 0, "0")))
    return model.compile()


@pytest.mark.parametrize("source", ["push.z", "law", "extra", "given"])
def test_force_moves_the_mass_by_its_dynamic_flexibility(source: str) -> None:
    found = h.frequency_response(oscillator(), source, ["mass.position.z", "law.value"], frequency=FREQUENCY)
    flexibility = 1 / (STIFFNESS + DAMPING * S + MASS * S**2)
    np.testing.assert_allclose(found["mass.position.z", source], flexibility, rtol=EXACT)
    # what the element itself reports: its reaction, and what is put on top of its law
    on_top = 0.0 if source == "push.z" else 1.0
    np.testing.assert_allclose(
        found["law.value", source], on_top - (STIFFNESS + DAMPING * S) * flexibility, rtol=EXACT, atol=EXACT
    )


def test_parameter_of_a_model_file_acts_like_a_force(tmp_path: Path) -> None:
    path = tmp_path / "oscillator.toml"
    path.write_text(f"""
format = "floatframe-model/1"
parameters = {{ extra = 3.0, mass = 1.0 }}
body = [{{ name = "mass", mass = "mass", inertia = [1, 1, 1] }}]
[[joint]]
name = "guide"
type = "prismatic"
place = {{ body = "mass" }}
against = {{ body = "ground" }}
axis = [0, 0, 1]
[[force]]
name = "law"
type = "joint_force"
joint = "guide"
force = "-{STIFFNESS}*displacement - {DAMPING}*rate + extra"
""")
    system = h.read_model(path, {"mass": MASS}).model.compile()
    found = h.frequency_response(system, "extra", "mass.position.z", frequency=FREQUENCY)
    flexibility = 1 / (STIFFNESS + DAMPING * S + MASS * S**2)
    np.testing.assert_allclose(found["mass.position.z", "extra"], flexibility, rtol=EXACT)


def test_prescribed_motion_by_displacement_rate_and_acceleration() -> None:
    sources = ["road", "road.rate", "road.acceleration"]
    outputs = ["mass.position.z", "mass.acceleration.z", "road.force", "guide.displacement"]
    found = h.frequency_response(oscillator(), sources, outputs, frequency=FREQUENCY)
    T = (STIFFNESS + DAMPING * S) / (STIFFNESS + DAMPING * S + MASS * S**2)
    for order, source in enumerate(sources):
        np.testing.assert_allclose(found["mass.position.z", source], T / S**order, rtol=EXACT)
        np.testing.assert_allclose(found["mass.acceleration.z", source], T * S ** (2 - order), rtol=EXACT)
        np.testing.assert_allclose(found["guide.displacement", source], (T - 1) / S**order, rtol=EXACT)
    # the motion moves the base of 1 kg and all that hangs on it
    np.testing.assert_allclose(found["road.force", "road"], S**2 * (1.0 + MASS * T), rtol=1e-7)
    np.testing.assert_allclose(
        found.transmissibility("mass.position.z", "guide.displacement", "road"), T / (T - 1), rtol=EXACT
    )
    assert [port.unit for port in found.inputs] == ["m", "m/s", "m/s2"]


def test_shaken_ground_acts_like_weights() -> None:
    found = h.frequency_response(oscillator(), "ground.acceleration.z", "guide.displacement", frequency=FREQUENCY)
    expected = -MASS / (STIFFNESS + DAMPING * S + MASS * S**2)
    np.testing.assert_allclose(found.values[:, 0, 0], expected, rtol=EXACT)


def test_joint_reaction_carries_load_and_inertia() -> None:
    """A bar hinged at its end, pushed at the other: the hinge carries what the inertia of the centre leaves."""
    model = h.Model()
    bar = model.add(h.RigidBody("bar", mass=3.0, inertia=(0, 0.25, 0.25), com=(0.5, 0, 0)))
    model.add(h.revolute("hinge", bar.at(), model.ground.at(), axis=(0, 1, 0)))
    model.add(h.joint_torque("spring", "hinge", "-50*angle - 0.5*rate"))
    model.add(h.point_force("push", bar.at((1, 0, 0)), (0, 0, "0")))
    found = h.frequency_response(
        model.compile(),
        "push.z",
        ["hinge.force.z", "hinge.angle", "2*hinge.force.z - hinge.force.x"],
        frequency=FREQUENCY,
    )
    angle = -1.0 / (50 + 0.5 * S + 1.0 * S**2)  # 1.0 kg m2 about the hinge; pushed up it turns against y
    np.testing.assert_allclose(found["hinge.angle", "push.z"], angle, rtol=EXACT)
    reaction = -1.0 + 3.0 * 0.5 * -angle * S**2
    np.testing.assert_allclose(found["hinge.force.z", "push.z"], reaction, rtol=1e-8)
    np.testing.assert_allclose(found.values[:, 2, 0], 2 * reaction, rtol=1e-8)


def test_motion_without_inertia_follows_spring_and_damper() -> None:
    """A spring and a damper in series: the disc between them has no inertia and no mode, but a response."""
    model = h.Model()
    for name, inertia in (("heavy", MASS), ("light", 0.0)):
        disc = model.add(h.RigidBody(name, mass=1.0, inertia=(inertia,) * 3))
        model.add(h.revolute(f"{name}_axle", disc.at(), model.ground.at(), axis=(0, 0, 1)))
    twist = "40*(heavy_axle.angle - light_axle.angle)"
    model.add(h.joint_torque("held", "heavy_axle", f"-{STIFFNESS}*angle - {twist}"))
    model.add(h.joint_torque("behind", "light_axle", f"{twist} - 5*rate"))
    found = h.frequency_response(model.compile(), "held", "heavy_axle.angle", frequency=FREQUENCY)
    maxwell = 40 * 5 * S / (40 + 5 * S)
    np.testing.assert_allclose(found.values[:, 0, 0], 1 / (STIFFNESS + maxwell + MASS * S**2), rtol=EXACT)
    with pytest.raises(ModelError, match="no inertia"):
        found.contributions("heavy_axle.angle", "held", 1.0)


def test_control_takes_part() -> None:
    """A first-order actuator whose input is the speed of the mass: its lag is in the response."""
    model = h.Model()
    mass = model.add(h.RigidBody("mass", mass=MASS, inertia=(1, 1, 1)))
    model.add(h.prismatic("guide", mass.at(), model.ground.at(), axis=(0, 0, 1)))
    model.add(h.Signal("wanted", "-8*mass.velocity.z", unit="N"))
    model.add(h.transfer_function("actuator", "wanted", [1], [0.2, 1]))
    model.add(h.joint_force("held", "guide", f"-{STIFFNESS}*displacement + actuator"))
    found = h.frequency_response(
        model.compile(), ["held", "wanted"], ["mass.position.z", "actuator.value"], frequency=FREQUENCY
    )
    lag = 1 / (1 + 0.2 * S)
    flexibility = 1 / (STIFFNESS + 8 * S * lag + MASS * S**2)
    np.testing.assert_allclose(found["mass.position.z", "held"], flexibility, rtol=EXACT)
    np.testing.assert_allclose(found["mass.position.z", "wanted"], lag * flexibility, rtol=EXACT)
    np.testing.assert_allclose(found["actuator.value", "wanted"], lag * (1 - 8 * S * lag * flexibility), rtol=1e-8)


def test_closed_loop_has_the_response_of_its_one_coordinate() -> None:
    """A parallelogram of massless cranks and a coupler, its springs in one hinge: one dof, a closed loop of joints."""
    model = h.Model()
    cranks = [
        model.add(h.RigidBody(name, mass=1.0, inertia=(0, 0.1, 0.1), com=(0, 0, -0.5), position=(x, 0, 0)))
        for name, x in (("left", 0.0), ("right", 1.0))
    ]
    coupler = model.add(h.RigidBody("coupler", mass=4.0, inertia=(0, 1, 1), com=(0.5, 0, 0), position=(0, 0, -1)))
    for name, crank, x in (("A", cranks[0], 0.0), ("B", cranks[1], 1.0)):
        model.add(h.revolute(name, crank.at(), model.ground.at((x, 0, 0)), axis=(0, 1, 0)))
        model.add(h.revolute(f"{name}2", coupler.at((x, 0, 0)), crank.at((0, 0, -1)), axis=(0, 1, 0)))
    model.add(h.joint_torque("spring", "A", "-60*angle - 2*rate"))
    model.add(h.point_force("push", coupler.at((0.2, 0, 0)), ("0", 0, 0)))
    found = h.frequency_response(model.compile(), "push.x", "coupler.position.x", frequency=FREQUENCY)
    inertia = 2 * (0.1 + 0.25) + 4.0
    np.testing.assert_allclose(found.values[:, 0, 0], 1 / (60 + 2 * S + inertia * S**2), rtol=EXACT)


def test_cantilever_has_the_flexibility_of_the_beam() -> None:
    """The exact dynamic flexibility of a clamped beam at its tip, up to the trusted frequency of its basis."""
    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
    width, depth, length = 0.02, 0.005, 1.0
    section = ff.fem.BeamSection.rectangle(width, depth)
    beam = ff.fem.beam_line((0, 0, 0), (length, 0, 0), n=30, section=section, material=steel)
    body = ff.modal.reduce(beam, interface=[1, 31], n_modes=16, mass="consistent")
    model = h.Model()
    rod = model.add(h.FlexibleBody("rod", body))
    model.add(h.fixed("root", rod.node(1), model.ground.at()))
    model.add(h.point_force("push", rod.node(31), (0, 0, "0")))
    system = model.compile()
    frequency = np.array([0.5, 2.0, 10.0, 50.0])
    found = h.frequency_response(system, "push.z", "rod.node[31].position.z", frequency=frequency)
    assert frequency.max() < found.trusted
    inertia = section.Iz if math.isclose(section.Iz, width * depth**3 / 12) else section.Iy
    assert math.isclose(inertia, width * depth**3 / 12)
    k = (7850.0 * width * depth * (2 * np.pi * frequency) ** 2 / (2.1e11 * inertia)) ** 0.25
    x = k * length
    exact = (np.sin(x) * np.cosh(x) - np.cos(x) * np.sinh(x)) / (2.1e11 * inertia * k**3 * (1 + np.cos(x) * np.cosh(x)))
    # shear and rotary inertia of the elements, and their length, are worth 2e-4 at 50 Hz
    np.testing.assert_allclose(found.values[:, 0, 0].real, exact, rtol=1e-3)
    with pytest.warns(UserWarning, match=r"basis of body 'rod' is trusted up to"):
        h.frequency_response(system, "push.z", "rod.node[31].position.z", (1.0, 3 * found.trusted), points=3)


def test_parts_of_modes_add_up() -> None:
    model = h.Model()
    bodies = [model.add(h.RigidBody(f"m{k}", mass=1.0 + k, inertia=(1, 1, 1))) for k in range(3)]
    for k, body in enumerate(bodies):
        against = bodies[k - 1].at() if k else model.ground.at()
        model.add(h.prismatic(f"g{k}", body.at(), against, axis=(1, 0, 0)))
        model.add(h.joint_force(f"f{k}", f"g{k}", f"-{200 + 50 * k}*displacement - {0.5 + k}*rate"))
    system = model.compile()
    found = h.frequency_response(system, ["f0", "f2"], ["m2.position.x", "m0.acceleration.x"], (0.1, 10.0))
    for output in ("m2.position.x", "m0.acceleration.x"):
        for source in ("f0", "f2"):
            parts = found.contributions(output, source, 1.7)
            whole = found.linear.response(np.array([1.7]))[0]
            i, j = [one.name for one in found.outputs].index(output), [one.name for one in found.inputs].index(source)
            np.testing.assert_allclose(parts.parts.sum(), whole[i, j], rtol=1e-10)
            assert math.isclose(sum(row["share"] for row in parts.rows()), 1.0, rel_tol=1e-10)
    modes = system.linearise()
    own = np.sort(parts.frequency[~np.isnan(parts.frequency)])
    np.testing.assert_allclose(own, np.sort(modes.frequency), rtol=1e-9)
    # at a resonance its own mode leads
    peak = found.peaks("m2.position.x", "f0")[0]
    leading = found.contributions("m2.position.x", "f0", peak).rows(1)[0]
    assert abs(leading["frequency_hz"] / peak - 1) < 0.02
    assert leading["share"] > 0.9


def test_parts_that_cancel_have_no_share() -> None:
    """Two modes of 1e6 against each other leave 1e-3: shares of that would be a billion times the whole."""
    of = np.array([1.0, 2.0, np.nan])
    rows = h.ModalParts(("mode 1", "mode 2", "direct"), of, of, np.array([1e6j, -1e6j, 1e-3])).rows()
    assert [row["share"] for row in rows] == [None] * 3


def test_every_resonance_of_the_band_has_points_of_its_own() -> None:
    model = h.Model()
    mass = model.add(h.RigidBody("mass", mass=1.0, inertia=(1, 1, 1)))
    model.add(h.prismatic("guide", mass.at(), model.ground.at(), axis=(0, 0, 1)))
    model.add(h.joint_force("law", "guide", "-4000*displacement - 0.01*rate"))
    found = h.frequency_response(model.compile(), "law", "mass.position.z", (1.0, 100.0), points=5)
    # 1/(c ω) at the resonance, met by a point although the five of the band are far apart
    assert math.isclose(found.magnitude.max(), 1 / (0.01 * math.sqrt(4000)), rel_tol=1e-6)


@pytest.mark.parametrize(
    ("sources", "outputs", "band", "words"),
    [
        (["pusch.z"], ["mass.position.z"], (1, 2), r"input 'pusch.z' does not exist; did you mean push.z"),
        (["push"], ["mass.position.z"], (1, 2), "take one of them"),
        (["push.z"], ["mass.positon.z"], (1, 2), "did you mean"),
        (["push.z"], ["mass.position.z"], (2, 1), "two rising positive frequencies"),
        (["push.z"], ["mass.position.z : lowpass(3)"], (1, 2), "filters a history"),
        (["push.z"], ["2*mass.position.magnitude"], (1, 2), "length of a vector, which is not linear"),
        (["push.z"], ["mass.position.z:rms"], (1, 2), "take 'mass.position.z' alone"),
        ([], ["mass.position.z"], (1, 2), "no input is given"),
        (["push.z", "push.z"], ["mass.position.z"], (1, 2), "given twice"),
    ],
)
def test_wrong_requests_are_refused(
    sources: list[str], outputs: list[str], band: tuple[float, float], words: str
) -> None:
    with pytest.raises(ModelError, match=words):
        h.frequency_response(oscillator(), sources, outputs, band)


def test_parameter_that_moves_a_joint_is_refused() -> None:
    model = h.Model(parameters={"lift": 0.1})
    base = model.add(h.RigidBody("base", mass=1.0, inertia=(1, 1, 1)))
    model.add(h.prismatic("shaker", base.at(), model.ground.at(), axis=(0, 0, 1)))
    model.add(h.motion("road", "shaker", "lift"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(ModelError, match="take the prescribed motion itself"):
            h.frequency_response(model.compile(), "lift", "road.force", (1, 2))
