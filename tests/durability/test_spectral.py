"""Damage of random stresses: FLife's numbers, the narrow band, and histories made from the density."""

from __future__ import annotations

import numpy as np
import pytest

from floatframe.durability import (
    SNCurve,
    dirlik,
    eurocode,
    miner,
    narrow_band,
    own_curve,
    rainflow,
    spectral_moments,
    tovo_benasciutti,
)
from floatframe.errors import ModelError

FREQUENCY = np.arange(0.0, 200.0, 0.25)
DENSITY = 1e12 * (np.exp(-(((FREQUENCY - 20.0) / 4.0) ** 2)) + 0.3 * np.exp(-(((FREQUENCY - 90.0) / 6.0) ** 2)))
# seconds to failure by FLife 2.3 (Slavič and others) of this density, with N = 1e6 (S / 100 MPa)^-k
FLIFE = {
    (dirlik, 3.0): 211944841.73177972,
    (dirlik, 5.0): 43985596127.57988,
    (dirlik, 8.0): 66184982576683.914,
    (tovo_benasciutti, 3.0): 204456330.184901,
    (tovo_benasciutti, 5.0): 45660384936.34616,
    (tovo_benasciutti, 8.0): 72844584243873.69,
    (narrow_band, 3.0): 152467251.42351785,
    (narrow_band, 5.0): 29662218994.949203,
    (narrow_band, 8.0): 44057435622183.06,
}


@pytest.mark.parametrize(("method", "slope"), FLIFE)
def test_lives_are_those_of_flife(method, slope):
    curve = own_curve(100e6, 1e6, slope)
    assert 1.0 / method(FREQUENCY, DENSITY, curve) == pytest.approx(FLIFE[method, slope], rel=1e-9)


def test_a_narrow_band_is_rayleigh_and_a_multiple_of_the_time():
    density = 1e14 * np.exp(-(((FREQUENCY - 50.0) / 0.6) ** 2))
    curve = own_curve(100e6, 1e6, 4.0)
    m0 = spectral_moments(FREQUENCY, density).m0
    # mean of S^4 for a Rayleigh amplitude is 8 m0^2, 50 cycles a second
    hand = 60.0 * 50.0 * 8.0 * m0**2 / (1e6 * 100e6**4)
    assert narrow_band(FREQUENCY, density, curve, 60.0) == pytest.approx(hand, rel=1e-3)  # width of the band
    assert tovo_benasciutti(FREQUENCY, density, curve, 60.0) == pytest.approx(hand, rel=0.02)


def test_rainflow_of_histories_with_the_density_gives_the_damage():
    random, rate, n = np.random.default_rng(3), 1000.0, 1 << 18
    f = np.fft.rfftfreq(n, 1.0 / rate)
    amplitude = np.sqrt(np.interp(f, FREQUENCY, DENSITY, right=0.0) * rate * n / 2.0)
    history = np.fft.irfft(amplitude * np.exp(2j * np.pi * random.random(len(f))), n)
    curve = own_curve(100e6, 1e6, 4.0, second_slope=4.0)  # no limit of endurance
    counted = miner(rainflow(history), curve)
    seconds = n / rate
    # the scatter of 260 s of it and the error of the methods are a few percent
    law = own_curve(100e6, 1e6, 4.0)
    assert dirlik(FREQUENCY, DENSITY, law, seconds) == pytest.approx(counted, rel=0.1)
    assert tovo_benasciutti(FREQUENCY, DENSITY, law, seconds) == pytest.approx(counted, rel=0.1)


@pytest.mark.parametrize("method", [dirlik, tovo_benasciutti])
def test_a_curve_of_several_slopes_is_followed(method):
    # two equal slopes without a limit within reach are one power law
    one = own_curve(100e6, 1e6, 4.0)
    two = SNCurve("two", (100e6, 1.0), (1e6, 1e6 * 1e8**4), (4.0, 4.0))
    assert method(FREQUENCY, DENSITY, two) == pytest.approx(method(FREQUENCY, DENSITY, one), rel=1e-9)
    # of a narrow band the amplitudes are known: Rayleigh's density over the curve, summed finely
    density = 1e14 * np.exp(-(((FREQUENCY - 50.0) / 0.6) ** 2))
    m = spectral_moments(FREQUENCY, density)
    curve = eurocode(71)
    S = np.linspace(0.0, 12.0 * np.sqrt(m.m0), 400_001)[1:]
    rayleigh = S / m.m0 * np.exp(-(S**2) / (2.0 * m.m0))
    per_cycle = np.trapezoid(rayleigh / SNCurve("open", curve.knees, curve.cycles, curve.slopes).life(S), S)
    assert narrow_band(FREQUENCY, density, curve) == pytest.approx(m.crossing_rate * per_cycle, rel=1e-5)


def test_what_spectral_methods_do_not_take_is_refused():
    with pytest.raises(ModelError, match="the density is zero"):
        dirlik(FREQUENCY, 0.0 * DENSITY, own_curve(1e8, 1e6, 5.0))
    with pytest.raises(ModelError, match="frequencies must rise"):
        dirlik(FREQUENCY[::-1], DENSITY, own_curve(1e8, 1e6, 5.0))
