"""Element blocks: many elements of one kind with the same material and section."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, get_args

import numpy as np

from floatframe.arrays import AnyArray, Array, IntArray, short_repr
from floatframe.errors import ModelError
from floatframe.fem.elements import Batch, Element, element_kind
from floatframe.fem.neighbours import Neighbours
from floatframe.fem.nodal import MassKind
from floatframe.fem.numbering import read_only, whole_numbers
from floatframe.fem.properties import GeneralShellSection, LayeredSection
from floatframe.wording import listed

if TYPE_CHECKING:
    from floatframe.fem.properties import Material, Section


@short_repr
@dataclass(frozen=True)
class ElementBlock:
    """Elements of one kind that share material and section.

    connectivity (nel, nnode of the kind) row indices into the model's nodes; element_ids (nel,) user numbers;
    data: per-element arrays the kind understands, e.g. "orientation" (nel, 3) and "offsets" (nel, 2, 3) of beams;
    mass: the default kind of mass matrix, as the program has it that the elements come from.
    """

    kind: str
    connectivity: IntArray
    material: Material | None = None
    section: Section | None = None
    data: Mapping[str, AnyArray] = field(default_factory=dict)
    element_ids: IntArray = None  # type: ignore[assignment]  # the model numbers blocks that have none
    name: str = ""
    mass: MassKind = "consistent"
    neighbours: Neighbours | None = field(default=None, repr=False, compare=False)  # set by the model

    def __post_init__(self) -> None:
        element = self.element
        if self.mass not in get_args(MassKind):
            raise ModelError(
                f"{self.label}: mass {self.mass!r} is unknown; use one of {', '.join(get_args(MassKind))}."
            )
        connectivity = read_only(whole_numbers(self.connectivity, f"{self.label}: connectivity"))
        if connectivity.ndim != 2 or connectivity.shape[1] != element.nnode:
            raise ModelError(
                f"{self.label}: connectivity has shape {connectivity.shape}, expected (nel, {element.nnode})."
            )
        layered = isinstance(self.section, LayeredSection | GeneralShellSection)
        if element.needs_material and self.material is None and not layered:
            raise ModelError(f"{self.label}: no material; give material=ff.fem.Material(...).")
        if element.section_type is not None and not isinstance(self.section, element.section_type):
            found = "none" if self.section is None else type(self.section).__name__
            names = [kind.__name__ for kind in get_args(element.section_type) or (element.section_type,)]
            raise ModelError(f"{self.label}: section is {found}, expected a {' or '.join(names)}.")
        data = {}
        for name, values in self.data.items():
            if name not in element.data_names:
                known = ", ".join(element.data_names) or "none"
                raise ModelError(f"{self.label}: data '{name}' is unknown; this kind understands: {known}.")
            values = read_only(values)
            if values.shape[:1] != connectivity.shape[:1]:
                raise ModelError(f"{self.label}: data '{name}' has {len(values)} rows, expected {len(connectivity)}.")
            data[name] = values
        object.__setattr__(self, "connectivity", connectivity)
        object.__setattr__(self, "data", data)
        if self.element_ids is not None:
            ids = read_only(whole_numbers(self.element_ids, f"{self.label}: element numbers"))
            if ids.shape != connectivity.shape[:1]:
                raise ModelError(f"{self.label}: {ids.size} element numbers for {len(connectivity)} elements.")
            object.__setattr__(self, "element_ids", ids)

    @property
    def element(self) -> Element:
        """The kind of element, with its formulas."""
        return element_kind(self.kind)

    @property
    def materials(self) -> tuple[Material, ...]:
        """The material of the elements, or those of their layers."""
        if isinstance(self.section, LayeredSection):
            return tuple(dict.fromkeys(layer.material for layer in self.section.layers))
        return () if self.material is None else (self.material,)

    @property
    def label(self) -> str:
        """How messages name the block."""
        return f"element block '{self.name}' ({self.kind})" if self.name else f"element block ({self.kind})"

    def __len__(self) -> int:
        return int(self.connectivity.shape[0])

    def take(self, rows: AnyArray) -> ElementBlock:
        """Return a block with some of the elements (index array, mask or slice)."""
        ids = None if self.element_ids is None else self.element_ids[rows]
        data = {name: values[rows] for name, values in self.data.items()}
        return replace(self, connectivity=self.connectivity[rows], data=data, element_ids=ids)

    def batches(self, nodes: Array, size: int = 2048, curvature: Array | None = None) -> Iterator[tuple[slice, Batch]]:
        """Yield (rows, batch) pieces small enough to stay in cache.

        curvature (nel, 3, 3) of the surface as in `Batch`; a model gives it by its own `batches`.
        """
        known = self.neighbours is not None and self.neighbours.nodes is nodes
        around = self.neighbours.of(self.connectivity) if known and self.neighbours else None
        for start in range(0, len(self), size):
            rows = slice(start, min(start + size, len(self)))
            data = {name: values[rows] for name, values in self.data.items()}
            ids = None if self.element_ids is None else self.element_ids[rows]
            bent = None if curvature is None else curvature[rows]
            near = None if around is None else around.take(rows)
            yield rows, Batch(nodes[self.connectivity[rows]], self.material, self.section, data, ids, bent, near)


def acquainted(blocks: Iterable[ElementBlock], nodes: Array) -> tuple[ElementBlock, ...]:
    """Return blocks whose flat surface elements are linked to their neighbours; computed on first use."""
    blocks = tuple(blocks)
    flat = [block.element.dimension == 2 and block.element.nnode == block.element.corners for block in blocks]
    everyone = Neighbours(nodes, tuple(b.connectivity for b, is_flat in zip(blocks, flat, strict=True) if is_flat))
    return tuple(replace(b, neighbours=everyone) if is_flat else b for b, is_flat in zip(blocks, flat, strict=True))


def numbered(blocks: Iterable[ElementBlock], nnode: int, model: str) -> tuple[ElementBlock, ...]:
    """Check connectivity and give element numbers to blocks that have none, after the largest number in use."""
    blocks = tuple(blocks)
    top = max((int(b.element_ids.max()) for b in blocks if b.element_ids is not None and len(b)), default=0)
    done = []
    for block in blocks:
        if len(block) and (block.connectivity.min() < 0 or block.connectivity.max() >= nnode):
            row = int(np.flatnonzero((block.connectivity < 0).any(1) | (block.connectivity >= nnode).any(1))[0])
            raise ModelError(
                f"model '{model}', {block.label}: element {row + 1} of the block points to node row "
                f"{block.connectivity[row].tolist()}, but there are {nnode} nodes (rows 0 to {nnode - 1})."
            )
        if block.element_ids is None:
            block = replace(block, element_ids=np.arange(top + 1, top + 1 + len(block)))
            top += len(block)
        done.append(block)
    ids = np.concatenate([np.empty(0, dtype=np.int64), *(block.element_ids for block in done)])
    unique, count = np.unique(ids, return_counts=True)
    if (count > 1).any():
        raise ModelError(f"model '{model}': {listed('element number', unique[count > 1])} used more than once.")
    return tuple(done)
