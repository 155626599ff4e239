"""Geometric stiffening in motion: the slider-crank, the spin-up beam, rotating blades, columns, energy."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import floatframe as ff
from floatframe import hybrid as h
from tests.hybrid.stiffened_models import (
    ARM_LENGTH,
    BEAM_UNIT,
    LENGTH,
    SPIN_UP,
    SQUARE,
    STEEL,
    beam,
    blade,
    chain_of_links,
    flexible_rod,
    lag_of_tip,
    slider_crank,
    spin_up_arm,
)

# the frame clamped to a node warns, since large displacements leave its linear shapes; here they are small
pytestmark = pytest.mark.filterwarnings("ignore:.*frame is clamped to node")


@pytest.fixture(scope="module")
def rod() -> ff.modal.ReducedBody:
    return beam(n=40, modes=20)


@pytest.fixture(scope="module")
def small_rod() -> ff.modal.ReducedBody:
    return beam()


@pytest.fixture(scope="module")
def coarse_rod() -> ff.modal.ReducedBody:
    return beam(n=10, modes=6)


def crank_speed(model: h.Model, step: float = 1e-3, t_end: float = 2.0) -> h.Results:
    record = h.Record(every=1e-2, channels=("A.rate",))
    return model.compile().simulate(t_end=t_end, step=step, spectral_radius=0.6, record=record)


class TestSliderCrank:
    """Geometrically exact 6.916 to 6.921 rad/s at 2 s, 44 rigid links 6.9179; without stiffening 7.053."""

    @pytest.mark.parametrize("frame", ["mean", "chord"])
    def test_speed_after_two_seconds(self, rod, frame):
        run = crank_speed(slider_crank(flexible_rod(rod, frame=frame, stiffening="full")))
        assert run["A.rate"][-1] == pytest.approx(6.917, abs=0.003)

    @pytest.fixture(scope="class")
    @classmethod
    def chains(cls) -> list[np.ndarray]:
        """Curves of 11, 22 and 44 links with the step of the published values."""
        return [crank_speed(slider_crank(chain_of_links(n)), step=2e-4)["A.rate"] for n in (11, 22, 44)]

    def test_the_chain_converges_to_the_reference(self, chains):
        published = [6.9176, 6.9179, 6.9179]
        assert [curve[-1] for curve in chains] == pytest.approx(published, abs=2e-4)
        # hinges at both ends of a link: second order in its length
        coarse, fine = (np.abs(b - a).max() for a, b in pairwise(chains))
        assert fine < 0.5 * coarse
        assert fine < 1e-3

    @pytest.mark.parametrize("frame", ["mean", "chord"])
    def test_the_whole_curve_is_that_of_the_converged_chain(self, rod, chains, frame):
        converged = chains[2] + (chains[2] - chains[1]) / 3.0
        run = crank_speed(slider_crank(flexible_rod(rod, frame=frame)), step=2e-4)
        assert np.abs(run["A.rate"] - converged).max() < 0.01  # 0.004 measured

    def test_without_stiffening_the_speed_is_the_known_wrong_one(self, rod):
        with pytest.warns(UserWarning, match=r"body 'rod' has its stiffening switched off: its load reached 1\d %"):
            run = crank_speed(slider_crank(flexible_rod(rod, stiffening="off")))
        assert run["A.rate"][-1] == pytest.approx(7.053, abs=0.003)


class TestOff:
    def test_is_equal_to_the_last_bit_to_a_body_without_terms(self, small_rod):
        bare = replace(small_rod, geometric=None)
        runs = [
            crank_speed(slider_crank(flexible_rod(body, stiffening=kind)), t_end=0.2)
            for body, kind in ((small_rod, "off"), (bare, "off"), (bare, "auto"))
        ]
        assert np.array_equal(runs[0].q, runs[1].q)
        assert np.array_equal(runs[0].v, runs[2].v)

    def test_auto_stiffens_where_terms_are_known(self, small_rod):
        runs = [
            crank_speed(slider_crank(flexible_rod(small_rod, stiffening=kind)), t_end=0.2) for kind in ("auto", "full")
        ]
        assert np.array_equal(runs[0].q, runs[1].q)


class TestEnergy:
    """A stiffened pendulum with a heavy tip is conservative."""

    def swing(self, body, stiffening, step):
        model = h.Model(gravity=(0, -9.81, 0))
        rod = model.add(h.FlexibleBody("rod", body, stiffening=stiffening))
        ball = model.add(h.RigidBody("ball", 20.0, (0.1, 0.1, 0.1)))
        model.add(h.revolute("pivot", rod.node(1), model.ground.at()))
        model.add(h.fixed("tip", ball.at(), rod.node(21)))
        record = h.Record(every=0.02, channels=("energy.total", "energy.kinetic"))
        # no damping by the method
        return model.compile().simulate(t_end=2.0, step=step, spectral_radius=1.0, record=record)

    def test_is_kept_like_without_stiffening(self, small_rod):
        drift = {}
        for kind in ("off", "full"):
            for step in (2e-3, 1e-3):
                run = self.swing(small_rod, kind, step)
                energy = run["energy.total"]
                drift[kind, step] = np.abs(energy - energy[0]).max() / run["energy.kinetic"].max()
        # the method is of second order: half the step, a quarter of the drift
        assert drift["full", 1e-3] < 0.4 * drift["full", 2e-3]
        assert drift["full", 1e-3] < 1e-4
        assert drift["full", 1e-3] < 3.0 * drift["off", 1e-3]


class TestSpinUp:
    """Simo and Vu-Quoc 1986: a beam brought to 6 rad/s in 15 s."""

    @pytest.fixture(scope="class")
    @classmethod
    def arm(cls) -> ff.modal.ReducedBody:
        return spin_up_arm()

    @pytest.mark.parametrize("frame", ["mean", "chord", "node"])
    def test_lag_and_extension(self, arm, frame):
        record = h.Record(every=0.02, channels=("axle.angle", "blade.node[21].position"))
        system = blade(arm, 0.0, SPIN_UP, frame=frame).compile()
        run = system.simulate(t_end=18.0, step=5e-3, record=record)
        angle, p = run["axle.angle"], run["blade.node[21].position"]
        along = np.cos(angle) * p[:, 0] + np.sin(angle) * p[:, 1] - ARM_LENGTH
        lag = lag_of_tip(run)
        k = int(np.argmin(lag))
        assert lag[k] == pytest.approx(-0.5744, rel=0.01)
        assert run.t[k] == pytest.approx(6.76, abs=0.03)
        assert np.abs(lag[run.t > 15.0]).max() < 0.004
        assert along[run.t > 15.0].mean() == pytest.approx(5.143e-4, rel=0.01)


# Wright et al. (1982): Ω -> the first two flap frequencies, both in units of sqrt(EI / (m L^4)); hub radius 0 and L
WRIGHT = {
    0.0: {4: (5.5850, 24.2733), 12: (13.1702, 37.6031)},
    1.0: {4: (7.475, 26.957), 12: (19.722, 51.070)},
}


@pytest.mark.parametrize(
    ("frame", "radius", "speed"),
    [("mean", 0.0, 4), ("mean", 1.0, 12), ("chord", 1.0, 4), ("chord", 0.0, 12), ("node", 1.0, 12)],
)
def test_rotating_blade(small_rod, frame, radius, speed):
    """Flap as published; lead-lag follows by lag² = flap² - Ω², where the slender beam's Coriolis coupling is small."""
    rate = speed * BEAM_UNIT
    system = blade(small_rod, radius * LENGTH, f"{rate!r}*t", rate, frame=frame).compile()
    found = 2.0 * np.pi * system.linearise(system.steady_motion(), n=4).frequency / BEAM_UNIT
    flap = np.array(WRIGHT[radius][speed])
    assert found == pytest.approx(np.sort(np.concatenate([flap, np.sqrt(flap**2 - speed**2)])), rel=5e-3)


@pytest.mark.parametrize(
    ("first", "last", "factor"),
    [("hinge", "hinge", 1.0), ("clamp", "clamp", 4.0), ("clamp", "hinge", 2.0457), ("clamp", "free", 0.25)],
)
def test_a_column_loses_its_stiffness_at_euler_s_load(coarse_rod, first, last, factor):
    """Frequency² of the axially pressed beam falls to zero at factor π² EI / L²."""
    critical = factor * np.pi**2 * STEEL.E * SQUARE.Iz / LENGTH**2
    squares = []
    for share in (0.97, 1.0):
        model = h.Model()
        rod = model.add(h.FlexibleBody("rod", coarse_rod))
        joint = {"clamp": h.fixed, "hinge": h.revolute}
        model.add(joint[first]("first", rod.node(1), model.ground.at()))
        if last != "free":
            block = model.add(h.RigidBody("block", 1e-3, (1e-3, 1e-3, 1e-3), position=(LENGTH, 0, 0)))
            model.add(h.prismatic("guide", block.at(), model.ground.at((LENGTH, 0, 0)), axis=(1, 0, 0)))
            model.add(joint[last]("last", rod.node(11), block.at()))
        model.add(h.point_force("load", rod.node(11), (-share * critical, 0, 0)))
        found = model.compile().linearise(n=1)
        squares.append(float(np.real(-(found.eigenvalues[0] ** 2))))
    # between 97 % and 100 % the square of the frequency is a straight line that crosses zero at the critical load
    crossing = 0.97 + 0.03 * squares[0] / (squares[0] - squares[1])
    assert crossing == pytest.approx(1.0, abs=0.01)
