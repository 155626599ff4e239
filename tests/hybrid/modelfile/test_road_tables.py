"""Tables that are roads of ISO 8608 or displacements of recorded accelerations."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from floatframe import hybrid as h, signals
from floatframe.errors import ModelError
from floatframe.expressions import Table
from tests.hybrid.driven_wheel import WHEEL

HEAD = 'format = "floatframe-model/1"\n[parameters]\nspeed = 20.0\n'


def model(folder: Path, table: str, variable: str = "t") -> h.Model:
    path = folder / "model.toml"
    path.write_text(HEAD + table + WHEEL.replace("VALUE", f"table(history, {variable})"), encoding="utf-8")
    return h.read_model(path).model


def test_a_road_is_driven_over(tmp_path):
    table = '[tables]\nhistory = { road = "C", length = 60, step = 0.1, seed = 4 }\n'
    made = model(tmp_path, table, "speed*t")
    run = made.compile().simulate("start", t_end=1.0, record=h.Record(every=0.005, channels=["wheel.position"]))
    s, z = signals.road_profile("C", 60.0, 0.1, seed=4)
    np.testing.assert_allclose(run["wheel.position"][:, 2], np.interp(20.0 * run.t, s, z), rtol=0, atol=1e-9)
    again = tmp_path / "again.toml"
    h.write_model(again, made)
    np.testing.assert_array_equal(h.read_model(again).model.tables["history"].y, np.append(z, z[0]))


def test_a_road_begins_again_after_its_length(tmp_path):
    """Three and a half times round, from 4 m before its start: heights repeat, and so do speed and acceleration."""
    table = '[tables]\nhistory = { road = "C", length = 60 }\n'
    channels = ["wheel.position.z", "wheel.velocity.z", "wheel.acceleration.z"]
    system = model(tmp_path, table, "speed*t - 4").compile()
    run = system.simulate("start", t_end=10.5, step=5e-3, record=h.Record(every=0.1, channels=channels))
    s, z = signals.road_profile("C", 60.0)
    place = (20.0 * run.t - 4.0) % 60.0
    np.testing.assert_allclose(run["wheel.position.z"], np.interp(place, s, z), rtol=0, atol=1e-6)  # records at knots
    assert z.std() > 1e-3
    for name in channels:
        lap = run[name][30:60]  # 60 m at 20 m/s
        np.testing.assert_allclose(run[name][60:90], lap, rtol=0, atol=1e-6 * np.abs(lap).max())


@pytest.mark.parametrize("kind", ["linear", "cubic", "spline"])
def test_a_periodic_table_gives_the_same_one_period_on(kind):
    table = Table([1.0, 1.5, 2.5, 3.0], [0.0, 2.0, -1.0, 0.0], kind=kind, periodic=True)
    for order in (0, 1, 2):
        values = [[table.value(x + 2.0 * k, order) for x in (1.0, 1.25, 2.0, 2.75)] for k in (-2, 0, 3)]
        assert values[0] == values[1] == values[2]


def test_a_record_of_accelerations_becomes_its_displacement(tmp_path):
    t = np.linspace(0.0, 2.0, 401)
    sine, cosine = np.sin(np.pi * t / 2), np.cos(np.pi * t / 2)
    a = (np.pi / 2) ** 2 * (12 * sine**2 * cosine**2 - 4 * sine**4)  # of sin(πt/2)^4, at rest at both ends
    np.savetxt(tmp_path / "quake.csv", np.column_stack((t, a + 0.02)), delimiter=",", header="t,a", comments="")
    # 0.02 m/s2 over 2 s: 0.04 m
    with pytest.warns(UserWarning, match=r"'history': 0.02 m/s2 was taken off .* by up to 0.04 m"):
        made = model(tmp_path, '[tables.history]\nfile = "quake.csv"\nintegrate = true\n')
    run = made.compile().simulate("start", t_end=2.0, record=h.Record(every=0.005, channels=["wheel.acceleration"]))
    # the mean that the record should not have is gone; steps of 5 ms are off by (ωh)²/12 of 10 m/s2 and less
    np.testing.assert_allclose(run["wheel.acceleration"][5:-5, 2], a[5:-5], atol=1e-3)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ('{ road = "C" }', "history has road; expected file, or x and y, or road and length"),
        ('{ road = "C", length = 50, x = [0, 1], y = [0, 1] }', "expected file, or x and y, or road and length"),
        (
            '{ road = "C", length = 50, integrate = true }',
            "road, length, integrate; expected file, or x and y, or road",
        ),
        (
            '{ road = "C", length = 50, seed = -1 }',
            "the seed of the random phases is -1, expected a whole number from 0",
        ),
        ('{ road = "C", length = 50, extrapolate = true }', "is periodic and also goes on beyond its ends"),
        ("{ x = [0, 1], y = [0, 1], periodic = true }", "is periodic and begins with 0 and ends with 1"),
        ('{ road = "Z", length = 50 }', "use A to H"),
        ('{ x = [0, 1], y = [0, 1], drift = "none" }', "expected integrate = true beside it"),
        ("{ x = [0, 1, 3, 4], y = [0, 1, 0, 1], integrate = true }", "steps of a signal must be equal"),
    ],
)
def test_wrong_tables_are_refused(tmp_path, table, words):
    with pytest.raises(ModelError, match=words):
        model(tmp_path, f"[tables]\nhistory = {table}\n")
