"""Movies: frames differ, return to the start, and files play."""

from __future__ import annotations

import re
import subprocess

import numpy as np
import pytest
from PIL import Image

import floatframe as ff
from floatframe.errors import ModelError
from floatframe.viewer.rendering import movies
from floatframe.viewer.scene import Harmonic, History
from tests.viewer.looking import difference, drawn, span
from tests.viewer.moving_scene import crank_and_spring


@pytest.mark.usefixtures("rendering")
def test_frames_differ_and_return_to_the_start(body):
    scene = ff.viewer.scene_of(body)
    shots = list(movies.frames(scene, scene.clips[0], 8, size=(320, 240)))
    assert len(shots) == 8
    assert all(difference(shots[0], shot) > 1e-3 for shot in shots[1:])
    # the way there and the way back pass the same places: cos(2 pi k / 8)
    for k in (1, 2, 3):
        assert difference(shots[k], shots[8 - k]) < 1e-6
    # a whole period later everything is where it was
    stage = movies.prepared(scene, scene.clips[0], "auto", "auto", (320, 240), quick=True)
    stage.move(1.0)
    assert difference(stage.image(), shots[0]) < 1e-6
    stage.close()
    # nothing that moves leaves the frame
    union = np.any([drawn(shot) for shot in shots], axis=0)
    assert 0.8 < span(union, 1) < 0.999


@pytest.mark.usefixtures("rendering")
def test_gif_holds_one_period_and_repeats(body, tmp_path):
    path = ff.viewer.movie(body, tmp_path / "mode.gif", mode=2, size=(240, 160), fps=10)
    with Image.open(path) as gif:
        assert (gif.n_frames, gif.size, gif.info["loop"]) == (20, (240, 160), 0)
        assert gif.info["duration"] == 100
        shots = []
        for k in (0, 10, 19):
            gif.seek(k)
            shots.append(np.array(gif.convert("RGB")))
    assert difference(shots[0], shots[1]) > 1e-3  # half a period apart
    assert difference(shots[0], shots[2]) < difference(shots[0], shots[1]) / 4  # the last is next to the first


@pytest.mark.usefixtures("rendering")
def test_mp4_plays(body, tmp_path):
    try:
        program = movies.ffmpeg()
    except ff.MissingDependency as missing:
        pytest.skip(str(missing))
    path = ff.viewer.movie(body, tmp_path / "mode.mp4", size=(241, 161), fps=10, cycles=2)
    log = subprocess.run([program, "-i", path, "-f", "null", "-"], capture_output=True, text=True, check=True).stderr
    assert "240x160" in log
    assert re.search(r"frame=\s*40\b", log)


@pytest.mark.usefixtures("rendering")
def test_runs_are_drawn_from_start_to_end():
    scene = crank_and_spring()
    first, middle, last = movies.frames(scene, scene.clips[0], 3, size=(320, 240))
    assert min(difference(first, middle), difference(middle, last), difference(first, last)) > 1e-3


def test_missing_ffmpeg_is_answered_with_the_line_to_run(body, tmp_path, monkeypatch):
    monkeypatch.setattr(movies.shutil, "which", lambda name: None)
    monkeypatch.setitem(__import__("sys").modules, "imageio_ffmpeg", None)
    with pytest.raises(ff.MissingDependency, match=r"pip install 'floatframe\[movie\]'"):
        ff.viewer.movie(body, tmp_path / "a.mp4")
    with pytest.raises(ff.WriteError, match=r"\.gif or \.mp4, not '\.avi'"):
        ff.viewer.movie(body, tmp_path / "a.avi")
    with pytest.raises(ff.ModelError, match="0 frames per second"):
        ff.viewer.movie(body, tmp_path / "a.gif", fps=0)
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("rendering")
def test_a_coder_that_fails_leaves_no_file(body, tmp_path, monkeypatch):
    broken = tmp_path / "ffmpeg"
    broken.write_text("#!/bin/sh\necho 'no such coder' >&2\nexit 3\n")
    broken.chmod(0o755)
    monkeypatch.setattr(movies, "ffmpeg", lambda: str(broken))
    with pytest.raises(ff.WriteError, match="no such coder"):
        ff.viewer.movie(body, tmp_path / "a.mp4", size=(64, 64), fps=4)
    assert [path.name for path in tmp_path.iterdir()] == ["ffmpeg"]


def test_speed_of_a_run_decides_how_many_frames():
    t = np.linspace(0.0, 4.0, 9)
    clip = History("run", t, np.zeros((9, 1, 3, 4)), (np.zeros((9, 0)),))
    assert movies.frame_count(clip, 25) == 100
    assert movies.frame_count(clip, 25, speed=0.5) == 200
    with pytest.raises(ModelError, match=r"0\.001 times the speed .* give 0\.01 or more"):
        movies.frame_count(clip, 25, speed=0.001)
    with pytest.raises(ModelError, match="only runs have a speed"):
        movies.frame_count(Harmonic("mode 1", (np.zeros(1),)), 25, speed=1.0)
