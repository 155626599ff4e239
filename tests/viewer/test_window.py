"""The window, driven without a screen: sliders, keys and clock do what they say."""

from __future__ import annotations

import pytest

import floatframe as ff
from floatframe.viewer import window
from tests.viewer.looking import difference


@pytest.fixture
def opened(body, rendering):
    ff.viewer.require_rendering()
    view = window.Window(ff.viewer.scene_of(body), 0, "auto", off_screen=True, size=(480, 320))
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
