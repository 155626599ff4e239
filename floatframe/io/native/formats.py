"""The formats of this room; the module of each loads when a file with its suffix is looked at."""

from __future__ import annotations

from collections.abc import Iterator

from floatframe.io.format import HDF5, Format, late_formats

_MODULES = {"fe_hdf5": HDF5, "fum_binary": (".fum",), "fum_hdf5": HDF5, "modes_hdf5": HDF5}


def formats_of(suffix: str | None = None) -> Iterator[Format]:
    """Yield the formats of files with a suffix, all without one."""
    return late_formats(__package__, _MODULES, suffix)


def text_formats() -> tuple[Format, ...]:
    """Return those that go by suffix alone."""
    from floatframe.io.native import matrix_text

    return (matrix_text.FORMAT,)
