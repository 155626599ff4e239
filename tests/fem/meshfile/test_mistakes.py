"""Broken mesh files: every mistake names its line, its key and the cure."""

from __future__ import annotations

import numpy as np
import pytest

from floatframe.errors import FloatframeError, ModelError
from floatframe.fem.builders import mesh_lines
from floatframe.fem.meshfile import read_mesh
from floatframe.fem.meshfile.context import SAME
from tests.fem.meshfile.mesh_text import PLATE, mesh

# a whole file in which each mistake below replaces one piece of text
WHOLE = """\
format = "floatframe-mesh/1"
merge = 1e-5

[parameters]
length = 2.0
half = "length/2"

[points]
A = [0, 0, 0]

[lines]
x = { from = 0, to = "length", n = 4 }

[fields]
rise = "0.1*x"

[materials]
steel = { like = "S355", rho = 8000 }

[sections]
bar = { type = "rectangle", width = 0.01, height = 0.08 }
post = "IPE 200"

[define.flat]
parameters = { width = 1 }

[[define.flat.part]]
type = "sheet"
name = "skin"
u = "x"
v = [0, "width"]
x = "u"
y = "v"
z = "rise"
thickness = 0.01
material = "steel"

[[part]]
type = "use"
use = "flat"
for = { side = [-1, 1] }
parameters = { width = "side" }

[[part]]
type = "beam"
name = "column"
a = "A"
b = [0, 0, "-half"]
n = 4
section = "post"
material = "steel"
rotate = { axis = "z", angle = 0.1 }
repeat = { n = 2, step = [2, 0, 0] }

[[feature]]
type = "ribs"
on = { where = "y == 0" }
section = "bar"
material = "steel"
offset = [0, 0, "-0.04"]

[[feature]]
type = "support"
nodes = { plane = { normal = "z", value = "-half" } }
components = "ux,uy,uz"
"""

# what stands in the file, what is written instead, what stands in the line that is named, words of the message
BROKEN = {
    "another format": ('"floatframe-mesh/1"', '"floatframe-mesh/9"', "format", ["format", "floatframe-mesh/1"]),
    "unknown table": ("[materials]", "[material]", "[material]", ["'material'", "did you mean materials"]),
    "invalid TOML": ("n = 4\nsection", "n = \nsection", "n = \nsection", ["Invalid value", "quotation marks"]),
    "negative tolerance": ("merge = 1e-5", "merge = -1", "merge", ["merge is -1", "0 to leave all nodes apart"]),
    "unknown parameter": ('"length/2"', '"lenght/2"', "half =", ["half", "'lenght'", "did you mean"]),
    "circle of parameters": (
        "length = 2.0",
        'length = "2*half"',
        "[parameters]",
        ["depend on each other", "give one a number"],
    ),
    "coordinate as parameter": ("length = 2.0", "length = 2.0\nx = 1", "x = 1", ["'x'", "coordinate", "another name"]),
    "broken expression": ('"length/2"', '"length/"', "half =", ["half", "expected a number", "^"]),
    "two coordinates": ("A = [0, 0, 0]", "A = [0, 0]", "A =", ["A", "a list of 2", "three numbers"]),
    "half a line": (", n = 4 }\n\n[f", " }\n\n[f", "x = { from", ["from, to", "through, size"]),
    "lines of too much": ("n = 4 }\n\n[f", "n = 1e9 }\n\n[f", "x = { from", ["n is 1e+09", "1e+07 at most"]),
    "steps of nothing": ("n = 4 }\n\n[f", "step = 1e-300 }\n\n[f", "x = { from", ["x has", "1e+07 at most"]),
    "lines of nothing": ("n = 4 }\n\n[f", "n = 0 }\n\n[f", "x = { from", ["n is 0", "at least 1"]),
    "unknown name in a field": ('"0.1*x"', '"0.1*q"', "rise =", ["rise", "'q'", "known here"]),
    "fields in a circle": ('"0.1*x"', '"0.1*rise"', "rise =", ["rise", "depend on each other"]),
    "unknown material of the library": ('like = "S355"', 'like = "S356"', "steel =", ["S356", "did you mean S355"]),
    "unknown material": (
        'material = "steel"\nrotate',
        'material = "stel"\nrotate',
        'material = "stel"',
        ["stel", "did you mean steel"],
    ),
    "negative density": ("rho = 8000", "rho = -8000", "steel =", ["steel", "rho is -8000", "cannot be negative"]),
    "unknown type of section": ('"rectangle"', '"rectangel"', "bar =", ["rectangel", "did you mean rectangle"]),
    "missing width": ("width = 0.01, height", "height", "bar =", ["'width' is missing", "[m]"]),
    "unknown profile": ('"IPE 200"', '"IPE 210"', "post =", ["IPE 210", "did you mean"]),
    "unknown section": ('section = "post"', 'section = "pots"', 'section = "pots"', ["pots", "did you mean post"]),
    "wall without thickness": (
        "thickness = 0.01\n",
        "thickness = 0\n",
        "thickness = 0\n",
        ["thickness is 0", "greater than zero"],
    ),
    "text for a number": ("n = 4\nsection", "n = true\nsection", "n = true", ["n is true", "a number"]),
    "fraction of an element": ("n = 4\nsection", "n = 2.5\nsection", "n = 2.5", ["n is 2.5", "whole number"]),
    "unknown type of part": ('type = "beam"', 'type = "baem"', 'type = "baem"', ["baem", "did you mean beam"]),
    "missing type": ('type = "beam"\n', "", '[[part]]\nname = "column"', ["'type' is missing", "expected one of beam"]),
    "unknown key": ('use = "flat"', 'uses = "flat"', "uses", ["'uses'", "did you mean use"]),
    "name of an unlike part": (
        'use = "flat"\n',
        'use = "flat"\nname = "column"\n',
        'name = "column"\na =',
        ["'column' is taken in line", "a part of another type", "take another name"],
    ),
    "missing key": ('b = [0, 0, "-half"]\n', "", '[[part]]\ntype = "beam"', ["'b' is missing", "where it ends"]),
    "unknown definition": ('use = "flat"', 'use = "flot"', 'use = "flot"', ["flot", "did you mean flat"]),
    "unknown parameter of a part": (
        '{ width = "side" }',
        '{ widht = "side" }',
        '[[part]]\ntype = "use"',
        ["widht", "did you mean width"],
    ),
    "unknown point": ('a = "A"', 'a = "B"', 'a = "B"', ["point 'B'", "known here: A"]),
    "beam without length": (
        '"-half"]\nn',
        "0]\nn",
        '[[part]]\ntype = "beam"',
        ["column", "same point", "needs a length"],
    ),
    "name of a loop": ("{ side = [-1, 1] }", "{ sin = [-1, 1] }", "for =", ["'sin'", "choose another"]),
    "half a rotation": (", angle = 0.1 }", " }", "rotate =", ["'angle' is missing", "[rad]"]),
    "half a repetition": (", step = [2, 0, 0] }", " }", "repeat =", ["{ n, step }", "{ n, axis, angle }"]),
    "no axis": ('axis = "z"', 'axis = "w"', "rotate =", ['axis is "w"', "x, y, z"]),
    "ribs on nothing": (
        '"y == 0"',
        '"y == 7"',
        '[[feature]]\ntype = "ribs"',
        ["ribs", "found no shell edge", "check how they are picked"],
    ),
    "condition of a region": ('"y == 0"', '"y = 0"', "on = {", ["where", "'==' to compare"]),
    "empty region": ('{ where = "y == 0" }', "{ }", "on = {", ["at least one of box"]),
    "no node there": (
        'value = "-half"',
        'value = "-9"',
        "nodes =",
        ["support", "no node lies there", "widen"],
    ),
    "unknown set": (
        '{ plane = { normal = "z", value = "-half" } }',
        '"floor"',
        "nodes =",
        ["floor", "sets here"],
    ),
    "unknown component": ('"ux,uy,uz"', '"ux,uq"', '[[feature]]\ntype = "support"', ["uq"]),
    "single brackets": ('[[part]]\ntype = "use"', '[part]\ntype = "use"', '[[part]]\ntype = "beam"', ["appears twice"]),
}


MANY = ("unknown table", "broken expression", "unknown key", "half a rotation", "empty region")


def line_of(text: str, piece: str) -> int:
    assert piece in text
    return text[: text.index(piece)].count("\n") + 1


def test_the_whole_file_is_right(tmp_path):
    fe = mesh(tmp_path, WHOLE, head="")
    assert fe.nelement == 4 + 4 + 8 + 4
    assert len(fe.supports) == 2 * 3
    assert SAME < 1e-5


@pytest.mark.parametrize("name", BROKEN)
def test_a_mistake_has_its_line_and_its_cure(name, tmp_path):
    before, after, spot, words = BROKEN[name]
    assert WHOLE.count(before) == 1, before
    broken = WHOLE.replace(before, after)
    with pytest.raises(FloatframeError) as caught:
        mesh(tmp_path, broken, head="")
    text = str(caught.value.problems[0])
    assert f"mesh.toml:{line_of(broken, spot)}:" in text, text
    assert all(word in text for word in words), text


def test_there_are_enough_of_them():
    assert len(BROKEN) >= 25


def test_all_mistakes_are_reported_at_once(tmp_path):
    text = WHOLE
    for name in MANY:
        before, after, _, _ = BROKEN[name]
        text = text.replace(before, after)
    with pytest.raises(FloatframeError) as caught:
        mesh(tmp_path, text, head="")
    lines = [problem.line for problem in caught.value.problems]
    assert lines == sorted(line_of(text, BROKEN[name][2]) for name in MANY)


def test_parts_that_exclude_each_other_may_share_a_name(tmp_path):
    beam = '[[part]]\ntype = "beam"\nname = "plate"\na = [0, 0, 0]\nb = [2, 0, 0]\nn = 4\n'
    beam += 'section = "IPE 200"\nmaterial = "S355"\nwhen = "bar > 0"\n'
    text = "[parameters]\nbar = 0\n" + PLATE + 'when = "bar < 1"\n' + beam
    assert [block.kind for block in mesh(tmp_path, text).blocks] == ["shell4"]
    assert [block.kind for block in read_mesh(tmp_path / "mesh.toml", {"bar": 1}).blocks] == ["beam"]
    with pytest.raises(FloatframeError, match=r"name 'plate' is taken in line .* by a part of another type"):
        read_mesh(tmp_path / "mesh.toml", {"bar": 0.5})


def test_a_parameter_that_must_be_given(tmp_path):
    text = "[parameters]\nlength = nan\n" + PLATE.replace("lx = 2", 'lx = "length"')
    with pytest.raises(FloatframeError, match=r"mesh.toml:3: .*'length': found nan"):
        mesh(tmp_path, text)
    assert read_mesh(tmp_path / "mesh.toml", {"length": 3.0}).nodes[:, 0].max() == 3.0


def test_a_part_that_holds_itself_is_refused(tmp_path):
    text = WHOLE.replace('[[define.flat.part]]\ntype = "sheet"', '[[define.flat.part]]\ntype = "use"\nuse = "flat"\n'
                         '[[define.flat.part]]\ntype = "sheet"')  # fmt: skip
    with pytest.raises(FloatframeError, match="flat -> flat; take one of them out"):
        mesh(tmp_path, text, head="")


def test_a_file_that_is_not_there(tmp_path):
    text = WHOLE.replace('type = "use"\nuse = "flat"\n', 'type = "file"\nfile = "plat.inp"\n')
    (tmp_path / "plate.inp").touch()
    with pytest.raises(FloatframeError, match=r"mesh.toml:40: .*did you mean plate.inp"):
        mesh(tmp_path, text, head="")


@pytest.mark.parametrize(("breaks", "size"), [((0, 1e11), 1.0), ((0, 1), 1e-300), ((0, np.inf), 1.0)])
def test_lines_beyond_measure_are_refused(breaks, size):
    with pytest.raises(ModelError, match=r"1e\+07 pieces at most"):
        mesh_lines(breaks, size)
