"""Doors of packages: the quick reading of their lists finds what Python's parser finds."""

from __future__ import annotations

import ast
from pathlib import Path

import floatframe
from floatframe.doors import Home, listed_names

PACKAGE = Path(floatframe.__file__).parent


def parsed_names(source: str) -> dict[str, Home]:
    return {
        alias.asname or alias.name: Home(str(node.module), alias.name)
        for block in ast.parse(source).body
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def test_lists_are_those_of_the_parser():
    doors = [source for path in PACKAGE.rglob("__init__.py") if "open_door(" in (source := path.read_text("utf-8"))]
    assert len(doors) > 20
    for source in doors:
        assert listed_names(source) == parsed_names(source) != {}
