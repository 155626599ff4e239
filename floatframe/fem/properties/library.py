"""Materials by name: moduli, Poisson's ratio and density as the named standards or handbooks give them."""

from __future__ import annotations

from typing import NamedTuple

from floatframe.errors import ModelError
from floatframe.fem.properties.materials import Material
from floatframe.wording import did_you_mean


class Entry(NamedTuple):
    """A material of the library: E [Pa], nu, rho [kg/m3] and where the values stand."""

    E: float
    nu: float
    rho: float
    source: str


_STEEL = Entry(210e9, 0.3, 7850.0, "EN 1993-1-1, 3.2.6; density EN 1991-1-1")
_STAINLESS = Entry(200e9, 0.3, 7900.0, "EN 10088-1")
_ALUMINIUM = Entry(70e9, 0.3, 2700.0, "EN 1999-1-1, 3.2.5")

LIBRARY = {
    "steel": _STEEL,
    **dict.fromkeys(("S235", "S275", "S355", "S420", "S460", "S690"), _STEEL),
    "1.4301": _STAINLESS,
    "1.4404": Entry(200e9, 0.3, 8000.0, "EN 10088-1"),
    "aluminium": _ALUMINIUM,
    **dict.fromkeys(("EN AW-5083", "EN AW-6060", "EN AW-6082"), _ALUMINIUM),
    "EN-GJL-250": Entry(110e9, 0.26, 7200.0, "EN 1561, annex A (E from 103 to 118 GPa)"),
    "EN-GJS-400-15": Entry(169e9, 0.275, 7100.0, "EN 1563, annex on further properties"),
    "Ti-6Al-4V": Entry(113.8e9, 0.342, 4430.0, "ASM Handbook 2"),
    "copper": Entry(117e9, 0.34, 8960.0, "ASM Handbook 2"),
    "C30/37": Entry(33e9, 0.2, 2500.0, "EN 1992-1-1, table 3.1; reinforced: EN 1991-1-1"),
}


def standard_material(name: str) -> Material:
    """Return a material of the library: "S355", "EN AW-6082", "EN-GJS-400-15", "Ti-6Al-4V" …"""
    if name not in LIBRARY:
        raise ModelError(f"material '{name}' is not in the library{did_you_mean(name, LIBRARY)}")
    found = LIBRARY[name]
    return Material(E=found.E, nu=found.nu, rho=found.rho, name=name)
