"""An open tree of rigid bodies as Lagrange's equations of the first kind see it: bodies, and the joints between them.

Joints of several dofs are chains of links of which only the last has a mass; here each is one joint again, with as many
rows as it hinders directions. Rows of a joint are coupled with those of the joints at both its bodies: the joint of the
parent, and its siblings. From the leaves to the ground nothing else becomes coupled.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from floatframe.arrays import AnyArray, Array, IntArray
from floatframe.hybrid.kernels.layout import Tables

THIN = 1e-9  # share of its largest moment of inertia below which a body does not resist turning about some axis
_VECTORS = ("f8", (6, 6))  # one in each row: force over torque, velocity over angular velocity, world axes

#: a body with the joint that it hangs on
JOINTED = np.dtype(
    [
        ("link", "i8"),
        ("parent", "i8"),  # number of a body, -1 the ground; the link of that
        ("carrier", "i8"),
        ("first", "i8"),  # its dofs: start in Work.lists, from the parent outwards; how many
        ("n", "i8"),
        ("siblings", "i8"),  # start in Work.lists of the bodies on its parent, how many, and which of them it is
        ("family", "i8"),
        ("rank", "i8"),
        ("place", "i8"),  # start in Work.numbers of six rows of factors, and how long one is: six columns each of its
        ("width", "i8"),  # own rows, those of its parent and those of the siblings before it
        ("rows", "i8"),  # directions that the joint hinders, and dofs that forces in it resist
        ("lightness", "f8"),  # 1/kg; centre of mass and inverse of the inertia about it, link axes
        ("com", "f8", 3),
        ("yielding", "f8", (3, 3)),
        # at the poses of the factors
        ("arm", "f8", 3),  # from the parent's origin to its own; from its origin to its centre of mass
        ("centre", "f8", 3),
        ("turning", "f8", (3, 3)),  # inverse inertia in world axes
        ("motion", *_VECTORS),  # of unit speeds of the dofs; forces that work on one of them alone
        ("along", *_VECTORS),
        ("hindered", *_VECTORS),  # directions of the rows at its own origin, at its parent's, what these move there
        ("border", *_VECTORS),
        ("moved", *_VECTORS),
        ("lam", "f8", 6),
        ("wrench", "f8", 6),
        ("a", "f8", 6),
    ],
    align=True,
)


class Jointed(NamedTuple):
    """The records above, their lists, and how many numbers the factors take."""

    bodies: AnyArray  # JOINTED
    lists: IntArray
    size: int


def jointed(tables: Tables) -> Jointed:
    """The bodies of an open tree, all of them solid (see `first_thin`)."""
    number = {0: -1}  # of the body of a link
    way: dict[int, list[int]] = {0: []}  # dofs from its body to a link without mass
    bodies: list[dict[str, int]] = []
    children: dict[int, list[int]] = {}
    lists: list[int] = []
    branches = np.bincount(tables.links["parent"][1:], minlength=len(tables.links))
    for i in range(1, len(tables.links)):
        link, parent = tables.links[i], int(tables.links[i]["parent"])
        dofs = [*way[parent], *range(int(link["iv"]), int(link["iv"] + link["nv"]))]
        if link["mass"] <= 0.0 and branches[i] == 1:
            number[i], way[i] = number[parent], dofs
            continue
        siblings = children.setdefault(number[parent], [])
        bodies.append({"link": i, "parent": number[parent], "first": len(lists), "n": len(dofs), "rank": len(siblings)})
        lists += dofs
        number[i], way[i] = len(bodies) - 1, []
        siblings.append(number[i])
    found = np.zeros(len(bodies), JOINTED)
    begin: dict[int, int] = {}
    size = 0
    for parent, own in children.items():
        begin[parent] = len(lists)
        lists += own
    for record, body in zip(found, bodies, strict=True):
        for name, value in body.items():
            record[name] = value
        record["siblings"], record["place"] = begin[body["parent"]], size
        record["family"] = len(children[body["parent"]])
        record["carrier"] = bodies[body["parent"]]["link"] if body["parent"] >= 0 else 0
        record["width"] = 6 if body["parent"] < 0 else 6 * (2 + body["rank"])
        size += 6 * int(record["width"])
        record["lightness"], record["com"], record["yielding"] = _answers(tables.links[body["link"]])
    return Jointed(found, np.array(lists, np.int64), size)


def first_thin(tables: Tables) -> int:
    """The first link that needs inertia of its own for a solution by the forces in joints, 0 if there is none.

    Its mass must resist all forces and torques; without mass it must be a part of a joint of at most six dofs.
    """
    branches = np.bincount(tables.links["parent"][1:], minlength=len(tables.links))
    dofs = np.array(tables.links["nv"])  # of the joint that a link is a part of, so far
    for i in range(1, len(tables.links)):
        link, parent = tables.links[i], int(tables.links[i]["parent"])
        dofs[i] += dofs[parent] if parent > 0 and tables.links[parent]["mass"] <= 0.0 else 0
        solid = _is_solid(link) if link["mass"] > 0.0 else branches[i] == 1
        if not solid or dofs[i] > 6:
            return i
    return 0


def _is_solid(link: np.void) -> bool:
    return bool(np.linalg.eigvalsh(_about_com(link))[0] > THIN * np.abs(link["inertia"]).max())


def _about_com(link: np.void) -> Array:
    """Inertia (3, 3) about the centre of mass."""
    s = link["moment"]
    return np.asarray(link["inertia"] - (float(s @ s) * np.eye(3) - np.outer(s, s)) / float(link["mass"]))


def _answers(link: np.void) -> tuple[float, Array, Array]:
    """1/m, the centre of mass (3,) and the inverse inertia (3, 3) about it, in the axes of a link."""
    m = float(link["mass"])
    return 1.0 / m, link["moment"] / m, np.linalg.inv(_about_com(link))
