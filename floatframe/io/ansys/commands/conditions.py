"""Commands that hold or tie dofs: D, DBLOCK, DSYM, DDELE, CE, CERIG, RBE3."""

from __future__ import annotations

import numpy as np

from floatframe.errors import ReadError
from floatframe.io.ansys.apdl import Command, angles_of, held_rows
from floatframe.io.ansys.commands.deck import Average, Deck, Handler
from floatframe.io.ansys.commands.frames import system_of

LABELS = {"UX": 0, "UY": 1, "UZ": 2, "ROTX": 3, "ROTY": 4, "ROTZ": 5}
_MOST_NODES = 10_000_000
_RIGID = {"ALL": "all", "UXYZ": "u", "RXYZ": "r"} | {label: label.lower().replace("rot", "r") for label in LABELS}


def _displacement(deck: Deck, command: Command) -> None:
    """D,NODE,Lab,VALUE,VALUE2,NEND,NINC,Lab2,…,Lab6."""
    text = deck.text
    labels = [command.word(k) for k in (1, *range(6, 11)) if command.word(k)]
    components = components_of(deck, labels, "D", command.line)
    if not components:
        return
    value = _value(deck, command.field(2))
    nodes = deck.node_numbers(command.field(0))
    last, step = text.integer(command.field(4)), text.integer(command.field(5))
    if last and nodes.size == 1:
        if last - int(nodes[0]) > _MOST_NODES:
            raise text.error(f"D runs to node {last}; check its numbers.")
        nodes = np.arange(nodes[0], last + 1, max(1, abs(step)))
        # a pattern names numbers, only those that exist count
        nodes = np.intersect1d(nodes, deck.nodes.merged().ids)
    for node in nodes.tolist():
        for component in components:
            deck.held[node, component] = value
    text.log.took("D", len(nodes) * len(components))


def _displacement_block(deck: Deck, command: Command) -> None:
    """DBLOCK: rows of node, label and value."""
    count = 0
    for node, label, value in held_rows(deck.text):
        for component in components_of(deck, [label], "DBLOCK", command.line):
            deck.held[node, component] = _value(deck, value)
            count += 1
    deck.text.log.took("DBLOCK", count)


def _value(deck: Deck, field: str) -> float:
    """Return a prescribed displacement; tables and unknown parameters count as prescribed zero."""
    try:
        value = deck.text.number(field)
    except ReadError:
        value = 0.0
        deck.text.log.warn("D takes displacements from tables or parameters that are not known; these dofs are held.")
    if value:
        deck.text.log.warn("D prescribes displacements that are not zero; these dofs are held at zero.")
    return value


def components_of(deck: Deck, labels: list[str], card: str, line: int) -> list[int]:
    found: list[int] = []
    for label in labels:
        if label == "ALL":
            return list(range(6))
        if label in LABELS:
            found.append(LABELS[label])
        elif label in ("UXYZ", "RXYZ"):
            found += range(3) if label == "UXYZ" else range(3, 6)
        else:
            deck.text.log.skip(
                f"{card},{label or '?'}", "dofs other than displacements and rotations are ignored", False, line
            )
    return found


def _symmetry(deck: Deck, command: Command) -> None:
    """DSYM,Lab,Normal,KCN: dofs across a plane of symmetry, or along one of antisymmetry, of all selected nodes."""
    text = deck.text
    kind, axis = command.word(0)[:4], "XYZ".find(command.word(1) or "X")
    if axis < 0 or kind not in ("SYMM", "ASYM"):
        raise text.error(f"DSYM,{kind},{command.field(1)} is not understood; known are SYMM, ASYM and X, Y, Z.")
    others = [k for k in range(3) if k != axis]
    components = [axis, *(3 + k for k in others)] if kind == "SYMM" else [*others, 3 + axis]
    nodes = deck.node_numbers("ALL")
    if number := text.integer(command.field(2), "coordinate system"):
        system = system_of(deck, number)
        for node, row in deck.nodes.rows(nodes):
            if row is not None:
                deck.nodes.change(node, (*row[:3], *angles_of(system.axes_at(np.array(row[:3])))))
    for node in nodes.tolist():
        deck.held.update({(node, component): 0.0 for component in components})
    text.log.took("DSYM", len(nodes) * len(components))


def _free(deck: Deck, command: Command) -> None:
    """DDELE,NODE,Lab,NEND,NINC."""
    text = deck.text
    components = components_of(deck, [command.word(1) or "ALL"], "DDELE", command.line)
    nodes = set(deck.node_numbers(command.field(0)).tolist())
    last, step = text.integer(command.field(2)), text.integer(command.field(3))
    if last and len(nodes) == 1:
        nodes = {
            node for node, _ in deck.held if min(nodes) <= node <= last and (node - min(nodes)) % max(1, step) == 0
        }
    for key in [key for key in deck.held if key[0] in nodes and key[1] in components]:
        del deck.held[key]


def _equation(deck: Deck, command: Command) -> None:
    """CE,NEQN,CONST,NODE1,Lab1,C1,… with up to three terms; CE,R5.0,DEFI|NODE,… in archives."""
    text = deck.text
    if command.archived:
        if command.word(1) == "DEFI":
            deck.equations[text.integer(command.field(3), "equation number")] = ([], text.number(command.field(4)))
            return
        if not deck.equations:
            raise text.error("CE,R5.0,NODE follows no CE,R5.0,DEFI.")
        number, first = next(reversed(deck.equations)), 2
    else:
        word = command.word(0)
        highest = max(deck.equations, default=0)
        number = highest + 1 if word == "NEXT" else highest if word == "HIGH" else text.integer(command.field(0))
        if number not in deck.equations:
            deck.equations[number] = ([], text.number(command.field(1)))
        first = 2
    terms, _ = deck.equations[number]
    for k in range(first, len(command.fields), 3):
        node, label = command.field(k), command.word(k + 1)
        if not node and not label:
            continue
        if label not in LABELS:
            raise text.error(f"CE ties '{label}', which is not a displacement or rotation.")
        terms.append((text.integer(node, "node number"), LABELS[label], text.number(command.field(k + 2))))
    text.log.took("CE")


def _rigid_region(deck: Deck, command: Command) -> None:
    """CERIG,MASTE,SLAVE,Ldof,Ldof2,…: nodes that follow a reference node rigidly."""
    words = [command.word(k) for k in range(2, 7) if command.word(k)] or ["ALL"]
    for word in words:
        if word not in _RIGID:
            raise deck.text.error(f"CERIG with '{word}' is not understood; known are {', '.join(_RIGID)}.")
    reference = deck.text.integer(command.field(0), "node number")
    others = [int(node) for node in deck.node_numbers(command.field(1)) if node != reference]
    deck.rigid.append((reference, others, ",".join(_RIGID[word] for word in words)))
    deck.text.log.took("CERIG")


def _average(deck: Deck, command: Command) -> None:
    """RBE3,Master,DOF,Slaves,Wtfact: a node that follows the mean motion of others, listed in arrays or selected."""
    text = deck.text
    master = text.integer(command.field(0), "node number")
    name, factors = command.word(2).split("(")[0], command.word(3).split("(")[0]
    if name in text.arrays:
        members = text.arrays[name]
        nodes = [int(members[place]) for place in sorted(members)]
    else:
        nodes = [int(node) for node in deck.node_numbers(command.field(2) or "ALL")]
    nodes = [node for node in nodes if node and node != master]
    if factors in text.arrays:
        table = text.arrays[factors]
        weights = [table.get((k, 1, 1), 1.0) for k in range(1, len(nodes) + 1)]
    else:
        weights = [text.number(command.field(3)) or 1.0] * len(nodes)
    components = components_of(deck, [command.word(1) or "ALL"], "RBE3", command.line)
    deck.averages.append(Average(master, nodes, weights, components))
    text.log.took("RBE3")


def _released_ends(deck: Deck, command: Command) -> None:
    """ENDRELEASE,--,TOLERANCE,Dof1,…,Dof4: warping is not tied between beams here; other releases are lost."""
    labels = {command.word(k)[:4] for k in range(2, 6)} - {"", "WARP"}
    if labels:
        reason = f"released ends of beams ({', '.join(sorted(labels))}) are not read"
        deck.text.log.lose("ENDRELEASE", "coupling", reason, command.line)
    else:
        deck.text.log.skip("ENDRELEASE", "the warping of beams is left out", False, command.line)


HANDLERS: dict[str, Handler] = {
    "ENDR": _released_ends,
    "D": _displacement,
    "DBLO": _displacement_block,
    "DSYM": _symmetry,
    "DDEL": _free,
    "CE": _equation,
    "CERI": _rigid_region,
    "RBE3": _average,
}
