"""The formats of this room; the module of each loads when a file with its suffix is looked at."""

from __future__ import annotations

from collections.abc import Iterator

from floatframe.io.format import HDF5, Format, late_formats

_MODULES = {"file": HDF5, "sweep_file": HDF5}


def formats_of(suffix: str | None = None) -> Iterator[Format]:
    """Yield the formats of files with a suffix, all without one."""
    return late_formats(__package__, _MODULES, suffix)
