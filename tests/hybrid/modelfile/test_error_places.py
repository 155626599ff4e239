"""Errors know where they belong: file and line follow from what an error is about, never from its words."""

# ruff: noqa: E501  # one mistake, one line

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import floatframe as ff
from floatframe import hybrid as h
from floatframe.errors import FloatframeError, ModelError, Subject, Where

MACHINE = """\
format = "floatframe-model/1"
name = "machine"
gravity = [0, 0, "-g"]

[parameters]
g = 9.81
torque = 100.0
drag = "torque/10"

[[body]]
name = "crank"
mass = 7.4
inertia = [0.1, 1.3, 1.3]
com = [0.5, 0, 0]
position = [0, 0, 0]
rotation = { axis = [0, 0, 1], angle = 0.0 }
velocity = [0, 0, 0]

[[body]]
name = "slider"
mass = 9.4
inertia = [1, 1, 1]
position = [1, 0, 0]

[[flexible]]
name = "rod"
file = "input.fum"
modes = 4
damping = { ratio = 0.01 }
frame = ["chord", 1, 11]
load_limit = 0.05
position = [1, 0, 0]

[define.wheel.parameters]
m = 5.0
[[define.wheel.body]]
name = "disc"
mass = "m"
[[define.wheel.joint]]
name = "hub"
type = "revolute"
[define.wheel.joint.place]
body = "disc"
[define.wheel.joint.against]
body = "ground"

[[subsystem]]
name = "front"
use = "wheel"
position = [0, 3, 0]
[subsystem.parameters]
m = "torque/10"

[[subsystem]]
name = "rear"
file = "bogie.toml"

[[joint]]
name = "A"
type = "revolute"
axis = [0, 1, 0]
start = 0.5
[joint.place]
body = "crank"
[joint.against]
body = "ground"
point = [0, 0, 0]

[[joint]]
name = "B"
type = "spherical"
[joint.place]
body = "rod"
node = 1
[joint.against]
body = "crank"
point = [1, 0, 0]

[[joint]]
name = "slide"
type = "planar"
normal = [0, 0, 1]
first = [1, 0, 0]
[joint.place]
body = "slider"
[joint.against]
body = "ground"

[[joint]]
name = "cross"
type = "universal"
axis_a = [1, 0, 0]
axis_b = [0, 1, 0]
place = { body = "front.disc" }
against = { body = "rear.frame" }

[[joint]]
name = "chain"
type = "general"
place = { body = "rear.frame" }
against = { body = "ground" }
steps = [
    { translate = [1, 0, 0] },
    { rotate = [0, 0, 1], by = "0.1*t" },
]

[[joint]]
name = "stay"
type = "distance"
length = 2.0
place = { body = "slider" }
against = { body = "crank" }

[[joint]]
name = "wheels"
type = "gear"
joint1 = "A"
joint2 = "front.hub"
ratio = -2.0

[[joint]]
name = "lead"
type = "motion"
joint = "slide"
coordinate = 1
value = "0.1*t"

[[joint]]
name = "sum"
type = "relation"
terms = [
    { joint = "slide", coordinate = 0 },
    { joint = "chain", coordinate = 0, factor = 2.0 },
]
"""

FORCES = """\
format = "floatframe-model/1"

[parameters]
torque = 100.0
drag = 10.0

[tables.hump]
x = [0, 1, 2]
y = [0, 5, 0]

[[body]]
name = "crank"
mass = 7.4

[[body]]
name = "slider"
mass = 9.4

[[joint]]
name = "A"
type = "revolute"
place = { body = "crank" }
against = { body = "ground" }

[[joint]]
name = "B"
type = "spherical"
place = { body = "slider" }
against = { body = "ground" }

[[force]]
name = "drive"
type = "joint_torque"
joint = "A"
coordinate = 0
torque = "torque - drag*rate"

[[force]]
name = "coil"
type = "spring"
place = { body = "slider" }
against = { body = "ground", point = [0, 0, 1] }
stiffness = 1000.0
length = 1.0

[[force]]
name = "wind"
type = "point_force"
place = { body = "crank" }
force = [
    "10*t",
    0,
    "table(hump, t)",
]

[[force]]
name = "rub"
type = "friction"
place = { body = "slider" }
against = { body = "ground" }
axis = [1, 0, 0]
force = 10.0
stick = true
stiffness = 1e5

[[force]]
name = "deck"
type = "contact_plane"
place = { body = "crank" }
against = { body = "ground" }
stiffness = 1e6
normal = [0, 0, 1]
exponent = 1.5

[[force]]
name = "mount"
type = "bushing"
place = { body = "crank" }
against = { body = "slider" }
stiffness = [1, 1, 1]

[[force]]
name = "tread"
type = "wheel_rail"
place = { body = "slider" }
against = { body = "ground" }
side = "left"
radius = 0.5
semi_axes = [
    0.005,
    0.004,
]
"""

STAGES = """\
format = "floatframe-model/1"

[parameters]
torque = 100.0

[[body]]
name = "crank"
mass = 7.4

[[body]]
name = "slider"
mass = 9.4

[[subsystem]]
name = "rear"
file = "bogie.toml"

[[joint]]
name = "A"
type = "revolute"
place = { body = "crank" }
against = { body = "ground" }

[[joint]]
name = "chain"
type = "general"
place = { body = "slider" }
against = { body = "ground" }
steps = [{ translate = [1, 0, 0] }]

[[joint]]
name = "lead"
type = "motion"
joint = "A"
value = "0.1*t"

[[joint]]
name = "stay"
type = "distance"
length = 2.0
place = { body = "slider" }
against = { body = "crank" }

[[force]]
name = "coil"
type = "spring"
place = { body = "slider" }
against = { body = "ground", point = [0, 0, 1] }
stiffness = "torque"

[[stage]]
name = "launch"
when = "A.angle - 0.8"
release = [
    "stay",
    "lead",
]
off = ["coil"]
[stage.set]
torque = 50.0
"rear.m" = 6.0

[record]
every = 1e-3
start = 0.0
channels = [
    "crank.angular_velocity",
    "energy",
]

[simulate]
t_end = 2.0
step = "1/1000"
"""

BOGIE = """\
format = "floatframe-model/1"

[parameters]
m = 5.0
k = "m*200"

[tables.bump]
x = [0, 1]
y = [0, 1]

[[body]]
name = "frame"
mass = "m"

[[body]]
name = "axle"
mass = 1.0

[[joint]]
name = "pivot"
type = "revolute"
axis = [0, 1, 0]
[joint.place]
body = "axle"
[joint.against]
body = "frame"

[[force]]
name = "strut"
type = "spring"
place = { body = "axle" }
against = { body = "ground" }
stiffness = "k"
force = "table(bump, elongation)"

[[subsystem]]
name = "motor"
file = "motor.toml"
[subsystem.parameters]
power = "k"
"""

MOTOR = """\
format = "floatframe-model/1"

[parameters]
power = 1.0
size = "power/2"

[[body]]
name = "rotor"
mass = "size"
"""

FILES = {
    "machine.toml": MACHINE,
    "bogie.toml": BOGIE,
    "motor.toml": MOTOR,
    "forces.toml": FORCES,
    "stages.toml": STAGES,
}
MODELS = ("machine.toml", "forces.toml", "stages.toml")  # the other files are parts of the first

# file of the mistake, what is replaced, by what, text at which the line is expected (in the same file)
PLACES = {
    # reading: keys and values
    "table nobody knows": ("stages.toml", "[record]", "[recrod]", "[recrod]"),
    "key nobody knows": ("bogie.toml", "mass = 1.0", "mass = 1.0\ncolour = 3", "colour = 3"),
    "key that is missing": ("bogie.toml", "mass = 1.0\n", "", '[[body]]\nname = "axle"'),
    "wrong kind of value": ("machine.toml", "mass = 9.4", "mass = [9.4]", "mass = [9.4]"),
    "wrong kind of value inside a list": ("stages.toml", '    "energy",', "    7,", "    7,"),
    "wrong kind of value inside a table": ("machine.toml", "node = 1\n", "node = 1.5\n", "node = 1.5"),
    "unknown type": ("machine.toml", '"planar"', '"plnar"', '"plnar"'),
    "no type": ("machine.toml", 'type = "planar"\n', "", '[[joint]]\nname = "slide"'),
    "function of Python": ("forces.toml", '"bushing"', '"user_force"', '"user_force"'),
    "name that is a word of its own": ("machine.toml", 'name = "stay"', 'name = "energy"', 'name = "energy"'),
    "name twice": ("forces.toml", 'name = "mount"', 'name = "crank"', 'name = "crank"\ntype = "bushing"'),
    "name of the model": ("machine.toml", 'name = "machine"', 'name = "my machine"', 'name = "my machine"'),
    "no such file": ("bogie.toml", '"motor.toml"', '"motr.toml"', '"motr.toml"'),
    "no such part": ("machine.toml", 'use = "wheel"', 'use = "whel"', 'use = "whel"'),
    "no source of a part": ("machine.toml", 'use = "wheel"\n', "", '[[subsystem]]\nname = "front"'),
    "single brackets": ("motor.toml", "[[body]]", "[body]", "[body]"),
    "format": ("motor.toml", "model/1", "model/2", "format ="),
    "gravity": ("machine.toml", 'gravity = [0, 0, "-g"]', 'gravity = [0, 0, "-"]', "gravity ="),
    # things as they are made
    "number that is no expression": ("bogie.toml", 'stiffness = "k"', 'stiffness = "k +"', 'stiffness = "k +"'),
    "list of the wrong length": ("machine.toml", "velocity = [0, 0, 0]", "velocity = [0, 0]", "velocity ="),
    "point of the wrong length": ("machine.toml", "point = [1, 0, 0]", "point = [1, 0]", "point = [1, 0]"),
    "modes": ("machine.toml", "modes = 4", "modes = 40", "modes = 40"),
    "frame": ("machine.toml", '["chord", 1, 11]', '["chord", 1]', '["chord", 1]'),
    "frame nobody knows": ("machine.toml", '["chord", 1, 11]', '"cord"', '"cord"'),
    "start values": ("machine.toml", "start = 0.5", "start = [1, 2]", "start = [1, 2]"),
    "step of a general joint": ("machine.toml", "{ rotate = [0, 0, 1], by", "{ rotate = [0, 1], by", "    { rotate = [0, 1]"),
    "no terms": ("machine.toml", "{ joint = \"slide\", coordinate = 0 },\n    { joint = \"chain\", coordinate = 0, factor = 2.0 },", "", "terms = ["),
    "factor of a term": ("machine.toml", "factor = 2.0", 'factor = "2*"', '    { joint = "chain"'),
    "ratio of a gear": ("machine.toml", "ratio = -2.0", 'ratio = "2*"', 'ratio = "2*"'),
    "stick without stiffness": ("forces.toml", "stiffness = 1e5\n", "", '[[force]]\nname = "rub"'),
    "bushing": ("forces.toml", "stiffness = [1, 1, 1]", "stiffness = [1, 1]", "stiffness = [1, 1]"),
    "one of three forces": ("forces.toml", '    "10*t",', '    "10*",', '    "10*",'),
    "semi-axes": ("forces.toml", "    0.004,\n", "", "semi_axes = ["),
    "stage that changes nothing": ("stages.toml", 'release = [\n    "stay",\n    "lead",\n]\noff = ["coil"]\n[stage.set]\ntorque = 50.0\n"rear.m" = 6.0\n', "", "[[stage]]"),
    "time of a stage": ("stages.toml", '"A.angle - 0.8"', '"A.angle -"', "when ="),
    "table": ("bogie.toml", "x = [0, 1]", "x = [1, 0]", "[tables.bump]"),
    "damping": ("machine.toml", "{ ratio = 0.01 }", "{ ratio = 0.01, of = \"fre\" }", "damping ="),
    # parameters
    "parameter in a parameter": ("machine.toml", '"torque/10"\n\n', '"torqe/10"\n\n', "drag ="),
    "parameter of a part in a file": ("bogie.toml", '"m*200"', '"mm*200"', '"mm*200"'),
    "parameter of a part in a part": ("motor.toml", '"power/2"', '"pwer/2"', "size ="),
    "parameter that is not finite": ("machine.toml", '"torque/10"\n\n', '"torque/0"\n\n', "drag ="),
    "parameter of a part that is not finite": ("motor.toml", '"power/2"', '"power/0"', "size ="),
    "parameters in a circle": ("machine.toml", "torque = 100.0", 'torque = "drag"', "[parameters]"),
    "parameters of a part in a circle": ("motor.toml", "power = 1.0", 'power = 1.0\nq = "r"\nr = "q"', "[parameters]"),
    "reserved parameter": ("motor.toml", "power = 1.0", "power = 1.0\nsin = 1.0", "sin = 1.0"),
    "value for a parameter of a part": ("machine.toml", 'm = "torque/10"', 'm = "torq/10"', 'm = "torq/10"'),
    "value for a parameter of a part in a part": ("bogie.toml", 'power = "k"', 'power = "kk"', 'power = "kk"'),
    "parameter that a part lacks": ("bogie.toml", 'power = "k"', "powr = 1.0", "powr = 1.0"),
    # bodies
    "mass of a body": ("motor.toml", 'mass = "size"', 'mass = "siz"', 'mass = "siz"'),
    "impossible inertia": ("machine.toml", "inertia = [1, 1, 1]", "inertia = [1, 1, 5]", '[[body]]\nname = "slider"'),
    "rotation without axis": ("machine.toml", "axis = [0, 0, 1], angle = 0.0", "axis = [0, 0, 0], angle = 0.0", "rotation ="),
    "position": ("machine.toml", "position = [0, 0, 0]", 'position = [0, "h", 0]', 'position = [0, "h", 0]'),
    "file of a body": ("machine.toml", '"input.fum"', '"fe.h5"', '"fe.h5"'),
    "broken file of a body": ("machine.toml", '"input.fum"', '"broken.fum"', '"broken.fum"'),
    "node of a frame": ("machine.toml", '["chord", 1, 11]', '["chord", 1, 99]', '["chord", 1, 99]'),
    "chord without length": ("machine.toml", '["chord", 1, 11]', '["chord", 1, 1]', '["chord", 1, 1]'),
    "damping that feeds energy": ("machine.toml", "{ ratio = 0.01 }", "{ ratio = -0.01 }", "damping ="),
    "stiffening without terms": ("machine.toml", "load_limit = 0.05", 'stiffening = "full"', "stiffening ="),
    "limit": ("machine.toml", "load_limit = 0.05", "load_limit = 0", "load_limit ="),
    # places
    "unknown body": ("bogie.toml", 'body = "axle"\n', 'body = "axl"\n', 'body = "axl"'),
    "body inside a part": ("machine.toml", '"front.disc" }\nagainst = { body = "rear', '"front.disk" }\nagainst = { body = "rear', '"front.disk"'),
    "node of the ground": ("machine.toml", "point = [0, 0, 0]", "node = 3", "node = 3"),
    "node of a rigid body": ("machine.toml", "point = [1, 0, 0]", "node = 3", "node = 3"),
    "node that is not there": ("machine.toml", "node = 1\n", "node = 99\n", "node = 99"),
    "node between interface nodes": ("machine.toml", "node = 1\n", "node = 5\n", "node = 5"),
    "point of a flexible body": ("machine.toml", "node = 1\n", "", '[joint.place]\nbody = "rod"'),
    "parameter in a point": ("machine.toml", "point = [1, 0, 0]", 'point = ["a", 0, 0]', 'point = ["a"'),
    "two places on a body": ("bogie.toml", 'body = "frame"\n', 'body = "axle"\n', '[[joint]]'),
    # joints and relations
    "axis": ("bogie.toml", "axis = [0, 1, 0]", "axis = [0, 0, 0]", "axis ="),
    "normal": ("machine.toml", "normal = [0, 0, 1]\nfirst", "normal = [0, 0, 0]\nfirst", "normal = [0, 0, 0]"),
    "first direction": ("machine.toml", "first = [1, 0, 0]", "first = [0, 0, 2]", "first ="),
    "axis on the first place": ("machine.toml", "axis_a = [1, 0, 0]", "axis_a = [0, 0, 0]", "axis_a ="),
    "axis on the second place": ("machine.toml", "axis_b = [0, 1, 0]", "axis_b = [0, 0, 0]", "axis_b ="),
    "length": ("machine.toml", "length = 2.0", "length = -2.0", "length = -2.0"),
    "axis of a step": ("machine.toml", "{ rotate = [0, 0, 1]", "{ rotate = [0, 0, 0]", "    { rotate"),
    "expression of a step": ("machine.toml", '"0.1*t" },', '"0.1*tt" },', "    { rotate"),
    "joint of a gear": ("machine.toml", 'joint2 = "front.hub"', 'joint2 = "front.hb"', "joint2 ="),
    "first joint of a gear": ("machine.toml", 'joint1 = "A"', 'joint1 = "AA"', "joint1 ="),
    "joint of a motion": ("machine.toml", 'joint = "slide"\n', 'joint = "slid"\n', 'joint = "slid"'),
    "coordinate of a motion": ("machine.toml", "coordinate = 1\n", "coordinate = 7\n", "coordinate = 7"),
    "value of a motion": ("machine.toml", 'value = "0.1*t"', 'value = "0.1*tt"', 'value = "0.1*tt"'),
    "joint of a term": ("machine.toml", '{ joint = "chain"', '{ joint = "chan"', '    { joint = "chan"'),
    "relation that says nothing": ("machine.toml", '{ joint = "chain", coordinate = 0, factor = 2.0 }', '{ joint = "slide", coordinate = 0, factor = -1.0 }', '[[joint]]\nname = "sum"'),
    # forces
    "joint of a force": ("forces.toml", 'joint = "A"\n', 'joint = "AA"\n', 'joint = "AA"'),
    "coordinate of a force": ("forces.toml", "coordinate = 0\n", "coordinate = 3\n", "coordinate = 3"),
    "joint without an angle": ("forces.toml", 'joint = "A"\ncoordinate = 0\n', 'joint = "B"\n', 'joint = "B"'),
    "name in a law": ("forces.toml", "drag*rate", "drga*rate", "drga*rate"),
    "table in a law": ("forces.toml", "table(hump, t)", "table(hmp, t)", "table(hmp, t)"),
    "table in a law of a part": ("bogie.toml", "table(bump,", "table(bmp,", "table(bmp,"),
    "thing that a law measures": ("forces.toml", "drag*rate", "crnk.velocity.x", "crnk.velocity.x"),
    "number of a part": ("bogie.toml", 'stiffness = "k"', 'stiffness = "kk"', 'stiffness = "kk"'),
    "length below zero": ("forces.toml", "length = 1.0", "length = -1.0", "length = -1.0"),
    "direction of friction": ("forces.toml", "axis = [1, 0, 0]\nforce", "axis = [0, 0, 0]\nforce", "axis = [0, 0, 0]\nforce"),
    "limit of friction": ("forces.toml", "force = 10.0", 'force = "mu"', 'force = "mu"'),
    "exponent": ("forces.toml", "exponent = 1.5", "exponent = 0.5", "exponent ="),
    "semi-axis": ("forces.toml", "    0.004,", "    -0.004,", "    -0.004,"),
    # stages
    "joint of a stage": ("stages.toml", '    "lead",', '    "led",', '    "led",'),
    "force of a stage": ("stages.toml", 'off = ["coil"]', 'off = ["coll"]', 'off = ["coll"]'),
    "joint twice in a stage": ("stages.toml", 'off = ["coil"]', 'lock = ["stay"]', '    "stay",'),
    "parameter of a stage": ("stages.toml", "torque = 50.0", 'torque = "torq"', 'torque = "torq"'),
    "parameter of a part in a stage": ("stages.toml", '"rear.m" = 6.0', '"rear.m" = "mm"', '"rear.m" = "mm"'),
    "parameter that a stage makes impossible": ("stages.toml", '"rear.m" = 6.0', '"rear.m" = -6.0', "[stage.set]"),
    "general joint in a stage": ("stages.toml", '    "lead",', '    "chain",', '[[joint]]\nname = "chain"'),
    "what a stage measures": ("stages.toml", '"A.angle - 0.8"', '"AA.angle - 0.8"', "when ="),
    # settings
    "setting of a record": ("stages.toml", "start = 0.0", "start = nan", "start = nan"),
    "time between records": ("stages.toml", "every = 1e-3", "every = -1", "[record]"),
    "expression of a setting": ("stages.toml", '"1/1000"', '"1/thousand"', "step ="),
    "setting that is missing": ("stages.toml", "t_end = 2.0\n", "", "[simulate]"),
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A folder with the files of a flexible body (interface nodes 1 and 11), of a broken one and of its mesh."""
    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
    fe = ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=10, section=ff.fem.BeamSection.rectangle(0.02, 0.02), material=steel)
    path = tmp_path_factory.mktemp("machine")
    ff.io.write(path / "input.fum", ff.modal.reduce(fe, interface=[1, 11], n_modes=4))
    ff.io.write(path / "fe.h5", fe)
    (path / "broken.fum").write_bytes((path / "input.fum").read_bytes()[:500])
    return path


def raised(folder: Path, use: Callable[[Path], object], file: str, text: str) -> FloatframeError:
    """Write the files, one with another text, and return the error of using the model that it belongs to."""
    for name, good in FILES.items():
        (folder / name).write_text(text if name == file else good, encoding="utf-8")
    with pytest.raises(FloatframeError) as caught:
        use(folder / (file if file in MODELS else "machine.toml"))
    return caught.value


def flattened(path: Path) -> h.FlatModel:
    return h.read_model(path).model.flatten()


def without_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all errors say the same, whatever they are about."""
    made = FloatframeError.__init__

    def silent(self, *text, **about):
        made(self, *("'rod', mass: unknown name 'A'" for _ in text), **about)

    monkeypatch.setattr(FloatframeError, "__init__", silent)


def line_of(text: str, place: str) -> int:
    assert place in text
    return text[: text.index(place)].count("\n") + 1


def test_the_files_without_mistakes(folder):
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    machine, forces, stages = (flattened(folder / name) for name in MODELS)
    assert "rear.motor.rotor" in [body.name for body in machine.bodies]
    assert len(forces.forces) == 7
    assert len(stages.stages) == 1


@pytest.mark.parametrize("what", PLACES)
def test_every_mistake_has_its_file_and_line(folder, monkeypatch, what):
    """All errors say the same here, so that the line cannot come from their words."""
    without_words(monkeypatch)
    file, old, new, place = PLACES[what]
    assert old in FILES[file]
    text = FILES[file].replace(old, new, 1)
    (problem,) = raised(folder, flattened, file, text).problems
    assert (problem.path, problem.line) == (folder / file, line_of(text, place)), (problem.subject, problem.field)
    assert problem.subject is not None


def test_many_mistakes_are_the_same_in_any_words(folder, monkeypatch):
    """What follows from a mistake, and what a part says once for all its instances, is not read from sentences either."""
    text = MACHINE
    for old, new in MANY:
        assert old in text
        text = text.replace(old, new, 1)
    text = text.replace("[[joint]]", '[[subsystem]]\nname = "third"\nuse = "wheel"\n\n[[joint]]', 1)
    said = [(error.line, error.subject) for error in raised(folder, flattened, "machine.toml", text).problems]
    assert len(said) == len(MANY)
    without_words(monkeypatch)
    silent = [(error.line, error.subject) for error in raised(folder, flattened, "machine.toml", text).problems]
    assert silent == said


# the slider and the discs of three wheels are lost, and with them what joints need
MANY = (
    ("mass = 9.4\n", ""),
    ("axis = [0, 1, 0]\nstart", "axis = [0, 0, 0]\nstart"),
    ("load_limit = 0.05", "load_limit = 0"),
    ('mass = "m"', 'mass = "mm"'),
)


# what only compiling and running finds

PENDULUM = """\
format = "floatframe-model/1"
gravity = [0, 0, -9.81]

[[body]]
name = "arm"
mass = 1.0
inertia = [1, 1, 1]
com = [1, 0, 0]

[[joint]]
name = "A"
type = "revolute"
place = { body = "arm" }
against = { body = "ground" }
axis = [0, 1, 0]

[[force]]
name = "drive"
type = "joint_torque"
joint = "A"
torque = "1 - 0.1*rate"

[record]
every = 0.1
channels = [
    "arm.position",
    "energy",
]

[simulate]
t_end = 0.2
method = "rk4"
step = 0.1
"""
STAY = """\
[[joint]]
name = "stay"
type = "distance"
length = 0.5
place = { body = "arm" }
against = { body = "ground", point = [9, 0, 0] }

[[force]]
"""
PARALLEL = STAY.replace(
    'name = "stay"\ntype = "distance"\nlength = 0.5',
    'name = "cross"\ntype = "universal"\naxis_a = [0, 1, 0]\naxis_b = [0, 1, 0]',
)
COMPILED = {
    "channel of a body that is not there": ("rate\"", "arm.speed\"", "torque ="),
    "node of a rigid body": ("rate\"", "arm.node[3].velocity.x\"", "torque ="),
    "mode of a rigid body": ("rate\"", "arm.mode[1]\"", "torque ="),
    "coordinate that a joint lacks": ("rate\"", "A.rate[4]\"", "torque ="),
    "joint that stays open": ("[[force]]\n", STAY, '[[joint]]\nname = "stay"'),
    "axes that are parallel": ("[[force]]\n", PARALLEL, '[[joint]]\nname = "cross"'),
    "motion without a rate": ("[[force]]\n", '[[joint]]\nname = "go"\ntype = "motion"\njoint = "A"\nvalue = "sqrt(t)"\n\n[[force]]\n', "value ="),
}  # fmt: skip
RUN = {
    "channel": ('    "energy",', '    "enrgy",', '    "enrgy",'),
    "end": ("t_end = 0.2", "t_end = -1", "t_end ="),
    "method": ('"rk4"', '"rk5"', "method ="),
    "step": ("step = 0.1", "step = 0", "step ="),
    "step and tolerance": ("step = 0.1", "step = 0.1\nrtol = 1e-3", "rtol ="),
    "tolerance": ("step = 0.1", "rtol = 3.0", "rtol ="),
    "damping": ("step = 0.1", "spectral_radius = 2.0", "spectral_radius ="),
    "iterations": ("step = 0.1", "newton_tolerance = 0", "newton_tolerance ="),
    "limits of steps": ("step = 0.1", "step_min = 1.0\nstep_max = 0.1", "step_min ="),
    "conserve": ("step = 0.1", 'conserve = "momentun"', "conserve ="),
    "stabilisation": ("step = 0.1", "stabilisation = [1.0]", "stabilisation ="),
    "event": ("step = 0.1", 'events = [\n    "t - 1",\n    "arm.speed",\n]', '    "arm.speed"'),
    "force without a value": ('"1 - 0.1*rate"', '"1/rate"', '[[force]]'),
}  # fmt: skip


def simulated(path: Path) -> h.Results:
    file = h.read_model(path)
    system = file.model.compile()
    with file.placed():
        return system.simulate(record=file.record, **file.simulate)


@pytest.mark.parametrize("what", [*COMPILED, *RUN])
def test_mistakes_that_compiling_or_running_finds(folder, monkeypatch, what):
    old, new, place = {**COMPILED, **RUN}[what]
    assert old in PENDULUM
    text = PENDULUM.replace(old, new, 1)
    without_words(monkeypatch)
    file = folder / "pendulum.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(FloatframeError) as caught:
        simulated(file)
    error = caught.value
    assert (error.path, error.line) == (file, line_of(text, place)), (error.subject, error.field)


def test_settings_of_the_command_line_have_no_line(folder, capsys):
    from floatframe.cli.main import run

    file = folder / "pendulum.toml"
    file.write_text(PENDULUM.replace("t_end = 0.2", "t_end = -1"), encoding="utf-8")
    output = str(folder / "run.h5")
    assert run(["simulate", str(file), "-o", output]) == 1
    line = line_of(file.read_text(encoding="utf-8"), "t_end =")
    assert capsys.readouterr().err.startswith(f"floatframe: {file}:{line}: simulate: t_end is -1 s")
    assert run(["simulate", str(file), "-o", output, "--t-end", "1", "--method", "rk5"]) == 2
    assert capsys.readouterr().err.startswith("floatframe: Invalid value: simulate: method 'rk5' does not exist")


# for users of Python


def test_errors_say_what_they_are_about():
    model = h.Model()
    model.add(h.RigidBody("ball", mass="m"))
    with pytest.raises(ModelError) as caught:
        model.flatten()
    error = caught.value
    assert (error.subject, error.field, error.missing) == (Subject("body", "ball"), "mass", "m")
    with pytest.raises(ModelError) as caught:
        h.RigidBody("ball", mass=1.0, com=(0, 0))
    assert (caught.value.subject, caught.value.field) == (Subject("body", "ball"), "com")


def test_subject_and_field_cannot_be_changed():
    error = Where.of("joint", "front.A", "gear").at("terms").key("0", "first term").error("found nothing")
    assert str(error) == "gear 'front.A', first term: found nothing"
    assert (error.subject, error.field) == (Subject("joint", "front.A"), "terms.0")
    for name in ("subject", "field", "missing"):
        with pytest.raises(AttributeError):
            setattr(error, name, "another")
