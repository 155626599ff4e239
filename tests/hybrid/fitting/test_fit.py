"""Parameters from measurements: planted ones are found within the interval that is reported, and doubts are said."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from floatframe import hybrid as h
from floatframe.errors import ModelError, ReadError, WriteError
from floatframe.hybrid.fitting.noise import Noise, known_to, left_to_chance
from floatframe.signals import read_chain

OSCILLATOR = """\
format = "floatframe-model/1"
gravity = [0, 0, 0]

# what is known of it
[parameters]
k = 400.0  # N/m, as bought
c = 1.0    # N s/m, guessed
m = 2.0
unused = 3.0

[[body]]
name = "box"
mass = "m"
inertia = [1, 1, 1]

[[joint]]
name = "slide"
type = "prismatic"
place = { body = "box" }
against = { body = "ground" }
axis = [0, 0, 1]
start = 0.1

[[force]]
name = "spring"
type = "joint_force"
joint = "slide"
force = "-k*displacement - c*rate"

[simulate]
t_end = 1.0
method = "rk4"
step = 0.01
"""
K, C, M = 450.0, 1.6, 2.0
NOISE = 0.004  # m


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "oscillator.toml"
    path.write_text(OSCILLATOR)
    return path


def swing(t, k=K, c=C, m=M, x=0.1):
    """The closed form of a damped oscillation from rest."""
    d = c / (2 * m)
    w = np.sqrt(k / m - d**2)
    return x * np.exp(-d * t) * (np.cos(w * t) + d / w * np.sin(w * t))


T = np.linspace(0.0, 1.0, 51)


def test_parameters_of_a_closed_form_are_found(file):
    """Data without noise: what remains is the error of the integrator, 1e-7 of the motion at 30 steps per period."""
    found = h.fit(file, h.Measured(T, {"box.position.z": swing(T)}), ["k", "c"])
    assert_allclose([found.values["k"], found.values["c"]], [K, C], rtol=1e-5)
    before, after = found.left
    assert before > 0.1
    assert after < 1e-5


def test_expressions_and_filters_of_channels_are_measured(file):
    """A filter is linear and keeps a frequency far below its own: the closed form through the same filter."""
    half = h.Measured(T, {"box.position.z - slide.displacement/2": swing(T) / 2})
    assert_allclose(h.fit(file, half, ["k", "c"]).values["k"], K, rtol=1e-5)
    smooth = read_chain("lowpass(20)").filtered(T, swing(T))
    found = h.fit(file, h.Measured(T, {"box.position.z:lowpass(20)": smooth}), ["k", "c"])
    assert_allclose([found.values["k"], found.values["c"]], [K, C], rtol=1e-4)


@pytest.mark.parametrize("vary", [["k", "c"], ["c"]])
def test_oscillations_out_of_step_are_caught_up_with_or_warned_of(file, vary):
    """With 900 N/m the model is 3 periods ahead after 3 s: least squares alone end beside the truth."""
    file.write_text(OSCILLATOR.replace("k = 400.0", "k = 900.0"))
    t = np.linspace(0.0, 3.0, 151)
    found = h.fit(file, h.Measured(t, {"box.position.z": swing(t)}), vary)
    if "k" in vary:
        assert_allclose([found.values["k"], found.values["c"]], [K, C], rtol=1e-4)  # 2e-5, error of the steps
        assert not any("start values" in doubt for doubt in found.doubts)
        return
    assert found.unexplained[0] > 0.5
    (doubt,) = found.doubts
    assert "start values are too far off" in doubt


def test_intervals_hold_what_was_planted_in_ninety_of_a_hundred_noisy_trials(file):
    """Intervals of 95 %: of 100 trials 95 are expected, with a deviation of 2."""
    rng = np.random.default_rng(2)
    exact = swing(T)
    hits = np.zeros(2, int)
    for _ in range(100):
        data = h.Measured(T, {"box.position.z": exact + NOISE * rng.standard_normal(len(T))})
        found = h.fit(file, data, ["k", "c"], parameters={"k": 448.0, "c": 1.58})
        hits += [one.low <= planted <= one.high for one, planted in zip(found.parameters, (K, C), strict=True)]
    assert (hits >= 90).all()
    assert (hits < 100).all()  # intervals that always hold it would say nothing


def test_modes_give_stiffness_and_mass_ratio(tmp_path):
    """Two masses between walls: frequencies and shapes of the closed form, with the modes given in another order."""
    path = tmp_path / "two.toml"
    path.write_text(TWO)
    a, b, m = 300.0, 120.0, 1.5  # springs to the walls and between the masses
    stiffness = np.array([[a + b, -b], [-b, a + b]])
    squares, shapes = np.linalg.eigh(stiffness / m)
    order = [1, 0]
    frequency = np.sqrt(squares[order]) / (2 * np.pi)
    measured = h.MeasuredModes(frequency, shapes={f"box{k + 1}.position.z": shapes[k, order] for k in range(2)})
    found = h.fit(path, measured, {"a": None, "b": (1.0, 1e4)})
    assert_allclose([found.values["a"], found.values["b"]], [a, b], rtol=1e-6)
    between = {"box1.position.z": shapes[0, order], "box2.position.z - box1.position.z": (shapes[1] - shapes[0])[order]}
    found = h.fit(path, h.MeasuredModes(frequency, shapes=between), ["a", "b"])
    assert_allclose([found.values["a"], found.values["b"]], [a, b], rtol=1e-6)
    plain = h.fit(path, h.MeasuredModes(np.sort(frequency), damping=np.zeros(2)), ["a", "b"])
    assert_allclose([plain.values["a"], plain.values["b"]], [a, b], rtol=1e-6)


@pytest.mark.slow
def test_intervals_from_few_modes_hold_what_was_planted(tmp_path):
    """Two frequencies to 0.1 %, two shapes to 1 %, of which nobody knows which are better."""
    path = tmp_path / "two.toml"
    path.write_text(TWO)
    a, b, m = 300.0, 120.0, 1.5
    squares, shapes = np.linalg.eigh(np.array([[a + b, -b], [-b, a + b]]) / m)
    rng, hits = np.random.default_rng(3), np.zeros(2, int)
    for _ in range(100):
        seen = shapes * (1 + 0.01 * rng.standard_normal((2, 2)))
        frequency = np.sqrt(squares) / (2 * np.pi) * (1 + 1e-3 * rng.standard_normal(2))
        measured = h.MeasuredModes(frequency, shapes={f"box{k + 1}.position.z": seen[k] for k in range(2)})
        found = h.fit(path, measured, ["a", "b"], parameters={"a": 299.0, "b": 121.0})
        hits += [one.low <= planted <= one.high for one, planted in zip(found.parameters, (a, b), strict=True)]
    assert (hits >= 90).all()


def test_every_column_has_its_own_noise_where_it_can_show_it():
    """Weighted least squares of lines by hand: leverages, noise, degrees of freedom."""
    rng = np.random.default_rng(5)
    t = np.linspace(-1, 1, 9)
    slopes = [np.column_stack((np.ones(9), t)), np.column_stack((np.zeros(9), t))]
    sizes = np.array([1.0, 2.0])
    free = left_to_chance(slopes, np.array([0.1, 0.5]), np.array([9, 9]))
    # one parameter is seen by the first column alone, the other by both, 25 times better by the first
    assert_allclose(free, [9 - 1 - 25 / 26, 9 - 1 / 26], rtol=1e-12)
    left = [0.1 * rng.standard_normal(9), 0.5 * rng.standard_normal(9)]
    noise = Noise.shown(left, sizes, free)
    assert noise.own
    assert_allclose(noise.deviations, [np.sqrt(left[k] @ left[k] / free[k]) for k in range(2)], rtol=1e-12)
    covariance, degrees = known_to(slopes, noise)
    each = [9 / noise.deviations[0] ** 2, t @ t / noise.deviations[0] ** 2, t @ t / noise.deviations[1] ** 2]
    assert_allclose(covariance, np.diag([1 / each[0], 1 / (each[1] + each[2])]), atol=1e-15)
    assert degrees[0] == pytest.approx(free[0])
    assert degrees[1] == pytest.approx((each[1] + each[2]) ** 2 / (each[1] ** 2 / free[0] + each[2] ** 2 / free[1]))
    shared = Noise.shown(left, sizes, np.array([0.5, 9.0]))
    assert not shared.own
    share = np.sqrt((left[0] @ left[0] + left[1] @ left[1] / 4) / 9.5)
    assert_allclose(shared.deviations, share * sizes, rtol=1e-12)


@pytest.mark.parametrize("still", ["box1.position.x", "-1e308"])
def test_shapes_of_what_does_not_move_are_refused(tmp_path, still):
    (tmp_path / "two.toml").write_text(TWO)
    measured = h.MeasuredModes(np.array([2.0, 3.0]), shapes={still: np.array([1.0, 1.0])})
    with pytest.raises(ModelError, match="2 shapes are measured, and 0 modes of the model move their channels"):
        h.fit(tmp_path / "two.toml", measured, ["a"])


TWO = """\
format = "floatframe-model/1"
gravity = [0, 0, 0]

[parameters]
a = 250.0
b = 150.0

[[body]]
name = "box1"
mass = 1.5
inertia = [1, 1, 1]

[[body]]
name = "box2"
mass = 1.5
inertia = [1, 1, 1]

[[joint]]
name = "one"
type = "prismatic"
place = { body = "box1" }
against = { body = "ground" }
axis = [0, 0, 1]

[[joint]]
name = "two"
type = "prismatic"
place = { body = "box2" }
against = { body = "ground" }
axis = [0, 0, 1]

[[force]]
name = "f1"
type = "joint_force"
joint = "one"
force = "-a*displacement - b*(displacement - two.displacement)"

[[force]]
name = "f2"
type = "joint_force"
joint = "two"
force = "-a*displacement - b*(displacement - one.displacement)"
"""


def refused(file, data, vary, **more):
    with pytest.raises(ModelError) as error:
        h.fit(file, data, vary, **more)
    return str(error.value)


def test_wrong_wishes_are_refused(file):
    data = h.Measured(T, {"box.position.z": swing(T)})
    assert "parameter 'kk' does not exist" in refused(file, data, ["kk"])
    assert "channel 'box.position.w' does not exist" in refused(file, h.Measured(T, {"box.position.w": T}), ["k"])
    assert "expected one; name it: box.position.x" in refused(file, h.Measured(T, {"box.position": T}), ["k"])
    assert "asks for a number, expected a history" in refused(file, h.Measured(T, {"box.position.z:rms": T}), ["k"])
    filtered = h.MeasuredModes(np.array([2.0]), shapes={"box.position.z:lowpass(9)": np.ones(1)})
    assert "filters a history, which shapes are not" in refused(file, filtered, ["k"])
    late = h.Measured(T - 0.1, {"box.position.z": swing(T)})
    assert "measured times begin at -0.1 s and runs at 0 s" in refused(file, late, ["k"])
    assert "'k' is 400 in the model, outside of its bounds 500:600" in refused(file, data, {"k": (500.0, 600.0)})
    assert "the lower one first" in refused(file, data, {"k": (600.0, 500.0)})
    few = h.Measured(T[:2], {"box.position.z": T[:2]})
    assert "2 measured numbers cannot give 2 parameters" in refused(file, few, ["k", "c"])
    assert "expected a number between 0 and 1" in refused(file, data, ["k"], confidence=95.0)


def test_parameters_that_the_data_do_not_show_are_named(file):
    data = h.Measured(T, {"box.position.z": swing(T)})
    assert "does not depend on 'unused'" in refused(file, data, ["k", "unused"])
    # only k/m and c/m decide a free oscillation
    said = refused(file, data, ["k", "c", "m"])
    assert "stays the same if k by +100 %, c by +100 %, m by +100 % change together" in said


def test_the_search_steps_back_from_values_for_which_there_is_no_model(file):
    """The parabola through the start leads to a mass below zero; the closed form has 2 kg."""
    data = h.Measured(T, {"box.position.z": swing(T, k=400.0, c=1.0)})
    found = h.fit(file, data, ["m"], parameters={"m": 20.0})
    assert found.values["m"] == pytest.approx(M, rel=1e-5)  # error of the steps, as above
    assert "found a mass of -" in found.doubts[0]
    assert found.doubts[0].endswith("give bounds that leave such values out")
    assert not h.fit(file, data, {"m": (0.1, 50.0)}, parameters={"m": 20.0}).refused
    assert "found a mass of -1 kg" in refused(file, data, ["m"], parameters={"m": -1.0})


def test_bounds_hold(file):
    found = h.fit(file, h.Measured(T, {"box.position.z": swing(T)}), {"k": (300.0, 420.0)})
    assert found.values["k"] == pytest.approx(420.0, rel=1e-6)
    assert found.doubts  # what is left swings


def test_the_model_file_keeps_its_comments(file, tmp_path):
    read = h.read_model(file)
    h.write_fitted(read, {"k": 450.25, "c": 1.625}, tmp_path / "fitted.toml")
    text = (tmp_path / "fitted.toml").read_text()
    assert text == OSCILLATOR.replace("k = 400.0", "k = 450.25").replace("c = 1.0 ", "c = 1.625 ")
    with pytest.raises(WriteError, match=r"'spring' is not in \[parameters\]"):
        h.fitted_text(read, {"spring": 1.0})


def test_the_fitted_file_keeps_the_values_with_which_the_model_was_read(file):
    read = h.read_model(file, {"m": "2.6"})
    assert h.fitted_text(read, {"k": 450.25}) == OSCILLATOR.replace("k = 400.0", "k = 450.25").replace(
        "m = 2.0", "m = 2.6"
    )
    with pytest.raises(WriteError, match=r"was read with other values at places such as body\[box\].mass"):
        h.fitted_text(h.read_model(file, {"body[box].mass": 2.6}), {"k": 450.25})


def test_tables_are_read_with_their_mistakes(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("t [s],box.position.z [m]\n0,0.1\n0.5,0.05\n")
    data = h.read_measured(path)
    assert_allclose(data.histories["box.position.z"], [0.1, 0.05])
    for text, said in (
        ("t,x\n0,1\n0,2\n", "times must increase"),
        ("t,x\n0,1\n1\n", ":3: found 1 values, expected 2"),
        ("t,x\n0,1\n1,nan\n", "every value must be finite"),
        ("t,x\n0,one\n", "expected numbers"),
        ("a,b\n0,1\n", "expected one named 't' or 'frequency'"),
        ("frequency,damping\n-3,0.1\n", "must be positive"),
        ("t,x,x\n0,1,2\n", "same heading"),
        ("t [ms],x\n0,1\n1,2\n", r"the unit of column 't \[ms\]' is not one of SI"),
        ("t,x\n", "expected headings and numbers"),
    ):
        path.write_text(text)
        with pytest.raises(ReadError, match=said):
            h.read_measured(path)
    with pytest.raises(ReadError, match="a device or a pipe"):
        h.read_measured("/dev/zero")
    (tmp_path / "passwords").write_text("root,secret\nyou,secret\n")
    with pytest.raises(ReadError, match="found something else, expected numbers"):
        h.read_measured(tmp_path / "passwords")
