"""Life of a flexible body under stationary random inputs: damage of every node from the densities of its stresses.

Densities of all stresses follow from those of the drives of the body's stress shapes, so that only the spectral moments
of these are kept, a matrix each.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from floatframe.arrays import Array
from floatframe.durability.curves import SNCurve
from floatframe.durability.damage import COMPONENTS
from floatframe.durability.life import LifeTable, chosen_points, worst_first
from floatframe.durability.planes import along, sheared, worst_planes, worst_shears
from floatframe.durability.spectral import RATES, SpectralMoments, spectral_moments
from floatframe.errors import ModelError
from floatframe.wording import did_you_mean

if TYPE_CHECKING:
    from floatframe.hybrid import CompiledSystem, RandomResponse

RANDOM_MEASURES = ("critical_plane", "critical_shear", "von_mises", *COMPONENTS)
_ORDERS = (0, 1, 2, 4)
_VON_MISES = np.diag([1.0, 1.0, 1.0, 3.0, 3.0, 3.0])  # σᵀ Q σ is the square of the von Mises stress
_VON_MISES[:3, :3] -= 0.5 * (1.0 - np.eye(3))


def random_life_table(
    system: CompiledSystem,
    noise: RandomResponse,
    body: str,
    curve: SNCurve,
    duration: float = 3600.0,
    method: str = "dirlik",
    measure: str = "critical_plane",
    nodes: Iterable[int] | None = None,
) -> LifeTable:
    """Return the damage of all nodes with stresses, or of some, in a duration [s] of random inputs.

    Parameters
    ----------
    system, noise
        A system and its random response with "BODY.stress_drives" among the outputs.
    body
        Name of the flexible body, which keeps stresses.
    curve
        S–N curve; mean stresses are not looked at.
    duration
        Time [s] for which the damage is.
    method
        "dirlik", "tovo_benasciutti" or "narrow_band".
    measure
        Normal stress of the critical plane, shear stress that does most ("critical_shear"), equivalent von Mises
        stress (Preumont and Piéfort 1994), or a component.
    nodes
        Numbers of nodes (default: all).
    """
    from floatframe.hybrid import flexible_body

    require_known(method, measure)
    if not 0.0 < duration < np.inf:
        raise ModelError(f"random life: the duration is {duration} s; it must be positive")
    reduced, _ = flexible_body(system, body, "stresses")
    moments = _drive_moments(noise, body)
    points = reduced.stress_shapes.nodal_points()
    chosen = chosen_points(points.node, nodes, reduced, body)
    tensors = [np.einsum("kic,cd,kjd->kij", s := points.stress[chosen], m, s, optimize=True) for m in moments]

    def rates(taken: list[Array]) -> tuple[Array, Array]:
        """Damage per second and mean largest amplitude of points from moments (k,) of one stress at each."""
        some = (taken[0] > 0.0) & (taken[2] > 0.0)
        m = SpectralMoments(*(np.where(some, one, 1.0) for one in taken))
        return np.where(some, RATES[method](m, curve), 0.0), np.where(some, m.extreme(duration), 0.0)

    def along_ways(p: Array) -> tuple[Array, Array]:
        return rates([np.einsum("ki,kij,kj->k", p, tensor, p) for tensor in tensors])

    if measure == "critical_plane":
        damage, largest = worst_planes(len(chosen), lambda normals: along_ways(along(normals)))
    elif measure == "critical_shear":
        damage, largest = worst_shears(len(chosen), lambda frames: along_ways(sheared(frames)))
    elif measure == "von_mises":
        damage, largest = rates([np.einsum("ij,kji->k", _VON_MISES, tensor) for tensor in tensors])
    else:
        k = COMPONENTS.index(measure)
        damage, largest = rates([tensor[:, k, k] for tensor in tensors])
    return worst_first(body, reduced, curve, points, chosen, duration * damage, largest, duration)


def require_known(method: str, measure: str) -> None:
    """Refuse methods and measures of random life that do not exist."""
    for what, name, known in (("method", method, RATES), ("measure", measure, RANDOM_MEASURES)):
        if name not in known:
            raise ModelError(
                f"random life: {what} '{name}' does not exist{did_you_mean(name, known)}; there are {', '.join(known)}"
            )


def output_lives(noise: RandomResponse, output: str, curve: SNCurve, duration: float = 600.0) -> dict[str, float]:
    """Return the seconds to failure of a stress among the outputs by every method; infinite if endless.

    duration: [s], its largest amplitude must lie within the curve.
    """
    density = noise.of(output)
    if not density.any():
        return dict.fromkeys(RATES, np.inf)
    moments = spectral_moments(noise.frequency, density)
    curve.require(float(moments.extreme(duration)), f" of '{output}'")
    rates = {name: float(rate(moments, curve)) for name, rate in RATES.items()}
    return {name: 1.0 / rate if rate > 0.0 else np.inf for name, rate in rates.items()}


def _drive_moments(noise: RandomResponse, body: str) -> list[Array]:
    """Spectral moments (c, c) of the drives of a body's stresses."""
    places = [k for k, port in enumerate(noise.outputs) if port.name.startswith(f"{body}.stress_drives.")]
    if not places:
        raise ModelError(
            f"random life: the random response has no '{body}.stress_drives'; ask for them as an output of the "
            "frequency response"
        )
    f, cross = noise.frequency, noise.cross[np.ix_(range(len(noise.frequency)), places, places)].real
    weight = np.zeros(len(f))
    weight[:-1] += 0.5 * np.diff(f)
    weight[1:] += 0.5 * np.diff(f)
    return [np.tensordot(weight * f**order, cross, axes=1) for order in _ORDERS]
