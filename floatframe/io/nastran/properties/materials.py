"""Materials of Nastran decks: MAT1, MAT2, MAT8, MAT9 and the orthotropic solids MAT11, MATORT, MAT9ORT."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from floatframe.arrays import Array
from floatframe.fem import Material
from floatframe.io.import_log import ImportLog
from floatframe.io.nastran.cards import BulkCard

_NEARLY = 0.4999  # Poisson's ratio taken for 0.5
_CONSISTENT = 1e-2  # how far G may be from E / 2(1 + nu) without a word
DAMPING = "structural damping is specified for the flexible body"


def read_material(card: BulkCard, log: ImportLog, mass_factor: float) -> Material:
    """Return the material of one card; those for shells have their axes 1, 2 in the wall."""
    material = READERS[card.name](card, log, mass_factor)
    if not material.rho:
        log.warn(f"{card.name} {card.text(1)} has no density: its elements have no mass of their own.")
    log.took(card.name)
    return material


def _isotropic(card: BulkCard, log: ImportLog, mass_factor: float) -> Material:
    """MAT1,MID,E,G,NU,RHO,A,TREF,GE."""
    E, G, nu = (card.real(k) if card.text(k) else None for k in (2, 3, 4))
    if E is None and G is not None and nu is not None:
        E = 2.0 * G * (1.0 + nu)
    if E is None:
        raise card.error(f"MAT1 {card.text(1)} has no modulus E.")
    if nu is None:
        nu = E / (2.0 * G) - 1.0 if G else 0.0
        # bars of Nastran ask for no relation between E and G
        nu = nu if -1.0 < nu < 0.5 else 0.0
    if nu == 0.5:
        log.warn(f"MAT1 {card.text(1)} has NU = 0.5, for which {_NEARLY:g} is taken.")
        nu = _NEARLY
    if G and abs(2.0 * G * (1.0 + nu) - E) > _CONSISTENT * abs(E):
        reason = "it contradicts E and nu: bars, beams and shear panels take it, shells and solids E/2(1 + nu)"
        log.skip("MAT1 G", reason, line=card.line)
    _tell_damping(card, log, 8)
    return Material(E, nu, card.real(5, 0.0) * mass_factor, name=f"MAT1 {card.text(1)}")


def shear_of_bars(card: BulkCard | None, material: Material) -> float:
    """Return G of a MAT1 card over that of its material: bars take G as it is given, whatever E and nu are."""
    given = card.real(3, 0.0) if card is not None and card.name == "MAT1" else 0.0
    consistent = abs(given - material.G) <= _CONSISTENT * material.G
    return given / material.G if given and not consistent else 1.0


def _lamina(card: BulkCard, log: ImportLog, mass_factor: float) -> Material:
    """MAT8,MID,E1,E2,NU12,G12,G1Z,G2Z,RHO; shear moduli across the thickness left out mean rigid."""
    E1, E2 = card.real(2), card.real(3)
    G12 = card.real(5, 0.0)
    if not G12:
        log.warn(f"MAT8 {card.text(1)} has no G12; that of an isotropic wall is taken.")
        G12 = E2 / (2.0 * (1.0 + card.real(4, 0.0)))
    rho = card.real(8, 0.0) * mass_factor
    _tell_damping(card, log, 16)
    return Material.ply(
        E1, E2, card.real(4, 0.0), G12, card.real(6, 0.0), card.real(7, 0.0), rho, f"MAT8 {card.text(1)}"
    )


def plane_matrix(card: BulkCard) -> Array:
    """Return G (3, 3) of MAT2,MID,G11,G12,G13,G22,G23,G33."""
    g = [card.real(k, 0.0) for k in range(2, 8)]
    return np.array([[g[0], g[1], g[2]], [g[1], g[3], g[4]], [g[2], g[4], g[5]]])


def _plane(card: BulkCard, log: ImportLog, mass_factor: float) -> Material:
    """MAT2 as a layer: its matrix in the plane, as stiff across as in it, and its shear modulus across too."""
    G = plane_matrix(card)
    C = np.zeros((6, 6))
    C[np.ix_([0, 1, 3], [0, 1, 3])] = G
    C[2, 2] = G[0, 0]
    C[4, 4] = C[5, 5] = G[2, 2]
    _tell_damping(card, log, 13)
    return Material.anisotropic(C, card.real(8, 0.0) * mass_factor, f"MAT2 {card.text(1)}")


def _anisotropic(card: BulkCard, log: ImportLog, mass_factor: float) -> Material:
    """MAT9,MID, the upper triangle row by row, RHO; strains xx, yy, zz, xy, yz, zx as here."""
    C = np.zeros((6, 6))
    C[np.triu_indices(6)] = [card.real(2 + k, 0.0) for k in range(21)]
    C += np.triu(C, 1).T
    return Material.anisotropic(C, card.real(23, 0.0) * mass_factor, f"MAT9 {card.text(1)}")


def _three_planes(card: BulkCard, log: ImportLog, mass_factor: float) -> Material:
    """MAT11,MID,E1,E2,E3,NU12,NU13,NU23,G12, G13,G23,RHO."""
    v = [card.real(k) for k in range(2, 11)]
    rho = card.real(11, 0.0) * mass_factor
    return Material.orthotropic(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], rho, f"MAT11 {card.text(1)}")


def _cyclic(card: BulkCard, log: ImportLog, mass_factor: float) -> Material:
    """MATORT and MAT9ORT,MID,E1,E2,E3,NU12,NU23,NU31,RHO, G12,G23,G31."""
    E1, E2, E3, nu12, nu23, nu31 = (card.real(k, 0.0) for k in range(2, 8))
    G12, G23, G31 = (card.real(k) for k in range(9, 12))
    rho = card.real(8, 0.0) * mass_factor
    name = f"{card.name} {card.text(1)}"
    return Material.orthotropic(E1, E2, E3, nu12, nu31 * E1 / E3 if E3 else 0.0, nu23, G12, G31, G23, rho, name)


def _tell_damping(card: BulkCard, log: ImportLog, field: int) -> None:
    if card.text(field) and card.real(field):
        log.skip(f"{card.name} GE", DAMPING, line=card.line)


READERS: dict[str, Callable[[BulkCard, ImportLog, float], Material]] = {
    "MAT1": _isotropic,
    "MAT2": _plane,
    "MAT8": _lamina,
    "MAT9": _anisotropic,
    "MAT11": _three_planes,
    "MATORT": _cyclic,
    "MAT9ORT": _cyclic,
    "MAT9OR": _cyclic,
}
MATERIALS = (*READERS, "MAT3", "MAT10", "MAT10C", "MATHE", "MATHP", "MATG", "MATSMA", "MATF1")
