"""What a deformed body gives way by to second order: the matrices G of its geometric stiffness, see
docs/theory/geometric-stiffness.md.

A load state s stresses the body; G_s = Hᵀ K_G(s) H is the geometric stiffness of these stresses in the body's shapes.
By reciprocity the same matrix gives how far the deformation w moves the load's own point to second order, -½ wᵀ G_s w.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from floatframe.arrays import Array, short_repr
from floatframe.errors import ModelError

# order of the products of angular velocity
PRODUCTS = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))
OPTIONAL = ("vibration", "softest")
_SYMMETRY = 1e-8  # of the largest entry of a matrix


@short_repr
@dataclass(frozen=True)
class GeometricTerms:
    """Symmetric matrices G (n, n) in the shapes of a body with n shapes and k interface dofs; SI units, body axes.

    Loads of the states, all balanced by the inertia of the free body or carried by its supports:
    interface, a unit force or moment at each dof of the interface table;
    acceleration and angular_acceleration, the inertia forces M r of unit rigid motions r along and about the axes;
    centrifugal, the forces of steady rotation that stand with ωx², ωy², ωz², ωx ωy, ωy ωz, ωz ωx;
    vibration, the inertia forces M x of unit amplitudes of the softest modes x of the reduced body, whose amplitudes in
    a deformation w are `softest` w. Files of earlier versions have none of these.
    """

    interface: Array  # (k, n, n) [1/m and the like]
    acceleration: Array  # (3, n, n) zero where nothing holds the body
    angular_acceleration: Array  # (3, n, n) likewise
    centrifugal: Array  # (6, n, n)
    vibration: Array | None = None  # (s, n, n)
    softest: Array | None = None  # (s, n)

    def __post_init__(self) -> None:
        n = np.shape(self.interface)[-1]
        softest = np.zeros((0, n)) if self.softest is None else np.array(self.softest, dtype=float)
        if softest.ndim != 2 or softest.shape[1] != n:
            raise ModelError(f"geometric terms: softest has shape {softest.shape}, expected (s, {n}).")
        softest.flags.writeable = False
        object.__setattr__(self, "softest", softest)
        if self.vibration is None:
            object.__setattr__(self, "vibration", np.zeros((0, n, n)))
        counts = {"interface": None, "acceleration": 3, "angular_acceleration": 3, "centrifugal": 6}
        for name, count in (*counts.items(), ("vibration", len(softest))):
            G = np.array(getattr(self, name), dtype=float)
            if G.ndim != 3 or G.shape[1:] != (n, n) or count not in (None, len(G)):
                expected = f"({'k' if count is None else count}, {n}, {n})"
                raise ModelError(f"geometric terms: {name} has shape {G.shape}, expected {expected}.")
            largest = np.abs(G).max(axis=(1, 2), initial=0.0)
            if not np.isfinite(largest).all():
                raise ModelError(f"geometric terms: {name} holds numbers that are not finite.")
            if (np.abs(G - G.swapaxes(1, 2)).max(axis=(1, 2), initial=0.0) > _SYMMETRY * largest).any():
                raise ModelError(f"geometric terms: a matrix of {name} is not symmetric.")
            G.flags.writeable = False
            object.__setattr__(self, name, G)

    @property
    def n(self) -> int:
        """Number of shapes."""
        return int(self.interface.shape[-1])

    def __len__(self) -> int:
        """Return the number of load states, those of the vibration left out."""
        return sum(len(getattr(self, name)) for name in names())

    @property
    def filled(self) -> tuple[str, ...]:
        """The names of the fields that hold numbers a file must keep."""
        return (*names(), *(OPTIONAL if len(np.asarray(self.softest)) else ()))

    def transformed(self, T: Array) -> GeometricTerms:
        """Return the terms of the shapes H T, for T (n, m)."""
        changed = {name: T.T @ getattr(self, name) @ T for name in (*names(), "vibration")}
        states = {name: (G + G.swapaxes(1, 2)) / 2.0 for name, G in changed.items()}
        return GeometricTerms(**states, softest=np.asarray(self.softest) @ T)

    def turned_by(self, omega: Array) -> Array:
        """Return G (n, n) of steady rotation with angular velocity omega (3,) [rad/s]."""
        factors = np.array([omega[i] * omega[j] for i, j in PRODUCTS])
        return np.tensordot(factors, self.centrifugal, axes=1)


def names() -> tuple[str, ...]:
    """Return the names of the fields that all terms have."""
    return tuple(field.name for field in fields(GeometricTerms) if field.name not in OPTIONAL)
