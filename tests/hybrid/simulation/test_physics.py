"""Laws of mechanics in simulations: conserved momentum and energy, and reactions by Newton's and Euler's laws."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

import floatframe as ff
from floatframe import hybrid

GRAVITY = np.array([1.0, -9.0, 2.0])
MASS = {"crank": 2.0, "rod": 1.5, "slider": 1.0}
INERTIA = {"crank": (0.03, 0.2, 0.21), "rod": (0.02, 0.12, 0.11), "slider": (0.01, 0.02, 0.03)}
COM = {"crank": (0.12, 0.02, 0.05), "rod": (0.5, 0.03, -0.04), "slider": (0.01, 0.02, 0.03)}
START = {"crank": (0, 0, 0), "rod": (0.2, -0.05, 0), "slider": (1.3, 0.1, 0)}


def bodies(model: hybrid.Model, names: list[str]) -> dict[str, hybrid.RigidBody]:
    return {
        name: model.add(
            hybrid.RigidBody(name, mass=MASS[name], inertia=INERTIA[name], com=COM[name], position=START[name])
        )
        for name in names
    }


def mechanism(kind: str, turned: set[str]) -> tuple[hybrid.Model, dict[str, tuple[str, str]]]:
    """A mechanism and for each joint the bodies of its places a and b; joints in `turned` have a and b swapped."""
    model = hybrid.Model(gravity=GRAVITY)
    names = ["crank", "rod", "slider"] if kind != "tree" else ["crank", "rod"]
    body = bodies(model, names) | {"ground": model.ground}
    sides: dict[str, tuple[str, str]] = {}

    def add(make, name: str, a: tuple[str, tuple], b: tuple[str, tuple], **more) -> None:
        first, second = (b, a) if name in turned else (a, b)
        sides[name] = (first[0], second[0])
        model.add(make(name, body[first[0]].at(first[1]), body[second[0]].at(second[1]), **more))

    if kind == "tree":
        add(hybrid.revolute, "A", ("crank", (0, 0, 0)), ("ground", (0, 0, 0)), axis=(0, 0, 1))
        add(hybrid.spherical, "B", ("rod", (0.1, 0.05, 0)), ("crank", (0.3, 0, 0)))
    else:
        add(hybrid.revolute, "A", ("crank", (0, 0, 0)), ("ground", (0, 0, 0)), axis=(0, 0, 1))
        # a loop with one way to move: rod with a ball at the crank and a universal joint at the slider
        add(hybrid.spherical, "B", ("rod", (0.1, 0.05, 0)), ("crank", (0.3, 0, 0)))
        axes = {"axis_a": (0, 0, 1), "axis_b": (0, 1, 0)}
        if "C" in turned:
            axes = {"axis_a": (0, 1, 0), "axis_b": (0, 0, 1)}
        add(hybrid.universal, "C", ("rod", (1.1, 0.05, 0)), ("slider", (0, -0.1, 0)), **axes)
        add(hybrid.prismatic, "guide", ("slider", (0, -0.1, 0)), ("ground", (1.3, 0, 0)), axis=(1, 0, 0))
    model.add(hybrid.joint_torque("motor", joint="A", torque="8 - rate"))
    return model, sides


@pytest.mark.parametrize(("method", "accuracy"), [("rk4", 1e-9), ("generalised-alpha", 2e-4)])
@pytest.mark.parametrize("turned", ["", "A", "B", "A B", "C guide", "A B C guide"])
@pytest.mark.parametrize("kind", ["tree", "loop"])
def test_reactions_obey_newton_and_euler(kind, turned, method, accuracy):
    """Explicit steps solve for exact accelerations; implicit ones to Newton's tolerance, speeds projected after it."""
    turned = set(turned.split())
    if kind == "tree" and turned & {"C", "guide"}:
        pytest.skip("the tree has no such joints")
    model, sides = mechanism(kind, turned)
    result = model.compile().simulate(
        t_end=0.2, method=method, step=1e-3, options=hybrid.SolverOptions(newton_tolerance=1e-10)
    )
    assert result.status.reason == "finished"
    names = [name for name in MASS if f"{name}.position" in result]
    push = {name: np.zeros((len(result), 3)) for name in [*names, "ground"]}
    twist = {name: np.zeros((len(result), 3)) for name in [*names, "ground"]}
    where = {  # a's place, where force and torque of a joint stand
        "A": ("crank", (0, 0, 0)) if "A" not in turned else ("ground", (0, 0, 0)),
        "B": ("rod", (0.1, 0.05, 0)) if "B" not in turned else ("crank", (0.3, 0, 0)),
        "C": ("rod", (1.1, 0.05, 0)) if "C" not in turned else ("slider", (0, -0.1, 0)),
        "guide": ("slider", (0, -0.1, 0)) if "guide" not in turned else ("ground", (1.3, 0, 0)),
    }
    rotation = {name: Rotation.from_quat(result[f"{name}.rotation"], scalar_first=True) for name in names}
    centre = {name: result[f"{name}.com_position"] for name in names}
    for joint, (a, b) in sides.items():
        carrier, point = where[joint]
        place = np.tile(point, (len(result), 1)).astype(float)
        if carrier != "ground":
            place = result[f"{carrier}.position"] + rotation[carrier].apply(point)
        force, torque = result[f"{joint}.force"], result[f"{joint}.torque"]
        if joint == "A":
            torque = torque + np.outer(result["motor.value"], [0, 0, 1])
        for body, sign in ((a, 1.0), (b, -1.0)):
            push[body] += sign * force
            arm = place - centre.get(body, np.zeros(3))
            twist[body] += sign * (torque + np.cross(arm, force))
    for name in names:
        acceleration = result[f"{name}.com_acceleration"]
        size = np.abs(push[name]).max()
        assert size > 1.0
        assert_allclose(push[name], MASS[name] * (acceleration - GRAVITY), atol=accuracy * size)
        w, e = result[f"{name}.angular_velocity"], result[f"{name}.angular_acceleration"]
        spin = w * INERTIA[name]
        local = rotation[name].inv().apply(twist[name])
        assert_allclose(local, e * INERTIA[name] + np.cross(w, spin), atol=accuracy * size)


@pytest.mark.parametrize("frame", ["mean", "chord"])
def test_tumbling_flexible_body_keeps_momentum_and_energy(beam, frame):
    thin = ff.fem.BeamSection.rectangle(0.01, 0.01)
    beam = ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=20, section=thin, material=beam.blocks[0].material)
    body = ff.modal.reduce(beam, interface=[1, 21], n_modes=2)
    model = hybrid.Model()
    start = {"velocity": (1.0, 2.0, -1.0), "angular_velocity": (6.0, 40.0, -30.0)}
    model.add(hybrid.FlexibleBody("rod", body, frame=frame, stiffening="off", **start))
    record = hybrid.Record(every=1e-3, channels=("momentum", "energy", "rod.node[11].displacement"))
    result = model.compile().simulate(t_end=0.05, method="rk45", rtol=1e-9, record=record)
    assert np.abs(result["rod.node[11].displacement"]).max() > 1e-4  # centrifugal forces bend and stretch it
    # the steps' own tolerance of 1e-9 over a few thousand of them
    for what in ("momentum.linear", "momentum.angular"):
        size = np.linalg.norm(result[what][0])
        assert_allclose(result[what], np.tile(result[what][0], (len(result), 1)), atol=1e-6 * size)
    assert_allclose(result["energy.total"], result["energy.total"][0], rtol=1e-6)
    assert np.ptp(result["energy.elastic"]) > 1e-5 * result["energy.total"][0]


def test_rigid_body_tumbles_with_constant_momentum():
    """Near its middle axis a rigid body turns over; generalised-alpha keeps energy to second order."""
    model = hybrid.Model()
    model.add(
        hybrid.RigidBody("box", mass=3.0, inertia=(1.0, 2.0, 3.0), velocity=(1, 0, 0), angular_velocity=(0.01, 5, 0.01))
    )
    result = model.compile().simulate(t_end=10.0, method="rk45", rtol=1e-10, record=hybrid.Record(every=0.01))
    assert result["box.angular_velocity.y"].min() < -4.9  # it has turned over
    assert_allclose(result["momentum.angular"], np.tile(result["momentum.angular"][0], (len(result), 1)), atol=1e-7)
    assert_allclose(result["energy.total"], result["energy.total"][0], rtol=1e-8)
    # a quaternion stays one through every attitude
    assert_allclose(np.linalg.norm(result["box.rotation"], axis=1), 1.0, atol=1e-12)


@pytest.mark.filterwarnings("ignore:body 'rod'. its frame is clamped")
@pytest.mark.filterwarnings("ignore:body 'rod', damping")  # so much that the static solution comes soon
def test_node_displacement_is_that_of_statics(beam):
    """A cantilever under a slowly growing tip load bends as the finite element model does."""
    body = ff.modal.reduce(beam, interface=[1, 21], n_modes=4)
    model = hybrid.Model()
    rod = model.add(hybrid.FlexibleBody("rod", body, frame=("node", 1), damping=0.5, stiffening="off"))
    model.add(hybrid.fixed("hold", rod.node(1), model.ground.at()))
    model.add(hybrid.point_force("tip", rod.node(21), ("0", "0", "-5*min(t/3, 1)")))
    record = hybrid.Record(every=0.5, channels=("rod.node[21].displacement", "rod.node[11].displacement", "hold"))
    result = model.compile().simulate(t_end=5.0, step=2e-3, record=record)
    u = ff.modal.solve_static(beam, loads={(21, "uz"): -5.0}, fixed=["start"])
    for node in (11, 21):
        exact = u[beam.node_index([node])[0], :3]
        # what is left of the oscillation that the end of the ramp excites
        assert_allclose(result[f"rod.node[{node}].displacement"][-1], exact, atol=2e-3 * abs(exact[2]))
    assert_allclose(result["hold.force"][-1], [0, 0, 5.0], atol=2e-2)
    assert_allclose(result["hold.torque"][-1], [0, -10.0, 0], atol=2e-2)


@pytest.mark.parametrize("method", ["generalised-alpha", "bdf2"])
@pytest.mark.parametrize("held_by", ["spring", "contact", "sticking"])
def test_loaded_mass_comes_to_rest(held_by, method):
    # m g = k x; the motion dies out within 0.2 s, then only rounding is left for Newton's method to correct
    mass, stiffness, g = 2.0, 1e5, 9.81
    model = hybrid.Model(gravity=(0, 0, -g))
    body = model.add(hybrid.RigidBody("mass", mass=mass, inertia=(1, 1, 1), position=(0, 0, 1)))
    place, ground = body.at((0, 0, 0)), model.ground.at((0, 0, 0))
    model.add(hybrid.prismatic("guide", place, model.ground.at((0, 0, 1)), axis=(0, 0, 1)))
    model.add(
        {
            "spring": hybrid.spring("hold", place, ground, stiffness=stiffness, damping=400.0),
            "contact": hybrid.contact_plane("hold", place, ground, stiffness=stiffness, damping=400.0, radius=1.0),
            "sticking": hybrid.joint_friction("hold", "guide", 30.0, stick=True, stiffness=stiffness, damping=400.0),
        }[held_by]
    )
    result = model.compile().simulate(t_end=2.0, step=1e-3, method=method, record=hybrid.Record(every=0.1))
    assert result.status.ok, str(result.status)
    # rounding of a distance of 1 m
    assert_allclose(result["mass.position"][-1, 2], 1 - mass * g / stiffness, atol=1e-14)
    assert_allclose(result["guide.rate"][-1], 0.0, atol=1e-11)
