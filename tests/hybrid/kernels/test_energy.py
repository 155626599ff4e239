"""Energy over long runs."""

from __future__ import annotations

import numpy as np
import pytest

from floatframe import hybrid as h
from floatframe.errors import ModelError
from tests.hybrid import problems

PERIOD = 2.3678419476  # of the pendulum released at the level of its hinge


def energies(**settings) -> np.ndarray:
    """Energy of the pendulum over 1000 periods, at all phases of the motion; it starts at 0 J and swings 9.81 J."""
    record = h.Record(every=0.37 * PERIOD, channels=("energy.total",))
    result = problems.pendulum().compile().simulate(t_end=1000 * PERIOD, record=record, **settings)
    assert result.status.ok, result.status
    return result["energy.total"]


def test_energy_is_conserved_over_a_thousand_periods():
    energy = energies(method="rk45", rtol=1e-8, options=h.SolverOptions(conserve="energy"))
    # rounding, at the turning points too, where speeds alone could not mend it
    assert np.abs(energy - energy[0]).max() < 1e-14 * problems.GRAVITY


def test_without_it_energy_drifts():
    energy = energies(method="rk4", step=PERIOD / 100)
    assert np.abs(energy - energy[0]).max() > 1e-5


def test_the_motion_stays_the_motion():
    record = h.Record(every=1.0, channels=("bob.com_position",))
    run = (
        problems.pendulum()
        .compile()
        .simulate(t_end=10.0, method="rk45", rtol=1e-11, options=h.SolverOptions(conserve="energy"), record=record)
    )
    # the published position after 10 s, nine digits
    np.testing.assert_allclose(run["bob.com_position"][-1, :2], (-0.275087463, -0.961419205), atol=2e-9)


def test_a_closed_mechanism_keeps_energy_and_constraints():
    record = h.Record(every=0.05, channels=("energy.total",))
    system = problems.spatial_slider_crank().compile()
    result = system.simulate(
        t_end=5.0, method="rk4", step=1e-3, options=h.SolverOptions(conserve="energy"), record=record
    )
    energy = result["energy.total"]
    # 0.77 J to rounding: this crank never comes to rest
    assert np.abs(energy - energy[0]).max() < 1e-13
    assert result.statistics["constraint_drift"].max() < 1e-12


def test_newmark_swings_about_the_energy_without_losing_it():
    energy = energies(method="newmark", step=PERIOD / 100)
    half = len(energy) // 2
    early, late = np.ptp(energy[:half]), np.ptp(energy[half:])
    assert late == pytest.approx(early, rel=0.1)


def test_conserving_energy_is_refused_where_energy_comes_and_goes():
    with pytest.raises(ModelError, match="conserve"):
        problems.sundials_slider_crank().compile().simulate(
            method="rk4", step=1e-3, options=h.SolverOptions(conserve="energy")
        )
    with pytest.raises(ModelError, match=r"'momentum\.x' is not conserved by this model"):
        problems.pendulum().compile().simulate(method="rk4", step=1e-3, options=h.SolverOptions(conserve="momentum"))
    with pytest.raises(ModelError, match="conserve is for euler, rk4, rk45 and dop853"):
        problems.pendulum().compile().simulate(method="newmark", step=1e-3, options=h.SolverOptions(conserve="energy"))
