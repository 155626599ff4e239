"""Sections of ANSYS files as sections of this program: SECTYPE data, and real constants of older elements.

Beam axes are alike in both: x from node I to node J, z towards the orientation node K; IZZ = ∫y² dA is `Iz`. ANSYS
finds the shear stiffness of a profile by a small finite element model of it; shear factors here are those for
Poisson's ratio zero (5/6 for a rectangle), and walls of open profiles count by their middle lines.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from floatframe.errors import ModelError
from floatframe.fem import BeamSection, Material, filled_section, quadrilateral
from floatframe.io.ansys.commands import SectionData
from floatframe.io.deck import Drawn, profiles
from floatframe.io.import_log import ImportLog

_RECTANGLE_SHEAR = 5.0 / 6.0
_EQUAL = 1e-9
# the manual only draws it
_ORIGIN_ASSUMED = {
    "T": "in the middle of the flange's outer edge",
    **dict.fromkeys(("CHAN", "L"), "in the outer corner at lower y and z"),
    "Z": "in the lower left corner of the web",
    "HATS": "below the middle of the top",
}
_SHAPE_ASSUMED = {
    "Z": "its lower flange points along y, its upper one the other way, and their lengths hold the web",
    "HATS": "its brims begin beside the top",
}


@dataclass(frozen=True)
class BeamData:
    """A beam section, where its centroid lies seen from the nodes (local y, z), and the turn about x [degrees]."""

    section: BeamSection
    offset: tuple[float, float] = (0.0, 0.0)
    theta: float = 0.0
    ends: tuple[tuple[float, float, float], tuple[float, float, float]] | None = None  # local arms of BEAM44
    added: float = 0.0  # mass per length besides that of the section
    shear: tuple[float, float] = (0.0, 0.0)  # given shear stiffness along y and z, zero for that of the section

    def sheared(self, material: Material) -> BeamSection:
        """Return the section with the shear areas of the given stiffness."""
        y, z = (value / (material.G * self.section.A) for value in self.shear)
        return self.section.with_shear_factors(y or self.section.ky, z or self.section.kz)

    def loaded(self, material: Material) -> Material:
        """Return the material with so much more density that the section carries the added mass."""
        if not self.added:
            return material
        return replace(
            material, rho=material.rho + self.added / self.section.A, name=f"{material.name} with added mass"
        )


# beams by section


def beam_section(number: int, data: SectionData | None, log: ImportLog) -> BeamData:
    """Return the section of BEAM188 and BEAM189 elements."""
    if data is None or data.kind != "BEAM":
        found = "is not defined" if data is None else f"is of type {data.kind}"
        raise log.error(
            f"beam elements use section {number}, which {found}; expected SECTYPE,{number},BEAM,…",
            None if data is None else data.line,
        )
    values = data.rows[0] if data.rows else []
    name = data.name or f"section {number}"
    try:
        if data.cells is not None:
            drawn: Drawn | None = Drawn(*filled_section(*data.cells, name))
        else:
            drawn = _profile(data.subtype, [*values, *[0.0] * (14 - len(values))], name)
    except (ModelError, ZeroDivisionError, ValueError) as error:
        raise log.error(f"section {number} ({data.subtype}) is invalid: {error}", data.line) from error
    if drawn is None:
        why = "has no cells: SECREAD must read its file" if data.subtype == "MESH" else "is not understood"
        raise log.error(
            f"beam section {number} is of subtype '{data.subtype}', which {why}; give its constants as "
            f"SECTYPE,{number},BEAM,ASEC.",
            data.line,
        )
    if data.subtype in _SHAPE_ASSUMED:
        log.warn(f"section {number} ({data.subtype}): {_SHAPE_ASSUMED[data.subtype]}; compare it.")
    # SECCONTROL: TXZ, nothing, TXY, added mass
    control = [*data.control, *[0.0] * 4]
    return BeamData(
        drawn.section, _beam_offset(number, data, drawn, log), added=control[3], shear=(control[2], control[0])
    )


def stations(
    number: int, taper: SectionData, known: Mapping[int, SectionData], log: ImportLog
) -> tuple[SectionData, SectionData]:
    """Return the sections at both ends of SECTYPE,,TAPER; SECDATA has number, x, y and z of each."""
    rows = [[*row, *[0.0] * 4][:4] for row in taper.rows]
    found = [known.get(int(row[0])) for row in rows]
    if len(rows) != 2 or rows[0][1:] == rows[1][1:]:
        raise log.error(
            f"section {number} tapers; it needs SECDATA,section,x,y,z for two different points.", taper.line
        )
    first, second = found
    if first is None or second is None or (first.kind, first.subtype) != (second.kind, second.subtype):
        raise log.error(
            f"section {number} tapers from section {rows[0][0]:g} to {rows[1][0]:g}; both must be defined and of one "
            "type.",
            taper.line,
        )
    return first, second


def between(first: SectionData, second: SectionData, at: float) -> SectionData:
    """Return the section between two of one type, all its sizes linear from `at` 0 to 1."""

    def mean(a: Sequence[float], b: Sequence[float]) -> list[float]:
        size = max(len(a), len(b))
        both = ([*values, *[0.0] * (size - len(values))] for values in (a, b))
        return [p + at * (q - p) for p, q in zip(*both, strict=True)]

    cells = first.cells
    if first.cells is not None and second.cells is not None and first.cells[0].shape == second.cells[0].shape:
        cells = (first.cells[0] + at * (second.cells[0] - first.cells[0]), first.cells[1])
    y, z = mean(first.offset, second.offset)
    rows = [mean(a, b) for a, b in zip(first.rows, second.rows, strict=False)]
    return replace(first, rows=rows, offset=(y, z), control=mean(first.control, second.control), cells=cells)


def _beam_offset(number: int, data: SectionData, drawn: Drawn, log: ImportLog) -> tuple[float, float]:
    """Return the centroid seen from the node."""
    if data.location in ("", "CENT"):
        return (0.0, 0.0)
    if data.location == "SHRC":
        ey, ez = drawn.section.shear_centre
        return (-ey, -ez)
    if data.location not in ("ORIG", "USER"):
        log.skip(
            "SECOFFSET", f"section {number}: '{data.location}' is not known; nodes at the centroid", line=data.line
        )
        return (0.0, 0.0)
    if data.subtype in _ORIGIN_ASSUMED:
        log.warn(f"section {number} ({data.subtype}): its origin is taken {_ORIGIN_ASSUMED[data.subtype]}; compare it.")
    y, z = data.offset if data.location == "USER" else (0.0, 0.0)
    return (drawn.centroid[0] - y, drawn.centroid[1] - z)


def _profile(subtype: str, v: Sequence[float], name: str) -> Drawn | None:
    """Return a section and its centroid in ANSYS' drawing axes, None for a subtype that is not known."""
    if subtype == "RECT":
        return Drawn(BeamSection.rectangle(v[0], v[1], nu=0.0, name=name))
    if subtype == "CSOL":
        return Drawn(BeamSection.circle(2.0 * v[0], nu=0.0, name=name))
    if subtype == "CTUB":
        return Drawn(BeamSection.tube(2.0 * v[1], v[1] - v[0], nu=0.0, name=name))
    if subtype == "I":
        return profiles.i_section(v[0], v[1], v[2], v[3], v[4], v[5], name)
    if subtype == "T":
        # flange of width v0 below, stem up to height v1
        return profiles.i_section(v[0], 0.0, v[1], v[2], 0.0, v[3], name)
    if subtype == "CHAN":
        return profiles.channel(v[0], v[1], v[2], v[3], v[4], v[5], name)
    if subtype == "L":
        return profiles.angle(v[0], v[1], v[2], v[3], name)
    if subtype == "HREC":
        # W1, W2, then the walls on the left, right, bottom and top; the origin is the lower left corner
        box = profiles.hollow_rectangle(v[0], v[1], v[3], v[5], v[2], v[4], name)
        return Drawn(box.section, (box.centroid[0] + v[0] / 2.0, box.centroid[1] + v[1] / 2.0))
    if subtype == "Z":
        return profiles.open_walls(*profiles.zed(v[0], v[1], v[2], v[3], v[4], v[5]), name)
    if subtype == "HATS":
        # brims, top, height, then the thickness of brims, top and webs
        hat = profiles.hat((v[0], v[1]), v[2], v[3], (v[4], v[5]), v[6], (v[7], v[8]))
        return profiles.open_walls(*hat, name)
    if subtype == "QUAD":
        return Drawn(*quadrilateral(np.array(v[:8]).reshape(4, 2), name))
    if subtype == "ASEC":
        section = BeamSection(
            A=v[0], Iy=v[1], Iz=v[3], Iyz=v[2], J=v[5], ky=v[13] or _RECTANGLE_SHEAR, kz=v[12] or _RECTANGLE_SHEAR,
            shear_centre=(v[8] - v[6], v[9] - v[7]), name=name,
        )  # fmt: skip
        return Drawn(section, (v[6], v[7]))
    return None


def _same(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=_EQUAL)


# beams by real constants


def beam4_section(number: int, values: Sequence[float], log: ImportLog) -> BeamData:
    """BEAM4: AREA, IZZ, IYY, TKZ, TKY, THETA, ISTRN, IXX, SHEARZ, SHEARY, SPIN, ADDMAS."""
    r = [*values, *[0.0] * (12 - len(values))]
    if r[6] or r[10]:
        log.skip("R (BEAM4)", f"set {number}: initial strain or spin is not read")
    return BeamData(_constants(number, r[0], r[1], r[2], r[7], r[8], r[9], (r[4], r[3]), log), theta=r[5], added=r[11])


def beam3_section(number: int, values: Sequence[float], log: ImportLog) -> BeamData:
    """BEAM3, in the xy plane: AREA, IZZ, HEIGHT, SHEARZ, ISTRN, ADDMAS."""
    r = [*values, *[0.0] * (6 - len(values))]
    # bending out of the plane is held
    section = _constants(number, r[0], r[1], r[1], r[1], r[3], 0.0, (r[2], r[2]), log)
    return BeamData(section, added=r[5])


def tapers(values: Sequence[float], count: int) -> bool:
    """Whether the second end of BEAM44 or BEAM54 has other constants than the first, `count` for each."""
    return any(b and not _same(a, b) for a, b in zip(values[:count], values[count : 2 * count], strict=False))


def beam54_section(number: int, values: Sequence[float], log: ImportLog, at: float = 0.0) -> BeamData:
    """BEAM54, in the xy plane: AREA, IZ, HYT, HYB of both ends, DX1, DY1, DX2, DY2, SHEARZ, …, EFS, …, ADDMAS."""
    r = [*values, *[0.0] * (18 - len(values))]
    if r[15]:
        log.lose("BEAM54 R", "stiffness", f"set {number}: the foundation EFS is not read")
    area, inertia = (_between(r[k], r[4 + k], power, at) for k, power in ((0, 0.5), (1, 0.25)))
    reach = max(r[2], r[3])
    # bending out of the plane is held
    section = _constants(number, area, inertia, inertia, inertia, r[12], 0.0, (2.0 * reach, 2.0 * reach), log)
    arms = ((r[8], r[9], 0.0), (r[10], r[11], 0.0))
    return BeamData(section, ends=arms if any(r[8:12]) else None, added=r[17])


def _between(first: float, second: float, power: float, at: float) -> float:
    """Return a constant between two ends whose `power` is linear; zero at the second end is as at the first."""
    if not at:
        return first
    return float(((1.0 - at) * max(0.0, first) ** power + at * max(0.0, second or first) ** power) ** (1.0 / power))


def beam44_section(number: int, values: Sequence[float], log: ImportLog, at: float = 0.0) -> BeamData:
    """BEAM44: constants of end 1, of end 2 (zero: the same), offsets DX1 … DZ2, shear constants.

    Where it tapers, between 0 and 1 (`at`), lengths are linear: roots of areas and fourth roots of moments.
    """
    r = [*values, *[0.0] * (60 - len(values))]
    powers = (0.5, 0.25, 0.25, 1.0, 1.0, 0.25)
    mean = [_between(a, b, power, at) for a, b, power in zip(r[:6], r[6:12], powers, strict=True)]
    # ANSYS writes computed shear centres with their round-off
    reach = _EQUAL * math.sqrt(abs(mean[0]))
    if any(abs(value) > reach for value in r[30:36]) or any(r[44:]):
        reason = f"set {number}: shear centre offsets, foundation, angle or added mass are not read"
        log.lose("BEAM44 R", "stiffness", reason)
    section = _constants(number, mean[0], mean[1], mean[2], mean[5], r[18], r[19], (2.0 * mean[4], 2.0 * mean[3]), log)
    arms = ((r[12], r[13], r[14]), (r[15], r[16], r[17]))
    return BeamData(section, ends=arms if any(r[12:18]) else None)


def _constants(
    number: int, A: float, Iz: float, Iy: float, J: float, shear_z: float, shear_y: float,
    thickness: tuple[float, float], log: ImportLog,
) -> BeamSection:  # fmt: skip
    """SHEARZ goes with IZZ and is area over shear area along y; zero means no shear deflection."""
    try:
        return BeamSection(
            A=A, Iy=Iy, Iz=Iz, J=J or Iy + Iz,
            ky=1.0 / shear_z if shear_z else math.inf, kz=1.0 / shear_y if shear_y else math.inf,
            y_max=thickness[0] / 2.0, z_max=thickness[1] / 2.0, name=f"real constants {number}",
        )  # fmt: skip
    except ModelError as error:
        raise log.error(f"real constants {number} do not define a beam section: {error}") from error


def link_section(number: int, area: float, log: ImportLog) -> BeamSection:
    """Return a round section of this area; a bar uses nothing but the area."""
    if not area > 0.0:
        raise log.error(f"link elements use set {number}, whose area is {area:g}; it must be positive.")
    inertia = area**2 / (4.0 * math.pi)
    return BeamSection(A=area, Iy=inertia, Iz=inertia, J=2.0 * inertia, name=f"link area {number}")
