"""What the railcar is made of: fixed sections and masses, and the quantities that `tuning` found.

Lengths in m, masses in kg, moduli in Pa. Panels stand for skin, insulation and lining together: their modulus is that
of a panel of one material with the stiffness of the whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from floatframe.fem import BeamSection, Material

STEEL = Material(E=2.1e11, nu=0.3, rho=7850.0, name="steel")
SIDE_SILL = BeamSection.channel(0.06, 0.16, 0.006, 0.008)
CROSS_BEAM = BeamSection.channel(0.05, 0.12, 0.005, 0.006)
STRINGER = BeamSection.box(0.05, 0.05, 0.003)
CAB_POST = BeamSection.box(0.05, 0.05, 0.003)
RAIL = BeamSection.box(0.03, 0.03, 0.002)
STRUT = BeamSection.box(0.15, 0.15, 0.010)
PANEL, DECK = 0.015, 0.03  # thickness of walls and roofs, of the deck
DECK_DENSITY = 2500.0  # with covering and small equipment
LOAD = 3000.0  # seats, tools and people along both sides of the saloon

# mass, places of the mounts along x and |y|, depth of the centre below the deck
MACHINES = {
    "engine": (3000.0, (-0.45, 0.45, 1.35), 0.3, 0.5),
    "transmission": (1200.0, (-1.8, -0.9), 0.3, 0.5),
    "generator": (1200.0, (2.25, 2.7), 0.3, 0.4),
    "fuel tank": (1500.0, (-4.05, -3.6), 0.65, 0.4),
    "water tank": (800.0, (3.6, 4.05), 0.65, 0.4),
}


@dataclass(frozen=True)
class Design:
    """What was tuned to bring the frequencies on the springs to the published ones (`tuning`)."""

    spring_x: float = 2.421e5  # N/m, each of the eight springs
    spring_y: float = 2.829e5
    spring_z: float = 2.321e5
    seat_side: float = 0.833  # |y| of the spring seats
    seat_height: float = -0.105  # z of the spring seats
    end_mass: float = 3599.0  # couplers, buffers and ballast at the ends of the centre sills
    sill_height: float = 0.4357  # of the centre sills
    post_flange: float = 0.01199  # of the posts of the saloon
    deck_modulus: float = 7.537e7  # loose planks
    skin_modulus: float = 2.189e8  # of the saloon
    cab_modulus: float = 2.135e9
    trim_density: float = 2205.0  # of all panels

    @property
    def spring(self) -> tuple[float, float, float]:
        """Stiffness of a spring along x, y, z [N/m]."""
        return self.spring_x, self.spring_y, self.spring_z

    @cached_property
    def centre_sill(self) -> BeamSection:
        """One of the two main beams of the underframe."""
        return BeamSection.i_section(0.14, self.sill_height, 0.010, 0.014)

    @cached_property
    def post(self) -> BeamSection:
        """Posts and bows of the saloon: stiff across the wall, soft along it."""
        return BeamSection.channel(self.post_flange, 0.14, 0.004, 0.005)

    @property
    def deck(self) -> Material:
        """Material of the deck."""
        return Material(E=self.deck_modulus, nu=0.3, rho=DECK_DENSITY, name="deck")

    @property
    def saloon_panel(self) -> Material:
        """Material of the panels of the saloon."""
        return Material(E=self.skin_modulus, nu=0.3, rho=self.trim_density, name="saloon panel")

    @property
    def cab_panel(self) -> Material:
        """Material of the panels of the cabs."""
        return Material(E=self.cab_modulus, nu=0.3, rho=self.trim_density, name="cab panel")
