"""Mistakes in model files: each is reported with its file, its line, what is wrong and what is near or expected."""

# ruff: noqa: E501  # one mistake, one line

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

import floatframe as ff
from floatframe import hybrid as h

GOOD = """\
format = "floatframe-model/1"
gravity = [0, 0, -9.81]

[parameters]
torque = 100.0
drag = "torque/10"

[tables.hump]
x = [0, 1, 2]
y = [0, 5, 0]

[[body]]
name = "crank"
mass = 7.4
inertia = [0.1, 1.3, 1.3]
com = [0.5, 0, 0]

[[body]]
name = "slider"
mass = 9.4
position = [1, 0, 0]

[[flexible]]
name = "rod"
file = "input.fum"
damping = 0.01

[define.wheel.parameters]
m = 5.0
[[define.wheel.body]]
name = "disc"
mass = "m"

[[subsystem]]
name = "front"
use = "wheel"
parameters = { m = 6.0 }

[[joint]]
name = "A"
type = "revolute"
place = { body = "crank" }
against = { body = "ground", point = [0, 0, 0] }
axis = [0, 1, 0]

[[joint]]
name = "B"
type = "spherical"
place = { body = "rod", node = 1 }
against = { body = "crank", point = [1, 0, 0] }

[[force]]
name = "drive"
type = "joint_torque"
joint = "A"
torque = "torque - drag*rate"

[[force]]
name = "coil"
type = "spring"
place = { body = "slider" }
against = { body = "ground", point = [0, 0, 1] }
stiffness = 1000.0

[record]
every = 1e-3
channels = ["crank.angular_velocity"]

[simulate]
t_end = 2.0
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A folder with the file of a flexible body, interface nodes 1 and 11, and a broken one."""
    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
    fe = ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=10, section=ff.fem.BeamSection.rectangle(0.02, 0.02), material=steel)
    path = tmp_path_factory.mktemp("model")
    ff.io.write(path / "input.fum", ff.modal.reduce(fe, interface=[1, 11], n_modes=4))
    (path / "broken.fum").write_bytes((path / "input.fum").read_bytes()[:500])
    (path / "bad.csv").write_text("0,1\n0,2\n", encoding="utf-8")
    return path


def complaint(path: Path, text: str) -> str:
    """Write a file, read and flatten it, and return the error without the folder."""
    file = path / "m.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ff.errors.FloatframeError) as caught:
        h.read_model(file).model.flatten()
    said = str(caught.value)
    assert said.startswith(f"{file}:"), said
    if isinstance(caught.value, h.ModelFileError):
        assert caught.value.path == file
        assert said.startswith(f"{file}:{caught.value.line}:")
    return said.removeprefix(f"{path}/")


def test_the_file_without_mistakes(folder):
    file = folder / "good.toml"
    file.write_text(GOOD, encoding="utf-8")
    flat = h.read_model(file).model.flatten()
    assert [body.name for body in flat.bodies] == ["crank", "slider", "rod", "front.disc"]


# (what is replaced, by what, text at which the line is expected, what is said)
MISTAKES = {
    "unknown top table": ("[[joint]]\nname = \"A\"", "[[joints]]\nname = \"A\"", "[[joints]]", "did you mean joint?"),
    "unknown key": ("com = [", "comm = [", "comm =", "'comm' is not a key of a body; did you mean com"),
    "unknown key of a joint": ("axis = [0, 1, 0]", "axes = [0, 1, 0]", "axes =", "'axes' is not a key of a revolute; did you mean axis"),
    "key of another type": ('type = "spherical"', 'type = "spherical"\npitch = 1', "pitch =", "not a key of a spherical"),
    "missing key": ("mass = 7.4\n", "", "[[body]]", "body 'crank': 'mass' is missing, expected mass [kg]"),
    "missing type": ('type = "revolute"\n', "", "[[joint]]", "joint 'A': 'type' is missing, expected one of revolute"),
    "missing place": ('place = { body = "crank" }\n', "", "[[joint]]", "'place' is missing"),
    "missing name": ('name = "slider"\n', "", None, "body number 2: 'name' is missing"),
    "unknown type of joint": ('"revolute"', '"revolut"', '"revolut"', 'unknown type "revolut"; did you mean revolute'),
    "unknown type of force": ('"spring"', '"sprong"', '"sprong"', "did you mean spring"),
    "user function": ('"spring"', '"user_force"', '"user_force"', "cannot name Python functions"),
    "number as text without meaning": ("mass = 7.4", 'mass = "7,4"', "mass =", "expected an operator or the end"),
    "truth for a number": ("mass = 7.4", "mass = true", "mass =", "mass is true, expected a number"),
    "number for a list": ("com = [0.5, 0, 0]", "com = 0.5", "com =", "com is 0.5, expected a list of numbers"),
    "two numbers of three": ("com = [0.5, 0, 0]", "com = [0.5, 0]", "com =", "found 2 numbers, expected three"),
    "number for a text": ('name = "crank"', "name = 7", "name = 7", "name is 7, expected a text"),
    "number in text": ("node = 1 ", 'node = "1" ', "node =", "no node named '1'; write a number without quotation marks"),
    "broken number of a node": ("node = 1 ", "node = 1.5 ", "node =", "node is 1.5, expected the number of a node, or its name"),
    "text for a place": ('place = { body = "crank" }', 'place = "crank"', 'place = "crank"', "expected a table { key"),
    "place without body": ('place = { body = "slider" }', "place = { point = [0, 0, 0] }", "place = { point", "'body' is missing"),
    "unknown key in a place": ("node = 1 ", "nod = 1 ", "nod =", "'nod' is not a key of a place; did you mean node"),
    "point and node": ("node = 1 ", "node = 1, point = [0, 0, 0] ", "node = 1,", "a point and a node"),
    "unknown body": ('place = { body = "crank" }', 'place = { body = "crnk" }', '"crnk"', "body 'crnk' does not exist; did you mean crank?"),
    "unknown joint": ('joint = "A"', 'joint = "AA"', 'joint = "AA"', "joint 'AA' does not exist; did you mean A"),
    "unknown node": ("node = 1 ", "node = 77 ", "node = 77", "has no node 77"),
    "not an interface node": ("node = 1 ", "node = 5 ", "node = 5", "its interface nodes are 1, 11"),
    "node of a rigid body": ('{ body = "slider" }', '{ body = "slider", node = 3 }', "node = 3", "is rigid and has no node 3"),
    "unknown name in an expression": ("drag*rate", "drga*rate", "drga*rate", "unknown name 'drga'"),
    "unknown parameter in a parameter": ('"torque/10"', '"torqe/10"', '"torqe/10"', "unknown parameter 'torqe'"),
    "parameters in a circle": ("torque = 100.0", 'torque = "drag"', "[parameters]", "drag -> torque -> drag depend on each other"),
    "reserved parameter": ("torque = 100.0", "sin = 1\ntorque = 100.0", "sin = 1", "'sin' cannot be the name of a parameter"),
    "unknown table": ("torque - drag*rate", "table(hmp, rate)", "table(hmp", "unknown table 'hmp'"),
    "unknown table as a law": ('"torque - drag*rate"', '{ table = "hmp" }', '"hmp"', "table 'hmp' does not exist; did you mean hump?"),
    "falling table": ("x = [0, 1, 2]", "x = [0, 2, 1]", "[tables.hump]", "expected increasing x"),
    "table without y": ("y = [0, 5, 0]\n", "", "[tables.hump]", "hump has x; expected file, or x and y, or road and length"),
    "table with a bad file": ("x = [0, 1, 2]\ny = [0, 5, 0]", 'file = "bad.csv"', "[tables.hump]", "bad.csv:2: x = 0 follows x = 0"),
    "kind of table": ("y = [0, 5, 0]", 'y = [0, 5, 0]\nkind = "qubic"', "kind =", "did you mean cubic?"),
    "duplicate name": ('name = "slider"', 'name = "crank"', None, "the name is used already, in line 12"),
    "reserved name": ('name = "slider"', 'name = "ground"', 'name = "ground"', "the word 'ground' is reserved"),
    "impossible name": ('name = "slider"', 'name = "my slider"', 'name = "my slider"', "a name begins with a letter"),
    "zero mass": ("mass = 9.4", "mass = 0", "[[body]]\nname = \"slider\"", "found a mass of 0 kg, expected more than zero"),
    "endless mass": ("mass = 9.4", "mass = 1e308", "mass = 1e308", "found 1e+308, expected at most 1e+100"),
    "endless inertia": ("inertia = [0.1, 1.3, 1.3]", "inertia = [1e308, 1e308, 1e308]", "inertia = [1e308", "inertia: found 1e+308, expected at most 1e+100"),
    "impossible inertia": ("inertia = [0.1, 1.3, 1.3]", "inertia = [0.1, 0.1, 1.3]", "[[body]]\nname = \"crank\"", "no body has one larger"),
    "axis of no length": ("axis = [0, 1, 0]", "axis = [0, 0, 0]", "axis =", "found an axis of length zero"),
    "start values": ("axis = [0, 1, 0]", "start = [1, 2]", "start =", "found 2 values, a revolute joint has 1 coordinate"),
    "both places on one body": ('against = { body = "crank", point', 'against = { body = "rod", node = 1 } # { point', None, "both places"),
    "missing file": ('"input.fum"', '"inptu.fum"', '"inptu.fum"', "file 'inptu.fum' does not exist beside it; did you mean input.fum"),
    "missing folder": ('"input.fum"', '"x/input.fum"', '"x/input.fum"', "nor its folder"),
    "broken file": ('"input.fum"', '"broken.fum"', None, "broken.fum"),
    "stiffening": ("damping = 0.01", 'stiffening = "ful"', "stiffening", "did you mean full?"),
    "ratios per mode": ("damping = 0.01", "damping = [0.1, 0.2]", "damping =", "found 2 ratios"),
    "unknown part": ('use = "wheel"', 'use = "whel"', 'use = "whel"', "[define.whel] does not exist in this file; did you mean wheel?"),
    "part from nowhere": ('use = "wheel"\n', "", "[[subsystem]]", "expected either file"),
    "parameter of a part": ("{ m = 6.0 }", "{ mm = 6.0 }", "mm = 6.0", "has no parameter 'mm'; did you mean m"),
    "expression for a part": ("{ m = 6.0 }", '{ m = "torq" }', '"torq"', "unknown name 'torq'"),
    "expression inside a part": ('mass = "m"', 'mass = "n"', 'mass = "n"', "body 'front.disc', mass: unknown name 'n'"),
    "default of a part": ("m = 5.0", "k = \"kk\"\nm = 5.0", 'k = "kk"', "unknown parameter 'kk'"),
    "unknown table in a part": ("[[define.wheel.body]]", "[define.wheel.record]\n[[define.wheel.body]]", "[define.wheel.record]", "not a table or key of a part"),
    "part in itself": ('[[subsystem]]\nname = "front"', '[[define.wheel.subsystem]]\nname = "in"\nuse = "wheel"\n[[subsystem]]\nname = "front"', 'use = "wheel"', "wheel -> wheel"),
    "settings with double brackets": ("[simulate]", "[[simulate]]", "[[simulate]]", "simulate is a list of 1, expected a table"),
    "unknown key of settings": ("every = 1e-3", "evry = 1e-3", "evry", "'evry' is not a key of [record]; did you mean every"),
    "record": ("every = 1e-3", "every = -1", "[record]", "expected a time above 0 s; leave it out"),
    "record of text": ('channels = ["crank.angular_velocity"]', 'channels = "all"', "channels =", 'is "all", expected a list of texts'),
    "setting": ("t_end = 2.0", 't_end = "2*T"', "t_end =", "simulate, t_end: unknown name 'T'"),
    "setting missing": ("t_end = 2.0", "step = 1e-3", "[simulate]", "'t_end' is missing"),
    "gravity": ("gravity = [0, 0, -9.81]", "gravity = 9.81", "gravity =", "found 9.81, expected three numbers"),
    "format of later days": ("floatframe-model/1", "floatframe-model/9", "format =", 'format is "floatframe-model/9", expected "floatframe-model/1"'),
}  # fmt: skip


@pytest.mark.parametrize("what", MISTAKES)
def test_mistakes_have_file_line_and_cure(folder, what):
    old, new, at, said = MISTAKES[what]
    assert old in GOOD
    text = GOOD.replace(old, new, 1)
    found = complaint(folder, text)
    assert said in found
    if at is not None:
        assert at in text
        line = text[: text.index(at)].count("\n") + 1
        assert found.startswith(f"m.toml:{line}: "), found


def test_single_brackets_for_a_list(folder):
    text = 'format = "floatframe-model/1"\n[body]\nname = "a"\nmass = 1\n'
    assert complaint(folder, text).startswith("m.toml:2: body is a table, expected a list of tables; open every one")


def test_line_of_a_second_thing_with_the_same_name(folder):
    text = GOOD.replace('name = "slider"', 'name = "crank"')
    line = text.splitlines().index('name = "crank"', 15) + 1
    assert complaint(folder, text).startswith(f"m.toml:{line}: body 'crank': the name is used already, in line 12")


def test_a_mistake_in_an_expression_has_a_caret(folder):
    said = complaint(folder, GOOD.replace("torque - drag*rate", "torque - (drag*rate"))
    line, shown, caret = said.split("\n")
    number = GOOD.splitlines().index('torque = "torque - drag*rate"') + 1
    assert line.startswith(f"m.toml:{number}: joint_torque 'drive', torque: found the end of the expression")
    assert shown == "    torque - (drag*rate"
    assert caret.index("^") == 4 + len("torque - (drag*rate")


SYNTAX = {
    "no quotation marks": ('"torque - drag*rate"', "torque - drag*rate", "torque = torque", "in quotation marks"),
    "decimal comma": ("mass = 7.4", "mass = 7,4", "mass = 7,4", "decimal point"),
    "key twice": ("mass = 7.4", "mass = 7.4\nmass = 7.4", "mass = 7.4\ncom", "Cannot overwrite"),
    "table twice": ("[record]", "[record]\n[record]", None, "a table may appear once only"),
    "open bracket": ("com = [0.5, 0, 0]", "com = [0.5, 0, 0", None, "invalid TOML"),
    "open text": ('name = "crank"', 'name = "crank', 'name = "crank\n', "invalid TOML"),
    "no equals": ("mass = 7.4", "mass 7.4", "mass 7.4", "Expected '='"),
}


@pytest.mark.parametrize("what", SYNTAX)
def test_toml_mistakes(folder, what):
    old, new, at, said = SYNTAX[what]
    text = GOOD.replace(old, new, 1)
    found = complaint(folder, text)
    assert said in found
    if at is not None and at in text:
        line = text[: text.index(at)].count("\n") + 1
        assert found.startswith(f"m.toml:{line}: "), found
    # the line in question and a caret below it
    _, shown, caret = found.split("\n")
    number = int(re.match(r"m.toml:(\d+):", found)[1])
    assert shown.strip() == text.split("\n")[number - 1].strip()
    assert caret.strip() == "^"


# files that are no model files


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("name = 'Привет'".encode("cp1251"), ":1: found the byte 0xcf, which is not UTF-8"),
        ("x = 1\n".encode("utf-16"), ": is UTF-16 text, expected UTF-8"),
        (b"\x89HDF\r\n\x1a\n\0\0\xff", ": is not a text file"),
        (
            b"",
            ': format is missing, expected format = "floatframe-model/1" at the top of a model file, '
            '"floatframe-network/1" at that of a network, "floatframe-mesh/1" at that of a mesh file',
        ),
        (b"[material.steel]\nE = 2e11\n", ": format is missing"),
        (b"t = 1\n[[element]]\n", ':2: format is missing, expected format = "floatframe-model/1" at the top'),
        (
            b'format = "floatframe-network/1"\n',
            ':1: format is "floatframe-network/1", expected "floatframe-model/1"; networks are for simulate, ',
        ),
        (b"x = " + b"[" * 5000 + b"]" * 5000, ""),
    ],
)
def test_other_files(tmp_path, content, said):
    path = tmp_path / "x.toml"
    path.write_bytes(content)
    with pytest.raises(ff.errors.FloatframeError) as caught:
        h.read_model(path)
    assert str(caught.value).startswith(f"{path}{said}")


def test_no_file_and_a_folder(tmp_path):
    with pytest.raises(ff.errors.ReadError, match=r"none\.toml: the file does not exist"):
        h.read_model(tmp_path / "none.toml")
    with pytest.raises(ff.errors.ReadError, match="cannot be read"):
        h.read_model(tmp_path)


# mistakes across files

HEAD = 'format = "floatframe-model/1"\n'


def use(name: str, file: str) -> str:
    return f'{HEAD}[[subsystem]]\nname = "{name}"\nfile = "{file}"\n'


def test_files_in_a_circle(tmp_path):
    for name, other in (("a", "b"), ("b", "c"), ("c", "b")):
        (tmp_path / f"{name}.toml").write_text(use("part", f"{other}.toml"), encoding="utf-8")
    with pytest.raises(h.ModelFileError, match=r"c\.toml:4: .*b\.toml -> c\.toml -> b\.toml"):
        h.read_model(tmp_path / "a.toml")
    (tmp_path / "self.toml").write_text(use("part", "self.toml"), encoding="utf-8")
    with pytest.raises(h.ModelFileError, match=r"self\.toml:4: .*self\.toml -> self\.toml"):
        h.read_model(tmp_path / "self.toml")


def test_mistake_in_a_part_names_the_file_of_the_part(tmp_path):
    (tmp_path / "top.toml").write_text(use("front", "part.toml"), encoding="utf-8")
    part = tmp_path / "part.toml"
    part.write_text(f'{HEAD}[[body]]\nname = "wheel"\nmass = "m"\n', encoding="utf-8")
    file = h.read_model(tmp_path / "top.toml")
    with pytest.raises(h.ModelFileError, match=r"part\.toml:4: body 'front\.wheel', mass: unknown name 'm'"):
        file.model.flatten()
    part.write_text(f'{HEAD}[[body]]\nname = "wheel"\nmas = 1\n', encoding="utf-8")
    with pytest.raises(h.ModelFileError, match=r"part\.toml:4: body 'wheel': 'mas' is not a key"):
        h.read_model(tmp_path / "top.toml")


def test_mistakes_that_only_compiling_finds(folder):
    shutil.copy(folder / "input.fum", folder / "again.fum")
    for old, new, at, said in (
        # the crank is 1 m long and hangs at a point 3 m away at both ends
        (
            '[[force]]\nname = "coil"',
            '[[joint]]\nname = "C"\ntype = "spherical"\nplace = { body = "crank", point = [1, 0, 0] }\n'
            'against = { body = "ground", point = [3, 0, 0] }\n[[force]]\nname = "coil"',
            '[[joint]]\nname = "C"',
            "joint 'C' stays open by",
        ),
        ("drag*rate", "crank.speed", 'torque = "torque - crank.speed', "unknown name 'crank.speed'"),
    ):
        text = GOOD.replace(old, new, 1)
        file = folder / "c.toml"
        file.write_text(text, encoding="utf-8")
        line = text[: text.index(at)].count("\n") + 1
        with pytest.raises(h.ModelFileError, match=rf"c\.toml:{line}: .*{said}"):
            h.read_model(file).model.compile()


# several mistakes at once


def problems(path: Path, text: str) -> list[str]:
    """Return what is found in one go, without the folder."""
    file = path / "many.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(h.ModelFileError) as caught:
        h.read_model(file).model.flatten()
    return [str(problem).removeprefix(f"{path}/") for problem in caught.value.problems]


def changed(*names: str) -> str:
    """Return the good file with some of the mistakes above."""
    text = GOOD
    for name in names:
        old, new, _, _ = MISTAKES[name]
        assert old in text
        text = text.replace(old, new, 1)
    return text


# one of every kind: keys, names, files, expressions, tables, parameters, settings
MANY = (
    "unknown key in a place",
    "missing file",
    "unknown type of force",
    "unknown name in an expression",
    "falling table",
    "unknown parameter in a parameter",
    "zero mass",
    "unknown key of settings",
    "setting missing",
    "parameter of a part",
)


def test_all_mistakes_come_in_one_go_by_lines(folder):
    text = changed(*MANY)
    found = problems(folder, text)
    said = {name: MISTAKES[name][3] for name in MANY}
    for name, words in said.items():
        assert sum(words in problem for problem in found) == 1, (name, found)
    # nothing follows: neither from the rod and the table, which could not be made, nor from the parameter drag
    assert len(found) == len(MANY)
    lines = [int(re.match(r"many\.toml:(\d+): ", problem)[1]) for problem in found]
    assert lines == sorted(lines)


@pytest.mark.parametrize("first", sorted(set(MISTAKES) - {"format of later days"}))
def test_one_mistake_stays_one_beside_another(folder, first):
    """Every single mistake together with a wrong setting, which nothing else hangs on: two problems, no more."""
    other = "unknown key of settings" if "settings" not in first and "record" not in first else "zero mass"
    found = problems(folder, changed(first, other))
    assert len(found) == 2, found
    assert any(MISTAKES[first][3] in problem for problem in found), found
    assert any(MISTAKES[other][3] in problem for problem in found), found


def test_a_part_used_three_times_complains_once(folder):
    more = '[[subsystem]]\nname = "{}"\nuse = "wheel"\n'
    text = changed("expression inside a part").replace(
        "[[joint]]", more.format("mid") + more.format("rear") + "[[joint]]", 1
    )
    (said,) = problems(folder, text)
    assert "body 'front.disc', mass: unknown name 'n'" in said


def test_what_hangs_on_a_lost_body_is_silent(folder):
    joints = "".join(
        f'[[joint]]\nname = "J{k}"\ntype = "fixed"\nplace = {{ body = "crank" }}\nagainst = {{ body = "ground" }}\n'
        for k in range(10)
    )
    assert len(problems(folder, changed("unknown key") + joints)) == 1
    assert len(problems(folder, changed("unknown top table"))) == 1  # the drive in joint A
    assert len(problems(folder, changed("missing name"))) == 1  # the spring of a body without a name


def test_what_hangs_on_a_lost_body_of_a_part_is_silent(folder):
    text = GOOD.replace('mass = "m"', 'mas = "m"')
    joint = '[[joint]]\nname = "J"\ntype = "fixed"\nplace = { body = "front.disc" }\nagainst = { body = "ground" }\n'
    (said,) = problems(folder, text + joint)
    assert "body 'disc': 'mas' is not a key of a body" in said


def test_models_made_in_python_report_all_too():
    model = h.Model()
    ball = model.add(h.RigidBody("ball", mass="m"))
    model.add(h.RigidBody("box", mass=-1.0))
    model.add(h.spring("coil", ball.at(), model.ground.at(), stiffness=1.0))
    with pytest.raises(ff.ModelError) as caught:
        model.flatten()
    assert [str(problem).partition(":")[0] for problem in caught.value.problems] == ["body 'ball', mass", "body 'box'"]


def test_the_command_line_shows_the_first_and_counts_the_rest(folder, capsys):
    from floatframe.cli.main import run

    wrong = "".join(f'[[body]]\nname = "b{k}"\nmas = 1\n' for k in range(27))
    file = folder / "many.toml"
    file.write_text(HEAD + wrong, encoding="utf-8")
    assert run(["info", str(file), "--json"]) == 1
    said = capsys.readouterr()
    lines = said.err.splitlines()
    assert len(lines) == 21
    assert lines[0] == f"floatframe: {file}:4: body 'b0': 'mas' is not a key of a body; did you mean mass?"
    assert lines[-1] == "floatframe: and 7 more mistakes"
    listed = json.loads(said.out)["problems"]
    assert len(listed) == 27
    assert listed[1] == {
        "file": str(file),
        "line": 7,
        "subject": {"kind": "body", "name": "b1"},
        "field": "mas",
        "text": "body 'b1': 'mas' is not a key of a body; did you mean mass?",
    }
