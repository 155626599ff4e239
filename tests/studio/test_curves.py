"""Curves of plots: every peak is kept when points are left out, names are text, what is not finite is a gap."""

from __future__ import annotations

import json

import numpy as np
import pytest

from floatframe.studio.charts import figure
from floatframe.studio.curves import decimated, search, spectrum_of
from floatframe.viewer import Curve


def test_a_long_curve_keeps_the_lowest_and_highest_of_every_pixel():
    x = np.linspace(0.0, 10.0, 1_000_000)
    y = np.sin(x)
    y[123_456], y[987_654] = 7.0, -9.0
    u, v = decimated(x, y, 0.0, 10.0, pixels=500)
    assert len(u) == 1000
    assert (np.diff(u) > 0).all()
    assert (v.max(), v.min()) == (7.0, -9.0)
    # a peak stands within its pixel
    assert abs(u[v.argmax()] - x[123_456]) <= 10.0 / 500


def test_zooming_in_shows_the_points_themselves():
    x = np.linspace(0.0, 10.0, 100_000)
    u, v = decimated(x, x**2, 5.0, 5.01, pixels=500)
    assert u[0] <= 5.0
    assert u[-1] >= 5.01
    assert (v == u**2).all()


def test_names_are_shown_as_text():
    name = '<b onclick="x">k</b>'
    shown = figure([Curve(name, "<i>N</i>", np.arange(3.0), np.arange(3.0))], "time [s]")
    drawn = json.dumps([shown["data"], shown["layout"]["yaxis"]["title"]])
    assert "<" not in drawn
    assert shown["data"][0]["name"] == '&lt;b onclick="x"&gt;k&lt;/b&gt;'


def test_what_is_not_finite_is_a_gap():
    curve = Curve("x", "m", np.arange(3.0), np.zeros(3))
    object.__setattr__(curve, "y", np.array([0.0, np.nan, np.inf]))  # as a run that failed may end
    shown = figure([curve], "time [s]")
    assert shown["data"][0]["y"] == [0.0, None, None]
    json.dumps(shown, allow_nan=False)


def test_a_sine_has_one_line_of_its_amplitude():
    t = np.arange(0.0, 2.0, 1e-3)
    found = spectrum_of(Curve("x", "m", t, 1.0 + 3.0 * np.sin(2 * np.pi * 50.0 * t)))
    k = int(found.y.argmax())
    # 50 Hz falls on a line of the spectrum: 2 s are 100 periods
    assert found.t[k] == pytest.approx(50.0, abs=0.01)
    assert found.y[k] == pytest.approx(3.0, rel=0.01)


def test_search_finds_all_words_in_any_order():
    names = ["crank.angular_velocity.x", "rod.velocity", "A.force.x"]
    assert search(names, "x crank") == (["crank.angular_velocity.x"], 0)
    assert search([f"a{k}" for k in range(100)], "")[1] == 40
