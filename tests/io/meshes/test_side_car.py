"""NAME.props.toml beside a deck gives what the deck lacks: materials, supports, masses, couplings, units."""

from __future__ import annotations

import json

import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.cli.main import run
from floatframe.errors import ReadError

PROPS = """format = "floatframe-props/1"
[material.{name}]
E = 2.1e11
nu = 0.3
rho = 7850.0
"""
DECKS = {
    "bar.cdb": (
        "/PREP7\nET,1,188\nSECTYPE,1,BEAM,RECT\nSECDATA,.02,.03\nN,1\nN,2,2\nMAT,7\nE,1,2\nCMSEL,ALL\n"
        "CMBLOCK,TIP,NODE,1\n(8i10)\n         2\n",
        "7",
    ),
    "bar.inp": (
        "*NODE\n1\n2,2.\n*NSET,NSET=TIP\n2\n*ELEMENT,TYPE=B31,ELSET=E\n1,1,2\n"
        "*BEAM SECTION,ELSET=E,MATERIAL=steel-7,SECTION=RECT\n.02,.03\n0,1,0\n",
        "steel-7",
    ),
    "bar.bdf": (
        "BEGIN BULK\nGRID,1,,0.,0.,0.\nGRID,2,,2.,0.,0.\nSET1,5,2\nCBAR,1,1,1,2,0.,0.,1.\n"
        "PBARL,1,7,,BAR\n,.02,.03\nENDDATA\n",
        "7",
    ),
}
TIPS = {"bar.cdb": "TIP", "bar.inp": "TIP", "bar.bdf": "SET 5"}
WEIGHT = 2 * 0.02 * 0.03 * 7850.0


@pytest.fixture(params=DECKS)
def deck(request, tmp_path):
    """A deck without the material its one beam uses, and the name of that material."""
    path = tmp_path / request.param
    path.write_text(DECKS[request.param][0])
    return path, DECKS[request.param][1]


def side_car(path, text):
    path.with_name("bar.props.toml").write_text(text)


def test_missing_material_names_the_cure_and_the_cure_works(deck):
    path, name = deck
    with pytest.raises(ReadError, match=rf"material '?{name}.*\[material\.{name}\] in 'bar\.props\.toml'.*--props"):
        ff.io.read(path)
    side_car(path, PROPS.format(name=name))
    assert ff.io.read(path).mass_properties().mass == pytest.approx(WEIGHT, rel=1e-12)


def test_template_names_the_materials_the_deck_uses(deck):
    path, name = deck
    target = ff.io.write_template(path)
    assert target.name == "bar.props.toml"
    assert f"[material.{name}]" in target.read_text()
    assert ff.io.read(path).mass_properties().mass == pytest.approx(WEIGHT, rel=1e-12)  # the template is of steel
    with pytest.raises(ReadError, match="exists already"):
        ff.io.write_template(path)


def test_side_car_of_another_name(deck, tmp_path):
    path, name = deck
    other = tmp_path / "other.toml"
    other.write_text(PROPS.format(name=name))
    assert ff.io.read(path, props=other).nelement == 1
    with pytest.raises(ReadError, match=r"nowhere\.toml' cannot be read: No such file"):
        ff.io.read(path, props=tmp_path / "nowhere.toml")


def test_supports_masses_and_couplings_are_added_in_the_units_of_the_file(deck):
    path, name = deck
    tip = TIPS[path.name]
    more = f'[[support]]\nset = 1\ncomponents = "uz"\n[[mass]]\nset = "{tip}"\nmass = 0.5\noffset = [0, 0, 100]\n'
    more += f'[[coupling]]\nset = "{tip}"\n'
    text = PROPS.format(name=name).replace("[material", 'units = "mm-t-s"\n[material', 1)
    side_car(path, text + more)
    fe = ff.io.read(path)
    assert fe.supports.tolist() == [[1, 2]]
    assert fe.point_masses[0].mass == 500.0  # tonnes
    assert_allclose(fe.point_masses[0].offset, [0, 0, 0.1])
    assert fe.node_sets[f"{tip}_ref"].tolist() == [3]
    assert_allclose(fe.nodes[1], [0.002, 0, 0])
    with pytest.raises(ReadError, match=r"units are 'SI' by request and 'mm-t-s' in"):
        ff.io.read(path, units="SI")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[group.E]\nmaterial = "steel"\n', r"\[group\] tables are for bare meshes; 'bar\.\w+' has elements"),
        ('[[support]]\nset = "nowhere"\n', "node set 'nowhere' is unknown"),
        ("[[mass]]\nmass = 3\n", "'set' is missing"),
        ("[material.x]\nE = 'stiff'\n", r"\[material\.x\] must give E, nu and rho as numbers"),
        ("[material.x]\nE = 2e11\nnu = 0.3\nrho = 1\ncolour = 3\n", "colour"),
    ],
)
def test_wrong_side_cars_are_named(deck, text, message):
    path, name = deck
    side_car(path, PROPS.format(name=name) + text)
    with pytest.raises(ReadError, match=r"bar\.props\.toml'.*" + message):
        ff.io.read(path)


def test_materials_nobody_uses_are_mentioned(deck):
    path, name = deck
    side_car(path, PROPS.format(name=name) + "[material.99]\nE = 1e9\nnu = 0.3\nrho = 1000.0\n")
    assert any("material '99' of bar.props.toml is used by no element" in w for w in _warnings(path))


def test_own_formats_take_no_side_car(tmp_path):
    ff.io.write(tmp_path / "b.h5", ff.fem.beam_line((0, 0, 0), (1, 0, 0), 2, ff.fem.BeamSection.circle(0.1),
                                                    ff.fem.Material(2e11, 0.3, 7850.0)))  # fmt: skip
    with pytest.raises(ReadError, match="holds all properties"):
        ff.io.read(tmp_path / "b.h5", props="x.toml")


def _warnings(path):
    return ff.io.read_with_report(path).report.warnings


# the command line


def test_commands_take_properties_options_and_couplings(tmp_path, capsys):
    """One deck without material: a side-car, a temperature and a reference node, through convert and modes."""
    path, props, model = tmp_path / "bar.inp", tmp_path / "p.toml", tmp_path / "bar.h5"
    path.write_text(DECKS["bar.inp"][0])
    props.write_text(PROPS.format(name="steel-7"))
    assert run(["modes", str(path), "-n", "1"]) == 1
    assert "[material.steel-7] in 'bar.props.toml'" in capsys.readouterr().err
    arguments = [
        "convert",
        str(path),
        str(model),
        "--props",
        str(props),
        "--couple",
        "TIP",
        "--option",
        "temperature=80",
    ]
    assert run(arguments) == 0
    assert ff.io.read(model).node_sets["TIP_ref"].tolist() == [3]
    capsys.readouterr()
    assert (
        run(["modes", str(path), "-n", "1", "--props", str(props), "--couple", "TIP", "--fixed", "TIP", "--json"]) == 0
    )
    first = json.loads(capsys.readouterr().out)["modes"][0]["frequency_hz"]
    whole = ff.modal.eigenmodes(ff.io.read(path, props=props), n=1, fixed=["TIP"]).frequency[0]
    assert first == pytest.approx(whole, rel=1e-6)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("temperature", "'temperature' must have the form NAME=VALUE, e.g. temperature=80"),
        ("materials=steel", "must have the form NAME=VALUE"),
        ("colour=red", "has no option 'colour'; its options: temperature, dialect, materials"),
    ],
)
def test_wrong_options_are_named(tmp_path, capsys, option, message):
    path = tmp_path / "bar.inp"
    path.write_text(DECKS["bar.inp"][0])
    assert run(["info", str(path), "--option", option]) != 0
    assert message in capsys.readouterr().err


def test_temperature_is_chosen_on_the_command_line(tmp_path, capsys):
    path = tmp_path / "bar.cdb"
    tables = "MPTEMP,1,0,100\nMPDATA,EX,7,1,2.0e11,1.8e11\nMPDATA,DENS,7,1,7850,7850\nMP,PRXY,7,0.3\n"
    path.write_text(DECKS["bar.cdb"][0].replace("SECTYPE", tables + "SECTYPE", 1))
    found = []
    for temperature in (0, 100):
        arguments = ["modes", str(path), "-n", "1", "--fixed", "1", "--json", "--option", f"temperature={temperature}"]
        assert run(arguments) == 0
        found.append(json.loads(capsys.readouterr().out)["modes"][0]["frequency_hz"])
    assert found[1] / found[0] == pytest.approx(0.9**0.5, rel=1e-9)


def test_the_side_car_gives_walls_that_a_deck_lacks(tmp_path):
    path = tmp_path / "bar.cdb"
    path.write_text("/PREP7\nET,1,181\nMP,EX,1,2E11\nMP,DENS,1,1000\nN,1\nN,2,2\nN,3,2,1\nN,4,0,1\nSECN,3\nE,1,2,3,4\n")
    with pytest.raises(
        ReadError, match=r"SHELL181 element 1 has neither shell section 3 .* \[section\.3\] in 'bar\.props"
    ):
        ff.io.read(path)
    text = ff.io.write_template(path).read_text()
    assert "[section.3]  # shells\nthickness = 0.01" in text
    side_car(path, 'format = "floatframe-props/1"\n[section.3]\nthickness = 0.05\n')
    assert ff.io.read(path).mass_properties().mass == pytest.approx(2 * 0.05 * 1000, rel=1e-12)


def test_sections_that_no_element_needs_are_reported(tmp_path):
    path = tmp_path / "bar.inp"
    path.write_text(DECKS["bar.inp"][0])
    side_car(path, PROPS.format(name="steel-7") + "[section.3]\nthickness = 0.05\n")
    (warning,) = ff.io.read_with_report(path).report.warnings
    assert warning.startswith("section '3' of bar.props.toml is used by no element")


def test_springs_are_added_in_the_units_of_the_file(deck):
    path, name = deck
    more = f'[[spring]]\nfrom = "{TIPS[path.name]}"\nto = 1\nstiffness = 3.0\n'
    more += "[[spring]]\nfrom = 2\nstiffness = [1, 2, 3, 0, 0, 4]\n"
    side_car(path, PROPS.format(name=name).replace("[material", 'units = "mm-t-s"\n[material', 1) + more)
    line, ground = ff.io.read(path).blocks[-2:]
    assert_allclose(line.data["stiffness"], [3e3])  # N/mm
    assert_allclose(ground.data["stiffness"], [[1e3, 2e3, 3e3, 0, 0, 4e-3]])  # N/mm and N mm


# decks that hold only a mesh: elements without sections and materials
WALL = 'material = "steel"\nthickness = 0.01'
RIB = 'material = "steel"\nbeam = { A = 2e-4, Iy = 1e-8, Iz = 1e-8, J = 2e-8 }'
MESHES = {
    "wall.inp": (
        "*NODE\n1,0,0,0\n2,2,0,0\n3,2,1,0\n4,0,1,0\n5,2,0,1\n6,0,0,1\n*ELEMENT,TYPE=S4,ELSET=Wall\n1,1,2,3,4\n"
        "*ELEMENT,TYPE=B31,ELSET=RIB\n2,1,2\n*ELEMENT,TYPE=C3D4,ELSET=BLOCK\n3,1,2,3,5\n",
        {"wall": WALL, "RIB": RIB + "\nn1 = [0, 0, 1]", "BLOCK": 'material = "steel"'},
    ),
    "wall.bdf": (
        "BEGIN BULK\nGRID,1,,0.,0.,0.\nGRID,2,,2.,0.,0.\nGRID,3,,2.,1.,0.\nGRID,4,,0.,1.,0.\nGRID,5,,2.,0.,1.\n"
        "GRID,6,,0.,0.,1.\nCQUAD4,1,11,1,2,3,4\nCBAR,2,12,1,2,0.,0.,1.\nCTETRA,3,13,1,2,3,5\nENDDATA\n",
        {"11": WALL, "12": RIB, "*": 'material = "steel"'},
    ),
}
WALL_WEIGHT = 7850.0 * (2 * 1 * 0.01 + 2 * 2e-4 + 2.0 / 6.0)


@pytest.fixture(params=MESHES)
def bare(request, tmp_path):
    path = tmp_path / request.param
    path.write_text(MESHES[request.param][0])
    return path, MESHES[request.param][1]


def test_decks_that_hold_only_a_mesh_get_sections_and_materials(bare):
    path, sections = bare
    with pytest.raises(ReadError, match=r"\[section\.(Wall|11)\] in 'wall\.props\.toml'.*--template"):
        ff.io.read(path)
    tables = "".join(f'[section."{name}"]\n{text}\n' for name, text in sections.items())
    path.with_name("wall.props.toml").write_text(PROPS.format(name="steel") + tables)
    fe = ff.io.read(path)
    assert {block.kind for block in fe.blocks} == {"shell4", "beam", "tet4"}
    assert fe.mass_properties().mass == pytest.approx(WALL_WEIGHT, rel=1e-12)


def test_templates_of_such_decks_can_be_read_as_they_are(bare):
    path, _ = bare
    text = ff.io.write_template(path).read_text()
    assert text.count("[section.") == 3
    assert text.count("[material.steel]") == 1
    assert ff.io.read(path).nelement == 3


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("Wall", 'material = "steel"', r"\[section\.Wall\] is for shell elements and needs 'thickness'"),
        ("Wall", "thickness = 0.01", r"\[section\.Wall\] must name a material"),
        ("Wall", 'material = "steel"\nthickness = 0\noffset = 1', r"'thickness' is 0; it must be positive"),
        ("Wall", 'material = "steel"\nthickness = [1]', r"\[section\.Wall\]: .*float"),
        ("*", 'material = "steel"\nthickness = 0.1\ncolour = 1', r"'colour' is unknown for a shell"),
    ],
)
def test_wrong_sections_of_decks_are_named(tmp_path, name, text, message):
    path = tmp_path / "wall.inp"
    path.write_text(MESHES["wall.inp"][0])
    path.with_name("wall.props.toml").write_text(f'{PROPS.format(name="steel")}[section."{name}"]\n{text}\n')
    with pytest.raises(ReadError, match=rf"wall\.props\.toml'.*{message}"):
        ff.io.read(path)
