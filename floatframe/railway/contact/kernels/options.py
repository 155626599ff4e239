"""How the kernels of wheel and rail are compiled: as a room of `floatframe.native`, which other rooms may call."""

from __future__ import annotations

from pathlib import Path

from floatframe.native import Room

#: the folder that a room has to name which calls functions of this one
KERNEL_FOLDER = Path(__file__).parent
_ROOM = Room(KERNEL_FOLDER)
#: a kernel that Python calls, a function that only kernels call, one whose sums may be reordered
entry, inner, reordered = _ROOM.entry, _ROOM.part, _ROOM.reordered
