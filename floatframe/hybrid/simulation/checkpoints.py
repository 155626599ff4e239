"""What a checkpoint must be before kernels go on from it: they take it as it is and look at no index twice.

Checksums find what was damaged; what somebody else has made up is found here, by kinds, sizes and ranges.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from floatframe.arrays import AnyArray, Array
from floatframe.errors import ModelError
from floatframe.hybrid.kernels import HELD_STEP, ONE_STEP, RADAU, RUNGE_KUTTA, STEPPING

# fields of records that the model alone decides, and those that are an index or a truth
_FIXED = (
    *("lead", "dof", "together", "element", "kind", "index"),
    *("shares", "row", "above", "place", "near", "count", "pairs", "first", "last", "split", "run", "previous"),
    *("link", "parent", "carrier", "n", "siblings", "family", "rank", "width"),
)
_BELOW = {"pivot": 0, "after": 1, "held": None, "factored": None}  # what may be added to the length; None: 0 or 1
_AT_MOST = {"rows": 6}
_AS_SET = ("stages", "rtol", "newton_tolerance", "passes", "project", "enforce", "stabilise", "value_gain", "rate_gain")
_COUNTS = ("steps", "iterations", "evaluations", "refreshes", "rejected", "leg_count", "contact_cuts", "unresolved")
_FINITE = ("time", "before_time", "horizon", "span", "last_h", "h", "h_min", "h_max")
_MOST_COUNTED = 2.0**53


def damaged(what: str) -> ModelError:
    """The error about a checkpoint that cannot be gone on from."""
    return ModelError(
        f"resume: the checkpoint is damaged or was written by another version of Floatframe; start a new run ({what})"
    )


def numbers(content: Mapping[str, Any], name: str, shape: Sequence[int] | None = None) -> Array:
    """Numbers of a checkpoint as an array; of any shape without one."""
    found = content.get(name)
    if not isinstance(found, np.ndarray) or found.dtype.kind not in "fiu":
        raise damaged(f"'{name}' does not hold numbers")
    if shape is not None and found.shape != tuple(shape):
        raise damaged(f"'{name}' has {found.shape} numbers, the model needs {tuple(shape)}")
    return found


def restore_array(content: Mapping[str, Any], name: str, target: AnyArray) -> None:
    """Fill an array, of records too, from the numbers of a checkpoint."""
    plain = plain_numbers(target)
    found = numbers(content, name)
    if plain.shape != found.shape:
        raise ModelError(
            f"resume: the checkpoint has {found.shape} numbers of '{name}', the model needs {plain.shape}; the model "
            "has changed since the run was begun"
        )
    if found.dtype != plain.dtype:
        raise damaged(f"'{name}' holds {found.dtype}, expected {plain.dtype}")
    if plain.dtype.kind == "i" and found.size and not (found.min() >= 0 and found.max() < max(found.shape)):
        raise damaged(f"'{name}' has an index outside of the model")
    if target.dtype.names:
        _require_indices(name, np.ascontiguousarray(found).view(target.dtype).reshape(target.shape), target)
    plain[...] = found


def plain_numbers(array: AnyArray) -> AnyArray:
    """An array of records or complex numbers as the numbers in them, sharing memory."""
    return array.view(np.float64) if array.dtype.names or array.dtype.kind == "c" else array


def _require_indices(name: str, found: AnyArray, target: AnyArray) -> None:
    """Refuse records that point to something else than those of the model, or outside of it."""
    for field in found.dtype.names or ():
        values = found[field]
        if field in _FIXED and values.dtype.kind == "i":
            sound = np.array_equal(values, target[field])
        elif field in _BELOW and values.dtype.kind == "i":
            more = _BELOW[field]
            most = 2 if more is None else len(values) + more
            sound = bool(((values >= 0) & (values < most)).all())
        elif field in _AT_MOST and values.dtype.kind == "i":
            sound = bool(((values >= 0) & (values <= _AT_MOST[field])).all())
        else:
            continue
        if not sound:
            raise damaged(f"'{name}' has a {field} outside of the model")


def stepping(content: Mapping[str, Any], fresh: np.record, nevent: int, nforce: int) -> dict[str, float]:
    """The settings and counters of a method in a checkpoint, in ranges in which steps come to an end."""
    names = STEPPING.names or ()
    found = dict(zip(names, numbers(content, "settings", (len(names),)).tolist(), strict=True))
    for field in _AS_SET:
        if found[field] != fresh[field]:
            raise damaged(f"{field} is not that of the run")
    found["first_event"] = float(fresh["first_event"])
    for field in _FINITE:
        if not math.isfinite(found[field]):
            raise damaged(f"{field} is not a finite number")
    for field in _COUNTS:
        if not 0.0 <= found[field] < _MOST_COUNTED:
            raise damaged(f"{field} is not a count")
    limits = {"event_found": nevent, "contact_element": nforce}
    for field, count in limits.items():
        if not -1.0 <= found[field] <= max(count, 0):
            raise damaged(f"{field} does not exist in the model")
    kinds = (RUNGE_KUTTA, RADAU, ONE_STEP) if fresh["auto"] else (float(fresh["kind"]),)
    if found["kind"] not in kinds or found["begun"] not in (-1.0, 0.0, *kinds) or found["auto"] != fresh["auto"]:
        raise damaged("it was written by another method")
    if not found["h_min"] > 0.0 or not found["h_max"] > 0.0 or not 0.0 < found["h"] <= 2.0 * found["h_max"]:
        raise damaged("its steps have no length")
    if found["time"] + found["h_max"] <= found["time"]:
        raise damaged("its steps are too short for its time")
    return found


def history(content: Mapping[str, Any], columns: int, delays: AnyArray) -> Array:
    """The history of delayed inputs, with rows that kernels find: times and segments rise, delays are in one of them.

    columns: of the history; delays: numbers of those among the values held.
    """
    found = np.array(numbers(content, "work.history"), dtype=np.float64)
    if found.ndim != 2 or len(found) < 1 or found.shape[1] != columns or not np.isfinite(found).all():
        raise damaged("the history of its delays is not that of the model")
    count = found[0, 0]
    if count != int(count) or not 0 <= count < len(found):
        raise damaged("the history of its delays has no such number of rows")
    rows = found[1 : int(count) + 1, :2]
    if (np.diff(rows, axis=0) < 0.0).any():
        raise damaged("the history of its delays is out of order")
    held, width = numbers(content, "work.held"), len(HELD_STEP.names or ())
    if held.shape != (width * (columns - 3),) or not np.isfinite(held).all():
        raise damaged("it holds other values than the model")
    if not np.isin(held[::width][delays], (-1.0, *rows[:, 1])).all():
        raise damaged("a delay is nowhere in its history")
    return found


def times(content: Mapping[str, Any], reached: float) -> tuple[float, float, float]:
    """Energy at the start, time and energy of the last record; reached: the time that the method is at."""
    energy_start, last_t, last_energy = numbers(content, "run", (3,)).tolist()
    if not math.isfinite(last_t) or not last_t <= reached or not math.isfinite(reached):
        raise damaged("its time is not that of its records")
    return energy_start, last_t, last_energy
