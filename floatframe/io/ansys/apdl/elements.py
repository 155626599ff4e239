"""Which ANSYS elements are understood, and what their node patterns mean: solids and shells with repeated nodes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from floatframe.arrays import BoolArray, IntArray
from floatframe.io.ansys.apdl.names import ELEMENT_NAMES
from floatframe.io.ansys.apdl.text import Text

# families of elements by the number of the ANSYS element
BRICK8 = {45, 64, 65, 73, 185, 190}
SOLID_SHELL = {190}
BRICK20 = {95, 186}
TET10 = {92, 187}
TET4 = {72, 285}
SHELL4 = {41, 43, 63, 143, 181}
SHELL8 = {91, 93, 99, 281}
PLANE_BEAM = {3, 54}
BEAM_REAL = {4, 44, *PLANE_BEAM}
BEAM_SECTION = {188, 189}
LINK = {1, 8, 10, 180}
PIPE_REAL = {16, 20, 59}
PIPE_SECTION = {288, 289, 290}
ELBOW = {18}
CURVED_PIPE = {290}
MASS = {21}
SPRING = {14}
CURVE_SPRING = {39}
GAP_SPRING = {40}
BEARING = {214}
ACTUATOR = {11}
USER_MATRIX = {27}
RIGID = {184}
PRETENSION = {179}
CONTACT = {171, 172, 173, 174, 175, 176, 177}
TARGET = {169, 170}
SURFACES = {154}
SHEAR_PANEL = {28}
# they shape, load or show; surfaces have stiffness or mass only by real constants
WITHOUT_STIFFNESS = {
    200: "a mesh without physics",
    151: "",
    152: "",
    153: "",
    155: "",
    156: "",
    159: "",
    201: "",
}


def element_name(number: int) -> str:
    """Return e.g. SOLID186."""
    return ELEMENT_NAMES.get(number, f"ELEMENT{number}")


def element_number(text: Text, name: str) -> int:
    """Return the number of an element given as 186, SOLID186 or a parameter."""
    digits = name.strip("'").upper().lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ ")
    if digits.isdigit() and len(digits) < 6:
        return int(digits)
    return text.integer(name, "element name")


@dataclass(frozen=True)
class Shape:
    """Elements of one kind: rows (n,) in the table they come from and their node numbers (n, nnode)."""

    kind: str
    rows: IntArray
    nodes: IntArray


# node places of the 20-node brick that make the other shapes; corners I J K L M N O P, edges Q R S T U V W X Y Z A B
_WEDGE15 = [0, 1, 2, 4, 5, 6, 8, 9, 11, 12, 13, 15, 16, 17, 18]
_PYRAMID13 = [0, 1, 2, 3, 4, 8, 9, 10, 11, 16, 17, 18, 19]
_TET10 = [0, 1, 2, 4, 8, 9, 11, 16, 17, 18]
_SHAPES = {
    "hex": ("hex8", list(range(8)), list(range(20))),
    "wedge": ("wedge6", [0, 1, 2, 4, 5, 6], _WEDGE15),
    "pyramid": ("pyramid5", [0, 1, 2, 3, 4], _PYRAMID13),
    "tet": ("tet4", [0, 1, 2, 4], _TET10),
}
_QUADRATIC = {"hex": "hex20", "wedge": "wedge15", "pyramid": "pyramid13", "tet": "tet10"}


def brick_shapes(nodes: IntArray, quadratic: bool) -> Iterator[Shape]:
    """Split bricks (n, 8 or 20) by their repeated nodes into hexahedra, wedges, pyramids and tetrahedra.

    Quadratic elements without any mid-side node are linear; a missing mid-side node is 0. Patterns of repetition that
    ANSYS does not describe stay hexahedra with nodes in one place.
    """
    nodes = padded(nodes, 20 if quadratic else 8)
    prism = (nodes[:, 2] == nodes[:, 3]) & (nodes[:, 6] == nodes[:, 7])
    apex = (nodes[:, 4:8] == nodes[:, 4:5]).all(axis=1)
    masks: dict[str, BoolArray] = {
        "hex": ~prism & ~apex,
        "wedge": prism & ~apex,
        "pyramid": apex & (nodes[:, 2] != nodes[:, 3]),
        "tet": apex & (nodes[:, 2] == nodes[:, 3]),
    }
    for name, mask in masks.items():
        linear, corners, full = _SHAPES[name]
        plain = ~nodes[:, 8:].any(axis=1)
        rows = np.flatnonzero(mask & plain)
        if rows.size:
            yield Shape(linear, rows, nodes[rows][:, corners])
        rows = np.flatnonzero(mask & ~plain)
        if rows.size:
            yield Shape(_QUADRATIC[name], rows, nodes[rows][:, full])


def tet_shapes(nodes: IntArray) -> Iterator[Shape]:
    """Split 10-node tetrahedra into those with and those without mid-side nodes."""
    nodes = padded(nodes, 10)
    plain = ~nodes[:, 4:].any(axis=1)
    for kind, mask, count in (("tet4", plain, 4), ("tet10", ~plain, 10)):
        rows = np.flatnonzero(mask)
        if rows.size:
            yield Shape(kind, rows, nodes[rows, :count])


def shell_shapes(nodes: IntArray) -> Iterator[Shape]:
    """Split four-node shells into quadrilaterals and triangles (K = L, or no L)."""
    nodes = padded(nodes, 4)
    triangle = (nodes[:, 2] == nodes[:, 3]) | (nodes[:, 3] == 0)
    for kind, mask, count in (("shell4", ~triangle, 4), ("shell3", triangle, 3)):
        rows = np.flatnonzero(mask)
        if rows.size:
            yield Shape(kind, rows, nodes[rows, :count])


def padded(nodes: IntArray, count: int) -> IntArray:
    """Return nodes (n, count): cut, or filled up with zeros."""
    if nodes.shape[1] >= count:
        return nodes[:, :count]
    return np.hstack([nodes, np.zeros((len(nodes), count - nodes.shape[1]), dtype=np.int64)])
