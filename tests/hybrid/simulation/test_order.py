"""Every integration method shows its theoretical order, damping and error control."""

from __future__ import annotations

import numpy as np
import pytest

from floatframe import hybrid as h
from floatframe.errors import ModelError
from tests.hybrid.tumbling_pair import tumbling_pair
from tests.reference.beams import fitted_order

CHANNELS = ("first.com_position", "second.com_position", "second.com_velocity")
T_END = 0.5


def end(system: h.System, **settings) -> np.ndarray:
    """Positions and velocities at the end of a run."""
    result = system.simulate(t_end=T_END, record=h.Record(every=T_END, channels=CHANNELS), **settings)
    assert result.status.ok, result.status
    return np.concatenate([result[name][-1] for name in CHANNELS])


@pytest.fixture(scope="module")
def system() -> h.System:
    return tumbling_pair()


@pytest.fixture(scope="module")
def exact(system: h.System) -> np.ndarray:
    return end(system, method="rk45", rtol=1e-13)


@pytest.mark.parametrize(
    ("method", "order", "steps"),
    [
        ("generalised-alpha", 2, (50, 100, 200, 400)),
        ("hht", 2, (50, 100, 200, 400)),
        ("newmark", 2, (50, 100, 200, 400)),
        ("bdf1", 1, (500, 1000, 2000, 4000)),
        ("bdf2", 2, (200, 400, 800, 1600)),
        ("park", 2, (200, 400, 800, 1600)),
        ("rk4", 4, (25, 50, 100, 200)),
        ("rk45", 5, (100, 150, 200)),
        ("dop853", 8, (14, 16, 18, 20)),
        ("radau5", 5, (60, 80, 110)),
    ],
)
def test_order(system, exact, method, order, steps):
    # Newton's iterations are driven far below the error of the steps
    error = [
        np.abs(
            end(system, method=method, step=T_END / n, options=h.SolverOptions(newton_tolerance=1e-12)) - exact
        ).max()
        for n in steps
    ]
    # higher terms of the error are still seen at these steps; those of rk45 and dop853 fade only where rounding begins
    assert fitted_order(steps, error) == pytest.approx(order, abs=0.4 if order >= 5 else 0.2)


def test_tree_and_constraints_have_one_solution(exact):
    # the hinge as a coordinate of the tree instead of five rows; both runs are good for about 1e-12
    np.testing.assert_allclose(end(tumbling_pair(loop=False), method="rk45", rtol=1e-13), exact, atol=1e-10)


@pytest.mark.parametrize("method", ["generalised-alpha", "rk45", "dop853", "radau5"])
def test_error_follows_the_tolerance(system, exact, method):
    tolerances = (1e-4, 1e-5, 1e-6, 1e-7)
    longest = h.SolverOptions(step_max=T_END)  # else some of the steps are shorter than the tolerance asks for
    error = np.array(
        [np.abs(end(system, method=method, rtol=rtol, options=longest) - exact).max() for rtol in tolerances]
    )
    # speeds here are up to 10 m/s
    assert (error < 10 * np.array(tolerances)).all()
    # estimates are one order lower than the methods, so that errors of explicit ones fall faster than rtol
    assert 0.7 < fitted_order(1 / np.array(tolerances), error) < 1.6


@pytest.mark.parametrize(
    ("method", "rtol"),
    [
        ("scipy:DOP853", 1e-9),
        ("scipy:RK45", 1e-9),
        ("scipy:RK23", 1e-6),
        ("scipy:Radau", 1e-7),
        ("scipy:BDF", 1e-7),
        ("scipy:LSODA", 1e-8),
    ],
)
def test_solvers_of_scipy(system, exact, method, rtol):
    # errors of steps add up; the methods of SciPy stay within some tens of their tolerance
    np.testing.assert_allclose(end(system, method=method, rtol=rtol), exact, atol=300 * rtol)


@pytest.mark.parametrize("method", ["sundials:cvode", "sundials:ida"])
def test_solvers_of_sundials(system, exact, method):
    pytest.importorskip("sksundae")
    np.testing.assert_allclose(end(system, method=method, rtol=1e-9), exact, atol=1e-6)


def test_solvers_of_others_refuse_what_they_cannot_do(system):
    with pytest.raises(ModelError, match="scipy:LSODA does not support events"):
        system.simulate(method="scipy:LSODA", events=["t - 0.5"])
    with pytest.raises(ModelError, match="fixed step"):
        system.simulate(method="scipy:LSODA", step=1e-3)
    with pytest.raises(ModelError, match="method 'scipy:DOP835' does not exist"):
        system.simulate(method="scipy:DOP835")


def oscillator(omega: float) -> h.System:
    """A unit mass on a spring, displaced by 1 m."""
    model = h.Model()
    mass = model.add(h.RigidBody("mass", 1.0, (1, 1, 1)))
    model.add(h.prismatic("slide", mass.at(), model.ground.at(), axis=(1, 0, 0), start=1.0))
    model.add(h.joint_force("spring", "slide", f"-{omega**2!r}*displacement"))
    return model.compile()


def displacements(omega: float, steps: int, **settings) -> np.ndarray:
    result = oscillator(omega).simulate(t_end=float(steps), step=1.0, record=h.Record(channels=("slide",)), **settings)
    assert result.status.ok, result.status
    return result["slide.displacement"]


def spectral_radius(x: np.ndarray) -> float:
    """The largest root of the recurrence of third order that a sequence satisfies."""
    rows = np.array([x[k : k + 4] / np.abs(x[k : k + 4]).max() for k in range(len(x) - 4)])
    c = np.linalg.lstsq(rows[:, :3], rows[:, 3], rcond=None)[0]
    return float(np.abs(np.roots([1.0, -c[2], -c[1], -c[0]])).max())


@pytest.mark.parametrize(
    ("method", "radius"),
    [("generalised-alpha", r) for r in (0.2, 0.5, 0.8, 0.95)] + [("hht", r) for r in (0.6, 0.8, 0.95)],
)
def test_spectral_radius_at_infinity(method, radius):
    # omega h = 1e4; three roots that fall together at infinity are found to the cube root of rounding and 1/(omega h)
    x = displacements(1e4, 30, method=method, spectral_radius=radius, options=h.SolverOptions(newton_tolerance=1e-12))
    assert spectral_radius(x[1:]) == pytest.approx(radius, abs=0.02)


def test_newmark_neither_damps_nor_excites_a_linear_system():
    # the trapezoidal rule keeps the energy of a linear oscillator; the amplitude at omega h = 1 is that of the start
    x = displacements(1.0, 2000, method="newmark", options=h.SolverOptions(newton_tolerance=1e-13))
    assert np.abs(x).max() == pytest.approx(1.0, abs=1e-9)
    assert np.abs(x[-50:]).max() > 0.99


def test_relatives_without_damping_are_newmark():
    x = [displacements(2.0, 50, method=method, spectral_radius=1.0) for method in ("hht", "newmark")]
    assert np.array_equal(*x)
