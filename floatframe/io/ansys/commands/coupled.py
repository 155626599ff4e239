"""Coupled dofs: CP and what makes more sets of them, CPNGEN, CPLGEN, CPSGEN, CPINTF; CPDELE, CEDELE; CESGEN, CEINTF."""

from __future__ import annotations

from floatframe.io.ansys.apdl import Command
from floatframe.io.ansys.commands.conditions import LABELS, components_of
from floatframe.io.ansys.commands.deck import Deck, Handler
from floatframe.io.ansys.commands.generate import COINCIDENT, coincident
from floatframe.io.ansys.commands.mesh import pattern, refuse_many

_OUTSIDE = 0.25  # of the size of an element, how far outside of it nodes still follow it by CEINTF


def _coupled_set(deck: Deck, command: Command) -> None:
    """CP,NSET,Lab,NODE1,…,NODE17; CP,R5.0,DEFI,n,NSET,Lab and CP,R5.0,NODE,… in archives."""
    text = deck.text
    if command.archived:
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
        highest = _highest(deck)
        number = highest + 1 if word == "NEXT" else highest if word == "HIGH" else text.integer(command.field(0))
        labels, fields = [command.word(1)], command.fields[2:]
    nodes = [int(node) for entry in fields if entry for node in deck.node_numbers(entry)]
    for component in components_of(deck, labels, "CP", command.line):
        deck.coupled.setdefault((number, component), []).extend(nodes)
    text.log.took("CP")


def _highest(deck: Deck) -> int:
    return max((key[0] for key in deck.coupled), default=0)


def _more_nodes(deck: Deck, command: Command) -> None:
    """CPNGEN,NSET,Lab,NODE1,NODE2,NINC: a pattern of nodes joins a set."""
    number = deck.text.integer(command.field(0), "set number")
    nodes = pattern(deck, command, 2, deck.node_numbers("ALL")).tolist()
    for component in components_of(deck, [command.word(1)], "CPNGEN", command.line):
        deck.coupled.setdefault((number, component), []).extend(nodes)
    deck.text.log.took("CPNGEN")


def _more_dofs(deck: Deck, command: Command) -> None:
    """CPLGEN,NSETF,Lab1,…,Lab5: sets of the same nodes for other dofs."""
    number = deck.text.integer(command.field(0), "set number")
    nodes = next((members for key, members in deck.coupled.items() if key[0] == number), None)
    if nodes is None:
        raise deck.text.error(f"CPLGEN copies coupled set {number}, which does not exist.")
    for label in filter(None, (command.word(k) for k in range(1, 6))):
        for component in components_of(deck, [label], "CPLGEN", command.line):
            deck.coupled[_highest(deck) + 1, component] = list(nodes)
    deck.text.log.took("CPLGEN")


def _more_sets(deck: Deck, command: Command) -> None:
    """CPSGEN,ITIME,INC,NSET1,NSET2,NINC: copies of sets with node numbers increased."""
    text = deck.text
    times, step, first, last, jump = (text.integer(command.field(k)) for k in range(5))
    last = last or first
    chosen = [key for key in deck.coupled if first <= key[0] <= last and (key[0] - first) % max(1, abs(jump)) == 0]
    refuse_many(deck, times * len(chosen))
    number = _highest(deck)
    for key in chosen:
        for k in range(1, times):
            number += 1
            deck.coupled[number, key[1]] = [node + k * step for node in deck.coupled[key]]
    text.log.took("CPSGEN")


def _more_equations(deck: Deck, command: Command) -> None:
    """CESGEN,ITIME,INC,NSET1,NSET2,NINC: copies of equations with node numbers increased."""
    text = deck.text
    times, step, first, last, jump = (text.integer(command.field(k)) for k in range(5))
    numbers = range(first, (last or first) + 1, max(1, abs(jump)))
    if first < 0:
        highest = max(deck.equations, default=0)
        numbers = range(max(1, highest + first + 1), highest + 1)
    chosen = [number for number in deck.equations if number in numbers]
    refuse_many(deck, times * len(chosen))
    for k in range(1, times):
        for number in chosen:
            terms, constant = deck.equations[number]
            copy = [(node + k * step, component, factor) for node, component, factor in terms]
            deck.equations[max(deck.equations) + 1] = (copy, constant)
    text.log.took("CESGEN")


def _merged_sets(deck: Deck, command: Command) -> None:
    """CPMERGE,Lab: sets that share a dof become one, which their equations say already."""
    deck.text.log.took("CPMERGE")


def _interface(deck: Deck, command: Command) -> None:
    """CPINTF,Lab,TOLER: the same dofs of selected nodes in one place."""
    components = components_of(deck, [command.word(0) or "ALL"], "CPINTF", command.line)
    number = _highest(deck)
    for group in coincident(deck, deck.text.number(command.field(1)) or COINCIDENT, deck.node_numbers("ALL")):
        for component in components:
            number += 1
            deck.coupled[number, component] = group.tolist()
    deck.text.log.took("CPINTF")


def _dissimilar_meshes(deck: Deck, command: Command) -> None:
    """CEINTF,TOLER,DOF1,…,DOF6,MoveTol: selected nodes follow selected elements."""
    labels = [command.word(k) for k in range(1, 7) if command.word(k)] or ["UXYZ"]
    components = [k for k in components_of(deck, labels, "CEINTF", command.line) if k < 3]
    elements = deck.element_rows()[0] if deck.element_pick is None else deck.element_pick
    tolerance = deck.text.number(command.field(0)) or _OUTSIDE
    deck.interfaces.append((deck.node_numbers("ALL"), elements, components, tolerance))
    deck.text.log.took("CEINTF")


def _delete(deck: Deck, command: Command) -> None:
    """CPDELE,NSET1,NSET2,NINC and CEDELE,NEQN1,NEQN2,NINC."""
    first, last, jump = (0 if command.word(0) == "ALL" else deck.text.integer(command.field(k)) for k in range(3))

    def doomed(number: int) -> bool:
        return not first or (first <= number <= (last or first) and (number - first) % max(1, abs(jump)) == 0)

    if command.name.startswith("CP"):
        deck.coupled = {key: nodes for key, nodes in deck.coupled.items() if not doomed(key[0])}
    else:
        deck.equations = {number: terms for number, terms in deck.equations.items() if not doomed(number)}


HANDLERS: dict[str, Handler] = {
    "CP": _coupled_set,
    "CPNG": _more_nodes,
    "CPLG": _more_dofs,
    "CPSG": _more_sets,
    "CPIN": _interface,
    "CPME": _merged_sets,
    "CESG": _more_equations,
    "CEIN": _dissimilar_meshes,
    "CPDE": _delete,
    "CEDE": _delete,
}
