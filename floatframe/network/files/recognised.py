"""Which files hold networks; loads nothing, since every command asks."""

from __future__ import annotations

from pathlib import Path

from floatframe.tomlfile import format_in, stated_format

FRAGMENT_SUFFIX = ".pradis"


def is_network_file(path: str | Path) -> bool:
    """Whether a file holds a network: TOML that states its format, or a fragment by its suffix."""
    path = Path(path)
    if path.suffix.lower() == ".toml":
        return stated_format(path).startswith("floatframe-network")
    return path.suffix.lower() == FRAGMENT_SUFFIX


def is_network_text(text: str) -> bool:
    """Whether a text is that of a network, as runs keep it."""
    return is_fragment(text) or format_in(text.splitlines()).startswith("floatframe-network")


def is_fragment(text: str) -> bool:
    """Whether a text begins as a fragment does."""
    return text.lstrip("\ufeff \t\r\n").upper().startswith("$ FRAGMENT")
