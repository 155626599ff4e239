"""The texts that pages are made of."""

from __future__ import annotations

from importlib import resources


def web_text(*names: str) -> str:
    """Return files of the folder `web`, one after the other."""
    folder = resources.files("floatframe.viewer") / "web"
    return "\n".join((folder / name).read_text(encoding="utf-8") for name in names)
