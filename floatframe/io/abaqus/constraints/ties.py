"""Bonded surfaces of a deck: *TIE, contact pairs that are tied or bonded, and shells on the side of solids."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import IntArray
from floatframe.io.abaqus.deck import Card, Mesh, Place
from floatframe.io.deck import Bond, LinearConstraints, bond, embedded

# ties that are more than a connection of two surfaces in place
_SYMMETRY = {
    "CYCLICSYMMETRY": "cyclic symmetry is not applied: the sector is on its own",
    "MULTISTAGE": "cyclic symmetry is not applied: the stages are on their own",
}
_FLUID = ("FLUIDCYCLIC", "FLUIDPERIODIC")
_CURE = "the two surfaces are not joined; write *TIE for parts that stay together"


def add_ties(card: Card, place: Place, mesh: Mesh, found: LinearConstraints) -> None:
    """Tie the nodes of each pair of surfaces (slave, master) of a *TIE."""
    for option in _FLUID:
        if option in card.options:
            mesh.log.skip(f"*TIE, {option}", "it is about fluids", physical=False, line=card.line)
            return
    for option, reason in _SYMMETRY.items():
        if option in card.options:
            mesh.log.lose(f"*TIE, {option}", "coupling", reason, line=card.line)
            return
    given = card.option("POSITIONTOLERANCE")
    tolerance = card.numbers([given], card.line)[0] if given else None
    _join_pairs(card, place, mesh, found, tolerance)
    mesh.log.took(card.name)


def add_contact(card: Card, place: Place, mesh: Mesh, found: LinearConstraints, laws: dict[str, list[Card]]) -> None:
    """*CONTACT PAIR: a bonded one joins its surfaces where they touch; any other is a coupling that is lost.

    laws: the cards under each *SURFACE INTERACTION.
    """
    name = card.option("INTERACTION")
    law = laws.get(name.upper(), [])
    if not ("TIED" in card.options or card.option("TYPE").upper() == "TIED" or _bonds(law)):
        mesh.log.lose(card.name, "coupling", _CURE, line=card.line)
        return
    if any(part.key == "COHESIVEBEHAVIOR" or _tied(part) for part in law):
        mesh.log.warn(f"{card.name} '{name}': the bond is rigid; its own stiffness is left out.")
    _join_pairs(card, place, mesh, found, None)
    mesh.log.took(f"{card.name}, bonded")


def _bonds(law: list[Card]) -> bool:
    """Whether surfaces with this law stay together: tied, cohesive, or rough without separation."""
    rough = any(part.key == "FRICTION" and "ROUGH" in part.options for part in law)
    stays = any(part.key == "SURFACEBEHAVIOR" and "NOSEPARATION" in part.options for part in law)
    return (rough and stays) or any(part.key == "COHESIVEBEHAVIOR" or _tied(part) for part in law)


def _tied(card: Card) -> bool:
    return card.key == "SURFACEBEHAVIOR" and card.option("PRESSURE-OVERCLOSURE").upper() == "TIED"


def _join_pairs(card: Card, place: Place, mesh: Mesh, found: LinearConstraints, tolerance: float | None) -> None:
    for line, words in card.fields():
        if len(words) < 2 or not words[1]:
            raise card.error(f"{card.name} needs a surface of slaves and one of masters on each line.", line)
        slave, master = words[:2]
        if slave.upper() == master.upper():
            raise card.error(f"{card.name}: surface '{slave}' is tied to itself.", line)
        made = _join(card, place, mesh, slave, master, found, tolerance)
        name = card.option("NAME") or f"{slave}, {master}"
        for sentence in made.sentences(slave, master):
            mesh.log.warn(f"{card.name} '{name}': {sentence}")
        if not made.tied and made.apart and tolerance is None:
            reason = f"no node of '{slave}' is near '{master}'; give POSITION TOLERANCE= or move them together"
            mesh.log.lose(card.name, "coupling", reason, line=line)


def _join(
    card: Card, place: Place, mesh: Mesh, slave: str, master: str, found: LinearConstraints, tolerance: float | None
) -> Bond:
    slaves = mesh.surface_nodes(slave, place, card)
    if mesh.made_of_nodes(master, place, card):
        masters = mesh.surface_nodes(master, place, card)
        _check(card, found, slaves, masters)
        return _node_by_node(slaves, masters, found, tolerance)
    faces = mesh.surface_faces(master, place, card)
    _check(card, found, slaves, np.unique(np.concatenate([rows.ravel() for rows in faces])))
    return bond(slaves, faces, found, tolerance)


def _check(card: Card, found: LinearConstraints, *parts: IntArray) -> None:
    numbers = np.concatenate(parts)
    unknown = numbers[~np.isin(numbers, found.nodes.ids)]
    if unknown.size:
        raise card.error(f"{card.name}: node {unknown[0]} is not defined.")


# elements inside others, shells on the side of solids


def add_embedded(card: Card, place: Place, mesh: Mesh, found: LinearConstraints) -> None:
    """*EMBEDDED ELEMENT: translations of nodes inside solids are those of the solid there."""
    members = [mesh.elements(word, place, card, line) for line, words in card.fields() for word in words if word]
    inner = mesh.nodes_of(np.concatenate([np.empty(0, np.int64), *members]))
    wanted = card.option("HOSTELSET")
    hosts = []
    for group in mesh.groups:
        if group.type.family == "solid":
            rows = np.isin(group.ids, mesh.elements(wanted, place, card, card.line)) if wanted else ...
            nodes = group.nodes[rows][:, :20]
            nodes = nodes[~np.isin(nodes, inner).all(axis=1)]
            if len(nodes):
                _check(card, found, nodes.ravel())
                hosts.append((group.type.kind, nodes, found.nodes.xyz[np.searchsorted(found.nodes.ids, nodes)]))
    if not hosts or not inner.size:
        mesh.log.lose(card.name, "coupling", "it has no host of solids or nothing inside", line=card.line)
        return
    own = np.unique(np.concatenate([nodes.ravel() for _, nodes, _ in hosts]))
    inner = np.setdiff1d(inner, own)
    _check(card, found, inner)
    tied = 0
    for row, nodes, weights in embedded(found.nodes.xyz[np.searchsorted(found.nodes.ids, inner)], hosts):
        tied += 1
        for k in range(3):
            terms = [((int(n), k), -float(w)) for n, w in zip(nodes, weights, strict=True) if abs(w) > 1e-12]
            found.equation([((int(inner[row]), k), 1.0), *terms])
    mesh.log.warn(f"{card.name}: {tied} of {inner.size} nodes follow the solids they lie in.")
    mesh.log.took(card.name)


def add_shells_on_solids(card: Card, place: Place, mesh: Mesh, found: LinearConstraints) -> None:
    """*SHELL TO SOLID COUPLING: a node on the edge of a shell follows the nodes of the solid's side next to it."""
    from scipy.spatial import cKDTree

    for line, words in card.fields():
        if len(words) < 2 or not words[1]:
            raise card.error(f"{card.name} needs the edge of a shell and the side of a solid on each line.", line)
        edge, side = (mesh.surface_nodes(word, place, card) for word in words[:2])
        _check(card, found, edge, side)
        if not edge.size or not side.size:
            raise card.error(f"{card.name}: a surface has no nodes.", line)
        places = [found.nodes.xyz[np.searchsorted(found.nodes.ids, nodes)] for nodes in (edge, side)]
        nearest = cKDTree(places[0]).query(places[1])[1]
        for k, node in enumerate(edge.tolist()):
            others = side[nearest == k]
            others = others[others != node]
            if others.size:
                found.part_of_mean(node, others, np.ones(others.size), np.eye(6), card)
    mesh.log.took(card.name)


def _node_by_node(slaves: IntArray, masters: IntArray, found: LinearConstraints, tolerance: float | None) -> Bond:
    """Let nodes move with the nearest node of a surface that has no faces."""
    from scipy.spatial import cKDTree

    nodes = found.nodes
    slaves = np.setdiff1d(slaves, masters)
    if not slaves.size:
        return Bond(0, 0.0, [])
    places = nodes.xyz[np.searchsorted(nodes.ids, masters)]
    away, near = cKDTree(places).query(nodes.xyz[np.searchsorted(nodes.ids, slaves)])
    limit = 1e-3 * float(np.ptp(places, axis=0).max(initial=0.0)) if tolerance is None else tolerance
    close = away <= limit
    for node, other in zip(slaves[close].tolist(), masters[near[close]].tolist(), strict=True):
        for k in range(6):
            found.equation([((node, k), 1.0), ((other, k), -1.0)], optional=k > 2)
    return Bond(int(close.sum()), 0.0, slaves[~close].tolist(), limit)
