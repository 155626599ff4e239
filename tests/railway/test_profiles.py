"""Profiles against the files of the Manchester benchmark, EN 15302 and circles; and what is no profile."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from floatframe.errors import ModelError, ReadError
from floatframe.railway import Profile, circular_rail, conical_wheel, profile, read_profile

FILES = Path(__file__).parents[1] / "reference" / "wheel_rail"
WHEEL_FILE, RAIL_FILE = FILES / "MBench_S1002_v3.prw", FILES / "MBench_UIC60_v3.prr"


def test_s1002_is_the_benchmarks_file():
    """Their points have seven digits; where two zones meet the curvature jumps, which a spline rounds off by 0.1 µm."""
    ours, theirs = profile("S1002", "wheel"), read_profile(WHEEL_FILE)
    apart = np.abs(ours.spline(theirs.y) - theirs.z)
    assert len(apart) > 390
    assert apart.max() < 1e-7
    near_joints = np.abs(theirs.y[:, None] + 1e-3 * np.array([34.95, 38.4, 39.75])).min(axis=1) < 5e-4
    assert apart[~near_joints].max() < 2e-9


def test_uic60_is_the_benchmarks_file_but_for_its_origin():
    """That rail is canted 1:40 already, and differs by up to 0.05 mm from the arcs of the standard."""
    ours, theirs = profile("UIC60", "rail"), read_profile(RAIL_FILE)
    assert_allclose(
        theirs.gauge_point(), 0.7175 - 0.7605326, atol=5e-7
    )  # CONTACT puts it 760.5326 mm beside the middle
    shift = theirs.gauge_point() - ours.gauge_point()
    y = np.linspace(-0.030, 0.022, 200)
    top = ours.z.min() - theirs.z.min()
    assert np.abs(ours.spline(y) - top - theirs.spline(y + shift)).max() < 6e-5


# EN 15302, rail A at y = -32, -31, …, 39 mm: every fourth value [mm]
RAIL_A = [
    *(11.87191, 5.94405, 3.65217, 2.54678, 1.68104, 1.02636, 0.57754, 0.26185, 0.00000, -0.20824, -0.36298, -0.46430),
    *(-0.47367, -0.28833, 0.09867, 0.69031, 1.89744, 4.90386),
]


def test_rail_a_of_the_standard_for_conicity():
    """Its table has five decimals of a mm; its origin is 750 mm beside the middle of a track of 1435.16 mm."""
    rail = profile("EN15302-A", "rail")
    assert_allclose(rail.spline(1e-3 * np.arange(-32.0, 40.0, 4.0)), 1e-3 * np.array(RAIL_A), atol=6e-9)
    assert_allclose(2 * (0.75 + rail.gauge_point()), 1.43516, atol=1e-5)


def test_curvature_of_arcs():
    rail = profile("60E1", "rail", inclination=0.0)
    assert_allclose(rail.curvature(np.array([0.0, 0.018])), [1 / 0.3, 1 / 0.08], rtol=1e-3)
    assert_allclose(circular_rail(0.3).curvature(np.array([-0.01, 0.02])), 1 / 0.3, rtol=1e-4)
    assert_allclose(profile("arc:0.2", "rail").curvature(np.array([0.005])), 5.0, rtol=1e-4)
    assert_allclose(circular_rail(0.3, width=0.07).gauge_point(), -0.035, atol=1e-4)
    assert_allclose(conical_wheel(0.05).spline(0.01, 1), -0.05)
    assert_allclose(profile("cone:0.1", "wheel").spline(0.01), -0.001)


def test_points_may_come_either_way_round(tmp_path):
    """Up or down, from inside or from outside: the flange of a wheel shows it; files of mm, m or inches."""
    wheel = profile("S1002", "wheel")
    points = np.column_stack([wheel.y, wheel.z])[::10]
    for changed in (points[::-1], points * (-1, 1), points * (1, -1), -points):
        found = Profile.from_points("turned", "wheel", changed)
        assert_allclose(found.spline(0.01), wheel.spline(0.01), atol=1e-7)
    for unit, factor in (("mm", 1e3), ("m", 1.0), ("in", 1 / 0.0254)):
        table = tmp_path / f"{unit}.csv"
        table.write_text("y;z\n" + "\n".join(f"{y!r}; {z!r}" for y, z in (points * factor).tolist()))
        assert_allclose(read_profile(table, "wheel", unit=unit).z, points[:, 1])
    miniprof = tmp_path / "worn.whl"
    miniprof.write_text(
        "ProgramName=MiniProf\nColumnDef=X,Y,*\n\n" + "\n".join(f"{1e3 * y} {-1e3 * z} 0.1" for y, z in points)
    )
    assert_allclose(read_profile(miniprof).z, points[:, 1], atol=1e-9)


@pytest.mark.parametrize("apart", [";", "; ", "\t"])
def test_decimal_commas(tmp_path, apart):
    rail = profile("60E1", "rail")
    points = np.round(1e3 * np.column_stack([rail.y, rail.z])[::20], 4)
    rows = [f"{y:.4f}{apart}{z:.4f}" for y, z in points]
    names = [tmp_path / name for name in ("point.csv", "comma.csv")]
    names[0].write_text("\n".join(rows))
    names[1].write_text("\n".join(rows).replace(".", ","))
    expected, found = (profile(name, "rail") for name in names)
    assert_array_equal(found.y, expected.y)
    assert_array_equal(found.z, expected.z)


def test_a_rail_that_leans_too_far():
    with pytest.raises(ModelError, match=r"turns back where it leans by 5; expected an inclination such as 0.025"):
        profile("60E1", "rail", inclination=5.0)


def test_smoothing_removes_measuring_errors():
    """Noise of 10 µm hides the curvature of the rail; the smoothed curve is nearer to the true one."""
    rail = profile("60E1", "rail", inclination=0.0)
    y = np.linspace(-0.03, 0.03, 301)
    noise = 1e-5 * np.random.default_rng(1).standard_normal((301, 2))
    measured = Profile("measured", "rail", y + noise[:, 0] * 0.1, rail.spline(y) + noise[:, 1])
    smooth = measured.smoothed(8e-6)
    inside = np.linspace(-0.02, 0.02, 100)
    rough_error = np.abs(measured.spline(inside) - rail.spline(inside))
    assert np.abs(smooth.spline(inside) - rail.spline(inside)).max() < 0.5 * rough_error.max()
    assert np.abs(smooth.curvature(inside) - rail.curvature(inside)).mean() < 5.0  # 1/m; rough: hundreds
    assert np.abs(measured.curvature(inside) - rail.curvature(inside)).mean() > 100.0


def _loop():
    y = np.linspace(-0.03, 0.03, 61)
    y[30:34] = y[30:34][::-1]
    return np.column_stack([y, y**2])


@pytest.mark.parametrize(
    ("points", "sentence"),
    [
        (_loop(), "crosses itself or turns back at y = "),
        (np.ones((4, 2)), "found 4 points, expected 8 at least"),
        (np.full((20, 2), np.nan), "expected finite points"),
        (np.column_stack([np.linspace(-35, 35, 50), np.linspace(-1, 1, 50) ** 2]), "is 70 m wide, .* units"),
    ],
)
def test_what_is_no_profile(points, sentence):
    with pytest.raises(ModelError, match=sentence):
        Profile.from_points("odd", "rail", points)


def test_files_that_cannot_be_read(tmp_path):
    odd = tmp_path / "odd.prr"
    odd.write_text("point.begin\n1 2\n3 4\n")
    with pytest.raises(ReadError, match=r"has no 'point.end'"):
        read_profile(odd)
    odd.write_text("y, z\n1, 2\n3, four\n")
    with pytest.raises(ReadError, match=r"line 3: found '3, four', expected y and z"):
        read_profile(odd)
    odd.write_text("y, z\n1, 2\n3, nan\n")
    with pytest.raises(ReadError, match=r"line 3: found '3, nan', expected y and z"):
        read_profile(odd)
    odd.write_text("nothing\n")
    with pytest.raises(ReadError, match="no rows of y and z"):
        read_profile(odd)
    with pytest.raises(ReadError, match=r"missing.prr' cannot be read"):
        profile(tmp_path / "missing.prr", "rail")
    with pytest.raises(ReadError, match="a wheel or a rail"):
        read_profile(tmp_path / "table.csv")
    with pytest.raises(ModelError, match=r"S1003.*did you mean S1002"):
        profile("S1003", "wheel")
    with pytest.raises(ModelError, match=r"found 'wide', expected a number behind 'arc:'"):
        profile("arc:wide", "rail")
    with pytest.raises(ModelError, match="expected corners below half the width"):
        circular_rail(0.01)


@pytest.mark.parametrize("step", [0.1, 0.5, 1.0])
def test_the_gauge_is_measured_on_profiles_of_few_points(step):
    """Rail A of EN 15302: at its side an arc of 13 mm, and 14 mm below the top two points that are 3.7 mm apart."""
    drawn = profile("EN15302-A", "rail")
    y = 1e-3 * np.concatenate([[-32.63], np.arange(-32.0, 39.2, step)])
    rail = Profile.from_points("table", "rail", np.column_stack([y, drawn.spline(y)]))
    below_centre = (79.508225 - 80.0) + 14.0 - 15.899044  # of the arc [mm]
    expected = -19.63949 - np.sqrt(13.0**2 - below_centre**2)
    assert 1e3 * rail.gauge_point() == pytest.approx(expected, abs=1e-3)
    # the standard rounds it
    assert 1e3 * drawn.gauge_point() == pytest.approx(expected, abs=5e-3)
    assert 1.43516 / 2 - drawn.gauge_point() == pytest.approx(0.75, abs=1e-12)
