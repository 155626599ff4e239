"""Studies as actions: the command and the Python that are shown find the same numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import floatframe as ff
from floatframe.cli.main import run
from floatframe.samples.beam import build
from floatframe.studio.actions import Action
from floatframe.studio.commands import errors_of_modes
from floatframe.studio.studies import Response, Studied, Sweep, equilibrium, linear, plot, plot_sweep, simulate
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
    assert (folder / "a.png").exists()
    assert (folder / "b.png").exists()


def test_errors_over_modes(folder):
    fe = build(n=8)
    ff.io.write("fe.h5", fe)
    ff.io.write("body.h5", ff.modal.reduce(fe, interface=[1, 9], n_modes=3))
    by_command(errors_of_modes("body.h5", "fe.h5", "a.png"))
    curves = by_python(errors_of_modes("body.h5", "fe.h5", "b.png"))["curves"]
    assert all(error[-1] < error[0] for error in curves.values())  # more modes, smaller errors
    assert (folder / "a.png").exists()
    assert (folder / "b.png").exists()


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
