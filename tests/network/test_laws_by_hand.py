"""Flows of every kind of element at odd potentials and parameters, against the formulas of textbooks written out."""

from __future__ import annotations

import math

import numpy as np
import pytest

from floatframe.network import LIBRARY, At
from floatframe.network.laws import flows

SIGMA = 5.670374419e-8  # W/(m2 K4)
ROOT = 0.7 * 3e-6 * math.sqrt(2.0 / 870.0)  # of an orifice of 3 mm2

# per kind: x, v, a of its terminals and internal unknowns, parameters, inputs, and the flows into the element
CASES: list[tuple[str, list[float], list[float], list[float], list[float], list[float], list[float]]] = [
    ("spring", [3.0, 0.5], [0, 0], [0, 0], [40.0, 0.7], [], [40.0 * 1.8, -40.0 * 1.8]),
    ("spring", [-1.0, 0.5], [0, 0], [0, 0], [0.0, -2.0], [], [0.0, 0.0]),
    ("damper", [0, 0], [2.0, 5.0], [0, 0], [7.0], [], [-21.0, 21.0]),
    ("quadratic_damper", [0, 0], [2.0, 5.0], [0, 0], [7.0], [], [-63.0, 63.0]),
    ("mass", [0], [1.0], [-3.0], [0.25], [], [-0.75]),
    ("force", [0, 0], [0, 0], [0, 0], [], [4.0], [-4.0, 4.0]),
    ("sine_force", [0, 0], [0, 0], [0, 0], [-6.0, 0.8, 0.4], [], [6.0 * math.sin(0.75 * math.pi + 0.4), None]),
    ("speed_source", [0, 0, 0], [2.0, 0.5, 9.0], [0, 0, 0], [], [1.25], [9.0, -9.0, 0.25]),
    ("lever", [0, 0, 0], [2.0, 0.5, 9.0], [0, 0, 0], [-3.0], [], [9.0, 27.0, 3.5]),
    ("friction", [0, 0], [0.1, 0.3], [0, 0], [5.0, 0.05], [], [5.0 * math.tanh(-4.0), None]),
    ("stop", [0.15, 0.0], [2.0, 0.0], [0, 0], [1e4, 0.3, 0.05], [], [1e3 * 1.6, -1e3 * 1.6]),
    ("stop", [-0.15, 0.0], [-2.0, 0.0], [0, 0], [1e4, 0.3, 0.05], [], [-1e3 * 1.6, 1e3 * 1.6]),
    ("stop", [0.15, 0.0], [-5.0, 0.0], [0, 0], [1e4, 0.3, 0.05], [], [0.0, 0.0]),  # it never pulls
    ("stop", [0.04, 0.0], [-5.0, 0.0], [0, 0], [1e4, 0.3, 0.05], [], [0.0, 0.0]),
    ("rack", [0, 0, 0], [2.0, 8.0, 5.0], [0, 0, 0], [0.1], [], [5.0, -0.5, 1.2]),
    ("resistor", [0, 0], [3.0, 12.0], [0, 0], [4.5], [], [-2.0, 2.0]),
    ("inductor", [0.06, 0.01], [0, 0], [0, 0], [0.1, -2.0], [], [-1.5, 1.5]),
    ("capacitor", [0, 0], [0, 0], [5.0, -3.0], [1e-3], [], [8e-3, -8e-3]),
    ("diode", [0, 0], [0.6, 0.0], [0, 0], [1e-12, 0.03, 1e-6], [], [1e-12 * math.expm1(20.0) + 6e-7, None]),
    ("diode", [0, 0], [-9.0, 0.0], [0, 0], [1e-12, 0.03, 1e-6], [], [-1e-12 - 9e-6, None]),
    ("diode", [0, 0], [1.5, 0.0], [0, 0], [1e-12, 0.03, 0.0], [], [1e-12 * (math.exp(40.0) * 11.0 - 1.0), None]),
    ("switch", [0, 0], [6.0, 2.0], [0, 0], [0.5, 8.0], [1.0], [8.0, -8.0]),
    ("switch", [0, 0], [6.0, 2.0], [0, 0], [0.5, 8.0], [-3.0], [0.5, -0.5]),
    ("switch", [0, 0], [6.0, 2.0], [0, 0], [0.5, 8.0], [0.5], [4.0 * (0.125 + 0.5 * 1.875), None]),
    ("voltage_source", [0, 0, 0], [7.0, 2.0, 3.0], [0, 0, 0], [0.5], [4.0], [3.0, -3.0, -0.5]),
    ("current_source", [0, 0], [0, 0], [0, 0], [], [3.0], [-3.0, 3.0]),
    (
        "dc_motor",
        *([0, 0, 0, 0, 0], [24.0, 4.0, 30.0, 10.0, 6.0], [0, 0, 0, 0, 50.0], [0.5, 2e-3, 0.3], []),
        [6.0, -6.0, -1.8, 1.8, 20.0 - 3.0 - 0.1 - 6.0],
    ),
    ("heat_capacity", [0], [300.0], [-0.5], [80.0], [], [-40.0]),
    ("conduction", [0, 0], [350.0, 300.0], [0, 0], [1.5], [], [75.0, -75.0]),
    ("convection", [0, 0], [350.0, 300.0], [0, 0], [12.0, 0.2], [], [120.0, -120.0]),
    ("radiation", [0, 0], [800.0, 300.0], [0, 0], [0.8, 0.5], [], [0.4 * SIGMA * (800.0**4 - 300.0**4), None]),
    ("heat_source", [0, 0], [0, 0], [0, 0], [], [50.0], [-50.0, 50.0]),
    ("temperature_source", [0, 0, 0], [310.0, 0.0, 25.0], [0, 0, 0], [], [300.0], [25.0, -25.0, 10.0]),
    ("volume", [0], [1e6], [7e7], [2e-3, 1.4e9], [], [1e-4]),
    # a laminar drop of 1 Pa beside 4 MPa is none
    ("orifice", [0, 0], [1e6, 5e6], [0, 0], [3e-6, 0.7, 870.0, 1.0], [], [-ROOT * 2e3, ROOT * 2e3]),
    ("orifice", [0, 0], [1e2, 0.0], [0, 0], [3e-6, 0.7, 870.0, 1e6], [], [ROOT * 0.1, -ROOT * 0.1]),  # laminar
    ("valve", [0, 0], [1e6, 5e6], [0, 0], [3e-6, 0.7, 870.0, 1.0], [0.4], [-ROOT * 800.0, ROOT * 800.0]),
    ("valve", [0, 0], [1e6, 5e6], [0, 0], [3e-6, 0.7, 870.0, 1.0], [-0.4], [0.0, 0.0]),
    ("check_valve", [0, 0], [4e6, 0], [0, 0], [3e-6, 0.7, 870.0, 1.0, 1e5, 1e-13], [], [ROOT * 2e3 + 4e-7, None]),
    ("check_valve", [0, 0], [0, 4e6], [0, 0], [3e-6, 0.7, 870.0, 1.0, 1e5, 1e-13], [], [-4e-7, 4e-7]),
    ("check_valve", [0, 0], [4e4, 0], [0, 0], [3e-6, 0.7, 870.0, 1.0, 8e4, 0.0], [], [ROOT * 200.0 * 0.5, None]),
    ("pipe", [0, 0], [3e5, 1e5], [0, 0], [2e-10], [], [4e-5, -4e-5]),
    ("pump", [0, 0, 0], [1e5, 6e5, 100.0], [0, 0, 0], [3e-6, 2e-12], [], [3e-4 - 1e-6, -3e-4 + 1e-6, 1.5]),
    (
        "cylinder",
        *([0, 0, 0.2, 0.05], [4e6, 1e6, 0.3, 0.1], [2.8e8, -1.4e8, 0, 0]),
        *([2e-3, 1e-3, 1e-4, 2e-4, 0.5, 1.4e9, 1e-13], []),
        # chambers 1e-4 + 2e-3*0.15 and 2e-4 + 1e-3*0.35 m3, leakage 3e-7, areas times 0.2 m/s, force 8000 - 1000 N
        [3e-7 + 4e-4 + 4e-4 * 0.2, -3e-7 - 2e-4 - 5.5e-4 * 0.1, -7e3, 7e3],
    ),
    ("flow_source", [0, 0], [0, 0], [0, 0], [], [2e-4], [-2e-4, 2e-4]),
    ("pressure_source", [0, 0, 0], [3e6, 1e6, 2e-4], [0, 0, 0], [], [1.5e6], [2e-4, -2e-4, 5e5]),
    ("state", [0], [4.0], [2.5], [1.0], [3.0], [-0.5]),
    ("signal", [0], [4.0], [0], [], [3.0], [1.0]),
    ("moment", [0, 0], [0, 0], [0, 0], [], [4.0], [-4.0, 4.0]),
    (
        # half a turn about x; angular velocity (0.5, 0.2, 0.1) and its rate: Euler's equations in turned axes
        "spatial_inertia",
        *([1.0, 0, 0, 0.0, 0, 0, 0], [0, 0.05, -0.1, -0.25, 0.5, 0.2, 0.1], [0, 0, 0, 0, 3.0, 2.0, 1.0]),
        *([1.0, 2.0, 5.0, 0, 0, 0], []),
        [3.0 + 0.2 * 0.5 - 0.1 * 0.4, 4.0 + 0.1 * 0.5 - 0.5 * 0.5, 5.0 + 0.5 * 0.4 - 0.2 * 0.5, 0.0, 0.0, 0.0, 0.0],
    ),
]


def column(numbers: list[float]) -> np.ndarray:
    return np.array(numbers, dtype=float).reshape(len(numbers), 1)


@pytest.mark.parametrize(("name", "x", "v", "a", "p", "s", "wanted"), CASES)
def test_flows_are_those_of_the_formulas(name, x, v, a, p, s, wanted):
    """What leaves at the second of two ends is what enters at the first, where it is not written out."""
    found = flows(LIBRARY[name], At(*map(column, (x, v, a)), 0.3, *map(column, (p, s)))).F[:, 0]
    whole = [-wanted[0] if one is None else one for one in wanted]
    # a few roundings, and the laminar drop of 1 Pa beside 40 kPa and more: a quarter of its square
    np.testing.assert_allclose(found, whole, rtol=1e-8, atol=1e-12 * max(map(abs, whole)) + 1e-15)


def test_all_laws_are_written_out():
    """Kinds of rotation have the laws of translation; what has several names is written out once."""
    assert {kind.law for kind in LIBRARY.values()} == {LIBRARY[name].law for name, *_ in CASES}
    for name, same in {"inertia": "mass", "torque": "force", "sine_torque": "sine_force", "gear": "lever"}.items():
        assert LIBRARY[name].law is LIBRARY[same].law
    for name, kind in LIBRARY.items():
        if name.startswith("rotary_"):
            assert kind.law is LIBRARY[name.removeprefix("rotary_")].law
