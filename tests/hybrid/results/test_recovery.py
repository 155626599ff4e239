"""Motions of nodes that were not recorded, recovered from the coordinates of a run."""

from __future__ import annotations

import numpy as np
import pytest

import floatframe as ff
from floatframe import hybrid as h
from floatframe.cli.main import run
from floatframe.errors import ModelError

WHAT = ("position", "velocity", "displacement", "rotation", "angular_velocity")
MODEL = """
format = "floatframe-model/1"
gravity = [0, 0, -9.81]
[parameters]
turn = 1.0
[[flexible]]
name = "rod"
file = "rod.fum"
[[joint]]
name = "A"
type = "revolute"
place = { body = "rod", node = 1 }
against = { body = "ground" }
axis = [0, 1, 0]
[[force]]
name = "drive"
type = "joint_torque"
joint = "A"
torque = "turn*sin(30*t)"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory, beam):
    """A model file with its rod."""
    folder = tmp_path_factory.mktemp("recovery")
    ff.io.write(folder / "rod.fum", ff.modal.reduce(beam, interface=[1, 21], n_modes=4))
    (folder / "model.toml").write_text(MODEL, encoding="utf-8")
    return folder


def simulate(folder, path, **record):
    file = h.read_model(folder / "model.toml")
    wanted = h.Record(every=5e-3, **record)
    return file.model.compile().simulate(t_end=0.1, step=1e-3, record=wanted, path=path)


def test_recovered_motions_are_the_recorded_ones(folder):
    names = tuple(f"rod.node[{node}].{what}" for node in (11, 21) for what in WHAT)
    recorded = simulate(folder, folder / "all.h5", channels=names)
    simulate(folder, folder / "few.h5", channels=("A.angle",))
    # in another process there is nothing but the file, its model text and the rod beside it
    few = h.Results.open(folder / "few.h5")
    for name in names:
        assert name not in few  # it holds no such channel
        np.testing.assert_array_equal(few[name], recorded[name], err_msg=name)
        np.testing.assert_array_equal(few[f"{name}.z"], recorded[f"{name}.z"])
        assert few.unit(name) == recorded.unit(name)
    assert np.abs(few["rod.node[11].displacement.z"]).max() > 1e-5
    assert [channel.name for channel in few.channels] == ["A.angle"]


def test_on_the_command_line(folder):
    simulate(folder, folder / "plot.h5", channels=("A.angle",))
    table = folder / "out.csv"
    assert run(["plot", str(folder / "plot.h5"), "rod.node[11].displacement", "--csv", str(table)]) == 0
    assert table.read_text().splitlines()[0].split(",")[3] == "rod.node[11].displacement.z [m]"


@pytest.mark.parametrize(
    ("name", "record", "said"),
    [
        ("rod.node[11].acceleration", {}, "from coordinates and speeds; name it among the channels to record"),
        ("rod.node[11].position", {"coordinates": False}, "the run kept no coordinates"),
        ("rod.node[99].position", {}, "99"),
        ("rad.node[11].position", {}, "body 'rad' does not exist; did you mean rod?"),
        ("rod.node[11].positoin", {}, "channel 'rod.node"),
    ],
)
def test_what_cannot_be_recovered_is_reported(folder, name, record, said):
    result = simulate(folder, None, channels=("A.angle",), **record)
    with pytest.raises(ff.FloatframeError) as error:
        result[name]
    assert said in str(error.value)


def test_a_file_without_its_model_says_so(folder, tmp_path):
    simulate(folder, folder / "lost.h5", channels=("A.angle",))
    moved = (folder / "lost.h5").rename(tmp_path / "lost.h5")
    with pytest.raises(ModelError, match=r"was not recorded and cannot be recovered: .*rod\.fum"):
        h.Results.open(moved)["rod.node[11].position"]
