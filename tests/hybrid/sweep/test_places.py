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
    with pytest.warns(UserWarning, match="its position was changed"):  # the axis has turned
        result = model.model.compile().simulate(**model.simulate)
    assert result["box.position"][-1, 1] != 0.0


def test_gravity_and_entries_of_lists(file):
    assert h.read_model(file, {"gravity.z": -9.81}).model.gravity == (0.0, 0.0, -9.81)
    found = h.sweep(file, {"gravity.x": [0.0, 9.81]}, "equilibrium", measure="guide.displacement", workers=1)
    assert_allclose(found["guide.displacement"], [0.0, 2.0 * 9.81 / 100.0], atol=1e-9)  # weight over stiffness
    compiled = h.read_model(file, {"body[box].inertia.3": 1.5}).model.compile()
    (box,) = (body for body in compiled.model.bodies if body.name == "box")
    assert_allclose(np.diag(np.asarray(box.inertia).reshape(3, 3)), [1.0, 1.0, 1.5])
    with pytest.raises(ff.ModelError, match="nothing can be put under '4' there; the list there has entries 1 to 3"):
        h.read_model(file, {"body[box].inertia.4": 1.0})
    for place in ("body[rear.box].mass", "rear.body[box].mass", "subsystem[rear].body[box].mass"):
        with pytest.raises(ff.ModelError, match="lies inside a part, of which only parameters"):
            h.read_model(file, {place: 1.0})


@pytest.fixture
def rod(tmp_path):
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
    return file


def test_the_number_of_modes_varies(rod):
    found = h.sweep(rod, {"flexible[rod].modes": [2, 10]}, "linear", n=3)
    exact = 1.8751041**2 * np.sqrt(2.1e11 * 0.02**2 / (12 * 7850.0)) / (2 * np.pi * 2.0**2)
    assert_allclose(found["frequency.1"], exact, rtol=1e-3)  # static shapes carry most of it
    assert found["frequency.3"][0] > found["frequency.3"][1]  # fewer shapes are stiffer


def test_sets_of_modes_vary_and_are_named(rod, tmp_path, capsys):
    """Modes come in pairs, bending about y and z: of the first pair either one is left out."""
    sets = [[1, 2, 3, 4], [1, 3, 4], [2, 3, 4]]
    found = h.sweep(rod, {"flexible[rod].modes": sets}, "linear", n=4)
    assert found.choices == {"flexible[rod].modes": ("[1, 2, 3, 4]", "[1, 3, 4]", "[2, 3, 4]")}
    for k, chosen in enumerate(sets):  # the same as runs with that list in the file
        alone = h.read_model(rod, {"flexible[rod].modes": str(chosen)}).model.compile()
        assert_allclose(found.frequency[k], alone.linearise(alone.initial_state(), n=4).frequency, rtol=1e-9)
    assert_allclose(found.frequency[1], found.frequency[2], rtol=1e-9)  # a square section does not mind which
    assert found.frequency[0, 2] < found.frequency[1, 3]  # and with both the second pair is softer
    path = tmp_path / "sets.h5"
    chosen = "flexible[rod].modes=[1,2,3,4] | [1,3,4]"
    assert run(["sweep", str(rod), "--vary", chosen, "--study", "linear", "-n", "4", "-o", str(path)]) == 0
    assert "[1,3,4]" in capsys.readouterr().out
    part = ff.io.read(path).where({"flexible[rod].modes": "[1,3,4]"})
    assert_allclose(part.frequency, found.frequency[1], rtol=1e-9)
    longer = ["sweep", str(rod), "--vary", f"{chosen} | [2]", "--study", "linear", "-o", str(path), "--resume"]
    assert run(longer) != 0  # numbers of choices would mean something else
    assert "was begun with" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ("[1,2] | ", "a choice is empty"),
        ("[1,2] | [1,2]", "has the choice [1,2] twice"),
        ("[1] | [99]", "mode 99 does not exist"),
        ("[2,99]", "mode 99 does not exist"),  # a list alone is one choice
    ],
)
def test_choices_that_cannot_be_are_named(rod, capsys, values, words):
    command = ["sweep", str(rod), "--vary", f"flexible[rod].modes={values}", "--study", "linear"]
    assert run([*command, "-o", str(rod.with_name("sets.h5"))]) != 0
    found = capsys.readouterr()
    assert words in " ".join((found.out + found.err).split())


def test_units_of_what_varies_stand_in_tables_and_at_axes(file, tmp_path, capsys):
    """A name may carry its unit, which changes no number; the place in a list is no unit."""
    path = tmp_path / "units.h5"
    vary = ["--vary", "k [N/m]=100,400", "--vary", "body[box].mass [kg]=1,4", "--study", "linear"]
    assert run(["sweep", str(file), *vary, "-n", "1", "-o", str(path)]) == 0
    assert "k [N/m]   body[box].mass [kg]" in capsys.readouterr().out
    found = ff.io.read(path)
    assert found.units == {"k": "N/m", "body[box].mass": "kg"}
    assert_allclose(found["frequency.1"] * 2 * np.pi, np.sqrt([[100, 25], [400, 100]]), rtol=1e-9)
    assert found.heading("frequency.1") == "frequency.1 [Hz]"
    assert found.where({"k": 100}).units["body[box].mass"] == "kg"
    assert run(["plot", str(path), "--csv", str(tmp_path / "units.csv")]) == 0
    assert (tmp_path / "units.csv").read_text().startswith("k [N/m],body[box].mass [kg],frequency.1 [Hz]")
    with pytest.raises(ff.ModelError, match="'k' varies twice"):
        h.sweep(file, {"k": 1.0, "k [N/m]": 2.0})


def test_parameters_are_numbers(file):
    with pytest.raises(ff.ModelError, match="'k' is a parameter, whose values are numbers"):
        h.sweep(file, {"k": "1 | 2"})


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
