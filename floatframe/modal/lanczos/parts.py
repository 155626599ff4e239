"""Unconnected parts of a pencil, gathered by their stiffness: a soft part drowns in the round-off of a stiff one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.modal.factor import connected_parts
from floatframe.modal.lanczos.modes import Modes, SturmCheck, backward_errors
from floatframe.modal.lanczos.part_motions import PartMotions
from floatframe.modal.lanczos.pencil import Pencil
from floatframe.modal.lanczos.sturm import found_between

Found = tuple[IntArray, bool, Modes]  # rows of a group, whether it has no further modes, those found
_ALIKE = 100.0  # parts are searched together while their typical K_ii / M_ii differ at most so much


def groups(pencil: Pencil) -> list[IntArray]:
    """Rows of the parts that are searched together, softest first; one group where all are connected or alike."""
    part, count = connected_parts(pencil.pattern)
    if count == 1:
        return [np.arange(pencil.size)]
    scale = _part_scales(pencil, part, count)
    group, number, softest = np.empty(count, dtype=np.int64), -1, -1.0
    for p in np.argsort(scale, kind="stable"):
        if number < 0 or scale[p] > _ALIKE * softest:
            number, softest = number + 1, scale[p]
        group[p] = number
    return [np.flatnonzero(group[part] == g) for g in range(number + 1)]


def _part_scales(pencil: Pencil, part: IntArray, count: int) -> Array:
    """Median K_ii / M_ii of each part (count,); zero without stiffness; parts without mass go with the softest."""
    heavy = np.flatnonzero(~pencil.massless)
    ratio = pencil.K.diagonal()[heavy] / pencil.M.diagonal()[heavy]
    order = heavy[np.lexsort((ratio, part[heavy]))]
    size = np.bincount(part[heavy], minlength=count)
    with_mass = np.flatnonzero(size)
    middle = order[(np.cumsum(size) - (size + 1) // 2)[with_mass]]
    median = np.maximum(pencil.K.diagonal()[middle], 0.0) / pencil.M.diagonal()[middle]
    scale = np.full(count, median.min())
    scale[with_mass] = median
    return scale


def with_apart(pencil: Pencil, apart: PartMotions, modes: Modes, most: int) -> Modes:
    """The modes with the motions that were set apart before them, `most` of these; the count takes all of them in."""
    rigid = apart.shapes(most)
    none = np.zeros(rigid.shape[1])
    residual, orthogonality = backward_errors(pencil.K, pencil.M, none, rigid)
    sturm = modes.sturm
    if sturm.expected is not None:
        sturm = replace(sturm, found=sturm.found + apart.count, expected=sturm.expected + apart.count)
    return replace(
        modes,
        omega=np.concatenate([none, modes.omega]),
        shapes=np.asfortranarray(np.hstack([rigid, modes.shapes])),
        residual=np.concatenate([residual, modes.residual]),
        orthogonality=max(orthogonality, modes.orthogonality),
        kind=("rigid",) * none.size + modes.kind,
        sturm=sturm,
    )


def merged(found: list[Found], size: int) -> Modes:
    """The modes of all groups as one result."""
    modes = [m for _, _, m in found]
    omega = np.concatenate([m.omega for m in modes])
    shapes = np.zeros((size, omega.size), order="F")
    first = 0
    for rows, _, m in found:
        shapes[rows, first : first + len(m)] = m.shapes
        first += len(m)
    order = np.argsort(omega, kind="stable")
    kind = [k for m in modes for k in m.kind]
    return Modes(
        omega=omega[order],
        shapes=np.asfortranarray(shapes[:, order]),
        residual=np.concatenate([m.residual for m in modes])[order],
        orthogonality=max(m.orthogonality for m in modes),
        kind=tuple(kind[i] for i in order),
        sturm=_joint_count([(complete, m) for _, complete, m in found]),
    )


def _joint_count(found: list[tuple[bool, Modes]]) -> SturmCheck:
    """One count for all groups, up to where the first of those with further modes was counted."""
    checks = [m.sturm for _, m in found]
    if any(check.expected is None for check in checks):
        return SturmCheck(found=sum(check.found for check in checks))
    tops = [m.sturm.below for complete, m in found if not complete]
    below = min(tops) if tops else max(check.below for check in checks)
    above = max(check.above for check in checks)
    there = sum(found_between(m.value, above, below) for _, m in found)
    missing = sum((check.expected or 0) - check.found for check in checks)
    return replace(checks[0], found=there, expected=there + missing, below=below, above=above)
