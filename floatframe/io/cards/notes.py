"""Remarks that readers make about single cards, collected from their own source for the table of cards."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable


@cache
def notes_of(program: str) -> dict[str, tuple[str, ...]]:
    """Return card -> reasons for `skip` and `lose` in the modules of this room."""
    found: dict[str, dict[str, None]] = {}
    for place in _sources(resources.files(f"floatframe.io.{program}")):
        for card, reason in _calls(ast.parse(place.read_text(encoding="utf-8"))):
            found.setdefault(card, {})[reason] = None
    return {card: tuple(reasons) for card, reasons in found.items()}


def _sources(folder: Traversable) -> Iterator[Traversable]:
    for place in sorted(folder.iterdir(), key=lambda place: place.name):
        if place.is_dir():
            yield from _sources(place)
        elif place.name.endswith(".py"):
            yield place


def _calls(tree: ast.Module) -> Iterator[tuple[str, str]]:
    texts = {
        node.targets[0].id: _text(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        at = {"skip": 1, "lose": 2}.get(node.func.attr)
        if at is None or len(node.args) <= at:
            continue
        card, value = _text(node.args[0]), node.args[at]
        reason = texts.get(value.id, "") if isinstance(value, ast.Name) else _text(value)
        word = re.match(r"\*?[A-Z0-9/][A-Z0-9]+", card)
        if word and reason.strip("… ,;:"):
            yield word[0].lstrip("*"), reason


def _text(value: ast.expr) -> str:
    """Return a text, with … for what is filled in."""
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return value.value
    if isinstance(value, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in value.values)
    return ""
