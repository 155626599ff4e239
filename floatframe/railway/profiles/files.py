"""Profiles from files: Simpack (.prw, .prr), MiniProf (.whl, .ban), and tables of two columns (.csv, .txt, .dat)."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError, ReadError
from floatframe.railway.profiles.profile import RAIL, WHEEL, Profile
from floatframe.railway.profiles.standard import circular_rail, conical_wheel, standard_profile
from floatframe.userfiles import file_text, is_file, line_of_data

_KINDS = {".prw": WHEEL, ".prr": RAIL, ".whl": WHEEL, ".ban": RAIL}
_COMMA = re.compile(r"[-+]?\d+(?:,\d*)?(?:[eE][-+]?\d+)?")
_UNITS = {"m": 1.0, "mm": 1e-3, "in": 0.0254}
_MILLIMETRES = 1.0  # a table without a unit that is wider than this is in mm, else in m


def profile(name: str | Path, kind: str, *, inclination: float | None = None) -> Profile:
    """Return a standard profile by its name, a cone:SLOPE, an arc:RADIUS, or the one of a file.

    inclination: slope by which a rail leans inward; without it 1/40 for 60E1 and none for rails of files.
    """
    if inclination is not None and not math.isfinite(inclination):
        raise ModelError(f"{kind} '{name}': found the inclination {inclination:g}, expected a slope such as 0.025")
    path = Path(name)
    if is_file(path) or path.suffix.lower() in (*_KINDS, ".csv", ".txt", ".dat"):
        found = read_profile(path, kind)
        return found if kind == WHEEL or not inclination else found.inclined(inclination)
    word, _, number = str(name).partition(":")
    if number and word == {WHEEL: "cone", RAIL: "arc"}.get(kind):
        try:
            value = float(number)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise ModelError(f"{kind} '{name}': found '{number}', expected a number behind '{word}:'")
        return conical_wheel(value) if kind == WHEEL else circular_rail(value).inclined(inclination or 0.0)
    return standard_profile(str(name), kind, inclination)


def read_profile(path: str | Path, kind: str | None = None, *, unit: str = "", mirror: bool = False) -> Profile:
    """Return the profile of a file.

    Parameters
    ----------
    path
        The file.
    kind
        "wheel" or "rail", where the suffix does not say it.
    unit
        Of the lengths: "m", "mm" or "in"; that of the file, or the likely one, without it.
    mirror
        Swap inside and outside, for a rail that was measured from the other side.
    """
    path = Path(path)
    kind = kind or _KINDS.get(path.suffix.lower())
    if kind is None:
        raise ReadError(f"'{path}': is it a wheel or a rail? Give kind='wheel' or kind='rail'.", path=path)
    if unit and unit not in _UNITS:
        raise ReadError(f"'{path}': found the unit '{unit}', expected {', '.join(_UNITS)}", path=path)
    try:
        text = file_text(path, errors="replace")
    except OSError as error:
        raise ReadError(f"'{path}' cannot be read: {error.strerror}.", path=path) from None
    if "point.begin" in text:
        points, scale = _simpack(path, text)
    else:
        points = _rows(path, text.splitlines(), alone=path.suffix.lower() not in _KINDS)
        scale = _UNITS["mm"] if np.ptp(points[:, 0]) > _MILLIMETRES else 1.0
    return Profile.from_points(path.stem, kind, (_UNITS[unit] if unit else scale) * points, mirror=mirror)


def _simpack(path: Path, text: str) -> tuple[Array, float]:
    """Points of Simpack's format in the units of the file, with its changes made in their order, and its scale."""
    head, _, rest = text.partition("point.begin")
    body, end, _ = rest.partition("point.end")
    if not end:
        raise ReadError(f"'{path}': has no 'point.end', so that it is cut off; copy it again.", path=path)
    found = re.findall(r"^\s*([\w.]+)\s*=\s*([-+.\deE]+)", head, re.MULTILINE)
    number = {key: _header_number(path, key, value) for key, value in found}
    points = _rows(path, body.splitlines(), head.count("\n"))
    points = points + np.array([number.get("shift.y", 0.0), number.get("shift.z", 0.0)])
    angle = number.get("rotate", 0.0) / number.get("units.ang.f", 1.0)
    cos, sin = np.cos(angle), np.sin(angle)
    points = points @ np.array([[cos, sin], [-sin, cos]])
    for column, axis in enumerate("yz"):
        low, high = number.get(f"bound.{axis}.min", 1.0), number.get(f"bound.{axis}.max", 0.0)
        if low < high:
            points = points[(points[:, column] >= low) & (points[:, column] <= high)]
    if number.get("mirror.y"):
        points = points * (-1.0, 1.0)
    if number.get("mirror.z"):
        points = points * (1.0, -1.0)
    if number.get("inversion"):
        points = points[::-1]
    return points, 1.0 / number.get("units.len.f", 1e3)


def _header_number(path: Path, key: str, value: str) -> float:
    try:
        found = float(value)
    except ValueError:
        found = np.nan
    if not np.isfinite(found) or (key.startswith("units.") and found <= 0.0):
        raise ReadError(f"'{path}': {key} is {value}, expected a number; correct it.", path=path)
    return found


def _rows(path: Path, lines: list[str], before: int = 0, alone: bool = False) -> Array:
    """The first two numbers of every line of numbers; headers and comments are passed over.

    alone: whether more than two are a mistake, as nothing says which of them are y and z.
    """
    rows: list[tuple[float, float]] = []
    for count, line in enumerate(lines, before + 1):
        content = re.split("[!#%]", line)[0].strip()
        if not content or "=" in content:
            continue
        cells = [cell for cell in _cells(content) if cell]
        try:
            first, second = map(float, cells[:2])
        except ValueError:
            first = second = np.nan
        if alone and len(cells) > 2 and np.isfinite([first, second]).all():
            raise ReadError(
                f"'{path}', line {count}: found {len(cells)} columns, expected two, y and z; remove the others",
                path=path,
                line=count,
            )
        if not np.isfinite([first, second]).all():
            if rows:
                raise ReadError(
                    f"'{path}', line {count}: found {line_of_data(path, content)}, expected y and z",
                    path=path,
                    line=count,
                )
            continue  # names of the columns
        rows.append((first, second))
    if not rows:
        raise ReadError(f"'{path}': has no rows of y and z, expected two numbers in a line.", path=path)
    return np.array(rows)


def _cells(content: str) -> list[str]:
    """What stands in a line; between semicolons or blanks 1,5 is a number."""
    cells = content.split(";" if ";" in content else None)
    if len(cells) > 1 and all(_COMMA.fullmatch(cell.strip()) for cell in cells):
        return [cell.replace(",", ".") for cell in cells]
    return re.split(r"[\s,;]+", content)
