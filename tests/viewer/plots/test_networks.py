"""Drawings of networks: where things stand, what is written, by command and in reports; complaints."""

from __future__ import annotations

from contextlib import contextmanager

import numpy as np
import pytest
from numpy.testing import assert_allclose

from floatframe.cli.main import run
from floatframe.errors import ModelError
from floatframe.network import Network, network_of
from floatframe.viewer import plot_network
from floatframe.viewer.plots import network_layout, networks, style

LIFT = """
format = "floatframe-network/1"
name = "drive"

[[element]]
name = "controller"
kind = "signal"
value = "5 - shaft.angular_velocity"

[[element]]
name = "supply"
kind = "voltage_source"
nodes = ["plus"]
voltage = "3*controller.value"

[[element]]
name = "motor"
kind = "dc_motor"
nodes = ["plus", "ground", "shaft"]
resistance = 1.0
inductance = 1e-3
constant = 0.5

[[machine]]
name = "arm"
file = "arm.toml"
ports = ["hinge"]
nodes = ["shaft"]

[simulate]
t_end = 1e-3
step = 1e-3
"""
ARM = """
format = "floatframe-model/1"

[[body]]
name = "rod"
mass = 2.0
inertia = [0.1, 0.1, 0.1]

[[joint]]
name = "hinge"
type = "revolute"
place = { body = "rod" }
against = { body = "ground" }
axis = [0, 0, 1]
"""


@pytest.fixture
def drive(tmp_path):
    (tmp_path / "arm.toml").write_text(ARM, encoding="utf-8")
    path = tmp_path / "drive.toml"
    path.write_text(LIFT, encoding="utf-8")
    return path


@pytest.fixture
def drawn(monkeypatch):
    """The figures that are drawn."""
    found = []

    @contextmanager
    def remembering(*arguments, **options):
        with style.saved_figure(*arguments, **options) as figure:
            found.append(figure)
            yield figure

    monkeypatch.setattr(networks, "saved_figure", remembering)
    return found


def test_a_chain_goes_from_left_to_right_and_signals_stand_above(drive):
    layout = network_layout.network_layout(network_of(LIFT.encode(), drive).network)
    chain = [
        *(("element", "supply"), ("node", "plus"), ("element", "motor"), ("node", "shaft"), ("element", "arm")),
    ]
    assert [layout.place[thing][0] for thing in chain] == [0, 1, 2, 3, 4]
    assert_allclose([layout.place[thing][1] for thing in chain], layout.place["element", "supply"][1], atol=1e-12)
    assert layout.place["element", "controller"][1] > layout.place["element", "supply"][1] + 1.0
    assert (("element", "arm"), ("node", "shaft"), "hinge") in layout.lines
    assert layout.arrows == [
        (("node", "shaft"), ("element", "controller")),
        (("element", "controller"), ("element", "supply")),
    ]


def test_places_are_one_apart_and_nearest_to_what_is_wished():
    # two that wish the same place share the way, the third has its wish
    assert_allclose(network_layout.apart([0.0, 5.0, 0.0]), [-0.5, 5.0, 0.5])
    found = network_layout.apart(np.random.default_rng(1).normal(size=30).tolist())
    assert np.diff(np.sort(found)).min() > 1 - 1e-12


def test_parallel_elements_and_parts_never_cover_each_other():
    net = Network()
    for k in range(6):
        net.add(f"R{k}", "resistor", ["a", "b"], resistance=1.0)
        net.add(f"heat{k}", "heat_capacity", [f"wall{k}"], capacity=1.0)
    places = np.array(list(network_layout.network_layout(net).place.values()))
    gaps = np.abs(places[:, None] - places[None]).max(axis=2)[np.triu_indices(len(places), 1)]
    assert gaps.min() > 1 - 1e-9


def test_a_long_chain_turns_back_below():
    net = Network()
    for k in range(40):
        net.add(f"R{k}", "resistor", [f"n{k}", f"n{k + 1}"], resistance=1.0)
    layout = network_layout.network_layout(net)
    places = np.array(list(layout.place.values()))
    assert np.ptp(places[:, 0]) < 20
    assert np.ptp(places[:, 1]) < 20
    steps = [np.subtract(layout.place[element], layout.place[node]) for element, node, _ in layout.lines]
    assert np.abs(steps).max() < 2.0


def test_the_picture_names_elements_kinds_nodes_and_ports(drive, tmp_path, drawn):
    plot_network(network_of(LIFT.encode(), drive).network, tmp_path / "g.png")
    words = {text.get_text() for text in drawn[0].axes[0].texts}
    assert words >= {"supply", "voltage source", "motor", "dc motor", "plus", "shaft", "arm", "machine", "hinge"}
    legend = {text.get_text() for text in drawn[0].legends[0].get_texts()}
    assert legend == {"electric: voltage [V]", "rotation: angular velocity [rad/s]", "read by an input"}


def test_names_of_terminals_stand_on_lines_of_their_own(tmp_path, drawn):
    """Each name is just above the line that ends at its node."""
    net = Network("press")
    net.add("cylinder", "cylinder", ["pa", "pb", "bar"], area_a=2e-3, area_b=1e-3)
    net.add("pump", "pressure_source", ["pa"], pressure=1e6)
    net.add("leak", "pipe", ["pb", "ground"], conductance=1e-9)
    net.add("load", "mass", ["bar"], mass=10.0)
    plot_network(net, tmp_path / "g.png")
    place, axes = network_layout.network_layout(net).place, drawn[0].axes[0]
    for terminal, node in (("a", "pa"), ("b", "pb"), ("rod", "bar")):
        x, y = next(text for text in axes.texts if text.get_text() == terminal).get_position()
        lines = [line.get_xydata() for line in axes.lines if len(line.get_xydata()) == 3]
        below = [points for points in lines if min(points[:2, 0]) <= x <= max(points[:2, 0]) and points[0, 1] < y]
        nearest = min(below, key=lambda points: y - points[0, 1])
        assert_allclose(nearest[-1], place["node", node])
        assert nearest[0, 1] == nearest[1, 1]  # straight below the name


def test_what_cannot_be_read_is_not_drawn(tmp_path):
    net = Network("grid")
    with pytest.raises(ModelError, match="no elements to draw"):
        plot_network(net, tmp_path / "g.png")
    for k in range(networks.MOST + 1):
        net.add(f"C{k}", "heat_capacity", [f"n{k}"], capacity=1.0)
    with pytest.raises(ModelError, match=f"has {networks.MOST + 1} elements, of which a drawing shows {networks.MOST}"):
        plot_network(net, tmp_path / "g.png")
    assert not list(tmp_path.iterdir())


def test_view_and_report_show_the_graph(drive, tmp_path, capsys):
    picture, page, result = tmp_path / "g.png", tmp_path / "r.html", tmp_path / "run.h5"
    assert run(["view", str(drive), "--save", str(picture)]) == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert run(["report", str(drive), "-o", str(page)]) == 0
    assert "elements and nodes" in page.read_text(encoding="utf-8")
    assert run(["simulate", str(drive), "-o", str(result)]) == 0
    assert run(["report", str(result), "-o", str(page)]) == 0
    assert "elements and nodes" in page.read_text(encoding="utf-8")
    drawn = picture.read_bytes()
    assert run(["view", str(result), "--save", str(picture)]) == 0
    assert picture.read_bytes() == drawn  # the run keeps the network
    # a run that has moved away from its machine says so, and takes the network file
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    result.rename(moved / "run.h5")
    assert run(["report", str(moved / "run.h5"), "-o", str(page)]) == 0
    assert "Name the network file with --model." in page.read_text(encoding="utf-8")
    assert run(["report", str(moved / "run.h5"), "--model", str(drive), "-o", str(page)]) == 0
    assert "elements and nodes" in page.read_text(encoding="utf-8")
    capsys.readouterr()
    for more, words in (([], "give --save network.png"), (["--save", str(tmp_path / "g.html")], "into a picture")):
        assert run(["view", str(drive), *more]) == 2
        assert words in capsys.readouterr().err
    assert run(["view", str(drive), "--mode", "1", "--save", str(picture)]) == 2
    assert "--save, --title and --json apply only" in capsys.readouterr().err
