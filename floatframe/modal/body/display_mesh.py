"""The mesh a reduced body keeps for display: element types with their polygons, elements, materials and sections."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from floatframe.arrays import IntArray, short_repr
from floatframe.errors import ModelError

if TYPE_CHECKING:
    from floatframe.fem import AnyModel, Material, Section


@dataclass(frozen=True)
class ElementType:
    """Name, number (as in a file), number of nodes, and polygons of local node numbers (from 0) that draw it."""

    name: str
    nnode: int
    polygons: tuple[tuple[int, ...], ...]
    number: int = 1

    def __post_init__(self) -> None:
        if any(not 0 <= vertex < self.nnode for polygon in self.polygons for vertex in polygon):
            raise ModelError(f"element type '{self.name}': a polygon names a node beyond its {self.nnode} nodes.")


def _none() -> IntArray:
    return np.empty(0, dtype=np.int64)


@short_repr
@dataclass(frozen=True)
class DisplayMesh:
    """Elements in their order: user number, type (index into `types`), and node rows end to end.

    element_material and element_section (nel,) are indices into `materials` and `sections`, -1 where there is none.
    """

    types: tuple[ElementType, ...] = ()
    element_ids: IntArray = field(default_factory=_none)  # (nel,)
    element_type: IntArray = field(default_factory=_none)  # (nel,)
    connectivity: IntArray = field(default_factory=_none)  # (sum of nnode,) row indices into the body's nodes
    materials: tuple[Material, ...] = ()
    sections: tuple[Section, ...] = ()
    element_material: IntArray = None  # type: ignore[assignment]  # filled in below
    element_section: IntArray = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        nel = len(self.element_ids)
        for name in ("element_ids", "element_type", "connectivity", "element_material", "element_section"):
            values = getattr(self, name)
            values = np.full(nel, -1) if values is None else values
            object.__setattr__(self, name, np.asarray(values, dtype=np.int64))
        for name, top in (
            ("element_type", len(self.types)),
            ("element_material", len(self.materials)),
            ("element_section", len(self.sections)),
        ):
            values = getattr(self, name)
            lowest = 0 if name == "element_type" else -1
            if values.shape != (nel,) or (nel and (values.min() < lowest or values.max() >= top)):
                raise ModelError(f"display mesh: {name} needs {nel} numbers from {lowest} to {top - 1}.")
        if self.connectivity.shape != (int(self.start[-1]),):
            raise ModelError(
                f"display mesh: connectivity has {self.connectivity.size} entries, expected {self.start[-1]}."
            )

    def __len__(self) -> int:
        return len(self.element_ids)

    @property
    def start(self) -> IntArray:
        """(nel + 1,) where the nodes of each element begin in `connectivity`."""
        size = np.array([t.nnode for t in self.types], dtype=np.int64)
        return np.concatenate([[0], np.cumsum(size[self.element_type])]).astype(np.int64)

    def cells(self) -> Iterator[tuple[ElementType, IntArray, IntArray]]:
        """Yield for each type in use: the type, rows of its elements (k,), and their nodes (k, nnode)."""
        start = self.start
        for number, kind in enumerate(self.types):
            rows = np.flatnonzero(self.element_type == number)
            if rows.size:
                yield kind, rows, self.connectivity[start[rows][:, None] + np.arange(kind.nnode)]

    def polygons(self) -> Iterator[tuple[IntArray, IntArray]]:
        """Yield node rows (k, nvertex) of all polygons of one kind, and the rows (k,) of their elements."""
        for kind, rows, cells in self.cells():
            for polygon in kind.polygons:
                yield cells[:, polygon], rows


def display_mesh(fe: AnyModel) -> DisplayMesh:
    """Return the mesh of a finite element model, its element kinds numbered in the order of first use."""
    kinds = list(dict.fromkeys(block.kind for block in fe.blocks if len(block)))
    elements = {block.kind: block.element for block in fe.blocks}
    types = []
    for number, kind in enumerate(kinds, start=1):
        element = elements[kind]
        # a wall needs one side only; what has no faces is drawn as a line through its nodes
        faces = (element.drawn or element.faces[:1]) if element.dimension == 2 else element.faces
        types.append(ElementType(kind, element.nnode, faces or (tuple(range(element.nnode)),), number))
    # a picture needs no matrix
    plain = {b.material: replace(b.material, matrix=None) for b in fe.blocks if b.material is not None}
    materials = list(dict.fromkeys(plain.values()))
    outside = {b.section: _outside(b.section) for b in fe.blocks if b.section is not None}
    sections = list(dict.fromkeys(outside.values()))
    blocks = [block for block in fe.blocks if len(block)]

    def per_element(values: list[int]) -> IntArray:
        return np.repeat(np.array(values, dtype=np.int64), [len(block) for block in blocks])

    return DisplayMesh(
        tuple(types),
        np.concatenate([_none(), *(block.element_ids for block in blocks if block.element_ids is not None)]),
        per_element([kinds.index(block.kind) for block in blocks]),
        np.concatenate([_none(), *(block.connectivity.ravel() for block in blocks)]),
        tuple(materials),
        tuple(sections),
        per_element([-1 if block.material is None else materials.index(plain[block.material]) for block in blocks]),
        per_element([-1 if block.section is None else sections.index(outside[block.section]) for block in blocks]),
    )


def _outside(section: Section) -> Section:
    """Return what a picture shows of a section: walls by their thickness, whatever they are made of."""
    from floatframe.fem import GeneralShellSection, LayeredSection, ShellSection  # a body itself needs no elements

    if isinstance(section, LayeredSection | GeneralShellSection):
        return ShellSection(section.thickness, section.offset, name=section.name)
    return section
