"""A network of elements of any physics.

net = Network("filter")
net.add("source", "voltage_source", ["in"], voltage="10*sin(2*pi*50*t)")
net.add("R", "resistor", ["in", "out"], resistance=100.0)
net.add("C", "capacitor", ["out", "ground"], capacitance=1e-5)
result = net.compile().simulate(t_end=0.1)
result["out.voltage"]
"""

from __future__ import annotations

from collections.abc import Mapping

from floatframe.expressions import Scalar
from floatframe.network.compiling import compiled
from floatframe.network.description import Structure
from floatframe.network.system import NetworkSystem


class Network(Structure):
    """Elements of any physics that join at nodes; nodes come into being where an element names them."""

    def compile(self, parameters: Mapping[str, Scalar] | None = None) -> NetworkSystem:
        """Return the network ready to be simulated; `parameters` take the place of its own."""
        return compiled(self, parameters or {}, NetworkSystem)
