"""Random response against closed forms and against histories."""

from __future__ import annotations

import numpy as np
import pytest

from floatframe import hybrid as h
from floatframe.errors import ModelError

MASS, STIFFNESS, DAMPING = 2.0, 800.0, 4.0


def two_wheels() -> h.System:
    """A beam on two springs and dampers that stand on a road each: bounce and pitch."""
    model = h.Model()
    beam = model.add(h.RigidBody("beam", mass=MASS, inertia=(1, 0.4, 1)))
    model.add(h.general("plane", beam.at(), model.ground.at(), [h.translate((0, 0, 1)), h.rotate((0, 1, 0))]))
    for name, x in (("front", 1.0), ("rear", -0.6)):
        model.add(h.Signal(name, "0", unit="m"))
        model.add(h.Signal(f"{name}_rate", "0", unit="m/s"))
        height, speed = f"(beam.position.z - {x}*plane.angle)", f"(beam.velocity.z - {x}*plane.rate[2])"
        law = f"{STIFFNESS}*({name} - {height}) + {DAMPING}*({name}_rate - {speed})"
        model.add(h.point_force(f"{name}_spring", beam.at((x, 0, 0)), (0, 0, law)))
    return model.compile()


def oscillator(damping: float = DAMPING) -> h.System:
    model = h.Model()
    mass = model.add(h.RigidBody("mass", mass=MASS, inertia=(1, 1, 1)))
    model.add(h.prismatic("guide", mass.at(), model.ground.at(), axis=(0, 0, 1)))
    model.add(h.joint_force("law", "guide", f"-{STIFFNESS}*displacement - {damping!r}*rate"))
    return model.compile()


@pytest.mark.parametrize("spacing", ["log", "linear"])
@pytest.mark.parametrize("ratio", [0.02, 1e-3, 1e-5])
def test_mean_squares_of_narrow_resonances_need_no_finer_band(ratio: float, spacing: str) -> None:
    damping = 2.0 * ratio * float(np.sqrt(STIFFNESS * MASS))
    found = h.frequency_response(
        oscillator(damping), "law", "mass.position.z", (0.01, 100.0), points=100, spacing=spacing
    )
    rms = h.random_response(found, h.input_densities(found, {"law": 3.0})).rms()[0]
    # of mean squares, FINE²/6 = 2.6e-3 by the trapezoidal rule
    assert rms == pytest.approx(np.sqrt(3.0 / (4 * damping * STIFFNESS)), rel=1.5e-3)


def test_infinite_mean_squares_are_said() -> None:
    system = oscillator(0.0)
    found = h.frequency_response(system, "law", "mass.position.z", (0.1, 10.0))
    with pytest.warns(UserWarning, match=r"nothing damps the motion at 3\.183 Hz, .* 'mass.position.z' are infinite"):
        h.random_response(found, h.input_densities(found, {"law": 3.0}))


def test_what_does_not_act_or_move_is_said() -> None:
    """A density that ends below the band is refused; an output across the motion is at rest and crosses nothing."""
    found = h.frequency_response(oscillator(), "law", "mass.position.x", (1.0, 10.0))
    with pytest.raises(ModelError, match=r"'law' covers 0 … 0\.1 Hz, the band is 1 … 10 Hz"):
        h.input_densities(found, {"law": (np.array([0.0, 0.1]), np.ones(2))})
    still = h.random_response(found, h.input_densities(found, {"law": 3.0}))
    assert (still.rms()[0], still.upcrossings()[0], still.extreme(600.0)[0]) == (0.0, 0.0, 0.0)


def test_white_noise_gives_the_closed_forms_of_one_mass() -> None:
    """For a one-sided density G of the force, σ² = G / (4 c k) and σ_v² = G / (4 c m)."""
    found = h.frequency_response(oscillator(), "law", ["mass.position.z", "mass.velocity.z"], (1e-3, 1e4), points=4000)
    response = h.random_response(found, h.input_densities(found, {"law": 3.0}))
    expected = np.sqrt([3.0 / (4 * DAMPING * STIFFNESS), 3.0 / (4 * DAMPING * MASS)])
    # of the speed, the density falls by f² only and 1e-3 of it lie outside the band
    np.testing.assert_allclose(response.rms(), expected, rtol=2e-3)
    # upcrossings of the mean happen with the natural frequency: σ_v / (2π σ)
    assert response.upcrossings()[0] == pytest.approx(np.sqrt(STIFFNESS / MASS) / (2 * np.pi), rel=2e-3)
    assert abs(response.correlation("mass.position.z", "mass.velocity.z")) < 1e-3  # a motion and its rate
    # part of the band by part of the integral
    low, high = response.rms(high=3.0)[0], response.rms(low=3.0)[0]
    assert np.hypot(low, high) == pytest.approx(response.rms()[0], rel=1e-9)


def test_coherent_and_delayed_inputs_interfere() -> None:
    """Of two forces in one place, coherent ones add up, delayed ones cancel at f = 1/(2 τ)."""
    model = h.Model()
    mass = model.add(h.RigidBody("mass", mass=MASS, inertia=(1, 1, 1)))
    model.add(h.prismatic("guide", mass.at(), model.ground.at(), axis=(0, 0, 1)))
    model.add(h.joint_force("one", "guide", f"-{STIFFNESS}*displacement - {DAMPING}*rate"))
    model.add(h.joint_force("two", "guide", "0"))
    frequency = np.array([1.0, 2.0, 4.0, 5.0])
    found = h.frequency_response(model.compile(), ["one", "two"], "mass.position.z", frequency=frequency)
    alone = h.random_response(found, h.input_densities(found, {"one": 2.0})).of("mass.position.z")
    both = {"one": 2.0, "two": 2.0}
    for coherence, factor in ((0.0, 2.0), (1.0, 4.0), (0.25, 3.0)):  # 2 + 2 √coherence
        S = h.input_densities(found, both, {("one", "two"): coherence})
        np.testing.assert_allclose(h.random_response(found, S).of("mass.position.z"), factor * alone, rtol=1e-10)
    S = h.input_densities(found, both, {("one", "two"): 1.0}, {"two": 0.125})
    factor = 2 + 2 * np.cos(2 * np.pi * frequency * 0.125)
    late = h.random_response(found, S).of("mass.position.z")
    np.testing.assert_allclose(late, factor * alone, rtol=1e-9, atol=1e-12 * alone.max())


def test_random_response_equals_histories_of_the_run() -> None:
    """Road under the front wheel, the same road later under the rear: densities against a Monte Carlo of the model.

    The state space is driven by Gaussian histories of that density, 24 independent ones of 20 s; how far the mean of
    their mean squares may be off is measured from the histories themselves.
    """
    system = two_wheels()
    inputs, outputs = ["front", "front_rate", "rear", "rear_rate"], ["beam.position.z", "plane.angle"]
    step, count, delay = 0.0025, 8192, 0.08
    f = np.fft.rfftfreq(count, step)[1:]
    found = h.frequency_response(system, inputs, outputs, frequency=f)
    road = 1e-4 / (1 + (f / 1.5) ** 2) * (f < 20.0)
    # the rate of the road is no input of its own: all four inputs are one process, seen through i ω and the delay
    s = 2j * np.pi * f
    seen = np.stack((np.ones_like(s), s, np.exp(-s * delay), s * np.exp(-s * delay)), axis=1)
    S = seen[:, :, None] * road[:, None, None] * seen.conj()[:, None, :]
    expected = h.random_response(found, S).rms()
    plant = h.state_space_of(system, inputs, outputs)
    rng = np.random.default_rng(7)
    t, squares = step * np.arange(2 * count), []
    for _ in range(24):
        gaussian = (rng.standard_normal(len(f)) + 1j * rng.standard_normal(len(f))) / np.sqrt(2)
        size = np.sqrt(road / (2 * count * step)) * count * gaussian
        harmonics = np.concatenate((np.zeros((1, 4)), size[:, None] * seen))
        history = np.fft.irfft(harmonics, n=count, axis=0)
        y = plant.simulate(t, np.vstack((history, history)))[count:]  # after one period the start is forgotten
        squares.append((y**2).mean(axis=0))
    mean, spread = np.mean(squares, axis=0), np.std(squares, axis=0) / np.sqrt(len(squares))
    assert (spread < 0.1 * mean).all()
    # straight lines between samples take (ωh)²/6 of the power, 3e-3 at the 8 Hz of pitching
    assert (np.abs(mean - expected**2) <= 3 * spread + 4e-3 * expected**2).all()


def test_impossible_densities_are_refused() -> None:
    found = h.frequency_response(two_wheels(), ["front", "rear"], "beam.position.z", frequency=np.array([1.0, 2.0]))
    with pytest.raises(ModelError, match="between 0 and 1"):
        h.input_densities(found, {"front": 1.0, "rear": 1.0}, {("front", "rear"): 1.2})
    with pytest.raises(ModelError, match="did you mean front"):
        h.input_densities(found, {"frond": 1.0})
    with pytest.raises(ModelError, match="negative"):
        h.random_response(found, np.full((2, 2), -1.0))
    with pytest.raises(ModelError, match="rising frequencies"):
        h.input_densities(found, {"front": ([2.0, 1.0], [1.0, 1.0])})
    with pytest.raises(ModelError, match=r"expected \(2, 2\) or \(2, 2, 2\)"):
        h.random_response(found, np.zeros((3, 2)))


def test_ratios_of_outputs_have_no_densities() -> None:
    outputs = ["beam.position.z", "beam.acceleration.z"]
    found = h.frequency_response(two_wheels(), ["front", "rear"], outputs, frequency=np.array([1.0, 2.0]))
    with pytest.raises(ModelError, match=r"found ratios to 'beam.position.z'.*before relative_to"):
        h.random_response(found.relative_to("beam.position.z"), np.ones((2, 2)))


def test_table_is_a_line_in_logarithms_and_zero_outside() -> None:
    frequency = np.array([0.5, 1.0, 10.0, 100.0, 200.0])
    found = h.frequency_response(oscillator(), "law", "mass.position.z", frequency=frequency)
    S = h.input_densities(found, {"law": ([1.0, 100.0], [1.0, 1e-4])})
    np.testing.assert_allclose(S[:, 0, 0].real, [0.0, 1.0, 1e-2, 1e-4, 0.0], rtol=1e-12)
