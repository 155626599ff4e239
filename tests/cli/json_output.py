"""What commands print for machines."""

from __future__ import annotations

import json
from typing import Any

from floatframe.cli.main import run


def printed(capsys: Any, *arguments: Any) -> dict[str, Any]:
    """Run a command with --json and return what it prints."""
    assert run([*map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)
