"""Radau steps on stiff motions, and `method="auto"`, which chooses its steps itself."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from floatframe import hybrid as h
from floatframe.errors import ModelError
from floatframe.hybrid.kernels import FAILED
from floatframe.hybrid.simulation import run as running
from floatframe.hybrid.simulation.auto import Auto
from tests.hybrid import problems
from tests.hybrid.closed_loop import closed_loop
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


@pytest.mark.parametrize(("method", "most"), [("radau5", 100), ("auto", 150)])
def test_a_stiff_motion_takes_few_steps(method, most):
    result = follower().simulate(t_end=6.0, method=method, rtol=1e-6, record=h.Record(every=0.01))
    assert result.status.ok, result.status
    # explicit steps of order 8 would need some 1500 for stability alone
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


def test_auto_passes_singular_positions():
    """IFToMM A02: where the bars lie flat the constraints are singular; the energy stays and the angle is known."""
    n = 2
    result = problems.four_bars(n).compile().simulate(t_end=3.0, method="auto", record=h.Record(every=0.05))
    assert result.status.ok, result.status
    energy = result["energy.total"]
    assert_allclose(energy, energy[0], atol=1e-3 * (2 * n + 1) * problems.GRAVITY)


def test_auto_with_a_step_is_generalised_alpha():
    system = closed_loop().compile()
    runs = [system.simulate(t_end=0.1, step=1e-3, method=method) for method in ("auto", "generalised-alpha")]
    assert np.array_equal(runs[0].q, runs[1].q)
    with pytest.raises(ModelError, match="conserve is for rk4, rk45 and dop853, found method auto"):
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
        return taken(self, times, every_step, kept)

    monkeypatch.setattr(Auto, "_run_kernel", failing)
    monkeypatch.setattr(running, "FIRST_RECORDS", 8)
    hopped = system.simulate(t_end=1.0, method="auto", rtol=1e-6, record=record)
    assert not failures
    assert hopped.status.ok, hopped.status
    assert np.array_equal(hopped.t, whole.t)
    assert hopped.statistics["steps"][-1] > whole.statistics["steps"][-1] + 50
    # sixty steps of second order with the same rtol: 5e-6
    assert_allclose(hopped.q, whole.q, atol=2e-5)
    assert hopped.statistics["constraint_drift"].max() < 1e-9
