"""The law of a shell wall: forces and moments per unit strain and curvature, and mass per area.

Plane stress in every layer, strains linear across the thickness, transverse shear by its mean (first-order theory).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from floatframe.arrays import Array, short_repr
from floatframe.errors import ModelError
from floatframe.fem.properties.laminates import GeneralShellSection, Layer, LayeredSection
from floatframe.fem.properties.materials import RIGID, Material
from floatframe.fem.properties.sections import ShellSection, WallSection

_ACROSS = 1e-6  # sine of the angle between a direction and the normal below which the wall has no such direction
# three points integrate what layers need exactly, polynomials of degree four
_POINTS, _WEIGHTS = np.polynomial.legendre.leggauss(3)


@short_repr
@dataclass(frozen=True)
class WallLaw:
    """Stiffness and mass of walls about their mid-surface, in the axes of the elements; (...) elements, or points too.

    A [N/m], B [N], D [N m] (..., 3, 3): forces Nx, Ny, Nxy = A ε + B κ and moments Mx, My, Mxy = B ε + D κ, with
    engineering shears and twists; S (..., 2, 2) [N/m]: shear forces Qx, Qy; m0 [kg/m2], m1 [kg/m], m2 [kg] (...):
    mass per area and its first and second moment along the normal.
    """

    A: Array
    B: Array
    D: Array
    S: Array
    m0: Array
    m1: Array
    m2: Array

    def turned(self, cosine: Array, sine: Array) -> WallLaw:
        """Return the law in axes x, y from which the present ones are turned by an angle (...) about the normal."""
        T, R = strain_turn(cosine, sine), shear_turn(cosine, sine)
        A, B, D = (T.swapaxes(-1, -2) @ part @ T for part in (self.A, self.B, self.D))
        m0, m1, m2 = (np.broadcast_to(part, A.shape[:-2]) for part in (self.m0, self.m1, self.m2))
        return WallLaw(A, B, D, R.swapaxes(-1, -2) @ self.S @ R, m0, m1, m2)

    def scaled(self, ratio: Array) -> WallLaw:
        """Return the law of walls that are thicker by factors (...), every layer in the same proportion."""
        s = np.asarray(ratio, dtype=float)
        wide = s[..., None, None]
        masses = (self.m0 * s, self.m1 * s**2, self.m2 * s**3)
        return WallLaw(self.A * wide, self.B * wide**2, self.D * wide**3, self.S * wide, *masses)

    def about(self, height: Array | float) -> WallLaw:
        """Return the law about a surface this far (...) below the mid-surface, as the nodes are by an offset."""
        z = np.asarray(height, dtype=float)
        wide = z[..., None, None]
        B, D = self.B + wide * self.A, self.D + 2.0 * wide * self.B + wide**2 * self.A
        return WallLaw(
            self.A, B, D, self.S, self.m0, self.m1 + z * self.m0, self.m2 + 2.0 * z * self.m1 + z**2 * self.m0
        )


def wall_law(
    section: WallSection,
    material: Material | None,
    axes: Array,
    thickness: Array | None = None,
    direction: Array | None = None,
) -> WallLaw:
    """Return the law of walls in their own axes, at elements or at points of elements.

    axes (nel, 3, 3) or (nel, npoint, 3, 3): rows x, y and normal; thickness (nel,) or (nel, npoint) [m], None for that
    of the section; direction (nel, 3) in model axes, laid onto the wall: axis 1 of its material, from which the angles
    of layers count; None: local x. Arrays of the law have the shape of the axes, or that of the thickness if longer.
    """
    law = section_law(section, material)
    shape = axes.shape[:-2]
    if thickness is not None:
        thickness = np.asarray(thickness, dtype=float)
        shape = np.broadcast_shapes(_with_points(shape, thickness.ndim), _with_points(thickness.shape, len(shape)))
    if not is_isotropic(section, material) and direction is not None:
        cosine, sine = material_angle(axes, direction)
        law = law.turned(*(part.reshape(_with_points(part.shape, len(shape))) for part in (cosine, sine)))
    if thickness is not None:
        law = law.scaled(thickness.reshape(_with_points(thickness.shape, len(shape))) / section.thickness)
    matrices = (np.broadcast_to(part, (*shape, *part.shape[-2:])) for part in (law.A, law.B, law.D, law.S))
    return WallLaw(*matrices, *(np.broadcast_to(part, shape) for part in (law.m0, law.m1, law.m2)))


def _with_points(shape: tuple[int, ...], ndim: int) -> tuple[int, ...]:
    return shape + (1,) * (ndim - len(shape))


def material_angle(axes: Array, direction: Array) -> tuple[Array, Array]:
    """Return cosine and sine (...) of the angle from local x of walls to a direction (nel, 3) laid onto them."""
    along = np.asarray(direction, dtype=float)
    along = along.reshape(len(along), *[1] * (axes.ndim - 3), 3)
    x, y = (axes[..., row, :] * along for row in (0, 1))
    x, y = x.sum(axis=-1), y.sum(axis=-1)
    size, whole = np.hypot(x, y), np.sqrt((along**2).sum(axis=-1))
    if not (size > _ACROSS * whole).all():
        bad = int(np.argwhere(~(size > _ACROSS * whole))[0, 0])
        raise ModelError(
            f"shell {bad + 1} of the block: data 'direction' {np.asarray(direction)[bad].tolist()} does not lie along "
            "the wall; give a vector that is not its normal."
        )
    return x / size, y / size


def is_isotropic(section: WallSection, material: Material | None) -> bool:
    """Whether a wall is the same in all directions."""
    return isinstance(section, ShellSection) and material is not None and material.matrix is None


@lru_cache(maxsize=1024)
def section_law(section: WallSection, material: Material | None) -> WallLaw:
    """Return the law (no leading axes) of a section at its own thickness, in the axes of the material direction."""
    if isinstance(section, LayeredSection):
        return _laminate(section)
    if isinstance(section, GeneralShellSection):
        A, B, D = (np.array(part) for part in (section.A, section.B, section.D))
        size = max(float(np.abs(A).max()), 12.0 * float(np.abs(D).max()) / section.thickness**2)
        S = RIGID * size * np.eye(2) if section.S is None else np.array(section.S)
        return WallLaw(A, B, D, S, *(np.array(m) for m in (section.m0, section.m1, section.m2)))
    if material is None:
        raise ModelError(f"shell section '{section.name}': it has no material; give material=ff.fem.Material(...).")
    t = section.thickness
    Q, G = plane_stress(material)
    rho = material.rho
    masses = (np.array(rho * t), np.array(0.0), np.array(rho * t**3 / 12.0))
    return WallLaw(Q * t, np.zeros((3, 3)), Q * (t**3 / 12.0), section.shear_factor * t * G, *masses)


@lru_cache(maxsize=1024)
def plane_stress(material: Material) -> tuple[Array, Array]:
    """Return the law Q (3, 3) of stresses x, y, xy in a layer without stress across it, and G (2, 2) of shears xz, yz.

    In the axes of the material [Pa]. Shears across the thickness that a triclinic material couples to those in its
    plane are taken for free of each other.
    """
    if material.matrix is None:
        E, nu = material.E, material.nu
        Q = E / (1.0 - nu**2) * np.array([[1.0, nu, 0.0], [nu, 1.0, 0.0], [0.0, 0.0, 0.5 * (1.0 - nu)]])
        return Q, material.G * np.eye(2)
    C = material.elasticity()
    condensed = C - np.outer(C[:, 2], C[2]) / C[2, 2]
    return condensed[np.ix_([0, 1, 3], [0, 1, 3])], condensed[np.ix_([5, 4], [5, 4])]


def layer_law(layer: Layer) -> tuple[Array, Array]:
    """Return Q (3, 3) and G (2, 2) of a layer in the axes of the wall's direction [Pa]."""
    Q, G = plane_stress(layer.material)
    if layer.material.matrix is None:
        return Q, G
    T, R = turns(layer.angle)
    return T.T @ Q @ T, R.T @ G @ R


def turns(angle: float) -> tuple[Array, Array]:
    """Return what turns strains (3, 3) and shears (2, 2) of the wall into the axes of a layer at an angle [degrees]."""
    # quarter turns exactly, so that cross-plies have no round-off in their couplings
    quarter, rest = divmod(angle, 90.0)
    cosine, sine = np.cos(np.radians(rest)), np.sin(np.radians(rest))
    for _ in range(int(quarter) % 4):
        cosine, sine = -sine, cosine
    return strain_turn(cosine, sine), shear_turn(cosine, sine)


def strain_turn(cosine: Array, sine: Array) -> Array:
    """Return (..., 3, 3) from strains x, y, xy to those in axes turned by an angle about the normal."""
    c, s = np.asarray(cosine), np.asarray(sine)
    cc, ss, cs = c * c, s * s, c * s
    rows = [[cc, ss, cs], [ss, cc, -cs], [-2.0 * cs, 2.0 * cs, cc - ss]]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def shear_turn(cosine: Array, sine: Array) -> Array:
    """Return (..., 2, 2) from shears xz, yz to those in turned axes."""
    c, s = np.asarray(cosine), np.asarray(sine)
    return np.stack([np.stack([c, s], axis=-1), np.stack([-s, c], axis=-1)], axis=-2)


def _laminate(section: LayeredSection) -> WallLaw:
    """Classical lamination, with shear stiffness by energy."""
    laws = [layer_law(layer) for layer in section.layers]
    Q = np.array([law[0] for law in laws])
    rho = np.array([layer.material.rho for layer in section.layers])
    low, high = section.levels[:-1], section.levels[1:]
    A, B, D = (np.tensordot(high**n - low**n, Q, axes=1) / n for n in (1, 2, 3))
    m0, m1, m2 = (np.array((high**n - low**n) @ rho / n) for n in (1, 2, 3))
    # what rounding leaves of the couplings of a symmetric wall must not look like one
    t = section.thickness
    B = np.where(np.abs(B) > 1e-14 * t * np.abs(A).max(), B, 0.0)
    m1 = np.where(np.abs(m1) > 1e-14 * t * m0, m1, 0.0)
    S = _shear_stiffness(section, Q, np.array([law[1] for law in laws]), A, B, D)
    return WallLaw(A, B, D, S, m0 + section.extra_mass, m1, m2)


def _shear_stiffness(section: LayeredSection, Q: Array, G: Array, A: Array, B: Array, D: Array) -> Array:
    """Return S (2, 2): the shear stresses in equilibrium with bending have the energy of mean shears.

    A homogeneous wall has 5/6 of its thickness.
    """
    flexibility = np.zeros((2, 2))
    for profile, shear in zip(_shear_profiles(section, Q, A, B, D), G, strict=True):
        middle, half = 0.5 * (profile.low + profile.high), 0.5 * (profile.high - profile.low)
        for point, weight in zip(_POINTS, _WEIGHTS, strict=True):
            F = profile.at(middle + half * point)
            flexibility += half * weight * F.T @ np.linalg.solve(shear, F)
    S = np.linalg.inv(flexibility)
    return 0.5 * (S + S.T)


def shear_between_layers(section: LayeredSection) -> Array:
    """Return shear stresses xz, yz (nlayer + 1, 2, 2) per shear force x, y [1/m] at the faces, from the bottom up.

    In the axes of the material direction; none at the lowest and the highest face.
    """
    law, Q = section_law(section, None), np.array([layer_law(layer)[0] for layer in section.layers])
    tops = [profile.at(profile.high) for profile in _shear_profiles(section, Q, law.A, law.B, law.D)]
    return np.array([np.zeros((2, 2)), *tops[:-1], np.zeros((2, 2))])


@dataclass(frozen=True)
class _Profile:
    """Shear stresses F (2, 2) per shear force within a layer from low to high: bottom + linear + quadratic parts."""

    low: float
    high: float
    bottom: Array
    linear: Array
    quadratic: Array

    def at(self, z: float) -> Array:
        return self.bottom + (z - self.low) * self.linear + 0.5 * (z**2 - self.low**2) * self.quadratic


def _shear_profiles(section: LayeredSection, Q: Array, A: Array, B: Array, D: Array) -> Iterator[_Profile]:
    """Yield how shear stresses run through the layers.

    A moment alone, with no forces in the plane, causes stresses σ = H(z) M. Where Mx grows along x and My along y, as
    under shear forces in cylindrical bending (Whitney 1973; Rolfes and Rohwer 1997), the stresses across the wall are
    τ = F(z) (Qx, Qy) with F' the parts of -H that belong to them.
    """
    shift = np.linalg.solve(A, B)
    bend = np.linalg.inv(D - B @ shift)
    bottom = np.zeros((2, 2))
    for law, low, high in zip(Q, section.levels[:-1].tolist(), section.levels[1:].tolist(), strict=True):
        linear, quadratic = _parts_of_shear(law @ shift @ bend), _parts_of_shear(-law @ bend)
        profile = _Profile(low, high, bottom, linear, quadratic)
        bottom = profile.at(high)
        yield profile


def _parts_of_shear(H: Array) -> Array:
    """Return what Mx,x and My,y have in the slopes of τxz and τyz across the wall, for stresses H (3, 3) of moments."""
    return np.array([[H[0, 0], H[2, 1]], [H[2, 0], H[1, 1]]])
