"""A free L-frame that spins fast in its plane, against geometrically exact beams: what holds, and what is warned of.

With Ω the speed and ω the first frequency, steady shapes are right to the order (Ω/ω)² and wrong with (Ω/ω)⁴; the
inertia of vibration changes with the shape, so frequencies are wrong with (Ω/ω)², by what the body itself foretells.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest

import floatframe as ff
from floatframe import hybrid as h
from tests.hybrid.spinning_frame import CORNERS, DENSITY, NU, SIDE, E, SpinningFrame

NODES = (1, 2, 3)  # tip, corner, tip
TIPS = ("frame.node[1].position", "frame.node[3].position")
LOWEST = 130.0  # rad/s, above rigid motions and below all elastic ones


@cache
def body():
    steel = ff.fem.Material(E=E, nu=NU, rho=DENSITY)
    corners = [(*point, 0.0) for point in CORNERS]
    section = ff.fem.BeamSection.rectangle(SIDE, SIDE)
    fe = ff.fem.frame(np.array(corners), [(0, 1), (1, 2)], section, steel, n=20)
    return ff.modal.reduce(fe, interface=list(NODES), n_modes=12)


def spinning(speed):
    """The frame spinning about its centre of mass."""
    model = h.Model()
    centre = body().inertia.com
    velocity = np.cross((0.0, 0.0, speed), -centre)
    start = {"position": -centre, "velocity": velocity, "angular_velocity": (0.0, 0.0, speed)}
    model.add(h.FlexibleBody("frame", body(), **start))
    return model.compile()


@dataclass(frozen=True)
class Steady:
    """A system in steady spin."""

    system: h.System
    state: h.State

    @property
    def roots(self):
        """Angular frequencies [rad/s] of the first two modes in the plane; one out of it lies between them."""
        found = self.system.linearise(self.state).eigenvalues.imag
        return np.sort(found[found > LOWEST])[[0, 2]]

    @property
    def foretold(self):
        """What the body says is missing in them, relative."""
        reduced, first = self.system.model.bodies[0].reduced, int(self.system.tables.flexible["iq"][0])
        return reduced.frequency_shift(self.state.q[first : first + reduced.nmode])[0, [0, 2]]


def steady(system):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return Steady(system, system.steady_motion())


def missing(found, speed):
    """Frequencies of the exact frame over those found, less one; both as parts of those at rest."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        risen = found(speed).roots / found(0.0).roots
    exact = SpinningFrame(speed).frequencies(LOWEST)[:2] / SpinningFrame(1e-3).frequencies(LOWEST)[:2]
    return exact / risen - 1.0


def divided(speed):
    """The same frame as two straight beams fixed to each other at the corner."""
    steel = ff.fem.Material(E=E, nu=NU, rho=DENSITY)
    section = ff.fem.BeamSection.rectangle(SIDE, SIDE)
    model, arms = h.Model(), []
    centre = np.array([*body().inertia.com[:2], 0.0])
    for k, (first, last) in enumerate(((CORNERS[0], CORNERS[1]), (CORNERS[1], CORNERS[2]))):
        fe = ff.fem.beam_line((*first, 0), (*last, 0), n=20, section=section, material=steel)
        arm = ff.modal.reduce(fe, interface=[1, 21], n_modes=6)
        velocity = np.cross((0.0, 0.0, speed), -centre)
        start = {"position": -centre, "velocity": velocity, "angular_velocity": (0.0, 0.0, speed)}
        arms.append(model.add(h.FlexibleBody(f"arm{k}", arm, **start)))
    model.add(h.fixed("corner", arms[1].node(1), arms[0].node(21)))
    return model.compile()


def distance_of_tips(speed):
    system = spinning(speed)
    state = steady(system).state
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run = system.simulate(state, t_end=1e-6, step=1e-6, record=h.Record(channels=TIPS))
    return float(np.linalg.norm(run[TIPS[0]][0] - run[TIPS[1]][0]))


def test_steady_shapes_are_right_to_second_order():
    rest = SpinningFrame(1e-3).tips
    error = {}
    for speed in (40.0, 80.0):
        error[speed] = (distance_of_tips(speed) - rest) / (SpinningFrame(speed).tips - rest) - 1.0
    # 31 and 112 mm; measured 1.52e-3 and 2.16e-2
    assert error[40.0] == pytest.approx(1.5e-3, rel=0.1)
    # what is missing is of the order (speed / frequency)^4: 14 times more at twice the speed, with the next order in it
    assert 12.0 < error[80.0] / error[40.0] < 16.5


@pytest.mark.parametrize(("speed", "within"), [(10.0, 0.03), (20.0, 0.06), (40.0, 0.2)])
def test_missing_parts_of_frequencies_are_foretold(speed, within):
    """The rest is of the next order; parts are those of the missing one: 7e-4, 2.8e-3, 1.2e-2 of the first mode."""
    foretold = steady(spinning(speed)).foretold
    np.testing.assert_allclose(missing(lambda s: steady(spinning(s)), speed), foretold, rtol=within, atol=1e-5)


def test_straight_parts_know_the_frame():
    """Cut at its corner the frame is right to 0.14 and 0.02 % where one body is wrong by 5.9 and 0.9 %."""
    whole, parts = (missing(lambda s, made=made: steady(made(s)), 80.0) for made in (spinning, divided))
    assert whole == pytest.approx([0.059, 0.0086], rel=0.05)
    assert np.abs(parts).max() < 2e-3


def test_linear_analysis_and_steady_motion_warn():
    system = spinning(80.0)
    message = r"body 'frame' is deformed so far .* its mode 1 is faster by \+4\.1 % than computed.*Divide it"
    with pytest.warns(UserWarning, match=message):
        state = system.steady_motion()
    with pytest.warns(UserWarning, match=message):
        system.linearise(state)


def test_runs_warn():
    """From rest the frame swings to twice its steady shape."""
    with pytest.warns(UserWarning, match="body 'frame' is deformed so far"):
        run = spinning(60.0).simulate(t_end=0.02, step=5e-4)
    assert "single reduced body" in run.status.message


@pytest.mark.filterwarnings("error")
def test_no_warning_where_it_is_right():
    """Below 2 % of a frequency, and of straight parts at any speed."""
    slow = spinning(40.0)
    slow.linearise(slow.steady_motion())
    spinning(30.0).simulate(t_end=0.02, step=5e-4)
    fast = divided(80.0)
    fast.linearise(fast.steady_motion())


def test_files_keep_the_terms(tmp_path):
    ff.io.write(tmp_path / "frame.h5", body())
    again = ff.io.read(tmp_path / "frame.h5").geometric
    for name in ("vibration", "softest"):
        np.testing.assert_array_equal(getattr(again, name), getattr(body().geometric, name))


def bare(speed):
    """The frame as free modes without an interface, which has no geometric terms."""
    steel = ff.fem.Material(E=E, nu=NU, rho=DENSITY)
    section = ff.fem.BeamSection.rectangle(SIDE, SIDE)
    fe = ff.fem.frame(np.array([(*point, 0.0) for point in CORNERS]), [(0, 1), (1, 2)], section, steel, n=20)
    modes = ff.modal.reduce(fe, method="eigenmodes", n_modes=18)
    model = h.Model()
    model.add(h.FlexibleBody("frame", modes, angular_velocity=(0.0, 0.0, speed)))
    return model.compile()


def test_a_frame_without_terms_warns_of_its_speed():
    """Without stiffening the spread of the tips is 8 % too large at 40 rad/s, 22 % of the first frequency."""
    with pytest.warns(
        UserWarning, match=r"has no geometric terms: it turned with 4\d(\.\d+)? rad/s .* 2[23] % of its first"
    ):
        bare(42.0).simulate(t_end=0.01, step=5e-4)


@pytest.mark.filterwarnings("error")
def test_a_slow_frame_without_terms_does_not_warn():
    bare(20.0).simulate(t_end=0.01, step=5e-4)
