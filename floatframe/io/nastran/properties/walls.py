"""Shell walls of Nastran decks: PSHELL with one to four materials, PCOMP, PCOMPG and PCOMPP.

Curvatures have the other sign in Nastran: its membrane and bending couple by -B.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from floatframe.arrays import Array
from floatframe.fem import (
    GeneralShellSection,
    Layer,
    LayeredSection,
    Material,
    ShellSection,
    WallSection,
    plane_stress,
    section_law,
)
from floatframe.io.nastran.cards import BulkCard
from floatframe.io.nastran.properties.materials import plane_matrix
from floatframe.io.nastran.properties.table import Properties, made

_SHELLS = ("PSHELL", "PCOMP", "PCOMPG", "PCOMPP", "PLPLANE", "PSHEAR", "PSHLN1")
_USUAL = 5.0 / 6.0
_STIFF = 1e3  # shear factor of a wall that does not shear
_SHAPES = ("", "SYM", "MEM", "BEND", "SMEAR", "SMCORE")


@dataclass(frozen=True)
class Wall:
    """A section without offset, its material if it has one for all, its own offset, and whether directions matter.

    thickness zero: elements bring their own; nsm: mass per area that is not in the material or section.
    """

    section: WallSection
    material: Material | None
    offset: float
    directed: bool
    thickness: float
    name: str
    nsm: float = 0.0


def wall(properties: Properties, number: int, card: BulkCard) -> Wall | None:
    """Return the wall of a shell, None if its property cannot be read, which the report says."""
    found = properties.find(_SHELLS, number, card)
    if found.name == "PCOMPP":
        return _stacked(properties, found, card)
    readers = {"PSHELL": _homogeneous, "PCOMP": _laminate, "PCOMPG": _laminate}
    if found.name not in readers:
        properties.log.lose(found.name, "stiffness", f"{card.name} with this property cannot be read", card.line)
        return None

    def make() -> Wall:
        properties.log.took(found.name)
        return made(found, lambda: readers[found.name](properties, found))

    return properties.once(found.name, number, make)


# PSHELL


def _homogeneous(properties: Properties, card: BulkCard) -> Wall:
    """PSHELL,PID,MID1,T,MID2,12I/T**3,MID3,TS/T,NSM, Z1,Z2,MID4."""
    thickness = card.real(3, 0.0)
    if thickness < 0.0:
        raise card.error(f"PSHELL {card.text(1)} has the thickness {thickness:g}; it must be positive.")
    size = thickness or 1.0  # elements scale it
    membrane, bending, shear, coupling = (card.integer(k, 0) for k in (2, 4, 6, 11))
    if bending == -1:
        # plane strain
        bending = membrane
    if not membrane and not bending:
        raise card.error(f"PSHELL {card.text(1)} has neither MID1 nor MID2.")
    ratio, factor = card.real(5, 0.0) or 1.0, card.real(7, 0.0) or _USUAL
    # decks round the standard factor
    factor = _USUAL if abs(factor - _USUAL) < 1e-4 else factor
    # materials whose matrix stands as it is have numbers beyond 1e8 in what Nastran writes itself
    material = properties.material(membrane or bending, card)
    name = f"PSHELL {card.text(1)}"
    same = {membrane, bending} == {membrane} and shear in (0, membrane) and not coupling and abs(ratio - 1.0) < 1e-6
    offset = offset_of(card, 13, thickness)
    nsm = card.real(8, 0.0)
    if same:
        if not shear:
            factor = _STIFF
        section = ShellSection(size, 0.0, factor, name=name)
        return Wall(section, material, offset, material.matrix is not None, thickness, name, nsm)
    zero = np.zeros((3, 3))
    A = _plane_law(properties, card, membrane) * size if membrane else zero
    D = _plane_law(properties, card, bending) * size**3 / 12.0 * ratio if bending else zero
    B = -_plane_law(properties, card, coupling) * size**2 if coupling else zero
    S = _shear_law(properties, card, shear) * size * factor if shear and bending else None
    m0 = material.rho * size
    general = GeneralShellSection(
        _rows(A), _rows(B), _rows(D), None if S is None else _rows(S), size, m0, 0.0, m0 * size**2 / 12.0, name=name
    )
    return Wall(general, None, offset, True, thickness, name, nsm)


def _plane_law(properties: Properties, card: BulkCard, number: int) -> Array:
    """Return stresses per strain (3, 3) in the plane; those of MAT2 as they stand, whatever their signs."""
    found = properties.material_card(number, card)
    if found is not None and found.name == "MAT2":
        properties.log.took("MAT2")
        return plane_matrix(found)
    return plane_stress(properties.material(number, card))[0]


def _shear_law(properties: Properties, card: BulkCard, number: int) -> Array:
    """Return shear stresses per shear strain (2, 2); MAT2 gives them as G11, G12, G22."""
    found = properties.material_card(number, card)
    if found is not None and found.name == "MAT2":
        G = plane_matrix(found)
        return G[:2, :2]
    return plane_stress(properties.material(number, card))[1]


def _rows(matrix: Array) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(row) for row in matrix.tolist())


# laminates


def _laminate(properties: Properties, card: BulkCard) -> Wall:
    """PCOMP and PCOMPG,PID,Z0,NSM,SB,FT,TREF,GE,LAM, then the plies from the bottom up."""
    return _wall_of(properties, card, _plies(properties, card), card.text(8))


def _wall_of(properties: Properties, card: BulkCard, plies: list[Layer], shape: str) -> Wall:
    """Return the wall of plies; card: PID,Z0,NSM."""
    if shape not in _SHAPES:
        raise card.error(
            f"{card.name} {card.text(1)} has LAM '{shape[:10]}', expected one of {', '.join(_SHAPES[1:])}."
        )
    if shape == "SYM":
        plies = [*plies, *reversed(plies)]
    name = f"{card.name} {card.text(1)}"
    extra = card.real(3, 0.0) * properties.mass_factor
    layered = LayeredSection(tuple(plies), 0.0, extra, name)
    total = layered.thickness
    offset = card.real(2) + total / 2.0 if card.text(2) else 0.0
    # what rounding of Z0 leaves is not an offset
    offset = 0.0 if abs(offset) < 1e-6 * total else offset
    section: WallSection = layered if shape in ("", "SYM") else _reshaped(layered, shape)
    return Wall(section, None, offset, True, total, name)


def _stacked(properties: Properties, card: BulkCard, element: BulkCard) -> Wall:
    """PCOMPP of OptiStruct: the plies of STACK whose element sets hold the element, from the bottom up."""
    stack = next(properties.deck.of("STACK"), None)
    if stack is None:
        raise card.error(f"PCOMPP {card.text(1)} needs a STACK, which the deck does not have.")
    known = properties.deck.by_number("PLY")
    number = element.number(1)
    there = []
    for word in stack.fields[3:]:
        if word.isdecimal() and int(word) in known and _covers(properties, known[int(word)], number):
            there.append(int(word))

    def make() -> Wall:
        properties.log.took("PCOMPP")
        cards = [known[ply] for ply in there]
        plies = [Layer(properties.material(c.number(2), c), c.real(3), c.real(4, 0.0)) for c in cards]
        return _wall_of(properties, card, plies, stack.text(2))

    return properties.once(f"PCOMPP {there}", card.number(1), lambda: made(card, make))


def _covers(properties: Properties, ply: BulkCard, number: int) -> bool:
    """Whether an element belongs to one of the sets of a ply; without sets it covers all."""
    sets = [int(word) for word in ply.fields[9:] if word.isdecimal()]

    def members() -> set[int]:
        found: set[int] = set()
        for card in properties.deck.of("SET"):
            if card.integer(1, 0) in sets:
                found.update(card.members(list(card.fields[9:]), properties.elements).tolist())
        return found

    return not sets or number in properties.once("PLY", ply.number(1), members)


def _plies(properties: Properties, card: BulkCard) -> list[Layer]:
    """Return the plies; what one leaves out is that of the ply before."""
    width, first = (4, 9) if card.name == "PCOMP" else (8, 10)
    material, thickness = 0, 0.0
    plies = []
    for at in range(first, len(card.fields), width):
        if not any(card.text(at + k) for k in range(3)):
            continue
        material, thickness = card.integer(at, material), card.real(at + 1, thickness)
        if material < 1:
            raise card.error(f"{card.name} {card.text(1)} has a ply without material.")
        if thickness:
            plies.append(Layer(properties.material(material, card), thickness, card.real(at + 2, 0.0)))
    if not plies:
        raise card.error(f"{card.name} {card.text(1)} has no plies.")
    return plies


def _reshaped(layered: LayeredSection, shape: str) -> GeneralShellSection:
    """Return the wall of plies of which only some stiffness counts (MEM, BEND), or whose order does not (SMEAR …)."""
    law, t = section_law(layered, None), layered.thickness
    A, D, S = law.A, law.D, law.S
    if shape == "MEM":
        D = np.zeros((3, 3))
    elif shape == "BEND":
        A = np.zeros((3, 3))
    elif shape == "SMEAR":
        D = A * t**2 / 12.0
    else:
        A, D, S = _sandwich(layered.layers)
    return GeneralShellSection(
        _rows(A), _rows(np.zeros((3, 3))), _rows(D), _rows(S), t, float(law.m0), 0.0, float(law.m2), name=layered.name
    )


def _sandwich(layers: Sequence[Layer]) -> tuple[Array, Array, Array]:
    """SMCORE: the last ply is a core, the others are smeared into two equal faces."""
    *faces, core = layers
    if not faces:
        return _sandwich((core, core))
    skins = LayeredSection(tuple(faces))
    A, t = section_law(skins, None).A, skins.thickness
    D = A * ((core.thickness / 2.0 + t / 4.0) ** 2 + (t / 2.0) ** 2 / 12.0)
    return A, D, plane_stress(core.material)[1] * core.thickness


def offset_of(card: BulkCard, field: int, thickness: float) -> float:
    """Return an offset in a field; TOP and BOTTOM (OptiStruct) put that face of the wall on the grids."""
    faces = {"TOP": -0.5, "BOTTOM": 0.5}
    word = card.text(field)
    return faces[word] * thickness if word in faces else card.real(field, 0.0)


def offset_by(wall: Wall, offset: float, size: float) -> WallSection:
    """Return the section of a wall with its middle moved along the normal; size: thickness if it has none itself."""
    section = wall.section
    if not wall.thickness:
        # constants were made for a thickness of one, and every element says what it has
        section = _scaled(section, size)
    return replace(section, offset=wall.offset + offset)


def loaded(
    properties: Properties, wall: Wall, section: WallSection, size: float
) -> tuple[WallSection, Material | None]:
    """Return section and material of elements of a thickness with the non-structural mass of their wall."""
    if isinstance(section, GeneralShellSection):
        # the law of the section is scaled to the thickness of elements, the mass per area that is added is not
        more = wall.nsm * properties.mass_factor * section.thickness / size
        return replace(section, m0=section.m0 + more), wall.material
    return section, wall.material and properties.loaded(wall.material, wall.name, wall.nsm, size)


def _scaled(section: WallSection, t: float) -> WallSection:
    if isinstance(section, ShellSection):
        return replace(section, thickness=t)
    if not isinstance(section, GeneralShellSection):
        return section
    A, B, D = (np.array(m) for m in (section.A, section.B, section.D))
    S = None if section.S is None else _rows(np.array(section.S) * t)
    masses = (section.m0 * t, 0.0, section.m2 * t**3)
    return GeneralShellSection(_rows(A * t), _rows(B * t**2), _rows(D * t**3), S, t, *masses, name=section.name)
