"""Damping by ratios of the modes of a flexible body, free or as the joints of the assembled model hold it.

A steel beam of 2 m, 20 x 20 mm. What `linearise` finds in the assembled system is computed from the equations of motion
and knows nothing of how the damping was made.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe import hybrid as h
from floatframe.cli.main import run
from floatframe.errors import ModelError
from floatframe.hybrid.description import rotations
from tests.hybrid.stiffened_models import beam

N = 20
FIRST = 4.17755  # Hz: 1.8751² / 2π sqrt(EI / m L⁴), clamped at one end, shear left out
#: damping by differences of forces at 1e-6 of the amplitudes, and frequencies that gravity does not change here
CLOSE = 1e-6
AXIS, ACROSS = (0.6, 0.0, 0.8), (0.0, 1.0, 0.0)
PLACE = np.array([0.3, -0.2, 0.5])
TURNED = rotations.about(np.array([2.0, -1.0, 2.0]) / 3.0, 0.7)
JOINTS = {
    "fixed": h.fixed,
    "revolute": lambda name, a, b: h.revolute(name, a, b, AXIS),
    "prismatic": lambda name, a, b: h.prismatic(name, a, b, AXIS),
    "cylindrical": lambda name, a, b: h.cylindrical(name, a, b, AXIS),
    "screw": lambda name, a, b: h.screw(name, a, b, 0.2, AXIS),
    "spherical": h.spherical,
    "planar": lambda name, a, b: h.planar(name, a, b, AXIS),
    "point_on_line": lambda name, a, b: h.point_on_line(name, a, b, AXIS),
    "point_on_plane": lambda name, a, b: h.point_on_plane(name, a, b, AXIS),
    "general": lambda name, a, b: h.general(
        name, a, b, [h.rotate(AXIS), h.translate(ACROSS, 0.1), h.rotate(ACROSS, 0.2), h.translate((1, 0, 0))]
    ),
}


@pytest.fixture(scope="module")
def rod():
    return beam(N, modes=8)


def held(rod, damping, *joints, **options) -> h.System:
    """The rod with joints, functions (model, rod)."""
    model = h.Model()
    body = model.add(h.FlexibleBody("rod", rod, damping=damping, **options))
    for joint in joints:
        model.add(joint(model, body))
    return model.compile()


def clamp(model, rod):
    return h.fixed("root", rod.node(1), model.ground.at())


def elastic(found: h.Linear) -> np.ndarray:
    """Damping ratios of all modes that swing."""
    return found.damping[found.frequency > 0.1]


AS_HELD = h.ModalDamping(0.02, of="assembled")


def test_ratios_of_free_modes_give_a_cantilever_less(rod):
    """Bending of a clamped beam is mostly motion of its frame: 2 % of the free modes leave 0.14 % in its first mode."""
    system = held(rod, 0.02, clamp)
    found = system.linearise()
    assert_allclose(found.frequency[:2], FIRST, rtol=2e-4)  # twenty elements
    assert_allclose(found.damping[:2], 0.00145, atol=5e-6)
    modes = h.held_modes(system, "rod")
    # what is reported is what the system does; its modes couple by their damping a little, with its square
    assert_allclose(modes.ratio[:6], found.damping[:6], rtol=1e-3)
    assert_allclose(modes.frequency[:6], found.frequency[:6], rtol=1e-4)
    assert modes.joints == ("root",)


@pytest.mark.filterwarnings("ignore:body 'rod'")  # a screw cannot hold the pose that the others do
@pytest.mark.parametrize("frame", ["mean", "chord"])
@pytest.mark.parametrize("side", ["place", "against"])
@pytest.mark.parametrize("kind", sorted(JOINTS))
def test_every_joint_holds_the_body_for_its_ratio(rod, kind, side, frame):
    def joint(model, body):
        ends = (body.node(1), model.ground.at(PLACE))
        return JOINTS[kind](kind, *(ends if side == "place" else ends[::-1]))

    turned = {} if kind == "general" else {"rotation": TURNED, "position": PLACE}
    system = held(rod, AS_HELD, joint, frame=frame, **turned)
    ratios = elastic(system.linearise())
    assert ratios.size >= 12
    assert_allclose(ratios, 0.02, rtol=CLOSE)


def test_a_driven_coordinate_is_held(rod):
    model = h.Model()
    body = model.add(h.FlexibleBody("rod", rod, damping=AS_HELD))
    hinge = model.add(h.revolute("hinge", body.node(1), model.ground.at(), (0, 1, 0)))
    model.add(h.motion("drive", hinge, "0"))
    found = model.compile().linearise()
    assert_allclose(found.frequency[:2], FIRST, rtol=2e-4)
    assert_allclose(found.damping, 0.02, rtol=CLOSE)


def test_springs_hold_nothing(rod):
    """On a soft spring the body keeps the damping of its free modes, and the spring alone damps nothing."""
    model = h.Model()
    body = model.add(h.FlexibleBody("rod", rod, damping=AS_HELD))
    model.add(h.bushing("seat", body.node(1), model.ground.at(), stiffness=[1e2] * 3 + [1e1] * 3))
    free = held(rod, h.ModalDamping(0.02))
    assert_allclose(model.compile().model.bodies[0].damping, free.model.bodies[0].damping, atol=1e-9)


def test_a_body_at_both_ends_and_the_deformations_its_joints_prevent(rod):
    """Between two walls; let one wall go and the beam is damped all the same."""
    system = held(
        rod,
        AS_HELD,
        lambda model, body: h.revolute("A", body.node(1), model.ground.at(), (0, 1, 0)),
        lambda model, body: h.spherical("B", body.node(N + 1), model.ground.at((2, 0, 0))),
    )
    assert_allclose(elastic(system.linearise()), 0.02, rtol=CLOSE)
    damping = system.model.bodies[0].damping
    assert np.linalg.eigvalsh(damping).min() > 0.0


def test_no_rigid_motion_is_damped(rod):
    """A free rod that spins and vibrates keeps its momenta, whatever held it when its damping was made."""
    damping = held(rod, h.ModalDamping(0.1, of="assembled"), clamp).model.bodies[0].damping
    model = h.Model()
    model.add(h.FlexibleBody("rod", rod, velocity=(0.5, 0, 0.1), angular_velocity=(0.1, 2.0, 3.0)))
    flat = model.flatten()
    from dataclasses import replace

    from floatframe.hybrid.system import compile_model

    system = compile_model(replace(flat, bodies=(replace(flat.bodies[0], damping=damping),)))
    record = h.Record(every=0.01, channels=("momentum", "energy"))
    found = system.simulate(t_end=0.1, step=1e-4, record=record)
    for name in ("momentum.linear", "momentum.angular"):
        size = np.abs(found[name]).max()
        assert_allclose(
            found[name], np.broadcast_to(found[name][0], found[name].shape), atol=1e-5 * size
        )  # of the step
    # and its vibration dies
    assert found["energy.total"][-1] < found["energy.total"][0] - 1e-3 * found["energy.elastic"].max()


def test_ratios_per_mode_and_over_frequency(rod):
    per_mode = held(rod, h.ModalDamping([0.01, 0.02, 0.03], of="assembled"), clamp).linearise().damping
    assert_allclose(per_mode[2:], 0.03, rtol=CLOSE)
    # two bending planes have the same frequency, so which is first is open
    assert_allclose(sorted(per_mode[:2]), [0.01, 0.02], rtol=1e-4)
    pairs = [[10, 0.02], [100, 0.05]]
    for ratio in (pairs, h.Table(*np.transpose(pairs))):
        found = held(rod, h.ModalDamping(ratio, of="assembled"), clamp).linearise()
        assert_allclose(found.damping, np.interp(found.frequency, *np.transpose(pairs)), rtol=1e-4)
    free = held(rod, h.ModalDamping(pairs)).linearise()
    swings = free.frequency > 1
    assert_allclose(free.damping[swings], np.interp(free.frequency[swings], *np.transpose(pairs)), rtol=1e-4)


def test_a_body_on_another_counts_its_neighbour_as_ground(rod):
    """Two clamped rods in a row: each is made for 2 %; the pair's modes have what its bodies' strains give, below 2 %.

    In the first mode the inner rod is bent by the mass of the outer one, slower than alone, and ratios fall with that.
    """
    model = h.Model()
    inner = model.add(h.FlexibleBody("inner", rod, damping=AS_HELD))
    outer = model.add(h.FlexibleBody("outer", rod, damping=AS_HELD))
    model.add(h.fixed("wall", inner.node(1), model.ground.at()))
    model.add(h.fixed("weld", outer.node(1), inner.node(N + 1)))
    system = model.compile()
    assert h.held_modes(system, "outer").joints == ("weld",)
    assert_allclose(h.held_modes(system, "outer").ratio, 0.02, rtol=1e-9)
    assert_allclose(h.held_modes(system, "inner").ratio, 0.02, rtol=1e-9)  # clamped at both ends
    found = system.linearise()
    assert 0.0 < found.damping[0] < 0.02


def test_instances_of_a_part_are_held_each_in_its_way(rod):
    part = h.Subsystem("arm")
    part.add(h.FlexibleBody("rod", rod, damping=AS_HELD))
    model = h.Model()
    one, two = (model.add(part.instance(name)) for name in ("one", "two"))
    model.add(h.fixed("weld", one["rod"].node(1), model.ground.at()))
    model.add(h.spherical("ball", two["rod"].node(1), model.ground.at()))
    system = model.compile()
    assert_allclose(elastic(system.linearise()), 0.02, rtol=CLOSE)
    assert h.held_modes(system, "one.rod").frequency[0] < 5.0 < h.held_modes(system, "two.rod").frequency[0]


def test_a_released_joint_leaves_the_damping_as_it_was(rod):
    model = h.Model()
    body = model.add(h.FlexibleBody("rod", rod, damping=AS_HELD))
    model.add(h.fixed("root", body.node(1), model.ground.at()))
    model.add(h.Stage("loose", when=0.01, release=["root"]))
    found = model.compile().simulate(t_end=0.02, step=1e-3)
    assert found.status.reason == "finished"
    clamped = held(rod, AS_HELD, clamp).model.bodies[0].damping
    for model in (found.system.model, found.system.model.stages[0].model):
        assert_allclose(model.bodies[0].damping, clamped, atol=1e-9)


def test_the_start_pose_is_that_of_closed_joints(rod):
    """A rod that slides along its own line, given 40 degrees off: what counts is how it stands when closed."""
    turn = rotations.about(np.array([0.0, 1.0, 0.0]), 0.7)

    def slide(model, body):
        return h.cylindrical("slide", body.node(1, np.eye(3)), model.ground.at(), (1, 0, 0))

    with pytest.warns(UserWarning, match="attitude was changed"):
        rough = held(rod, AS_HELD, slide, rotation=turn)
    ratios = elastic(rough.linearise())
    assert_allclose(ratios, 0.02, rtol=CLOSE)


@pytest.mark.parametrize("ratio", [1, [0.01, 0.7], h.Table([1, 10], [0.01, 50])])
@pytest.mark.parametrize("of", ["free", "assembled"])
def test_ratios_near_one_are_doubted(rod, ratio, of):
    with pytest.warns(UserWarning, match=r"% of critical damping; 1 % is 0.01"):
        held(rod, h.ModalDamping(ratio, of=of), clamp)
    with pytest.warns(UserWarning, match=r"body 'rod', damping: found a ratio of 1, which is 100 % of critical"):
        held(rod, 1, clamp)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        held(rod, 0.2, clamp)


@pytest.mark.parametrize(
    ("ratio", "of", "words"),
    [
        (-0.01, "assembled", "found -0.01, expected zero or more"),
        ([[1.0, 0.02], [10, -0.1]], "assembled", "found -0.1, expected zero or more"),
        ([0.01] * 40, "assembled", "found 40 ratios, expected one for each of the 14 modes"),
        (0.02, "held", "found of = 'held', expected one of free, assembled"),
        ([[1, 2, 3]], "free", "expected pairs"),
    ],
)
def test_wrong_damping_is_refused(rod, ratio, of, words):
    with pytest.raises(ModelError, match=words):
        held(rod, h.ModalDamping(ratio, of=of), clamp)


MODEL = """
format = "floatframe-model/1"
[parameters]
zeta = 0.02
[[flexible]]
name = "rod"
file = "rod.h5"
damping = {damping}
[[joint]]
name = "root"
type = "fixed"
place = {{ body = "rod", node = 1 }}
against = {{ body = "ground" }}
"""


@pytest.mark.parametrize(
    ("damping", "said"),
    [
        ('{ ratio = 0.02, of = "assembled" }', "2 % of critical, modes of the body as its joints hold it"),
        ('{ ratio = "zeta", of = "assembled" }', "2 % of critical, modes of the body as its joints hold it"),
        ('{ ratio = [0.02, 0.02], of = "assembled" }', "2 % of critical, modes of the body as its joints hold it"),
        ('{ ratio = [[1, 0.02], [100, 0.02]], of = "assembled" }', "2 % of critical, modes of the body as"),
        ("0.02", "2 % of critical, modes of the free body"),
        ('{ ratio = [[1, 0.01], [100, 0.02]], of = "free" }', "1 to 2 % of critical, modes of the free body"),
        ("{ alpha = 0.5, beta = 1e-6 }", "alpha M + beta K, alpha = 0.5 1/s, beta = 1e-06 s"),
    ],
)
def test_model_files(rod, tmp_path, damping, said, capsys):
    """All forms in a file; `info` says what they give; written and read again they are the same."""
    ff.io.write(tmp_path / "rod.h5", rod)
    path = tmp_path / "model.toml"
    path.write_text(MODEL.format(damping=damping), encoding="utf-8")
    file = h.read_model(path)
    system = file.model.compile()
    if "assembled" in damping:
        assert_allclose(system.linearise().damping, 0.02, rtol=CLOSE)
    from floatframe.hybrid.describe import describe_model_file

    description = describe_model_file(file, system)
    assert said in ff.viewer.for_people(description)["bodies"][0]["damping"]
    table = description["held_modes"]
    assert [row["mode"] for row in table] == [1, 2, 3]
    assert_allclose([row["damping_ratio"] for row in table], h.held_modes(system, "rod").ratio[:3])
    again = tmp_path / "again.toml"
    h.write_model(again, file.model)
    assert_allclose(h.read_model(again).model.compile().model.bodies[0].damping, system.model.bodies[0].damping)


def test_on_the_command_line(rod, tmp_path, capsys):
    ff.io.write(tmp_path / "rod.h5", rod)
    path = tmp_path / "model.toml"
    path.write_text(MODEL.format(damping='{ ratio = "zeta", of = "assembled" }'), encoding="utf-8")
    assert run(["info", str(path)]) == 0
    assert "flexible bodies as their joints hold them" in capsys.readouterr().out
    assert run(["linear", str(path), "--set", "zeta=0.03"]) == 0
    assert "3.000" in capsys.readouterr().out
