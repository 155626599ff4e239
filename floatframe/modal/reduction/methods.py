"""The methods of reduction by name; this loads nothing, so that the command line can list them at once."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

Method: TypeAlias = Literal["craig-bampton", "guyan", "eigenmodes", "attachment", "macneal"]
METHODS: tuple[Method, ...] = get_args(Method)
