"""*TIE of a deck: nodes of one surface follow the faces of another."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import IntArray
from floatframe.io.abaqus_deck import Card
from floatframe.io.abaqus_mesh import Mesh
from floatframe.io.abaqus_places import Place
from floatframe.io.linear_constraints import Freedom, LinearConstraints, NodeTable
from floatframe.io.surface_ties import Tied, tied_nodes

# ties that are more than a connection of two surfaces in place
_OTHERS = {
    "CYCLICSYMMETRY": "cyclic symmetry is not followed: the sector stands alone",
    "MULTISTAGE": "cyclic symmetry is not followed: the stages stand alone",
    "FLUIDCYCLIC": "it is about fluids",
    "FLUIDPERIODIC": "it is about fluids",
}
_SHARE = 0.05  # of a face's mean edge: how far off a node is tied without POSITION TOLERANCE
_TOUCHING = 1e-6
_NAMED = 8


def add_ties(card: Card, place: Place, mesh: Mesh, found: LinearConstraints) -> None:
    """Tie the nodes of each pair of surfaces (slave, master) of a *TIE."""
    for option, reason in _OTHERS.items():
        if option in card.options:
            mesh.log.skip(f"*TIE, {option}", reason, line=card.line)
            return
    for line, words in card.fields():
        if len(words) < 2 or not words[1]:
            raise card.error("*TIE needs a surface of slaves and one of masters on each line.", line)
        _tie(card, place, mesh, words[0], words[1], found)
    mesh.log.took(card.name)


def _tie(card: Card, place: Place, mesh: Mesh, slave: str, master: str, found: LinearConstraints) -> None:
    nodes, log = found.nodes, mesh.log
    faces = mesh.surface_faces(master, place, card)
    of_master = np.unique(np.concatenate([rows.ravel() for rows in faces]))
    slaves = np.setdiff1d(mesh.surface_nodes(slave, place, card), of_master)
    for number in np.concatenate([slaves, of_master]).tolist():
        if number not in nodes:
            raise card.error(f"{card.name}: node {number} is not defined.")
    given = card.option("POSITIONTOLERANCE")
    tolerance = card.numbers([given], card.line)[0]
    apart: list[int] = []
    farthest = 0.0  # of nodes that stand off their faces by more than round-off
    for tied in tied_nodes(_places(nodes, slaves), slaves, faces, [_places(nodes, rows) for rows in faces]):
        if tied.distance > (tolerance if given else _SHARE * tied.size):
            apart.append(tied.node)
            continue
        if tied.distance > _TOUCHING * tied.size:
            farthest = max(farthest, tied.distance)
        _follow(tied, found)
    name = card.option("NAME") or f"{slave}, {master}"
    log.warn(f"*TIE '{name}': {len(slaves) - len(apart)} nodes of '{slave}' follow the faces of '{master}'.")
    if farthest > 0.0:
        word = f"ADJUST={card.option('ADJUST')} is not followed" if card.option("ADJUST") else "nodes are not adjusted"
        log.warn(f"*TIE '{name}': {word}; gaps of up to {farthest:.3g} are bridged rigidly.")
    if apart:
        listed = ", ".join(map(str, apart[:_NAMED])) + (", …" if len(apart) > _NAMED else "")
        limit = f"{tolerance:g}" if given else f"{_SHARE:.0%} of a face"
        log.warn(f"*TIE '{name}': {len(apart)} nodes farther off than {limit} are not tied: {listed}.")


def _follow(tied: Tied, found: LinearConstraints) -> None:
    for component in range(3):
        terms: list[tuple[Freedom, float]] = [((tied.node, component), 1.0)]
        for node, weight in zip(tied.face.tolist(), tied.weights, strict=True):
            terms += [((node, j), -float(weight[component, j])) for j in range(3) if abs(weight[component, j]) > 1e-12]
        found.equation(terms)
    for component in range(3, 6):
        # where both have rotations, these follow too
        shares = [float(np.trace(weight)) / 3.0 for weight in tied.weights]
        pairs = [((node, component), -share) for node, share in zip(tied.face.tolist(), shares, strict=True)]
        found.equation([((tied.node, component), 1.0), *pairs], optional=True)


def _places(nodes: NodeTable, numbers: IntArray) -> np.ndarray:
    return nodes.xyz[np.searchsorted(nodes.ids, numbers)]
