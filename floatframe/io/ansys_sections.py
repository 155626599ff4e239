"""Sections of ANSYS files as sections of this program: SECTYPE data, and real constants of older elements.

Beam axes are alike in both: x from node I to node J, z towards the orientation node K; IZZ = ∫y² dA is `Iz`. ANSYS
finds the shear stiffness of a profile by a small finite element model of it; shear factors here are those for
Poisson's ratio zero (5/6 for a rectangle), and walls of open profiles count by their middle lines.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from floatframe.errors import ModelError
from floatframe.fem import BeamSection, ShellSection
from floatframe.fem import section_shapes as shapes
from floatframe.io.ansys_deck import SectionData
from floatframe.io.import_log import ImportLog

_RECTANGLE_SHEAR = 5.0 / 6.0
_EQUAL = 1e-9


@dataclass(frozen=True)
class BeamData:
    """A beam section, where its centroid lies seen from the nodes (local y, z), and the turn about x [degrees]."""

    section: BeamSection
    offset: tuple[float, float] = (0.0, 0.0)
    theta: float = 0.0
    ends: tuple[tuple[float, float, float], tuple[float, float, float]] | None = None  # local arms of BEAM44


@dataclass(frozen=True)
class ShellData:
    """A shell section and the number of the material its layers name, 0 for that of the element."""

    section: ShellSection
    material: int = 0


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
        section, origin = _profile(data.subtype, [*values, *[0.0] * (14 - len(values))], name)
    except (ModelError, ZeroDivisionError, ValueError) as error:
        raise log.error(f"section {number} ({data.subtype}) makes no sense: {error}", data.line) from error
    if section is None:
        raise log.error(
            f"beam section {number} is of subtype '{data.subtype}', which is not understood; give its constants as "
            f"SECTYPE,{number},BEAM,ASEC.",
            data.line,
        )
    return BeamData(section, _beam_offset(number, data, section, origin, log))


def _beam_offset(
    number: int, data: SectionData, section: BeamSection, origin: tuple[float, float] | None, log: ImportLog
) -> tuple[float, float]:
    """Return the centroid seen from the node; `origin` is the centroid in the drawing axes of the section."""
    if data.location in ("", "CENT"):
        return (0.0, 0.0)
    if data.location == "SHRC":
        ey, ez = section.shear_centre
        return (-ey, -ez)
    if data.location not in ("ORIG", "USER") or origin is None:
        log.skip(
            "SECOFFSET", f"section {number}: where its origin lies is not known; nodes at the centroid", line=data.line
        )
        return (0.0, 0.0)
    y, z = data.offset if data.location == "USER" else (0.0, 0.0)
    return (origin[0] - y, origin[1] - z)


def _profile(subtype: str, v: Sequence[float], name: str) -> tuple[BeamSection | None, tuple[float, float] | None]:
    """Return a section and its centroid in drawing axes (None if not known)."""
    centred = (0.0, 0.0)
    if subtype == "RECT":
        return BeamSection.rectangle(v[0], v[1], nu=0.0, name=name), centred
    if subtype == "CSOL":
        return BeamSection.circle(2.0 * v[0], nu=0.0, name=name), centred
    if subtype == "CTUB":
        return BeamSection.tube(2.0 * v[1], v[1] - v[0], nu=0.0, name=name), centred
    if subtype == "I":
        return _i_section(v, name)
    if subtype == "T":
        # flange of width v0 below, stem up to height v1
        return _open(*_tee(v), name), None
    if subtype == "CHAN":
        if not (_same(v[0], v[1]) and _same(v[3], v[4])):
            return _open(*_channel(v), name), None
        return BeamSection.channel(v[0], v[2], v[5], v[3], name=name), None
    if subtype == "L":
        return _open(*_angle(v), name), None
    if subtype == "HREC":
        if not (_same(v[2], v[3]) and _same(v[4], v[5])):
            raise ModelError("opposite walls of a hollow rectangle must be equally thick here")
        return BeamSection.box(v[0], v[1], v[2], v[4], name=name), (v[0] / 2.0, v[1] / 2.0)
    if subtype == "ASEC":
        section = BeamSection(
            A=v[0], Iy=v[1], Iz=v[3], Iyz=v[2], J=v[5], ky=_RECTANGLE_SHEAR, kz=_RECTANGLE_SHEAR,
            shear_centre=(v[8] - v[6], v[9] - v[7]), name=name,
        )  # fmt: skip
        return section, (v[6], v[7])
    return None, None


def _same(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=_EQUAL)


def _i_section(v: Sequence[float], name: str) -> tuple[BeamSection, tuple[float, float]]:
    """I: bottom width, top width, height, bottom, top and web thickness; origin in the middle of the bottom."""
    if _same(v[0], v[1]) and _same(v[3], v[4]):
        return BeamSection.i_section(v[0], v[2], v[5], v[3], name=name), (0.0, v[2] / 2.0)
    bottom, top, height, t1, t2, web = v[:6]
    rectangles = [
        (-bottom / 2.0, bottom / 2.0, 0.0, t1),
        (-top / 2.0, top / 2.0, height - t2, height),
        (-web / 2.0, web / 2.0, t1, height - t2),
    ]
    low, high = t1 / 2.0, height - t2 / 2.0
    joints = {
        "a": (-top / 2.0, high), "b": (top / 2.0, high), "top": (0.0, high),
        "foot": (0.0, low), "c": (-bottom / 2.0, low), "d": (bottom / 2.0, low),
    }  # fmt: skip
    walls = [
        shapes.ThinWall("a", "top", t2), shapes.ThinWall("b", "top", t2), shapes.ThinWall("top", "foot", web),
        shapes.ThinWall("c", "foot", t1), shapes.ThinWall("d", "foot", t1),
    ]  # fmt: skip
    centroid = shapes.area_moments(rectangles).centroid
    return _open(rectangles, joints, walls, name), (float(centroid[0]), float(centroid[1]))


Walls = tuple[list[shapes.Rectangle], dict[str, shapes.Point], list[shapes.ThinWall]]


def _tee(v: Sequence[float]) -> Walls:
    width, height, flange, stem = v[:4]
    rectangles = [(-width / 2.0, width / 2.0, 0.0, flange), (-stem / 2.0, stem / 2.0, flange, height)]
    low = flange / 2.0
    joints = {"a": (-width / 2.0, low), "b": (width / 2.0, low), "top": (0.0, height), "foot": (0.0, low)}
    walls = [
        shapes.ThinWall("a", "foot", flange),
        shapes.ThinWall("b", "foot", flange),
        shapes.ThinWall("foot", "top", stem),
    ]
    return rectangles, joints, walls


def _channel(v: Sequence[float]) -> Walls:
    bottom, top, height, t1, t2, web = v[:6]
    rectangles = [(0.0, bottom, 0.0, t1), (0.0, top, height - t2, height), (0.0, web, t1, height - t2)]
    y, low, high = web / 2.0, t1 / 2.0, height - t2 / 2.0
    joints = {"a": (top, high), "top": (y, high), "foot": (y, low), "b": (bottom, low)}
    walls = [shapes.ThinWall("a", "top", t2), shapes.ThinWall("top", "foot", web), shapes.ThinWall("foot", "b", t1)]
    return rectangles, joints, walls


def _angle(v: Sequence[float]) -> Walls:
    width, height, t1, t2 = v[:4]
    rectangles = [(0.0, width, 0.0, t1), (0.0, t2, t1, height)]
    heel = (t2 / 2.0, t1 / 2.0)
    joints = {"a": (width, heel[1]), "heel": heel, "b": (heel[0], height)}
    walls = [shapes.ThinWall("a", "heel", t1), shapes.ThinWall("heel", "b", t2)]
    return rectangles, joints, walls


def _open(
    rectangles: list[shapes.Rectangle], joints: dict[str, shapes.Point], walls: list[shapes.ThinWall], name: str
) -> BeamSection:
    """Return an open profile of flat walls; its torsion constant is the sum of length times thickness cubed over 3."""
    if any(b <= a or d <= c for a, b, c, d in rectangles):
        raise ModelError("a wall has no length or no thickness")
    area, flow = shapes.area_moments(rectangles), shapes.shear_flow(joints, walls)
    y0, z0 = area.centroid.tolist()
    J = sum((max(b - a, d - c)) * min(b - a, d - c) ** 3 for a, b, c, d in rectangles) / 3.0
    centre = flow.centre - area.centroid
    return BeamSection(
        A=area.A, Iy=area.Iy, Iz=area.Iz, Iyz=area.Iyz, J=J, ky=flow.Ay / area.A, kz=flow.Az / area.A,
        shear_centre=(float(centre[0]), float(centre[1])),
        y_max=max(abs(y - y0) for a, b, _, _ in rectangles for y in (a, b)),
        z_max=max(abs(z - z0) for _, _, c, d in rectangles for z in (c, d)),
        Wt=J / max(min(b - a, d - c) for a, b, c, d in rectangles), name=name,
    )  # fmt: skip


# beams by real constants


def beam4_section(number: int, values: Sequence[float], log: ImportLog) -> BeamData:
    """BEAM4: AREA, IZZ, IYY, TKZ, TKY, THETA, ISTRN, IXX, SHEARZ, SHEARY, SPIN, ADDMAS."""
    r = [*values, *[0.0] * (12 - len(values))]
    if r[6] or r[10] or r[11]:
        log.skip("R (BEAM4)", f"set {number}: initial strain, spin or added mass is not read")
    return BeamData(_constants(number, r[0], r[1], r[2], r[7], r[8], r[9], (r[4], r[3]), log), theta=r[5])


def beam44_section(number: int, values: Sequence[float], log: ImportLog) -> BeamData:
    """BEAM44: constants of end 1, of end 2 (zero: the same), offsets DX1 … DZ2, shear constants."""
    r = [*values, *[0.0] * (60 - len(values))]
    first, second = r[:6], r[6:12]
    mean = [(b and (a + b) / 2.0) or a for a, b in zip(first, second, strict=True)]
    if any(b and not _same(a, b) for a, b in zip(first, second, strict=True)):
        log.skip("R (BEAM44)", f"set {number}: the section tapers; the mean of its ends is taken")
    if any(r[30:36]) or any(r[44:]):
        log.skip("R (BEAM44)", f"set {number}: shear centre offsets, foundation, angle or added mass are not read")
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
        raise log.error(f"real constants {number} make no beam section: {error}") from error


def link_section(number: int, area: float, log: ImportLog) -> BeamSection:
    """Return a round section of this area; a bar uses nothing but the area."""
    if not area > 0.0:
        raise log.error(f"link elements use set {number}, whose area is {area:g}; it must be positive.")
    inertia = area**2 / (4.0 * math.pi)
    return BeamSection(A=area, Iy=inertia, Iz=inertia, J=2.0 * inertia, name=f"link area {number}")


# shells


def shell_section(number: int, data: SectionData, log: ImportLog) -> ShellData:
    """Return the wall of SECTYPE,…,SHELL: the sum of its layers."""
    layers = [row for row in data.rows if row and row[0] > 0.0]
    thickness = sum(row[0] for row in layers)
    if not thickness > 0.0:
        raise log.error(f"shell section {number} has no thickness; give SECDATA,thickness.", data.line)
    materials = list(dict.fromkeys(int(row[1]) if len(row) > 1 else 0 for row in layers))
    if len(materials) > 1:
        log.skip(
            "SECDATA", f"section {number} has layers of different materials; that of the first is taken", line=data.line
        )
    # where the middle lies when the nodes lie in the top, in the bottom, or `offset` above the middle
    middle = {"TOP": -thickness / 2.0, "BOT": thickness / 2.0, "USE": -data.offset[0]}
    section = ShellSection(thickness, middle.get(data.location[:3], 0.0), name=data.name or f"section {number}")
    return ShellData(section, materials[0])


def shell_reals(number: int, values: Sequence[float], log: ImportLog) -> ShellData:
    """SHELL63 and SHELL181 by real constants: TK(I), TK(J), TK(K), TK(L), …; zeros mean the first."""
    r = [*values, *[0.0] * (20 - len(values))]
    corners = [value or r[0] for value in r[:4]]
    if not all(_same(value, r[0]) for value in corners):
        log.skip("R (shell)", f"set {number}: the thickness varies over the element; its mean is taken")
    if any(r[4:5]) or any(r[6:7]) or r[18]:
        log.skip("R (shell)", f"set {number}: foundation, bending ratio or added mass are not read")
    thickness = sum(corners) / 4.0
    if not thickness > 0.0:
        raise log.error(f"shell elements use real constants {number}, which give no thickness.")
    return ShellData(ShellSection(thickness, name=f"real constants {number}"))
