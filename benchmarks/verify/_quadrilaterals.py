"""What other elements with four nodes reach on the meshes of MacNeal and Harder (1985) and of NAFEMS.

QUAD4: Altair OptiStruct, verification problems OS-V:0435 (NAFEMS FV22, 10 x 10), OS-V:0710 (curved beam) and OS-V:0720
(straight beam), given as parts of the published values. GCMQ: membrane with drilling rotations and Gauss points (Chang,
Lee, Carr and Dhakal 2019, doi 10.1002/nme.6066). MITC4: Dvorkin and Bathe (1984), computed for these meshes by an
independent program.
"""

from __future__ import annotations

from benchmarks.verify.rows import SAME_MESH

MACNEAL_HARDER = {"extension": 3.0e-5, "in-plane": 0.1081, "out-of-plane": 0.4321, "twist": 0.03208}
QUAD4_STRAIGHT = {
    "regular": {"extension": 1.000, "in-plane": 0.992, "out-of-plane": 0.981, "twist": 0.941},
    "parallelogram": {"extension": 1.000, "in-plane": 0.712, "out-of-plane": 0.981, "twist": 0.905},
    "trapezoidal": {"extension": 1.000, "in-plane": 0.173, "out-of-plane": 0.964, "twist": 0.869},
}
GCMQ_IN_PLANE = {"regular": 1.0733 / 1.0812, "parallelogram": 1.0467 / 1.0812, "trapezoidal": 1.0638 / 1.0812}
QUAD4_CURVED = {"in-plane": 0.952 * 0.08734, "out-of-plane": 0.955 * 0.5022}
QUAD4_FV22 = (0.9937, 1.0382, 1.0633, 1.0006, 1.1073)
# error of the twist of a strip of width over thickness two, by its mesh
MITC4_STRIP = {(24, 4): -0.040, (48, 8): -0.008}


def quoted(problem: str, quantity: str, mesh: str) -> tuple[str, float] | None:
    """Return the name of another element and its displacement on the same mesh, if known."""
    if problem == "A15 curved beam":
        return "OptiStruct", QUAD4_CURVED[quantity]
    shape = mesh.removeprefix("6x1").strip() or "regular"
    if problem != "A14 straight beam" or quantity not in MACNEAL_HARDER:
        return None
    name, part = "OptiStruct", QUAD4_STRAIGHT[shape][quantity]
    if quantity == "in-plane":
        name, part = "GCMQ", GCMQ_IN_PLANE[shape]
    return name, part * MACNEAL_HARDER[quantity]


def straight_beam_tolerance(mesh: str, load: str, target: float) -> float:
    """Return what follows from QUAD4, in the plane from GCMQ; 1 % where they are exact to the digits given."""
    other = quoted("A14 straight beam", load, "" if mesh == "regular" else mesh)
    return max(same_mesh(other[1], target), 0.01) if other else 0.01


def same_mesh(published: float, target: float) -> float:
    """Return the tolerance of a row whose target another element misses on the same mesh."""
    return SAME_MESH * abs(published / target - 1.0)
