"""Studies as actions: the command and the Python that are shown find the same numbers."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

import floatframe as ff
from floatframe.cli.main import run
from floatframe.samples.beam import build
from floatframe.studio.actions import Action
from floatframe.studio.commands import copy_sample, errors_of_modes, modes, show_machine, show_model, show_network
from floatframe.studio.studies import (
    Response,
    Studied,
    Sweep,
    equilibrium,
    linear,
    movie,
    plot,
    plot_sweep,
    report,
    show_run,
    simulate,
    sweep_to_csv,
    to_csv,
)
from tests.studio.filter_network import FILTER

RIGID = Path(__file__).parents[2] / "samples" / "slider_crank" / "rigid.toml"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "rigid.toml").write_text(RIGID.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "filter.toml").write_text(FILTER, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def by_command(action: Action) -> None:
    assert run(list(action.words)) == 0


def by_python(action: Action) -> dict[str, object]:
    found: dict[str, object] = {}
    exec(compile(action.python, "shown", "exec"), found)
    return found


@pytest.fixture(scope="module")
def computed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs of a machine that keep little, a sweep of it, a body, a network."""
    made = tmp_path_factory.mktemp("computed")
    (made / "filter.toml").write_text(FILTER, encoding="utf-8")
    (made / "rigid.toml").write_text(RIGID.read_text(encoding="utf-8"), encoding="utf-8")
    file = ff.hybrid.read_model(made / "rigid.toml")
    record = ff.hybrid.Record(every=2e-3, channels=("crank.angular_velocity",))
    for name in ("a.h5", "b.h5"):
        file.model.compile().simulate(record=record, path=made / name, **{**file.simulate, "t_end": 0.02})
    ff.hybrid.sweep(made / "rigid.toml", {"torque": "60,70"}, path=made / "sweep.h5", t_end=1e-3)
    fe = build(n=4)
    ff.io.write(made / "beam.h5", fe)
    ff.io.write(made / "rod.h5", ff.modal.reduce(fe, interface=[1, 5], n_modes=2))
    return made


VELOCITY = ["crank.angular_velocity"]
HARMONIC = Response(Studied("rigid.toml"), ("drive",), ("slider.acceleration.x",), (0.5, 5.0), "start")


@pytest.mark.parametrize(
    ("action", "file"),
    [
        (movie("a.h5", "a.mp4"), "a.mp4"),
        (report("a.h5", "a.html"), "a.html"),
        (show_run("a.h5"), "a.html"),
        (to_csv("a.h5", "a.csv", VELOCITY), "a.csv"),
        (plot(["a.h5", "b.h5"], VELOCITY, "two.png"), "two.png"),
        (sweep_to_csv("sweep.h5", "sweep.csv"), "sweep.csv"),
        (HARMONIC.action(picture="bode.png"), "bode.png"),
        (HARMONIC.action(table="bode.csv"), "bode.csv"),
        (modes("beam.h5", "modes.h5", 2, "1"), "modes.h5"),
        (show_model("rod.h5"), "rod.html"),
        (show_machine("rigid.toml"), "rigid.html"),
        (show_network("filter.toml"), "filter.png"),
        (copy_sample("slider-crank", "sample"), "sample/rigid.toml"),
    ],
    ids=lambda one: one.command.split(" ", 1)[1] if isinstance(one, Action) else "",
)
def test_the_python_writes_the_file_of_the_command(computed, rendering, monkeypatch, capsys, action, file):
    monkeypatch.chdir(computed)
    by_command(action)
    written = (computed / file).read_bytes()
    (shutil.rmtree if "/" in file else Path.unlink)(computed / file.partition("/")[0])
    by_python(action)
    assert (computed / file).read_bytes() == written


@pytest.mark.parametrize("file", ["rigid.toml", "filter.toml"])
def test_a_run(folder, file):
    of = Studied(file, network=file == "filter.toml")
    by_command(simulate(of, "a.h5", 0.01))
    by_python(simulate(of, "b.h5", 0.01))
    one, other = (ff.hybrid.Results.open(name) for name in ("a.h5", "b.h5"))
    assert one.t[-1] == pytest.approx(0.01)
    for channel in one.channels:
        np.testing.assert_array_equal(one[channel.name], other[channel.name])
    for spectrum in (False, True) if file == "rigid.toml" else (False,):  # steps of networks are not equal
        action = plot(["a.h5"], [one.channels[0].name], f"{spectrum}.png", spectrum)
        by_python(action)
        assert (folder / f"{spectrum}.png").exists()


@pytest.mark.parametrize(
    ("of", "vary"),
    [
        (Studied("rigid.toml", ("drag=8",)), ("torque=60,80",)),
        (Studied("filter.toml", network=True), ("R=50,100",)),
    ],
)
def test_a_sweep(folder, of, vary):
    wanted = [Sweep(of, vary, name, t_end=0.01) for name in ("a.h5", "b.h5")]
    by_command(wanted[0].action())
    by_python(wanted[1].action())
    one, other = (ff.io.read(name) for name in ("a.h5", "b.h5"))
    assert one.nwaiting == one.nfailed == 0
    np.testing.assert_array_equal(one.values, other.values)
    column = one.columns[0].name
    by_command(plot_sweep("a.h5", column, "a.png"))
    by_python(plot_sweep("a.h5", column, "b.png"))
    assert (folder / "a.png").read_bytes() == (folder / "b.png").read_bytes()


def test_errors_over_modes(folder):
    fe = build(n=8)
    ff.io.write("fe.h5", fe)
    ff.io.write("body.h5", ff.modal.reduce(fe, interface=[1, 9], n_modes=3))
    by_command(errors_of_modes("body.h5", "fe.h5", "a.png"))
    curves = by_python(errors_of_modes("body.h5", "fe.h5", "b.png"))["curves"]
    assert all(error[-1] < error[0] for error in curves.values())  # more modes, smaller errors
    assert (folder / "a.png").read_bytes() == (folder / "b.png").read_bytes()


def test_a_linear_sweep_keeps_its_own_settings_only(folder):
    words = Sweep(Studied("rigid.toml"), ("drag=8,10",), "c.h5", "linear", t_end=3.0, n=2, at="start").action().words
    assert words[-6:] == ("--study", "linear", "-n", "2", "--at", "start")


def test_a_response(folder, capsys):
    wanted = Response(Studied("rigid.toml"), ("drive",), ("slider.acceleration.x",), (0.5, 5.0), "start")
    by_command(wanted.action(table="bode.csv"))
    found = by_python(wanted.action())["found"]
    table = np.loadtxt(folder / "bode.csv", delimiter=",", skiprows=1)
    # written with twelve digits or more
    np.testing.assert_allclose(table[:, 1] + 1j * table[:, 2], found.values[:, 0, 0], rtol=1e-9)


@pytest.mark.parametrize("file", ["rigid.toml", "filter.toml"])
def test_rest_and_frequencies(folder, file, capsys):
    of = Studied(file, ("torque=0",) if file == "rigid.toml" else (), file == "filter.toml")
    for action in (equilibrium(of), linear(of, 2, "start")):
        by_command(action)
        by_python(action)
