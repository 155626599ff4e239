"""Decks given as text."""

from __future__ import annotations

from pathlib import Path

import floatframe as ff


def read(folder: Path, text: str, **options: object) -> ff.fem.FEModel:
    """Return the model of a deck."""
    path = folder / "deck.bdf"
    path.write_text(text, encoding="utf-8")
    return ff.io.read(path, **options)
