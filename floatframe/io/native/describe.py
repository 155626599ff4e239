"""What is in an object that a file can hold, with the keys of `--json` (docs/reference/json.md)."""

from __future__ import annotations

from functools import singledispatch
from importlib import import_module
from typing import Any

from floatframe.errors import ModelError


@singledispatch
def describe(thing: object, **asked: Any) -> dict[str, Any]:
    """Return counts, properties and the result of the checks of a model, body or result.

    Keys are snake_case with the unit at the end; `viewer.for_people` makes headings of them. Values are numbers, words,
    or mappings and lists of them. A finite element model also takes mechanisms=True, which looks for free motions
    however large it is; it costs a factorisation of its stiffness.
    """
    # a module that describes is loaded for the first thing that none so far knows
    for module in ("describe_body", "describe_models"):
        import_module(f"{__package__}.{module}")
        found = describe.dispatch(type(thing))
        if found is not describe.dispatch(object):
            return found(thing, **asked)
    raise ModelError(f"a {type(thing).__name__} cannot be described.")
