"""What the exporters of finite element models share.

Formats differ in what they can say directly. Some functions here return the same structure in plainer words: a mass
off its node becomes a node of its own on a rigid arm, and so on; frequencies stay what they are.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field, replace
from typing import NoReturn, TypeVar

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.errors import ModelError, WriteError
from floatframe.fem import RBE2, Batch, BeamSection, ElementBlock, FEModel, Material, PointMass

_SAME = 12  # digits in which directions and offsets of neighbours count as equal
_T = TypeVar("_T", bound=Hashable)


@dataclass
class Numbers:
    """Numbers 1, 2, … for things in the order of first use."""

    known: dict[Hashable, int] = field(default_factory=dict)

    def of(self, thing: Hashable) -> tuple[int, bool]:
        """Return the number of a thing and whether it is new."""
        new = thing not in self.known
        return self.known.setdefault(thing, len(self.known) + 1), new


def refuse(format: str, what: str) -> NoReturn:
    """Raise the error for something a format cannot hold."""
    raise WriteError(f"{format} cannot hold {what}.")


def isotropic(format: str, block: ElementBlock) -> Material:
    """Return the material of a block for a format that takes only isotropic ones."""
    if block.material is None:
        refuse(format, f"{block.label} without a material")
    if block.material.matrix is not None and block.element.dimension > 1:
        refuse(format, f"{block.label}: material '{block.material.name}' is not isotropic (write .inp or .h5)")
    return block.material


SetNames = dict[tuple[str, str], str]  # ("node" or "element", name) -> name in the file


def legal_names(fe: FEModel, legal: str, longest: int, shared: bool) -> SetNames:
    """Return a name for every set that a format takes: other characters become '_', and each name is there once.

    legal: characters that may stand in a name, as in a regular expression; shared: whether sets of nodes and of
    elements must not have the same name. Case does not count.
    """
    found: SetNames = {}
    taken: set[tuple[str, str]] = set()
    sets = [("node", name) for name in fe.node_sets] + [("element", name) for name in fe.element_sets]

    def is_legal(name: str) -> bool:
        return re.fullmatch(rf"[A-Za-z][{legal}]{{0,{longest - 1}}}", name, re.ASCII) is not None

    # names that may stay come first, so that none is taken away by another one
    for kind, name in sorted(sets, key=lambda entry: not is_legal(entry[1])):
        plain = re.sub(rf"[^{legal}]", "_", name, flags=re.ASCII)
        plain = (plain if plain[:1].isalpha() else f"S_{plain}")[:longest]
        family = "" if shared else kind
        word, k = plain, 1
        while (family, word.upper()) in taken:
            k += 1
            word = f"{plain[: longest - len(str(k)) - 1]}_{k}"
        taken.add((family, word.upper()))
        found[kind, name] = word
    return found


def next_element(fe: FEModel) -> int:
    return max((int(block.element_ids.max()) for block in fe.blocks if len(block)), default=0) + 1


def batch_of(fe: FEModel, block: ElementBlock) -> Batch:
    """Return all elements of a block as one batch."""
    return Batch(fe.nodes[block.connectivity], block.material, block.section, block.data, block.element_ids)


def grouped(keys: Array) -> Iterator[tuple[int, IntArray]]:
    """Yield (first row, rows) of rows (n, k) that agree in all digits that matter, in the order of appearance."""
    size = np.abs(keys).max(initial=1e-300)
    _, first, which = np.unique(np.round(keys / size, _SAME) + 0.0, axis=0, return_index=True, return_inverse=True)
    for k in np.argsort(first):
        yield int(first[k]), np.flatnonzero(which.ravel() == k)


# beams


@dataclass(frozen=True)
class BeamFrames:
    """Axes of beams (nel, 3, 3) as rows x, y, z, and arms (nel, 2, 3) from the nodes to the centroids."""

    axes: Array
    arms: Array

    @property
    def sideways(self) -> bool:
        """Whether both arms of every beam are equal and square to it, as an offset within the section is."""
        size = np.abs(self.arms).max(initial=0.0)
        along = np.einsum("ei,eki->ek", self.axes[:, 0], self.arms)
        shift = self.arms[:, 1] - self.arms[:, 0]
        return bool(np.abs(along).max(initial=0.0) <= 1e-12 * size and np.abs(shift).max(initial=0.0) <= 1e-12 * size)

    @property
    def in_section(self) -> Array:
        """Local y, z (nel, 2) of the first arm."""
        return np.einsum("eki,ei->ek", self.axes[:, 1:], self.arms[:, 0])


def beam_frames(fe: FEModel, block: ElementBlock) -> tuple[BeamSection, BeamFrames]:
    """Return the section of a block of beams, their axes and arms."""
    if not isinstance(block.section, BeamSection):
        raise ModelError(f"{block.label}: it has no beam section.")
    axes = block.element.axes(batch_of(fe, block))
    arms = np.asarray(block.data.get("offsets", np.zeros((len(block), 2, 3))), dtype=float)
    return block.section, BeamFrames(axes, arms)


# springs


def spring_law(block: ElementBlock, name: str, format: str) -> Array:
    """Return the diagonal (nel, m) of "stiffness" or "damping" of springs; full matrices are refused."""
    size = {"axial_spring": 1, "point_spring": 3, "ground_point_spring": 3}.get(block.kind, 6)
    values = np.asarray(block.data.get(name, np.zeros((len(block), size))), dtype=float)
    if values.ndim == 3:
        diagonal = np.einsum("eii->ei", values)
        if (values != diagonal[:, :, None] * np.eye(size)).any():
            refuse(format, f"the full {name} matrix of {block.label}; only springs along their axes can be written")
        return diagonal
    return values.reshape(len(block), size)


# the same in plainer words


@dataclass
class _Grown:
    """A model in the making with more nodes."""

    fe: FEModel
    places: list[Array] = field(default_factory=list)
    bodies: list[RBE2] = field(default_factory=list)

    def arm(self, node: int, place: Array) -> int:
        """Add a node fixed to another one by a rigid arm; return its number."""
        self.places.append(place)
        number = int(self.fe.node_ids.max()) + len(self.places)
        self.bodies.append(RBE2(node, [number], name="arm"))
        return number

    def row(self, number: int) -> int:
        """Return the row of a node that was added."""
        return self.fe.nnode + number - int(self.fe.node_ids.max()) - 1

    def model(self, **changes: object) -> FEModel:
        first = int(self.fe.node_ids.max()) + 1
        return replace(
            self.fe,
            nodes=np.concatenate([self.fe.nodes, np.array(self.places).reshape(-1, 3)]),
            node_ids=np.concatenate([self.fe.node_ids, first + np.arange(len(self.places))]),
            couplings=(*self.fe.couplings, *self.bodies),
            **changes,  # type: ignore[arg-type]
        )


def masses_on_arms(fe: FEModel) -> FEModel:
    """Return the model with every mass that is off its node at a node of its own, on a rigid arm."""
    if not any(mass.offset.any() for mass in fe.point_masses):
        return fe
    grown, masses = _Grown(fe), []
    for mass in fe.point_masses:
        if mass.offset.any():
            place = fe.nodes[fe.node_index(mass.node)[0]] + mass.offset
            mass = PointMass(grown.arm(mass.node, place), mass.mass, mass.inertia)
        masses.append(mass)
    return grown.model(point_masses=tuple(masses))


def springs_without_arms(fe: FEModel) -> FEModel:
    """Return the model with every bushing between two nodes in one place, which rigid arms lead to."""
    if not any(block.kind == "spring" and _apart(fe, block).any() for block in fe.blocks):
        return fe
    grown, blocks = _Grown(fe), []
    for block in fe.blocks:
        if block.kind == "spring" and (apart := _apart(fe, block)).any():
            ends, rows = fe.nodes[block.connectivity], block.connectivity.copy()
            location = np.asarray(block.data.get("location", np.full(len(block), 0.5)), dtype=float)
            places = ends[:, 0] + location[:, None] * (ends[:, 1] - ends[:, 0])
            for k in np.flatnonzero(apart):
                numbers = [grown.arm(int(fe.node_ids[row]), places[k]) for row in rows[k]]
                rows[k] = [grown.row(number) for number in numbers]
            data = {name: block.data[name] for name in ("stiffness", "damping") if name in block.data}
            data["axes"] = block.element.axes(batch_of(fe, block))
            block = replace(block, connectivity=rows, data=data)
        blocks.append(block)
    return grown.model(blocks=tuple(blocks))


def _apart(fe: FEModel, block: ElementBlock) -> Array:
    ends = fe.nodes[block.connectivity]
    return np.asarray((ends[:, 0] != ends[:, 1]).any(axis=1))


def beams_without_slanted_arms(fe: FEModel) -> FEModel:
    """Return the model with beams between nodes at their ends where offsets are more than a shift of the section."""
    grown, blocks = _Grown(fe), []
    for block in fe.blocks:
        if block.kind == "beam" and "offsets" in block.data:
            _, frames = beam_frames(fe, block)
            if not frames.sideways:
                rows, ends = block.connectivity.copy(), fe.nodes[block.connectivity] + frames.arms
                for k, j in np.argwhere(frames.arms.any(axis=2)):
                    rows[k, j] = grown.row(grown.arm(int(fe.node_ids[rows[k, j]]), ends[k, j]))
                block = replace(block, connectivity=rows, data={"orientation": frames.axes[:, 2]})
        blocks.append(block)
    return grown.model(blocks=tuple(blocks)) if grown.places else fe
