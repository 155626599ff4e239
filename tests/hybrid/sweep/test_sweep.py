"""Sweeps against theory; order of the grid, failed points, interrupts, resuming, workers."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import floatframe as ff
from floatframe import hybrid
from floatframe.errors import ModelError, ReadError, WriteError
from floatframe.hybrid.sweep import scheduler

PENDULUM = Path(__file__).parents[3] / "samples" / "pendulum" / "pendulum.toml"
GRAVITY = 9.81
QUICK = {"t_end": 0.5, "step": 0.01}

# a mass on a spring and a damper; the drive evaluates to NaN after the time `limit`
OSCILLATOR = """
format = "floatframe-model/1"
gravity = [0, 0, -9.81]
parameters = { mass = 2.0, stiffness = 800.0, damping = 0.0, limit = 1e9 }

[[body]]
name = "block"
mass = "mass"
inertia = [1, 1, 1]

[[joint]]
name = "slide"
type = "prismatic"
place = { body = "block" }
against = { body = "ground" }
axis = [0, 0, 1]

[[force]]
name = "spring"
type = "joint_force"
joint = "slide"
force = "-stiffness*displacement - damping*rate + 1e-30*sqrt(limit - t)"

[record]
every = 0.01
channels = ["slide.displacement", "slide.force"]

[simulate]
t_end = 0.5
step = 0.01
"""


@pytest.fixture(scope="module")
def oscillator(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("sweep") / "oscillator.toml"
    path.write_text(OSCILLATOR, encoding="utf-8")
    return path


def test_period_of_a_pendulum_over_its_length():
    lengths = (0.5, 1.0, 2.0)
    result = hybrid.sweep(
        PENDULUM, {"length": lengths}, measure="hinge.angle:period", parameters={"swing": 0.01}, workers=1, rtol=1e-7
    )
    assert result.unit("hinge.angle:period") == "s"
    # a finite swing adds 0.01²/16 = 6e-6; a record every 0.01 s blurs each of the first and last crossing by 1e-5
    theory = 2 * np.pi * np.sqrt(2 * np.array(lengths) / (3 * GRAVITY))
    np.testing.assert_allclose(result["hinge.angle:period"], theory, rtol=2e-5)


def test_frequency_and_damping_of_a_mass_on_a_spring(oscillator):
    stiffness, mass = np.array([100.0, 400.0, 900.0]), np.array([1.0, 4.0])
    vary = {"stiffness": stiffness, "mass": mass}
    result = hybrid.sweep(oscillator, vary, "linear", parameters={"damping": 3.0}, workers=1)
    assert result.shape == (3, 2)
    # differences of forces behind the stiffness leave 1e-9
    expected = np.sqrt(stiffness[:, None] / mass) / (2 * np.pi)
    np.testing.assert_allclose(result.frequency[..., 0], expected, rtol=1e-8)
    np.testing.assert_allclose(result.damping[..., 0], 3.0 / (2 * np.sqrt(stiffness[:, None] * mass)), rtol=1e-8)
    # the last parameter runs fastest
    assert [tuple(point.values()) for point in result.points[:3]] == [(100.0, 1.0), (100.0, 4.0), (400.0, 1.0)]
    assert result.values[1, 0] == result["frequency.1"][0, 1] == result.at(mass=4.0)["frequency.1"][0]
    assert set(result.sentences) == {"stable"}


def turning_rod(speed):
    """A rod that a drive turns about the vertical and that swings up and down on a hinge at the axis."""
    model = hybrid.Model()
    hub = model.add(hybrid.RigidBody("hub", mass=1.0, inertia=(1, 1, 1)))
    rod = model.add(hybrid.RigidBody("rod", mass=2.0, inertia=(0.0, 0.5, 0.5), com=(0.7, 0, 0)))
    model.add(hybrid.revolute("shaft", hub.at(), model.ground.at()))
    model.add(hybrid.motion("drive", "shaft", f"{speed}*t"))
    model.add(hybrid.revolute("flap", rod.at(), hub.at(), axis=(0, 1, 0)))
    return model


def test_modes_of_steady_motions():
    """Centrifugal forces alone hold a thin rod hinged at the axis: it flaps once per turn, whatever its inertia."""
    speeds = np.array([5.0, 20.0])
    result = hybrid.sweep(turning_rod, {"speed": speeds}, "linear", workers=1, at="steady")
    assert result.states == ("done", "done")
    # differences of inertia forces
    np.testing.assert_allclose(2 * np.pi * result["frequency.1"], speeds, rtol=1e-7)


def test_points_with_fewer_modes_leave_gaps():
    """A pendulum without length has neither inertia nor stiffness, hence no mode."""
    result = hybrid.sweep(PENDULUM, {"length": [0.0, 1.0]}, "linear", workers=1)
    assert result.states == ("done", "done")
    assert np.isnan(result["frequency.1"][0])
    assert result["frequency.1"][1] == pytest.approx(np.sqrt(1.5 * GRAVITY) / (2 * np.pi), rel=1e-8)


def test_rest_on_a_spring(oscillator):
    result = hybrid.sweep(oscillator, {"mass": "1:3:1"}, "equilibrium", ["slide", "block.position.z"], workers=1)
    mass = np.array([1.0, 2.0, 3.0])
    # Newton's method stops at 1e-9 of the forces
    np.testing.assert_allclose(result["slide.displacement"], -mass * GRAVITY / 800.0, rtol=1e-8)
    np.testing.assert_allclose(result["block.position.z"], -mass * GRAVITY / 800.0, rtol=1e-8)
    # the guide carries nothing along its axis
    np.testing.assert_allclose(result["slide.force.z"], 0.0, atol=1e-9)


def test_joint_forces_at_rest_balance_the_weight():
    result = hybrid.sweep(PENDULUM, {"mass": "1,3"}, "equilibrium", ["hinge.force", "hinge.force.magnitude"], workers=1)
    # nothing but rounding between force and weight
    np.testing.assert_allclose(result["hinge.force.z"], np.array([1.0, 3.0]) * GRAVITY, rtol=1e-12)
    np.testing.assert_allclose(result["hinge.force.magnitude"], np.array([1.0, 3.0]) * GRAVITY, rtol=1e-12)


def test_measures_of_a_known_history(oscillator):
    """The mass falls from rest onto its spring: x = -s (1 - cos wt), s = m g / k."""
    kinds = "rms,std,peak,mean,min,max,end,period"
    result = hybrid.sweep(
        oscillator, {"mass": [2.0]}, measure=f"slide.displacement:{kinds}", workers=1, rtol=1e-8, t_end=np.pi
    )
    s, whole = 2.0 * GRAVITY / 800.0, {kind: result[f"slide.displacement:{kind}"][0] for kind in kinds.split(",")}
    # ten periods of 2 pi / 20 s; records every 0.01 s miss an extreme by (w h)²/8 = 5e-3 at most, means by less
    expected = {"rms": s * np.sqrt(1.5), "std": s * np.sqrt(0.5), "peak": 2 * s, "mean": -s, "min": -2 * s}
    for kind, value in expected.items():
        assert whole[kind] == pytest.approx(value, rel=5e-3), kind
    assert whole["max"] == pytest.approx(0.0, abs=1e-12)
    assert whole["end"] == pytest.approx(0.0, abs=1e-4 * s)  # tolerance of the steps over ten periods
    assert whole["period"] == pytest.approx(np.pi / 10, rel=1e-3)
    # from the middle on, extremes stay and there are half as many periods
    late = hybrid.sweep(
        oscillator,
        {"mass": [2.0]},
        measure=f"slide.displacement:{kinds}",
        workers=1,
        rtol=1e-8,
        t_end=np.pi,
        measure_from=np.pi - 0.157,
    )
    assert late["slide.displacement:max"][0] == pytest.approx(0.0, abs=1e-4 * s)
    assert np.isnan(late["slide.displacement:period"][0])  # half a period crosses the mean upwards once


def test_vectors_and_functions(oscillator):
    def ends(result: hybrid.Results) -> dict[str, float]:
        return {"drop [m]": -result["slide.displacement"][-1], "records": len(result)}

    def model(mass: float) -> hybrid.Model:
        return hybrid.read_model(oscillator, {"mass": mass}).model

    plain = hybrid.sweep(oscillator, {"mass": "1,2"}, measure=["slide.displacement:end", "slide.force:peak"], workers=1)
    assert [c.name for c in plain.columns] == ["slide.displacement:end", *(f"slide.force.{c}:peak" for c in "xyz")]
    free = hybrid.sweep(model, {"mass": [1, 2]}, measure=ends, workers=1, **QUICK)
    assert free.unit("drop") == "m"
    np.testing.assert_array_equal(free["drop"], -plain["slide.displacement:end"])
    assert free["records"].tolist() == [51.0, 51.0]
    whole = hybrid.sweep(hybrid.read_model(oscillator).model, {"mass": [1, 2]}, measure=ends, workers=1, **QUICK)
    np.testing.assert_array_equal(whole["drop"], free["drop"])


def test_a_failed_point_does_not_stop_the_others(oscillator, tmp_path):
    path = tmp_path / "sweep.h5"
    result = hybrid.sweep(oscillator, {"limit": "0.2,1", "mass": "1,0,2"}, workers=1, path=path)
    assert result.states == ("failed", "failed", "failed", "done", "failed", "done")
    assert result.sentences[0].startswith("failed at t = 0.2 s: joint_force 'spring' evaluates to NaN.")
    assert result.status == "finished: 6 points, 4 failed"
    assert np.isnan(result["slide.displacement:rms"][~result.ok]).all()
    assert np.isfinite(result["slide.displacement:rms"][result.ok]).all()
    assert result.failures[0][0] == {"limit": 0.2, "mass": 1.0}
    kept = ff.io.read(path)
    assert (kept.states, kept.sentences, kept.settings) == (result.states, result.sentences, result.settings)
    np.testing.assert_array_equal(kept.values, result.values)
    assert kept.model == OSCILLATOR


def test_an_exception_of_a_function_is_a_failed_point(oscillator):
    def model(mass: float) -> hybrid.Model:
        if mass > 1:
            raise ZeroDivisionError("too heavy")
        return hybrid.read_model(oscillator, {"mass": mass}).model

    result = hybrid.sweep(model, {"mass": [1, 2]}, "linear", workers=1)
    assert result.states == ("done", "failed")
    assert result.sentences[1] == "ZeroDivisionError: too heavy"


def test_warnings_stand_in_the_sentence_of_their_point(oscillator):
    def model(mass: float) -> hybrid.Model:
        warnings.warn(f"{mass:g} kg is a lot", stacklevel=1)
        return hybrid.read_model(oscillator, {"mass": mass}).model

    result = hybrid.sweep(model, {"mass": [3]}, "linear", workers=1)
    assert result.sentences == ("stable; warning: 3 kg is a lot",)


class StopAfter:
    """A progress bar that presses Ctrl-C after some points."""

    def __init__(self, points: int) -> None:
        self.points = points

    def __call__(self, now: hybrid.sweeps.Progress) -> None:
        if now.done == self.points:
            raise KeyboardInterrupt


def test_interrupted_sweep_keeps_its_points_and_goes_on(oscillator, tmp_path):
    path, vary = tmp_path / "sweep.h5", {"mass": "1:4:1"}
    whole = hybrid.sweep(oscillator, vary, workers=1)
    stopped = hybrid.sweep(oscillator, vary, workers=1, path=path, progress=StopAfter(2))
    assert stopped.states == ("done", "done", "waiting", "waiting")
    assert stopped.status == "unfinished: 2 of 4 points"
    kept = ff.io.read(path)
    assert kept.states == stopped.states
    resumed = hybrid.sweep(oscillator, vary, workers=1, path=path, resume=True)
    np.testing.assert_array_equal(resumed.values, whole.values)
    # what was done is not done again: its time on the clock is the old one
    np.testing.assert_array_equal(resumed.seconds[:2], kept.seconds[:2])
    assert resumed.columns == whole.columns
    assert resumed.status == "finished: 4 points"


def test_resuming_on_a_larger_grid(oscillator, tmp_path):
    path = tmp_path / "sweep.h5"
    coarse = hybrid.sweep(oscillator, {"mass": "1,3"}, "linear", workers=1, path=path)
    fine = hybrid.sweep(oscillator, {"mass": "1:3:1"}, "linear", workers=1, path=path, resume=True)
    np.testing.assert_array_equal(fine.seconds[[0, 2]], coarse.seconds)
    np.testing.assert_allclose(fine["frequency.1"], np.sqrt(800.0 / np.array([1, 2, 3])) / (2 * np.pi), rtol=1e-8)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"study": "equilibrium"}, "begun with study simulate, found equilibrium"),
        ({"measure": "slide.force:rms"}, "begun with measure"),
        ({"t_end": 0.3}, "begun with settings"),
        ({"parameters": {"stiffness": 700.0}}, "begun with parameters"),
        ({"vary": {"stiffness": "700,900"}}, "varies mass, found stiffness"),
    ],
    ids=str,
)
def test_resuming_something_else_is_refused(oscillator, tmp_path, change, sentence):
    path = tmp_path / "sweep.h5"
    asked = {"vary": {"mass": "1,2"}, "workers": 1, "path": path}
    hybrid.sweep(oscillator, **asked)
    before = path.read_bytes()
    with pytest.raises(ModelError, match=sentence):
        hybrid.sweep(oscillator, **{**asked, **change}, resume=True)
    assert path.read_bytes() == before


def test_resuming_with_fewer_samples_is_refused(oscillator, tmp_path):
    asked = {"vary": {"mass": "normal(2, 0.1)"}, "measure": "slide.displacement:peak", "path": tmp_path / "sweep.h5"}
    first = hybrid.sweep(oscillator, **asked, samples=4, workers=1)
    with pytest.raises(ModelError, match="has 4 samples, found 3, and those beyond would be lost; give at least"):
        hybrid.sweep(oscillator, **asked, samples=3, workers=1, resume=True)
    more = hybrid.sweep(oscillator, **asked, samples=5, workers=1, resume=True)
    np.testing.assert_array_equal(more.values[:4], first.values)
    assert more.settings["random"] == {"mass": "normal(2, 0.1)"}


def test_points_of_a_model_that_warns_are_compiled_like_the_first(tmp_path, monkeypatch):
    """Every point says what it would say alone, and its tree is not built again."""
    text = OSCILLATOR.replace("inertia = [1, 1, 1]", "inertia = [1, 1, 1]\nposition = [0.3, 0, 0]")
    path = tmp_path / "moved.toml"
    path.write_text(text, encoding="utf-8")
    built = []
    compiling = import_module("floatframe.hybrid.compile.system")
    build = compiling.build
    monkeypatch.setattr(compiling, "build", lambda model, poses: built.append(model) or build(model, poses))
    result = hybrid.sweep(path, {"stiffness": [700.0, 800.0, 900.0], "mass": [1.0, 2.0]}, workers=1)
    assert result.nfailed == 0
    assert all("warning: body 'block': what was given for its start" in one for one in result.sentences)
    assert len(built) <= 2  # the first point, and the model as it is in the file


def test_resuming_with_a_changed_model_is_refused(oscillator, tmp_path):
    model, path = tmp_path / "m.toml", tmp_path / "sweep.h5"
    model.write_text(OSCILLATOR, encoding="utf-8")
    hybrid.sweep(model, {"mass": "1,2"}, "linear", workers=1, path=path)
    model.write_text(OSCILLATOR.replace("[1, 1, 1]", "[1, 2, 1]"), encoding="utf-8")
    with pytest.raises(ModelError, match="the model is not the one that"):
        hybrid.sweep(model, {"mass": "1,2"}, "linear", workers=1, path=path, resume=True)


def test_other_files_are_left_alone(oscillator, tmp_path):
    path = tmp_path / "precious.h5"
    path.write_text("precious", encoding="utf-8")
    with pytest.raises(WriteError, match="exists and is not a sweep"):
        hybrid.sweep(oscillator, {"mass": "1"}, workers=1, path=path)
    with pytest.raises(ReadError, match="does not hold a sweep"):
        hybrid.sweep(oscillator, {"mass": "1"}, workers=1, path=path, resume=True)
    assert path.read_text(encoding="utf-8") == "precious"
    with pytest.raises(ReadError, match="does not exist; start the sweep without resume"):
        hybrid.sweep(oscillator, {"mass": "1"}, workers=1, path=tmp_path / "none.h5", resume=True)


def test_threads_give_the_bits_of_one_worker(oscillator):
    """Failures stay with their points; of twenty runs some are under way at the same time."""
    asked = {"vary": {"limit": "0.2,1", "mass": "1:10:1"}, "measure": ("slide.displacement:rms", "slide.force:peak")}
    alone = hybrid.sweep(oscillator, **asked, workers=1)
    together = hybrid.sweep(oscillator, **asked, workers=3)
    assert alone.states.count("failed") == 10
    assert (together.states, together.sentences) == (alone.states, alone.sentences)
    np.testing.assert_array_equal(together.values, alone.values)


def test_every_thread_hears_its_own_warnings(oscillator):
    def measure(result: hybrid.Results) -> dict[str, float]:
        drop = float(result["slide.displacement"][-1])
        time.sleep(0.02)  # others warn meanwhile
        warnings.warn(f"{drop:.17g} m", stacklevel=1)
        return {"drop [m]": drop}

    result = hybrid.sweep(oscillator, {"mass": "1:8:1"}, measure=measure, workers=4)
    for sentence, drop in zip(result.sentences, result["drop"], strict=True):
        assert sentence.endswith(f"; warning: {drop:.17g} m")
        assert sentence.count("warning") == 1


def test_an_interrupted_sweep_on_threads_leaves_its_runs(oscillator):
    """Runs under way end after their block of steps, however long they would take: here a quarter of an hour."""
    endless = {"vary": {"mass": "1:4:1"}, "measure": "slide.displacement:end", "t_end": 9e5, "step": 1e-3}
    hybrid.sweep(oscillator, **(endless | {"t_end": 1e-2}), workers=2)  # everything is loaded
    began = time.monotonic()
    timer = threading.Timer(1.0, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    result = hybrid.sweep(oscillator, **endless, workers=2)
    assert result.states == ("waiting",) * 4
    assert time.monotonic() - began < 60.0
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("sweep-")]


def test_a_killed_process_costs_no_point(oscillator):
    """Two processes give the bits of one, also when one is killed: its point is computed again."""
    measure = ("slide.displacement:rms,end", "slide.force:peak")
    # short steps, so that both processes have begun when one is killed
    asked = {"vary": {"limit": "0.2,1", "mass": "1:4:1"}, "measure": measure, "step": 1e-6}
    alone = hybrid.sweep(oscillator, **asked, workers=1)
    killed = []

    def kill_one(now: hybrid.sweeps.Progress) -> None:
        if now.done == 5:
            killed.append(multiprocessing.active_children()[0])
            killed[0].kill()

    together = hybrid.sweep(oscillator, **asked, workers=hybrid.Workers(2, processes=True), progress=kill_one)
    assert killed
    assert (together.states, together.sentences) == (alone.states, alone.sentences)
    np.testing.assert_array_equal(together.values, alone.values)
    assert not multiprocessing.active_children()


WAYS = """
import sys
from pathlib import Path
from floatframe.hybrid import Workers, sweep
from floatframe.samples.slider_crank.study import prepare

if __name__ == "__main__":
    model = prepare(Path(sys.argv[1]))["linear"]
    asked = {"vary": {"torque": [90, 110, 95]}, "measure": "A.force:rms", "t_end": 0.02, "step": 1e-3}
    for workers in (1, 2, Workers(2, processes=True)):
        print(sweep(model, **asked, workers=workers).values.tobytes().hex())
"""


def test_one_worker_threads_and_processes_give_the_same_bits_whatever_threads_blas_has(tmp_path):
    """The matrices of a flexible body are sums of many products, which more threads of BLAS add in another order."""
    script = tmp_path / "ways.py"
    script.write_text(WAYS, encoding="utf-8")
    free = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    path = os.pathsep.join(filter(None, [str(Path(ff.__file__).parents[1]), free.get("PYTHONPATH")]))
    command = [sys.executable, str(script), str(tmp_path)]
    run = subprocess.run(command, env=free | {"PYTHONPATH": path}, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    alone, threads, processes = run.stdout.split()
    assert alone == threads == processes


def deadly(mass: float) -> hybrid.Model:
    """A model that takes its process down at one value, until a file says otherwise."""
    if mass == 2.0 and not os.path.exists(os.environ["FLOATFRAME_TEST_CURED"]):
        os._exit(7)
    model = hybrid.Model()
    box = model.add(hybrid.RigidBody("box", mass=mass, inertia=(1, 1, 1)))
    model.add(hybrid.prismatic("slide", box.at((0, 0, 0)), model.ground.at((0, 0, 0)), axis=(1, 0, 0)))
    return model


def test_a_point_that_takes_its_process_down_is_not_computed_and_resumed(tmp_path, monkeypatch):
    monkeypatch.setenv("FLOATFRAME_TEST_CURED", str(tmp_path / "cured"))
    asked = {"vary": {"mass": "1:3:1"}, "measure": "slide.displacement:end", "t_end": 0.1, "step": 0.01}
    asked |= {"workers": hybrid.Workers(2, processes=True), "path": tmp_path / "sweep.h5"}
    lost = hybrid.sweep(deadly, **asked)
    assert lost.states == ("done", "waiting", "done")
    assert "not computed: the worker process died (exit code 7)" in lost.sentences[1]
    assert lost.status == "unfinished: 2 of 3 points"
    (tmp_path / "cured").touch()
    whole = hybrid.sweep(deadly, **asked, resume=True)
    assert whole.status == "finished: 3 points"
    assert {path.name for path in tmp_path.iterdir()} == {"cured", "sweep.h5"}


def test_kernels_of_the_method_in_the_file_are_asked_for(tmp_path, monkeypatch):
    """As long as one of them is not compiled, the first point is computed alone."""
    alone, sweeping = [], import_module("floatframe.hybrid.sweep.sweep")

    def asked(*_, first_alone):
        alone.append(first_alone)
        yield from ()

    monkeypatch.setattr(sweeping, "in_processes", asked)
    for missing in ("explicit steps", "implicit steps"):
        monkeypatch.setattr(sweeping, "is_ready", lambda part, missing=missing: part != missing)
        path = tmp_path / "oscillator.toml"
        path.write_text(OSCILLATOR + 'method = "rk4"\n', encoding="utf-8")
        hybrid.sweep(path, {"mass": [1, 2]}, workers=hybrid.Workers(2, processes=True))
    assert alone == [True, False]


def test_what_cannot_be_sent_to_workers_is_refused(oscillator):
    with pytest.raises(ModelError, match="cannot be sent to worker processes"):
        hybrid.sweep(lambda mass: hybrid.read_model(oscillator).model, {"mass": [1, 2]}, "linear", workers=2)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("phi=0:330:30", tuple(range(0, 331, 30))),
        ("phi=0:100:30", (0.0, 30.0, 60.0, 90.0)),  # the steps do not meet the end
        ("a=0:0.3:0.1", (0.0, 0.1, 0.2, 0.3)),  # as written, not 0.30000000000000004
        ("a=1:-1:-1", (1.0, 0.0, -1.0)),
        ("front.mass = 1e3, 2e3,5e3", (1e3, 2e3, 5e3)),
        ("a=0,10:20:5", (0.0, 10.0, 15.0, 20.0)),
        ("a=3:3:1", (3.0,)),
    ],
)
def test_values(text, values):
    name, found = hybrid.parse_vary(text)
    assert name == text.partition("=")[0].strip()
    assert found == values


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"vary": {}}, "varies at least one parameter"),
        ({"vary": {"mass": []}}, "has no values"),
        ({"vary": {"mass": [1.0, float("nan")]}}, "must be finite"),
        ({"vary": {"mass": [1.0, 1.0]}}, "the value 1 twice"),
        ({"vary": {"mas": [1.0]}}, "did you mean mass"),
        ({"study": "modes"}, "expected one of simulate, equilibrium, linear"),
        ({"measure": "slide.displacment:rms"}, "did you mean slide.displacement"),
        ({"measure": "slide.force.w:rms"}, "channel 'slide.force.w' does not exist"),
        ({"measure": "slide.displacement:rmz"}, "did you mean rms"),
        ({"study": "equilibrium", "measure": "slide.displacement:rms"}, "at rest a channel has one value"),
        ({"study": "linear", "measure": "slide.displacement:rms"}, "leave out the measures"),
        ({"study": "linear", "at": "rest"}, "at is 'rest', expected one of start, equilibrium, steady"),
        ({"study": "linear", "t_end": 1.0}, "t_end is not a setting of study 'linear'"),
        ({"study": "linear", "measure_from": 1.0}, "is for simulations"),
        ({"parameters": {"mass": 1.0}}, "varies and is given a fixed value"),
        ({"workers": 0}, "workers is 0"),
        ({"resume": True}, "give path="),
    ],
    ids=str,
)
def test_requests_that_make_no_sense(oscillator, asked, sentence):
    with pytest.raises(ModelError, match=sentence):
        hybrid.sweep(oscillator, **{"vary": {"mass": [1.0, 2.0]}, "workers": 1, **asked})


def test_parts_of_a_grid(oscillator):
    result = hybrid.sweep(oscillator, {"stiffness": "100,200", "mass": "1,2,4"}, "linear", workers=1)
    part = result.where({"stiffness": 200.0})
    assert part.shape == (3,)
    np.testing.assert_array_equal(part["frequency.1"], result["frequency.1"][1])
    with pytest.raises(ModelError, match=r"no point at mass = 3, the nearest is 2"):
        result.at(mass=3.0)
    with pytest.raises(ModelError, match=r"no parameter 'length'; it varies stiffness, mass"):
        result.at(length=1.0)
    with pytest.raises(ModelError, match=r"column 'frequency.9' does not exist"):
        result["frequency.9"]


def test_loggers_of_dask_stay_quiet_whatever_levels_it_has_given_them():
    # distributed gives distributed.client a level of its own, which one of its parent does not reach
    client = logging.getLogger("distributed.client")
    before = {name: logging.getLogger(name).level for name in (*scheduler.QUIET, client.name)}
    client.setLevel(logging.WARNING)
    try:
        scheduler._hush()
        assert not client.isEnabledFor(logging.CRITICAL)
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)
