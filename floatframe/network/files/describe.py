"""What `floatframe info` says of a network."""

from __future__ import annotations

from collections import Counter
from typing import Any

from floatframe.expressions import Scalar
from floatframe.network.channels import observed_network
from floatframe.network.compiled import CompiledNetwork
from floatframe.network.description import Element, Structure
from floatframe.network.files.doubts import doubtful_connections
from floatframe.network.files.network_file import NetworkFile
from floatframe.network.laws import Domain


def describe_network_file(file: NetworkFile, system: CompiledNetwork) -> dict[str, Any]:
    """What is in a network file, as `info` shows it."""
    network = file.network
    physics = Counter(one.of.name for one in system.unknowns if isinstance(one.of, Domain))
    return {
        "content": "network",
        "name": network.name,
        "unknown_count": system.n,
        "node_count": len(network.nodes),
        "base": [node for node in network.base if node in network.nodes],
        "nodes_by_physics": dict(physics),
        "parameters": dict(system.parameters),
        "problems": [{"severity": "warning", "text": doubt} for doubt in doubtful_connections(file)],
        "simulate": {name: value for name, value in file.simulate.items()},
        "elements": [
            {"element": name, "kind": one.kind.name, "nodes": list(one.nodes), "values": _values(network, one)}
            for name, one in network.elements.items()
        ],
        "channels": [{"channel": one.name, "unit": one.unit} for one in observed_network(system)],
    }


def _values(network: Structure, element: Element) -> dict[str, Scalar]:
    """What is given for an element; for a machine, other values of its parameters."""
    machine = network.machines.get(element.name)
    return dict(element.values if machine is None else machine.parameters)
