"""Beam profiles by the names they are ordered by: "IPE 200", "HEB 160", "UPE 140", "RHS 120x80x5", "CHS 88.9x4".

Dimensions in millimetres as the standards print them: IPE, HEA, HEB, UPE and UPN of EN 10365 (Euronorm 19-57 and 53-62,
DIN 1026). Areas, moments of inertia and torsion constants count the root fillets, the last by El Darwish & Johnston
(1965). Channels with tapered flanges (UPN) have the constants and centres of the tables themselves. Hollow
sections SHS and RHS are hot finished, EN 10210-2; CFSHS and CFRHS are cold formed, EN 10219-2, with rounder corners.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import replace

from floatframe.errors import ModelError
from floatframe.fem.properties.profiles import tee_junction
from floatframe.fem.properties.sections import BeamSection
from floatframe.wording import chain

Row = tuple[float, ...]

# size: height, width, web, flange, fillet [mm]
_ROLLED: dict[str, dict[int, Row]] = {
    "IPE": {
        80: (80, 46, 3.8, 5.2, 5), 100: (100, 55, 4.1, 5.7, 7), 120: (120, 64, 4.4, 6.3, 7),
        140: (140, 73, 4.7, 6.9, 7), 160: (160, 82, 5.0, 7.4, 9), 180: (180, 91, 5.3, 8.0, 9),
        200: (200, 100, 5.6, 8.5, 12), 220: (220, 110, 5.9, 9.2, 12), 240: (240, 120, 6.2, 9.8, 15),
        270: (270, 135, 6.6, 10.2, 15), 300: (300, 150, 7.1, 10.7, 15), 330: (330, 160, 7.5, 11.5, 18),
        360: (360, 170, 8.0, 12.7, 18), 400: (400, 180, 8.6, 13.5, 21), 450: (450, 190, 9.4, 14.6, 21),
        500: (500, 200, 10.2, 16.0, 21), 550: (550, 210, 11.1, 17.2, 24), 600: (600, 220, 12.0, 19.0, 24),
    },
    "HEA": {
        100: (96, 100, 5.0, 8.0, 12), 120: (114, 120, 5.0, 8.0, 12), 140: (133, 140, 5.5, 8.5, 12),
        160: (152, 160, 6.0, 9.0, 15), 180: (171, 180, 6.0, 9.5, 15), 200: (190, 200, 6.5, 10.0, 18),
        220: (210, 220, 7.0, 11.0, 18), 240: (230, 240, 7.5, 12.0, 21), 260: (250, 260, 7.5, 12.5, 24),
        280: (270, 280, 8.0, 13.0, 24), 300: (290, 300, 8.5, 14.0, 27), 320: (310, 300, 9.0, 15.5, 27),
        340: (330, 300, 9.5, 16.5, 27), 360: (350, 300, 10.0, 17.5, 27), 400: (390, 300, 11.0, 19.0, 27),
        450: (440, 300, 11.5, 21.0, 27), 500: (490, 300, 12.0, 23.0, 27), 550: (540, 300, 12.5, 24.0, 27),
        600: (590, 300, 13.0, 25.0, 27),
    },
    "HEB": {
        100: (100, 100, 6.0, 10.0, 12), 120: (120, 120, 6.5, 11.0, 12), 140: (140, 140, 7.0, 12.0, 12),
        160: (160, 160, 8.0, 13.0, 15), 180: (180, 180, 8.5, 14.0, 15), 200: (200, 200, 9.0, 15.0, 18),
        220: (220, 220, 9.5, 16.0, 18), 240: (240, 240, 10.0, 17.0, 21), 260: (260, 260, 10.0, 17.5, 24),
        280: (280, 280, 10.5, 18.0, 24), 300: (300, 300, 11.0, 19.0, 27), 320: (320, 300, 11.5, 20.5, 27),
        340: (340, 300, 12.0, 21.5, 27), 360: (360, 300, 12.5, 22.5, 27), 400: (400, 300, 13.5, 24.0, 27),
        450: (450, 300, 14.0, 26.0, 27), 500: (500, 300, 14.5, 28.0, 27), 550: (550, 300, 15.0, 29.0, 27),
        600: (600, 300, 15.5, 30.0, 27),
    },
    "UPE": {
        80: (80, 50, 4.0, 7.0, 10), 100: (100, 55, 4.5, 7.5, 10), 120: (120, 60, 5.0, 8.0, 12),
        140: (140, 65, 5.0, 9.0, 12), 160: (160, 70, 5.5, 9.5, 12), 180: (180, 75, 5.5, 10.5, 12),
        200: (200, 80, 6.0, 11.0, 13), 220: (220, 85, 6.5, 12.0, 13), 240: (240, 90, 7.0, 12.5, 15),
        270: (270, 95, 7.5, 13.5, 15), 300: (300, 100, 9.5, 15.0, 15), 330: (330, 105, 11.0, 16.0, 18),
        360: (360, 110, 12.0, 17.0, 18), 400: (400, 115, 13.5, 18.0, 18),
    },
}  # fmt: skip
# size: height, width, web, mean flange [mm], A [cm2], Iy, Iz, J [cm4]; from the centroid to the back of the web, and to
# the shear centre beyond it [cm]
_UPN: dict[int, Row] = {
    80: (80, 45, 6.0, 8.0, 11.0, 106, 19.4, 2.16, 1.45, 2.67),
    100: (100, 50, 6.0, 8.5, 13.5, 206, 29.3, 2.81, 1.55, 2.93),
    120: (120, 55, 7.0, 9.0, 17.0, 364, 43.2, 4.15, 1.60, 3.03),
    140: (140, 60, 7.0, 10.0, 20.4, 605, 62.7, 5.68, 1.75, 3.37),
    160: (160, 65, 7.5, 10.5, 24.0, 925, 85.3, 7.39, 1.84, 3.56),
    180: (180, 70, 8.0, 11.0, 28.0, 1350, 114, 9.55, 1.92, 3.75),
    200: (200, 75, 8.5, 11.5, 32.2, 1910, 148, 11.9, 2.01, 3.94),
    220: (220, 80, 9.0, 12.5, 37.4, 2690, 197, 16.0, 2.14, 4.20),
    240: (240, 85, 9.5, 13.0, 42.3, 3600, 248, 19.7, 2.23, 4.39),
    260: (260, 90, 10.0, 14.0, 48.3, 4820, 317, 25.5, 2.36, 4.66),
    280: (280, 95, 10.0, 15.0, 53.3, 6280, 399, 31.0, 2.53, 5.02),
    300: (300, 100, 10.0, 16.0, 58.8, 8030, 495, 37.4, 2.70, 5.41),
}  # fmt: skip
# series named by their dimensions [mm]
_BY_SIZE = {
    "SHS": ("side", "thickness"),
    "RHS": ("height", "width", "thickness"),
    "CFSHS": ("side", "thickness"),
    "CFRHS": ("height", "width", "thickness"),
    "CHS": ("diameter", "thickness"),
    "FLAT": ("width", "thickness"),
    "ROUND": ("diameter",),
}
_NAME = re.compile(r"\s*([A-Za-z]+)\s*([\d.]+(?:\s*[xX×]\s*[\d.]+)*)\s*\Z")

# a root fillet is a square less a quarter circle: area, distance of its centroid from both sides, own inertia (r = 1)
_FILLET_AREA = 1.0 - math.pi / 4.0
_FILLET_ARM = (10.0 - 3.0 * math.pi) / (3.0 * (4.0 - math.pi))
_FILLET_OWN = 1.0 / 3.0 - math.pi / 16.0 - 1.0 / (9.0 * (4.0 - math.pi))


def standard_section(name: str) -> BeamSection:
    """Return the section of a profile: height along local z, width along local y."""
    found = _NAME.match(name)
    series = found[1].upper() if found else ""
    known = [*_ROLLED, "UPN", *_BY_SIZE]
    if found is None or series not in known:
        raise ModelError(f"profile '{name}' is unknown; expected {chain(profile_patterns(), 'or')}")
    sizes = [float(word) for word in re.split(r"\s*[xX×]\s*", found[2])]
    if series in _BY_SIZE:
        return _sized(series, sizes, name)
    table = _UPN if series == "UPN" else _ROLLED[series]
    if len(sizes) != 1 or sizes[0] not in table:
        nearest = min(table, key=lambda size: abs(size - sizes[0]))
        raise ModelError(f"profile '{name}' is not in the table of {series}; did you mean {series} {nearest}?")
    row = table[int(sizes[0])]
    if series == "UPN":
        return _tapered_channel(row, name)
    return _channel(row, name) if series == "UPE" else _i_profile(row, name)


def profile_patterns() -> list[str]:
    """Return how profiles are named, one example or pattern per series."""
    rolled = [f"{series} {next(iter(table))} to {series} {max(table)}" for series, table in _ROLLED.items()]
    return [
        *rolled,
        f"UPN {min(_UPN)} to UPN {max(_UPN)}",
        *(f"{s} {' x '.join(w)} in mm" for s, w in _BY_SIZE.items()),
    ]


def profile_names() -> list[str]:
    """Return the names of all profiles that stand in a table."""
    return [f"{series} {size}" for series, table in (*_ROLLED.items(), ("UPN", _UPN)) for size in table]


def _metres(values: Iterable[float]) -> list[float]:
    return [value / 1000.0 for value in values]


def _i_profile(row: Row, name: str) -> BeamSection:
    h, b, web, flange, r = _metres(row)
    sharp = BeamSection.i_section(b, h, web, flange, name=name)
    A, own = _FILLET_AREA * r**2, _FILLET_OWN * r**4
    y, z = web / 2.0 + _FILLET_ARM * r, h / 2.0 - flange - _FILLET_ARM * r
    # what the greater circle in the junction of web and flange adds
    ratio, root = web / flange, r / flange
    factor = -0.042 + 0.2204 * ratio + 0.1355 * root - 0.0865 * ratio * root - 0.0725 * ratio**2
    circle = ((flange + r) ** 2 + web * (r + web / 4.0)) / (2.0 * r + flange)
    return _changed(
        sharp,
        A=sharp.A + 4.0 * A,
        Iy=sharp.Iy + 4.0 * (own + A * z**2),
        Iz=sharp.Iz + 4.0 * (own + A * y**2),
        J=sharp.J + 2.0 * (factor * circle**4 - tee_junction(web, flange)),
    )


def _channel(row: Row, name: str) -> BeamSection:
    h, b, web, flange, r = _metres(row)
    sharp = BeamSection.channel(b, h, web, flange, name=name)
    A, own = _FILLET_AREA * r**2, _FILLET_OWN * r**4
    back = -min(y for y, _ in sharp.outline)  # from the back of the web to the centroid
    y, z = web + _FILLET_ARM * r - back, h / 2.0 - flange - _FILLET_ARM * r
    whole = sharp.A + 2.0 * A
    shift = 2.0 * A * y / whole
    Iz = sharp.Iz + 2.0 * (own + A * y**2) - whole * shift**2
    return _changed(
        sharp, A=whole, Iy=sharp.Iy + 2.0 * (own + A * z**2), Iz=Iz, J=_channel_torsion(h, b, web, flange, r)
    )


def _channel_torsion(h: float, b: float, web: float, flange: float, r: float) -> float:
    """Torsion constant [m4] of a channel with the greatest circles in the corners of web and flanges."""
    ratio, root = web / flange, r / flange
    factor = -0.0908 + 0.2621 * ratio + 0.1231 * root - 0.0752 * ratio * root - 0.0945 * ratio**2
    circle = 2.0 * ((3.0 * r + web + flange) - math.sqrt(2.0 * (2.0 * r + web) * (2.0 * r + flange)))
    walls = 2.0 * b * flange**3 / 3.0 + (h - 2.0 * flange) * web**3 / 3.0
    return walls + 2.0 * factor * circle**4 - 0.42 * flange**4


def _tapered_channel(row: Row, name: str) -> BeamSection:
    h, b, web, flange = _metres(row[:4])
    A, Iy, Iz, J = row[4] * 1e-4, *(value * 1e-8 for value in row[5:8])
    back, beyond = (value * 1e-2 for value in row[8:])
    flat = BeamSection.channel(b, h, web, flange, name=name)
    shift = -back - min(y for y, _ in flat.outline)
    return replace(
        _changed(flat, A, Iy, Iz, J),
        shear_centre=(-beyond, 0.0),
        y_max=b - back,
        outline=tuple((y + shift, z) for y, z in flat.outline),
    )


def _sized(series: str, sizes: list[float], name: str) -> BeamSection:
    words = _BY_SIZE[series]
    if series.endswith("SHS") and len(sizes) == 3 and sizes[0] == sizes[1]:
        sizes = sizes[1:]
    if len(sizes) != len(words):
        raise ModelError(f"profile '{name}' has {len(sizes)} dimensions; expected {series} {' x '.join(words)} in mm")
    first, last = sizes[0] / 1000.0, sizes[-1] / 1000.0
    if series == "CHS":
        return BeamSection.tube(first, last, name=name)
    if series == "FLAT":
        return BeamSection.rectangle(first, last, name=name)
    if series == "ROUND":
        return BeamSection.circle(first, name=name)
    outer = _cold_radius(last) if series.startswith("CF") else 1.5
    return _hollow(first, sizes[1] / 1000.0 if series.endswith("RHS") else first, last, outer * last, name)


def _cold_radius(t: float) -> float:
    """Outer radius of the corners over the thickness t [m] of the wall, as EN 10219-2 takes it for the constants."""
    if t <= 0.006:
        return 2.0
    return 2.5 if t <= 0.010 else 3.0


def _hollow(h: float, b: float, t: float, outer: float, name: str) -> BeamSection:
    """A hollow section with corners of an outer radius [m]."""
    inner = outer - t if outer > 1.5 * t else t  # hot finished corners are thicker than the wall
    sharp = BeamSection.box(b, h, t, name=name)
    A, Iy, Iz = sharp.A, sharp.Iy, sharp.Iz
    # the outer corners are missing, the inner ones filled
    for sign, r, y, z in ((-1.0, outer, b / 2.0, h / 2.0), (1.0, inner, b / 2.0 - t, h / 2.0 - t)):
        area, own, arm = 4.0 * _FILLET_AREA * r**2, 4.0 * _FILLET_OWN * r**4, _FILLET_ARM * r
        A += sign * area
        Iy += sign * (own + area * (z - arm) ** 2)
        Iz += sign * (own + area * (y - arm) ** 2)
    radius = (outer + inner) / 2.0
    length = 2.0 * (b + h - 2.0 * t) - 2.0 * radius * (4.0 - math.pi)
    inside = (b - t) * (h - t) - radius**2 * (4.0 - math.pi)
    J = t**3 * length / 3.0 + 4.0 * inside**2 * t / length
    return _changed(sharp, A, Iy, Iz, J)


def _changed(sharp: BeamSection, A: float, Iy: float, Iz: float, J: float) -> BeamSection:
    """Return a section with other constants; its shear areas and the stress per unit of twist stay."""
    ratio = sharp.A / A
    return replace(sharp, A=A, Iy=Iy, Iz=Iz, J=J, ky=sharp.ky * ratio, kz=sharp.kz * ratio, Wt=sharp.Wt * J / sharp.J)
