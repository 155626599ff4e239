"""From what an error is about, a thing and a field of it, to the line of a file."""

from __future__ import annotations

from collections.abc import Callable

from floatframe.errors import FloatframeError, ReadError
from floatframe.tomlfile.source import ModelFileError, Spot, gathered

# from a field of a thing, an argument of a Python call, to the key of the file
Renamed = Callable[[Spot, str], str]


def _same(spot: Spot, field: str) -> str:
    return field


def located(spot: Spot, error: FloatframeError, renamed: Renamed = _same) -> FloatframeError:
    """Return an error of a thing, or of what stands at a spot in it, with file and line; one that has them stays."""
    if len(error.problems) > 1:
        return gathered([located(spot, problem, renamed) for problem in error.problems], spot.source.path)
    if isinstance(error, ModelFileError):
        return error
    if isinstance(error, ReadError) and error.path == spot.source.path:
        return error  # of another file, which this one names: the line that does so is in it
    # without a subject the field is that of the value which was being made
    start = spot if error.subject is None else spot.thing
    field = renamed(start, error.field)
    place = found_at(start, field)
    whole = ".".join(filter(None, (start.field, field)))
    subject = error.subject or spot.subject
    found = ModelFileError(
        place.source.path, place.line, str(error), subject=subject, field=whole, missing=error.missing
    )
    if not isinstance(error, ReadError):
        return found
    return ReadError(str(found), subject=subject, field=whole, missing=error.missing, path=found.path, line=found.line)


def found_at(spot: Spot, field: str) -> Spot:
    """Return what stands under a field, or the innermost table or list around it that is there."""
    while field:
        key, _, rest = field.partition(".")
        if isinstance(spot.value, dict):
            if field in spot.value:
                key, rest = field, ""  # a key with dots in it: "front.mass"
            if key not in spot.value:
                return spot
            spot = spot.inside(key)
        elif isinstance(spot.value, list) and key.isdecimal() and int(key) < len(spot.value):
            spot = spot.inside(int(key))
        else:
            return spot
        field = rest
    return spot
