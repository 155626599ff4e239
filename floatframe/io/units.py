"""Unit systems of foreign files.

A system is three factors: metres per length unit, kilograms per mass unit, seconds per time unit. Everything else
follows: force = mass · length / time², and so on.
"""

from __future__ import annotations

from dataclasses import dataclass

from floatframe.errors import ModelError

_INCH, _FOOT = 0.0254, 0.3048
_POUND = 0.45359237
_POUND_FORCE = _POUND * 9.80665


@dataclass(frozen=True)
class Units:
    """One system: size of its length, mass and time units in m, kg, s."""

    name: str
    length: float
    mass: float
    time: float

    @property
    def force(self) -> float:
        return self.mass * self.length / self.time**2

    @property
    def stress(self) -> float:
        return self.force / self.length**2

    @property
    def density(self) -> float:
        return self.mass / self.length**3


UNIT_SYSTEMS: dict[str, Units] = {
    units.name: units
    for units in (
        Units("SI", 1.0, 1.0, 1.0),
        Units("mm-t-s", 1e-3, 1e3, 1.0),  # N, MPa
        Units("mm-kg-ms", 1e-3, 1.0, 1e-3),  # kN, GPa
        Units("mm-g-ms", 1e-3, 1e-3, 1e-3),  # N, MPa
        Units("mm-kg-s", 1e-3, 1.0, 1.0),  # mN, kPa
        Units("cm-g-s", 1e-2, 1e-3, 1.0),
        Units("cm-g-us", 1e-2, 1e-3, 1e-6),  # Mbar
        Units("m-t-s", 1.0, 1e3, 1.0),  # kN, kPa
        Units("in-lbf-s", _INCH, _POUND_FORCE / _INCH, 1.0),  # psi
        Units("in-lbm-s", _INCH, _POUND, 1.0),
        Units("ft-lbf-s", _FOOT, _POUND_FORCE / _FOOT, 1.0),  # slug
    )
}


def unit_system(units: str | Units) -> Units:
    """Return the system of this name."""
    if isinstance(units, Units):
        return units
    by_name = {name.lower(): system for name, system in UNIT_SYSTEMS.items()}
    if units.lower() not in by_name:
        raise ModelError(f"unit system '{units}' is unknown; known systems: {', '.join(UNIT_SYSTEMS)}.")
    return by_name[units.lower()]
