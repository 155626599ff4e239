"""`--json` for machines: every key is on docs/reference/json.md, snake_case, with its unit at the end."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csc_array

import floatframe as ff
from floatframe.cli import sweep as sweep_command
from floatframe.cli.main import COMMANDS, run
from floatframe.io.import_check import check_file
from floatframe.viewer.headings import for_people
from tests.cli.json_page import NAMED, SNAKE_CASE, leaves, sections, undocumented, unit_of
from tests.cli.track_file import LINE

STEEL = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0, name="steel")
PLY = ff.fem.Material.ply(2.5e10, 1e9, 0.25, 5e8, 4e8, 2e8, rho=1600.0, name="ply")
DECK = "/PREP7\nET,1,LINK8\nR,1,1e-4\nMP,EX,1,2.1e11\nMP,DENS,1,7850\nN,1\nN,2,5\nE,1,2\n"
LOSSY = DECK + "ET,2,300\nTYPE,2\nE,1,2\nF,2,FX,1\n"  # an element of the user, a load

MACHINE = """\
format = "floatframe-model/1"
gravity = [0, 0, -9.81]

[parameters]
load = 1.0

[tables.push]
x = [0, 1]
y = [0, 1]

[[body]]
name = "box"
mass = 2.0
inertia = [0.1, 0.1, 0.1]

[[body]]
name = "disc"
mass = 1.0
inertia = [0.1, 0.1, 0.1]

[[flexible]]
name = "rod"
file = "rod.h5"
damping = 0.01

[[flexible]]
name = "arm"
file = "rod.h5"
damping = { alpha = 0.1, beta = 1e-5 }

[[state]]
name = "warmth"
rate = "1 - warmth"
unit = "K"

[[signal]]
name = "double"
value = "2*warmth"
unit = "K"

[[joint]]
name = "shoulder"
type = "fixed"
place = { body = "arm", node = 1 }
against = { body = "ground" }

[[joint]]
name = "turn"
type = "revolute"
place = { body = "disc" }
against = { body = "ground" }
axis = [0, 0, 1]

[[joint]]
name = "teeth"
type = "rack"
sliding = "slide"
turning = "turn"
radius = 0.1

[[joint]]
name = "creep"
type = "velocity_constraint"
expression = "slide.rate - 0.1*turn.rate"

[[joint]]
name = "root"
type = "fixed"
place = { body = "rod", node = 1 }
against = { body = "ground" }

[[joint]]
name = "slide"
type = "prismatic"
place = { body = "box" }
against = { body = "ground" }
axis = [0, 0, 1]

[[joint]]
name = "twice"
type = "prismatic"
place = { body = "box" }
against = { body = "ground" }
axis = [0, 0, 1]

[[force]]
name = "spring"
type = "spring"
place = { body = "box" }
against = { body = "rod", node = 21 }
stiffness = 1e4
damping = 10.0
length = 2.0

[[force]]
name = "push"
type = "joint_force"
joint = "slide"
force = "load*table(push, t)"

[record]
every = 0.005
channels = ["slide.displacement", "root.force", "box.acceleration"]

[simulate]
t_end = 0.02
step = 0.005
"""

SWING = """\
format = "floatframe-model/1"
gravity = [0, 0, -9.81]
parameters = { mass = 2.0 }

[[body]]
name = "rod"
mass = "mass"
com = [0, 0, -0.5]
inertia = [0.2, 0.2, 0.01]

[[joint]]
name = "hinge"
type = "revolute"
place = { body = "rod" }
against = { body = "ground" }
axis = [0, 1, 0]

[[state]]
name = "warmth"
rate = "1 - warmth"
unit = "K"
"""

CALLS = (
    "doctor",
    "info walls.h5",
    "info machine.toml",
    "info run.h5",
    "info rod.h5",
    "info lossy.cdb",
    "info broken.toml",
    "modes beam.h5 -n 2 --fixed start,21:uy --ordering wave --cuts x=0.7,1.3 --report --write modes.h5",
    "reduce beam.h5 --interface 1,21 -n 2 --quality --comment words -o rod.h5",
    "drop rod.h5 --modes 1,2 -o small.h5",
    "equilibrium machine.toml",
    "linear swing.toml",
    "linear swing.toml --vary 'mass [Hz]=0.1:0.7:0.2' -o roots.png --limit",
    "response swing.toml --input ground.acceleration.x --output hinge.angle --band 0.1:2 -o bode.png",
    "random swing.toml --psd ground.acceleration.x=0.1 --output hinge.angle --band 0.1:2 -o density.png",
    "statespace swing.toml --input ground.acceleration.x --output hinge.angle -o plant.npz",
    "srs run.h5 box.acceleration.z --band 10:40 -o srs.png",
    "export-code swing.toml -o swing.c",
    "simulate machine.toml -o run.h5",
    "choose swing.toml -o choices.png",
    "choose machine.toml",
    "drift machine.toml --step 1e-3 --t-end 0.02 -o drift.csv",
    "plot run.h5",
    "plot run.h5 slide.displacement slide.displacement:rms,crest --rms --csv run.csv",
    "contributions run.h5 slide.displacement --csv parts.csv",
    "plot sweep.h5",
    "cards meshes --find a",
    "track line.toml --csv places.csv",
    "conicity --amplitude 4e-3 -o conicity.png",
    "wheel-rail --load 1e4 -o contact.png",
    "import-check archive",
    "samples pendulum -o sample",
    "info plate.off --template",
)
ORDER = ("modes", "reduce", "simulate")  # their files are read by the others
FAILING = ("info lossy.cdb", "info broken.toml")  # exit code 1, after the account
# tests that run them look at their keys
ELSEWHERE = {"assess", "convert", "mesh", "buckling", "view", "report", "umexport", "demo", "warmup"} | {
    "stress",
    "life",
    "fit",
    "equilibrium-network",
    "linear-network",
}
SERVES = {"studio"}  # pages, no JSON
RARE = (
    "life",
    "limits",  # test_srs_and_limits looks at them
    "life_s",
    "subject",
    "part_files",
    "unstable_motions",
    "corners",
    "one_sided_modes",
    "idle_dofs",
    "warnings",
    "notes",
    "free_motions",
    "crossings",
)  # printed in special states only


def walls() -> ff.fem.FEModel:
    """Plates of three kinds of wall, a beam, a mass, a coupling, sets, a lonely node, an element twice."""
    law = ff.fem.plate_grid(0.4, 0.2, 4, 1, 0.01, STEEL)
    layered = ff.fem.LayeredSection([ff.fem.Layer(PLY, 1e-3, 30.0), ff.fem.Layer(STEEL, 1e-2)], name="layered")
    matrix = tuple(map(tuple, (1e7 * np.eye(3)).tolist()))
    zero = tuple(map(tuple, np.zeros((3, 3)).tolist()))
    general = ff.fem.GeneralShellSection(
        matrix, zero, matrix, ((1e7, 0.0), (0.0, 1e7)), 0.01, 78.5, 0.0, 0.0, name="general"
    )
    block = law.blocks[0]
    parts = (
        block.take(np.array([0, 1])),
        replace(block.take(np.array([2])), material=None, section=layered),
        replace(block.take(np.array([3])), material=None, section=general),
        replace(block.take(np.array([1])), element_ids=np.array([99])),  # which the check finds
    )
    plate = replace(law, blocks=parts)
    section = ff.fem.BeamSection.rectangle(0.02, 0.02)
    line = ff.fem.beam_line((1, 0, 0), (2, 0, 0), n=1, section=section, material=STEEL)
    fe = ff.fem.join(plate, line).with_point_mass(1, mass=1.0).with_coupling(ff.fem.RBE2(11, (1, 2)))
    fe = replace(fe, element_sets={"wall": fe.blocks[0].element_ids})
    return replace(fe, nodes=np.vstack([fe.nodes, [[9, 9, 9]]]), node_ids=np.append(fe.node_ids, 999))


def sweep_result() -> ff.io.SweepResult:
    return ff.io.SweepResult(
        parameters={"load": (1.0,), "sample": (1.0, 2.0)},
        columns=(ff.io.Channel("slide.displacement:rms", "m"),),
        values=np.array([[1.0], [np.nan]]),
        states=("done", "failed"),
        sentences=("", "no step was possible"),
        seconds=np.array([0.1, np.nan]),
        settings={"study": "simulate", "t_end": 1.0},
        samples={"mass": (3.0, 4.0)},
    )


@pytest.fixture(scope="module")
def printed(tmp_path_factory, beam) -> dict[str, Any]:
    """What each call prints."""
    folder = tmp_path_factory.mktemp("json")
    ff.io.write(folder / "beam.h5", beam)
    ff.io.write(folder / "walls.h5", walls())
    ff.io.write(folder / "sweep.h5", sweep_result())
    (folder / "machine.toml").write_text(MACHINE, encoding="utf-8")
    (folder / "swing.toml").write_text(SWING, encoding="utf-8")
    (folder / "line.toml").write_text(LINE, encoding="utf-8")
    (folder / "broken.toml").write_text(MACHINE.replace("mass =", "weight ="), encoding="utf-8")
    (folder / "plate.off").write_text("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")
    (folder / "archive").mkdir()
    for place in (folder, folder / "archive"):
        (place / "lossy.cdb").write_text(LOSSY)
    found = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(ff.io, "check_files", lambda files, *_: map(check_file, files))  # no processes: faster
        texts: list[str] = []
        patch.setattr("typer.echo", texts.append)
        for call in sorted(CALLS, key=lambda call: call.split()[0] not in ORDER):
            assert run([*shlex.split(call), "--json"]) == (call in FAILING), call
            found[call] = json.loads(texts.pop())
        sweep_command._print_end(sweep_result(), Path("sweep.h5"), 1.0, as_json=True)
        found["sweep"] = json.loads(texts.pop())
    one = csc_array(np.eye(1))
    matrices = ff.fem.MatrixModel(np.zeros((1, 3)), np.array([1]), np.array([[1, 0]]), one, one, {"tip": np.array([1])})
    found["matrices"] = {"format": "floatframe-info/1", **ff.io.describe(matrices)}
    return found


def test_every_command_is_on_the_page(printed):
    assert {content["format"].rpartition("/")[0] for content in printed.values()} == {
        "floatframe-problems",
        *(f"floatframe-{command}" for command in COMMANDS if command not in ELSEWHERE | SERVES),
    }
    assert {f"floatframe-{command}/1" for command in COMMANDS if command not in SERVES} <= set(sections())


def test_keys_are_those_of_the_page(printed):
    for call, content in printed.items():
        assert not undocumented(content), call


def test_the_page_has_no_key_that_nothing_prints(printed):
    seen = {(content["format"], path) for content in printed.values() for path, _ in leaves(content)}
    for name, rows in sections().items():
        formats = [name] if "/" in name else [c["format"] for c in printed.values() if c.get("content") == name]
        if name.removeprefix("floatframe-").removesuffix("/1") in ELSEWHERE:
            continue
        for path in rows:
            if any(part in RARE for part in path.replace("[]", "").split(".")):
                continue
            assert any((format, path) in seen for format in formats), f"{name}: nothing prints '{path}'"


def test_keys_are_snake_case_and_say_their_unit():
    for name, rows in sections().items():
        for path, row in rows.items():
            keys = path.replace("[]", "").split(".")
            assert all(SNAKE_CASE.fullmatch(key) for key in keys if key != "NAME"), f"{name}: {path}"
            assert "NAME" not in keys or keys[keys.index("NAME") - 1] in NAMED
            # 1: a ratio; unit: a key beside it names it; own: as the model or parameter has it
            wanted = {unit_of(path)} if unit_of(path) else {"", "1", "unit", "own"}
            assert row.unit in wanted, f"{name}: {path} has unit '{row.unit}', expected one of {wanted}"
            assert "number" not in row.types or row.unit, f"{name}: {path} says no unit"


def test_headings_for_people_keep_all_keys_apart(printed):
    for content in (content for content in printed.values() if "content" in content):
        shown = for_people(content)
        assert len(shown) == len(content)
        assert not any("_" in heading for heading in shown)
