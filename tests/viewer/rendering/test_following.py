"""A window on a run that grows, driven without a screen; and the commands that open it."""

from __future__ import annotations

import shutil
from itertools import chain, repeat

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.cli import live, view
from floatframe.cli.main import run as command
from floatframe.viewer.drawing import glyphs
from floatframe.viewer.rendering import following
from floatframe.viewer.scene import Carrier, History, Part, Scene
from tests.viewer.looking import difference

CHANNELS = ["A.force", "slider.position.x"]


def scene_until(folder, t_end: float):
    """The run of the machine so far."""
    file = ff.hybrid.read_model(folder / "model.toml")
    result = file.model.compile().simulate(record=file.record, **{**file.simulate, "t_end": t_end})
    return ff.viewer.scene_of(result, channels=CHANNELS)


@pytest.mark.usefixtures("rendering")
def test_the_window_goes_on_with_the_run(machine_folder):
    ff.viewer.require_rendering()
    first, second, third = (scene_until(machine_folder, t) for t in (0.1, 0.3, 0.4))
    coming = chain([second], repeat(None))
    window = following.FollowingWindow(first, lambda: next(coming), "auto", off_screen=True, size=(720, 400))
    before = window.stage.image()
    assert window.at_end
    assert window._time() == pytest.approx(0.1)
    window.advance()
    assert window.at_end
    assert window._time() == pytest.approx(0.3)
    assert difference(before, window.stage.image()) > 1e-3
    # a time that was chosen by hand stays, and so does a run that is played
    window._go_to(0.2)
    window.take(third)
    assert window._time() == pytest.approx(0.2, abs=0.01)
    assert not window.playing
    window.toggle_play()
    window.take(third)
    assert window.playing
    window.stage.close()


@pytest.mark.usefixtures("rendering")
def test_other_channels_may_be_worth_a_look_later(machine_folder):
    file = ff.hybrid.read_model(machine_folder / "model.toml")
    run = file.model.compile().simulate(record=file.record, **{**file.simulate, "t_end": 0.2})
    first, second = (ff.viewer.scene_of(run, channels=names) for names in (CHANNELS, ["slider.position", *CHANNELS]))
    window = following.FollowingWindow(first, lambda: None, "auto", off_screen=True, size=(720, 400))
    before = window.stage.image()
    window.take(second)
    assert difference(before, window.stage.image()) > 1e-2
    window.take(first)
    assert difference(before, window.stage.image()) < 1e-3
    window.stage.close()


def wagon(way: float) -> Scene:
    """A box of 1 m that goes a way [m] beside a wall that stays."""
    t = np.linspace(0.0, 1.0, 11)
    pose = np.tile(np.eye(3, 4), (len(t), 2, 1, 1))
    pose[:, 0, 0, 3] = way * t
    box = glyphs.box()
    parts = tuple(Part(name, box.points, box.faces, carrier=k) for k, name in enumerate(("wagon", "wall")))
    carriers = tuple(Carrier(name, pose=np.eye(3, 4)) for name in ("wagon", "wall"))
    return Scene(parts, carriers, (History("run", t, pose, (np.empty((len(t), 0)),) * 2),), (), "wagon")


@pytest.mark.usefixtures("rendering")
def test_the_camera_goes_along_with_what_travels():
    window = following.FollowingWindow(wagon(0.5), lambda: None, "auto", off_screen=True, size=(720, 400))
    camera = window.stage.plotter.camera
    start = np.array(camera.focal_point)
    window.take(wagon(0.8))  # less than its size: the view stays
    assert_allclose(camera.focal_point, start)
    for way in (10.0, 30.0, 31.0):
        window.take(wagon(way))
        assert camera.focal_point[0] == pytest.approx(way, abs=0.1)
    # what was zoomed and turned by hand stays so
    camera.parallel_scale = zoomed = 0.123
    before = np.array(camera.position) - camera.focal_point
    window.take(wagon(60.0))
    assert camera.focal_point[0] == pytest.approx(60.0, abs=0.1)
    assert camera.parallel_scale == zoomed
    assert_allclose(np.array(camera.position) - camera.focal_point, before)
    # at a time that was chosen by hand the camera stays too
    window.go(0.5)
    there = np.array(camera.focal_point)
    window.take(wagon(90.0))
    assert_allclose(camera.focal_point, there)
    window.stage.close()


def test_looking_takes_a_share_of_the_time_at_most(machine_folder, rendering, monkeypatch):
    scene = scene_until(machine_folder, 0.1)
    asked = []
    window = following.FollowingWindow(scene, lambda: asked.append(1), "auto", off_screen=True, size=(200, 150))
    for _ in range(5):
        window.advance()
    window.stage.close()
    assert len(asked) == 1


def test_a_live_run_is_followed_to_its_end(machine_folder, tmp_path, monkeypatch):
    for name in ("model.toml", "rod.h5"):
        shutil.copy(machine_folder / name, tmp_path)
    output = tmp_path / "live.h5"
    seen, shown = [], set()

    def follow(scene, newer, amplitude):
        shown.add(tuple(diagram.name for diagram in scene.clips[0].diagrams))
        seen.append(scene.clips[0].t[-1])
        while seen[-1] < 0.2:
            later = newer()
            seen.extend([] if later is None else [later.clips[0].t[-1]])

    monkeypatch.setattr(ff.viewer, "follow", follow)
    monkeypatch.setattr(ff.viewer, "require_screen", lambda *_: None)
    words = ["simulate", str(tmp_path / "model.toml"), "-o", str(output), "--live", "--t-end", "0.2"]
    assert live.run_live(output, ["A.force.x"], [*words, "--channel", "A.force.x", "--channel=B.force"]) == 0
    assert seen[-1] == pytest.approx(0.2)
    assert shown == {("A.force.x",)}
    assert view.record_count(output) == len(ff.hybrid.Results.open(output))
    # a model that cannot run says so and leaves nothing to look at
    seen.clear()
    broken = ["simulate", str(tmp_path / "rod.h5"), "-o", str(tmp_path / "none.h5"), "--live"]
    assert live.run_live(tmp_path / "none.h5", words=broken) != 0
    assert not seen


def test_without_a_screen_the_cure_is_named(machine_folder, monkeypatch, capsys):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    run = str(machine_folder / "run.h5")
    assert command(["view", run, "--follow"]) != 0
    said = " ".join(capsys.readouterr().err.split())
    assert "no screen" in said
    assert "--save scene.html, without --follow" in said
    assert command(["simulate", str(machine_folder / "model.toml"), "-o", run, "--live"]) != 0
    said = " ".join(capsys.readouterr().err.split())
    assert "no screen" in said
    assert "run without --live" in said
    assert command(["view", run, "--follow", "--save", "x.html"]) == 2
    assert "leave out --save" in " ".join(capsys.readouterr().err.split())
