"""`floatframe view`: every kind of file, every kind of output, one-line errors."""

from __future__ import annotations

import subprocess

import numpy as np
import pytest
from PIL import Image

import floatframe as ff
from floatframe.cli.main import run
from floatframe.viewer.rendering import movies
from tests.viewer.looking import difference, drawn, span


@pytest.fixture(scope="module")
def files(beam, body, tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    modes = ff.modal.eigenmodes(beam, n=2, fixed=["start"])
    ff.io.write(folder / "beam.h5", beam)
    ff.io.write(folder / "beam-modes.h5", ff.io.NodalModes.of(beam, modes))
    ff.io.write(folder / "alone.h5", ff.io.NodalModes.of(beam, modes))
    ff.io.write(folder / "input.fum", body)
    ff.io.write(folder / "body.h5", body)
    ff.io.write(folder / "beam.bdf", beam)
    ff.io.write(folder / "beam.inp", beam)
    return folder


@pytest.mark.usefixtures("rendering")
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("input.fum", ["--mode", "2"]),
        ("body.h5", ["--amplitude", "0.2"]),
        ("input.fum", ["--mode", "2", "--model", "beam.h5", "--stress"]),
        ("beam.h5", []),
        ("beam.h5", ["--mode", "1", "--fixed", "start", "--stress"]),
        ("beam-modes.h5", ["--mode", "2"]),
        ("alone.h5", ["--model", "beam.h5"]),
        ("beam.bdf", []),
        ("beam.inp", ["--shells-thick"]),
    ],
)
def test_every_kind_of_file_is_drawn(files, tmp_path, capsys, name, options):
    options = [str(files / word) if word == "beam.h5" else word for word in options]
    picture = tmp_path / "a.png"
    assert run(["view", str(files / name), *options, "--save", str(picture)]) == 0, capsys.readouterr().err
    assert f"wrote {picture}" in capsys.readouterr().out
    ink = drawn(picture)
    assert max(span(ink, 0), span(ink, 1)) > 0.7


@pytest.mark.usefixtures("rendering")
def test_movies_and_pages_are_written(files, tmp_path, monkeypatch):
    monkeypatch.setattr("floatframe.viewer.rendering.movies.PERIOD", 0.2)  # eight frames
    for name in ("a.gif", "a.html"):
        assert run(["view", str(files / "beam-modes.h5"), "--save", str(tmp_path / name)]) == 0
        assert (tmp_path / name).stat().st_size > 10_000


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["input.fum"], 1, "no screen"),
        (["input.fum", "--save", "a.avi"], 2, "must end in .png or .gif"),
        (["input.fum", "--mode", "40", "--save", "a.html"], 2, "mode 40 does not exist"),
        (["alone.h5", "--save", "a.html"], 2, "--model"),
        (["beam.h5", "--save", "a.gif"], 2, "choose a mode of"),
        (["beam.h5", "--fixed", "start", "--save", "a.html"], 2, "--fixed needs --mode"),
        (["body.h5", "--stress", "--save", "a.html"], 1, "has no stresses"),
        (["beam.h5", "--stress", "--save", "a.html"], 1, "stress needs a displacement or modes"),
        (["body.h5", "--model", "input.fum", "--save", "a.html"], 2, "expected a finite element model"),
        (["beam.h5", "--model", "beam.h5", "--save", "a.html"], 2, "--model applies to modes, bodies, model files"),
    ],
)
def test_wrong_use_is_one_line(files, capsys, monkeypatch, arguments, code, words):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    arguments = [str(files / word) if (files / word).is_file() or word.startswith("a.") else word for word in arguments]
    assert run(["view", *arguments]) == code
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1
    assert not list(files.glob("a.*"))


@pytest.mark.usefixtures("rendering")
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("model.toml", ["--set", "torque=50"]),
        ("model.toml", ["--mode", "3", "--at", "start"]),
        ("run.h5", ["--time", "0.2", "--trace", "rod.node[11]", "--amplitude", "5"]),
        ("run.h5", ["--channel", "A.force", "--channel", "energy.kinetic"]),
    ],
)
def test_machines_and_runs_are_drawn(machine_folder, tmp_path, capsys, name, options):
    picture = tmp_path / "a.png"
    assert run(["view", str(machine_folder / name), *options, "--save", str(picture)]) == 0, capsys.readouterr().err
    assert span(drawn(picture), 1) > 0.7


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["run.h5", "--mode", "1", "--save", "a.png"], 2, "use --time"),
        (["run.h5", "--time", "9", "--save", "a.png"], 2, "goes from 0 to 0.5 s"),
        (["run.h5", "--time", "0.1", "--save", "a.html"], 2, "show the whole run"),
        (["run.h5", "--set", "torque=1", "--save", "a.html"], 2, "apply to model files only"),
        (["model.toml", "--time", "0.1", "--save", "a.html"], 2, "apply to runs only"),
        (["model.toml", "--channel", "A.force", "--save", "a.html"], 2, "apply to runs only"),
        (["run.h5", "--channel", "A.farce", "--save", "a.html"], 2, "did you mean A.force"),
        (["run.h5", "--trace", "rad", "--save", "a.html"], 2, "did you mean rod"),
    ],
)
def test_wrong_use_of_machines_is_one_line(machine_folder, tmp_path, monkeypatch, capsys, arguments, code, words):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("floatframe.viewer.require_rendering", lambda: None)
    assert run(["view", str(machine_folder / arguments[0]), *arguments[1:]]) == code
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_pages_of_runs_plot_the_first_channels_that_change(machine_folder, tmp_path, monkeypatch):
    shown = []
    monkeypatch.setattr("floatframe.viewer.save", lambda scene, path, **options: shown.append(scene))
    arguments = ["view", str(machine_folder / "run.h5"), "--save", str(tmp_path / "a.html")]
    assert run(arguments) == 0
    assert run([*arguments, "--channel", "energy.kinetic"]) == 0
    assert run([*arguments[:-1], str(tmp_path / "a.gif")]) == 0
    names = [[diagram.name for diagram in scene.clips[0].diagrams] for scene in shown]
    result = ff.hybrid.Results.open(machine_folder / "run.h5")
    changing = [channel.name for channel in result.channels if (result[channel.name] != result[channel.name][0]).any()]
    assert "crank.position" not in changing  # it turns about its origin
    joints_first = [name for name in changing if name == "A.force"] + [name for name in changing if name != "A.force"]
    assert names == [joints_first[:3], ["energy.kinetic"], []]


@pytest.mark.usefixtures("rendering")
def test_movies_of_runs_go_from_start_to_end(machine_folder, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("floatframe.viewer.rendering.movies.PERIOD", 0.2)  # the run takes half a second: 12 frames
    shots = {}
    for name, read in (("run.gif", gif_frames), ("run.mp4", mp4_frames)):
        path = tmp_path / name
        options = ["--trace", "rod.node[11]", "--save", str(path)]
        assert run(["view", str(machine_folder / "run.h5"), *options]) == 0, capsys.readouterr().err
        shots[name] = read(path)
        assert len(shots[name]) == 12
        first, last = shots[name][0], shots[name][-1]
        # no frame repeats another: the machine goes on all the time
        assert all(difference(first, shot) > 3e-4 for shot in shots[name][2:])
        assert difference(first, last) > 2e-3
    # both show the same but for their coding of colours
    for a, b in zip(shots["run.gif"], shots["run.mp4"], strict=True):
        assert difference(a, b) < 0.01


@pytest.mark.usefixtures("rendering")
def test_camera_size_and_title(files, tmp_path, capsys):
    shots = {}
    for camera in ("side", "0,-1,0", "top"):
        path = tmp_path / "picture.png"
        options = ["--camera", camera, "--size", "320x200", "--title", "a frame", "--save", str(path)]
        assert run(["view", str(files / "input.fum"), *options]) == 0, capsys.readouterr().err
        shots[camera] = np.array(Image.open(path))
        assert shots[camera].shape[:2] == (200, 320)
    assert difference(shots["side"], shots["0,-1,0"]) == 0.0
    assert difference(shots["side"], shots["top"]) > 1e-4


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--camera", "up"], "'up' is not a view; expected front, side, top, iso or a direction"),
        (["--camera", "0,0,0"], "'0,0,0' is not a view"),
        (["--size", "1280"], "'1280' is not a size; expected 64x64 to 8192x8192, as 1280x720"),
        (["--speed", "2"], "--speed applies to movies"),
    ],
)
@pytest.mark.usefixtures("rendering")
def test_wrong_frames_are_refused(files, tmp_path, capsys, options, said):
    assert run(["view", str(files / "input.fum"), *options, "--save", str(tmp_path / "picture.png")]) == 2
    assert said in " ".join(capsys.readouterr().err.split())
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("rendering")
def test_movies_of_modes_return_to_the_start(files, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("floatframe.viewer.rendering.movies.PERIOD", 0.4)  # ten frames
    path = tmp_path / "mode.mp4"
    assert run(["view", str(files / "input.fum"), "--mode", "2", "--save", str(path)]) == 0, capsys.readouterr().err
    shots = mp4_frames(path)
    assert len(shots) == 30  # three periods
    assert difference(shots[0], shots[5]) > 5e-3
    for k in range(10):
        assert difference(shots[k], shots[k + 10]) < difference(shots[0], shots[5]) / 10  # the coder keeps no pixel


def gif_frames(path) -> list[np.ndarray]:
    with Image.open(path) as gif:
        found = []
        for k in range(gif.n_frames):
            gif.seek(k)
            found.append(np.array(gif.convert("RGB")))
    return found


def mp4_frames(path) -> list[np.ndarray]:
    try:
        program = movies.ffmpeg()
    except ff.MissingDependency as missing:
        pytest.skip(str(missing))
    command = [program, "-loglevel", "error", "-i", str(path), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    data = subprocess.run(command, capture_output=True, check=True).stdout
    return list(np.frombuffer(data, dtype=np.uint8).reshape(-1, movies.SIZE[1], movies.SIZE[0], 3))
