"""Numbers as they are typed into a field."""

from __future__ import annotations

import math
from typing import Any, Literal, overload

from floatframe.errors import ModelError


@overload
def number_in(words: object, what: str, whole: Literal[True]) -> int | None: ...
@overload
def number_in(words: object, what: str, whole: Literal[False] = False) -> float | None: ...
def number_in(words: object, what: str, whole: bool = False) -> Any:
    """Return the number that was typed into a field called `what`, None for nothing."""
    text = str(words if words is not None else "").strip()
    if not text:
        return None
    try:
        found = int(text) if whole else float(text)
    except ValueError:
        found = math.nan
    if not math.isfinite(found) or found < 0:
        raise ModelError(f"{what}: '{text}' is not {'a whole number' if whole else 'a number'}, zero or more")
    return found
