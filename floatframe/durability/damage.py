"""Damage by Miner's rule: of counted cycles, and of many histories at once without keeping them.

Histories of stresses are products of rows of stress shapes with the drives of a run; they are made for a block of rows
at a time, counted and forgotten.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.durability.curves import SNCurve
from floatframe.durability.planes import along, sheared, worst_planes, worst_shears
from floatframe.durability.rainflow import Cycles, turning_points
from floatframe.errors import ModelError

CORRECTIONS = ("none", "goodman", "gerber", "swt", "fkm")
MEASURES = ("critical_plane", "critical_shear", "signed_von_mises", "xx", "yy", "zz", "xy", "yz", "zx")
COMPONENTS = MEASURES[3:]
_ROWS, _TIMES = 128, 1024  # of a piece of histories: a megabyte, which stays in the cache of a core


@dataclass(frozen=True)
class MeanStress:
    """How a mean stress counts: rule, one of CORRECTIONS, and its number.

    "goodman", "gerber": tensile strength R_m [Pa]; a mean that presses counts as none. "swt": Smith, Watson and Topper,
    the root of amplitude and largest stress. "fkm": the mean-stress sensitivity M.
    """

    rule: str = "none"
    number: float = 0.0

    def __post_init__(self) -> None:
        if self.rule not in CORRECTIONS:
            raise ModelError(
                f"mean-stress correction '{self.rule}' does not exist; use one of {', '.join(CORRECTIONS)}"
            )
        if self.rule in ("goodman", "gerber") and not 0.0 < self.number < np.inf:
            raise ModelError(
                f"mean-stress correction '{self.rule}' needs the tensile strength R_m [Pa], found {self.number}"
            )
        if self.rule == "fkm" and not 0.0 <= self.number < 1.0:
            raise ModelError(f"mean-stress correction 'fkm' needs a sensitivity M from 0 to 1, found {self.number}")

    @property
    def code(self) -> int:
        return CORRECTIONS.index(self.rule)

    def amplitude(self, low: Array, high: Array) -> Array:
        """Return the fully reversed amplitudes (m,) that do as much as cycles from low to high."""
        from floatframe.durability import _kernels

        pairs = zip(np.ravel(low), np.ravel(high), strict=True)
        return np.array([_kernels.equivalent_amplitude(a, b, self.code, self.number) for a, b in pairs], dtype=float)


def read_mean_stress(text: str) -> MeanStress:
    """Return a mean-stress correction by words: "none", "goodman:500e6", "gerber:500e6", "swt", "fkm:0.2"."""
    rule, _, number = text.partition(":")
    try:
        return MeanStress(rule, float(number) if number else 0.0)
    except ValueError:
        raise ModelError(f"mean stress '{text}': '{number}' is not a number; write goodman:500e6 or fkm:0.2") from None


def miner(cycles: Cycles, curve: SNCurve, mean: MeanStress | None = None) -> float:
    """Return Miner's sum of counted cycles; 1 is failure."""
    amplitude = (mean or MeanStress()).amplitude(cycles.low, cycles.high)
    return float((cycles.count / curve.life(amplitude)).sum())


def history_damages(rows: Array, drive: Array, curve: SNCurve, mean: MeanStress | None = None) -> tuple[Array, Array]:
    """Return damage (k,) and largest equivalent amplitude (k,) [Pa] of the histories rows (k, c) @ drive (nt, c)."""
    from threadpoolctl import threadpool_limits

    drives = np.ascontiguousarray(np.asarray(drive, dtype=float).T)
    damage, largest = np.zeros(len(rows)), np.zeros(len(rows))
    kept = np.empty((min(_ROWS, len(rows)), drives.shape[1] + 2))
    with threadpool_limits(1, user_api="blas"):
        for first in range(0, len(rows), _ROWS):
            part = slice(first, first + _ROWS)
            count = _turns(rows[part], drives, kept)
            _count(kept, count, curve, mean or MeanStress(), damage[part], largest[part])
    return damage, largest


def _turns(rows: Array, drives: Array, kept: Array) -> IntArray:
    """Write the reversals of the histories rows (k, c) @ drives (c, nt) into kept; return how many each has.

    Histories are made a piece of time after the other, so that they are looked at while they are in cache. Each value
    is made once: in another product it may differ by its last bit, and reversals would no longer take turns.
    """
    from floatframe.durability import _kernels

    k, nt = len(rows), drives.shape[1]
    block = np.empty((k, 2 + _TIMES))  # two values of the piece before, then the piece
    block[:, :2] = kept[:k, :1] = rows @ drives[:, :1]
    count = np.ones(k, dtype=np.int64)
    for start in range(0, nt, _TIMES):
        m = min(_TIMES, nt - start)
        np.matmul(rows, drives[:, start : start + m], out=block[:, 2 : 2 + m])
        _kernels.keep_turns(block[:, : 2 + m], kept, count)
        block[:, :2] = block[:, m : 2 + m]
    kept[np.arange(k), count] = block[:, 1]
    return count + 1


def _count(points: Array, count: IntArray, curve: SNCurve, rule: MeanStress, damage: Array, largest: Array) -> None:
    from floatframe.durability import _kernels

    _kernels.damages(points, count, rule.code, rule.number, *curve.arrays, damage, largest)


def stress_damages(
    stress: Array, drive: Array, curve: SNCurve, mean: MeanStress | None = None, measure: str = "critical_plane"
) -> tuple[Array, Array]:
    """Return damage (k,) and largest equivalent amplitude (k,) [Pa] at points with stress shapes (k, 6, c).

    measure: the normal stress of the plane in which it does most ("critical_plane"), the shear stress that does most
    in any plane ("critical_shear"; its mean does nothing, and a correction for it is refused), the von Mises stress
    with the sign of the principal stress that is largest ("signed_von_mises"), or one component.
    """
    if measure not in MEASURES:
        raise ModelError(f"stress measure '{measure}' does not exist; use one of {', '.join(MEASURES)}")
    if measure == "critical_shear" and mean is not None:
        raise ModelError(
            f"mean-stress correction '{mean.rule}': the mean of critical_shear does nothing; leave the correction out, "
            "or count another measure"
        )
    if measure in COMPONENTS:
        return history_damages(stress[:, COMPONENTS.index(measure)], drive, curve, mean)
    if measure == "critical_plane":
        return worst_planes(
            len(stress),
            lambda normals: history_damages(np.einsum("kic,ki->kc", stress, along(normals)), drive, curve, mean),
        )
    if measure == "critical_shear":
        return worst_shears(
            len(stress), lambda frames: history_damages(np.einsum("kic,ki->kc", stress, sheared(frames)), drive, curve)
        )
    rule = mean or MeanStress()
    damage, largest = np.zeros(len(stress)), np.zeros(len(stress))
    for k, history in enumerate(signed_von_mises(stress, drive)):
        points, _ = turning_points(history)
        _count(points[None], np.array([len(points)]), curve, rule, damage[k : k + 1], largest[k : k + 1])
    return damage, largest


def signed_von_mises(stress: Array, drive: Array) -> Iterator[Array]:
    """Yield for each point the history (nt,) of the von Mises stress with the sign of its largest principal stress."""
    from floatframe.fem import von_mises

    for shapes in stress:
        tensor = np.ascontiguousarray(drive @ shapes.T)
        xx, yy, zz, xy, yz, zx = tensor.T
        matrix = np.stack([xx, xy, zx, xy, yy, yz, zx, yz, zz], axis=1).reshape(-1, 3, 3)
        principal = np.linalg.eigvalsh(matrix)
        sign = np.where(principal[:, 2] >= -principal[:, 0], 1.0, -1.0)
        yield np.ascontiguousarray(sign * von_mises(tensor))
