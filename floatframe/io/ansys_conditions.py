"""Commands that hold or tie freedoms: D, DDELE, CE, CP, CERIG."""

from __future__ import annotations

import numpy as np

from floatframe.errors import ReadError
from floatframe.io.ansys_deck import Deck, Handler
from floatframe.io.ansys_text import Command

LABELS = {"UX": 0, "UY": 1, "UZ": 2, "ROTX": 3, "ROTY": 4, "ROTZ": 5}
_MOST_NODES = 10_000_000


def _displacement(deck: Deck, command: Command) -> None:
    """D,NODE,Lab,VALUE,VALUE2,NEND,NINC,Lab2,…,Lab6."""
    text = deck.text
    labels = [command.word(1), *(command.word(k) for k in range(6, 11) if command.word(k))]
    components = _components(deck, labels, "D", command.line)
    if not components:
        return
    value = _value(deck, command.field(2))
    nodes = deck.node_numbers(command.field(0))
    last, step = text.integer(command.field(4)), text.integer(command.field(5))
    if last and nodes.size == 1:
        if last - int(nodes[0]) > _MOST_NODES:
            raise text.error(f"D runs to node {last}; check its numbers.")
        nodes = np.arange(nodes[0], last + 1, max(1, step))
        # a pattern names numbers, only those that exist count
        nodes = np.intersect1d(nodes, deck.nodes.merged().ids)
    for node in nodes.tolist():
        for component in components:
            deck.held[node, component] = value
    text.log.took("D", len(nodes) * len(components))


def _value(deck: Deck, field: str) -> float:
    """Return a prescribed displacement; tables and unknown parameters count as prescribed zero."""
    try:
        value = deck.text.number(field)
    except ReadError:
        value = 0.0
        deck.text.log.warn(
            "D takes displacements from tables or parameters that are not known; these freedoms are held."
        )
    if value:
        deck.text.log.warn("D prescribes displacements that are not zero; these freedoms are held at zero.")
    return value


def _components(deck: Deck, labels: list[str], card: str, line: int) -> list[int]:
    found: list[int] = []
    for label in labels:
        if label == "ALL":
            return list(range(6))
        if label in LABELS:
            found.append(LABELS[label])
        elif label in ("UXYZ", "RXYZ"):
            found += range(3) if label == "UXYZ" else range(3, 6)
        else:
            deck.text.log.skip(f"{card},{label or '?'}", "freedoms other than displacements play no part", False, line)
    return found


def _free(deck: Deck, command: Command) -> None:
    """DDELE,NODE,Lab,NEND,NINC."""
    text = deck.text
    word = command.word(1)
    components = range(6) if word in ("", "ALL") else [LABELS[word]] if word in LABELS else []
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
    if command.word(0).startswith("R5"):
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
            raise text.error(f"CE ties '{label}', which is no displacement or rotation.")
        terms.append((text.integer(node, "node number"), LABELS[label], text.number(command.field(k + 2))))
    text.log.took("CE")


def _coupled_set(deck: Deck, command: Command) -> None:
    """CP,NSET,Lab,NODE1,…,NODE17; CP,R5.0,DEFI,n,NSET,Lab and CP,R5.0,NODE,… in archives."""
    text = deck.text
    if command.word(0).startswith("R5"):
        if command.word(1) == "DEFI":
            number, labels = text.integer(command.field(3), "set number"), [command.word(4)]
            fields: tuple[str, ...] = ()
        else:
            if not deck.coupled:
                raise text.error("CP,R5.0,NODE follows no CP,R5.0,DEFI.")
            (number, component), fields = next(reversed(deck.coupled)), command.fields[2:]
            labels = [label for label, k in LABELS.items() if k == component]
    else:
        word = command.word(0)
        highest = max((key[0] for key in deck.coupled), default=0)
        number = highest + 1 if word == "NEXT" else highest if word == "HIGH" else text.integer(command.field(0))
        labels, fields = [command.word(1)], command.fields[2:]
    nodes = [int(node) for entry in fields if entry for node in deck.node_numbers(entry)]
    for component in _components(deck, labels, "CP", command.line):
        deck.coupled.setdefault((number, component), []).extend(nodes)
    text.log.took("CP")


def _rigid_region(deck: Deck, command: Command) -> None:
    """CERIG,MASTE,SLAVE,Ldof: nodes that follow a reference node rigidly."""
    word = command.word(2) or "ALL"
    if word not in ("ALL", "UXYZ", "RXYZ", *LABELS):
        raise deck.text.error(f"CERIG with '{word}' is not understood; known are ALL, UXYZ, RXYZ and single freedoms.")
    reference = deck.text.integer(command.field(0), "node number")
    others = [int(node) for node in deck.node_numbers(command.field(1)) if node != reference]
    names = {"ALL": "all", "UXYZ": "u", "RXYZ": "r", "ROTX": "rx", "ROTY": "ry", "ROTZ": "rz"}
    deck.rigid.append((reference, others, names.get(word, word.lower())))
    deck.text.log.took("CERIG")


HANDLERS: dict[str, Handler] = {
    "D": _displacement,
    "DDEL": _free,
    "CE": _equation,
    "CP": _coupled_set,
    "CERI": _rigid_region,
}
