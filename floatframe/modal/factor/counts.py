"""Counts given by a user: whole numbers, at least one."""

from __future__ import annotations

import operator
from typing import Any

from floatframe.errors import ModelError


def whole_number(value: Any, name: str) -> int:
    """The value as an int of at least one; ModelError names what else was found."""
    try:
        count = operator.index(value)
    except TypeError as reason:
        raise ModelError(f"{name} is {value!r}; expected a whole number.") from reason
    if count < 1:
        raise ModelError(f"{name} is {count}; expected at least one.")
    return count
