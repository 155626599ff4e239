"""Scenes of hybrid systems: bodies, joints and springs stand where the simulation says, modes move as theory says."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

import floatframe as ff
from floatframe.viewer.drawing.rigid_shapes import bars, inertia_box
from floatframe.viewer.scene import placed
from tests.viewer.looking import drawn, span


@pytest.fixture(scope="module")
def run(machine_folder):
    return ff.hybrid.Results.open(machine_folder / "run.h5")


@pytest.fixture(scope="module")
def scene(run):
    return ff.viewer.scene_of(run, trace=["rod.node[11]", "crank.com"])


def number(scene, name):
    return [carrier.name for carrier in scene.carriers].index(name)


@pytest.mark.parametrize("record", [0, 17, 50])
def test_bodies_stand_where_the_channels_say(run, scene, record):
    state = scene.state(scene.clips[0], record / 50)
    crank, rod, slider = (number(scene, name) for name in ("crank", "rod", "slider"))
    com = placed(state.pose[crank], np.array([[0.5, 0.0, 0.0]]))[0]
    # poses in NumPy against the probes of the compiled kernels: rounding only
    np.testing.assert_allclose(com, run["crank.com_position"][record], atol=1e-12)
    np.testing.assert_allclose(state.pose[slider][:, 3], run["slider.position"][record], atol=1e-12)
    # the rod is drawn as seen from its two joints; the pose takes the rest, exactly
    u = scene.carriers[rod].field(state.amplitude[rod])
    middle = placed(state.pose[rod], np.array([[1.0, 0.0, 0.0]]) + u[10, :3])[0]
    np.testing.assert_allclose(middle, run["rod.node[11].position"][record], atol=1e-12)


def test_magnified_bodies_stay_in_their_joints(scene):
    rod, crank = number(scene, "rod"), number(scene, "crank")
    for moment in (0.3, 0.8):
        state = scene.state(scene.clips[0], moment, 20.0)
        u = scene.carriers[rod].field(state.amplitude[rod])
        assert np.abs(u[10, :3]).max() > 1e-3  # it bends
        end = placed(state.pose[rod], u[:1, :3])[0]
        pin = placed(state.pose[crank], np.array([[1.0, 0.0, 0.0]]))[0]
        # what the fit leaves is stretch: two nodes and six rigid motions, only their distance stays free
        assert np.linalg.norm(end - pin) < 1e-4


def test_springs_reach_from_place_to_place(run, scene):
    k = next(k for k, part in enumerate(scene.parts) if part.name == "springs")
    for record in (0, 30):
        coil = scene.positions(scene.state(scene.clips[0], record / 50))[k]
        middle = coil.reshape(-1, 6, 3).mean(axis=1)  # of the wire
        # the wire runs out on the axis at both ends, 1e-6 m for its own rounding
        np.testing.assert_allclose(middle[0], run["slider.position"][record], atol=1e-6)
        np.testing.assert_allclose(middle[-1], [4.0, 0.0, 0.0], atol=1e-6)


def test_traces_follow_their_points(run, scene):
    rod, com = (part.points for part in scene.parts if part.name == "traces")
    np.testing.assert_allclose(rod, run["rod.node[11].position"], atol=1e-12)
    np.testing.assert_allclose(com, run["crank.com_position"], atol=1e-12)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("rood", "body or joint 'rood' does not exist; did you mean rod"),
        ("crank.node[3]", "is rigid and has no node"),
        ("crank.at(1, 2)", "three numbers"),
    ],
)
def test_wrong_traces_are_explained(run, name, words):
    with pytest.raises(ff.ModelError, match=words.replace("(", r"\(")):
        ff.viewer.scene_of(run, trace=[name])


def test_parts_are_named_and_joints_marked(machine_folder):
    scene = ff.viewer.scene_of(ff.hybrid.read_model(machine_folder / "model.toml"))
    names = [part.name for part in scene.parts]
    assert names.count("joints") == 4
    assert {"crank", "rod", "slider", "springs", "loads", "supports"} <= set(names)
    assert {label.text for label in scene.labels} == {"crank", "rod", "slider"}
    assert not scene.clips


def test_a_flexible_rod_beside_rigid_boxes_keeps_its_ghost(machine_folder):
    scene = ff.viewer.scene_of(ff.hybrid.read_model(machine_folder / "model.toml"))
    rod = next(part for part in scene.parts if part.name == "rod")
    lines = scene.ghost(rod)
    ends = rod.points[lines.ravel()]
    assert np.ptp(ends[:, 0]) == pytest.approx(2.0, rel=1e-6)  # as long as the rod


def pendulum(damping: float = 0.0) -> ff.hybrid.Model:
    model = ff.hybrid.Model(gravity=(0, 0, -9.81), name="pendulum")
    rod = model.add(ff.hybrid.RigidBody("rod", mass=2.0, inertia=(1 / 6, 1 / 6, 1e-9), com=(0, 0, -0.5)))
    model.add(ff.hybrid.revolute("hinge", rod.at(), model.ground.at(), axis=(0, 1, 0)))
    model.add(ff.hybrid.joint_torque("drag", "hinge", f"-{damping}*rate"))
    return model


def test_a_pendulum_swings_about_its_hinge():
    system = pendulum().compile()
    scene = ff.viewer.scene_of(system, linear=system.linearise())
    (clip,) = scene.clips
    assert clip.title.startswith("mode 1: 0.6105 Hz")  # sqrt(3 g / 2 l) / 2 pi
    values = scene.values(clip, scene.rest)
    k = [part.name for part in scene.parts].index("rod")
    # displacement grows with the distance from the hinge, 1 at the far end
    points = scene.positions(scene.rest)[k]
    reach = np.linalg.norm(points[:, [0, 2]], axis=1)
    np.testing.assert_allclose(values[k], reach / reach.max(), atol=1e-6)  # poses by central differences of 1e-5
    assert scene.largest(clip) == pytest.approx(1.0)


def test_a_run_in_memory_knows_its_system():
    result = pendulum().compile().simulate(t_end=0.1, step=0.01)
    scene = ff.viewer.scene_of(result)
    assert scene.title == "pendulum"
    assert scene.clips[0].caption(1.0) == "t = 0.100 s"
    lost = ff.hybrid.Results(result.source)
    with pytest.raises(ff.ModelError, match="has no model text"):
        ff.viewer.scene_of(lost)
    assert ff.viewer.scene_of(lost, system=pendulum().compile()).clips
    with pytest.raises(ff.ModelError, match="1 coordinates and 1 speeds, its model"):
        ff.hybrid.system_of(_with_model(lost))


def _with_model(result):
    from dataclasses import replace

    text = 'format = "floatframe-model/1"\n[[body]]\nname = "stone"\nmass = 1.0\ninertia = [1.0, 1.0, 1.0]\n'
    result.source.meta = replace(result.source.meta, model=text)
    return result


def test_a_missing_body_is_named_with_the_cure(machine_folder, tmp_path):
    shutil.copy(machine_folder / "run.h5", tmp_path)
    run = ff.hybrid.Results.open(tmp_path / "run.h5")
    with pytest.raises(ff.ModelError, match=r"flexible 'rod': file 'rod.h5' does not exist beside it.*--model"):
        ff.viewer.scene_of(run)
    assert ff.viewer.scene_of(run, model=machine_folder / "model.toml").clips


def test_inertia_gives_boxes_and_places_give_rods():
    # a box 1 x 2 x 3 of 12 kg: I = m/12 (b² + c²)
    sides, axes = inertia_box(12.0, np.diag([4.0 + 9.0, 1.0 + 9.0, 1.0 + 4.0]))
    np.testing.assert_allclose(sides, [3.0, 2.0, 1.0])
    np.testing.assert_allclose(np.abs(axes), np.eye(3)[:, ::-1])
    com = np.array([0.5, 0.0, 0.0])
    line = np.array([[0.0, 0, 0], [1.0, 0, 0]])
    ((a, b),) = bars(line, com, line)
    assert sorted([a[0], b[0]]) == [0.0, 1.0]
    corner = np.array([[0.0, 0, 0], [1.0, 0, 0], [0.0, 1.0, 0]])
    assert len(bars(corner, com + np.array([0, 0.1, 0]), corner)) == 3


@pytest.mark.usefixtures("rendering")
def test_runs_and_modes_are_drawn(run, machine_folder, tmp_path):
    picture = ff.viewer.picture(run, tmp_path / "run.png", mode=1, moment=0.6)
    assert span(drawn(picture), 1) > 0.7
    # a run has one clip, which a moment alone asks for
    alone = ff.viewer.picture(run, tmp_path / "alone.png", moment=0.6)
    assert alone.read_bytes() == picture.read_bytes()
    system = ff.hybrid.read_model(machine_folder / "model.toml").model.compile()
    linear = system.linearise(system.start, n=4)
    mode = ff.viewer.picture(system, tmp_path / "mode.png", linear=linear, mode=3)
    assert span(drawn(mode), 1) > 0.7


@pytest.mark.usefixtures("rendering")
def test_colours_are_true_however_much_is_magnified(run, scene):
    from floatframe.viewer.rendering.pictures import prepared

    values = []
    for factor in (1.0, 10.0):
        stage = prepared(scene, scene.clips[0], factor, "auto", (320, 240))
        stage.move(0.6)
        k = next(k for k, part in enumerate(scene.parts) if part.name == "rod")
        values.append(np.array(stage._meshes[k][0]["value"]))
        stage.close()
    np.testing.assert_array_equal(values[0], values[1])
    assert values[0].max() > 0


def test_springs_look_as_they_are_asked_to():
    model = ff.hybrid.Model(gravity=(0, 0, 0))
    box = model.add(ff.hybrid.RigidBody("box", mass=1.0, inertia=(1, 1, 1)))
    looks = (None, "coil", "cylinder", "rope", "none")
    for k, look in enumerate(looks):
        model.add(ff.hybrid.spring(f"s{k}", box.at(), model.ground.at((0, k, 1)), 100.0, look=look))
    drawn = [part for part in ff.viewer.scene_of(model).parts if part.name == "springs"]
    shapes = [len(part.points) for part in drawn]
    assert len(drawn) == 4
    assert shapes[0] == shapes[1] > shapes[2] > shapes[3]
    with pytest.raises(ff.ModelError, match=r"found look 'chain', expected one of coil, cylinder, rope, none"):
        ff.hybrid.spring("s", box.at(), model.ground.at(), 1.0, look="chain")


def test_hinge_of_a_body_with_one_joint_does_not_deform(beam):
    reduced = ff.modal.reduce(beam, interface=[1], n_modes=4)
    model = ff.hybrid.Model(gravity=(0, 0, -9.81))
    arm = model.add(ff.hybrid.FlexibleBody("arm", reduced))
    model.add(ff.hybrid.revolute("A", arm.node(1), model.ground.at(), axis=(0, 1, 0)))
    result = model.compile().simulate(t_end=0.1, step=1e-3)
    scene = ff.viewer.scene_of(result)
    (clip,) = scene.clips
    assert clip.legend == "deformation from joints [m]"
    state = scene.state(clip, 1.0)
    (number,) = [k for k, carrier in enumerate(scene.carriers) if len(carrier.shapes)]
    u = scene.carriers[number].field(state.amplitude[number])
    hinge = reduced.node_index([1])[0]
    assert np.linalg.norm(u[:, :3], axis=1).max() > 1e-6
    # the hinge moves with the pose alone; its turn stays in the field, so that nodes are drawn where they are
    np.testing.assert_allclose(u[hinge, :3], 0.0, atol=1e-15)
