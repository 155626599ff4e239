"""Walls of shells in a deck: homogeneous, layered, or given by stiffness; which way their materials lie.

*SHELL SECTION, *SHELL GENERAL SECTION, *MEMBRANE SECTION and continuum shells' sections.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.errors import ModelError
from floatframe.fem import GeneralShellSection, Layer, LayeredSection, Material, ShellSection
from floatframe.io.abaqus.deck import Card, Place
from floatframe.io.abaqus.properties.materials import Materials
from floatframe.io.abaqus.properties.orientations import Orientations
from floatframe.io.deck import parse_number

_T = TypeVar("_T")
_UPPER = [(row, column) for column in range(6) for row in range(column + 1)]
_SHEAR = 5.0 / 6.0
_SLACK = 1e-12  # share of its bending stiffness and rotary mass that a membrane keeps: none, yet not zero
_PARALLEL = 1.7e-3  # sine of a tenth of a degree


@dataclass(frozen=True)
class Wall:
    """A section of some elements: rows of theirs, material (none for layers), data "thickness" and "direction"."""

    rows: IntArray
    section: ShellSection | LayeredSection | GeneralShellSection
    material: Material | None
    data: dict[str, Array]


class Walls:
    """Makes the walls of elements that share a section card."""

    def __init__(self, materials: Materials, orientations: Orientations, dialect: str) -> None:
        self.materials, self.orientations, self.dialect, self.log = materials, orientations, dialect, materials.log

    def of(
        self, card: Card, place: Place, ids: IntArray, xyz: Array, shear: Card | None, at_nodes: Array | None = None
    ) -> Iterator[Wall]:
        """Yield the walls of elements with numbers (nel,) and corners (nel, 3 or 4, 3).

        shear: *TRANSVERSE SHEAR STIFFNESS under the section, if there is one; at_nodes (nel,): mean thickness of
        elements whose thickness is that of their nodes.
        """
        every = np.arange(ids.size)
        if "COMPOSITE" in card.options:
            yield from self._layered(card, place, ids, xyz)
            return
        if card.key == "SHELLGENERALSECTION" and not card.option("MATERIAL"):
            offset = -self._nodes_above(card, place, ids)
            direction = self._direction(card, place, ids, xyz)
            section = self._general(card, shear, float(offset.mean()) if offset.size else 0.0)
            yield Wall(every, section, None, {"direction": direction})
            return
        material = self.materials.get(card.required("MATERIAL"), card, directed=True)
        data = {} if material.matrix is None else {"direction": self._direction(card, place, ids, xyz)}
        thickness = self._thickness(card, place, ids) if at_nodes is None else at_nodes
        above = self._nodes_above(card, place, ids)
        name = card.option("ELSET")
        pairs, which = np.unique(np.column_stack([thickness, above * thickness]), axis=0, return_inverse=True)
        if not pairs[:, 1].any() and len(pairs) > 1:
            # without offsets the thickness is a value of the elements
            pairs, which = pairs[:1], np.zeros(ids.size, dtype=np.int64)
            data["thickness"] = thickness
        for k, (t, off) in enumerate(pairs.tolist()):
            rows = np.flatnonzero(which.ravel() == k)
            some = {key: values[rows] for key, values in data.items()}
            if card.key == "MEMBRANESECTION":
                yield Wall(rows, self._membrane(card, material, t), None, some)
            else:
                wall = _made(card, lambda t=t, off=off: ShellSection(t, -off, name=name))  # type: ignore[misc]
                yield Wall(rows, wall, material, some)

    # pieces

    def _thickness(self, card: Card, place: Place, ids: IntArray) -> Array:
        """Return the thickness (nel,) of a homogeneous wall: its number, or a *DISTRIBUTION of elements."""
        lines = card.fields()
        word = lines[0][1][0] if lines else ""
        name = card.option("SHELLTHICKNESS", "MEMBRANETHICKNESS")
        if word and parse_number(word) is None:
            name, word = word, ""
        if name:
            return self.orientations.values(name, card, place, ids.size, ids, 1)[:, 0]
        return np.full(ids.size, card.numbers([word], lines[0][0])[0] if lines else 0.0)

    def _nodes_above(self, card: Card, place: Place, ids: IntArray) -> Array:
        """Return how far the nodes of a shell stand above its middle, in thicknesses (nel,)."""
        offset = card.option("OFFSET")
        named = {"SPOS": 0.5, "SNEG": -0.5, "": 0.0, "MIDDLE": 0.0}
        if offset.upper() in named:
            return np.full(ids.size, named[offset.upper()])
        if parse_number(offset) is None:
            return self.orientations.values(offset, card, place, ids.size, ids, 1)[:, 0]
        return np.full(ids.size, card.numbers([offset], card.line)[0])

    def _layered(self, card: Card, place: Place, ids: IntArray, xyz: Array) -> Iterator[Wall]:
        """Yield walls of layers: thickness, points, material, angle or orientation, from the bottom up."""
        direction = self._direction(card, place, ids, xyz)
        parts: list[tuple[float, Material, Array]] = []
        for line, words in card.fields():
            words = [*words, "", "", ""]
            thickness = card.numbers(words[:1], line)[0]
            if not thickness > 0.0 or not words[2]:
                raise card.error(f"a layer of {card.name}, COMPOSITE needs thickness, points and material.", line)
            material = self.materials.get(words[2], card, directed=True)
            parts.append((thickness, material, self._angles(words[3], card, place, ids, xyz, direction)))
        if not parts:
            raise card.error(f"{card.name}, COMPOSITE has no layers.")
        if "SYMMETRIC" in card.options:
            parts += reversed(parts)
        total = sum(thickness for thickness, _, _ in parts)
        above = self._nodes_above(card, place, ids)
        columns = np.column_stack([*(np.round(angles, 9) for _, _, angles in parts), above])
        kinds, which = np.unique(columns, axis=0, return_inverse=True)
        for k, (*angles, off) in enumerate(kinds.tolist()):
            rows = np.flatnonzero(which.ravel() == k)
            layers = tuple(Layer(material, t, turn) for (t, material, _), turn in zip(parts, angles, strict=True))
            offset, name = -off * total, card.option("ELSET")
            section = _made(card, lambda a=layers, b=offset, c=name: LayeredSection(a, b, name=c))  # type: ignore[misc]
            yield Wall(rows, section, None, {"direction": direction[rows]})

    def _angles(self, word: str, card: Card, place: Place, ids: IntArray, xyz: Array, direction: Array) -> Array:
        """Return the angles (nel,) [degrees] of a layer against the direction of the wall."""
        number = parse_number(word) if word else 0.0
        if number is not None:
            return np.full(ids.size, number)
        normal = _normals(xyz)
        along = _laid(direction, normal)
        own = _laid(self._direction(card, place, ids, xyz, word), normal)
        turn = np.arctan2((np.cross(along, own) * normal).sum(axis=1), (along * own).sum(axis=1))
        return np.asarray(np.degrees(turn))

    def _direction(self, card: Card, place: Place, ids: IntArray, xyz: Array, name: str = "") -> Array:
        """Return directions (nel, 3) that, laid onto the elements, are those of axis 1 of the material.

        Without an orientation it is the x axis of the model, z where x stands on the wall. The second line of an
        orientation names the axis across the wall in Abaqus; the next one lies in it. CalculiX takes the first.
        """
        name = name or card.option("ORIENTATION")
        normal = _normals(xyz)
        if not name:
            flat = np.abs(normal[:, 0]) < np.sqrt(1.0 - _PARALLEL**2)
            return np.where(flat[:, None], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0])
        axes = self.orientations.axes(card, place, xyz.mean(axis=1), ids, name)
        if axes is None:
            raise card.error(f"{card.name}: orientation '{name}' is unknown.")
        across = self.orientations.normal_axis(name, card, place)
        first = 0 if across is None or self.dialect == "calculix" else (across + 1) % 3
        found = axes[:, first].copy()
        upright = np.abs((found * normal).sum(axis=1)) > np.sqrt(1.0 - _PARALLEL**2)
        found[upright] = axes[upright, 1 if first == 0 else (first + 1) % 3]
        return found

    def _general(self, card: Card, shear: Card | None, offset_in_thicknesses: float) -> GeneralShellSection:
        """*SHELL GENERAL SECTION by 21 stiffnesses of forces 11, 22, 12 and moments 11, 22, 12."""
        values = [v for line, words in card.fields() for v in card.numbers(words[:8], line)][:21]
        if len(values) < 21:
            raise card.error(f"{card.name} without material needs 21 stiffnesses; it has {len(values)}.")
        law = np.zeros((6, 6))
        for (row, column), value in zip(_UPPER, values, strict=True):
            law[row, column] = law[column, row] = value
        A, B, D = law[:3, :3], law[:3, 3:], law[3:, 3:]
        if not A[0, 0] > 0.0:
            raise card.error(f"{card.name}: its first stiffness is {A[0, 0]:g}; it must be positive.")
        thickness = float(np.sqrt(12.0 * max(D[0, 0], 0.0) / A[0, 0])) or 1e-3
        S = np.eye(2) * _SHEAR * max(float(A[2, 2]), 1e-6 * float(A[0, 0]))
        if shear is not None:
            K11, K22, K12 = ([v for line, words in shear.fields() for v in shear.numbers(words, line)] + [0.0] * 3)[:3]
            if K11 > 0.0:
                S = np.array([[K11, K12], [K12, K22 or K11]])
        mass = card.numbers([card.option("DENSITY")], card.line)[0]
        if not mass:
            self.log.warn(f"{card.name} '{card.option('ELSET')}' has no DENSITY: its elements have no mass.")
        stiffness = _rows(A), _rows(B), _rows(D), _rows(S)
        offset, inertia = offset_in_thicknesses * thickness, mass * thickness**2 / 12.0
        name = card.option("ELSET")
        return _made(card, lambda: GeneralShellSection(*stiffness, thickness, mass, 0.0, inertia, offset, name))

    def _membrane(self, card: Card, material: Material, thickness: float) -> GeneralShellSection:
        """*MEMBRANE SECTION: stretching alone; what turns its nodes is held if nothing else needs it."""
        A = _plane_stress(material) * thickness
        zero = _rows(np.zeros((3, 3)))
        D = _rows(_SLACK * A * thickness**2 / 12.0)
        m0 = material.rho * thickness
        m2 = _SLACK * m0 * thickness**2 / 12.0
        name = card.option("ELSET")
        return _made(card, lambda: GeneralShellSection(_rows(A), zero, D, None, thickness, m0, 0.0, m2, 0.0, name))


def _rows(matrix: Array) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(row) for row in matrix.tolist())


def _plane_stress(material: Material) -> Array:
    """Return the stiffness (3, 3) of strains 11, 22, 12 without stress across the wall."""
    if material.matrix is None:
        E, nu = material.E, material.nu
        return E / (1.0 - nu**2) * np.array([[1.0, nu, 0.0], [nu, 1.0, 0.0], [0.0, 0.0, (1.0 - nu) / 2.0]])
    compliance = np.linalg.inv(np.asarray(material.matrix))
    keep = [0, 1, 3]
    return np.asarray(np.linalg.inv(compliance[np.ix_(keep, keep)]))


def _normals(xyz: Array) -> Array:
    """Return unit normals (nel, 3) of triangles or quadrilaterals by their corners (nel, 3 or 4, 3)."""
    last = xyz[:, -1] - xyz[:, 1] if xyz.shape[1] == 4 else xyz[:, 2] - xyz[:, 1]
    normal = np.cross(xyz[:, 2] - xyz[:, 0], last)
    return normal / np.maximum(np.sqrt((normal**2).sum(axis=1)), 1e-300)[:, None]


def _laid(direction: Array, normal: Array) -> Array:
    return direction - (direction * normal).sum(axis=1)[:, None] * normal


def _made(card: Card, make: Callable[[], _T]) -> _T:
    """Return make(), its complaint as a read error with the line of the card."""
    try:
        return make()
    except ModelError as error:
        raise card.error(str(error)) from error
