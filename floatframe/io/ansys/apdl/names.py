"""Names of ANSYS elements and commands that are not read: what they are, so that a loss differs from a trifle."""

from __future__ import annotations

from floatframe.io.import_log import What

_FAMILIES: dict[str, tuple[int, ...]] = {
    "LINK": (1, 8, 10, 11, 31, 32, 33, 34, 68, 160, 167, 180, 228),
    "PLANE": (
        *(2, 13, 25, 35, 42, 53, 55, 67, 75, 77, 78, 82, 83, 121, 145, 146, 162, 182, 183, 222, 223, 230, 233),
        *(238, 292, 293),
    ),
    "BEAM": (3, 4, 23, 24, 44, 54, 161, 188, 189),
    "SOLID": (
        *(5, 45, 46, 62, 64, 65, 69, 70, 72, 73, 87, 90, 92, 95, 96, 97, 98, 117, 122, 123, 127, 128, 147, 148, 164),
        *(168, 185, 186, 187, 191, 225, 226, 227, 231, 232, 236, 237, 239, 240, 272, 273, 278, 279, 285, 291),
    ),
    "COMBIN": (7, 14, 37, 39, 40),
    "COMBI": (165, 214, 250),
    "INFIN": (9, 47, 110, 111, 257),
    "CONTAC": (12, 26, 48, 49, 52),
    "FLUID": (15, 29, 30, 38, 79, 80, 81, 116, 129, 130, 136, 138, 139, 141, 142, 218, 220, 221, 243, 244),
    "PIPE": (16, 17, 18, 20, 59, 60, 288, 289),
    "MASS": (21, 71, 166),
    "MATRIX": (27, 50),
    "SOURC": (36,),
    "SHELL": (*(28, 41, 43, 51, 57, 61, 63, 91, 93, 99, 131, 132, 143, 150, 157, 163, 181, 208, 209, 281),),
    "HYPER": (56, 58, 74, 84, 86, 158),
    "CIRCU": (94, 124, 125),
    "VISCO": (88, 89, 106, 107, 108),
    "TRANS": (109, 126),
    "INTER": (115, 192, 193, 194, 195, 202, 203, 204, 205),
    "HF": (118, 119, 120),
    "ROM": (144,),
    "SURF": (151, 152, 153, 154, 155, 156, 159, 251, 252),
    "TARGE": (169, 170),
    "CONTA": (171, 172, 173, 174, 175, 176, 177, 178),
    "PRETS": (179,),
    "MPC": (184,),
    "SOLSH": (190,),
    "MESH": (200,),
    "FOLLW": (201,),
    "CPT": (212, 213, 215, 216, 217),
    "HSFLD": (241, 242),
    "REINF": (263, 264, 265),
    "ELBOW": (290,),
    "USER": (300,),
}
ELEMENT_NAMES = {number: f"{family}{number}" for family, numbers in _FAMILIES.items() for number in numbers}

# heat, currents and fields alone, or loads: nothing that moves
WITHOUT_STRUCTURE = {
    *(9, 31, 32, 33, 34, 35, 36, 47, 53, 55, 57, 67, 68, 69, 70, 71, 75, 77, 78, 87, 90, 94, 96, 97, 110, 111, 115),
    *(116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 127, 128, 131, 132, 141, 142, 157, 201, 228, 230, 231, 232),
    *(233, 236, 237, 239, 240, 251, 252, 257, 278, 279, 291, 292, 293),
}
_COUPLINGS = {12, 26, 48, 49, 52, 109, 126, 176, 178, 179, 184, 192, 193, 194, 195, 202, 203, 204, 205}


def element_loss(number: int) -> What:
    """Return what a structural element that cannot be read carries: stiffness in most cases."""
    return "coupling" if number in _COUPLINGS else "mass" if number in (15, 38, 79, 80, 81, 166) else "stiffness"


# commands that add to the structure or change it, by their first four letters as ANSYS reads them
LOST_COMMANDS: dict[str, tuple[What, str]] = {
    **dict.fromkeys(("CECY", "CPCY"), ("coupling", "it joins nodes inside ANSYS")),
    **dict.fromkeys(("CEBL", "CPBL"), ("coupling", "blocks of couplings are not read; write them unblocked")),
    **dict.fromkeys(("DK", "DL", "DA", "DJ"), ("support", "it holds geometry or joints, which are not read")),
    **dict.fromkeys(("SE", "SETR", "SESY"), ("stiffness", "superelements are not read")),
    **dict.fromkeys(("GP",), ("stiffness", "gap conditions are not read")),
    **dict.fromkeys(("EKIL",), ("stiffness", "elements that a load step takes out are there from the start")),
    **dict.fromkeys(("ELBO",), ("stiffness", "elbows between pipes are not read")),
    **dict.fromkeys(("USRE", "USRD"), ("stiffness", "user elements are not known")),
    **dict.fromkeys(("EREI",), ("stiffness", "reinforcements are not read")),
    **dict.fromkeys(("CYCL",), ("coupling", "cyclic symmetry is not applied: the sector is on its own")),
    **dict.fromkeys(("PSME",), ("coupling", "pretension sections are not read")),
    **dict.fromkeys(("NMOV", "NREA", "EREA", "EMID"), ("unknown", "it changes the mesh")),
    **dict.fromkeys(("TBCO",), ("unknown", "it changes properties inside ANSYS")),
    **dict.fromkeys(("CDRE",), ("unknown", "the file it reads is not read; put its content into this file")),
}
