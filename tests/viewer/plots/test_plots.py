"""Plots: files of every kind, what is in the diagrams, and complaints."""

from __future__ import annotations

from contextlib import contextmanager
from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib.text import Text
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe import hybrid, signals, viewer
from floatframe.viewer import curves
from floatframe.viewer.plots import histories, modes as plots_modes, style, sweeps as plots_sweeps
from floatframe.viewer.plots.style import density_unit, folded

T = np.arange(4000) * 1e-3
FORCE = [viewer.Curve(f"A.force.{c}", "N", T, k * np.sin(2 * np.pi * 25 * T)) for k, c in enumerate("xyz", start=1)]
SPEED = viewer.Curve("crank.speed", "m/s²", T, np.cos(T))


@pytest.fixture
def figures(monkeypatch):
    """Every figure that is drawn, so that its contents can be looked at."""
    drawn = []

    @contextmanager
    def remembering(*arguments, **options):
        with style.saved_figure(*arguments, **options) as figure:
            drawn.append(figure)
            yield figure

    for module in (histories, plots_modes, plots_sweeps):
        monkeypatch.setattr(module, "saved_figure", remembering)
    return drawn


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_histories_share_a_diagram_by_unit(tmp_path, figures, suffix):
    path = viewer.plot_histories([*FORCE, SPEED], tmp_path / f"plot{suffix}", "Run")
    assert path.stat().st_size > 5000
    assert [p.name for p in tmp_path.iterdir()] == [path.name]
    first, second = figures[0].axes
    assert [line.get_label() for line in first.lines] == ["A.force.x", "A.force.y", "A.force.z"]
    assert (first.get_title(loc="left"), second.get_title(loc="left")) == ("A.force", "crank.speed")
    assert (first.get_ylabel(), second.get_ylabel()) == ("force [N]", "speed [m/s²]")
    assert second.get_xlabel() == "time [s]"
    assert_allclose(first.lines[2].get_ydata(), FORCE[2].y)


def test_spectrum_and_density_show_the_numbers_of_the_functions(tmp_path, figures):
    viewer.plot_spectra(FORCE, tmp_path / "a.png")
    line = figures[0].axes[0].lines[2]
    assert line.get_ydata().max() == pytest.approx(3.0)
    assert figures[0].axes[0].get_ylim() == pytest.approx((0.0, 3.15))  # all curves are inside
    assert line.get_xdata()[line.get_ydata().argmax()] == pytest.approx(25.0)
    viewer.plot_psd([SPEED], tmp_path / "b.png", segment=0.5, highest=100.0)
    axes = figures[1].axes[0]
    assert axes.get_ylabel() == "power density of speed [(m/s²)²/Hz]"
    assert axes.lines[0].get_xdata()[-1] == pytest.approx(100.0)


def test_maps(tmp_path, figures):
    found = signals.spectrogram(T, FORCE[0].y + 1e-9 * np.sin(T), segment=0.25)
    viewer.plot_spectrogram(found, tmp_path / "map.png", "A.force.x", "N")
    viewer.plot_waterfall(found, tmp_path / "fall.png", "A.force.x", "N")
    assert figures[0].axes[1].get_ylabel() == "density [N²/Hz]"
    low, high = figures[0].axes[0].collections[0].get_clim()
    assert high == pytest.approx(found.density.max())
    assert high / low == pytest.approx(1e5)
    assert len(figures[1].axes[0].lines) >= 20


def test_axes_and_bars_of_sweeps_are_named_by_quantity_and_unit(tmp_path, figures):
    columns = ("point 4 moved", "mm"), ("A.force.x:lowpass(9):rms", "N"), ("frequency.1", "Hz")
    swept = ff.io.SweepResult(
        parameters={"phi": (0.0, 30.0), "alpha": (0.0, 60.0)},
        columns=tuple(ff.io.Channel(*column) for column in columns),
        values=np.arange(12.0).reshape(4, 3),
        states=("done",) * 4,
        sentences=("",) * 4,
        seconds=np.ones(4),
        settings={"study": "simulate", "units": {"phi": "°"}},
    )
    for name, _ in columns:
        viewer.plot_sweep_map(swept, name, tmp_path / "map.png")
    assert (figures[0].axes[0].get_ylabel(), figures[0].axes[0].get_xlabel()) == ("phi [°]", "alpha")
    bars = [figure.axes[1].get_ylabel() for figure in figures]
    assert bars == ["displacement [mm]", "rms of force [N]", "frequency [Hz]"]


def test_contributions(tmp_path, figures):
    rng = np.random.default_rng(0)
    found = hybrid.mode_contributions(np.arange(1.0, 31.0), rng.normal(size=(200, 30)))
    viewer.plot_contributions(found, tmp_path / "bars.png", frequency=np.arange(30.0), unit="m/s²", most=10)
    axes = figures[0].axes[0]
    heights = [bar.get_height() for bar in axes.patches]
    modes = np.sort(found.ranking()[:10])
    assert_allclose(heights, np.concatenate([found.rms[modes], found.peak[modes]]))
    assert axes.get_xticklabels()[0].get_text() == f"{modes[0] + 1}\n{modes[0]:.2f}"
    # the legend covers no bar
    assert axes.get_ylim()[1] > 1.1 * max(heights)


def test_long_names_are_folded_before_operators_and_filters():
    name = "frame.node[point 4].position.z - frame.node[point 3].position.z:highpass(5):rms"
    lines = folded(name).split("\n")
    assert lines == ["frame.node[point 4].position.z", "- frame.node[point 3].position.z", ":highpass(5):rms"]
    assert folded("A.force.x - B.force.x:rms") == "A.force.x - B.force.x:rms"
    assert folded("-1*A.force") == "-1*A.force"
    assert folded("arm.node[172].acceleration.z per drive.acceleration").split("\n")[1] == "per drive.acceleration"


def test_campbell_mac_and_errors(tmp_path, figures):
    speed = np.linspace(0, 6000, 7)
    frequency = np.column_stack([20 + speed / 500, 60 - speed / 1000])
    viewer.plot_campbell(speed, frequency, tmp_path / "campbell.png", orders=(1, 2))
    ray = figures[0].axes[0].lines[-1]
    assert_allclose(ray.get_ydata(), [0, 2 * 6000 / 60])
    viewer.plot_mac(np.array([[1.0, 0.02, 0.3], [0.0, 0.9, 0.1]]), tmp_path / "mac.png")
    assert sorted(text.get_text() for text in figures[1].axes[0].texts) == ["0.10", "0.30", "0.90", "1.00"]
    viewer.plot_mac(np.eye(60), tmp_path / "large.png")
    assert not figures[2].axes[0].texts
    viewer.plot_errors(np.array([4, 8]), {"mode 1": np.array([0.1, 0.0])}, tmp_path / "errors.png")
    assert np.isnan(figures[3].axes[0].lines[0].get_ydata()[1])  # zero has no place on a logarithmic scale
    assert len(list(tmp_path.glob("*.png"))) == 4


def test_long_curves_keep_their_extremes():
    y = np.zeros(1_000_000)
    y[[123_456, 777_777]] = [5.0, -3.0]
    x, thin = curves.thinned(np.arange(1e6), y)
    assert len(x) <= curves.MOST_POINTS + 2
    assert (thin.max(), thin.min(), x[thin.argmax()]) == (5.0, -3.0, 123_456)
    assert (x[0], x[-1]) == (0, 999_999)
    assert (np.diff(x) > 0).all()


@pytest.mark.parametrize(
    ("unit", "expected"), [("N", "N²/Hz"), ("m/s²", "(m/s²)²/Hz"), ("", "1/Hz"), ("N m", "(N m)²/Hz")]
)
def test_units_of_densities(unit, expected):
    assert density_unit(unit) == expected


@pytest.mark.parametrize(
    ("call", "error", "sentence"),
    [
        (lambda p: viewer.plot_histories([], p), ff.ModelError, "no curve"),
        (lambda p: viewer.plot_histories(FORCE, p.with_suffix(".gif")), ff.WriteError, "not '.gif'"),
        (lambda p: viewer.plot_histories(FORCE, p.parent / "no" / "a.png"), ff.WriteError, "does not exist; create"),
        (lambda p: viewer.plot_psd(FORCE, p, highest=0.0), ff.ModelError, "no frequency"),
        (lambda p: viewer.plot_mac(np.full((2, 2), 2.0), p), ff.ModelError, "0 … 1"),
        (lambda p: viewer.plot_errors([1, 2], {"a": [1]}, p), ff.ModelError, "one value per number"),
        (lambda p: viewer.plot_campbell(np.arange(3), np.ones((2, 2)), p), ff.ModelError, "expected"),
        (lambda p: viewer.plot_campbell(np.arange(2), np.full((2, 2), np.inf), p), ff.ModelError, "not finite"),
        (lambda p: viewer.Curve("a", "m", T, np.ones((4000, 3))), ff.ModelError, "one curve per component"),
    ],
)
def test_nonsense_is_named_and_leaves_no_file(tmp_path, call, error, sentence):
    with pytest.raises(error, match=sentence):
        call(tmp_path / "a.png")
    assert list(tmp_path.iterdir()) == []


def test_channels_that_change_by_rounding_come_last():
    """The order in which windows and reports show channels: a body that does not turn has rates of 1e-14 rad/s."""

    class Run(dict):
        channels = tuple(SimpleNamespace(name=name) for name in ("rate", "mass", "broken", "height"))

    t = np.linspace(0.0, 1.0, 50)
    run = Run(
        rate=1e-14 * np.sin(40 * t), mass=np.full(50, 3.0), broken=np.full(50, np.nan), height=0.01 * np.cos(9 * t)
    )
    assert list(viewer.moving_channels(run)) == ["height", "rate", "mass"]


def test_axes_have_quantity_unit_limits_and_no_colour_twice(tmp_path, figures):
    t = np.linspace(0.0, 1.0, 11)
    names = (("A.force.x", "N"), ("B.force.y", "N"), ("A.angle", "rad"), ("top.com_position.z", "m"))
    curves = ff.viewer.in_units([ff.viewer.Curve(name, unit, t, 1.0 + t) for name, unit in names], ["kN", "deg"])
    ff.viewer.plot_histories(curves, tmp_path / "a.png", frame=ff.viewer.Frame(x=(0.1, 0.5), log="y"))
    kept = figures[-1].axes
    assert [axes.get_ylabel() for axes in kept] == ["force [kN]", "angle [°]", "com position [m]"]
    assert [axes.get_title(loc="left") for axes in kept] == ["force", "A.angle", "top.com_position.z"]
    assert {axes.get_xlim() for axes in kept} == {(0.1, 0.5)}
    assert {axes.get_yscale() for axes in kept} == {"log"}
    looks = [(line.get_color(), line.get_linestyle()) for axes in kept for line in axes.lines]
    assert len(set(looks)) == len(looks) == 4
    np.testing.assert_allclose(kept[1].lines[0].get_ydata()[0], 180.0 / np.pi, rtol=1e-12)
    np.testing.assert_allclose(kept[0].lines[0].get_ydata()[0], 1e-3, rtol=1e-12)


def test_height_of_a_plot_is_that_of_what_is_shown(tmp_path, figures):
    # between 2 and 4, places between samples, it goes from 80 to 60; Matplotlib adds 5 % on both sides
    t = np.linspace(0.0, 10.0, 4)
    curve = ff.viewer.Curve("A.force.x", "N", t, 100.0 - 10.0 * t)
    ff.viewer.plot_histories([curve], tmp_path / "a.png", frame=ff.viewer.Frame(x=(2.0, 4.0)))
    assert figures[-1].axes[0].get_ylim() == pytest.approx((59.0, 81.0))
    ff.viewer.plot_histories([curve], tmp_path / "b.png", frame=ff.viewer.Frame(x=(2.0, 4.0), y=(0.0, 1.0)))
    assert figures[-1].axes[0].get_ylim() == (0.0, 1.0)


@pytest.mark.parametrize(
    ("frame", "words"),
    [({"x": (2.0, 1.0)}, "a lower one first"), ({"y": (0.0, 1.0), "log": "y"}, "begin above zero")],
)
def test_impossible_axes_are_refused(frame, words, tmp_path):
    curve = ff.viewer.Curve("A.force", "N", np.arange(3.0), np.ones(3))
    with pytest.raises(ff.ModelError, match=words):
        ff.viewer.plot_histories([curve], tmp_path / "a.png", frame=ff.viewer.Frame(**frame))
    assert not list(tmp_path.iterdir())


def test_units_that_fit_nothing_are_refused():
    curve = ff.viewer.Curve("A.force", "N", np.arange(3.0), np.ones(3))
    with pytest.raises(ff.ModelError, match="unit 'mm' does not fit curves in N; known for them: kN, MN"):
        ff.viewer.in_units([curve], ["mm"])


@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        (r"$\frac{1}{$", r"$\frac{1}{$"),
        (r"$\mathdefault{\frac{$", r"$\mathdefault{\frac{$"),  # begins as Matplotlib's own numbers do
        ("a\x1b[31mb\x07", r"a\x1b[31mb\x07"),
        ("a\u202eb\u200bc", r"a\u202eb\u200bc"),
        ("\U00013000", "\U00013000"),  # a hieroglyph, which no font here has: a box, and no warning
    ],
)
def test_names_are_drawn_as_text(tmp_path, figures, name, drawn):
    viewer.plot_histories([viewer.Curve(name, "", T, 1e-7 * T), SPEED], tmp_path / "a.svg", title=name)
    texts = [text.get_text() for text in figures[0].findobj(Text)]
    assert drawn in texts
    assert name == drawn or name not in texts
    powers = [text for text in figures[0].findobj(Text) if "10^{" in text.get_text()]
    assert powers
    assert all(text.get_parse_math() for text in powers)
