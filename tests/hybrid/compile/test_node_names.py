"""Nodes of flexible bodies by name: reference nodes and sets of one node, from the finite element model to channels."""

from __future__ import annotations

import json

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import floatframe as ff
from floatframe import hybrid as h
from floatframe.cli.main import run
from floatframe.errors import ModelError
from tests.hybrid.stiffened_models import SQUARE, STEEL

N = 10
NAMES = {"ROOT_ref": 1, "TIP": N + 1, "middle": 6, "start": 1, "end": N + 1}  # the last two are those of every line
FE = ff.fem.beam_line((0, 0, 0), (1, 0, 0), n=N, section=SQUARE, material=STEEL)
for _name, _node in list(NAMES.items())[:3]:
    FE = FE.with_node_set(_name, [_node])
FE = FE.with_node_set("many", [2, 3])

MODEL = """
format = "floatframe-model/1"
gravity = [0, 0, -9.81]
[[flexible]]
name = "rod"
file = "rod.h5"
frame = ["chord", "ROOT_ref", "TIP"]
[[joint]]
name = "A"
type = "revolute"
place = { body = "rod", node = "ROOT_ref" }
against = { body = "ground" }
axis = [0, 1, 0]
[[force]]
name = "push"
type = "point_force"
place = { body = "rod", node = "TIP" }
force = [0, 0, "-3*rod.node[middle].velocity.z"]
[record]
every = 0.01
channels = ["A.angle", "rod.node[TIP].displacement"]
"""


@pytest.fixture(scope="module")
def body():
    return ff.modal.reduce(FE, interface=["ROOT_ref", "TIP"], n_modes=4)


@pytest.fixture
def folder(body, tmp_path):
    ff.io.write(tmp_path / "rod.h5", body)
    (tmp_path / "model.toml").write_text(MODEL, encoding="utf-8")
    return tmp_path


def test_sets_of_one_node_name_it(body):
    assert body.node_names == NAMES
    assert body.name_of(1) == "ROOT_ref"
    assert body.name_of(2) == ""


def test_names_stay_with_the_body(body, tmp_path):
    """In other bases, with fewer modes, and in HDF5 files; a binary input.fum says what it has no room for."""
    for changed in (body.drop([1]), body.keep([1, 2]), body.orthonormalised()):
        assert changed.node_names == NAMES
    for path in ("body.h5", "again.h5"):
        ff.io.write(tmp_path / path, body)
        body = ff.io.read(tmp_path / path)
        assert body.node_names == NAMES
    assert run(["convert", str(tmp_path / "body.h5"), str(tmp_path / "converted.h5")]) == 0
    assert ff.io.read(tmp_path / "converted.h5").node_names == NAMES
    from floatframe.io.native.fum_binary import lost

    assert "names of nodes" in lost(body)
    ff.io.write(tmp_path / "input.fum", body)
    assert ff.io.read(tmp_path / "input.fum").node_names == {}


def test_a_coupled_set_gives_its_reference_node_a_name(tmp_path):
    """The way of the command line: a set coupled to a reference node, which becomes the interface."""
    plate = ff.fem.plate_grid(1.0, 0.2, nx=10, ny=2, thickness=0.01, material=STEEL)
    ends = {"ROOT": np.isclose(plate.nodes[:, 0], 0.0), "TIP": np.isclose(plate.nodes[:, 0], 1.0)}
    for name, mask in ends.items():
        plate = plate.with_node_set(name, plate.node_ids[mask])
    ff.io.write(tmp_path / "plate.h5", plate)
    words = "--couple ROOT=rbe2 --couple TIP=rbe2 --interface ROOT,TIP -n 4 -o"
    assert run(["reduce", str(tmp_path / "plate.h5"), *words.split(), str(tmp_path / "body.h5")]) == 0
    found = ff.io.read(tmp_path / "body.h5")
    assert [found.name_of(node) for node in found.interface_nodes.tolist()] == ["ROOT_ref", "TIP_ref"]


def test_a_model_by_names_is_the_model_by_numbers(folder):
    named = h.read_model(folder / "model.toml")
    text = MODEL.replace('"ROOT_ref"', "1").replace('"TIP"', str(N + 1)).replace("[middle]", "[6]")
    (folder / "numbers.toml").write_text(text.replace("node[TIP]", f"node[{N + 1}]"), encoding="utf-8")
    by_number = h.read_model(folder / "numbers.toml")
    one, two = (file.model.compile().simulate(t_end=0.05, step=1e-3, record=file.record) for file in (named, by_number))
    assert_array_equal(one.q, two.q)
    tip = one["rod.node[TIP].displacement"]
    assert_array_equal(tip, two[f"rod.node[{N + 1}].displacement"])
    assert np.abs(tip).max() > 0.0
    # others are recovered from the coordinates by either name
    assert_array_equal(one["rod.node[middle].position"], one["rod.node[6].position"])
    found = h.contributions(one, "rod.node[middle].displacement.z", "rod", mean="kept", at="start")
    assert found.numbers.total_peak == pytest.approx(np.abs(one["rod.node[6].displacement.z"]).max(), rel=1e-9)


def test_in_python_and_back_to_a_file(folder):
    model = h.Model(gravity=(0, 0, -9.81))
    rod = model.add(h.FlexibleBody("rod", folder / "rod.h5"))
    model.add(h.fixed("A", rod.node("ROOT_ref"), model.ground.at()))
    h.write_model(folder / "written.toml", model)
    assert 'node = "ROOT_ref"' in (folder / "written.toml").read_text(encoding="utf-8")
    (joint,) = h.read_model(folder / "written.toml").model.flatten().joints
    assert joint.a.node == 1


def test_wrong_names_come_with_the_right_ones(folder, body):
    model = h.Model()
    rod = model.add(h.FlexibleBody("rod", body))
    model.add(h.fixed("A", rod.node("root_ref"), model.ground.at()))
    with pytest.raises(ModelError, match=r"joint 'A': body 'rod' has no node named 'root_ref'; did you mean ROOT_ref"):
        model.flatten()
    with pytest.raises(ModelError, match=r"its interface nodes are 1 \(ROOT_ref\), 11 \(TIP\)"):
        model.flatten()
    ff.io.write(folder / "input.fum", body)
    plain = h.Model()
    rod = plain.add(h.FlexibleBody("rod", folder / "input.fum"))
    plain.add(h.fixed("A", rod.node("ROOT_ref"), plain.ground.at()))
    with pytest.raises(ModelError, match=r"nodes have no names.*its interface nodes are 1, 11"):
        plain.flatten()
    system = h.read_model(folder / "model.toml").model.compile()
    with pytest.raises(ModelError, match=r"has no node named 'TOP'"):
        system.simulate(t_end=1e-3, step=1e-3, record=h.Record(channels=("rod.node[TOP].position",)))
    with pytest.raises(ModelError, match=r"has no node named 'many'"):
        system.simulate(t_end=1e-3, step=1e-3, record=h.Record(channels=("rod.node[many].position",)))
    for channel, words in (
        ("rood.node[TIP].position", r"body 'rood' does not exist; did you mean rod\?"),
        ("rod.node[TIP].positon", r"a node has no 'positon'; did you mean position\?"),
    ):
        with pytest.raises(ModelError, match=words):
            system.simulate(t_end=1e-3, step=1e-3, record=h.Record(channels=(channel,)))


def test_tables_and_pictures_show_names(folder, body, capsys):
    assert run(["info", str(folder / "rod.h5"), "--json"]) == 0
    interface = json.loads(capsys.readouterr().out)["interface"]
    assert [(row["node"], row["name"]) for row in interface] == [(1, "ROOT_ref"), (N + 1, "TIP")]
    assert run(["info", str(folder / "model.toml"), "--json"]) == 0
    places = [joint["place"] for joint in json.loads(capsys.readouterr().out)["joints"]]
    assert {"body": "rod", "node": 1, "node_name": "ROOT_ref"} in places
    assert run(["info", str(folder / "model.toml")]) == 0
    assert "rod node 1 ROOT_ref" in capsys.readouterr().out
    assert [label.text for label in ff.viewer.scene_of(body).labels] == ["1 ROOT_ref", f"{N + 1} TIP"]
    result = h.read_model(folder / "model.toml").model.compile().simulate(t_end=0.02, step=1e-3)
    traces = [
        part.points
        for part in ff.viewer.scene_of(result, trace=["rod.node[TIP]", f"rod.node[{N + 1}]"]).parts
        if part.name == "traces"
    ]
    assert_array_equal(*traces)
