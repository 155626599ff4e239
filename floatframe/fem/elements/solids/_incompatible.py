"""Linear solids that bend well: strain modes inside each element, condensed out (Wilson 1973, Taylor 1976).

Displacement-like modes remove the shear strains that linear shape functions show in bending; their gradients are
taken with the Jacobian at the centre and scaled so that their mean vanishes, which keeps the patch test. Volume modes
remove the volume strains that a linear element cannot follow when the material is nearly incompressible (Simo 1993).
"""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import ClassVar

import numpy as np

from floatframe.arrays import Array
from floatframe.fem.elements.base import Batch, SecondOrder
from floatframe.fem.elements.solids._elasticity import FORMS, stiffness, stresses, swelling_work
from floatframe.fem.elements.solids._solid import Solid, field_gradients, for_each_direction, jacobian, stress_products


class IncompatibleSolid(Solid):
    """A solid with internal strain modes."""

    centre: ClassVar[Array]  # (1, 3) reference point of the constant Jacobian

    @abstractmethod
    def mode_gradients(self, points: Array) -> Array:
        """Return (npoint, nmode, 3) reference gradients of the displacement modes, with zero mean."""

    def volume_modes(self, points: Array) -> Array:
        """Return (npoint, nvolume) volume strain modes, with zero mean."""
        return np.empty((len(points), 0))

    @cached_property
    def _modes(self) -> tuple[Array, Array, Array]:
        points = self.stiffness_rule.points
        return self.mode_gradients(points), self.volume_modes(points), self.shape_gradients(self.centre)

    def _stiffness(self, batch: Batch) -> Array:
        K, _, _, _ = self._with_modes(batch)
        n = self.ndof
        condensed = K[:, :n, :n] - K[:, :n, n:] @ np.linalg.solve(K[:, n:, n:], K[:, n:, :n])
        return 0.5 * (condensed + condensed.swapaxes(1, 2))

    def _with_modes(self, batch: Batch) -> tuple[Array, Array, Array, Array]:
        """Return the stiffness over nodes and modes, all gradients (nel, nq, n, 3), volume modes (nel, nq, nv) and
        volumes (nel, nq).
        """
        modes, volume_modes, centre = self._modes
        gradients, volume = self.gradients(batch)
        ratio = self.stiffness_rule.weights / volume  # 1 / det
        central, central_det = jacobian(batch.xyz, centre)
        extra = (modes @ central) * ratio[..., None, None]
        swelling = volume_modes * (ratio * central_det)[..., None]
        gradients = np.concatenate([gradients, extra], axis=2)
        K = stiffness(gradients, volume, batch)
        # a swelling θ I meets strains through the stress it causes, of isotropic materials a mere pressure
        on_gradients, on_itself = swelling_work(batch)
        nel, nq, n, _ = gradients.shape
        weighted = (swelling * volume[..., None]).swapaxes(1, 2)
        pressed = gradients @ on_gradients.reshape(-1, 1, 3, 3)
        cross = weighted @ pressed.reshape(nel, nq, 3 * n)
        own = on_itself[:, None, None] * (weighted @ swelling)
        return np.block([[K, cross.swapaxes(1, 2)], [cross, own]]), gradients, swelling, volume

    def displacement_gradients(self, batch: Batch, u: Array) -> Array:
        K, gradients, swelling, _ = self._with_modes(batch)
        H = self._with_inner_motion(u.reshape(-1, self.ndof, 1), self._inner_motion(K), gradients, swelling)
        return H.reshape(*H.shape[:2], 3, 3).swapaxes(2, 3)

    def _inner_motion(self, K: Array) -> Array:
        """Return the amplitudes of the modes per nodal displacement (nel, nmode, ndof)."""
        n = self.ndof
        return np.asarray(-np.linalg.solve(K[:, n:, n:], K[:, n:, :n]))

    def _with_inner_motion(self, u: Array, inner: Array, gradients: Array, swelling: Array | None = None) -> Array:
        """Return `field_gradients` of displacements u (nel, ndof, k) with the modes' amplitudes, swelling if given."""
        amplitude, last = inner @ u, 3 * gradients.shape[2] - self.ndof
        H = field_gradients(gradients, np.concatenate([u, amplitude[:, :last]], axis=1))
        if swelling is not None:
            H[:, :, ::4] += (swelling @ amplitude[:, last:])[:, :, None]
        return H

    def second_order(self, batch: Batch, states: Array, motions: Array) -> list[SecondOrder]:
        """The displacement modes move as they do in a linear element; swelling turns nothing and is left out."""
        K, gradients, swelling, volume = self._with_modes(batch)
        inner = self._inner_motion(K)
        H = self._with_inner_motion(states, inner, gradients, swelling)
        slopes = self._with_inner_motion(motions, inner, gradients)
        return [SecondOrder(stresses(H, volume, batch), slopes, FORMS)]

    def _geometric_stiffness(self, batch: Batch, u: Array) -> Array:
        K, gradients, swelling, volume = self._with_modes(batch)
        inner = self._inner_motion(K)
        H = self._with_inner_motion(u[:, :, None], inner, gradients, swelling)
        stress = stresses(H, volume, batch)[..., 0]
        whole = for_each_direction(stress_products(gradients, stress))
        n, moved = self.ndof, inner[:, : 3 * gradients.shape[2] - self.ndof]
        coupling = whole[:, :n, n:] @ moved
        condensed = whole[:, :n, :n] + coupling + coupling.swapaxes(1, 2)
        return condensed + moved.swapaxes(1, 2) @ (whole[:, n:, n:] @ moved)
