"""Element types of Abaqus and CalculiX: which of ours represents each, and how quadratic lines are split."""

from __future__ import annotations

import re
from dataclasses import dataclass

from floatframe.arrays import IntArray

Split = tuple[tuple[int, ...], ...]  # node positions of each part


@dataclass(frozen=True)
class ElementType:
    """What becomes of a type: nodes in the deck, our kind, and node positions of each part where it is split.

    extra: an orientation node may follow.
    """

    # "solid", "shell", "beam", "truss", "spring", "dashpot", "mass", "inertia", "coupling", "connector", "rigid"
    family: str
    nnode: int
    kind: str = ""
    parts: Split = ()
    extra: bool = False
    remark: str = ""


def _solid(nnode: int, kind: str, remark: str = "") -> ElementType:
    return ElementType("solid", nnode, kind, remark=remark)


_TWO: Split = ((0, 1), (1, 2))
_INCOMPATIBLE = "linear hexahedra have incompatible modes here"
_BEAM2 = ElementType("beam", 2, "beam", extra=True)
_BEAM3 = ElementType("beam", 3, "beam", _TWO, extra=True, remark="each is two straight beams")
_SHELL3 = ElementType("shell", 3, "shell3")
_SHELL4 = ElementType("shell", 4, "shell4")
_SHELL6 = ElementType("shell", 6, "shell6")
_SHELL8 = ElementType("shell", 8, "shell8")
_HEX8 = _solid(8, "hex8", _INCOMPATIBLE)

ELEMENT_TYPES: dict[str, ElementType] = {
    **dict.fromkeys(("C3D4", "C3D4H"), _solid(4, "tet4")),
    **dict.fromkeys(("C3D5", "C3D5H"), _solid(5, "pyramid5")),
    **dict.fromkeys(("C3D6", "C3D6H", "C3D6R"), _solid(6, "wedge6")),
    **dict.fromkeys(("C3D8", "C3D8H", "C3D8R", "C3D8RH"), _HEX8),
    **dict.fromkeys(("C3D8I", "C3D8IH"), _solid(8, "hex8")),
    **dict.fromkeys(("C3D10", "C3D10H", "C3D10I", "C3D10M", "C3D10MH", "C3D10HS", "C3D10T"), _solid(10, "tet10")),
    **dict.fromkeys(("C3D15", "C3D15H"), _solid(15, "wedge15")),
    **dict.fromkeys(("C3D20", "C3D20H"), _solid(20, "hex20")),
    **dict.fromkeys(("C3D20R", "C3D20RH"), _solid(20, "hex20_reduced")),
    "C3D27": ElementType("solid", 27, "hex20", remark="the nodes in the faces and in the middle are left out"),
    "C3D27R": ElementType("solid", 27, "hex20_reduced", remark="the nodes in the faces and in the middle are left out"),
    "CSS8": _solid(8, "hex8", "solid shells are read as solids"),
    "SC6R": _solid(6, "wedge6", "continuum shells are read as solids"),
    "SC8R": _solid(8, "hex8_shell", "continuum shells are read as solids"),
    **dict.fromkeys(("S3", "S3R", "S3RS", "STRI3"), _SHELL3),
    **dict.fromkeys(("S4", "S4R", "S4RS", "S4RSW", "S4R5"), _SHELL4),
    **dict.fromkeys(("S6", "STRI65"), _SHELL6),
    **dict.fromkeys(("S8", "S8R", "S8R5"), _SHELL8),
    "S9R5": ElementType("shell", 9, "shell8", remark="the node in the middle is left out"),
    **dict.fromkeys(("M3D3",), _SHELL3),
    **dict.fromkeys(("M3D4", "M3D4R"), _SHELL4),
    "M3D6": _SHELL6,
    **dict.fromkeys(("M3D8", "M3D8R"), _SHELL8),
    **dict.fromkeys(("M3D9", "M3D9R"), ElementType("shell", 9, "shell8", remark="the node in the middle is left out")),
    **dict.fromkeys(("B31", "B31R", "B31H", "B31OS", "B31OSH", "B33", "B33H", "PIPE31", "PIPE31H"), _BEAM2),
    **dict.fromkeys(("B32", "B32R", "B32H", "B32OS", "B32OSH", "PIPE32", "PIPE32H"), _BEAM3),
    **dict.fromkeys(("T3D2", "T3D2H"), ElementType("truss", 2, "truss")),
    **dict.fromkeys(
        ("T3D3", "T3D3H"), ElementType("truss", 3, "truss", ((0, 2),), remark="the node in the middle is left out")
    ),
    "SPRINGA": ElementType("spring", 2, "axial_spring"),
    "SPRING1": ElementType("spring", 1),
    "SPRING2": ElementType("spring", 2),
    "DASHPOTA": ElementType("dashpot", 2, "axial_spring"),
    "DASHPOT1": ElementType("dashpot", 1),
    "DASHPOT2": ElementType("dashpot", 2),
    "MASS": ElementType("mass", 1),
    "ROTARYI": ElementType("inertia", 1),
    "DCOUP3D": ElementType("coupling", 1),
    "CONN3D2": ElementType("connector", 2),
    **dict.fromkeys(("R3D3",), ElementType("rigid", 3)),
    **dict.fromkeys(("R3D4",), ElementType("rigid", 4)),
    "RB3D2": ElementType("rigid", 2),
}

# letters behind the number of nodes, as the element libraries of Abaqus and CalculiX have them; all but R change
# nothing here: H hybrid, I incompatible or incompressible, M modified, S surface stress, V more nodes, T heat, P pore
# pressure, E charge. Beams and membranes have none besides those above.
_LETTERS = {
    "C3D4": "HTPE",
    "C3D5": "HE",
    "C3D6": "RHTPE",
    "C3D8": "RHISTPE",
    "C3D10": "HIMSTPE",
    "C3D15": "HVE",
    "C3D20": "RHITPE",
    "C3D27": "RH",
    **dict.fromkeys(("S3", "S4", "S8"), "RT"),
    **dict.fromkeys(("SC6R", "SC8R"), "T"),
    **dict.fromkeys(("T3D2", "T3D3"), "HTE"),
}
_NUMBERED = re.compile(r"(SC[68]R|[A-Z]+?(?:3D)?\d+)(R?)([A-Z]*)")


def element_type(name: str) -> ElementType | None:
    """Return what becomes of a type by its name, of variants too (C3D20RT, S4RT); None if it cannot be read."""
    if name in ELEMENT_TYPES:
        return ELEMENT_TYPES[name]
    found = _NUMBERED.fullmatch(name)
    if found is None or found[1] not in _LETTERS:
        return None
    base, reduced, others = found.groups()
    letters = reduced + others
    if len(set(letters)) < len(letters) or not set(letters) <= set(_LETTERS[base]):
        return None
    return ELEMENT_TYPES.get(base + reduced) or ELEMENT_TYPES[base]


# why the first letters of a type are refused
REFUSED_FAMILIES = (
    (("CPS", "CPE", "CPEG"), "plane"),
    (("CAX", "SAX", "MAX", "CGAX", "RAX"), "axisymmetric"),
    (("DC", "DS", "DCAX"), "heat transfer"),
    (("F3D", "FAX", "FC", "AC", "ASI"), "fluid or acoustic"),
    (("SFM",), "surface"),
    (("CONN",), "connector"),
    (("GAP",), "gap"),
    (("ELBOW",), "elbow"),
    (("FRAME",), "frame"),
    (("ITS", "JOINTC", "DRAG"), "joint"),
    (("CCL", "EC3D", "PC3D", "PD3D"), "special-purpose"),
    (("B2", "T2D", "R2D"), "plane"),
    (("COH", "GK", "EM", "Q3D", "CIN"), "special-purpose"),
    (("U",), "user-defined"),
)


def why_refused(name: str) -> str:
    """Return what an element type is that cannot be read."""
    if name == "D":
        return "a fluid network element"
    kind = next((word for starts, word in REFUSED_FAMILIES if name.startswith(starts)), "")
    return f"{'an' if kind.startswith('a') else 'a'} {kind} element" if kind else "an unknown element"


def is_without_structure(name: str) -> bool:
    """Whether elements of a type have no part in motions: heat and networks of fluids."""
    return name == "D" or why_refused(name) == "a heat transfer element"


# faces S1, S2, … of solids by number of nodes, corners first; nodes on the edges follow
_HEX8_FACES: Split = ((0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))
_HEX20_MIDDLES: Split = (
    (8, 9, 10, 11),
    (12, 13, 14, 15),
    (8, 17, 12, 16),
    (9, 18, 13, 17),
    (10, 19, 14, 18),
    (11, 16, 15, 19),
)
_TET4_FACES: Split = ((0, 1, 2), (0, 1, 3), (1, 2, 3), (2, 0, 3))
_TET10_MIDDLES: Split = ((4, 5, 6), (4, 8, 7), (5, 9, 8), (6, 7, 9))
_WEDGE6_FACES: Split = ((0, 1, 2), (3, 4, 5), (0, 1, 4, 3), (1, 2, 5, 4), (2, 0, 3, 5))
_WEDGE15_MIDDLES: Split = ((6, 7, 8), (9, 10, 11), (6, 13, 9, 12), (7, 14, 10, 13), (8, 12, 11, 14))
_PYRAMID_FACES: Split = ((0, 1, 2, 3), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4))


def _joined(corners: Split, middles: Split) -> Split:
    return tuple(a + b for a, b in zip(corners, middles, strict=True))


_FACES: dict[int, Split] = {
    4: _TET4_FACES,
    5: _PYRAMID_FACES,
    6: _WEDGE6_FACES,
    8: _HEX8_FACES,
    10: _joined(_TET4_FACES, _TET10_MIDDLES),
    15: _joined(_WEDGE6_FACES, _WEDGE15_MIDDLES),
    20: _joined(_HEX8_FACES, _HEX20_MIDDLES),
}


def face_nodes(type: ElementType, connectivity: IntArray, face: str) -> IntArray | None:
    """Return the node numbers (nel, k) of a face ("S1" …, "SPOS", "SNEG") of elements (nel, nnode), if it has one.

    Corners come first, then the middles of the edges.
    """
    face = face.upper()
    if type.family in ("shell", "rigid") and face in ("SPOS", "SNEG", "S1", "S2", "S", ""):
        return connectivity[:, : type.nnode]
    if type.family == "shell" and face in ("S3", "S4", "S5", "S6"):
        # CalculiX numbers the edges after the two sides
        face = f"E{int(face[1]) - 2}"
    if type.family == "shell" and face[:1] == "E" and face[1:].isdigit():
        corners = 3 if type.nnode in (3, 6) else 4
        k = int(face[1:]) - 1
        if not 0 <= k < corners:
            return None
        middle = [corners + k] if type.nnode > corners else []
        return connectivity[:, [k, (k + 1) % corners, *middle]]
    if type.family in ("beam", "truss"):
        # lines have no faces: their nodes
        return connectivity.ravel()
    if type.family != "solid" or type.nnode not in _FACES:
        return None
    faces = _FACES[type.nnode]
    if not (face[:1] == "S" and face[1:].isdigit() and 1 <= int(face[1:]) <= len(faces)):
        return None
    return connectivity[:, faces[int(face[1:]) - 1]]


def all_faces(type: ElementType, connectivity: IntArray) -> list[IntArray]:
    """Return the nodes (nel, k) of every face of solids (nel, nnode), face by face."""
    return [connectivity[:, list(face)] for face in _FACES.get(type.nnode, ())]
