"""Wheelsets, bogies and bodies on the track of a model file: as in Python, mistakes with their lines, writing."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import floatframe as ff
from floatframe import hybrid as h, railway
from floatframe.hybrid.modelfile.vehicle_schema import AXLE, BOGIE, CONTACT, SPRINGS
from floatframe.hybrid.results.rebuilding import rebuilt
from tests.hybrid.same_models import assert_same

VEHICLE = """\
format = "floatframe-model/1"
gravity = [0, 0, -9.81]

[parameters]
at = 20.0
speed = 15.0
carried = 5000.0
length = 60.0

[track]
rail = "60E1"
[[track.section]]
type = "straight"
length = "length"
[[track.section]]
type = "transition"
length = 60.0
[[track.section]]
type = "curve"
length = 300.0
radius = 300.0
cant = 0.1

[[bogie]]
name = "bogie"
distance = "at"
speed = "speed"
mass = 2615.0
inertia = [1722, 1476, 3067]
height = 0.6
half_base = 1.28
half_width = 1.0
load = "carried*9.81"
primary = { stiffness = [3.1e7, 3.9e6, 1.2e6], damping = [1.5e4, 2e3, 4e3] }
[bogie.wheelset]
mass = 1500.0
inertia = [900, 100, 900]
radius = 0.46
contact = { law = "saturated", friction = 0.25 }

[[body]]
name = "load"
mass = "carried"
inertia = [1000, 1000, 1000]
on_track = { distance = "at", speed = "speed", above = "bogie", height = 0.7, lateral = 0.0 }

[[wheelset]]
name = "alone"
distance = "at + 10"
speed = "speed"
load = "0.5*(1813 + 50)*9.81"
mass = 1813.0
inertia = [1120, 112, 1120]
radius = 0.46
"""


def written(folder, text=VEHICLE):
    path = folder / "vehicle.toml"
    path.write_text(text, encoding="utf-8")
    return path


def python_vehicle(at=20.0, speed=15.0, carried=5000.0, length=60.0):
    track = railway.Track(
        sections=[railway.Straight(length), railway.Transition(60.0), railway.Curve(300.0, 300.0, cant=0.1)],
        name="vehicle",
    )
    model = h.Model((0, 0, -9.81), name="vehicle", track=track)
    wheels = h.Wheelset(1500.0, (900, 100, 900), 0.46, contact={"law": "saturated", "friction": 0.25})
    springs = h.Springs((3.1e7, 3.9e6, 1.2e6), (1.5e4, 2e3, 4e3))
    data = h.Bogie(2615.0, (1722, 1476, 3067), 0.6, 1.28, 1.0, wheels, springs, load=carried * 9.81)
    start = h.OnTrack(at, speed, above="bogie", height=0.7)
    model.add(h.RigidBody("load", carried, (1000, 1000, 1000), on_track=start))
    h.add_wheelset(
        model, "alone", h.Wheelset(1813.0, (1120, 112, 1120), 0.46), h.Run(at + 10, speed), 0.5 * 1863 * 9.81
    )
    return model, h.add_bogie(model, "bogie", data, h.Run(at, speed))


def assert_same_vehicle(one, other):
    """All but parameters, the order of bodies and the tracks as objects."""
    for kind in ("bodies", "joints", "forces"):
        left, right = ({item.name: item for item in getattr(flat, kind)} for flat in (one, other))
        assert left.keys() == right.keys()
    for body in one.bodies:
        twin = next(item for item in other.bodies if item.name == body.name)
        assert_same(body, twin)
    for force in one.forces:
        twin = next(item for item in other.forces if item.name == force.name)
        assert {key: np.asarray(value).tolist() for key, value in force.numbers.items()} == {
            key: np.asarray(value).tolist() for key, value in twin.numbers.items()
        }
        assert (force.options, force.kind) == (twin.options, twin.kind)
    distances = np.linspace(0.0, one.track.end, 50)
    np.testing.assert_array_equal(one.track.frame(distances).p, other.track.frame(distances).p)


@pytest.mark.parametrize("values", [{}, {"at": 90.0, "speed": 5.0, "carried": 100.0, "length": 70.0}])
def test_a_file_and_python_make_one_vehicle(tmp_path, values):
    file = h.read_model(written(tmp_path), values)
    assert_same_vehicle(file.model.flatten(), python_vehicle(**values)[0].flatten())


def test_parameters_given_when_compiling_move_bodies_and_track(tmp_path):
    """With what stays the same taken over from the system before."""
    file = h.read_model(written(tmp_path))
    values = {"at": 100.0, "length": 65.0}
    first = file.model.compile()
    again = file.model.compile(values, like=first)
    assert_same_vehicle(again.model, python_vehicle(at=100.0, length=65.0)[0].flatten())


def test_bodies_lie_on_the_track(tmp_path):
    values = {"at": 100.0}  # in the transition
    flat = {body.name: body for body in h.read_model(written(tmp_path), values).model.flatten().bodies}
    track = python_vehicle()[0].track
    parts = python_vehicle()[1]
    height = parts.wheelsets[0].height
    load = 0.25 * (2615 + 5000) * 9.81 + 0.5 * 1550 * 9.81
    rest = railway.seat(track, "S1002", 0.46, 0.75, load)
    assert height == rest.height
    for name, distance, up in (("load", 100.0, 0.7), ("bogie", 100.0, 0.0), ("bogie_front", 101.28, 0.0)):
        spin = 15.0 / rest.rolling_radius if name == "bogie_front" else 0.0
        expected = railway.on_track(track, distance, height=height + up, speed=15.0, rotation=spin)
        for key, value in expected.items():
            np.testing.assert_allclose(getattr(flat[name], key), value, rtol=1e-14, atol=1e-14)


def test_the_vehicle_starts_at_rest_on_its_springs(tmp_path):
    system = h.read_model(written(tmp_path)).model.compile()
    result = system.simulate(t_end=0.2, step=1e-3, method="generalised-alpha", record=h.Record(every=0.05))
    load = 0.25 * (2615 + 5000) * 9.81 + 0.5 * 1550 * 9.81
    # the load stands free on nothing but its inertia: it falls; what the bogie feels is its own weight and preload
    assert result["bogie_front_left.Q"][0] == pytest.approx(load, rel=1e-3)
    assert result["alone_left.Q"][-1] == pytest.approx(0.5 * 1863 * 9.81, rel=1e-3)


# what is written there instead, the row that is named, what is said
MISTAKES = {
    "unknown key": ("radius = 0.46\ncontact", "radios = 0.46\ncontact", "radios", "did you mean radius"),
    "missing": ("half_base = 1.28\n", "", "[[bogie]]", "'half_base' is missing"),
    "law": ('law = "saturated"', 'law = "kalker"', 'law = "kalker"', "expected one of linear, saturated"),
    "type": ("height = 0.6", "height = true", "height = true", "height is true, expected a number"),
    "above": ('above = "bogie"', 'above = "bogey"', 'above = "bogey"', "did you mean bogie"),
    "distance": ('distance = "at", speed', "distance = 1e4, speed", "on_track", "the track goes from 0 to 420 m"),
    "both": ("on_track = {", "position = [0, 0, 1]\non_track = {", "position", "found position and on_track"),
    "expression": ('distance = "at + 10"', 'distance = "att + 10"', 'distance = "att', "unknown name 'att'"),
    "name": ('name = "alone"', 'name = "bogie_front"', 'name = "bogie"', "the name is used already"),
    "radius": ("inertia = [1120, 112, 1120]\nradius = 0.46", "inertia = [9, 9, 9]\nradius = -1", "radius = -1", "-1"),
    "in a bogie": ("radius = 0.46\ncontact", "radius = -1\ncontact", "radius = -1", "found radius -1"),
}


@pytest.mark.parametrize("what", MISTAKES)
def test_mistakes_have_their_lines(tmp_path, what):
    old, new, row, said = MISTAKES[what]
    text = VEHICLE.replace(old, new, 1)
    assert text != VEHICLE
    path = written(tmp_path, text)
    with pytest.raises(ff.ModelError) as error:
        h.read_model(path).model.compile()
    line = 1 + text[: text.index(row)].count("\n")
    assert str(error.value).startswith(f"{path}:{line}: ")
    assert said in str(error.value)


def test_on_track_needs_a_track(tmp_path):
    model = h.Model()
    model.add(h.RigidBody("a", 1.0, (1, 1, 1), on_track=h.OnTrack(1.0)))
    with pytest.raises(ff.ModelError, match="the model has no track to start on"):
        model.compile()


def test_wheels_are_of_their_class():
    start = h.OnTrack(1.0, wheels={"radius": 0.46, "load": 1e4})
    with pytest.raises(ff.ModelError, match=r"'a': found wheels \{'radius'.*expected h.Wheels\(radius, load\)"):
        h.RigidBody("a", 1.0, (1, 1, 1), on_track=start)


def test_keys_are_fields_of_the_classes():
    assert AXLE.keys() == h.Wheelset.__dataclass_fields__.keys()
    assert SPRINGS.keys() == h.Springs.__dataclass_fields__.keys()
    assert BOGIE.keys() - {"name", "distance", "speed"} == h.Bogie.__dataclass_fields__.keys()
    assert CONTACT.keys() == h.WheelContact.__dataclass_fields__.keys()


# writing


def irregular_track():
    s = np.arange(0.0, 100.5, 0.5)
    measured = railway.Measured(s, {"left_vertical": 1e-3 * np.sin(s / 3)}, beyond="zero")
    spectrum = railway.Irregularity(
        {"gauge": railway.Spectrum((1e-8,), (0.01, 1.0)), "lateral": railway.SpectrumTable([0.1, 2.0], [1e-6, 1e-8])}
    )
    return railway.Track(
        sections=[
            railway.Straight(60.0),
            railway.Transition(60.0, "cosine", "linear"),
            railway.Curve(80.0, -300.0, 0.1),
        ],
        gradients=[railway.Gradient(30.0, 0.01, radius=500.0)],
        irregularities=[
            railway.Irregularity.of_class("ERRI low", ("vertical", "lateral"), seed=3, fade=5.0),
            measured,
            spectrum,
            railway.Fault("dip", 40.0, 3e-3, 1.0, "left"),
        ],
        gauge=1.432,
        rounding=2.0,
        cant_about="low rail",
    )


@pytest.mark.parametrize(
    "track",
    [irregular_track(), railway.Track(kilometres=railway.Kilometres([0, 50, 100], [0, 0, 1e-3], cant=[0, 0, 0.05]))],
    ids=["sections", "kilometres"],
)
def test_tracks_made_in_python_survive_writing(tmp_path, track):
    model = python_vehicle()[0]
    model.track = track
    h.write_model(tmp_path / "again.toml", model)
    again = h.read_model(tmp_path / "again.toml").model.flatten()
    assert_same_vehicle(again, model.flatten())
    distances = np.linspace(0.0, track.end, 400)
    if track.irregularities:
        # sources may be added in another order
        np.testing.assert_allclose(again.track.irregularity(distances), track.irregularity(distances), atol=1e-15)


def test_a_file_survives_writing_with_its_expressions(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "line.csv").write_text("s [m],curvature [1/m]\n0,0\n200,0\n300,0.001\n", encoding="utf-8")
    text = VEHICLE.replace('rail = "60E1"\n', 'rail = "60E1"\nkilometres = "line.csv"\n')
    start, end = text.index("[[track.section]]"), text.index("[[bogie]]")
    for case in (VEHICLE, text[:start] + text[end:]):
        model = h.read_model(written(tmp_path, case)).model
        path = tmp_path / "there" / "again.toml"
        h.write_model(path, model)
        values = {"at": 70.0, "length": 61.0}
        assert_same_vehicle(h.read_model(path, values).model.flatten(), model.flatten(values))


def test_a_track_in_a_file_of_its_own(tmp_path):
    start, end = VEHICLE.index("[track]"), VEHICLE.index("[[bogie]]")
    line = 'format = "floatframe-track/1"\n[parameters]\nlength = 60.0\n' + VEHICLE[start:end]
    (tmp_path / "line.toml").write_text(line, encoding="utf-8")
    model = h.read_model(written(tmp_path, VEHICLE[:start] + '[track]\nfile = "line.toml"\n' + VEHICLE[end:])).model
    assert_same_vehicle(model.flatten(), python_vehicle()[0].flatten())
    (tmp_path / "there").mkdir()
    h.write_model(tmp_path / "there" / "again.toml", model)
    assert_same_vehicle(h.read_model(tmp_path / "there" / "again.toml").model.flatten(), model.flatten())


def test_a_run_keeps_track_and_wheels(tmp_path):
    """Also those of parameters other than the file's, and when the files are gone."""
    path = written(tmp_path)
    file = h.read_model(path, {"length": 80.0})
    system = file.model.compile()
    system.simulate(t_end=0.01, step=1e-3, method="generalised-alpha", path=tmp_path / "run.h5")
    path.unlink()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = rebuilt(ff.io.read(tmp_path / "run.h5"))
    assert found.model.track.end == 440.0
    assert len(found.index.wheels) == 6


MOVING = """
[[track_frame]]
name = "moving"
distance = "at + speed*t"
carries = ["bogie", "bogie_front_box", "bogie_rear_box", "load", { body = "alone_box" }]
"""


def test_a_moving_frame_in_a_file_is_that_of_python(tmp_path):
    """The same bodies, joints and courses of the frame, also with another track after a compilation before."""
    file = h.read_model(written(tmp_path, VEHICLE + MOVING)).model
    before = file.flatten()
    for values in ({}, {"length": 65.0, "at": 30.0}):
        model, bogie = python_vehicle(**values)
        frame = h.add_track_frame(model, f"{values.get('at', 20.0)} + 15*t", "moving")
        boxes = [parts.box.at() for parts in bogie.wheelsets]
        h.carried(model, frame, bogie.frame.at(), *boxes, model["load"].at(), model["alone_box"].at())
        twin = model.flatten()
        assert len(twin.tables) == 6
        one = file.flatten(values, like=before)
        assert_same_vehicle(one, twin)
        for name, table in twin.tables.items():
            np.testing.assert_array_equal(one.tables[name].y, table.y)


def test_a_run_in_the_moving_frame_is_that_in_world_axes_and_is_kept(tmp_path):
    """0.2 s on the straight, where both are smooth: to the tolerance of Newton's method; the run knows its model."""
    runs = []
    for text in (VEHICLE, VEHICLE + MOVING):
        file = h.read_model(written(tmp_path, text))
        path = tmp_path / f"{len(runs)}.h5"
        runs.append(file.model.compile().simulate(t_end=0.2, method="generalised-alpha", step=1e-3, path=path))
    for channel in ("bogie.position", "load.position", "alone.position"):
        assert np.abs(runs[0][channel] - runs[1][channel]).max() < 1e-7
    assert "moving_joint" in [joint.name for joint in rebuilt(h.Results.open(tmp_path / "1.h5")).model.joints]


def test_a_moving_frame_wants_a_track(tmp_path):
    text = VEHICLE[: VEHICLE.index("[track]")] + VEHICLE[VEHICLE.index("[[body]]") :].partition("on_track")[0]
    text += MOVING.replace('"bogie", "bogie_front_box", "bogie_rear_box", ', "").replace(', { body = "alone_box" }', "")
    with pytest.raises(ff.ModelError, match="the model has none; give it a track"):
        h.read_model(written(tmp_path, text)).model.compile()
