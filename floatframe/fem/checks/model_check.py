"""A look over a finite element model before it is used: names what is wrong and where, repairs nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.spatial import cKDTree

from floatframe.arrays import IntArray, short_repr
from floatframe.errors import ModelError
from floatframe.fem.checks.couplings import coupling_problems
from floatframe.fem.connection import part_of_nodes
from floatframe.fem.properties import GeneralShellSection
from floatframe.wording import numbers

if TYPE_CHECKING:
    from floatframe.fem.model import FEModel

WARPING_LIMIT = 0.1  # height of a quadrilateral's corners over its mean plane, in units of its size
_SAME_PLACE = 1e-7  # distance of nodes that count as one place, in units of the model's size
_PARALLEL = 1e-6  # sine of the angle below which two directions count as one


@short_repr
@dataclass(frozen=True)
class Problem:
    """One kind of trouble: severity "error" or "warning", a sentence, and the node or element numbers concerned."""

    severity: str
    what: str
    nodes: IntArray
    elements: IntArray

    def __str__(self) -> str:
        return self.what


@short_repr
@dataclass(frozen=True)
class CheckReport:
    """What `check_model` found."""

    problems: tuple[Problem, ...]

    @property
    def ok(self) -> bool:
        """Whether there are no errors (warnings may remain)."""
        return all(problem.severity != "error" for problem in self.problems)

    def raise_errors(self) -> None:
        """Raise a ModelError with all errors in one sentence each."""
        errors = [problem.what for problem in self.problems if problem.severity == "error"]
        if errors:
            raise ModelError(" ".join(errors))


def check_model(fe: FEModel) -> CheckReport:
    """Check nodes, element shapes, properties, duplicates, couplings and connection.

    Mechanisms are found by `ff.modal.find_mechanisms`.
    """
    found = [
        *_orphan_nodes(fe),
        *_coincident_nodes(fe),
        *_element_shapes(fe),
        *_duplicates(fe),
        *_massless(fe),
        *_idle_springs(fe),
        *_turning_springs(fe),
        *_thickness(fe),
        *_beams_along_their_orientation(fe),
        *(_problem("error", what, nodes=nodes) for what, nodes in coupling_problems(fe)),
        *_parts(fe),
    ]
    return CheckReport(tuple(found))


def _problem(severity: str, text: str, nodes: IntArray | None = None, elements: IntArray | None = None) -> Problem:
    none = np.empty(0, dtype=np.int64)
    return Problem(severity, text, none if nodes is None else nodes, none if elements is None else elements)


def _orphan_nodes(fe: FEModel) -> Iterator[Problem]:
    orphans = fe.node_ids[~fe.dof_table.present.any(axis=1)]
    if orphans.size:
        yield _problem(
            "warning", f"Nodes without elements: {numbers(orphans)}; they carry no equations.", nodes=orphans
        )


def _coincident_nodes(fe: FEModel) -> Iterator[Problem]:
    if not fe.nnode:
        return
    size = float(np.ptp(fe.nodes, axis=0).max()) or 1.0
    used = np.asarray(fe.dof_table.present.any(axis=1))
    # springs and couplings join nodes at one place on purpose
    springs = (block for block in fe.blocks if not block.element.needs_material)
    joined = part_of_nodes(fe, springs, fe.couplings)
    pairs = cKDTree(fe.nodes).query_pairs(_SAME_PLACE * size, output_type="ndarray")
    i, j = pairs.T
    loose = pairs[used[i] & used[j] & (joined[i] != joined[j])]
    if loose.size:
        ids = fe.node_ids[np.unique(loose)]
        yield _problem(
            "warning",
            f"Nodes at the same place that are not joined: {numbers(ids)}; merge_nodes() joins them.",
            nodes=ids,
        )


def _element_shapes(fe: FEModel) -> Iterator[Problem]:
    words = {1: "zero length", 2: "zero area or crossed edges", 3: "zero volume or inside out"}
    for block in fe.blocks:
        element = block.element
        if element.dimension == 0:
            continue
        none = np.empty(0, dtype=np.int64)
        bad, warped = [none], [none]
        for rows, batch in block.batches(fe.nodes):
            extent = np.ptp(batch.xyz, axis=1).max(axis=1) ** element.dimension
            ids = block.element_ids[rows]
            bad.append(ids[element.size_measure(batch) <= 1e-9 * extent])
            warping = element.warping(batch)
            if warping is not None:
                warped.append(ids[warping > WARPING_LIMIT])
        ids = np.concatenate(bad)
        if ids.size:
            yield _problem(
                "error", f"Elements of {block.label} with {words[element.dimension]}: {numbers(ids)}.", elements=ids
            )
        ids = np.concatenate(warped)
        if ids.size:
            yield _problem(
                "warning",
                f"Quadrilaterals of {block.label} warped by more than {WARPING_LIMIT:.0%} of their size: "
                f"{numbers(ids)}; split them into triangles.",
                elements=ids,
            )


def _duplicates(fe: FEModel) -> Iterator[Problem]:
    for dimension in (1, 2, 3):
        # springs side by side are not a mistake
        blocks = [b for b in fe.blocks if b.element.dimension == dimension and b.element.needs_material and len(b)]
        if not blocks:
            continue
        width = max(b.element.nnode for b in blocks)
        key = np.full((sum(len(b) for b in blocks), width), -1, dtype=np.int64)
        start = 0
        for block in blocks:
            key[start : start + len(block), : block.element.nnode] = np.sort(block.connectivity, axis=1)
            start += len(block)
        ids = np.concatenate([b.element_ids for b in blocks])
        _, inverse, count = np.unique(key, axis=0, return_inverse=True, return_counts=True)
        twice = ids[count[inverse.ravel()] > 1]
        if twice.size:
            yield _problem(
                "warning",
                f"Elements on the same nodes: {numbers(twice)}; stiffness and mass count twice.",
                elements=twice,
            )


def _massless(fe: FEModel) -> Iterator[Problem]:
    for block in fe.blocks:
        light = block.materials and not any(material.rho for material in block.materials)
        if light and len(block) and not getattr(block.section, "extra_mass", 0.0):
            yield _problem(
                "warning",
                f"Material '{block.materials[0].name}' of {block.label} has no density; its elements have no mass.",
                elements=block.element_ids,
            )
        elif isinstance(block.section, GeneralShellSection) and not block.section.m0 and len(block):
            yield _problem(
                "warning",
                f"Section '{block.section.name}' of {block.label} has no mass per area; its elements have no mass.",
                elements=block.element_ids,
            )


def _idle_springs(fe: FEModel) -> Iterator[Problem]:
    for block in fe.blocks:
        if block.element.needs_material or not len(block):
            continue
        idle = np.ones(len(block), dtype=bool)
        for name in ("stiffness", "damping", "mass"):
            idle &= ~np.any(np.reshape(block.data.get(name, np.zeros(len(block))), (len(block), -1)), axis=1)
        ids = block.element_ids[idle]
        if ids.size:
            yield _problem(
                "warning", f"Elements of {block.label} without stiffness and damping: {numbers(ids)}.", elements=ids
            )


def _turning_springs(fe: FEModel) -> Iterator[Problem]:
    for block in fe.blocks:
        wrong = [np.empty(0, dtype=np.int64)]
        for rows, batch in block.batches(fe.nodes):
            turning = block.element.resists_turning(batch)
            if turning is not None:
                wrong.append(block.element_ids[rows][turning])
        ids = np.concatenate(wrong)
        if ids.size:
            yield _problem(
                "warning",
                f"Springs of {block.label} between nodes apart resist rigid turning: {numbers(ids)}; "
                "use kind 'spring', which acts through arms.",
                elements=ids,
            )


def _thickness(fe: FEModel) -> Iterator[Problem]:
    for block in fe.blocks:
        if "thickness" not in block.data or not len(block):
            continue
        thickness = np.reshape(block.data["thickness"], (len(block), -1))
        ids = block.element_ids[~(thickness > 0).all(axis=1)]
        if ids.size:
            yield _problem(
                "error", f"Elements of {block.label} whose thickness is not positive: {numbers(ids)}.", elements=ids
            )


def _beams_along_their_orientation(fe: FEModel) -> Iterator[Problem]:
    for block in fe.blocks:
        if block.element.dimension != 1 or "orientation" not in block.data or "axes" in block.data:
            continue
        line = fe.nodes[block.connectivity[:, 1]] - fe.nodes[block.connectivity[:, 0]]
        up = block.data["orientation"]
        across = np.linalg.norm(np.cross(line, up), axis=1)
        full = np.linalg.norm(line, axis=1) * np.linalg.norm(up, axis=1)
        # without length there is no direction; the shape check names such elements
        ids = block.element_ids[(across < _PARALLEL * full) & (full > 0)]
        if ids.size:
            yield _problem(
                "error",
                f"Elements of {block.label} that lie along their orientation vector: {numbers(ids)}; give a vector "
                "across the line.",
                elements=ids,
            )


def _parts(fe: FEModel) -> Iterator[Problem]:
    part = part_of_nodes(fe, fe.blocks, fe.couplings)
    used = fe.dof_table.present.any(axis=1)
    names, size = np.unique(part[used], return_counts=True)
    if names.size > 1:
        smaller = names[np.argsort(-size, kind="stable")[1:]]
        ids = fe.node_ids[np.isin(part, smaller) & used]
        yield _problem(
            "warning",
            f"The model has {names.size} unconnected parts; nodes outside the largest: {numbers(ids)}.",
            nodes=ids,
        )
