"""The window, driven without a screen: sliders, keys and clock do what they say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import floatframe as ff
from floatframe.viewer.rendering import window
from floatframe.viewer.rendering.diagram_panel import BESIDE
from tests.viewer.looking import difference


@pytest.fixture
def opened(body, rendering):
    ff.viewer.require_rendering()
    # numbers of nodes alone: names are rasterised a little differently each time, and pictures are compared to 1e-6
    plain = replace(body, node_names={})
    view = window.Window(ff.viewer.scene_of(plain), 0, "auto", off_screen=True, size=(480, 320))
    view.playing = False
    yield view
    view.stage.close()


def test_modes_amplitude_and_marks_change_the_picture(opened):
    first = opened.stage.image()
    opened.step_mode(1)
    assert opened.number == 1
    second = opened.stage.image()
    assert difference(first, second) > 1e-3
    opened.step_mode(-1)
    assert difference(first, opened.stage.image()) < 1e-6
    opened.magnify(2.0)
    assert difference(first, opened.stage.image()) > 1e-3
    opened.magnify(1.0)
    opened.toggle_marks()
    assert difference(first, opened.stage.image()) > 1e-6
    opened.toggle_marks()
    opened.toggle_ghost()
    assert difference(first, opened.stage.image()) > 1e-6
    opened.step_mode(-5)
    assert opened.number == 0


def test_clock_moves_only_while_playing(opened, monkeypatch):
    now = [100.0]
    monkeypatch.setattr(window.time, "perf_counter", lambda: now[0])
    opened.advance()
    opened.toggle_play()
    now[0] += 0.5
    opened.advance()
    assert opened.moment == pytest.approx(0.5 / window.PERIOD)
    opened.toggle_play()
    now[0] += 0.5
    opened.advance()
    assert opened.moment == pytest.approx(0.5 / window.PERIOD)


def test_without_a_screen_the_cure_is_named(body, monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setattr(window.sys, "platform", "linux")
    with pytest.raises(ff.MissingDependency, match=r"no screen.*--save scene\.html"):
        ff.viewer.show(body, mode=3)


@pytest.mark.usefixtures("rendering")
def test_channels_are_plotted_beside_a_run(machine_folder):
    ff.viewer.require_rendering()
    run = ff.hybrid.Results.open(machine_folder / "run.h5")
    scene = ff.viewer.scene_of(run, channels=["A.force", "slider.position.x"])
    assert [(d.name, d.unit, len(d.curves)) for d in scene.clips[0].diagrams] == [
        ("A.force", "N", 3),
        ("slider.position.x", "m", 1),
    ]
    view = window.Window(scene, 0, "auto", off_screen=True, size=(720, 400))
    shots = []
    for moment in (0.2, 0.4, 0.8):
        view.go(moment)
        shots.append(view.stage.image())
    view.stage.close()
    edge = round(720 * (1 - BESIDE))
    # the machine moves on the left; on the right the dark line goes on with the time
    assert difference(shots[0][:, :edge], shots[1][:, :edge]) > 1e-3
    places = [_line(image[:, edge:]) for image in shots]
    assert places[2] - places[0] > 0.3  # the axis takes more than half of the width
    # equal steps but for half a pixel at each of the places, of which they count 1, 3 and 2
    assert places[2] - places[1] == pytest.approx(2 * (places[1] - places[0]), abs=3.01 / (720 - edge))


def _line(image) -> float:
    """Return where the line at the present time stands, 0 to 1 across a picture."""
    red, green, blue = np.moveaxis(image.astype(int), -1, 0)
    dark_red = (red - green > 90) & (green < 70) & (blue < 90)
    return float(dark_red.sum(axis=0).argmax() / image.shape[1])
