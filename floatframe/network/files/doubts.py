"""What a network may hardly be meant to have: nodes that nothing else joins, elements with all ends on one node."""

from __future__ import annotations

from collections.abc import Iterator

from floatframe.errors import ModelError
from floatframe.expressions import parse
from floatframe.network.description import Element
from floatframe.network.files.network_file import NetworkFile
from floatframe.network.laws import Terminal
from floatframe.wording import did_you_mean


def doubtful_connections(file: NetworkFile) -> list[str]:
    """Sentences about connections that are likely mistyped, with their lines."""
    return [str(file.places.located(one)) for one in (*_on_one_node(file), *_alone(file))]


def _on_one_node(file: NetworkFile) -> Iterator[ModelError]:
    """Elements between a node and itself."""
    for element in file.network.elements.values():
        if len(element.nodes) > 1 and len(set(element.nodes)) == 1:
            yield element.where.at("nodes").error(
                f"all its terminals are on node '{element.nodes[0]}', so that it does nothing; name another node"
            )


def _alone(file: NetworkFile) -> Iterator[ModelError]:
    """Nodes that one terminal joins; not those of machines, nor those used elsewhere."""
    network, joined = file.network, _joined(file)
    used = {*network.base, *network.starts, *_read(file)}
    for node, ends in joined.items():
        element, terminal = ends[0]
        lone = len(ends) == 1 and node not in used and terminal.domain.dual
        if not lone or element.kind.observable is not None:
            continue
        others = [name for name, known in joined.items() if name != node and known[0][1].domain is terminal.domain]
        near = did_you_mean(node, (name for name in others if name not in network.base))
        only = f"only its terminal {terminal.name} joins" if len(element.nodes) > 1 else "it alone joins"
        yield element.where.at("nodes").error(
            f"{only} node '{node}', so that nothing flows there"
            + (near if "did you mean" in near else "; join another element to it")
        )


def _joined(file: NetworkFile) -> dict[str, list[tuple[Element, Terminal]]]:
    """What joins each node."""
    found: dict[str, list[tuple[Element, Terminal]]] = {}
    for element in file.network.elements.values():
        for node, terminal in zip(element.nodes, element.kind.terminals, strict=True):
            found.setdefault(node, []).append((element, terminal))
    return found


def _read(file: NetworkFile) -> set[str]:
    """Nodes that inputs and events read, or whose channels are asked for."""
    texts = [value for one in file.network.elements.values() for value in one.values.values() if isinstance(value, str)]
    names = {name for text in (*texts, *file.simulate.get("events", ())) for name in parse(text).names}
    return {name.rpartition(".")[0] for name in (*names, *file.kept.get("channels", ()))}
