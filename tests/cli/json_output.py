"""What commands print for machines."""

from __future__ import annotations

import json
from typing import Any

from floatframe.cli.main import run
from tests.cli.json_page import undocumented


def printed(capsys: Any, *arguments: Any) -> dict[str, Any]:
    """Run a command with --json and return what it prints."""
    assert run([*map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def answer(words: list[str], capsys: Any) -> dict[str, Any]:
    """Run a command with --json and return what it prints, all of it documented."""
    capsys.readouterr()
    content = printed(capsys, *words)
    assert not undocumented(content)
    return content
