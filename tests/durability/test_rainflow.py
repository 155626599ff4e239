"""Rainflow counting, mean stress, S–N curves and Miner's rule: published examples and sums by hand."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from floatframe import durability
from floatframe.durability import MeanStress, eurocode, fkm, miner, own_curve, rainflow, turning_points
from floatframe.errors import ModelError

E1049 = [-2.0, 1.0, -3.0, 5.0, -1.0, 3.0, -4.0, 4.0, -2.0]  # figure 6 of the standard


def test_the_example_of_e1049_is_counted_exactly():
    cycles = rainflow(E1049)
    found: Counter[float] = Counter()
    for size, count in zip(cycles.range, cycles.count, strict=True):
        found[float(size)] += float(count)
    assert found == {3.0: 0.5, 4.0: 1.5, 6.0: 0.5, 8.0: 1.0, 9.0: 0.5}
    whole = np.flatnonzero(cycles.count == 1.0)
    assert [(cycles.low[k], cycles.high[k]) for k in whole] == [(-1.0, 3.0)]  # E-F of the figure


def plain_rainflow(points: list[float]) -> list[tuple[float, float, float]]:
    """The steps of section 5.4.4 of the standard as they are written there."""
    found, left = [], []
    for point in points:
        left.append(point)
        while len(left) >= 3 and abs(left[-1] - left[-2]) >= abs(left[-2] - left[-3]):
            if len(left) == 3:
                found.append((0.5, *sorted(left[:2])))
                left.pop(0)
            else:
                found.append((1.0, *sorted(left[-3:-1])))
                del left[-3:-1]
    return found + [(0.5, *sorted(pair)) for pair in pairwise(left)]


@pytest.mark.parametrize("seed", range(5))
def test_counts_of_random_histories_are_those_of_the_plain_rule(seed):
    random = np.random.default_rng(seed)
    history = np.round(random.normal(size=400).cumsum() if seed % 2 else random.normal(size=400), 1)  # with plateaus
    points, places = turning_points(history)
    assert np.array_equal(history[places], points)
    assert (np.diff(points)[1:] * np.diff(points)[:-1] < 0.0).all()
    expected = plain_rainflow(points.tolist())
    cycles = rainflow(history)
    assert sorted(zip(cycles.count, cycles.low, cycles.high, strict=True)) == sorted(expected)
    # the damage kernel closes many cycles at once
    curve = own_curve(1.0, 1e6, 4.0, 6.0)
    for rule in (MeanStress(), MeanStress("goodman", 50.0), MeanStress("swt"), MeanStress("fkm", 0.3)):
        damage, _ = durability.history_damages(np.ones((1, 1)), history[:, None], curve, rule)
        assert damage[0] == pytest.approx(miner(cycles, curve, rule), rel=1e-12)


@pytest.mark.parametrize("samples", [1, 2, 3, 1023, 1024, 1025, 5000])
def test_damage_of_products_is_that_of_each_history(samples):
    """Several rows over more than one piece of time, with equal ranges and level stretches."""
    random = np.random.default_rng(samples)
    drive = np.round(np.cumsum(random.normal(size=(samples, 3)), axis=0) + 3.0 * random.normal(size=(samples, 3)))
    rows = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, -1.0, 2.0], [0.0, 0.0, 0.0]])
    curve, rule = own_curve(10.0, 1e6, 3.0, 5.0), MeanStress("goodman", 1000.0)
    damage, largest = durability.history_damages(rows, drive, curve, rule)
    for k, row in enumerate(rows):
        found = plain_rainflow(turning_points(drive @ row)[0].tolist())
        amplitudes = [rule.amplitude([low], [high])[0] for _, low, high in found]
        expected = sum(each[0] / curve.life(a) for each, a in zip(found, amplitudes, strict=True))
        assert damage[k] == pytest.approx(expected, rel=1e-12)
        assert largest[k] == max(amplitudes, default=0.0)


def test_a_level_stretch_beyond_the_strength_is_no_cycle():
    """A rise that rests above the tensile strength: the mean of its one half cycle lies below."""
    history = np.array([0.0, 1.2, 1.2, 1.2, 1.4, 0.0])[:, None]
    _, largest = durability.history_damages(
        np.ones((1, 1)), history, own_curve(1.0, 1e6, 3.0), MeanStress("goodman", 1.0)
    )
    assert largest[0] == pytest.approx(0.7 / (1.0 - 0.7))


def test_constant_and_short_histories_have_no_cycles():
    assert len(rainflow([3.0, 3.0, 3.0])) == 0
    assert len(rainflow([1.0])) == len(rainflow([])) == 0
    with pytest.raises(ModelError, match="finite numbers"):
        rainflow([1.0, np.nan])


def test_mean_stress_by_hand():
    # amplitude 100, mean 50, strength 400: 100 / (1 - 1/8), 100 / (1 - 1/64), sqrt(100 · 150), 100 + 0.3 · 50
    low, high = np.array([-50.0]), np.array([150.0])
    hand = {
        ("goodman", 400.0): 800 / 7,
        ("gerber", 400.0): 6400 / 63,
        ("swt", 0.0): np.sqrt(15000),
        ("fkm", 0.3): 115.0,
    }
    for (rule, number), expected in hand.items():
        assert MeanStress(rule, number).amplitude(low, high)[0] == pytest.approx(expected, rel=1e-14)
    # pressing: no help by Goodman, none at all is left by Smith, Watson and Topper, the FKM line ends at R > 1
    for (rule, number), expected in {("goodman", 400.0): 50.0, ("swt", 0.0): 0.0, ("fkm", 0.3): 35.0}.items():
        assert MeanStress(rule, number).amplitude(-high, low)[0] == pytest.approx(expected, rel=1e-14)
    # the FKM lines meet at R = 0 and R = 0.5
    for ratio in (0.0, 0.5):
        highs = np.array([1.0, 1.0])
        a, b = MeanStress("fkm", 0.3).amplitude(np.array([ratio - 1e-9, ratio + 1e-9]), highs)
        assert a == pytest.approx(b, rel=1e-8)


def test_miner_with_goodman_by_hand():
    # 10 cycles 0 … 200 MPa (amplitude 100, mean 100, R_m 500: 125 MPa) and a half cycle to -200 and back
    curve = own_curve(100e6, 1e6, 5.0)
    history = np.r_[np.tile([0.0, 200e6], 10), 0.0]
    damage = miner(rainflow(history), curve, MeanStress("goodman", 500e6))
    assert damage == pytest.approx(10 * 1.25**5 / 1e6, rel=1e-12)
    assert miner(rainflow(0.4 * history), curve) == 0.0  # below the knee


def test_curves_of_eurocode_and_fkm():
    curve = eurocode(71)
    assert curve.life(np.array([71e6 / 2.0]))[0] == pytest.approx(2e6, rel=1e-12)
    assert curve.knees[0] == pytest.approx(0.737 * 71e6 / 2, rel=1e-3)  # as the standard prints it
    assert curve.knees[1] == pytest.approx(0.549 * 0.737 * 71e6 / 2, rel=2e-3)
    assert curve.life(np.array([0.99 * curve.knees[1]]))[0] == np.inf
    assert curve.life(np.array([curve.knees[1]]))[0] == pytest.approx(1e8, rel=1e-12)
    shear = eurocode(100, shear=True)
    assert shear.knees[0] == pytest.approx(0.457 * 100e6 / 2, rel=1e-3)
    # γ_Mf divides all stresses
    assert durability.read_curve("eurocode:71:1.35").knees[0] == pytest.approx(curve.knees[0] / 1.35)
    assert durability.read_curve("eurocode:100:shear:1.15").knees[0] == pytest.approx(shear.knees[0] / 1.15)
    steel = fkm(500e6, design=2.0)
    assert (steel.knees, steel.sensitivity) == ((112.5e6,), pytest.approx(0.075))
    assert steel.life(np.array([225e6]))[0] == pytest.approx(1e6 / 32, rel=1e-12)
    twisted = durability.read_curve("fkm:steel:500e6:shear:2")
    assert (twisted.knees[0], twisted.slopes, twisted.sensitivity) == (pytest.approx(0.577 * 112.5e6), (8.0,), None)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("eurocode:72", "detail category 72 does not exist"),
        ("fkm:stel:500e6", "did you mean steel"),
        ("wood:3", "is unknown; write eurocode:71"),
        ("own:1e8:1e6:-3", "must be positive"),
        ("eurocode:71:0", "the safety factor is 0; it must be positive"),
        ("eurocode:71:1.35:2", "is unknown; write eurocode:71"),
        ("fkm:steel", "is unknown; write eurocode:71"),
    ],
)
def test_wrong_curves_are_refused(text, words):
    with pytest.raises(ModelError, match=words):
        durability.read_curve(text)


def test_stress_beyond_the_curve_is_refused():
    curve = eurocode(71)
    with pytest.raises(ModelError, match=r"amplitude of 500 MPa is out of its range, which ends at 207\.6 MPa"):
        miner(rainflow([0.0, 1e9]), curve)
    with pytest.raises(ModelError, match="mean stress reaches the tensile strength R_m of the mean-stress correction"):
        miner(rainflow([10.0, 60.0, 10.0]), curve, MeanStress("goodman", 30.0))
