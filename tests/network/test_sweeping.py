"""Sweeps of networks against single runs and closed forms, by Python and by command."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from floatframe.cli.main import application
from floatframe.errors import ModelError
from floatframe.network import Network, read_network, sweep_network
from tests.network import filter_network

FILTER = f"""\
{filter_network.FILTER.replace("10*sin(2*pi*50*t)", "10 + 0*t")}
[record]
every = 1e-4
channels = ["out.voltage"]

[simulate]
t_end = 1e-3
step = 1e-5
"""


@pytest.fixture
def circuit(tmp_path):
    path = tmp_path / "filter.toml"
    path.write_text(FILTER, encoding="utf-8")
    return path


def test_points_have_the_numbers_of_single_runs(circuit):
    result = sweep_network(circuit, {"R": "50:150:50"}, measure="out.voltage:end", workers=1)
    for R, found in zip((50.0, 100.0, 150.0), result["out.voltage:end"], strict=True):
        file = read_network(circuit, {"R": R})
        single = file.compile().simulate(settings=file.settings(), record=file.record())
        assert found == single["out.voltage"][-1]


def test_linear_sweeps_give_the_poles_of_the_operating_points(circuit):
    result = sweep_network(circuit, {"R": [50.0, 100.0]}, "linear", workers=1)
    np.testing.assert_allclose(result["frequency.1"], 1e5 / np.array([50.0, 100.0]) / (2.0 * np.pi), rtol=1e-10)
    rest = sweep_network(circuit, {"R": [50.0]}, "equilibrium", measure="in.voltage - out.voltage", workers=1)
    assert rest["in.voltage - out.voltage"][0] == pytest.approx(0.0, abs=1e-9)  # of 10 V


def test_networks_of_python_and_functions_of_runs():
    net = Network("filter", parameters={"R": 100.0})
    net.add("source", "voltage_source", ["in"], voltage=10.0)
    net.add("R1", "resistor", ["in", "out"], resistance="R")
    net.add("C1", "capacitor", ["out", "ground"], capacitance=1e-5)
    measured = {"measure": lambda run: {"last [V]": run["out.voltage"][-1]}, "workers": 1}
    result = sweep_network(net, {"R": [50.0, 100.0]}, t_end=1e-3, step=1e-6, method="generalised-alpha", **measured)
    np.testing.assert_allclose(result["last"], 10.0 * (1.0 - np.exp([-2.0, -1.0])), rtol=1e-6)


def test_networks_of_python_are_swept_in_worker_processes():
    net = Network("filter", parameters={"R": 100.0})
    net.add("R1", "resistor", ["out", "ground"], resistance="R")
    net.add("C1", "capacitor", ["out", "ground"], capacitance=1e-5)
    result = sweep_network(net, {"R": [50.0, 100.0]}, "linear", workers=2)
    np.testing.assert_allclose(result["frequency.1"], 1e5 / np.array([50.0, 100.0]) / (2.0 * np.pi), rtol=1e-10)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"n": 0}, "n is 0, expected a whole number of modes from 1 on"),
        ({"n": -1}, "n is -1, expected"),
        ({"at": "steady"}, "at is 'steady', of a network expected start or equilibrium"),
    ],
)
def test_linear_sweeps_refuse_what_they_cannot_look_at(circuit, given, words):
    with pytest.raises(ModelError, match=words):
        sweep_network(circuit, {"R": [50.0]}, "linear", workers=1, **given)


def test_a_point_that_fails_is_kept_and_a_sweep_goes_on(circuit, tmp_path):
    given = {"measure": "out.voltage:end", "workers": 1, "path": tmp_path / "s.h5"}
    first = sweep_network(circuit, {"R": [100.0, -1.0]}, **given)
    assert first.nfailed == 1
    assert "must be above 0" in first.failures[0][1]
    more = sweep_network(circuit, {"R": [100.0, -1.0, 50.0]}, resume=True, **given)
    assert more["out.voltage:end"][0] == first["out.voltage:end"][0]
    assert np.isfinite(more["out.voltage:end"][2])
    circuit.write_text(FILTER.replace("1e-5\n\n[record]", "2e-5\n\n[record]"), encoding="utf-8")
    with pytest.raises(ModelError, match="the model is not the one"):
        sweep_network(circuit, {"R": [100.0, -1.0, 50.0]}, resume=True, **given)


def test_settings_that_networks_do_not_have_are_refused(circuit):
    with pytest.raises(ModelError, match="setting 'solver' does not exist for networks"):
        sweep_network(circuit, {"R": [50.0]}, solver="dec")
    with pytest.raises(ModelError, match="method 'radau5' does not exist for networks"):
        sweep_network(circuit, {"R": [50.0]}, method="radau5")


def test_the_commands_sweep_and_find_operating_points(circuit, tmp_path):
    def said(*words: str) -> dict:
        run = CliRunner().invoke(application(), [*words, "--json"])
        assert run.exit_code == 0
        return json.loads(run.stdout)

    swept = said(
        *("sweep", str(circuit), "--vary", "R=50,100", "--measure", "out.voltage:end"),
        *("-o", str(tmp_path / "c.h5"), "--workers", "1"),
    )
    assert [point["state"] for point in swept["points"]] == ["done", "done"]
    rest = {one["channel"]: one["value"] for one in said("equilibrium", str(circuit), "--set", "R=20")["channels"]}
    assert rest["out.voltage"] == pytest.approx(10.0, rel=1e-9)
    linear = said("linear", str(circuit), "--set", "R=50")
    assert linear["at"] == "equilibrium"
    assert linear["modes"][0]["kind"] == "no_oscillation"


def test_runs_of_sweeps_begin_from_the_operating_point_too(circuit):
    found = sweep_network(
        circuit, {"R": [50.0, 100.0]}, measure="out.voltage:min", workers=1, **{"from": "equilibrium"}
    )
    np.testing.assert_allclose(found["out.voltage:min"], 10.0, rtol=1e-9)  # charged from the beginning
