"""`floatframe info`, `equilibrium` and `linear` on model files."""

from __future__ import annotations

import math
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

import floatframe as ff
from floatframe.cli.main import run
from floatframe.samples import beam
from tests.cli.json_output import printed
from tests.studio.filter_network import FILTER

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "samples"
PENDULUM = SAMPLES / "pendulum" / "pendulum.toml"
# those whose bodies a command makes first have tests of their own
MADE = ("machine", "five_beams", "arm")
FILES = [path for path in sorted(SAMPLES.rglob("*.toml")) if ff.hybrid.is_model_file(path) and path.stem not in MADE]


@pytest.fixture(scope="module")
def flexible(tmp_path_factory) -> Path:
    """The flexible slider-crank beside its rod, made as its first lines say."""
    folder = tmp_path_factory.mktemp("slider_crank")
    ff.io.write(folder / "input.fum", ff.modal.reduce(beam.build(), interface=[1, 201], n_modes=20))
    return Path(shutil.copy(SAMPLES / "slider_crank" / "flexible.toml", folder))


def failing(capsys, code: int, *arguments) -> str:
    assert run([str(a) for a in arguments]) == code
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("floatframe: ")
    return said.err


# info


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_info_of_every_sample(capsys, file, flexible):
    file = flexible if file.stem == "flexible" else file
    content = printed(capsys, "info", file)
    assert content["content"] == "hybrid_model"
    assert content["dof_count"] == content["speed_count"] - content["constraint_count"]
    assert run(["info", str(file)]) == 0
    said = capsys.readouterr().out
    for kind in ("body", "joint", "force"):
        for entry in content[{"body": "bodies"}.get(kind, f"{kind}s")]:
            assert entry[kind] in said


def test_info_of_the_slider_cranks(capsys, flexible):
    rigid, chain = (printed(capsys, "info", SAMPLES / "slider_crank" / f"{name}.toml") for name in ("rigid", "chain"))
    soft = printed(capsys, "info", flexible)
    # one turning crank; ten hinges more; the rod's 26 modes in two planes less what its two hinges hold
    assert (rigid["dof_count"], chain["dof_count"]) == (1, 11)
    assert rigid["mass_kg"] == pytest.approx(7.403 + 6.28 + 9.36)
    assert chain["mass_kg"] == pytest.approx(rigid["mass_kg"])
    assert soft["mass_kg"] == pytest.approx(rigid["mass_kg"])
    # a plane mechanism with joints of space: the loop holds three motions twice
    assert len(rigid["redundant_constraints"]) == 3
    assert {joint["joint"]: joint["role"] for joint in soft["joints"]}["B"] == "cut"
    (rod,) = [body for body in soft["bodies"] if body["kind"] == "flexible"]
    # 20 eigenmodes end inside a pair, so there are 21; 12 static shapes less 6 rigid motions
    assert (rod["body"], rod["mode_count"]) == ("rod", 27)
    assert soft["forces"][0]["unit"] == "N m"
    assert soft["simulate"]["t_end"] == 2.0


def test_info_of_a_broken_model_file_names_its_line(capsys, tmp_path):
    path = tmp_path / "m.toml"
    path.write_text(PENDULUM.read_text().replace('"hinge"', '"hnge"', 1), encoding="utf-8")
    line = path.read_text().splitlines().index('joint = "hinge"') + 1
    said = failing(capsys, 1, "info", path)
    assert said == f"floatframe: {path}:{line}: joint_torque 'drag': joint 'hinge' does not exist; did you mean hnge?\n"


@pytest.mark.parametrize("network", [False, True])
def test_info_refuses_settings_that_no_run_can_have(capsys, tmp_path, network):
    path, text = tmp_path / "m.toml", FILTER if network else PENDULUM.read_text(encoding="utf-8")
    path.write_text(re.sub("t_end = .*", "t_end = -2", text), encoding="utf-8")
    line = path.read_text().splitlines().index("t_end = -2") + 1
    assert f"m.toml:{line}: simulate: t_end is -2" in failing(capsys, 1, "info", path)


def test_caret_stays_under_the_mistake(capsys, tmp_path):
    path = tmp_path / "m.toml"
    path.write_text(PENDULUM.read_text().replace("-drag*rate", "-drag**rate)"), encoding="utf-8")
    first, shown, caret, _ = failing(capsys, 1, "linear", path).split("\n")
    assert "m.toml:" in first
    assert shown[caret.index("^")] == ")"


# equilibrium


def test_equilibrium_of_a_pendulum_hangs(capsys):
    content = printed(capsys, "equilibrium", PENDULUM, "--set", "swing=2.5")
    assert content["stable"] is True
    # a turn of the hinge by less than 1e-9 rad moves the balance by less than rounding
    assert content["joints"][0]["value"] == pytest.approx(0.0, abs=1e-9)
    assert content["bodies"][0]["quaternion"] == pytest.approx([1, 0, 0, 0], abs=1e-9)
    assert run(["equilibrium", str(PENDULUM)]) == 0
    said = capsys.readouterr()
    assert "stable" in said.out
    assert said.err == ""


def test_equilibrium_of_a_bogie_carries_its_weight(capsys):
    content = printed(capsys, "equilibrium", SAMPLES / "bogie" / "bogie.toml")
    height = {body["body"]: body["position_m"][2] for body in content["bodies"]}
    # rails of 5e7 N/m under a wheelset, which carries half the frame of 3000 kg, two boxes of 80 kg and itself
    weight = 9.81 * (1500 + 160 + 1200)
    assert height["front.wheels"] == pytest.approx(0.475 - weight / 5e7, rel=1e-6)
    # four springs of 1.2e6 N/m under the frame; wheels go down by different amounts
    sag = 9.81 * 3000 / 4 / 1.2e6
    below = (height["front.box_left"] + height["rear.box_left"]) / 2
    assert height["frame"] - 0.325 - below == pytest.approx(-sag, rel=1e-3)


def test_no_equilibrium_is_said(capsys, tmp_path):
    path = tmp_path / "m.toml"
    path.write_text(PENDULUM.read_text().replace("-drag*rate", "100"), encoding="utf-8")
    said = failing(capsys, 1, "equilibrium", path)
    assert "no equilibrium found: angle of joint 'hinge'" in said
    assert said.count("\n") == 1


# linear


def test_frequencies_of_pendulums(capsys):
    (mode,) = printed(capsys, "linear", PENDULUM)["modes"]
    # exact for a rod: w² = 3 g / 2 l; differences give about ten digits
    assert mode["frequency_hz"] == pytest.approx(math.sqrt(1.5 * 9.81) / (2 * math.pi), rel=1e-9)
    (mode,) = printed(capsys, "linear", PENDULUM, "--set", "length=0.5^2", "--set", "g=1.6")["modes"]
    assert mode["frequency_hz"] == pytest.approx(math.sqrt(1.5 * 1.6 / 0.25) / (2 * math.pi), rel=1e-9)
    modes = printed(capsys, "linear", SAMPLES / "pendulum" / "double_pendulum.toml")["modes"]
    exact = np.sqrt(9.81 * (2 + np.array([-1, 1]) * math.sqrt(2))) / (2 * math.pi)
    # its balls have an inertia of 1e-6 m l², over the smallest eigenvalue 0.38 m l² of the mass matrix
    np.testing.assert_allclose([mode["frequency_hz"] for mode in modes], exact, rtol=3e-6)
    assert sum(modes[0]["participants"].values()) == pytest.approx(1.0)


def test_damping_ratio(capsys):
    (mode,) = printed(capsys, "linear", PENDULUM, "--set", "drag=0.5")["modes"]
    # I w² = m g l / 2, drag = 2 ratio w I with I = m l² / 3
    omega = math.sqrt(1.5 * 9.81)
    assert mode["damping_ratio"] == pytest.approx(0.5 / (2 * omega * 2 / 3), rel=1e-8)


def test_rod_of_the_slider_crank_vibrates_like_a_beam(capsys, flexible):
    arguments = ("linear", flexible, "--at", "start", "-n", "6", "--set", "torque=0", "--set", "drag=0")
    modes = printed(capsys, *arguments)["modes"]
    assert modes[0]["kind"] == "rigid_body_motion"
    # across the plane the pins hold it clamped: 4.73² / 2 pi l² sqrt(EI / rho A); rotary inertia lowers it by 1e-4
    exact = 4.730040745**2 / (2 * math.pi * 4) * math.sqrt(2.1e11 * 0.02**2 / 12 / 7850)
    assert min(abs(mode["frequency_hz"] / exact - 1) for mode in modes) < 3e-4
    assert run([*map(str, arguments)]) == 0
    said = capsys.readouterr().out
    assert "rigid-body motion" in said
    assert "rod 100 %" in said


def test_n_and_at(capsys):
    assert len(printed(capsys, "linear", SAMPLES / "bogie" / "bogie.toml", "-n", "3")["modes"]) == 3
    assert run(["linear", str(PENDULUM), "--at", "start"]) == 0
    assert "the start is not an equilibrium" in capsys.readouterr().err
    failing(capsys, 2, "linear", PENDULUM, "--at", "end")


# --set


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("lenght=1", "no parameter 'lenght'; did you mean length?"),
        ("length", "'length' must have the form NAME=VALUE"),
        ("length=", "'length=' must have the form NAME=VALUE"),
        ("length=2*(3", "expected an operator or ')'"),
        ("length=mass", "unknown name 'mass'"),
    ],
)
def test_wrong_sets(capsys, value, said):
    complaint = failing(capsys, 2, "linear", PENDULUM, "--set", value)
    assert said in complaint
    assert complaint.count("\n") == 1


def test_an_unknown_parameter_is_named_with_its_option(capsys):
    assert "--vary: model 'pendulum' has no parameter 'lenght'" in failing(
        capsys, 2, "linear", PENDULUM, "--vary", "lenght=1:2:1"
    )
    assert "--set: model 'pendulum' has no parameter 'lenght'" in failing(
        capsys, 2, "linear", PENDULUM, "--vary", "length=1:2:1", "--set", "lenght=1"
    )


def test_a_value_no_body_can_have_names_the_line(capsys):
    line = PENDULUM.read_text().splitlines().index("[[body]]") + 1
    assert f"pendulum.toml:{line}: body 'rod': found a mass of -1 kg" in failing(
        capsys, 1, "linear", PENDULUM, "--set", "mass=-1"
    )


def test_set_of_a_part(capsys):
    content = printed(capsys, "equilibrium", SAMPLES / "bogie" / "bogie.toml", "--set", "front.mass=2*600+800")
    height = {body["body"]: body["position_m"][2] for body in content["bodies"]}
    assert height["front.wheels"] < height["rear.wheels"]


def test_commands_of_the_manual_run(capsys):
    texts = [(ROOT / "docs" / "reference" / "model-file.md").read_text(encoding="utf-8")]
    commands = re.findall(
        r"^floatframe ((?:info|equilibrium|linear) samples/.*?)\s*(?:#.*)?$", "\n".join(texts), re.MULTILINE
    )
    assert len(commands) >= 3
    for command in commands:
        words = [str(ROOT / word) if word.startswith("samples/") else word for word in command.split()]
        assert run(words) == 0, command
    capsys.readouterr()
