"""Kernels of wheel and rail compiled before they are needed."""

from __future__ import annotations

from floatframe.railway.contact import clearance, contacts


def warm_up() -> None:
    """Compile the kernels that commands about wheels and rails call; what is kept on disk is left alone."""
    for kernel in (contacts, clearance):
        kernel.load()
