"""Decks given as text."""

from __future__ import annotations

from pathlib import Path

import floatframe as ff


def read(folder: Path, text: str, **options: object) -> ff.fem.FEModel:
    """Return the model of a deck."""
    (folder / "deck.inp").write_text(text)
    return ff.io.read(folder / "deck.inp", **options)
