"""What no model may contain. Every message names the thing, what was found, what was expected and the cure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import Where
from floatframe.hybrid.description import FlexibleBody
from floatframe.hybrid.flat.model import FlatRelation
from floatframe.modal import ReducedBody
from floatframe.wording import did_you_mean

_ROUNDING = 1e-6  # numbers typed with seven digits may miss a limit by this part
_LARGEST = 1e100  # kg, kg m2: sums and products of such numbers are still finite


def inertia_tensor(values: Array, where: Where) -> Array:
    """Return the tensor (3, 3) of three principal values, six entries xx yy zz xy xz yz, or a tensor; checked."""
    if values.shape == (3,):
        tensor = np.diag(values)
    elif values.shape == (6,):
        xx, yy, zz, xy, xz, yz = values
        tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    else:
        tensor = values
    size = np.abs(tensor).max()
    if size > _LARGEST:
        raise where.error(f"found an inertia of {size:g} kg m2, expected less than {_LARGEST:g}; check the units")
    if np.abs(tensor - tensor.T).max() > _ROUNDING * size:
        raise where.error("the inertia tensor is not symmetric; expected xy = yx, xz = zx, yz = zy")
    tensor = (tensor + tensor.T) / 2.0
    smallest, middle, largest = np.linalg.eigvalsh(tensor)
    shown = f"{smallest:.6g}, {middle:.6g}, {largest:.6g} kg m2"
    if smallest < -_ROUNDING * size:
        raise where.error(f"the principal moments of inertia are {shown}; expected none negative")
    if smallest + middle < largest * (1.0 - _ROUNDING):
        raise where.error(
            f"the principal moments of inertia are {shown}; no body has one larger than the sum of the other "
            "two. Give the inertia about the centre of mass in body axes, not about another point"
        )
    return tensor


def positive_mass(mass: float, where: Where) -> float:
    """Return a mass that a body can have."""
    if not mass > 0:
        raise where.error(
            f"found a mass of {mass:g} kg, expected more than zero; a part without mass is a joint or a spring"
        )
    if mass > _LARGEST:
        raise where.error(f"found a mass of {mass:g} kg, expected less than {_LARGEST:g}; check the units")
    return mass


def positive_limit(value: float, where: Where) -> float:
    """Return a limit from which a run warns."""
    if not value > 0:
        raise where.error(f"found {value:g}, expected a positive number; a large one switches the warning off")
    return value


def node_number(reduced: ReducedBody, node: int | str, where: Where, body: str) -> int:
    """Return the number of a node given by number or name; others are refused with those there are."""
    known = reduced.node_names
    number = known.get(node) if isinstance(node, str) else int(node)
    if number is None:
        names = did_you_mean(str(node), known).rstrip("?")
        if str(node).isdecimal():
            names = "; write a number without quotation marks"
        elif not known:
            names = "; its nodes have no names (an input.fum cannot store them): write the body as .h5, or use numbers"
        raise where.error(f"body '{body}' has no node named '{node}'{names}; {interface_words(reduced)}")
    if number not in reduced.node_ids:
        raise where.error(
            f"body '{body}' has no node {number}; it has {reduced.nnode} nodes numbered "
            f"{reduced.node_ids.min()} to {reduced.node_ids.max()}, {interface_words(reduced)}"
        )
    return number


def bracketed(text: str) -> int | str:
    """Return the node that stands in brackets, in rod.node[12] or rod.node[TIP_ref]: a number or a name."""
    return int(text) if text.isdecimal() else text


def interface_node(reduced: ReducedBody, node: int, needs_rotation: bool, where: Where, body: str) -> None:
    """Refuse a joint at a node whose motion the basis does not carry."""
    if node not in reduced.interface_nodes:
        raise where.error(
            f"node {node} of body '{body}' is not an interface node; {interface_words(reduced)}. "
            f"Join it there, or reduce the body again with interface=[…, {node}]"
        )
    held = set(reduced.interface[reduced.interface[:, 0] == node, 1].tolist())
    missing = sorted(set(range(6 if needs_rotation else 3)) - held)
    if missing:
        names = ", ".join(("ux", "uy", "uz", "rx", "ry", "rz")[k] for k in missing)
        raise where.error(
            f"interface node {node} of body '{body}' lacks {names}, which this joint holds; couple the "
            "surface around it to a node with six dofs before the reduction, or use a joint of points (spherical)"
        )


def geometric_terms(reduced: ReducedBody, flexible: FlexibleBody, where: Where) -> None:
    """Refuse stiffening of a body that does not know its geometric stiffness."""
    if reduced.geometric is None:
        cure = "use the frame 'mean', or stiffening 'auto' or 'off'"
        if flexible.frame[0] == "mean":
            cure = "reduce it again with geometric=True and keep it in an .h5 file, or use stiffening 'auto' or 'off'"
        raise where.at("stiffening").error(
            f"stiffening '{flexible.stiffening}' needs geometric terms, which it lacks in its frame "
            f"'{flexible.frame[0]}'; {cure}"
        )


def independent_relations(relations: Sequence[FlatRelation]) -> None:
    """Refuse relations that follow from, or contradict, those before them."""
    columns = {key: k for k, key in enumerate(dict.fromkeys((j, c) for r in relations for j, c, _ in r.terms))}
    rows = np.zeros((len(relations), len(columns)))
    for row, one in zip(rows, relations, strict=True):
        for joint, coordinate, factor in one.terms:
            row[columns[joint, coordinate]] += factor
    for k, one in enumerate(relations):
        where = Where.of("joint", one.name, "relation")
        size = np.abs(rows[k]).max(initial=0.0)
        if size == 0.0:
            raise where.error("its terms cancel each other; check the factors")
        rest, mix = rows[k], np.zeros(k)
        if k:
            mix = np.linalg.lstsq(rows[:k].T, rows[k], rcond=None)[0]
            rest = rows[k] - rows[:k].T @ mix
        if np.abs(rest).max() < 1e-9 * size:
            others = [f"'{relations[int(i)].name}'" for i in np.flatnonzero(np.abs(mix) > 1e-9 * np.abs(mix).max())]
            raise where.error(
                f"closes a loop: {', '.join(others)} already fix{'es' * (len(others) == 1)} "
                "the same coordinates; take one of them out",
                after=" ",
            )


def interface_words(reduced: ReducedBody, most: int = 12) -> str:
    """Return e.g. "its interface nodes are 1, 201 (TIP_ref)"."""
    nodes = reduced.interface_nodes.tolist()
    if not nodes:
        return "it was reduced without interface nodes"
    more = f" and {len(nodes) - most} more" if len(nodes) > most else ""
    shown = (f"{node} ({name})" if (name := reduced.name_of(node)) else str(node) for node in nodes[:most])
    return f"its interface nodes are {', '.join(shown)}{more}"
