"""What stands at the top of exported code: where it comes from, and what its arrays hold in which order."""

from __future__ import annotations

from floatframe.hybrid.assembly import coordinate_names
from floatframe.hybrid.export.equations import Equations
from floatframe.version import __version__


def heading(equations: Equations) -> list[str]:
    """Lines of text."""
    system = equations.system
    lines = [
        f"Equations of motion of the model '{system.model.name}', written by floatframe {__version__}.",
        "SI units and radians; the numbers of the model are folded into the formulas.",
        "",
        f"q[{system.nq}] coordinates, v[{system.nv}] speeds, z[{system.nz}] state variables, lambda[{system.nlambda}] "
        "multipliers. Speeds in their order:",
        *(f"    v[{k}]  {name}" for k, name in enumerate(coordinate_names(system))),
        "Coordinates have the same order; an attitude is a quaternion of four numbers, scalar first, its speeds are",
        "the angular velocity in the axes of the body.",
    ]
    lines += [f"    z[{k}]  {state.name}" for k, state in enumerate(system.model.states)]
    if system.nlambda:
        lines.append("Multipliers belong to rows of: " + ", ".join(dict.fromkeys(system.row_names)) + ".")
    if equations.angles:
        lines.append(
            f"angles[{len(equations.angles)}] are the last known values of measured angles; turns are counted."
        )
    return lines
