"""Every name that users may rely on says what it is: the names of the doors, and methods and properties of classes."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator
from functools import cached_property

import pytest

DOORS = ("fem", "modal", "io", "signals", "railway", "hybrid", "equations", "viewer", "errors", "samples")


def public_names(door: str) -> Iterator[tuple[str, str]]:
    """Names and what they say of themselves."""
    module = importlib.import_module(f"floatframe.{door}")
    own = [name for name, thing in vars(module).items() if getattr(thing, "__module__", "") == module.__name__]
    for name in getattr(module, "__all__", own):
        thing = getattr(module, name)
        if inspect.isroutine(thing):
            yield name, thing.__doc__ or ""
        elif inspect.isclass(thing):
            # a dataclass without a docstring has its signature for one
            text = thing.__doc__ or ""
            yield name, "" if text.startswith(f"{name}(") else text
            for member in vars(thing):
                if not member.startswith("_") and is_described(inspect.getattr_static(thing, member)):
                    yield f"{name}.{member}", inherited_docstring(thing, member)


def is_described(member: object) -> bool:
    return inspect.isroutine(member) or isinstance(member, property | cached_property)


def inherited_docstring(thing: type, member: str) -> str:
    found = (vars(base).get(member) for base in thing.__mro__)
    return next((one.__doc__ for one in found if one is not None and one.__doc__), "")


@pytest.mark.parametrize("door", DOORS)
def test_every_public_name_says_what_it_is(door):
    said = dict(public_names(door))
    assert said
    assert not [name for name, text in said.items() if not text.strip()]
