"""Radau steps on stiff motions, and `method="auto"`, which chooses its steps itself."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

from floatframe import hybrid as h
from floatframe.errors import ModelError
from floatframe.hybrid.kernels import FAILED, SINGULAR
from floatframe.hybrid.settings import Settings
from floatframe.hybrid.simulation import auto, run as running
from floatframe.hybrid.simulation.auto import Auto
from floatframe.hybrid.simulation.integrators import Compiled
from tests.hybrid import problems
from tests.hybrid.closed_loop import closed_loop
from tests.hybrid.stiffened_models import SPIN_UP, blade, lag_of_tip, spin_up_arm
from tests.hybrid.tumbling_pair import tumbling_pair

STIFFNESS, DAMPING = 1e6, 2e3  # of 1 kg: eigenvalues of -1000 1/s, while the motion takes seconds
EXACT = {"method": "dop853", "rtol": 1e-13}
FACTOR = STIFFNESS / (STIFFNESS - 1 + 1j * DAMPING)


def follower() -> h.System:
    """A slider that a stiff spring and damper pull along sin(t); it begins on its steady motion."""
    model = h.Model()
    body = model.add(h.RigidBody("body", 1.0, (1, 1, 1), com=(1, 0, 0)))
    place = h.prismatic("A", body.at(), model.ground.at(), axis=(1, 0, 0), start=FACTOR.imag, start_rate=FACTOR.real)
    model.add(place)
    model.add(h.joint_force("pull", "A", f"{STIFFNESS}*(sin(t) - displacement) - {DAMPING}*rate"))
    return model.compile()


@pytest.mark.parametrize(("method", "most"), [("radau5", 200), ("auto", 600)])
def test_a_stiff_motion_takes_few_steps(method, most):
    result = follower().simulate(t_end=6.0, method=method, rtol=1e-6, record=h.Record(every=0.01))
    assert result.status.ok, result.status
    # explicit steps of order 8 would need some 1500 for stability alone, and auto takes 256 before it tries others
    assert result.statistics["steps"][-1] < most
    exact = (FACTOR * np.exp(1j * result.t)).imag
    # records inside the steps of 0.1 to 0.5 s are of order 4; ends are good for the tolerance
    assert_allclose(result["A.displacement"][-1], exact[-1], atol=3e-6)
    assert_allclose(result["A.displacement"], exact, atol=3e-4)


@pytest.mark.parametrize("rtol", [1e-4, 1e-6, 1e-8])
def test_auto_is_as_exact_as_asked_for(rtol):
    system, record = tumbling_pair(), h.Record(every=0.5)
    exact, result = (system.simulate(t_end=0.5, record=record, **s) for s in (EXACT, {"method": "auto", "rtol": rtol}))
    assert np.abs(result.q[-1] - exact.q[-1]).max() < 3 * rtol
    # speeds are up to 10 m/s
    assert np.abs(result.v[-1] - exact.v[-1]).max() < 10 * rtol


def test_a_beam_that_bends_far_takes_few_steps():
    """Simo and Vu-Quoc 1986: the tip lags by 0.574 m at 6.76 s (verification problem; 1 % is its tolerance).

    Its first corrections set the bending, the second ones the axial forces of its square, and both are of one size:
    taken as divergence, that made 400 steps.
    """
    record = h.Record(every=6.76, channels=("axle.angle", "blade.node[21].position"))
    run = blade(spin_up_arm(), 0.0, SPIN_UP).compile().simulate(t_end=6.76, method="radau5", rtol=1e-3, record=record)
    assert abs(lag_of_tip(run)[-1] + 0.574) < 0.006
    assert run.statistics["steps"][-1] < 200


def test_auto_passes_singular_positions():
    """IFToMM A02: where the bars lie flat the constraints are singular; the energy stays and the angle is known."""
    n = 2
    result = problems.four_bars(n).compile().simulate(t_end=3.0, method="auto", record=h.Record(every=0.05))
    assert result.status.ok, result.status
    energy = result["energy.total"]
    assert_allclose(energy, energy[0], atol=1e-3 * (2 * n + 1) * problems.GRAVITY)


@pytest.mark.parametrize("method", ["auto", "rk45", "radau5"])
def test_a_pulse_after_rest_is_not_stepped_over(method):
    model = h.Model()
    body = model.add(h.RigidBody("body", 1.0, (1, 1, 1)))
    model.add(h.prismatic("A", body.at(), model.ground.at(), axis=(1, 0, 0)))
    model.add(h.joint_force("push", "A", "100*exp(-((t - 0.47)/0.005)^2)"))
    result = model.compile().simulate(t_end=1.0, method=method, record=h.Record(every=0.1))
    assert_allclose(result["A.rate"][-1], 0.5 * np.sqrt(np.pi), rtol=1e-5)


def test_tolerances_that_say_nothing_are_taken_as_the_loosest_that_does():
    """The same run, to the last bit, from 0.3 on."""
    runs = [tumbling_pair().simulate(t_end=0.2, method="auto", rtol=rtol) for rtol in (auto.LOOSEST, 0.5, 0.9)]
    for run in runs[1:]:
        assert run.q.tobytes() == runs[0].q.tobytes()


def test_slopes_are_renewed_before_iterations_fail_with_old_ones():
    """The bending arm wants new slopes in every step; finding out with the old ones took 3.7 iterations a step."""
    run = blade(spin_up_arm(), 0.0, SPIN_UP).compile().simulate(t_end=7.5, method="radau5", rtol=3e-4)
    assert run.status.ok, run.status
    assert run.statistics["iterations"][-1] < 3.0 * run.statistics["steps"][-1]  # 2.8 measured


def test_explicit_steps_are_not_tried_where_forces_would_make_them_short(monkeypatch):
    """A contact that swings at 3e4 rad/s: what forces do at the state says that explicit steps would take longer."""
    from benchmarks.precision.problems import sliding_ball

    kinds = []
    go_on_by = auto.Auto._go_on_by
    monkeypatch.setattr(auto.Auto, "_go_on_by", lambda run, kind: (kinds.append(kind), go_on_by(run, kind)))
    run = sliding_ball().compile().simulate(t_end=2.0, rtol=3e-3, step_max=0.01)
    assert run.status.ok, run.status
    assert run.statistics["steps"][-1] > 2 * auto.FIRST_PATIENCE  # it would have tried them twice
    assert kinds == [auto.RADAU]


@pytest.mark.parametrize("rtol", [0.3, 0.1, 0.03])
def test_loose_tolerances_leave_no_ringing_behind(rtol):
    """What iterations left of the axial motion of the bending arm rang on: 2165, 633 and 1149 steps.

    At rtol = 0.01, to which iterations are exact, it takes 91.
    """
    run = blade(spin_up_arm(), 0.0, SPIN_UP).compile().simulate(t_end=7.5, method="radau5", rtol=rtol)
    assert run.status.ok, run.status
    assert run.statistics["steps"][-1] <= 100


def test_loose_tolerances_do_not_follow_small_vibrations():
    """The rod of the slider-crank swings far less than it turns: 389 steps where only its swinging counted."""
    from benchmarks import mechanisms

    run = mechanisms.flexible(mechanisms.flexible_rod()).simulate(t_end=0.5, method="radau5", rtol=0.03)
    assert run.status.ok, run.status
    assert run.statistics["steps"][-1] < 260


@pytest.mark.parametrize("method", ["auto", "rk45", "radau5"])
def test_a_short_touch_and_an_event_are_not_stepped_over(method):
    """An arm that turns freely at 10 rad/s: its tip dips 1 mm into a stop, its sine is above 0.9 for 0.09 s."""
    model = h.Model(gravity=(0, 0, 0))
    arm = model.add(h.RigidBody("arm", 1.0, (0.1, 0.1, 0.1), com=(0.5, 0, 0)))
    model.add(h.revolute("A", arm.at(), model.ground.at(), axis=(0, 1, 0), start_rate=10.0))
    free = model.compile().simulate(t_end=2.0, method=method, events=["sin(A.angle) - 0.9"])
    assert_allclose(free.status.t, np.arcsin(0.9) / 10.0, rtol=1e-6)
    stop = model.ground.at((0, 0, -0.999))
    model.add(h.contact_plane("stop", arm.at((1, 0, 0)), stop, stiffness=1e6, damping=1e3))
    touched = model.compile().simulate(t_end=2.0, method=method, record=h.Record(every=0.1))
    # dop853 with steps of 1e-4 s; auto is off by 2e-4, since a contact begins with a kink
    assert_allclose(touched["A.rate"][-1], 9.55822, rtol=1e-3)


@pytest.mark.parametrize("method", ["auto", "radau5", "dop853"])
@pytest.mark.parametrize("stiffness", [1e5, 1e9])
def test_a_ball_keeps_bouncing(stiffness, method):
    """Some 50 impacts without loss, each far shorter than the flight; a stage may lie deep inside the stop."""
    model = h.Model(gravity=(0, 0, -9.81))
    ball = model.add(h.RigidBody("ball", 1.0, (0.1, 0.1, 0.1), position=(0, 0, 1)))
    model.add(h.prismatic("z", ball.at(), model.ground.at(), axis=(0, 0, 1)))
    stop = {"length": 5.0, "clearance": 0.0, "stiffness": stiffness}
    model.add(h.bump_stop("stop", ball.at(), model.ground.at((0, 0, -5)), **stop))
    result = model.compile().simulate(t_end=50.0, method=method, rtol=1e-5, record=h.Record(every=0.5))
    energy = result["energy.total"]
    # 50 kinks, each passed in steps whose error is nothing
    assert_allclose(energy, energy[0], rtol=1e-3)


def slider(force: str) -> h.System:
    """A mass of 1 kg on a guide, at rest, pushed by a force of time and rate."""
    model = h.Model()
    body = model.add(h.RigidBody("body", 1.0, (1, 1, 1)))
    model.add(h.prismatic("A", body.at(), model.ground.at(), axis=(1, 0, 0)))
    model.add(h.joint_force("push", "A", force))
    return model.compile()


@pytest.mark.parametrize("method", ["auto", "dop853", "radau5"])
@pytest.mark.parametrize("rtol", [1e-5, 1e-10])
def test_a_force_that_jumps_after_rest_is_passed(method, rtol):
    """Whatever step is taken over the jump, its error is of the order of the speed reached in it."""
    result = slider("if(t < 1, 0, 1)").simulate(t_end=3.0, method=method, rtol=rtol)
    assert result.status.ok, result.status
    assert_allclose(result["A.displacement"][-1], 2.0, rtol=max(rtol, 1e-9))


@pytest.mark.parametrize("method", ["auto", "dop853"])
def test_a_force_that_jumps_to_and_fro_ends_the_run(method):
    """Dry friction by the sign of the rate holds the mass where no solution goes on; a run must not stay there."""
    result = slider("if(t < 1, 1, 0.5) - 0.8*sign(rate)").simulate(t_end=3.0, method=method)
    assert result.status.reason == "failed"
    assert "a jump in a force" in str(result.status)


@pytest.mark.parametrize("rtol", [1e-2, 1e-5, 1e-7])
def test_linkages_leave_flat_positions_on_their_branch(rtol):
    """IFToMM A02 with forty loops: explicit steps that come too near let rounding choose the other branch."""
    from benchmarks.precision.references import four_bars_exact

    reference, _ = four_bars_exact(2.0, 40)
    system = problems.four_bars(40).compile()
    result = system.simulate(t_end=2.0, method="auto", rtol=rtol, record=h.Record(every=2.0))
    assert_allclose(result["upright0.com_position"][-1], reference[:3], atol=1e-3)


def test_auto_with_a_step_is_generalised_alpha():
    system = closed_loop().compile()
    runs = [system.simulate(t_end=0.1, step=1e-3, method=method) for method in ("auto", "generalised-alpha")]
    assert np.array_equal(runs[0].q, runs[1].q)
    with pytest.raises(ModelError, match="conserve is for euler, rk4, rk45 and dop853, found method auto"):
        system.simulate(t_end=0.1, method="auto", options=h.SolverOptions(conserve="energy"))


def test_a_run_resumed_in_either_method_is_the_same(monkeypatch, tmp_path):
    monkeypatch.setattr(running, "FIRST_STEPS", 7)  # blocks short enough to stop between them
    monkeypatch.setattr(running, "GROWTH", 1.0)
    settings = {"method": "auto", "rtol": 1e-6, "record": h.Record(every=0.25)}
    path = tmp_path / "run.h5"

    def stop(now: h.Progress) -> None:
        if now.t > 1.0:
            raise KeyboardInterrupt

    system = follower()
    whole = system.simulate(t_end=6.0, **settings)
    broken = system.simulate(t_end=6.0, **settings, path=path, progress=stop)
    assert broken.status.reason == "interrupted"
    resumed = system.simulate(t_end=6.0, **settings, path=path, resume=True)
    assert np.array_equal(resumed.q, whole.q)
    assert np.array_equal(resumed.v, whole.v)


def test_a_hop_of_generalised_alpha_goes_on_as_before(monkeypatch):
    """Where other rows and both methods fail, some steps of generalised-alpha follow, and the records go on."""
    system, record = closed_loop().compile(), h.Record(every=0.05)
    whole = system.simulate(t_end=1.0, method="auto", rtol=1e-6, record=record)
    taken, failures = Auto._run_kernel, 3 * [FAILED]

    def failing(self, times, every_step, kept):
        if self.s.time > 0.3 and failures:
            return 0, failures.pop()
        # Newmark's, without the spectral radius, has none
        assert self.formula.alpha_f > 0.0
        return taken(self, times, every_step, kept)

    monkeypatch.setattr(Auto, "_run_kernel", failing)
    monkeypatch.setattr(running, "FIRST_RECORDS", 8)
    monkeypatch.setattr(running, "MOST_FIRST", 1)
    hopped = system.simulate(t_end=1.0, method="auto", rtol=1e-6, record=record)
    assert not failures
    assert hopped.status.ok, hopped.status
    assert np.array_equal(hopped.t, whole.t)
    assert hopped.statistics["steps"][-1] > whole.statistics["steps"][-1] + 50
    # sixty steps of second order with the same rtol: 5e-6
    assert_allclose(hopped.q, whole.q, atol=2e-5)
    assert hopped.statistics["constraint_drift"].max() < 1e-9


def test_a_failure_inside_a_step_is_said(monkeypatch):
    """Another method does not know the last step, from which the records are taken that are still missing."""
    system, record = tumbling_pair(), h.Record(every=1e-3)
    whole = system.simulate(t_end=0.5, method="auto", record=record)
    taken = Auto._run_kernel

    def failing(self, times, every_step, kept):
        if self.s.time < 0.2 or self.s.time > times[0]:
            return taken(self, times, every_step, kept)
        count, _ = taken(self, times[:1], every_step, kept)
        return count, SINGULAR

    monkeypatch.setattr(Auto, "_run_kernel", failing)
    monkeypatch.setattr(running, "FIRST_RECORDS", 8)
    monkeypatch.setattr(running, "MOST_FIRST", 1)
    monkeypatch.setattr(running, "GROWTH", 1.0)
    monkeypatch.setattr(running, "BLOCK_SECONDS", 60.0)  # blocks stay as long, however busy the machine is
    broken = system.simulate(t_end=0.5, method="auto", record=record)
    assert broken.status.reason == "failed"
    inside = len(broken.t) - 1  # the end of the last step is kept too
    assert 0.2 < broken.t[inside] < 0.3
    assert_allclose(broken.q[:inside], whole.q[:inside], atol=1e-12)


def test_a_longer_run_goes_on_where_it_would_begin_by_the_other_method(monkeypatch, tmp_path):
    monkeypatch.setattr(auto, "highest_frequency", lambda tables: 3.0 * auto.STIFF_PERIODS)
    settings = {"method": "auto", "rtol": 1e-6, "record": h.Record(every=0.1)}
    system, path = tumbling_pair(), tmp_path / "run.h5"
    system.simulate(t_end=0.2, **settings, path=path)
    longer = system.simulate(t_end=0.5, **settings, path=path, resume=True)
    assert longer.status.ok, longer.status
    assert_allclose(longer.q, system.simulate(t_end=0.5, **settings | EXACT).q, atol=3e-6)


def test_a_resumed_run_is_as_long_as_its_new_end():
    """Its length is what the errors of controlled steps are shared out over."""
    system = tumbling_pair()
    begun, longer = (
        Compiled(system, Settings(t_end=end, method="generalised-alpha"), system.initial_state(), 0) for end in (1, 3)
    )
    longer.restore(begun.carried())
    assert longer.s.span == longer.s.horizon == 3.0


@pytest.mark.parametrize("method", ["auto", "dop853", "radau5", "rk45"])
def test_a_drive_that_jerks_gives_the_impulse_of_its_jump(method):
    """A cart with a pendulum of 1 m starts at once with 2 m/s at 0.5 s and stops at once at 1.5 s."""
    length, inertia, speed = 1.0, 1e-3, 2.0
    model = h.Model(gravity=(0, 0, -9.81))
    cart = model.add(h.RigidBody("cart", 1.0, (1, 1, 1)))
    bob = model.add(h.RigidBody("bob", 1.0, (inertia,) * 3, position=(0, 0, -length)))
    model.add(h.prismatic("rail", cart.at(), model.ground.at(), (1, 0, 0)))
    model.add(h.revolute("pin", bob.at((0, 0, length)), cart.at(), axis=(0, 1, 0)))
    model.add(h.motion("drive", "rail", f"{speed}*ramp(t, 0.5, 1.5)"))
    result = model.compile().simulate(t_end=3.0, method=method, rtol=1e-6, record=h.Record(every=0.1))

    def swing(start, t_end):
        about = length**2 + inertia
        found = solve_ivp(
            lambda t, y: [y[1], -9.81 * length / about * np.sin(y[0])], (0, t_end), start, rtol=1e-11, atol=1e-12
        )
        return found.y[:, -1]

    # the impulse at the pin turns the bob by v l cos(angle)/(l2 + I/m)
    jump = speed * length / (length**2 + inertia)
    angle, rate = swing([0.0, jump], 1.0)
    angle, _ = swing([angle, rate - jump * np.cos(angle)], 1.5)
    assert_allclose(np.abs(result["pin.angle"][-1]), np.abs(angle), rtol=1e-5)
