"""Numbers at colour bars: round, in a readable unit, never over each other."""

from __future__ import annotations

from itertools import pairwise

import pytest

from floatframe.viewer.scales import number, scale_of


@pytest.mark.parametrize(
    ("legend", "top", "name", "words"),
    [
        ("displacement [m]", 1.61e-4, "displacement [mm]", ["0", "0.05", "0.1", "0.161"]),
        ("displacement [m]", 3.2e-6, "displacement [µm]", ["0", "1", "2", "3.2"]),
        ("displacement [m]", 2.0, "displacement [m]", ["0", "0.5", "1", "1.5", "2"]),
        ("von Mises stress [Pa]", 2.345e8, "von Mises stress [MPa]", ["0", "50", "100", "150", "234"]),
        ("relative displacement [-]", 1.0, "relative displacement", ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
        ("von Mises stress [Pa]", 4.65e8, "von Mises stress [MPa]", ["0", "100", "200", "300", "465"]),
        ("temperature [K]", 293.0, "temperature [K]", ["0", "50", "100", "150", "200", "250", "293"]),
        ("displacement [m]", 0.0, "displacement [µm]", ["0"]),
    ],
)
def test_numbers_at_a_bar_are_round_but_the_largest(legend, top, name, words):
    scale = scale_of(legend, top)
    assert scale.name == name
    assert [text for _, text in scale.ticks] == words


@pytest.mark.parametrize("parts", [2, 4])
def test_numbers_at_a_bar_have_room(parts):
    for k in range(1000):
        top = 10.0 ** (-8 + 0.016 * k)
        shares = [share for share, _ in scale_of("x [-]", top, parts).ticks]
        assert 3 <= len(shares) <= parts + 3
        assert shares[0] == 0.0
        assert shares[-1] == 1.0
        # three digits take 22 pixels of a bar, which has 165 or more where curves stand beside a scene of 1280
        assert min(b - a for a, b in pairwise(shares)) > 22 / 165


def test_numbers_are_said_with_their_unit():
    scale = scale_of("von Mises stress [Pa]", 2e8)
    assert scale.text(1.234e8) == "123 MPa"
    assert [number(x) for x in (999.7, 999.4, 999.7e3)] == ["1000", "999", "1e+06"]  # of three digits: 999 or 1000
    assert [number(x) for x in (1234.0, 0.012345, 1.2e-5, 2e6)] == ["1234", "0.0123", "1.2e-05", "2e+06"]
