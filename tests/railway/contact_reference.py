"""Results of CONTACT, read from its output files; lengths in m, forces in N on the rail."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

FILES = Path(__file__).parents[1] / "reference" / "wheel_rail"


class Case(NamedTuple):
    """A case of the Manchester benchmark A-2.2, right wheel."""

    number: int
    lateral: float
    height: float
    yaw: float
    roll: float
    rotation: float
    place: float  # across the rail
    angle: float
    creep: tuple[float, float, float]  # of the rail against the wheel: along, across, spin [1/m]
    normal: float
    along: float
    across: float
    pressure: float


def manchester() -> list[Case]:
    """The 21 cases."""
    text = (FILES / "mbench_a22_right.ref_out").read_text()
    return [_case(part) for part in re.split(r"\n Case +", text)[1:]]


def _case(text: str) -> Case:
    def numbers(first: str) -> list[float]:
        found = re.search(rf"^ +{re.escape(first)} .*\n(.*)", text, re.MULTILINE)
        assert found
        return [float(word) for word in found.group(1).split()]

    _, y, z, roll, yaw, _ = numbers("S_WS")
    _, _, _, angle, place, _ = numbers("XCP(TR)")
    _, _, _, along, across, spin = numbers("CHI")
    forces, pressure = numbers("FN"), numbers("FN/G")[4]
    return Case(
        int(text.split()[0]),
        lateral=1e-3 * y,
        height=1e-3 * z,
        yaw=yaw,
        roll=roll,
        rotation=-numbers("VX_WS")[5],
        place=1e-3 * place,
        angle=angle,
        creep=(along, across, 1e3 * spin),
        normal=forces[0],
        along=forces[1],
        across=forces[2],
        pressure=1e6 * pressure,
    )


def fastsim() -> list[tuple[float, float]]:
    """Force across over the limit of friction and moment [N m] of the elliptic contact, by CONTACT and FASTSIM."""
    text = (FILES / "fastsim.ref_out").read_text()
    moments = re.findall(r"^ +FN +FX +FY +MZ.*\n +\S+ +\S+ +\S+ +(\S+)", text, re.MULTILINE)
    forces = re.findall(r"^ +FN/G +FX\S+ +FY.*\n +\S+ +\S+ +(\S+)", text, re.MULTILINE)
    return [(float(force), 1e-3 * float(moment)) for force, moment in zip(forces, moments, strict=True)]
