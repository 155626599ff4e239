"""Welded frame of a ballast cleaner of the kind of the SHCHOM-1200, which carries two vibrating screens."""

from samples.ballast_cleaner.model import Design, build

__all__ = ["Design", "build"]
