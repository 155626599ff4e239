"""Eigenvalues of networks against closed forms and matrices written by hand; the command."""

from __future__ import annotations

import math

import numpy as np
import pytest

from floatframe.errors import ModelError
from floatframe.network import Network, linear, write_network
from tests.cli.json_output import printed


def rlc(resistance: float) -> Network:
    net = Network("rlc", parameters={"R": resistance})
    net.add("V", "voltage_source", ["in"], voltage=10.0)
    net.add("R", "resistor", ["in", "m"], resistance="R")
    net.add("L", "inductor", ["m", "out"], inductance=1e-3)
    net.add("C", "capacitor", ["out", "ground"], capacitance=1e-4)
    return net


def test_the_command_gives_the_poles_of_rlc(tmp_path, capsys):
    """s² + R/L s + 1/LC = 0: two complex ones, and two real ones with another resistance."""
    write_network(tmp_path / "rlc.toml", rlc(2.0))
    (mode,) = printed(capsys, "linear", tmp_path / "rlc.toml")["modes"]
    assert mode["real_per_s"] == pytest.approx(-1000.0, rel=1e-9)
    assert mode["imaginary_per_s"] == pytest.approx(3000.0, rel=1e-9)
    assert mode["damping_ratio"] == pytest.approx(1.0 / math.sqrt(10.0), rel=1e-9)
    both = printed(capsys, "linear", tmp_path / "rlc.toml", "--set", "R=20")["modes"]
    wanted = [-1e4 + math.sqrt(1e8 - 1e7), -1e4 - math.sqrt(1e8 - 1e7)]
    assert [one["real_per_s"] for one in both] == pytest.approx(wanted, rel=1e-9)


def test_a_drive_with_a_controller_has_the_eigenvalues_of_its_state_matrix():
    """Speed feedback, armature, elastic shaft: states i, w, the twist and w of the load; heat stands beside them."""
    net = Network("drive")
    net.add("w", "signal", value="shaft.angular_velocity")
    net.add("V", "voltage_source", ["p"], voltage="24 - 0.5*w.value")
    net.add("m", "dc_motor", ["p", "ground", "shaft"], resistance=0.5, inductance=1e-3, constant=0.1)
    net.add("J", "inertia", ["shaft"], inertia=1e-2)
    net.add("k", "rotary_spring", ["shaft", "load"], stiffness=30.0)
    net.add("J2", "inertia", ["load"], inertia=2e-2)
    net.add("C", "heat_capacity", ["h"], capacity=100.0)
    net.add("G", "conduction", ["h", "ground"], conductance=2.0)
    A = np.array([[-500.0, -600, 0, 0], [10, 0, -3000, 0], [0, 1, 0, -1], [0, 0, 1500, 0]])
    wanted = np.append(np.linalg.eigvals(A), -0.02)
    wanted = np.sort_complex(wanted[wanted.imag >= 0.0])
    found = net.compile().linearise()
    np.testing.assert_allclose(np.sort_complex(found.eigenvalues), wanted, rtol=1e-8)
    assert found.stable
    slowest = found.described()[0]
    assert next(iter(slowest["participants"])) == "h"


@pytest.mark.parametrize(("kind", "value"), [("resistor", "resistance"), ("capacitor", "capacitance")])
def test_a_network_that_leaves_an_unknown_open_has_neither_modes_nor_operating_point(kind, value):
    """One element between two nodes fixes no more than their difference."""
    net = Network("open")
    net.add("one", kind, ["a", "b"], **{value: 1.0})
    system = net.compile()
    for study in (system.linearise, system.operating_point):
        with pytest.raises(ModelError, match="'b' is not determined"):
            study()


def test_networks_too_large_for_a_dense_pencil_are_refused(monkeypatch):
    monkeypatch.setattr(linear, "MOST", 2)
    with pytest.raises(ModelError, match="network 'rlc' has 4 unknowns, of which linear analysis takes 2 at most"):
        rlc(1.0).compile().linearise()


@pytest.mark.parametrize("capacitance", [1e-6, 1e-9, 1e-12])
def test_slow_modes_do_not_depend_on_how_fast_a_circuit_beside_them_is(capacitance):
    """Growth of 5e-3 1/s, heat of 1e-3 1/s and a capacitor with 1/RC beside a charge that nothing changes."""
    net = Network("slow")
    net.add("store", "capacitor", ["x", "ground"], capacitance=1.0)
    net.add("feed", "current_source", ["x", "ground"], current="0.005*x.voltage")
    net.add("H", "heat_capacity", ["h"], capacity=1000.0)
    net.add("G", "conduction", ["h", "ground"], conductance=1.0)
    net.add("V", "voltage_source", ["a"], voltage=1.0)
    net.add("R", "resistor", ["a", "b"], resistance=100.0)
    net.add("C", "capacitor", ["b", "ground"], capacitance=capacitance)
    net.add("charge", "capacitor", ["c", "ground"], capacitance=1.0)
    found = net.compile().linearise()
    np.testing.assert_allclose(found.eigenvalues, [-1e-3, 5e-3, -0.01 / capacitance], rtol=1e-9)
    assert not found.stable


def test_a_chain_of_masses_that_hardly_anything_holds_back_slows_down_as_one():
    """Free it has no rigid mode; damped by d at one end, that of all masses together, d / sum(m), and nothing grows."""
    net, count, drag = Network("chain"), 6, 1e-5
    for k in range(count):
        net.add(f"m{k}", "mass", [f"x{k}"], mass=1.0 + k)
    for k in range(count - 1):
        net.add(f"k{k}", "spring", [f"x{k}", f"x{k + 1}"], stiffness=0.1 + 10.0**k, length=0.0)
    assert len(net.compile().linearise().eigenvalues) == count - 1
    net.add("drag", "damper", ["x0", "ground"], damping=drag)
    found = net.compile().linearise()
    assert found.eigenvalues[0] == pytest.approx(-drag / 21.0, rel=1e-6)  # the next order: drag over 0.1 N/m
    assert found.stable
