"""Sweeps and single runs over places of a model file that no parameter stands for."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe import hybrid as h
from floatframe.cli.main import run

MODEL = """
format = "floatframe-model/1"
[parameters]
k = 100.0
[[body]]
name = "box"
mass = 2.0
inertia = [1, 1, 1]
position = [0.01, 0, 0]
[[joint]]
name = "guide"
type = "prismatic"
place = { body = "box" }
against = { body = "ground" }
axis = [1, 0, 0]
start = 0.01
[[force]]
name = "spring"
type = "joint_force"
joint = "guide"
force = "-k*displacement"
[simulate]
t_end = 2.0
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "box.toml"
    path.write_text(MODEL)
    return path


def test_a_mass_of_the_file_varies_beside_a_parameter(file):
    found = h.sweep(file, {"body[box].mass": [2.0, 8.0], "k": [100.0, 400.0]}, "linear")
    expected = np.sqrt(np.array([[100, 400], [100, 400]]) / np.array([[2.0], [8.0]])) / (2 * np.pi)
    assert_allclose(found["frequency.1"], expected, rtol=1e-9)


def test_settings_and_components(file):
    model = h.read_model(file, {"simulate.t_end": "0.5", "body[box].inertia.z": 1.5, "joint[guide].axis.y": 1.0})
    assert model.simulate["t_end"] == 0.5
    assert model.model.compile().simulate(**model.simulate)["box.position"][-1, 1] != 0.0


def test_the_number_of_modes_varies(tmp_path):
    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
    beam = ff.fem.beam_line(
        (0, 0, 0), (2, 0, 0), n=20, section=ff.fem.BeamSection.rectangle(0.02, 0.02), material=steel
    )
    ff.io.write(tmp_path / "beam.h5", ff.modal.reduce(beam, interface=[1, 21], n_modes=10))
    file = tmp_path / "beam.toml"
    file.write_text(
        'format = "floatframe-model/1"\n[[flexible]]\nname = "rod"\nfile = "beam.h5"\n'
        '[[joint]]\nname = "root"\ntype = "fixed"\nplace = { body = "rod", node = 1 }\nagainst = { body = "ground" }\n'
    )
    found = h.sweep(file, {"flexible[rod].modes": [2, 10]}, "linear", n=3)
    exact = 1.8751041**2 * np.sqrt(2.1e11 * 0.02**2 / (12 * 7850.0)) / (2 * np.pi * 2.0**2)
    assert_allclose(found["frequency.1"], exact, rtol=1e-3)  # static shapes carry most of it
    assert found["frequency.3"][0] > found["frequency.3"][1]  # fewer shapes are stiffer


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("body[bix].mass", "did you mean box"),
        ("bdy[box].mass", "did you mean body"),
        ("body[box].mas", "did you mean mass"),
        ("body[box].position.w", "nothing can be put under 'w'"),
        ("body[box].mass.x", "nothing can be put under 'x'"),
    ],
)
def test_mistakes_are_named(file, capsys, place, words):
    assert run(["sweep", str(file), "--vary", f"{place}=1,2", "-o", str(file.with_suffix(".h5"))]) != 0
    assert words in " ".join(capsys.readouterr().err.split())
    assert not file.with_suffix(".h5").exists()


def test_a_run_keeps_what_it_was_given(file, tmp_path):
    path = tmp_path / "run.h5"
    assert run(["simulate", str(file), "--set", "body[box].mass=8", "-o", str(path)]) == 0
    assert h.system_of(h.Results.open(path)).model.bodies[0].mass == 8.0
