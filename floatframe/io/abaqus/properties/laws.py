"""Laws of materials in a deck: the linear elastic part of each, with what it leaves out.

Matrices are kept by Abaqus in the order 11, 22, 33, 12, 13, 23; ours is xx, yy, zz, xy, yz, zx.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import LinAlgError, inv

from floatframe.arrays import Array
from floatframe.errors import ModelError

_OURS = [0, 1, 2, 3, 5, 4]  # place of our components in the deck's order, and the other way round
_UPPER = [(row, column) for column in range(6) for row in range(column + 1)]
# where the nine constants of TYPE=ORTHO stand
_ORTHOTROPIC = [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2), (3, 3), (4, 4), (5, 5)]
_POISSON = 0.475  # CalculiX takes it where no compressibility is given

# number of constants of *ELASTIC by the first letters of its type
ELASTIC_CONSTANTS = {"ORTHO": 9, "ENG": 9, "ANISO": 21, "LAM": 6}


def elastic_matrix(kind: str, constants: list[float]) -> Array:
    """Return our matrix (6, 6) of *ELASTIC, TYPE=ORTHO, ENGINEERING CONSTANTS, ANISO or LAMINA."""
    D = np.zeros((6, 6))
    if kind.startswith("ORTHO"):
        for (row, column), value in zip(_ORTHOTROPIC, constants, strict=True):
            D[row, column] = D[column, row] = value
    elif kind.startswith("ANISO"):
        for (row, column), value in zip(_UPPER, constants, strict=True):
            D[row, column] = D[column, row] = value
    else:
        D = _from_moduli(_full_moduli(constants) if kind.startswith("LAM") else constants)
    return D[np.ix_(_OURS, _OURS)]


def to_constants(matrix: Array) -> list[float]:
    """Return the 21 constants of *ELASTIC, TYPE=ANISO of our matrix (6, 6)."""
    D = matrix[np.ix_(_OURS, _OURS)]
    return [float(D[row, column]) for row, column in _UPPER]


def _full_moduli(constants: list[float]) -> list[float]:
    """Return E1, E2, E3, nu12, nu13, nu23, G12, G13, G23 of a lamina, across as stiff as along its weaker direction."""
    E1, E2, nu12, G12, G13, G23 = constants
    return [E1, E2, E2, nu12, nu12, nu12, G12, G13 or G12, G23 or G12]


def _from_moduli(constants: list[float]) -> Array:
    """Return the matrix, in the deck's order, of three moduli, three Poisson ratios and three shear moduli."""
    E1, E2, E3, nu12, nu13, nu23, *shears = constants
    if min(E1, E2, E3, *shears) <= 0.0:
        raise ModelError("moduli must be positive")
    S = np.diag([1.0 / E1, 1.0 / E2, 1.0 / E3, *(1.0 / G for G in shears)])
    S[0, 1] = S[1, 0] = -nu12 / E1
    S[0, 2] = S[2, 0] = -nu13 / E1
    S[1, 2] = S[2, 1] = -nu23 / E2
    try:
        return np.asarray(inv(S))
    except LinAlgError:
        raise ModelError("its moduli and Poisson ratios give no stiffness") from None


# laws of large strains about the shape at rest


def hyperelastic(options: dict[str, str], constants: list[float]) -> tuple[float, float] | None:
    """Return E and nu of *HYPERELASTIC at rest; None for laws given by tests or by the user."""
    order = _whole(options.get("N", "1"))
    if "TESTDATAINPUT" in options or "USER" in options or order is None:
        return None
    names = set(options)
    if "OGDEN" in names:
        c = _padded(constants, 3 * order)
        return _at_rest(sum(c[0 : 2 * order : 2]), c[2 * order])
    if names & {"MOONEY-RIVLIN", "POLYNOMIAL"} or not names - {"N", "MODULI", "PROPERTIES"}:
        order = 1 if "MOONEY-RIVLIN" in names else order
        terms = order * (order + 3) // 2
        c = _padded(constants, terms + order)
        return _at_rest(2.0 * (c[0] + c[1]), c[terms])
    if names & {"NEOHOOKE", "REDUCEDPOLYNOMIAL", "YEOH"}:
        order = 3 if "YEOH" in names else 1 if "NEOHOOKE" in names else order
        c = _padded(constants, 2 * order)
        return _at_rest(2.0 * c[0], c[order])
    if "ARRUDA-BOYCE" in names:
        mu, stretch, D = _padded(constants, 3)[:3]
        if stretch <= 0.0:
            return None
        parts = (1.0, 3.0 / 5.0, 99.0 / 175.0, 513.0 / 875.0, 42039.0 / 67375.0)
        return _at_rest(mu * sum(part / stretch ** (2 * k) for k, part in enumerate(parts)), D)
    return None


def hyperfoam(options: dict[str, str], constants: list[float]) -> tuple[float, float] | None:
    """Return E and nu of *HYPERFOAM at rest: pairs of shear modulus and exponent, then as many Poisson ratios."""
    order = _whole(options.get("N", "1"))
    if "TESTDATAINPUT" in options or order is None:
        return None
    c = _padded(constants, 3 * order)
    shears, ratios = c[0 : 2 * order : 2], c[2 * order : 3 * order]
    if any(nu >= 0.5 for nu in ratios):
        return None
    bulk = sum(2.0 * mu * (1.0 / 3.0 + nu / (1.0 - 2.0 * nu)) for mu, nu in zip(shears, ratios, strict=True))
    return _young(sum(shears), bulk)


def _at_rest(mu: float, D: float) -> tuple[float, float] | None:
    """Return E and nu from the shear modulus and D = 2 / bulk modulus; without D Poisson's ratio is taken as 0.475."""
    return _young(mu, 2.0 / D) if D > 0.0 else (2.0 * mu * (1.0 + _POISSON), _POISSON)


def _young(mu: float, bulk: float) -> tuple[float, float] | None:
    if 3.0 * bulk + mu <= 0.0:
        return None
    E = 9.0 * bulk * mu / (3.0 * bulk + mu)
    return E, (3.0 * bulk - 2.0 * mu) / (2.0 * (3.0 * bulk + mu))


def _whole(text: str) -> int | None:
    return int(text) if text.isdigit() and 1 <= int(text) <= 9 else None


def _padded(values: list[float], count: int) -> list[float]:
    return values + [0.0] * (count - len(values))


# materials that CalculiX has built in as user materials, by the first letters of their names; the longest come first


def user_material(name: str, constants: list[float]) -> tuple[float, float] | Array | None:
    """Return E and nu, or our matrix (6, 6), of a *USER MATERIAL whose law is known by its name; else None."""
    name = name.upper()
    if name.startswith(("LIN_ISO_EL", "CIARLET_EL", "ABAQUS")) and len(constants) == 2:
        return constants[0], constants[1]
    if name.startswith(("TENSION_ONLY", "COMPRESSION_ONLY")) and constants:
        # stress E ε (1/2 ± atan(ε/ε0)/π): half of the modulus at rest
        return 0.5 * constants[0], 0.0
    if name.startswith(("ANISO_PLAS", "ANISO_CREEP")) and len(constants) >= 9:
        return elastic_matrix("ORTHO", constants[:9])
    if name.startswith("SINGLE_CRYSTAL") and len(constants) >= 3:
        along, across, shear = constants[:3]
        return elastic_matrix("ORTHO", [along, across, along, across, across, along, shear, shear, shear])
    return None
